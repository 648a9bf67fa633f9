//! Verifiers of arithmetic operations.

use orison_ir::declare::VerifyResult;
use orison_ir::numbers::ApInt;
use orison_ir::types::shapes_compatible;
use orison_ir::{Context, Operation, Type, TypeKind};

use super::constant_of;
use super::scalars::uniform_integer;
use crate::types::{quoted, quoted_list, value_scalar, with_element_text};

/// Whether two types are equal except for their element types.
fn same_container(context: &Context, a: Type, b: Type) -> bool {
    let outline = |ty: Type| match ty.kind(context) {
        TypeKind::Vector {
            shape, scalable, ..
        } => (0, &shape[..], &scalable[..], None),
        TypeKind::Tensor {
            shape, encoding, ..
        } => (1, &shape[..], &[][..], *encoding),
        TypeKind::UnrankedTensor(_) => (2, &[][..], &[][..], None),
        _ => (3, &[][..], &[][..], None),
    };
    outline(a) == outline(b)
}

fn is_container(context: &Context, ty: Type) -> bool {
    matches!(
        ty.kind(context),
        TypeKind::Vector { .. } | TypeKind::Tensor { .. } | TypeKind::UnrankedTensor(_)
    )
}

/// The trait of elementwise operations: nonscalar values have compatible shapes.
pub(super) fn elementwise(context: &Context, op: Operation) -> VerifyResult {
    let containers = |types: Vec<Type>| -> Vec<Type> {
        let mut types = types;
        types.retain(|ty| is_container(context, *ty));
        types
    };
    let results = containers(op.result_types(context));
    let operands = containers(op.operand_types(context));
    let message = match (operands.first(), results.len()) {
        (None, 0) => return Ok(()),
        (None, _) => "if a result is non-scalar, then at least one operand must be non-scalar",
        (Some(_), 0) => {
            "if an operand is non-scalar, then there must be at least one non-scalar result"
        }
        (Some(_), count) if count != op.result_count(context) => {
            "if an operand is non-scalar, then all results must be non-scalar"
        }
        (Some(first), _) => {
            let base = |ty: Type| std::mem::discriminant(ty.kind(context));
            let mut all = operands.iter().chain(&results).copied();
            let wanted = base(*first);
            if all.clone().all(|ty| base(ty) == wanted) && shapes_compatible(context, &mut all) {
                return Ok(());
            }
            "all non-scalar operands/results must have the same shape and base type"
        }
    };
    Err(op.op_error(context, message))
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

pub(crate) fn comparison(context: &Context, op: Operation) -> VerifyResult {
    let ty = op.operand(context, 0).ty(context);
    if same_container(context, ty, op.result(context, 0).ty(context)) {
        return Ok(());
    }
    let message =
        "failed to verify that result type has i1 element type and same shape as operands";
    Err(op.op_error(context, message))
}

pub(super) fn select_types(context: &Context, op: Operation) -> VerifyResult {
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
    let shaped = condition.shape(context).is_some() && result.shape(context).is_some();
    if condition != Type::I1 && !(shaped && condition.shape(context) == result.shape(context)) {
        let message = "failed to verify that condition is signless i1 or has matching shape";
        return Err(op.op_error(context, message));
    }
    Ok(())
}

pub(super) fn select(context: &Context, op: Operation) -> VerifyResult {
    let condition = op.operand(context, 0).ty(context);
    let result = op.result(context, 0).ty(context);
    if condition == Type::I1 || same_container(context, condition, result) {
        return Ok(());
    }
    let message = if is_container(context, result) {
        format!(
            "expected condition type to have the same shape as the result type, expected '{}', \
             but got {}",
            with_element_text(context, result, "i1"),
            quoted(context, condition)
        )
    } else {
        format!(
            "expected condition to be a signless i1, but got {}",
            quoted(context, condition)
        )
    };
    Err(op.op_error(context, message))
}

/// The input and the result have the same extents if they are tensors.
pub(super) fn same_extents(context: &Context, op: Operation) -> VerifyResult {
    let extents = |ty: Type| match ty.kind(context) {
        TypeKind::Tensor { shape, .. } => &shape[..],
        _ => &[],
    };
    let input = op.operand(context, 0).ty(context);
    if extents(input) != extents(op.result(context, 0).ty(context)) {
        let message = "failed to verify that input and output have the same tensor dimensions";
        return Err(op.op_error(context, message));
    }
    Ok(())
}

/// Whether the input and the result of a conversion have the same shape and encoding, if
/// any.
fn same_outline(context: &Context, op: Operation) -> bool {
    let ends = [op.operand(context, 0), op.result(context, 0)];
    let mut types = ends.iter().map(|value| value.ty(context));
    if !shapes_compatible(context, &mut types) {
        return false;
    }
    let encoding = |ty: Type| match ty.kind(context) {
        TypeKind::Tensor { encoding, .. } => Some(*encoding),
        _ => None,
    };
    let input = encoding(op.operand(context, 0).ty(context));
    let result = encoding(op.result(context, 0).ty(context));
    input.is_none() || result.is_none() || input == result
}

/// Checks that a conversion changes only the elements.
pub(super) fn conversion(context: &Context, op: Operation) -> VerifyResult {
    if same_outline(context, op) {
        return Ok(());
    }
    incompatible(context, op)
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

/// The element widths in bits of the first operand and of the result.
fn widths(context: &Context, op: Operation) -> (Option<u32>, Option<u32>) {
    let width = |ty| value_scalar(context, ty).bit_width(context);
    (
        width(op.operand(context, 0).ty(context)),
        width(op.result(context, 0).ty(context)),
    )
}

pub(super) fn widening(context: &Context, op: Operation) -> VerifyResult {
    let (from, to) = widths(context, op);
    if from >= to || !same_outline(context, op) {
        return incompatible(context, op);
    }
    Ok(())
}

pub(super) fn narrowing(context: &Context, op: Operation) -> VerifyResult {
    let (from, to) = widths(context, op);
    if from <= to || !same_outline(context, op) {
        return incompatible(context, op);
    }
    Ok(())
}

/// The element type, also of memrefs.
fn any_scalar(context: &Context, ty: Type) -> Type {
    match ty.kind(context) {
        TypeKind::MemRef { element, .. } => *element,
        _ => value_scalar(context, ty),
    }
}

pub(super) fn index_cast(context: &Context, op: Operation) -> VerifyResult {
    let from = any_scalar(context, op.operand(context, 0).ty(context));
    let to = any_scalar(context, op.result(context, 0).ty(context));
    if (from == Type::INDEX) == (to == Type::INDEX) || !same_outline(context, op) {
        return incompatible(context, op);
    }
    Ok(())
}

pub(super) fn bitcast(context: &Context, op: Operation) -> VerifyResult {
    let from = any_scalar(context, op.operand(context, 0).ty(context));
    let to = any_scalar(context, op.result(context, 0).ty(context));
    if from.bit_width(context) != to.bit_width(context) || !same_outline(context, op) {
        return incompatible(context, op);
    }
    Ok(())
}

/// Divisions can be speculated only if the divisor is known to be safe.
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

/// The smallest integer divided by -1 overflows.
fn divides_signed(context: &Context, op: Operation) -> bool {
    divisor(context, op).is_some_and(|divisor| !divisor.is_zero() && !divisor.is_all_ones())
}

fn divisor(context: &Context, op: Operation) -> Option<ApInt> {
    uniform_integer(context, constant_of(context, op.operand(context, 1))?)
}
