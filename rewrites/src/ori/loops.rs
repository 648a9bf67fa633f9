//! The loops of a function at a moment, for passes that change them.

use orison_ir::analyses::{ControlFlowGraph, LoopForest};
use orison_ir::{Block, Context};
use orison_ori::analyses::induction::Loop;
use orison_ori::analyses::{Inductions, frequency};

use super::functions::Function;

/// The attribute of an operation that was hoisted from a loop: a scheduler must not move it back.
pub(super) const HOISTED: &str = "ori.hoisted";

/// The loops of a function at a moment.
pub(super) struct Loops {
    pub flow: ControlFlowGraph,
    pub forest: LoopForest,
    pub inductions: Inductions,
}

impl Loops {
    pub fn of(context: &Context, function: Function) -> Self {
        let flow = ControlFlowGraph::of(context, function.body);
        let forest = LoopForest::of(&flow);
        let inductions = Inductions::of(context, &flow, &forest);
        Loops {
            flow,
            forest,
            inductions,
        }
    }

    /// Whether a loop is one that passes change.
    pub fn is_natural(&self, number: usize) -> bool {
        !self.forest.loops()[number].irreducible
    }

    /// The loop with a number of the forest.
    pub fn at<'f>(&'f self, context: &'f Context, number: usize) -> Loop<'f> {
        Loop {
            context,
            flow: &self.flow,
            natural: &self.forest.loops()[number],
        }
    }
}

/// Whether a pragma says that a block is hardly ever executed.
pub(super) fn is_cold(context: &Context, block: Block) -> bool {
    frequency::stated(context, block) == Some(0)
}
