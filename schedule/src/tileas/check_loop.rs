//! Re-derives the constraints of a schedule from the IR, for the independent checker.
//!
//! Nothing here is shared with [`super::dependence`]: instead of following values backwards, the
//! loop is executed symbolically for as many iterations as values can be carried. Every value is
//! tagged with the operation and the iteration that defined it, and each read yields a dependence.

use orison_host::scf;
use orison_ir::declare::{Effects, Trait};
use orison_ir::walk::collect;
use orison_ir::{Context, Diagnostic, Operation, Value};
use orison_tileas::MemorySpace;
use orison_tileas::nv_tileas;
use orison_tileas::views::memory_space;
use std::collections::{BTreeMap, BTreeSet};

use super::attributes::{self, WrittenSchedule};
use super::classify::model_cost;
use super::loop_body::LoopBody;
use super::tensor_memory::{PRODUCTS, VIEWS};
use crate::check::{Claim, check};
use crate::machine::MachineModel;
use crate::modulo::{Edge, EdgeKind, Node, PoolUse, ResourceUse};

/// Checks a written schedule against the IR.
///
/// # Errors
/// A located error with the violated constraint, or for malformed attributes.
pub fn check_loop(
    context: &Context,
    body: &LoopBody,
    schedule: &WrittenSchedule,
    machine: &MachineModel,
) -> Result<(), Box<Diagnostic>> {
    let mut nodes = Vec::new();
    for &op in &body.operations {
        nodes.push(observed_node(context, op, machine)?);
    }
    let edges = observed_edges(context, body, &nodes);
    let claim = Claim {
        interval: schedule.interval,
        starts: &schedule.starts,
        stages: &schedule.stages,
        orders: &schedule.orders,
        stage_count: schedule.stage_count,
    };
    check(&nodes, &edges, &machine.resource_space(), &claim).map_err(|violation| {
        let message = format!("schedule is not valid: {violation}");
        let mut error = *body.op.op_error(context, message);
        for (number, op) in body.operations.iter().enumerate() {
            if violation.nodes().contains(&number) {
                let note = format!("operation {number} is here");
                error = error.with_note(op.location(context), note);
            }
        }
        Box::new(error)
    })
}

/// The operation and the iteration that defined a value.
type Tag = (usize, u32);

fn observed_edges(context: &Context, body: &LoopBody, nodes: &[Node]) -> Vec<Edge> {
    let rounds = body.carried(context).len() + 1;
    let mut carried: BTreeMap<Value, Option<Tag>> = BTreeMap::new();
    let mut seen: BTreeSet<(usize, usize, u32)> = BTreeSet::new();
    let mut round = 0;
    // After as many iterations as arguments can carry a value, or when the ages of the carried
    // values no longer change, another iteration adds only the reads of its initial values.
    for _ in 0..rounds {
        let after = execute(context, body, &carried, round, &mut seen);
        let still = round > 0 && ages(&after, round + 1) == ages(&carried, round);
        carried = after;
        round += 1;
        if still {
            break;
        }
    }
    execute(context, body, &carried, round, &mut seen);
    let mut edges: Vec<Edge> = seen
        .into_iter()
        .filter(|(from, to, distance)| from != to || *distance > 0)
        .map(|(from, to, distance)| Edge {
            from,
            to,
            latency: cycles(nodes[from].latency),
            distance,
            kind: if distance == 0 {
                EdgeKind::Data
            } else {
                EdgeKind::LoopCarried
            },
        })
        .collect();
    edges.extend(observed_memory(context, body, nodes));
    edges
}

fn ages(tags: &BTreeMap<Value, Option<Tag>>, round: u32) -> Vec<Option<(usize, u32)>> {
    tags.values()
        .map(|tag| tag.map(|(node, made)| (node, round - made)))
        .collect()
}

/// Executes one iteration: records the definition that each operation reads, and returns the tags
/// of the values passed to the next iteration.
fn execute(
    context: &Context,
    body: &LoopBody,
    carried: &BTreeMap<Value, Option<Tag>>,
    round: u32,
    seen: &mut BTreeSet<(usize, usize, u32)>,
) -> BTreeMap<Value, Option<Tag>> {
    let mut tags = carried.clone();
    for (number, &op) in body.operations.iter().enumerate() {
        for inner in collect(context, op) {
            for value in inner.operands(context) {
                if let Some(Some((from, made))) = tags.get(&value) {
                    seen.insert((*from, number, round - made));
                }
            }
            for result in inner.results(context) {
                tags.insert(result, Some((number, round)));
            }
            for block in inner
                .regions(context)
                .flat_map(|region| region.blocks(context))
            {
                for argument in block.arguments(context) {
                    tags.insert(argument, Some((number, round)));
                }
            }
        }
    }
    let arguments = body.carried(context).into_iter();
    let values = body.yielded(context).into_iter();
    arguments
        .zip(values)
        .map(|(argument, value)| (argument, tags.get(&value).copied().flatten()))
        .collect()
}

