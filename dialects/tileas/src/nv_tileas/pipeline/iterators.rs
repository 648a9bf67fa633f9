//! Consistency of iterator types where control flow merges (TileAS reference 1.5).
//!
//! `scf.if` and `scf.for` belong to another dialect, whose verifier does not handle
//! iterators. So the rule is checked where an operation of this dialect uses an iterator:
//! the value is traced to the loop or branch that produced it. [`verify_iterator_agreement`] checks
//! a branch or loop itself, for passes that build them.

use orison_host::scf;
use orison_ir::declare::VerifyResult;
use orison_ir::{Context, Operation, Type, Value};

use crate::nv_tileas::types::IteratorType;

const MESSAGE: &str = "branch arms must yield matching pipeline iterator types";

/// Checks that iterators merged by an `scf.if`, `scf.for` or `scf.while` have one type on every
/// path. Other operations pass.
///
/// # Errors
/// At the branch or loop, if types differ.
pub fn verify_iterator_agreement(context: &Context, op: Operation) -> VerifyResult {
    for number in 0..op.result_count(context) {
        verify_merge(context, op, number)?;
    }
    Ok(())
}

/// Checks the branch or loop that produced an iterator operand.
pub(super) fn verify_iterator_operand(context: &Context, value: Value) -> VerifyResult {
    if IteratorType::of(context, value.ty(context)).is_none() {
        return Ok(());
    }
    if let Some(op) = value.defining_op(context) {
        return verify_merge(context, op, value.position(context));
    }
    let owner = value.argument_owner(context);
    let Some(parent) = owner.and_then(|block| block.parent_op(context)) else {
        return Ok(());
    };
    // The first argument of a loop body is the induction variable.
    match value.position(context).checked_sub(1) {
        Some(number) if parent.is(context, scf::For::NAME) => verify_merge(context, parent, number),
        _ => Ok(()),
    }
}

/// Checks one result of a branch or loop: its type and those of all its incoming values.
fn verify_merge(context: &Context, op: Operation, number: usize) -> VerifyResult {
    let name = op.name_text(context);
    if !matches!(name, scf::If::NAME | scf::For::NAME | scf::While::NAME)
        || number >= op.result_count(context)
    {
        return Ok(());
    }
    let mut types = vec![op.result(context, number).ty(context)];
    types.extend(yielded(context, op, number));
    if name == scf::For::NAME {
        // Lower bound, upper bound and step come first.
        let initial = op.operands(context).nth(number + 3);
        types.extend(initial.map(|value| value.ty(context)));
        let argument = op
            .body_block(context, 0)
            .and_then(|body| body.arguments(context).nth(number + 1));
        types.extend(argument.map(|value| value.ty(context)));
    }
    let iterators = types
        .iter()
        .any(|ty| IteratorType::of(context, *ty).is_some());
    if iterators && types.iter().any(|ty| *ty != types[0]) {
        return Err(op.op_error(context, MESSAGE));
    }
    Ok(())
}

/// The types that the regions of a branch or loop yield for a result.
fn yielded(context: &Context, op: Operation, number: usize) -> Vec<Type> {
    op.regions(context)
        .filter_map(|region| region.first_block(context)?.last_op(context))
        .filter(|last| last.is(context, scf::Yield::NAME))
        .filter_map(|last| last.operands(context).nth(number))
        .map(|value| value.ty(context))
        .collect()
}
