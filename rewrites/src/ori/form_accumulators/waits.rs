//! Waits that pass on accumulators which nobody reads.

use orison_ir::analyses::{ControlFlowGraph, DefUse};
use orison_ir::{Builder, Context, InsertionPoint, Operation, Value};
use orison_ori::MachineOperation;
use orison_ori::analyses::matrix_groups::{Role, role};
use orison_ori::operations::moves::{Concat, Extract};
use rustc_hash::FxHashSet;

use super::operations;
use crate::ori::functions::Function;

/// Drops the accumulators of waits that no other operation than products and waits reads after
/// them, also through block arguments; returns how many.
pub(super) fn drop_unused(context: &mut Context, function: Function) -> u64 {
    let read = read_values(context, function);
    let mut dropped = 0;
    for op in operations(context, function) {
        if matches!(role(context, op), Some(Role::Wait(_))) {
            dropped += drop_from(context, op, &read);
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

fn drop_from(context: &mut Context, op: Operation, read: &FxHashSet<Value>) -> u64 {
    let pairs = op.operands_named(context, "accumulators").into_iter();
    let pairs: Vec<(Value, Value)> = pairs.zip(op.results(context)).collect();
    let (kept, rest): (Vec<_>, Vec<_>) = pairs
        .into_iter()
        .partition(|(_, complete)| read.contains(complete));
    let Some(copy) = MachineOperation::copy_of(context, op).filter(|_| !rest.is_empty()) else {
        return 0;
    };
    for (value, complete) in &rest {
        complete.replace_all_uses_with(context, *value);
    }
    let mut copy = copy.without("accumulators").without_results();
    for (value, complete) in &kept {
        copy = copy.operand("accumulators", *value);
        copy = copy.results_like(context, &[*complete]);
    }
    let location = op.location(context);
    let mut builder = Builder::at(context, InsertionPoint::Before(op));
    let new = copy.build(&mut builder, location);
    for (number, (_, complete)) in kept.into_iter().enumerate() {
        let result = new.result(context, number);
        complete.replace_all_uses_with(context, result);
    }
    op.erase(context);
    rest.len() as u64
}
