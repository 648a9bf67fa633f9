//! Cycles and agents of one loop, decided together, on plain data.
//!
//! A [`JointProblem`] is a dependence graph with, for each operation, what an agent needs to execute
//! it: the registers of its result, and the cost of passing the result to another agent. [`solve`]
//! chooses the number of compute agents, their warps, the agent of each operation and the schedule.
//! The objective is, in this order: executed cycles of an iteration, interval, warps, agents, bytes passed
//! between agents, stages. The executed cycles are those that the caller's judge predicts.
//!
//! Agents have equally many warps, as materialization requires. Those that only load are not part of
//! the choice: one executes all loads ahead of time.
//!
//! * An *assignment* maps *units* to compute agents: operations of one recurrence, or an asynchronous
//!   operation and its wait, are one unit. Agents are interchangeable, so assignments are enumerated
//!   without permutations: in turn one of those that pass fewer bytes and of those that divide the work
//!   better.
//! * Under an assignment, each value read by another agent has a copy, which is scheduled like an
//!   operation, and its readers wait for the copy and two barriers.
//! * A schedule fits if the values that an agent keeps fit in its registers in every row.
//!
//! Intervals are found by the modulo searches, with fewer stages if registers do not suffice; a
//! search over assignments and start cycles decides smaller intervals within a budget of work.
//!
//! Source: issue of the tile scheduler; Twill (arXiv 2512.18134) states the same joint problem.

mod assignment;
mod compact;
mod exact;
mod pressure;
mod problem;
mod search;
#[cfg(test)]
mod tests;

pub use pressure::register_peaks;
pub use problem::{JointOperation, JointProblem, Limits, Passing, Placement, Work};
pub use search::{JointError, JointOptions, JointSolution, Judge, Rank, solve};
