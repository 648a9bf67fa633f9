//! Float operations.

use orison_ir::declare::constraints::FLOAT_LIKE;
use orison_ir::declare::{Assembly, Effects, Trait};

use super::assembly::{Flag, parse_same, print_same};
use super::{ELEMENTWISE, FastMath, FastMathAttr, fold, rules};

/// Declares operations on two floats of one type.
macro_rules! float_binary {
    ($($(#[doc = $doc:literal])* $rust:ident = $name:literal [$($extra:expr),*] $fold:expr, [$($rule:ident),*];)*) => { $(
        orison_ir::operations! {
            $(#[doc = $doc])*
            op $rust = $name {
                operands {
                    /// The left operand.
                    lhs: one(FLOAT_LIKE),
                    /// The right operand.
                    rhs: one(FLOAT_LIKE),
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
                    traits: &[
                        Trait::SameOperandsAndResultType,
                        ELEMENTWISE,
                        Trait::AlwaysSpeculatable
                        $(, $extra)*
                    ],
                    effects: Effects::None,
                    assembly: Assembly::Custom {
                        parse: |parser, state| parse_same(parser, state, 2, &[Flag::FastMath]),
                        print: |printer, op| print_same(printer, op, &[Flag::FastMath]),
                    },
                    fold: Some($fold),
                    rules: &[$(&rules::$rule),*],
                }
            }
        }
    )* };
}

float_binary! {
    /// The sum.
    AddF = "arith.addf" [Trait::Commutative] fold::addf, [];
    /// The difference.
    SubF = "arith.subf" [] fold::subf, [];
    /// The product.
    MulF = "arith.mulf" [Trait::Commutative] fold::mulf, [MULF_OF_NEGF];
    /// The quotient.
    DivF = "arith.divf" [] fold::divf, [DIVF_OF_NEGF];
    /// The remainder of the quotient rounded toward zero.
    RemF = "arith.remf" [] fold::remf, [];
    /// The larger operand; a NaN if either operand is a NaN.
    MaximumF = "arith.maximumf" [Trait::Commutative] fold::maximumf, [];
    /// The larger operand; if one operand is a NaN, the other operand.
    MaxNumF = "arith.maxnumf" [Trait::Commutative] fold::maxnumf, [];
    /// The smaller operand; a NaN if either operand is a NaN.
    MinimumF = "arith.minimumf" [Trait::Commutative] fold::minimumf, [];
    /// The smaller operand; if one operand is a NaN, the other operand.
    MinNumF = "arith.minnumf" [Trait::Commutative] fold::minnumf, [];
}

orison_ir::operations! {
    /// The operand with its sign inverted.
    op NegF = "arith.negf" {
        operands {
            /// The operand.
            operand: one(FLOAT_LIKE),
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
                parse: |parser, state| parse_same(parser, state, 1, &[Flag::FastMath]),
                print: |printer, op| print_same(printer, op, &[Flag::FastMath]),
            },
            fold: Some(fold::negf),
        }
    }
}
