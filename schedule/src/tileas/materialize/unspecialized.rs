//! The driver for a single agent: the loop issues loads ahead of their use.
//!
//! With n stages, the loads of the first n - 1 iterations are issued before the loop; each
//! iteration of the loop uses the oldest stage and loads for the iteration n - 1 later; after the
//! loop the last n - 1 stages are used. Peeled iterations are guarded, so that loops with fewer
//! iterations keep their behaviour. Completion tokens of the stages in flight are carried, oldest
//! first.
//!
//! Source: TileAS reference 1.12 (AUS), 6.6 (peeling), 9.2 (legality).

use orison_tileas::nv_tileas::types;
use std::collections::BTreeMap;

use orison_host::arith;
use orison_host::scf;
use orison_ir::{
    Builder, Context, Diagnostic, InsertionPoint, Location, Mapping, Operation, Type, Value,
};
use orison_tileas::nv_tileas;

use super::super::solve::{Agent, PlannedItem, RegionPlan, ScheduledLoop, plan_loop};
use super::agents::{AgentWriter, Handshake};
use super::channel_key::ChannelKey;
use super::channels::{Channel, Descriptors, next_descriptor};
use super::emission::Emission;
use super::emit::Emitter;
use super::specialized::Refusal;
use super::storage::Storage;

/// The diagnostic for a loop that cannot be pipelined (TileAS reference 10).
pub const FAILED: &str = "Failed to pipeline loop";
/// The frame of the loop body in the plan of a single loop.
const BODY: usize = 1;

/// A loop for which everything is decided, before any change.
#[derive(Clone, Debug)]
pub struct Unspecialized {
    plan: RegionPlan,
    looped: Operation,
    stages: u32,
    /// Number of iterations, if known and guards that it decides are to be omitted.
    iterations: Option<u64>,
}

/// Parameters of single-agent pipelining.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Peeling {
    /// Stages, at least 2.
    pub stages: u32,
    /// Whether guards decided by constant bounds are omitted.
    pub rewrite: bool,
}

impl Unspecialized {
    /// Decides how a loop is pipelined in one agent.
    ///
    /// # Errors
    /// As [`plan_loop`].
    pub fn prepare(
        context: &Context,
        scheduled: &ScheduledLoop,
        shared_memory: u64,
        peeling: Peeling,
    ) -> Result<Result<Self, Refusal>, Box<Diagnostic>> {
        let looped = scheduled.body.op;
        let refuse = |help: &'static str| {
            Ok(Err(Refusal {
                at: looped,
                reason: FAILED.to_owned(),
                help,
            }))
        };
        let Some(plan) = plan_loop(context, scheduled, shared_memory)? else {
            return refuse("load tiles with weak memory semantics inside the loop");
        };
        let frame = &plan.frames[BODY];
        let returned = frame
            .pipes
            .iter()
            .any(|pipe| pipe.route.is_some_and(|route| !route.is_load()));
        if returned
            || frame
                .mutexes
                .iter()
                .any(|mutex| mutex.first == Agent::COMPUTE)
        {
            return refuse(
                "a load depends on earlier computations or stores of the same iteration",
            );
        }
        // The next iteration may load what an iteration stores, but no later one may load before
        // the store.
        let allowed = if frame.mutexes.is_empty() {
            peeling.stages
        } else {
            2
        };
        let slot: u64 = frame.pipes.iter().map(|pipe| pipe.slot_bytes).sum();
        let affordable = shared_memory.checked_div(slot).unwrap_or(u64::MAX);
        let stages = allowed.min(u32::try_from(affordable).unwrap_or(u32::MAX));
        if stages < 2 {
            return refuse("two stages do not fit in shared memory, or only one was requested");
        }
        let iterations = iterations(context, looped).filter(|_| peeling.rewrite);
        Ok(Ok(Unspecialized {
            plan,
            looped,
            stages,
            iterations,
        }))
    }

    /// The loop.
    pub fn looped(&self) -> Operation {
        self.looped
    }

    /// The number of stages of the pipelined loop.
    pub fn stages(&self) -> u32 {
        self.stages
    }

    /// Whether an iteration may load what the previous one stores, which permits only two stages.
    pub fn waits_for_stores(&self) -> bool {
        !self.plan.frames[BODY].mutexes.is_empty()
    }

    /// The plan.
    pub fn plan(&self) -> &RegionPlan {
        &self.plan
    }

    /// Writes the pipelined form before the loop.
    pub fn emit(&self, context: &mut Context) -> Emission {
        let location = self.looped.location(context);
        let before = self.looped.previous(context);
        let mut next = next_descriptor(context, self.looped);
        let mut builder = Builder::new(context);
        builder.set_insertion_point(InsertionPoint::Before(self.looped));
        let mut emitter = Emitter { builder, location };
        let descriptors = emitter.descriptors(&self.plan, &mut next);
        let mut storage = Storage::default();
        for number in 0..self.plan.frames[BODY].pipes.len() {
            let key = ChannelKey::pipe(BODY, number);
            storage.depths.insert(key, self.stages);
        }
        let mut channels = emitter.channels(&self.plan, &storage, 1);
        channels.retain(|channel| matches!(channel.key.item, PlannedItem::Pipe(_)));
        let mut writer = LoopWriter::new(self, &mut emitter, &channels, &descriptors);
        let results = writer.write();
        let results = results.into_iter();
        let original = |position| self.looped.result(context, position);
        let replaced = results.map(|(position, value)| (original(position), value));
        let replaced = replaced.collect();
        Emission::new(context, before, self.looped, vec![self.looped], replaced)
    }
}

