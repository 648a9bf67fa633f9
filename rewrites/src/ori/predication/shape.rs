//! Branches whose arms join: triangles, diamonds, and those with an additional block.

use orison_ir::{Block, Context, Operation, Value};
use orison_ori::analyses::Guard;
use orison_ori::operations::control::{Bra, CondBra};

use super::{Refusal, refuse};
use crate::ori::functions::passed;

/// The maximum number of blocks of an arm.
const BLOCKS: usize = 2;

/// An arm: the path from the branch to the join block.
#[derive(Clone, Debug)]
pub(super) struct Way {
    /// The blocks on it; empty for an edge directly to the join block.
    pub blocks: Vec<Block>,
    /// The values passed to the first block, or to the join block if there is none.
    pub handed: Vec<Value>,
    /// The values passed to the join block.
    pub values: Vec<Value>,
}

/// A branch and its arms.
#[derive(Clone, Debug)]
pub(super) struct Hammock {
    /// The condition of the first arm.
    pub guard: Guard,
    /// The arms: if the guard holds, and if it does not.
    pub ways: [Way; 2],
    /// The join block.
    pub meet: Block,
}

impl Hammock {
    /// The arms of a conditional branch.
    pub fn at(context: &Context, branch: Operation, extended: bool) -> Result<Self, Refusal> {
        let unconditional = || refuse("the branch has no condition to use as a guard", "");
        let Some(conditional) = CondBra::of(context, branch) else {
            return unconditional();
        };
        let guard = Guard {
            predicate: conditional.condition(context),
            inverted: conditional.inverted(context).is_some(),
        };
        let most = if extended { BLOCKS } else { 1 };
        let follow = |way| follow(context, branch, way, most);
        let (Some((left, left_end)), Some((right, right_end))) = (follow(0), follow(1)) else {
            return unconditional();
        };
        // One arm may end in the middle of the other.
        let (ways, meet) = if left_end == right_end {
            ([left, right], left_end)
        } else if let Some(cut) = cut(context, &left, right_end) {
            ([cut, right], right_end)
        } else if let Some(cut) = cut(context, &right, left_end) {
            ([left, cut], left_end)
        } else {
            return refuse(
                "the arms do not join after at most two blocks without other predecessors",
                "ori-branch-opt merges blocks",
            );
        };
        let home = branch.block(context);
        let around = |block: Block| Some(block) == home;
        if around(meet) || ways.iter().any(|way| way.blocks.iter().any(|b| around(*b))) {
            return refuse("an arm leads back to the branch", "");
        }
        Ok(Hammock { guard, ways, meet })
    }
}

/// Follows blocks with a single predecessor and a single successor; returns the arm and the block
/// after it.
fn follow(
    context: &Context,
    branch: Operation,
    number: usize,
    most: usize,
) -> Option<(Way, Block)> {
    let handed = passed(context, branch, number);
    let mut way = Way {
        blocks: Vec::new(),
        values: handed.clone(),
        handed,
    };
    let mut edge = branch;
    let mut at = number;
    loop {
        let block = edge.successor(context, at)?;
        let next = block
            .terminator(context)
            .filter(|op| Bra::of(context, *op).is_some());
        let mut leads = block.predecessor_terminators(context);
        let alone = leads.next().is_some() && leads.next().is_none();
        let (Some(next), true) = (next, alone && way.blocks.len() < most) else {
            return Some((way, block));
        };
        if way.blocks.contains(&block) {
            return Some((way, block));
        }
        way.blocks.push(block);
        way.values = passed(context, next, 0);
        (edge, at) = (next, 0);
    }
}

/// The prefix of an arm, up to a block on it.
fn cut(context: &Context, way: &Way, end: Block) -> Option<Way> {
    let place = way.blocks.iter().position(|block| *block == end)?;
    let values = match place.checked_sub(1) {
        None => way.handed.clone(),
        Some(last) => passed(context, way.blocks[last].terminator(context)?, 0),
    };
    Some(Way {
        blocks: way.blocks[..place].to_vec(),
        handed: way.handed.clone(),
        values,
    })
}
