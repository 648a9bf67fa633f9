//! Constants in the representation of operation semantics.

use orison_ir::{Context, Value};
use orison_ori::Register;
use orison_ori::analyses::properties::immediate;
use orison_ori::semantics::Bits;

/// Width in bits of a register class that immediates may have; `None` for others.
const fn width(register: Register) -> Option<u32> {
    match register {
        Register::P | Register::Up => Some(1),
        Register::R | Register::Ur => Some(32),
        Register::R64 | Register::Ur64 => Some(64),
        _ => None,
    }
}

/// The bits of an immediate, truncated to the width of its register; `None` for other values.
pub(super) fn known_bits(context: &Context, value: Value) -> Option<Bits> {
    let number = immediate(context, value)?;
    let width = width(Register::of(context, value.ty(context))?)?;
    Some(Bits::from(
        number.cast_unsigned() & (u64::MAX >> (64 - width)),
    ))
}

/// The value of an immediate with these bits: signed, except for predicates.
pub(super) fn immediate_bits(register: Register, bits: Bits) -> Option<i64> {
    match width(register)? {
        1 => Some((bits & 1) as i64),
        32 => Some(i64::from(bits as u32 as i32)),
        _ => Some(bits as u64 as i64),
    }
}