fn cycles(latency: u32) -> i32 {
    i32::try_from(latency).unwrap_or(i32::MAX)
}

/// The cost of an operation, with its nested ones in sequence. Costs given on an operation replace
/// those of its nested operations.
fn observed_node(
    context: &Context,
    op: Operation,
    machine: &MachineModel,
) -> Result<Node, Box<Diagnostic>> {
    let mut node = Node {
        name: op.name_text(context).to_owned(),
        constraints: attributes::constraints(context, op)?,
        ..Node::default()
    };
    let mut held: BTreeMap<u8, u32> = BTreeMap::new();
    // Operations whose latency, or whose resources, replace those of their nested operations.
    let (mut timed, mut placed) = (BTreeSet::new(), BTreeSet::new());
    for inner in collect(context, op) {
        let around = inner.parent_op(context).filter(|_| inner != op);
        let is_in = |set: &BTreeSet<Operation>| around.is_some_and(|around| set.contains(&around));
        let (in_timed, in_placed) = (is_in(&timed), is_in(&placed));
        let latency = attributes::latency(context, inner)?;
        let resources = attributes::resources(context, inner, machine)?;
        let model = has_row(context, inner).then(|| model_cost(context, inner, machine));
        if model.is_some() || in_timed || latency.is_some() {
            timed.insert(inner);
        }
        if model.is_some() || in_placed || resources.is_some() {
            placed.insert(inner);
        }
        if !in_timed {
            let modelled = model.as_ref().map_or(0, |model| model.latency);
            node.latency = node.latency.saturating_add(latency.unwrap_or(modelled));
        }
        if in_placed {
            continue;
        }
        let (uses, shares) = match (resources, model) {
            (Some(uses), _) => (uses, Vec::new()),
            (None, Some(model)) => (model.uses, model.pools),
            (None, None) => (Vec::new(), Vec::new()),
        };
        raise_shares(&mut node.pools, &shares);
        if inner == op {
            // All starting at the same first cycle.
            node.uses = uses;
            continue;
        }
        for triple in uses.iter().filter(|triple| triple.occupancy > 0) {
            let cycles = held.entry(triple.slot).or_default();
            *cycles = cycles.saturating_add(triple.duration);
        }
    }
    let held = held.into_iter();
    node.uses
        .extend(held.map(|(slot, duration)| ResourceUse::new(slot, duration)));
    Ok(node)
}

/// Whether the machine model has a row for the operation itself, regardless of its regions.
fn has_row(context: &Context, op: Operation) -> bool {
    op.region_count(context) == 0 || op.name(context).dialect(context) == "nv_tileas"
}

/// Operations in sequence take the maximum share of each pool.
fn raise_shares(pools: &mut Vec<PoolUse>, shares: &[PoolUse]) {
    for share in shares {
        let known = pools.iter().position(|known| known.pool == share.pool);
        match known {
            Some(at) => pools[at].count = pools[at].count.max(share.count),
            None => pools.push(*share),
        }
    }
}

/// The observed memory behaviour of an operation: (reads, writes, fence before, fence after,
/// ordered by tokens only).
fn behaviour(context: &Context, op: Operation) -> (bool, bool, bool, bool, bool) {
    let (mut reads, mut writes, mut before, mut after) = (false, false, false, false);
    let mut tokens_only = true;
    // Operations with explicit resources, and their nested ones, depend on others through operands,
    // results and tokens only.
    let mut exempt = BTreeSet::new();
    for inner in collect(context, op) {
        let around = inner.parent_op(context).filter(|_| inner != op);
        if attributes::has_resources(context, inner)
            || around.is_some_and(|around| exempt.contains(&around))
        {
            exempt.insert(inner);
            continue;
        }
        let effects = inner
            .definition(context)
            .map_or(Effects::Unknown, |d| d.effects);
        let structured = inner.region_count(context) > 0;
        match effects {
            Effects::None | Effects::Allocate | Effects::Recursive => continue,
            Effects::Unknown if structured && inner.definition(context).is_some() => continue,
            Effects::Unknown => {
                return (true, true, true, true, false);
            }
            Effects::Read => reads = true,
            Effects::Write => writes = true,
            Effects::ReadWrite => (reads, writes) = (true, true),
        }
        let semantic = inner.attribute(context, "mem_semantic");
        match semantic.and_then(|semantic| semantic.as_str(context)) {
            Some("acquire") => after = true,
            Some("release") => before = true,
            Some("acq_rel") => (before, after) = (true, true),
            _ => {}
        }
        let has_token = inner
            .definition(context)
            .is_some_and(|d| d.operands.iter().any(|operand| operand.name == "token"));
        tokens_only &= has_token;
    }
    (reads, writes, before, after, tokens_only)
}

