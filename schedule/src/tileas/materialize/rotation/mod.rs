//! Decides how the iterations of a scheduled loop overlap inside each of its agents.
//!
//! Every step of every agent has a cycle; step `s` of iteration `k` comes at cycle
//! `cycle(s) + k * interval`, and each agent executes its steps in this order. The order is that of
//! the schedule, unless it would need more registers or slots than there are: then iterations start
//! less often. Of the orders that are possible, the one whose predicted interval is shortest is chosen,
//! if it is shorter than that of iterations that do not overlap.
//!
//! | contents | file |
//! |---|---|
//! | the steps of an agent and their cycles | `timeline.rs` |
//! | the slots that the order needs; deadlocks | `network.rs` |
//! | tiles alive at once | `registers.rs` |
//! | the interval that the agents will execute | `prediction.rs` |

mod network;
mod prediction;
mod registers;
mod timeline;

use std::collections::BTreeSet;

use orison_ir::{Context, Operation};

use super::super::solve::{Agent, FramePlan, RegionPlan, Rotation, ScheduledLoop};
use super::specialized::{Dual, compute_agents};
use super::steps::{Step, StepBuilder};
use super::warps::{divide, pack_roles};
use crate::machine::{MachineModel, OperationQuery};
use prediction::Worker;
use timeline::TimelineBuilder;
pub(super) use timeline::{TimedStep, Timeline};

/// The most stages of an agent: prologue and epilogue together contain its steps about as many times.
const MAX_STAGES: usize = 8;

/// A loop whose iterations overlap less than its schedule says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reduced {
    /// The loop.
    pub looped: Operation,
    /// Cycles from an iteration to the next; `None` if iterations do not overlap.
    pub interval: Option<i64>,
    /// The interval of the schedule.
    pub scheduled: i64,
    /// What does not suffice.
    pub reason: Shortage,
}

/// What does not suffice for a schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shortage {
    /// The tiles that are alive need more than the registers of an agent.
    Registers {
        /// Bytes that the schedule needs.
        needed: u64,
        /// Bytes of registers of the agent.
        available: u64,
    },
    /// More iterations would overlap than prologue and epilogue may contain.
    Stages,
    /// The rings need more than the shared memory, or more slots than a ring may have.
    Slots,
    /// The order of the schedule is not one that agents can execute without waiting for each other.
    Order,
}

/// A planned region and its scheduled loops.
pub type Planned = (RegionPlan, Vec<ScheduledLoop>);

/// Overlaps the iterations of the scheduled loops of a function, as far as registers permit and the bytes
/// of shared memory for rings, and calls `assign` with the plans. If that fails, because slots are aligned
/// or fewer were assigned earlier, iterations do not overlap. Two compute agents that take turns have one
/// half of the memory each. Returns what `assign` does, and the loops that overlap less than scheduled.
///
/// # Errors
/// That of `assign` for plans without overlap.
pub fn overlap<T, E>(
    context: &Context,
    regions: &mut [Planned],
    machine: &MachineModel,
    (shared_memory, dual): (u64, Dual),
    assign: impl Fn(&[Planned]) -> Result<T, E>,
) -> Result<(T, Vec<Reduced>), E> {
    let plain: Vec<RegionPlan> = regions.iter().map(|(plan, _)| plan.clone()).collect();
    let mut reduced = Vec::new();
    for number in 0..regions.len() {
        let others = regions.iter().map(|(plan, _)| plan.ring_bytes());
        let others = others.fold(0, u64::saturating_add);
        let (plan, loops) = &mut regions[number];
        let others = others.saturating_sub(plan.ring_bytes());
        let free = shared_memory.saturating_sub(others);
        reduced.extend(rotate(context, plan, loops, machine, (free, dual)));
    }
    if let Ok(assigned) = assign(regions) {
        return Ok((assigned, reduced));
    }
    reduced.clear();
    for ((plan, loops), plain) in regions.iter_mut().zip(plain) {
        let overlaps = |looped: &&ScheduledLoop| {
            let frame = plan.loop_plan(context, looped.body.op);
            frame.is_some_and(|frame| frame.rotation.is_some())
        };
        reduced.extend(loops.iter().filter(overlaps).map(|scheduled| Reduced {
            looped: scheduled.body.op,
            interval: None,
            scheduled: i64::from(scheduled.schedule.interval),
            reason: Shortage::Slots,
        }));
        let known = std::mem::replace(plan, plain).frames;
        for (frame, known) in plan.frames.iter_mut().zip(known) {
            frame.sequential = known.sequential;
        }
    }
    Ok((assign(regions)?, reduced))
}

