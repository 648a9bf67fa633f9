//! Folders of integer operations.

use orison_ir::declare::{AttributeForm, Folded};
use orison_ir::numbers::{ApInt, Overflowing};
use orison_ir::{Attribute, Context, Operation, Value};

use super::super::scalars::{is_integer, map_integers, splat_integer};
use super::{Fold, constant, operand_defined_by, value};
use crate::arith;
use crate::arith::{Overflow, OverflowAttr};

/// Both operands.
fn operands(context: &Context, op: Operation) -> (Value, Value) {
    (op.operand(context, 0), op.operand(context, 1))
}

/// Applies a function to two constant operands.
fn evaluate(
    context: &mut Context,
    op: Operation,
    constants: &[Option<Attribute>],
    function: impl Fn(&ApInt, &ApInt) -> Option<ApInt>,
) -> Fold {
    let ty = op.result(context, 0).ty(context);
    constant(map_integers(context, constants, ty, function)?)
}

fn zero(context: &mut Context, op: Operation) -> Fold {
    let ty = op.result(context, 0).ty(context);
    constant(splat_integer(context, ty, ApInt::zero)?)
}

fn all_ones(context: &mut Context, op: Operation) -> Fold {
    let ty = op.result(context, 0).ty(context);
    constant(splat_integer(context, ty, ApInt::all_ones)?)
}

/// The value without the overflow flag; `None` on overflow.
fn exact(result: Overflowing) -> Option<ApInt> {
    (!result.overflow).then_some(result.value)
}

pub(in super::super) fn addi(
    context: &mut Context,
    op: Operation,
    constants: &[Option<Attribute>],
) -> Fold {
    let (lhs, rhs) = operands(context, op);
    if is_integer(context, constants[1], ApInt::is_zero) {
        return value(lhs);
    }
    // (a - b) + b is a, in either operand order.
    for (number, other) in [(0, rhs), (1, lhs)] {
        if let Some(difference) = operand_defined_by(context, op, number, arith::SubI::DEFINITION)
            && difference.operand(context, 1) == other
        {
            return value(difference.operand(context, 0));
        }
    }
    evaluate(context, op, constants, |a, b| Some(a.wrapping_add(b)))
}

pub(in super::super) fn subi(
    context: &mut Context,
    op: Operation,
    constants: &[Option<Attribute>],
) -> Fold {
    let (lhs, rhs) = operands(context, op);
    if lhs == rhs {
        return zero(context, op);
    }
    if is_integer(context, constants[1], ApInt::is_zero) {
        return value(lhs);
    }
    // (a + b) - b is a, and (a + b) - a is b.
    if let Some(sum) = operand_defined_by(context, op, 0, arith::AddI::DEFINITION) {
        let (a, b) = operands(context, sum);
        if b == rhs {
            return value(a);
        }
        if a == rhs {
            return value(b);
        }
    }
    evaluate(context, op, constants, |a, b| Some(a.wrapping_sub(b)))
}

pub(in super::super) fn muli(
    context: &mut Context,
    op: Operation,
    constants: &[Option<Attribute>],
) -> Fold {
    let (lhs, rhs) = operands(context, op);
    if is_integer(context, constants[1], ApInt::is_zero) {
        return value(rhs);
    }
    if is_integer(context, constants[1], ApInt::is_one) {
        return value(lhs);
    }
    evaluate(context, op, constants, |a, b| Some(a.wrapping_mul(b)))
}

/// The other factor, if a product that cannot overflow is divided by one of its factors.
fn undivided(context: &Context, op: Operation, promise: Overflow) -> Option<Value> {
    let product = operand_defined_by(context, op, 0, arith::MulI::DEFINITION)?;
    let flags = product.attribute(context, "overflowFlags")?;
    if !OverflowAttr::read(context, flags)?.contains(promise) {
        return None;
    }
    let divisor = op.operand(context, 1);
    match operands(context, product) {
        (a, b) if b == divisor => Some(a),
        (a, b) if a == divisor => Some(b),
        _ => None,
    }
}

