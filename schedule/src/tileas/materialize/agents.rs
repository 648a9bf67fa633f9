//! The body of one agent: its share of every frame.

use orison_tileas::nv_tileas::types;
use std::collections::{BTreeMap, BTreeSet};

use orison_host::scf;
use orison_ir::walk::collect;
use orison_ir::{Attribute, Block, Context, InsertionPoint, Mapping, Operation, Type, Value};
use orison_tileas::nv_tileaa;
use orison_tileas::nv_tileas;

use super::super::solve::{Agent, PipePlan, RegionPlan};
use super::super::tokens::is_token;
use super::channel_key::ChannelKey;
use super::channels::{Channel, Descriptors};
use super::emit::Emitter;
use super::steps::{Step, StepBuilder, Steps};

/// Writes one agent.
pub(super) struct AgentWriter<'a, 'e> {
    pub(super) emitter: &'a mut Emitter<'e>,
    pub(super) plan: &'a RegionPlan,
    pub(super) agent: Agent,
    pub(super) channels: &'a [Channel],
    pub(super) descriptors: &'a Descriptors,
    /// Maps values of the original to values of this agent.
    pub(super) mapping: Mapping,
    /// The current iterator of each channel.
    pub(super) iterators: BTreeMap<ChannelKey, Value>,
    /// Tokens of the mutexes that are held.
    pub(super) held: BTreeMap<ChannelKey, Value>,
    /// The compute agent, from 0, that this agent is or currently serves.
    pub(super) group: usize,
    /// The loop whose iterations compute agents take in turn.
    pub(super) shared: Option<Operation>,
    /// Descriptors created by this agent.
    pub(super) made: BTreeMap<Operation, Value>,
    /// The handshake for passing stages.
    pub(super) handshake: Handshake,
    /// The tokens of products that are started and not waited for.
    pub(super) products: BTreeMap<Operation, Value>,
    /// The values that signal that a stage was filled: from `produce_one_async`, for `async.wait`.
    pub(super) filled: BTreeMap<ChannelKey, Value>,
}

/// A loop of which an agent writes a copy.
pub(super) struct ProjectedLoop {
    /// The original.
    pub(super) op: Operation,
    /// Bounds and step.
    pub(super) bounds: [Value; 3],
    /// The initial values of what the copy carries: kept arguments, then iterators.
    pub(super) initial: Vec<Value>,
    /// Positions of the arguments that the agent keeps.
    pub(super) kept: Vec<usize>,
    /// The channels used in the loop.
    pub(super) keys: Vec<ChannelKey>,
}

/// How an agent acquires and releases stages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Handshake {
    /// Acquire, write, commit; wait, read, release.
    Separate,
    /// `produce_one_async` and `consume_one`, in one agent that needs no mutexes.
    Combined,
}

impl<'a, 'e> AgentWriter<'a, 'e> {
    /// A writer at the start of an agent's region.
    pub(super) fn new(
        emitter: &'a mut Emitter<'e>,
        plan: &'a RegionPlan,
        agent: Agent,
        channels: &'a [Channel],
        descriptors: &'a Descriptors,
    ) -> Self {
        let iterators = channels
            .iter()
            .map(|channel| (channel.key, channel.iterator_of(agent)))
            .collect();
        AgentWriter {
            emitter,
            plan,
            agent,
            channels,
            descriptors,
            mapping: Mapping::default(),
            iterators,
            held: BTreeMap::new(),
            group: 0,
            shared: None,
            made: BTreeMap::new(),
            handshake: Handshake::Separate,
            products: BTreeMap::new(),
            filled: BTreeMap::new(),
        }
    }

    pub(super) fn ir(&self) -> &Context {
        self.emitter.ir()
    }

    pub(super) fn channel(&self, key: ChannelKey) -> Channel {
        let found = self.channels.iter().find(|channel| channel.key == key);
        // Every pipe and mutex of a plan has a channel, except for pipes without producers, which
        // no step names.
        let Some(channel) = found else {
            unreachable!("steps name channels that exist")
        };
        *channel
    }

