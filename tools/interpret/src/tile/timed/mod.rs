//! Timed execution of a block under a machine model: agents, units and barriers.
//!
//! A discrete-event simulation drives the tasks of [`super::tasks`], so a timed run has the
//! semantics, and finds the errors, of every other run. The rules of time:
//!
//! * An agent is in order: an operation starts when the one before it has started, its operands
//!   are available, and the slots and pools of its row are free. Several may start in one cycle.
//! * Slots and pools are shared by all agents. Among operations that wait for one, the one that has
//!   waited longest starts first, then the agent with the smaller number.
//! * A synchronous operation holds its slots from its start; its results are available after its
//!   latency. One that runs on an asynchronous unit (TMA, wgmma, tcgen05) is followed by its wait
//!   in hardware, so its agent continues only then.
//! * An asynchronous operation is queued: its agent continues at once, and it starts when the
//!   operations it depends on are done and its slots are free.
//! * A stage changes hands when the agent commits or releases it; the other side sees this after
//!   the latency of the commit or release, and continues after that of its own wait. A stage is
//!   released only when the synchronous operations that access it are done.
//!
//! The simulation is the judge of the scheduler, with which it shares only the rows of the machine
//! model (`costs`), not dependences or reservations.

mod agent;
mod certificate;
mod costs;
mod flow;
mod output;
mod record;
mod simulation;
mod units;

#[cfg(test)]
mod tests;

pub use certificate::check_intervals;
pub use output::{Style, render, trace};
pub use record::{AgentTimes, LoopTimes, Record, Span, Track, UnitTimes, Wait, WaitTimes};

use orison_schedule::machine::MachineModel;

use super::tasks::{Failure, Run};
use crate::Interpreter;

/// Runs a block to its end under a machine model.
///
/// # Errors
/// An error of the program, a malformed cost attribute, or more than `fuel` operations.
pub fn simulate(
    interpreter: &Interpreter<'_>,
    run: Run,
    machine: &MachineModel,
    fuel: u64,
) -> Result<Record, Failure> {
    simulation::Simulation::new(interpreter, run, machine).finish(fuel)
}
