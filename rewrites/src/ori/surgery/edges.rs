//! Edges of the flow graph: splitting one, joining several.

use orison_ir::{Block, Context, EdgeUpdates, Operation};

use crate::ori::functions::{Edge, append_branch};

/// An edge: a branch and the index of the successor.
pub type EdgeId = (Operation, usize);

/// Puts a block on an edge; returns the block. It has no arguments: its branch passes what the edge
/// passed.
pub fn split_edge(context: &mut Context, (branch, way): EdgeId) -> Option<Block> {
    let edge = Edge::of(context, branch, way)?;
    let block = insert_before(context, Some(edge.target), branch);
    let location = branch.location(context);
    append_branch(context, block, location, &edge, false);
    let mut updates = EdgeUpdates::default();
    updates.redirect(context, branch, way, block, Vec::new());
    updates.finish(context);
    Some(block)
}

/// Puts one block on several edges to a block, in front of `before`, at the end of the region if it
/// is `None`; returns the new block. It has the arguments of the target and passes them on. `None`,
/// without a change, if there are no edges, or a branch does not say what it passes.
///
/// Linear in the edges, and in those of the branches that they belong to.
pub fn join_edges(
    context: &mut Context,
    target: Block,
    edges: &[EdgeId],
    before: Option<Block>,
) -> Option<Block> {
    let (first, _) = *edges.first()?;
    let mut updates = EdgeUpdates::default();
    let mut values = Vec::with_capacity(edges.len());
    for (branch, way) in edges {
        values.push(updates.passed(context, *branch, *way)?.to_vec());
    }
    let block = insert_before(context, before, first);
    for argument in target.arguments(context).collect::<Vec<_>>() {
        let ty = argument.ty(context);
        let location = target.argument_location(context, argument.position(context));
        block.add_argument(context, ty, location);
    }
    for ((branch, way), values) in edges.iter().zip(values) {
        updates.redirect(context, *branch, *way, block, values);
    }
    updates.finish(context);
    let onward = Edge {
        target,
        values: block.arguments(context).collect(),
    };
    let location = first.location(context);
    append_branch(context, block, location, &onward, false);
    Some(block)
}

/// A new block in front of another one, in the region of an operation.
fn insert_before(context: &mut Context, before: Option<Block>, op: Operation) -> Block {
    let block = Block::new(context, &[]);
    if let Some(region) = op.parent_region(context) {
        region.insert_block_before(context, before, block);
    }
    block
}
