//! What happens to IR whose text turned out to be broken.
//!
//! An error ends the parsing somewhere in the middle: operations exist whose region is half done,
//! values are used by operations that were never put into a block, blocks were only named. All of
//! it is erased, in any order, so that nothing of the broken text is left in the context.

use super::Parser;
use crate::entities::{Block, Operation, Region};
use crate::{Context, walk};

impl Parser<'_> {
    /// Erases an operation that is not needed any more.
    pub(super) fn discard_operation(&mut self, op: Operation) {
        cut(self.context, &walk::collect(self.context, op), &[]);
        op.erase(self.context);
    }

    /// Erases regions that have no operation around them.
    pub(super) fn discard_regions(&mut self, regions: &[Region]) {
        for region in regions {
            let blocks: Vec<_> = region.blocks(self.context).collect();
            for block in blocks {
                self.discard_block(block);
            }
            region.remove_empty(self.context);
        }
    }

    /// Erases a block with everything in it.
    pub(super) fn discard_block(&mut self, block: Block) {
        discard_block(self.context, block);
    }

    /// Erases what names stand for that was used and never defined.
    pub(super) fn discard_undefined(&mut self) {
        let (placeholders, blocks) = self.scopes.take_undefined(self.context);
        for op in placeholders {
            if op.is_live(self.context) {
                self.discard_operation(op);
            }
        }
        for block in blocks {
            if block.is_live(self.context) {
                self.discard_block(block);
            }
        }
    }
}

/// Erases a block with everything in it, whatever refers to it.
pub(crate) fn discard_block(context: &mut Context, block: Block) {
    let mut operations = Vec::new();
    for op in block.operations(context) {
        operations.extend(walk::collect(context, op));
    }
    cut(context, &operations, &[block]);
    block.erase(context);
}

/// Cuts all uses of what is defined by the operations and blocks: their users are broken too.
fn cut(context: &mut Context, operations: &[Operation], blocks: &[Block]) {
    for op in operations {
        op.drop_own_references(context);
    }
    let mut inner = blocks.to_vec();
    let mut users = Vec::new();
    for op in operations {
        for region in op.regions(context) {
            inner.extend(region.blocks(context));
        }
        for value in op.results(context) {
            users.extend(value.users(context));
        }
    }
    for block in inner {
        for value in block.arguments(context) {
            users.extend(value.users(context));
        }
        users.extend(block.predecessor_terminators(context));
    }
    for user in users {
        user.drop_own_references(context);
    }
}