/// Overlaps the iterations of the scheduled loops of a region; raises the depth of rings to what the
/// order of the agents needs.
fn rotate(
    context: &Context,
    plan: &mut RegionPlan,
    loops: &[ScheduledLoop],
    machine: &MachineModel,
    (shared_memory, dual): (u64, Dual),
) -> Vec<Reduced> {
    let first = plan.partition.frames[0].items[0];
    let roles = &plan.partition.roles;
    let computing = compute_agents(context, plan, dual);
    let packed = match roles.is_listed() {
        true => pack_roles(context, first, roles),
        false => divide(context, first, computing),
    };
    let Some(packed) = packed else {
        return Vec::new();
    };
    let mut budgets = vec![u64::MAX; roles.list().len()];
    for agent in packed {
        // The second of two agents that take turns is like the first.
        let budget = agent.agent.and_then(|number| budgets.get_mut(number));
        if let Some(budget) = budget.filter(|_| agent.registers > 0) {
            let threads = u64::from(agent.warps.unsigned_abs()) * 32;
            *budget = threads * 4 * u64::from(agent.registers.unsigned_abs());
        }
    }
    let wait = OperationQuery {
        operation: "nv_tileas.async.pipeline.consumer_wait",
        ..OperationQuery::default()
    };
    let limits = Limits {
        budgets,
        handshake: i64::from(machine.cost_of(&wait).latency),
        shared_memory: shared_memory / u64::from(computing.unsigned_abs()),
    };
    let mut reduced = Vec::new();
    for frame in 0..plan.frames.len() {
        let block = plan.partition.frames[frame].block;
        let found = loops.iter().find(|scheduled| scheduled.body.block == block);
        if let Some(scheduled) = found {
            reduced.extend(rotate_loop(context, plan, frame, scheduled, &limits));
        }
    }
    reduced
}

struct Limits {
    /// Bytes of registers of each agent.
    budgets: Vec<u64>,
    handshake: i64,
    shared_memory: u64,
}

fn rotate_loop(
    context: &Context,
    plan: &mut RegionPlan,
    frame: usize,
    scheduled: &ScheduledLoop,
    limits: &Limits,
) -> Option<Reduced> {
    let promised = i64::from(scheduled.schedule.interval);
    let mut shortage = None;
    let mut best: Option<Choice> = None;
    let mut sequential = None;
    for (starts, interval) in candidates(scheduled) {
        let least = prediction::cycles(interval);
        if best.as_ref().is_some_and(|best| best.cycles <= least) {
            break;
        }
        let rotation = Rotation {
            interval,
            starts,
            latencies: (0..scheduled.graph.len())
                .map(|node| i64::from(scheduled.graph.node(node).latency))
                .collect(),
            handshake: limits.handshake,
            stages: 0,
            cycles: 0,
        };
        if sequential.is_none() {
            let cycles = one_by_one(context, plan, frame, scheduled, &rotation)?;
            plan.frames[frame].sequential = Some(prediction::per_iteration(cycles));
            sequential = Some(cycles);
        }
        match try_rotation(context, plan, frame, scheduled, rotation, limits) {
            Ok(found) if best.as_ref().is_none_or(|best| found.cycles < best.cycles) => {
                best = Some(found);
            }
            Ok(_) => {}
            Err(reason) => shortage = shortage.or(Some(reason)),
        }
    }
    let best = best.filter(|best| sequential.is_none_or(|cycles| best.cycles < cycles));
    let interval = best.as_ref().map(|best| best.rotation.interval);
    if let Some(best) = best {
        let data = &mut plan.frames[frame];
        for (pipe, depth) in data.pipes.iter_mut().zip(best.depths) {
            pipe.depth = depth;
        }
        data.rotation = Some(best.rotation);
    }
    shortage.map(|reason| Reduced {
        looped: scheduled.body.op,
        interval,
        scheduled: promised,
        reason,
    })
}

