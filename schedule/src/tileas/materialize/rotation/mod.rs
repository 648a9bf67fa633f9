//! Decides how the iterations of a scheduled loop overlap inside each of its agents.
//!
//! Every step of every agent has a cycle; step `s` of iteration `k` comes at cycle
//! `cycle(s) + k * interval`, and each agent executes its steps in this order. The order is that of
//! the schedule, unless it would need more registers or slots than there are: then iterations start
//! less often, in orders that are searched for. Of the orders that are possible, the one whose predicted
//! interval is shortest is chosen, if it is shorter than that of iterations that do not overlap.
//!
//! | contents | file |
//! |---|---|
//! | the steps of an agent and their cycles | `timeline.rs` |
//! | the slots that the order needs; deadlocks | `network.rs` |
//! | tiles alive at once | `registers.rs` |
//! | the interval that the agents will execute | `prediction.rs` |
//! | agents that execute actions on shared units | `execution.rs` |
//! | the orders that are tried | `orders.rs` |
//! | kernels that fit in registers | `search.rs` |

mod execution;
mod network;
mod orders;
mod prediction;
mod registers;
mod search;
mod timeline;

use std::collections::BTreeSet;

use orison_ir::{Context, Operation};
use orison_tileas::nv_tileas::ConsumerWait;

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

/// Registers of a thread are allocated by eight (PTX ISA, `setmaxnreg`).
const REGISTER_UNIT: u64 = 8;

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
    let unlimited = Budget {
        bytes: u64::MAX,
        unit: 1,
    };
    let mut budgets = vec![unlimited; roles.list().len()];
    for agent in packed {
        // The second of two agents that take turns is like the first.
        let budget = agent.agent.and_then(|number| budgets.get_mut(number));
        if let Some(budget) = budget.filter(|_| agent.registers > 0) {
            let register = u64::from(agent.warps.unsigned_abs()) * 32 * 4;
            *budget = Budget {
                bytes: register * u64::from(agent.registers.unsigned_abs()),
                unit: register * REGISTER_UNIT,
            };
        }
    }
    let wait = OperationQuery {
        operation: ConsumerWait::NAME,
        ..OperationQuery::default()
    };
    let limits = Limits {
        budgets,
        handshake: i64::from(machine.cost_of(&wait).latency),
        shared_memory: shared_memory / u64::from(computing.unsigned_abs()),
        machine,
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

/// The registers of an agent.
#[derive(Clone, Copy)]
struct Budget {
    /// Bytes of all registers.
    bytes: u64,
    /// The bytes by which they can be more or fewer.
    unit: u64,
}

struct Limits<'m> {
    /// The registers of each agent.
    budgets: Vec<Budget>,
    handshake: i64,
    shared_memory: u64,
    machine: &'m MachineModel,
}

