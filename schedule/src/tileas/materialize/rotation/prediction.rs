//! The cycles of an iteration that the agents of a loop will take, in the order of their kernels.
//!
//! Some iterations of all agents are [executed](super::execution) under the costs of the schedule. Products
//! and loads into rings are queued, and the agent continues; values that are passed to other agents are
//! copied into their slot.

use std::collections::BTreeMap;

use orison_ir::{Context, Operation, Value};
use orison_tileas::nv_tileas::{
    AsyncWait, Atom, AtomFamily, BlockScaledMma, Copy, Dot, FutureWait,
};

use super::super::super::classify::atom;
use super::super::super::hand_over::copy_into_slot;
use super::super::super::solve::loads::value_bytes;
use super::super::super::solve::{Agent, LoadKind, PipePlan};
use super::super::steps::{Step, is_asynchronous_product};
use super::PlannedLoop;
use super::execution::{Action, Cost, Form, Kernel, Past, execute};
use super::timeline::{Seat, Timeline, TimelineBuilder, Use};
use crate::tileas::tensor_memory;

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

    fn position(&self, step: Step) -> Option<usize> {
        let mut steps = self.timeline.steps.iter();
        steps.position(|timed| timed.step == step)
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

/// Cycles from the middle to the end of the executed iterations; `None` if the agents block. `depths` are the
/// slots of each pipe.
pub(super) fn predict(this: &PlannedLoop<'_>, workers: &[Worker], depths: &[u32]) -> Option<i64> {
    let plan = &this.plan.frames[this.frame];
    let mut program = Program {
        this,
        workers,
        depths,
        node_of: plan.items.iter().copied().zip(0..).collect(),
        numbers: BTreeMap::new(),
    };
    let kernels: Vec<Kernel> = (0..workers.len())
        .map(|worker| program.kernel(worker))
        .collect();
    let pools = &this.scheduled.graph.space().pools;
    let capacities: Vec<u32> = pools.iter().map(|pool| pool.capacity).collect();
    let size = (program.numbers.len(), ITERATIONS);
    let ends = execute(&kernels, size, &capacities, this.limits.handshake)?;
    // From the end of the middle iteration of a kernel to that of the last one that starts an iteration.
    let measured = ends.into_iter().map(|ends| {
        let end = |iteration: usize| ends.get(iteration).copied().unwrap_or(0);
        end(ITERATIONS - 1) - end(ITERATIONS / 2)
    });
    measured.max()
}

/// An event of each iteration.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    /// The operation of a step is done.
    Done(usize, usize),
    /// What a step hands over can be seen.
    Given(usize, usize),
    /// A load or copy of a step that fills a slot is done: of the value at a position, and of its tile if that
    /// comes by registers.
    Filled(usize, usize, usize),
    /// A load into registers before its copy.
    Loaded(usize, usize, usize),
}

/// Writes the actions of all agents.
struct Program<'p> {
    this: &'p PlannedLoop<'p>,
    workers: &'p [Worker],
    depths: &'p [u32],
    node_of: BTreeMap<Operation, usize>,
    numbers: BTreeMap<Event, usize>,
}

