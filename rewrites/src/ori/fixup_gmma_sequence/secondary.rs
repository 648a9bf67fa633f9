//! Third validator: all accumulators and factors of the function fit in the registers.

use super::causes::Cause;
use crate::ori::matrix_registers::{MatrixRegisters, RegisterLimit};

/// Fails if they need more registers than a thread may have.
pub(super) fn validate(registers: &MatrixRegisters, limit: RegisterLimit) -> Result<(), Cause> {
    registers.check_function(limit).map_err(Cause::from)
}
