//! The work of one agent in a frame, as a list of steps, and the steps that need the tiles of a
//! pipe.

use std::collections::BTreeSet;

use orison_ir::walk::collect;
use orison_ir::{Context, Operation, Value};
use orison_tileas::nv_tileas::{self, Atom, AtomFamily};

use super::super::classify::atom;
use super::super::solve::{Agent, Flavour, Frame, FramePlan, MutexPlan, Partition, RegionPlan};

/// A step of an agent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Step {
    /// Copies an item.
    Copy(Operation),
    /// Copies a projected loop or branch with the agent's share of its body.
    Project(Operation),
    /// Acquires, fills and commits a pipe.
    Fill(usize),
    /// Waits for a pipe, extracts its values, releases it.
    Take(usize),
    /// Enters a mutex.
    Enter(usize),
    /// Leaves a mutex.
    Leave(usize),
    /// Waits for a product that was started before.
    Await(Operation),
    /// Waits for a slot of a pipe that later steps read in place.
    Wait(usize),
    /// Releases a slot of a pipe.
    Release(usize),
}

/// The steps of an agent in a frame.
#[derive(Clone, Debug, Default)]
pub(super) struct Steps {
    pub(super) list: Vec<Step>,
    /// Pipes that the agent reads in place, with the first and last step that needs the slot.
    pub(super) spans: Vec<(usize, (usize, usize))>,
    /// Products that are started and waited for later, with these two steps.
    pub(super) started: Vec<(Operation, (usize, usize))>,
}

/// Builds the steps of an agent.
pub(super) struct StepBuilder<'s> {
    pub(super) context: &'s Context,
    pub(super) partition: &'s Partition,
    pub(super) plan: &'s FramePlan,
    pub(super) frame: &'s Frame,
    pub(super) agent: Agent,
}

impl<'s> StepBuilder<'s> {
    /// A builder for the steps of an agent in a frame.
    pub(super) fn new(
        context: &'s Context,
        plan: &'s RegionPlan,
        frame: usize,
        agent: Agent,
    ) -> Self {
        StepBuilder {
            context,
            partition: &plan.partition,
            plan: &plan.frames[frame],
            frame: &plan.partition.frames[frame],
            agent,
        }
    }

    /// Whether the frame is the body of a scheduled loop: it contains no copies of loops, so tiles
    /// can be read in place, in regions around the operations that read them.
    fn in_place(&self) -> bool {
        self.frame.is_scheduled
    }
}

