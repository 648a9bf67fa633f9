//! Removal of the IR of an invalid text.
//!
//! An error ends parsing at an arbitrary point: some operations have incomplete regions, some
//! values are used by operations that are not in a block, and some blocks are referenced but not
//! defined. All of it is erased, in any order, so that no IR of the invalid text remains in the
//! context.

use super::Parser;
use crate::entities::{Block, Operation, Region};
use crate::{Context, walk};

impl Parser<'_> {
    /// Erases an operation that is no longer needed.
    pub(super) fn discard_operation(&mut self, op: Operation) {
        cut(self.context, &walk::collect(self.context, op), &[]);
        op.erase(self.context);
    }

    /// Erases regions without a parent operation.
    pub(super) fn discard_regions(&mut self, regions: &[Region]) {
        for region in regions {
            let blocks: Vec<_> = region.blocks(self.context).collect();
            for block in blocks {
                self.discard_block(block);
            }
            region.remove_empty(self.context);
        }
    }

    /// Erases a block and its contents.
    pub(super) fn discard_block(&mut self, block: Block) {
        discard_block(self.context, block);
    }

    /// Erases the placeholders of names that were used but never defined.
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

/// Erases a block and its contents, regardless of remaining uses.
pub(crate) fn discard_block(context: &mut Context, block: Block) {
    let mut operations = Vec::new();
    for op in block.operations(context) {
        operations.extend(walk::collect(context, op));
    }
    cut(context, &operations, &[block]);
    block.erase(context);
}

/// Drops all uses of the results and arguments of the operations and blocks: their users are erased
/// too.
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
