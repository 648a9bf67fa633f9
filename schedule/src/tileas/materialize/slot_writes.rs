//! Fills slots.

use orison_ir::{Attribute, Operation, Value};
use orison_tileas::nv_tileas;
use orison_tileas::nv_tileas::types;

use super::super::solve::{LoadKind, PipePlan};
use super::super::tokens::async_tokens;
use super::agents::{AgentWriter, Handshake};
use super::channel_key::ChannelKey;

/// The atom of copies from registers into a slot.
const STORE_SHARED: &str = "sts";

impl AgentWriter<'_, '_> {
    /// Acquires, fills and commits a slot of a pipe.
    pub(super) fn fill(&mut self, frame: usize, number: usize) {
        let key = self.pipe_key(frame, number);
        let (pipeline, iterator) = (self.channel(key).pipeline, self.iterators[&key]);
        let pipe = &self.plan.frames[frame].pipes[number];
        // Descriptor operands of a load are computed before the slot is acquired.
        self.late_descriptors(pipe);
        self.wait_for_values(pipe);
        if self.handshake == Handshake::Combined {
            return self.produce(key, pipeline, iterator, pipe);
        }
        let token = self.emitter.ty(&types::PRODUCER_TOKEN_TYPE);
        let operands = [pipeline, iterator];
        let own = self
            .emitter
            .pipeline_op("producer_acquire", &operands, &[token], &[], 0);
        let own = self.emitter.result(own, 0);
        let properties = [("producer_types", self.payload_types(pipe))];
        let operands = [pipeline, own];
        let write = self
            .emitter
            .pipeline_op("producer_write", &operands, &[token], &properties, 1);
        self.fill_region(write, pipe, Some(own));
        let written = self.emitter.result(write, 0);
        let mut properties = Vec::new();
        let bytes = self.transaction_bytes(pipe);
        if bytes > 0 {
            let bytes = self.emitter.i32(i32::try_from(bytes).unwrap_or(i32::MAX));
            properties.push(("transaction_bytes", bytes));
        }
        let operands = [pipeline, written];
        self.emitter
            .pipeline_op("producer_commit", &operands, &[], &properties, 0);
    }

    /// Waits for asynchronous operations of this agent whose results are passed: the wait of the
    /// program may come later.
    fn wait_for_values(&mut self, pipe: &PipePlan) {
        for value in &pipe.values {
            let Some(op) = value.defining_op(self.ir()) else {
                continue;
            };
            if self.plan.partition.loads.contains_key(&op) {
                continue;
            }
            for token in async_tokens(self.ir(), op) {
                let token = self.mapping.lookup(token);
                let made = token
                    .defining_op(self.ir())
                    .and_then(|op| op.block(self.ir()));
                let waited = token.users(self.ir()).any(|user| {
                    nv_tileas::AsyncWait::matches(self.ir(), user) && user.block(self.ir()) == made
                });
                if !waited {
                    self.emitter
                        .create(nv_tileas::AsyncWait::NAME, &[token], &[], &[], 0);
                }
            }
        }
    }

    /// Acquires and fills a stage in one operation, which publishes it when the loads complete.
    fn produce(&mut self, key: ChannelKey, pipeline: Value, iterator: Value, pipe: &PipePlan) {
        let types = [
            self.emitter.ty(&types::PRODUCER_TOKEN_TYPE),
            self.emitter.ty(&types::ASYNC_TOKEN_TYPE),
        ];
        let properties = [("producer_types", self.payload_types(pipe))];
        let operands = [pipeline, iterator];
        let made = self
            .emitter
            .pipeline_op("produce_one_async", &operands, &types, &properties, 1);
        self.fill_region(made, pipe, None);
        let done = self.emitter.result(made, 1);
        self.filled.insert(key, done);
    }

    fn payload_types(&mut self, pipe: &PipePlan) -> Attribute {
        Attribute::type_array(self.emitter.builder.context(), pipe.payload())
    }

    /// The region that fills a slot. `own` is the ownership of the stage; inside an operation that
    /// acquires implicitly there is none.
    fn fill_region(&mut self, op: Operation, pipe: &PipePlan, own: Option<Value>) {
        let (block, behind) = self.emitter.enter(op, 0);
        let slots: Vec<Value> = pipe
            .payload()
            .iter()
            .map(|ty| self.emitter.argument(block, *ty))
            .collect();
        let own = own.unwrap_or_else(|| {
            let ty = self.emitter.ty(&types::PRODUCER_TOKEN_TYPE);
            let made = self
                .emitter
                .pipeline_op("create_null_token", &[], &[ty], &[], 0);
            self.emitter.result(made, 0)
        });
        self.fill_slots(pipe, &slots, own);
        self.emitter.pipeline_yield(&[]);
        self.emitter.leave(behind);
    }

    /// Writes the values of one stage into its slot. `barrier` is the one that loads by TMA signal.
    pub(super) fn fill_slots(&mut self, pipe: &PipePlan, slots: &[Value], barrier: Value) {
        for (value, slot) in pipe.values.iter().zip(slots) {
            let load = value.defining_op(self.ir());
            let kind = load.and_then(|load| self.plan.partition.loads.get(&load).copied());
            match (load, kind) {
                (Some(load), Some(LoadKind::Tma)) => self.load_by_tma(load, *slot, barrier),
                (Some(load), Some(LoadKind::Plain)) => self.load_and_copy(load, *slot),
                _ => {
                    let value = self.mapping.lookup(*value);
                    self.copy_to_slot(value, *slot);
                }
            }
        }
    }

