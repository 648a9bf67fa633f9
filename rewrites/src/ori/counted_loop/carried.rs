//! What branches pass to the header of a loop.

use orison_ir::Value;
use orison_ori::analyses::induction::Loop;

use crate::ori::functions::passed;

/// What the back edge passes for an argument of the header.
pub(super) fn next_value(around: &Loop<'_>, argument: Value) -> Option<Value> {
    passed_value(around, argument, true).map(|(_, value)| value)
}

/// What the only branch into the loop passes for an argument of the header, and its block.
pub(in crate::ori) fn entering_value(around: &Loop<'_>, argument: Value) -> Option<(u32, Value)> {
    passed_value(around, argument, false)
}

fn passed_value(around: &Loop<'_>, argument: Value, inside: bool) -> Option<(u32, Value)> {
    let context = around.context;
    let header = around.flow.block(around.natural.header);
    let place = header.arguments(context).position(|one| one == argument)?;
    let mut found = None;
    for (branch, way) in header.predecessor_edges(context) {
        let from = branch.block(context);
        let from = from.and_then(|block| around.flow.number(block))?;
        if around.natural.contains(from) == inside {
            let value = passed(context, branch, way).get(place).copied()?;
            if found.replace((from, value)).is_some() {
                return None;
            }
        }
    }
    found
}
