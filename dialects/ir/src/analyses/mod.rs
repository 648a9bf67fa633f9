//! Analyses: how their results are cached ([`AnalysisManager`]), and the control-flow and data-flow
//! analyses of a region of any dialect: flow graph, post-dominators, loops, liveness, definitions
//! and uses. Dominators are in [`crate::dominance`].
//!
//! All analyses number the blocks of a region in textual order, starting at 0 (the entry). Time and
//! memory are linear in the region and in the result, unless stated otherwise.

mod control_flow;
mod def_use;
pub(crate) mod dominators;
mod graph;
mod liveness;
mod loops;
mod manager;
mod post_dominance;
#[cfg(test)]
mod tests;

pub use control_flow::ControlFlowGraph;
pub use def_use::{DefUse, Incoming};
pub use dominators::{Tree, immediate_dominators};
pub use graph::Graph;
pub use liveness::{LiveInterval, Liveness};
pub use loops::{LoopForest, NaturalLoop};
pub use manager::{Analysis, AnalysisKey, AnalysisManager, PreservedAnalyses};
pub use post_dominance::PostDominatorTree;
