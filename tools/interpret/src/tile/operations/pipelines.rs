//! Pipelines and agents.

use orison_ir::{Context, Operation, Region};
use orison_tileas::MemorySpace;
use orison_tileas::nv_tileas;
use orison_tileas::nv_tileas::types::{IteratorType, Role, unwrap_iterator};
use orison_tileas::views::shape_and_element;

use super::super::access::{memory_operand, named, required, state, tile_operand};
use super::super::effects::Effect;
use super::super::element::ElementKind;
use super::super::handles::{EffectName, Handle, Ownership};
use super::super::memory::{Buffer, View};
use super::super::rings::{Part, Refusal, Ring};
use super::super::state::{SwitchState, refused};
use super::super::values::{count, static_shape};
use super::super::work::Work;
use super::{Row, leave};
use crate::{Action, Datum, Ended, Execution, Step, Trap};

/// Pipelines, their stages, agents.
pub(super) const OPERATIONS: &[Row] = &[
    (
        nv_tileas::CreatePipeline::DEFINITION,
        Execution::new(create),
    ),
    (
        nv_tileas::CreateIterator::DEFINITION,
        Execution::new(|step, op| iterator(step, op)),
    ),
    (
        nv_tileas::IncIter::DEFINITION,
        Execution::new(|step, op| advance(step, op)),
    ),
    (
        nv_tileas::CreateNullToken::DEFINITION,
        Execution::new(|_, _| Ok(Action::Results(vec![Handle::NotOwned.datum()]))),
    ),
    (
        nv_tileas::ProducerAcquire::DEFINITION,
        Execution::new(acquire),
    ),
    (nv_tileas::ConsumerWait::DEFINITION, Execution::new(wait)),
    (nv_tileas::ProducerWrite::DEFINITION, USE_STAGE),
    (nv_tileas::ConsumerRead::DEFINITION, USE_STAGE),
    (
        nv_tileas::ProducerCommit::DEFINITION,
        Execution::new(commit),
    ),
    (
        nv_tileas::ConsumerRelease::DEFINITION,
        Execution::new(release),
    ),
    (
        nv_tileas::ProduceOne::DEFINITION,
        Execution::with_regions(produce, |step, op, ended| {
            resume(step, op, &ended, |step, op, owner, _| {
                publish(step, op, owner).map(|()| None)
            })
        }),
    ),
    (
        nv_tileas::ProduceOneAsync::DEFINITION,
        Execution::with_regions(produce, |step, op, ended| {
            resume(step, op, &ended, |step, op, owner, started| {
                Ok(Some(later(step, op, Work::Publish(owner), started)))
            })
        }),
    ),
    (
        nv_tileas::ConsumeOne::DEFINITION,
        Execution::with_regions(consume, |step, op, ended| {
            resume(step, op, &ended, |step, op, owner, _| {
                give_back(step, op, owner).map(|()| None)
            })
        }),
    ),
    (
        nv_tileas::ConsumeOneAsync::DEFINITION,
        Execution::with_regions(consume, |step, op, ended| {
            resume(step, op, &ended, |step, op, owner, started| {
                Ok(Some(later(step, op, Work::Return(owner), started)))
            })
        }),
    ),
    (
        nv_tileas::AgentSwitch::DEFINITION,
        Execution::new(agent_switch),
    ),
    (nv_tileas::PipelineYield::DEFINITION, Execution::new(leave)),
];

/// The stage stays owned: another operation hands it over.
const USE_STAGE: Execution = Execution::with_regions(use_stage, |step, op, ended| {
    resume(step, op, &ended, |_, _, _, _| Ok(None))
});

fn produce(step: &mut Step<'_, '_>, op: Operation) -> Result<Action, Trap> {
    take_and_use(step, op, Role::Producer)
}

fn consume(step: &mut Step<'_, '_>, op: Operation) -> Result<Action, Trap> {
    take_and_use(step, op, Role::Consumer)
}

