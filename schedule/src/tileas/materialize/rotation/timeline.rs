//! The steps of an agent in a loop whose iterations overlap, with the cycle of each.
//!
//! Slots are waited for and released by separate steps, and products are awaited by a step of their
//! own, so that each of them has its place in the kernel.

use std::collections::{BTreeMap, BTreeSet};

use orison_ir::{Operation, Value};
use orison_tileas::nv_tileas::Copy;

use super::super::super::solve::{PipePlan, Rotation};
use super::super::super::tokens::async_tokens;
use super::super::steps::{Step, StepBuilder, is_asynchronous_product};
use crate::tileas::tensor_memory;

/// A step and the cycle at which it starts, in its iteration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in super::super) struct TimedStep {
    pub(in super::super) step: Step,
    pub(in super::super) cycle: i64,
}

/// The steps of an agent in program order.
#[derive(Clone, Debug)]
pub(in super::super) struct Timeline {
    pub(in super::super) steps: Vec<TimedStep>,
    pub(in super::super) interval: i64,
}

/// A place in the kernel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in super::super) struct Seat {
    /// The step, by its position in program order.
    pub(in super::super) step: usize,
    /// Its stage, from that of the first step of the agent.
    pub(in super::super) stage: usize,
}

impl Timeline {
    /// The steps in the order of the kernel: by row; in one row older iterations first.
    pub(in super::super) fn kernel(&self) -> Vec<Seat> {
        let first = self.steps.iter().map(|step| step.cycle).min().unwrap_or(0);
        let mut seats: Vec<(i64, Seat)> = Vec::new();
        for (step, timed) in self.steps.iter().enumerate() {
            let since = timed.cycle - first;
            let stage = usize::try_from(since / self.interval).unwrap_or(0);
            seats.push((since % self.interval, Seat { step, stage }));
        }
        seats.sort_by_key(|(row, seat)| (*row, std::cmp::Reverse(seat.stage), seat.step));
        seats.into_iter().map(|(_, seat)| seat).collect()
    }

    /// The same cycles with iterations that do not overlap.
    pub(super) fn apart(&self) -> Timeline {
        let cycles = self.steps.iter().map(|step| step.cycle);
        let (first, last) = (cycles.clone().min(), cycles.max());
        Timeline {
            steps: self.steps.clone(),
            interval: last.unwrap_or(0) - first.unwrap_or(0) + 1,
        }
    }

    /// The number of stages.
    pub(in super::super) fn stages(&self) -> usize {
        let last = self.kernel().into_iter().map(|seat| seat.stage).max();
        last.unwrap_or(0) + 1
    }

    /// Whether the kernel is one iteration in program order.
    pub(in super::super) fn is_plain(&self) -> bool {
        let kernel = self.kernel();
        let mut seats = kernel.iter().enumerate();
        seats.all(|(position, seat)| seat.step == position && seat.stage == 0)
            && !self.steps.iter().any(|timed| {
                matches!(
                    timed.step,
                    Step::Wait(_) | Step::Release(_) | Step::Await(_)
                )
            })
    }
}

/// A read of a value by a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Use {
    /// The step that makes the value.
    pub(super) from: usize,
    /// The step that reads it.
    pub(super) to: usize,
    /// Iterations between them.
    pub(super) distance: i64,
    /// The value that is made.
    pub(super) value: Value,
    /// Whether a product adds to a sum that may still be computed: products complete in order.
    pub(super) adds: bool,
}

/// Builds the timeline of an agent.
pub(super) struct TimelineBuilder<'t, 'c> {
    pub(super) steps: &'t StepBuilder<'c>,
    pub(super) rotation: &'t Rotation,
    node_of: BTreeMap<Operation, usize>,
}

impl<'t, 'c> TimelineBuilder<'t, 'c> {
    pub(super) fn new(steps: &'t StepBuilder<'c>, rotation: &'t Rotation) -> Self {
        let items = steps.plan.items.iter().copied();
        TimelineBuilder {
            steps,
            rotation,
            node_of: items.zip(0..).collect(),
        }
    }