impl StepBuilder<'_> {
    /// The steps of the whole frame.
    pub(super) fn build(&self) -> Steps {
        let mut steps = Steps::default();
        // The step of each item, by position in the common order.
        let mut step_of: Vec<Option<usize>> = vec![None; self.plan.order.len()];
        for pipe in self.at_start() {
            steps.list.push(Step::Fill(pipe));
        }
        for (position, &node) in self.plan.order.iter().enumerate() {
            self.enter(position, &mut steps.list);
            self.take(node, &mut steps.list);
            step_of[position] = self.item(node, &mut steps.list);
            self.give(node, &mut steps.list);
            self.leave(position, &mut steps.list);
        }
        for pipe in self.untaken() {
            steps.list.push(Step::Take(pipe));
        }
        self.start_products(&mut steps, &mut step_of);
        steps.spans = self.spans(&step_of);
        for pipe in self.unread(&steps) {
            steps.list.push(Step::Take(pipe));
        }
        make_laminar(&mut steps);
        steps
    }

    /// Starts each product of a tensor core whose result the next step does not use, and waits for
    /// it as late as the order of the agent allows: before the first step that uses the result, or
    /// at the end. The steps between overlap the product. Slots that it reads are kept until then.
    fn start_products(&self, steps: &mut Steps, step_of: &mut [Option<usize>]) {
        if !self.in_place() {
            return;
        }
        let mut first = 0;
        while first < steps.list.len() {
            let position = first;
            first += 1;
            let Step::Copy(op) = steps.list[position] else {
                continue;
            };
            if !is_asynchronous_product(self.context, op) {
                continue;
            }
            let result = op.result(self.context, 0);
            let after = steps.list[first..].iter();
            let wait = after.clone().position(|step| self.uses(*step, result));
            let wait = first + wait.unwrap_or(after.len());
            let between = &steps.list[first..wait];
            let overlaps =
                |step: &Step| matches!(step, Step::Copy(_) | Step::Take(_) | Step::Fill(_));
            if !between.iter().any(overlaps) {
                continue;
            }
            steps.list.insert(wait, Step::Await(op));
            for step in step_of.iter_mut().flatten().filter(|step| **step >= wait) {
                *step += 1;
            }
            for (_, (_, other)) in steps.started.iter_mut().filter(|(_, span)| span.1 >= wait) {
                *other += 1;
            }
            steps.started.push((op, (position, wait)));
        }
    }

    /// Whether a step uses a value.
    fn uses(&self, step: Step, value: Value) -> bool {
        match step {
            Step::Copy(op) | Step::Project(op) => collect(self.context, op)
                .into_iter()
                .any(|op| op.operands(self.context).any(|operand| operand == value)),
            Step::Fill(pipe) => {
                let pipe = &self.plan.pipes[pipe];
                let loads = pipe
                    .values
                    .iter()
                    .filter_map(|v| v.defining_op(self.context));
                let mut operands = loads.flat_map(|load| load.operands(self.context));
                pipe.values.contains(&value) || operands.any(|operand| operand == value)
            }
            _ => false,
        }
    }

    pub(super) fn item(&self, node: usize, list: &mut Vec<Step>) -> Option<usize> {
        let op = self.plan.items[node];
        if self.partition.loads.contains_key(&op) {
            // A pipe is filled at the position of its last load; its loads are adjacent.
            let pipes = self.plan.pipes.iter().enumerate();
            let mut filled =
                pipes.filter(|(_, pipe)| pipe.is_load() && pipe.producers.last() == Some(&node));
            if let Some((number, _)) = filled.next()
                && self.partition.home(op) == self.agent
            {
                list.push(Step::Fill(number));
            }
            return None;
        }
        if !self.partition.work(self.agent).items.contains(&op) {
            return None;
        }
        list.push(if self.partition.is_projected(self.context, op) {
            Step::Project(op)
        } else {
            Step::Copy(op)
        });
        Some(list.len() - 1)
    }

    /// Pipes of carried arguments that this agent fills.
    pub(super) fn at_start(&self) -> Vec<usize> {
        self.given(|pipe| self.plan.pipes[pipe].producers.is_empty())
    }

    /// The pipes that this agent fills with values it computes.
    fn given(&self, wanted: impl Fn(usize) -> bool) -> Vec<usize> {
        let pipes = 0..self.plan.pipes.len();
        let own = |number: &usize| self.plan.pipes[*number].is_computed_by(self.agent);
        pipes
            .filter(|number| own(number) && wanted(*number))
            .collect()
    }

    /// The pipes whose values this agent extracts before it uses them: load agents use only
    /// scalars and the tiles that they compute addresses from, and in a frame with copies of loops
    /// a region would have to contain them.
    fn taken(&self, wanted: impl Fn(usize) -> bool) -> Vec<usize> {
        let pipes = 0..self.plan.pipes.len();
        let extracts = |number: &usize| {
            let pipe = &self.plan.pipes[*number];
            pipe.is_read_by(self.agent) && !self.reads_in_place(*number)
        };
        let numbers = pipes.filter(|number| extracts(number) && wanted(*number));
        numbers.collect()
    }

    /// Whether this agent reads the slots of a pipe in regions.
    pub(super) fn reads_in_place(&self, number: usize) -> bool {
        let pipe = &self.plan.pipes[number];
        pipe.is_read_by(self.agent)
            && !self.partition.roles.is_loader(self.agent)
            && (pipe.is_load() || (self.in_place() && pipe.flavour() == Flavour::Tile))
    }

    /// Passes values defined by an item.
    pub(super) fn give(&self, node: usize, list: &mut Vec<Step>) {
        let made = self.given(|pipe| self.plan.pipes[pipe].producers.last() == Some(&node));
        list.extend(made.into_iter().map(Step::Fill));
    }

    /// Takes values that an item is the first to need. Loads of one pipe are adjacent, so the pipe
    /// is taken before the first of them.
    pub(super) fn take(&self, node: usize, list: &mut Vec<Step>) {
        let needed =
            self.taken(|pipe| self.first_reader(pipe).is_some_and(|reader| reader == node));
        list.extend(needed.into_iter().map(Step::Take));
    }

    fn first_reader(&self, pipe: usize) -> Option<usize> {
        let readers = &self.plan.pipes[pipe].consumers;
        let own = &self.partition.work(self.agent).items;
        let reads = |node: &usize| readers.contains(node) && own.contains(&self.plan.items[*node]);
        self.plan.order.iter().copied().find(reads)
    }

    /// Taken pipes that no item of this agent reads, only the next iteration.
    pub(super) fn untaken(&self) -> Vec<usize> {
        self.taken(|pipe| self.first_reader(pipe).is_none())
    }

    /// The group of adjacent loads around a position: its first and last position.
    fn together(&self, position: usize) -> (usize, usize) {
        let node = self.plan.order[position];
        let pipes = self.plan.pipes.iter();
        let groups = pipes.filter(|pipe| pipe.is_load() && pipe.producers.contains(&node));
        let positions = groups.flat_map(|pipe| {
            pipe.producers
                .iter()
                .filter_map(|node| self.plan.order.iter().position(|other| other == node))
        });
        let all: BTreeSet<usize> = positions.chain([position]).collect();
        let first = all.first().copied().unwrap_or(position);
        (first, all.last().copied().unwrap_or(position))
    }

    /// Positions around which this agent holds a mutex.
    fn held(&self, number: usize) -> (usize, usize) {
        let mutex = &self.plan.mutexes[number];
        let held = if mutex.first == self.agent {
            mutex.held_first
        } else {
            mutex.held_second
        };
        (self.together(held.0).0, self.together(held.1).1)
    }

    /// The mutexes between this agent and another one.
    fn own_mutexes(&self) -> impl Iterator<Item = (usize, &MutexPlan)> {
        let all = self.plan.mutexes.iter().enumerate();
        all.filter(|(_, mutex)| mutex.touches(self.agent))
    }

    pub(super) fn enter(&self, position: usize, list: &mut Vec<Step>) {
        for (number, mutex) in self.own_mutexes() {
            if self.held(number).0 != position {
                continue;
            }
            if !mutex.passing {
                list.push(Step::Enter(number));
            } else if mutex.first == self.agent {
                list.extend([Step::Enter(number), Step::Leave(number)]);
            }
        }
    }

    pub(super) fn leave(&self, position: usize, list: &mut Vec<Step>) {
        for (number, mutex) in self.own_mutexes() {
            if self.held(number).1 != position {
                continue;
            }
            if !mutex.passing {
                list.push(Step::Leave(number));
            } else if mutex.first != self.agent {
                list.extend([Step::Enter(number), Step::Leave(number)]);
            }
        }
    }

    /// Spans of the pipes that the agent reads in place.
    fn spans(&self, step_of: &[Option<usize>]) -> Vec<(usize, (usize, usize))> {
        let steps = |nodes: &[usize]| -> BTreeSet<usize> {
            let order = self.plan.order.iter().enumerate();
            let wanted = order.filter(|(_, node)| nodes.contains(node));
            wanted
                .filter_map(|(position, _)| step_of[position])
                .collect()
        };
        let mut spans = Vec::new();
        for (number, pipe) in self.plan.pipes.iter().enumerate() {
            if !self.reads_in_place(number) {
                continue;
            }
            let reads = steps(&pipe.consumers);
            let waits = steps(&pipe.followers);
            let first = reads.first().into_iter().chain(waits.first()).min();
            let done = steps(&pipe.completions);
            let last = reads.last().max(done.last()).or(waits.first());
            if let (Some(first), Some(last)) = (first, last) {
                spans.push((number, (*first, (*last).max(*first))));
            }
        }
        spans
    }

    /// Pipes read in place that no item reads, only the next iteration.
    fn unread(&self, steps: &Steps) -> Vec<usize> {
        let pipes = 0..self.plan.pipes.len();
        pipes
            .filter(|number| {
                self.reads_in_place(*number) && steps.spans.iter().all(|(other, _)| other != number)
            })
            .collect()
    }
}

