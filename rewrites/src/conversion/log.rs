//! The log of the changes of a conversion, for rollback.

use orison_ir::{Attribute, Block, Context, Location, Operation, Region, Type, Value};

/// A change. Nothing is freed before the conversion has succeeded, so erased values, operations and
/// blocks can be restored with the same identity.
#[derive(Debug)]
pub(super) enum Action {
    /// An operation was created.
    Created(Operation),
    /// A block was created.
    CreatedBlock(Block),
    /// An argument was added at the end of a block.
    AddedArgument(Block),
    /// An operation was removed from the IR, and lost its operands.
    Erased(Operation, Place, Vec<Value>),
    /// An operation was moved.
    Moved(Operation, Place),
    /// A block was moved to another region, or removed.
    MovedBlock(Block, Region, Option<Block>),
    /// Operands that were a value have been replaced.
    Replaced(Value, Vec<(Operation, usize)>),
    /// Parts of an operation were changed in place.
    Modified(Box<Saved>),
}

/// The position of an operation: in a block, before another operation or at the end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) block: Block,
    pub(super) next: Option<Operation>,
}

impl Place {
    pub(super) fn of(context: &Context, op: Operation) -> Option<Place> {
        let next = op.next(context);
        op.block(context).map(|block| Place { block, next })
    }
}

/// The parts of an operation that may be changed in place.
#[derive(Debug)]
pub(super) struct Saved {
    pub(super) op: Operation,
    operands: Vec<Value>,
    results: Vec<Type>,
    properties: Attribute,
    attributes: Attribute,
    successors: Vec<Block>,
    location: Location,
}

impl Saved {
    pub(super) fn of(context: &Context, op: Operation) -> Saved {
        Saved {
            op,
            operands: op.operands(context).collect(),
            results: op.result_types(context),
            properties: op.properties(context),
            attributes: op.attributes(context),
            successors: op.successors(context).collect(),
            location: op.location(context),
        }
    }

    fn restore(&self, context: &mut Context) {
        let op = self.op;
        op.set_operands(context, &self.operands);
        for (number, ty) in self.results.iter().enumerate() {
            op.result(context, number).set_type(context, *ty);
        }
        op.set_properties(context, self.properties);
        op.set_attributes(context, self.attributes);
        for (number, block) in self.successors.iter().enumerate() {
            op.set_successor(context, number, *block);
        }
        op.set_location(context, self.location);
    }
}

impl Action {
    /// Undoes the change. All later changes must have been undone.
    pub(super) fn undo(self, context: &mut Context) {
        match self {
            Action::Created(op) => op.erase(context),
            Action::CreatedBlock(block) => block.erase(context),
            Action::AddedArgument(block) => {
                if let Some(last) = block.argument_count(context).checked_sub(1) {
                    block.erase_argument(context, last);
                }
            }
            Action::Erased(op, place, operands) => {
                op.set_operands(context, &operands);
                place.block.insert_before(context, place.next, op);
            }
            Action::Moved(op, place) => {
                op.detach(context);
                place.block.insert_before(context, place.next, op);
            }
            Action::MovedBlock(block, region, next) => {
                block.detach(context);
                region.insert_block_before(context, next, block);
            }
            Action::Replaced(value, uses) => {
                for (op, number) in uses {
                    op.set_operand(context, number, value);
                }
            }
            Action::Modified(saved) => saved.restore(context),
        }
    }
}
