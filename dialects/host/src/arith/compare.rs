//! Comparison and selection.

use orison_ir::declare::constraints::{ANY_TYPE, FLOAT_LIKE, SIGNLESS_INTEGER_LIKE};
use orison_ir::declare::{Assembly, Effects, Trait};

use super::{
    ELEMENTWISE, FastMath, FastMathAttr, FloatPredicateAttr, IntegerPredicateAttr, assembly, fold,
    rules, verify,
};
use crate::types::BOOL_LIKE;

orison_ir::operations! {
    /// Compares integers.
    op CmpI = "arith.cmpi" {
        operands {
            /// The left operand.
            lhs: one(SIGNLESS_INTEGER_LIKE),
            /// The right operand.
            rhs: one(SIGNLESS_INTEGER_LIKE),
        }
        results {
            /// Whether the predicate holds.
            result: one(BOOL_LIKE),
        }
        attributes {
            /// The predicate.
            predicate = "predicate": required(IntegerPredicateAttr),
        }
        with {
            traits: &[Trait::SameTypeOperands, ELEMENTWISE, Trait::AlwaysSpeculatable],
            effects: Effects::None,
            assembly: Assembly::Custom {
                parse: assembly::parse_cmpi,
                print: assembly::print_cmpi,
            },
            fold: Some(fold::cmpi),
            rules: &[&rules::CMP_OF_EXTSI, &rules::CMP_OF_EXTUI],
            verify_types: Some(verify::comparison),
        }
    }

    /// Compares floats.
    op CmpF = "arith.cmpf" {
        operands {
            /// The left operand.
            lhs: one(FLOAT_LIKE),
            /// The right operand.
            rhs: one(FLOAT_LIKE),
        }
        results {
            /// Whether the predicate holds.
            result: one(BOOL_LIKE),
        }
        attributes {
            /// The predicate.
            predicate = "predicate": required(FloatPredicateAttr),
            /// Fast-math flags.
            fastmath = "fastmath": default(FastMathAttr, FastMath::NONE),
        }
        with {
            traits: &[Trait::SameTypeOperands, ELEMENTWISE, Trait::AlwaysSpeculatable],
            effects: Effects::None,
            assembly: Assembly::Custom {
                parse: assembly::parse_cmpf,
                print: assembly::print_cmpf,
            },
            fold: Some(fold::cmpf),
            rules: &[&rules::CMPF_OF_INTEGER],
            verify_types: Some(verify::comparison),
        }
    }

    /// Selects one of two values.
    ///
    /// A vector or tensor of conditions selects element by element.
    op Select = "arith.select" {
        operands {
            /// The condition; true selects the first value.
            condition: one(BOOL_LIKE),
            /// The value if the condition is true.
            true_value: one(ANY_TYPE),
            /// The value if the condition is false.
            false_value: one(ANY_TYPE),
        }
        results {
            /// The selected value.
            result: one(ANY_TYPE),
        }
        with {
            traits: &[ELEMENTWISE, Trait::AlwaysSpeculatable],
            effects: Effects::None,
            assembly: Assembly::Custom {
                parse: assembly::parse_select,
                print: assembly::print_select,
            },
            fold: Some(fold::select),
            rules: &[&rules::SELECT_OF_NOT, &rules::SELECT_OF_SELECT_TRUE, &rules::SELECT_OF_SELECT_FALSE, &rules::SELECT_TO_NOT, &rules::SELECT_TO_EXTUI],
            verify_types: Some(verify::select_types),
            verify: Some(verify::select),
        }
    }
}
