//! Verifiers of storage and slices (TileAS reference 1.9).

use orison_ir::declare::VerifyResult;
use orison_ir::types::DYNAMIC;
use orison_ir::{Context, Operation};

use super::super::slice_assembly::{Bound, SliceBounds};
use super::super::verify::ensure;
use super::AllocTensor;
use crate::MemorySpace;
use crate::views::{is_static, memory_space, shape_and_element};

/// Static shape, the memory space of the type, a power-of-two alignment.
pub fn alloc_tensor(context: &Context, op: Operation) -> VerifyResult {
    let alloc = AllocTensor(op);
    let ty = alloc.buffer(context).ty(context);
    let shape = shape_and_element(context, ty).map(|(shape, _)| shape);
    ensure(
        context,
        op,
        shape.is_some_and(|shape| is_static(&shape)),
        || "expects a result of static shape".to_owned(),
    )?;
    if let Some(keyword) = alloc.memory_space(context) {
        let Some(space) = MemorySpace::from_keyword(keyword) else {
            return Err(op.op_error(context, format!("unknown memory space '{keyword}'")));
        };
        let found = memory_space(context, ty);
        ensure(context, op, found == Some(space), || {
            format!("expects a result in {space}")
        })?;
    }
    let alignment = alloc.alignment(context);
    let power = alignment.is_none_or(|alignment| alignment > 0 && alignment.count_ones() == 1);
    ensure(context, op, power, || {
        "expects an alignment that is a power of two".to_owned()
    })
}

/// Entries for each axis, valid sizes and strides, within the source.
fn bounds(
    context: &Context,
    op: Operation,
    whole: &[i64],
) -> Result<SliceBounds, Box<orison_ir::Diagnostic>> {
    let Some(bounds) = SliceBounds::of(context, op) else {
        let message = "expects one dynamic value for each dynamic entry of the static arrays";
        return Err(op.op_error(context, message));
    };
    for (name, list) in ["offsets", "sizes", "strides"]
        .into_iter()
        .zip(bounds.lists())
    {
        ensure(context, op, list.len() == whole.len(), || {
            format!("expects {} {name}, but got {}", whole.len(), list.len())
        })?;
        let least = if name == "offsets" { 0 } else { 1 };
        for bound in list {
            let fits = !matches!(bound, Bound::Static(value) if *value < least);
            ensure(context, op, fits, || {
                format!("expects {name} to be at least {least}")
            })?;
        }
    }
    let entries = bounds
        .offsets
        .iter()
        .zip(&bounds.sizes)
        .zip(&bounds.strides);
    for (((offset, size), stride), extent) in entries.zip(whole) {
        let (Bound::Static(offset), Bound::Static(size), Bound::Static(stride)) =
            (offset, size, stride)
        else {
            continue;
        };
        let last = (size - 1)
            .checked_mul(*stride)
            .and_then(|last| last.checked_add(*offset));
        let inside = *extent == DYNAMIC || last.is_some_and(|last| last < *extent);
        ensure(context, op, inside, || {
            "slice runs out of bounds".to_owned()
        })?;
    }
    Ok(bounds)
}

/// Whether `part` is `sizes` without some extents of 1.
fn reduces_to(sizes: &[i64], part: &[i64]) -> bool {
    let mut rest = part.iter().peekable();
    for size in sizes {
        if rest.peek() == Some(&size) {
            rest.next();
        } else if *size != 1 {
            return false;
        }
    }
    rest.peek().is_none()
}

fn part_fits(
    context: &Context,
    op: Operation,
    bounds: &SliceBounds,
    part: &[i64],
    what: &str,
) -> VerifyResult {
    ensure(context, op, reduces_to(&bounds.shape(), part), || {
        format!("expects {what} of the sizes of the slice")
    })
}

/// The slice has the sizes, and the element type and memory space of the source.
pub fn extract_slice(context: &Context, op: Operation) -> VerifyResult {
    let whole = op.operand(context, 0).ty(context);
    let part = op.result(context, 0).ty(context);
    whole_and_part(context, op, whole, part, "a result")
}

/// The inserted value has the sizes, and the element type and memory space of the destination; the
/// result has the destination's type.
pub fn insert_slice(context: &Context, op: Operation) -> VerifyResult {
    let part = op.operand(context, 0).ty(context);
    let whole = op.operand(context, 1).ty(context);
    ensure(
        context,
        op,
        op.result(context, 0).ty(context) == whole,
        || "expects a result of the type of the destination".to_owned(),
    )?;
    whole_and_part(context, op, whole, part, "a source")
}

fn whole_and_part(
    context: &Context,
    op: Operation,
    whole: orison_ir::Type,
    part: orison_ir::Type,
    what: &str,
) -> VerifyResult {
    let parts = shape_and_element(context, whole).zip(shape_and_element(context, part));
    let Some(((whole_shape, whole_element), (part_shape, part_element))) = parts else {
        return Ok(());
    };
    let bounds = bounds(context, op, &whole_shape)?;
    part_fits(context, op, &bounds, &part_shape, what)?;
    ensure(context, op, whole_element == part_element, || {
        format!("expects {what} of the element type of the whole")
    })?;
    // Work on registers may be inserted into a buffer asynchronously; a slice stays in its space.
    let extracts = what == "a result";
    let same = memory_space(context, whole) == memory_space(context, part);
    ensure(context, op, same || !extracts, || {
        "expects a result in the memory space of the source".to_owned()
    })
}
