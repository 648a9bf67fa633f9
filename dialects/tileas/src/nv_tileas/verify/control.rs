//! Verifiers of regions that end with `nv_tileas.yield`, of reductions and scans, and of program
//! ids (TileAS reference 1.9).

use orison_ir::declare::VerifyResult;
use orison_ir::{Context, Operation, Type};

use super::{ensure, types_to_string};
use crate::nv_tileas::{Reduce, Scan, Yield};

/// The types yielded by the only block of the operation.
fn yielded(context: &Context, op: Operation) -> Result<Vec<Type>, Box<orison_ir::Diagnostic>> {
    let last = op
        .body_block(context, 0)
        .and_then(|block| block.last_op(context));
    match last.and_then(|last| Yield::of(context, last)) {
        Some(end) => Ok(end.values(context).iter().map(|v| v.ty(context)).collect()),
        None => Err(op.op_error(context, "expects its region to end with 'nv_tileas.yield'")),
    }
}

fn expect_arguments(context: &Context, op: Operation, expected: &[Type]) -> VerifyResult {
    let block = op.body_block(context, 0);
    let found = block
        .map(|block| block.argument_types(context))
        .unwrap_or_default();
    ensure(context, op, found == expected, || {
        format!(
            "expects region argument types [{}], but got: [{}]",
            types_to_string(context, expected),
            types_to_string(context, &found)
        )
    })
}

fn expect_yield(context: &Context, op: Operation, expected: &[Type]) -> VerifyResult {
    let found = yielded(context, op)?;
    ensure(context, op, found == expected, || {
        format!(
            "expects its region to yield [{}], but got: [{}]",
            types_to_string(context, expected),
            types_to_string(context, &found)
        )
    })
}

/// `pragma` yields its results.
pub fn pragma(context: &Context, op: Operation) -> VerifyResult {
    expect_arguments(context, op, &[])?;
    expect_yield(context, op, &op.result_types(context))
}

/// `generate` computes an element from one index for each axis.
pub fn generate(context: &Context, op: Operation) -> VerifyResult {
    let tile = op.result(context, 0).ty(context);
    let rank = tile.shape(context).map_or(0, <[i64]>::len);
    expect_arguments(context, op, &vec![Type::INDEX; rank])?;
    expect_yield(context, op, &[tile.scalar(context)])
}

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
) -> Result<(Vec<i64>, usize), Box<orison_ir::Diagnostic>> {
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

/// A program id has one to three coordinates.
pub fn cancel_next_program_id(context: &Context, op: Operation) -> VerifyResult {
    let count = op.result_count(context).saturating_sub(1);
    ensure(context, op, (1..=3).contains(&count), || {
        format!("expects one to three coordinates, but got {count}")
    })
}
