//! Waits that pass on accumulators which nobody reads.

use orison_ir::analyses::{ControlFlowGraph, DefUse};
use orison_ir::{Context, Value};
use orison_ori::analyses::matrix_groups::{Role, role};
use orison_ori::operations::moves::{Concat, Extract};
use rustc_hash::FxHashSet;

use super::operations;
use crate::ori::functions::Function;
use crate::ori::surgery::keep_awaited;

/// Drops the accumulators of waits that no other operation than products and waits reads after
/// them, also through block arguments; returns how many.
pub(super) fn drop_unused(context: &mut Context, function: Function) -> u64 {
    let read = read_values(context, function);
    let mut dropped = 0;
    for op in operations(context, function) {
        if matches!(role(context, op), Some(Role::Wait(_))) {
            dropped += keep_awaited(context, op, "accumulators", |_, value| {
                read.contains(&value)
            });
        }
    }
    dropped
}

/// The values that operations other than products and waits read, and those that these are made
/// of.
fn read_values(context: &Context, function: Function) -> FxHashSet<Value> {
    let flow = ControlFlowGraph::of(context, function.body);
    let chains = DefUse::of(context, &flow);
    let mut pending = Vec::new();
    for op in operations(context, function) {
        let passes = matches!(role(context, op), Some(Role::Product | Role::Wait(_)))
            || Extract::matches(context, op)
            || Concat::matches(context, op);
        if passes {
            continue;
        }
        let groups = op.edges(context).filter_map(|(_, range)| range);
        let passed: Vec<usize> = groups.flatten().collect();
        let own = op.operands(context).enumerate();
        let own = own.filter(|(number, _)| passed.binary_search(number).is_err());
        pending.extend(own.map(|(_, value)| value));
    }
    let mut read: FxHashSet<Value> = FxHashSet::default();
    while let Some(value) = pending.pop() {
        if !read.insert(value) {
            continue;
        }
        match value.defining_op(context) {
            Some(op) if matches!(role(context, op), Some(Role::Wait(_))) => {
                let all = op.operands_named(context, "accumulators");
                pending.extend(all.get(value.position(context)));
            }
            Some(op) => pending.extend(op.operands(context)),
            None => {
                let incoming = chains.incoming(context, value);
                pending.extend(incoming.into_iter().filter_map(|edge| edge.value));
            }
        }
    }
    read
}
