//! Post-dominators: blocks executed on every path to an exit.

use super::{Analysis, AnalysisManager, ControlFlowGraph, Graph, Tree, immediate_dominators};
use crate::{Context, Operation};

/// The post-dominator tree of the blocks of a region.
///
/// Its root is a virtual exit. Its predecessors are the blocks without successors and, for each
/// group of blocks that reaches none of these (infinite loops), the block that a search from the
/// entry finishes first.
#[derive(Clone, Debug, Default)]
pub struct PostDominatorTree {
    /// The tree, in which the root is an extra node after all blocks.
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

    /// The blocks treated as exits.
    pub fn exits(&self) -> &[u32] {
        &self.exits
    }

    /// The closest strict post-dominator of `block`; `None` if there is no such block.
    pub fn immediate(&self, block: u32) -> Option<u32> {
        self.tree.parent(block).filter(|above| *above != self.root)
    }

    /// Whether every path from `b` to an exit goes through `a`.
    pub fn post_dominates(&self, a: u32, b: u32) -> bool {
        self.tree.contains(a, b)
    }
}

/// Blocks without successors, and one block for each group that has no path to an exit.
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

/// For the first region of an operation.
impl Analysis for PostDominatorTree {
    const NAME: &'static str = "post-dominators";

    fn compute(context: &mut Context, op: Operation, analyses: &mut AnalysisManager) -> Self {
        PostDominatorTree::of(&analyses.get::<ControlFlowGraph>(context, op))
    }
}
