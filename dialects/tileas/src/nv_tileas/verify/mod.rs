//! Verifiers that families of operations share; those of one family are in its module. Error messages
//! are those of the TileAS reference, section 10, where it has one, including misspelled words.

pub mod memory;

use orison_ir::declare::VerifyResult;
use orison_ir::printer::type_to_string;
use orison_ir::{Context, Operation, Type};

/// Types as text separated by `, `.
pub(super) fn types_to_string(context: &Context, types: &[Type]) -> String {
    let types: Vec<_> = types
        .iter()
        .map(|ty| type_to_string(context, *ty))
        .collect();
    types.join(", ")
}

/// An error at the operation unless the condition holds.
pub(super) fn ensure(
    context: &Context,
    op: Operation,
    holds: bool,
    message: impl FnOnce() -> String,
) -> VerifyResult {
    if holds {
        Ok(())
    } else {
        Err(op.op_error(context, message()))
    }
}
