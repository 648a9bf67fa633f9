//! The verifier of all machine operations, and rules shared by several.

use orison_ir::declare::VerifyResult;
use orison_ir::{Context, Operation, Value};

use crate::modifiers::{MODIFIERS, Modifier, ModifiersAttr};
use crate::opcodes;
use crate::types::{Register, allowed_modifiers};
use orison_machine::Flag;

/// Checks the guard, the values where it does not hold, and operand modifiers.
pub(crate) fn machine(context: &Context, op: Operation) -> VerifyResult {
    guard(context, op)?;
    modifiers(context, op)?;
    offsets(context, op)
}

fn guard(context: &Context, op: Operation) -> VerifyResult {
    let guard = op.operands_named(context, "guard");
    let otherwise = op.operands_named(context, "otherwise");
    let Some(guard) = guard.first() else {
        if otherwise.is_empty() {
            return Ok(());
        }
        return Err(op.op_error(context, "'otherwise' requires a guard"));
    };
    let row = opcodes::of(context, op);
    let uniform = row.is_some_and(|row| row.has(Flag::Uniform));
    let wanted = if uniform { Register::Up } else { Register::P };
    // The guard distinguishes uniform branches from others, and what a warp does once from what its
    // threads do where all other operands are uniform.
    let branch = row.is_some_and(|row| row.has(Flag::Branch));
    let mut others = op.operands(context).filter(|value| value != guard);
    let is_uniform =
        |value: Value| Register::of(context, value.ty(context)).is_some_and(Register::is_uniform);
    let either = branch || op.operand_count(context) > 1 && others.all(is_uniform);
    if !either && Register::of(context, guard.ty(context)) != Some(wanted) {
        let kind = if uniform { "a uniform" } else { "a per-thread" };
        let message = format!("requires {kind} predicate as guard");
        return Err(op.op_error(context, message));
    }
    if otherwise.is_empty() {
        return Ok(());
    }
    if otherwise.len() != op.result_count(context) {
        let message = format!(
            "expects one 'otherwise' value per result ({}), found {}",
            op.result_count(context),
            otherwise.len()
        );
        return Err(op.op_error(context, message));
    }
    for (number, (value, result)) in otherwise.iter().zip(op.results(context)).enumerate() {
        if value.ty(context) != result.ty(context) {
            let message = format!("'otherwise' value #{number} must have the type of its result");
            return Err(op.op_error(context, message));
        }
    }
    Ok(())
}

fn modifiers(context: &Context, op: Operation) -> VerifyResult {
    use orison_ir::declare::AttributeForm;
    let Some(attribute) = op.attribute(context, MODIFIERS) else {
        return Ok(());
    };
    let (Some(sets), Some(definition)) = (
        ModifiersAttr::read(context, attribute),
        op.definition(context),
    ) else {
        return Ok(());
    };
    if sets.len() != op.operand_count(context) {
        let message = format!(
            "expects one entry of 'modifiers' per operand ({}), found {}",
            op.operand_count(context),
            sets.len()
        );
        return Err(op.op_error(context, message));
    }
    for (group, declared) in definition.operands.iter().enumerate() {
        let allowed = allowed_modifiers(declared.constraint);
        for number in definition.operand_range(context, op, group) {
            let mut all = sets[number].iter();
            if let Some(other) = all.find(|modifier| !allowed.contains(modifier)) {
                let message = format!(
                    "operand '{}' cannot have modifier '{}'",
                    declared.name,
                    other.keyword()
                );
                return Err(op.op_error(context, message));
            }
        }
    }
    for (number, set) in sets.iter().enumerate() {
        for (a, b) in [
            (Modifier::LowHalf, Modifier::HighHalf),
            (Modifier::Negate, Modifier::Invert),
        ] {
            if set.contains(a) && set.contains(b) {
                let message = format!(
                    "operand #{number} has mutually exclusive modifiers '{}' and '{}'",
                    a.keyword(),
                    b.keyword()
                );
                return Err(op.op_error(context, message));
            }
        }
    }
    Ok(())
}

/// Checks that offsets fit the signed 24-bit field of an instruction.
fn offsets(context: &Context, op: Operation) -> VerifyResult {
    for address in &crate::assembly::ADDRESSES {
        let offset = op.attribute(context, address.offset);
        let offset = offset
            .and_then(|offset| offset.as_i32(context))
            .unwrap_or(0);
        if !(-(1 << 23)..1 << 23).contains(&offset) {
            let message = format!(
                "attribute '{}' must be a signed 24-bit integer, found {offset}",
                address.offset
            );
            return Err(op.op_error(context, message));
        }
    }
    Ok(())
}

/// Checks that there are at most two carries in and out, and carries in only with `extended`.
pub(crate) fn carries(context: &Context, op: Operation) -> VerifyResult {
    let inward = op.operands_named(context, "carry").len();
    let outward = op.results_named(context, "carries").len();
    if inward > 2 || outward > 2 {
        return Err(op.op_error(context, "has more than two carry operands"));
    }
    if inward > 0 && op.attribute(context, "extended").is_none() {
        return Err(op.op_error(context, "carry operands require 'extended'"));
    }
    Ok(())
}

/// Checks that there is at most one opposite outcome.
pub(crate) fn comparison(context: &Context, op: Operation) -> VerifyResult {
    if op.results_named(context, "opposite").len() > 1 {
        return Err(op.op_error(context, "has more than one result for the opposite outcome"));
    }
    Ok(())
}

/// Checks that the truth table of three inputs has eight bits.
pub(crate) fn truth_tables(context: &Context, op: Operation) -> VerifyResult {
    for key in ["lut", "second_lut"] {
        let table = op.attribute(context, key);
        let table = table.and_then(|table| table.as_i32(context)).unwrap_or(0);
        in_range(context, op, key, table, 0..=255)?;
    }
    Ok(())
}

/// Checks that an integer is in a range.
pub(crate) fn in_range(
    context: &Context,
    op: Operation,
    key: &str,
    value: i32,
    range: std::ops::RangeInclusive<i32>,
) -> VerifyResult {
    if range.contains(&value) {
        return Ok(());
    }
    let message = format!(
        "attribute '{key}' must be from {} to {}, found {value}",
        range.start(),
        range.end()
    );
    Err(op.op_error(context, message))
}

/// Checks the integer in an attribute, if present.
pub(crate) fn attribute_in_range(
    context: &Context,
    op: Operation,
    key: &str,
    range: std::ops::RangeInclusive<i32>,
) -> VerifyResult {
    let value = op.attribute(context, key);
    match value.and_then(|value| value.as_i32(context)) {
        Some(value) => in_range(context, op, key, value, range),
        None => Ok(()),
    }
}

/// Checks the width of a value.
pub(crate) fn has_words(
    context: &Context,
    op: Operation,
    name: &str,
    ty: orison_ir::Type,
    words: u32,
) -> VerifyResult {
    let found = Register::of(context, ty).and_then(Register::words);
    if found == Some(words) {
        return Ok(());
    }
    let message = format!(
        "expects '{name}' to have {} bits, found {}",
        32 * words,
        found.map_or("a predicate".to_owned(), |found| (32 * found).to_string())
    );
    Err(op.op_error(context, message))
}
