//! Why two loops stay apart.

use orison_ir::Operation;

/// Why two adjacent loops are not fused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Refusal {
    /// The operation that a remark is about; `None`: the branch of the second loop.
    pub at: Option<Operation>,
    pub criterion: Criterion,
    pub reason: &'static str,
}

/// The criteria of the page.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Criterion {
    /// Both run equally often.
    Count,
    /// What one of them defines or writes does not disturb the other one.
    Dependence,
    /// Both consist of one block that ends in the only exit, and have the same hints.
    Structure,
    /// The number of instructions.
    Budget,
    /// No barrier, fence, call or other ordered effect in between.
    Barrier,
    /// Where the first one runs, the second one does.
    Dominance,
}

impl Refusal {
    pub fn new(criterion: Criterion, reason: &'static str) -> Self {
        Refusal {
            at: None,
            criterion,
            reason,
        }
    }

    pub fn at(self, op: Operation) -> Self {
        Refusal {
            at: Some(op),
            ..self
        }
    }
}

impl Criterion {
    /// What would help.
    pub fn help(self) -> &'static str {
        match self {
            Criterion::Count => "equal starts, steps and bounds, or constant ones",
            Criterion::Dependence => {
                "addresses that provably differ, or are read when they are written or later"
            }
            Criterion::Structure => {
                "loops of one block with the same pragmas (ori-loop-simplification)"
            }
            Criterion::Budget => "a larger PerformLoopFusionBudget",
            Criterion::Barrier => "loops with nothing ordered in them or between them",
            Criterion::Dominance => "the same condition in front of both loops",
        }
    }
}
