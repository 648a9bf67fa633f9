//! Verifiers of loops and conditionals.
//!
//! Control enters and leaves a region with values; on every edge their count and types must match
//! those of the target.

use std::collections::HashSet;

use orison_ir::declare::VerifyResult;
use orison_ir::{Context, Diagnostic, Operation, Type, Value};

use super::{Condition, For, If, IndexSwitch, While, Yield};
use crate::types::quoted;

/// The target of an edge: its name in messages, and the types it receives.
struct Target<'t> {
    name: &'t str,
    types: &'t [Type],
}

/// Checks the edge on which `source`, the operation itself or a terminator in it, passes values of
/// `types` to `target`.
fn verify_edge(
    context: &Context,
    op: Operation,
    source: Operation,
    types: &[Type],
    target: &Target<'_>,
) -> VerifyResult {
    let name = if source == op {
        "parent".to_owned()
    } else {
        format!("Operation {}", source.name_text(context))
    };
    let edge = format!("along control flow edge from {name} to {}: ", target.name);
    let problem = if types.len() != target.types.len() {
        format!(
            "region branch point has {} operands, but region successor needs {} inputs",
            types.len(),
            target.types.len()
        )
    } else {
        let mut pairs = types.iter().zip(target.types);
        let Some(number) = pairs.position(|(own, wanted)| own != wanted) else {
            return Ok(());
        };
        format!(
            "successor operand type #{number} {} should match successor input type #{number} {}",
            quoted(context, types[number]),
            quoted(context, target.types[number])
        )
    };
    let error = op.op_error(context, format!("{edge}{problem}"));
    Err(Box::new(
        error.with_note(source.location(context), "region branch point"),
    ))
}

/// Checks the values that the `scf.yield` terminators of a region pass to the results.
fn verify_yields_to_parent(context: &Context, op: Operation, region: usize) -> VerifyResult {
    let results = op.result_types(context);
    for block in op.region(context, region).blocks(context) {
        let Some(yield_op) = block
            .last_op(context)
            .and_then(|last| Yield::of(context, last))
        else {
            continue;
        };
        let types = yield_op.0.operand_types(context);
        let target = Target {
            name: "parent",
            types: &results,
        };
        verify_edge(context, op, yield_op.0, &types, &target)?;
    }
    Ok(())
}

pub(super) fn for_bounds(context: &Context, op: Operation) -> VerifyResult {
    let loop_op = For(op);
    let ty = loop_op.lower_bound(context).ty(context);
    let bounds = [loop_op.upper_bound(context), loop_op.step(context)];
    if bounds.iter().any(|bound| bound.ty(context) != ty) {
        let message = "failed to verify that all of {lowerBound, upperBound, step} have same type";
        return Err(op.op_error(context, message));
    }
    Ok(())
}

pub(super) fn for_loop(context: &Context, op: Operation) -> VerifyResult {
    if For(op).init_args(context).len() != op.result_count(context) {
        let message = "mismatch in number of loop-carried values and defined values";
        return Err(op.op_error(context, message));
    }
    Ok(())
}

pub(super) fn for_edges(context: &Context, op: Operation) -> VerifyResult {
    let loop_op = For(op);
    let Some(body) = loop_op.body(context) else {
        return Ok(());
    };
    let inits = types_of(context, &loop_op.init_args(context));
    let arguments = body.argument_types(context);
    if arguments.len() != inits.len() + 1 {
        // As in MLIR, the count wraps around below zero.
        let message = format!(
            "different number of inits and region iter_args: {} != {}",
            inits.len(),
            (arguments.len() as u64).wrapping_sub(1)
        );
        return Err(op.op_error(context, message));
    }
    let carried = &arguments[1..];
    if let Some(yield_op) = loop_op.yield_op(context) {
        let yielded = yield_op.0.operand_types(context);
        verify_carried(context, op, &inits, carried, &yielded)?;
        let target = Target {
            name: "Region #0",
            types: carried,
        };
        verify_edge(context, op, yield_op.0, &yielded, &target)?;
    }
    if arguments[0] != loop_op.lower_bound(context).ty(context) {
        let message = "expected induction variable to be same type as bounds and step";
        return Err(op.op_error(context, message));
    }
    Ok(())
}

fn types_of(context: &Context, values: &[Value]) -> Vec<Type> {
    values.iter().map(|value| value.ty(context)).collect()
}

/// Checks the carried values of a loop: the initial values, the arguments of its body, the yielded
/// values (unless there are none), and the results.
pub(super) fn verify_carried(
    context: &Context,
    op: Operation,
    inits: &[Type],
    carried: &[Type],
    yielded: &[Type],
) -> VerifyResult {
    if !yielded.is_empty() && yielded.len() != carried.len() {
        let message = format!(
            "different number of region iter_args and yielded values: {} != {}",
            carried.len(),
            yielded.len()
        );
        return Err(op.op_error(context, message));
    }
    let same = |number: usize, kinds: [&str; 2], types: [Option<&Type>; 2]| {
        let ([first, second], [Some(own), Some(other)]) = (kinds, types) else {
            return Ok(());
        };
        if own == other {
            return Ok(());
        }
        let message = format!(
            "{number}-th {first} and {number}-th {second} have different type: {} != {}",
            quoted(context, *own),
            quoted(context, *other)
        );
        Err(op.op_error(context, message))
    };
    let (argument, value) = ("region iter_arg", "yielded value");
    for number in 0..carried.len() {
        let own = carried.get(number);
        same(number, ["init", argument], [inits.get(number), own])?;
        same(number, [argument, value], [own, yielded.get(number)])?;
    }
    let results = op.result_types(context);
    for number in 0..carried.len() {
        let types = [carried.get(number), results.get(number)];
        same(number, [argument, "loop result"], types)?;
    }
    Ok(())
}

