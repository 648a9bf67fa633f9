//! Blocks: terminators and successors.

use crate::declare::{Trait, VerifyResult};
use crate::entities::{Block, Operation};
use crate::printer::line_in_place;
use crate::{Context, Diagnostic};

/// Checks that no block branches to the entry block of a region of an operation.
pub(super) fn verify_entries(context: &Context, op: Operation) -> VerifyResult {
    for region in op.regions(context) {
        let entry = region.first_block(context);
        if entry.is_some_and(|entry| entry.predecessors(context).next().is_some()) {
            let message = "entry block of region may not have predecessors";
            return Err(op.error(context, message));
        }
    }
    Ok(())
}

/// Checks that a block that needs a terminator is not empty, and that it branches only at its end.
pub(super) fn verify_block(context: &Context, block: Block) -> VerifyResult {
    if block.is_empty(context) {
        if may_lack_terminator(context, block) {
            return Ok(());
        }
        let location = block.parent_op(context).map(|op| op.location(context));
        let location = location.unwrap_or(crate::Location::UNKNOWN);
        let message = "empty block: expect at least a terminator";
        return Err(Box::new(Diagnostic::error(location, message)));
    }
    let last = block.last_op(context);
    for op in block.operations(context) {
        if op.successor_count(context) != 0 && Some(op) != last {
            let message = "operation with block successors must terminate its parent block";
            return Err(op.error(context, message));
        }
    }
    Ok(())
}

/// Checks the terminator of a block, after all operations of the block and their regions.
pub(super) fn verify_terminator(context: &Context, block: Block) -> VerifyResult {
    let Some(last) = block.last_op(context) else {
        return Ok(());
    };
    for successor in last.successors(context) {
        if successor.region(context) != block.region(context) {
            return Err(last.op_error(context, "branching to block of a different region"));
        }
    }
    if may_lack_terminator(context, block) || last.may_be_terminator(context) {
        return Ok(());
    }
    let text = line_in_place(context, last);
    Err(last.error(context, format!("block with no terminator, has {text}")))
}

fn may_lack_terminator(context: &Context, block: Block) -> bool {
    let Some(region) = block.region(context) else {
        return true;
    };
    if !region.has_one_block(context) {
        return false;
    }
    let owner = region.owner(context);
    owner
        .definition(context)
        .is_none_or(|definition| definition.has_trait(Trait::NoTerminator))
}
