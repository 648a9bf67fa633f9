//! Second validator: the accumulators of each stage fit in the registers.

use super::causes::Cause;
use super::demand::Demand;

/// Fails if the accumulators between two fences need more registers than a thread may have.
pub(super) fn validate(demand: &Demand, limit: u32) -> Result<(), Cause> {
    if demand.exceeds_stage(limit) {
        Err(Cause::PipelineRegisters)
    } else {
        Ok(())
    }
}
