//! Writes the agents that were planned.
//!
//! The form is that of TileAS reference 1.12: rings, pipelines and iterators before an
//! `agent_switch`, whose first region is the producer and whose second is the consumer.

use std::collections::BTreeMap;

use orison_ir::{
    Attribute, Block, Builder, Context, Identifier, InsertionPoint, Location, Mapping, Operation,
    OperationName, OperationState, Region, Type, Value,
};

use orison_tileas::MemorySpace;
use orison_tileas::nv_tileas::types::{IteratorType, Role};
use orison_tileas::views::ShapedView;

use super::super::attributes::{self, CYCLE, ORDER, STAGE};
use super::super::loop_body::LoopBody;
use super::plan::{AgentPlan, FirstAgent, PipePlan};

/// How the warps of the kernel are divided (TileAS reference 1.12 and 6.6).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Warps {
    /// Warps of each agent.
    pub each: i32,
    /// Registers a thread of the producer gets.
    pub producer_registers: i32,
    /// Registers a thread of the consumer gets.
    pub consumer_registers: i32,
}

/// A pipeline as emitted: its handle and the iterators before the loop.
#[derive(Clone, Copy, Debug)]
pub(super) struct Channel {
    pub(super) pipeline: Value,
    /// Iterator of the side that acquires and commits.
    pub(super) filling: Value,
    /// Iterator of the side that waits and releases.
    pub(super) draining: Value,
}

/// Creates operations for one loop.
pub(super) struct Emitter<'e> {
    pub(super) builder: Builder<'e>,
    pub(super) body: &'e LoopBody,
    pub(super) plan: &'e AgentPlan,
    pub(super) location: Location,
    pub(super) pipes: Vec<Channel>,
    pub(super) mutexes: Vec<Channel>,
    /// TMA descriptor of each load, and its number.
    pub(super) descriptors: BTreeMap<usize, (Value, i32)>,
}

