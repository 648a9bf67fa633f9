//! First validator: every accumulator keeps its registers.

use super::causes::Cause;
use super::demand::Demand;

/// Fails if accumulators share registers such that one must be copied between products.
pub(super) fn validate(demand: &Demand) -> Result<(), Cause> {
    if demand.copies {
        Err(Cause::PipelineRegisters)
    } else {
        Ok(())
    }
}
