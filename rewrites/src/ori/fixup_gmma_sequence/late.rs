//! Fourth validator: no other instruction reads or writes a register in flight.

use super::causes::Cause;
use super::flight::Conflict;

/// Fails with the first conflict in the order of the text; a factor that is written comes first.
pub(super) fn validate(conflicts: &[Conflict]) -> Result<(), Conflict> {
    let mut all = conflicts.iter();
    let input = all.find(|conflict| conflict.cause == Cause::InputDefined);
    match input.or(conflicts.first()) {
        Some(conflict) => Err(*conflict),
        None => Ok(()),
    }
}