    /// The timeline.
    pub(super) fn build(&self) -> Timeline {
        let list = self.program();
        let uses = self.uses(&list);
        let mut cycles: Vec<Option<i64>> = list.iter().map(|step| self.cycle(*step)).collect();
        for (position, step) in list.iter().enumerate() {
            if let Step::Await(op) = step {
                cycles[position] = Some(self.awaited(*op, &list, &uses, &cycles));
            }
        }
        for (position, step) in list.iter().enumerate() {
            if let Step::Release(pipe) = step {
                cycles[position] = Some(self.released(*pipe, &list, &cycles));
            }
        }
        // Values carried into the iteration are passed when they are known.
        let earliest = cycles.iter().flatten().min().copied().unwrap_or(0);
        for position in 0..list.len() {
            if cycles[position].is_none() {
                let known = uses.iter().filter(|read| read.to == position);
                let known = known.filter_map(|read| {
                    let made = self.available(&list, &cycles, read)?;
                    Some(made - read.distance * self.rotation.interval)
                });
                cycles[position] = Some(known.max().unwrap_or(earliest));
            }
        }
        let steps = list.into_iter().zip(cycles);
        Timeline {
            steps: steps
                .map(|(step, cycle)| TimedStep {
                    step,
                    cycle: cycle.unwrap_or(earliest),
                })
                .collect(),
            interval: self.rotation.interval,
        }
    }

    /// The steps in program order.
    fn program(&self) -> Vec<Step> {
        let steps = self.steps;
        let mut list: Vec<Step> = steps.at_start().into_iter().map(Step::Fill).collect();
        for (position, &node) in steps.plan.order.iter().enumerate() {
            steps.enter(position, &mut list);
            steps.take(node, &mut list);
            steps.item(node, &mut list);
            steps.give(node, &mut list);
            steps.leave(position, &mut list);
        }
        list.extend(steps.untaken().into_iter().map(Step::Take));
        self.await_products(&mut list);
        self.hold_slots(&mut list);
        list
    }

    /// Waits for each product before the first step that needs its sum.
    fn await_products(&self, list: &mut Vec<Step>) {
        let products = list.iter().filter_map(|step| self.product(*step));
        for op in products.collect::<Vec<_>>() {
            let uses = self.uses(list);
            let start = list.iter().position(|step| *step == Step::Copy(op));
            let readers = uses
                .iter()
                .filter(|read| Some(read.from) == start && read.distance == 0 && !read.adds);
            let first = readers.map(|read| read.to).min();
            list.insert(first.unwrap_or(list.len()), Step::Await(op));
        }
    }

    /// Waits for the slots that are read in place, and releases them.
    fn hold_slots(&self, list: &mut Vec<Step>) {
        for (number, pipe) in self.steps.plan.pipes.iter().enumerate() {
            if !self.steps.reads_in_place(number) {
                continue;
            }
            let reads = self.accesses(pipe, list);
            let Some((first, last)) = reads.first().copied().zip(reads.last().copied()) else {
                list.push(Step::Take(number));
                continue;
            };
            if self.is_kept(pipe) {
                list.insert(first, Step::Take(number));
                continue;
            }
            list.insert(last + 1, Step::Release(number));
            list.insert(first, Step::Wait(number));
        }
    }

    /// Whether a tile of a slot is needed after its release: by the next iteration, after the loop,
    /// or by another agent.
    fn is_kept(&self, pipe: &PipePlan) -> bool {
        let end = self.steps.frame.block.terminator(self.steps.context);
        let yielded = |value: &Value| {
            end.is_some_and(|end| end.operands(self.steps.context).any(|v| v == *value))
        };
        let passed = |value: &Value| {
            let mut others = self.steps.plan.pipes.iter();
            others
                .any(|other| other.is_computed_by(self.steps.agent) && other.values.contains(value))
        };
        pipe.values
            .iter()
            .any(|value| yielded(value) || passed(value))
    }

    /// The steps of this agent that need a slot, in program order.
    pub(super) fn accesses(&self, pipe: &PipePlan, list: &[Step]) -> Vec<usize> {
        let lists = [&pipe.consumers, &pipe.followers, &pipe.completions];
        let nodes: BTreeSet<usize> = lists.into_iter().flatten().copied().collect();
        let ops: BTreeSet<Operation> = nodes
            .iter()
            .map(|node| self.steps.plan.items[*node])
            .collect();
        let needs = |step: &Step| match step {
            Step::Copy(op) | Step::Await(op) => ops.contains(op),
            _ => false,
        };
        let all = list.iter().enumerate();
        all.filter(|(_, step)| needs(step))
            .map(|(position, _)| position)
            .collect()
    }

