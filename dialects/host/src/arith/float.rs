//! Float operations.

use orison_ir::declare::constraints::FLOAT_LIKE;
use orison_ir::declare::{Assembly, Effects, Trait};

use super::assembly::{Flag, parse_same, print_same};
use super::{ELEMENTWISE, FastMath, FastMathAttr, fold, rules};

/// Declares operations on floats of one type: the operands, further traits, the folder and the rules
/// of each.
macro_rules! float_operations {
    ($($(#[doc = $doc:literal])* $rust:ident = $name:literal
        ($($operand:ident $about:literal),*) [$($extra:expr),*] $fold:expr, [$($rule:expr),*];)*) => { $(
        orison_ir::operations! {
            $(#[doc = $doc])*
            op $rust = $name {
                operands { $(#[doc = $about] $operand: one(FLOAT_LIKE),)* }
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
                        parse: |parser, state| {
                            parse_same(parser, state, [$($about),*].len(), &[Flag::FastMath])
                        },
                        print: |printer, op| print_same(printer, op, &[Flag::FastMath]),
                    },
                    fold: Some($fold),
                    rules: &[$($rule),*],
                }
            }
        }
    )* };
}
pub(crate) use float_operations;

/// Declares operations on two floats.
macro_rules! float_binary {
    ($($(#[doc = $doc:literal])* $rust:ident = $name:literal
        [$($extra:expr),*] $fold:expr, [$($rule:expr),*];)*) => {
        float_operations! { $(
            $(#[doc = $doc])* $rust = $name
            (lhs "The left operand.", rhs "The right operand.") [$($extra),*] $fold, [$($rule),*];
        )* }
    };
}

float_binary! {
    /// The sum.
    AddF = "arith.addf" [Trait::Commutative] fold::addf, [];
    /// The difference.
    SubF = "arith.subf" [] fold::subf, [];
    /// The product.
    MulF = "arith.mulf" [Trait::Commutative] fold::mulf, [&rules::MULF_OF_NEGF];
    /// The quotient.
    DivF = "arith.divf" [] fold::divf, [&rules::DIVF_OF_NEGF];
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

float_operations! {
    /// The operand with its sign inverted.
    NegF = "arith.negf" (operand "The operand.") [] fold::negf, [];
}