/// Overlaps the iterations of a scheduled loop. The result says why they overlap less than scheduled.
fn rotate_loop(
    context: &Context,
    plan: &mut RegionPlan,
    frame: usize,
    scheduled: &ScheduledLoop,
    limits: &Limits<'_>,
) -> Option<Reduced> {
    let promised = i64::from(scheduled.schedule.interval);
    let this = PlannedLoop {
        context,
        plan,
        frame,
        scheduled,
        limits,
    };
    let of_schedule = this.rotation(scheduled.schedule.starts.clone(), promised.max(1));
    let sequential = this.one_by_one(&of_schedule)?;
    let registers = this.registers(&of_schedule);
    let (mut best, shortage) = match this.attempt(of_schedule, &registers) {
        Ok(found) => (Some(found), None),
        Err(reason) => (None, Some(reason)),
    };
    let is_reached = |best: &Option<Choice>, interval: i64| {
        let least = prediction::cycles(interval);
        best.as_ref().is_some_and(|best| best.cycles <= least)
    };
    if !is_reached(&best, promised) {
        for (interval, starts) in orders::others(&this, &registers) {
            if is_reached(&best, interval) {
                break;
            }
            let found = this.attempt(this.rotation(starts, interval), &registers);
            if let Ok(found) = found
                && best.as_ref().is_none_or(|best| found.cycles < best.cycles)
            {
                best = Some(found);
            }
        }
    }
    let best = best.filter(|best| best.cycles < sequential);
    let interval = best.as_ref().map(|best| best.rotation.interval);
    let data = &mut plan.frames[frame];
    data.sequential = Some(prediction::per_iteration(sequential));
    if let Some(best) = best {
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

/// A scheduled loop of a plan.
struct PlannedLoop<'l> {
    context: &'l Context,
    plan: &'l RegionPlan,
    frame: usize,
    scheduled: &'l ScheduledLoop,
    limits: &'l Limits<'l>,
}

impl PlannedLoop<'_> {
    /// An order by start cycles; how many iterations overlap is not known yet.
    fn rotation(&self, starts: Vec<i64>, interval: i64) -> Rotation {
        let graph = &self.scheduled.graph;
        let latencies = (0..graph.len()).map(|node| i64::from(graph.node(node).latency));
        Rotation {
            interval,
            starts,
            latencies: latencies.collect(),
            handshake: self.limits.handshake,
            stages: 0,
            cycles: 0,
        }
    }

    /// The steps of an agent.
    fn steps(&self, agent: Agent) -> StepBuilder<'_> {
        StepBuilder::new(self.context, self.plan, self.frame, agent)
    }

    /// Operations that take no time: their results are in the registers of their operand.
    fn views(&self) -> BTreeSet<usize> {
        let graph = &self.scheduled.graph;
        (0..graph.len())
            .filter(|node| graph.node(*node).latency == 0 && graph.node(*node).uses.is_empty())
            .collect()
    }

    /// The predicted cycles of iterations that do not overlap inside agents; `None` if there are no
    /// steps.
    fn one_by_one(&self, rotation: &Rotation) -> Option<i64> {
        let data = &self.plan.frames[self.frame];
        let workers = self.plan.partition.roles.agents().map(|agent| {
            let steps = self.steps(agent);
            let builder = TimelineBuilder::new(&steps, rotation);
            Worker::new(agent, &builder, &builder.build(), true)
        });
        let workers: Vec<Worker> = workers.collect();
        let depths: Vec<u32> = data.pipes.iter().map(|pipe| pipe.depth).collect();
        prediction::predict(self, &workers, &depths)
    }

    /// Bytes of registers that the tiles of each agent may need: all that it has. What one iteration alone
    /// needs in the order of the schedule is needed without overlap too.
    fn registers(&self, of_schedule: &Rotation) -> Vec<u64> {
        let views = self.views();
        let agents = self.plan.partition.roles.agents();
        let bytes = agents.map(|agent| {
            let steps = self.steps(agent);
            let builder = TimelineBuilder::new(&steps, of_schedule);
            let alone = builder.live_bytes(&builder.build().apart(), &views);
            let budget = &self.limits.budgets[agent.index()];
            budget.bytes.max(alone.next_multiple_of(budget.unit))
        });
        bytes.collect()
    }

    /// Checks that the agents can execute an order with these registers.
    fn attempt(&self, mut rotation: Rotation, registers: &[u64]) -> Result<Choice, Shortage> {
        let edges = self.scheduled.graph.edges().iter();
        let edges = edges.filter(|edge| !edge.kind.carries_value());
        let edges: Vec<(usize, usize, i64)> = edges
            .map(|edge| (edge.from, edge.to, i64::from(edge.distance)))
            .collect();
        let views = self.views();
        let (mut agents, mut workers) = (Vec::new(), Vec::new());
        for agent in self.plan.partition.roles.agents() {
            let steps = self.steps(agent);
            let builder = TimelineBuilder::new(&steps, &rotation);
            let timeline = builder.build();
            if !builder.is_ordered(&timeline, &edges) {
                return Err(Shortage::Order);
            }
            let stages = timeline.stages();
            if stages > MAX_STAGES {
                return Err(Shortage::Stages);
            }
            if stages > 1 {
                let needed = builder.live_bytes(&timeline, &views);
                if needed > registers[agent.index()] {
                    let available = self.limits.budgets[agent.index()].bytes;
                    return Err(Shortage::Registers { needed, available });
                }
            }
            workers.push(Worker::new(agent, &builder, &timeline, false));
            agents.push((agent, timeline));
        }
        let depths = depths(self.plan, self.frame, &agents, &rotation, self.limits)?;
        let cycles = prediction::predict(self, &workers, &depths);
        let cycles = cycles.ok_or(Shortage::Order)?;
        rotation.cycles = prediction::per_iteration(cycles);
        let stages = agents.iter().map(|(_, timeline)| timeline.stages()).max();
        rotation.stages = stages.unwrap_or(1);
        Ok(Choice {
            rotation,
            depths,
            cycles,
        })
    }
}

/// The depth of each pipe: as many slots as are in use at once, or as few as the order permits if
/// shared memory does not suffice.
fn depths(
    plan: &RegionPlan,
    frame: usize,
    agents: &[(Agent, Timeline)],
    rotation: &Rotation,
    limits: &Limits<'_>,
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
