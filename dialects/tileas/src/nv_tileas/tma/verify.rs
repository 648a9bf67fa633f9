//! Verifiers of TMA operations (TileAS reference 1.8).

use orison_host::arith;
use orison_ir::declare::VerifyResult;
use orison_ir::{AttributeKind, Context, Operation, Type, Value};
use rustc_hash::FxHashSet;

use super::super::verify::ensure;
use super::super::verify::memory::{atom_of, is_known, padding_type};
use super::MakeTiledTmaDesc;
use crate::MemorySpace;
use crate::nv_tileaa;
use crate::nv_tileaa::{MakeMemref, pointee};
use crate::nv_tileas::attributes::{Atom, AtomFamily};
use crate::views::{ShapedView, byte_size, shape_and_element};

/// Granule of a box, in bytes.
const BOX_GRANULE_BYTES: i64 = 16;
/// Alignment of the pointer in a descriptor, in bytes.
const POINTER_ALIGNMENT: i32 = 128;
const BOX_MISMATCH: &str = "TMA box dimensions do not match atom box dimensions";

fn index(context: &Context, op: Operation) -> VerifyResult {
    let index = op
        .attribute(context, "tmaIdx")
        .and_then(|index| index.as_i32(context));
    ensure(context, op, index.is_none_or(|index| index >= 0), || {
        "expects tmaIdx to be non-negative".to_owned()
    })?;
    let descriptors = op.operands(context).filter_map(|value| {
        let made_by = value.defining_op(context)?;
        MakeTiledTmaDesc::matches(context, made_by).then_some(made_by)
    });
    let mut made =
        descriptors.filter_map(|made_by| made_by.attribute(context, "tmaIdx")?.as_i32(context));
    let differs = index.zip(made.next()).filter(|(own, made)| own != made);
    match differs {
        None => Ok(()),
        Some((own, made)) => {
            let message = format!("tmaIdx {own} is not that of its descriptor, {made}");
            Err(op.op_error(context, message))
        }
    }
}

/// The value of an `arith.constant`.
fn constant(context: &Context, value: Value) -> Option<i64> {
    let op = value.defining_op(context)?;
    if !arith::Constant::matches(context, op) {
        return None;
    }
    op.attribute(context, "value")?.as_i64(context)
}

/// Checks atom, box, strides, alignment and the dependencies of the descriptor.
pub fn make_tiled_tma_desc(context: &Context, op: Operation) -> VerifyResult {
    let make = MakeTiledTmaDesc(op);
    index(context, op)?;
    let family = atom_of(context, op).map(Atom::family);
    ensure(context, op, family.is_some_and(AtomFamily::is_tma), || {
        "expected a TMA load atom".to_owned()
    })?;
    let Some(view) = ShapedView::of(context, make.view(context).ty(context)) else {
        return Ok(());
    };
    ensure(context, op, view.space == Some(MemorySpace::Global), || {
        "expects a view of global memory".to_owned()
    })?;
    descriptor_modes(context, op)?;
    descriptor_box(context, op, view)?;
    let strided = unit_stride(context, view) && unit_memory_stride(context, make.view(context));
    ensure(context, op, strided, || {
        "TMA descriptors require unit element stride".to_owned()
    })?;
    let alignment = make.alignment(context);
    let aligned = alignment.is_none_or(|bytes| bytes > 0 && bytes % POINTER_ALIGNMENT == 0);
    ensure(context, op, aligned, || {
        format!("TMA descriptors require a pointer aligned to {POINTER_ALIGNMENT} bytes")
    })?;
    let operands: Vec<Value> = op.operands(context).collect();
    ensure(context, op, is_representable(context, &operands), || {
        "TMA descriptor capture references a non-representable value".to_owned()
    })
}

fn descriptor_modes(context: &Context, op: Operation) -> VerifyResult {
    let make = MakeTiledTmaDesc(op);
    let swizzle = make.swizzle_mode(context).unwrap_or("none");
    ensure(
        context,
        op,
        ["none", "32B", "64B", "128B"].contains(&swizzle),
        || format!("unsupported swizzle_mode: {swizzle}"),
    )?;
    let oob = make.oob_mode(context).unwrap_or("zero");
    ensure(
        context,
        op,
        ["zero", "nan", "constant"].contains(&oob),
        || format!("unsupported oob_mode: {oob}"),
    )
}

