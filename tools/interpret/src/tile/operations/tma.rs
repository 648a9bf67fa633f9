//! The TMA unit: boxes between global and shared memory.

use orison_ir::Operation;
use orison_tileas::nv_tileas;

use super::super::access::{indices, memory_operand, required, tile_operand};
use super::super::element::Element;
use super::super::handles::{Handle, Ownership};
use super::super::memory::View;
use super::super::values::{count, integers, require_defined};
use super::super::window::Window;
use super::super::work::{Source, Work};
use super::loads::{number, window};
use super::{Launch, Row, atom};
use crate::{Action, Execution, Step, Trap};

/// Descriptors, and copies by the TMA unit.
pub(super) const OPERATIONS: &[Row] = &[
    (
        nv_tileas::MakeTiledTmaDesc::DEFINITION,
        Execution::new(|step, op| descriptor(step, op)),
    ),
    (
        nv_tileas::AsyncTiledTmaLoad::DEFINITION,
        Execution::new(load),
    ),
    (
        nv_tileas::AsyncTiledTmaStore::DEFINITION,
        Execution::new(store),
    ),
    (
        nv_tileas::AsyncGatherTmaLoad::DEFINITION,
        Execution::new(|step, op| move_rows(step, op, true)),
    ),
    (
        nv_tileas::AsyncScatterTmaStore::DEFINITION,
        Execution::new(|step, op| move_rows(step, op, false)),
    ),
];

/// `make_tiled_tma_desc`.
fn descriptor(step: &Step<'_, '_>, op: Operation) -> Result<Action, Trap> {
    let context = step.context();
    let datum = required(step, op, "view")?;
    let (memory, mut tile) = match Handle::of(&datum) {
        Some(Handle::Tiled { memory, tile }) => (memory.clone(), tile.clone()),
        _ => {
            let (view, _) = memory_operand(step, op, &datum, false)?;
            let tile = view.shape.clone();
            (view, tile)
        }
    };
    let given = indices(step, op, &op.operands_named(context, "box_extents"))?;
    let extents = if given.is_empty() {
        atom(context, op)
            .and_then(|atom| atom.box_extents(context))
            .unwrap_or_default()
    } else {
        given
    };
    if extents.len() == tile.len() {
        let extents = extents
            .iter()
            .map(|extent| usize::try_from(*extent).unwrap_or(0));
        tile = extents.collect();
    }
    let mode = op
        .attribute(context, "oob_mode")
        .and_then(|mode| mode.as_str(context));
    let fill = match (mode, memory.kind.zero()) {
        (Some("nan"), Element::Float(_)) => Element::Float(f64::NAN),
        (Some("constant"), zero) => {
            let constant = op.attribute(context, "padding_value");
            constant
                .and_then(|constant| number(step, constant))
                .unwrap_or(zero)
        }
        (_, zero) => zero,
    };
    let handle = Handle::Descriptor { memory, tile, fill };
    Ok(Action::Results(vec![handle.datum()]))
}

/// The descriptor operand: memory, box, fill value.
fn described(step: &Step<'_, '_>, op: Operation) -> Result<(View, Vec<usize>, Element), Trap> {
    let datum = required(step, op, "descriptor")?;
    match Handle::of(&datum) {
        Some(Handle::Descriptor { memory, tile, fill }) => {
            Ok((memory.clone(), tile.clone(), *fill))
        }
        _ => Err(Trap::malformed(op, "requires a TMA descriptor")),
    }
}

/// The stage to which a load reports its bytes: of its barrier, or of its destination.
fn barrier(
    step: &Step<'_, '_>,
    op: Operation,
    stage: Option<Ownership>,
) -> Result<Option<Ownership>, Trap> {
    let barrier = required(step, op, "barrier")?;
    match (Handle::of(&barrier), stage) {
        (Some(Handle::Owned(owner)), Some(stage)) if *owner != stage => {
            let reason = "copies bytes to one stage but signals the barrier of another";
            Err(Trap::undefined(op, reason))
        }
        (Some(Handle::Owned(owner)), _) => Ok(Some(*owner)),
        _ => Ok(stage),
    }
}

