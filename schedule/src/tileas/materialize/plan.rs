//! What materialization will do, decided before anything changes: so a loop that cannot be
//! materialized is left as it was.
//!
//! The producer agent issues the loads by TMA and computes their coordinates; the consumer agent
//! does the rest. Pure operations that both need are done by both.
//!
//! Source: TileAS reference 1.12, 6.2, 6.3, 6.6.

use std::collections::{BTreeMap, BTreeSet};

use orison_ir::declare::{Effects, Trait};
use orison_ir::walk::collect;
use orison_ir::{Context, Diagnostic, Operation, Type, Value};

use super::super::attributes::WrittenSchedule;
use super::super::classify::{is_tma_load, tile_bytes};
use super::super::loop_body::LoopBody;
use super::solve::{self, Exclusions};
use crate::modulo::DependenceGraph;

/// Ring storage that feeds a group of consumers from a group of loads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PipePlan {
    /// The loads, by (stage, order).
    pub loads: Vec<usize>,
    /// Types of the tiles, in the order of the loads.
    pub payload: Vec<Type>,
    /// Bytes of one slot.
    pub slot_bytes: u64,
    /// Number of slots.
    pub depth: u32,
    /// First and last position in [`AgentPlan::sequence`] that must see the tiles; none when only
    /// the loop's yield reads them.
    pub span: Option<(usize, usize)>,
}

/// Which agent enters a mutex first in an iteration.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum FirstAgent {
    /// The producer, which waits for the consumer's previous iteration.
    Producer,
    /// The consumer.
    Consumer,
}

/// An exclusion between loads and operations of the consumer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MutexPlan {
    /// The loads.
    pub loads: BTreeSet<usize>,
    /// The consumer's operations.
    pub consumers: BTreeSet<usize>,
    /// Who goes first.
    pub first: FirstAgent,
}

/// Everything that emission needs to know.
#[derive(Clone, Debug)]
pub struct AgentPlan {
    /// Operations of the producer that compute coordinates, in program order.
    pub coordinates: Vec<usize>,
    /// Carried arguments (by position among the carried) that the producer keeps.
    pub producer_carried: Vec<usize>,
    /// Operations of the consumer, in the order of execution.
    pub sequence: Vec<usize>,
    /// Carried arguments that the consumer keeps.
    pub consumer_carried: Vec<usize>,
    /// Pipes, by (stage, order) of their first load.
    pub pipes: Vec<PipePlan>,
    /// Mutexes.
    pub mutexes: Vec<MutexPlan>,
    /// Operations behind the loop, which the consumer takes over.
    pub tail: Vec<Operation>,
    /// Operations before the loop that only the consumer needs: it takes them over.
    pub sunk: Vec<Operation>,
}

/// Limits of materialization.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Bytes of shared memory for all rings together.
    pub shared_memory: u64,
    /// At least this many slots a pipe, as far as memory allows.
    pub requested_depth: u32,
}

type Planned<T> = Result<T, Box<Diagnostic>>;