/// Division by one is the identity under any rounding.
fn divide(
    context: &mut Context,
    op: Operation,
    constants: &[Option<Attribute>],
    function: impl Fn(&ApInt, &ApInt) -> Option<ApInt>,
) -> Fold {
    // For `i1`, the signed value of 1 is -1.
    let is_one = |value: &ApInt| value.is_one() && value.width() > 1;
    if is_integer(context, constants[1], is_one) {
        return value(op.operand(context, 0));
    }
    evaluate(context, op, constants, function)
}

pub(in super::super) fn divui(
    context: &mut Context,
    op: Operation,
    constants: &[Option<Attribute>],
) -> Fold {
    if let Some(factor) = undivided(context, op, Overflow::NUW) {
        return value(factor);
    }
    divide(context, op, constants, ApInt::unsigned_div)
}

pub(in super::super) fn divsi(
    context: &mut Context,
    op: Operation,
    constants: &[Option<Attribute>],
) -> Fold {
    if let Some(factor) = undivided(context, op, Overflow::NSW) {
        return value(factor);
    }
    divide(context, op, constants, |a, b| {
        a.signed_div(b).and_then(exact)
    })
}

pub(in super::super) fn ceildivui(
    context: &mut Context,
    op: Operation,
    constants: &[Option<Attribute>],
) -> Fold {
    divide(context, op, constants, ApInt::unsigned_ceil_div)
}

pub(in super::super) fn ceildivsi(
    context: &mut Context,
    op: Operation,
    constants: &[Option<Attribute>],
) -> Fold {
    divide(context, op, constants, |a, b| {
        a.signed_ceil_div(b).and_then(exact)
    })
}

pub(in super::super) fn floordivsi(
    context: &mut Context,
    op: Operation,
    constants: &[Option<Attribute>],
) -> Fold {
    divide(context, op, constants, |a, b| {
        a.signed_floor_div(b).and_then(exact)
    })
}

pub(in super::super) fn remui(
    context: &mut Context,
    op: Operation,
    constants: &[Option<Attribute>],
) -> Fold {
    if is_integer(context, constants[1], ApInt::is_one) {
        return zero(context, op);
    }
    evaluate(context, op, constants, ApInt::unsigned_rem)
}

pub(in super::super) fn remsi(
    context: &mut Context,
    op: Operation,
    constants: &[Option<Attribute>],
) -> Fold {
    if is_integer(context, constants[1], ApInt::is_one) {
        return zero(context, op);
    }
    evaluate(context, op, constants, ApInt::signed_rem)
}

/// Whether one operand is the bitwise complement of the other.
fn are_complements(context: &Context, op: Operation) -> bool {
    let (lhs, rhs) = operands(context, op);
    [(0, rhs), (1, lhs)].into_iter().any(|(number, other)| {
        operand_defined_by(context, op, number, arith::XOrI::DEFINITION).is_some_and(|inverted| {
            let ones = super::super::constant_of(context, inverted.operand(context, 1));
            inverted.operand(context, 0) == other && is_integer(context, ones, ApInt::is_all_ones)
        })
    })
}

/// The operand that equals the result of an idempotent operation: the other operand is equal to it
/// or contains it.
fn absorbed(context: &Context, op: Operation) -> Option<Value> {
    let (lhs, rhs) = operands(context, op);
    if lhs == rhs {
        return Some(lhs);
    }
    // (a & b) & b is a & b; likewise for each operand order.
    [(lhs, rhs), (rhs, lhs)]
        .into_iter()
        .find_map(|(outer, other)| {
            let inner = outer.defining_op(context)?;
            let same = inner.name(context) == op.name(context);
            (same && inner.operands(context).any(|operand| operand == other)).then_some(outer)
        })
}