/// `async.tiled_tma_load`.
fn load(step: &mut Step<'_, '_>, op: Operation) -> Result<Action, Trap> {
    let context = step.context();
    let (memory, tile, fill) = described(step, op)?;
    let coordinates = indices(step, op, &op.operands_named(context, "coordinates"))?;
    let window = window(op, &memory, &tile, &coordinates, &[])?;
    let destination = required(step, op, "destination")?;
    let (to, stage) = memory_operand(step, op, &destination, true)?;
    same_size(op, &window, &to)?;
    let brings = barrier(step, op, stage)?.map(|owner| (owner, window.bytes()));
    let launch = Launch {
        reads: vec![window.inside()],
        writes: vec![to.clone()],
        brings,
        ..Launch::new(Work::Move {
            from: Source::Memory(window),
            to: Some(Window::all(to)),
            fill: Some(fill),
        })
    };
    launch.run(step, op, true)
}

fn same_size(op: Operation, window: &Window, buffer: &View) -> Result<(), Trap> {
    if count(&window.view.shape) == count(&buffer.shape) && window.view.kind == buffer.kind {
        return Ok(());
    }
    Err(Trap::undefined(
        op,
        "the sizes of the box and of the buffer differ",
    ))
}

/// `async.tiled_tma_store`.
fn store(step: &mut Step<'_, '_>, op: Operation) -> Result<Action, Trap> {
    let context = step.context();
    let (memory, tile, _) = described(step, op)?;
    let coordinates = indices(step, op, &op.operands_named(context, "coordinates"))?;
    let window = window(op, &memory, &tile, &coordinates, &[])?;
    let source = required(step, op, "source")?;
    let (from, _) = memory_operand(step, op, &source, false)?;
    same_size(op, &window, &from)?;
    let launch = Launch {
        reads: vec![from.clone()],
        writes: vec![window.inside()],
        ..Launch::new(Work::Move {
            from: Source::Memory(Window::all(from)),
            to: Some(window),
            fill: None,
        })
    };
    launch.run(step, op, true)
}

/// `async.gather_tma_load` and `async.scatter_tma_store`: rows selected by lanes.
fn move_rows(step: &mut Step<'_, '_>, op: Operation, load: bool) -> Result<Action, Trap> {
    let context = step.context();
    let (memory, tile, fill) = described(step, op)?;
    let shared = indices(step, op, &op.operands_named(context, "coordinates"))?;
    let lanes = required(step, op, "lanes")?;
    let lanes = tile_operand(step, op, &lanes)?;
    require_defined(op, &lanes)?;
    let buffer = required(step, op, if load { "destination" } else { "source" })?;
    let (dense, stage) = memory_operand(step, op, &buffer, load)?;
    let rank = tile.len();
    let lanes = integers(&lanes).unwrap_or_default();
    // The lanes select the position along the first axis; the other coordinates are shared.
    let shared = &shared[shared.len().saturating_sub(rank.saturating_sub(1))..];
    let fits = rank > 0 && shared.len() + 1 == rank && dense.shape.first() == Some(&lanes.len());
    if !fits {
        return Err(Trap::malformed(
            op,
            "the numbers of lanes and coordinates and the buffer size do not match",
        ));
    }
    let mut extents = tile.clone();
    extents[0] = 1;
    let rows: Result<Vec<Window>, Trap> = lanes
        .iter()
        .map(|lane| {
            let mut coordinates = vec![*lane];
            coordinates.extend(shared);
            window(op, &memory, &extents, &coordinates, &[])
        })
        .collect();
    let rows = rows?;
    let brings = if load {
        let bytes = rows.iter().map(Window::bytes).sum();
        barrier(step, op, stage)?.map(|owner| (owner, bytes))
    } else {
        None
    };
    let far: Vec<View> = rows.iter().map(Window::inside).collect();
    let (reads, writes) = if load {
        (far, vec![dense.clone()])
    } else {
        (vec![dense.clone()], far)
    };
    let work = Work::MoveRows {
        rows,
        dense,
        load,
        fill,
    };
    Launch {
        reads,
        writes,
        brings,
        ..Launch::new(work)
    }
    .run(step, op, true)
}
