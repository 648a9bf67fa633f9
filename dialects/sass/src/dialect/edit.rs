//! Changes the operations of a function in place: locations, discardable attributes, and operations
//! of unchanged instructions stay.

#[cfg(test)]
#[path = "edit_tests.rs"]
mod tests;

use orison_ir::{Attribute, Block, Context, Identifier, Location, Operation};
use rustc_hash::FxHashMap;

use super::convert::{code_blocks, instruction_attributes, instruction_state};
use super::keys;
use super::operations::FallThrough;
use crate::control::ControlWord;
use crate::instruction::{Instruction, Operand, parse_operand};
use crate::program::{self, Function, Origin};

/// Writes to a `sass.func` what a pass changed: `before` is its plain form as
/// [`super::convert::function`] read it, `after` an edited copy. Returns whether they differ.
///
/// An operation whose instruction changed gets new properties, and is moved if its place changed.
/// A new instruction becomes an operation with the location of the operation that follows it. The
/// operation of an instruction that `after` lacks is erased.
///
/// Blocks, notes and edges are not written: `after` must have the same ones. It must have an
/// operation once, with a mnemonic of that operation.
pub fn write_changes(
    context: &mut Context,
    op: Operation,
    before: &Function,
    after: &Function,
) -> bool {
    let mut known: FxHashMap<Operation, &Instruction> = FxHashMap::default();
    known.extend(before.blocks.iter().flat_map(operations));
    let mut changed = false;
    for (inner, found) in after.blocks.iter().flat_map(operations) {
        if let Some(old) = known.remove(&inner).filter(|old| *old != found) {
            set_instruction(context, inner, old, found);
            changed = true;
        }
    }
    changed |= !known.is_empty();
    for removed in known.into_keys() {
        removed.erase(context);
    }
    let body = op.regions(context).next();
    let blocks: Vec<Block> = body
        .iter()
        .flat_map(|body| code_blocks(context, *body))
        .collect();
    for (block, code) in blocks.into_iter().zip(&after.blocks) {
        changed |= arrange(context, block, code);
    }
    changed
}

/// The instructions of a block that have operations.
fn operations(block: &program::Block) -> impl Iterator<Item = (Operation, &Instruction)> {
    block.code().filter_map(|(found, origin)| match origin {
        Origin::Operation(op) => Some((op, found)),
        Origin::New | Origin::Line(_) => None,
    })
}

/// Sets the properties of an instruction: only the control word, if nothing else changed.
fn set_instruction(context: &mut Context, op: Operation, old: &Instruction, new: &Instruction) {
    let control = new.control;
    let only_control = *new
        == Instruction {
            control,
            ..old.clone()
        };
    if only_control {
        let control = Attribute::typed(context, control);
        op.set_attribute(context, keys::CONTROL, control);
    } else {
        let attributes = instruction_attributes(context, new);
        let properties = Attribute::dictionary_of(context, &attributes);
        op.set_properties(context, properties);
    }
}

/// Creates the operations of new instructions, and puts all into the order of the instructions,
/// from the end. Returns whether it did anything.
fn arrange(context: &mut Context, block: Block, code: &program::Block) -> bool {
    let mut changed = false;
    let last = block.last_op(context);
    let mut next = last.filter(|op| op.is(context, FallThrough::DEFINITION.name));
    let code: Vec<(&Instruction, Origin)> = code.code().collect();
    for (found, origin) in code.into_iter().rev() {
        let op = match origin {
            Origin::Operation(op) => {
                if op.next(context) == next {
                    next = Some(op);
                    continue;
                }
                op.detach(context);
                op
            }
            Origin::New | Origin::Line(_) => {
                let follows = next.or(block.parent_op(context));
                let location = follows.map_or(Location::UNKNOWN, |op| op.location(context));
                let state = instruction_state(context, found, location);
                Operation::create(context, &state)
            }
        };
        block.insert_before(context, next, op);
        next = Some(op);
        changed = true;
    }
    changed
}

/// Resets the control words of a `sass.func`: one cycle, no scoreboards, no register reuse, also at
/// the operands. Returns whether one was different.
///
/// No instruction is read: an operation costs one dictionary of attributes.
pub fn reset_control_words(context: &mut Context, function: Operation) -> bool {
    let plain = Attribute::typed(context, ControlWord::PLAIN);
    let [control, operands] =
        [keys::CONTROL, keys::OPERANDS].map(|key| Identifier::new(context, key));
    let blocks = function
        .regions(context)
        .flat_map(|body| body.blocks(context));
    let inside: Vec<Operation> = blocks.flat_map(|block| block.operations(context)).collect();
    let mut changed = false;
    for op in inside {
        let properties = op.properties(context);
        let word = properties.entry(context, control);
        if word.is_none_or(|word| word.downcast::<ControlWord>(context).is_none()) {
            continue;
        }
        let marked = properties.entry(context, operands);
        let unmarked = marked.and_then(|marked| without_reuse(context, marked));
        if word == Some(plain) && unmarked.is_none() {
            continue;
        }
        let mut entries = properties.entries(context).to_vec();
        for (key, value) in &mut entries {
            if *key == control {
                *value = plain;
            } else if *key == operands {
                *value = unmarked.unwrap_or(*value);
            }
        }
        let properties = Attribute::dictionary(context, &entries);
        op.set_properties(context, properties);
        changed = true;
    }
    changed
}

/// An array of operands in which no register is marked `.reuse`; `None` if none is marked.
fn without_reuse(context: &mut Context, operands: Attribute) -> Option<Attribute> {
    let mut texts: Vec<Attribute> = operands.as_array(context)?.to_vec();
    let mut found = false;
    for text in &mut texts {
        // A label may contain the text, too.
        let marked = text
            .as_str(context)
            .filter(|text| text.contains(".reuse"))
            .and_then(|text| parse_operand(text).ok());
        if let Some(Operand::Register(mut register)) = marked {
            register.reuse = false;
            *text = Attribute::string(context, &register.to_string());
            found = true;
        }
    }
    found.then(|| Attribute::array(context, &texts))
}
