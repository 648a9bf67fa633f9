//! Folders of float operations.

use orison_ir::declare::AttributeForm;
use orison_ir::numbers::Float;
use orison_ir::{Attribute, Context, Operation};

use super::super::scalars::{Scalar, is_float, map, map_floats};
use super::{Fold, constant, operand_defined_by, value};
use crate::arith;
use crate::arith::{FastMath, FastMathAttr};

fn evaluate(
    context: &mut Context,
    op: Operation,
    constants: &[Option<Attribute>],
    function: impl Fn(Float, Float) -> Float,
) -> Fold {
    let ty = op.result(context, 0).ty(context);
    constant(map_floats(context, constants, ty, function)?)
}

fn may(context: &Context, op: Operation, flag: FastMath) -> bool {
    op.attribute(context, "fastmath")
        .and_then(|flags| FastMathAttr::read(context, flags))
        .is_some_and(|flags| flags.contains(flag))
}

fn is_one(value: Float) -> bool {
    value == Float::one(value.kind())
}

pub(in super::super) fn addf(
    context: &mut Context,
    op: Operation,
    constants: &[Option<Attribute>],
) -> Fold {
    // x + 0.0 is 0.0 if x is -0.0, so only -0.0 is neutral.
    let any_sign = may(context, op, FastMath::NSZ);
    let neutral = |zero: Float| zero.is_zero() && (zero.is_negative() || any_sign);
    if is_float(context, constants[1], neutral) {
        return value(op.operand(context, 0));
    }
    evaluate(context, op, constants, Float::plus)
}

pub(in super::super) fn subf(
    context: &mut Context,
    op: Operation,
    constants: &[Option<Attribute>],
) -> Fold {
    let any_sign = may(context, op, FastMath::NSZ);
    let neutral = |zero: Float| zero.is_zero() && (!zero.is_negative() || any_sign);
    if is_float(context, constants[1], neutral) {
        return value(op.operand(context, 0));
    }
    evaluate(context, op, constants, Float::minus)
}

pub(in super::super) fn mulf(
    context: &mut Context,
    op: Operation,
    constants: &[Option<Attribute>],
) -> Fold {
    if is_float(context, constants[1], is_one) {
        return value(op.operand(context, 0));
    }
    let ignores_specials = may(context, op, FastMath(FastMath::NNAN.0 | FastMath::NSZ.0));
    if ignores_specials && is_float(context, constants[1], Float::is_zero) {
        return value(op.operand(context, 1));
    }
    evaluate(context, op, constants, Float::times)
}

pub(in super::super) fn divf(
    context: &mut Context,
    op: Operation,
    constants: &[Option<Attribute>],
) -> Fold {
    if is_float(context, constants[1], is_one) {
        return value(op.operand(context, 0));
    }
    evaluate(context, op, constants, Float::divided_by)
}

pub(in super::super) fn remf(
    context: &mut Context,
    op: Operation,
    constants: &[Option<Attribute>],
) -> Fold {
    evaluate(context, op, constants, Float::remainder)
}

/// Folds minimum and maximum. `neutral` returns whether a constant never changes the result.
fn choose(
    context: &mut Context,
    op: Operation,
    constants: &[Option<Attribute>],
    neutral: impl Fn(Float) -> bool,
    function: impl Fn(Float, Float) -> Float,
) -> Fold {
    let lhs = op.operand(context, 0);
    if lhs == op.operand(context, 1) || is_float(context, constants[1], neutral) {
        return value(lhs);
    }
    evaluate(context, op, constants, function)
}

pub(in super::super) fn maximumf(
    context: &mut Context,
    op: Operation,
    constants: &[Option<Attribute>],
) -> Fold {
    let neutral = |value: Float| value.is_infinite() && value.is_negative();
    choose(context, op, constants, neutral, Float::maximum)
}

pub(in super::super) fn minimumf(
    context: &mut Context,
    op: Operation,
    constants: &[Option<Attribute>],
) -> Fold {
    let neutral = |value: Float| value.is_infinite() && !value.is_negative();
    choose(context, op, constants, neutral, Float::minimum)
}

pub(in super::super) fn maxnumf(
    context: &mut Context,
    op: Operation,
    constants: &[Option<Attribute>],
) -> Fold {
    choose(context, op, constants, Float::is_nan, Float::maximum_number)
}

pub(in super::super) fn minnumf(
    context: &mut Context,
    op: Operation,
    constants: &[Option<Attribute>],
) -> Fold {
    choose(context, op, constants, Float::is_nan, Float::minimum_number)
}

pub(in super::super) fn negf(
    context: &mut Context,
    op: Operation,
    constants: &[Option<Attribute>],
) -> Fold {
    if let Some(inner) = operand_defined_by(context, op, 0, arith::NegF::DEFINITION) {
        return value(inner.operand(context, 0));
    }
    let ty = op.result(context, 0).ty(context);
    constant(map(context, constants, ty, |row| {
        Some(Scalar::Float(row[0].float()?.negated()))
    })?)
}