/// Plans the agents of a scheduled loop.
///
/// # Errors
/// A located error that names the operation which cannot be materialized.
pub fn plan(
    context: &Context,
    body: &LoopBody,
    graph: &DependenceGraph,
    schedule: &WrittenSchedule,
    limits: Limits,
) -> Planned<AgentPlan> {
    let loads = loads(context, body)?;
    let tail = tail(context, body)?;
    let live = consumer_closure(context, body, &loads);
    let loads: BTreeSet<usize> = loads
        .into_iter()
        .filter(|load| live.nodes.contains(load))
        .collect();
    let (coordinates, producer_carried) = producer_closure(context, body, &loads)?;
    let mut sequence: Vec<usize> = live
        .nodes
        .iter()
        .copied()
        .filter(|node| !loads.contains(node))
        .collect();
    sequence.sort_by_key(|node| (schedule.starts[*node], *node));
    let exclusions = solve::exclusions(graph, &loads, &sequence);
    let groups = solve::solve(context, body, graph, schedule, &loads, &sequence);
    let mut pipes = Vec::new();
    for group in groups {
        pipes.push(pipe(
            context,
            body,
            graph,
            schedule,
            &group,
            &sequence,
            &exclusions,
        )?);
    }
    if pipes.is_empty() {
        let message = "cannot be split into agents: no load by TMA feeds its body";
        return Err(body.op.op_error(context, message));
    }
    make_laminar(&mut pipes);
    assign_depths(context, body, &mut pipes, limits)?;
    let mutexes = exclusions.mutexes();
    check_mutexes(context, body, &pipes, &mutexes, &sequence)?;
    let sunk = sunk(
        context,
        body,
        &loads,
        &coordinates,
        &producer_carried,
        &tail,
    );
    Ok(AgentPlan {
        coordinates,
        producer_carried,
        sequence,
        consumer_carried: live.carried.into_iter().collect(),
        pipes,
        mutexes,
        tail,
        sunk,
    })
}

/// The loads that the producer would issue.
fn loads(context: &Context, body: &LoopBody) -> Planned<BTreeSet<usize>> {
    let mut loads = BTreeSet::new();
    for (node, &op) in body.operations.iter().enumerate() {
        if !is_tma_load(context, op) {
            continue;
        }
        if !op.is(context, "nv_tileas.tiled_load") {
            let message =
                "is asynchronous already: only 'nv_tileas.tiled_load' becomes part of a pipeline";
            return Err(op.op_error(context, message));
        }
        check_load(context, body, op)?;
        loads.insert(node);
    }
    Ok(loads)
}

/// A load that can be issued asynchronously by an agent of its own.
fn check_load(context: &Context, body: &LoopBody, op: Operation) -> Planned<()> {
    let semantic = op
        .attribute(context, "mem_semantic")
        .and_then(|s| s.as_str(context));
    if !matches!(semantic, None | Some("weak" | "relaxed")) {
        let message =
            "cannot become an asynchronous load: its mem_semantic orders other operations";
        return Err(op.op_error(context, message));
    }
    for group in ["offsets", "mask"] {
        if !op.operands_named(context, group).is_empty() {
            let message = format!("cannot become a load by TMA: it has {group}");
            return Err(op.op_error(context, message));
        }
    }
    let view = op.operands_named(context, "view");
    let inside = |value: &Value| {
        value.parent_block(context).is_some_and(|block| {
            block == body.block
                || block
                    .parent_op(context)
                    .is_some_and(|op| body.op.is_ancestor_of(context, op))
        })
    };
    if view.iter().any(inside) {
        let message = "cannot become a load by TMA: its view is made inside the loop";
        return Err(op.op_error(context, message));
    }
    let tile = tile_type(context, op);
    if tile.and_then(|ty| tile_bytes(context, ty)).is_none() {
        let message = "cannot be staged: the size of its tile is not known";
        return Err(op.op_error(context, message));
    }
    Ok(())
}

/// The type of the tile that a load brings.
fn tile_type(context: &Context, op: Operation) -> Option<Type> {
    let tile = op.results(context).next()?;
    Some(tile.ty(context))
}

/// The operations behind the loop in its block, which may use its results and so go to the
/// consumer.
fn tail(context: &Context, body: &LoopBody) -> Planned<Vec<Operation>> {
    let mut tail = Vec::new();
    let mut current = body.op.next(context);
    while let Some(op) = current {
        current = op.next(context);
        if current.is_some() || !op.has_trait(context, Trait::Terminator) {
            if LoopBody::targets(context, op).iter().any(|other| {
                other
                    .op
                    .attribute(context, super::super::attributes::SUMMARY)
                    .is_some()
            }) {
                let message = "is a second scheduled loop behind one that becomes agents";
                return Err(op.op_error(context, message));
            }
            tail.push(op);
            continue;
        }
        let leaves = op.operands(context).find(|value| {
            let definition = value.defining_op(context);
            definition.is_some_and(|definition| definition == body.op || tail.contains(&definition))
        });
        if leaves.is_some() {
            let message = "cannot be split into agents: a result leaves through the terminator, \
                           and agents return nothing";
            let error = body.op.op_error(context, message);
            return Err(Box::new(
                error.with_note(op.location(context), "it leaves here"),
            ));
        }
    }
    Ok(tail)
}

