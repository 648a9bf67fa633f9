//! Storage, slices, and reinterpretations of elements.

use orison_ir::{Operation, Type};
use orison_tileas::MemorySpace;
use orison_tileas::nv_tileas::types::Role;
use orison_tileas::nv_tileas::{self, Bound, SliceBounds};
use orison_tileas::views::{memory_space, shape_and_element};

use super::super::access::{integer, later, memory_operand, state, tile_operand, tokens};
use super::super::element::ElementKind;
use super::super::handles::Handle;
use super::super::memory::{Buffer, View};
use super::super::values::{
    Tile, TileData, count, integers, require_defined, row_major, static_shape,
};
use super::super::window::Window;
use super::super::work::{Slice, Source, Work};
use super::{Launch, Row, results};
use crate::{Action, Datum, Execution, Step, Trap};

/// Storage, slices, reinterpretations.
pub(super) const OPERATIONS: &[Row] = &[
    (nv_tileas::AllocTensor::DEFINITION, Execution::new(alloc)),
    (
        nv_tileas::ExtractSlice::DEFINITION,
        Execution::new(|step, op| extract(step, op, false)),
    ),
    (
        nv_tileas::InsertSlice::DEFINITION,
        Execution::new(|step, op| insert(step, op, false)),
    ),
    (
        nv_tileas::AsyncExtractSlice::DEFINITION,
        Execution::new(|step, op| extract(step, op, true)),
    ),
    (
        nv_tileas::AsyncInsertSlice::DEFINITION,
        Execution::new(|step, op| insert(step, op, true)),
    ),
    (nv_tileas::ConvertLayout::DEFINITION, RESHAPE),
    (nv_tileas::View::DEFINITION, RESHAPE),
    (nv_tileas::ExpandDims::DEFINITION, RESHAPE),
    (
        nv_tileas::Reinterpret::DEFINITION,
        Execution::new(|step, op| reinterpret(step, op)),
    ),
    (
        nv_tileas::Shuffle::DEFINITION,
        Execution::new(|step, op| shuffle(step, op)),
    ),
];

const RESHAPE: Execution = Execution::new(|step, op| reshape(step, op));

fn shaped(step: &Step<'_, '_>, op: Operation, ty: Type) -> Result<(Vec<usize>, ElementKind), Trap> {
    let context = step.context();
    let element = shape_and_element(context, ty).map_or(ty, |(_, element)| element);
    match (static_shape(context, ty), ElementKind::of(context, element)) {
        (Some(shape), Some(kind)) => Ok((shape, kind)),
        _ => Err(Trap::unsupported(op, "a tile of this type")),
    }
}

fn in_memory(datum: &Datum) -> bool {
    matches!(
        Handle::of(datum),
        Some(Handle::Memory(_) | Handle::Stage { .. } | Handle::Tiled { .. })
    )
}

fn alloc(step: &mut Step<'_, '_>, op: Operation) -> Result<Action, Trap> {
    let context = step.context();
    let ty = op.result(context, 0).ty(context);
    let (shape, kind) = shaped(step, op, ty)?;
    let space = memory_space(context, ty).unwrap_or(MemorySpace::Register);
    if space == MemorySpace::Register {
        return Ok(Action::Results(vec![Datum::payload(Tile::undefined(
            &shape, kind,
        ))]));
    }
    let location = op.location(context).position(context);
    let line = location.map_or(0, |(_, line, _)| line);
    let name = format!("the {space} buffer at line {line}");
    let bits = count(&shape) * kind.bits();
    let memory = &mut state(step).memory;
    let number = memory.add(Buffer::unwritten(&name, space, bits));
    Ok(Action::Results(vec![
        Handle::Memory(View::whole(number, &shape, kind)).datum(),
    ]))
}

/// Offsets, sizes and strides of a slice of a value with these extents.
fn slice(step: &Step<'_, '_>, op: Operation, whole: &[usize]) -> Result<Slice, Trap> {
    let Some(bounds) = SliceBounds::of(step.context(), op) else {
        return Err(Trap::malformed(op, "a slice without offsets and sizes"));
    };
    let list = |bounds: &[Bound]| -> Result<Vec<i64>, Trap> {
        let values = bounds.iter().map(|bound| match bound {
            Bound::Static(value) => Ok(*value),
            Bound::Dynamic(value) => integer(op, &step.value(*value)?),
        });
        values.collect()
    };
    let sizes = list(&bounds.sizes)?;
    let sizes: Option<Vec<usize>> = sizes
        .iter()
        .map(|size| usize::try_from(*size).ok())
        .collect();
    let slice = sizes.map(|sizes| -> Result<Slice, Trap> {
        let (offsets, strides) = (list(&bounds.offsets)?, list(&bounds.strides)?);
        Ok(Slice {
            offsets,
            sizes,
            strides,
        })
    });
    match slice.transpose()? {
        Some(slice) if slice.fits(whole) => Ok(slice),
        _ => Err(Trap::undefined(op, "a slice out of bounds")),
    }
}

