//! Blocks that do the same, and arguments that always are the same.

use std::hash::{Hash, Hasher};

use orison_ir::pass::IRStatus;
use orison_ir::{Block, Context, EdgeUpdates, Location, Operation, Region, Type, Value};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};

/// Merges the blocks of a region that do the same; where they use different values from outside, the
/// block that is left gets arguments.
pub fn merge_identical(context: &mut Context, region: Region) -> IRStatus {
    merge_identical_where(context, region, |_, _| true)
}

/// As [`merge_identical`], only of blocks that `may_merge` holds of.
pub fn merge_identical_where(
    context: &mut Context,
    region: Region,
    may_merge: impl Fn(&Context, Block) -> bool,
) -> IRStatus {
    let mut merger = Merger::default();
    let mut status = IRStatus::Unchanged;
    let mut leaders: FxHashMap<u64, Vec<Block>> = FxHashMap::default();
    // The entry block is entered in a way of its own.
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

/// Merges blocks. What branches hand over is written at the end, or where it is looked at.
#[derive(Default)]
struct Merger {
    edges: EdgeUpdates,
    /// The blocks that define what branches are to hand over: it is used outside of them, which the
    /// operands of these branches do not show yet.
    used_outside: FxHashSet<Block>,
}

impl Merger {
    /// Whether a block can be merged: something leads to it, nothing in it has regions, and what it
    /// defines is used in it only.
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

    /// Writes what the branch at the end of a block hands over.
    fn settle(&mut self, context: &mut Context, block: Block) {
        if let Some(branch) = block.terminator(context) {
            self.edges.flush(context, branch);
        }
    }

    /// Makes every branch to `block` lead to `leader`, which gets an argument for each difference.
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
        // The branch of the block may be one that was changed.
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
        // The branch of the leader may have differences itself: it is read again after they moved.
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

/// A hash that blocks share which do the same, but for operands from outside.
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

/// An operand in which two blocks differ: the operation in the first block, the number, and the
/// value in the second block.
struct Difference {
    op: Operation,
    operand: usize,
    other: Value,
}

/// The operands in which two blocks differ that otherwise do the same; none when they do not.
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

/// The branches to a block with the numbers of the successors, in an order that does not depend on
/// how they came to lead there.
fn edges(context: &Context, block: Block) -> Vec<(Operation, usize)> {
    let mut edges: Vec<_> = block.predecessor_edges(context).collect();
    edges.sort_unstable();
    edges
}

/// Erases arguments of blocks that every branch hands the same value. Linear in the edges and what they
/// hand over.
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

/// Arguments that always are the same value, and these values.
#[derive(Default)]
struct Redundant {
    edges: EdgeUpdates,
    values: FxHashMap<Value, Value>,
    order: Vec<(Value, Value)>,
}

impl Redundant {
    /// The positions of such arguments of a block, the last first.
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

    /// The value that every branch hands to an argument, besides the argument itself.
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
        // A value of the block itself can only come around: the block cannot be reached.
        found.filter(|value| value.parent_block(context) != Some(block))
    }
}
