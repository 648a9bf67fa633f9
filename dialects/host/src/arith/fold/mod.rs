//! Folders: what an operation is when operands are constants, and identities.
//!
//! A folder says something only where it is certain: a division by zero, an overflow of a division
//! and a shift by too much stay as they are, and floats are never treated as real numbers.

mod casts;
mod compare;
mod float;
mod integer;
pub(super) mod scalars;
#[cfg(test)]
mod tests;

pub(super) use casts::*;
pub(super) use compare::*;
pub(super) use float::*;
pub(super) use integer::*;

use orison_ir::declare::Folded;
use orison_ir::{Attribute, Context, Operation, Value};

/// What a folder returns.
type Fold = Option<Vec<Folded>>;

/// The operation is this value.
fn value(value: Value) -> Fold {
    Some(vec![Folded::Value(value)])
}

/// The operation is this constant.
fn constant(attribute: Attribute) -> Fold {
    Some(vec![Folded::Constant(attribute)])
}

/// The operation was changed in place.
fn in_place() -> Fold {
    Some(Vec::new())
}

/// The operation that defines an operand, if it is a `name`.
fn operand_defined_by(
    context: &Context,
    op: Operation,
    number: usize,
    name: &str,
) -> Option<Operation> {
    op.operand(context, number)
        .defining_op(context)
        .filter(|definition| definition.is(context, name))
}
