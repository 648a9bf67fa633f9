//! The order of accesses to memory.

use orison_machine::Space;
use orison_sass::effects::{self, Effects};
use orison_sass::instruction::{AddressSpace, Guard, Instruction, MemoryOperand, Operand};
use orison_sass::registers::Register;

use super::registers::Registers;
use crate::order::{Bytes, Use, Window};

/// What addresses count from: equal sums of registers are comparable in the same space, and in generic and
/// global memory, whose addresses are the same.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Origin {
    Window(Window),
    Generic,
}

/// The sum of registers in an address: each with its selector, and how often it, and the one behind it if it is
/// a pair, were written before.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Base {
    origin: Origin,
    registers: Vec<(Register, Box<str>, [u32; 2])>,
}

/// The accesses of an instruction, with the values that registers have in front of it. One that writes counts
/// as one that also reads.
pub(super) fn uses(
    instruction: &Instruction,
    effects: &Effects,
    registers: &Registers,
) -> Vec<Use<Base>> {
    let memory = effects::memory(&instruction.mnemonic);
    let operands = operands(instruction);
    let touched = memory
        .reads
        .iter()
        .filter(|space| !memory.writes.contains(space));
    let touched = touched.map(|space| (*space, false));
    let touched = touched.chain(memory.writes.iter().map(|space| (*space, true)));
    let found = touched.map(|(space, writes)| {
        let operand = match (operands.as_slice(), instruction.mnemonic.base()) {
            ([only], "LD" | "LDG" | "LDS" | "LDL" | "ST" | "STG" | "STS" | "STL") => Some(only),
            // A copy has the address that it writes first.
            ([shared, global], "LDGSTS") => Some(if writes { shared } else { global }),
            _ => None,
        };
        let bytes = operand.map(|(number, operand)| Bytes {
            base: base(space, (*number, operand), effects, registers),
            named: false,
            first: operand.address.offset.unwrap_or(0),
            count: size(instruction),
        });
        Use {
            windows: Window::of(space),
            writes,
            bytes: bytes.filter(|_| !instruction.guard.is_some_and(Guard::is_never)),
        }
    });
    found.filter(|found| !found.windows.is_empty()).collect()
}

/// The operands that are addresses, with their indices.
fn operands(instruction: &Instruction) -> Vec<(usize, &MemoryOperand)> {
    let operands = instruction.operands.iter().enumerate();
    let addresses = operands.filter_map(|(number, operand)| match operand {
        Operand::Memory(memory) if memory.space == AddressSpace::Plain => Some((number, memory)),
        _ => None,
    });
    addresses.collect()
}

fn base(
    space: Space,
    (number, operand): (usize, &MemoryOperand),
    effects: &Effects,
    registers: &Registers,
) -> Base {
    let origin = match Window::of(space) {
        [only] if *only != Window::Global => Origin::Window(*only),
        _ => Origin::Generic,
    };
    let added = operand.address.registers.iter();
    let added = added.filter(|found| !found.register.is_constant());
    let values = added.map(|found| {
        let first = found.register;
        let is_pair = effects.uses.iter().any(|access| {
            let range = access.range;
            access.operand == Some(number)
                && (range.file, range.first) == (first.file, first.index)
                && range.count > 1
        });
        let second = Register::new(first.file, first.index.saturating_add(1));
        let high = if is_pair {
            registers.version(second)
        } else {
            0
        };
        (
            first,
            found.selector.clone(),
            [registers.version(first), high],
        )
    });
    let mut registers: Vec<_> = values.collect();
    registers.sort();
    Base { origin, registers }
}

/// The bytes that a thread accesses.
fn size(instruction: &Instruction) -> u8 {
    let mut sizes = instruction.mnemonic.modifiers().filter_map(|modifier| {
        Some(match modifier {
            "U8" | "S8" => 1,
            "U16" | "S16" => 2,
            "64" => 8,
            "128" => 16,
            "256" => 32,
            _ => return None,
        })
    });
    sizes.next().unwrap_or(4)
}
