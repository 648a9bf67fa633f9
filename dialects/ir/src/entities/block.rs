//! Blocks: straight-line lists of operations with arguments.

use smallvec::SmallVec;

use super::{Operation, Region, Value, dangling, handle};
use crate::storage::arena::{NONE, Record};
use crate::{Context, Location, Type};

handle! {
    /// A block: arguments and a list of operations, the last of which may branch to other blocks.
    Block
}

#[derive(Debug)]
pub(crate) struct BlockRecord {
    generation: u32,
    pub(crate) region: u32,
    pub(crate) previous: u32,
    pub(crate) next: u32,
    pub(crate) first: u32,
    pub(crate) last: u32,
    pub(crate) first_use: u32,
    /// Whether the `order` values of the operations increase along the list.
    pub(crate) ordered: bool,
    pub(crate) arguments: SmallVec<[(u32, Location); 2]>,
}

impl Default for BlockRecord {
    fn default() -> Self {
        BlockRecord {
            generation: 0,
            region: NONE,
            previous: NONE,
            next: NONE,
            first: NONE,
            last: NONE,
            first_use: NONE,
            ordered: true,
            arguments: SmallVec::new(),
        }
    }
}

impl Record for BlockRecord {
    fn generation(&self) -> u32 {
        self.generation
    }
    fn set_generation(&mut self, generation: u32) {
        self.generation = generation;
    }
}

impl Block {
    /// Creates a detached block with arguments of the given types.
    pub fn new(context: &mut Context, arguments: &[(Type, Location)]) -> Block {
        let (index, generation) = context.blocks.insert(BlockRecord::default());
        let block = Block { index, generation };
        for &(ty, location) in arguments {
            block.add_argument(context, ty, location);
        }
        block
    }

    #[track_caller]
    pub(crate) fn record(self, context: &Context) -> &BlockRecord {
        context
            .blocks
            .get(self.index, self.generation)
            .unwrap_or_else(|| dangling("block"))
    }

    pub(crate) fn at(context: &Context, index: u32) -> Block {
        Block {
            index,
            generation: context.blocks.generation(index),
        }
    }

    pub(crate) fn link(context: &Context, index: u32) -> Option<Block> {
        (index != NONE).then(|| Block::at(context, index))
    }

    /// True while the block exists.
    pub fn is_live(self, context: &Context) -> bool {
        context.blocks.get(self.index, self.generation).is_some()
    }

    /// The region this block is in; `None` if detached.
    pub fn region(self, context: &Context) -> Option<Region> {
        let region = self.record(context).region;
        (region != NONE).then(|| Region::at(context, region))
    }

    /// The operation whose region this block is in.
    pub fn parent_op(self, context: &Context) -> Option<Operation> {
        self.region(context).map(|region| region.owner(context))
    }

    /// The block after this one in its region.
    pub fn next(self, context: &Context) -> Option<Block> {
        Block::link(context, self.record(context).next)
    }

    /// The block before this one in its region.
    pub fn previous(self, context: &Context) -> Option<Block> {
        Block::link(context, self.record(context).previous)
    }

    /// True if this is the first block of its region.
    pub fn is_entry(self, context: &Context) -> bool {
        self.region(context)
            .is_some_and(|region| region.first_block(context) == Some(self))
    }

    /// The first operation.
    pub fn first_op(self, context: &Context) -> Option<Operation> {
        Operation::link(context, self.record(context).first)
    }

    /// The last operation.
    pub fn last_op(self, context: &Context) -> Option<Operation> {
        Operation::link(context, self.record(context).last)
    }

    /// The last operation if it may end a block: it is a terminator or unregistered.
    pub fn terminator(self, context: &Context) -> Option<Operation> {
        self.last_op(context)
            .filter(|last| last.may_be_terminator(context))
    }

    /// True if there is no operation.
    pub fn is_empty(self, context: &Context) -> bool {
        self.record(context).first == NONE
    }

