//! Operations between the lanes of a warp. All of them are convergent: the result depends on which
//! threads execute them together.

use orison_ir::declare::{Effects, UnitAttr};

use crate::declare::machine_operations;
use crate::keywords::{Format, MatchMode, Reduction, ShuffleMode, Signedness, VoteMode};
use crate::types::{P, PREDICATE, R, R_OR_R64, SOURCE, SOURCE_OR_WIDE, UP, UR};

use super::rules;

machine_operations! {
    /// The operations of the family.
    list OPERATIONS;

    /// Shuffle: the value of another lane, and whether that lane is in bounds.
    op Shfl = "ori.shfl" {
        operands {
            /// The value of this lane.
            a: one(SOURCE),
            /// Lane index, or distance.
            lane: one(SOURCE),
            /// Segment bounds: a clamp in the low five bits, a mask starting at bit 8.
            bounds: one(SOURCE),
        }
        results {
            /// The value of the other lane.
            result: one(R),
            /// Whether the other lane is in bounds; at most one.
            valid: variadic(P),
        }
        attributes {
            /// Shuffle mode.
            shuffle = "shuffle": required(ShuffleMode),
        }
        with { effects: Effects::Unknown, verify: Some(rules::one_at_most) }
    }

    /// Vote: the lanes in which a predicate holds, and a reduction over them.
    op Vote = "ori.vote" {
        operands {
            /// The predicate.
            a: one(PREDICATE),
        }
        results {
            /// Bit mask of the lanes.
            ballot: one(R),
            /// The result of the vote; at most one.
            answer: variadic(P),
        }
        attributes {
            /// The query.
            vote = "vote": required(VoteMode),
        }
        with { effects: Effects::Unknown, verify: Some(rules::one_at_most) }
    }

    /// As `ori.vote`, with a uniform result.
    op Voteu = "ori.voteu" {
        operands {
            /// The predicate.
            a: one(PREDICATE),
        }
        results {
            /// Bit mask of the lanes.
            ballot: one(UR),
            /// The result of the vote; at most one.
            answer: variadic(UP),
        }
        attributes {
            /// The query.
            vote = "vote": required(VoteMode),
        }
        with { effects: Effects::Unknown, verify: Some(rules::one_at_most) }
    }

    /// Match: the lanes that have the same value.
    op Match = "ori.match" {
        operands {
            /// The value of this lane.
            a: one(SOURCE_OR_WIDE),
        }
        results {
            /// Bit mask of the lanes with the same value.
            lanes: one(R),
            /// Whether all lanes have the same value; at most one.
            answer: variadic(P),
        }
        attributes {
            /// The query.
            match_mode = "match": required(MatchMode),
        }
        with { effects: Effects::Unknown, verify: Some(rules::one_at_most) }
    }

    /// Reduces the values of all lanes to one integer.
    op Redux = "ori.redux" {
        operands {
            /// The value of this lane.
            a: one(SOURCE),
        }
        results {
            /// The sum, extremum or bitwise combination of all values.
            result: one(UR),
        }
        attributes {
            /// The reduction.
            reduction = "reduction": required(Reduction),
            /// Integer format of the operands.
            signedness = "signedness": optional(Signedness),
        }
        with { effects: Effects::Unknown, verify: Some(rules::signed_or_unsigned_word) }
    }

    /// Reduces the values of all lanes to their minimum or maximum, from sm_100 on.
    op Credux = "ori.credux" {
        operands {
            /// The value of this lane.
            a: one(SOURCE),
        }
        results {
            /// The minimum or maximum of all values.
            result: one(UR),
        }
        attributes {
            /// The reduction: `min` or `max`.
            reduction = "reduction": required(Reduction),
            /// Type of the values: `f32`, `s32` or `u32`.
            from = "from": required(Format),
            /// Reduces absolute values.
            absolute = "absolute": optional(UnitAttr),
            /// `.NAN`: a NaN value makes the result NaN.
            nan = "nan_wins": optional(UnitAttr),
        }
        with { effects: Effects::Unknown, verify: Some(rules::extremum_reduction) }
    }

    /// Elects one of the active lanes.
    op Elect = "ori.elect" {
        operands {
            /// Bit mask of the candidate lanes; the active ones if absent.
            mask: optional(SOURCE),
        }
        results {
            /// Whether this lane is elected.
            elected: one(P),
            /// Index of the elected lane; at most one.
            lane: variadic(UR),
        }
        with { effects: Effects::Unknown, verify: Some(rules::one_at_most) }
    }

    /// Tests whether a generic address is in a window of the generic address space.
    op Qspc = "ori.qspc" {
        operands {
            /// The address.
            address: one(SOURCE_OR_WIDE),
        }
        results {
            /// Whether the address is in the window.
            inside: one(P),
            /// The address relative to the window; at most one.
            offset: variadic(R_OR_R64),
        }
        attributes {
            /// The window.
            space = "space": required(crate::keywords::Space),
        }
        with { effects: Effects::None, verify: Some(rules::one_at_most) }
    }
}
