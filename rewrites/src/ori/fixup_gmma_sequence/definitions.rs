//! Definitions of accumulators by operations that are no products: on which paths they are what
//! products take.

use std::cell::{Cell, RefCell};

use orison_ir::analyses::{ControlFlowGraph, Tree};
use orison_ir::{Context, Operation};
use orison_ori::analyses::matrix_groups::SharedSet;
use rustc_hash::{FxHashMap, FxHashSet};

use super::events::Event;
use super::facts::Facts;
use super::words::fed_by;
use crate::ori::matrix_registers::variables::Variable;

/// The most steps of [`Definitions::meet`] in a function: about 1,500 definitions on side paths, each
/// beside as many products of its register that waits complete. Nothing is found after them, which
/// leaves a report out and changes nothing else.
const MOST_STEPS: usize = 1 << 22;

/// The products that have a variable in their accumulators.
#[derive(Debug, Default)]
struct OnVariable {
    products: SharedSet,
    /// The products, by number, and the word of the variable.
    words: Vec<(u32, u32)>,
    /// The last block on all paths to these products, and the first one there.
    top: Option<u32>,
    first: Option<Operation>,
    /// The definitions that are not on every path to all these products.
    definitions: SharedSet,
}

/// The definitions of accumulators. Those that are on every path to all products on the register
/// have no number: any product after them takes or overwrites their value.
#[derive(Debug, Default)]
pub(super) struct Definitions {
    numbered: Vec<(Variable, Operation)>,
    number: FxHashMap<(Variable, Operation), u32>,
    on: FxHashMap<Variable, OnVariable>,
    none: SharedSet,
    /// What [`Definitions::misses`] has found.
    misses: RefCell<FxHashMap<u32, SharedSet>>,
    steps: Cell<usize>,
}

impl Definitions {
    /// Numbers the definitions among events. Linear in the events, the words of products, and the
    /// depth of the tree of dominators for each variable.
    pub fn of(inputs: &Facts<'_>) -> Self {
        let (context, flow) = (inputs.context, inputs.flow);
        let mut all = Definitions::default();
        for (number, op) in (0..).zip(inputs.groups.products()) {
            let tuple = inputs.variables.tuple(*op);
            for (word, variable) in (0..).zip(tuple) {
                let on = all.on.entry(*variable).or_default();
                on.products.insert(number);
                on.words.push((number, word));
                let Some(block) = flow.block_around(context, *op) else {
                    continue;
                };
                let top = on
                    .top
                    .map_or(block, |top| above(flow.dominators(), top, block));
                if on.top != Some(top) {
                    on.first = (top == block).then_some(*op);
                }
                on.top = Some(top);
            }
        }
        for event in inputs.events.iter().flatten() {
            match event {
                Event::Plain(op, touched) => {
                    for variable in &touched.accumulators {
                        all.add(context, flow, *variable, *op);
                    }
                }
                Event::Copied(written) => {
                    for (variable, op) in written {
                        all.add(context, flow, *variable, *op);
                    }
                }
                _ => {}
            }
        }
        all
    }

    fn add(&mut self, context: &Context, flow: &ControlFlowGraph, of: Variable, op: Operation) {
        let next = u32::try_from(self.numbered.len()).unwrap_or(u32::MAX);
        let Some(on) = self.on.get_mut(&of) else {
            return;
        };
        let above_all = match (flow.block_around(context, op), on.top) {
            (Some(block), Some(top)) if block == top => on
                .first
                .is_some_and(|first| op.is_before_in_block(context, first)),
            (Some(block), Some(top)) => flow.dominates(block, top),
            _ => false,
        };
        if !above_all && !self.number.contains_key(&(of, op)) {
            self.number.insert((of, op), next);
            self.numbered.push((of, op));
            on.definitions.insert(next);
        }
    }

    /// The number of a definition, if it has one.
    pub fn number(&self, variable: Variable, op: Operation) -> Option<u32> {
        self.number.get(&(variable, op)).copied()
    }

    /// The definitions of a variable that have numbers.
    pub fn of_variable(&self, variable: Variable) -> &SharedSet {
        self.on
            .get(&variable)
            .map_or(&self.none, |on| &on.definitions)
    }

    /// The products that have a variable in their accumulators.
    pub fn products_on(&self, variable: Variable) -> &SharedSet {
        self.on.get(&variable).map_or(&self.none, |on| &on.products)
    }

    /// Whether one of some definitions misses one of some products.
    pub fn meet(&self, inputs: &Facts<'_>, some: &SharedSet, products: &SharedSet) -> bool {
        let mut some = some.iter().take_while(|_| self.takes_steps(1));
        !products.is_empty() && some.any(|number| self.misses(inputs, number).meets(products))
    }

    /// Counts steps; whether there were no more than [`MOST_STEPS`].
    fn takes_steps(&self, more: usize) -> bool {
        self.steps.set(self.steps.get().saturating_add(more));
        self.steps.get() <= MOST_STEPS
    }

    /// The products on the register of a definition that neither take its value, also through
    /// products before them, nor overwrite it in any case. Linear in what holds the value and these
    /// products, once for each definition.
    fn misses(&self, inputs: &Facts<'_>, number: u32) -> SharedSet {
        if let Some(known) = self.misses.borrow().get(&number) {
            return known.clone();
        }
        let (variable, definition) = self.numbered[number as usize];
        if !self.takes_steps(self.on.get(&variable).map_or(0, |on| on.words.len())) {
            return SharedSet::default();
        }
        let fed: FxHashSet<(Operation, u32)> = fed_by(inputs.context, definition);
        let words = self.on.get(&variable).map_or(&[][..], |on| &on.words);
        let missed = words.iter().filter(|(product, word)| {
            let op = inputs.groups.products()[*product as usize];
            !is_overwritten(inputs, definition, op)
                && !fed.contains(&(op, *word))
                && !inputs.variables.takes_constant(op, definition)
        });
        let missed: SharedSet = missed.map(|(product, _)| *product).collect();
        self.misses.borrow_mut().insert(number, missed.clone());
        missed
    }
}

/// Whether a definition is on every path to a product.
fn is_overwritten(inputs: &Facts<'_>, definition: Operation, product: Operation) -> bool {
    let (context, flow) = (inputs.context, inputs.flow);
    if definition.block(context) == product.block(context) {
        return definition.is_before_in_block(context, product);
    }
    let block = |op| flow.block_around(context, op);
    let both = block(definition).zip(block(product));
    both.is_some_and(|(above, below)| flow.dominates(above, below))
}

/// The last block on all paths to two blocks.
fn above(dominators: &Tree, mut top: u32, block: u32) -> u32 {
    while !dominators.contains(top, block) {
        match dominators.parent(top) {
            Some(parent) => top = parent,
            None => break,
        }
    }
    top
}