/// Hands a stage over, given the number of effects started before its region; returns the
/// completion if that happens later.
type HandOver = fn(&mut Step<'_, '_>, Operation, Ownership, u64) -> Result<Option<Datum>, Trap>;

/// Continues after the region of a stage has ended.
fn resume(
    step: &mut Step<'_, '_>,
    op: Operation,
    ended: &Ended,
    hand_over: HandOver,
) -> Result<Action, Trap> {
    let Some(Handle::Owned(owner)) = ended.saved.first().and_then(Handle::of).cloned() else {
        return Err(Trap::malformed(op, "a stage without an owner"));
    };
    // Values leaving the region are copied to registers: the stage may be overwritten.
    let values: Result<Vec<Datum>, Trap> = ended
        .values
        .iter()
        .map(|datum| match Handle::of(datum) {
            Some(Handle::Stage { .. }) => tile_operand(step, op, datum).map(Datum::payload),
            _ => Ok(datum.clone()),
        })
        .collect();
    let mut data = vec![Handle::Owned(owner).datum()];
    data.extend(values?);
    let started = ended.saved.get(1).and_then(Datum::as_integer);
    let started = started
        .and_then(orison_ir::numbers::ApInt::as_u64)
        .unwrap_or(0);
    data.extend(hand_over(step, op, owner, started)?);
    Ok(Action::Results(data))
}

/// Starts work on a stage that runs after everything the region started is done.
fn later(step: &mut Step<'_, '_>, op: Operation, work: Work, started: u64) -> Datum {
    let state = state(step);
    let task = state.task;
    let last = state.started.get(&task).copied().unwrap_or(0);
    let mut names: Vec<EffectName> = (started..last)
        .map(|number| EffectName { task, number })
        .collect();
    let filled = match &work {
        Work::Publish(owner) => Some((owner.pipeline, owner.step)),
        _ => None,
    };
    let name = state.start(Effect {
        after: names.clone(),
        ..Effect::new(op, work)
    });
    if let Some(stage) = filled {
        state.filling.insert(name, stage);
    }
    names.push(name);
    Handle::Done(names).datum()
}

fn publish(step: &mut Step<'_, '_>, op: Operation, owner: Ownership) -> Result<(), Trap> {
    let state = state(step);
    let published = state.rings[owner.pipeline].commit(owner.step, None, true);
    state.version += 1;
    published.map_err(|refusal| refused(op, refusal))
}

fn give_back(step: &mut Step<'_, '_>, op: Operation, owner: Ownership) -> Result<(), Trap> {
    let state = state(step);
    if let Some(user) = state.user_of_stage(owner) {
        let stage = state.rings[owner.pipeline].stage(owner.step);
        let reason = format!("releases {stage} while an asynchronous operation uses it");
        return Err(Trap::undefined(op, &reason).with_note(user.operation, "started here"));
    }
    let returned = state.rings[owner.pipeline].release(owner.step, owner.consumer);
    state.version += 1;
    returned.map_err(|refusal| refused(op, refusal))
}

fn pipeline(step: &Step<'_, '_>, op: Operation) -> Result<usize, Trap> {
    let datum = required(step, op, "pipeline")?;
    match Handle::of(&datum) {
        Some(Handle::Pipeline(number)) => Ok(*number),
        _ => Err(Trap::malformed(op, "requires a pipeline")),
    }
}

/// The step of the iterator operand, which must belong to the pipeline.
fn cursor(step: &Step<'_, '_>, op: Operation) -> Result<(usize, u64), Trap> {
    let number = pipeline(step, op)?;
    let datum = required(step, op, "iterator")?;
    match Handle::of(&datum) {
        Some(Handle::Cursor { pipeline, step, .. }) if *pipeline == number => Ok((number, *step)),
        Some(Handle::Cursor { .. }) => {
            Err(Trap::undefined(op, "uses the iterator of another pipeline"))
        }
        _ => Err(Trap::malformed(op, "requires an iterator")),
    }
}

