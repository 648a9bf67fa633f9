//! Between the lanes of a warp. All of these are convergent: what they mean depends on which threads
//! execute them together.

use orison_ir::declare::UnitAttr;

use crate::declare::machine_operations;
use crate::keywords::{
    FormatAttr, MatchModeAttr, ReductionAttr, ShuffleModeAttr, SignednessAttr, VoteModeAttr,
};
use crate::types::{P, PREDICATE, R, R_OR_R64, SOURCE, SOURCE_OR_WIDE, UP, UR};

use super::rules;

machine_operations! {
    /// The value of another lane, and whether there is such a lane.
    op Shfl = "ori.shfl" {
        operands {
            /// The value of this lane.
            a: one(SOURCE),
            /// Which lane, or how far.
            lane: one(SOURCE),
            /// Bounds of segments: a clamp in the low five bits, a mask from bit 8 on.
            bounds: one(SOURCE),
        }
        results {
            /// The value of the other lane.
            result: one(R),
            /// Whether it is in bounds; at most one.
            valid: variadic(P),
        }
        attributes {
            /// How the other lane is found.
            shuffle = "shuffle": required(ShuffleModeAttr),
        }
        effects: Unknown,
        verify: rules::one_at_most,
    }

    /// In which lanes a predicate holds, and what that says of all.
    op Vote = "ori.vote" {
        operands {
            /// The predicate.
            a: one(PREDICATE),
        }
        results {
            /// Lanes, as bits.
            ballot: one(R),
            /// The answer; at most one.
            answer: variadic(P),
        }
        attributes {
            /// The question.
            vote = "vote": required(VoteModeAttr),
        }
        effects: Unknown,
        verify: rules::one_at_most,
    }

    /// As `ori.vote`, with a uniform answer.
    op Voteu = "ori.voteu" {
        operands {
            /// The predicate.
            a: one(PREDICATE),
        }
        results {
            /// Lanes, as bits.
            ballot: one(UR),
            /// The answer; at most one.
            answer: variadic(UP),
        }
        attributes {
            /// The question.
            vote = "vote": required(VoteModeAttr),
        }
        effects: Unknown,
        verify: rules::one_at_most,
    }

    /// Which lanes have the same value.
    op Match = "ori.match" {
        operands {
            /// The value of this lane.
            a: one(SOURCE_OR_WIDE),
        }
        results {
            /// Lanes with the same value, as bits.
            lanes: one(R),
            /// Whether all have it; at most one.
            answer: variadic(P),
        }
        attributes {
            /// The question.
            match_mode = "match": required(MatchModeAttr),
        }
        effects: Unknown,
        verify: rules::one_at_most,
    }

    /// The values of all lanes as one integer.
    op Redux = "ori.redux" {
        operands {
            /// The value of this lane.
            a: one(SOURCE),
        }
        results {
            /// The sum, extremum or bits of all.
            result: one(UR),
        }
        attributes {
            /// How they become one.
            reduction = "reduction": required(ReductionAttr),
            /// How they are read.
            signedness = "signedness": optional(SignednessAttr),
        }
        effects: Unknown,
        verify: rules::signed_or_unsigned_word,
    }

    /// The values of all lanes as one number, from sm_100 on.
    op Credux = "ori.credux" {
        operands {
            /// The value of this lane.
            a: one(SOURCE),
        }
        results {
            /// The extremum of all.
            result: one(UR),
        }
        attributes {
            /// How they become one: `min` or `max`.
            reduction = "reduction": required(ReductionAttr),
            /// What they are: `f32`, `s32` or `u32`.
            from = "from": required(FormatAttr),
            /// Of absolute values.
            absolute = "absolute": optional(UnitAttr),
            /// `.NAN`: no number wins over a number.
            nan = "nan_wins": optional(UnitAttr),
        }
        effects: Unknown,
        verify: rules::extremum_reduction,
    }

    /// True in one of the active lanes.
    op Elect = "ori.elect" {
        operands {
            /// Lanes among which one is elected; the active ones when absent.
            mask: optional(SOURCE),
        }
        results {
            /// Whether it is this one.
            elected: one(P),
            /// Number of the elected lane; at most one.
            lane: variadic(UR),
        }
        effects: Unknown,
        verify: rules::one_at_most,
    }

    /// Which window of the generic address space an address lies in.
    op Qspc = "ori.qspc" {
        operands {
            /// The address.
            address: one(SOURCE_OR_WIDE),
        }
        results {
            /// Whether it lies in the window asked for.
            inside: one(P),
            /// The address in the window; at most one.
            offset: variadic(R_OR_R64),
        }
        attributes {
            /// The window.
            space = "space": required(crate::keywords::SpaceAttr),
        }
        effects: None,
        verify: rules::one_at_most,
    }
}
