//! Verifiers of reductions and scans (TileAS reference 1.9).

use orison_ir::declare::VerifyResult;
use orison_ir::{Context, Diagnostic, Operation, Type};

use super::super::control::{expect_arguments, expect_yield};
use super::super::verify::{ensure, types_to_string};
use super::{Reduce, Scan};

/// The element types of the operands.
fn elements(context: &Context, op: Operation) -> Vec<Type> {
    op.operands(context)
        .map(|value| value.ty(context).scalar(context))
        .collect()
}

/// The region of `reduce` and `scan` combines two values of each input.
pub fn combiner(context: &Context, op: Operation) -> VerifyResult {
    let elements = elements(context, op);
    let arguments: Vec<_> = elements.iter().chain(&elements).copied().collect();
    expect_arguments(context, op, &arguments)?;
    expect_yield(context, op, &elements)
}

/// Inputs have one shape that contains the axis, and there is an identity for each.
fn inputs(
    context: &Context,
    op: Operation,
    axis: i32,
    identities: Option<usize>,
) -> Result<(Vec<i64>, usize), Box<Diagnostic>> {
    let shapes: Vec<_> = op
        .operands(context)
        .filter_map(|value| value.ty(context).shape(context))
        .collect();
    let Some(first) = shapes.first() else {
        return Err(op.op_error(context, "expects at least one input"));
    };
    ensure(
        context,
        op,
        shapes.iter().all(|shape| shape == first),
        || "expects inputs of the same shape".to_owned(),
    )?;
    let number = usize::try_from(axis)
        .ok()
        .filter(|axis| *axis < first.len());
    let Some(number) = number else {
        let message = format!(
            "expects an axis below the rank {}, but got {axis}",
            first.len()
        );
        return Err(op.op_error(context, message));
    };
    ensure(
        context,
        op,
        identities.is_none_or(|count| count == shapes.len()),
        || "expects one identity for each input".to_owned(),
    )?;
    Ok((first.to_vec(), number))
}

/// Results of `reduce`: the inputs without the axis; scalars if no axis is left.
pub fn reduce(context: &Context, op: Operation) -> VerifyResult {
    let reduce = Reduce(op);
    let identities = reduce.identities(context).map(|list| list.len());
    let axis = reduce.axis(context).unwrap_or(-1);
    let (mut shape, axis) = inputs(context, op, axis, identities)?;
    shape.remove(axis);
    let results = op.result_types(context);
    let elements = elements(context, op);
    let fits = results.len() == elements.len()
        && results.iter().zip(&elements).all(|(result, element)| {
            let own = result.shape(context).unwrap_or_default();
            result.scalar(context) == *element && own == shape
        });
    ensure(context, op, fits, || {
        format!(
            "expects one result for each input, without the axis, but got: [{}]",
            types_to_string(context, &results)
        )
    })
}

/// Results of `scan` have the types of the inputs.
pub fn scan(context: &Context, op: Operation) -> VerifyResult {
    let scan = Scan(op);
    let identities = scan.identities(context).map(|list| list.len());
    inputs(context, op, scan.axis(context).unwrap_or(-1), identities)?;
    let (operands, results) = (op.operand_types(context), op.result_types(context));
    ensure(context, op, operands == results, || {
        format!(
            "expects results of the types of the inputs [{}], but got: [{}]",
            types_to_string(context, &operands),
            types_to_string(context, &results)
        )
    })
}
