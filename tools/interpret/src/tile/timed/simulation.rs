//! The events of a timed run, in order of time.

use std::collections::BTreeMap;

use orison_host::scf;
use orison_ir::declare::OperationDefinition;
use orison_ir::{Context, Operation, Value};
use orison_schedule::machine::MachineModel;
use orison_schedule::tileas::attributes::{INTERVAL, SUMMARY};
use orison_tileas::MemorySpace;
use orison_tileas::nv_tileas;

use super::super::handles::{EffectName, Handle, Ownership};
use super::super::state::TileState;
use super::super::tasks::{Failure, Run, Stepped};
use super::super::work::Work;
use super::agent::AgentClock;
use super::costs::{Cost, Costs, Form};
use super::flow;
use super::record::{
    AgentTimes, LoopTimes, Record, Span, Track, UnitTimes, Wait, WaitTable, steady,
};
use super::units::Units;
use crate::Interpreter;

/// An asynchronous operation that has not started.
struct Request {
    name: EffectName,
    operation: Operation,
    cost: Cost,
    after: Vec<EffectName>,
}

/// A timed run.
pub(super) struct Simulation<'s, 'c> {
    interpreter: &'s Interpreter<'c>,
    run: Run,
    machine: &'s MachineModel,
    costs: Costs<'s>,
    units: Units,
    clocks: Vec<AgentClock>,
    /// Asynchronous operations that wait for their units, oldest first.
    queue: Vec<Request>,
    /// Asynchronous operations that run: by the cycle at which they are done, and their number.
    running: BTreeMap<(u64, u64), EffectName>,
    started: u64,
    /// When the synchronous accesses of a task to a stage that it holds are done, by pipeline and
    /// step.
    accesses: BTreeMap<(usize, usize, u64), u64>,
    /// When the other side of a stage sees that it changed hands.
    visible: BTreeMap<(usize, usize), u64>,
    loops: BTreeMap<(usize, Operation), LoopTimes>,
    waits: WaitTable,
    spans: Vec<Span>,
    now: u64,
    end: u64,
}

impl<'s, 'c> Simulation<'s, 'c> {
    pub fn new(interpreter: &'s Interpreter<'c>, run: Run, machine: &'s MachineModel) -> Self {
        Simulation {
            interpreter,
            clocks: vec![AgentClock::default(); run.tasks().len()],
            run,
            machine,
            costs: Costs::new(machine),
            units: Units::new(machine),
            queue: Vec::new(),
            running: BTreeMap::new(),
            started: 0,
            accesses: BTreeMap::new(),
            visible: BTreeMap::new(),
            loops: BTreeMap::new(),
            waits: WaitTable::default(),
            spans: Vec::new(),
            now: 0,
            end: 0,
        }
    }

    /// Runs to the end.
    ///
    /// # Errors
    /// An error of the program, or more than `fuel` operations.
    pub fn finish(mut self, fuel: u64) -> Result<Record, Failure> {
        loop {
            while self.events_of_now(fuel)? {}
            match self.next_time() {
                Some(next) => self.now = next,
                None => break,
            }
        }
        self.run.conclude()?;
        Ok(self.record())
    }

    /// Performs what is possible in this cycle; whether anything was.
    fn events_of_now(&mut self, fuel: u64) -> Result<bool, Failure> {
        let mut moved = self.complete()?;
        moved |= self.start_queued();
        let mut order: Vec<usize> = (0..self.clocks.len()).collect();
        // The agent that has waited longest for a unit is first.
        order.sort_by_key(|number| match &self.clocks[*number].blocked {
            Some((Wait::Unit(_), _, since)) => (*since, *number),
            _ => (u64::MAX, *number),
        });
        for number in order {
            while self.advance(number)? {
                moved = true;
                if self.run.operations > fuel {
                    return Err(Failure {
                        place: self.run.tasks()[number].machine.operation(),
                        message: format!("did not finish within {fuel} operations"),
                        notes: Vec::new(),
                    });
                }
            }
        }
        Ok(moved)
    }