/// The part of memory selected by a slice, with the extents of the result.
fn part(view: &View, slice: &Slice, shape: &[usize]) -> View {
    let part = view.part(&slice.offsets, &slice.sizes, &slice.strides);
    let mut strides = Vec::new();
    let mut rest = shape.iter().peekable();
    for (size, stride) in part.shape.iter().zip(&part.strides) {
        if rest.peek() == Some(&size) {
            rest.next();
            strides.push(*stride);
        }
    }
    View {
        shape: shape.to_vec(),
        strides,
        ..part
    }
}

fn extract(step: &mut Step<'_, '_>, op: Operation, asynchronous: bool) -> Result<Action, Trap> {
    let context = step.context();
    let (shape, _) = shaped(step, op, op.result(context, 0).ty(context))?;
    let datum = step.value(op.operand(context, 0))?;
    let after = tokens(step, &op.operands_named(context, "token"))?;
    if in_memory(&datum) {
        let view = match Handle::of(&datum) {
            Some(Handle::Stage { view, .. }) => view.clone(),
            _ => memory_operand(step, op, &datum, false)?.0,
        };
        let slice = slice(step, op, &view.shape)?;
        let view = part(&view, &slice, &shape);
        let handle = match Handle::of(&datum) {
            Some(Handle::Stage { owner, .. }) => Handle::Stage {
                view,
                owner: *owner,
            },
            _ => Handle::Memory(view),
        };
        return Ok(results(context, op, Some(handle.datum()), &after));
    }
    let (whole, _) = shaped(step, op, op.operand(context, 0).ty(context))?;
    let slice = slice(step, op, &whole)?;
    let mut launch = Launch::new(Work::Value(Datum::Poison));
    launch.after = after;
    let from = operand(step, op, &datum, asynchronous, &mut launch)?;
    launch.work = Work::Slice { from, slice, shape };
    launch.run(step, op, asynchronous)
}

fn operand(
    step: &Step<'_, '_>,
    op: Operation,
    datum: &Datum,
    asynchronous: bool,
    launch: &mut Launch,
) -> Result<Source, Trap> {
    if asynchronous {
        later(step, op, datum, &mut launch.after, &mut launch.reads)
    } else {
        Ok(Source::Tile(tile_operand(step, op, datum)?))
    }
}

fn insert(step: &mut Step<'_, '_>, op: Operation, asynchronous: bool) -> Result<Action, Trap> {
    let context = step.context();
    let destination = step.value(op.operand(context, 1))?;
    let mut launch = Launch::new(Work::Value(Datum::Poison));
    launch.after = tokens(step, &op.operands_named(context, "token"))?;
    let datum = step.value(op.operand(context, 0))?;
    let new = operand(step, op, &datum, asynchronous, &mut launch)?;
    // A stage that is read in place has the value of its tile.
    let is_read = matches!(
        Handle::of(&destination),
        Some(Handle::Stage { owner, .. }) if owner.role == Role::Consumer
    );
    if is_read || !in_memory(&destination) {
        let (whole, _) = shaped(step, op, op.operand(context, 1).ty(context))?;
        let slice = slice(step, op, &whole)?;
        let whole = operand(step, op, &destination, asynchronous, &mut launch)?;
        launch.work = Work::Insert {
            part: new,
            whole,
            slice,
        };
        return launch.run(step, op, asynchronous);
    }
    // A buffer is modified in place.
    let (view, _) = memory_operand(step, op, &destination, true)?;
    let slice = slice(step, op, &view.shape)?;
    let to = view.part(&slice.offsets, &slice.sizes, &slice.strides);
    launch.writes.push(to.clone());
    launch.work = Work::Move {
        from: new,
        to: Some(Window::all(to)),
        fill: None,
    };
    let action = launch.run(step, op, asynchronous)?;
    match action {
        Action::Results(mut data) => {
            data[0] = destination;
            Ok(Action::Results(data))
        }
        other => Ok(other),
    }
}