/// The number of iterations of a loop with constant bounds.
pub(super) fn iterations(context: &Context, looped: Operation) -> Option<u64> {
    let constant = |number: usize| {
        let made = looped.operand(context, number).defining_op(context)?;
        arith::Constant::matches(context, made)
            .then(|| made.attribute(context, "value")?.as_i64(context))?
    };
    let (lower, upper, step) = (constant(0)?, constant(1)?, constant(2)?);
    let span = i128::from(upper) - i128::from(lower);
    let step = i128::from(step);
    if step <= 0 {
        return None;
    }
    u64::try_from((span.max(0) + step - 1) / step).ok()
}

/// The values one agent carries between iterations.
#[derive(Clone, Debug)]
struct State {
    agent: Agent,
    carried: Vec<Value>,
    iterators: BTreeMap<ChannelKey, Value>,
}

impl State {
    fn values(&self) -> Vec<Value> {
        let iterators = self.iterators.values();
        self.carried.iter().chain(iterators).copied().collect()
    }

    /// Replaces the values in the order of [`State::values`].
    fn take(&mut self, values: &mut impl Iterator<Item = Value>) {
        let slots = self.carried.iter_mut().chain(self.iterators.values_mut());
        for (slot, value) in slots.zip(values) {
            *slot = value;
        }
    }
}

/// Tokens of the stages in flight: for each stage, oldest first, one for each pipe.
type Flight = Vec<Vec<Value>>;

struct LoopWriter<'w, 'e> {
    chosen: &'w Unspecialized,
    emitter: &'w mut Emitter<'e>,
    channels: &'w [Channel],
    descriptors: &'w Descriptors,
    bounds: [Value; 3],
    location: Location,
}

impl<'w, 'e> LoopWriter<'w, 'e> {
    fn new(
        chosen: &'w Unspecialized,
        emitter: &'w mut Emitter<'e>,
        channels: &'w [Channel],
        descriptors: &'w Descriptors,
    ) -> Self {
        let bounds = [0, 1, 2].map(|number| chosen.looped.operand(emitter.ir(), number));
        let location = emitter.location;
        LoopWriter {
            chosen,
            emitter,
            channels,
            descriptors,
            bounds,
            location,
        }
    }

    fn ahead(&self) -> usize {
        self.chosen.stages as usize - 1
    }