pub(super) fn conditional(context: &Context, op: Operation) -> VerifyResult {
    let conditional = If(op);
    for number in 0..2 {
        let block = op.body_block(context, number);
        if block.is_some_and(|block| block.argument_count(context) > 0) {
            let message = format!("region #{number} should have no arguments");
            return Err(op.op_error(context, message));
        }
    }
    if op.result_count(context) > 0 && conditional.else_block(context).is_none() {
        return Err(op.op_error(context, "must have an else block if defining values"));
    }
    Ok(())
}

pub(super) fn conditional_edges(context: &Context, op: Operation) -> VerifyResult {
    verify_yields_to_parent(context, op, 0)?;
    verify_yields_to_parent(context, op, 1)
}

pub(super) fn execute_region(context: &Context, op: Operation) -> VerifyResult {
    let Some(entry) = op.body_block(context, 0) else {
        return Err(op.op_error(context, "region needs to have at least one block"));
    };
    if entry.argument_count(context) > 0 {
        return Err(op.op_error(context, "region cannot have any arguments"));
    }
    Ok(())
}

pub(super) fn execute_region_edges(context: &Context, op: Operation) -> VerifyResult {
    verify_yields_to_parent(context, op, 0)
}

/// Checks that a region ends with the required terminator.
pub(super) fn verify_terminator(
    context: &Context,
    op: Operation,
    region: usize,
    wanted: &str,
    message: &str,
) -> VerifyResult {
    let block = op.body_block(context, region);
    let last = block.and_then(|block| block.last_op(context));
    if last.is_some_and(|last| last.is(context, wanted)) {
        return Ok(());
    }
    let error = op.op_error(context, message);
    Err(match last {
        Some(last) => Box::new(error.with_note(last.location(context), "terminator here")),
        None => error,
    })
}

pub(super) fn while_loop(context: &Context, op: Operation) -> VerifyResult {
    let message = "expects the 'before' region to terminate with 'scf.condition'";
    verify_terminator(context, op, 0, Condition::NAME, message)?;
    let message = "expects the 'after' region to terminate with 'scf.yield'";
    verify_terminator(context, op, 1, Yield::NAME, message)
}

pub(super) fn while_edges(context: &Context, op: Operation) -> VerifyResult {
    let blocks = (op.body_block(context, 0), op.body_block(context, 1));
    let (Some(before), Some(after)) = blocks else {
        return Ok(());
    };
    let (Some(condition), Some(yield_op)) = (before.last_op(context), after.last_op(context))
    else {
        return Ok(());
    };
    let inits = types_of(context, &While(op).inits(context));
    let handed = types_of(context, &Condition(condition).args(context));
    let (before, after) = (
        before.argument_types(context),
        after.argument_types(context),
    );
    let results = op.result_types(context);
    let target = |name, types| Target { name, types };
    verify_edge(context, op, op, &inits, &target("Region #0", &before))?;
    verify_edge(context, op, condition, &handed, &target("parent", &results))?;
    verify_edge(
        context,
        op,
        condition,
        &handed,
        &target("Region #1", &after),
    )?;
    let yielded = yield_op.operand_types(context);
    verify_edge(
        context,
        op,
        yield_op,
        &yielded,
        &target("Region #0", &before),
    )
}

pub(super) fn index_switch(context: &Context, op: Operation) -> VerifyResult {
    let switch = IndexSwitch(op);
    let cases = switch.cases(context).unwrap_or_default();
    let regions = switch.case_regions(context);
    if cases.len() != regions.len() {
        let message = format!(
            "has {} case regions but {} case values",
            regions.len(),
            cases.len()
        );
        return Err(op.op_error(context, message));
    }
    let mut seen = HashSet::new();
    for case in &cases {
        if !seen.insert(case) {
            return Err(op.op_error(context, format!("has duplicate case value: {case}")));
        }
    }
    verify_case(context, op, "default region", 0)?;
    for number in 0..regions.len() {
        verify_case(context, op, &format!("case region #{number}"), number + 1)?;
    }
    Ok(())
}

fn verify_case(context: &Context, op: Operation, name: &str, region: usize) -> VerifyResult {
    let last = op
        .body_block(context, region)
        .and_then(|block| block.last_op(context));
    let Some(yield_op) = last.and_then(|last| Yield::of(context, last)) else {
        let message = match last {
            Some(last) => format!(
                "expected region to end with scf.yield, but got {}",
                last.name_text(context)
            ),
            None => "expected region to end with scf.yield".to_owned(),
        };
        return Err(op.op_error(context, message));
    };
    let results = op.result_types(context);
    let types = yield_op.0.operand_types(context);
    let location = yield_op.0.location(context);
    let noted = |message: String, note: String| -> VerifyResult {
        let error: Diagnostic = *op.op_error(context, message);
        Err(Box::new(error.with_note(location, note)))
    };
    if types.len() != results.len() {
        let message = format!(
            "expected each region to return {} values, but {name} returns {}",
            results.len(),
            types.len()
        );
        return noted(message, "see yield operation here".to_owned());
    }
    let differs = types
        .iter()
        .zip(&results)
        .position(|(own, wanted)| own != wanted);
    if let Some(number) = differs {
        let message = format!(
            "expected result #{number} of each region to be {}",
            quoted(context, results[number])
        );
        let note = format!("{name} returns {} here", quoted(context, types[number]));
        return noted(message, note);
    }
    Ok(())
}