    /// The product that a step starts.
    fn product(&self, step: Step) -> Option<Operation> {
        match step {
            Step::Copy(op) => is_asynchronous_product(self.steps.context, op).then_some(op),
            _ => None,
        }
    }

    fn end(&self, node: usize) -> i64 {
        self.rotation.starts[node] + self.rotation.latencies[node]
    }

    /// When an operation is done, as this agent sees it.
    fn done(&self, node: usize) -> i64 {
        let product = self
            .product(Step::Copy(self.steps.plan.items[node]))
            .is_some();
        let seen = if product { self.rotation.handshake } else { 0 };
        self.end(node) + seen
    }

    /// The cycle of a step, as far as the schedule gives it.
    fn cycle(&self, step: Step) -> Option<i64> {
        let rotation = self.rotation;
        let pipes = &self.steps.plan.pipes;
        let own = &self.steps.partition.work(self.steps.agent).items;
        match step {
            Step::Copy(op) | Step::Project(op) => {
                self.node_of.get(&op).map(|n| rotation.starts[*n])
            }
            Step::Fill(number) if pipes[number].is_load() => {
                let nodes = pipes[number].producers.iter();
                nodes.map(|node| rotation.starts[*node]).max()
            }
            Step::Fill(number) => {
                let nodes = pipes[number].producers.iter();
                let made = nodes.clone().map(|node| self.done(*node));
                // Waits of the program for what is passed come first.
                let context = self.steps.context;
                let tokens = nodes.flat_map(|n| async_tokens(context, self.steps.plan.items[*n]));
                let users = tokens.flat_map(|token| token.users(context));
                let waits = users.filter_map(|user| self.node_of.get(&user));
                made.chain(waits.map(|node| rotation.starts[*node])).max()
            }
            Step::Take(number) | Step::Wait(number) => {
                let pipe = &pipes[number];
                let readers = pipe.consumers.iter().chain(&pipe.followers);
                let readers = readers.filter(|n| own.contains(&self.steps.plan.items[**n]));
                let first = readers.map(|node| rotation.starts[*node]).min();
                let first = first.map(|first| first - rotation.handshake);
                first.or_else(|| pipe.producers.iter().map(|node| self.done(*node)).max())
            }
            Step::Enter(number) => self.locked(number).map(|(first, _)| first),
            Step::Leave(number) => self.locked(number).map(|(_, last)| last),
            Step::Await(_) | Step::Release(_) => None,
        }
    }

    /// The first and last cycle of this agent's operations that a mutex orders; equal if the agent
    /// only passes through.
    fn locked(&self, number: usize) -> Option<(i64, i64)> {
        let mutex = &self.steps.plan.mutexes[number];
        let nodes = self.ordered_by(number).into_iter();
        let cycles: Vec<(i64, i64)> = nodes
            .filter_map(|node| {
                let issued = self.issued(node)?;
                Some((issued, issued + self.copied(node)))
            })
            .collect();
        let first = cycles.iter().map(|(first, _)| *first).min()?;
        let last = cycles.iter().map(|(_, last)| *last).max()?;
        Some(match (mutex.passing, mutex.first == self.steps.agent) {
            (false, _) => (first, last),
            (true, true) => (first, first),
            (true, false) => (last, last),
        })
    }

    /// The cycles until a copy from or to tensor memory is complete: the agent keeps the allocation
    /// until then. Products are complete when they are waited for.
    fn copied(&self, node: usize) -> i64 {
        let op = self.steps.plan.items[node];
        let copies = Copy::matches(self.steps.context, op)
            && tensor_memory::accesses(self.steps.context, op).is_some();
        if copies {
            self.rotation.latencies[node]
        } else {
            0
        }
    }

    /// The operations of this agent that a mutex orders.
    pub(super) fn ordered_by(&self, number: usize) -> Vec<usize> {
        let mutex = &self.steps.plan.mutexes[number];
        let all = mutex.before.union(&mutex.after);
        let nodes = all.map(|position| self.steps.plan.order[*position]);
        nodes.filter(|node| self.issued(*node).is_some()).collect()
    }

