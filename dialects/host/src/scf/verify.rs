//! Rules of loops and conditionals.
//!
//! Control enters a region with values and leaves it with values; on every edge their numbers and
//! types must be those of what receives them.

use orison_ir::declare::VerifyResult;
use orison_ir::{Context, Diagnostic, Operation, Type};

use super::{Condition, For, If, IndexSwitch, While, Yield};
use crate::types::quoted;

/// The end of an edge: how messages call it, and the types it receives.
struct Target<'t> {
    name: &'t str,
    types: &'t [Type],
}

/// Checks the edge on which `terminator` hands values of `types` to `target`.
fn verify_edge(
    context: &Context,
    op: Operation,
    terminator: Operation,
    types: &[Type],
    target: &Target<'_>,
) -> VerifyResult {
    let edge = format!(
        "along control flow edge from Operation {} to {}: ",
        terminator.name_text(context),
        target.name
    );
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
    Err(Box::new(error.with_note(
        terminator.location(context),
        "region branch point",
    )))
}

/// Checks what the `scf.yield` operations at the ends of the blocks of a region hand to the results.
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

pub(super) fn for_loop(context: &Context, op: Operation) -> VerifyResult {
    let loop_op = For(op);
    let ty = loop_op.lower_bound(context).ty(context);
    let bounds = [loop_op.upper_bound(context), loop_op.step(context)];
    if bounds.iter().any(|bound| bound.ty(context) != ty) {
        let message = "failed to verify that all of {lowerBound, upperBound, step} have same type";
        return Err(op.op_error(context, message));
    }
    if loop_op.init_args(context).len() != op.result_count(context) {
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
    let inits: Vec<_> = loop_op
        .init_args(context)
        .iter()
        .map(|v| v.ty(context))
        .collect();
    let arguments = body.argument_types(context);
    if arguments.len() != inits.len() + 1 {
        // The number is what MLIR computes, wrapping around below zero.
        let message = format!(
            "different number of inits and region iter_args: {} != {}",
            inits.len(),
            (arguments.len() as u64).wrapping_sub(1)
        );
        return Err(op.op_error(context, message));
    }
    let bound = loop_op.lower_bound(context).ty(context);
    let (variable, carried) = (arguments[0], &arguments[1..]);
    if variable != bound {
        let message = "expected induction variable to be same type as bounds and step";
        return Err(op.op_error(context, message));
    }
    let Some(yield_op) = loop_op.yield_op(context) else {
        return Ok(());
    };
    let yielded = yield_op.0.operand_types(context);
    if yielded.len() != carried.len() {
        let target = Target {
            name: "Region #0",
            types: carried,
        };
        return verify_edge(context, op, yield_op.0, &yielded, &target);
    }
    let results = op.result_types(context);
    for number in 0..carried.len() {
        let pairs = [
            (
                "init and",
                "region iter_arg",
                inits[number],
                carried[number],
            ),
            (
                "region iter_arg and",
                "yielded value",
                carried[number],
                yielded[number],
            ),
            (
                "region iter_arg and",
                "loop result",
                carried[number],
                results[number],
            ),
        ];
        for (first, second, own, other) in pairs {
            if own != other {
                let message = format!(
                    "{number}-th {first} {number}-th {second} have different type: {} != {}",
                    quoted(context, own),
                    quoted(context, other)
                );
                return Err(op.op_error(context, message));
            }
        }
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

pub(super) fn while_loop(context: &Context, op: Operation) -> VerifyResult {
    let loop_op = While(op);
    let (Some(before), Some(after)) = (op.body_block(context, 0), op.body_block(context, 1)) else {
        return Ok(());
    };
    let misplaced = |region: &str, wanted: &str, last: Option<Operation>| {
        let message = format!("expects the '{region}' region to terminate with '{wanted}'");
        let error = op.op_error(context, message);
        let location = last.map(|last| last.location(context));
        Box::new(match location {
            Some(location) => error.with_note(location, "terminator here"),
            None => *error,
        })
    };
    let last = before.last_op(context);
    let Some(condition) = last.and_then(|last| Condition::of(context, last)) else {
        return Err(misplaced("before", "scf.condition", last));
    };
    let last = after.last_op(context);
    let Some(yield_op) = last.and_then(|last| Yield::of(context, last)) else {
        return Err(misplaced("after", "scf.yield", last));
    };
    let inits: Vec<_> = loop_op
        .inits(context)
        .iter()
        .map(|v| v.ty(context))
        .collect();
    let (before, after) = (
        before.argument_types(context),
        after.argument_types(context),
    );
    if inits != before {
        let message = "along control flow edge from parent to Region #0: region branch point has \
                       values of other types than region successor";
        return Err(op.op_error(context, message));
    }
    let handed: Vec<_> = condition
        .args(context)
        .iter()
        .map(|v| v.ty(context))
        .collect();
    let results = op.result_types(context);
    let parent = Target {
        name: "parent",
        types: &results,
    };
    verify_edge(context, op, condition.0, &handed, &parent)?;
    let target = Target {
        name: "Region #1",
        types: &after,
    };
    verify_edge(context, op, condition.0, &handed, &target)?;
    let target = Target {
        name: "Region #0",
        types: &before,
    };
    verify_edge(
        context,
        op,
        yield_op.0,
        &yield_op.0.operand_types(context),
        &target,
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
    for (number, case) in cases.iter().enumerate() {
        if cases[..number].contains(case) {
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
