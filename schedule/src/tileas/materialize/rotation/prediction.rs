//! The cycles of an iteration that the agents of a loop will take, in the order of their kernels.
//!
//! Some iterations of all agents are executed under the costs of the schedule. An agent is in order: a
//! step starts when the one before it has started, what it reads is available, and its slots of the
//! machine are free. Products and loads into rings are queued, and the agent continues. A slot of a
//! ring changes hands one hand-over after its commit or release. Issue pools are not counted.

use std::collections::{BTreeMap, BTreeSet};

use orison_ir::{Context, Operation};
use orison_tileas::nv_tileas::{AsyncDot, Atom, AtomFamily, Dot};

use super::super::super::classify::atom;
use super::super::super::solve::{Agent, FramePlan, ScheduledLoop};
use super::super::steps::{Step, is_asynchronous_product};
use super::timeline::{Seat, Timeline, TimelineBuilder, Use};

/// Iterations that are executed; the second half is measured.
const ITERATIONS: usize = 24;

/// One agent, and how it executes its steps.
pub(super) struct Worker {
    agent: Agent,
    timeline: Timeline,
    kernel: Vec<Seat>,
    reads: Vec<Vec<Use>>,
    /// For a release: the steps that access the slot.
    accesses: Vec<Vec<usize>>,
    /// The products that no other work overlaps: they are synchronous, and their waits take no time.
    synchronous: Vec<bool>,
}

impl Worker {
    /// An agent with the kernel of its timeline, or (`sequential`) one iteration after the other.
    pub(super) fn new(
        agent: Agent,
        builder: &TimelineBuilder<'_, '_>,
        timeline: &Timeline,
        sequential: bool,
    ) -> Worker {
        let list: Vec<Step> = timeline.steps.iter().map(|timed| timed.step).collect();
        let mut reads = vec![Vec::new(); list.len()];
        for read in builder.uses(&list) {
            reads[read.to].push(read);
        }
        let accesses = list.iter().map(|step| match step {
            Step::Release(pipe) => builder.accesses(&builder.steps.plan.pipes[*pipe], &list),
            _ => Vec::new(),
        });
        let works = |step: &Step| matches!(step, Step::Copy(_) | Step::Take(_) | Step::Fill(_));
        let synchronous = list.iter().enumerate().map(|(start, step)| {
            let awaited = match step {
                Step::Copy(op) => list.iter().position(|other| *other == Step::Await(*op)),
                _ => None,
            };
            let between = awaited.and_then(|end| list.get(start + 1..end));
            sequential && between.is_some_and(|between| !between.iter().any(works))
        });
        let synchronous = synchronous.collect();
        let in_order = (0..list.len()).map(|step| Seat { step, stage: 0 });
        Worker {
            agent,
            kernel: match sequential {
                true => in_order.collect(),
                false => timeline.kernel(),
            },
            reads,
            accesses: accesses.collect(),
            synchronous,
            timeline: timeline.clone(),
        }
    }
}

/// The iterations that are measured.
const MEASURED: u32 = (ITERATIONS - 1 - ITERATIONS / 2) as u32;

/// What [`predict`] measures if an iteration takes `interval` cycles.
pub(super) fn cycles(interval: i64) -> i64 {
    interval.saturating_mul(i64::from(MEASURED))
}

/// The cycles of an iteration, rounded up, of what [`predict`] measures.
pub(super) fn per_iteration(cycles: i64) -> u32 {
    u32::try_from(cycles).map_or(u32::MAX, |cycles| cycles.div_ceil(MEASURED))
}

/// Cycles from the middle to the end of the executed iterations; `None` if the agents block.
pub(super) fn predict(
    context: &Context,
    workers: &[Worker],
    (plan, depths): (&FramePlan, &[u32]),
    (scheduled, handshake): (&ScheduledLoop, i64),
) -> Option<i64> {
    let readers = (0..plan.pipes.len()).map(|pipe| {
        let frees = |step: Step| step == Step::Take(pipe) || step == Step::Release(pipe);
        let all = workers.iter().flat_map(|worker| &worker.timeline.steps);
        all.filter(|timed| frees(timed.step)).count()
    });
    let mut run = Execution {
        context,
        plan,
        depths,
        scheduled,
        handshake,
        node_of: plan.items.iter().copied().zip(0..).collect(),
        readers: readers.collect(),
        free: BTreeMap::new(),
        handed: BTreeMap::new(),
    };
    let mut states: Vec<State> = workers.iter().map(State::new).collect();
    loop {
        // The agent that is behind comes first: it takes the units first.
        let mut order: Vec<usize> = (0..workers.len())
            .filter(|agent| !states[*agent].is_done(&workers[*agent]))
            .collect();
        if order.is_empty() {
            break;
        }
        order.sort_by_key(|agent| states[*agent].clock);
        let mut all = order.into_iter();
        all.find(|agent| run.advance(&workers[*agent], &mut states[*agent]))?;
    }
    states.iter().map(State::measured).max()
}

