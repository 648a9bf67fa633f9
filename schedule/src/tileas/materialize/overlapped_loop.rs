//! Loops whose iterations overlap: the body is written once with a step for each wait and release,
//! and then expanded.

use orison_host::scf;
use orison_ir::walk::collect;
use orison_ir::{Block, Operation, Type, Value};
use orison_tileas::nv_tileas::types;

use super::super::solve::Rotation;
use super::agents::{AgentWriter, ProjectedLoop};
use super::expand::{Placed, expand};
use super::rotation::{TimedStep, Timeline, timeline};
use super::steps::{Step, is_asynchronous_product};
use super::unspecialized::iterations;

/// The overlap of a loop in one agent.
pub(super) struct Rotated {
    frame: usize,
    block: Block,
    timeline: Timeline,
    /// Stages of the agent.
    stages: usize,
    /// Iterations below which the loop executes one iteration after the other, in all agents.
    least: u64,
}

impl AgentWriter<'_, '_> {
    /// How iterations of a loop overlap in this agent; `None` if they do not.
    pub(super) fn rotation_of(&self, op: Operation) -> Option<Rotated> {
        let context = self.ir();
        let block = op.body_block(context, 0)?;
        let frame = self.plan.partition.frame_of(block)?;
        let rotation: &Rotation = self.plan.frames[frame].rotation.as_ref()?;
        if rotation.stages < 2 || self.shared == Some(op) {
            return None;
        }
        let timeline = timeline(context, self.plan, frame, self.agent, rotation);
        if timeline.is_plain() {
            return None;
        }
        Some(Rotated {
            frame,
            block,
            stages: timeline.stages(),
            timeline,
            least: u64::try_from(rotation.stages - 1).unwrap_or(u64::MAX),
        })
    }

    /// Writes a loop whose iterations overlap if there are enough of them; returns its results.
    pub(super) fn rotated_loop(
        &mut self,
        projected: &ProjectedLoop,
        rotated: &Rotated,
    ) -> Vec<Value> {
        match iterations(self.ir(), projected.op) {
            Some(count) if count >= rotated.least => self.expanded(projected, rotated),
            Some(_) => self.plain_loop(projected),
            None => self.guarded(projected, rotated),
        }
    }

    /// Both forms, in a branch on the number of iterations.
    fn guarded(&mut self, projected: &ProjectedLoop, rotated: &Rotated) -> Vec<Value> {
        let [lower, upper, step] = projected.bounds;
        let mut last = lower;
        for _ in 1..rotated.least {
            last = self.emitter.arith("addi", last, step);
        }
        let enough = self.emitter.less(last, upper);
        let types = self.emitter.types_of(&projected.initial);
        let branch = self
            .emitter
            .create(scf::If::NAME, &[enough], &types, &[], 2);
        let before = self.iterators.clone();
        for arm in 0..2 {
            self.iterators.clone_from(&before);
            let (_, outside) = self.emitter.enter(branch, arm);
            let results = match arm {
                0 => self.expanded(projected, rotated),
                // Fewer iterations than one.
                _ if rotated.least == 1 => projected.initial.clone(),
                _ => self.plain_loop(projected),
            };
            self.emitter.scf_yield(&results);
            self.emitter.leave(outside);
        }
        branch.results(self.ir()).collect()
    }

    /// Writes the body as one loop, and replaces it by its expansion.
    fn expanded(&mut self, projected: &ProjectedLoop, rotated: &Rotated) -> Vec<Value> {
        let (looped, arguments, outside) =
            self.emitter.loop_over(projected.bounds, &projected.initial);
        self.map_arguments(rotated.block, projected, &arguments);
        let mut made: Vec<Vec<Operation>> = Vec::new();
        let mut seen = 0;
        for timed in &rotated.timeline.steps {
            self.timed_step(rotated.frame, timed);
            let all = body(self, looped);
            made.push(all[seen..].to_vec());
            seen = all.len();
        }
        let mut next = self.next_carried(rotated.block, &projected.kept);
        next.extend(projected.keys.iter().map(|key| self.iterators[key]));
        // Tokens that stand for none depend on nothing.
        let all = body(self, looped);
        let mut placed: Vec<Placed> = all[seen..]
            .iter()
            .map(|op| Placed { op: *op, stage: 0 })
            .collect();
        self.emitter.scf_yield(&next);
        self.emitter.leave(outside);
        for seat in rotated.timeline.kernel() {
            let ops = made[seat.step].iter();
            placed.extend(ops.map(|op| Placed {
                op: *op,
                stage: seat.stage,
            }));
        }
        let (kernel, results) = expand(self.emitter, looped, &placed, rotated.stages);
        self.emitter.keep_attributes(projected.op, kernel, 1);
        looped.erase(self.emitter.builder.context());
        results
    }

