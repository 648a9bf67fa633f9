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

use orison_ir::declare::OperationDefinition;
use orison_ir::{Context, Operation, Type};
use orison_tileas::nv_tileaa::MEM_TOKEN_TYPE;
use orison_tileas::nv_tileas::Atom;
use orison_tileas::nv_tileas::types::{ANY_TOKEN, ASYNC_TOKEN_TYPE};

use super::access::{state, tokens as completions};
use super::effects::Effect;
use super::handles::{EffectName, Handle, Ownership};
use super::memory::View;
use super::values::scalar_of;
use super::work::Work;
use crate::{Action, Datum, Ended, Execution, Semantics, Step, Trap};

/// An operation, and how it runs.
type Row = (&'static OperationDefinition, Execution);

/// How an operation runs where tensors are tiles: the interface of the tile dialects.
#[derive(Clone, Copy, Debug)]
struct TileExecution(Execution);

/// Attaches how they run to the operations of the tile dialects.
pub(super) fn register(context: &mut Context) {
    let families = [
        program::OPERATIONS,
        loads::OPERATIONS,
        tma::OPERATIONS,
        tokens::OPERATIONS,
        products::OPERATIONS,
        regions::OPERATIONS,
        shapes::OPERATIONS,
        pipelines::OPERATIONS,
    ];
    for (definition, execution) in families.into_iter().flatten() {
        context.attach(definition, TileExecution(*execution));
    }
}

/// The semantics of `nv_tileas` and `nv_tileaa`.
#[derive(Debug)]
pub(super) struct TileDialects;

fn execution(context: &Context, op: Operation) -> Result<&Execution, Trap> {
    match op.interface::<TileExecution>(context) {
        Some(TileExecution(execution)) => Ok(execution),
        None => Err(Trap::unsupported(op, "an operation of the tile dialects")),
    }
}

impl Semantics for TileDialects {
    fn execute(&self, step: &mut Step<'_, '_>, op: Operation) -> Result<Action, Trap> {
        (execution(step.context(), op)?.execute)(step, op)
    }

    fn resume(&self, step: &mut Step<'_, '_>, op: Operation, ended: Ended) -> Result<Action, Trap> {
        (execution(step.context(), op)?.resume)(step, op, ended)
    }
}

/// A terminator: its operands leave the region.
fn leave(step: &mut Step<'_, '_>, op: Operation) -> Result<Action, Trap> {
    Ok(Action::Leave(step.operands(op)?))
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
    (ANY_TOKEN.check)(context, ty)
}

/// The token of a type for these completions.
fn token(context: &Context, ty: Type, done: &[EffectName]) -> Datum {
    if ty.is_declared_by(context, &ASYNC_TOKEN_TYPE) {
        Handle::Done(done.to_vec()).datum()
    } else if ty.is_declared_by(context, &MEM_TOKEN_TYPE) {
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

/// The atom of an operation.
fn atom(context: &Context, op: Operation) -> Option<&Atom> {
    Atom::of(context, op.attribute(context, "atom")?)
}