pub(in super::super) fn andi(
    context: &mut Context,
    op: Operation,
    constants: &[Option<Attribute>],
) -> Fold {
    let (lhs, rhs) = operands(context, op);
    if is_integer(context, constants[1], ApInt::is_zero) {
        return value(rhs);
    }
    if is_integer(context, constants[1], ApInt::is_all_ones) {
        return value(lhs);
    }
    if are_complements(context, op) {
        return zero(context, op);
    }
    if let Some(absorbed) = absorbed(context, op) {
        return value(absorbed);
    }
    evaluate(context, op, constants, |a, b| Some(a.bitwise_and(b)))
}

pub(in super::super) fn ori(
    context: &mut Context,
    op: Operation,
    constants: &[Option<Attribute>],
) -> Fold {
    let (lhs, rhs) = operands(context, op);
    if is_integer(context, constants[1], ApInt::is_zero) {
        return value(lhs);
    }
    if is_integer(context, constants[1], ApInt::is_all_ones) {
        return value(rhs);
    }
    if are_complements(context, op) {
        return all_ones(context, op);
    }
    if let Some(absorbed) = absorbed(context, op) {
        return value(absorbed);
    }
    evaluate(context, op, constants, |a, b| Some(a.bitwise_or(b)))
}

pub(in super::super) fn xori(
    context: &mut Context,
    op: Operation,
    constants: &[Option<Attribute>],
) -> Fold {
    let (lhs, rhs) = operands(context, op);
    if is_integer(context, constants[1], ApInt::is_zero) {
        return value(lhs);
    }
    if lhs == rhs {
        return zero(context, op);
    }
    // (a ^ b) ^ b is a, for any operand order.
    for (number, other) in [(0, rhs), (1, lhs)] {
        if let Some(inner) = operand_defined_by(context, op, number, arith::XOrI::DEFINITION) {
            let (a, b) = operands(context, inner);
            if b == other {
                return value(a);
            }
            if a == other {
                return value(b);
            }
        }
    }
    evaluate(context, op, constants, |a, b| Some(a.bitwise_xor(b)))
}

/// A shift by zero is the identity; a shift by an amount out of range is poison and is not folded.
fn shift(
    context: &mut Context,
    op: Operation,
    constants: &[Option<Attribute>],
    function: impl Fn(&ApInt, u32) -> ApInt,
) -> Fold {
    if is_integer(context, constants[1], ApInt::is_zero) {
        return value(op.operand(context, 0));
    }
    evaluate(context, op, constants, |a, b| {
        Some(function(a, a.shift_amount(b)?))
    })
}

pub(in super::super) fn shli(
    context: &mut Context,
    op: Operation,
    constants: &[Option<Attribute>],
) -> Fold {
    shift(context, op, constants, ApInt::shift_left)
}

pub(in super::super) fn shrui(
    context: &mut Context,
    op: Operation,
    constants: &[Option<Attribute>],
) -> Fold {
    shift(context, op, constants, ApInt::logical_shift_right)
}

pub(in super::super) fn shrsi(
    context: &mut Context,
    op: Operation,
    constants: &[Option<Attribute>],
) -> Fold {
    shift(context, op, constants, ApInt::arithmetic_shift_right)
}

/// Folds minimum and maximum. `winner` is the absorbing integer, `loser` the neutral one;
/// `left_wins` compares.
fn choose(
    context: &mut Context,
    op: Operation,
    constants: &[Option<Attribute>],
    winner: impl Fn(&ApInt) -> bool,
    loser: impl Fn(&ApInt) -> bool,
    left_wins: impl Fn(&ApInt, &ApInt) -> Option<bool>,
) -> Fold {
    let (lhs, rhs) = operands(context, op);
    if lhs == rhs || is_integer(context, constants[1], loser) {
        return value(lhs);
    }
    if is_integer(context, constants[1], winner) {
        return value(rhs);
    }
    evaluate(context, op, constants, |a, b| {
        Some(if left_wins(a, b)? {
            a.clone()
        } else {
            b.clone()
        })
    })
}