    pub(super) fn pipe_key(&self, frame: usize, number: usize) -> ChannelKey {
        ChannelKey::pipe(frame, number).with(self.group)
    }

    pub(super) fn mutex_key(&self, frame: usize, number: usize) -> ChannelKey {
        ChannelKey::mutex(frame, number).with(self.group)
    }

    /// Writes the agent's share of a frame at the insertion point.
    pub(super) fn frame(&mut self, frame: usize) {
        let steps = StepBuilder::new(self.emitter.ir(), self.plan, frame, self.agent).build();
        let last = steps.list.len();
        self.steps(frame, &steps, 0..last, &[]);
        if frame > 0 {
            self.advance(frame);
        }
    }

    /// Advances the iterators of a frame's channels.
    fn advance(&mut self, frame: usize) {
        let keys = self.channel_keys(|key| key.frame == frame && key.group == self.group);
        keys.into_iter().for_each(|key| self.advance_one(key));
    }

    /// Advances the iterator of a channel.
    pub(super) fn advance_one(&mut self, key: ChannelKey) {
        let iterator = self.iterators[&key];
        let ty = self.emitter.type_of(iterator);
        let made = self
            .emitter
            .pipeline_op("inc_iter", &[iterator], &[ty], &[], 0);
        let next = self.emitter.result(made, 0);
        self.iterators.insert(key, next);
    }

    fn channel_keys(&self, wanted: impl Fn(ChannelKey) -> bool) -> Vec<ChannelKey> {
        let keys = self.channels.iter().map(|channel| channel.key);
        keys.filter(|key| wanted(*key)).collect()
    }

    /// Channels used inside a projected operation.
    fn channels_within(&self, op: Operation) -> Vec<ChannelKey> {
        let context = self.ir();
        let frames = &self.plan.partition.frames;
        self.channel_keys(|key| {
            let owner = frames[key.frame].owner;
            owner.is_some_and(|owner| op.is_ancestor_of(context, owner))
        })
    }

    /// Writes steps. `open` are the pipes whose slots are being read around the steps.
    fn steps(
        &mut self,
        frame: usize,
        steps: &Steps,
        range: std::ops::Range<usize>,
        open: &[usize],
    ) {
        let mut position = range.start;
        while position < range.end {
            let widest = steps
                .spans
                .iter()
                .filter(|(pipe, span)| {
                    !open.contains(pipe) && span.0 == position && span.1 < range.end
                })
                .max_by_key(|(pipe, span)| (span.1, std::cmp::Reverse(*pipe)));
            if let Some(&(pipe, span)) = widest {
                let mut inner = open.to_vec();
                inner.push(pipe);
                self.read(frame, steps, pipe, Some(span), &inner);
                position = span.1 + 1;
            } else {
                self.step(frame, steps, steps.list[position]);
                position += 1;
            }
        }
    }

    fn step(&mut self, frame: usize, steps: &Steps, step: Step) {
        match step {
            Step::Copy(op) if steps.started.iter().any(|(started, _)| *started == op) => {
                self.start_product(op);
            }
            Step::Await(op) => self.await_product(op),
            Step::Copy(op) => {
                self.map_tokens(collect(self.ir(), op));
                let copy = self.emitter.copy(op, &mut self.mapping);
                if self.is_loader() {
                    self.emitter.forget_schedule(copy);
                }
            }
            Step::Project(op) if scf::For::matches(self.ir(), op) => self.project_loop(op),
            Step::Project(op) => self.project_branch(op),
            Step::Fill(pipe) => self.fill(frame, pipe),
            Step::Take(pipe) => self.read(frame, steps, pipe, None, &[pipe]),
            Step::Enter(_) | Step::Leave(_) if self.handshake == Handshake::Combined => {}
            Step::Enter(mutex) => self.enter_mutex(self.mutex_key(frame, mutex)),
            Step::Leave(mutex) => self.leave_mutex(self.mutex_key(frame, mutex)),
            // Only steps of rotated loops, which `overlapped_loop.rs` writes.
            Step::Wait(_) | Step::Release(_) => {}
        }
    }

