//! Rule 4: a slice of the result of a branch is moved into its arms.

use orison_host::scf;
use orison_ir::{
    Context, Declined, InsertionPoint, Operation, Region, Rewriter, RuleResult, Value,
};

use super::scf_arm;
use super::slice_of_view::create_extract;
use crate::nv_tileas::{Bound, ExtractSlice, SliceBounds, is_memory_consistent};

orison_ir::rule!(
    pub BRANCH_EXTRACT, "nv-tileas-if-sink-extract",
    "extract_slice of a result of scf.if that has no other use is done in the arms",
    scf::If::NAME, apply
);

fn apply(rewriter: &mut Rewriter<'_>, op: Operation) -> RuleResult {
    let context = rewriter.ir();
    let (Some((_, then_end)), Some((_, else_end))) =
        (scf_arm(context, op, 0), scf_arm(context, op, 1))
    else {
        return Declined::because("the branch does not have two arms that yield");
    };
    let mut reason = "no result is used by one extract_slice only";
    let mut found = None;
    for number in 0..op.result_count(context) {
        let Some(extract) = only_extract(context, op.result(context, number)) else {
            continue;
        };
        match check(context, op, [then_end, else_end], number, extract) {
            Ok(bounds) => {
                found = Some((number, extract, bounds));
                break;
            }
            Err(declined) => reason = declined,
        }
    }
    let Some((number, extract, bounds)) = found else {
        return Declined::because(reason);
    };
    let slice_type = extract.slice(rewriter.ir()).ty(rewriter.ir());
    for end in [then_end, else_end] {
        rewriter.set_insertion_point(InsertionPoint::Before(end));
        let whole = end.operand(rewriter.ir(), number);
        let slice = create_extract(rewriter, extract.operation(), whole, &bounds, slice_type);
        rewriter.set_operand(end, number, slice);
    }
    let new = with_result_type(rewriter, op, number, slice_type);
    let results: Vec<_> = new.results(rewriter.ir()).collect();
    rewriter.replace(extract.operation(), &[results[number]]);
    // The old result has no uses left, so the new one replaces it too.
    rewriter.replace(op, &results);
    Ok(())
}

fn only_extract(context: &Context, result: Value) -> Option<ExtractSlice> {
    let usage = result
        .uses(context)
        .next()
        .filter(|_| result.has_one_use(context))?;
    let extract = ExtractSlice::of(context, usage.owner)?;
    (usage.operand == 0).then_some(extract)
}

/// The bounds of the slice, if it may be moved into the arms.
fn check(
    context: &Context,
    op: Operation,
    ends: [Operation; 2],
    number: usize,
    extract: ExtractSlice,
) -> Result<SliceBounds, &'static str> {
    if extract.operation().block(context) != op.block(context) {
        // In a loop after the branch the slice could differ between iterations.
        return Err("the slice is not taken in the block of the branch");
    }
    let bounds = SliceBounds::of(context, extract.operation());
    let bounds =
        bounds.ok_or("the number of dynamic bounds does not match the number of operands")?;
    for bound in bounds.lists().into_iter().flatten() {
        if let Bound::Dynamic(value) = bound
            && !is_before(context, *value, op)
        {
            return Err("a bound is computed after the branch");
        }
    }
    for end in ends {
        let whole = end.operands(context).nth(number);
        let source = whole.and_then(|whole| whole.defining_op(context));
        if source.is_some_and(|source| is_memory_consistent(context, source)) {
            return Err("an arm yields the result of an ordered operation");
        }
    }
    Ok(bounds)
}

/// Whether a value used by an operation after the branch is defined before the branch. Both are in
/// one block, so values of outer regions qualify.
fn is_before(context: &Context, value: Value, op: Operation) -> bool {
    match value.defining_op(context) {
        Some(source) if source.block(context) == op.block(context) => {
            source != op && source.is_before_in_block(context, op)
        }
        _ => true,
    }
}

/// The branch with another type for one result; takes the regions of `op`.
fn with_result_type(
    rewriter: &mut Rewriter<'_>,
    op: Operation,
    number: usize,
    ty: orison_ir::Type,
) -> Operation {
    let context = rewriter.context();
    let mut state = orison_ir::OperationState::new(op.name(context), op.location(context));
    state.operands = op.operands(context).collect();
    state.result_types = op.result_types(context).into();
    state.result_types[number] = ty;
    state.properties = op.properties(context);
    state.attributes = op.attributes(context);
    let regions: Vec<Region> = op.regions(context).collect();
    for region in regions {
        let target = Region::new(context);
        region.move_blocks_to(context, target);
        state.regions.push(target);
    }
    rewriter.set_insertion_point(InsertionPoint::Before(op));
    rewriter.create(&state)
}