/// The stage of the token operand, which must belong to the pipeline; `None` for a null token.
fn owned(step: &Step<'_, '_>, op: Operation) -> Result<Option<Ownership>, Trap> {
    let number = pipeline(step, op)?;
    let datum = required(step, op, "token")?;
    match Handle::of(&datum) {
        Some(Handle::Owned(owner)) if owner.pipeline == number => Ok(Some(*owner)),
        Some(Handle::Owned(_)) => Err(Trap::undefined(op, "uses the token of another pipeline")),
        Some(Handle::NotOwned) => Ok(None),
        _ => Err(Trap::malformed(op, "requires a token")),
    }
}

fn number(context: &Context, op: Operation, key: &str) -> Option<i64> {
    op.attribute(context, key)?.as_i64(context)
}

/// Limit on the storage of a pipeline without a buffer, in bits.
const MAX_STORAGE: usize = 1 << 32;
/// Exceeds the number of bytes of shared memory.
const MAX_STAGES: usize = 1 << 18;

fn create(step: &mut Step<'_, '_>, op: Operation) -> Result<Action, Trap> {
    let context = step.context();
    let kind = op
        .attribute(context, "kind")
        .and_then(|kind| kind.as_str(context));
    let depth = number(context, op, "numStages").and_then(|depth| usize::try_from(depth).ok());
    let depth = depth.unwrap_or(1);
    if depth > MAX_STAGES {
        return Err(Trap::unsupported(op, "a pipeline of this many stages"));
    }
    let consumers = number(context, op, "numConsumers").and_then(|count| u32::try_from(count).ok());
    let mut ring = Ring::new(op, kind == Some("mutex"), depth, consumers.unwrap_or(1));
    let payload = op.attribute(context, "payload");
    let payload = payload
        .and_then(|types| types.as_type_array(context))
        .unwrap_or_default();
    if let Some(buffer) = named(step, op, "buffer")? {
        let (view, _) = memory_operand(step, op, &buffer, false)?;
        place_parts(step, op, &mut ring, &view, &payload)?;
    } else if !payload.is_empty() {
        let bits: Result<Vec<usize>, Trap> = payload
            .iter()
            .map(|ty| part_bits(context, op, *ty))
            .collect();
        let slot: usize = bits?.iter().sum();
        if slot
            .checked_mul(depth)
            .is_none_or(|bits| bits > MAX_STORAGE)
        {
            return Err(Trap::unsupported(op, "a pipeline with this much storage"));
        }
        let memory = &mut state(step).memory;
        let buffer = Buffer::unwritten("the ring of a pipeline", MemorySpace::Shared, slot * depth);
        let buffer = memory.add(buffer);
        let view = View::whole(buffer, &[depth, slot / 8], ElementKind::Integer(8));
        place_parts(step, op, &mut ring, &view, &payload)?;
    }
    let state = state(step);
    state.rings.push(ring);
    let handle = Handle::Pipeline(state.rings.len() - 1);
    Ok(Action::Results(vec![handle.datum()]))
}

fn shape_and_kind(
    context: &Context,
    op: Operation,
    ty: orison_ir::Type,
) -> Result<(Vec<usize>, ElementKind), Trap> {
    let parts = shape_and_element(context, unwrap_iterator(context, ty));
    let found = parts.and_then(|(_, element)| {
        let shape = static_shape(context, unwrap_iterator(context, ty))?;
        Some((shape, ElementKind::of(context, element)?))
    });
    found.ok_or_else(|| Trap::unsupported(op, "a stage with a payload of this type"))
}

/// Bits of a tile of a stage, in whole bytes.
fn part_bits(context: &Context, op: Operation, ty: orison_ir::Type) -> Result<usize, Trap> {
    let (shape, kind) = shape_and_kind(context, op, ty)?;
    Ok((count(&shape) * kind.bits()).next_multiple_of(8))
}

