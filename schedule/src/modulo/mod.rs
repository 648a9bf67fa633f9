//! Modulo scheduling of one loop body on plain data.
//!
//! Build a [`DependenceGraph`], call [`schedule_loop`], read the [`Schedule`]:
//!
//! ```
//! use orison_schedule::modulo::{
//!     DependenceGraph, Edge, EdgeKind, Node, ResourceSpace, ResourceUse, SchedulingOptions,
//!     schedule_loop,
//! };
//!
//! let load = Node::new("load", 8, vec![ResourceUse::new(12, 8), ResourceUse::new(16, 8)]);
//! let mma = Node::new("mma", 16, vec![ResourceUse::new(11, 8), ResourceUse::new(19, 8)]);
//! let edges = vec![
//!     Edge { from: 0, to: 1, latency: 8, distance: 0, kind: EdgeKind::Data },
//!     Edge { from: 1, to: 1, latency: 16, distance: 1, kind: EdgeKind::LoopCarried },
//! ];
//! let graph = DependenceGraph::new(ResourceSpace::default(), vec![load, mma], edges)?;
//! let schedule = schedule_loop(&graph, &SchedulingOptions::default())?;
//! assert_eq!((schedule.interval, &schedule.starts[..]), (16, &[0, 8][..]));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! If the heuristics fail at the lower bound, an ejection search finds a schedule and improves its
//! interval within a budget of work; an exact search raises the lower bound, and a search with learning
//! closes the gap from both sides. A schedule records the proven lower bound of its interval and what
//! ended the proof.

pub mod arms;
pub mod bounds;
pub mod components;
pub mod cost;
pub mod decisions;
pub mod distance;
pub mod ejection;
pub mod evaluators;
pub mod exact;
pub mod graph;
pub mod improve;
pub mod iterative;
pub mod leaders;
pub mod learning;
pub mod longest_path;
pub mod order;
pub mod packing;
pub mod placement;
pub mod pressure;
pub mod problem;
pub mod refutation;
pub mod reservation;
pub mod schedule;
pub mod schedule_cost;
pub mod serial;
pub mod windows;

mod coupling;
mod generate;
mod interval_search;
#[cfg(test)]
mod search_tests;
#[cfg(test)]
mod test_support;

pub use bounds::IntervalBounds;
pub use cost::CostVector;
pub use decisions::DecisionLog;
pub use distance::DistanceMatrix;
pub use exact::{ExactOutcome, exact_search};
pub use generate::{Generator, IterativeGenerator, schedule_loop, schedule_loop_logged};
pub use graph::{
    DependenceGraph, Edge, EdgeKind, GraphError, Node, NodeConstraints, Pool, PoolUse,
    RecomputationHints, ResourceSpace, ResourceUse, StructConstraint,
};
pub use problem::{LoopProblem, ScheduleError, SchedulingOptions, Strategy};
pub use schedule::{GeneratorKind, Quality, Schedule, SearchLimit};
