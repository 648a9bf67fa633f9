//! The stack frame of a function.

use orison_ir::{Context, Operation};
use orison_ori::operations as ori;
use orison_ori::operations::stack::Frame;
use orison_ori::operations::structure::Func;
use orison_sass::registers::Register;

/// The stack pointer.
pub const STACK: Register = Register::general(1);
/// The alignment of a stack frame in bytes.
pub const FRAME_ALIGNMENT: u32 = 8;

/// The size of the frame of a function in bytes, without the registers that it keeps for its callers.
pub fn frame_size(context: &Context, function: Func) -> u32 {
    let frame = Frame::of(context, function);
    let alignment = frame.alignment().max(FRAME_ALIGNMENT);
    frame.size().next_multiple_of(alignment)
}

/// The distance of a slot of the frame from the stack pointer, in bytes.
pub fn slot_offset(context: &Context, op: Operation) -> u32 {
    let name = ori::SlotAddress(op).slot(context).unwrap_or_default();
    let function = op.parent_op(context).map(Func);
    let frame = function
        .map(|function| Frame::of(context, function))
        .unwrap_or_default();
    let slot = frame.slots.iter().find(|slot| slot.name == name);
    slot.map_or(0, |slot| slot.offset)
}
