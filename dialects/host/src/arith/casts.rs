//! Conversions between types.

use orison_ir::declare::constraints::FLOAT_LIKE;
use orison_ir::declare::{Assembly, Effects, Trait};

use super::assembly::{Flag, parse_cast, print_cast};
use super::{
    ELEMENTWISE, FastMathAttr, Overflow, OverflowAttr, RoundingModeAttr, fold, rules, verify,
};
use crate::types::{BITCAST_TYPE, FIXED_WIDTH_INTEGER_LIKE, INDEX_CAST_TYPE};

/// Declares conversions of one value.
macro_rules! casts {
    ($(
        $(#[doc = $doc:literal])*
        $rust:ident = $name:literal : $from:ident => $to:ident, { $($attributes:tt)* } $flags:expr,
        $verify:expr, $fold:expr, [$($rule:ident),*];
    )*) => { $(
        orison_ir::operations! {
            $(#[doc = $doc])*
            op $rust = $name {
                operands {
                    /// What to convert.
                    input: one($from),
                }
                results {
                    /// The converted value.
                    out: one($to),
                }
                attributes { $($attributes)* }
                with {
                    traits: &[
                        Trait::SameOperandsAndResultShape,
                        ELEMENTWISE,
                        Trait::AlwaysSpeculatable,
                    ],
                    effects: Effects::None,
                    assembly: Assembly::Custom {
                        parse: |parser, state| parse_cast(parser, state, 1, $flags),
                        print: |printer, op| print_cast(printer, op, $flags),
                    },
                    verify_types: Some(verify::same_extents),
                    verify: $verify,
                    fold: Some($fold),
                    rules: &[$(&rules::$rule),*],
                }
            }
        }
    )* };
}

casts! {
    /// Widens integers with zeros.
    ExtUI = "arith.extui": FIXED_WIDTH_INTEGER_LIKE => FIXED_WIDTH_INTEGER_LIKE, {} &[],
        Some(verify::widening), fold::extui, [];
    /// Widens integers with copies of the sign.
    ExtSI = "arith.extsi": FIXED_WIDTH_INTEGER_LIKE => FIXED_WIDTH_INTEGER_LIKE, {} &[],
        Some(verify::widening), fold::extsi, [EXTSI_OF_EXTUI];
    /// Widens floats; exact.
    ExtF = "arith.extf": FLOAT_LIKE => FLOAT_LIKE, {
        /// What may be assumed, and how the operation may be transformed.
        fastmath = "fastmath": optional(FastMathAttr),
    } &[Flag::OptionalFastMath], Some(verify::widening), fold::extf, [];
    /// Cuts off the high bits of integers.
    TruncI = "arith.trunci": FIXED_WIDTH_INTEGER_LIKE => FIXED_WIDTH_INTEGER_LIKE, {
        /// Which losses are undefined behaviour.
        overflow_flags = "overflowFlags": default(OverflowAttr, Overflow::NONE),
    } &[Flag::Overflow], Some(verify::narrowing), fold::trunci, [TRUNC_OF_EXTSI, TRUNC_OF_EXTUI, TRUNC_OF_SHRSI];
    /// Rounds floats to a narrower type.
    TruncF = "arith.truncf": FLOAT_LIKE => FLOAT_LIKE, {
        /// How to round; to the nearest value, the even one of two, when absent.
        roundingmode = "roundingmode": optional(RoundingModeAttr),
        /// What may be assumed, and how the operation may be transformed.
        fastmath = "fastmath": optional(FastMathAttr),
    } &[Flag::Rounding, Flag::OptionalFastMath], Some(verify::narrowing), fold::truncf, [TRUNCF_OF_SITOFP, TRUNCF_OF_UITOFP];
    /// Unsigned integers to floats, rounded to the nearest value.
    UIToFP = "arith.uitofp": FIXED_WIDTH_INTEGER_LIKE => FLOAT_LIKE, {} &[],
        Some(verify::conversion), fold::uitofp, [];
    /// Signed integers to floats, rounded to the nearest value.
    SIToFP = "arith.sitofp": FIXED_WIDTH_INTEGER_LIKE => FLOAT_LIKE, {} &[],
        Some(verify::conversion), fold::sitofp, [];
    /// Floats to unsigned integers, rounded toward zero; poison where that does not fit.
    FPToUI = "arith.fptoui": FLOAT_LIKE => FIXED_WIDTH_INTEGER_LIKE, {} &[],
        Some(verify::conversion), fold::fptoui, [];
    /// Floats to signed integers, rounded toward zero; poison where that does not fit.
    FPToSI = "arith.fptosi": FLOAT_LIKE => FIXED_WIDTH_INTEGER_LIKE, {} &[],
        Some(verify::conversion), fold::fptosi, [];
    /// Between integers and `index`: widens with copies of the sign, or cuts off.
    IndexCast = "arith.index_cast": INDEX_CAST_TYPE => INDEX_CAST_TYPE, {} &[],
        Some(verify::index_cast), fold::index_cast, [INDEX_CAST_OF_EXTSI];
    /// Between integers and `index`: widens with zeros, or cuts off.
    IndexCastUI = "arith.index_castui": INDEX_CAST_TYPE => INDEX_CAST_TYPE, {} &[],
        Some(verify::index_cast), fold::index_castui, [INDEX_CASTUI_OF_EXTUI];
    /// Reads the bits of a value as another type of the same width.
    Bitcast = "arith.bitcast": BITCAST_TYPE => BITCAST_TYPE, {} &[],
        Some(verify::bitcast), fold::bitcast, [];
}

orison_ir::operations! {
    /// Widens floats and multiplies them by a scale.
    op ScalingExtF = "arith.scaling_extf" {
        operands {
            /// What to convert.
            input: one(FLOAT_LIKE),
            /// The scale; its exponent is what counts.
            scale: one(FLOAT_LIKE),
        }
        results {
            /// The converted value.
            out: one(FLOAT_LIKE),
        }
        attributes {
            /// What may be assumed, and how the operation may be transformed.
            fastmath = "fastmath": optional(FastMathAttr),
        }
        with {
            traits: &[ELEMENTWISE, Trait::AlwaysSpeculatable],
            effects: Effects::None,
            assembly: Assembly::Custom {
                parse: |parser, state| parse_cast(parser, state, 2, &[Flag::OptionalFastMath]),
                print: |printer, op| print_cast(printer, op, &[Flag::OptionalFastMath]),
            },
            verify_types: Some(verify::same_extents),
            verify: Some(verify::widening),
        }
    }

    /// Divides floats by a scale and rounds them to a narrower type.
    op ScalingTruncF = "arith.scaling_truncf" {
        operands {
            /// What to convert.
            input: one(FLOAT_LIKE),
            /// The scale; its exponent is what counts.
            scale: one(FLOAT_LIKE),
        }
        results {
            /// The converted value.
            out: one(FLOAT_LIKE),
        }
        attributes {
            /// How to round; to the nearest value, the even one of two, when absent.
            roundingmode = "roundingmode": optional(RoundingModeAttr),
            /// What may be assumed, and how the operation may be transformed.
            fastmath = "fastmath": optional(FastMathAttr),
        }
        with {
            traits: &[ELEMENTWISE, Trait::AlwaysSpeculatable],
            effects: Effects::None,
            assembly: Assembly::Custom {
                parse: |parser, state| {
                    parse_cast(parser, state, 2, &[Flag::Rounding, Flag::OptionalFastMath])
                },
                print: |printer, op| {
                    print_cast(printer, op, &[Flag::Rounding, Flag::OptionalFastMath]);
                },
            },
            verify_types: Some(verify::same_extents),
            verify: Some(verify::narrowing),
        }
    }
}
