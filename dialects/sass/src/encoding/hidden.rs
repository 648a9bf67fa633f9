//! The registers that nvdisasm does not show.

use super::Encoding;
use crate::instruction::{AddressSpace, Instruction, MemoryOperand, Operand};
use crate::registers::Register;

/// Sets [`MemoryOperand::hidden_descriptor`] from the encoding.
pub fn reveal_descriptor(instruction: &mut Instruction, encoding: Encoding) {
    let row = instruction
        .mnemonic
        .opcode()
        .map(orison_machine::Opcode::row);
    let hidden = row
        .filter(|row| row.destinations.is_some())
        .and_then(|row| row.hidden);
    let Some(start) = hidden.filter(|_| encoding.field(91, 1) == 1) else {
        return;
    };
    let index = u8::try_from(encoding.field(start, 6)).unwrap_or_default();
    let is_global = |memory: &&mut MemoryOperand| {
        memory.space == AddressSpace::Plain
            && memory
                .address
                .registers
                .iter()
                .any(|found| &*found.selector == "64")
    };
    let memories = instruction
        .operands
        .iter_mut()
        .filter_map(|operand| match operand {
            Operand::Memory(memory) => Some(memory),
            _ => None,
        });
    // A copy has the address in shared memory first.
    if let Some(memory) = memories.filter(is_global).last()
        && memory.descriptor.is_none()
        && index != 63
    {
        memory.hidden_descriptor = Some(Register::uniform(index));
    }
}
