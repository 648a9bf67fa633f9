//! Blocks: terminators and successors.

use crate::declare::{Trait, VerifyResult};
use crate::entities::{Block, Operation};
use crate::{Context, Diagnostic};

/// Checks that a block has what it needs at its end and branches only there.
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
    if block.is_entry(context) && block.predecessors(context).next().is_some() {
        let location = block.parent_op(context).map(|op| op.location(context));
        let message = "entry block of region may not have predecessors";
        let location = location.unwrap_or(crate::Location::UNKNOWN);
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

/// Checks the last operation of a block, after those in the block were verified.
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
    let text = one_line(context, last);
    Err(last.error(context, format!("block with no terminator, has {text}")))
}

/// The operation in generic form on one line, without its regions.
fn one_line(context: &Context, op: Operation) -> String {
    let flags = crate::PrintFlags {
        skip_regions: true,
        ..crate::PrintFlags::generic()
    };
    crate::print_to_string(context, op, &flags)
        .trim_end()
        .to_owned()
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
