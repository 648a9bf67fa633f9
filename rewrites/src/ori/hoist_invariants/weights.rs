//! Classes of operations that the profitability of hoisting distinguishes.

use orison_ir::{Context, Operation, Value};
use orison_machine::Space;
use orison_ori::Register;
use orison_ori::analyses::pressure;
use orison_ori::analyses::properties::is_instruction;
use orison_ori::opcodes;
use orison_ori::operations::moves::{Mov, Umov};

/// Whether an operation only reads memory of some spaces.
fn reads(context: &Context, op: Operation, spaces: &[Space]) -> bool {
    opcodes::of(context, op).is_some_and(|row| {
        row.writes.is_empty() && row.reads.iter().any(|space| spaces.contains(space))
    })
}

/// Whether an operation reads memory that is far: global memory, at any address, or textures.
pub(super) fn is_long_latency(context: &Context, op: Operation) -> bool {
    let far = [
        Space::Global,
        Space::Generic,
        Space::Texture,
        Space::Surface,
    ];
    reads(context, op, &far)
}

/// Whether an operation reads a texture or a surface.
pub(super) fn is_texture(context: &Context, op: Operation) -> bool {
    reads(context, op, &[Space::Texture, Space::Surface])
}

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
