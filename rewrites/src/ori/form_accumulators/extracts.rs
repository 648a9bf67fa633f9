//! Extracts of accumulators, moved to where their parts are used.

use orison_ir::{Builder, Context, InsertionPoint, Operation, Value};
use orison_ori::Register;
use orison_ori::operations::moves::{Concat, Extract};

use super::operations;
use crate::ori::functions::Function;

/// Puts an extract of an accumulator before each operation that uses its part, so that the
/// accumulator lives as long as it is read. Returns how many parts were moved.
pub(super) fn sink(context: &mut Context, function: Function) -> u64 {
    let mut moved = 0;
    for op in operations(context, function) {
        let Some(extract) = Extract::of(context, op) else {
            continue;
        };
        let whole = extract.whole(context);
        let is_accumulator = matches!(
            Register::of(context, whole.ty(context)),
            Some(Register::Accumulator(_))
        );
        if is_accumulator {
            moved += sink_one(context, op, extract.part(context));
        }
    }
    moved
}

/// Moves one extract: before its user, or a copy before each of its users.
fn sink_one(context: &mut Context, op: Operation, part: Value) -> u64 {
    let mut users: Vec<Operation> = part.users(context).collect();
    users.sort_unstable();
    users.dedup();
    // A concatenation holds the part, and does not read it.
    users.retain(|user| !Concat::matches(context, *user));
    let total = part.users(context).count();
    if users.len() == 1 && total == part.uses(context).filter(|u| u.owner == users[0]).count() {
        let user = users[0];
        if op.next(context) == Some(user) || stands_before(context, op, user) {
            return 0;
        }
        op.move_before(context, user);
        return 1;
    }
    let mut moved = 0;
    for user in users {
        if stands_before(context, op, user) {
            continue;
        }
        let copy = copy_before(context, op, user);
        for operand in 0..user.operand_count(context) {
            if user.operand(context, operand) == part {
                user.set_operand(context, operand, copy);
            }
        }
        moved += 1;
    }
    if part.is_unused(context) {
        op.erase(context);
    }
    moved
}

/// Whether only other extracts are between an extract and its user.
fn stands_before(context: &Context, op: Operation, user: Operation) -> bool {
    let mut next = op.next(context);
    while let Some(at) = next {
        if at == user {
            return true;
        }
        if !Extract::matches(context, at) {
            return false;
        }
        next = at.next(context);
    }
    false
}

fn copy_before(context: &mut Context, op: Operation, user: Operation) -> Value {
    let whole = op.operand(context, 0);
    let word = Extract::of(context, op).and_then(|extract| extract.word(context));
    let word = word.unwrap_or(0);
    let ty = op.result(context, 0).ty(context);
    let location = op.location(context);
    let mut builder = Builder::at(context, InsertionPoint::Before(user));
    let copy = Extract::build(&mut builder, location, whole, word, ty);
    copy.part(builder.ir())
}
