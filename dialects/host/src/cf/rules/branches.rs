//! Rules of `cf.br`, `cf.cond_br` and `cf.assert`.

use orison_ir::{Attribute, Block, Context, Declined, InsertionPoint, Operation};
use orison_ir::{Rewriter, RuleResult, Value, Values, rule};

use super::{always_take, edges, pass_through, shorten, single_predecessor};
use crate::arith::{Select, constant, constant_of};
use crate::cf;
use crate::cf::CondBranch;
use crate::cf::edges::Edge;

rule!(
    pub BRANCH_MERGE, "cf-br-merge", "a block is merged into its only predecessor",
    cf::Branch::NAME, merge
);
rule!(
    pub BRANCH_PASS_THROUGH, "cf-br-pass-through",
    "a branch to a block that only branches is redirected to that block's successor", cf::Branch::NAME,
    pass_through_branch
);
rule!(
    pub COND_BRANCH_CONSTANT, "cf-cond-br-constant",
    "a branch on a constant becomes an unconditional branch", CondBranch::NAME, constant_condition
);
rule!(
    pub COND_BRANCH_PASS_THROUGH, "cf-cond-br-pass-through",
    "a branch to a block that only branches is redirected to that block's successor", CondBranch::NAME,
    pass_through_cond_branch
);
rule!(
    pub COND_BRANCH_SAME_TARGET, "cf-cond-br-same-target",
    "a conditional branch with equal successors becomes a branch with selected operands",
    CondBranch::NAME,
    same_target
);
rule!(
    pub COND_BRANCH_SAME_CONDITION, "cf-cond-br-same-condition",
    "a branch on the condition of its predecessor's branch becomes an unconditional branch",
    CondBranch::NAME,
    same_condition
);
rule!(
    pub COND_BRANCH_TRUTH, "cf-cond-br-truth",
    "the condition becomes a constant in the successors of the branch", CondBranch::NAME, truth
);
rule!(
    pub ASSERT_TRUE, "cf-assert-true", "an assertion of a true condition is removed", cf::Assert::NAME,
    |rewriter, op| {
        let condition = op.operand(rewriter.ir(), 0);
        match constant_of(rewriter.ir(), condition) {
            Some(Attribute::TRUE) => {
                rewriter.erase(op);
                Ok(())
            }
            _ => Declined::because("the condition is not the constant true"),
        }
    }
);

fn own_block(context: &Context, op: Operation) -> Result<Block, Declined> {
    match op.block(context) {
        Some(block) => Ok(block),
        None => Declined::because("the branch is not in a block"),
    }
}

fn merge(rewriter: &mut Rewriter<'_>, op: Operation) -> RuleResult {
    let context = rewriter.ir();
    let own = own_block(context, op)?;
    let Some((target, values)) = edges(context, op).pop() else {
        return Declined::because("the branch has no successor");
    };
    if target == own || single_predecessor(context, target).is_none() {
        return Declined::because("the block has other predecessors");
    }
    if target.is_entry(context) || target.argument_count(context) != values.len() {
        return Declined::because("the block cannot be merged");
    }
    if values
        .iter()
        .any(|value| value.parent_block(context) == Some(target))
    {
        return Declined::because(
            "the branch passes values of its successor: the block is unreachable",
        );
    }
    rewriter.erase(op);
    rewriter.set_insertion_point(InsertionPoint::End(own));
    rewriter.inline_block(target, &values);
    Ok(())
}

fn pass_through_branch(rewriter: &mut Rewriter<'_>, op: Operation) -> RuleResult {
    let context = rewriter.ir();
    let Some(edge) = edges(context, op).pop() else {
        return Declined::because("the branch has no successor");
    };
    if Some(edge.0) == op.block(context) {
        return Declined::because("the successor is the branch's own block");
    }
    let edge = pass_through(context, &edge)?;
    always_take(rewriter, op, &edge);
    Ok(())
}

/// Both edges of a conditional branch.
fn both(context: &Context, op: Operation) -> Result<[Edge; 2], Declined> {
    let edges: Result<[Edge; 2], _> = edges(context, op).try_into();
    match edges {
        Ok(edges) => Ok(edges),
        Err(_) => Declined::because("the branch does not have two successors"),
    }
}