/// What the consumer executes.
struct Closure {
    nodes: BTreeSet<usize>,
    carried: BTreeSet<usize>,
}

/// Everything that operations with effects and used results of the loop depend on.
fn consumer_closure(context: &Context, body: &LoopBody, loads: &BTreeSet<usize>) -> Closure {
    let mut worklist: Vec<Value> = Vec::new();
    let mut closure = Closure {
        nodes: BTreeSet::new(),
        carried: BTreeSet::new(),
    };
    let node_of = nodes_by_operation(body);
    for (node, &op) in body.operations.iter().enumerate() {
        if !loads.contains(&node) && !is_pure(context, op) {
            closure.nodes.insert(node);
            push_operands(context, op, &mut worklist);
        }
    }
    for (position, result) in body.op.results(context).enumerate() {
        if !result.is_unused(context) {
            closure.carried.insert(position);
            worklist.push(body.terminator.operand(context, position));
        }
    }
    while let Some(value) = worklist.pop() {
        if let Some(position) = carried_position(context, body, value) {
            if closure.carried.insert(position) {
                worklist.push(body.terminator.operand(context, position));
            }
            continue;
        }
        let definition = value.defining_op(context);
        let definition = definition.and_then(|op| op.ancestor_in_block(context, body.block));
        if let Some(&node) = definition.and_then(|op| node_of.get(&op))
            && closure.nodes.insert(node)
        {
            // Of a load the consumer needs the tile and the token before it; its coordinates are
            // the producer's business.
            if loads.contains(&node) {
                worklist.extend(body.operations[node].operands_named(context, "token"));
            } else {
                push_operands(context, body.operations[node], &mut worklist);
            }
        }
    }
    closure
}

/// Everything the coordinates of the loads depend on: operations and carried arguments.
fn producer_closure(
    context: &Context,
    body: &LoopBody,
    loads: &BTreeSet<usize>,
) -> Planned<(Vec<usize>, Vec<usize>)> {
    let node_of = nodes_by_operation(body);
    let (mut nodes, mut carried) = (BTreeSet::new(), BTreeSet::new());
    let mut worklist: Vec<(usize, Value)> = Vec::new();
    for &load in loads {
        let coordinates = body.operations[load].operands_named(context, "coordinates");
        worklist.extend(coordinates.into_iter().map(|value| (load, value)));
    }
    while let Some((load, value)) = worklist.pop() {
        if let Some(position) = carried_position(context, body, value) {
            if carried.insert(position) {
                worklist.push((load, body.terminator.operand(context, position)));
            }
            continue;
        }
        let definition = value.defining_op(context);
        let definition = definition.and_then(|op| op.ancestor_in_block(context, body.block));
        let Some(&node) = definition.and_then(|op| node_of.get(&op)) else {
            continue;
        };
        let op = body.operations[node];
        if loads.contains(&node) || !is_pure(context, op) {
            let message = format!(
                "cannot be issued ahead by a producer: its coordinates depend on '{}'",
                op.name_text(context)
            );
            let error = body.operations[load].op_error(context, message);
            return Err(Box::new(
                error.with_note(op.location(context), "which is here"),
            ));
        }
        if nodes.insert(node) {
            let mut operands = Vec::new();
            push_operands(context, op, &mut operands);
            worklist.extend(operands.into_iter().map(|value| (load, value)));
        }
    }
    Ok((nodes.into_iter().collect(), carried.into_iter().collect()))
}

