//! Floats of 16, 32 and 64 bits.

use orison_ir::declare::{BoolAttr, Effects, UnitAttr};

use crate::declare::machine_operations;
use crate::keywords::{Extremum, FloatCompare, Format, Function, Rounding};
use crate::types::{DOUBLE, FLOAT, FLOAT2, HALF2, P, PREDICATE, R, R64};

use super::rules;

machine_operations! {
    /// The operations of the family.
    list OPERATIONS;

    /// The sum of two floats.
    op Fadd = "ori.fadd": binary(FLOAT, FLOAT, R) {
        attributes {
            /// Rounding mode of the result; to nearest if absent.
            rounding = "rounding": optional(Rounding),
            /// Denormals are flushed to zero.
            ftz = "ftz": optional(UnitAttr),
            /// The result is clamped to [0, 1].
            saturate = "saturate": optional(UnitAttr),
        }
    }

    /// The product of two floats.
    op Fmul = "ori.fmul": binary(FLOAT, FLOAT, R) {
        attributes {
            /// Rounding mode of the result; to nearest if absent.
            rounding = "rounding": optional(Rounding),
            /// Denormals are flushed to zero.
            ftz = "ftz": optional(UnitAttr),
            /// The result is clamped to [0, 1].
            saturate = "saturate": optional(UnitAttr),
        }
    }

    /// `a * b + c`, rounded once.
    op Ffma = "ori.ffma": ternary(FLOAT, FLOAT, FLOAT, R) {
        attributes {
            /// Rounding mode of the result; to nearest if absent.
            rounding = "rounding": optional(Rounding),
            /// Denormals are flushed to zero.
            ftz = "ftz": optional(UnitAttr),
            /// The result is clamped to [0, 1].
            saturate = "saturate": optional(UnitAttr),
        }
    }

    /// `a + b`, where `a` is a half and `b` and the sum are floats, from sm_100 on.
    op Fhadd = "ori.fhadd": binary(HALF2, FLOAT, R);

    /// `a * b + c`, where `a` and `b` are halves and the addend and the result are floats.
    op Fhfma = "ori.fhfma": ternary(HALF2, HALF2, FLOAT, R);

    /// Two sums of floats, from sm_100 on.
    op Fadd2 = "ori.fadd2": binary(FLOAT2, FLOAT2, R64) {
        attributes {
            /// Rounding mode of the result; to nearest if absent.
            rounding = "rounding": optional(Rounding),
            /// Denormals are flushed to zero.
            ftz = "ftz": optional(UnitAttr),
        }
    }

    /// Two products of floats, from sm_100 on.
    op Fmul2 = "ori.fmul2": binary(FLOAT2, FLOAT2, R64) {
        attributes {
            /// Rounding mode of the result; to nearest if absent.
            rounding = "rounding": optional(Rounding),
            /// Denormals are flushed to zero.
            ftz = "ftz": optional(UnitAttr),
        }
    }

    /// Two operations `a * b + c` on floats, from sm_100 on.
    op Ffma2 = "ori.ffma2": ternary(FLOAT2, FLOAT2, FLOAT2, R64) {
        attributes {
            /// Rounding mode of the result; to nearest if absent.
            rounding = "rounding": optional(Rounding),
            /// Denormals are flushed to zero.
            ftz = "ftz": optional(UnitAttr),
        }
    }

    /// The minimum of two floats if the choice holds, else the maximum.
    op Fmnmx = "ori.fmnmx": select(FLOAT, FLOAT, PREDICATE, R) {
        attributes {
            /// Denormals are flushed to zero.
            ftz = "ftz": optional(UnitAttr),
            /// A NaN operand makes the result NaN.
            nan = "nan_wins": optional(UnitAttr),
        }
    }

    /// The minimum or maximum of three floats, from sm_100 on.
    op Fmnmx3 = "ori.fmnmx3": ternary(FLOAT, FLOAT, FLOAT, R) {
        attributes {
            /// The operation.
            extremum = "extremum": required(Extremum),
            /// Denormals are flushed to zero.
            ftz = "ftz": optional(UnitAttr),
            /// A NaN operand makes the result NaN.
            nan = "nan_wins": optional(UnitAttr),
        }
    }

    /// Selects one of two floats.
    op Fsel = "ori.fsel": select(FLOAT, FLOAT, PREDICATE, R) {
        attributes {
            /// Denormals are flushed to zero.
            ftz = "ftz": optional(UnitAttr),
        }
    }

    /// Compares two floats.
    op Fsetp = "ori.fsetp": comparison(FLOAT, FLOAT, PREDICATE, P) {
        attributes {
            /// The comparison.
            compare = "float_compare": required(FloatCompare),
            /// Denormals are flushed to zero.
            ftz = "ftz": optional(UnitAttr),
        }
        with { verify: Some(rules::no_low_outcome) }
    }

    /// Compares two floats; the result is all bits set, or 1.0, if true and zero otherwise.
    op Fset = "ori.fset": comparison(FLOAT, FLOAT, PREDICATE, R) {
        attributes {
            /// The comparison.
            compare = "float_compare": required(FloatCompare),
            /// The result is 1.0 instead of all bits set.
            float_result = "float_result": optional(UnitAttr),
            /// Denormals are flushed to zero.
            ftz = "ftz": optional(UnitAttr),
        }
        with { verify: Some(rules::no_low_outcome) }
    }

    /// An elementary function.
    op Mufu = "ori.mufu": unary(FLOAT, R) {
        attributes {
            /// The operation.
            function = "function": required(Function),
        }
    }

    /// Tests whether the division of `a` by `b` needs the slow path.
    op Fchk = "ori.fchk": binary(FLOAT, FLOAT, P);

    /// The sum of `a` and `b` of neighbouring lanes, with a sign per lane.
    op Hadd2 = "ori.hadd2": binary(HALF2, HALF2, R) {
        attributes {
            /// `f16` or `bf16`.
            from = "from": default(Format, crate::keywords::Format::F16),
            /// Denormals are flushed to zero.
            ftz = "ftz": optional(UnitAttr),
            /// The results are clamped to [0, 1].
            saturate = "saturate": optional(UnitAttr),
        }
        with { verify: Some(rules::half_format) }
    }

    /// The sum of one half of each source, as a 32-bit float.
    op Hadd2F32 = "ori.hadd2_f32": binary(HALF2, HALF2, R) {
        attributes {
            /// `f16` or `bf16`.
            from = "from": default(Format, crate::keywords::Format::F16),
        }
        with { verify: Some(rules::half_format) }
    }

    /// Two products of halves.
    op Hmul2 = "ori.hmul2": binary(HALF2, HALF2, R) {
        attributes {
            /// `f16` or `bf16`.
            from = "from": default(Format, crate::keywords::Format::F16),
            /// Denormals are flushed to zero.
            ftz = "ftz": optional(UnitAttr),
            /// The results are clamped to [0, 1].
            saturate = "saturate": optional(UnitAttr),
        }
        with { verify: Some(rules::half_format) }
    }

    /// Two operations `a * b + c` on halves.
    op Hfma2 = "ori.hfma2": ternary(HALF2, HALF2, HALF2, R) {
        attributes {
            /// `f16` or `bf16`.
            from = "from": default(Format, crate::keywords::Format::F16),
            /// Denormals are flushed to zero.
            ftz = "ftz": optional(UnitAttr),
            /// The results are clamped to [0, 1].
            saturate = "saturate": optional(UnitAttr),
            /// Negative results are clamped to zero.
            relu = "relu": optional(UnitAttr),
        }
        with { verify: Some(rules::half_format) }
    }

    /// Two operations `a * b + c` on halves, on the tensor pipe of sm_80 and sm_90.
    op Hfma2Mma = "ori.hfma2_mma": ternary(HALF2, HALF2, HALF2, R) {
        attributes {
            /// `f16` or `bf16`.
            from = "from": default(Format, crate::keywords::Format::F16),
            /// Denormals are flushed to zero.
            ftz = "ftz": optional(UnitAttr),
        }
        with { verify: Some(rules::half_format) }
    }

    /// Two minima of halves if the choice holds, else two maxima.
    op Hmnmx2 = "ori.hmnmx2": select(HALF2, HALF2, PREDICATE, R) {
        attributes {
            /// `f16` or `bf16`.
            from = "from": default(Format, crate::keywords::Format::F16),
            /// Denormals are flushed to zero.
            ftz = "ftz": optional(UnitAttr),
            /// A NaN operand makes the result NaN.
            nan = "nan_wins": optional(UnitAttr),
        }
        with { verify: Some(rules::half_format) }
    }

    /// Two minima of halves if the choice holds, else two maxima, on the packed datapath.
    op Vhmnmx = "ori.vhmnmx": select(HALF2, HALF2, PREDICATE, R) {
        attributes {
            /// `f16` or `bf16`.
            from = "from": default(Format, crate::keywords::Format::F16),
            /// A NaN operand makes the result NaN.
            nan = "nan_wins": optional(UnitAttr),
        }
        with { verify: Some(rules::half_format) }
    }

    /// Compares two pairs of halves; each result is all bits set, or 1.0, if true and zero
    /// otherwise.
    op Hset2 = "ori.hset2": comparison(HALF2, HALF2, PREDICATE, R) {
        attributes {
            /// The comparison.
            compare = "float_compare": required(FloatCompare),
            /// `f16` or `bf16`.
            from = "from": default(Format, crate::keywords::Format::F16),
            /// The result is 1.0 instead of all bits set.
            float_result = "float_result": optional(UnitAttr),
        }
        with { verify: Some(rules::half_comparison) }
    }

    /// Compares two pairs of halves: one outcome for each, or their conjunction.
    op Hsetp2 = "ori.hsetp2": comparison(HALF2, HALF2, PREDICATE, P) {
        attributes {
            /// The comparison.
            compare = "float_compare": required(FloatCompare),
            /// `f16` or `bf16`.
            from = "from": default(Format, crate::keywords::Format::F16),
            /// `.H_AND`: the conjunction of both outcomes.
            together = "together": optional(UnitAttr),
        }
        with { verify: Some(rules::half_format) }
    }

    /// The sum of two doubles.
    op Dadd = "ori.dadd": binary(DOUBLE, DOUBLE, R64) {
        attributes {
            /// Rounding mode of the result; to nearest if absent.
            rounding = "rounding": optional(Rounding),
        }
    }

    /// The product of two doubles.
    op Dmul = "ori.dmul": binary(DOUBLE, DOUBLE, R64) {
        attributes {
            /// Rounding mode of the result; to nearest if absent.
            rounding = "rounding": optional(Rounding),
        }
    }

    /// `a * b + c` on doubles, rounded once.
    op Dfma = "ori.dfma": ternary(DOUBLE, DOUBLE, DOUBLE, R64) {
        attributes {
            /// Rounding mode of the result; to nearest if absent.
            rounding = "rounding": optional(Rounding),
        }
    }

    /// Compares two doubles.
    op Dsetp = "ori.dsetp": comparison(DOUBLE, DOUBLE, PREDICATE, P) {
        attributes {
            /// The comparison.
            compare = "float_compare": required(FloatCompare),
        }
        with { verify: Some(rules::no_low_outcome) }
    }

    /// Adds or subtracts a float and that of a neighbouring lane, with a sign per lane of the quad.
    op Fswzadd = "ori.fswzadd" {
        operands {
            /// The float of this lane.
            a: one(FLOAT),
            /// The float of the neighbouring lane.
            b: one(FLOAT),
        }
        results {
            /// The sum.
            result: one(R),
        }
        attributes {
            /// For each lane of a quad: `true` where `b` is added, `false` where it is subtracted
            /// from; for lane 0 only, since the other lanes follow.
            adds = "adds": required(BoolAttr),
        }
        with { effects: Effects::Unknown }
    }
}
