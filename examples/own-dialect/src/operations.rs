//! The operations, with a verifier and a rewrite rule.

use orison_ir::declare::{Assembly, Effects, Trait, TypeConstraint, VerifyResult};
use orison_ir::rewrite::{Declined, RuleResult};
use orison_ir::{Context, Operation, Rewriter, Type, operations, rule};

use crate::{CoefficientsAttr, POLYNOMIAL};

static A_POLYNOMIAL: TypeConstraint = TypeConstraint::exactly(
    "polynomial",
    |context, ty| ty.is_declared_by(context, &POLYNOMIAL),
    |context| Type::without_parameters(context, &POLYNOMIAL),
);

static AN_I64: TypeConstraint = TypeConstraint::exactly(
    "64-bit signless integer",
    |_, ty| ty == Type::I64,
    |_| Type::I64,
);

operations! {
    /// A polynomial that is known.
    op Constant = "poly.constant" {
        results {
            /// The polynomial.
            result: one(A_POLYNOMIAL),
        }
        attributes {
            /// Its coefficients.
            value = "value": required(CoefficientsAttr),
        }
        with {
            effects: Effects::None,
            assembly: Assembly::Format("$value attr-dict"),
            verify: Some(verify_constant),
        }
    }

    /// The sum of two polynomials.
    op Add = "poly.add" {
        operands {
            /// The left operand.
            lhs: one(A_POLYNOMIAL),
            /// The right operand.
            rhs: one(A_POLYNOMIAL),
        }
        results {
            /// The sum.
            result: one(A_POLYNOMIAL),
        }
        with {
            traits: &[Trait::Commutative],
            effects: Effects::None,
            assembly: Assembly::Format("$lhs `,` $rhs attr-dict"),
            rules: &[&ADD_ZERO],
        }
    }

    /// The value of a polynomial at a point.
    op Eval = "poly.eval" {
        operands {
            /// The polynomial.
            polynomial: one(A_POLYNOMIAL),
            /// The point.
            point: one(AN_I64),
        }
        results {
            /// The value.
            result: one(AN_I64),
        }
        with {
            effects: Effects::None,
            assembly: Assembly::Format("$polynomial `at` $point attr-dict"),
        }
    }
}

/// What the declaration cannot say.
fn verify_constant(context: &Context, op: Operation) -> VerifyResult {
    match Constant(op).value(context) {
        Some(coefficients) if coefficients.is_empty() => {
            Err(op.op_error(context, "needs at least one coefficient"))
        }
        _ => Ok(()),
    }
}

rule!(
    ADD_ZERO,
    "poly-add-zero",
    "p + 0 becomes p",
    "poly.add",
    add_zero
);

fn add_zero(rewriter: &mut Rewriter<'_>, op: Operation) -> RuleResult {
    let context = rewriter.ir();
    let (lhs, rhs) = (Add(op).lhs(context), Add(op).rhs(context));
    let coefficients = rhs
        .defining_op(context)
        .and_then(|definition| Constant::of(context, definition))
        .and_then(|constant| constant.value(context));
    match coefficients {
        Some(all) if all.iter().all(|coefficient| *coefficient == 0) => {
            rewriter.replace(op, &[lhs]);
            Ok(())
        }
        _ => Declined::because("the right operand is not known to be zero"),
    }
}