    fn timed_step(&mut self, frame: usize, timed: &TimedStep) {
        match timed.step {
            Step::Copy(op) => self.copy_reading(frame, op),
            Step::Await(op) => self.await_product(op),
            Step::Fill(pipe) => {
                self.fill(frame, pipe);
                self.advance_one(self.pipe_key(frame, pipe));
            }
            Step::Take(pipe) => {
                self.wait_for_slot(frame, pipe);
                self.extract(frame, pipe);
                self.release_slot(frame, pipe);
            }
            Step::Wait(pipe) => self.wait_for_slot(frame, pipe),
            Step::Release(pipe) => self.release_slot(frame, pipe),
            Step::Enter(mutex) => {
                let key = self.mutex_key(frame, mutex);
                self.enter_mutex(key);
                self.advance_one(key);
            }
            Step::Leave(mutex) => self.leave_mutex(self.mutex_key(frame, mutex)),
            // Scheduled loops contain no loops that are split between agents.
            Step::Project(_) => {}
        }
    }

    fn wait_for_slot(&mut self, frame: usize, pipe: usize) {
        let key = self.pipe_key(frame, pipe);
        let ready = self.wait_for(key, &self.plan.frames[frame].pipes[pipe]);
        self.held.insert(key, ready);
        self.advance_one(key);
    }

    fn release_slot(&mut self, frame: usize, pipe: usize) {
        let key = self.pipe_key(frame, pipe);
        let pipeline = self.channel(key).pipeline;
        if let Some(token) = self.held.remove(&key) {
            self.emitter
                .pipeline_op("consumer_release", &[pipeline, token], &[], &[], 0);
        }
    }

    /// Copies the tiles of a slot into registers.
    fn extract(&mut self, frame: usize, number: usize) {
        let values = self.plan.frames[frame].pipes[number].values.clone();
        let types = self.emitter.types_of(&values);
        let results = self.reading(frame, &[number], &types, &mut |writer| {
            values.iter().map(|v| writer.mapping.lookup(*v)).collect()
        });
        for (value, result) in values.into_iter().zip(results) {
            self.mapping.map(value, result);
        }
    }

    /// Copies an operation, in regions that give it the tiles of the slots it reads. A product is
    /// started.
    fn copy_reading(&mut self, frame: usize, op: Operation) {
        self.map_tokens(collect(self.ir(), op));
        let pipes = self.slots_read(frame, op);
        let product = is_asynchronous_product(self.ir(), op);
        let mut types: Vec<Type> = op.result_types(self.ir()).to_vec();
        if product {
            types.push(self.emitter.ty(&types::ASYNC_TOKEN_TYPE));
        }
        let loader = self.is_loader();
        let results = self.reading(frame, &pipes, &types, &mut |writer| {
            if product {
                let started = writer.product(op);
                return started.results(writer.ir()).collect();
            }
            let copy = writer.emitter.copy(op, &mut writer.mapping);
            if loader {
                writer.emitter.forget_schedule(copy);
            }
            copy.results(writer.ir()).collect()
        });
        let originals: Vec<Value> = op.results(self.ir()).collect();
        for (value, result) in originals.iter().zip(&results) {
            self.mapping.map(*value, *result);
        }
        if let Some(token) = results.get(originals.len()).filter(|_| product) {
            self.products.insert(op, *token);
        }
    }

    /// The pipes whose slots are held and read by an operation.
    fn slots_read(&self, frame: usize, op: Operation) -> Vec<usize> {
        let context = self.ir();
        let pipes = self.plan.frames[frame].pipes.iter().enumerate();
        let held =
            pipes.filter(|(number, _)| self.held.contains_key(&self.pipe_key(frame, *number)));
        let all = collect(context, op).into_iter();
        let operands: Vec<Value> = all
            .flat_map(|op| op.operands(context).collect::<Vec<_>>())
            .collect();
        held.filter(|(_, pipe)| pipe.values.iter().any(|value| operands.contains(value)))
            .map(|(number, _)| number)
            .collect()
    }

    /// Writes operations in nested regions that read the held slots of pipes. Returns the values
    /// that leave the regions, which have the given types.
    fn reading(
        &mut self,
        frame: usize,
        pipes: &[usize],
        types: &[Type],
        write: &mut dyn FnMut(&mut Self) -> Vec<Value>,
    ) -> Vec<Value> {
        let Some((&number, others)) = pipes.split_first() else {
            return write(self);
        };
        let key = self.pipe_key(frame, number);
        let pipe = &self.plan.frames[frame].pipes[number];
        let read = self.read_region("consumer_read", key, self.held[&key], types, pipe);
        let behind = self.enter_read(read, pipe);
        let yielded = self.reading(frame, others, types, write);
        self.emitter.pipeline_yield(&yielded);
        self.emitter.leave(behind);
        read.results(self.ir()).skip(1).collect()
    }
}

/// The operations of the body of a loop that is being written.
fn body(writer: &AgentWriter<'_, '_>, looped: Operation) -> Vec<Operation> {
    let block = looped.body_block(writer.ir(), 0);
    block
        .map(|block| block.operations(writer.ir()).collect())
        .unwrap_or_default()
}
