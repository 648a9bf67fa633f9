//! Loads and stores of `.param` variables: parts of registers instead of memory.

use orison_ir::Value;
use orison_ori::operations as ori;
use orison_ori::{MachineOperation, Register};

use super::body::Step;
use super::emitter::{Emitter, named_offset};
use super::registers::{Cell, Registers, register_of};
use crate::ptx::ast::{Expression, Instruction};

const R: Register = Register::R;

/// A load or store of a `.param` variable, within its bounds.
pub(super) struct Access<'s> {
    pub is_store: bool,
    /// The type of an element.
    ty: &'s str,
    /// Bytes of an element.
    bytes: u32,
    /// Number of elements.
    count: u32,
    /// Its offset in the variable, in bytes.
    offset: u32,
    /// The cells it accesses.
    pub cells: Vec<Cell>,
    /// Whether it covers these cells completely.
    pub whole: bool,
}

impl<'s> Access<'s> {
    /// The access of an instruction; `None` if it is not one, or unknown.
    pub fn of(registers: &Registers<'_>, step: &Step<'s>) -> Option<Self> {
        let instruction: &'s Instruction<'s> = step.instruction;
        let is_store = match instruction.name {
            "st" => true,
            "ld" => false,
            _ => return None,
        };
        let (space, rest) = instruction.modifiers.split_first()?;
        matches!(*space, ".param" | ".param::func").then_some(())?;
        let (count, ty) = match rest {
            [ty] => (1, *ty),
            [".v2", ty] => (2, *ty),
            [".v4", ty] => (4, *ty),
            [".v8", ty] => (8, *ty),
            _ => return None,
        };
        let bytes = bytes_of(ty)?;
        let [first, second] = instruction.operands.as_slice() else {
            return None;
        };
        let place = if is_store { first } else { second };
        let Expression::Address(parts) = place else {
            return None;
        };
        let [part] = parts.as_slice() else {
            return None;
        };
        let (name, offset) = named_offset(part)?;
        let offset = u32::try_from(offset).ok()?;
        let all = registers.variable(step.scope, name)?;
        let last = all.last()?;
        let end = offset.checked_add(bytes * count)?;
        (offset % bytes == 0 && end <= last.offset + last.bytes).then_some(())?;
        let touched = |cell: &&Cell| cell.offset < end && offset < cell.offset + cell.bytes;
        let cells: Vec<_> = all.iter().filter(touched).copied().collect();
        let (low, high) = (cells.first()?, cells.last()?);
        let whole = low.offset == offset && high.offset + high.bytes == end;
        Some(Access {
            is_store,
            ty,
            bytes,
            count,
            offset,
            cells,
            whole,
        })
    }
}

/// Bytes of the type of a load or store.
pub(super) fn bytes_of(ty: &str) -> Option<u32> {
    Some(match ty {
        ".b8" | ".u8" | ".s8" => 1,
        ".b16" | ".u16" | ".s16" | ".f16" | ".bf16" => 2,
        ".b32" | ".u32" | ".s32" | ".f32" | ".f16x2" | ".bf16x2" => 4,
        ".b64" | ".u64" | ".s64" | ".f64" => 8,
        ".b128" => 16,
        _ => return None,
    })
}

/// A load or store of a `.param` variable; `None` if it is not one.
pub(super) fn transfer<'a>(emitter: &mut Emitter<'_, 'a>, step: &Step<'a>) -> Option<()> {
    let access = Access::of(emitter.registers, step)?;
    let [first, second] = step.instruction.operands.as_slice() else {
        return None;
    };
    let value = if access.is_store { second } else { first };
    let parts = match value {
        Expression::Vector(parts) => parts.as_slice(),
        one => std::slice::from_ref(one),
    };
    if u32::try_from(parts.len()) != Ok(access.count) {
        return None;
    }
    for (part, number) in parts.iter().zip(0..) {
        let offset = access.offset + number * access.bytes;
        if access.is_store {
            let register = register_of(access.ty);
            let value = emitter.read(part, register)?;
            store(emitter, &access, offset, value)?;
        } else {
            let value = load(emitter, &access, offset)?;
            emitter.write(part, value)?;
        }
    }
    Some(())
}