/// The same elements with other extents.
fn reshape(step: &Step<'_, '_>, op: Operation) -> Result<Action, Trap> {
    let context = step.context();
    let (shape, kind) = shaped(step, op, op.result(context, 0).ty(context))?;
    let datum = step.value(op.operand(context, 0))?;
    if in_memory(&datum) {
        return recast(step, op, &datum, &shape, kind);
    }
    let tile = tile_operand(step, op, &datum)?;
    if tile.element_count() != count(&shape) {
        return Err(Trap::malformed(op, "a different number of elements"));
    }
    Ok(Action::Results(vec![Datum::payload(tile.reshaped(&shape))]))
}

fn recast(
    step: &Step<'_, '_>,
    op: Operation,
    datum: &Datum,
    shape: &[usize],
    kind: ElementKind,
) -> Result<Action, Trap> {
    let handle = match Handle::of(datum) {
        Some(Handle::Stage { view, owner }) => view.recast(shape, kind).map(|view| Handle::Stage {
            view,
            owner: *owner,
        }),
        _ => {
            let (view, _) = memory_operand(step, op, datum, false)?;
            view.recast(shape, kind).map(Handle::Memory)
        }
    };
    match handle {
        Some(handle) => Ok(Action::Results(vec![handle.datum()])),
        None => Err(Trap::unsupported(
            op,
            "a reshape of memory that is not contiguous",
        )),
    }
}

/// The same bits as elements of another type.
fn reinterpret(step: &Step<'_, '_>, op: Operation) -> Result<Action, Trap> {
    let context = step.context();
    let (shape, kind) = shaped(step, op, op.result(context, 0).ty(context))?;
    let datum = step.value(op.operand(context, 0))?;
    if in_memory(&datum) {
        return recast(step, op, &datum, &shape, kind);
    }
    let tile = tile_operand(step, op, &datum)?;
    require_defined(op, &tile)?;
    let from = tile.kind.bits();
    if from * tile.element_count() != kind.bits() * count(&shape) {
        return Err(Trap::malformed(op, "a different number of bits"));
    }
    let mut bits = Vec::with_capacity(from * tile.element_count());
    for number in 0..tile.element_count() {
        let word = tile.kind.encode(tile.data.get(number));
        bits.extend((0..from).map(|bit| word >> bit & 1 == 1));
    }
    let mut data = TileData::zeros(kind, count(&shape));
    for (number, chunk) in bits.chunks(kind.bits()).enumerate() {
        let word = chunk
            .iter()
            .rev()
            .fold(0u64, |word, bit| word << 1 | u64::from(*bit));
        data.set(number, kind.decode(word));
    }
    Ok(Action::Results(vec![Datum::payload(Tile::new(
        &shape, kind, data,
    ))]))
}

/// Element `i` of the result is element `pattern[i]` of the source, over the whole tile or over its
/// last axis, whichever has as many elements.
fn shuffle(step: &Step<'_, '_>, op: Operation) -> Result<Action, Trap> {
    let context = step.context();
    let datum = step.value(op.operand(context, 0))?;
    let tile = tile_operand(step, op, &datum)?;
    let Some(pattern) = op.attribute(context, "pattern") else {
        return Ok(Action::Results(vec![Datum::payload(tile)]));
    };
    let list = pattern
        .as_integer_array(context)
        .map(|(_, list)| list)
        .or_else(|| {
            let kind = ElementKind::Integer(64);
            let elements = pattern.as_array(context)?;
            let numbers = elements.iter().map(|element| element.as_i64(context));
            let numbers: Option<Vec<i64>> = numbers.collect();
            let tile = Tile::new(&[elements.len()], kind, TileData::Integers(numbers?));
            integers(&tile).map(<[i64]>::to_vec)
        });
    let last = tile.shape.last().copied().unwrap_or(1);
    let list: Vec<usize> = list
        .unwrap_or_default()
        .iter()
        .filter_map(|number| usize::try_from(*number).ok())
        .collect();
    let limit = if list.len() == tile.element_count() {
        list.len()
    } else {
        last
    };
    if list.len() != limit || list.iter().any(|number| *number >= limit) {
        return Err(Trap::unsupported(op, "a pattern of this form"));
    }
    let strides = row_major(&tile.shape);
    let shuffled = tile.gathered(&tile.shape, |position| {
        let flat: usize = position
            .iter()
            .zip(&strides)
            .map(|(at, stride)| at * stride)
            .sum();
        flat / limit * limit + list[flat % limit]
    });
    Ok(Action::Results(vec![Datum::payload(shuffled)]))
}