fn nodes_by_operation(body: &LoopBody) -> BTreeMap<Operation, usize> {
    body.operations.iter().copied().zip(0..).collect()
}

/// Operands of an operation and of everything in it.
fn push_operands(context: &Context, op: Operation, values: &mut Vec<Value>) {
    for inner in collect(context, op) {
        values.extend(inner.operands(context));
    }
}

/// The position of a carried argument of the loop; none for other values.
pub(super) fn carried_position(context: &Context, body: &LoopBody, value: Value) -> Option<usize> {
    if value.argument_owner(context) != Some(body.block) {
        return None;
    }
    value.position(context).checked_sub(1)
}

/// Whether an operation may be done twice, or not at all.
fn is_pure(context: &Context, op: Operation) -> bool {
    collect(context, op).into_iter().all(|op| {
        op.definition(context).is_some_and(|definition| {
            matches!(definition.effects, Effects::None | Effects::Recursive)
                || definition.has_trait(Trait::Terminator)
        })
    })
}

fn pipe(
    context: &Context,
    body: &LoopBody,
    graph: &DependenceGraph,
    schedule: &WrittenSchedule,
    group: &[usize],
    sequence: &[usize],
    exclusions: &Exclusions,
) -> Planned<PipePlan> {
    let payload: Vec<Type> = group
        .iter()
        .filter_map(|load| tile_type(context, body.operations[*load]))
        .collect();
    let slot_bytes = payload
        .iter()
        .filter_map(|ty| tile_bytes(context, *ty))
        .sum();
    let mut depth = 1;
    for &load in group {
        depth = depth.max(solve::depth(graph, schedule, load));
    }
    let readers = group.iter().flat_map(|load| {
        let direct = solve::readers(context, body, *load, sequence);
        direct.into_iter().chain(exclusions.after(*load))
    });
    let position = |node: usize| sequence.iter().position(|other| *other == node);
    let positions: Vec<usize> = readers.filter_map(position).collect();
    let span = positions
        .iter()
        .min()
        .copied()
        .zip(positions.iter().max().copied());
    Ok(PipePlan {
        loads: group.to_vec(),
        payload,
        slot_bytes,
        depth,
        span,
    })
}

/// Extends spans so that any two are nested or apart: read regions are regions.
fn make_laminar(pipes: &mut [PipePlan]) {
    loop {
        let mut changed = false;
        for a in 0..pipes.len() {
            for b in 0..pipes.len() {
                let (Some(outer), Some(inner)) = (pipes[a].span, pipes[b].span) else {
                    continue;
                };
                let overlaps = outer.0 <= inner.0 && inner.0 <= outer.1 && outer.1 < inner.1;
                if a != b && overlaps {
                    pipes[a].span = Some((outer.0, inner.1));
                    changed = true;
                }
            }
        }
        if !changed {
            return;
        }
    }
}

/// The outermost span that holds a position.
fn outermost(pipes: &[PipePlan], position: usize) -> Option<(usize, usize)> {
    let spans = pipes.iter().filter_map(|pipe| pipe.span);
    spans
        .filter(|span| span.0 <= position && position <= span.1)
        .max_by_key(|span| span.1 - span.0)
}

/// A load that waits for the consumer must not be waited for by the same read region: both agents
/// would wait for each other.
fn check_mutexes(
    context: &Context,
    body: &LoopBody,
    pipes: &[PipePlan],
    mutexes: &[MutexPlan],
    sequence: &[usize],
) -> Planned<()> {
    for mutex in mutexes
        .iter()
        .filter(|mutex| mutex.first == FirstAgent::Consumer)
    {
        for pipe in pipes {
            let Some(&load) = pipe.loads.iter().find(|load| mutex.loads.contains(load)) else {
                continue;
            };
            let unit = pipe.span.and_then(|span| outermost(pipes, span.0));
            let blocked = mutex.consumers.iter().find(|consumer| {
                let position = sequence.iter().position(|node| node == *consumer);
                unit.is_some() && position.is_some_and(|p| outermost(pipes, p) == unit)
            });
            if let Some(&consumer) = blocked {
                let message = "cannot be split into agents: the load must follow an operation of \
                               the read region that waits for it";
                let error = body.operations[load].op_error(context, message);
                let place = body.operations[consumer].location(context);
                return Err(Box::new(error.with_note(place, "which is here")));
            }
        }
    }
    Ok(())
}