    fn next_time(&self) -> Option<u64> {
        let completion = self.running.keys().next().map(|(time, _)| *time);
        let queued = self.queue.iter().filter_map(|request| {
            let state = self.state()?;
            let obstacle = || self.units.obstacle(&request.cost, self.now);
            state
                .all_done(&request.after)
                .then(obstacle)?
                .map(|(_, next)| next)
        });
        let agents = self.clocks.iter().filter_map(|clock| clock.wake);
        let times = completion.into_iter().chain(queued).chain(agents);
        times.filter(|time| *time > self.now).min()
    }

    fn state(&self) -> Option<&TileState> {
        self.run.world.existing_state::<TileState>()
    }

    /// Performs asynchronous operations that are done.
    fn complete(&mut self) -> Result<bool, Failure> {
        let mut moved = false;
        while let Some((&(time, number), &name)) = self.running.iter().next()
            && time <= self.now
        {
            self.running.remove(&(time, number));
            self.end = self.end.max(time);
            self.run.complete(name)?;
            moved = true;
        }
        Ok(moved)
    }

    /// Starts queued operations whose units are free.
    fn start_queued(&mut self) -> bool {
        let mut moved = false;
        let mut waiting = Vec::new();
        for request in std::mem::take(&mut self.queue) {
            let ready = self.state().is_some_and(|s| s.all_done(&request.after));
            if !ready || self.units.obstacle(&request.cost, self.now).is_some() {
                waiting.push(request);
                continue;
            }
            self.occupy(&request.cost, request.operation);
            self.started += 1;
            let done = self.now + request.cost.latency;
            self.running.insert((done, self.started), request.name);
            moved = true;
        }
        self.queue = waiting;
        moved
    }

    /// Takes the units of an operation that starts now.
    fn occupy(&mut self, cost: &Cost, operation: Operation) {
        self.units.take(cost, self.now);
        for (slot, cycles) in &cost.slots {
            self.spans.push(Span {
                track: Track::Unit(self.units.name(super::units::Unit::Slot(*slot))),
                operation,
                wait: None,
                start: self.now,
                duration: *cycles,
            });
        }
    }

    /// Executes the next operation of an agent if it can start now; whether it did.
    fn advance(&mut self, number: usize) -> Result<bool, Failure> {
        let context = self.interpreter.context();
        let task = &self.run.tasks()[number];
        if task.machine.finished().is_some() {
            self.clocks[number].wake = None;
            return Ok(false);
        }
        let operation = task.machine.operation();
        let clock = &mut self.clocks[number];
        if let Some((wait, place)) = clock.resume_for.clone() {
            if clock.resume_at > self.now {
                let at = clock.resume_at;
                return Ok(self.block(number, wait, place, Some(at)));
            }
            clock.resume_for = None;
        }
        let Some(op) = operation else {
            self.run.step_task(self.interpreter, number)?;
            return Ok(true);
        };
        let version = self.state().map(|state| state.version);
        if self.clocks[number].version.is_some() && self.clocks[number].version == version {
            return Ok(false);
        }
        let cost = self.costs.of(context, op)?.clone();
        if let Some(obstacle) = self.obstacle(number, op, &cost) {
            let (wait, next) = obstacle;
            return Ok(self.block(number, wait, op, Some(next)));
        }
        self.execute(number, op, &cost)
    }

