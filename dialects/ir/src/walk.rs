//! Traversal of nested operations.

use crate::Context;
use crate::entities::Operation;

/// Visits every operation inside `op` (not `op` itself), each before those in its regions, in
/// textual order. Uses an explicit stack, so the nesting depth is not limited.
pub fn walk_nested(context: &Context, op: Operation, mut visit: impl FnMut(Operation)) {
    let mut stack: Vec<Operation> = Vec::new();
    push_nested(context, op, &mut stack);
    while let Some(op) = stack.pop() {
        visit(op);
        push_nested(context, op, &mut stack);
    }
}

fn push_nested(context: &Context, op: Operation, stack: &mut Vec<Operation>) {
    if op.region_count(context) == 0 {
        return;
    }
    let start = stack.len();
    for region in op.regions(context) {
        for block in region.blocks(context) {
            stack.extend(block.operations(context));
        }
    }
    stack[start..].reverse();
}

/// `op` and every operation inside it, each before those in its regions.
pub fn collect(context: &Context, op: Operation) -> Vec<Operation> {
    let mut operations = vec![op];
    walk_nested(context, op, |nested| operations.push(nested));
    operations
}

/// `op` and every operation inside it, each after those in its regions.
pub fn collect_post_order(context: &Context, op: Operation) -> Vec<Operation> {
    // Post-order is the reverse of pre-order with children reversed.
    let mut operations = Vec::new();
    let mut stack = vec![op];
    while let Some(op) = stack.pop() {
        operations.push(op);
        for region in op.regions(context) {
            for block in region.blocks(context) {
                stack.extend(block.operations(context));
            }
        }
    }
    operations.reverse();
    operations
}