/// Places the tiles of a stage contiguously in a slot of the storage.
fn place_parts(
    step: &Step<'_, '_>,
    op: Operation,
    ring: &mut Ring,
    storage: &View,
    payload: &[orison_ir::Type],
) -> Result<(), Trap> {
    let context = step.context();
    let slots = storage.shape.first().copied().unwrap_or(0);
    if slots < ring.slots.len() {
        return Err(Trap::undefined(
            op,
            "has more stages than slots in its storage",
        ));
    }
    ring.slot_bits = storage.strides[0] * storage.kind.bits() as i64;
    let mut start = storage.start;
    for ty in payload {
        let (shape, kind) = shape_and_kind(context, op, *ty)?;
        let view = View::whole(storage.buffer, &shape, kind);
        ring.parts.push(Part {
            view: View { start, ..view },
        });
        start += part_bits(context, op, *ty)? as i64;
    }
    if start - storage.start > ring.slot_bits {
        return Err(Trap::undefined(
            op,
            "has tiles that do not fit in a slot of its storage",
        ));
    }
    Ok(())
}

fn iterator(step: &Step<'_, '_>, op: Operation) -> Result<Action, Trap> {
    let context = step.context();
    let pipeline = pipeline(step, op)?;
    let ty = op.result(context, 0).ty(context);
    let stride = IteratorType::of(context, ty).map_or(1, |iterator| iterator.stride);
    let stride = u64::try_from(stride).unwrap_or(1);
    Ok(Action::Results(vec![
        Handle::Cursor {
            pipeline,
            step: 0,
            stride,
        }
        .datum(),
    ]))
}

fn advance(step: &Step<'_, '_>, op: Operation) -> Result<Action, Trap> {
    let datum = required(step, op, "iterator")?;
    let Some(Handle::Cursor {
        pipeline,
        step,
        stride,
    }) = Handle::of(&datum)
    else {
        return Err(Trap::malformed(op, "requires an iterator"));
    };
    let next = Handle::Cursor {
        pipeline: *pipeline,
        step: step + stride,
        stride: *stride,
    };
    Ok(Action::Results(vec![next.datum()]))
}

/// Acquires a stage for a producer; returns the action to take if it is not free.
fn take(step: &mut Step<'_, '_>, op: Operation, role: Role) -> Result<Taken, Trap> {
    let context = step.context();
    let (pipeline, at) = cursor(step, op)?;
    let consumer = number(context, op, "consumer_idx").and_then(|index| u32::try_from(index).ok());
    let consumer = consumer.unwrap_or(0);
    let state = state(step);
    let task = state.task;
    if role == Role::Consumer {
        state.check_filled(op, pipeline, at)?;
    }
    let ring = &mut state.rings[pipeline];
    let taken = match role {
        Role::Producer => ring.acquire(at, task, op),
        Role::Consumer => ring.wait(at, consumer, op),
    };
    match taken {
        Ok(()) => {}
        Err(Refusal::Later(reason)) => return Ok(Taken::Later(reason)),
        Err(refusal) => return Err(refused(op, refusal)),
    }
    if role == Role::Producer {
        // Data of an earlier round must not be read.
        for number in 0..ring.parts.len() {
            let view = ring.part(number, at);
            let bits = view.bits();
            let range = bits.start as usize..bits.end as usize;
            state.memory.buffers[view.buffer].forget(range);
        }
    }
    state.version += 1;
    Ok(Taken::Now(Ownership {
        pipeline,
        step: at,
        role,
        consumer,
    }))
}

enum Taken {
    Now(Ownership),
    Later(String),
}

fn acquire(step: &mut Step<'_, '_>, op: Operation) -> Result<Action, Trap> {
    Ok(match take(step, op, Role::Producer)? {
        Taken::Now(owner) => Action::Results(vec![Handle::Owned(owner).datum()]),
        Taken::Later(reason) => Action::Wait(reason),
    })
}

