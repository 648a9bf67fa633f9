//! Loads, stores, atomic operations and copies, synchronous and asynchronous.

use orison_ir::{Attribute, AttributeKind, Operation, Type};
use orison_tileas::nv_tileas::{self, AtomFamily};
use orison_tileas::views::memory_space;

use super::super::access::{indices, integer, later, memory_operand, named, required, state};
use super::super::access::{tile_operand, tokens};
use super::super::element::{Element, ElementKind};
use super::super::handles::Handle;
use super::super::memory::View;
use super::super::values::{Tile, integers, require_defined, static_shape};
use super::super::window::Window;
use super::super::work::{Combine, Source, Work};
use super::program::place;
use super::{Launch, Row, atom, ordered};
use crate::{Action, Datum, Execution, Step, Trap};

/// Loads, stores, atomic operations, copies.
pub(super) const OPERATIONS: &[Row] = &[
    (
        nv_tileas::TiledLoad::DEFINITION,
        Execution::new(|step, op| now(step, op, |step, op| tiled_load(step, op))),
    ),
    (
        nv_tileas::TiledStore::DEFINITION,
        Execution::new(|step, op| now(step, op, |step, op| tiled_store(step, op))),
    ),
    (
        nv_tileas::TiledAtomicRmw::DEFINITION,
        Execution::new(|step, op| now(step, op, |step, op| tiled_atomic(step, op))),
    ),
    (
        nv_tileas::Load::DEFINITION,
        Execution::new(|step, op| now(step, op, load)),
    ),
    (
        nv_tileas::Store::DEFINITION,
        Execution::new(|step, op| now(step, op, store)),
    ),
    (
        nv_tileas::GatherLoad::DEFINITION,
        Execution::new(|step, op| now(step, op, |step, op| gather(step, op))),
    ),
    (
        nv_tileas::ScatterStore::DEFINITION,
        Execution::new(|step, op| now(step, op, |step, op| scatter(step, op))),
    ),
    (
        nv_tileas::Copy::DEFINITION,
        Execution::new(|step, op| now(step, op, |step, op| copy(step, op, false))),
    ),
    (
        nv_tileas::AsyncLoad::DEFINITION,
        Execution::new(|step, op| start(step, op, load)),
    ),
    (
        nv_tileas::AsyncStore::DEFINITION,
        Execution::new(|step, op| start(step, op, store)),
    ),
    (
        nv_tileas::AsyncTiledLoad::DEFINITION,
        Execution::new(|step, op| start(step, op, |step, op| tiled_load(step, op))),
    ),
    (
        nv_tileas::AsyncTiledAtomicRmw::DEFINITION,
        Execution::new(|step, op| start(step, op, |step, op| tiled_atomic(step, op))),
    ),
    (
        nv_tileas::AsyncCopy::DEFINITION,
        Execution::new(|step, op| start(step, op, |step, op| copy(step, op, true))),
    ),
];

/// What an operation does, with its operands as they are now.
type Launched = fn(&mut Step<'_, '_>, Operation) -> Result<Launch, Trap>;

/// Runs a synchronous operation after its tokens.
fn now(step: &mut Step<'_, '_>, op: Operation, launched: Launched) -> Result<Action, Trap> {
    match ordered(step, op)? {
        Some(wait) => Ok(wait),
        None => launched(step, op)?.run(step, op, false),
    }
}

/// Starts an asynchronous operation, whose effects follow those of its tokens.
fn start(step: &mut Step<'_, '_>, op: Operation, launched: Launched) -> Result<Action, Trap> {
    let values = op.operands_named(step.context(), "token");
    let after = tokens(step, &values)?;
    let mut launch = launched(step, op)?;
    launch.after.extend(after);
    launch.run(step, op, true)
}

/// The value of a padding attribute.
pub(super) fn number(step: &Step<'_, '_>, attribute: Attribute) -> Option<Element> {
    match attribute.kind(step.context()) {
        AttributeKind::Float { value, .. } => Some(Element::Float(value.to_f64())),
        AttributeKind::Integer { value, .. } => value.as_i64().map(Element::Integer),
        _ => None,
    }
}

fn padding(step: &Step<'_, '_>, op: Operation) -> Option<Element> {
    number(step, op.attribute(step.context(), "padding_value")?)
}

/// Exceeds the number of elements of any memory along an axis.
const BEYOND: i64 = 1 << 40;

