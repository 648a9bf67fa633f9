//! Regions: lists of blocks owned by an operation.

use super::{Block, Operation, dangling, handle};
use crate::Context;
use crate::storage::arena::{NONE, Record};

handle! {
    /// A region of an operation: a list of blocks, of which the first is the entry.
    Region
}

#[derive(Debug)]
pub(crate) struct RegionRecord {
    generation: u32,
    pub(crate) owner: u32,
    pub(crate) first: u32,
    pub(crate) last: u32,
}

impl Default for RegionRecord {
    fn default() -> Self {
        RegionRecord {
            generation: 0,
            owner: NONE,
            first: NONE,
            last: NONE,
        }
    }
}

impl Record for RegionRecord {
    fn generation(&self) -> u32 {
        self.generation
    }
    fn set_generation(&mut self, generation: u32) {
        self.generation = generation;
    }
}

impl Region {
    #[track_caller]
    pub(crate) fn record(self, context: &Context) -> &RegionRecord {
        context
            .regions
            .get(self.index, self.generation)
            .unwrap_or_else(|| dangling("region"))
    }

    pub(crate) fn at(context: &Context, index: u32) -> Region {
        Region {
            index,
            generation: context.regions.generation(index),
        }
    }

    /// The operation this region belongs to.
    pub fn owner(self, context: &Context) -> Operation {
        Operation::at(context, self.record(context).owner)
    }

    /// The region that contains the owner; `None` if the owner is detached.
    pub fn parent_region(self, context: &Context) -> Option<Region> {
        self.owner(context).parent_region(context)
    }

    /// The index of this region in its operation.
    pub fn number(self, context: &Context) -> usize {
        let mut regions = self.owner(context).regions(context);
        regions.position(|region| region == self).unwrap_or(0)
    }

    /// The entry block.
    pub fn first_block(self, context: &Context) -> Option<Block> {
        Block::link(context, self.record(context).first)
    }

    /// The last block.
    pub fn last_block(self, context: &Context) -> Option<Block> {
        Block::link(context, self.record(context).last)
    }

    /// True if there is no block.
    pub fn is_empty(self, context: &Context) -> bool {
        self.record(context).first == NONE
    }

    /// True if there is exactly one block.
    pub fn has_one_block(self, context: &Context) -> bool {
        let record = self.record(context);
        record.first != NONE && record.first == record.last
    }

    /// The blocks in order. The next block is looked up before the current one is returned, so the
    /// current one may be erased.
    pub fn blocks(self, context: &Context) -> impl Iterator<Item = Block> + '_ {
        std::iter::successors(self.first_block(context), |block| block.next(context))
    }

    /// True if `other` is this region or nested in it at any depth.
    pub fn is_ancestor_of(self, context: &Context, other: Region) -> bool {
        let mut current = Some(other);
        while let Some(region) = current {
            if region == self {
                return true;
            }
            current = region.parent_region(context);
        }
        false
    }

    /// Appends a detached block.
    ///
    /// # Panics
    /// If the block is already in a region.
    pub fn append_block(self, context: &mut Context, block: Block) {
        self.insert_block_before(context, None, block);
    }

    /// Inserts a detached block before `anchor`, or at the end.
    ///
    /// # Panics
    /// If the block is already in a region.
    pub fn insert_block_before(self, context: &mut Context, anchor: Option<Block>, block: Block) {
        assert!(
            block.region(context).is_none(),
            "the block is in a region already"
        );
        let last = self.record(context).last;
        let next = anchor.map_or(NONE, |anchor| anchor.index);
        let previous = anchor.map_or(last, |anchor| context.blocks[anchor.index].previous);
        let record = &mut context.blocks[block.index];
        record.region = self.index;
        record.previous = previous;
        record.next = next;
        match previous {
            NONE => context.regions[self.index].first = block.index,
            _ => context.blocks[previous].next = block.index,
        }
        match next {
            NONE => context.regions[self.index].last = block.index,
            _ => context.blocks[next].previous = block.index,
        }
    }

    /// Frees the region, which has no block and no owner.
    pub(crate) fn remove_empty(self, context: &mut Context) {
        self.record(context);
        context.regions.remove(self.index);
    }

    /// Moves all blocks to the end of `target`.
    pub fn move_blocks_to(self, context: &mut Context, target: Region) {
        while let Some(block) = self.first_block(context) {
            block.detach(context);
            target.append_block(context, block);
        }
    }
}
