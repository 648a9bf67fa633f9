//! Rules of `scf.execute_region` and `scf.index_switch`.

use orison_ir::numbers::ApInt;
use orison_ir::{Block, Declined, InsertionPoint, Operation, Rewriter, RuleResult, Value, rule};

use super::{block_and_end, inline, kept, rebuild};
use crate::arith::constant_integer_of;
use crate::cf::Branch;
use crate::func::Func;
use crate::scf::{ExecuteRegion, IndexSwitch, Yield};

rule!(
    pub EXECUTE_ONE_BLOCK, "scf-execute-region-one-block",
    "an execute_region with one block is inlined", ExecuteRegion::NAME, one_block
);
rule!(
    pub EXECUTE_BLOCKS, "scf-execute-region-blocks",
    "an execute_region with several blocks is inlined into the blocks of its function",
    ExecuteRegion::NAME, several_blocks
);
rule!(
    pub INDEX_SWITCH_CONSTANT, "scf-index-switch-constant",
    "a switch on a constant or without cases is replaced by the region it executes",
    IndexSwitch::NAME,
    constant_switch
);
rule!(
    pub INDEX_SWITCH_UNUSED, "scf-index-switch-unused-results", "unused results are removed",
    IndexSwitch::NAME, unused_results
);

fn one_block(rewriter: &mut Rewriter<'_>, op: Operation) -> RuleResult {
    let context = rewriter.ir();
    if ExecuteRegion(op).no_inline(context).is_some() {
        return Declined::because("the operation has 'no_inline'");
    }
    let region = op.region(context, 0);
    let (block, end) = block_and_end(context, op, 0)?;
    if !region.has_one_block(context) || Yield::of(context, end).is_none() {
        return Declined::because("the region has several blocks, or does not end with a yield");
    }
    inline(rewriter, op, block, &[]);
    Ok(())
}

fn several_blocks(rewriter: &mut Rewriter<'_>, op: Operation) -> RuleResult {
    let context = rewriter.ir();
    if ExecuteRegion(op).no_inline(context).is_some() {
        return Declined::because("the operation has 'no_inline'");
    }
    let parent = op.parent_op(context);
    let may_hold_blocks = parent.is_some_and(|parent| {
        Func::of(context, parent).is_some() || ExecuteRegion::of(context, parent).is_some()
    });
    let (Some(own), true) = (op.block(context), may_hold_blocks) else {
        return Declined::because("the parent operation allows one block only");
    };
    let blocks: Vec<Block> = op.region(context, 0).blocks(context).collect();
    let Some(&entry) = blocks.first() else {
        return Declined::because("the region has no blocks");
    };
    let types: Vec<_> = op
        .result_types(context)
        .into_iter()
        .map(|ty| (ty, op.location(context)))
        .collect();
    let Some(region) = own.region(context) else {
        return Declined::because("the operation is not in a region");
    };
    let rest = own.split_before(rewriter.context(), op);
    for (ty, location) in types {
        rest.add_argument(rewriter.context(), ty, location);
    }
    for block in blocks {
        block.detach(rewriter.context());
        region.insert_block_before(rewriter.context(), Some(rest), block);
        leave_to(rewriter, block, rest);
    }
    let location = op.location(rewriter.ir());
    rewriter.set_insertion_point(InsertionPoint::End(own));
    branch(rewriter, location, entry, &[]);
    let results: Vec<Value> = rest.arguments(rewriter.ir()).collect();
    rewriter.replace(op, &results);
    Ok(())
}

/// Replaces the yield that ends a block by a branch to another block.
fn leave_to(rewriter: &mut Rewriter<'_>, block: Block, target: Block) {
    let end = block.last_op(rewriter.ir());
    let Some(end) = end.filter(|end| Yield::of(rewriter.ir(), *end).is_some()) else {
        return;
    };
    let values: Vec<_> = end.operands(rewriter.ir()).collect();
    let location = end.location(rewriter.ir());
    rewriter.set_insertion_point(InsertionPoint::Before(end));
    branch(rewriter, location, target, &values);
    rewriter.erase(end);
}

fn branch(
    rewriter: &mut Rewriter<'_>,
    location: orison_ir::Location,
    target: Block,
    values: &[Value],
) {
    let mut state = rewriter.state(Branch::NAME, location);
    state.operands.extend(values.iter().copied());
    state.successors.push(target);
    rewriter.create(&state);
}

fn constant_switch(rewriter: &mut Rewriter<'_>, op: Operation) -> RuleResult {
    let context = rewriter.ir();
    let switch = IndexSwitch(op);
    let cases = switch.cases(context).unwrap_or_default();
    let flag = constant_integer_of(context, switch.arg(context)).and_then(ApInt::as_i64);
    let region = match flag {
        Some(flag) => cases
            .iter()
            .position(|case| *case == flag)
            .map_or(0, |case| case + 1),
        None if cases.is_empty() => 0,
        None => return Declined::because("the flag is not constant"),
    };
    let (block, _) = block_and_end(context, op, region)?;
    inline(rewriter, op, block, &[]);
    Ok(())
}

fn unused_results(rewriter: &mut Rewriter<'_>, op: Operation) -> RuleResult {
    let context = rewriter.ir();
    let keep: Vec<bool> = op.results(context).map(|r| !r.is_unused(context)).collect();
    if keep.iter().all(|keep| *keep) {
        return Declined::because("every result is used");
    }
    let types = kept(&op.result_types(context), &keep);
    let flag = op.operand(context, 0);
    let new = rebuild(rewriter, op, &[flag], &types);
    for region in 0..new.region_count(rewriter.ir()) {
        let (_, end) = block_and_end(rewriter.ir(), new, region)?;
        let values: Vec<_> = end.operands(rewriter.ir()).collect();
        rewriter.set_operands(end, &kept(&values, &keep));
    }
    let mut new_results = new.results(rewriter.ir());
    // A dropped result is unused, so its replacement does not matter.
    let values: Vec<Value> = keep
        .iter()
        .map(|keep| if *keep { new_results.next() } else { None }.unwrap_or(flag))
        .collect();
    drop(new_results);
    rewriter.replace(op, &values);
    Ok(())
}
