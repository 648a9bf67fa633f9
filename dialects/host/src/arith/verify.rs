//! Rules of arithmetic.

use orison_ir::declare::VerifyResult;
use orison_ir::numbers::ApInt;
use orison_ir::{Context, Operation, Type, TypeKind};

use super::constant_of;
use super::fold::scalars::uniform_integer;
use crate::types::{quoted, quoted_list, value_scalar};

/// Whether two types are containers of one kind and, where both have one, of one shape.
fn same_container(context: &Context, a: Type, b: Type) -> bool {
    match (a.kind(context), b.kind(context)) {
        (
            TypeKind::Vector {
                shape, scalable, ..
            },
            TypeKind::Vector {
                shape: other,
                scalable: other_scalable,
                ..
            },
        ) => shape == other && scalable == other_scalable,
        (TypeKind::Tensor { shape, .. }, TypeKind::Tensor { shape: other, .. }) => {
            shapes_compatible(shape, other)
        }
        (
            TypeKind::Tensor { .. } | TypeKind::UnrankedTensor(_),
            TypeKind::Tensor { .. } | TypeKind::UnrankedTensor(_),
        ) => true,
        _ => false,
    }
}

/// Whether extents may be the same at run time.
fn shapes_compatible(a: &[i64], b: &[i64]) -> bool {
    use orison_ir::types::DYNAMIC;
    a.len() == b.len()
        && a.iter()
            .zip(b)
            .all(|(a, b)| a == b || *a == DYNAMIC || *b == DYNAMIC)
}

fn is_container(context: &Context, ty: Type) -> bool {
    matches!(
        ty.kind(context),
        TypeKind::Vector { .. } | TypeKind::Tensor { .. } | TypeKind::UnrankedTensor(_)
    )
}

/// The trait of elementwise operations: values that are not scalars go together.
pub(super) fn elementwise(context: &Context, op: Operation) -> VerifyResult {
    let mut values = op.results(context).chain(op.operands(context));
    if !values.any(|value| is_container(context, value.ty(context))) {
        return Ok(());
    }
    let is_container = |ty: &Type| is_container(context, *ty);
    let results = op.result_types(context);
    let operands = op.operand_types(context);
    let Some(first) = results.iter().chain(&operands).copied().find(is_container) else {
        return Ok(());
    };
    if !results.iter().any(is_container) {
        let message = "if an operand is non-scalar, then there must be at least one non-scalar \
                       result";
        return Err(op.op_error(context, message));
    }
    if !operands.iter().any(is_container) {
        let message = "if the result is non-scalar, then at least one operand must be non-scalar";
        return Err(op.op_error(context, message));
    }
    let mut containers = operands
        .iter()
        .chain(&results)
        .copied()
        .filter(is_container);
    if containers.any(|ty| !same_container(context, first, ty)) {
        let message = "all non-scalar operands/results must have the same shape and base type";
        return Err(op.op_error(context, message));
    }
    Ok(())
}

pub(super) fn extended_sum(context: &Context, op: Operation) -> VerifyResult {
    let ty = op.result(context, 0).ty(context);
    if op
        .operands(context)
        .any(|operand| operand.ty(context) != ty)
    {
        let message = "failed to verify that all of {lhs, rhs, sum} have same type";
        return Err(op.op_error(context, message));
    }
    let carry = op.result(context, 1).ty(context);
    if ty.shape(context) != carry.shape(context)
        || is_container(context, ty) != is_container(context, carry)
    {
        let message = "result type has i1 element type and same shape as operands";
        return Err(op.op_error(context, format!("failed to verify that {message}")));
    }
    Ok(())
}

pub(super) fn extended_product(context: &Context, op: Operation) -> VerifyResult {
    let ty = op.result(context, 0).ty(context);
    let mut values = op.operands(context).chain(op.results(context));
    if values.any(|value| value.ty(context) != ty) {
        let message = "failed to verify that all of {lhs, rhs, low, high} have same type";
        return Err(op.op_error(context, message));
    }
    Ok(())
}

pub(super) fn comparison(context: &Context, op: Operation) -> VerifyResult {
    let ty = op.operand(context, 0).ty(context);
    let result = op.result(context, 0).ty(context);
    let matches = if is_container(context, ty) {
        same_container(context, ty, result) && ty.shape(context) == result.shape(context)
    } else {
        result == Type::I1
    };
    if !matches {
        let message =
            "failed to verify that result type has i1 element type and same shape as operands";
        return Err(op.op_error(context, message));
    }
    Ok(())
}