    pub(super) fn is_loader(&self) -> bool {
        self.plan.partition.roles.is_loader(self.agent)
    }

    /// Positions of results and carried arguments that the agent keeps.
    pub(super) fn kept(&self, op: Operation) -> Vec<usize> {
        let kept = self.plan.partition.work(self.agent).kept.get(&op);
        kept.into_iter().flatten().copied().collect()
    }

    /// The agent's copy of a loop that contains scheduled loops, or is one.
    fn project_loop(&mut self, op: Operation) {
        let here = self.emitter.location;
        self.emitter.location = op.location(self.ir());
        let kept = self.kept(op);
        let keys = self.channels_within(op);
        let operands: Vec<Value> = op.operands(self.ir()).collect();
        let started: Vec<Value> = kept.iter().map(|number| operands[number + 3]).collect();
        self.map_token_values(&started);
        let mut initial: Vec<Value> = started.iter().map(|v| self.mapping.lookup(*v)).collect();
        initial.extend(keys.iter().map(|key| self.iterators[key]));
        let bounds = [0, 1, 2].map(|number: usize| self.mapping.lookup(operands[number]));
        let projected = ProjectedLoop {
            op,
            bounds,
            initial,
            kept,
            keys,
        };
        let results = match self.rotation_of(op) {
            Some(rotated) => self.rotated_loop(&projected, &rotated),
            None => self.plain_loop(&projected),
        };
        self.map_results(op, &results, &projected.kept, &projected.keys);
        self.emitter.location = here;
    }

    /// A copy of a loop that executes one iteration after the other; returns its results.
    pub(super) fn plain_loop(&mut self, projected: &ProjectedLoop) -> Vec<Value> {
        let ProjectedLoop { op, kept, keys, .. } = projected;
        let is_shared = self.shared == Some(*op);
        let bounds = if is_shared {
            self.alternating_bounds(projected.bounds)
        } else {
            projected.bounds
        };
        let (looped, arguments, outside) = self.emitter.loop_over(bounds, &projected.initial);
        let turns = if is_shared { 2 } else { 1 };
        self.emitter.keep_attributes(*op, looped, turns);
        let Some(block) = op.body_block(self.ir(), 0) else {
            return Vec::new();
        };
        self.map_arguments(block, projected, &arguments);
        let frame = self.plan.partition.frame_of(block);
        if is_shared && self.is_loader() {
            self.both_turns(*op, arguments[0], kept, keys);
        } else {
            self.body(frame, block, kept, keys);
        }
        self.emitter.leave(outside);
        looped.results(self.ir()).collect()
    }

    /// Maps the arguments of a loop to those of its copy.
    pub(super) fn map_arguments(
        &mut self,
        block: Block,
        projected: &ProjectedLoop,
        arguments: &[Value],
    ) {
        let originals: Vec<Value> = block.arguments(self.ir()).collect();
        self.mapping.map(originals[0], arguments[0]);
        let kept = projected.kept.len();
        for (number, position) in projected.kept.iter().enumerate() {
            self.mapping
                .map(originals[position + 1], arguments[number + 1]);
        }
        for (number, key) in projected.keys.iter().enumerate() {
            self.iterators.insert(*key, arguments[1 + kept + number]);
        }
    }

    /// Writes a frame and its terminator.
    fn body(&mut self, frame: Option<usize>, block: Block, kept: &[usize], keys: &[ChannelKey]) {
        if let Some(frame) = frame {
            self.frame(frame);
        }
        let mut next = self.next_carried(block, kept);
        next.extend(keys.iter().map(|key| self.iterators[key]));
        self.emitter.scf_yield(&next);
    }

    /// The values passed to the next iteration, or to the operations after the frame.
    pub(super) fn next_carried(&mut self, block: Block, kept: &[usize]) -> Vec<Value> {
        let terminator = block.terminator(self.ir());
        let yielded: Vec<Value> = terminator
            .map(|end| end.operands(self.ir()).collect())
            .unwrap_or_default();
        let yielded: Vec<Value> = kept.iter().map(|number| yielded[*number]).collect();
        self.map_token_values(&yielded);
        yielded.iter().map(|v| self.mapping.lookup(*v)).collect()
    }