/// The tile of memory at coordinates (in tiles, or with one more leading coordinate in elements)
/// and offsets (in elements).
pub(super) fn window(
    op: Operation,
    memory: &View,
    tile: &[usize],
    coordinates: &[i64],
    offsets: &[i64],
) -> Result<Window, Trap> {
    let rank = tile.len();
    let (leading, coordinates) = coordinates.split_at(coordinates.len().saturating_sub(rank));
    if coordinates.len() != rank || leading.len() > 1 || memory.shape.len() != rank {
        return Err(Trap::malformed(
            op,
            "the number of coordinates does not match the rank of the memory",
        ));
    }
    let mut memory = memory.clone();
    for offset in leading {
        if offset.abs() >= BEYOND {
            return Err(Trap::undefined(op, "coordinates exceed the address range"));
        }
        memory.start += offset * memory.kind.bits() as i64;
    }
    let (mut starts, mut low, mut high) = (Vec::new(), Vec::new(), Vec::new());
    for axis in 0..rank {
        let extent = tile[axis] as i64;
        let start = coordinates[axis]
            .checked_mul(extent)
            .and_then(|start| start.checked_add(offsets.get(axis).copied().unwrap_or(0)));
        let Some(start) = start.filter(|start| start.abs() < BEYOND) else {
            return Err(Trap::undefined(op, "coordinates exceed the address range"));
        };
        starts.push(start);
        let first = (-start).clamp(0, extent);
        let end = (memory.shape[axis] as i64 - start).clamp(first, extent);
        low.push(first as usize);
        high.push(end as usize);
    }
    if low.iter().zip(&high).any(|(low, high)| low == high) {
        // No element is in bounds, so the position does not matter.
        starts = vec![0; rank];
        high.clone_from(&low);
    }
    let view = memory.part(&starts, tile, &vec![1; rank]);
    Ok(Window { view, low, high })
}

/// The window of a tiled operation; checks `in_bounds`.
fn tiled_window(step: &Step<'_, '_>, op: Operation, writes: bool) -> Result<Window, Trap> {
    let context = step.context();
    let datum = required(step, op, "view")?;
    let (memory, tile) = match Handle::of(&datum) {
        Some(Handle::Tiled { memory, tile }) => (memory.clone(), tile.clone()),
        _ => {
            let (view, _) = memory_operand(step, op, &datum, writes)?;
            let tile = view.shape.clone();
            (view, tile)
        }
    };
    let coordinates = indices(step, op, &op.operands_named(context, "coordinates"))?;
    let offsets = indices(step, op, &op.operands_named(context, "offsets"))?;
    let window = window(op, &memory, &tile, &coordinates, &offsets)?;
    let promised = op
        .attribute(context, "in_bounds")
        .and_then(|list| list.as_integer_array(context));
    for (axis, promise) in promised
        .map(|(_, list)| list)
        .unwrap_or_default()
        .iter()
        .enumerate()
    {
        let inside = window.low[axis] == 0 && window.high[axis] == tile[axis];
        if *promise != 0 && !inside {
            let reason = format!("is out of bounds along axis {axis}, but 'in_bounds' is set");
            return Err(Trap::undefined(op, &reason));
        }
    }
    Ok(window)
}

fn tiled_load(step: &Step<'_, '_>, op: Operation) -> Result<Launch, Trap> {
    let window = tiled_window(step, op, false)?;
    let tma = atom(step.context(), op).is_some_and(|atom| atom.family() == AtomFamily::TmaLoad);
    // The TMA unit fills with zeros; other loads leave elements out of bounds undefined.
    let fill = padding(step, op).or(tma.then(|| window.view.kind.zero()));
    let reads = vec![window.inside()];
    let from = Source::Memory(window);
    Ok(Launch {
        reads,
        ..Launch::new(Work::Move {
            from,
            to: None,
            fill,
        })
    })
}

fn tiled_store(step: &Step<'_, '_>, op: Operation) -> Result<Launch, Trap> {
    let window = tiled_window(step, op, true)?;
    let value = required(step, op, "value")?;
    let from = Source::Tile(tile_operand(step, op, &value)?);
    let writes = vec![window.inside()];
    let work = Work::Move {
        from,
        to: Some(window),
        fill: None,
    };
    Ok(Launch {
        writes,
        ..Launch::new(work)
    })
}

