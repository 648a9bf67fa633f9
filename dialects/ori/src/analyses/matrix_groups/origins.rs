//! What a value is made of: the products whose results it holds, through extracts, concatenations,
//! waits and block arguments, none of which is an instruction.

use std::collections::BTreeSet;

use orison_ir::analyses::ControlFlowGraph;
use orison_ir::{Context, Operation, Value};
use rustc_hash::{FxHashMap, FxHashSet};

use super::shared_set::SharedSet;
use super::{Role, role};
use crate::operations::matrix::WgmmaMma;
use crate::operations::moves::{Concat, Extract};

/// The products whose results each value holds, by number.
#[derive(Clone, Debug, Default)]
pub struct Origins {
    held: FxHashMap<Value, SharedSet>,
    none: SharedSet,
}

impl Origins {
    /// Follows the results of the products. Values are visited in the order of the flow, and again
    /// when they turn out to hold more: once, times the loops around them. Close to linear, since
    /// values that hold nearly the same share it.
    pub fn of(context: &Context, flow: &ControlFlowGraph, products: &[Operation]) -> Self {
        let results = products.iter().filter_map(|op| WgmmaMma::of(context, *op));
        let results: Vec<Value> = results.map(|product| product.result(context)).collect();
        let reached = Reached::of(context, flow, &results);
        let mut held = vec![SharedSet::default(); reached.values.len()];
        for (product, value) in (0..).zip(&results) {
            held[reached.number[value]].insert(product);
        }
        let mut waiting: BTreeSet<usize> = (0..held.len()).collect();
        while let Some(value) = waiting.pop_first() {
            let own = std::mem::take(&mut held[value]);
            for holder in &reached.holders[value] {
                if held[*holder].add(&own) && *holder != value {
                    waiting.insert(*holder);
                }
            }
            held[value].add(&own);
        }
        Origins {
            held: reached.values.into_iter().zip(held).collect(),
            none: SharedSet::default(),
        }
    }

    /// The products whose results a value holds, in part or as a whole.
    pub fn of_value(&self, value: Value) -> &SharedSet {
        self.held.get(&value).unwrap_or(&self.none)
    }
}

/// The values that hold results of products, in the order of the flow.
struct Reached {
    values: Vec<Value>,
    number: FxHashMap<Value, usize>,
    /// The values that hold each one.
    holders: Vec<Vec<usize>>,
}

impl Reached {
    fn of(context: &Context, flow: &ControlFlowGraph, results: &[Value]) -> Self {
        let mut found: FxHashSet<Value> = FxHashSet::default();
        let mut pending: Vec<Value> = results.to_vec();
        let mut edges: Vec<(Value, Value)> = Vec::new();
        while let Some(value) = pending.pop() {
            if !found.insert(value) {
                continue;
            }
            for usage in value.uses(context) {
                let holders = holders(context, usage.owner, usage.operand);
                edges.extend(holders.iter().map(|holder| (value, *holder)));
                pending.extend(holders);
            }
        }
        let mut values = Vec::with_capacity(found.len());
        for block in flow.reverse_post_order() {
            let block = flow.block(*block);
            let defined = block.operations(context);
            let defined = defined.flat_map(|op| op.results(context).collect::<Vec<_>>());
            let all = block.arguments(context).chain(defined);
            values.extend(all.filter(|value| found.remove(value)));
        }
        // In blocks that are not reached.
        let mut others: Vec<Value> = found.into_iter().collect();
        others.sort_unstable();
        values.extend(others);
        let number: FxHashMap<Value, usize> = values.iter().copied().zip(0..).collect();
        let mut holders = vec![Vec::new(); values.len()];
        for (value, holder) in edges {
            holders[number[&value]].push(number[&holder]);
        }
        Reached {
            values,
            number,
            holders,
        }
    }
}
/// The values that hold an operand of an operation without an instruction that reads it.
fn holders(context: &Context, op: Operation, operand: usize) -> Vec<Value> {
    if Extract::matches(context, op) || Concat::matches(context, op) {
        return op.results(context).collect();
    }
    if matches!(role(context, op), Some(Role::Wait(_))) {
        return op.results(context).skip(operand).take(1).collect();
    }
    let is_otherwise = |operand: usize| {
        op.definition(context).is_some_and(|definition| {
            let mut groups = definition.operands.iter();
            let group = groups.position(|group| group.name == "otherwise");
            group.is_some_and(|group| {
                definition
                    .operand_range(context, op, group)
                    .contains(&operand)
            })
        })
    };
    if is_otherwise(operand) {
        return op.results(context).collect();
    }
    let mut held = Vec::new();
    for (block, passed) in op.edges(context) {
        if let Some(passed) = passed.filter(|passed| passed.contains(&operand)) {
            held.push(block.argument(context, operand - passed.start));
        }
    }
    held
}
