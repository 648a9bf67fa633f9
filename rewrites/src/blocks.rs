//! Merging identical blocks and removing redundant block arguments.

use std::hash::{Hash, Hasher};

use orison_ir::pass::IRStatus;
use orison_ir::{Block, Context, EdgeUpdates, Location, Operation, Region, Type, Value};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};

#[cfg(test)]
mod tests;

/// Merges identical blocks of a region. Where they use different values defined outside, the
/// remaining block gets arguments.
pub fn merge_identical(context: &mut Context, region: Region) -> IRStatus {
    merge_identical_where(context, region, |_, _| true)
}

/// Like [`merge_identical`], restricted to blocks for which `may_merge` returns true.
pub fn merge_identical_where(
    context: &mut Context,
    region: Region,
    may_merge: impl Fn(&Context, Block) -> bool,
) -> IRStatus {
    let mut merger = Merger::default();
    let mut status = IRStatus::Unchanged;
    let mut leaders: FxHashMap<u64, Vec<Block>> = FxHashMap::default();
    // The entry block is not entered by a branch.
    let blocks: Vec<_> = region.blocks(context).skip(1).collect();
    for block in blocks {
        if !merger.is_mergeable(context, block) || !may_merge(context, block) {
            continue;
        }
        merger.settle(context, block);
        let known = leaders.entry(hash(context, block)).or_default();
        let twin = known.iter().find_map(|leader| {
            merger.settle(context, *leader);
            let differences = differences(context, *leader, block)?;
            let fits = differences.is_empty()
                || [*leader, block].iter().all(|b| merger.is_open(context, *b));
            fits.then_some((*leader, differences))
        });
        match twin {
            Some((leader, differences)) => {
                merger.merge(context, leader, block, &differences);
                status = IRStatus::Changed;
            }
            None => known.push(block),
        }
    }
    merger.edges.finish(context);
    status
}

/// Merges blocks. Changed branch operands are written at the end, or when the branch is read.
#[derive(Default)]
struct Merger {
    edges: EdgeUpdates,
    /// The blocks that define pending branch operands: their values are used outside, which the
    /// operands of these branches do not show yet.
    used_outside: FxHashSet<Block>,
}

impl Merger {
    /// Whether a block can be merged: it has predecessors, none of its operations has regions, and
    /// the values it defines are used only in it.
    fn is_mergeable(&self, context: &Context, block: Block) -> bool {
        let is_local = |value: Value| {
            let mut users = value.users(context);
            users.all(|user| user.block(context) == Some(block))
        };
        block.predecessor_edges(context).next().is_some()
            && !self.used_outside.contains(&block)
            && block.arguments(context).all(is_local)
            && block
                .operations(context)
                .all(|op| op.region_count(context) == 0 && op.results(context).all(is_local))
    }

    /// Whether every branch to a block can be made to pass more values.
    fn is_open(&mut self, context: &Context, block: Block) -> bool {
        let count = block.argument_count(context);
        let mut edges = block.predecessor_edges(context);
        edges.all(|(branch, number)| {
            let passed = self.edges.passed(context, branch, number);
            passed.is_some_and(|values| values.len() == count)
        })
    }

    /// Writes the pending operands of the branch at the end of a block.
    fn settle(&mut self, context: &mut Context, block: Block) {
        if let Some(branch) = block.terminator(context) {
            self.edges.flush(context, branch);
        }
    }

    /// Redirects every branch to `block` to `leader`, which gets an argument for each difference.
    fn merge(
        &mut self,
        context: &mut Context,
        leader: Block,
        block: Block,
        differences: &[Difference],
    ) {
        if differences.is_empty() {
            for (branch, number) in edges(context, block) {
                branch.set_successor(context, number, leader);
            }
        } else {
            self.merge_with_arguments(context, leader, block, differences);
        }
        // The branch of the block may have pending operands.
        self.settle(context, block);
        block.erase(context);
    }

    fn merge_with_arguments(
        &mut self,
        context: &mut Context,
        leader: Block,
        block: Block,
        differences: &[Difference],
    ) {
        // The branch of the leader may itself contain differences: it is read again after they
        // moved.
        self.settle(context, leader);
        let mut own = Vec::new();
        for difference in differences {
            own.push(difference.op.operand(context, difference.operand));
            let ty: Type = difference.other.ty(context);
            let argument = leader.add_argument(context, ty, Location::UNKNOWN);
            difference
                .op
                .set_operand(context, difference.operand, argument);
        }
        let others = differences.iter().map(|difference| difference.other);
        for (target, added) in [(leader, own), (block, others.collect())] {
            let blocks = added.iter().filter_map(|value| value.parent_block(context));
            self.used_outside.extend(blocks);
            for (branch, number) in edges(context, target) {
                let passed = self.edges.passed(context, branch, number);
                let mut values = passed.unwrap_or_default().to_vec();
                values.extend(&added);
                self.edges.redirect(context, branch, number, leader, values);
            }
        }
    }
}

