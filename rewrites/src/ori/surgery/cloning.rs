//! Copies of blocks.

use orison_ir::{Block, Context, Mapping};

/// Appends copies of blocks to their region, in order, behind `after`; returns the mapping from the
/// blocks and the values that they define to the copies.
///
/// Branches between the blocks are branches between the copies; other branches of a copy lead where
/// those of the original do, and pass what corresponds. The new edges are the only change: a value
/// of a block that is used elsewhere has to be passed to where both definitions meet
/// ([`super::close_loops`] before it, or [`super::SsaRepair`] behind it).
pub fn clone_blocks(context: &mut Context, blocks: &[Block], after: Block) -> Mapping {
    let mut mapping = Mapping::default();
    let Some(region) = after.region(context) else {
        return mapping;
    };
    let anchor = after.next(context);
    for block in blocks {
        let arguments: Vec<_> = block
            .arguments(context)
            .map(|argument| {
                let location = block.argument_location(context, argument.position(context));
                (argument.ty(context), location)
            })
            .collect();
        let copy = Block::new(context, &arguments);
        region.insert_block_before(context, anchor, copy);
        mapping.map_block(*block, copy);
        let pairs = block.arguments(context).zip(copy.arguments(context));
        for (from, to) in pairs.collect::<Vec<_>>() {
            mapping.map(from, to);
        }
    }
    let mut copies = Vec::new();
    for block in blocks {
        let target = mapping.lookup_block(*block);
        for op in block.operations(context).collect::<Vec<_>>() {
            let copy = op.clone_into(context, &mut mapping);
            target.append(context, copy);
            copies.push(copy);
        }
    }
    // Blocks are not always in an order in which definitions come first.
    for copy in copies {
        for number in 0..copy.operand_count(context) {
            if let Some(value) = mapping.get(copy.operand(context, number)) {
                copy.set_operand(context, number, value);
            }
        }
    }
    mapping
}
