//! Tokens, and claiming programs of the grid.

use orison_ir::{Operation, Type};

use super::super::access::{state, tokens};
use super::super::effects::Effect;
use super::super::element::ElementKind;
use super::super::handles::{EffectName, Handle};
use super::super::state::integers;
use super::super::values::{Tile, TileData};
use super::super::work::Work;
use super::{results, scalar_of, token, wait_for};
use crate::{Action, Datum, Step, Trap};

/// Coordinates that denote no program.
const NO_PROGRAM: [i64; 3] = [-1; 3];

pub(super) fn execute(step: &mut Step<'_, '_>, op: Operation, name: &str) -> Result<Action, Trap> {
    let context = step.context();
    let operands: Vec<_> = op.operands(context).collect();
    let names = tokens(step, &operands)?;
    match name {
        "async.wait" => {
            let wait = wait_for(step, &names)?;
            Ok(wait.unwrap_or(Action::Results(Vec::new())))
        }
        "async.future_wait" => match wait_for(step, &names)? {
            Some(wait) => Ok(wait),
            None => future_value(step, op, &names),
        },
        "create_none" => {
            let ty = op.result(context, 0).ty(context);
            Ok(Action::Results(vec![token(context, ty, &[])]))
        }
        "cancel_next_program_id" => {
            let taken = state(step).queue.pop_first();
            let ids = taken.unwrap_or(NO_PROGRAM).map(Datum::index);
            let mut data = vec![Datum::bool(taken.is_some())];
            data.extend(
                ids.into_iter()
                    .take(op.result_count(context).saturating_sub(1)),
            );
            Ok(Action::Results(data))
        }
        "async.cancel_next_program_id" => {
            let state = state(step);
            let taken = state.queue.pop_first();
            let ids = taken.unwrap_or(NO_PROGRAM);
            let values = vec![i64::from(taken.is_some()), ids[0], ids[1], ids[2]];
            let tile = Tile::new(&[4], ElementKind::Integer(64), TileData::Integers(values));
            let work = Work::Value(Datum::payload(tile));
            let name = state.start(Effect::new(op, work));
            Ok(results(context, op, None, &[name]))
        }
        _ => Ok(results(context, op, None, &names)),
    }
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
    if !maker.is(context, "nv_tileas.async.cancel_next_program_id") {
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
