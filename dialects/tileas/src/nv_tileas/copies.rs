//! Legal copies (TileAS reference 1.9).

use orison_ir::declare::VerifyResult;
use orison_ir::{Context, Operation, Type};

use super::traits::is_slot;
use super::verify::ensure;
use crate::MemorySpace;
use crate::views::{memory_space, shape_and_element, shapes_compatible};

/// Whether the hardware supports a copy from one memory space to another.
pub fn is_legal_pair(from: MemorySpace, to: MemorySpace) -> bool {
    use MemorySpace::{Global, Register, Shared, Tensor};
    matches!(
        (from, to),
        (Global, Register)
            | (Register, Global)
            | (Global, Shared)
            | (Register, Shared)
            | (Register, Tensor)
            | (Shared, Global)
            | (Shared, Register)
            | (Shared, Tensor)
            | (Tensor, Register)
    )
}

/// Source and target of a copy: the target is the destination or the result.
pub fn copy(context: &Context, op: Operation) -> VerifyResult {
    let source = op.operand(context, 0).ty(context);
    let destination = op.operands(context).nth(1);
    if let Some(slot) = destination.filter(|destination| is_slot(context, *destination)) {
        return ensure(context, op, source == slot.ty(context), || {
            "expects a source of the type of the slot".to_owned()
        });
    }
    let destination = destination.map(|value| value.ty(context));
    let result = op
        .results_named(context, "tile")
        .first()
        .map(|value| value.ty(context));
    let ((Some(target), None) | (None, Some(target))) = (destination, result) else {
        return Err(op.op_error(context, "expects either a destination or a result tile"));
    };
    let spaces = memory_space(context, source).zip(memory_space(context, target));
    let scalar = |ty: Type| !ty.is_shaped(context) && memory_space(context, ty).is_none();
    ensure(context, op, !scalar(source) && !scalar(target), || {
        "expects scalars only to be copied to a slot of a pipeline".to_owned()
    })?;
    let Some((from, to)) = spaces else {
        return Ok(());
    };
    ensure(context, op, is_legal_pair(from, to), || {
        format!("expects a legal copy pair, but got {from} to {to}")
    })?;
    let parts = shape_and_element(context, source).zip(shape_and_element(context, target));
    let Some(((source_shape, source_element), (shape, element))) = parts else {
        return Ok(());
    };
    ensure(context, op, source_element == element, || {
        "expects source and target of the same element type".to_owned()
    })?;
    ensure(
        context,
        op,
        shapes_compatible(&source_shape, &shape),
        || "expects source and target of the same shape".to_owned(),
    )
}