    /// The cycle of the step that executes an operation; `None` if another agent does.
    pub(super) fn issued(&self, node: usize) -> Option<i64> {
        let op = self.steps.plan.items[node];
        let partition = self.steps.partition;
        if partition.loads.contains_key(&op) {
            let filled = |pipe: &&PipePlan| pipe.is_load() && pipe.producers.contains(&node);
            let pipe = self.steps.plan.pipes.iter().find(filled)?;
            let nodes = pipe.producers.iter();
            let last = nodes.map(|node| self.rotation.starts[*node]).max();
            return last.filter(|_| partition.home(op) == self.steps.agent);
        }
        let own = partition.work(self.steps.agent).items.contains(&op);
        own.then(|| self.rotation.starts[node])
    }

    /// A product is awaited when it is done, and before its sum is needed.
    fn awaited(&self, op: Operation, list: &[Step], uses: &[Use], cycles: &[Option<i64>]) -> i64 {
        let start = list.iter().position(|step| *step == Step::Copy(op));
        let readers = uses
            .iter()
            .filter(|read| Some(read.from) == start && !read.adds);
        let needed = readers
            .filter(|read| !matches!(list[read.to], Step::Fill(_)))
            .filter_map(|read| Some(cycles[read.to]? + read.distance * self.rotation.interval));
        let done = self.node_of.get(&op).map_or(0, |node| self.done(*node));
        needed.min().map_or(done, |needed| needed.min(done))
    }

    /// A slot is released when the operations that read it are done.
    fn released(&self, number: usize, list: &[Step], cycles: &[Option<i64>]) -> i64 {
        let pipe = &self.steps.plan.pipes[number];
        let ends = self
            .accesses(pipe, list)
            .into_iter()
            .filter_map(|position| {
                let cycle = cycles[position]?;
                match list[position] {
                    Step::Copy(op) if self.product(list[position]).is_none() => {
                        let node = self.node_of.get(&op)?;
                        Some(cycle + self.rotation.latencies[*node])
                    }
                    _ => Some(cycle),
                }
            });
        ends.max().unwrap_or(0)
    }

    /// When a value is available to a reader that does not add to it.
    fn available(&self, list: &[Step], cycles: &[Option<i64>], read: &Use) -> Option<i64> {
        let cycle = cycles[read.from]?;
        match list[read.from] {
            Step::Copy(op) => self.node_of.get(&op).map(|node| self.done(*node)),
            _ => Some(cycle),
        }
    }

    /// All reads of values between steps.
    pub(super) fn uses(&self, list: &[Step]) -> Vec<Use> {
        let made = self.made(list);
        let mut uses = Vec::new();
        for (to, step) in list.iter().enumerate() {
            for (value, adds) in self.reads(*step) {
                if let Some((from, value, distance)) = self.resolve(value, &made) {
                    let adds = adds && self.product(list[from]).is_some();
                    uses.push(Use {
                        from,
                        to,
                        distance,
                        value,
                        adds,
                    });
                }
            }
        }
        uses
    }

    /// The step that makes each value.
    fn made(&self, list: &[Step]) -> BTreeMap<Value, usize> {
        let mut made = BTreeMap::new();
        for (position, step) in list.iter().enumerate() {
            match step {
                Step::Copy(op) | Step::Project(op) => {
                    made.extend(op.results(self.steps.context).map(|v| (v, position)));
                }
                Step::Take(pipe) | Step::Wait(pipe) => {
                    let values = self.steps.plan.pipes[*pipe].values.iter();
                    made.extend(values.map(|value| (*value, position)));
                }
                _ => {}
            }
        }
        made
    }

    /// The values that a step reads, and whether a product adds to them.
    fn reads(&self, step: Step) -> Vec<(Value, bool)> {
        let context = self.steps.context;
        match step {
            Step::Copy(op) | Step::Project(op) => {
                let sum = self
                    .product(step)
                    .and_then(|op| op.operands_named(context, "c").first().copied());
                let all = orison_ir::walk::collect(context, op).into_iter();
                all.flat_map(|op| op.operands(context).collect::<Vec<_>>())
                    .map(|value| (value, Some(value) == sum && reads_once(context, op, value)))
                    .collect()
            }
            Step::Fill(number) => {
                let pipe = &self.steps.plan.pipes[number];
                let values = pipe.values.iter();
                if pipe.is_computed_by(self.steps.agent) {
                    return values.map(|value| (*value, false)).collect();
                }
                let loads = values.filter_map(|value| value.defining_op(context));
                loads
                    .flat_map(|load| load.operands(context).collect::<Vec<_>>())
                    .map(|value| (value, false))
                    .collect()
            }
            _ => Vec::new(),
        }
    }

