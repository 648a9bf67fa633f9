//! Access to operands: tiles, memory, tokens, numbers.

use orison_ir::{Operation, Value};

use super::handles::{EffectName, Handle, Ownership};
use super::memory::View;
use super::state::TileState;
use super::values::Tile;
use super::window::Window;
use super::work::Source;
use crate::{Datum, Step, Trap};

/// The state of the block.
pub(super) fn state<'s>(step: &'s mut Step<'_, '_>) -> &'s mut TileState {
    step.world.state()
}

/// The tile of a datum, read now if it is in memory.
///
/// # Errors
/// Undefined behaviour if it cannot be read, malformed if it is not a tile.
pub(super) fn tile_operand(
    step: &Step<'_, '_>,
    op: Operation,
    datum: &Datum,
) -> Result<Tile, Trap> {
    if let Some(tile) = datum.as_payload::<Tile>() {
        return Ok(tile.clone());
    }
    let Some(handle) = Handle::of(datum) else {
        return match super::values::scalar_element(datum) {
            Some(element) => Ok(Tile::splat(&[], kind_of(datum), element)),
            None => Err(Trap::undefined(op, "uses an undefined value")),
        };
    };
    let state = step.world.existing_state::<TileState>();
    let Some(state) = state else {
        return Err(Trap::malformed(op, "expects a tile"));
    };
    match handle {
        Handle::Stage { view, owner } => {
            state.check_owner(op, *owner, false)?;
            state.load(op, &Window::all(view.clone()), None)
        }
        Handle::Memory(view) => state.load(op, &Window::all(view.clone()), None),
        Handle::Future(name) => match state.value_of(op, *name)?.as_payload::<Tile>() {
            Some(tile) => Ok(tile.clone()),
            None => Err(Trap::malformed(op, "expects a tile")),
        },
        _ => Err(Trap::malformed(op, "expects a tile")),
    }
}

fn kind_of(datum: &Datum) -> super::ElementKind {
    match datum {
        Datum::Float(value) => super::ElementKind::Float(value.kind()),
        Datum::Integer(value) => super::ElementKind::Integer(value.width().min(64)),
        _ => super::ElementKind::Integer(64),
    }
}

/// An operand of an operation that may read it later: a memory operand is not read; its
/// dependencies and its view are added to the lists.
pub(super) fn later(
    step: &Step<'_, '_>,
    op: Operation,
    datum: &Datum,
    after: &mut Vec<EffectName>,
    reads: &mut Vec<View>,
) -> Result<Source, Trap> {
    match Handle::of(datum) {
        Some(Handle::Stage { view, owner }) => {
            if let Some(state) = step.world.existing_state::<TileState>() {
                state.check_owner(op, *owner, false)?;
            }
            reads.push(view.clone());
            Ok(Source::Memory(Window::all(view.clone())))
        }
        Some(Handle::Memory(view)) => {
            reads.push(view.clone());
            Ok(Source::Memory(Window::all(view.clone())))
        }
        Some(Handle::Future(name)) => {
            after.push(*name);
            Ok(Source::Future(*name))
        }
        _ => Ok(Source::Tile(tile_operand(step, op, datum)?)),
    }
}

/// The memory of a datum and the stage it belongs to. `writes` selects write access.
///
/// # Errors
/// Undefined behaviour if the stage is not held, malformed if it is not memory.
pub(super) fn memory_operand(
    step: &Step<'_, '_>,
    op: Operation,
    datum: &Datum,
    writes: bool,
) -> Result<(View, Option<Ownership>), Trap> {
    match Handle::of(datum) {
        Some(Handle::Memory(view) | Handle::Tiled { memory: view, .. }) => Ok((view.clone(), None)),
        Some(Handle::Stage { view, owner }) => {
            if let Some(state) = step.world.existing_state::<TileState>() {
                state.check_owner(op, *owner, writes)?;
            }
            Ok((view.clone(), Some(*owner)))
        }
        _ => Err(Trap::malformed(op, "expects memory")),
    }
}

/// The completions of the token operands of an operation.
pub(super) fn tokens(step: &Step<'_, '_>, values: &[Value]) -> Result<Vec<EffectName>, Trap> {
    let mut names = Vec::new();
    for datum in step.values(values)? {
        match Handle::of(&datum) {
            Some(Handle::Done(done)) => names.extend(done),
            Some(Handle::Future(name)) => names.push(*name),
            _ => {}
        }
    }
    Ok(names)
}

/// An integer operand.
///
/// # Errors
/// Undefined behaviour if it is poison or needs more than 64 bits.
pub(super) fn integer(op: Operation, datum: &Datum) -> Result<i64, Trap> {
    match datum
        .as_integer()
        .and_then(orison_ir::numbers::ApInt::as_i64)
    {
        Some(value) => Ok(value),
        None => Err(Trap::undefined(op, "uses an undefined integer")),
    }
}

/// Integer operands.
///
/// # Errors
/// As [`integer`].
pub(super) fn indices(
    step: &Step<'_, '_>,
    op: Operation,
    values: &[Value],
) -> Result<Vec<i64>, Trap> {
    let data = step.values(values)?;
    data.iter().map(|datum| integer(op, datum)).collect()
}

/// The datum of the first operand with this name, if any.
pub(super) fn named(step: &Step<'_, '_>, op: Operation, name: &str) -> Result<Option<Datum>, Trap> {
    let values = op.operands_named(step.context(), name);
    values.first().map(|value| step.value(*value)).transpose()
}

/// The datum of a required operand.
///
/// # Errors
/// Malformed if it is absent.
pub(super) fn required(step: &Step<'_, '_>, op: Operation, name: &str) -> Result<Datum, Trap> {
    match named(step, op, name)? {
        Some(datum) => Ok(datum),
        None => Err(Trap::malformed(op, &format!("has no operand '{name}'"))),
    }
}
