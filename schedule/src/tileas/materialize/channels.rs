//! The operations before the agents: descriptors, rings, pipelines and their iterators.

use std::collections::BTreeMap;

use orison_ir::{Attribute, Context, Mapping, Operation, Type, Value};
use orison_tileas::MemorySpace;
use orison_tileas::nv_tileas;
use orison_tileas::nv_tileas::types::{self, IteratorType, Role as Side};
use orison_tileas::views::ShapedView;

use super::super::binding_attribute::{BUFFER, write_binding};
use super::super::solve::{Agent, Flavour, LoadKind, PipePlan, RegionPlan};
use super::channel_key::ChannelKey;
use super::emit::Emitter;
use super::storage::Storage;

/// Attribute of a pipeline whose consumer has no producer: it orders nothing and is never waited
/// for.
pub const TRIVIAL: &str = "tileas.schedule.trivial";

/// An emitted pipeline: its handle and the iterators before the agents.
#[derive(Clone, Copy, Debug)]
pub(super) struct Channel {
    pub(super) key: ChannelKey,
    pub(super) pipeline: Value,
    /// Iterator of the side that acquires and commits.
    pub(super) filling: Value,
    /// Iterator of the side that waits and releases.
    pub(super) draining: Value,
    /// The agent that acquires and commits.
    pub(super) filled_by: Agent,
}

impl Channel {
    /// The iterator of an agent's side.
    pub(super) fn iterator_of(&self, agent: Agent) -> Value {
        if self.filled_by == agent {
            self.filling
        } else {
            self.draining
        }
    }
}

/// TMA descriptors of loads.
#[derive(Clone, Debug, Default)]
pub(super) struct Descriptors {
    /// The descriptor and its index, for loads whose view is known before the agents.
    pub(super) known: BTreeMap<Operation, (Value, i32)>,
    /// The index, for loads whose view the load agent computes.
    pub(super) late: BTreeMap<Operation, i32>,
}

/// Groups of agents that a pipeline connects.
#[derive(Clone, Copy, Debug)]
pub(super) struct Groups {
    pub(super) filling: i64,
    pub(super) draining: i64,
}

impl Groups {
    /// The groups of a pipeline between two agents: their positions. `turn` numbers the compute
    /// agents that take iterations in turn, which follow each other.
    fn between(filling: Agent, draining: Agent, turn: usize) -> Self {
        let group = |agent: Agent| {
            let shift = if agent == Agent::LOAD { 0 } else { turn };
            i64::try_from(agent.index() + shift).unwrap_or(i64::MAX)
        };
        Groups {
            filling: group(filling),
            draining: group(draining),
        }
    }

    /// The groups of a pipe: the first of the agents that read it stands for all.
    fn of_pipe(pipe: &PipePlan, turn: usize) -> Self {
        let ends = pipe.route.map(|route| (route.from, route.to.iter().next()));
        let (filling, draining) = ends.unwrap_or((Agent::LOAD, None));
        Groups::between(filling, draining.unwrap_or(Agent::COMPUTE), turn)
    }
}