/// Properties of an operation to create.
pub(super) type Properties<'p> = &'p [(&'p str, Attribute)];

impl Emitter<'_> {
    /// Creates an operation with properties and empty regions.
    pub(super) fn create(
        &mut self,
        name: &str,
        operands: &[Value],
        results: &[Type],
        properties: Properties<'_>,
        regions: usize,
    ) -> Operation {
        let location = self.location;
        let context = self.builder.context();
        let name = OperationName::new(context, name);
        let mut state = OperationState::new(name, location);
        state.operands = operands.into();
        state.result_types = results.into();
        let entries: Vec<_> = properties
            .iter()
            .map(|(key, value)| (Identifier::new(context, key), *value))
            .collect();
        state.properties = Attribute::dictionary(context, &entries);
        for _ in 0..regions {
            let region = Region::new(context);
            let block = Block::new(context, &[]);
            region.append_block(context, block);
            state.regions.push(region);
        }
        self.builder.create(&state)
    }

    pub(super) fn pipeline_op(
        &mut self,
        name: &str,
        operands: &[Value],
        results: &[Type],
        properties: Properties<'_>,
        regions: usize,
    ) -> Operation {
        let name = format!("nv_tileas.async.pipeline.{name}");
        self.create(&name, operands, results, properties, regions)
    }

    pub(super) fn i32(&mut self, value: i32) -> Attribute {
        Attribute::i32(self.builder.context(), value)
    }

    /// The type `!nv_tileas.name`.
    pub(super) fn ty(&mut self, name: &str) -> Type {
        Type::dialect(self.builder.context(), &format!("nv_tileas.{name}"), &[])
    }

    pub(super) fn result(&self, op: Operation, number: usize) -> Value {
        op.result(self.builder.ir(), number)
    }

    /// Enters the block of a region; returns where building went on before.
    pub(super) fn enter(&mut self, op: Operation, region: usize) -> (Block, InsertionPoint) {
        let block = op.body_block(self.builder.ir(), region);
        // Operations with regions are created with a block in each.
        let Some(block) = block else {
            unreachable!("regions are created with a block")
        };
        (
            block,
            self.builder.set_insertion_point(InsertionPoint::End(block)),
        )
    }

    /// Ends a pipeline region.
    pub(super) fn pipeline_yield(&mut self, values: &[Value]) {
        self.pipeline_op("yield", values, &[], &[], 0);
    }

    /// Puts everything before the loop: descriptors, rings, pipelines, iterators.
    pub(super) fn prologue(&mut self) {
        self.builder
            .set_insertion_point(InsertionPoint::Before(self.body.op));
        self.descriptors();
        for pipe in &self.plan.pipes {
            let channel = self.pipe(pipe);
            self.pipes.push(channel);
        }
        for number in 0..self.plan.mutexes.len() {
            let channel = self.mutex(number);
            self.mutexes.push(channel);
        }
    }

    /// One descriptor for each pair of view and atom.
    fn descriptors(&mut self) {
        let mut known: BTreeMap<(Value, Attribute), (Value, i32)> = BTreeMap::new();
        let mut next = next_descriptor(self.builder.ir(), self.body.op);
        let ty = self.ty("tma_desc");
        for pipe in &self.plan.pipes {
            for &load in &pipe.loads {
                let op = self.body.operations[load];
                let context = self.builder.ir();
                self.location = op.location(context);
                let view = op.operands_named(context, "view")[0];
                let atom = op.attribute(context, "atom").unwrap_or(Attribute::UNIT);
                let descriptor = match known.get(&(view, atom)) {
                    Some(descriptor) => *descriptor,
                    None => {
                        let number = self.i32(next);
                        let properties = [("atom", atom), ("tmaIdx", number)];
                        let name = "nv_tileas.make_tiled_tma_desc";
                        let made = self.create(name, &[view], &[ty], &properties, 0);
                        let descriptor = (self.result(made, 0), next);
                        next += 1;
                        known.insert((view, atom), descriptor);
                        descriptor
                    }
                };
                self.descriptors.insert(load, descriptor);
            }
        }
        self.location = self.body.op.location(self.builder.ir());
    }

    fn pipe(&mut self, pipe: &PipePlan) -> Channel {
        let view = self.ring_type(pipe);
        let space = Attribute::string(self.builder.context(), "smem");
        let name = "nv_tileas.alloc_tensor";
        let ring = self.create(name, &[], &[view], &[("memspace", space)], 0);
        let ring = self.result(ring, 0);
        let payload = Attribute::type_array(self.builder.context(), &pipe.payload);
        let depth = i32::try_from(pipe.depth).unwrap_or(i32::MAX);
        let properties = [
            ("numStages", self.i32(depth)),
            ("producerGroupId", self.group(0)),
            ("consumerGroupId", self.group(1)),
            ("sharedMem", Attribute::TRUE),
            ("dynamic", Attribute::FALSE),
            ("payload", payload),
        ];
        let ty = self.ty("pipeline");
        let made = self.pipeline_op("create_pipeline", &[ring], &[ty], &properties, 0);
        self.copy_schedule(self.body.operations[pipe.loads[0]], made);
        self.channel(made)
    }

    /// `depth x count x shape` when all tiles are alike, else bytes.
    fn ring_type(&mut self, pipe: &PipePlan) -> Type {
        let context = self.builder.context();
        let first = pipe.payload[0];
        let alike = pipe.payload.iter().all(|ty| *ty == first);
        let mut shape = vec![i64::from(pipe.depth)];
        let mut element = Type::I8;
        if alike {
            if pipe.payload.len() > 1 {
                shape.push(i64::try_from(pipe.payload.len()).unwrap_or(i64::MAX));
            }
            shape.extend(first.shape(context).unwrap_or_default());
            element = first.scalar(context);
        } else {
            shape.push(i64::try_from(pipe.slot_bytes).unwrap_or(i64::MAX));
        }
        ShapedView::tileas(&shape, element, MemorySpace::Shared).ty(context)
    }

    fn mutex(&mut self, number: usize) -> Channel {
        let producer_first = self.plan.mutexes[number].first == FirstAgent::Producer;
        let kind = Attribute::string(self.builder.context(), "mutex");
        // Barrier 0 is the whole block's (TileAS reference C51).
        let barrier = i32::try_from(number + 1).unwrap_or(i32::MAX);
        let (filling, draining) = if producer_first { (0, 1) } else { (1, 0) };
        let properties = [
            ("kind", kind),
            ("numStages", self.i32(1)),
            ("barrier", self.i32(barrier)),
            ("producerGroupId", self.group(filling)),
            ("consumerGroupId", self.group(draining)),
        ];
        let ty = self.ty("pipeline");
        let made = self.pipeline_op("create_pipeline", &[], &[ty], &properties, 0);
        self.channel(made)
    }

    fn group(&mut self, number: i64) -> Attribute {
        Attribute::integer(self.builder.context(), Type::I8, number)
    }

    fn channel(&mut self, created: Operation) -> Channel {
        let pipeline = self.result(created, 0);
        let mut iterator = |role: Role| {
            let ty = IteratorType::new(role).ty(self.builder.context());
            let role = Attribute::string(self.builder.context(), role.keyword());
            let made =
                self.pipeline_op("create_iterator", &[pipeline], &[ty], &[("role", role)], 0);
            self.result(made, 0)
        };
        let filling = iterator(Role::Producer);
        let draining = iterator(Role::Consumer);
        Channel {
            pipeline,
            filling,
            draining,
        }
    }

    /// Copies stage and order, the public result of scheduling.
    pub(super) fn copy_schedule(&mut self, from: Operation, to: Operation) {
        for key in [STAGE, ORDER] {
            if let Some(value) = from.attribute(self.builder.ir(), key) {
                to.set_attribute(self.builder.context(), key, value);
            }
        }
    }

    /// Copies an operation with its regions. Constraints and cycles were for the scheduler.
    pub(super) fn copy(&mut self, op: Operation, mapping: &mut Mapping) -> Operation {
        let context = self.builder.context();
        let copy = op.clone_into(context, mapping);
        for key in [
            attributes::GROUP,
            attributes::LEADER,
            attributes::MAX_DEPTH,
            attributes::FORCE_SERIAL,
            CYCLE,
        ] {
            copy.remove_attribute(context, key);
        }
        self.builder.insert(copy);
        copy
    }

    /// The switch with an empty region for each agent.
    pub(super) fn agent_switch(&mut self, warps: Warps) -> Operation {
        let channels = self.pipes.iter().chain(&self.mutexes);
        let captures: Vec<Value> = channels
            .flat_map(|c| [c.pipeline, c.filling, c.draining])
            .collect();
        let list = |emitter: &mut Self, values: [i32; 2]| {
            Attribute::i32_array(emitter.builder.context(), &values)
        };
        let properties = [
            ("num_agents_per_group", self.i32(1)),
            (
                "max_regs",
                list(self, [warps.producer_registers, warps.consumer_registers]),
            ),
            ("num_warps", list(self, [warps.each, warps.each])),
            ("warp_id", list(self, [0, warps.each])),
            ("agent_strides", list(self, [1, 1])),
            ("isolated", Attribute::FALSE),
        ];
        self.pipeline_op("agent_switch", &captures, &[], &properties, 2)
    }

    /// An `scf.for` over the bounds of the original loop, with its block arguments, at the
    /// insertion point; building goes on in its body.
    pub(super) fn loop_over(&mut self, initial: &[Value]) -> (Operation, Block) {
        let mut operands = self.body.bounds(self.builder.ir()).to_vec();
        operands.extend_from_slice(initial);
        let types: Vec<Type> = initial
            .iter()
            .map(|value| value.ty(self.builder.ir()))
            .collect();
        let looped = self.create("scf.for", &operands, &types, &[], 1);
        let (block, _) = self.enter(looped, 0);
        let location = self.location;
        let context = self.builder.context();
        let induction = self.body.induction_variable(context).ty(context);
        block.add_argument(context, induction, location);
        for ty in types {
            block.add_argument(context, ty, location);
        }
        (looped, block)
    }
}

/// The smallest `tmaIdx` that no descriptor of the function has.
fn next_descriptor(context: &Context, op: Operation) -> i32 {
    let function = op
        .ancestors(context)
        .find(|op| op.has_trait(context, orison_ir::declare::Trait::IsolatedFromAbove));
    let Some(function) = function else { return 0 };
    let used = orison_ir::walk::collect(context, function)
        .into_iter()
        .filter_map(|op| op.attribute(context, "tmaIdx")?.as_i32(context));
    used.max().map_or(0, |last| last.saturating_add(1))
}
