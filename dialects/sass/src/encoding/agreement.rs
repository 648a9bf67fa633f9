//! Whether an encoding is one of an instruction.
//!
//! There is no encoder here, so this cannot be decided; but guards and registers always stand in the
//! same fields (reference 10.6), so that most changes of operands are noticed.

use super::Encoding;
use crate::instruction::{AddressSpace, Instruction, Operand};
use crate::registers::{Register, RegisterFile};

/// Where numbers of registers may start; products of tensor memory have their accumulator at 40.
const FIELDS: [u32; 5] = [16, 24, 32, 64, 40];

/// What the encoding of an instruction has otherwise than its text; none when they agree as far as
/// can be told, and without an encoding.
pub fn disagreement(instruction: &Instruction) -> Option<String> {
    let encoding = instruction.encoding?;
    let (index, negated) = instruction
        .guard
        .map_or((7, false), |guard| (number(guard.predicate), guard.negated));
    if encoding.field(12, 3) != index || (encoding.field(15, 1) == 1) != negated {
        return Some("the encoding has another guard".to_owned());
    }
    let tensor = |operand: &Operand| matches!(operand, Operand::Memory(memory) if memory.space == AddressSpace::Tensor);
    let count = if instruction.operands.iter().any(tensor) {
        5
    } else {
        4
    };
    let names = |register: &Register| names(encoding, *register, &FIELDS[..count]);
    let missing = registers(instruction).find(|register| !names(register))?;
    Some(format!("the encoding does not name {missing}"))
}

/// The number that stands for a register in an encoding.
fn number(register: Register) -> u64 {
    match (register.is_constant(), register.file.is_predicate()) {
        (true, true) => 7,
        _ => u64::from(register.index),
    }
}

/// The registers of an instruction that encodings name in whole bytes.
fn registers(instruction: &Instruction) -> impl Iterator<Item = Register> {
    let wide = |register: &Register| {
        matches!(register.file, RegisterFile::General | RegisterFile::Uniform)
            && !register.is_constant()
    };
    instruction
        .operands
        .iter()
        .flat_map(of_operand)
        .filter(wide)
}

fn of_operand(operand: &Operand) -> Vec<Register> {
    match operand {
        Operand::Register(found) => vec![found.register],
        // It is in the register behind that of the tensor memory before it, and not encoded.
        Operand::Memory(memory) if memory.space == AddressSpace::InstructionDescriptor => {
            Vec::new()
        }
        Operand::Memory(memory) => {
            let address = memory.address.registers.iter();
            let address = address.map(|found| found.register);
            address.chain(memory.descriptor).collect()
        }
        Operand::Constant(constant) => {
            let address = constant.address.registers.iter();
            address.map(|found| found.register).collect()
        }
        Operand::Relative { register, .. } => vec![*register],
        _ => Vec::new(),
    }
}

/// Whether one of the fields has the register. Uniform ones have six bits before sm_100.
fn names(encoding: Encoding, register: Register, fields: &[u32]) -> bool {
    let width = if register.file == RegisterFile::General || register.index > 62 {
        8
    } else {
        6
    };
    fields
        .iter()
        .any(|start| encoding.field(*start, width) == number(register))
}