pub(super) fn select(context: &Context, op: Operation) -> VerifyResult {
    let result = op.result(context, 0).ty(context);
    if op
        .operands(context)
        .skip(1)
        .any(|value| value.ty(context) != result)
    {
        let message =
            "failed to verify that all of {true_value, false_value, result} have same type";
        return Err(op.op_error(context, message));
    }
    let condition = op.operand(context, 0).ty(context);
    if condition != Type::I1
        && (!is_container(context, result) || !same_container(context, condition, result))
    {
        let message = "failed to verify that condition is signless i1 or has matching shape";
        return Err(op.op_error(context, message));
    }
    Ok(())
}

/// Vectors become vectors and tensors become tensors.
pub(super) fn same_kind(context: &Context, op: Operation) -> VerifyResult {
    let is_vector = |ty: Type| matches!(ty.kind(context), TypeKind::Vector { .. });
    let result = op.result(context, 0).ty(context);
    let differs = |ty: Type| {
        is_container(context, ty)
            && is_container(context, result)
            && is_vector(ty) != is_vector(result)
    };
    if op.operands(context).any(|value| differs(value.ty(context))) {
        let message = "failed to verify that input and output have the same tensor dimensions";
        return Err(op.op_error(context, message));
    }
    Ok(())
}

fn incompatible(context: &Context, op: Operation) -> VerifyResult {
    let operands = op.operand_types(context);
    let plural = if operands.len() == 1 { "" } else { "s" };
    let message = format!(
        "operand type{plural} {} and result type {} are cast incompatible",
        quoted_list(context, &operands),
        quoted(context, op.result(context, 0).ty(context))
    );
    Err(op.op_error(context, message))
}

/// The widths in bits of the elements of the first operand and of the result.
fn widths(context: &Context, op: Operation) -> (Option<u32>, Option<u32>) {
    let width = |ty| value_scalar(context, ty).bit_width(context);
    (
        width(op.operand(context, 0).ty(context)),
        width(op.result(context, 0).ty(context)),
    )
}

pub(super) fn widening(context: &Context, op: Operation) -> VerifyResult {
    let (from, to) = widths(context, op);
    if from >= to {
        return incompatible(context, op);
    }
    Ok(())
}

pub(super) fn narrowing(context: &Context, op: Operation) -> VerifyResult {
    let (from, to) = widths(context, op);
    if from <= to {
        return incompatible(context, op);
    }
    Ok(())
}

/// The element type, of memrefs too.
fn any_scalar(context: &Context, ty: Type) -> Type {
    match ty.kind(context) {
        TypeKind::MemRef { element, .. } | TypeKind::UnrankedMemRef { element, .. } => *element,
        _ => value_scalar(context, ty),
    }
}

pub(super) fn index_cast(context: &Context, op: Operation) -> VerifyResult {
    let from = any_scalar(context, op.operand(context, 0).ty(context));
    let to = any_scalar(context, op.result(context, 0).ty(context));
    if (from == Type::INDEX) == (to == Type::INDEX) {
        return incompatible(context, op);
    }
    Ok(())
}

pub(super) fn bitcast(context: &Context, op: Operation) -> VerifyResult {
    let from = any_scalar(context, op.operand(context, 0).ty(context));
    let to = any_scalar(context, op.result(context, 0).ty(context));
    if from.bit_width(context) != to.bit_width(context) {
        return incompatible(context, op);
    }
    Ok(())
}

/// Divisions may be executed early only where the divisor is known to be harmless.
pub(super) const fn speculatable_division(name: &str) -> Option<fn(&Context, Operation) -> bool> {
    match name.as_bytes() {
        b"arith.divui" | b"arith.ceildivui" | b"arith.remui" => Some(divides_unsigned),
        b"arith.divsi" | b"arith.ceildivsi" | b"arith.floordivsi" | b"arith.remsi" => {
            Some(divides_signed)
        }
        _ => None,
    }
}

fn divides_unsigned(context: &Context, op: Operation) -> bool {
    divisor(context, op).is_some_and(|divisor| !divisor.is_zero())
}

/// The smallest integer divided by minus one overflows.
fn divides_signed(context: &Context, op: Operation) -> bool {
    divisor(context, op).is_some_and(|divisor| !divisor.is_zero() && !divisor.is_all_ones())
}

fn divisor(context: &Context, op: Operation) -> Option<ApInt> {
    uniform_integer(context, constant_of(context, op.operand(context, 1))?)
}
