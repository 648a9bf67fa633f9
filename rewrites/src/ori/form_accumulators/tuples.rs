//! Tuples that products take, put together in front of the fence before the product.

use orison_ir::{Block, Context, Operation, Value};
use orison_ori::Register;
use orison_ori::analyses::matrix_groups::{Role, role};
use orison_ori::operations::matrix::WgmmaMma;
use orison_ori::operations::moves::{Concat, Extract, Imm};
use rustc_hash::FxHashMap;

use crate::ori::functions::Function;

/// Moves concatenations that products take in front of the last fence whose block has all parts before
/// it: register allocation copies what does not lie in place, and a fence orders only what is written
/// before it. Returns how many were moved. Linear.
pub(super) fn hoist(context: &mut Context, function: Function) -> u64 {
    let blocks: Vec<Block> = function.body.blocks(context).collect();
    blocks
        .into_iter()
        .map(|block| hoist_in(context, block))
        .sum()
}

fn hoist_in(context: &mut Context, block: Block) -> u64 {
    let mut fence = None;
    // Where the operations of the block are, until the fence is met.
    let mut places: FxHashMap<Operation, usize> = FxHashMap::default();
    let mut moved = 0;
    for (place, op) in block.body(context).into_iter().enumerate() {
        places.insert(op, place);
        match role(context, op) {
            Some(Role::Arrive) => fence = Some((op, place)),
            Some(Role::Product) => {
                let Some((fence, limit)) = fence else {
                    continue;
                };
                for concat in taken(context, op) {
                    let stands_behind = places.get(&concat).is_some_and(|at| *at > limit);
                    let mut parts = concat.operands(context);
                    let are_before = parts.all(|part| is_before(context, part, limit, &places));
                    drop(parts);
                    if stands_behind && are_before {
                        move_with_parts(context, concat, fence, (limit, &mut places));
                        moved += 1;
                    }
                }
            }
            _ => {}
        }
    }
    moved
}

/// The concatenations of the accumulator and the left factor of a product.
fn taken(context: &Context, op: Operation) -> Vec<Operation> {
    let Some(product) = WgmmaMma::of(context, op) else {
        return Vec::new();
    };
    let factor = product.a(context);
    let is_in_registers = Register::of(context, factor.ty(context)) == Some(Register::R128);
    let taken = [
        product.accumulator(context),
        is_in_registers.then_some(factor),
    ];
    let made = taken
        .into_iter()
        .flatten()
        .filter_map(|value| value.defining_op(context));
    made.filter(|op| Concat::matches(context, *op)).collect()
}

/// Whether a part is there before a place of the block; a constant or an extract can be moved there.
fn is_before(
    context: &Context,
    part: Value,
    limit: usize,
    places: &FxHashMap<Operation, usize>,
) -> bool {
    let stands = |value: Value| {
        let made = value.defining_op(context);
        made.and_then(|op| places.get(&op))
            .is_none_or(|at| *at < limit)
    };
    let made = part.defining_op(context);
    let extract = made.and_then(|op| Extract::of(context, op));
    stands(part)
        || made.is_some_and(|op| Imm::matches(context, op))
        || extract.is_some_and(|extract| stands(extract.whole(context)))
}

fn move_with_parts(
    context: &mut Context,
    concat: Operation,
    fence: Operation,
    (limit, places): (usize, &mut FxHashMap<Operation, usize>),
) {
    let parts: Vec<Value> = concat.operands(context).collect();
    let made = parts
        .into_iter()
        .filter_map(|part| part.defining_op(context));
    let made: Vec<Operation> = made.chain([concat]).collect();
    for op in made {
        if places.get(&op).is_some_and(|at| *at > limit) {
            op.move_before(context, fence);
            places.insert(op, limit.saturating_sub(1));
        }
    }
}
