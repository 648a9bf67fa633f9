//! Modulo expansion: a loop whose iterations overlap.
//!
//! Each operation of the loop has a stage. An iteration of the *kernel* executes stage `s` of
//! iteration `k - s` of the loop, in the order of the kernel; the first iterations are started in a
//! prologue and the last ones completed in an epilogue. A value that later stages read is carried
//! from one kernel iteration to the next, once for each stage between. This is the form of MLIR's
//! `scf::pipelineForLoop`.

use std::collections::{BTreeMap, BTreeSet};

use orison_ir::walk::collect;
use orison_ir::{Mapping, Operation, Value};

use super::emit::Emitter;

/// An operation of the body with its stage, from 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Placed {
    pub(super) op: Operation,
    pub(super) stage: usize,
}

/// Writes the expansion of a loop at the insertion point. `placed` are all operations of its body
/// but the terminator, in the order of the kernel. The loop must have at least `stages - 1`
/// iterations. Returns the kernel and the values of the results of the loop; the loop is unchanged.
pub(super) fn expand(
    emitter: &mut Emitter<'_>,
    looped: Operation,
    placed: &[Placed],
    stages: usize,
) -> (Operation, Vec<Value>) {
    Expansion::new(emitter, looped, placed, stages).write(emitter)
}

/// What a value is to the loop.
#[derive(Clone, Copy)]
enum Origin {
    /// Not defined in the loop.
    Outside,
    /// A carried argument, by position.
    Carried(usize),
    /// Defined in a stage. The induction variable belongs to stage 0.
    Stage(usize),
}

struct Expansion<'p> {
    placed: &'p [Placed],
    stages: usize,
    bounds: [Value; 3],
    initial: Vec<Value>,
    induction: Value,
    yielded: Vec<Value>,
    origins: BTreeMap<Value, Origin>,
    /// The values of the first iterations, by iteration.
    first: BTreeMap<(Value, usize), Value>,
    /// What the kernel carries: a value, and how many iterations before that of the kernel it
    /// belongs to.
    carried: Vec<(Value, usize)>,
    /// In the kernel: what it carries, and what the current iteration has defined, by the number of
    /// iterations before that of the kernel. After it: by the number of iterations before the end.
    known: BTreeMap<(Value, usize), Value>,
}