/// Extends spans so that any two spans, and a span and a mutex range, are nested or disjoint: read
/// spans become regions.
fn make_laminar(steps: &mut Steps) {
    let held: Vec<(usize, usize)> = (0..steps.list.len())
        .filter_map(|first| {
            let Step::Enter(number) = steps.list[first] else {
                return None;
            };
            let after = steps.list[first..].iter();
            let length = after
                .clone()
                .position(|step| *step == Step::Leave(number))?;
            Some((first, first + length))
        })
        .collect();
    loop {
        let mut changed = false;
        for a in 0..steps.spans.len() {
            let spans: Vec<(usize, usize)> = steps.spans.iter().map(|(_, span)| *span).collect();
            for other in spans.into_iter().chain(held.iter().copied()) {
                let own = &mut steps.spans[a].1;
                if own.0 < other.0 && other.0 <= own.1 && own.1 < other.1 {
                    own.1 = other.1;
                    changed = true;
                }
            }
        }
        // A region that starts a product also waits for it: the product reads the slot until then.
        for (_, (started, awaited)) in &steps.started {
            for (_, span) in &mut steps.spans {
                if span.0 <= *started && *started <= span.1 && span.1 < *awaited {
                    span.1 = *awaited;
                    changed = true;
                }
            }
        }
        if !changed {
            return;
        }
    }
}

/// Whether an operation is a product that a tensor core executes asynchronously, with the sum in
/// registers.
pub(super) fn is_asynchronous_product(context: &Context, op: Operation) -> bool {
    let family = atom(context, op).map(Atom::family);
    nv_tileas::Dot::matches(context, op)
        && matches!(family, Some(AtomFamily::Wgmma | AtomFamily::TensorMma))
        && op.result(context, 0).ty(context).is_shaped(context)
}