/// The box matches the atom and the view, and its width is a multiple of the granule.
fn descriptor_box(context: &Context, op: Operation, view: &ShapedView) -> VerifyResult {
    let extents = atom_of(context, op).and_then(|atom| atom.box_extents(context));
    let own = MakeTiledTmaDesc(op).box_extents(context);
    if let Some(extents) = &extents {
        let known = view.shape.iter().all(|extent| is_known(*extent));
        ensure(context, op, !known || view.shape == *extents, || {
            BOX_MISMATCH.to_owned()
        })?;
        let fits = own.is_empty()
            || (own.len() == extents.len()
                && own.iter().zip(extents).all(|(value, extent)| {
                    constant(context, *value).is_none_or(|value| value == *extent)
                }));
        ensure(context, op, fits, || BOX_MISMATCH.to_owned())?;
    }
    let indices = own.iter().all(|value| value.ty(context) == Type::INDEX);
    ensure(context, op, indices, || {
        "expects box extents of type index".to_owned()
    })?;
    let innermost = extents.as_ref().unwrap_or(&view.shape).last().copied();
    let bits = view.element.bit_width(context).map(i64::from);
    let (Some(innermost), Some(bits)) = (innermost.filter(|extent| is_known(*extent)), bits) else {
        return Ok(());
    };
    let whole = innermost
        .checked_mul(bits)
        .is_some_and(|bits| bits % (BOX_GRANULE_BYTES * 8) == 0);
    ensure(context, op, whole, || {
        format!("TMA box rows must be a multiple of {BOX_GRANULE_BYTES} bytes")
    })
}

/// Elements of the innermost axis are contiguous.
fn unit_stride(context: &Context, view: &ShapedView) -> bool {
    match view.layout.map(|layout| layout.kind(context)) {
        Some(AttributeKind::Strided { strides, .. }) => strides.last() == Some(&1),
        _ => true,
    }
}

/// The memory of the view was not created with another innermost stride.
fn unit_memory_stride(context: &Context, view: Value) -> bool {
    let tile = view.defining_op(context);
    let memory = tile.filter(|op| nv_tileaa::BlockTile::matches(context, *op));
    let memory = memory.and_then(|op| op.operands(context).next());
    let make = memory
        .and_then(|memory| memory.defining_op(context))
        .and_then(|op| MakeMemref::of(context, op));
    let stride = make.and_then(|make| make.strides(context).last().copied());
    stride
        .and_then(|stride| constant(context, stride))
        .is_none_or(|stride| stride == 1)
}

/// Whether the host can recreate the dependencies of a descriptor with these operands: no control
/// flow, no `math`, at most one source of memory.
pub fn is_representable(context: &Context, operands: &[Value]) -> bool {
    let mut pending = operands.to_vec();
    let mut seen = FxHashSet::default();
    let mut sources = 0;
    while let Some(value) = pending.pop() {
        if !seen.insert(value) {
            continue;
        }
        match value.defining_op(context) {
            Some(source) => {
                let name = source.name_text(context);
                if name.starts_with("scf.") || name.starts_with("math.") {
                    return false;
                }
                pending.extend(source.operands(context));
            }
            None => {
                let block = value.argument_owner(context);
                let parent = block.and_then(|block| block.parent_op(context));
                if parent.is_some_and(|op| op.name_text(context).starts_with("scf.")) {
                    return false;
                }
                sources += usize::from(is_memory(context, value.ty(context)));
            }
        }
    }
    sources <= 1
}

fn is_memory(context: &Context, ty: Type) -> bool {
    ShapedView::of(context, ty).is_some() || pointee(context, ty.scalar(context)).is_some()
}