fn tiled_atomic(step: &Step<'_, '_>, op: Operation) -> Result<Launch, Trap> {
    let context = step.context();
    let window = tiled_window(step, op, true)?;
    let mode = op
        .attribute(context, "rmw_mode")
        .and_then(|mode| mode.as_str(context));
    let Some(combine) = mode.and_then(Combine::of_mode) else {
        return Err(Trap::unsupported(op, "an atomic operation of this mode"));
    };
    let data = step.values(&op.operands_named(context, "value"))?;
    let values: Result<Vec<Tile>, Trap> = data
        .iter()
        .map(|datum| tile_operand(step, op, datum))
        .collect();
    let writes = vec![window.inside()];
    let work = Work::Atomic {
        window,
        combine,
        values: values?,
    };
    Ok(Launch {
        writes,
        ..Launch::new(work)
    })
}

/// The shape of the elements of an operation; empty for one element.
fn shape_of(step: &Step<'_, '_>, ty: Type) -> Vec<usize> {
    static_shape(step.context(), ty).unwrap_or_default()
}

/// Which elements a mask enables.
fn mask(step: &Step<'_, '_>, op: Operation, count: usize) -> Result<Vec<bool>, Trap> {
    let Some(datum) = named(step, op, "mask")? else {
        return Ok(vec![true; count]);
    };
    let tile = tile_operand(step, op, &datum)?;
    require_defined(op, &tile)?;
    let values = integers(&tile).unwrap_or_default();
    Ok((0..count)
        .map(|number| values.get(number % values.len().max(1)) != Some(&0))
        .collect())
}

/// A view of each element that pointers refer to.
fn pointed(
    step: &mut Step<'_, '_>,
    op: Operation,
    kind: ElementKind,
    count: usize,
) -> Result<Vec<Option<View>>, Trap> {
    let pointers = required(step, op, "pointers")?;
    let pointers = tile_operand(step, op, &pointers)?;
    let mask = mask(step, op, count)?;
    let buffers = state(step).memory.buffers.len();
    let addresses = integers(&pointers).unwrap_or_default();
    if addresses.is_empty() {
        return Err(Trap::malformed(op, "expects pointers"));
    }
    let mut places = Vec::with_capacity(count);
    for (number, enabled) in mask.iter().enumerate() {
        if !enabled {
            places.push(None);
            continue;
        }
        let address = addresses[number % addresses.len()];
        let found = pointers
            .is_defined(number % addresses.len())
            .then(|| place(address, buffers));
        let Some((buffer, start)) = found.flatten() else {
            return Err(Trap::undefined(
                op,
                "a pointer that does not point into memory",
            ));
        };
        places.push(Some(View {
            start,
            ..View::whole(buffer, &[1], kind)
        }));
    }
    Ok(places)
}

fn element_views(places: &[Option<View>]) -> Vec<View> {
    places.iter().flatten().cloned().collect()
}

fn result_kind(step: &Step<'_, '_>, op: Operation, ty: Type) -> Result<ElementKind, Trap> {
    match ElementKind::of(step.context(), ty) {
        Some(kind) => Ok(kind),
        None => Err(Trap::unsupported(op, "elements of this type")),
    }
}

fn load(step: &mut Step<'_, '_>, op: Operation) -> Result<Launch, Trap> {
    let ty = op.result(step.context(), 0).ty(step.context());
    let (kind, shape) = (result_kind(step, op, ty)?, shape_of(step, ty));
    let other = match named(step, op, "other")? {
        Some(datum) => {
            let tile = tile_operand(step, op, &datum)?;
            let count = tile.element_count().max(1);
            tile.gathered(&shape, |position| flat(&shape, position) % count)
        }
        None => match padding(step, op) {
            Some(element) => Tile::splat(&shape, kind, element),
            None => Tile::undefined(&shape, kind),
        },
    };
    let places = pointed(step, op, kind, other.element_count())?;
    let reads = element_views(&places);
    Ok(Launch {
        reads,
        ..Launch::new(Work::Gather { places, other })
    })
}

fn flat(shape: &[usize], position: &[usize]) -> usize {
    let strides = super::super::values::row_major(shape);
    position
        .iter()
        .zip(strides)
        .map(|(at, stride)| at * stride)
        .sum()
}

fn store(step: &mut Step<'_, '_>, op: Operation) -> Result<Launch, Trap> {
    let value = required(step, op, "value")?;
    let tile = tile_operand(step, op, &value)?;
    let ty = op.operand(step.context(), 1).ty(step.context());
    let kind = result_kind(step, op, ty)?;
    let places = pointed(step, op, kind, tile.element_count())?;
    let writes = element_views(&places);
    Ok(Launch {
        writes,
        ..Launch::new(Work::Scatter { places, tile })
    })
}

