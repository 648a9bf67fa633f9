//! Folders: constant folding and algebraic identities.
//!
//! A folder returns a result only if it is certain: a division by zero, an overflowing division and
//! a shift by an amount out of range are not folded, and floats are never treated as real numbers.

mod casts;
mod compare;
mod float;
mod integer;
#[cfg(test)]
mod tests;

pub(super) use casts::*;
pub(super) use compare::*;
pub(super) use float::*;
pub(super) use integer::*;

use orison_ir::declare::{Folded, OperationDefinition};
use orison_ir::{Attribute, Context, Operation, Value};

/// The result of a folder.
type Fold = Option<Vec<Folded>>;

/// The operation is replaced by this value.
fn value(value: Value) -> Fold {
    Some(vec![Folded::Value(value)])
}

/// The operation is replaced by this constant.
fn constant(attribute: Attribute) -> Fold {
    Some(vec![Folded::Constant(attribute)])
}

/// The operation was changed in place.
fn in_place() -> Fold {
    Some(Vec::new())
}

/// The operation that defines an operand, if it is the one with this declaration.
fn operand_defined_by(
    context: &Context,
    op: Operation,
    number: usize,
    declaration: &OperationDefinition,
) -> Option<Operation> {
    op.operand(context, number)
        .defining_op(context)
        .filter(|definition| declaration.matches(context, *definition))
}
