//! Fourth validator: no other instruction reads or writes a register in flight.

use orison_ir::Operation;

use super::causes::Cause;
use super::flight::Conflict;

/// Fails with the first conflict in the order of the text; a factor that is written comes first.
pub(super) fn validate(conflicts: &[Conflict]) -> Result<(), (Cause, Option<Operation>)> {
    let mut all = conflicts.iter();
    let input = all.find(|conflict| conflict.cause == Cause::InputDefined);
    match input.or(conflicts.first()) {
        Some(conflict) => Err((conflict.cause, conflict.op)),
        None => Ok(()),
    }
}