    /// Bytes that loads by TMA transfer to one stage.
    pub(super) fn transaction_bytes(&self, pipe: &PipePlan) -> u64 {
        let by_tma = pipe.values.iter().filter(|value| {
            let load = value.defining_op(self.ir());
            let kind = load.and_then(|load| self.plan.partition.loads.get(&load));
            kind == Some(&LoadKind::Tma)
        });
        let bytes = by_tma.filter_map(|value| {
            super::super::solve::loads::value_bytes(self.ir(), value.ty(self.ir()))
        });
        bytes.fold(0, u64::saturating_add)
    }

    /// Creates the descriptors whose view this agent computes.
    pub(super) fn late_descriptors(&mut self, pipe: &PipePlan) {
        for value in &pipe.values {
            let Some(load) = value.defining_op(self.ir()) else {
                continue;
            };
            let Some(&number) = self.descriptors.late.get(&load) else {
                continue;
            };
            let context = self.ir();
            let view = load.operands_named(context, "view")[0];
            let atom = load.attribute(context, "atom").unwrap_or(Attribute::UNIT);
            let here = self.emitter.location;
            self.emitter.location = load.location(self.ir());
            let view = self.mapping.lookup(view);
            let descriptor = self.emitter.descriptor(view, atom, number);
            self.emitter.location = here;
            self.made.insert(load, descriptor);
        }
    }

    /// The asynchronous load of a tile into its slot.
    fn load_by_tma(&mut self, load: Operation, slot: Value, barrier: Value) {
        let (descriptor, number) = match self.descriptors.known.get(&load) {
            Some(known) => *known,
            None => (self.made[&load], self.descriptors.late[&load]),
        };
        let context = self.ir();
        let coordinates = load.operands_named(context, "coordinates");
        let atom = load.attribute(context, "atom").unwrap_or(Attribute::UNIT);
        let padding = load.attribute(context, "padding_value");
        let here = self.emitter.location;
        self.emitter.location = load.location(self.ir());
        let mut operands = vec![descriptor, slot];
        operands.extend(coordinates.iter().map(|value| self.mapping.lookup(*value)));
        operands.push(barrier);
        let count = i32::try_from(coordinates.len()).unwrap_or(i32::MAX);
        let context = self.emitter.builder.context();
        let segments = Attribute::i32_array(context, &[1, 1, count, 1]);
        let mut properties = vec![
            ("atom", atom),
            ("tmaIdx", self.emitter.i32(number)),
            ("operandSegmentSizes", segments),
        ];
        properties.extend(padding.map(|padding| ("padding_value", padding)));
        let name = nv_tileas::AsyncTiledTmaLoad::NAME;
        let ty = self.emitter.ty(&types::ASYNC_TOKEN_TYPE);
        let made = self.emitter.create(name, &operands, &[ty], &properties, 0);
        self.emitter.copy_schedule(load, made);
        self.emitter.location = here;
    }

    /// A load into registers without tokens, and the copy into the slot.
    fn load_and_copy(&mut self, load: Operation, slot: Value) {
        let here = self.emitter.location;
        self.emitter.location = load.location(self.ir());
        let copy = self.load_without_tokens(load);
        self.emitter.copy_schedule(load, copy);
        let tile = self.emitter.result(copy, 0);
        self.copy_to_slot(tile, slot);
        self.emitter.location = here;
    }

    fn load_without_tokens(&mut self, load: Operation) -> Operation {
        let context = self.ir();
        let tokens = load.operands_named(context, "token").len();
        let all: Vec<Value> = load.operands(context).collect();
        let ty = load.result(context, 0).ty(context);
        let name = load.name_text(context).to_owned();
        let mut segments = load
            .attribute(context, "operandSegmentSizes")
            .and_then(|sizes| sizes.as_i32_array(context))
            .unwrap_or_default();
        // The tokens are the last operand segment of every load.
        if let Some(last) = segments.last_mut() {
            *last = 0;
        }
        let properties = load.properties(context);
        let operands: Vec<Value> = all[..all.len() - tokens]
            .iter()
            .map(|value| self.mapping.lookup(*value))
            .collect();
        let copy = self.emitter.create(&name, &operands, &[ty], &[], 0);
        let context = self.emitter.builder.context();
        let segments = Attribute::i32_array(context, &segments);
        let properties = properties.with(context, "operandSegmentSizes", segments);
        copy.set_properties(context, properties);
        copy
    }

    /// Copies a value in registers into a slot.
    fn copy_to_slot(&mut self, value: Value, slot: Value) {
        let context = self.emitter.builder.context();
        let atom = orison_tileas::nv_tileas::attributes::atom(context, STORE_SHARED, &[]);
        self.emitter.create(
            nv_tileas::Copy::NAME,
            &[value, slot],
            &[],
            &[("atom", atom)],
            0,
        );
    }
}
