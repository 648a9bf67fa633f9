//! First validator: every accumulator keeps its registers.

use super::causes::Cause;
use crate::ori::matrix_registers::MatrixRegisters;

/// Fails if accumulators share registers such that one must be copied between products.
pub(super) fn validate(registers: &MatrixRegisters) -> Result<(), Cause> {
    registers.check_overlap().map_err(Cause::from)
}