    /// The operations in order.
    pub fn operations(self, context: &Context) -> impl Iterator<Item = Operation> + '_ {
        std::iter::successors(self.first_op(context), |op| op.next(context))
    }

    /// The operations from last to first.
    pub fn operations_reversed(self, context: &Context) -> impl Iterator<Item = Operation> + '_ {
        std::iter::successors(self.last_op(context), |op| op.previous(context))
    }

    /// The operations before the terminator, in order.
    pub fn body(self, context: &Context) -> Vec<Operation> {
        let terminator = self.terminator(context);
        self.operations(context)
            .filter(|op| Some(*op) != terminator)
            .collect()
    }

    /// The blocks the last operation branches to.
    pub fn successors(self, context: &Context) -> impl Iterator<Item = Block> + '_ {
        self.last_op(context)
            .into_iter()
            .flat_map(|op| op.successors(context))
    }

    /// The predecessor blocks, once for each branch edge.
    pub fn predecessors(self, context: &Context) -> impl Iterator<Item = Block> + '_ {
        self.predecessor_terminators(context)
            .filter_map(|op| op.block(context))
    }

    /// Number of arguments.
    pub fn argument_count(self, context: &Context) -> usize {
        self.record(context).arguments.len()
    }

    /// The argument at this index.
    ///
    /// # Panics
    /// If there is none.
    pub fn argument(self, context: &Context, position: usize) -> Value {
        Value::at(context, self.record(context).arguments[position].0)
    }

    /// The arguments in order.
    pub fn arguments(self, context: &Context) -> impl ExactSizeIterator<Item = Value> + '_ {
        self.record(context)
            .arguments
            .iter()
            .map(|(index, _)| Value::at(context, *index))
    }

    /// The types of the arguments.
    pub fn argument_types(self, context: &Context) -> Vec<Type> {
        self.arguments(context)
            .map(|argument| argument.ty(context))
            .collect()
    }

    /// The source location of the argument at this index.
    pub fn argument_location(self, context: &Context, position: usize) -> Location {
        self.record(context)
            .arguments
            .get(position)
            .map_or(Location::UNKNOWN, |(_, loc)| *loc)
    }

    /// Appends an argument.
    pub fn add_argument(self, context: &mut Context, ty: Type, location: Location) -> Value {
        let position = self.argument_count(context);
        self.insert_argument(context, position, ty, location)
    }

    /// Inserts an argument at `position`; later arguments move up by one.
    ///
    /// # Panics
    /// If `position` is past the end.
    pub fn insert_argument(
        self,
        context: &mut Context,
        position: usize,
        ty: Type,
        location: Location,
    ) -> Value {
        let index = context.create_values(self.index, Some(0), &[ty]);
        context.blocks[self.index]
            .arguments
            .insert(position, (index, location));
        self.renumber_arguments(context, position);
        Value::at(context, index)
    }

    /// Sets the source location of an argument.
    pub fn set_argument_location(self, context: &mut Context, position: usize, location: Location) {
        self.record(context);
        if let Some(argument) = context.blocks[self.index].arguments.get_mut(position) {
            argument.1 = location;
        }
    }

    /// Erases an argument that has no uses; later arguments move down by one.
    ///
    /// # Panics
    /// If the argument is used or there is none at `position`.
    pub fn erase_argument(self, context: &mut Context, position: usize) {
        let argument = self.argument(context, position);
        assert!(
            argument.is_unused(context),
            "erasing a block argument that is used"
        );
        context.blocks[self.index].arguments.remove(position);
        context.free_values(argument.index, 1);
        self.renumber_arguments(context, position);
    }

    fn renumber_arguments(self, context: &mut Context, from: usize) {
        for position in from..context.blocks[self.index].arguments.len() {
            let index = context.blocks[self.index].arguments[position].0;
            context.set_argument_position(index, position);
        }
    }

    /// Removes the block from its region without erasing it.
    pub fn detach(self, context: &mut Context) {
        let BlockRecord {
            region,
            previous,
            next,
            ..
        } = *self.record(context);
        if region == NONE {
            return;
        }
        match previous {
            NONE => context.regions[region].first = next,
            _ => context.blocks[previous].next = next,
        }
        match next {
            NONE => context.regions[region].last = previous,
            _ => context.blocks[next].previous = previous,
        }
        let record = &mut context.blocks[self.index];
        record.region = NONE;
        record.previous = NONE;
        record.next = NONE;
    }

    /// Erases the block and its operations.
    ///
    /// # Panics
    /// If a value defined in it is used from outside, or a branch outside targets it.
    pub fn erase(self, context: &mut Context) {
        self.drop_references(context);
        self.erase_unreferenced(context);
    }

    /// Drops the operands and successors of everything in the block, so that erasing it does not
    /// depend on order.
    pub(crate) fn drop_references(self, context: &mut Context) {
        let operations: Vec<_> = self.operations(context).collect();
        for op in operations {
            op.drop_references(context);
        }
    }

    pub(crate) fn erase_unreferenced(self, context: &mut Context) {
        while let Some(op) = self.last_op(context) {
            op.erase_unreferenced(context);
        }
        while let Some(last) = self.argument_count(context).checked_sub(1) {
            self.erase_argument(context, last);
        }
        assert!(
            context.blocks[self.index].first_use == NONE,
            "erasing a block that is used"
        );
        self.detach(context);
        context.blocks.remove(self.index);
    }

    /// Moves the operations from `op` to the end into a new block after this one.
    ///
    /// # Panics
    /// If `op` is not in this block.
    pub fn split_before(self, context: &mut Context, op: Operation) -> Block {
        assert!(
            op.block(context) == Some(self),
            "the operation is not in the block"
        );
        let rest = Block::new(context, &[]);
        let next = self.next(context);
        if let Some(region) = self.region(context) {
            region.insert_block_before(context, next, rest);
        }
        let mut current = Some(op);
        while let Some(op) = current {
            current = op.next(context);
            op.detach(context);
            rest.append(context, op);
        }
        rest
    }

    /// Appends a detached operation.
    ///
    /// # Panics
    /// If the operation is already in a block.
    pub fn append(self, context: &mut Context, op: Operation) {
        self.insert_before(context, None, op);
    }

    /// Inserts a detached operation before `anchor`, or at the end.
    ///
    /// # Panics
    /// If the operation is already in a block.
    pub fn insert_before(self, context: &mut Context, anchor: Option<Operation>, op: Operation) {
        assert!(
            op.block(context).is_none(),
            "the operation is in a block already"
        );
        let last = self.record(context).last;
        let next = anchor.map_or(NONE, |anchor| anchor.index);
        let previous = anchor.map_or(last, |anchor| context.operations[anchor.index].previous);
        let order = match previous {
            NONE => 0,
            _ => context.operations[previous].order.saturating_add(1),
        };
        if next != NONE || order == u32::MAX {
            context.blocks[self.index].ordered = false;
        }
        let record = &mut context.operations[op.index];
        record.block = self.index;
        record.previous = previous;
        record.next = next;
        record.order = order;
        match previous {
            NONE => context.blocks[self.index].first = op.index,
            _ => context.operations[previous].next = op.index,
        }
        match next {
            NONE => context.blocks[self.index].last = op.index,
            _ => context.operations[next].previous = op.index,
        }
    }

    /// Renumbers the operations so that [`Operation::is_before_in_block`] takes constant time.
    pub fn renumber(self, context: &mut Context) {
        if self.record(context).ordered {
            return;
        }
        let mut current = context.blocks[self.index].first;
        let mut order = 0;
        while current != NONE {
            context.operations[current].order = order;
            order += 1;
            current = context.operations[current].next;
        }
        context.blocks[self.index].ordered = true;
    }
}
