//! Values: results of operations and arguments of blocks.

use super::{Block, Operation, dangling, handle};
use crate::storage::arena::NONE;
use crate::{Context, Location, Type};

handle! {
    /// A value of the program: a result of an operation or an argument of a block.
    Value
}

/// The definition of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ValueOwner {
    /// The result of an operation at this index.
    Result(Operation, usize),
    /// The argument of a block at this index.
    Argument(Block, usize),
}

/// Set in [`ValueRecord::position`] of block arguments.
const ARGUMENT: u32 = 1 << 31;

#[derive(Clone, Debug)]
pub(crate) struct ValueRecord {
    /// Odd while live, as in an arena.
    pub(crate) generation: u32,
    pub(crate) ty: Type,
    /// Index of the operation or block.
    owner: u32,
    /// Index of the result or argument; the top bit distinguishes them.
    position: u32,
    pub(crate) first_use: u32,
}

impl ValueRecord {
    const FREE: ValueRecord = ValueRecord {
        generation: 0,
        ty: Type::NONE,
        owner: NONE,
        position: 0,
        first_use: NONE,
    };
}

impl Value {
    #[track_caller]
    pub(crate) fn record(self, context: &Context) -> &ValueRecord {
        match context.values.get(self.index) {
            Some(record) if record.generation == self.generation => record,
            _ => dangling("value"),
        }
    }

    /// The handle of the record at `index`.
    pub(crate) fn at(context: &Context, index: u32) -> Value {
        Value {
            index,
            generation: context.values[index].generation,
        }
    }

    /// True while the definition of this value exists.
    pub fn is_live(self, context: &Context) -> bool {
        context
            .values
            .get(self.index)
            .is_some_and(|record| record.generation == self.generation)
    }

    /// The type.
    #[track_caller]
    pub fn ty(self, context: &Context) -> Type {
        self.record(context).ty
    }

    /// Changes the type; the caller must keep the operations involved valid.
    pub fn set_type(self, context: &mut Context, ty: Type) {
        self.record(context);
        context.values[self.index].ty = ty;
    }

    /// The definition of this value.
    #[track_caller]
    pub fn owner(self, context: &Context) -> ValueOwner {
        let record = self.record(context);
        let position = (record.position & !ARGUMENT) as usize;
        if record.position & ARGUMENT == 0 {
            ValueOwner::Result(Operation::at(context, record.owner), position)
        } else {
            ValueOwner::Argument(Block::at(context, record.owner), position)
        }
    }

    /// The operation that defines this value; `None` for a block argument.
    pub fn defining_op(self, context: &Context) -> Option<Operation> {
        match self.owner(context) {
            ValueOwner::Result(operation, _) => Some(operation),
            ValueOwner::Argument(..) => None,
        }
    }

    /// The block an argument belongs to; `None` for a result.
    pub fn argument_owner(self, context: &Context) -> Option<Block> {
        match self.owner(context) {
            ValueOwner::Result(..) => None,
            ValueOwner::Argument(block, _) => Some(block),
        }
    }

    /// The block in which this value is defined; `None` for results of a detached operation.
    pub fn parent_block(self, context: &Context) -> Option<Block> {
        match self.owner(context) {
            ValueOwner::Result(operation, _) => operation.block(context),
            ValueOwner::Argument(block, _) => Some(block),
        }
    }

    /// The index of the result or argument.
    pub fn position(self, context: &Context) -> usize {
        (self.record(context).position & !ARGUMENT) as usize
    }

    /// The source location of the definition.
    pub fn location(self, context: &Context) -> Location {
        match self.owner(context) {
            ValueOwner::Result(operation, _) => operation.location(context),
            ValueOwner::Argument(block, position) => block.argument_location(context, position),
        }
    }
}

impl Context {
    /// Creates `types.len()` consecutive values defined by `owner`.
    pub(crate) fn create_values(
        &mut self,
        owner: u32,
        argument: Option<u32>,
        types: &[Type],
    ) -> u32 {
        let length = u32::try_from(types.len()).unwrap_or(NONE);
        let start = self.values.allocate(length, &ValueRecord::FREE);
        for (offset, &ty) in (0..length).zip(types) {
            let record = &mut self.values[start + offset];
            record.generation += 1;
            record.ty = ty;
            record.owner = owner;
            record.position = argument.map_or(offset, |position| position | ARGUMENT);
            record.first_use = NONE;
        }
        start
    }

    /// Frees consecutive values; handles to them become dangling.
    pub(crate) fn free_values(&mut self, start: u32, length: u32) {
        for index in start..start + length {
            self.values[index].generation += 1;
        }
        self.values.release(start, length);
    }

    /// Updates the index of an argument after an earlier one was erased or inserted.
    pub(crate) fn set_argument_position(&mut self, value: u32, position: usize) {
        let position = u32::try_from(position).unwrap_or(NONE);
        self.values[value].position = position | ARGUMENT;
    }
}
