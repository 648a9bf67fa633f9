//! Constant folding of operations and guards.

use orison_ir::declare::Folded;
use orison_ir::{Attribute, Context, Operation};

use crate::modifiers::{self, MODIFIERS, Modifier};
use crate::opcodes;
use crate::operations::float::Mufu;
use crate::semantics::{Bits, evaluate};
use crate::types::Register;
use orison_machine::Flag;

/// Folds an operation on constants, or one whose guard is false, to its results; removes a guard
/// that is always true. `ori.mufu` is not folded, since the machine approximates it.
pub fn fold(
    context: &mut Context,
    op: Operation,
    constants: &[Option<Attribute>],
) -> Option<Vec<Folded>> {
    if let Some(folded) = fold_guard(context, op, constants) {
        return Some(folded);
    }
    if constants.is_empty() || Mufu::of(context, op).is_some() {
        return None;
    }
    let operands: Option<Vec<Bits>> = constants
        .iter()
        .zip(op.operands(context))
        .map(|(constant, value)| {
            let bits = constant.as_ref()?.as_i64(context)?;
            let register = Register::of(context, value.ty(context))?;
            width(register).map(|width| Bits::from(bits.cast_unsigned() & mask(width)))
        })
        .collect();
    let results = evaluate(context, op, &operands?)?;
    let registers: Option<Vec<_>> = op
        .results(context)
        .map(|result| width(Register::of(context, result.ty(context))?))
        .collect();
    let folded = results.into_iter().zip(registers?).map(|(bits, width)| {
        let value = match width {
            // Registers hold their bits sign-extended; predicates are 0 and 1.
            32 => i64::from(bits as i32),
            _ => bits as i64,
        };
        Folded::Constant(Attribute::i64(context, value))
    });
    Some(folded.collect())
}

/// The index of the only operand of a group.
fn only_operand(context: &Context, op: Operation, group: &str) -> Option<usize> {
    let definition = op.definition(context)?;
    let group = definition
        .operands
        .iter()
        .position(|known| known.name == group)?;
    let range = definition.operand_range(context, op, group);
    (range.len() == 1).then_some(range.start)
}

/// Removes a guard that is true; if it is false, the results are the `else` values. Branches are
/// unchanged: their guard also distinguishes uniform ones.
fn fold_guard(
    context: &mut Context,
    op: Operation,
    constants: &[Option<Attribute>],
) -> Option<Vec<Folded>> {
    let number = only_operand(context, op, "guard")?;
    if opcodes::of(context, op).is_none_or(|row| row.has(Flag::Branch)) {
        return None;
    }
    let bit = constants.get(number)?.as_ref()?.as_i64(context)? & 1 == 1;
    let inverted = modifiers::of_operand(context, op, number).contains(Modifier::Invert);
    if bit != inverted {
        remove_guard(context, op);
        return Some(Vec::new());
    }
    let otherwise = op.operands_named(context, "otherwise");
    let all = !otherwise.is_empty() && otherwise.len() == op.result_count(context);
    all.then(|| otherwise.into_iter().map(Folded::Value).collect())
}

/// Removes the guard and the `else` values.
fn remove_guard(context: &mut Context, op: Operation) {
    let Some(definition) = op.definition(context) else {
        return;
    };
    let (mut operands, mut sets, mut sizes) = (Vec::new(), Vec::new(), Vec::new());
    for (group, declared) in definition.operands.iter().enumerate() {
        let mut range = definition.operand_range(context, op, group);
        if matches!(declared.name, "guard" | "otherwise") {
            range = 0..0;
        }
        sizes.push(i32::try_from(range.len()).unwrap_or(i32::MAX));
        for number in range {
            operands.push(op.operand(context, number));
            sets.push(modifiers::of_operand(context, op, number));
        }
    }
    op.set_operands(context, &operands);
    let properties = op.properties(context);
    let properties = definition.with_operand_sizes(context, properties, &sizes);
    op.set_properties(context, properties);
    match modifiers::attribute(context, &sets) {
        Some(attribute) => op.set_attribute(context, MODIFIERS, attribute),
        None => op.remove_attribute(context, MODIFIERS),
    }
}

/// Width in bits of a register that can hold a constant.
fn width(register: Register) -> Option<u32> {
    match register {
        Register::P | Register::Up => Some(1),
        Register::R | Register::Ur => Some(32),
        Register::R64 | Register::Ur64 => Some(64),
        _ => None,
    }
}

fn mask(width: u32) -> u64 {
    u64::MAX >> (64 - width)
}
