//! Verifiers of pipeline operations (TileAS reference 1.4).

use orison_ir::declare::VerifyResult;
use orison_ir::types::DYNAMIC;
use orison_ir::{Context, Operation, Type, Value};

use super::super::tokens::CreateNone;
use super::super::traits::{token_of_pipeline, token_source};
use super::super::verify::{ensure, types_to_string};
use super::iterators::verify_iterator_operand;
use super::{AgentSwitch, CreateIterator, CreatePipeline, PipelineYield, ProducerCommit};
use crate::nv_tileas::types::{
    ASYNC_TOKEN_TYPE, CONSUMER_TOKEN_TYPE, IteratorType, PRODUCER_TOKEN_TYPE, Role, unwrap_iterator,
};
use crate::views::shape_and_element;

const PREFIX: &str = "nv_tileas.async.pipeline.";
/// Named barriers that a mutex may use on any target; barrier 0 is the barrier of the whole block.
/// The limit of the target is checked by `tileas-assign-buffers`.
const BARRIERS: std::ops::RangeInclusive<i32> = 1..=31;

/// The operation that created a pipeline, if visible.
pub fn creator(context: &Context, pipeline: Value) -> Option<CreatePipeline> {
    CreatePipeline::of(context, pipeline.defining_op(context)?)
}

/// Depth, groups, storage and kind of a new pipeline.
pub fn create_pipeline(context: &Context, op: Operation) -> VerifyResult {
    let create = CreatePipeline(op);
    let stages = create.num_stages(context).unwrap_or(0);
    ensure(context, op, stages >= 1, || {
        format!("expects numStages to be at least 1, but got {stages}")
    })?;
    let consumers = create.num_consumers(context);
    ensure(
        context,
        op,
        consumers.is_none_or(|count| count >= 1),
        || "expects numConsumers to be at least 1".to_owned(),
    )?;
    let barrier = create.barrier(context);
    match create.kind(context).unwrap_or("pipe") {
        "pipe" => {
            ensure(context, op, barrier.is_none(), || {
                "expects a barrier only on a mutex".to_owned()
            })?;
            let groups = (
                create.producer_group_id(context),
                create.consumer_group_id(context),
            );
            ensure(context, op, groups.0 != groups.1, || {
                "expects different producer and consumer groups".to_owned()
            })?;
        }
        "mutex" => {
            ensure(context, op, stages == 1, || {
                format!("expects one stage in a mutex, but got {stages}")
            })?;
            ensure(
                context,
                op,
                barrier.is_none_or(|n| BARRIERS.contains(&n)),
                || "Mutex_ barrier index out of range".to_owned(),
            )?;
            let payload = create.payload(context).unwrap_or_default();
            ensure(
                context,
                op,
                payload.is_empty() && create.buffer(context).is_none(),
                || "expects neither payload nor storage in a mutex".to_owned(),
            )?;
        }
        kind => {
            let message = format!("expects kind to be 'pipe' or 'mutex', but got '{kind}'");
            return Err(op.op_error(context, message));
        }
    }
    storage(context, op, stages)
}

/// The storage has a slot for each stage.
fn storage(context: &Context, op: Operation, stages: i32) -> VerifyResult {
    let Some(buffer) = CreatePipeline(op).buffer(context) else {
        return Ok(());
    };
    let shape = shape_and_element(context, buffer.ty(context)).map(|(shape, _)| shape);
    let slots = shape.and_then(|shape| shape.first().copied());
    let enough = slots.is_some_and(|slots| slots == DYNAMIC || slots >= i64::from(stages));
    ensure(context, op, enough, || {
        "Pipe_ depth exceeds allocated slots".to_owned()
    })
}

/// The role of a new iterator is that of its type, and it matches the pipeline.
pub fn create_iterator(context: &Context, op: Operation) -> VerifyResult {
    let create = CreateIterator(op);
    let role = create.role(context).unwrap_or_default();
    let iterator = IteratorType::of(context, create.iterator(context).ty(context));
    let fits = iterator.is_some_and(|iterator| Role::from_keyword(role) == Some(iterator.role));
    ensure(context, op, fits, || {
        format!("expects an iterator type of role '{role}'")
    })?;
    let stages = creator(context, create.pipeline(context)).and_then(|c| c.num_stages(context));
    let count = iterator.and_then(|iterator| iterator.count);
    match (stages, count) {
        (Some(stages), Some(count)) => ensure(context, op, i64::from(stages) == count, || {
            format!("expects an iterator over {stages} stages, but got {count}")
        }),
        _ => Ok(()),
    }
}

/// The iterator of an operation has the same type on every incoming path.
pub fn iterator_merge(context: &Context, op: Operation) -> VerifyResult {
    for operand in op.operands(context) {
        verify_iterator_operand(context, operand)?;
    }
    Ok(())
}

/// The consumer index is within its group.
pub fn consumer(context: &Context, op: Operation) -> VerifyResult {
    iterator_merge(context, op)?;
    let Some(index) = op
        .attribute(context, "consumer_idx")
        .and_then(|a| a.as_i32(context))
    else {
        return Ok(());
    };
    let size = group_size(context, op);
    ensure(
        context,
        op,
        index >= 0 && size.is_none_or(|size| index < size),
        || "consumer_idx out of range for consumer group".to_owned(),
    )
}