pub(in super::super) fn maxsi(
    context: &mut Context,
    op: Operation,
    constants: &[Option<Attribute>],
) -> Fold {
    choose(
        context,
        op,
        constants,
        ApInt::is_signed_max,
        ApInt::is_signed_min,
        |a, b| Some(a.compare_signed(b)?.is_ge()),
    )
}

pub(in super::super) fn maxui(
    context: &mut Context,
    op: Operation,
    constants: &[Option<Attribute>],
) -> Fold {
    choose(
        context,
        op,
        constants,
        ApInt::is_all_ones,
        ApInt::is_zero,
        |a, b| Some(a.compare_unsigned(b)?.is_ge()),
    )
}

pub(in super::super) fn minsi(
    context: &mut Context,
    op: Operation,
    constants: &[Option<Attribute>],
) -> Fold {
    choose(
        context,
        op,
        constants,
        ApInt::is_signed_min,
        ApInt::is_signed_max,
        |a, b| Some(a.compare_signed(b)?.is_le()),
    )
}

pub(in super::super) fn minui(
    context: &mut Context,
    op: Operation,
    constants: &[Option<Attribute>],
) -> Fold {
    choose(
        context,
        op,
        constants,
        ApInt::is_zero,
        ApInt::is_all_ones,
        |a, b| Some(a.compare_unsigned(b)?.is_le()),
    )
}

pub(in super::super) fn addui_extended(
    context: &mut Context,
    op: Operation,
    constants: &[Option<Attribute>],
) -> Fold {
    let carry_type = op.result(context, 1).ty(context);
    if is_integer(context, constants[1], ApInt::is_zero) {
        let carry = splat_integer(context, carry_type, ApInt::zero)?;
        let sum = op.operand(context, 0);
        return Some(vec![Folded::Value(sum), Folded::Constant(carry)]);
    }
    let ty = op.result(context, 0).ty(context);
    let sum = map_integers(context, constants, ty, |a, b| Some(a.wrapping_add(b)))?;
    let carry = map_integers(context, constants, carry_type, |a, b| {
        Some(ApInt::from(a.unsigned_add(b).overflow))
    })?;
    Some(vec![Folded::Constant(sum), Folded::Constant(carry)])
}

/// The low and high half of a product of integers, which `widen` extends to twice their width.
fn multiply_extended(
    context: &mut Context,
    op: Operation,
    constants: &[Option<Attribute>],
    widen: impl Fn(&ApInt, u32) -> ApInt,
) -> Fold {
    let ty = op.result(context, 0).ty(context);
    if is_integer(context, constants[1], ApInt::is_zero) {
        let zero = splat_integer(context, ty, ApInt::zero)?;
        return Some(vec![Folded::Constant(zero), Folded::Constant(zero)]);
    }
    let product = |a: &ApInt, b: &ApInt| {
        let width = a.width() * 2;
        widen(a, width).wrapping_mul(&widen(b, width))
    };
    let low = map_integers(context, constants, ty, |a, b| {
        Some(product(a, b).truncate(a.width()))
    })?;
    let high = map_integers(context, constants, ty, |a, b| {
        Some(
            product(a, b)
                .logical_shift_right(a.width())
                .truncate(a.width()),
        )
    })?;
    Some(vec![Folded::Constant(low), Folded::Constant(high)])
}

pub(in super::super) fn mulsi_extended(
    context: &mut Context,
    op: Operation,
    constants: &[Option<Attribute>],
) -> Fold {
    multiply_extended(context, op, constants, ApInt::sign_extend)
}

pub(in super::super) fn mului_extended(
    context: &mut Context,
    op: Operation,
    constants: &[Option<Attribute>],
) -> Fold {
    if is_integer(context, constants[1], ApInt::is_one) {
        let zero = zero(context, op)?;
        let low = Folded::Value(op.operand(context, 0));
        return Some(std::iter::once(low).chain(zero).collect());
    }
    multiply_extended(context, op, constants, ApInt::zero_extend)
}