    /// Writes prologue, loop and epilogue; returns the replacements of the loop's results.
    fn write(&mut self) -> Vec<(usize, Value)> {
        let mut load = self.start(Agent::LOAD);
        let mut compute = self.start(Agent::COMPUTE);
        let mut flight: Flight = Vec::new();
        for stage in 0..self.ahead() {
            let index = self.offset(self.bounds[0], stage);
            flight.push(self.prologue(stage, index, &mut load));
        }
        let next = self.steady(&mut load, &mut compute, &mut flight);
        for stage in 0..self.ahead() {
            let index = self.offset(next, stage);
            let tokens = flight.remove(0);
            self.epilogue(stage, index, &mut compute, &tokens);
        }
        let kept = self.kept(Agent::COMPUTE);
        kept.into_iter().zip(compute.carried).collect()
    }

    fn kept(&self, agent: Agent) -> Vec<usize> {
        let work = self.chosen.plan.partition.work(agent);
        let kept = work.kept.get(&self.chosen.looped);
        kept.into_iter().flatten().copied().collect()
    }

    fn start(&self, agent: Agent) -> State {
        let context = self.emitter.ir();
        let initial = |position: usize| self.chosen.looped.operand(context, position + 3);
        let channels = self.channels.iter();
        let iterators = channels.map(|channel| (channel.key, channel.iterator_of(agent)));
        State {
            agent,
            carried: self.kept(agent).into_iter().map(initial).collect(),
            iterators: iterators.collect(),
        }
    }

    /// An index some iterations later.
    fn offset(&mut self, index: Value, iterations: usize) -> Value {
        if iterations == 0 {
            return index;
        }
        let ahead = self.distance(iterations);
        self.emitter.arith("addi", index, ahead)
    }

    /// The given number of iterations, as a difference of indices.
    fn distance(&mut self, iterations: usize) -> Value {
        if iterations == 1 {
            return self.bounds[2];
        }
        let ty = self.emitter.type_of(self.bounds[2]);
        let count = i64::try_from(iterations).unwrap_or(i64::MAX);
        let count = self.emitter.constant(ty, count);
        self.emitter.arith("muli", self.bounds[2], count)
    }

    /// Loads for one iteration, if that iteration exists.
    fn prologue(&mut self, stage: usize, index: Value, load: &mut State) -> Vec<Value> {
        match self.chosen.iterations {
            Some(count) if (stage as u64) < count => return self.produce(index, load),
            Some(_) => return self.no_tokens(),
            None => {}
        }
        let token = self.emitter.ty(&types::ASYNC_TOKEN_TYPE);
        let mut types = self.emitter.types_of(&load.values());
        types.extend(self.channels.iter().map(|_| token));
        let before = load.values();
        let branch = self.guard(index, &types);
        let (_, outside) = self.emitter.enter(branch, 0);
        let tokens = self.produce(index, load);
        let mut yielded = load.values();
        yielded.extend(tokens);
        self.emitter.scf_yield(&yielded);
        self.emitter.leave(outside);
        let (_, outside) = self.emitter.enter(branch, 1);
        let mut same = before;
        same.extend(self.no_tokens());
        self.emitter.scf_yield(&same);
        self.emitter.leave(outside);
        let mut results = self.results(branch);
        load.take(&mut results);
        results.collect()
    }

    fn results(&self, op: Operation) -> std::vec::IntoIter<Value> {
        let results: Vec<Value> = op.results(self.emitter.ir()).collect();
        results.into_iter()
    }

    /// A branch on whether an index belongs to an iteration.
    fn guard(&mut self, index: Value, types: &[Type]) -> Operation {
        let is_one = self.emitter.less(index, self.bounds[1]);
        self.emitter.create(scf::If::NAME, &[is_one], types, &[], 2)
    }

    fn no_tokens(&mut self) -> Vec<Value> {
        let ty = self.emitter.ty(&types::ASYNC_TOKEN_TYPE);
        let count = self.channels.len();
        let none = self
            .emitter
            .create(nv_tileas::CreateNone::NAME, &[], &[ty], &[], 0);
        vec![self.emitter.result(none, 0); count]
    }

