//! Semantics of the operations of `nv_tileas` and `nv_tileaa`.

mod loads;
mod pipelines;
mod products;
mod program;
mod regions;
mod shapes;
mod tma;
mod tokens;

pub(super) use program::address;

use orison_ir::{Context, Operation, Type};
use orison_tileas::nv_tileaa::MEM_TOKEN;
use orison_tileas::nv_tileas::Atom;
use orison_tileas::nv_tileas::types::{ASYNC_TOKEN, CONSUMER_TOKEN, PRODUCER_TOKEN};

use super::access::{state, tokens as completions};
use super::effects::Effect;
use super::handles::{EffectName, Handle, Ownership};
use super::memory::View;
use super::values::{Tile, scalar};
use super::work::Work;
use crate::{Action, Datum, Ended, Semantics, Step, Trap};

/// The semantics of `nv_tileas` and `nv_tileaa`.
#[derive(Debug)]
pub(super) struct TileDialects;

impl Semantics for TileDialects {
    fn execute(&self, step: &mut Step<'_, '_>, op: Operation) -> Result<Action, Trap> {
        let name = op.name_text(step.context());
        if let Some(name) = name.strip_prefix("nv_tileaa.") {
            return program::execute(step, op, name);
        }
        let name = name.strip_prefix("nv_tileas.").unwrap_or(name);
        if let Some(name) = name.strip_prefix("async.pipeline.") {
            return pipelines::execute(step, op, name);
        }
        match name {
            "yield" => Ok(Action::Leave(step.operands(op)?)),
            "load" | "store" | "tiled_load" | "tiled_store" | "tiled_atomic_rmw"
            | "gather_load" | "scatter_store" | "copy" => loads::execute(step, op, name, false),
            "async.load"
            | "async.store"
            | "async.tiled_load"
            | "async.tiled_atomic_rmw"
            | "async.copy" => {
                let name = name.strip_prefix("async.").unwrap_or(name);
                loads::execute(step, op, name, true)
            }
            "make_tiled_tma_desc" => tma::descriptor(step, op),
            "async.tiled_tma_load" => tma::load(step, op),
            "async.tiled_tma_store" => tma::store(step, op),
            "async.gather_tma_load" => tma::move_rows(step, op, true),
            "async.scatter_tma_store" => tma::move_rows(step, op, false),
            "async.wait"
            | "async.future_wait"
            | "async.to_async"
            | "async.token_to_async"
            | "create_none"
            | "cancel_next_program_id"
            | "async.cancel_next_program_id" => tokens::execute(step, op, name),
            "dot" => products::dot(step, op, false),
            "async.dot" => products::dot(step, op, true),
            "block_scaled_mma" => products::block_scaled(step, op),
            "reduce" | "scan" | "generate" => regions::execute(step, op, name),
            "pragma" => Ok(Action::Enter {
                region: op.region(step.context(), 0),
                arguments: Vec::new(),
                saved: Vec::new(),
            }),
            _ => shapes::execute(step, op, name),
        }
    }

    fn resume(&self, step: &mut Step<'_, '_>, op: Operation, ended: Ended) -> Result<Action, Trap> {
        if op.is(step.context(), "nv_tileas.pragma") {
            return Ok(Action::Results(ended.values));
        }
        pipelines::resume(step, op, &ended)
    }
}

/// The work of an operation.
struct Launch {
    work: Work,
    reads: Vec<View>,
    writes: Vec<View>,
    after: Vec<EffectName>,
    brings: Option<(Ownership, u64)>,
}

impl Launch {
    fn new(work: Work) -> Launch {
        Launch {
            work,
            reads: Vec::new(),
            writes: Vec::new(),
            after: Vec::new(),
            brings: None,
        }
    }

    /// Performs the work now, or starts it; returns the value and completions for the operation's
    /// results.
    fn run(
        self,
        step: &mut Step<'_, '_>,
        op: Operation,
        asynchronous: bool,
    ) -> Result<Action, Trap> {
        let context = step.context();
        let state = state(step);
        for view in &self.reads {
            state.check_access(op, view, false, &self.after)?;
        }
        for view in &self.writes {
            state.check_access(op, view, true, &self.after)?;
        }
        if !asynchronous {
            let value = state.perform(op, &self.work)?;
            return Ok(results(context, op, value, &[]));
        }
        let destination = match &self.work {
            Work::Product { to: Some(to), .. } => Some(Handle::Memory(to.clone()).datum()),
            _ => None,
        };
        let name = state.start(Effect {
            reads: self.reads,
            writes: self.writes,
            after: self.after,
            brings: self.brings,
            ..Effect::new(op, self.work)
        });
        let value = destination.unwrap_or_else(|| Handle::Future(name).datum());
        Ok(results(context, op, Some(value), &[name]))
    }
}

/// Waits for the token operands of an operation; returns the action to take while they are not
/// done.
fn ordered(step: &mut Step<'_, '_>, op: Operation) -> Result<Option<Action>, Trap> {
    let values = op.operands_named(step.context(), "token");
    let names = completions(step, &values)?;
    wait_for(step, &names)
}

/// Waits for asynchronous operations; returns the action to take while they are not done.
fn wait_for(step: &mut Step<'_, '_>, names: &[EffectName]) -> Result<Option<Action>, Trap> {
    let context = step.context();
    let state = state(step);
    if state.see(names) {
        return Ok(None);
    }
    let place = state.first_open(names);
    let what = place.map_or("an asynchronous operation".to_owned(), |place| {
        let location = place.location(context).position(context);
        let line = location.map_or(0, |(_, line, _)| line);
        format!("'{}' at line {line}", place.name_text(context))
    });
    Ok(Some(Action::Wait(what)))
}

fn is_token(context: &Context, ty: Type) -> bool {
    [MEM_TOKEN, ASYNC_TOKEN, PRODUCER_TOKEN, CONSUMER_TOKEN]
        .iter()
        .any(|name| ty.is_dialect(context, name))
}

/// The token of a type for these completions.
fn token(context: &Context, ty: Type, done: &[EffectName]) -> Datum {
    if ty.is_dialect(context, ASYNC_TOKEN) {
        Handle::Done(done.to_vec()).datum()
    } else if ty.is_dialect(context, MEM_TOKEN) {
        Handle::Order.datum()
    } else {
        Handle::NotOwned.datum()
    }
}

/// The results of an operation : at most one value, and tokens.
fn results(context: &Context, op: Operation, value: Option<Datum>, done: &[EffectName]) -> Action {
    let mut value = value;
    let data = op.results(context).map(|result| {
        let ty = result.ty(context);
        if is_token(context, ty) {
            token(context, ty, done)
        } else {
            let value = value.take().unwrap_or(Datum::Poison);
            if ty.is_shaped(context) {
                value
            } else {
                scalar_of(value)
            }
        }
    });
    Action::Results(data.collect())
}

/// The scalar of a tile of one element; pointers remain tiles.
pub(super) fn scalar_of(datum: Datum) -> Datum {
    match datum.as_payload::<Tile>() {
        Some(tile) if tile.shape.is_empty() && tile.is_defined(0) => {
            scalar(tile.kind, tile.data.get(0))
        }
        Some(tile) if tile.shape.is_empty() => Datum::Poison,
        _ => datum,
    }
}

/// The atom of an operation.
fn atom(context: &Context, op: Operation) -> Option<Atom<'_>> {
    Atom::of(context, op.attribute(context, "atom")?)
}