impl Program<'_> {
    fn kernel(&mut self, worker: usize) -> Kernel {
        let mut kernel = Kernel::new();
        for seat in &self.workers[worker].kernel {
            let mut actions = Vec::new();
            self.actions(worker, seat.step, &mut actions);
            kernel.extend(actions.into_iter().map(|action| (seat.stage, action)));
        }
        kernel
    }

    fn number(&mut self, event: Event) -> usize {
        let next = self.numbers.len();
        *self.numbers.entry(event).or_insert(next)
    }

    fn past(&mut self, event: Event, distance: usize) -> Past {
        Past {
            event: self.number(event),
            distance,
        }
    }

    /// The places of a step in all agents.
    fn places(&self, step: Step) -> Vec<(usize, usize)> {
        let workers = self.workers.iter().enumerate();
        workers
            .filter_map(|(number, worker)| Some((number, worker.position(step)?)))
            .collect()
    }

    fn actions(&mut self, worker: usize, step: usize, actions: &mut Vec<Action>) {
        let own = &self.workers[worker];
        match own.timeline.steps[step].step {
            Step::Copy(op) => actions.extend(self.copy(worker, step, op)),
            Step::Await(op) => {
                let product = own.position(Step::Copy(op));
                let product = product.filter(|product| !own.synchronous[*product]);
                if let Some(product) = product {
                    let done = self.past(Event::Done(worker, product), 0);
                    actions.push(Action::Wait(vec![done]));
                }
            }
            Step::Take(pipe) => {
                actions.push(self.wait_for(pipe));
                actions.push(self.give(worker, step, Vec::new(), false));
            }
            Step::Wait(pipe) => actions.push(self.wait_for(pipe)),
            Step::Release(_) => {
                let accesses = own.accesses[step].iter().copied();
                let accesses: Vec<usize> = accesses
                    .filter(|access| self.is_synchronous(worker, *access))
                    .collect();
                let done = accesses
                    .into_iter()
                    .map(|access| self.past(Event::Done(worker, access), 0));
                let done = done.collect();
                actions.push(self.give(worker, step, done, false));
            }
            Step::Fill(pipe) => self.fill(worker, step, pipe, actions),
            Step::Enter(mutex) => {
                let plan = &self.this.plan.frames[self.this.frame].mutexes[mutex];
                let (other, distance) = match plan.first == own.agent {
                    true => (plan.second, 1),
                    false => (plan.first, 0),
                };
                let left = self.places(Step::Leave(mutex)).into_iter();
                let left = left.filter(|(agent, _)| self.workers[*agent].agent == other);
                let left: Vec<(usize, usize)> = left.collect();
                let left = left
                    .into_iter()
                    .map(|(agent, step)| self.past(Event::Given(agent, step), distance));
                actions.push(Action::Wait(left.collect()));
            }
            Step::Leave(_) => actions.push(self.give(worker, step, Vec::new(), true)),
            Step::Project(_) => {}
        }
    }

    fn give(&mut self, worker: usize, step: usize, after: Vec<Past>, is_mutex: bool) -> Action {
        Action::Give {
            after,
            event: self.number(Event::Given(worker, step)),
            is_mutex,
        }
    }

    /// Waits until a slot of a pipe is full.
    fn wait_for(&mut self, pipe: usize) -> Action {
        let values = self.this.plan.frames[self.this.frame].pipes[pipe]
            .values
            .len();
        let mut full = Vec::new();
        for (worker, step) in self.places(Step::Fill(pipe)) {
            full.push(self.past(Event::Given(worker, step), 0));
            for value in 0..values {
                if self.tma_load(pipe, value).is_some() {
                    full.push(self.past(Event::Filled(worker, step, value), 0));
                }
            }
        }
        Action::Wait(full)
    }

    /// Whether a step is an operation whose agent does not continue before it has started.
    fn is_synchronous(&self, worker: usize, step: usize) -> bool {
        match self.workers[worker].timeline.steps[step].step {
            Step::Copy(op) => !self.is_queued(worker, step, op) && !is_wait(self.this.context, op),
            _ => false,
        }
    }

    fn is_queued(&self, worker: usize, step: usize, op: Operation) -> bool {
        let context = self.this.context;
        is_asynchronous(context, op)
            || is_asynchronous_product(context, op) && !self.workers[worker].synchronous[step]
    }

    /// The events of a step before which it cannot start: its operands, and those of operations that are
    /// queued.
    fn reads(&mut self, worker: usize, step: usize) -> (Vec<Past>, Vec<Past>) {
        let (mut reads, mut queued) = (Vec::new(), Vec::new());
        for read in &self.workers[worker].reads[step] {
            let (Step::Copy(op), Ok(distance)) = (
                self.workers[worker].timeline.steps[read.from].step,
                usize::try_from(read.distance),
            ) else {
                continue;
            };
            let past = self.past(Event::Done(worker, read.from), distance);
            match self.is_queued(worker, read.from, op) {
                true => queued.push(past),
                false => reads.push(past),
            }
        }
        (reads, queued)
    }

    fn copy(&mut self, worker: usize, step: usize, op: Operation) -> Option<Action> {
        let context = self.this.context;
        let cost = self.cost(op)?;
        let (reads, queued) = self.reads(worker, step);
        if is_wait(context, op) {
            return Some(Action::Wait(queued));
        }
        let form = if self.is_queued(worker, step, op) {
            Form::Queued(queued)
        } else if is_awaited(context, op) {
            Form::Done
        } else {
            Form::Started
        };
        Some(Action::Start {
            cost,
            reads,
            form,
            event: self.number(Event::Done(worker, step)),
            copies: Copy::matches(context, op) && tensor_memory::accesses(context, op).is_some(),
        })
    }

    fn cost(&self, op: Operation) -> Option<Cost> {
        let node = self.this.scheduled.graph.node(*self.node_of.get(&op)?);
        Some(Cost::new(node.latency, &node.uses, &node.pools))
    }

    /// The load by TMA of a value of a pipe.
    fn tma_load(&self, pipe: usize, value: usize) -> Option<Operation> {
        let pipe = &self.this.plan.frames[self.this.frame].pipes[pipe];
        let load = self.load_of(pipe, value)?;
        let kind = self.this.plan.partition.loads.get(&load);
        (kind == Some(&LoadKind::Tma)).then_some(load)
    }

    fn load_of(&self, pipe: &PipePlan, value: usize) -> Option<Operation> {
        let load = pipe.values[value].defining_op(self.this.context)?;
        let loads = &self.this.plan.partition.loads;
        (pipe.is_load() && loads.contains_key(&load)).then_some(load)
    }

    /// Acquires, fills and commits a slot: loads by TMA are queued, other values are copied.
    fn fill(&mut self, worker: usize, step: usize, number: usize, actions: &mut Vec<Action>) {
        let pipe = &self.this.plan.frames[self.this.frame].pipes[number];
        let depth = usize::try_from(self.depths[number]).unwrap_or(usize::MAX);
        let mut free = self.places(Step::Take(number));
        free.extend(self.places(Step::Release(number)));
        let free = free
            .into_iter()
            .map(|(worker, step)| self.past(Event::Given(worker, step), depth));
        actions.push(Action::Wait(free.collect()));
        let (reads, _) = self.reads(worker, step);
        let mut copied = Vec::new();
        for (position, value) in pipe.values.iter().enumerate() {
            let event = self.number(Event::Filled(worker, step, position));
            let load = self.load_of(pipe, position);
            let cost = load.and_then(|load| self.cost(load));
            let mut start = |cost, reads, form, event| {
                actions.push(Action::Start {
                    cost,
                    reads,
                    form,
                    event,
                    copies: false,
                });
            };
            if self.tma_load(number, position).is_some() {
                let cost = cost.unwrap_or_default();
                start(cost, reads.clone(), Form::Queued(Vec::new()), event);
                continue;
            }
            let mut reads = reads.clone();
            if let Some(cost) = cost {
                let loaded = self.number(Event::Loaded(worker, step, position));
                start(cost, std::mem::take(&mut reads), Form::Started, loaded);
                reads.push(Past {
                    event: loaded,
                    distance: 0,
                });
            }
            start(self.copy_into_slot(*value), reads, Form::Started, event);
            copied.push(Past { event, distance: 0 });
        }
        actions.push(self.give(worker, step, copied, false));
    }

    /// The cost of the copy of a value from registers into a slot.
    fn copy_into_slot(&self, value: Value) -> Cost {
        let context = self.this.context;
        let ty = value.ty(context);
        // The row counts tiles; a scalar is one store.
        let bytes = ty.is_shaped(context).then(|| value_bytes(context, ty));
        let bytes = bytes.flatten().unwrap_or(0);
        let cost = copy_into_slot(self.this.limits.machine, bytes);
        Cost::new(cost.latency, &cost.uses, &cost.pools)
    }
}

/// Whether an operation waits for asynchronous ones.
fn is_wait(context: &Context, op: Operation) -> bool {
    op.is_one_of(context, &[AsyncWait::DEFINITION, FutureWait::DEFINITION])
}

/// Whether an operation is queued, and its agent continues at once.
fn is_asynchronous(context: &Context, op: Operation) -> bool {
    let name = op.name_text(context).strip_prefix("nv_tileas.async.");
    let local = ["wait", "future_wait", "to_async", "token_to_async", "view"];
    name.is_some_and(|name| !name.starts_with("pipeline.") && !local.contains(&name))
}

/// Whether the hardware performs an operation asynchronously, and the agent waits for it at once.
pub(super) fn is_awaited(context: &Context, op: Operation) -> bool {
    if is_asynchronous(context, op) {
        return false;
    }
    match atom(context, op).map(Atom::family) {
        None | Some(AtomFamily::Unknown) => {
            Dot::matches(context, op) || BlockScaledMma::matches(context, op)
        }
        Some(family) => family.is_asynchronous(),
    }
}
