//! Classes of operations that the profitability of hoisting distinguishes.

use orison_ir::{Context, Operation, Value};
use orison_machine::Space;
use orison_ori::Register;

use crate::ori::loops::reads;
use orison_ori::analyses::pressure;
use orison_ori::analyses::properties::is_instruction;
use orison_ori::operations::moves::{Mov, Umov};

/// Whether an operation reads a constant bank at a computed address.
pub(super) fn is_constant_load(context: &Context, op: Operation) -> bool {
    is_instruction(context, op)
        && op.operand_count(context) > 0
        && reads(context, op, &[Space::Constant])
}

/// Whether an operation copies.
pub(super) fn is_move(context: &Context, op: Operation) -> bool {
    Mov::of(context, op).is_some() || Umov::of(context, op).is_some()
}

/// The registers that a value needs: 64 bits are two, a predicate is one.
pub(super) fn registers(context: &Context, value: Value) -> u32 {
    let register: Option<Register> = pressure::needed(context, value);
    register.map_or(0, |register| pressure::RegisterClass::of(register).1)
}