    /// The step that makes a value, the value there, and the iterations since then; `None` for
    /// values of before the loop.
    fn resolve(&self, value: Value, made: &BTreeMap<Value, usize>) -> Option<(usize, Value, i64)> {
        let context = self.steps.context;
        let frame = self.steps.frame;
        let end = frame.block.terminator(context)?;
        let (mut value, mut distance) = (value, 0);
        let mut seen = BTreeSet::new();
        while seen.insert(value) {
            if let Some(from) = made.get(&value) {
                return Some((*from, value, distance));
            }
            match value.defining_op(context) {
                // The token of what another agent executes is the token before it.
                Some(op) => value = op.operands_named(context, "token").first().copied()?,
                None if value.argument_owner(context) == Some(frame.block) => {
                    let position = value.position(context).checked_sub(1)?;
                    value = end.operand(context, position);
                    distance += 1;
                }
                None => return None,
            }
        }
        None
    }

    /// Whether the timeline keeps every dependence inside the agent. `edges` are those of the loop:
    /// pairs of items, and iterations between them.
    pub(super) fn is_ordered(&self, timeline: &Timeline, edges: &[(usize, usize, i64)]) -> bool {
        let list: Vec<Step> = timeline.steps.iter().map(|timed| timed.step).collect();
        let after = |from: usize, to: usize, distance: i64| {
            let (a, b) = (timeline.steps[from].cycle, timeline.steps[to].cycle);
            let b = b + distance * self.rotation.interval;
            b > a || (b == a && (distance > 0 || to > from))
        };
        let awaited = |from: usize| match list[from] {
            Step::Copy(op) => list.iter().position(|step| *step == Step::Await(op)),
            _ => None,
        };
        // The next iteration may need a sum before an early order has started its product.
        let mut started = 0..list.len();
        let started = started.all(|from| awaited(from).is_none_or(|to| after(from, to, 0)));
        let mut uses = self.uses(&list).into_iter();
        let values = uses.all(|read| {
            let from = match read.adds {
                true => read.from,
                false => awaited(read.from).unwrap_or(read.from),
            };
            after(from, read.to, read.distance)
        });
        let step_of = |node: usize| {
            let op = self.steps.plan.items[node];
            let load = self.steps.partition.loads.contains_key(&op);
            list.iter().position(|step| match step {
                Step::Copy(copied) => *copied == op,
                Step::Fill(pipe) => {
                    let pipe = &self.steps.plan.pipes[*pipe];
                    load && pipe.is_load() && pipe.producers.contains(&node)
                }
                _ => false,
            })
        };
        let mut edges = edges.iter();
        let memory = edges.all(|&(from, to, distance)| match (step_of(from), step_of(to)) {
            (Some(from), Some(to)) if from != to => after(from, to, distance),
            _ => true,
        });
        started && values && memory && self.is_locked(timeline, &list)
    }

    /// Whether every operation that a mutex orders is between its ends, or on their side.
    fn is_locked(&self, timeline: &Timeline, list: &[Step]) -> bool {
        let position = |step: Step| list.iter().position(|other| *other == step);
        (0..self.steps.plan.mutexes.len()).all(|number| {
            let ends = position(Step::Enter(number)).zip(position(Step::Leave(number)));
            let Some((enter, leave)) = ends else {
                return true;
            };
            let key = |step: usize| (timeline.steps[step].cycle, step);
            let own = self.ordered_by(number).into_iter();
            let nodes: Vec<usize> = own
                .filter_map(|node| {
                    let op = self.steps.plan.items[node];
                    list.iter().position(|step| match step {
                        Step::Copy(copied) => *copied == op,
                        Step::Fill(pipe) => {
                            let pipe = &self.steps.plan.pipes[*pipe];
                            pipe.is_load() && pipe.producers.contains(&node)
                        }
                        _ => false,
                    })
                })
                .collect();
            // As in program order, where the ends are at the right places.
            nodes.into_iter().all(|node| {
                (enter < node) == (key(enter) < key(node))
                    && (node < leave) == (key(node) < key(leave))
            })
        })
    }
}

/// Whether one operand of an operation is a value.
fn reads_once(context: &orison_ir::Context, op: Operation, value: Value) -> bool {
    op.operands(context)
        .filter(|operand| *operand == value)
        .count()
        == 1
}