/// The state of one agent.
struct State {
    clock: i64,
    /// The iteration of the kernel, and the position in it.
    at: (usize, usize),
    /// When the result of each step is available, by iteration.
    ready: Vec<Vec<i64>>,
    /// When each iteration of the kernel ended.
    ends: Vec<i64>,
}

impl State {
    fn new(worker: &Worker) -> State {
        State {
            clock: 0,
            at: (0, 0),
            ready: vec![vec![0; ITERATIONS]; worker.timeline.steps.len()],
            ends: Vec::new(),
        }
    }

    fn is_done(&self, worker: &Worker) -> bool {
        let stages = worker.kernel.iter().map(|seat| seat.stage).max();
        worker.kernel.is_empty() || self.at.0 >= ITERATIONS + stages.unwrap_or(0)
    }

    /// From the end of iteration `ITERATIONS / 2` of the kernel to that of the last one that starts an
    /// iteration.
    fn measured(&self) -> i64 {
        let end = |iteration: usize| self.ends.get(iteration).copied().unwrap_or(0);
        end(ITERATIONS - 1) - end(ITERATIONS / 2)
    }
}

/// What changes hands between agents.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Handed {
    /// A slot of a pipe is full.
    Full(usize),
    /// The readers have released a slot of a pipe.
    Free(usize),
    /// An agent has left a mutex.
    Left(usize, Agent),
}

struct Execution<'e> {
    context: &'e orison_ir::Context,
    plan: &'e FramePlan,
    depths: &'e [u32],
    scheduled: &'e ScheduledLoop,
    handshake: i64,
    node_of: BTreeMap<Operation, usize>,
    /// The steps that release a slot of each pipe.
    readers: Vec<usize>,
    /// When the slots of the machine are free again.
    free: BTreeMap<u8, i64>,
    /// By iteration: how many agents have handed over, and when the last one did.
    handed: BTreeMap<(Handed, usize), (usize, i64)>,
}