/// A hash that is equal for blocks that are identical except for operands from outside.
fn hash(context: &Context, block: Block) -> u64 {
    let mut hasher = FxHasher::default();
    block.argument_types(context).hash(&mut hasher);
    let mut local: FxHashMap<Value, usize> = FxHashMap::default();
    local.extend(block.arguments(context).zip(0..));
    for op in block.operations(context) {
        op.name(context).hash(&mut hasher);
        op.properties(context).hash(&mut hasher);
        op.attributes(context).hash(&mut hasher);
        op.operand_count(context).hash(&mut hasher);
        op.result_types(context).hash(&mut hasher);
        for successor in op.successors(context) {
            successor.hash(&mut hasher);
        }
        for operand in op.operands(context) {
            let number = local.get(&operand);
            number.hash(&mut hasher);
            if number.is_none() {
                operand.ty(context).hash(&mut hasher);
            }
        }
        let first = local.len();
        local.extend(op.results(context).zip(first..));
    }
    hasher.finish()
}

/// An operand in which two blocks differ: the operation in the first block, the operand index, and
/// the value in the second block.
struct Difference {
    op: Operation,
    operand: usize,
    other: Value,
}

/// The operands in which two otherwise identical blocks differ; `None` if they differ in more.
fn differences(context: &Context, a: Block, b: Block) -> Option<Vec<Difference>> {
    if a.argument_types(context) != b.argument_types(context) {
        return None;
    }
    let mut counterparts: FxHashMap<Value, Value> = FxHashMap::default();
    counterparts.extend(a.arguments(context).zip(b.arguments(context)));
    let mut found = Vec::new();
    let (mut next_a, mut next_b) = (a.first_op(context), b.first_op(context));
    while let (Some(op), Some(other)) = (next_a, next_b) {
        let same = op.name(context) == other.name(context)
            && op.properties(context) == other.properties(context)
            && op.attributes(context) == other.attributes(context)
            && op.operand_count(context) == other.operand_count(context)
            && op.result_types(context) == other.result_types(context)
            && op.successors(context).eq(other.successors(context));
        if !same {
            return None;
        }
        let operands = op.operands(context).zip(other.operands(context));
        for (operand, (value, other)) in operands.enumerate() {
            let local =
                [(value, a), (other, b)].map(|(v, block)| v.parent_block(context) == Some(block));
            match local {
                [true, true] if counterparts.get(&value) == Some(&other) => {}
                [false, false] if value == other => {}
                [false, false] if value.ty(context) == other.ty(context) => {
                    found.push(Difference { op, operand, other });
                }
                _ => return None,
            }
        }
        counterparts.extend(op.results(context).zip(other.results(context)));
        (next_a, next_b) = (op.next(context), other.next(context));
    }
    (next_a.is_none() && next_b.is_none()).then_some(found)
}

/// The branches to a block with the successor indices, in an order independent of the use list.
fn edges(context: &Context, block: Block) -> Vec<(Operation, usize)> {
    let mut edges: Vec<_> = block.predecessor_edges(context).collect();
    edges.sort_unstable();
    edges
}

/// Erases block arguments for which every branch passes the same value. Linear in the edges and the
/// values they pass.
pub fn drop_redundant_arguments(context: &mut Context, region: Region) -> IRStatus {
    let blocks: Vec<_> = region.blocks(context).skip(1).collect();
    let mut arguments = Redundant::default();
    let mut dropped: Vec<(Block, Vec<usize>)> = Vec::new();
    for block in blocks {
        let found = arguments.find(context, block);
        if !found.is_empty() {
            dropped.push((block, found));
        }
    }
    for (argument, value) in arguments.order {
        argument.replace_all_uses_with(context, value);
    }
    let mut updates = EdgeUpdates::default();
    for (block, positions) in &dropped {
        for (branch, number) in edges(context, *block) {
            let passed = updates.passed(context, branch, number);
            let mut values = passed.unwrap_or_default().to_vec();
            for position in positions {
                values.remove(*position);
            }
            updates.redirect(context, branch, number, *block, values);
        }
    }
    updates.finish(context);
    for (block, positions) in &dropped {
        for position in positions {
            block.erase_argument(context, *position);
        }
    }
    IRStatus::changed_if(!dropped.is_empty())
}

/// Redundant arguments and the values that replace them.
#[derive(Default)]
struct Redundant {
    edges: EdgeUpdates,
    values: FxHashMap<Value, Value>,
    order: Vec<(Value, Value)>,
}

impl Redundant {
    /// The positions of the redundant arguments of a block, last first.
    fn find(&mut self, context: &Context, block: Block) -> Vec<usize> {
        let edges = edges(context, block);
        let mut found = Vec::new();
        for position in (0..block.argument_count(context)).rev() {
            let argument = block.argument(context, position);
            if let Some(value) = self.value(context, block, position, &edges) {
                self.values.insert(argument, value);
                self.order.push((argument, value));
                found.push(position);
            }
        }
        found
    }

    /// The value that every branch passes for an argument, besides the argument itself.
    fn value(
        &mut self,
        context: &Context,
        block: Block,
        position: usize,
        edges: &[(Operation, usize)],
    ) -> Option<Value> {
        let argument = block.argument(context, position);
        let mut found = None;
        for (branch, number) in edges {
            let passed = self.edges.passed(context, *branch, *number)?;
            if passed.len() != block.argument_count(context) {
                return None;
            }
            let mut value = *passed.get(position)?;
            while let Some(known) = self.values.get(&value) {
                value = *known;
            }
            if value == argument {
                continue;
            }
            if found.is_some_and(|found| found != value) {
                return None;
            }
            found = Some(value);
        }
        // If the value is defined in the block itself, the block is unreachable.
        found.filter(|value| value.parent_block(context) != Some(block))
    }
}
