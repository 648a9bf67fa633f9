//! Waits that pass on accumulators which nobody reads.

use orison_ir::{Builder, Context, InsertionPoint, Operation, Value};
use orison_ori::MachineOperation;
use orison_ori::analyses::matrix_groups::{Role, role};

use super::operations;
use crate::ori::functions::Function;

/// Drops the accumulators of waits that are not used after it; returns how many.
pub(super) fn drop_unused(context: &mut Context, function: Function) -> u64 {
    let mut dropped = 0;
    for op in operations(context, function) {
        if matches!(role(context, op), Some(Role::Wait(_))) {
            dropped += drop_from(context, op);
        }
    }
    dropped
}

fn drop_from(context: &mut Context, op: Operation) -> u64 {
    let pairs = op.operands_named(context, "accumulators");
    let pairs = pairs.into_iter().zip(op.results(context));
    let kept: Vec<(Value, Value)> = pairs
        .filter(|(_, complete)| !complete.is_unused(context))
        .collect();
    let dropped = op.result_count(context) - kept.len();
    let Some(copy) = MachineOperation::copy_of(context, op).filter(|_| dropped > 0) else {
        return 0;
    };
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
    dropped as u64
}
