//! What must hold before registers are assigned: no part of a constant is taken, no result shares
//! registers with a constant, and blocks with one predecessor have no arguments.

use orison_ir::{
    Block, Builder, Context, InsertionPoint, Operation, OperationName, OperationState, Value,
};
use orison_ori::analyses::pressure::needed;
use orison_ori::analyses::properties;
use orison_ori::operations::moves::{Concat, Extract, Imm, Mov, Umov, Undef};
use orison_ori::operations::{Plop3, Uplop3};
use orison_ori::{MachineOperation, Register};

use rustc_hash::FxHashSet;

use super::constants::{FIRST, constant_part};
use super::factors::complete_at_ends;
use crate::ori::functions::{Function, create_before, passed};
use crate::ori::operand_registers;

/// Prepares a function. Linear in it.
pub fn prepare(context: &mut Context, function: Function) {
    let blocks: Vec<Block> = function.body.blocks(context).collect();
    for block in blocks {
        merge_arguments(context, block);
        for op in block.body(context) {
            keep_otherwise(context, op);
            separate_left(context, op);
            if Extract::of(context, op).is_some() {
                fold_extract(context, op);
            }
        }
    }
    complete_at_ends(context, function);
    let blocks: Vec<Block> = function.body.blocks(context).collect();
    for block in blocks {
        for op in block.body(context) {
            if Concat::matches(context, op) {
                forward_constants(context, op);
            }
        }
    }
}

/// Lets a tuple that an instruction overwrites, or a block argument gets, have constants instead of copies
/// of them in registers: each of its registers is written anyway, and the copies need none.
fn forward_constants(context: &mut Context, concat: Operation) {
    let mut users = concat.result(context, 0).uses(context);
    let is_overwritten = users.all(|usage| {
        let op = usage.owner;
        let mut ties = operand_registers::in_place(context, op).into_iter();
        ties.any(|(operand, _)| operand as usize == usage.operand)
            || op.successor_count(context) == 1
    });
    drop(users);
    if !is_overwritten {
        return;
    }
    for operand in 0..concat.operand_count(context) {
        let copy = concat.operand(context, operand).defining_op(context);
        let Some(copy) = copy.filter(|op| properties::guard(context, *op).is_none()) else {
            continue;
        };
        let constant = Mov::of(context, copy).map(|copy| copy.a(context));
        let source = constant.and_then(|constant| constant.defining_op(context));
        let is_immediate = source.is_some_and(|source| Imm::of(context, source).is_some());
        if let Some(constant) = constant.filter(|_| is_immediate) {
            concat.set_operand(context, operand, constant);
            if copy.is_unused(context) {
                copy.erase(context);
            }
        }
    }
}

/// Gives each register of a left matrix that is read in flight a value of its own: copies for one instruction alone
/// would be overwritten too early.
fn separate_left(context: &mut Context, op: Operation) {
    let whole =
        operand_registers::read_in_flight(context, op).and_then(|left| left.defining_op(context));
    let Some(whole) = whole.filter(|whole| Concat::of(context, *whole).is_some()) else {
        return;
    };
    let mut seen = FxHashSet::default();
    for number in 0..whole.operand_count(context) {
        let part = whole.operand(context, number);
        let source = part.defining_op(context);
        let is_undefined = source.is_some_and(|source| Undef::of(context, source).is_some());
        let is_constant = needed(context, part).is_none() && !is_undefined;
        let is_word = Register::of(context, part.ty(context)) == Some(Register::R);
        if is_word && (is_constant || !seen.insert(part)) {
            let location = whole.location(context);
            let copy = MachineOperation::new(Mov::NAME)
                .operand("a", part)
                .result(Register::R);
            let copy = create_before(context, whole, location, copy).result(context, 0);
            whole.set_operand(context, number, copy);
        }
    }
}

/// Moves a constant that a result has where the guard does not hold into registers: the result shares them.
fn keep_otherwise(context: &mut Context, op: Operation) {
    for (operand, _) in operand_registers::in_place(context, op) {
        let value = op.operand(context, operand as usize);
        let source = value.defining_op(context);
        let is_undefined = source.is_some_and(|source| Undef::of(context, source).is_some());
        if needed(context, value).is_some() || is_undefined {
            continue;
        }
        let Some(register) = Register::of(context, value.ty(context)) else {
            continue;
        };
        let words: Vec<Value> = (0..register.words().unwrap_or(1))
            .filter_map(|word| {
                let constant = constant_part(context, op, value, word)?;
                Some(in_register(context, op, constant))
            })
            .collect();
        let whole = match words[..] {
            [word] => word,
            _ => {
                let name = OperationName::new(context, Concat::NAME);
                let mut state = OperationState::new(name, op.location(context));
                state.operands.extend(words);
                state.result_types.push(value.ty(context));
                let concat = Builder::at(context, InsertionPoint::Before(op)).create(&state);
                concat.result(context, 0)
            }
        };
        op.set_operand(context, operand as usize, whole);
    }
}

/// Replaces the arguments of a block with one predecessor by what is passed.
fn merge_arguments(context: &mut Context, block: Block) {
    if block.argument_count(context) == 0 || block.is_entry(context) {
        return;
    }
    let edges: Vec<(Operation, usize)> = block.predecessor_edges(context).collect();
    let [(branch, way)] = edges[..] else { return };
    if branch.block(context) == Some(block) {
        return;
    }
    let values = passed(context, branch, way);
    let arguments: Vec<Value> = block.arguments(context).collect();
    if values.len() != arguments.len() {
        return;
    }
    for (argument, value) in arguments.iter().zip(&values) {
        argument.replace_all_uses_with(context, *value);
    }
    let mut updates = orison_ir::EdgeUpdates::default();
    updates.redirect(context, branch, way, block, Vec::new());
    updates.finish(context);
    for position in (0..arguments.len()).rev() {
        block.erase_argument(context, position);
    }
}

/// Replaces the part of a constant by a constant.
fn fold_extract(context: &mut Context, op: Operation) {
    let Some(extract) = Extract::of(context, op) else {
        return;
    };
    let (whole, part) = (extract.whole(context), extract.part(context));
    let word = extract
        .word(context)
        .and_then(|word| u32::try_from(word).ok());
    let words = Register::of(context, part.ty(context)).and_then(Register::words);
    let (Some(word), Some(1)) = (word, words) else {
        return;
    };
    if needed(context, whole).is_none()
        && let Some(constant) = constant_part(context, op, whole, word)
    {
        part.replace_all_uses_with(context, constant);
        op.erase(context);
    }
}

/// Copies a constant of 32 bits to a register.
fn in_register(context: &mut Context, anchor: Operation, constant: Value) -> Value {
    let register = Register::of(context, constant.ty(context)).unwrap_or(Register::R);
    let name = match register {
        Register::Ur => Umov::NAME,
        Register::P => Plop3::NAME,
        Register::Up => Uplop3::NAME,
        _ => Mov::NAME,
    };
    let mut copy = MachineOperation::new(name).operand("a", constant);
    if register.words().is_none() {
        let copied = copy.operand("b", constant).operand("c", constant);
        copy = copied.number(context, "lut", FIRST);
    }
    let location = anchor.location(context);
    create_before(context, anchor, location, copy.result(register)).result(context, 0)
}
