//! The math dialect: elementary functions of scalars, vectors and tensors.

use orison_ir::declare::constraints::{FLOAT_LIKE, SIGNLESS_INTEGER_LIKE};
use orison_ir::declare::{Assembly, DialectDefinition, Effects, Trait, VerifyResult};
use orison_ir::{Context, Operation};

use crate::arith::assembly::{Flag, parse_same, print_same};
use crate::arith::{self, ELEMENTWISE, FastMath, FastMathAttr, verify};
use crate::types::BOOL_LIKE;

mod assembly;
mod evaluate;
mod fold;

pub use evaluate::{classify, float, fpowi, integer, integer_power};

/// Declares operations on floats of one type.
macro_rules! floats {
    ($($(#[doc = $doc:literal])* $rust:ident = $name:literal ($($operand:ident $about:literal),*);)*) => {
        arith::float_operations! { $(
            $(#[doc = $doc])* $rust = $name ($($operand $about),*) [] fold::fold, [];
        )* }
    };
}

floats! {
    /// The absolute value.
    AbsF = "math.absf" (operand "The operand.");
    /// The inverse cosine.
    Acos = "math.acos" (operand "The operand.");
    /// The inverse hyperbolic cosine.
    Acosh = "math.acosh" (operand "The operand.");
    /// The inverse sine.
    Asin = "math.asin" (operand "The operand.");
    /// The inverse hyperbolic sine.
    Asinh = "math.asinh" (operand "The operand.");
    /// The inverse tangent.
    Atan = "math.atan" (operand "The operand.");
    /// The inverse tangent of the quotient, in the quadrant of both operands.
    Atan2 = "math.atan2" (lhs "The dividend.", rhs "The divisor.");
    /// The inverse hyperbolic tangent.
    Atanh = "math.atanh" (operand "The operand.");
    /// The cube root.
    Cbrt = "math.cbrt" (operand "The operand.");
    /// The next integer upward.
    Ceil = "math.ceil" (operand "The operand.");
    /// The first operand with the sign of the second.
    CopySign = "math.copysign" (lhs "The magnitude.", rhs "The sign.");
    /// The cosine.
    Cos = "math.cos" (operand "The operand.");
    /// The hyperbolic cosine.
    Cosh = "math.cosh" (operand "The operand.");
    /// The error function.
    Erf = "math.erf" (operand "The operand.");
    /// One minus the error function.
    Erfc = "math.erfc" (operand "The operand.");
    /// The exponential function.
    Exp = "math.exp" (operand "The operand.");
    /// Two to the power of the operand.
    Exp2 = "math.exp2" (operand "The operand.");
    /// The exponential function minus one.
    ExpM1 = "math.expm1" (operand "The operand.");
    /// The next integer downward.
    Floor = "math.floor" (operand "The operand.");
    /// `a * b + c` with one rounding.
    Fma = "math.fma" (a "A factor.", b "A factor.", c "The summand.");
    /// The natural logarithm.
    Log = "math.log" (operand "The operand.");
    /// The logarithm to base 10.
    Log10 = "math.log10" (operand "The operand.");
    /// The natural logarithm of one plus the operand.
    Log1p = "math.log1p" (operand "The operand.");
    /// The logarithm to base 2.
    Log2 = "math.log2" (operand "The operand.");
    /// The first operand to the power of the second.
    PowF = "math.powf" (lhs "The base.", rhs "The exponent.");
    /// The nearest integer, ties away from zero.
    Round = "math.round" (operand "The operand.");
    /// The nearest integer, ties to even.
    RoundEven = "math.roundeven" (operand "The operand.");
    /// One divided by the square root.
    Rsqrt = "math.rsqrt" (operand "The operand.");
    /// The sine.
    Sin = "math.sin" (operand "The operand.");
    /// The hyperbolic sine.
    Sinh = "math.sinh" (operand "The operand.");
    /// The square root.
    Sqrt = "math.sqrt" (operand "The operand.");
    /// The tangent.
    Tan = "math.tan" (operand "The operand.");
    /// The hyperbolic tangent.
    Tanh = "math.tanh" (operand "The operand.");
    /// The integer next to the operand toward zero.
    Trunc = "math.trunc" (operand "The operand.");
}

/// Declares operations on integers of one type.
macro_rules! integers {
    ($($(#[doc = $doc:literal])* $rust:ident = $name:literal ($($operand:ident $about:literal),*);)*) => { $(
        orison_ir::operations! {
            $(#[doc = $doc])*
            op $rust = $name {
                operands { $(#[doc = $about] $operand: one(SIGNLESS_INTEGER_LIKE),)* }
                results {
                    /// The result.
                    result: one(SIGNLESS_INTEGER_LIKE),
                }
                with {
                    traits: &[Trait::SameOperandsAndResultType, ELEMENTWISE, Trait::AlwaysSpeculatable],
                    effects: Effects::None,
                    assembly: Assembly::Custom {
                        parse: |parser, state| parse_same(parser, state, [$($about),*].len(), &[]),
                        print: |printer, op| print_same(printer, op, &[]),
                    },
                    fold: Some(fold::fold),
                }
            }
        }
    )* };
}

integers! {
    /// The absolute value of a signed integer; the smallest one stays as it is.
    AbsI = "math.absi" (operand "The operand.");
    /// The number of zeros above the highest one bit.
    CountLeadingZeros = "math.ctlz" (operand "The operand.");
    /// The number of zeros below the lowest one bit.
    CountTrailingZeros = "math.cttz" (operand "The operand.");
    /// The number of one bits.
    CtPop = "math.ctpop" (operand "The operand.");
    /// The first operand to the power of the second, both signed.
    IPowI = "math.ipowi" (lhs "The base.", rhs "The exponent.");
}

/// Declares classifications of a float.
macro_rules! classifications {
    ($($(#[doc = $doc:literal])* $rust:ident = $name:literal;)*) => { $(
        orison_ir::operations! {
            $(#[doc = $doc])*
            op $rust = $name {
                operands {
                    /// The operand.
                    operand: one(FLOAT_LIKE),
                }
                results {
                    /// Whether it is.
                    result: one(BOOL_LIKE),
                }
                attributes {
                    /// Fast-math flags.
                    fastmath = "fastmath": default(FastMathAttr, FastMath::NONE),
                }
                with {
                    traits: &[ELEMENTWISE, Trait::AlwaysSpeculatable],
                    effects: Effects::None,
                    assembly: Assembly::Custom {
                        parse: assembly::parse_classification,
                        print: assembly::print_classification,
                    },
                    fold: Some(fold::fold),
                    verify_types: Some(verify::comparison),
                }
            }
        }
    )* };
}

classifications! {
    /// Whether the operand is neither infinite nor a NaN.
    IsFinite = "math.isfinite";
    /// Whether the operand is infinite.
    IsInf = "math.isinf";
    /// Whether the operand is a NaN.
    IsNaN = "math.isnan";
    /// Whether the operand is neither zero, subnormal, infinite nor a NaN.
    IsNormal = "math.isnormal";
}

orison_ir::operations! {
    /// The value, no more than `max` and no less than `min`.
    op ClampF = "math.clampf" {
        operands {
            /// The value.
            value: one(FLOAT_LIKE),
            /// The lower limit.
            min: one(FLOAT_LIKE),
            /// The upper limit.
            max: one(FLOAT_LIKE),
        }
        results {
            /// The result.
            result: one(FLOAT_LIKE),
        }
        attributes {
            /// Fast-math flags.
            fastmath = "fastmath": default(FastMathAttr, FastMath::NONE),
        }
        with {
            traits: &[Trait::SameOperandsAndResultType, ELEMENTWISE, Trait::AlwaysSpeculatable],
            effects: Effects::None,
            assembly: Assembly::Custom {
                parse: assembly::parse_clamp,
                print: assembly::print_clamp,
            },
            fold: Some(fold::fold),
        }
    }

    /// The first operand to the power of an integer.
    op FPowI = "math.fpowi" {
        operands {
            /// The base.
            lhs: one(FLOAT_LIKE),
            /// The exponent, signed.
            rhs: one(SIGNLESS_INTEGER_LIKE),
        }
        results {
            /// The result.
            result: one(FLOAT_LIKE),
        }
        attributes {
            /// Fast-math flags.
            fastmath = "fastmath": default(FastMathAttr, FastMath::NONE),
        }
        with {
            traits: &[Trait::SameOperandsAndResultShape, ELEMENTWISE, Trait::AlwaysSpeculatable],
            effects: Effects::None,
            assembly: Assembly::Custom {
                parse: assembly::parse_power,
                print: assembly::print_power,
            },
            fold: Some(fold::fold),
            verify_types: Some(power),
        }
    }

    /// The sine and the cosine.
    op SinCos = "math.sincos" {
        operands {
            /// The operand.
            operand: one(FLOAT_LIKE),
        }
        results {
            /// The sine.
            sin: one(FLOAT_LIKE),
            /// The cosine.
            cos: one(FLOAT_LIKE),
        }
        attributes {
            /// Fast-math flags.
            fastmath = "fastmath": default(FastMathAttr, FastMath::NONE),
        }
        with {
            traits: &[Trait::SameOperandsAndResultShape, ELEMENTWISE, Trait::AlwaysSpeculatable],
            effects: Effects::None,
            assembly: Assembly::Custom {
                parse: assembly::parse_pair,
                print: assembly::print_pair,
            },
            result_name: Some(|_, _| Some("sin".to_owned())),
            further_result_name: Some(|_, _, _| Some("cos".to_owned())),
            verify_types: Some(pair),
        }
    }
}

fn power(context: &Context, op: Operation) -> VerifyResult {
    if op.operand(context, 0).ty(context) == op.result(context, 0).ty(context) {
        return Ok(());
    }
    let message = "failed to verify that all of {lhs, result} have same type";
    Err(op.op_error(context, message))
}

fn pair(context: &Context, op: Operation) -> VerifyResult {
    let ty = op.operand(context, 0).ty(context);
    if op.results(context).all(|result| result.ty(context) == ty) {
        return Ok(());
    }
    let message = "failed to verify that all of {operand, sin, cos} have same type";
    Err(op.op_error(context, message))
}

/// The dialect definition.
pub static DIALECT: DialectDefinition = DialectDefinition {
    name: "math",
    documentation: "Elementary functions of scalars, vectors and tensors.\n\n\
        Constants are folded with functions in double precision that are the same on every host, \
        except to results that are not numbers.",
    operations: &[
        AbsF::DEFINITION,
        AbsI::DEFINITION,
        Acos::DEFINITION,
        Acosh::DEFINITION,
        Asin::DEFINITION,
        Asinh::DEFINITION,
        Atan::DEFINITION,
        Atan2::DEFINITION,
        Atanh::DEFINITION,
        Cbrt::DEFINITION,
        Ceil::DEFINITION,
        ClampF::DEFINITION,
        CopySign::DEFINITION,
        Cos::DEFINITION,
        Cosh::DEFINITION,
        CountLeadingZeros::DEFINITION,
        CountTrailingZeros::DEFINITION,
        CtPop::DEFINITION,
        Erf::DEFINITION,
        Erfc::DEFINITION,
        Exp::DEFINITION,
        Exp2::DEFINITION,
        ExpM1::DEFINITION,
        FPowI::DEFINITION,
        Floor::DEFINITION,
        Fma::DEFINITION,
        IPowI::DEFINITION,
        IsFinite::DEFINITION,
        IsInf::DEFINITION,
        IsNaN::DEFINITION,
        IsNormal::DEFINITION,
        Log::DEFINITION,
        Log10::DEFINITION,
        Log1p::DEFINITION,
        Log2::DEFINITION,
        PowF::DEFINITION,
        Round::DEFINITION,
        RoundEven::DEFINITION,
        Rsqrt::DEFINITION,
        Sin::DEFINITION,
        SinCos::DEFINITION,
        Sinh::DEFINITION,
        Sqrt::DEFINITION,
        Tan::DEFINITION,
        Tanh::DEFINITION,
        Trunc::DEFINITION,
    ],
    materialize_constant: arith::DIALECT.materialize_constant,
    upstream: true,
    ..DialectDefinition::DEFAULT
};
