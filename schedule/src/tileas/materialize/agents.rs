//! The bodies of the two agents.

use std::collections::BTreeSet;

use orison_ir::walk::collect;
use orison_ir::{Attribute, Mapping, Operation, Value};

use super::super::classify::tile_bytes;
use super::emit::Emitter;
use super::plan::{FirstAgent, PipePlan};

/// Carried iterators of an agent's loop, by position behind its other carried values.
struct Iterators {
    pipes: Vec<Value>,
    mutexes: Vec<Value>,
}

impl Emitter<'_> {
    /// The producer: acquire, load, commit, for each pipe in order.
    pub(super) fn producer(&mut self, switch: Operation) {
        let (_, outside) = self.enter(switch, 0);
        let carried = self.plan.producer_carried.clone();
        let mut initial = self.initial(&carried, &Mapping::default());
        initial.extend(self.pipes.iter().map(|channel| channel.filling));
        initial.extend(self.mutex_iterators(FirstAgent::Producer));
        let inside = self.builder.insertion_point();
        let (_, block) = self.loop_over(&initial);
        let (mut mapping, iterators) = self.map_arguments(block, &carried);
        for &node in &self.plan.coordinates {
            let op = self.body.operations[node];
            let copy = self.copy(op, &mut mapping);
            self.forget_schedule(copy);
        }
        let mut held: Vec<Option<Value>> = vec![None; self.plan.mutexes.len()];
        for (number, pipe) in self.plan.pipes.iter().enumerate() {
            self.enter_mutexes(&mut held, &iterators, FirstAgent::Producer, |mutex| {
                pipe.loads.iter().any(|load| mutex.loads.contains(load))
            });
            self.fill(number, pipe, iterators.pipes[number], &mapping);
            let later = &self.plan.pipes[number + 1..];
            self.leave_mutexes(&mut held, FirstAgent::Producer, |mutex| {
                later
                    .iter()
                    .flat_map(|pipe| &pipe.loads)
                    .any(|load| mutex.loads.contains(load))
            });
        }
        let mut next: Vec<Value> = self.next_carried(&carried, &mapping);
        next.extend(self.advance(&iterators));
        self.create("scf.yield", &next, &[], &[], 0);
        self.builder.set_insertion_point(inside);
        self.pipeline_yield(&[]);
        self.builder.set_insertion_point(outside);
    }

    /// The consumer: everything else, then what stood behind the loop.
    pub(super) fn consumer(&mut self, switch: Operation) {
        let (_, outside) = self.enter(switch, 1);
        let mut outer = Mapping::default();
        for &op in &self.plan.sunk {
            self.copy(op, &mut outer);
        }
        let carried = self.plan.consumer_carried.clone();
        let mut initial = self.initial(&carried, &outer);
        initial.extend(self.pipes.iter().map(|channel| channel.draining));
        initial.extend(self.mutex_iterators(FirstAgent::Consumer));
        let inside = self.builder.insertion_point();
        let (looped, block) = self.loop_over(&initial);
        let (mut mapping, iterators) = self.map_arguments(block, &carried);
        self.extend_mapping(&outer, &mut mapping);
        self.map_tokens(&mut mapping);
        self.consume_all(&iterators, &mut mapping);
        let mut next = self.next_carried(&carried, &mapping);
        next.extend(self.advance(&iterators));
        self.create("scf.yield", &next, &[], &[], 0);
        self.builder.set_insertion_point(inside);
        for (number, position) in carried.iter().enumerate() {
            let original = self.body.op.result(self.builder.ir(), *position);
            outer.map(original, self.result(looped, number));
        }
        for &op in &self.plan.tail {
            self.copy(op, &mut outer);
        }
        self.pipeline_yield(&[]);
        self.builder.set_insertion_point(outside);
    }

    /// Initial values of carried arguments.
    fn initial(&self, carried: &[usize], mapping: &Mapping) -> Vec<Value> {
        let values = self.body.initial_values(self.builder.ir());
        carried
            .iter()
            .map(|position| mapping.lookup(values[*position]))
            .collect()
    }

    /// Iterators of the mutexes as one agent uses them: who goes first fills.
    fn mutex_iterators(&self, agent: FirstAgent) -> Vec<Value> {
        let pairs = self.mutexes.iter().zip(&self.plan.mutexes);
        pairs
            .map(|(channel, mutex)| {
                if mutex.first == agent {
                    channel.filling
                } else {
                    channel.draining
                }
            })
            .collect()
    }

    /// Maps the original loop's arguments to those of an agent's loop.
    fn map_arguments(&self, block: orison_ir::Block, carried: &[usize]) -> (Mapping, Iterators) {
        let context = self.builder.ir();
        let mut mapping = Mapping::default();
        let arguments: Vec<Value> = block.arguments(context).collect();
        mapping.map(self.body.induction_variable(context), arguments[0]);
        let originals = self.body.carried(context);
        for (number, position) in carried.iter().enumerate() {
            mapping.map(originals[*position], arguments[1 + number]);
        }
        let first = 1 + carried.len();
        let pipes = arguments[first..first + self.pipes.len()].to_vec();
        let mutexes = arguments[first + self.pipes.len()..].to_vec();
        (mapping, Iterators { pipes, mutexes })
    }

    /// What was sunk into the consumer is known inside its loop too.
    fn extend_mapping(&self, outer: &Mapping, mapping: &mut Mapping) {
        let context = self.builder.ir();
        for op in &self.plan.sunk {
            for value in op.results(context) {
                mapping.map(value, outer.lookup(value));
            }
        }
    }

    /// The token behind a load is the token before it: the pipe's wait orders what follows.
    fn map_tokens(&mut self, mapping: &mut Mapping) {
        for node in 0..self.body.operations.len() {
            let op = self.body.operations[node];
            let is_load = self
                .plan
                .pipes
                .iter()
                .any(|pipe| pipe.loads.contains(&node));
            if !is_load || op.result_count(self.builder.ir()) < 2 {
                continue;
            }
            let token = op.result(self.builder.ir(), 1);
            if token.is_unused(self.builder.ir()) {
                continue;
            }
            let before = op.operands_named(self.builder.ir(), "token");
            let replacement = match before.first() {
                Some(before) => mapping.lookup(*before),
                None => {
                    let ty = token.ty(self.builder.ir());
                    let made = self.create("nv_tileaa.create_mem_token", &[], &[ty], &[], 0);
                    self.result(made, 0)
                }
            };
            mapping.map(token, replacement);
        }
    }

    fn next_carried(&self, carried: &[usize], mapping: &Mapping) -> Vec<Value> {
        let yielded = self.body.yielded(self.builder.ir());
        carried
            .iter()
            .map(|position| mapping.lookup(yielded[*position]))
            .collect()
    }

    fn advance(&mut self, iterators: &Iterators) -> Vec<Value> {
        let all: Vec<Value> = iterators
            .pipes
            .iter()
            .chain(&iterators.mutexes)
            .copied()
            .collect();
        let mut next = Vec::new();
        for iterator in all {
            let ty = iterator.ty(self.builder.ir());
            let made = self.pipeline_op("inc_iter", &[iterator], &[ty], &[], 0);
            next.push(self.result(made, 0));
        }
        next
    }

    /// Coordinates are nobody's stage: they are copied into the producer.
    fn forget_schedule(&mut self, op: Operation) {
        for key in [
            super::super::attributes::STAGE,
            super::super::attributes::ORDER,
        ] {
            op.remove_attribute(self.builder.context(), key);
        }
    }

    /// Acquires a slot of a pipe, fills it, commits it.
    fn fill(&mut self, number: usize, pipe: &PipePlan, iterator: Value, mapping: &Mapping) {
        let pipeline = self.pipes[number].pipeline;
        let token = self.ty("producer_token");
        let own = self.pipeline_op("producer_acquire", &[pipeline, iterator], &[token], &[], 0);
        let own = self.result(own, 0);
        let types = Attribute::type_array(self.builder.context(), &pipe.payload);
        let properties = [("producer_types", types)];
        let write = self.pipeline_op("producer_write", &[pipeline, own], &[token], &properties, 1);
        let (block, behind) = self.enter(write, 0);
        for (slot, &load) in pipe.loads.iter().enumerate() {
            let location = self.location;
            let tile = block.add_argument(self.builder.context(), pipe.payload[slot], location);
            self.load(load, tile, own, mapping);
        }
        self.pipeline_yield(&[]);
        self.builder.set_insertion_point(behind);
        let bytes = pipe
            .payload
            .iter()
            .filter_map(|ty| tile_bytes(self.builder.ir(), *ty))
            .sum();
        let bytes: u64 = bytes;
        let bytes = self.i32(i32::try_from(bytes).unwrap_or(i32::MAX));
        let written = self.result(write, 0);
        let properties = [("transaction_bytes", bytes)];
        self.pipeline_op("producer_commit", &[pipeline, written], &[], &properties, 0);
    }

    /// The asynchronous load of a tile into its slot.
    fn load(&mut self, load: usize, tile: Value, barrier: Value, mapping: &Mapping) {
        let op = self.body.operations[load];
        let (descriptor, number) = self.descriptors[&load];
        let context = self.builder.ir();
        let coordinates = op.operands_named(context, "coordinates");
        let atom = op.attribute(context, "atom").unwrap_or(Attribute::UNIT);
        let padding = op.attribute(context, "padding_value");
        self.location = op.location(context);
        let mut operands = vec![descriptor, tile];
        operands.extend(coordinates.iter().map(|value| mapping.lookup(*value)));
        operands.push(barrier);
        let count = i32::try_from(coordinates.len()).unwrap_or(i32::MAX);
        let segments = Attribute::i32_array(self.builder.context(), &[1, 1, count, 1]);
        let mut properties = vec![
            ("atom", atom),
            ("tmaIdx", self.i32(number)),
            ("operandSegmentSizes", segments),
        ];
        properties.extend(padding.map(|padding| ("padding_value", padding)));
        let ty = self.ty("async_token");
        let name = "nv_tileas.async.tiled_tma_load";
        let made = self.create(name, &operands, &[ty], &properties, 0);
        self.copy_schedule(op, made);
        self.location = self.body.op.location(self.builder.ir());
    }

    fn consume_all(&mut self, iterators: &Iterators, mapping: &mut Mapping) {
        // Pipes that only the yield reads are read at the end.
        let length = self.plan.sequence.len();
        let mut held: Vec<Option<Value>> = vec![None; self.plan.mutexes.len()];
        let mut position = 0;
        while position < length {
            let end = self.unit_end(position);
            let nodes: Vec<usize> = self.plan.sequence[position..=end].to_vec();
            self.enter_mutexes(&mut held, iterators, FirstAgent::Consumer, |mutex| {
                nodes.iter().any(|node| mutex.consumers.contains(node))
            });
            self.consume_span(position, end, &[], iterators, mapping);
            let later: Vec<usize> = self.plan.sequence[end + 1..].to_vec();
            self.leave_mutexes(&mut held, FirstAgent::Consumer, |mutex| {
                later.iter().any(|node| mutex.consumers.contains(node))
            });
            position = end + 1;
        }
        for number in 0..self.plan.pipes.len() {
            if self.plan.pipes[number].span.is_none() {
                self.read(number, None, &[number], iterators, mapping);
            }
        }
    }

    /// The last position of the outermost read region that starts at `position`.
    fn unit_end(&self, position: usize) -> usize {
        let spans = self.plan.pipes.iter().filter_map(|pipe| pipe.span);
        spans
            .filter(|span| span.0 == position)
            .map(|span| span.1)
            .max()
            .unwrap_or(position)
    }

    /// Emits positions `start..=end`, with read regions for the spans in it. `open` are the pipes
    /// whose regions are open already.
    fn consume_span(
        &mut self,
        start: usize,
        end: usize,
        open: &[usize],
        iterators: &Iterators,
        mapping: &mut Mapping,
    ) {
        let mut position = start;
        while position <= end {
            let widest = (0..self.plan.pipes.len())
                .filter(|number| !open.contains(number))
                .filter_map(|number| self.plan.pipes[number].span.map(|span| (span, number)))
                .filter(|(span, _)| span.0 == position && span.1 <= end)
                .max_by_key(|(span, number)| (span.1, std::cmp::Reverse(*number)));
            if let Some((span, number)) = widest {
                let mut inner = open.to_vec();
                inner.push(number);
                self.read(number, Some(span), &inner, iterators, mapping);
                position = span.1 + 1;
            } else {
                let op = self.body.operations[self.plan.sequence[position]];
                self.copy(op, mapping);
                position += 1;
            }
        }
    }

    /// Waits for a slot, reads it in a region that holds the operations of the span, releases it.
    fn read(
        &mut self,
        number: usize,
        span: Option<(usize, usize)>,
        open: &[usize],
        iterators: &Iterators,
        mapping: &mut Mapping,
    ) {
        let pipe = &self.plan.pipes[number];
        let pipeline = self.pipes[number].pipeline;
        let token = self.ty("consumer_token");
        let index = self.i32(0);
        let operands = [pipeline, iterators.pipes[number]];
        let properties = [("consumer_idx", index)];
        let ready = self.pipeline_op("consumer_wait", &operands, &[token], &properties, 0);
        let ready = self.result(ready, 0);
        let escaping = self.escaping(number, span);
        let mut types = vec![token];
        types.extend(escaping.iter().map(|value| value.ty(self.builder.ir())));
        let payload = Attribute::type_array(self.builder.context(), &pipe.payload);
        let properties = [("consumer_idx", index), ("producer_types", payload)];
        let read = self.pipeline_op("consumer_read", &[pipeline, ready], &types, &properties, 1);
        let (block, behind) = self.enter(read, 0);
        for (slot, &load) in pipe.loads.iter().enumerate() {
            let location = self.location;
            let tile = block.add_argument(self.builder.context(), pipe.payload[slot], location);
            let original = self.body.operations[load].result(self.builder.ir(), 0);
            mapping.map(original, tile);
        }
        if let Some((start, end)) = span {
            self.consume_span(start, end, open, iterators, mapping);
        }
        let values: Vec<Value> = escaping
            .iter()
            .map(|value| mapping.lookup(*value))
            .collect();
        self.pipeline_yield(&values);
        self.builder.set_insertion_point(behind);
        for (position, value) in escaping.iter().enumerate() {
            mapping.map(*value, self.result(read, position + 1));
        }
        let read = self.result(read, 0);
        self.pipeline_op("consumer_release", &[pipeline, read], &[], &[], 0);
    }

    /// Values made in a read region, its tiles included, that are used behind it.
    fn escaping(&self, number: usize, span: Option<(usize, usize)>) -> Vec<Value> {
        let context = self.builder.ir();
        let sequence = &self.plan.sequence;
        let inside: BTreeSet<usize> = span.map_or_else(BTreeSet::new, |(start, end)| {
            sequence[start..=end].iter().copied().collect()
        });
        let positions = span.map_or(0..0, |(start, end)| start..end + 1);
        let mut made: Vec<Value> = sequence[positions]
            .iter()
            .flat_map(|node| self.body.operations[*node].results(context))
            .collect();
        let within = |pipe: &PipePlan| match (pipe.span, span) {
            (Some(inner), Some(outer)) => outer.0 <= inner.0 && inner.1 <= outer.1,
            _ => false,
        };
        for (other, pipe) in self.plan.pipes.iter().enumerate() {
            if other == number || within(pipe) {
                made.extend(
                    pipe.loads
                        .iter()
                        .map(|load| self.body.operations[*load].result(context, 0)),
                );
            }
        }
        let mut used: BTreeSet<Value> = self.next_values().into_iter().collect();
        for node in sequence.iter().filter(|node| !inside.contains(node)) {
            for op in collect(context, self.body.operations[*node]) {
                used.extend(op.operands(context));
            }
        }
        made.retain(|value| used.contains(value));
        made
    }

    /// The values that the consumer's next iteration starts with.
    fn next_values(&self) -> Vec<Value> {
        let yielded = self.body.yielded(self.builder.ir());
        self.plan
            .consumer_carried
            .iter()
            .map(|position| yielded[*position])
            .collect()
    }

    /// Enters the mutexes that `wanted` names and that are not held yet.
    fn enter_mutexes(
        &mut self,
        held: &mut [Option<Value>],
        iterators: &Iterators,
        agent: FirstAgent,
        wanted: impl Fn(&super::plan::MutexPlan) -> bool,
    ) {
        for (number, mutex) in self.plan.mutexes.iter().enumerate() {
            if held[number].is_some() || !wanted(mutex) {
                continue;
            }
            let operands = [self.mutexes[number].pipeline, iterators.mutexes[number]];
            let entered = if mutex.first == agent {
                let token = self.ty("producer_token");
                self.pipeline_op("producer_acquire", &operands, &[token], &[], 0)
            } else {
                let token = self.ty("consumer_token");
                let index = self.i32(0);
                let properties = [("consumer_idx", index)];
                self.pipeline_op("consumer_wait", &operands, &[token], &properties, 0)
            };
            held[number] = Some(self.result(entered, 0));
        }
    }

    /// Leaves the held mutexes that `needed` does not ask for any more.
    fn leave_mutexes(
        &mut self,
        held: &mut [Option<Value>],
        agent: FirstAgent,
        needed: impl Fn(&super::plan::MutexPlan) -> bool,
    ) {
        for (number, mutex) in self.plan.mutexes.iter().enumerate() {
            if needed(mutex) {
                continue;
            }
            let Some(token) = held[number].take() else {
                continue;
            };
            let operands = [self.mutexes[number].pipeline, token];
            let name = if mutex.first == agent {
                "producer_commit"
            } else {
                "consumer_release"
            };
            self.pipeline_op(name, &operands, &[], &[], 0);
        }
    }
}
