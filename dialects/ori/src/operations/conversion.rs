//! Conversions between number formats.

use orison_ir::declare::{Effects, UnitAttr, VerifyResult};
use orison_ir::{Context, Operation};

use crate::declare::machine_operations;
use crate::keywords::{Format, IntegerRounding, Rounding, keyword_of};
use crate::types::{FLOAT, R, R_OR_R64, SOURCE, SOURCE_OR_WIDE};

use super::rules;

machine_operations! {
    /// The operations of the family.
    list OPERATIONS;

    /// Converts an integer to a float.
    op I2f = "ori.i2f": unary(SOURCE_OR_WIDE, R_OR_R64) {
        attributes {
            /// Format of the result.
            to = "to": required(Format),
            /// Format of the source.
            from = "from": required(Format),
            /// Rounding mode of the result; to nearest if absent.
            rounding = "rounding": optional(Rounding),
            /// The source or the result has 64 bits.
            double = "double": optional(UnitAttr),
        }
        with { verify: Some(rules::integer_to_float) }
    }

    /// Converts a float to an integer.
    op F2i = "ori.f2i": unary(SOURCE_OR_WIDE, R_OR_R64) {
        attributes {
            /// Format of the result.
            to = "to": required(Format),
            /// Format of the source.
            from = "from": required(Format),
            /// Rounding mode to an integer.
            rounding = "integer_rounding": optional(IntegerRounding),
            /// Denormals are flushed to zero.
            ftz = "ftz": optional(UnitAttr),
            /// `.NTZ`: NaN becomes zero.
            nan_is_zero = "nan_is_zero": optional(UnitAttr),
            /// The source or the result has 64 bits.
            double = "double": optional(UnitAttr),
        }
        with { verify: Some(rules::float_to_integer) }
    }

    /// Converts a float to another float format.
    op F2f = "ori.f2f": unary(SOURCE_OR_WIDE, R_OR_R64) {
        attributes {
            /// Format of the result.
            to = "to": required(Format),
            /// Format of the source.
            from = "from": required(Format),
            /// Rounding mode of the result; to nearest if absent.
            rounding = "rounding": optional(Rounding),
            /// Denormals are flushed to zero.
            ftz = "ftz": optional(UnitAttr),
            /// The result is clamped to [0, 1].
            saturate = "saturate": optional(UnitAttr),
            /// The source or the result has 64 bits.
            double = "double": optional(UnitAttr),
        }
        with { verify: Some(rules::float_to_float) }
    }

    /// Rounds a float to an integral value.
    op Frnd = "ori.frnd": unary(SOURCE_OR_WIDE, R_OR_R64) {
        attributes {
            /// Format of source and result.
            from = "from": required(Format),
            /// Rounding mode to an integer.
            rounding = "integer_rounding": optional(IntegerRounding),
            /// Denormals are flushed to zero.
            ftz = "ftz": optional(UnitAttr),
            /// 64-bit operation.
            double = "double": optional(UnitAttr),
        }
        with { verify: Some(rules::rounded) }
    }

    /// Two floats as a pair of narrower ones; `a` becomes the high half.
    op F2fp = "ori.f2fp": binary(FLOAT, FLOAT, R) {
        attributes {
            /// Format of the halves.
            to = "to": required(Format),
            /// Format of the sources.
            from = "from": default(Format, crate::keywords::Format::F32),
            /// Rounding mode of the results; to nearest if absent.
            rounding = "rounding": optional(Rounding),
            /// Negative results are clamped to zero.
            relu = "relu": optional(UnitAttr),
            /// `.SATFINITE`: overflow gives the largest finite value.
            satfinite = "satfinite": optional(UnitAttr),
        }
        with { verify: Some(rules::packed_floats) }
    }

    /// Converts the two narrow floats in the low bits of a register to a pair of halves.
    op F2fpUnpack = "ori.f2fp_unpack": unary(SOURCE, R) {
        attributes {
            /// Format of the halves.
            to = "to": required(Format),
            /// Format of the narrow floats.
            from = "from": required(Format),
            /// Negative results are clamped to zero.
            relu = "relu": optional(UnitAttr),
        }
        with { verify: Some(rules::unpacked_floats) }
    }

    /// Converts an integer to a float on the integer pipe, from sm_86 on.
    op I2fp = "ori.i2fp": unary(SOURCE, R) {
        attributes {
            /// Format of the source.
            from = "from": required(Format),
            /// Rounding mode of the result; to nearest if absent.
            rounding = "rounding": optional(Rounding),
        }
        with { verify: Some(rules::word_format) }
    }

    /// Converts two floats to a pair of integers; `a` becomes the high one.
    op F2ip = "ori.f2ip": binary(FLOAT, SOURCE, R) {
        attributes {
            /// Format of the result's elements.
            to = "to": required(Format),
            /// Format of the sources.
            from = "from": required(Format),
        }
    }

    /// Converts two floats to a pair of halves, or four to narrower ones, the first highest, with
    /// stochastic rounding. For four, two `F2FP` produce the bytes, one after the other.
    op F2fpStochastic = "ori.f2fp_rs" {
        operands {
            /// Two or four floats.
            values: variadic(SOURCE),
            /// The random bits for the rounding.
            random: one(SOURCE),
        }
        results {
            /// The packed floats.
            result: one(R),
        }
        attributes {
            /// Format of the result's elements.
            to = "to": required(Format),
            /// Negative results are clamped to zero.
            relu = "relu": optional(UnitAttr),
            /// `.SATFINITE`: overflow gives the largest finite value.
            satfinite = "satfinite": optional(UnitAttr),
        }
        with { effects: Effects::None, verify: Some(stochastic) }
    }
}

fn stochastic(context: &Context, op: Operation) -> VerifyResult {
    use Format::{Bf16, E2m1, E2m3, E3m2, E4m3, E5m2, F16};
    let known = [F16, Bf16, E4m3, E5m2, E3m2, E2m3, E2m1];
    rules::format_among(context, op, "to", &known)?;
    let to = keyword_of::<Format>(context, op, "to");
    let wanted = if matches!(to, Some(F16 | Bf16)) { 2 } else { 4 };
    let found = op.operands_named(context, "values").len();
    // Two of narrow formats are what one instruction packs, below the bits of `random`.
    if found == wanted || found == 2 {
        return Ok(());
    }
    let message = format!("expects {wanted} values of this format, found {found}");
    Err(op.op_error(context, message))
}
