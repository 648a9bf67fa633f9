//! Accumulators that branches pass part by part.

use orison_ir::{Block, Builder, Context, EdgeUpdates, InsertionPoint, Operation, Value};
use orison_ori::operations::moves::{Concat, Extract};

use super::{operations, whole_of};
use crate::ori::functions::Function;

/// Makes block arguments that are concatenated one block argument, along all branches that pass
/// them on; returns the number of new arguments.
///
/// An argument that receives the parts of a value, in order, on one edge is enough: on the other
/// edges the parts are concatenated before the branch.
pub(super) fn carry_whole(context: &mut Context, function: Function) -> u64 {
    let mut carried = 0;
    let mut pending: Vec<Operation> = operations(context, function)
        .into_iter()
        .filter(|op| Concat::matches(context, *op))
        .collect();
    pending.reverse();
    while let Some(op) = pending.pop() {
        let Some(block) = argument_block(context, op) else {
            continue;
        };
        if let Some(made) = carry(context, op, block) {
            carried += 1;
            pending.extend(made);
        }
    }
    carried
}

/// The block whose arguments an accumulator is concatenated from.
fn argument_block(context: &Context, op: Operation) -> Option<Block> {
    let mut parts = op.operands(context);
    let block = parts.next()?.argument_owner(context)?;
    let whole = op.result(context, 0);
    let is_tuple = matches!(
        orison_ori::Register::of(context, whole.ty(context)),
        Some(orison_ori::Register::Accumulator(_))
    );
    let mut seen: Vec<usize> = op.operands(context).map(|v| v.position(context)).collect();
    seen.sort_unstable();
    seen.dedup();
    let same = parts.all(|part| part.argument_owner(context) == Some(block));
    let apart = seen.len() == op.operand_count(context);
    (is_tuple && same && apart && !block.is_entry(context)).then_some(block)
}

/// Gives the block one more argument, which replaces the concatenation and its parts. Returns the
/// concatenations made on the edges; `None` if an edge's values are unknown.
fn carry(context: &mut Context, op: Operation, block: Block) -> Option<Vec<Operation>> {
    let parts: Vec<Value> = op.operands(context).collect();
    let positions: Vec<usize> = parts.iter().map(|v| v.position(context)).collect();
    let mut edges: Vec<(Operation, usize)> = block.predecessor_edges(context).collect();
    edges.sort_unstable();
    edges.dedup();
    let mut updates = EdgeUpdates::default();
    let count = block.argument_count(context);
    for (branch, way) in &edges {
        let known = updates.passed(context, *branch, *way)?;
        (known.len() == count).then_some(())?;
    }
    let old = op.result(context, 0);
    let (ty, location) = (old.ty(context), op.location(context));
    let whole = block.add_argument(context, ty, location);
    let mut made = Vec::new();
    for (branch, way) in edges {
        let mut values = updates.passed(context, branch, way)?.to_vec();
        let passed: Vec<Value> = positions.iter().map(|place| values[*place]).collect();
        let value = match whole_of(context, &passed, old) {
            Some(value) => value,
            // The parts of the new argument itself, passed around a loop.
            None if passed == parts => whole,
            None => {
                let mut builder = Builder::at(context, InsertionPoint::Before(branch));
                let concat = Concat::build(&mut builder, location, &passed, ty);
                made.push(concat.operation());
                concat.whole(builder.ir())
            }
        };
        values.push(value);
        updates.redirect(context, branch, way, block, values);
    }
    updates.finish(context);
    old.replace_all_uses_with(context, whole);
    op.erase(context);
    replace_parts(context, block, whole, &parts);
    drop_arguments(context, block, positions);
    Some(made)
}

/// Replaces the old arguments by extracts of the new one.
fn replace_parts(context: &mut Context, block: Block, whole: Value, parts: &[Value]) {
    let first = block.first_op(context);
    for (word, part) in (0..).zip(parts) {
        if part.is_unused(context) {
            continue;
        }
        let (ty, location) = (part.ty(context), part.location(context));
        let point = first.map_or(InsertionPoint::End(block), InsertionPoint::Before);
        let mut builder = Builder::at(context, point);
        let extract = Extract::build(&mut builder, location, whole, word, ty);
        let value = extract.part(builder.ir());
        part.replace_all_uses_with(context, value);
    }
}

fn drop_arguments(context: &mut Context, block: Block, mut positions: Vec<usize>) {
    positions.sort_unstable();
    let count = block.argument_count(context);
    let kept: Vec<usize> = (0..count)
        .filter(|place| positions.binary_search(place).is_err())
        .collect();
    let mut updates = EdgeUpdates::default();
    let mut edges: Vec<(Operation, usize)> = block.predecessor_edges(context).collect();
    edges.sort_unstable();
    edges.dedup();
    for (branch, way) in edges {
        let Some(values) = updates.passed(context, branch, way) else {
            continue;
        };
        let values = kept.iter().map(|place| values[*place]).collect();
        updates.redirect(context, branch, way, block, values);
    }
    updates.finish(context);
    for place in positions.into_iter().rev() {
        block.erase_argument(context, place);
    }
}