fn wait(step: &mut Step<'_, '_>, op: Operation) -> Result<Action, Trap> {
    Ok(match take(step, op, Role::Consumer)? {
        Taken::Now(owner) => Action::Results(vec![Handle::Owned(owner).datum()]),
        Taken::Later(reason) => Action::Wait(reason),
    })
}

/// Enters a region whose arguments are the tiles of a stage.
fn enter(step: &mut Step<'_, '_>, op: Operation, owner: Ownership) -> Result<Action, Trap> {
    let context = step.context();
    let region: Region = op.region(context, 0);
    let types = match op.body_block(context, 0) {
        Some(block) => block.argument_types(context),
        None => return Err(Trap::malformed(op, "a region without blocks")),
    };
    let ring = &state(step).rings[owner.pipeline];
    if ring.parts.len() != types.len() {
        return Err(Trap::undefined(
            op,
            "the number of tiles of the stage does not match the pipeline",
        ));
    }
    let mut arguments = Vec::new();
    for (number, ty) in types.iter().enumerate() {
        let view = ring.part(number, owner.step);
        let (shape, kind) = shape_and_kind(context, op, *ty)?;
        if view.shape != shape || view.kind != kind {
            return Err(Trap::undefined(
                op,
                "the types of the tiles of the stage do not match the pipeline",
            ));
        }
        arguments.push(Handle::Stage { view, owner }.datum());
    }
    let state = state(step);
    let started = state.started.get(&state.task).copied().unwrap_or(0);
    let saved = vec![
        Handle::Owned(owner).datum(),
        Datum::index(started.cast_signed()),
    ];
    Ok(Action::Enter {
        region,
        arguments,
        saved,
    })
}

fn use_stage(step: &mut Step<'_, '_>, op: Operation) -> Result<Action, Trap> {
    let Some(owner) = owned(step, op)? else {
        return Err(Trap::undefined(op, "uses a stage that is not acquired"));
    };
    let writes = owner.role == Role::Producer;
    state(step).check_owner(op, owner, writes)?;
    let index = number(step.context(), op, "consumer_idx");
    if !writes && index.is_some_and(|index| index != i64::from(owner.consumer)) {
        return Err(Trap::undefined(
            op,
            "reads as a consumer other than the one that waited",
        ));
    }
    enter(step, op, owner)
}

fn take_and_use(step: &mut Step<'_, '_>, op: Operation, role: Role) -> Result<Action, Trap> {
    match take(step, op, role)? {
        Taken::Now(owner) => enter(step, op, owner),
        Taken::Later(reason) => Ok(Action::Wait(reason)),
    }
}

fn commit(step: &mut Step<'_, '_>, op: Operation) -> Result<Action, Trap> {
    if let Some(owner) = owned(step, op)? {
        let bytes = number(step.context(), op, "transaction_bytes");
        let bytes = bytes.and_then(|bytes| u64::try_from(bytes).ok());
        let state = state(step);
        let committed = state.rings[owner.pipeline].commit(owner.step, bytes, false);
        state.version += 1;
        committed.map_err(|refusal| refused(op, refusal))?;
    }
    Ok(Action::Results(Vec::new()))
}

fn release(step: &mut Step<'_, '_>, op: Operation) -> Result<Action, Trap> {
    if let Some(owner) = owned(step, op)? {
        give_back(step, op, owner)?;
    }
    Ok(Action::Results(Vec::new()))
}

/// Requests the agents, and waits until they have ended.
fn agent_switch(step: &mut Step<'_, '_>, op: Operation) -> Result<Action, Trap> {
    let state = state(step);
    let key = (state.task, op);
    match state.switches.get(&key) {
        Some(SwitchState::Ended) => {
            state.switches.remove(&key);
            state.version += 1;
            Ok(Action::Results(Vec::new()))
        }
        Some(_) => Ok(Action::Wait("its agents".to_owned())),
        None => {
            state.switches.insert(key, SwitchState::Asked);
            Ok(Action::Wait("its agents".to_owned()))
        }
    }
}