    /// What an operation waits for besides the state of pipelines, and until when.
    fn obstacle(&self, number: usize, op: Operation, cost: &Cost) -> Option<(Wait, u64)> {
        let context = self.interpreter.context();
        let clock = &self.clocks[number];
        let (_, ready) = if cost.form == Form::Free {
            clock.last_operand(flow::decides(context, op).into_iter())
        } else {
            clock.last_operand(op.operands(context))
        };
        if ready > self.now {
            return Some((Wait::Operand, ready));
        }
        if nv_tileas::PipelineYield::matches(context, op) {
            // A region that hands its stage over; others leave that to a commit or release.
            let parent = op.parent_op(context);
            let hands_over = parent.is_some_and(|parent| parent.is_one_of(context, WHOLE_STAGE));
            let accesses = clock.stage_accesses.last().copied().unwrap_or(0);
            return (hands_over && accesses > self.now).then_some((Wait::Own, accesses));
        }
        if op.is_one_of(context, GIVES_AWAY)
            && let Some(owner) = self.owner_of(number, op)
            && let Some(&done) = self.accesses.get(&(number, owner.pipeline, owner.step))
            && done > self.now
        {
            return Some((Wait::Own, done));
        }
        if clock.copies > self.now && self.leaves_mutex(number, op) {
            return Some((Wait::Own, clock.copies));
        }
        if cost.form == Form::Asynchronous {
            return None;
        }
        let (unit, next) = self.units.obstacle(cost, self.now)?;
        Some((Wait::Unit(self.units.name(unit)), next))
    }

    /// Notes that an agent waits.
    fn block(&mut self, number: usize, wait: Wait, op: Operation, wake: Option<u64>) -> bool {
        let known = self.clocks[number].blocked.as_ref();
        if known.is_none_or(|(known, place, _)| *known != wait || *place != op) {
            self.unblock(number);
            self.clocks[number].blocked = Some((wait, op, self.now));
        }
        self.clocks[number].wake = wake;
        false
    }

    /// Counts the wait that ends.
    fn unblock(&mut self, number: usize) {
        let clock = &mut self.clocks[number];
        clock.wake = None;
        clock.version = None;
        let Some((wait, operation, since)) = clock.blocked.take() else {
            return;
        };
        let cycles = self.now - since;
        if cycles == 0 {
            return;
        }
        if wait != Wait::Own {
            self.spans.push(Span {
                track: Track::Agent(number),
                operation,
                wait: Some(wait.clone()),
                start: since,
                duration: cycles,
            });
        }
        self.waits.add(number, operation, wait, cycles);
    }

    /// Executes an operation that can start now, unless the state of pipelines does not permit it;
    /// whether it did.
    fn execute(&mut self, number: usize, op: Operation, cost: &Cost) -> Result<bool, Failure> {
        let context = self.interpreter.context();
        let stage = self.stage_of(number, op);
        let touched = match cost.form {
            Form::Asynchronous => Vec::new(),
            _ => self.stages_touched(number, op),
        };
        let copies = self.copies_allocation(number, op);
        let given = op
            .is_one_of(context, GIVES_AWAY)
            .then(|| self.owner_of(number, op));
        let before = self.effects_of(number);
        let regions = self.run.tasks()[number].machine.frames().len();
        let agents = self.clocks.len();
        match self.run.step_task(self.interpreter, number)? {
            Stepped::Waits => {
                let wait = waits_for(context, op);
                self.block(number, wait, op, None);
                self.clocks[number].version = self.state().map(|state| state.version);
                let forked = self.run.tasks().len() > agents;
                let clock = self.clocks[number].forked(self.now);
                self.clocks.resize(self.run.tasks().len(), clock);
                return Ok(forked);
            }
            Stepped::Ran | Stepped::Finished => {}
        }
        self.unblock(number);
        if let Some(owner) = given.flatten() {
            self.accesses.remove(&(number, owner.pipeline, owner.step));
        }
        self.request(number, before)?;
        let entered = self.run.tasks()[number].machine.frames().len() > regions;
        let done = self.hand_over(op, stage, cost) + cost.latency;
        self.clocks[number].done = self.clocks[number].done.max(self.now);
        match cost.form {
            Form::Free => self.follow(number, op, entered),
            Form::Asynchronous => self.define_results(number, op, self.now),
            Form::Pipelined | Form::Blocking => {
                self.occupy(cost, op);
                self.hold(number, op, cost, done);
                if copies {
                    let last = &mut self.clocks[number].copies;
                    *last = (*last).max(done);
                }
                for owner in &touched {
                    let stage = (number, owner.pipeline, owner.step);
                    let last = self.accesses.entry(stage).or_insert(0);
                    *last = (*last).max(done);
                }
                let innermost = self.clocks[number].stage_accesses.last_mut();
                if let Some(last) = innermost.filter(|_| !touched.is_empty()) {
                    *last = (*last).max(done);
                }
            }
        }
        if entered && flow::is_of_pipeline(context, op) {
            self.clocks[number].stage_accesses.push(0);
        }
        Ok(true)
    }

