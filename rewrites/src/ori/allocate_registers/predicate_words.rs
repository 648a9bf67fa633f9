//! Predicates in words: 1 where they hold, else 0.

use orison_ir::{Block, Context, Operation, Value};
use orison_ori::modifiers::Modifier;
use orison_ori::operations::moves::{Imm, Undef};
use orison_ori::operations::{Isetp, Sel, Uisetp, Usel};
use orison_ori::{MachineOperation, Register};
use rustc_hash::FxHashMap;

use crate::ori::functions::{Function, create_before, immediate_before, passed};

/// The most predicates that edges pass to a block in predicates: what lives there besides needs some of the seven.
const MOST: usize = 4;

/// A word of a predicate, in front of an operation.
pub fn select_before(
    context: &mut Context,
    anchor: Operation,
    predicate: Value,
    uniform: bool,
) -> Value {
    let (name, register) = match uniform {
        true => (Usel::NAME, Register::Ur),
        false => (Sel::NAME, Register::R),
    };
    let [zero, one] = [0, 1].map(|number| immediate_before(context, anchor, register, number));
    let select = MachineOperation::new(name)
        .operand("a", zero)
        .operand("b", one)
        .modified("choice", predicate, &[Modifier::Invert])
        .result(register);
    let location = anchor.location(context);
    create_before(context, anchor, location, select).result(context, 0)
}

/// The predicate that a word stands for, in front of an operation.
pub fn test_before(context: &mut Context, anchor: Operation, word: Value, uniform: bool) -> Value {
    let (name, register, result) = match uniform {
        true => (Uisetp::NAME, Register::Ur, Register::Up),
        false => (Isetp::NAME, Register::R, Register::P),
    };
    let zero = immediate_before(context, anchor, register, 0);
    let test = MachineOperation::new(name)
        .operand("a", word)
        .operand("b", zero);
    let test = test
        .word(context, "compare", "ne")
        .word(context, "signedness", "u32")
        .result(result);
    let location = anchor.location(context);
    create_before(context, anchor, location, test).result(context, 0)
}

/// Passes predicates in words where there are too many for the registers. Linear in the function.
pub fn pass_in_words(context: &mut Context, function: Function) {
    let mut words = FxHashMap::default();
    let mut arguments = Vec::new();
    for block in function.body.blocks(context).collect::<Vec<Block>>() {
        if block.is_entry(context) {
            continue;
        }
        let is_predicate =
            |value: &Value| Register::of(context, value.ty(context)) == Some(Register::P);
        let predicates: Vec<Value> = block.arguments(context).filter(is_predicate).collect();
        if predicates.len() > 2 * MOST - 1 {
            arguments.extend(
                predicates
                    .into_iter()
                    .skip(MOST)
                    .map(|argument| (block, argument)),
            );
        }
    }
    for (block, argument) in &arguments {
        let Some(first) = block.first_op(context) else {
            continue;
        };
        let ty = Register::R.ty(context);
        argument.set_type(context, ty);
        let test = test_before(context, first, *argument, false);
        let uses: Vec<_> = argument.uses(context).collect();
        for usage in uses {
            if Some(usage.owner) != test.defining_op(context) {
                usage.owner.set_operand(context, usage.operand, test);
            }
        }
        words.insert(test, *argument);
    }
    for (block, argument) in arguments {
        let place = argument.position(context);
        for (branch, way) in block.predecessor_edges(context).collect::<Vec<_>>() {
            let mut values = passed(context, branch, way);
            if let Some(value) = values.get_mut(place) {
                *value = word_of(context, branch, *value, &mut words);
                branch.set_passed_operands(context, way, &values);
            }
        }
    }
}

/// The word of a predicate that a branch passes: made where the predicate is.
fn word_of(
    context: &mut Context,
    branch: Operation,
    predicate: Value,
    words: &mut FxHashMap<Value, Value>,
) -> Value {
    if let Some(word) = words.get(&predicate) {
        return *word;
    }
    let op = predicate.defining_op(context);
    let number = op.and_then(|op| match Undef::of(context, op) {
        Some(_) => Some(0),
        None => Imm::of(context, op)?.value(context),
    });
    if let Some(number) = number {
        return immediate_before(context, branch, Register::R, number & 1);
    }
    let anchor = match op {
        Some(op) => op.next(context),
        None => predicate
            .argument_owner(context)
            .and_then(|block| block.first_op(context)),
    };
    let anchor = anchor.unwrap_or(branch);
    let word = select_before(context, anchor, predicate, false);
    words.insert(predicate, word);
    word
}
