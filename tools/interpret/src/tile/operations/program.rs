//! `nv_tileaa`: program ids, views of memory, pointers.

use orison_ir::{Operation, Value};
use orison_tileas::nv_tileaa::{self, pointee};
use orison_tileas::views::ShapedView;

use super::super::access::{indices, memory_operand, required, state, tile_operand};
use super::super::element::{ElementKind, sign_extend};
use super::super::handles::Handle;
use super::super::memory::View;
use super::super::values::{Tile, TileData, integers, row_major, static_shape};
use super::{Row, leave};
use crate::{Action, Datum, Execution, Step, Trap};

/// Bits of an address that hold the offset in its buffer.
const OFFSET_BITS: u32 = 40;

/// The address of a bit of a buffer.
pub(in crate::tile) fn address(buffer: usize, bit: i64) -> i64 {
    ((buffer as i64 + 1) << OFFSET_BITS) + bit
}

/// An address in no buffer, and so is every address computed from it.
const NOWHERE: i64 = 0;

/// Bits by which a pointer may leave its buffer: half of the range around a buffer belongs to it.
const HALF: i64 = 1 << (OFFSET_BITS - 1);

/// The buffer and bit of an address; `None` if it refers to no buffer.
pub(super) fn place(address: i64, buffers: usize) -> Option<(usize, i64)> {
    let number = address.checked_add(HALF)? >> OFFSET_BITS;
    let buffer = usize::try_from(number - 1)
        .ok()
        .filter(|number| *number < buffers)?;
    Some((buffer, address - (number << OFFSET_BITS)))
}

/// The address `offset` elements further. It never refers to another buffer: where it leaves the
/// range of its own, it refers to none.
pub(super) fn moved(address: i64, offset: i64, bits: u32) -> i64 {
    let Some((buffer, start)) = place(address, usize::MAX) else {
        return NOWHERE;
    };
    let distance = offset.checked_mul(i64::from(bits));
    distance
        .and_then(|distance| start.checked_add(distance))
        .filter(|bit| (-HALF..HALF).contains(bit))
        .map_or(NOWHERE, |bit| self::address(buffer, bit))
}

/// The operations of `nv_tileaa`.
pub(super) const OPERATIONS: &[Row] = &[
    (nv_tileaa::Return::DEFINITION, Execution::new(leave)),
    (
        nv_tileaa::GetProgramId::DEFINITION,
        Execution::new(|step, op| program_id(step, op).map(one)),
    ),
    (
        nv_tileaa::IsValidProgramId::DEFINITION,
        Execution::new(|step, op| is_valid(step, op).map(one)),
    ),
    (
        nv_tileaa::CreateMemToken::DEFINITION,
        Execution::new(|_, _| Ok(one(Handle::Order.datum()))),
    ),
    (
        nv_tileaa::BlockTile::DEFINITION,
        Execution::new(|step, op| block_tile(step, op).map(one)),
    ),
    (
        nv_tileaa::MakeMemref::DEFINITION,
        Execution::new(|step, op| make_memref(step, op).map(one)),
    ),
    (
        nv_tileaa::AddPtr::DEFINITION,
        Execution::new(|step, op| addptr(step, op).map(one)),
    ),
];

fn one(datum: Datum) -> Action {
    Action::Results(vec![datum])
}

fn program_id(step: &mut Step<'_, '_>, op: Operation) -> Result<Datum, Trap> {
    let axis = op.attribute(step.context(), "axis");
    let axis = axis.and_then(|axis| axis.as_i64(step.context()));
    let axis = axis.and_then(|axis| usize::try_from(axis).ok());
    let program = state(step).program;
    match axis.and_then(|axis| program.get(axis)) {
        Some(id) => Ok(Datum::index(*id)),
        None => Err(Trap::malformed(op, "the axis must be from 0 to 2")),
    }
}

fn is_valid(step: &mut Step<'_, '_>, op: Operation) -> Result<Datum, Trap> {
    let operands: Vec<Value> = op.operands(step.context()).collect();
    let ids = indices(step, op, &operands)?;
    let grid = state(step).grid;
    let mut axes = ids.iter().zip(grid);
    Ok(Datum::bool(
        axes.all(|(id, extent)| (0..extent).contains(id)),
    ))
}

fn block_tile(step: &Step<'_, '_>, op: Operation) -> Result<Datum, Trap> {
    let datum = step.value(op.operand(step.context(), 0))?;
    let (memory, _) = memory_operand(step, op, &datum, false)?;
    let ty = op.result(step.context(), 0).ty(step.context());
    match static_shape(step.context(), ty) {
        Some(tile) if tile.len() == memory.shape.len() => {
            Ok(Handle::Tiled { memory, tile }.datum())
        }
        Some(_) => Err(Trap::malformed(
            op,
            "tiles whose rank does not match the memory",
        )),
        None => Err(Trap::unsupported(op, "tiles with dynamic extents")),
    }
}

/// The single address of a datum.
pub(super) fn pointer(step: &Step<'_, '_>, op: Operation, datum: &Datum) -> Result<i64, Trap> {
    let tile = tile_operand(step, op, datum)?;
    match integers(&tile) {
        Some([address]) => Ok(*address),
        _ => Err(Trap::malformed(op, "requires one pointer")),
    }
}

