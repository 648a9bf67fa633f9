//! Blocks that do the same, and arguments that always are the same.

use std::hash::{Hash, Hasher};

use orison_ir::pass::IRStatus;
use orison_ir::{Block, Context, Location, Operation, Region, Type, Value};
use rustc_hash::{FxHashMap, FxHasher};

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
    let mut status = IRStatus::Unchanged;
    let mut leaders: FxHashMap<u64, Vec<Block>> = FxHashMap::default();
    // The entry block is entered in a way of its own.
    let blocks: Vec<_> = region.blocks(context).skip(1).collect();
    for block in blocks {
        if !is_mergeable(context, block) || !may_merge(context, block) {
            continue;
        }
        let known = leaders.entry(hash(context, block)).or_default();
        let twin = known.iter().find_map(|leader| {
            let differences = differences(context, *leader, block)?;
            let fits =
                differences.is_empty() || [*leader, block].iter().all(|b| is_open(context, *b));
            fits.then_some((*leader, differences))
        });
        match twin {
            Some((leader, differences)) => {
                merge(context, leader, block, &differences);
                status = IRStatus::Changed;
            }
            None => known.push(block),
        }
    }
    status
}

/// Whether a block can be merged: something leads to it, nothing in it has regions, and what it
/// defines is used in it only.
fn is_mergeable(context: &Context, block: Block) -> bool {
    let is_local = |value: Value| {
        let mut users = value.users(context);
        users.all(|user| user.block(context) == Some(block))
    };
    block.predecessor_terminators(context).next().is_some()
        && block.arguments(context).all(is_local)
        && block
            .operations(context)
            .all(|op| op.region_count(context) == 0 && op.results(context).all(is_local))
}

/// Whether every branch to a block can be made to pass more values.
fn is_open(context: &Context, block: Block) -> bool {
    let mut edges = edges(context, block).into_iter();
    edges.all(|(branch, number)| branch.passed_operands(context, number).is_some())
}

/// A hash that blocks share which do the same.
fn hash(context: &Context, block: Block) -> u64 {
    let mut hasher = FxHasher::default();
    block.argument_types(context).hash(&mut hasher);
    for op in block.operations(context) {
        op.name(context).hash(&mut hasher);
        op.properties(context).hash(&mut hasher);
        op.attributes(context).hash(&mut hasher);
        op.operand_count(context).hash(&mut hasher);
        op.result_types(context).hash(&mut hasher);
        for successor in op.successors(context) {
            successor.hash(&mut hasher);
        }
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

/// The branches to a block with the numbers of the successors.
fn edges(context: &Context, block: Block) -> Vec<(Operation, usize)> {
    let mut branches: Vec<_> = block.predecessor_terminators(context).collect();
    branches.sort_unstable();
    branches.dedup();
    let numbers = |branch: Operation| {
        let successors = branch.successors(context).enumerate();
        let here = successors.filter(move |(_, target)| *target == block);
        here.map(move |(number, _)| (branch, number))
    };
    branches.into_iter().flat_map(numbers).collect()
}

/// What a branch hands to a successor.
fn passed(context: &Context, branch: Operation, successor: usize) -> Vec<Value> {
    let range = branch.passed_group(context, successor).unwrap_or_default();
    range
        .map(|number| branch.operand(context, number))
        .collect()
}

/// Makes every branch to `block` lead to `leader`, which gets an argument for each difference.
fn merge(context: &mut Context, leader: Block, block: Block, differences: &[Difference]) {
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
    // The operands of the leader's own branch move only now, when they are no longer looked up.
    for (target, added) in [(leader, own), (block, others.collect())] {
        for (branch, number) in edges(context, target) {
            if !added.is_empty() {
                let mut values = passed(context, branch, number);
                values.extend(&added);
                branch.set_passed_operands(context, number, &values);
            }
            branch.set_successor(context, number, leader);
        }
    }
    block.erase(context);
}

/// Erases arguments of blocks that every branch hands the same value.
pub fn drop_redundant_arguments(context: &mut Context, region: Region) -> IRStatus {
    let mut status = IRStatus::Unchanged;
    let blocks: Vec<_> = region.blocks(context).skip(1).collect();
    for block in blocks {
        for position in (0..block.argument_count(context)).rev() {
            let Some(value) = redundant(context, block, position) else {
                continue;
            };
            let argument = block.argument(context, position);
            argument.replace_all_uses_with(context, value);
            for (branch, number) in edges(context, block) {
                let mut values = passed(context, branch, number);
                values.remove(position);
                branch.set_passed_operands(context, number, &values);
            }
            block.erase_argument(context, position);
            status = IRStatus::Changed;
        }
    }
    status
}

/// The value that every branch hands to an argument, besides the argument itself.
fn redundant(context: &Context, block: Block, position: usize) -> Option<Value> {
    let argument = block.argument(context, position);
    let mut found = None;
    for (branch, number) in edges(context, block) {
        let range = branch.passed_operands(context, number)?;
        let value = branch.operand(context, range.start + position);
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
