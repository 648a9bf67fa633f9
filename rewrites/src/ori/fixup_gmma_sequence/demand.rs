//! The registers that accumulators and factors need: the contract with register allocation.
//!
//! An accumulator is a tuple of consecutive registers (class 6 of the page). Register allocation
//! keeps a tuple in one place from the first arrive before a product that uses it to the wait that
//! completes the last one; [`Demand`] is what it must be able to give. If it cannot, the products
//! are serialized, which shortens these live ranges to one product each. Seed 002, "Interaction
//! with Register Allocation"; the figures are measured.

use orison_ir::{Context, Operation, Value};
use orison_ori::analyses::matrix_groups::{Role, role};
use orison_ori::operations::matrix::WgmmaMma;
use orison_ori::operations::moves::Extract;
use rustc_hash::FxHashSet;

use super::registers::{Variable, Variables, words};
use crate::ori::form_accumulators::operations;
use crate::ori::functions::Function;

/// The registers below the first one that an accumulator gets.
const RESERVED_BELOW: u32 = 24;
/// Registers kept free besides.
const KEPT_FREE: u32 = 2;
/// The most registers a thread can have.
const MOST: u32 = 255;
/// The registers of a multiprocessor.
const FILE: u32 = 65_536;

/// The registers that the products of a function need.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Demand {
    /// The most that one product needs: accumulator and left factor.
    pub product: u32,
    /// The product that needs them.
    pub largest: Option<Operation>,
    /// The most that the accumulators between two fences need.
    pub stage: u32,
    /// What all accumulators and left factors need that live at one time.
    pub function: u32,
    /// Whether accumulators overlap such that one must be copied.
    pub copies: bool,
}

impl Demand {
    /// Computes the demand of a function. Linear, except that accumulators are compared in pairs.
    pub(super) fn of(context: &Context, function: Function, variables: &mut Variables) -> Self {
        let mut demand = Demand::default();
        let mut tuples: Vec<Vec<Variable>> = Vec::new();
        let mut factors: FxHashSet<Vec<Variable>> = FxHashSet::default();
        let mut stage: Vec<Vec<Variable>> = Vec::new();
        for op in operations(context, function) {
            match role(context, op) {
                Some(Role::Arrive) => stage.clear(),
                Some(Role::Product) => {}
                _ => continue,
            }
            let Some(product) = WgmmaMma::of(context, op) else {
                continue;
            };
            let own = variables.tuple(op).to_vec();
            let factor = variables.factor(op);
            let needed = size(&own) + size(&factor);
            if needed > demand.product {
                (demand.product, demand.largest) = (needed, Some(op));
            }
            if !factor.is_empty() {
                factors.insert(factor);
            }
            if !stage.contains(&own) {
                stage.push(own.clone());
            }
            let total = stage.iter().map(|tuple| size(tuple)).sum();
            demand.stage = demand.stage.max(total);
            let tuple = renamed(context, product, own, variables);
            if !tuples.contains(&tuple) {
                tuples.push(tuple);
            }
        }
        demand.copies = needs_copies(&tuples);
        let parts = |one: &&Vec<Variable>| {
            !tuples
                .iter()
                .any(|other| other != *one && other.starts_with(one))
        };
        let accumulators: u32 = tuples.iter().filter(parts).map(|t| size(t)).sum();
        demand.function = accumulators + factors.iter().map(|f| size(f)).sum::<u32>();
        demand
    }

    /// Whether one product alone needs more registers than there are.
    pub fn exceeds_product(&self, limit: u32) -> bool {
        self.product > 0 && limit < self.least_limit()
    }

    /// The least number of registers with which every product can be compiled.
    pub fn least_limit(&self) -> u32 {
        self.product + RESERVED_BELOW + KEPT_FREE
    }

    /// Whether the accumulators of a stage need more registers than there are.
    pub fn exceeds_stage(&self, limit: u32) -> bool {
        self.stage + KEPT_FREE > limit
    }