    /// The loop: uses the oldest stage, then loads for a later iteration. Returns the index of the
    /// first remaining iteration.
    fn steady(&mut self, load: &mut State, compute: &mut State, flight: &mut Flight) -> Value {
        let ahead = self.ahead();
        let distance = self.distance(ahead);
        let end = self.emitter.arith("subi", self.bounds[1], distance);
        let mut initial = vec![self.bounds[0]];
        initial.extend(compute.values());
        initial.extend(load.values());
        initial.extend(flight.iter().flatten());
        let bounds = [self.bounds[0], end, self.bounds[2]];
        let (looped, arguments, outside) = self.emitter.loop_over(bounds, &initial);
        self.emitter.keep_attributes(self.chosen.looped, looped, 1);
        let index = arguments[0];
        let mut arguments = arguments.into_iter().skip(2);
        self.take(&mut arguments, load, compute, flight);
        let tokens = flight.remove(0);
        self.consume(index, compute, &tokens);
        let later = self.offset(index, ahead);
        flight.push(self.produce(later, load));
        let mut next = vec![self.offset(index, 1)];
        next.extend(compute.values());
        next.extend(load.values());
        next.extend(flight.iter().flatten());
        self.emitter.scf_yield(&next);
        self.emitter.leave(outside);
        let mut results = self.results(looped);
        let left = results.next();
        self.take(&mut results, load, compute, flight);
        left.unwrap_or(self.bounds[0])
    }

    fn take(
        &self,
        values: &mut impl Iterator<Item = Value>,
        load: &mut State,
        compute: &mut State,
        flight: &mut Flight,
    ) {
        compute.take(values);
        load.take(values);
        for (slot, value) in flight.iter_mut().flatten().zip(values) {
            *slot = value;
        }
    }

    /// Uses one of the last stages, if that iteration exists.
    fn epilogue(&mut self, stage: usize, index: Value, compute: &mut State, tokens: &[Value]) {
        match self.chosen.iterations {
            Some(count) if (stage as u64) < count => return self.consume(index, compute, tokens),
            Some(_) => return,
            None => {}
        }
        let before = compute.values();
        let types = self.emitter.types_of(&before);
        let branch = self.guard(index, &types);
        let (_, outside) = self.emitter.enter(branch, 0);
        self.consume(index, compute, tokens);
        let values = compute.values();
        self.emitter.scf_yield(&values);
        self.emitter.leave(outside);
        let (_, outside) = self.emitter.enter(branch, 1);
        self.emitter.scf_yield(&before);
        self.emitter.leave(outside);
        let mut results = self.results(branch);
        compute.take(&mut results);
    }

    /// Issues the loads of one iteration.
    fn produce(&mut self, index: Value, load: &mut State) -> Vec<Value> {
        let filled = self.iteration(index, load, BTreeMap::new());
        let keys = self.channels.iter().map(|channel| channel.key);
        keys.filter_map(|key| filled.get(&key).copied()).collect()
    }

    /// Executes the rest of one iteration.
    fn consume(&mut self, index: Value, compute: &mut State, tokens: &[Value]) {
        let keys = self.channels.iter().map(|channel| channel.key);
        let filled = keys.zip(tokens.iter().copied()).collect();
        self.iteration(index, compute, filled);
    }

    /// One agent's share of an iteration.
    fn iteration(
        &mut self,
        index: Value,
        state: &mut State,
        filled: BTreeMap<ChannelKey, Value>,
    ) -> BTreeMap<ChannelKey, Value> {
        let kept = self.kept(state.agent);
        let plan = &self.chosen.plan;
        let block = plan.partition.frames[BODY].block;
        let mut mapping = Mapping::default();
        let arguments: Vec<Value> = block.arguments(self.emitter.ir()).collect();
        mapping.map(arguments[0], index);
        for (position, value) in kept.iter().zip(&state.carried) {
            mapping.map(arguments[position + 1], *value);
        }
        self.emitter.location = self.location;
        let mut writer = AgentWriter::new(
            self.emitter,
            plan,
            state.agent,
            self.channels,
            self.descriptors,
        );
        writer.handshake = Handshake::Combined;
        writer.mapping = mapping;
        writer.filled = filled;
        writer.iterators.clone_from(&state.iterators);
        writer.frame(BODY);
        state.carried = writer.next_carried(block, &kept);
        state.iterators.clone_from(&writer.iterators);
        writer.filled
    }
}