fn constant_condition(rewriter: &mut Rewriter<'_>, op: Operation) -> RuleResult {
    let context = rewriter.ir();
    let [if_true, if_false] = both(context, op)?;
    let edge = match constant_of(context, op.operand(context, 0)) {
        Some(Attribute::TRUE) => if_true,
        Some(Attribute::FALSE) => if_false,
        _ => return Declined::because("the condition is not constant"),
    };
    always_take(rewriter, op, &edge);
    Ok(())
}

fn pass_through_cond_branch(rewriter: &mut Rewriter<'_>, op: Operation) -> RuleResult {
    let context = rewriter.ir();
    let own = own_block(context, op)?;
    let edges = shorten(context, &both(context, op)?, own)?;
    // Successors first: they determine which values are valid.
    for (number, (block, _)) in edges.iter().enumerate() {
        op.set_successor(rewriter.context(), number, *block);
    }
    for (number, (_, values)) in edges.iter().enumerate() {
        op.set_passed_operands(rewriter.context(), number, values);
    }
    rewriter.modified(op);
    Ok(())
}

fn same_target(rewriter: &mut Rewriter<'_>, op: Operation) -> RuleResult {
    let context = rewriter.ir();
    let [if_true, if_false] = both(context, op)?;
    let target = if_true.0;
    if target != if_false.0 {
        return Declined::because("the successors differ");
    }
    let same = if_true.1 == if_false.1;
    if !same
        && target
            .predecessor_terminators(context)
            .any(|other| other != op)
    {
        return Declined::because(
            "the operands of the edges differ, and the block has other predecessors",
        );
    }
    let condition = CondBranch(op).condition(context);
    let location = op.location(context);
    let mut values = Values::new();
    for (value, other) in if_true.1.into_iter().zip(if_false.1) {
        if value == other {
            values.push(value);
            continue;
        }
        let ty = value.ty(rewriter.ir());
        let choice = Select::build(rewriter, location, condition, value, other, ty);
        values.push(choice.result(rewriter.ir()));
    }
    always_take(rewriter, op, &(target, values));
    Ok(())
}

fn same_condition(rewriter: &mut Rewriter<'_>, op: Operation) -> RuleResult {
    let context = rewriter.ir();
    let own = own_block(context, op)?;
    let before = single_predecessor(context, own);
    let Some(before) = before.and_then(|before| CondBranch::of(context, before)) else {
        return Declined::because(
            "the block's only predecessor does not end with a conditional branch",
        );
    };
    if before.0 == op || before.condition(context) != CondBranch(op).condition(context) {
        return Declined::because("the predecessor's branch has a different condition");
    }
    let [if_true, if_false] = both(context, op)?;
    let [before_true, _] = both(context, before.0)?;
    let edge = if before_true.0 == own {
        if_true
    } else {
        if_false
    };
    always_take(rewriter, op, &edge);
    Ok(())
}

fn truth(rewriter: &mut Rewriter<'_>, op: Operation) -> RuleResult {
    let context = rewriter.ir();
    let condition = CondBranch(op).condition(context);
    if constant_of(context, condition).is_some() {
        return Declined::because("the condition is constant already");
    }
    let [if_true, if_false] = both(context, op)?;
    let mut changed = false;
    for (block, value) in [(if_true.0, true), (if_false.0, false)] {
        changed |= replace_in(rewriter, op, condition, block, value);
    }
    if !changed {
        return Declined::because("the condition has no use where its value is known");
    }
    Ok(())
}

/// Replaces a condition by its known value in a block whose only predecessor edge is this branch.
fn replace_in(
    rewriter: &mut Rewriter<'_>,
    op: Operation,
    condition: Value,
    block: Block,
    value: bool,
) -> bool {
    let context = rewriter.ir();
    if single_predecessor(context, block).is_none() {
        return false;
    }
    let uses: Vec<_> = condition
        .uses(context)
        .filter(|usage| usage.owner.block(context) == Some(block))
        .collect();
    if uses.is_empty() {
        return false;
    }
    let location = op.location(context);
    rewriter.set_insertion_point(InsertionPoint::Before(op));
    let known = constant(rewriter, location, Attribute::bool(value));
    for usage in uses {
        rewriter.set_operand(usage.owner, usage.operand, known);
    }
    true
}
