//! Post-dominators: what is executed on every way out.

use super::{ControlFlowGraph, Graph, Tree, immediate_dominators};
use crate::pass::{Analysis, AnalysisManager};
use crate::{Context, Operation};

/// The post-dominator tree of the blocks of a region.
///
/// Its root is behind all ways out: blocks without successors, and, of blocks from which none of
/// these can be reached (loops without end), the ones that a search from the entry finishes first.
#[derive(Clone, Debug, Default)]
pub struct PostDominatorTree {
    /// With the root as the node behind all blocks.
    tree: Tree,
    exits: Vec<u32>,
    root: u32,
}

impl PostDominatorTree {
    /// The tree of a flow graph.
    pub fn of(flow: &ControlFlowGraph) -> Self {
        let exits = exits(flow);
        let root = u32::try_from(flow.block_count()).unwrap_or(u32::MAX);
        let mut edges: Vec<(u32, u32)> = flow.graph().edges().collect();
        edges.extend(exits.iter().map(|exit| (*exit, root)));
        let backwards = Graph::new(flow.block_count() + 1, &edges).reversed();
        PostDominatorTree {
            tree: Tree::new(immediate_dominators(&backwards, root)),
            exits,
            root,
        }
    }

    /// The blocks behind which nothing is executed, as far as this tree goes.
    pub fn exits(&self) -> &[u32] {
        &self.exits
    }

    /// The closest block that every way out from `block` goes through, besides itself; none when
    /// there is no such block.
    pub fn immediate(&self, block: u32) -> Option<u32> {
        self.tree.parent(block).filter(|above| *above != self.root)
    }

    /// Whether every way out from `b` goes through `a`.
    pub fn post_dominates(&self, a: u32, b: u32) -> bool {
        self.tree.contains(a, b)
    }
}

/// Blocks without successors, and one for each group that cannot be left.
fn exits(flow: &ControlFlowGraph) -> Vec<u32> {
    let count = u32::try_from(flow.block_count()).unwrap_or(u32::MAX);
    let mut leaves = vec![false; flow.block_count()];
    let mut found = Vec::new();
    let mut pending = Vec::new();
    let mut add = |exit: u32, leaves: &mut Vec<bool>| {
        found.push(exit);
        leaves[exit as usize] = true;
        pending.push(exit);
        while let Some(block) = pending.pop() {
            for &predecessor in flow.predecessors(block) {
                if !std::mem::replace(&mut leaves[predecessor as usize], true) {
                    pending.push(predecessor);
                }
            }
        }
    };
    for block in 0..count {
        if flow.successors(block).is_empty() {
            add(block, &mut leaves);
        }
    }
    let unreachable = (0..count).filter(|block| !flow.is_reachable(*block));
    let order = flow.reverse_post_order().iter().rev().copied();
    for block in order.chain(unreachable) {
        if !leaves[block as usize] {
            add(block, &mut leaves);
        }
    }
    found
}

/// Of the first region of an operation.
impl Analysis for PostDominatorTree {
    const NAME: &'static str = "post-dominators";

    fn compute(context: &mut Context, op: Operation, analyses: &mut AnalysisManager) -> Self {
        PostDominatorTree::of(&analyses.get::<ControlFlowGraph>(context, op))
    }
}
