//! The registers that accumulators and factors need: the contract with register allocation.
//!
//! An accumulator is a tuple of consecutive registers (class 6 of the page). Register allocation
//! keeps a tuple in one place from the first arrive before a product that uses it to the wait that
//! completes the last one; [`Demand`] is what it must be able to give. If it cannot, the products
//! are serialized, which shortens these live ranges to one product each. Seed 002, "Interaction
//! with Register Allocation"; the figures are measured.

use std::collections::BTreeSet;

use orison_ir::analyses::ControlFlowGraph;
use orison_ir::{Context, Operation, Value};
use orison_ori::analyses::MatrixGroups;
use orison_ori::analyses::matrix_groups::{Role, SharedSet, role};
use orison_ori::operations::matrix::WgmmaMma;
use orison_ori::operations::moves::Extract;
use orison_ori::operations::synchronization::Setmaxreg;
use rustc_hash::{FxHashMap, FxHashSet};

use super::kinds::{Kinds, MOST};
use super::peak::peak;
use super::registers::{Variable, Variables, words};

/// The registers below the first one that an accumulator gets.
const RESERVED_BELOW: u32 = 24;
/// Registers kept free besides.
const KEPT_FREE: u32 = 2;
/// The registers of a multiprocessor.
const FILE: u32 = 65_536;

/// The registers that the products of a function need. Where they are more than a thread can have, it
/// is not told by how much.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Demand {
    /// The most that one product needs: accumulator and left factor.
    pub product: u32,
    /// The product that needs them.
    pub largest: Option<Operation>,
    /// The most that the accumulators and left factors of one list need: those of the products that
    /// follow a fence in its block, or that a wait completes.
    pub stage: u32,
    /// What all accumulators and left factors need that live at one time.
    pub function: u32,
    /// Whether accumulators overlap such that one must be copied.
    pub copies: bool,
}

