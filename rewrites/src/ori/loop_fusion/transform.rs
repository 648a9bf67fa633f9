//! Fusing two loops that follow each other without a branch.

use orison_ir::{Context, Operation, Value};

use super::between::Between;
use super::plan::Plan;
use crate::ori::functions::{passed, passed_before};
use crate::ori::surgery::{EdgeId, join_edges, split_edge};

/// Lets the first loop execute what the second one does, and removes the second one. What lies
/// between them, and does not move in front of the first one, is executed behind it. Linear in the
/// second loop and in what lies between.
pub(super) fn fuse(context: &mut Context, plan: &Plan) -> Option<()> {
    let [first, second] = plan.headers;
    let [branch, other] = plan.branches;
    let [out, out_of_second] = plan.exits;
    let enter = preheader(context, plan)?;
    let entering = read_first_loop(context, plan);
    for op in &plan.before {
        op.move_before(context, enter);
    }
    for (own, merged) in &plan.second.merged {
        own.replace_all_uses_with(context, *merged);
    }
    let arguments: Vec<Value> = second.arguments(context).collect();
    let mut started = passed(context, enter, 0);
    for place in &plan.second.carried {
        let argument = arguments[*place];
        let location = second.argument_location(context, *place);
        let own = first.add_argument(context, argument.ty(context), location);
        argument.replace_all_uses_with(context, own);
        started.push(entering[*place]);
    }
    enter.set_all_passed_operands(context, &[started]);
    for op in &plan.second.operations {
        op.move_before(context, branch);
    }
    let next = passed(context, other, 1 - out_of_second);
    let mut lists = [0, 1].map(|way| passed_before(context, branch, way));
    lists[1 - out].extend(plan.second.carried.iter().map(|place| next[*place]));
    // Where the second loop ended, what lies between them ends.
    let leaving = passed(context, other, out_of_second);
    let behind = other.successor(context, out_of_second)?;
    match plan
        .between
        .last()
        .and_then(|last| last.terminator(context))
    {
        Some(last) => {
            last.set_successor(context, 0, behind);
            last.set_all_passed_operands(context, &[leaving]);
        }
        None => {
            branch.set_successor(context, out, behind);
            lists[out] = leaving;
        }
    }
    branch.set_all_passed_operands(context, &lists);
    second.erase(context);
    Some(())
}

/// Lets what is moved read values that the first loop has, instead of arguments of blocks between the
/// loops. Returns such values for what is passed to the second loop.
fn read_first_loop(context: &mut Context, plan: &Plan) -> Vec<Value> {
    let between = Between::of(context, plan.headers, plan.exits[0], &plan.between);
    let entering = between.entering.iter();
    let entering: Vec<Value> = entering.map(|value| between.resolved(*value)).collect();
    let moved = plan.before.iter().chain(&plan.second.operations);
    let moved = moved.chain([&plan.branches[1]]);
    let mut changed = Vec::new();
    for op in moved {
        for (number, value) in op.operands(context).enumerate() {
            let known = between.resolved(value);
            if known != value {
                changed.push((*op, number, known));
            }
        }
    }
    for (op, number, value) in changed {
        op.set_operand(context, number, value);
    }
    entering
}

/// The only branch into the first loop, which leads nowhere else.
fn preheader(context: &mut Context, plan: &Plan) -> Option<Operation> {
    let first = plan.headers[0];
    let outside = |(branch, _): &EdgeId| branch.block(context) != Some(first);
    let mut edges: Vec<EdgeId> = first.predecessor_edges(context).filter(outside).collect();
    edges.reverse();
    if let [(branch, _)] = edges[..]
        && branch.successor_count(context) == 1
    {
        return Some(branch);
    }
    let block = match edges[..] {
        // Without arguments: what the loop begins with stays known.
        [edge] => split_edge(context, edge)?,
        _ => join_edges(context, first, &edges, Some(first))?,
    };
    block.terminator(context)
}