    /// The agent after it started a synchronous operation.
    fn hold(&mut self, number: usize, op: Operation, cost: &Cost, done: u64) {
        let context = self.interpreter.context();
        self.define_results(number, op, done);
        let completions = [
            nv_tileas::AsyncWait::DEFINITION,
            nv_tileas::FutureWait::DEFINITION,
        ];
        let is_wait = op.is_one_of(context, TAKES) || op.is_one_of(context, &completions);
        let is_stage = op.is_one_of(context, WHOLE_STAGE);
        let clock = &mut self.clocks[number];
        if (cost.form == Form::Blocking || is_wait || is_stage) && done > self.now {
            clock.resume_at = done;
            clock.resume_for = Some((Wait::Own, op));
        }
        clock.done = clock.done.max(done);
        self.end = self.end.max(done);
        if cost.latency > 0 {
            self.spans.push(Span {
                track: Track::Agent(number),
                operation: op,
                wait: None,
                start: self.now,
                duration: done - self.now,
            });
        }
    }

    fn define_results(&mut self, number: usize, op: Operation, at: u64) {
        for value in op.results(self.interpreter.context()) {
            self.clocks[number].define(value, at);
        }
    }

    /// Follows control flow after a free operation.
    fn follow(&mut self, number: usize, op: Operation, entered: bool) {
        let context = self.interpreter.context();
        let now = self.now;
        let clock = &mut self.clocks[number];
        flow::propagate(context, op, clock, now);
        if nv_tileas::PipelineYield::matches(context, op) {
            clock.stage_accesses.pop();
        }
        if scf::For::matches(context, op) && entered {
            clock.loops.push((op, vec![now]));
        } else if scf::Yield::matches(context, op) {
            self.next_iteration(number, op);
        }
    }

    /// The end of an iteration, and perhaps of its loop.
    fn next_iteration(&mut self, number: usize, end: Operation) {
        let context = self.interpreter.context();
        let Some(looped) = end.parent_op(context) else {
            return;
        };
        if !scf::For::matches(context, looped) {
            return;
        }
        let now = self.now;
        let frame = self.run.tasks()[number].machine.frames().last();
        let continues = frame.is_some_and(|frame| frame.region() == looped.region(context, 0));
        let clock = &mut self.clocks[number];
        if continues {
            if let Some((_, starts)) = clock.loops.last_mut() {
                starts.push(now);
            }
            return;
        }
        let Some((looped, starts)) = clock.loops.pop() else {
            return;
        };
        if !is_innermost(context, looped) {
            return;
        }
        let times = self.loops.entry((number, looped)).or_insert(LoopTimes {
            operation: looped,
            agent: number,
            iterations: 0,
            scheduled: scheduled_interval(context, looped),
            steady: (0, 0),
            runs: Vec::new(),
        });
        times.iterations += starts.len() as u64;
        let (cycles, iterations) = steady(&starts);
        times.steady.0 += cycles;
        times.steady.1 += iterations;
        times.runs.push((starts, now));
    }

