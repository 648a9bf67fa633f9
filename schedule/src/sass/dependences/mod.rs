//! The dependences of machine code: which instruction must follow which, by how many cycles, and
//! what signals that it may issue.
//!
//! [`DependenceGraph::of_block`] is the graph of one block, as used by a list scheduler;
//! [`DependenceGraph::of_function`] also has the edges between blocks, over all paths, from which
//! scoreboards and stall counts are computed.
//!
//! Rules:
//! - Registers are compared individually, wide operands over all of theirs. A guarded instruction
//!   may leave old values, so earlier writers remain possible. A scoreboard wait covers all later
//!   uses: after the first instruction that has to wait for an operation, none waits for it again.
//! - Different memory spaces are disjoint, except for generic addresses. Two accesses of one space
//!   are disjoint if both add the same registers, unchanged in between, and their bytes do not
//!   overlap.
//! - Synchronisation, calls and jumps are ordered with memory accesses and other synchronisation.
//! - If instructions may be reordered ([`GraphRules::reorders`]), reads of clocks, convergence barriers and
//!   instructions without results count as synchronisation; a wait for a counted scoreboard is ordered
//!   with all operations of variable latency, and `WARPGROUP.ARRIVE` and `.DEPBAR` with all accesses to
//!   registers that a product of the function has.
//!
//! Cost: one entry per register and access that remains possible. A fixed result that may be
//! missing is dropped after the next writer after as many instructions as the longest latency has
//! cycles, accesses to memory after `GraphRules::memory_window` of them (the next one is then
//! ordered after all), and a write ends all reads, so that a block has a linear number of edges and
//! takes linear time. Over a function, blocks are walked to a fixpoint, as in the simulator.
//! Between blocks, only accesses that time does not end are kept, and
//! `registers::MOST_BETWEEN_BLOCKS` per register: the first instruction of the block where more
//! meet waits for the others, so that a walk is also linear.

mod distances;
mod memory;
#[cfg(test)]
mod plain_tests;
mod registers;
#[cfg(test)]
mod tests;
mod walk;

use orison_sass::function::Function;

use super::facts::FunctionFacts;
use super::latency::{ClassId, LatencyModel};
use crate::dependences::DependenceGraph;
pub(crate) use distances::Distances;
pub(crate) use walk::BlockGraphs;

/// Constants and switches of the pages that may be overridden.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GraphRules {
    /// Whether instructions may get another order: then a wait of one says nothing about later ones,
    /// and what no register or memory shows is ordered, too. If not, the graph has what scoreboards
    /// and stalls need.
    pub reorders: bool,
    /// Whether accesses to memory never conflict (knob 764, `SchedMemNoAlias`; reference 5): for
    /// code known to satisfy this. Synchronisation is still ordered.
    pub no_alias: bool,
    /// This many accesses are compared individually; the next one is ordered after all of them (for
    /// knob 759, `SchedMaxMemDep`, which omits edges; reference 5).
    pub memory_window: usize,
    /// Classes across which no memory access or synchronisation moves (knob 313, `FenceCode`;
    /// reference 5).
    pub fences: Vec<ClassId>,
}

impl Default for GraphRules {
    fn default() -> Self {
        GraphRules {
            reorders: false,
            no_alias: false,
            memory_window: 64,
            fences: Vec::new(),
        }
    }
}

impl DependenceGraph {
    /// The dependences within a block, without those on other blocks, in the order that it has.
    pub fn of_block(facts: &FunctionFacts, model: &LatencyModel, block: usize) -> DependenceGraph {
        DependenceGraph::of_block_with(facts, model, block, &GraphRules::default())
    }

    /// Like [`Self::of_block`], with other rules.
    pub fn of_block_with(
        facts: &FunctionFacts,
        model: &LatencyModel,
        block: usize,
        rules: &GraphRules,
    ) -> DependenceGraph {
        DependenceGraph::new(walk::block(facts, model, block, rules), facts.len())
    }

    /// All dependences of a function, including those between blocks over all paths.
    pub fn of_function(
        function: &Function<'_>,
        facts: &FunctionFacts,
        model: &LatencyModel,
    ) -> DependenceGraph {
        DependenceGraph::of_function_with(function, facts, model, &GraphRules::default())
    }

    /// Like [`Self::of_function`], with other rules.
    pub fn of_function_with(
        function: &Function<'_>,
        facts: &FunctionFacts,
        model: &LatencyModel,
        rules: &GraphRules,
    ) -> DependenceGraph {
        DependenceGraph::new(walk::function(function, facts, model, rules), facts.len())
    }
}