impl<'p> Expansion<'p> {
    fn new(
        emitter: &Emitter<'_>,
        looped: Operation,
        placed: &'p [Placed],
        stages: usize,
    ) -> Expansion<'p> {
        let context = emitter.ir();
        let operands: Vec<Value> = looped.operands(context).collect();
        let block = looped.body_block(context, 0);
        let arguments: Vec<Value> = block
            .map(|block| block.arguments(context).collect())
            .unwrap_or_default();
        let end = block.and_then(|block| block.terminator(context));
        let mut origins = BTreeMap::new();
        for (position, argument) in arguments.iter().skip(1).enumerate() {
            origins.insert(*argument, Origin::Carried(position));
        }
        origins.insert(arguments[0], Origin::Stage(0));
        for placed in placed {
            for result in placed.op.results(context) {
                origins.insert(result, Origin::Stage(placed.stage));
            }
        }
        let mut expansion = Expansion {
            placed,
            stages,
            bounds: [operands[0], operands[1], operands[2]],
            initial: operands[3..].to_vec(),
            induction: arguments[0],
            yielded: end
                .map(|end| end.operands(context).collect())
                .unwrap_or_default(),
            origins,
            first: BTreeMap::new(),
            carried: Vec::new(),
            known: BTreeMap::new(),
        };
        let mut needed = BTreeSet::new();
        for placed in placed {
            for value in operands_within(emitter, placed.op) {
                expansion.require(value, placed.stage, &mut needed);
            }
        }
        for (position, value) in expansion.yielded.iter().enumerate() {
            match stages {
                // A loop of one stage may have no iteration.
                1 => expansion.require(arguments[position + 1], 0, &mut needed),
                _ => expansion.require(*value, 1, &mut needed),
            }
        }
        expansion.carried = needed.into_iter().collect();
        expansion
    }

    fn origin(&self, value: Value) -> Origin {
        self.origins.get(&value).copied().unwrap_or(Origin::Outside)
    }

    /// Adds what the kernel must carry so that a value of `age` iterations before is known.
    fn require(&self, value: Value, age: usize, needed: &mut BTreeSet<(Value, usize)>) {
        match self.origin(value) {
            Origin::Outside => {}
            Origin::Carried(position) if age + 1 < self.stages => {
                self.require(self.yielded[position], age + 1, needed);
            }
            Origin::Carried(position) => {
                if needed.insert((value, age)) {
                    self.require(self.yielded[position], age, needed);
                }
            }
            Origin::Stage(stage) => {
                if stage < age && needed.insert((value, age)) {
                    self.require(value, age - 1, needed);
                }
            }
        }
    }

    /// A value of one of the first iterations.
    fn at_first(&self, value: Value, iteration: usize) -> Value {
        match self.origin(value) {
            Origin::Outside => value,
            Origin::Carried(position) => match iteration {
                0 => self.initial[position],
                _ => self.at_first(self.yielded[position], iteration - 1),
            },
            Origin::Stage(_) => {
                let known = self.first.get(&(value, iteration));
                known.copied().unwrap_or(value)
            }
        }
    }

    /// A value of the iteration `age` before that of the kernel, or before the end.
    fn at(&self, value: Value, age: usize) -> Value {
        match self.origin(value) {
            Origin::Outside => value,
            Origin::Carried(position) if age + 1 < self.stages => {
                self.at(self.yielded[position], age + 1)
            }
            _ => self.known.get(&(value, age)).copied().unwrap_or(value),
        }
    }

    fn write(mut self, emitter: &mut Emitter<'_>) -> (Operation, Vec<Value>) {
        self.prologue(emitter);
        let kernel = self.kernel(emitter);
        self.epilogue(emitter);
        let results = match self.stages {
            1 => kernel.results(emitter.ir()).collect(),
            _ => self.yielded.iter().map(|v| self.at(*v, 1)).collect(),
        };
        (kernel, results)
    }

    fn prologue(&mut self, emitter: &mut Emitter<'_>) {
        let mut index = self.bounds[0];
        for time in 0..self.stages - 1 {
            if time > 0 {
                index = emitter.arith("addi", index, self.bounds[2]);
            }
            self.first.insert((self.induction, time), index);
            for placed in self.placed.iter().filter(|placed| placed.stage <= time) {
                let iteration = time - placed.stage;
                let operands = operands_within(emitter, placed.op).into_iter();
                let pairs = operands.map(|value| (value, self.at_first(value, iteration)));
                let results = copy(emitter, placed.op, pairs.collect(), false);
                let results = results.into_iter();
                self.first
                    .extend(results.map(|(from, to)| ((from, iteration), to)));
            }
        }
    }

    fn kernel(&mut self, emitter: &mut Emitter<'_>) -> Operation {
        let last = self.stages - 1;
        let mut bounds = self.bounds;
        if let Some(before) = last.checked_sub(1) {
            let before = self.at_first(self.induction, before);
            bounds[0] = emitter.arith("addi", before, self.bounds[2]);
        }
        let carried = std::mem::take(&mut self.carried);
        let initial = carried
            .iter()
            .map(|(value, age)| self.at_first(*value, last - age));
        let initial: Vec<Value> = initial.collect();
        let (kernel, arguments, outside) = emitter.loop_over(bounds, &initial);
        self.known.insert((self.induction, 0), arguments[0]);
        self.known
            .extend(carried.iter().copied().zip(arguments[1..].iter().copied()));
        for placed in self.placed {
            let operands = operands_within(emitter, placed.op).into_iter();
            let pairs = operands.map(|value| (value, self.at(value, placed.stage)));
            let results = copy(emitter, placed.op, pairs.collect(), true);
            let results = results.into_iter();
            self.known
                .extend(results.map(|(from, to)| ((from, placed.stage), to)));
        }
        let next: Vec<Value> = carried
            .iter()
            .map(|&(value, age)| match self.origin(value) {
                Origin::Carried(position) => self.at(self.yielded[position], age),
                _ => self.at(value, age - 1),
            })
            .collect();
        emitter.scf_yield(&next);
        emitter.leave(outside);
        let results: Vec<Value> = kernel.results(emitter.ir()).collect();
        self.known = carried.iter().copied().zip(results).collect();
        self.carried = carried;
        kernel
    }

    fn epilogue(&mut self, emitter: &mut Emitter<'_>) {
        for time in 1..self.stages {
            for placed in self.placed.iter().filter(|placed| placed.stage >= time) {
                let age = placed.stage + 1 - time;
                let operands = operands_within(emitter, placed.op).into_iter();
                let pairs = operands.map(|value| (value, self.at(value, age)));
                let results = copy(emitter, placed.op, pairs.collect(), false);
                let results = results.into_iter();
                self.known
                    .extend(results.map(|(from, to)| ((from, age), to)));
            }
        }
    }
}

/// The operands of an operation and of the operations in it.
fn operands_within(emitter: &Emitter<'_>, op: Operation) -> BTreeSet<Value> {
    let context = emitter.ir();
    let all = collect(context, op).into_iter();
    all.flat_map(|op| op.operands(context).collect::<Vec<_>>())
        .collect()
}

/// Copies an operation with other operands; returns its results with those of the copy. In a loop,
/// stage and order name one operation: only the copy in the kernel has them.
fn copy(
    emitter: &mut Emitter<'_>,
    op: Operation,
    operands: Vec<(Value, Value)>,
    in_kernel: bool,
) -> Vec<(Value, Value)> {
    let mut mapping = Mapping::default();
    for (from, to) in operands.into_iter().filter(|(from, to)| from != to) {
        mapping.map(from, to);
    }
    let context = emitter.builder.context();
    let made = op.clone_into(context, &mut mapping);
    emitter.builder.insert(made);
    if !in_kernel {
        for op in collect(emitter.ir(), made) {
            emitter.forget_schedule(op);
        }
    }
    let context = emitter.ir();
    op.results(context).zip(made.results(context)).collect()
}
