//! `.debug_frame`: where the caller's frame is, for debuggers.

use crate::encoding::Encoding;
use crate::function::Function;
use crate::instruction::{Immediate, Operand};
use crate::registers::RegisterFile;

/// Numbers of registers have their kind in bits 24 and above: those of threads have 5.
const STACK_POINTER: u32 = 5 << 24 | 1;
const ZERO_REGISTER: u32 = 5 << 24 | 255;

const ADVANCE: u8 = 0x04;
const SAME_VALUE: u8 = 0x08;
const DEFINE_FRAME: u8 = 0x0c;
const DEFINE_OFFSET: u8 = 0x0e;

/// The offset of the start of the function, which is filled in later, from the start of its entry.
pub(super) const LOCATION: u64 = 20;

/// The entry that the entries of all functions refer to. The frame of a caller begins at its stack pointer.
pub(super) fn common() -> Vec<u8> {
    // The version, no augmentation, the units of code and data, no register with the return address.
    let mut rules = vec![3, 0, 4, 0x7c];
    number(&mut rules, u32::MAX);
    rules.push(DEFINE_FRAME);
    number(&mut rules, STACK_POINTER);
    number(&mut rules, 0);
    for register in [ZERO_REGISTER, STACK_POINTER] {
        rules.push(SAME_VALUE);
        number(&mut rules, register);
    }
    entry(u64::MAX, &rules)
}

/// The entry of a function: behind the instruction that moves the stack pointer, its caller's frame is at an offset.
pub(super) fn of_function(function: &Function<'_>) -> Vec<u8> {
    let size = Encoding::BYTES * u64::try_from(function.instructions().count()).unwrap_or(0);
    let mut rules = Vec::new();
    rules.extend(0u64.to_le_bytes());
    rules.extend(size.to_le_bytes());
    if let Some((place, frame)) = adjustment(function) {
        rules.push(ADVANCE);
        // In units of four bytes.
        rules.extend((place / 4).to_le_bytes());
        rules.push(DEFINE_OFFSET);
        number(&mut rules, frame);
    }
    entry(0, &rules)
}

/// The address behind the instruction that makes room on the stack, and how much.
fn adjustment(function: &Function<'_>) -> Option<(u32, u32)> {
    for (index, found) in function.instructions().enumerate() {
        let [Operand::Register(to), sources @ ..] = &found.operands[..] else {
            continue;
        };
        let is_stack = to.register.file == RegisterFile::General && to.register.index == 1;
        let moved = sources.iter().find_map(|source| match source {
            Operand::Immediate(Immediate::Integer {
                negative: true,
                magnitude,
            }) => u32::try_from(*magnitude).ok(),
            _ => None,
        });
        if let Some(frame) = moved.filter(|_| is_stack) {
            return Some((u32::try_from(index + 1).ok()? * 16, frame));
        }
    }
    None
}

/// A number in 7 bits a byte, the lowest first.
fn number(bytes: &mut Vec<u8>, mut value: u32) {
    loop {
        let low = u8::try_from(value & 0x7f).unwrap_or_default();
        value >>= 7;
        if value == 0 {
            bytes.push(low);
            return;
        }
        bytes.push(low | 0x80);
    }
}

/// An entry in the 64-bit format, filled up to eight bytes.
fn entry(common: u64, rules: &[u8]) -> Vec<u8> {
    let size = (8 + rules.len()).next_multiple_of(4);
    let mut bytes = u32::MAX.to_le_bytes().to_vec();
    bytes.extend(u64::try_from(size).unwrap_or(0).to_le_bytes());
    bytes.extend(common.to_le_bytes());
    bytes.extend_from_slice(rules);
    bytes.resize(12 + size, 0);
    bytes
}
