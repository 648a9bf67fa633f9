//! Serialization: the pipeline is collapsed to one product at a time.

use orison_ir::{Builder, Context, Operation};
use orison_ori::analyses::matrix_groups::{Role, role};
use orison_ori::operations as ori;
use orison_ori::{MachineOperation, Register};

use super::inject::{arrive_before, commit_after};
use super::plan::Plan;
use crate::ori::form_accumulators::operations;
use crate::ori::functions::Function;

/// Gives each product of a function its own arrive, commit and wait, and removes all others.
/// Returns the number of products and commits of none.
pub(super) fn serialize(context: &mut Context, function: Function, plan: &Plan) -> u64 {
    let mut count = 0;
    for op in operations(context, function) {
        match role(context, op) {
            Some(Role::Wait(_)) => {
                let passed = op.operands_named(context, "accumulators");
                for (number, value) in passed.into_iter().enumerate() {
                    let complete = op.result(context, number);
                    complete.replace_all_uses_with(context, value);
                }
                op.erase(context);
            }
            Some(Role::Commit) if plan.dummies.contains(&op) => {
                arrive_before(context, op);
                wait_after(context, op);
                count += 1;
            }
            Some(Role::Arrive | Role::Commit) => op.erase(context),
            Some(Role::Product) => {
                arrive_before(context, op);
                let commit = commit_after(context, op);
                complete_after(context, op, commit);
                count += 1;
            }
            Some(Role::Call) | None => {}
        }
    }
    count
}

fn wait_after(context: &mut Context, op: Operation) -> Operation {
    let location = op.location(context);
    let wait = MachineOperation::new(ori::WarpgroupWait::NAME).number(context, "count", 0);
    let mut builder = Builder::at(context, orison_ir::InsertionPoint::Before(op));
    builder.set_insertion_point_after(op);
    wait.build(&mut builder, location)
}

/// Waits for a product after its commit, and passes on its result.
fn complete_after(context: &mut Context, product: Operation, commit: Operation) {
    let result = product.result(context, 0);
    let location = product.location(context);
    let register = Register::of(context, result.ty(context));
    let mut wait = MachineOperation::new(ori::WarpgroupWait::NAME)
        .number(context, "count", 0)
        .operand("accumulators", result);
    if let Some(register) = register {
        wait = wait.result(register);
    }
    let mut builder = Builder::at(context, orison_ir::InsertionPoint::Before(commit));
    builder.set_insertion_point_after(commit);
    let wait = wait.build(&mut builder, location);
    let complete = wait.result(context, 0);
    let uses: Vec<(Operation, usize)> = result
        .uses(context)
        .map(|usage| (usage.owner, usage.operand))
        .filter(|(user, _)| *user != wait)
        .collect();
    for (user, operand) in uses {
        user.set_operand(context, operand, complete);
    }
}
