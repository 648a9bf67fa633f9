//! Rules of selections.

use orison_ir::numbers::ApInt;
use orison_ir::{Context, Declined, Operation, Rewriter, RuleResult, Type, Value, rule};

use super::{Step, defined_by, known, operands, result_type, splat};
use crate::arith::scalars::is_integer;
use crate::arith::{ExtUI, Select, XOrI};
use crate::types::value_scalar;

rule!(
    pub SELECT_OF_NOT, "arith-select-of-not", "not c ? x : y becomes c ? y : x", Select::NAME,
    negated_condition
);
rule!(
    pub SELECT_OF_SELECT_TRUE, "arith-select-of-select-true",
    "c ? (c ? x : y) : z becomes c ? x : z", Select::NAME,
    |rewriter, op| nested(rewriter, op, 1)
);
rule!(
    pub SELECT_OF_SELECT_FALSE, "arith-select-of-select-false",
    "c ? x : (c ? y : z) becomes c ? x : z", Select::NAME,
    |rewriter, op| nested(rewriter, op, 2)
);
rule!(
    pub SELECT_TO_NOT, "arith-select-to-not", "c ? false : true becomes not c", Select::NAME,
    to_not
);
rule!(
    pub SELECT_TO_EXTUI, "arith-select-to-extui",
    "c ? 1 : 0 becomes extui(c), and c ? 0 : 1 becomes extui(not c)", Select::NAME, to_extui
);

/// The condition and both values.
fn parts(context: &Context, op: Operation) -> (Value, Value, Value) {
    let select = Select(op);
    (
        select.condition(context),
        select.true_value(context),
        select.false_value(context),
    )
}

fn negated_condition(rewriter: &mut Rewriter<'_>, op: Operation) -> RuleResult {
    let context = rewriter.ir();
    let (condition, if_true, if_false) = parts(context, op);
    let not = defined_by(context, condition, XOrI::NAME)?;
    let (inverted, ones) = operands(context, not);
    let ones = known(context, ones)?;
    if !is_integer(context, Some(ones), ApInt::is_all_ones) {
        return Declined::because("the condition is not inverted");
    }
    op.set_operands(rewriter.context(), &[inverted, if_false, if_true]);
    rewriter.modified(op);
    rewriter.used_less(condition);
    Ok(())
}

/// Replaces an inner selection on the same condition by its value; `side` is the operand index.
fn nested(rewriter: &mut Rewriter<'_>, op: Operation, side: usize) -> RuleResult {
    let context = rewriter.ir();
    let outer = op.operand(context, side);
    let inner = defined_by(context, outer, Select::NAME)?;
    if inner.operand(context, 0) != op.operand(context, 0) {
        return Declined::because("the inner select has a different condition");
    }
    let chosen = inner.operand(context, side);
    rewriter.set_operand(op, side, chosen);
    rewriter.used_less(outer);
    Ok(())
}

/// Whether a value is one (all ones in `i1`), and whether it is zero.
fn truth(context: &Context, value: Value) -> Step<(bool, bool)> {
    let number = known(context, value)?;
    Ok((
        is_integer(context, Some(number), ApInt::is_one),
        is_integer(context, Some(number), ApInt::is_zero),
    ))
}

fn not(rewriter: &mut Rewriter<'_>, op: Operation, condition: Value) -> Step<Value> {
    let ty = condition.ty(rewriter.ir());
    let location = op.location(rewriter.ir());
    let ones = splat(rewriter, op, ty, ApInt::all_ones)?;
    let not = XOrI::build(rewriter, location, condition, ones);
    Ok(not.result(rewriter.ir()))
}

fn to_not(rewriter: &mut Rewriter<'_>, op: Operation) -> RuleResult {
    let context = rewriter.ir();
    let (condition, if_true, if_false) = parts(context, op);
    if condition.ty(context) != result_type(context, op) {
        return Declined::because("the values do not have the type of the condition");
    }
    if !truth(context, if_true)?.1 || !truth(context, if_false)?.0 {
        return Declined::because("the values are not false and true");
    }
    let inverted = not(rewriter, op, condition)?;
    rewriter.replace(op, &[inverted]);
    Ok(())
}

fn to_extui(rewriter: &mut Rewriter<'_>, op: Operation) -> RuleResult {
    let context = rewriter.ir();
    let (condition, if_true, if_false) = parts(context, op);
    let ty = result_type(context, op);
    let scalar = value_scalar(context, ty);
    if !scalar.is_signless_integer(context) || scalar == Type::I1 {
        return Declined::because("the values are not integers wider than the condition");
    }
    if condition.ty(context).shape(context) != ty.shape(context) {
        return Declined::because("the condition does not have the shape of the values");
    }
    let (true_one, true_zero) = truth(context, if_true)?;
    let (false_one, false_zero) = truth(context, if_false)?;
    let location = op.location(context);
    let bit = if true_one && false_zero {
        condition
    } else if true_zero && false_one {
        not(rewriter, op, condition)?
    } else {
        return Declined::because("the values are not zero and one");
    };
    let wide = ExtUI::build(rewriter, location, bit, ty).out(rewriter.ir());
    rewriter.replace(op, &[wide]);
    Ok(())
}
