//! Canonicalization rules that create operations.
//!
//! Replacement by a constant or an existing value is done by the folders.

mod bits;
mod casts;
mod compare;
mod extended;
mod floats;
mod select;
mod sums;

pub(super) use bits::*;
pub(super) use casts::*;
pub(super) use compare::*;
pub(super) use extended::*;
pub(super) use floats::*;
pub(super) use select::*;
pub(super) use sums::*;

use orison_ir::numbers::ApInt;
use orison_ir::{Attribute, Context, Declined, Operation, Rewriter, Type, Value};

use super::scalars::splat_integer;
use super::{constant, constant_of};

/// The result of a step of a rule.
type Step<T> = Result<T, Declined>;

/// The operation that defines a value; declines if its name is not `name`.
fn defined_by(context: &Context, value: Value, name: &str) -> Step<Operation> {
    match value.defining_op(context) {
        Some(op) if op.is(context, name) => Ok(op),
        _ => Declined::because("an operand is not defined by the operation that the rule matches"),
    }
}

/// The operand of the cast `name` that defines a value; declines if there is none.
fn cast_source(context: &Context, value: Value, name: &str) -> Step<Value> {
    Ok(defined_by(context, value, name)?.operand(context, 0))
}

/// The constant value; declines if the value is not constant.
fn known(context: &Context, value: Value) -> Step<Attribute> {
    match constant_of(context, value) {
        Some(attribute) => Ok(attribute),
        None => Declined::because("an operand is not constant"),
    }
}

/// The constant of a type whose elements are all the same integer.
fn splat(
    rewriter: &mut Rewriter<'_>,
    op: Operation,
    ty: Type,
    value: impl Fn(u32) -> ApInt,
) -> Step<Value> {
    let location = op.location(rewriter.ir());
    match splat_integer(rewriter.context(), ty, value) {
        Some(attribute) => Ok(constant(rewriter, location, attribute)),
        None => Declined::because("the type cannot hold a constant integer"),
    }
}

/// The type of the first result.
fn result_type(context: &Context, op: Operation) -> Type {
    op.result(context, 0).ty(context)
}

/// Both operands.
fn operands(context: &Context, op: Operation) -> (Value, Value) {
    (op.operand(context, 0), op.operand(context, 1))
}
