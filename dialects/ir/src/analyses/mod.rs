//! Analyses of control and data flow in a region of any dialect: flow graph, post-dominators, loops,
//! liveness, definitions and uses. Dominators are in [`crate::dominance`].
//!
//! All of them number the blocks of a region in the order of the text, from 0 (the entry) on, and
//! take time and memory that is linear in the region and in what they say, unless said otherwise.

mod control_flow;
mod def_use;
pub(crate) mod dominators;
mod graph;
mod liveness;
mod loops;
mod post_dominance;
#[cfg(test)]
mod tests;

pub use control_flow::ControlFlowGraph;
pub use def_use::{DefUse, Incoming};
pub use dominators::{Tree, immediate_dominators};
pub use graph::Graph;
pub use liveness::{LiveInterval, Liveness};
pub use loops::{LoopForest, NaturalLoop};
pub use post_dominance::PostDominatorTree;
