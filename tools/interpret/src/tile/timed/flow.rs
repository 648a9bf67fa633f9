//! The times of values through control flow: regions, branches and loops.

use orison_ir::{Context, Operation, Value};

use super::agent::AgentClock;

/// The operands that control flow depends on: bounds of loops, conditions. The others are only
/// passed on.
pub(super) fn decides(context: &Context, op: Operation) -> Vec<Value> {
    let count = match op.name_text(context) {
        "scf.for" => 3,
        "scf.if" | "scf.index_switch" | "scf.condition" => 1,
        _ => 0,
    };
    op.operands(context).take(count).collect()
}

/// Where a terminator's values go: the operation of its region, and its operands that are passed
/// on.
fn passed(context: &Context, op: Operation) -> Option<(Operation, Vec<Value>)> {
    let parent = op.parent_op(context)?;
    let skipped = usize::from(op.is(context, "scf.condition"));
    Some((parent, op.operands(context).skip(skipped).collect()))
}

/// Updates the times of values after a free operation has executed.
pub(super) fn propagate(context: &Context, op: Operation, clock: &mut AgentClock, now: u64) {
    match op.name_text(context) {
        "scf.for" => enter_loop(context, op, clock),
        "scf.while" => {
            let values: Vec<Value> = op.operands(context).collect();
            if let Some(block) = op.body_block(context, 0) {
                clock.pass(&values, block.arguments(context));
            }
        }
        "scf.yield" | "scf.condition" | "nv_tileas.yield" | "nv_tileas.async.pipeline.yield" => {
            leave_region(context, op, clock, now);
        }
        _ => {
            for value in op.results(context) {
                clock.define(value, 0);
            }
        }
    }
}

fn enter_loop(context: &Context, op: Operation, clock: &mut AgentClock) {
    let initial: Vec<Value> = op.operands(context).skip(3).collect();
    clock.pass(&initial, op.results(context));
    if let Some(block) = op.body_block(context, 0) {
        clock.pass(&initial, block.arguments(context).skip(1));
    }
}

fn leave_region(context: &Context, op: Operation, clock: &mut AgentClock, now: u64) {
    let Some((parent, values)) = passed(context, op) else {
        return;
    };
    let name = parent.name_text(context);
    if name.starts_with("nv_tileas.async.pipeline.") {
        // The first result is the stage; a completion may follow the values.
        for value in parent.results(context) {
            clock.define(value, now);
        }
        clock.pass(&values, parent.results(context).skip(1));
        return;
    }
    let body = parent.body_block(context, 0);
    match name {
        "scf.for" => {
            if let Some(block) = body {
                clock.pass(&values, block.arguments(context).skip(1));
            }
        }
        "scf.while" => {
            let next = usize::from(op.is(context, "scf.condition"));
            if let Some(block) = parent.body_block(context, next) {
                clock.pass(&values, block.arguments(context));
            }
        }
        _ => {}
    }
    if !(name == "scf.while" && op.is(context, "scf.yield")) {
        clock.pass(&values, parent.results(context));
    }
}
