//! Accumulators that share registers such that one must be copied.

use std::collections::BTreeSet;

use orison_ir::{Context, Value};
use orison_ori::analyses::MatrixGroups;
use orison_ori::analyses::matrix_groups::{Role, SharedSet, role};
use orison_ori::operations::matrix::WgmmaMma;
use orison_ori::operations::moves::Extract;
use rustc_hash::{FxHashMap, FxHashSet};

use super::variables::{Variable, Variables, words};

/// Whether the left factor of a product is taken from the result of one without accumulator: its
/// registers are not yet those that the factor needs. ptxas gives the cause in half of the cases,
/// depending on internal register numbers.
pub(super) fn multiplies_sums(context: &Context, groups: &MatrixGroups) -> bool {
    let products = groups.products().iter();
    let products = products.filter_map(|op| WgmmaMma::of(context, *op));
    let products: Vec<WgmmaMma> = products.collect();
    let fresh = (0..).zip(&products);
    let fresh = fresh.filter(|(_, product)| product.accumulator(context).is_none());
    let fresh: SharedSet = fresh.map(|(number, _)| number).collect();
    let mut factors = products.iter().map(|product| product.a(context));
    factors.any(|factor| groups.origins.of_value(factor).meets(&fresh))
}

/// A tuple with names of their own for the registers that nobody reads, if the product has no
/// accumulator to read.
pub(super) fn renamed(
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
pub(super) fn needs_copies(tuples: &BTreeSet<Vec<Variable>>) -> bool {
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
