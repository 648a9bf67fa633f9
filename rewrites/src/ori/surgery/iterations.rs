//! Copies of the body of a loop, one iteration behind the other.

use orison_ir::analyses::{ControlFlowGraph, NaturalLoop};
use orison_ir::{Block, Context, Operation};

use super::loops::redirect;
use super::{EdgeId, clone_blocks};
use crate::ori::functions::{branch_instead, passed};

/// One iteration of a loop: the blocks of the loop, or a copy of them.
///
/// The loop has one back edge, and is in loop-closed form ([`super::close_loops`]).
#[derive(Clone, Debug)]
pub struct Iteration {
    /// The first block.
    pub header: Block,
    /// The block with the back edge.
    pub latch: Block,
    /// The block whose branch leaves behind the last iteration.
    pub exit: Block,
    /// The successor of that branch that leaves.
    pub leaves: usize,
}

/// The blocks of a loop, of which iterations are copied.
#[derive(Clone, Debug)]
pub struct LoopBody {
    /// The blocks of the loop.
    pub own: Iteration,
    blocks: Vec<Block>,
}

impl LoopBody {
    /// A loop that is left by the successor `leaves` of the branch of the block `exit`. `None` if it
    /// has several back edges.
    pub fn of(
        flow: &ControlFlowGraph,
        natural: &NaturalLoop,
        exit: u32,
        leaves: usize,
    ) -> Option<Self> {
        let [latch] = natural.latches[..] else {
            return None;
        };
        let blocks = natural.blocks.iter().map(|block| flow.block(*block));
        let own = Iteration {
            header: flow.block(natural.header),
            latch: flow.block(latch),
            exit: flow.block(exit),
            leaves,
        };
        Some(LoopBody {
            own,
            blocks: blocks.collect(),
        })
    }

    /// The blocks, in the order of the flow graph.
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// The edges into the loop from outside, the oldest first.
    pub fn entering_edges(&self, context: &Context) -> Vec<EdgeId> {
        let edges = self.own.header.predecessor_edges(context);
        let mut edges: Vec<EdgeId> = edges
            .filter(|(branch, _)| {
                let block = branch.block(context);
                !block.is_some_and(|block| self.blocks.contains(&block))
            })
            .collect();
        edges.reverse();
        edges
    }

    /// Appends copies of the body behind a block, in order. Their back edges lead to their own
    /// headers. Linear in what is copied.
    pub fn copies(&self, context: &mut Context, count: u64, mut behind: Block) -> Vec<Iteration> {
        let mut copies = Vec::new();
        for _ in 0..count {
            let mapping = clone_blocks(context, &self.blocks, behind);
            if let Some(last) = self.blocks.last() {
                behind = mapping.lookup_block(*last);
            }
            copies.push(Iteration {
                header: mapping.lookup_block(self.own.header),
                latch: mapping.lookup_block(self.own.latch),
                exit: mapping.lookup_block(self.own.exit),
                leaves: self.own.leaves,
            });
        }
        copies
    }
}

impl Iteration {
    /// Lets the back edge lead to another block.
    pub fn continue_at(&self, context: &mut Context, next: Block) {
        if let Some(back) = self.latch.terminator(context) {
            redirect(context, back, self.header, next);
        }
    }

    /// The branch that leaves behind the last iteration.
    pub fn exit_branch(&self, context: &Context) -> Option<Operation> {
        self.exit.terminator(context)
    }

    /// Makes the counted exit one that is never taken.
    pub fn never_leave(&self, context: &mut Context) {
        self.take(context, 1 - self.leaves);
    }

    /// Makes the counted exit one that is always taken.
    pub fn always_leave(&self, context: &mut Context) {
        self.take(context, self.leaves);
    }

    fn take(&self, context: &mut Context, way: usize) {
        let Some(branch) = self.exit_branch(context) else {
            return;
        };
        if let Some(target) = branch.successor(context, way) {
            let values = passed(context, branch, way);
            branch_instead(context, branch, target, &values);
        }
    }
}

/// Lets each iteration be followed by the next one if its test says that the loop goes on, and the
/// last one by `then`.
pub fn follow(context: &mut Context, iterations: &[Iteration], then: Block) {
    for (number, iteration) in iterations.iter().enumerate() {
        let next = iterations.get(number + 1);
        iteration.continue_at(context, next.map_or(then, |next| next.header));
    }
}

/// Lets each iteration be followed by the next one, without a test, and the last one by `then`.
pub fn chain(context: &mut Context, iterations: &[Iteration], then: Block) {
    follow(context, iterations, then);
    for iteration in iterations {
        iteration.never_leave(context);
    }
}