    /// Whether all accumulators and factors together do.
    pub fn exceeds_function(&self, limit: u32) -> bool {
        self.function > 0 && self.function + RESERVED_BELOW + KEPT_FREE > limit
    }
}

fn size(tuple: &[Variable]) -> u32 {
    u32::try_from(tuple.len()).unwrap_or(u32::MAX)
}

/// A tuple with names of their own for the registers that nobody reads, if the product has no
/// accumulator to read.
fn renamed(
    context: &Context,
    product: WgmmaMma,
    mut tuple: Vec<Variable>,
    variables: &mut Variables,
) -> Vec<Variable> {
    if product.accumulator(context).is_none() {
        let live = live_words(context, product.result(context));
        for (variable, live) in tuple.iter_mut().zip(live) {
            if !live {
                *variable = variables.fresh();
            }
        }
    }
    tuple
}

/// Which words of an accumulator are used.
fn live_words(context: &Context, value: Value) -> Vec<bool> {
    let count = words(context, value) as usize;
    let mut live = vec![false; count];
    let mut pending = vec![value];
    let mut seen: FxHashSet<Value> = FxHashSet::default();
    while let Some(value) = pending.pop() {
        if !seen.insert(value) {
            continue;
        }
        for usage in value.uses(context) {
            let op = usage.owner;
            if let Some(extract) = Extract::of(context, op) {
                let first = extract
                    .word(context)
                    .and_then(|word| usize::try_from(word).ok());
                let part = extract.part(context);
                let used = !part.is_unused(context);
                let first = first.unwrap_or(0);
                for word in first..first + words(context, part) as usize {
                    if let Some(slot) = live.get_mut(word) {
                        *slot |= used;
                    }
                }
            } else if matches!(role(context, op), Some(Role::Wait(_))) {
                pending.push(op.result(context, usage.operand));
            } else {
                live.fill(true);
            }
        }
    }
    live
}

/// Whether two tuples share a register in different places, unless one begins with the other; or
/// one has a register twice.
fn needs_copies(tuples: &[Vec<Variable>]) -> bool {
    for (number, tuple) in tuples.iter().enumerate() {
        let own: FxHashSet<Variable> = tuple.iter().copied().collect();
        if own.len() < tuple.len() {
            return true;
        }
        for other in &tuples[..number] {
            let shares = other.iter().any(|one| own.contains(one));
            if shares && !tuple.starts_with(other) && !other.starts_with(tuple) {
                return true;
            }
        }
    }
    false
}

/// The registers that a thread of a function may have: `.maxnreg`, the threads of a CTA
/// (`.maxntid`, `.reqntid`) and its CTAs in a multiprocessor (`.minnctapersm`), or else the option
/// of the compiler, `-maxrregcount`.
pub fn register_limit(context: &Context, function: Operation, option: Option<u32>) -> u32 {
    let number = |key: &str| {
        let value = function.attribute(context, key);
        let value = value.and_then(|value| value.as_i64(context));
        value.and_then(|value| u32::try_from(value).ok())
    };
    if let Some(registers) = number("max_registers") {
        return registers.min(MOST);
    }
    let threads = ["max_threads", "required_threads"].iter().find_map(|key| {
        let list = function.attribute(context, key)?.as_i32_array(context)?;
        let product = list
            .iter()
            .map(|n| u64::try_from(*n).unwrap_or(1))
            .product();
        Some(u64::max(product, 1))
    });
    match threads {
        Some(threads) => {
            let ctas = u64::from(number("min_ctas").unwrap_or(1).max(1));
            let threads = threads.div_ceil(32) * 32;
            let each = u64::from(FILE) / (ctas * threads) / 8 * 8;
            u32::try_from(each).unwrap_or(MOST).min(MOST)
        }
        None => option.unwrap_or(MOST).min(MOST),
    }
}
