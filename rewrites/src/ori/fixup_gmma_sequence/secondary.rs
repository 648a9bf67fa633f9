//! Third validator: all accumulators and factors of the function fit in the registers.

use super::causes::Cause;
use super::demand::Demand;

/// Fails if they need more registers than a thread may have.
pub(super) fn validate(demand: &Demand, limit: u32) -> Result<(), Cause> {
    if demand.exceeds_function(limit) {
        Err(Cause::FunctionRegisters)
    } else {
        Ok(())
    }
}
