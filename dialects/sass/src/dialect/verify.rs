//! Verifiers of the operations of the dialect.

use orison_ir::declare::VerifyResult;
use orison_ir::{Block, Context, Operation};

use super::resources::Resources;
use super::{import, read};
use crate::control::{self, ControlWord, ReuseSet};
use crate::effects;
use crate::function;
use crate::instruction::{Mnemonic, flow};
use crate::scheduled::Scheduled;

/// Checks that notes are lines of a listing.
pub(super) fn notes(context: &Context, op: Operation) -> VerifyResult {
    read::check_notes(context, op, "notes")
}

/// Checks that a function has a target, and the lines after its last instruction.
pub(super) fn function(context: &Context, op: Operation) -> VerifyResult {
    let target = super::Func(op).target(context).unwrap_or_default();
    if orison_machine::sm_number(target).is_none() {
        let message = format!(
            "invalid target '{target}': expected 'sm_', a number and an \
                               optional letter"
        );
        return Err(op.op_error(context, message));
    }
    let resources = op.attribute(context, "resources");
    if let Some(message) = resources.and_then(|stated| Resources::problem(context, stated)) {
        return Err(op.op_error(context, message));
    }
    read::check_notes(context, op, "trailing")
}

/// Checks that an instruction is a case of its operation, and has a valid control word.
pub(super) fn instruction(context: &Context, op: Operation) -> VerifyResult {
    let found = Scheduled::of_operation(context, op)?;
    let refuse = |message: String| Err(op.op_error(context, message));
    if !is_case(op.name_text(context), &found.mnemonic) {
        let (text, name) = (
            found.mnemonic.text(),
            import::operation_name(&found.mnemonic),
        );
        return refuse(format!("mnemonic '{text}' is operation '{name}'"));
    }
    if !has_imported_word(&found) {
        let kept = found.kept();
        let word = checked_word(found.control, kept);
        if let Some(broken) = control::check(&word, machine(context, op)).first() {
            return refuse(broken.message.clone());
        }
        let slots = found.control.reuse.iter().count();
        if let Some(reused) = kept.filter(|reused| *reused != slots) {
            return refuse(format!(
                "has {reused} operands with '.reuse', but {slots} slots in its control word"
            ));
        }
    }
    // What the instruction alone decides is checked once: equal ones are one attribute.
    for (_, value) in op.properties(context).entries(context) {
        if let Some(payload) = value.payload(context) {
            payload.verify(context).or_else(refuse)?;
        }
    }
    Ok(())
}

/// The number of the machine that an instruction is for; the largest outside of functions.
fn machine(context: &Context, op: Operation) -> u16 {
    let function = op.parent_op(context).map(super::Func);
    let target = function.and_then(|function| function.target(context));
    target
        .and_then(orison_machine::sm_number)
        .unwrap_or(u16::MAX)
}

/// Whether the control word is that of the imported bits. Programs that were scheduled by hand do not
/// follow all rules.
fn has_imported_word(found: &Scheduled<'_>) -> bool {
    let encoding = found.encoding();
    encoding.is_some_and(|encoding| encoding.control().is_ok_and(|word| word == found.control))
}

/// Whether a mnemonic is a case of the operation with this name.
fn is_case(name: &str, mnemonic: &Mnemonic) -> bool {
    match effects::row(mnemonic) {
        Some(row) => name
            .strip_prefix("sass.")
            .is_some_and(|name| name.eq_ignore_ascii_case(row.name)),
        None => name == super::Inst::DEFINITION.name,
    }
}

/// The control word to which the rules apply: reuse slots are cleared if the text does not show
/// them, as ptxas emits textures that yield and have a slot set.
fn checked_word(word: ControlWord, kept: Option<usize>) -> ControlWord {
    match kept {
        Some(_) => word,
        None => ControlWord {
            reuse: ReuseSet::EMPTY,
            ..word
        },
    }
}

/// Checks that a function has instructions, as a section of a listing has, and that the successors
/// of blocks match their labels and order.
pub(super) fn edges(context: &Context, op: Operation) -> VerifyResult {
    let Some(body) = op.regions(context).next() else {
        return Ok(());
    };
    let mut operations = body
        .blocks(context)
        .flat_map(|block| block.operations(context));
    if !operations.any(|inner| read::is_instruction(context, inner)) {
        return Err(op.op_error(context, "has no instructions"));
    }
    let function = read::skeleton(context, op)?;
    let numbers = read::block_numbers(context, body);
    for block in body.blocks(context) {
        let Some(last) = block.last_op(context) else {
            continue;
        };
        let number = numbers.get(&block).copied().unwrap_or_default();
        let Some(plain) = function.blocks.get(number) else {
            continue;
        };
        let before_loop = block.is_entry(context) && read::only_falls_through(context, block);
        let expected: Vec<usize> = if before_loop {
            vec![0]
        } else {
            plain.successors.iter().map(|edge| edge.to).collect()
        };
        let of = |block: Block| numbers.get(&block).copied();
        let found: Vec<Option<usize>> = last.successors(context).map(of).collect();
        if found != expected.iter().copied().map(Some).collect::<Vec<_>>() {
            return Err(wrong_edges(context, last, plain, &expected));
        }
    }
    Ok(())
}

fn wrong_edges(
    context: &Context,
    last: Operation,
    plain: &function::Block<'_>,
    expected: &[usize],
) -> Box<orison_ir::Diagnostic> {
    let ends = plain
        .instructions
        .last()
        .is_some_and(|found| flow(found).ends_block());
    if !ends && expected.is_empty() {
        return last.op_error(context, "has a successor at the end of the function");
    }
    let names: Vec<String> = expected.iter().map(|number| format!("#{number}")).collect();
    let message = format!(
        "successors must match the labels and the order of the blocks: {}",
        if names.is_empty() {
            "none".to_owned()
        } else {
            names.join(", ")
        }
    );
    last.op_error(context, message)
}
