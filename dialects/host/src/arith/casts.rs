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
                    /// The value to convert.
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
    /// Zero-extends integers.
    ExtUI = "arith.extui": FIXED_WIDTH_INTEGER_LIKE => FIXED_WIDTH_INTEGER_LIKE, {} &[],
        Some(verify::widening), fold::extui, [];
    /// Sign-extends integers.
    ExtSI = "arith.extsi": FIXED_WIDTH_INTEGER_LIKE => FIXED_WIDTH_INTEGER_LIKE, {} &[],
        Some(verify::widening), fold::extsi, [EXTSI_OF_EXTUI];
    /// Extends floats to a wider type; exact.
    ExtF = "arith.extf": FLOAT_LIKE => FLOAT_LIKE, {
        /// Fast-math flags.
        fastmath = "fastmath": optional(FastMathAttr),
    } &[Flag::OptionalFastMath], Some(verify::widening), fold::extf, [];
    /// Truncates integers to their low bits.
    TruncI = "arith.trunci": FIXED_WIDTH_INTEGER_LIKE => FIXED_WIDTH_INTEGER_LIKE, {
        /// Overflows that are undefined behaviour.
        overflow_flags = "overflowFlags": default(OverflowAttr, Overflow::NONE),
    } &[Flag::Overflow], Some(verify::narrowing), fold::trunci, [TRUNC_OF_EXTSI, TRUNC_OF_EXTUI, TRUNC_OF_SHRSI];
    /// Rounds floats to a narrower type.
    TruncF = "arith.truncf": FLOAT_LIKE => FLOAT_LIKE, {
        /// The rounding mode; if absent, to the nearest value, ties to even.
        roundingmode = "roundingmode": optional(RoundingModeAttr),
        /// Fast-math flags.
        fastmath = "fastmath": optional(FastMathAttr),
    } &[Flag::Rounding, Flag::OptionalFastMath], Some(verify::narrowing), fold::truncf, [TRUNCF_OF_SITOFP, TRUNCF_OF_UITOFP];
    /// Converts unsigned integers to floats, rounded to the nearest value.
    UIToFP = "arith.uitofp": FIXED_WIDTH_INTEGER_LIKE => FLOAT_LIKE, {} &[],
        Some(verify::conversion), fold::uitofp, [];
    /// Converts signed integers to floats, rounded to the nearest value.
    SIToFP = "arith.sitofp": FIXED_WIDTH_INTEGER_LIKE => FLOAT_LIKE, {} &[],
        Some(verify::conversion), fold::sitofp, [];
    /// Converts floats to unsigned integers, rounded toward zero; poison if out of range.
    FPToUI = "arith.fptoui": FLOAT_LIKE => FIXED_WIDTH_INTEGER_LIKE, {} &[],
        Some(verify::conversion), fold::fptoui, [];
    /// Converts floats to signed integers, rounded toward zero; poison if out of range.
    FPToSI = "arith.fptosi": FLOAT_LIKE => FIXED_WIDTH_INTEGER_LIKE, {} &[],
        Some(verify::conversion), fold::fptosi, [];
    /// Converts between integers and `index` by sign extension or truncation.
    IndexCast = "arith.index_cast": INDEX_CAST_TYPE => INDEX_CAST_TYPE, {} &[],
        Some(verify::index_cast), fold::index_cast, [INDEX_CAST_OF_EXTSI];
    /// Converts between integers and `index` by zero extension or truncation.
    IndexCastUI = "arith.index_castui": INDEX_CAST_TYPE => INDEX_CAST_TYPE, {} &[],
        Some(verify::index_cast), fold::index_castui, [INDEX_CASTUI_OF_EXTUI];
    /// Reinterprets the bits of a value as another type of the same width.
    Bitcast = "arith.bitcast": BITCAST_TYPE => BITCAST_TYPE, {} &[],
        Some(verify::bitcast), fold::bitcast, [];
}

orison_ir::operations! {
    /// Extends floats and multiplies them by a scale.
    op ScalingExtF = "arith.scaling_extf" {
        operands {
            /// The value to convert.
            input: one(FLOAT_LIKE),
            /// The scale; only its exponent is used.
            scale: one(FLOAT_LIKE),
        }
        results {
            /// The converted value.
            out: one(FLOAT_LIKE),
        }
        attributes {
            /// Fast-math flags.
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
            /// The value to convert.
            input: one(FLOAT_LIKE),
            /// The scale; only its exponent is used.
            scale: one(FLOAT_LIKE),
        }
        results {
            /// The converted value.
            out: one(FLOAT_LIKE),
        }
        attributes {
            /// The rounding mode; if absent, to the nearest value, ties to even.
            roundingmode = "roundingmode": optional(RoundingModeAttr),
            /// Fast-math flags.
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
