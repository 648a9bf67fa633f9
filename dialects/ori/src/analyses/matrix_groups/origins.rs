//! What a value is made of: the products whose results it holds, through extracts, concatenations,
//! waits and block arguments, none of which is an instruction.

use orison_ir::analyses::ControlFlowGraph;
use orison_ir::{Context, Operation, Value};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Role, role};
use crate::operations::matrix::WgmmaMma;
use crate::operations::moves::{Concat, Extract};

/// A part of a product's result.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Origin {
    /// The product.
    pub product: Operation,
}

/// The products whose results each value holds.
#[derive(Clone, Debug, Default)]
pub struct Origins(FxHashMap<Value, Vec<Origin>>);

impl Origins {
    /// Follows the results of the products. Linear in the values that hold them, times the products
    /// that meet in one value.
    pub fn of(context: &Context, flow: &ControlFlowGraph) -> Self {
        let mut held: FxHashMap<Value, FxHashSet<Origin>> = FxHashMap::default();
        let mut pending = Vec::new();
        for block in flow.blocks() {
            for op in block.operations(context) {
                if let Some(product) = WgmmaMma::of(context, op) {
                    let result = product.result(context);
                    pending.push((result, Origin { product: op }));
                }
            }
        }
        while let Some((value, origin)) = pending.pop() {
            if !held.entry(value).or_default().insert(origin) {
                continue;
            }
            for usage in value.uses(context) {
                let holds = holders(context, usage.owner, usage.operand);
                pending.extend(holds.into_iter().map(|holder| (holder, origin)));
            }
        }
        let sorted = held.into_iter().map(|(value, origins)| {
            let mut all: Vec<Origin> = origins.into_iter().collect();
            all.sort_unstable();
            (value, all)
        });
        Origins(sorted.collect())
    }

    /// All values that hold results of products, in order.
    pub fn values(&self) -> Vec<Value> {
        let mut values: Vec<Value> = self.0.keys().copied().collect();
        values.sort_unstable();
        values
    }

    /// The products whose results a value holds, in part or as a whole.
    pub fn of_value(&self, value: Value) -> &[Origin] {
        self.0.get(&value).map_or(&[], Vec::as_slice)
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