/// Two agents need at least two slots to overlap; more on request while memory lasts.
fn assign_depths(
    context: &Context,
    body: &LoopBody,
    pipes: &mut [PipePlan],
    limits: Limits,
) -> Planned<()> {
    let mut used = 0u64;
    for pipe in pipes.iter_mut() {
        pipe.depth = pipe.depth.max(2);
        used = used.saturating_add(pipe.slot_bytes.saturating_mul(u64::from(pipe.depth)));
    }
    if used > limits.shared_memory {
        let message = format!(
            "fails to assign smem buffer: the rings need {used} bytes of shared memory, {} are \
             available",
            limits.shared_memory
        );
        let mut error = *body.op.op_error(context, message);
        for pipe in pipes.iter() {
            let place = body.operations[pipe.loads[0]].location(context);
            let note = format!(
                "a ring of {} slots of {} bytes",
                pipe.depth, pipe.slot_bytes
            );
            error = error.with_note(place, note);
        }
        return Err(Box::new(error));
    }
    loop {
        let mut grown = false;
        for pipe in pipes
            .iter_mut()
            .filter(|pipe| pipe.depth < limits.requested_depth)
        {
            if used + pipe.slot_bytes <= limits.shared_memory {
                used += pipe.slot_bytes;
                pipe.depth += 1;
                grown = true;
            }
        }
        if !grown {
            return Ok(());
        }
    }
}

/// Operations before the loop that bring tiles only the consumer reads. Tiles live in the
/// registers of an agent, so the one that reads them computes them.
fn sunk(
    context: &Context,
    body: &LoopBody,
    loads: &BTreeSet<usize>,
    coordinates: &[usize],
    producer_carried: &[usize],
    tail: &[Operation],
) -> Vec<Operation> {
    let mut sunk: Vec<Operation> = Vec::new();
    let producers: BTreeSet<Operation> = coordinates
        .iter()
        .chain(loads)
        .map(|node| body.operations[*node])
        .collect();
    let mut current = body.op.previous(context);
    while let Some(op) = current {
        current = op.previous(context);
        let brings_tile = op
            .results(context)
            .any(|value| value.ty(context).is_shaped(context));
        if !brings_tile || !may_sink(context, op) || op.is_unused(context) {
            continue;
        }
        let only_consumer = op
            .results(context)
            .flat_map(|value| value.uses(context))
            .all(|usage| {
                if usage.owner == body.op {
                    return usage.operand >= 3 && !producer_carried.contains(&(usage.operand - 3));
                }
                let Some(block) = body.op.block(context) else {
                    return false;
                };
                let inside = usage.owner.ancestor_in_block(context, body.block);
                let outside = usage.owner.ancestor_in_block(context, block);
                inside.is_some_and(|op| !producers.contains(&op))
                    || outside.is_some_and(|op| tail.contains(&op) || sunk.contains(&op))
            });
        if only_consumer {
            sunk.push(op);
        }
    }
    sunk.reverse();
    sunk
}

/// Pure operations, and loads that only tokens order.
fn may_sink(context: &Context, op: Operation) -> bool {
    if op.region_count(context) > 0 || op.has_trait(context, Trait::Terminator) {
        return false;
    }
    let weak = op
        .attribute(context, "mem_semantic")
        .and_then(|s| s.as_str(context));
    let load = op.is(context, "nv_tileas.tiled_load") || op.is(context, "nv_tileas.load");
    is_pure(context, op) || (load && matches!(weak, None | Some("weak" | "relaxed")))
}
