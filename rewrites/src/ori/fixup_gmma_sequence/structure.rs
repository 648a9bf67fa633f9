//! Second validator: the accumulators of each stage fit in the registers.

use super::causes::Cause;
use crate::ori::matrix_registers::{MatrixRegisters, RegisterLimit};

/// Fails if the accumulators between two fences need more registers than a thread may have.
pub(super) fn validate(registers: &MatrixRegisters, limit: RegisterLimit) -> Result<(), Cause> {
    registers.check_stages(limit).map_err(Cause::from)
}