/// The number of consumers: that of the pipeline, otherwise the agents in each group of the agent
/// switch around the operation.
fn group_size(context: &Context, op: Operation) -> Option<i32> {
    let pipeline = op.operands(context).next()?;
    let own = creator(context, pipeline).and_then(|create| create.num_consumers(context));
    own.or_else(|| {
        op.ancestors(context)
            .find_map(|ancestor| AgentSwitch::of(context, ancestor))
            .and_then(|switch| switch.num_agents_per_group(context))
    })
}

/// The consumer index is within its group, and it owns the stage by a wait.
pub fn consumer_read(context: &Context, op: Operation) -> VerifyResult {
    consumer(context, op)?;
    token_from(context, op, &["consumer_wait"], "consumer_wait")?;
    token_of_pipeline(context, op)
}

/// The producer owns the stage by an acquire.
pub fn producer_write(context: &Context, op: Operation) -> VerifyResult {
    token_from(
        context,
        op,
        &["producer_acquire", "producer_write"],
        "producer_acquire",
    )?;
    token_of_pipeline(context, op)
}

/// The token comes from acquire or write, the byte count is not negative.
pub fn producer_commit(context: &Context, op: Operation) -> VerifyResult {
    let sources = ["producer_acquire", "producer_write"];
    token_from(context, op, &sources, "producer_acquire or producer_write")?;
    let bytes = ProducerCommit(op).transaction_bytes(context);
    ensure(context, op, bytes.is_none_or(|bytes| bytes >= 0), || {
        "expects transaction_bytes to be non-negative".to_owned()
    })
}

/// The token comes from wait or read.
pub fn consumer_release(context: &Context, op: Operation) -> VerifyResult {
    let sources = ["consumer_wait", "consumer_read"];
    token_from(context, op, &sources, "consumer_wait or consumer_read")
}

fn token_from(context: &Context, op: Operation, allowed: &[&str], text: &str) -> VerifyResult {
    let Some(source) = token_source(context, op) else {
        return Ok(());
    };
    let name = source.name_text(context);
    let short = name.strip_prefix(PREFIX).unwrap_or_default();
    // A null token represents a stage that was never acquired, and tokens of unknown origin.
    let always = ["create_null_token"].contains(&short) || name == CreateNone::NAME;
    ensure(context, op, always || allowed.contains(&short), || {
        format!("expects a token from {text}")
    })
}

/// The rules shared by the six operations with a region: arguments are the payload, the region
/// ends with a yield of the additional results (TileAS reference 1.4, C62 and C63).
pub fn region_template(context: &Context, op: Operation) -> VerifyResult {
    let payload = op
        .attribute(context, "producer_types")
        .or_else(|| op.attribute(context, "consumer_types"))
        .and_then(|types| types.as_type_array(context))
        .unwrap_or_default();
    let Some(block) = op.body_block(context, 0) else {
        return Ok(());
    };
    // Iterator types are unwrapped only on the side of the arguments.
    let arguments: Vec<_> = block
        .arguments(context)
        .map(|argument| unwrap_iterator(context, argument.ty(context)))
        .collect();
    ensure(context, op, arguments == payload, || {
        format!(
            "expects region arguement types to match with producer types [{}], but got: [{}]",
            types_to_string(context, &payload),
            types_to_string(context, &arguments)
        )
    })?;
    payload_of_pipeline(context, op, &payload)?;
    let last = block.last_op(context);
    let Some(end) = last.and_then(|last| PipelineYield::of(context, last)) else {
        return Err(op.op_error(
            context,
            "pipeline regions must end with 'nv_tileas.async.pipeline.yield'",
        ));
    };
    let results = further_results(context, op);
    let yielded: Vec<_> = end.values(context).iter().map(|v| v.ty(context)).collect();
    ensure(context, op, results == yielded, || {
        format!(
            "expects region result types to be match with operation result types [{}], but got: \
             [{}]",
            types_to_string(context, &results),
            types_to_string(context, &yielded)
        )
    })
}

/// The payload list is that of the pipeline, if its creation is visible.
fn payload_of_pipeline(context: &Context, op: Operation, payload: &[Type]) -> VerifyResult {
    let pipeline = op.operands(context).next();
    let declared = pipeline
        .and_then(|pipeline| creator(context, pipeline))
        .and_then(|create| create.payload(context));
    let fits = declared.as_ref().is_none_or(|declared| declared == payload);
    ensure(context, op, fits, || {
        format!(
            "expects the payload types of the pipeline [{}], but got: [{}]",
            types_to_string(context, &declared.unwrap_or_default()),
            types_to_string(context, payload)
        )
    })
}

/// The result types without the leading ownership token and the trailing async token.
pub fn further_results(context: &Context, op: Operation) -> Vec<Type> {
    let mut results = op.result_types(context);
    let owns = |ty: &Type| {
        ty.is_declared_by(context, &PRODUCER_TOKEN_TYPE)
            || ty.is_declared_by(context, &CONSUMER_TOKEN_TYPE)
    };
    if results.first().is_some_and(owns) {
        results.remove(0);
    }
    let asynchronous = op.name_text(context).ends_with("_async");
    if asynchronous
        && results
            .last()
            .is_some_and(|ty| ty.is_declared_by(context, &ASYNC_TOKEN_TYPE))
    {
        results.pop();
    }
    results
}