fn make_memref(step: &mut Step<'_, '_>, op: Operation) -> Result<Datum, Trap> {
    let context = step.context();
    let base = required(step, op, "base")?;
    let base = pointer(step, op, &base)?;
    let ty = op.result(context, 0).ty(context);
    let Some(view) = ShapedView::of(context, ty) else {
        return Err(Trap::malformed(op, "requires a memref"));
    };
    let Some(kind) = ElementKind::of(context, view.element) else {
        return Err(Trap::unsupported(op, "memory with elements of this type"));
    };
    let mut sizes = indices(step, op, &op.operands_named(context, "sizes"))?.into_iter();
    let mut shape = Vec::new();
    for extent in &view.shape {
        let extent = usize::try_from(*extent).ok().or_else(|| {
            let size = sizes.next()?;
            usize::try_from(size).ok()
        });
        match extent {
            Some(extent) => shape.push(extent),
            None => return Err(Trap::undefined(op, "an extent is negative or missing")),
        }
    }
    let strides = indices(step, op, &op.operands_named(context, "strides"))?;
    let total = shape
        .iter()
        .try_fold(1usize, |total, extent| total.checked_mul(*extent));
    if total.is_none_or(|total| total >= 1 << OFFSET_BITS) && strides.is_empty() {
        return Err(Trap::undefined(op, "memory that exceeds the address range"));
    }
    let dense = || row_major(&shape).into_iter().map(|stride| stride as i64);
    let strides = if strides.is_empty() {
        dense().collect()
    } else {
        strides
    };
    if strides.len() != shape.len() {
        return Err(Trap::malformed(op, "requires one stride per axis"));
    }
    let reaches = |(extent, stride): (&usize, &i64)| {
        let extent = i64::try_from(*extent).ok()?;
        let reach = extent.max(1).checked_mul(stride.checked_abs()?)?;
        reach.checked_mul(kind.bits() as i64)
    };
    let mut axes = shape.iter().zip(&strides).map(reaches);
    if axes.any(|reach| reach.is_none_or(|reach| reach >= 1 << (OFFSET_BITS + 4))) {
        return Err(Trap::undefined(op, "memory that exceeds the address range"));
    }
    let buffers = state(step).memory.buffers.len();
    let Some((buffer, start)) = place(base, buffers) else {
        return Err(Trap::undefined(
            op,
            "a pointer that does not point into memory",
        ));
    };
    let view = View {
        buffer,
        start,
        shape,
        strides,
        kind,
    };
    Ok(Handle::Memory(view).datum())
}

fn addptr(step: &Step<'_, '_>, op: Operation) -> Result<Datum, Trap> {
    let context = step.context();
    let (base, offset) = (required(step, op, "base")?, required(step, op, "offset")?);
    let (base, offset) = (
        tile_operand(step, op, &base)?,
        tile_operand(step, op, &offset)?,
    );
    let ty = op.result(context, 0).ty(context).scalar(context);
    let bits = pointee(context, ty).and_then(|pointee| pointee.bit_width(context));
    let (Some(addresses), Some(offsets), Some(bits)) = (integers(&base), integers(&offset), bits)
    else {
        return Err(Trap::malformed(op, "requires pointers and integers"));
    };
    let width = offset.kind.bits() as u32;
    // One offset may apply to all pointers, and one pointer may be the base of all offsets.
    let count = addresses.len().max(offsets.len());
    let values = (0..count).map(|number| {
        let offset = offsets[number % offsets.len()];
        moved(
            addresses[number % addresses.len()],
            sign_extend(width, offset),
            bits,
        )
    });
    let shape = if addresses.len() == count {
        &base.shape
    } else {
        &offset.shape
    };
    let data = TileData::Integers(values.collect());
    Ok(Datum::payload(Tile::new(
        shape,
        ElementKind::Pointer(bits),
        data,
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pointer_that_runs_out_of_its_buffer_still_names_it() {
        assert_eq!(place(address(3, 0), 4), Some((3, 0)));
        assert_eq!(place(moved(address(3, 0), -2, 16), 4), Some((3, -32)));
        assert_eq!(place(address(3, 100), 3), None);
        assert_eq!(place(0, 4), None);
        assert_eq!(place(i64::MAX, 4), None);
    }

    /// 2^58 elements of 64 bits are 2^64 bits.
    #[test]
    fn a_pointer_never_moves_into_another_buffer() {
        let start = address(1, 0);
        for (offset, bits) in [
            (1 << 40, 1),
            (1 << 39, 1),
            (-(1 << 39) - 1, 1),
            (1 << 58, 64),
        ] {
            let far = moved(start, offset, bits);
            assert_eq!(place(far, 4), None, "{offset}");
            assert_eq!(place(moved(far, -offset, bits), 4), None, "{offset}");
        }
        assert_eq!(
            place(moved(start, (1 << 39) - 1, 1), 4),
            Some((1, (1 << 39) - 1))
        );
        assert_eq!(place(moved(start, -(1 << 39), 1), 4), Some((1, -(1 << 39))));
    }
}
