//! Tokens, and claiming programs of the grid.

use orison_ir::{Operation, Type};
use orison_tileas::nv_tileas;

use super::super::access::{state, tokens};
use super::super::effects::Effect;
use super::super::element::ElementKind;
use super::super::handles::{EffectName, Handle};
use super::super::values::{Tile, TileData, integers, scalar_of};
use super::super::work::Work;
use super::{Row, results, token, wait_for};
use crate::{Action, Datum, Execution, Step, Trap};

/// Coordinates that denote no program.
const NO_PROGRAM: [i64; 3] = [-1; 3];

/// Waits, conversions of tokens, claims of programs.
pub(super) const OPERATIONS: &[Row] = &[
    (nv_tileas::AsyncWait::DEFINITION, Execution::new(wait)),
    (nv_tileas::FutureWait::DEFINITION, Execution::new(future)),
    (nv_tileas::ToAsync::DEFINITION, Execution::new(converted)),
    (
        nv_tileas::TokenToAsync::DEFINITION,
        Execution::new(converted),
    ),
    (nv_tileas::CreateNone::DEFINITION, Execution::new(none)),
    (
        nv_tileas::CancelNextProgramId::DEFINITION,
        Execution::new(claim),
    ),
    (
        nv_tileas::AsyncCancelNextProgramId::DEFINITION,
        Execution::new(claim_later),
    ),
];

/// The operations that the operands are completions of.
fn completed(step: &Step<'_, '_>, op: Operation) -> Result<Vec<EffectName>, Trap> {
    let operands: Vec<_> = op.operands(step.context()).collect();
    tokens(step, &operands)
}

fn wait(step: &mut Step<'_, '_>, op: Operation) -> Result<Action, Trap> {
    let names = completed(step, op)?;
    let wait = wait_for(step, &names)?;
    Ok(wait.unwrap_or(Action::Results(Vec::new())))
}

fn future(step: &mut Step<'_, '_>, op: Operation) -> Result<Action, Trap> {
    let names = completed(step, op)?;
    match wait_for(step, &names)? {
        Some(wait) => Ok(wait),
        None => future_value(step, op, &names),
    }
}

fn converted(step: &mut Step<'_, '_>, op: Operation) -> Result<Action, Trap> {
    let names = completed(step, op)?;
    Ok(results(step.context(), op, None, &names))
}

fn none(step: &mut Step<'_, '_>, op: Operation) -> Result<Action, Trap> {
    let context = step.context();
    let ty = op.result(context, 0).ty(context);
    Ok(Action::Results(vec![token(context, ty, &[])]))
}

fn claim(step: &mut Step<'_, '_>, op: Operation) -> Result<Action, Trap> {
    let count = op.result_count(step.context());
    let taken = state(step).queue.pop_first();
    let ids = taken.unwrap_or(NO_PROGRAM).map(Datum::index);
    let mut data = vec![Datum::bool(taken.is_some())];
    data.extend(ids.into_iter().take(count.saturating_sub(1)));
    Ok(Action::Results(data))
}

fn claim_later(step: &mut Step<'_, '_>, op: Operation) -> Result<Action, Trap> {
    let context = step.context();
    let state = state(step);
    let taken = state.queue.pop_first();
    let ids = taken.unwrap_or(NO_PROGRAM);
    let values = vec![i64::from(taken.is_some()), ids[0], ids[1], ids[2]];
    let tile = Tile::new(&[4], ElementKind::Integer(64), TileData::Integers(values));
    let work = Work::Value(Datum::payload(tile));
    let name = state.start(Effect::new(op, work));
    Ok(results(context, op, None, &[name]))
}

/// The value of the first of these operations that produced one.
fn future_value(
    step: &mut Step<'_, '_>,
    op: Operation,
    names: &[EffectName],
) -> Result<Action, Trap> {
    let context = step.context();
    let ty = op.result(context, 0).ty(context);
    let state = state(step);
    let value = names.iter().find_map(|name| {
        let effect = state.effects.get(name)?;
        effect.value.clone().map(|value| (value, effect.operation))
    });
    let Some((value, maker)) = value else {
        // No value: the awaited operations have only a completion.
        return Ok(results(
            context,
            op,
            Some(Handle::Done(names.to_vec()).datum()),
            names,
        ));
    };
    if !nv_tileas::AsyncCancelNextProgramId::matches(context, maker) {
        let shaped = ty.is_shaped(context);
        let value = if shaped { value } else { scalar_of(value) };
        return Ok(Action::Results(vec![value]));
    }
    // The result is whether there was a program, or its first coordinate.
    let answer = value
        .as_payload::<Tile>()
        .and_then(integers)
        .unwrap_or_default();
    match answer {
        [valid, ..] if ty == Type::I1 => Ok(Action::Results(vec![Datum::bool(*valid == 1)])),
        [_, first, ..] if ty == Type::INDEX => Ok(Action::Results(vec![Datum::index(*first)])),
        _ => Err(Trap::unsupported(op, "a result of this type")),
    }
}