/// The cell that holds the byte at an offset.
fn cell_at<'c>(access: &'c Access<'_>, offset: u32) -> Option<&'c Cell> {
    let mut cells = access.cells.iter();
    cells.find(|cell| cell.offset <= offset && offset < cell.offset + cell.bytes)
}

/// Selector of `ori.prmt` for the extended bytes of a value at an offset of a 32-bit value.
fn extension(ty: &str, bytes: u32, byte: u32) -> i64 {
    let mut selector = 0;
    for place in (0..4).rev() {
        let source = if place < bytes {
            byte + place
        } else if ty.starts_with(".s") {
            // The sign of the highest byte.
            8 | (byte + bytes - 1)
        } else {
            4
        };
        selector = selector << 4 | i64::from(source);
    }
    selector
}

fn permute(emitter: &mut Emitter<'_, '_>, value: Value, selector: i64, other: Value) -> Value {
    let selector = emitter.immediate(selector, R);
    let op = MachineOperation::new(ori::Prmt::NAME)
        .operand("a", value)
        .operand("b", selector)
        .operand("c", other)
        .result(R);
    let op = op.word(emitter.context(), "permutation", "idx");
    emitter.emit(op)
}

fn load(emitter: &mut Emitter<'_, '_>, access: &Access<'_>, offset: u32) -> Option<Value> {
    let cell = *cell_at(access, offset)?;
    let held = emitter.values[cell.number]?;
    let register = register_of(access.ty);
    if access.bytes >= 4 && cell.register == register && cell.offset == offset {
        return Some(held);
    }
    if access.bytes < 4 {
        let inside = offset - cell.offset;
        let word = emitter.word(held, inside / 4);
        let zero = emitter.immediate(0, R);
        let selector = extension(access.ty, access.bytes, inside % 4);
        return Some(permute(emitter, word, selector, zero));
    }
    let mut words = Vec::new();
    for distance in (0..access.bytes).step_by(4) {
        let cell = *cell_at(access, offset + distance)?;
        let held = emitter.values[cell.number]?;
        words.push(emitter.word(held, (offset + distance - cell.offset) / 4));
    }
    Some(emitter.concat(&words))
}

fn store(
    emitter: &mut Emitter<'_, '_>,
    access: &Access<'_>,
    offset: u32,
    value: Value,
) -> Option<()> {
    let cell = *cell_at(access, offset)?;
    let covers = cell.offset == offset && cell.bytes <= access.bytes;
    if covers && cell.register == register_of(access.ty) {
        return emitter.set(cell.number, value);
    }
    if access.bytes < 4 {
        let inside = offset - cell.offset;
        let held = emitter.values[cell.number]?;
        let word = emitter.word(held, inside / 4);
        let mut selector = 0x3210;
        for place in 0..access.bytes {
            let shift = 4 * (inside % 4 + place);
            selector = selector & !(0xf << shift) | i64::from(4 + place) << shift;
        }
        let word = permute(emitter, word, selector, value);
        return replace_word(emitter, &cell, inside / 4, word);
    }
    for word in 0..access.bytes / 4 {
        let place = offset + 4 * word;
        let cell = *cell_at(access, place)?;
        let part = emitter.word(value, word);
        replace_word(emitter, &cell, (place - cell.offset) / 4, part)?;
    }
    Some(())
}

/// Writes a 32-bit part of a cell.
fn replace_word(emitter: &mut Emitter<'_, '_>, cell: &Cell, word: u32, value: Value) -> Option<()> {
    let count = cell.register.words()?;
    if count == 1 {
        return emitter.set(cell.number, value);
    }
    let held = emitter.values[cell.number]?;
    let parts: Vec<_> = (0..count)
        .map(|each| {
            if each == word {
                value
            } else {
                emitter.word(held, each)
            }
        })
        .collect();
    let whole = emitter.concat(&parts);
    emitter.set(cell.number, whole)
}