/// An order that the agents can execute.
struct Choice {
    rotation: Rotation,
    /// The slots of each pipe.
    depths: Vec<u32>,
    /// The predicted cycles.
    cycles: i64,
}

/// The predicted cycles of iterations that do not overlap inside agents; `None` if there are no steps.
fn one_by_one(
    context: &Context,
    plan: &RegionPlan,
    frame: usize,
    scheduled: &ScheduledLoop,
    rotation: &Rotation,
) -> Option<i64> {
    let data = &plan.frames[frame];
    let workers = plan.partition.roles.agents().map(|agent| {
        let steps = StepBuilder::new(context, plan, frame, agent);
        let builder = TimelineBuilder::new(&steps, rotation);
        Worker::new(agent, &builder, &builder.build(), true)
    });
    let workers: Vec<Worker> = workers.collect();
    let depths: Vec<u32> = data.pipes.iter().map(|pipe| pipe.depth).collect();
    let costs = (scheduled, rotation.handshake);
    prediction::predict(context, &workers, (data, &depths), costs)
}

/// The orders to try, best first: start cycles and interval. First the schedule; then operations as
/// early as they can be, with iterations that start less and less often.
fn candidates(scheduled: &ScheduledLoop) -> Vec<(Vec<i64>, i64)> {
    let interval = i64::from(scheduled.schedule.interval.max(1));
    let early = earliest(scheduled);
    let ends = early.iter().enumerate();
    let ends = ends.map(|(node, start)| start + i64::from(scheduled.graph.node(node).latency));
    let length = ends.max().unwrap_or(0);
    let mut all = vec![(scheduled.schedule.starts.clone(), interval)];
    let mut longer = interval;
    while longer < length {
        all.push((early.clone(), longer));
        longer += (longer / 16).max(1);
    }
    all
}

/// The earliest start of each operation, if operations take their slots in the order of the
/// schedule and iterations do not overlap.
fn earliest(scheduled: &ScheduledLoop) -> Vec<i64> {
    let graph = &scheduled.graph;
    let mut order: Vec<usize> = (0..graph.len()).collect();
    order.sort_by_key(|node| (scheduled.schedule.starts[*node], *node));
    let mut starts = vec![0; graph.len()];
    let mut free = std::collections::BTreeMap::new();
    for node in order {
        let inputs = graph.predecessors(node).filter(|edge| edge.distance == 0);
        let known = inputs.map(|edge| starts[edge.from] + i64::from(edge.latency));
        let uses = &graph.node(node).uses;
        let units = uses.iter().filter(|held| held.occupancy > 0);
        let units = units.map(|held| free.get(&held.slot).copied().unwrap_or(0));
        let start = known.chain(units).max().unwrap_or(0).max(0);
        starts[node] = start;
        for held in uses.iter().filter(|held| held.occupancy > 0) {
            free.insert(held.slot, start + i64::from(held.duration));
        }
    }
    starts
}