impl Demand {
    /// Computes the demand of a function. `asked` is whether it asks for a number of registers. Close
    /// to linear.
    pub(super) fn of(
        context: &Context,
        flow: &ControlFlowGraph,
        groups: &MatrixGroups,
        variables: &mut Variables,
        asked: bool,
    ) -> Self {
        let mut demand = Demand::default();
        let mut tuples: BTreeSet<Vec<Variable>> = BTreeSet::new();
        let mut factors: FxHashSet<Vec<Variable>> = FxHashSet::default();
        for op in groups.products() {
            let Some(product) = WgmmaMma::of(context, *op) else {
                continue;
            };
            let own = variables.tuple(*op).to_vec();
            let factor = variables.factor(*op);
            let needed = size(&own) + size(&factor);
            if needed > demand.product {
                (demand.product, demand.largest) = (needed, Some(*op));
            }
            if !factor.is_empty() {
                factors.insert(factor);
            }
            tuples.insert(renamed(context, product, own, variables));
        }
        let kinds = Kinds::of(context, flow, groups, variables);
        demand.copies = needs_copies(&tuples) || multiplies_sums(context, groups);
        demand.stage = largest_list(context, flow, &kinds);
        // A tuple that another begins with is a part of it, and next to it in order.
        let next = tuples.iter().skip(1).map(Some).chain([None]);
        let wholes = tuples.iter().zip(next);
        let wholes = wholes.filter(|(one, next)| !next.is_some_and(|next| next.starts_with(one)));
        let accumulators: u32 = wholes.map(|(tuple, _)| size(tuple)).sum();
        let all = accumulators + factors.iter().map(|f| size(f)).sum::<u32>();
        // Where a number is asked for, ptxas spreads values over the registers that there are.
        demand.function = match asked {
            true => all,
            false => all.min(peak(context, flow, &kinds, variables)),
        };
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

/// Whether the left factor of a product is taken from the result of one without accumulator: its
/// registers are not yet those that the factor needs. ptxas gives the cause in half of the cases,
/// depending on internal register numbers.
fn multiplies_sums(context: &Context, groups: &MatrixGroups) -> bool {
    let products = groups.products().iter();
    let products = products.filter_map(|op| WgmmaMma::of(context, *op));
    let products: Vec<WgmmaMma> = products.collect();
    let fresh = (0..).zip(&products);
    let fresh = fresh.filter(|(_, product)| product.accumulator(context).is_none());
    let fresh: SharedSet = fresh.map(|(number, _)| number).collect();
    let mut factors = products.iter().map(|product| product.a(context));
    factors.any(|factor| groups.origins.of_value(factor).meets(&fresh))
}

/// The most registers that the products of one list need.
fn largest_list(context: &Context, flow: &ControlFlowGraph, kinds: &Kinds) -> u32 {
    let mut most = 0;
    let needed = |list: &SharedSet| {
        let mut tuples: FxHashSet<&[Variable]> = FxHashSet::default();
        let mut sum = 0;
        for number in list.iter() {
            let kind = &kinds.all[number as usize];
            for tuple in [&kind.tuple, &kind.factor] {
                sum += if tuples.insert(tuple) { size(tuple) } else { 0 };
            }
            if sum > MOST {
                break;
            }
        }
        sum
    };
    for block in 0..u32::try_from(flow.block_count()).unwrap_or(u32::MAX) {
        let mut fenced = SharedSet::default();
        kinds.flights.walk(context, flow, block, |op, flights| {
            match op.and_then(|op| role(context, op)) {
                Some(Role::Product) => {
                    let own = op.and_then(|op| kinds.flights.number(op));
                    own.into_iter().for_each(|own| fenced.insert(own));
                }
                Some(Role::Wait(left)) => most = most.max(needed(&flights.reached(left))),
                Some(Role::Arrive) => most = most.max(needed(&std::mem::take(&mut fenced))),
                _ => {}
            }
        });
        most = most.max(needed(&fenced));
    }
    most
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
/// one has a register twice. Linear: only beginnings of one tuple can share a register without that.
fn needs_copies(tuples: &BTreeSet<Vec<Variable>>) -> bool {
    let mut on: FxHashMap<Variable, Vec<&[Variable]>> = FxHashMap::default();
    for tuple in tuples {
        let own: FxHashSet<Variable> = tuple.iter().copied().collect();
        if own.len() < tuple.len() {
            return true;
        }
        for variable in tuple {
            let others = on.entry(*variable).or_default();
            // In order, a beginning comes before what begins with it.
            if !others.iter().all(|other| tuple.starts_with(other)) {
                return true;
            }
            others.push(tuple);
        }
    }
    false
}

/// The registers that a thread of a function may have: `.maxnreg`, the threads of a CTA
/// (`.maxntid`, `.reqntid`) and its CTAs in a multiprocessor (`.minnctapersm`), or else the option
/// of the compiler, `-maxrregcount`.
///
/// A kernel that changes the number itself (`setmaxnreg`) has the greatest that it asks for.
pub fn register_limit(context: &Context, function: Operation, option: Option<u32>) -> u32 {
    let entry = limit_at_entry(context, function, option);
    let region = function.regions(context).next();
    let blocks = region.into_iter().flat_map(|region| region.blocks(context));
    let changes = blocks.flat_map(|block| block.operations(context).collect::<Vec<_>>());
    let counts = changes.filter_map(|op| {
        let change = Setmaxreg::of(context, op)?;
        u32::try_from(change.count(context)?).ok()
    });
    let most = counts
        .max()
        .filter(|_| is_known_at_entry(context, function, option));
    most.map_or(entry, |most| most.max(entry)).min(MOST)
}

/// Whether the number of registers at the entry is known: it was asked for.
pub fn is_known_at_entry(context: &Context, function: Operation, option: Option<u32>) -> bool {
    let has = |key: &str| function.attribute(context, key).is_some();
    let threads = has("max_threads") || has("required_threads");
    has("max_registers") || threads && has("min_ctas") || !threads && option.is_some()
}

fn limit_at_entry(context: &Context, function: Operation, option: Option<u32>) -> u32 {
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
            // Four warps are one warp group.
            let threads = threads.div_ceil(128) * 128;
            let each = u64::from(FILE) / (ctas * threads) / 8 * 8;
            u32::try_from(each).unwrap_or(MOST).min(MOST)
        }
        None => option.unwrap_or(MOST).min(MOST),
    }
}
