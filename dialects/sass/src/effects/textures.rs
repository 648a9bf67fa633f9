//! The number of registers that textures and surfaces read and write, from their shape (as listed
//! by nvdisasm for held-out code of sm_75 to sm_120, and PTX's `tex`, `tld4`, `suld`).
//!
//! A texture has two destinations: the second has the first two components that its mask leaves,
//! the first one the others. Its coordinates, array index first, are followed by level, offsets,
//! depth and handle. With `.SCR` all of them are one list in two halves; without, coordinates are
//! in the first source and the rest in the second.

use crate::instruction::{Immediate, Instruction, Operand};

/// Registers of the components of a texture: those of the second destination, and with `rest` those
/// of the first.
pub(super) fn texels(instruction: &Instruction, rest: bool) -> u8 {
    let mask = match instruction.operands.last() {
        Some(Operand::Immediate(Immediate::Integer { magnitude, .. })) => *magnitude & 0xf,
        _ => 0xf,
    };
    let packed = instruction.mnemonic.has("F16");
    let (components, first) = match packed {
        true => (mask.count_ones().div_ceil(2), 1),
        false => (mask.count_ones(), 2),
    };
    narrow(if rest {
        components.saturating_sub(first)
    } else {
        components.min(first)
    })
}

/// Registers of the first source of a texture, and with `rest` those of the second.
pub(super) fn coordinates(instruction: &Instruction, rest: bool) -> u8 {
    let mnemonic = &instruction.mnemonic;
    let shape = instruction
        .operands
        .iter()
        .find_map(|operand| dimensions(&operand.to_string()));
    let (dimensions, index) = shape.unwrap_or((1, 0));
    let handle = u32::from(mnemonic.has("B"));
    let split = mnemonic.has("SCR") && mnemonic.base() != "TXD";
    let (first, second) = if mnemonic.base() == "TXD" {
        (dimensions + index + handle, 2 * dimensions)
    } else if mnemonic.base() == "TXQ" {
        (dimensions + handle, 0)
    } else {
        let one = |name: &str| u32::from(mnemonic.has(name));
        let level = mnemonic
            .modifiers()
            .any(|found| matches!(found, "LL" | "LB"));
        let more = u32::from(level) + one("AOFFI") + one("DC") + one("MS");
        (dimensions + index, more + handle)
    };
    let all = first + second;
    let first = if split { all.div_ceil(2) } else { first };
    narrow(if rest { all - first } else { first }).max(1)
}

/// Registers of the coordinates in a surface.
pub(super) fn place(instruction: &Instruction) -> u8 {
    let mut shapes = instruction.mnemonic.modifiers().filter_map(dimensions);
    let (dimensions, index) = shapes.next().unwrap_or((1, 0));
    narrow(dimensions + index)
}

/// Number of coordinates of a shape, and one for the index of an array.
fn dimensions(shape: &str) -> Option<(u32, u32)> {
    let (index, plain) = match shape
        .strip_prefix("ARRAY_")
        .or_else(|| shape.strip_suffix("_ARRAY"))
    {
        Some(plain) => (1, plain),
        None => (0, shape),
    };
    let dimensions = match plain {
        "1D" => 1,
        "2D" => 2,
        "3D" | "CUBE" => 3,
        _ => return None,
    };
    Some((dimensions, index))
}

fn narrow(count: u32) -> u8 {
    u8::try_from(count).unwrap_or(u8::MAX)
}