    fn map_results(
        &mut self,
        op: Operation,
        results: &[Value],
        kept: &[usize],
        keys: &[ChannelKey],
    ) {
        let (values, iterators) = results.split_at(kept.len().min(results.len()));
        for (position, result) in kept.iter().zip(values) {
            let original = op.result(self.ir(), *position);
            self.mapping.map(original, *result);
        }
        self.iterators
            .extend(keys.iter().copied().zip(iterators.iter().copied()));
    }

    /// The agent's copy of a branch that contains scheduled loops. Both arms yield the current
    /// iterators.
    fn project_branch(&mut self, op: Operation) {
        let here = self.emitter.location;
        self.emitter.location = op.location(self.ir());
        let kept = self.kept(op);
        let keys = self.channels_within(op);
        let condition = self.mapping.lookup(op.operand(self.ir(), 0));
        let results: Vec<Value> = kept
            .iter()
            .map(|number| op.result(self.ir(), *number))
            .collect();
        let mut types = self.emitter.types_of(&results);
        types.extend(
            keys.iter()
                .map(|key| self.emitter.type_of(self.iterators[key])),
        );
        let branch = self
            .emitter
            .create(scf::If::NAME, &[condition], &types, &[], 2);
        self.emitter.keep_attributes(op, branch, 1);
        let before = self.iterators.clone();
        for arm in 0..2 {
            self.iterators.clone_from(&before);
            let (_, outside) = self.emitter.enter(branch, arm);
            match op.body_block(self.ir(), arm) {
                Some(block) => {
                    let frame = self.plan.partition.frame_of(block);
                    self.body(frame, block, &kept, &keys);
                }
                None => {
                    let same: Vec<Value> = keys.iter().map(|key| self.iterators[key]).collect();
                    self.emitter.scf_yield(&same);
                }
            }
            self.emitter.leave(outside);
        }
        let results: Vec<Value> = branch.results(self.ir()).collect();
        self.map_results(op, &results, &kept, &keys);
        self.emitter.location = here;
    }

    /// Waits for a slot and reads it: in a region around the steps of the span, or only to extract
    /// its values.
    fn read(
        &mut self,
        frame: usize,
        steps: &Steps,
        number: usize,
        span: Option<(usize, usize)>,
        open: &[usize],
    ) {
        let key = self.pipe_key(frame, number);
        let pipe = &self.plan.frames[frame].pipes[number];
        let escaping = self.escaping(frame, steps, number, span);
        let read = self.begin_read(key, &escaping, pipe);
        let behind = self.enter_read(read, pipe);
        if let Some((first, last)) = span {
            self.steps(frame, steps, first..last + 1, open);
        }
        let yielded: Vec<Value> = escaping.iter().map(|v| self.mapping.lookup(*v)).collect();
        self.emitter.pipeline_yield(&yielded);
        self.emitter.leave(behind);
        for (position, value) in escaping.iter().enumerate() {
            let result = self.emitter.result(read, position + 1);
            self.mapping.map(*value, result);
        }
        if self.handshake == Handshake::Separate {
            let operands = [self.channel(key).pipeline, self.emitter.result(read, 0)];
            self.emitter
                .pipeline_op("consumer_release", &operands, &[], &[], 0);
        }
    }

    /// The operation around the reads of a slot, with an empty region.
    fn begin_read(&mut self, key: ChannelKey, escaping: &[Value], pipe: &PipePlan) -> Operation {
        let types = self.emitter.types_of(escaping);
        if self.handshake == Handshake::Separate {
            let ready = self.wait_for(key, pipe);
            return self.read_region("consumer_read", key, ready, &types, pipe);
        }
        if let Some(filled) = self.filled.get(&key).copied() {
            self.emitter
                .create(nv_tileas::AsyncWait::NAME, &[filled], &[], &[], 0);
        }
        self.read_region("consume_one", key, self.iterators[&key], &types, pipe)
    }

