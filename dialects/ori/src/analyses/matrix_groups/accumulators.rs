//! Accumulator sets: values that share a tuple of registers.
//!
//! A product overwrites its accumulator, a wait passes it on, and a block argument receives it: the
//! values before and after are one set, in one tuple of registers. A value that is concatenated
//! from parts begins a set.

use orison_ir::analyses::ControlFlowGraph;
use orison_ir::{Context, Operation, Value};
use rustc_hash::FxHashMap;

use super::{Role, role};
use crate::Register;
use crate::operations::matrix::WgmmaMma;

/// A set of accumulator values, by number in order of first appearance.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct AccumulatorSet(pub u32);

/// The accumulator sets of a function.
#[derive(Clone, Debug, Default)]
pub struct AccumulatorSets {
    set: FxHashMap<Value, AccumulatorSet>,
    /// The registers of each set.
    words: Vec<u32>,
}

impl AccumulatorSets {
    /// Computes the sets. Close to linear in the operands of the products, waits and branches.
    pub fn of(context: &Context, flow: &ControlFlowGraph) -> Self {
        let mut classes = Classes::default();
        for block in flow.blocks() {
            for op in block.operations(context) {
                visit(context, op, &mut classes);
            }
        }
        let mut sets = AccumulatorSets::default();
        let mut numbers: FxHashMap<usize, AccumulatorSet> = FxHashMap::default();
        for (position, value) in classes.values.clone().into_iter().enumerate() {
            let root = classes.root(position);
            let words = tuple_words(context, value).unwrap_or(0);
            let next = AccumulatorSet(u32::try_from(sets.words.len()).unwrap_or(u32::MAX));
            let set = *numbers.entry(root).or_insert(next);
            if set == next {
                sets.words.push(words);
            }
            sets.set.insert(value, set);
        }
        sets
    }

    /// The set of a value; `None` if it is no accumulator of a product.
    pub fn get(&self, value: Value) -> Option<AccumulatorSet> {
        self.set.get(&value).copied()
    }

    /// The number of sets.
    pub fn count(&self) -> usize {
        self.words.len()
    }

    /// The number of registers of a set.
    pub fn words(&self, set: AccumulatorSet) -> u32 {
        self.words[set.0 as usize]
    }
}

/// The number of registers of an accumulator; `None` for other values.
fn tuple_words(context: &Context, value: Value) -> Option<u32> {
    match Register::of(context, value.ty(context)) {
        Some(Register::Accumulator(count)) => Some(count),
        // The accumulators of the narrowest products are no wider than ordinary registers.
        Some(register) if !register.is_uniform() => register.words(),
        _ => None,
    }
}

fn visit(context: &Context, op: Operation, classes: &mut Classes) {
    if let Some(product) = WgmmaMma::of(context, op) {
        let result = product.result(context);
        classes.add(result);
        let before = product.accumulator(context);
        let otherwise = op.operands_named(context, "otherwise");
        for value in before.into_iter().chain(otherwise) {
            classes.join(value, result);
        }
    } else if matches!(role(context, op), Some(Role::Wait(_))) {
        let passed = op.operands_named(context, "accumulators");
        for (value, complete) in passed.into_iter().zip(op.results(context)) {
            classes.join(value, complete);
        }
    } else {
        for (block, passed) in op.edges(context) {
            let Some(passed) = passed else { continue };
            for (number, argument) in passed.zip(block.arguments(context)) {
                let register = Register::of(context, argument.ty(context));
                if matches!(register, Some(Register::Accumulator(_))) {
                    classes.join(op.operand(context, number), argument);
                }
            }
        }
    }
}

/// Disjoint sets of values.
#[derive(Debug, Default)]
struct Classes {
    values: Vec<Value>,
    position: FxHashMap<Value, usize>,
    parent: Vec<usize>,
}

impl Classes {
    fn add(&mut self, value: Value) -> usize {
        let next = self.values.len();
        let position = *self.position.entry(value).or_insert(next);
        if position == next {
            self.values.push(value);
            self.parent.push(next);
        }
        position
    }

    fn root(&mut self, mut position: usize) -> usize {
        while self.parent[position] != position {
            // Halving the path keeps it short.
            self.parent[position] = self.parent[self.parent[position]];
            position = self.parent[position];
        }
        position
    }

    fn join(&mut self, a: Value, b: Value) {
        let (a, b) = (self.add(a), self.add(b));
        let (a, b) = (self.root(a), self.root(b));
        self.parent[a.max(b)] = a.min(b);
    }
}
