//! The registers of the accumulators and left factors that live where products start.

use orison_ir::analyses::{ControlFlowGraph, Liveness};
use orison_ir::{Context, Operation, Value};
use orison_ori::analyses::matrix_groups::{Role, role};
use orison_ori::analyses::pressure;
use rustc_hash::{FxHashMap, FxHashSet};

use super::MOST;
use super::kinds::Kinds;
use super::variables::{Variable, Variables};

/// The registers that accumulators and left factors occupy where each product starts: what is used
/// later, all of what is in flight, and its own. In the order of the text, which ptxas keeps unless a
/// number of registers is asked for (measured). Where it is more than a thread can have, it is not
/// told by how much; products of as many kinds are looked at.
///
/// Linear in the operations and the live values of blocks.
pub(super) fn at_products(
    context: &Context,
    (flow, liveness): (&ControlFlowGraph, &Liveness),
    kinds: &Kinds,
    variables: &mut Variables,
) -> FxHashMap<Operation, u32> {
    let mut registers = FxHashMap::default();
    for block in 0..u32::try_from(flow.block_count()).unwrap_or(u32::MAX) {
        let mut in_flight: FxHashMap<Operation, Vec<u32>> = FxHashMap::default();
        kinds.flights.walk(context, flow, block, |op, flights| {
            let product = op.filter(|op| role(context, *op) == Some(Role::Product));
            if let Some(product) = product {
                let own = kinds.flights.number(product);
                let all = flights.all();
                let all = own.into_iter().chain(all.iter()).take(MOST as usize);
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
            if let Some(all) = in_flight.get(&op) {
                registers.insert(op, live.with(kinds, all));
            }
            for value in op.results(context) {
                live.remove(variables.of_value(context, value), value);
            }
        }
    }
    registers
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

    /// The registers that live or are in flight. Stops where a thread cannot have more.
    fn with(&self, kinds: &Kinds, in_flight: &[u32]) -> u32 {
        let mut more: FxHashSet<Variable> = FxHashSet::default();
        for number in in_flight {
            let all = kinds.all[*number as usize].variables();
            more.extend(all.filter(|variable| !self.counts.contains_key(variable)));
            if more.len() > MOST as usize {
                break;
            }
        }
        u32::try_from(self.counts.len() + more.len()).unwrap_or(u32::MAX)
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