    /// Waits for the current slot of a pipe; returns the token of its ownership.
    pub(super) fn wait_for(&mut self, key: ChannelKey, pipe: &PipePlan) -> Value {
        let operands = [self.channel(key).pipeline, self.iterators[&key]];
        let token = self.emitter.ty(&types::CONSUMER_TOKEN_TYPE);
        let properties = [("consumer_idx", self.consumer_index(pipe))];
        let ready = self
            .emitter
            .pipeline_op("consumer_wait", &operands, &[token], &properties, 0);
        self.emitter.result(ready, 0)
    }

    /// An operation that reads a slot, given its ownership or (`consume_one`) its iterator, with an
    /// empty region that yields values of these types.
    pub(super) fn read_region(
        &mut self,
        name: &str,
        key: ChannelKey,
        slot: Value,
        types: &[Type],
        pipe: &PipePlan,
    ) -> Operation {
        let payload = Attribute::type_array(self.emitter.builder.context(), pipe.payload());
        let listed = match name {
            "consume_one" => "consumer_types",
            _ => "producer_types",
        };
        let properties = [
            ("consumer_idx", self.consumer_index(pipe)),
            (listed, payload),
        ];
        let mut all = vec![self.emitter.ty(&types::CONSUMER_TOKEN_TYPE)];
        all.extend(types);
        let operands = [self.channel(key).pipeline, slot];
        self.emitter
            .pipeline_op(name, &operands, &all, &properties, 1)
    }

    /// The position of this agent among the readers of a pipe.
    fn consumer_index(&mut self, pipe: &PipePlan) -> Attribute {
        let readers = pipe.route.map(|route| route.to).unwrap_or_default();
        let position = readers.position(self.agent).unwrap_or(0);
        self.emitter.i32(i32::try_from(position).unwrap_or(0))
    }

    /// Enters the region of a read, whose arguments are the values of the slot.
    pub(super) fn enter_read(&mut self, read: Operation, pipe: &PipePlan) -> InsertionPoint {
        let (block, behind) = self.emitter.enter(read, 0);
        for value in &pipe.values {
            let ty = self.emitter.type_of(*value);
            let argument = self.emitter.argument(block, ty);
            self.mapping.map(*value, argument);
        }
        behind
    }

    /// Values defined in a read region, including its tiles, that are used after it.
    fn escaping(
        &self,
        frame: usize,
        steps: &Steps,
        number: usize,
        span: Option<(usize, usize)>,
    ) -> Vec<Value> {
        let context = self.ir();
        let plan = &self.plan.frames[frame];
        let inside = |position: usize| {
            span.is_some_and(|(first, last)| first <= position && position <= last)
        };
        let mut made: Vec<Value> = plan.pipes[number].values.clone();
        let mut used: BTreeSet<Value> = self.kept_yields(frame);
        for (position, step) in steps.list.iter().enumerate() {
            let (defined, read) = self.touched(frame, *step);
            if inside(position) {
                made.extend(defined);
            } else {
                used.extend(read);
            }
        }
        for (other, within) in &steps.spans {
            if inside(within.0) && inside(within.1) {
                made.extend(&plan.pipes[*other].values);
            }
        }
        // A load's token is replaced by the token before it.
        let mut worklist: Vec<Value> = used.iter().copied().collect();
        while let Some(value) = worklist.pop() {
            let before = self.token_before(value).flatten();
            worklist.extend(before.filter(|before| used.insert(*before)));
        }
        let mut seen = BTreeSet::new();
        made.retain(|value| {
            used.contains(value) && seen.insert(*value) && !value.is_unused(context)
        });
        made
    }

    /// Values of the frame used by the next iteration or after the frame.
    fn kept_yields(&self, frame: usize) -> BTreeSet<Value> {
        let context = self.ir();
        let data = &self.plan.partition.frames[frame];
        let end = data.block.terminator(context).filter(|_| frame > 0);
        let Some((owner, end)) = data.owner.zip(end) else {
            return BTreeSet::new();
        };
        let yielded = |number: usize| end.operand(context, number);
        self.kept(owner).into_iter().map(yielded).collect()
    }