/// Checks that the agents can execute an order.
fn try_rotation(
    context: &Context,
    plan: &RegionPlan,
    frame: usize,
    scheduled: &ScheduledLoop,
    mut rotation: Rotation,
    limits: &Limits,
) -> Result<Choice, Shortage> {
    let graph = &scheduled.graph;
    let edges: Vec<(usize, usize, i64)> = graph
        .edges()
        .iter()
        .filter(|edge| !edge.kind.carries_value())
        .map(|edge| (edge.from, edge.to, i64::from(edge.distance)))
        .collect();
    let views: BTreeSet<usize> = (0..graph.len())
        .filter(|node| graph.node(*node).latency == 0 && graph.node(*node).uses.is_empty())
        .collect();
    let (mut agents, mut workers) = (Vec::new(), Vec::new());
    for agent in plan.partition.roles.agents() {
        let steps = StepBuilder::new(context, plan, frame, agent);
        let builder = TimelineBuilder::new(&steps, &rotation);
        let timeline = builder.build();
        if !builder.is_ordered(&timeline, &edges) {
            return Err(Shortage::Order);
        }
        let available = limits.budgets[agent.index()];
        let stages = timeline.stages();
        if stages > MAX_STAGES {
            return Err(Shortage::Stages);
        }
        if stages > 1 {
            let needed = builder.live_bytes(&timeline, &views);
            // What one iteration alone needs is needed in any order.
            if needed > available && needed > builder.live_bytes(&timeline.apart(), &views) {
                return Err(Shortage::Registers { needed, available });
            }
        }
        workers.push(Worker::new(agent, &builder, &timeline, false));
        agents.push((agent, timeline));
    }
    let depths = depths(plan, frame, &agents, &rotation, limits)?;
    let costs = (scheduled, rotation.handshake);
    let cycles = prediction::predict(context, &workers, (&plan.frames[frame], &depths), costs);
    let cycles = cycles.ok_or(Shortage::Order)?;
    rotation.cycles = prediction::per_iteration(cycles);
    rotation.stages = agents
        .iter()
        .map(|(_, timeline)| timeline.stages())
        .max()
        .unwrap_or(1);
    Ok(Choice {
        rotation,
        depths,
        cycles,
    })
}

/// The depth of each pipe: as many slots as are in use at once, or as few as the order permits if
/// shared memory does not suffice.
fn depths(
    plan: &RegionPlan,
    frame: usize,
    agents: &[(Agent, Timeline)],
    rotation: &Rotation,
    limits: &Limits,
) -> Result<Vec<u32>, Shortage> {
    let data = &plan.frames[frame];
    let planned: Vec<u32> = data.pipes.iter().map(|pipe| pipe.depth).collect();
    let wanted: Vec<u32> = (0..data.pipes.len())
        .map(|pipe| planned[pipe].max(in_use(data, pipe, agents, rotation)))
        .collect();
    let others = plan.ring_bytes() - ring_bytes(data, &planned);
    let fits = |slots: &Vec<u32>| others + ring_bytes(data, slots) <= limits.shared_memory;
    let least = network::slots(data, agents, &planned).ok_or(Shortage::Slots)?;
    let most: Vec<u32> = least.iter().zip(&wanted).map(|(a, b)| *a.max(b)).collect();
    [most, least].into_iter().find(fits).ok_or(Shortage::Slots)
}

fn ring_bytes(data: &FramePlan, slots: &[u32]) -> u64 {
    let bytes = data.pipes.iter().zip(slots);
    let bytes = bytes.map(|(pipe, slots)| pipe.ring_bytes(*slots));
    bytes.fold(0, u64::saturating_add)
}

/// The slots of a pipe that are in use at once: from the acquire before its first load or copy to
/// when the producer sees the release.
fn in_use(data: &FramePlan, pipe: usize, agents: &[(Agent, Timeline)], rotation: &Rotation) -> u32 {
    let plan = &data.pipes[pipe];
    if plan.once {
        return 0;
    }
    let steps = agents.iter().flat_map(|(_, timeline)| &timeline.steps);
    let held = steps.filter(|timed| match timed.step {
        Step::Fill(number) | Step::Take(number) | Step::Release(number) => number == pipe,
        _ => false,
    });
    let cycles: Vec<i64> = held.map(|timed| timed.cycle).collect();
    let loads = plan.producers.iter().filter(|_| plan.is_load());
    let loads = loads.map(|node| rotation.starts[*node]);
    let first = cycles.iter().copied().chain(loads).min().unwrap_or(0);
    let last = cycles.into_iter().max().unwrap_or(first);
    // An acquire, a commit and a release are hand-overs.
    let span = last - first + 3 * rotation.handshake;
    let limit = plan.flavour().depth_limit();
    let slots = (span + rotation.interval - 1) / rotation.interval;
    u32::try_from(slots).unwrap_or(limit).min(limit)
}

/// The timeline of an agent in a loop whose iterations overlap.
pub(super) fn timeline(
    context: &Context,
    plan: &RegionPlan,
    frame: usize,
    agent: Agent,
    rotation: &Rotation,
) -> Timeline {
    let steps = StepBuilder::new(context, plan, frame, agent);
    TimelineBuilder::new(&steps, rotation).build()
}
