//! The loops of a function at a moment, for passes that change them.

use orison_ir::Context;
use orison_ir::analyses::{ControlFlowGraph, LoopForest};
use orison_ori::analyses::Inductions;
use orison_ori::analyses::induction::Loop;

use super::functions::Function;

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
