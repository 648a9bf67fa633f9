//! Why a loop is not unrolled: the codes of the page.

/// Why a loop is not unrolled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::ori) enum Rejection {
    /// A loop around other loops, which `LoopUnrollNonInnermost` excludes.
    NotInnermost,
    /// A pragma, a knob or a mark of this pass.
    Disabled(&'static str),
    /// Operations of the threads together, of which some might leave before the others.
    Divergent,
    /// The budget allows no factor.
    NoFactor,
    /// The loop does not end in a conditional branch.
    NoConditionalBranch,
    /// The condition is no comparison of a counter.
    NoCounter(&'static str),
    /// The counter is not an integer.
    NotInteger,
    /// The bound changes in the loop, or is not known.
    NoBound(&'static str),
    /// The shape of the loop.
    Irregular(&'static str),
    /// The counter starts at the bound.
    NoIteration,
    /// The counter moves away from the bound.
    Direction,
    /// Copies would be too large.
    Budget(&'static str),
}

impl Rejection {
    /// The code of the page.
    pub(in crate::ori) const fn code(self) -> u32 {
        match self {
            Rejection::NotInnermost => 7,
            Rejection::Disabled(_) | Rejection::Divergent => 11,
            Rejection::NoFactor => 12,
            Rejection::NoConditionalBranch => 13,
            Rejection::NoCounter(_) => 14,
            Rejection::NotInteger => 15,
            Rejection::NoBound(_) => 16,
            Rejection::Irregular(_) => 17,
            Rejection::NoIteration => 18,
            Rejection::Direction => 19,
            Rejection::Budget(_) => 24,
        }
    }

    /// The reason, in words.
    pub(in crate::ori) const fn reason(self) -> &'static str {
        match self {
            Rejection::NotInnermost => "it is around other loops, and has too few texture reads",
            Rejection::Divergent => {
                "operations of the threads together, which may not run equally often"
            }
            Rejection::NoFactor => "the budget allows no factor",
            Rejection::NoConditionalBranch => "it does not end in a conditional branch",
            Rejection::NotInteger => "the counter is not an integer",
            Rejection::NoIteration => "the counter starts at the bound",
            Rejection::Direction => "the counter moves away from the bound",
            Rejection::Disabled(reason)
            | Rejection::NoCounter(reason)
            | Rejection::NoBound(reason)
            | Rejection::Irregular(reason)
            | Rejection::Budget(reason) => reason,
        }
    }
}