    /// The values a step defines and reads, as values of the original.
    fn touched(&self, frame: usize, step: Step) -> (Vec<Value>, Vec<Value>) {
        let context = self.ir();
        match step {
            Step::Copy(op) | Step::Project(op) => {
                let all = collect(context, op).into_iter();
                let read = all.flat_map(|op| op.operands(context).collect::<Vec<_>>());
                (op.results(context).collect(), read.collect())
            }
            Step::Fill(pipe) => {
                let pipe = &self.plan.frames[frame].pipes[pipe];
                let all = pipe.values.iter();
                let read = if pipe.is_computed_by(self.agent) {
                    pipe.values.clone()
                } else {
                    all.filter_map(|value| value.defining_op(context))
                        .flat_map(|load| load.operands(context).collect::<Vec<_>>())
                        .collect()
                };
                (Vec::new(), read)
            }
            _ => (Vec::new(), Vec::new()),
        }
    }

    /// The token that replaces the token of a load or of what another agent executes, if the value
    /// is one: the first token operand of that operation, or a new one.
    fn token_before(&self, value: Value) -> Option<Option<Value>> {
        let context = self.ir();
        let op = value.defining_op(context)?;
        let partition = &self.plan.partition;
        if !is_token(context, value) || !partition.forwards_token(context, self.agent, op) {
            return None;
        }
        Some(op.operands_named(context, "token").first().copied())
    }

    pub(super) fn map_tokens(&mut self, ops: Vec<Operation>) {
        for op in ops {
            let operands: Vec<Value> = op.operands(self.ir()).collect();
            self.map_token_values(&operands);
        }
    }

    /// Maps the tokens of loads to the tokens before them: the pipe's wait orders later operations.
    fn map_token_values(&mut self, values: &[Value]) {
        for &value in values {
            let mut current = value;
            let known = loop {
                match self.token_before(current) {
                    None => break self.mapping.lookup(current),
                    Some(Some(before)) => current = before,
                    // Created again for each use: an earlier one may be inside a region.
                    Some(None) => break self.new_token(current),
                }
            };
            if current != value || self.token_before(value).is_some() {
                self.mapping.map(value, known);
            }
        }
    }

    fn new_token(&mut self, like: Value) -> Value {
        let ty = self.emitter.type_of(like);
        let memory = ty.is_declared_by(self.ir(), &orison_tileas::nv_tileaa::MEM_TOKEN_TYPE);
        let name = if memory {
            nv_tileaa::CreateMemToken::NAME
        } else {
            nv_tileas::CreateNone::NAME
        };
        let made = self.emitter.create(name, &[], &[ty], &[], 0);
        self.emitter.result(made, 0)
    }

    pub(super) fn enter_mutex(&mut self, key: ChannelKey) {
        let channel = self.channel(key);
        let operands = [channel.pipeline, self.iterators[&key]];
        let entered = if channel.filled_by == self.agent {
            let token = self.emitter.ty(&types::PRODUCER_TOKEN_TYPE);
            self.emitter
                .pipeline_op("producer_acquire", &operands, &[token], &[], 0)
        } else {
            let token = self.emitter.ty(&types::CONSUMER_TOKEN_TYPE);
            let properties = [("consumer_idx", self.emitter.i32(0))];
            self.emitter
                .pipeline_op("consumer_wait", &operands, &[token], &properties, 0)
        };
        let token = self.emitter.result(entered, 0);
        self.held.insert(key, token);
    }

    pub(super) fn leave_mutex(&mut self, key: ChannelKey) {
        let channel = self.channel(key);
        let Some(token) = self.held.remove(&key) else {
            return;
        };
        let name = if channel.filled_by == self.agent {
            "producer_commit"
        } else {
            "consumer_release"
        };
        self.emitter
            .pipeline_op(name, &[channel.pipeline, token], &[], &[], 0);
    }
}
