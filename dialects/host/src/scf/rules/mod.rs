//! Canonicalization rules of loops and conditionals.

mod conditional;
mod counted;
mod execute;
mod parallel;
mod repeated;

pub(super) use conditional::*;
pub(super) use counted::*;
pub(super) use execute::*;
pub(super) use parallel::*;
pub(super) use repeated::*;

use orison_ir::{
    Block, Context, Declined, InsertionPoint, Operation, OperationState, Region, Rewriter, Type,
    Value,
};

/// The result of a step of a rule.
type Step<T> = Result<T, Declined>;

/// The entry block of a region, and its terminator.
fn block_and_end(context: &Context, op: Operation, region: usize) -> Step<(Block, Operation)> {
    let block = op.body_block(context, region);
    let end = block.and_then(|block| block.last_op(context));
    match block.zip(end) {
        Some(found) => Ok(found),
        None => Declined::because("a region has no blocks"),
    }
}

/// Creates a copy of `op` with other operands and results before it, and moves the regions to
/// it. The caller replaces `op`.
fn rebuild(
    rewriter: &mut Rewriter<'_>,
    op: Operation,
    operands: &[Value],
    results: &[Type],
) -> Operation {
    let context = rewriter.ir();
    let mut state = OperationState::new(op.name(context), op.location(context));
    state.operands = operands.into();
    state.result_types = results.into();
    state.properties = op.properties(context);
    state.attributes = op.attributes(context);
    for _ in 0..op.region_count(context) {
        state.regions.push(Region::new(rewriter.context()));
    }
    rewriter.set_insertion_point(InsertionPoint::Before(op));
    let new = rewriter.create(&state);
    let context = rewriter.context();
    let pairs: Vec<_> = op.regions(context).zip(new.regions(context)).collect();
    for (from, to) in pairs {
        from.move_blocks_to(context, to);
    }
    new
}

/// Inlines a block at the position of `op`, with `values` for its arguments; the operands of
/// the terminator replace the results.
fn inline(rewriter: &mut Rewriter<'_>, op: Operation, block: Block, values: &[Value]) {
    rewriter.set_insertion_point(InsertionPoint::Before(op));
    rewriter.inline_block(block, values);
    let Some(end) = op.previous(rewriter.ir()) else {
        return;
    };
    let results: Vec<_> = end.operands(rewriter.ir()).collect();
    rewriter.erase(end);
    rewriter.replace(op, &results);
}

/// Whether a block contains only this operation.
fn is_alone(context: &Context, op: Operation) -> bool {
    op.previous(context).is_none() && op.next(context).is_none()
}

/// Whether a value is defined in a region or in a nested region.
fn is_inside(context: &Context, value: Value, region: Region) -> bool {
    let block = value.parent_block(context);
    let own = block.and_then(|block| block.region(context));
    own.is_some_and(|own| region.is_ancestor_of(context, own))
}

/// Whether a value is defined outside an operation.
fn is_outside(context: &Context, value: Value, op: Operation) -> bool {
    !op.regions(context)
        .any(|region| is_inside(context, value, region))
}

/// The elements whose flag is set.
fn kept<T: Clone>(items: &[T], keep: &[bool]) -> Vec<T> {
    let pairs = items.iter().zip(keep);
    pairs
        .filter(|(_, keep)| **keep)
        .map(|(item, _)| item.clone())
        .collect()
}

/// Erases the unused arguments of a block whose flag is not set.
fn erase_arguments(context: &mut Context, block: Block, keep: &[bool]) {
    for (position, keep) in keep.iter().enumerate().rev() {
        if !keep {
            block.erase_argument(context, position);
        }
    }
}