impl Emitter<'_> {
    /// One descriptor for each pair of view and atom.
    pub(super) fn descriptors(&mut self, plan: &RegionPlan, next: &mut i32) -> Descriptors {
        let mut known: BTreeMap<(Value, Attribute), (Value, i32)> = BTreeMap::new();
        let mut found = Descriptors::default();
        let here = self.location;
        let mut hoisted = Mapping::default();
        for load in loads_in_order(plan) {
            if plan.partition.loads.get(&load) != Some(&LoadKind::Tma) {
                continue;
            }
            self.location = load.location(self.ir());
            let context = self.ir();
            let view = load.operands_named(context, "view")[0];
            let atom = load.attribute(context, "atom").unwrap_or(Attribute::UNIT);
            if let Some(descriptor) = known.get(&(view, atom)) {
                found.known.insert(load, *descriptor);
                continue;
            }
            if !plan.partition.is_known_before(self.ir(), view) {
                found.late.insert(load, *next);
                *next += 1;
                continue;
            }
            let before = self.hoist(plan, view, &mut hoisted);
            let descriptor = (self.descriptor(before, atom, *next), *next);
            *next += 1;
            known.insert((view, atom), descriptor);
            found.known.insert(load, descriptor);
        }
        self.location = here;
        found
    }

    /// Creates a descriptor.
    pub(super) fn descriptor(&mut self, view: Value, atom: Attribute, number: i32) -> Value {
        let ty = self.ty(&types::TMA_DESC_TYPE);
        let properties = [("atom", atom), ("tmaIdx", self.i32(number))];
        let made = self.create(
            nv_tileas::MakeTiledTmaDesc::NAME,
            &[view],
            &[ty],
            &properties,
            0,
        );
        self.result(made, 0)
    }

    /// Copies the definition of a value to the insertion point.
    fn hoist(&mut self, plan: &RegionPlan, value: Value, hoisted: &mut Mapping) -> Value {
        if let Some(known) = hoisted.get(value) {
            return known;
        }
        let context = self.ir();
        let Some(op) = value.defining_op(context) else {
            return value;
        };
        if plan.partition.item_around(context, op).is_none() {
            return value;
        }
        let operands: Vec<Value> = op.operands(context).collect();
        for operand in operands {
            self.hoist(plan, operand, hoisted);
        }
        let copy = self.copy(op, hoisted);
        self.forget_schedule(copy);
        hoisted.lookup(value)
    }

    /// Creates the ring and the pipeline of a pipe.
    pub(super) fn pipe(
        &mut self,
        key: ChannelKey,
        pipe: &PipePlan,
        depth: u32,
        groups: Groups,
    ) -> Channel {
        let depth_attribute = self.i32(i32::try_from(depth).unwrap_or(i32::MAX));
        let view = self.ring_type(pipe, depth);
        let space = Attribute::string(self.builder.context(), "smem");
        let ring = self.create(
            nv_tileas::AllocTensor::NAME,
            &[],
            &[view],
            &[("memspace", space)],
            0,
        );
        let ring = self.result(ring, 0);
        let payload = Attribute::type_array(self.builder.context(), pipe.payload());
        let properties = [
            ("numStages", depth_attribute),
            ("producerGroupId", self.group(groups.filling)),
            ("consumerGroupId", self.group(groups.draining)),
            ("sharedMem", Attribute::TRUE),
            ("dynamic", Attribute::FALSE),
            ("payload", payload),
        ];
        let readers = pipe.route.map_or(1, |route| route.to.len());
        let mut properties = properties.to_vec();
        if readers > 1 {
            let readers = self.i32(i32::try_from(readers).unwrap_or(i32::MAX));
            properties.push(("numConsumers", readers));
        }
        let ty = self.ty(&types::PIPELINE_TYPE);
        let made = self.pipeline_op("create_pipeline", &[ring], &[ty], &properties, 0);
        if let Some(pair) = pipe.header.stage_order() {
            self.set_schedule(made, pair);
        }
        let filled_by = pipe.route.map_or(Agent::LOAD, |route| route.from);
        self.channel(made, key, filled_by)
    }

    /// The pipeline of a consumer without producers: one stage that is never filled or waited for.
    pub(super) fn trivial_pipe(&mut self, pipe: &PipePlan, groups: Groups) -> Operation {
        let payload = Attribute::type_array(self.builder.context(), pipe.payload());
        let properties = [
            ("numStages", self.i32(1)),
            ("producerGroupId", self.group(groups.filling)),
            ("consumerGroupId", self.group(groups.draining)),
            ("payload", payload),
        ];
        let ty = self.ty(&types::PIPELINE_TYPE);
        let made = self.pipeline_op("create_pipeline", &[], &[ty], &properties, 0);
        if let Some(pair) = pipe.header.stage_order() {
            self.set_schedule(made, pair);
        }
        made.set_attribute(self.builder.context(), TRIVIAL, Attribute::UNIT);
        made
    }

    /// `depth x count x shape` if all tiles are alike, otherwise bytes.
    fn ring_type(&mut self, pipe: &PipePlan, depth: u32) -> Type {
        let context = self.builder.context();
        let first = pipe.payload()[0];
        let alike = pipe.payload().iter().all(|ty| *ty == first);
        let mut shape = vec![i64::from(depth)];
        let mut element = Type::I8;
        if alike && pipe.flavour() == Flavour::Tile {
            if pipe.payload().len() > 1 {
                shape.push(i64::try_from(pipe.payload().len()).unwrap_or(i64::MAX));
            }
            shape.extend(first.shape(context).unwrap_or_default());
            element = first.scalar(context);
        } else {
            shape.push(i64::try_from(pipe.slot_bytes).unwrap_or(i64::MAX));
        }
        ShapedView::tileas(&shape, element, MemorySpace::Shared).ty(context)
    }

    /// Creates a mutex: on a named barrier, or on barriers in memory if none was assigned.
    pub(super) fn mutex(
        &mut self,
        key: ChannelKey,
        first: Agent,
        pair: Option<(u32, u32)>,
        barrier: Option<u32>,
        groups: Groups,
    ) -> Channel {
        let mut properties = vec![
            ("numStages", self.i32(1)),
            ("producerGroupId", self.group(groups.filling)),
            ("consumerGroupId", self.group(groups.draining)),
        ];
        if let Some(barrier) = barrier {
            let kind = Attribute::string(self.builder.context(), "mutex");
            let number = self.i32(i32::try_from(barrier).unwrap_or(i32::MAX));
            properties.extend([("kind", kind), ("barrier", number)]);
        } else {
            properties.push(("sharedMem", Attribute::TRUE));
        }
        let ty = self.ty(&types::PIPELINE_TYPE);
        let made = self.pipeline_op("create_pipeline", &[], &[ty], &properties, 0);
        if let Some(pair) = pair {
            self.set_schedule(made, pair);
        }
        self.channel(made, key, first)
    }

    fn group(&mut self, number: i64) -> Attribute {
        Attribute::integer(self.builder.context(), Type::I8, number)
    }

    fn channel(&mut self, created: Operation, key: ChannelKey, filled_by: Agent) -> Channel {
        let pipeline = self.result(created, 0);
        let mut iterator = |side: Side| {
            let ty = IteratorType::new(side).ty(self.builder.context());
            let role = Attribute::string(self.builder.context(), side.keyword());
            let made =
                self.pipeline_op("create_iterator", &[pipeline], &[ty], &[("role", role)], 0);
            self.result(made, 0)
        };
        let filling = iterator(Side::Producer);
        let draining = iterator(Side::Consumer);
        Channel {
            key,
            pipeline,
            filling,
            draining,
            filled_by,
        }
    }

    /// Copies the recorded binding onto the pipeline, if there was one.
    fn carry_binding(&mut self, channel: Channel, storage: &Storage) {
        let made = channel.pipeline.defining_op(self.ir());
        let (Some(made), Some(binding)) = (made, storage.bindings.get(&channel.key)) else {
            return;
        };
        let context = self.builder.context();
        let binding = write_binding(context, binding);
        made.set_attribute(context, BUFFER, binding);
    }

    /// All channels of a region with each of the given number of compute agents: pipes of every
    /// frame, then mutexes. The load agent is group 0 of the pipelines.
    pub(super) fn channels(
        &mut self,
        plan: &RegionPlan,
        storage: &Storage,
        compute_agents: usize,
    ) -> Vec<Channel> {
        let mut channels = Vec::new();
        for group in 0..compute_agents {
            self.pipes(plan, storage, group, &mut channels);
        }
        for group in 0..compute_agents {
            for (frame, data) in plan.frames.iter().enumerate() {
                for (number, mutex) in data.mutexes.iter().enumerate() {
                    let key = ChannelKey::mutex(frame, number);
                    let barrier = storage.barriers.get(&key).copied();
                    let pair = data.mutex_schedule(mutex);
                    let groups = Groups::between(mutex.first, mutex.second, group);
                    let key = key.with(group);
                    let channel = self.mutex(key, mutex.first, pair, barrier, groups);
                    self.carry_binding(channel, storage);
                    channels.push(channel);
                }
            }
        }
        channels
    }

    fn pipes(
        &mut self,
        plan: &RegionPlan,
        storage: &Storage,
        group: usize,
        channels: &mut Vec<Channel>,
    ) {
        for (frame, data) in plan.frames.iter().enumerate() {
            for (number, pipe) in data.pipes.iter().enumerate() {
                let groups = Groups::of_pipe(pipe, group);
                if pipe.route.is_none() {
                    self.trivial_pipe(pipe, groups);
                    continue;
                }
                let key = ChannelKey::pipe(frame, number);
                let depth = storage.depths.get(&key).copied().unwrap_or(pipe.depth);
                let channel = self.pipe(key.with(group), pipe, depth, groups);
                self.carry_binding(channel, storage);
                channels.push(channel);
            }
        }
    }
}

/// The loads of a region, by frame and pipe.
pub(super) fn loads_in_order(plan: &RegionPlan) -> Vec<Operation> {
    let mut loads = Vec::new();
    for frame in &plan.frames {
        for pipe in &frame.pipes {
            let nodes = pipe.producers.iter().map(|node| frame.items[*node]);
            loads.extend(nodes.filter(|op| plan.partition.loads.contains_key(op)));
        }
    }
    loads
}

/// The smallest `tmaIdx` not used by a descriptor of the function.
pub(super) fn next_descriptor(context: &Context, op: Operation) -> i32 {
    let function = op
        .ancestors(context)
        .find(|op| op.has_trait(context, orison_ir::declare::Trait::IsolatedFromAbove));
    let Some(function) = function else { return 0 };
    let used = orison_ir::walk::collect(context, function)
        .into_iter()
        .filter_map(|op| op.attribute(context, "tmaIdx")?.as_i32(context));
    used.max().map_or(0, |last| last.saturating_add(1))
}
