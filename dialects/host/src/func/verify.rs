//! Verifiers of functions and calls.

use orison_ir::declare::VerifyResult;
use orison_ir::symbol_table::SymbolTables;
use orison_ir::{Attribute, Context, Operation, Type};

use super::{Call, Constant, Func, Return};
use crate::types::{quoted, quoted_list};

pub(super) fn function(context: &Context, op: Operation) -> VerifyResult {
    let func = Func(op);
    verify_dictionaries(context, func, "arg_attrs", "argument", func.inputs(context))?;
    verify_dictionaries(context, func, "res_attrs", "result", func.outputs(context))?;
    let Some(entry) = func.entry(context) else {
        return verify_declaration(context, func);
    };
    let inputs = func.inputs(context);
    if entry.argument_count(context) != inputs.len() {
        let message = format!(
            "entry block must have {} arguments to match function signature",
            inputs.len()
        );
        return Err(op.op_error(context, message));
    }
    for (number, (argument, input)) in entry.arguments(context).zip(inputs).enumerate() {
        if argument.ty(context) != *input {
            let message = format!(
                "type of entry block argument #{number}({}) must match the type of the \
                 corresponding argument in function signature({})",
                quoted(context, argument.ty(context)),
                quoted(context, *input)
            );
            return Err(op.op_error(context, message));
        }
    }
    verify_visibility(context, func)
}

fn verify_declaration(context: &Context, func: Func) -> VerifyResult {
    if func.0.is_public_symbol(context) {
        let message = "symbol declaration cannot have public visibility";
        return Err(func.0.op_error(context, message));
    }
    verify_visibility(context, func)
}

fn verify_visibility(context: &Context, func: Func) -> VerifyResult {
    match func.sym_visibility(context) {
        None | Some("public" | "private" | "nested") => Ok(()),
        Some(other) => {
            let message = format!(
                "visibility expected to be one of [\"public\", \"private\", \"nested\"], but got \
                 \"{other}\""
            );
            Err(func.0.op_error(context, message))
        }
    }
}

/// Attributes of parameters or results must be dialect attributes.
fn verify_dictionaries(
    context: &Context,
    func: Func,
    key: &str,
    what: &str,
    types: &[Type],
) -> VerifyResult {
    let Some(dictionaries) = func.0.attribute(context, key) else {
        return Ok(());
    };
    let dictionaries = dictionaries.as_array(context).unwrap_or_default();
    if dictionaries.len() != types.len() {
        let message = format!(
            "expects {what} attribute array to have the same number of elements as the number of \
             function {what}s, got {}, but expected {}",
            dictionaries.len(),
            types.len()
        );
        return Err(func.0.op_error(context, message));
    }
    let is_bare = |dictionary: &Attribute| {
        let mut entries = dictionary.entries(context).iter();
        entries.any(|(key, _)| !key.text(context).contains('.'))
    };
    if dictionaries.iter().any(is_bare) {
        let message = format!("{what}s may only have dialect attributes");
        return Err(func.0.op_error(context, message));
    }
    Ok(())
}

pub(super) fn return_(context: &Context, op: Operation) -> VerifyResult {
    let Some(func) = op
        .parent_op(context)
        .and_then(|parent| Func::of(context, parent))
    else {
        return Ok(());
    };
    let name = func.sym_name(context).unwrap_or_default();
    let outputs = func.outputs(context);
    let values = Return(op).values(context);
    if values.len() != outputs.len() {
        let message = format!(
            "has {} operands, but enclosing function (@{name}) returns {}",
            values.len(),
            outputs.len()
        );
        return Err(op.op_error(context, message));
    }
    for (number, (value, output)) in values.iter().zip(outputs).enumerate() {
        if value.ty(context) != *output {
            let message = format!(
                "type of return operand {number} ({}) doesn't match function result type ({}) in \
                 function @{name}",
                quoted(context, value.ty(context)),
                quoted(context, *output)
            );
            return Err(op.error(context, message));
        }
    }
    Ok(())
}

/// The function referenced by `op`.
fn resolve(
    context: &Context,
    op: Operation,
    key: &str,
    symbols: &mut SymbolTables,
) -> Option<Func> {
    let reference = op.attribute(context, key)?;
    let symbol = symbols.resolve(context, op, reference)?;
    Func::of(context, symbol)
}

/// The symbol name referenced by `op`.
fn reference_name<'c>(context: &'c Context, op: Operation, key: &str) -> &'c str {
    op.attribute(context, key)
        .and_then(|reference| reference.as_symbol(context))
        .unwrap_or_default()
}

pub(super) fn call(context: &Context, op: Operation, symbols: &mut SymbolTables) -> VerifyResult {
    let Some(callee) = resolve(context, op, "callee", symbols) else {
        let name = reference_name(context, op, "callee");
        let message = format!("'{name}' does not reference a valid function");
        return Err(op.op_error(context, message));
    };
    let inputs = callee.inputs(context);
    if op.operand_count(context) != inputs.len() {
        return Err(op.op_error(context, "incorrect number of operands for callee"));
    }
    for (number, (value, input)) in Call(op).arguments(context).iter().zip(inputs).enumerate() {
        if value.ty(context) != *input {
            let message = format!(
                "operand type mismatch: expected operand type {}, but provided {} for operand \
                 number {number}",
                quoted(context, *input),
                quoted(context, value.ty(context))
            );
            return Err(op.op_error(context, message));
        }
    }
    verify_call_results(context, op, callee.outputs(context))
}

fn verify_call_results(context: &Context, op: Operation, outputs: &[Type]) -> VerifyResult {
    let results = op.result_types(context);
    if results.len() != outputs.len() {
        return Err(op.op_error(context, "incorrect number of results for callee"));
    }
    let differs = results
        .iter()
        .zip(outputs)
        .position(|(own, output)| own != output);
    let Some(number) = differs else {
        return Ok(());
    };
    let location = op.location(context);
    let own = format!("      op result types: {}", quoted_list(context, &results));
    let expected = format!("function result types: {}", quoted_list(context, outputs));
    let error = op.op_error(context, format!("result type mismatch at index {number}"));
    Err(Box::new(
        error.with_note(location, own).with_note(location, expected),
    ))
}

pub(super) fn constant(
    context: &Context,
    op: Operation,
    symbols: &mut SymbolTables,
) -> VerifyResult {
    let Some(func) = resolve(context, op, "value", symbols) else {
        let name = reference_name(context, op, "value");
        let message = format!("reference to undefined function '{name}'");
        return Err(op.op_error(context, message));
    };
    if func.function_type(context) != Some(Constant(op).result(context).ty(context)) {
        return Err(op.op_error(context, "reference to function with mismatched type"));
    }
    Ok(())
}
