//! From one number format to another.

use orison_ir::declare::{UnitAttr, VerifyResult};
use orison_ir::{Context, Operation};

use crate::declare::{arithmetic_operations, machine_operations};
use crate::keywords::{Format, FormatAttr, IntegerRoundingAttr, RoundingAttr};
use crate::types::{FLOAT, R, R_OR_R64, SOURCE, SOURCE_OR_WIDE};

use super::rules;

arithmetic_operations! {
    /// From an integer to a float.
    I2f = "ori.i2f": unary(SOURCE_OR_WIDE) -> R_OR_R64, {
        /// Format of the result.
        to = "to": required(FormatAttr),
        /// Format of the source.
        from = "from": required(FormatAttr),
        /// How the result is rounded; to nearest when absent.
        rounding = "rounding": optional(RoundingAttr),
        /// 64 bits on one side at least.
        double = "double": optional(UnitAttr),
    }, verify rules::integer_to_float;

    /// From a float to an integer.
    F2i = "ori.f2i": unary(SOURCE_OR_WIDE) -> R_OR_R64, {
        /// Format of the result.
        to = "to": required(FormatAttr),
        /// Format of the source.
        from = "from": required(FormatAttr),
        /// To which whole number.
        rounding = "integer_rounding": optional(IntegerRoundingAttr),
        /// Denormals are zero.
        ftz = "ftz": optional(UnitAttr),
        /// `.NTZ`: no number becomes zero.
        nan_is_zero = "nan_is_zero": optional(UnitAttr),
        /// 64 bits on one side at least.
        double = "double": optional(UnitAttr),
    }, verify rules::float_to_integer;

    /// From a float format to another.
    F2f = "ori.f2f": unary(SOURCE_OR_WIDE) -> R_OR_R64, {
        /// Format of the result.
        to = "to": required(FormatAttr),
        /// Format of the source.
        from = "from": required(FormatAttr),
        /// How the result is rounded; to nearest when absent.
        rounding = "rounding": optional(RoundingAttr),
        /// Denormals are zero.
        ftz = "ftz": optional(UnitAttr),
        /// The result is clamped to [0, 1].
        saturate = "saturate": optional(UnitAttr),
        /// 64 bits on one side at least.
        double = "double": optional(UnitAttr),
    }, verify rules::float_to_float;

    /// A float rounded to a whole number.
    Frnd = "ori.frnd": unary(SOURCE_OR_WIDE) -> R_OR_R64, {
        /// Format of both.
        from = "from": required(FormatAttr),
        /// To which whole number.
        rounding = "integer_rounding": optional(IntegerRoundingAttr),
        /// Denormals are zero.
        ftz = "ftz": optional(UnitAttr),
        /// 64 bits.
        double = "double": optional(UnitAttr),
    }, verify rules::rounded;

    /// Two floats as a pair of narrower ones: `a` is the high half.
    F2fp = "ori.f2fp": binary(FLOAT, FLOAT) -> R, {
        /// Format of the halves.
        to = "to": required(FormatAttr),
        /// Format of the sources.
        from = "from": default(FormatAttr, crate::keywords::Format::F32),
        /// How the results are rounded; to nearest when absent.
        rounding = "rounding": optional(RoundingAttr),
        /// Results are no less than zero.
        relu = "relu": optional(UnitAttr),
        /// `.SATFINITE`: no infinity.
        satfinite = "satfinite": optional(UnitAttr),
    }, verify rules::packed_floats;

    /// The two narrow floats in the low bits of a register as a pair of halves.
    F2fpUnpack = "ori.f2fp_unpack": unary(SOURCE) -> R, {
        /// Format of the halves.
        to = "to": required(FormatAttr),
        /// Format of the narrow floats.
        from = "from": required(FormatAttr),
        /// Results are no less than zero.
        relu = "relu": optional(UnitAttr),
    }, verify rules::unpacked_floats;

    /// From an integer to a float on the integer pipe, from sm_86 on.
    I2fp = "ori.i2fp": unary(SOURCE) -> R, {
        /// Format of the source.
        from = "from": required(FormatAttr),
        /// How the result is rounded; to nearest when absent.
        rounding = "rounding": optional(RoundingAttr),
    }, verify rules::word_format;

    /// Two floats as a pair of integers: `a` is the high one.
    F2ip = "ori.f2ip": binary(FLOAT, SOURCE) -> R, {
        /// Format of the result's elements.
        to = "to": required(FormatAttr),
        /// Format of the sources.
        from = "from": required(FormatAttr),
    };
}

machine_operations! {
    /// Two floats as a pair of halves, or four as narrower ones, the first highest: each is rounded up
    /// as often as random bits say. Of four, two `F2FP` make the bytes, one behind the other.
    op F2fpStochastic = "ori.f2fp_rs" {
        operands {
            /// Two floats or four.
            values: variadic(SOURCE),
            /// The random bits.
            random: one(SOURCE),
        }
        results {
            /// The floats side by side.
            result: one(R),
        }
        attributes {
            /// Format of the result's elements.
            to = "to": required(FormatAttr),
            /// Results are no less than zero.
            relu = "relu": optional(UnitAttr),
            /// `.SATFINITE`: no infinity.
            satfinite = "satfinite": optional(UnitAttr),
        }
        effects: None,
        verify: stochastic,
    }
}

fn stochastic(context: &Context, op: Operation) -> VerifyResult {
    use Format::{Bf16, E2m1, E2m3, E3m2, E4m3, E5m2, F16};
    let known = [F16, Bf16, E4m3, E5m2, E3m2, E2m3, E2m1];
    rules::format_among(context, op, "to", &known)?;
    let to = rules::word::<Format>(context, op, "to");
    let wanted = if matches!(to, Some(F16 | Bf16)) { 2 } else { 4 };
    let found = op.operands_named(context, "values").len();
    if found == wanted {
        return Ok(());
    }
    let message = format!("expects {wanted} values of this format, but got {found}");
    Err(op.op_error(context, message))
}
