//! Rules of extended sums and products with an unused result.

use orison_ir::numbers::ApInt;
use orison_ir::{Context, Declined, Operation, Rewriter, RuleResult, Type, Value, rule};

use super::{known, operands, result_type, splat};
use crate::arith;
use crate::arith::scalars::is_integer;
use crate::arith::{AddI, CmpI, ExtSI, IntegerPredicate, MulI};

rule!(
    pub ADD_EXTENDED_TO_ADD, "arith-addui-extended-to-addi",
    "an extended addition whose overflow bit is unused becomes an addition", arith::AddUIExtended::NAME,
    sum_without_carry
);
rule!(
    pub MULS_EXTENDED_TO_MUL, "arith-mulsi-extended-to-muli",
    "an extended signed multiplication whose high half is unused becomes a multiplication",
    arith::MulSIExtended::NAME, product_without_high_half
);
rule!(
    pub MULU_EXTENDED_TO_MUL, "arith-mului-extended-to-muli",
    "an extended unsigned multiplication whose high half is unused becomes a multiplication",
    arith::MulUIExtended::NAME, product_without_high_half
);
rule!(
    pub MULS_EXTENDED_BY_ONE, "arith-mulsi-extended-by-one",
    "mulsi_extended(x, 1) becomes x and its sign extension", arith::MulSIExtended::NAME, times_one
);

/// The operands, if the second result is unused.
fn operands_without_high(
    context: &Context,
    op: Operation,
) -> Result<(Value, Value), orison_ir::Declined> {
    if !op.result(context, 1).is_unused(context) {
        return Declined::because("both results are used");
    }
    Ok(operands(context, op))
}

/// Replaces the first result and erases the operation, whose second result is unused.
fn replace_low(rewriter: &mut Rewriter<'_>, op: Operation, low: Value) -> RuleResult {
    let old = op.result(rewriter.ir(), 0);
    rewriter.replace_all_uses(old, low);
    rewriter.erase(op);
    Ok(())
}

fn sum_without_carry(rewriter: &mut Rewriter<'_>, op: Operation) -> RuleResult {
    let (lhs, rhs) = operands_without_high(rewriter.ir(), op)?;
    let location = op.location(rewriter.ir());
    let sum = AddI::build(rewriter, location, lhs, rhs);
    let sum = sum.result(rewriter.ir());
    replace_low(rewriter, op, sum)
}

fn product_without_high_half(rewriter: &mut Rewriter<'_>, op: Operation) -> RuleResult {
    let (lhs, rhs) = operands_without_high(rewriter.ir(), op)?;
    let location = op.location(rewriter.ir());
    let product = MulI::build(rewriter, location, lhs, rhs);
    let product = product.result(rewriter.ir());
    replace_low(rewriter, op, product)
}

fn times_one(rewriter: &mut Rewriter<'_>, op: Operation) -> RuleResult {
    let context = rewriter.ir();
    let (x, factor) = operands(context, op);
    let factor = known(context, factor)?;
    // For `i1`, the signed value of 1 is -1.
    let is_one = |value: &ApInt| value.is_one() && value.width() > 1;
    if !is_integer(context, Some(factor), is_one) {
        return Declined::because("neither operand is the constant 1");
    }
    let (location, ty) = (op.location(context), result_type(context, op));
    if ty.scalar(context) == Type::INDEX {
        return Declined::because("a sign bit cannot be extended to an index");
    }
    let truth = bool_like(rewriter, ty);
    let zero = splat(rewriter, op, ty, ApInt::zero)?;
    let negative = CmpI::build(rewriter, location, x, zero, IntegerPredicate::Slt, truth);
    let negative = negative.result(rewriter.ir());
    let high = ExtSI::build(rewriter, location, negative, ty).out(rewriter.ir());
    rewriter.replace(op, &[x, high]);
    Ok(())
}

/// `i1`, or a vector or tensor of `i1` with the shape of a type.
pub(super) fn bool_like(rewriter: &mut Rewriter<'_>, ty: Type) -> Type {
    ty.with_element(rewriter.context(), Type::I1)
        .unwrap_or(Type::I1)
}
