//! Conditions that are known after an exit or a branch on them (phases 13 and 38 of ptxas;
//! reference 9.4, 9.8: duplicate conditional exits).

use orison_ir::analyses::ControlFlowGraph;
use orison_ir::pass::{IRStatus, PassContext};
use orison_ir::{Block, Context, Operation, Value};
use orison_ori::analyses::properties;
use orison_ori::modifiers;
use orison_ori::operations::control::{CondBra, ExitIf};

use super::end_at;
use crate::ori::functions::{Function, applied, branch_instead, passed};

/// The maximum depth for comparing two expressions that are not the same value (the page: depth 2).
const DEPTH: usize = 2;
/// The maximum number of known conditions compared with a condition, innermost first.
const LOOKED_AT: usize = 16;

/// The rewrite of an operation whose condition is known.
#[derive(Clone, Copy)]
enum Decision {
    /// An exit that is never taken.
    Drop(Operation),
    /// An exit that is always taken.
    End(Operation),
    /// A branch that always takes one successor.
    Take(Operation, usize),
}

/// Resolves exits and branches on conditions that a dominating exit or branch has tested. Linear in
/// the function except for the dominators.
pub(super) fn decide(pass: &mut PassContext<'_>, function: Function) -> IRStatus {
    let context = &*pass.context;
    let flow = ControlFlowGraph::of(context, function.body);
    let mut decisions = Vec::new();
    // Known conditions along the dominator tree; each block has the number known on entry.
    let mut known: Vec<(Value, bool)> = Vec::new();
    let mut pending = vec![(0_u32, 0_usize)];
    while let Some((number, above)) = pending.pop() {
        known.truncate(above);
        let block = flow.block(number);
        known.extend(answer_on_entry(context, block));
        visit(context, block, &mut known, &mut decisions);
        let children = flow.dominators().children(number).iter().rev();
        pending.extend(children.map(|child| (*child, known.len())));
    }
    let status = IRStatus::changed_if(!decisions.is_empty());
    for decision in decisions {
        apply(pass, decision);
    }
    status
}

/// The condition value implied by the only branch to a block.
fn answer_on_entry(context: &Context, block: Block) -> Option<(Value, bool)> {
    let mut leads = block.predecessor_terminators(context);
    let (branch, None) = (leads.next()?, leads.next()) else {
        return None;
    };
    let conditional = CondBra::of(context, branch)?;
    let ways: Vec<Block> = branch.successors(context).collect();
    let [first, second] = ways[..] else {
        return None;
    };
    let inverted = conditional.inverted(context).is_some();
    (first != second).then(|| (conditional.condition(context), (first == block) != inverted))
}

fn visit(
    context: &Context,
    block: Block,
    known: &mut Vec<(Value, bool)>,
    decisions: &mut Vec<Decision>,
) {
    for op in block.operations(context) {
        if let Some(exit) = ExitIf::of(context, op) {
            let inverted = exit.inverted(context).is_some();
            let condition = exit.condition(context);
            match find(context, known, condition) {
                Some(holds) if holds == inverted => decisions.push(Decision::Drop(op)),
                Some(_) => {
                    decisions.push(Decision::End(op));
                    return;
                }
                // Threads that continue are those that did not exit.
                None => known.push((condition, inverted)),
            }
        } else if let Some(branch) = CondBra::of(context, op) {
            let inverted = branch.inverted(context).is_some();
            if let Some(holds) = find(context, known, branch.condition(context)) {
                decisions.push(Decision::Take(op, usize::from(holds == inverted)));
            }
        }
    }
}

fn find(context: &Context, known: &[(Value, bool)], condition: Value) -> Option<bool> {
    let near = known.iter().rev().take(LOOKED_AT);
    let mut near = near.filter(|(value, _)| are_equal(context, *value, condition, DEPTH));
    near.next().map(|(_, holds)| *holds)
}

/// Whether two values are the same, or computed by equal expressions of at most `depth`.
fn are_equal(context: &Context, a: Value, b: Value, depth: usize) -> bool {
    if a == b {
        return true;
    }
    let (Some(first), Some(second)) = (a.defining_op(context), b.defining_op(context)) else {
        return false;
    };
    let alike = depth > 0
        && first.name(context) == second.name(context)
        && a.position(context) == b.position(context)
        && first.properties(context) == second.properties(context)
        && first.attributes(context) == second.attributes(context)
        && first.result_types(context) == second.result_types(context)
        && first.operand_count(context) == second.operand_count(context);
    // If its guard is false, a result is undefined and may differ between uses.
    alike
        && properties::is_pure(context, first)
        && !properties::is_partial(context, first)
        && is_written(context, first)
        && (0..first.operand_count(context)).all(|number| {
            let same_reading = modifiers::of_operand(context, first, number)
                == modifiers::of_operand(context, second, number);
            same_reading
                && are_equal(
                    context,
                    first.operand(context, number),
                    second.operand(context, number),
                    depth - 1,
                )
        })
}

/// Whether a result is the same at each use: `ori.undef` may differ.
fn is_written(context: &Context, op: Operation) -> bool {
    op.operand_count(context) > 0 || op.properties(context).entries(context).iter().len() > 0
}

fn apply(pass: &mut PassContext<'_>, decision: Decision) {
    let context = &mut *pass.context;
    match decision {
        Decision::Drop(exit) => exit.erase(context),
        Decision::End(exit) => {
            if let Some(block) = exit.block(context) {
                end_at(context, block, exit);
            }
        }
        Decision::Take(branch, way) => {
            let Some(target) = branch.successor(context, way) else {
                return;
            };
            let values = passed(context, branch, way);
            let new = branch_instead(context, branch, target, &values);
            applied(
                pass,
                new,
                "known-condition",
                "a dominating branch implies the condition",
            );
        }
    }
    pass.count("answered", 1);
}