/// The atom is of the required family; its box is the buffer, which TMA can write.
fn transfer(
    context: &Context,
    op: Operation,
    families: [AtomFamily; 2],
    message: &str,
    buffer: Value,
) -> VerifyResult {
    index(context, op)?;
    let Some(atom) = atom_of(context, op) else {
        return Ok(());
    };
    ensure(context, op, families.contains(&atom.family()), || {
        message.to_owned()
    })?;
    let coordinates = op.operands_named(context, "coordinates");
    let indices = coordinates
        .iter()
        .all(|value| value.ty(context) == Type::INDEX);
    ensure(context, op, indices, || {
        "tiled memop coordinates must be index-typed".to_owned()
    })?;
    let ty = buffer.ty(context);
    if let Some(view) = ShapedView::of(context, ty) {
        let fits = view.space == Some(MemorySpace::Shared) && unit_stride(context, view);
        ensure(context, op, fits, || {
            "shared-memory layout is not TMA-compatible".to_owned()
        })?;
    }
    let Some(((shape, element), extents)) =
        shape_and_element(context, ty).zip(atom.box_extents(context))
    else {
        return Ok(());
    };
    ensure(context, op, shape == extents, || BOX_MISMATCH.to_owned())?;
    let tiled = [AtomFamily::TmaGather, AtomFamily::TmaScatter];
    let rank = extents.len() + usize::from(atom.has_leading_offset(context));
    let by_lane = tiled.contains(&families[1]);
    ensure(context, op, by_lane || coordinates.len() == rank, || {
        "tiled memop coordinate count does not match the view rank".to_owned()
    })?;
    byte_count(context, op, &extents, element)
}

/// `tx_count` is the bytes of the box (C77).
fn byte_count(context: &Context, op: Operation, extents: &[i64], element: Type) -> VerifyResult {
    let found = op
        .attribute(context, "tx_count")
        .and_then(|count| count.as_i32(context));
    let (Some(found), Some(bytes)) = (found, byte_size(context, extents, element)) else {
        return Ok(());
    };
    ensure(context, op, u64::try_from(found) == Ok(bytes), || {
        format!("expects tx_count to be the {bytes} bytes of the box, but got {found}")
    })
}

/// Padding is only zero.
fn zero_padding(context: &Context, op: Operation, buffer: Value, message: &str) -> VerifyResult {
    let Some(padding) = op.attribute(context, "padding_value") else {
        return Ok(());
    };
    let zero = match padding.kind(context) {
        AttributeKind::Integer { value, .. } => value.is_zero(),
        AttributeKind::Float { value, .. } => value.is_zero() && !value.is_negative(),
        _ => false,
    };
    ensure(context, op, zero, || message.to_owned())?;
    match shape_and_element(context, buffer.ty(context)) {
        Some((_, element)) => padding_type(context, op, element),
        None => Ok(()),
    }
}

/// `async.tiled_tma_load`.
pub fn tiled_tma_load(context: &Context, op: Operation) -> VerifyResult {
    let buffer = op.operand(context, 1);
    let families = [AtomFamily::TmaLoad; 2];
    transfer(context, op, families, "expected a TMA load atom", buffer)?;
    zero_padding(context, op, buffer, "TmaLoad only support zero padding now")
}

/// `async.tiled_tma_store`.
pub fn tiled_tma_store(context: &Context, op: Operation) -> VerifyResult {
    let families = [AtomFamily::TmaStore; 2];
    transfer(
        context,
        op,
        families,
        "expected a TMA store atom",
        op.operand(context, 1),
    )
}

/// `async.gather_tma_load`.
pub fn gather_tma_load(context: &Context, op: Operation) -> VerifyResult {
    let buffer = op.operand(context, 1);
    let families = [AtomFamily::TmaLoad, AtomFamily::TmaGather];
    transfer(context, op, families, "expected a TMA load atom", buffer)?;
    zero_padding(
        context,
        op,
        buffer,
        "GatherTmaLoad only support zero padding now",
    )
}

/// `async.scatter_tma_store`; it may not pad.
pub fn scatter_tma_store(context: &Context, op: Operation) -> VerifyResult {
    let families = [AtomFamily::TmaStore, AtomFamily::TmaScatter];
    transfer(
        context,
        op,
        families,
        "expected a TMA store atom",
        op.operand(context, 1),
    )?;
    ensure(
        context,
        op,
        op.attribute(context, "padding_value").is_none(),
        || "padding_value not supported for scatter".to_owned(),
    )
}