    fn effects_of(&self, number: usize) -> u64 {
        let count = self.state().and_then(|state| state.started.get(&number));
        count.copied().unwrap_or(0)
    }

    /// Queues the asynchronous operations that a task has started.
    fn request(&mut self, task: usize, before: u64) -> Result<(), Failure> {
        let context = self.interpreter.context();
        for number in before..self.effects_of(task) {
            let name = EffectName { task, number };
            let effect = self.state().and_then(|state| state.effects.get(&name));
            let Some(effect) = effect else { continue };
            let operation = effect.operation;
            let after = effect.after.clone();
            let is_handover = matches!(effect.work, Work::Publish(_) | Work::Return(_));
            let cost = if is_handover {
                Cost::NOTHING
            } else {
                self.costs.of(context, operation)?.clone()
            };
            self.queue.push(Request {
                name,
                operation,
                cost,
                after,
            });
        }
        Ok(())
    }

    /// The stage that an operation on a pipeline refers to.
    fn stage_of(&self, number: usize, op: Operation) -> Option<(usize, usize)> {
        let context = self.interpreter.context();
        if !flow::is_of_pipeline(context, op) {
            return None;
        }
        let machine = &self.run.tasks()[number].machine;
        let data = op
            .operands(context)
            .filter_map(|value| machine.value(value));
        let (pipeline, step) = data
            .filter_map(Handle::of)
            .find_map(|handle| match handle {
                Handle::Cursor { pipeline, step, .. }
                | Handle::Owned(Ownership { pipeline, step, .. }) => Some((*pipeline, *step)),
                _ => None,
            })?;
        let ring = self.state()?.rings.get(pipeline)?;
        Some((pipeline, ring.slot_of(step)))
    }

    /// The cycle at which an operation that has taken a stage sees it; records the cycle at which
    /// the other side sees a stage that was given away. Now for other operations.
    fn hand_over(&mut self, op: Operation, stage: Option<(usize, usize)>, cost: &Cost) -> u64 {
        let context = self.interpreter.context();
        let Some(stage) = stage else { return self.now };
        if op.is_one_of(context, GIVES_AWAY) {
            self.visible.insert(stage, self.now + cost.latency);
            return self.now;
        }
        if op.is_one_of(context, TAKES) || op.is_one_of(context, WHOLE_STAGE) {
            let visible = self.visible.get(&stage).copied().unwrap_or(0);
            return self.now.max(visible);
        }
        self.now
    }

    /// The stages that an operation accesses directly.
    fn stages_touched(&self, number: usize, op: Operation) -> Vec<Ownership> {
        let context = self.interpreter.context();
        let machine = &self.run.tasks()[number].machine;
        let data = op
            .operands(context)
            .filter_map(|value: Value| machine.value(value));
        data.filter_map(|datum| match Handle::of(datum) {
            Some(Handle::Stage { owner, .. }) => Some(*owner),
            _ => None,
        })
        .collect()
    }

    /// Whether an operation copies from or to an allocation of the block.
    fn copies_allocation(&self, number: usize, op: Operation) -> bool {
        let context = self.interpreter.context();
        let machine = &self.run.tasks()[number].machine;
        let mut data = op
            .operands(context)
            .filter_map(|value| machine.value(value));
        nv_tileas::Copy::matches(context, op)
            && data.any(|datum| match (Handle::of(datum), self.state()) {
                (Some(Handle::Memory(view)), Some(state)) => {
                    state.memory.buffers[view.buffer].space != MemorySpace::Global
                }
                _ => false,
            })
    }

    /// Whether an operation gives a mutex away.
    fn leaves_mutex(&self, number: usize, op: Operation) -> bool {
        let gives = op.is_one_of(self.interpreter.context(), GIVES_AWAY);
        let owner = gives.then(|| self.owner_of(number, op)).flatten();
        owner.is_some_and(|owner| {
            let ring = self
                .state()
                .and_then(|state| state.rings.get(owner.pipeline));
            ring.is_some_and(|ring| ring.mutex)
        })
    }

