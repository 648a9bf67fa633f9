//! Analysis of values that are never poison.
//!
//! Poison has no effect until a branch or an operation with effects depends on it, so a rewrite
//! must not make such an operation depend on a value that did not affect it before.

use orison_ir::declare::{AttributeForm, OperationDefinition};
use orison_ir::{Context, Operation, Value, ValueOwner};

use super::scalars::uniform_integer;
use super::{
    FPToSI, FPToUI, FastMath, FastMathAttr, Overflow, OverflowAttr, ShLI, ShRSI, ShRUI, constant_of,
};
use crate::func::Func;
use crate::types::value_scalar;

/// Maximum depth of the walk over definitions.
const DEPTH: usize = 8;

/// Whether a value is never poison: a function parameter, a constant, or computed from
/// such values by operations that do not create poison.
pub(crate) fn is_never_poison(context: &Context, value: Value) -> bool {
    is_defined(context, value, DEPTH)
}

fn is_defined(context: &Context, value: Value, depth: usize) -> bool {
    let op = match value.owner(context) {
        ValueOwner::Result(op, _) => op,
        ValueOwner::Argument(block, _) => {
            let owner = block.parent_op(context);
            return block.is_entry(context)
                && owner.is_some_and(|owner| Func::of(context, owner).is_some());
        }
    };
    let own_dialect = op.name(context).dialect(context) == super::DIALECT.name;
    depth > 0
        && own_dialect
        && !makes_poison(context, op)
        && op
            .operands(context)
            .all(|operand| is_defined(context, operand, depth - 1))
}

const SHIFTS: [&OperationDefinition; 3] = [ShLI::DEFINITION, ShRSI::DEFINITION, ShRUI::DEFINITION];

fn makes_poison(context: &Context, op: Operation) -> bool {
    let flags = op.attribute(context, "overflowFlags");
    let flags = flags.and_then(|flags| OverflowAttr::read(context, flags));
    let fast = op.attribute(context, "fastmath");
    let fast = fast.and_then(|flags| FastMathAttr::read(context, flags));
    let assumes = |flag: FastMath| fast.is_some_and(|fast| fast.contains(flag));
    let promises = flags.is_some_and(|flags| flags != Overflow::NONE)
        || op.attribute(context, "isExact").is_some()
        || assumes(FastMath::NNAN)
        || assumes(FastMath::NINF);
    promises
        || op.is_one_of(context, &[FPToSI::DEFINITION, FPToUI::DEFINITION])
        || op.is_one_of(context, &SHIFTS) && !shifts_within_width(context, op)
}

fn shifts_within_width(context: &Context, op: Operation) -> bool {
    let amount = constant_of(context, op.operand(context, 1));
    let amount = amount.and_then(|amount| uniform_integer(context, amount));
    let width = value_scalar(context, op.result(context, 0).ty(context)).bit_width(context);
    let amount = amount.and_then(|amount| amount.as_u64());
    amount
        .zip(width)
        .is_some_and(|(amount, width)| amount < u64::from(width))
}
