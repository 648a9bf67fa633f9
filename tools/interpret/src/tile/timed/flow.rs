//! The times of values through control flow: regions, branches and loops.

use orison_host::scf;
use orison_ir::{Context, Operation, Value};
use orison_tileas::nv_tileas;

use super::agent::AgentClock;

/// The operands that control flow depends on: bounds of loops, conditions. The others are only
/// passed on.
pub(super) fn decides(context: &Context, op: Operation) -> Vec<Value> {
    let conditions = [
        scf::If::DEFINITION,
        scf::IndexSwitch::DEFINITION,
        scf::Condition::DEFINITION,
    ];
    let count = match scf::For::matches(context, op) {
        true => 3,
        false => usize::from(op.is_one_of(context, &conditions)),
    };
    op.operands(context).take(count).collect()
}

/// Where a terminator's values go: the operation of its region, and its operands that are passed
/// on.
fn passed(context: &Context, op: Operation) -> Option<(Operation, Vec<Value>)> {
    let parent = op.parent_op(context)?;
    let skipped = usize::from(scf::Condition::matches(context, op));
    Some((parent, op.operands(context).skip(skipped).collect()))
}

/// Updates the times of values after a free operation has executed.
pub(super) fn propagate(context: &Context, op: Operation, clock: &mut AgentClock, now: u64) {
    let ends = [
        scf::Yield::DEFINITION,
        scf::Condition::DEFINITION,
        nv_tileas::Yield::DEFINITION,
        nv_tileas::PipelineYield::DEFINITION,
    ];
    if scf::For::matches(context, op) {
        enter_loop(context, op, clock);
    } else if scf::While::matches(context, op) {
        let values: Vec<Value> = op.operands(context).collect();
        if let Some(block) = op.body_block(context, 0) {
            clock.pass(&values, block.arguments(context));
        }
    } else if op.is_one_of(context, &ends) {
        leave_region(context, op, clock, now);
    } else {
        for value in op.results(context) {
            clock.define(value, 0);
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
    if is_of_pipeline(context, parent) {
        // The first result is the stage; a completion may follow the values.
        for value in parent.results(context) {
            clock.define(value, now);
        }
        clock.pass(&values, parent.results(context).skip(1));
        return;
    }
    let repeats = scf::While::matches(context, parent);
    if scf::For::matches(context, parent) {
        if let Some(block) = parent.body_block(context, 0) {
            clock.pass(&values, block.arguments(context).skip(1));
        }
    } else if repeats {
        let next = usize::from(scf::Condition::matches(context, op));
        if let Some(block) = parent.body_block(context, next) {
            clock.pass(&values, block.arguments(context));
        }
    }
    if !(repeats && scf::Yield::matches(context, op)) {
        clock.pass(&values, parent.results(context));
    }
}

/// Whether an operation belongs to a pipeline.
pub(super) fn is_of_pipeline(context: &Context, op: Operation) -> bool {
    op.name_text(context)
        .starts_with("nv_tileas.async.pipeline.")
}