impl Execution<'_> {
    /// Executes the next step of an agent; false if it waits for what another one has not done.
    fn advance(&mut self, worker: &Worker, state: &mut State) -> bool {
        let (turn, position) = state.at;
        let seat = worker.kernel[position];
        if let Some(iteration) = turn.checked_sub(seat.stage)
            && iteration < ITERATIONS
            && !self.execute(worker, state, seat.step, iteration)
        {
            return false;
        }
        state.at.1 += 1;
        if state.at.1 == worker.kernel.len() {
            state.at = (turn + 1, 0);
            state.ends.push(state.clock);
        }
        true
    }

    fn execute(&mut self, worker: &Worker, state: &mut State, step: usize, k: usize) -> bool {
        let known = worker.reads[step].iter().filter(|read| !read.adds);
        let known = known.map(|read| before(state, read, k)).max().unwrap_or(0);
        let here = state.clock.max(known);
        match worker.timeline.steps[step].step {
            Step::Copy(op) => self.copy(worker, state, (step, op), (here, k)),
            Step::Await(op) => {
                let started = |timed: &super::TimedStep| timed.step == Step::Copy(op);
                let product = worker.timeline.steps.iter().position(started);
                let done = product.map_or(0, |product| state.ready[product][k]);
                state.clock = state.clock.max(done);
                if !product.is_some_and(|product| worker.synchronous[product]) {
                    state.clock += self.handshake;
                }
            }
            Step::Take(pipe) | Step::Wait(pipe) => {
                let Some(full) = self.after(Handed::Full(pipe), Some(k), 1) else {
                    return false;
                };
                state.clock = state.clock.max(full) + self.handshake;
                if worker.timeline.steps[step].step == Step::Take(pipe) {
                    self.hand(Handed::Free(pipe), k, state.clock);
                }
            }
            Step::Release(pipe) => {
                let done = worker.accesses[step].iter();
                let done = done.map(|step| state.ready[*step][k]).max().unwrap_or(0);
                state.clock = state.clock.max(done);
                self.hand(Handed::Free(pipe), k, state.clock);
            }
            Step::Fill(pipe) => {
                let slots = usize::try_from(self.depths[pipe]).unwrap_or(usize::MAX);
                let earlier = k.checked_sub(slots);
                let Some(free) = self.after(Handed::Free(pipe), earlier, self.readers[pipe]) else {
                    return false;
                };
                state.clock = here.max(free) + self.handshake;
                self.fill(state, pipe, k);
            }
            Step::Enter(mutex) => {
                let plan = &self.plan.mutexes[mutex];
                let (other, earlier) = match plan.first == worker.agent {
                    true => (plan.second, k.checked_sub(1)),
                    false => (plan.first, Some(k)),
                };
                let Some(left) = self.after(Handed::Left(mutex, other), earlier, 1) else {
                    return false;
                };
                state.clock = here.max(left) + self.handshake;
            }
            Step::Leave(mutex) => self.hand(Handed::Left(mutex, worker.agent), k, state.clock),
            Step::Project(_) => {}
        }
        if !matches!(worker.timeline.steps[step].step, Step::Copy(_)) {
            state.ready[step][k] = state.clock;
        }
        true
    }

    fn copy(
        &mut self,
        worker: &Worker,
        state: &mut State,
        (step, op): (usize, Operation),
        (here, k): (i64, usize),
    ) {
        let Some(&node) = self.node_of.get(&op) else {
            return;
        };
        let latency = i64::from(self.scheduled.graph.node(node).latency);
        // A product adds to a sum when that is complete.
        let sums = worker.reads[step].iter().filter(|read| read.adds);
        let sums = sums.map(|read| before(state, read, k)).max().unwrap_or(0);
        let start = self.occupy(node, here.max(sums));
        state.ready[step][k] = start + latency;
        let is_queued = is_asynchronous_product(self.context, op) && !worker.synchronous[step];
        state.clock = match is_awaited(self.context, op) {
            _ if is_queued => here,
            true => start + latency,
            false => start,
        };
    }

    /// Fills and commits a slot: loads are queued.
    fn fill(&mut self, state: &mut State, pipe: usize, k: usize) {
        let mut full = state.clock;
        let loads = &self.plan.pipes[pipe];
        let nodes: BTreeSet<usize> = match loads.is_load() {
            true => loads.producers.iter().copied().collect(),
            false => BTreeSet::new(),
        };
        for node in nodes {
            let start = self.occupy(node, state.clock);
            full = full.max(start + i64::from(self.scheduled.graph.node(node).latency));
        }
        self.hand(Handed::Full(pipe), k, full);
    }

    /// Takes the slots of the machine for an operation that can start at a cycle; its start.
    fn occupy(&mut self, node: usize, from: i64) -> i64 {
        let uses = &self.scheduled.graph.node(node).uses;
        let held = uses.iter().filter(|held| held.occupancy > 0);
        let free = held.clone().filter_map(|held| self.free.get(&held.slot));
        let start = free.copied().max().unwrap_or(0).max(from);
        let ends = held.map(|held| (held.slot, start + i64::from(held.duration)));
        self.free.extend(ends);
        start
    }

    fn hand(&mut self, what: Handed, k: usize, at: i64) {
        let (count, last) = self.handed.entry((what, k)).or_insert((0, 0));
        *count += 1;
        *last = (*last).max(at + self.handshake);
    }

    /// When something has been handed over by all of some agents; at once before the first iteration.
    fn after(&self, what: Handed, k: Option<usize>, agents: usize) -> Option<i64> {
        let Some(k) = k else { return Some(0) };
        let known = self.handed.get(&(what, k));
        known
            .filter(|(count, _)| *count >= agents)
            .map(|(_, at)| *at)
    }
}

/// Whether the hardware performs an operation asynchronously, and the agent waits for it at once. The wait
/// for an `async.dot` is an operation of its own.
pub(super) fn is_awaited(context: &Context, op: Operation) -> bool {
    if AsyncDot::matches(context, op) {
        return false;
    }
    match atom(context, op).map(Atom::family) {
        None | Some(AtomFamily::Unknown) => Dot::matches(context, op),
        Some(family) => family.is_asynchronous(),
    }
}

/// When a value that a step reads in an iteration is available.
fn before(state: &State, read: &Use, k: usize) -> i64 {
    let iteration = usize::try_from(read.distance).ok();
    let iteration = iteration.and_then(|distance| k.checked_sub(distance));
    iteration.map_or(0, |iteration| state.ready[read.from][iteration])
}