/// For operations that access allocations in tensor memory and no other memory: the allocations, and
/// whether each is written. Found from the allocations: everything that a view of one reaches.
fn observed_tensor_memory(
    context: &Context,
    body: &LoopBody,
) -> BTreeMap<Operation, BTreeMap<Value, bool>> {
    let isolated = |op: &Operation| op.has_trait(context, Trait::IsolatedFromAbove);
    let function = body.op.ancestors(context).find(isolated);
    let function = function.unwrap_or(body.op);
    let mut found: BTreeMap<Operation, BTreeMap<Value, bool>> = BTreeMap::new();
    let mut others: BTreeSet<Operation> = BTreeSet::new();
    let all = collect(context, function).into_iter();
    for op in all.filter(|op| nv_tileas::AllocTensor::matches(context, *op)) {
        let root = op.result(context, 0);
        if memory_space(context, root.ty(context)) != Some(MemorySpace::Tensor) {
            continue;
        }
        let (mut views, mut seen) = (vec![root], BTreeSet::new());
        while let Some(view) = views.pop() {
            if !seen.insert(view) {
                continue;
            }
            for usage in view.uses(context) {
                let (user, number) = (usage.owner, usage.operand);
                let mut touch = |op: Operation, writes: bool| {
                    let known = found.entry(op).or_default().entry(root).or_insert(false);
                    *known |= writes;
                };
                if user.is_one_of(context, &PRODUCTS) && matches!(number, 0 | 2) {
                    touch(user, number == 2);
                    views.extend(user.results(context).next().filter(|_| number == 2));
                    let done = user.results(context).nth(1);
                    let waits = done.into_iter().flat_map(|done| done.users(context));
                    for wait in waits.filter(|op| nv_tileas::AsyncWait::matches(context, *op)) {
                        touch(wait, number == 2);
                    }
                } else if nv_tileas::Copy::matches(context, user) && number < 2 {
                    let other = user.operands(context).nth(1 - number);
                    if other.is_some_and(|other| !other.ty(context).is_shaped(context)) {
                        others.insert(user);
                    }
                    touch(user, number == 1);
                } else if user.is_one_of(context, &VIEWS) && number == 0 {
                    views.push(user.result(context, 0));
                } else if scf::For::matches(context, user) && number >= 3 {
                    views.push(user.result(context, number - 3));
                    let inside = user.body_block(context, 0);
                    views.extend(inside.map(|block| block.argument(context, number - 2)));
                } else {
                    others.insert(user);
                }
            }
        }
    }
    found.retain(|op, _| !others.contains(op));
    found
}

/// Every pair of memory operations of one iteration and of two consecutive ones that may not be
/// reordered.
fn observed_memory(context: &Context, body: &LoopBody, nodes: &[Node]) -> Vec<Edge> {
    let seen: Vec<_> = body
        .operations
        .iter()
        .map(|op| behaviour(context, *op))
        .collect();
    let tensor = observed_tensor_memory(context, body);
    let allocations = |node: usize| tensor.get(&body.operations[node]);
    let mut edges = Vec::new();
    for (from, first) in seen.iter().enumerate() {
        for (to, second) in seen.iter().enumerate() {
            let shared = match (allocations(from), allocations(to)) {
                (Some(own), Some(others)) => {
                    let common = own
                        .iter()
                        .filter_map(|(root, a)| Some((a, others.get(root)?)));
                    Some(common.into_iter().any(|(a, b)| *a || *b))
                }
                (Some(_), None) if second.4 => Some(false),
                (None, Some(_)) if first.4 => Some(false),
                _ => None,
            };
            if let Some(shared) = shared {
                edges.extend(shared.then(|| Edge {
                    from,
                    to,
                    latency: cycles(nodes[from].latency),
                    distance: u32::from(from >= to),
                    kind: EdgeKind::Memory,
                }));
                continue;
            }
            let (reads, writes, _, after, tokens_a) = *first;
            let (reads_b, writes_b, before, _, tokens_b) = *second;
            let both_touch = (reads || writes) && (reads_b || writes_b);
            let clash = (writes || writes_b) && !(tokens_a && tokens_b);
            if !both_touch || !(after || before || clash) {
                continue;
            }
            let latency = if writes || after {
                cycles(nodes[from].latency)
            } else {
                1
            };
            let distance = u32::from(from >= to);
            edges.push(Edge {
                from,
                to,
                latency,
                distance,
                kind: EdgeKind::Memory,
            });
        }
    }
    edges
}