/// A view of each element at positions that differ by lane; `None` for those out of bounds.
fn positions(
    step: &Step<'_, '_>,
    op: Operation,
    memory: &View,
    count: usize,
) -> Result<Vec<Option<View>>, Trap> {
    let context = step.context();
    let data = step.values(&op.operands_named(context, "indices"))?;
    let tiles: Result<Vec<Tile>, Trap> = data
        .iter()
        .map(|datum| tile_operand(step, op, datum))
        .collect();
    let tiles = tiles?;
    for tile in &tiles {
        require_defined(op, tile)?;
    }
    let mask = mask(step, op, count)?;
    let mut places = Vec::with_capacity(count);
    for (number, enabled) in mask.iter().enumerate() {
        let position: Vec<i64> = tiles
            .iter()
            .filter_map(|tile| integers(tile)?.get(number).copied())
            .collect();
        let mut axes = position.iter().zip(&memory.shape);
        let inside = position.len() == memory.shape.len()
            && axes.all(|(at, extent)| (0..*extent as i64).contains(at));
        let one = vec![1; position.len()];
        let steps = vec![1; position.len()];
        let place = (*enabled && inside).then(|| memory.part(&position, &one, &steps));
        places.push(place.map(|view| View {
            shape: vec![1],
            strides: vec![1],
            ..view
        }));
    }
    Ok(places)
}

fn gather(step: &Step<'_, '_>, op: Operation) -> Result<Launch, Trap> {
    let context = step.context();
    let source = required(step, op, "source")?;
    let (memory, _) = memory_operand(step, op, &source, false)?;
    let ty = op.result(context, 0).ty(context);
    let (kind, shape) = (result_kind(step, op, ty)?, shape_of(step, ty));
    let other = match padding(step, op) {
        Some(element) => Tile::splat(&shape, kind, element),
        None => Tile::undefined(&shape, kind),
    };
    let places = positions(step, op, &memory, other.element_count())?;
    let reads = element_views(&places);
    Ok(Launch {
        reads,
        ..Launch::new(Work::Gather { places, other })
    })
}

fn scatter(step: &Step<'_, '_>, op: Operation) -> Result<Launch, Trap> {
    let destination = required(step, op, "destination")?;
    let (memory, _) = memory_operand(step, op, &destination, true)?;
    let value = required(step, op, "value")?;
    let tile = tile_operand(step, op, &value)?;
    let places = positions(step, op, &memory, tile.element_count())?;
    let writes = element_views(&places);
    Ok(Launch {
        writes,
        ..Launch::new(Work::Scatter { places, tile })
    })
}

/// The window of a memory operand: a tiled view gives its tile at zero.
fn copied(step: &Step<'_, '_>, op: Operation, datum: &Datum, writes: bool) -> Result<Window, Trap> {
    if let Some(Handle::Tiled { memory, tile }) = Handle::of(datum) {
        return window(op, memory, tile, &vec![0; tile.len()], &[]);
    }
    let (view, _) = memory_operand(step, op, datum, writes)?;
    Ok(Window::all(view))
}

fn copy(step: &Step<'_, '_>, op: Operation, asynchronous: bool) -> Result<Launch, Trap> {
    let context = step.context();
    let datum = required(step, op, "source")?;
    let mut launch = Launch::new(Work::Value(Datum::Poison));
    let in_registers = memory_space(context, op.operand(context, 0).ty(context))
        == Some(orison_tileas::MemorySpace::Register);
    let from = if in_registers && !asynchronous {
        Source::Tile(tile_operand(step, op, &datum)?)
    } else if in_registers {
        later(step, op, &datum, &mut launch.after, &mut launch.reads)?
    } else {
        let window = copied(step, op, &datum, false)?;
        launch.reads.push(window.inside());
        Source::Memory(window)
    };
    let to = match named(step, op, "destination")? {
        Some(datum) => {
            let window = copied(step, op, &datum, true)?;
            launch.writes.push(window.inside());
            Some(window)
        }
        None => None,
    };
    launch.work = Work::Move {
        from,
        to,
        fill: None,
    };
    Ok(launch)
}

/// A scalar integer operand.
pub(super) fn scalar(step: &Step<'_, '_>, op: Operation, name: &str) -> Result<Option<i64>, Trap> {
    let datum = named(step, op, name)?;
    datum.map(|datum| integer(op, &datum)).transpose()
}
