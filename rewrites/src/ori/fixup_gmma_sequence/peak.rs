//! The registers of the accumulators and left factors that live at one time.

use orison_ir::analyses::{ControlFlowGraph, Liveness};
use orison_ir::{Context, Operation, Value};
use orison_ori::analyses::matrix_groups::{Role, role};
use orison_ori::analyses::{MatrixGroups, pressure};
use rustc_hash::{FxHashMap, FxHashSet};

use super::registers::{Variable, Variables};

/// The most registers that accumulators and left factors occupy where a product starts: what is used
/// later, all of what is in flight, and its own. In the order of the text, which ptxas keeps unless a
/// number of registers is asked for (measured).
///
/// Linear in the operations, the live values of blocks, and the products in flight at each product.
pub(super) fn peak(
    context: &Context,
    flow: &ControlFlowGraph,
    groups: &MatrixGroups,
    variables: &mut Variables,
) -> u32 {
    let liveness = Liveness::of(context, flow);
    let mut most = 0;
    for block in 0..u32::try_from(flow.block_count()).unwrap_or(u32::MAX) {
        let mut in_flight: FxHashMap<Operation, Vec<Operation>> = FxHashMap::default();
        groups.walk(context, flow, block, |op, flights| {
            let product = op.filter(|op| role(context, *op) == Some(Role::Product));
            if let Some(product) = product {
                let all = flights.iter().map(|one| one.product as usize);
                let all = all.filter_map(|number| groups.products().get(number).copied());
                in_flight.insert(product, all.collect());
            }
        });
        if in_flight.is_empty() {
            continue;
        }
        let mut live = Live::default();
        for value in liveness.live_out(block) {
            live.add(variables.of_value(context, value), value);
        }
        let operations: Vec<Operation> = flow.block(block).operations(context).collect();
        for op in operations.into_iter().rev() {
            let operands: Vec<Value> = op.operands(context).collect();
            for value in operands {
                if pressure::needed(context, value).is_some() {
                    live.add(variables.of_value(context, value), value);
                }
            }
            if let Some(in_flight) = in_flight.get(&op) {
                let all = in_flight.iter().chain([&op]);
                let more: FxHashSet<Variable> = all
                    .flat_map(|product| {
                        let factor = variables.factor(*product);
                        variables.tuple(*product).iter().copied().chain(factor)
                    })
                    .filter(|variable| !live.counts.contains_key(variable))
                    .collect();
                most = most.max(live.counts.len() + more.len());
            }
            for value in op.results(context) {
                live.remove(variables.of_value(context, value), value);
            }
        }
    }
    u32::try_from(most).unwrap_or(u32::MAX)
}

/// Live values, and how many of them are in each register.
#[derive(Default)]
struct Live {
    values: FxHashSet<Value>,
    counts: FxHashMap<Variable, u32>,
}

impl Live {
    fn add(&mut self, variables: Vec<Variable>, value: Value) {
        if !variables.is_empty() && self.values.insert(value) {
            for variable in variables {
                *self.counts.entry(variable).or_default() += 1;
            }
        }
    }

    fn remove(&mut self, variables: Vec<Variable>, value: Value) {
        if !self.values.remove(&value) {
            return;
        }
        for variable in variables {
            if let Some(count) = self.counts.get_mut(&variable) {
                *count -= 1;
                if *count == 0 {
                    self.counts.remove(&variable);
                }
            }
        }
    }
}