    /// The stage that an operation gives away.
    fn owner_of(&self, number: usize, op: Operation) -> Option<Ownership> {
        let machine = &self.run.tasks()[number].machine;
        let mut data = op
            .operands(self.interpreter.context())
            .filter_map(|value| machine.value(value));
        data.find_map(|datum| match Handle::of(datum) {
            Some(Handle::Owned(owner)) => Some(*owner),
            _ => None,
        })
    }

    fn record(self) -> Record {
        let agents = self.run.tasks().iter().zip(&self.clocks).enumerate();
        let agents = agents.map(|(number, (task, clock))| AgentTimes {
            name: task.name.clone(),
            start: clock.started,
            end: clock.done,
            waiting: self.waits.of_agent(number),
        });
        let units = self.units.busy().map(|(unit, busy)| UnitTimes {
            name: self.units.name(unit),
            busy,
        });
        let last = self.clocks.iter().map(|clock| clock.done).max();
        Record {
            machine: self.machine.name().to_owned(),
            cycles: last.unwrap_or(0).max(self.end),
            agents: agents.collect(),
            units: units.collect(),
            loops: self.loops.into_values().collect(),
            waits: self.waits.sorted(),
            spans: self.spans,
        }
    }
}

/// Operations that take a stage.
const TAKES: &[&OperationDefinition] = &[
    nv_tileas::ProducerAcquire::DEFINITION,
    nv_tileas::ConsumerWait::DEFINITION,
];

/// Operations that hand a stage to the other side.
const GIVES_AWAY: &[&OperationDefinition] = &[
    nv_tileas::ProducerCommit::DEFINITION,
    nv_tileas::ConsumerRelease::DEFINITION,
];

/// Operations that take a stage, and hand it over after their region.
const WHOLE_STAGE: &[&OperationDefinition] = &[
    nv_tileas::ProduceOne::DEFINITION,
    nv_tileas::ProduceOneAsync::DEFINITION,
    nv_tileas::ConsumeOne::DEFINITION,
    nv_tileas::ConsumeOneAsync::DEFINITION,
];

/// Operations that wait for a free stage.
const FILLS: &[&OperationDefinition] = &[
    nv_tileas::ProducerAcquire::DEFINITION,
    nv_tileas::ProduceOne::DEFINITION,
    nv_tileas::ProduceOneAsync::DEFINITION,
];

/// Operations that wait for a full stage.
const EMPTIES: &[&OperationDefinition] = &[
    nv_tileas::ConsumerWait::DEFINITION,
    nv_tileas::ConsumeOne::DEFINITION,
    nv_tileas::ConsumeOneAsync::DEFINITION,
];

/// What an operation waits for that cannot continue.
fn waits_for(context: &Context, op: Operation) -> Wait {
    if nv_tileas::AgentSwitch::matches(context, op) {
        Wait::Agents
    } else if op.is_one_of(context, FILLS) {
        Wait::FreeStage
    } else if op.is_one_of(context, EMPTIES) {
        Wait::FullStage
    } else {
        Wait::Completion
    }
}

fn is_innermost(context: &Context, looped: Operation) -> bool {
    let nested = orison_ir::walk::collect(context, looped);
    let mut nested = nested.into_iter().filter(|op| *op != looped);
    !nested.any(|op| op.is_one_of(context, &[scf::For::DEFINITION, scf::While::DEFINITION]))
}

/// The interval that the scheduler promised for a loop.
fn scheduled_interval(context: &Context, looped: Operation) -> Option<u64> {
    let summary = looped.attribute(context, SUMMARY);
    let scheduled = summary.and_then(|summary| summary.get(context, "ii"));
    let interval = looped.attribute(context, INTERVAL).or(scheduled)?;
    u64::try_from(interval.as_i32(context)?).ok()
}
