//! Integer operations.

use orison_ir::declare::constraints::SIGNLESS_INTEGER_LIKE;
use orison_ir::declare::{Assembly, Effects, Trait, UnitAttr};

use super::assembly::{Flag, parse_extended, parse_same, print_extended, print_same};
use super::{ELEMENTWISE, Overflow, OverflowAttr, fold, rules, verify};
use crate::types::BOOL_LIKE;

/// Declares operations on two integers of one type. `flags` selects the element between operands
/// and attributes.
macro_rules! integer_binary {
    ($(
        $(#[doc = $doc:literal])*
        $rust:ident = $name:literal $flags:ident [$($extra:expr),*] $fold:expr, [$($rule:ident),*];
    )*) => { $(
        integer_binary!(@$flags $(#[doc = $doc])* $rust = $name [$($extra),*] $fold, [$($rule),*]);
    )* };
    (@plain $(#[doc = $doc:literal])* $rust:ident = $name:literal [$($extra:expr),*] $fold:expr, [$($rule:ident),*]) => {
        integer_binary!(@declare $(#[doc = $doc])* $rust = $name [$($extra),*] $fold, [$($rule),*], {}, &[]);
    };
    (@overflow $(#[doc = $doc:literal])* $rust:ident = $name:literal [$($extra:expr),*] $fold:expr, [$($rule:ident),*]) => {
        integer_binary!(@declare $(#[doc = $doc])* $rust = $name [$($extra),*] $fold, [$($rule),*], {
            /// Overflows that are undefined behaviour.
            overflow_flags = "overflowFlags": default(OverflowAttr, Overflow::NONE),
        }, &[Flag::Overflow]);
    };
    (@exact $(#[doc = $doc:literal])* $rust:ident = $name:literal [$($extra:expr),*] $fold:expr, [$($rule:ident),*]) => {
        integer_binary!(@declare $(#[doc = $doc])* $rust = $name [$($extra),*] $fold, [$($rule),*], {
            /// A nonzero remainder, or a nonzero bit shifted out, is undefined behaviour.
            is_exact = "isExact": optional(UnitAttr),
        }, &[Flag::Exact]);
    };
    (@declare $(#[doc = $doc:literal])* $rust:ident = $name:literal [$($extra:expr),*] $fold:expr,
     [$($rule:ident),*], { $($attributes:tt)* }, $flags:expr) => {
        orison_ir::operations! {
            $(#[doc = $doc])*
            op $rust = $name {
                operands {
                    /// The left operand.
                    lhs: one(SIGNLESS_INTEGER_LIKE),
                    /// The right operand.
                    rhs: one(SIGNLESS_INTEGER_LIKE),
                }
                results {
                    /// The result.
                    result: one(SIGNLESS_INTEGER_LIKE),
                }
                attributes { $($attributes)* }
                with {
                    traits: &[Trait::SameOperandsAndResultType, ELEMENTWISE $(, $extra)*],
                    effects: Effects::None,
                    assembly: Assembly::Custom {
                        parse: |parser, state| parse_same(parser, state, 2, $flags),
                        print: |printer, op| print_same(printer, op, $flags),
                    },
                    fold: Some($fold),
                    rules: &[$(&rules::$rule),*],
                    speculatable: verify::speculatable_division($name),
                }
            }
        }
    };
}

integer_binary! {
    /// The low bits of the sum.
    AddI = "arith.addi" overflow [Trait::Commutative, Trait::AlwaysSpeculatable] fold::addi, [ADD_OF_ADD, ADD_OF_SUB_RIGHT, ADD_OF_SUB_LEFT, ADD_OF_NEGATED];
    /// The low bits of the difference.
    SubI = "arith.subi" overflow [Trait::AlwaysSpeculatable] fold::subi, [SUB_OF_ADD, SUB_OF_SUB_RIGHT, SUB_OF_SUB_LEFT, SUB_FROM_ADD, SUB_FROM_SUB_RIGHT, SUB_FROM_SUB_LEFT, SUB_OF_OWN_MINUEND];
    /// The low bits of the product.
    MulI = "arith.muli" overflow [Trait::Commutative, Trait::AlwaysSpeculatable] fold::muli, [MUL_OF_MUL];
    /// The unsigned quotient rounded toward zero; a zero divisor is undefined behaviour.
    DivUI = "arith.divui" exact [] fold::divui, [];
    /// The signed quotient rounded toward zero; a zero divisor and overflow are undefined
    /// behaviour.
    DivSI = "arith.divsi" exact [] fold::divsi, [];
    /// The unsigned quotient rounded up; a zero divisor is undefined behaviour.
    CeilDivUI = "arith.ceildivui" plain [] fold::ceildivui, [];
    /// The signed quotient rounded toward positive infinity; a zero divisor and overflow are
    /// undefined behaviour.
    CeilDivSI = "arith.ceildivsi" plain [] fold::ceildivsi, [];
    /// The signed quotient rounded toward negative infinity; a zero divisor and overflow are
    /// undefined behaviour.
    FloorDivSI = "arith.floordivsi" plain [] fold::floordivsi, [];
    /// The unsigned remainder; a zero divisor is undefined behaviour.
    RemUI = "arith.remui" plain [] fold::remui, [];
    /// The signed remainder, with the sign of the dividend; a zero divisor is undefined behaviour.
    RemSI = "arith.remsi" plain [] fold::remsi, [];
    /// Bitwise and.
    AndI = "arith.andi" plain [Trait::Commutative, Trait::Idempotent, Trait::AlwaysSpeculatable] fold::andi, [AND_OF_EXTUI, AND_OF_EXTSI];
    /// Bitwise or.
    OrI = "arith.ori" plain [Trait::Commutative, Trait::Idempotent, Trait::AlwaysSpeculatable] fold::ori, [OR_OF_EXTUI, OR_OF_EXTSI];
    /// Bitwise exclusive or.
    XOrI = "arith.xori" plain [Trait::Commutative, Trait::AlwaysSpeculatable] fold::xori, [XOR_OF_CMP, XOR_OF_EXTUI, XOR_OF_EXTSI];
    /// Shifts left, filling with zeros; poison if the amount is not less than the width.
    ShLI = "arith.shli" overflow [Trait::AlwaysSpeculatable] fold::shli, [];
    /// Shifts right, filling with zeros; poison if the amount is not less than the width.
    ShRUI = "arith.shrui" exact [Trait::AlwaysSpeculatable] fold::shrui, [];
    /// Shifts right, filling with copies of the sign; poison if the amount is not less than the
    /// width.
    ShRSI = "arith.shrsi" exact [Trait::AlwaysSpeculatable] fold::shrsi, [];
    /// The signed maximum.
    MaxSI = "arith.maxsi" plain [Trait::Commutative, Trait::AlwaysSpeculatable] fold::maxsi, [];
    /// The unsigned maximum.
    MaxUI = "arith.maxui" plain [Trait::Commutative, Trait::AlwaysSpeculatable] fold::maxui, [];
    /// The signed minimum.
    MinSI = "arith.minsi" plain [Trait::Commutative, Trait::AlwaysSpeculatable] fold::minsi, [];
    /// The unsigned minimum.
    MinUI = "arith.minui" plain [Trait::Commutative, Trait::AlwaysSpeculatable] fold::minui, [];
}

orison_ir::operations! {
    /// The unsigned sum with its carry.
    op AddUIExtended = "arith.addui_extended" {
        operands {
            /// The left operand.
            lhs: one(SIGNLESS_INTEGER_LIKE),
            /// The right operand.
            rhs: one(SIGNLESS_INTEGER_LIKE),
        }
        results {
            /// The low bits of the sum.
            sum: one(SIGNLESS_INTEGER_LIKE),
            /// Whether the sum overflowed.
            overflow: one(BOOL_LIKE),
        }
        with {
            traits: &[Trait::Commutative, ELEMENTWISE, Trait::AlwaysSpeculatable],
            effects: Effects::None,
            assembly: Assembly::Custom {
                parse: |parser, state| parse_extended(parser, state, true),
                print: |printer, op| print_extended(printer, op, true),
            },
            fold: Some(fold::addui_extended),
            rules: &[&rules::ADD_EXTENDED_TO_ADD],
            verify_types: Some(verify::extended_sum),
            result_name: Some(|_, _| Some("sum".to_owned())),
            further_result_name: Some(|_, _, _| Some("overflow".to_owned())),
        }
    }

    /// The signed product in twice the width, as its low and high half.
    op MulSIExtended = "arith.mulsi_extended" {
        operands {
            /// The left operand.
            lhs: one(SIGNLESS_INTEGER_LIKE),
            /// The right operand.
            rhs: one(SIGNLESS_INTEGER_LIKE),
        }
        results {
            /// The low half.
            low: one(SIGNLESS_INTEGER_LIKE),
            /// The high half.
            high: one(SIGNLESS_INTEGER_LIKE),
        }
        with {
            traits: &[Trait::Commutative, ELEMENTWISE, Trait::AlwaysSpeculatable],
            effects: Effects::None,
            assembly: Assembly::Custom {
                parse: |parser, state| parse_extended(parser, state, false),
                print: |printer, op| print_extended(printer, op, false),
            },
            fold: Some(fold::mulsi_extended),
            rules: &[&rules::MULS_EXTENDED_TO_MUL, &rules::MULS_EXTENDED_BY_ONE],
            verify_types: Some(verify::extended_product),
            result_name: Some(|_, _| Some("low".to_owned())),
            further_result_name: Some(|_, _, _| Some("high".to_owned())),
        }
    }

    /// The unsigned product in twice the width, as its low and high half.
    op MulUIExtended = "arith.mului_extended" {
        operands {
            /// The left operand.
            lhs: one(SIGNLESS_INTEGER_LIKE),
            /// The right operand.
            rhs: one(SIGNLESS_INTEGER_LIKE),
        }
        results {
            /// The low half.
            low: one(SIGNLESS_INTEGER_LIKE),
            /// The high half.
            high: one(SIGNLESS_INTEGER_LIKE),
        }
        with {
            traits: &[Trait::Commutative, ELEMENTWISE, Trait::AlwaysSpeculatable],
            effects: Effects::None,
            assembly: Assembly::Custom {
                parse: |parser, state| parse_extended(parser, state, false),
                print: |printer, op| print_extended(printer, op, false),
            },
            fold: Some(fold::mului_extended),
            rules: &[&rules::MULU_EXTENDED_TO_MUL],
            verify_types: Some(verify::extended_product),
            result_name: Some(|_, _| Some("low".to_owned())),
            further_result_name: Some(|_, _, _| Some("high".to_owned())),
        }
    }
}
