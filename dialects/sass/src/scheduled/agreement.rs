//! Checks whether an encoding matches an instruction.
//!
//! There is no encoder, so this cannot be decided completely; but guards and registers are always
//! in the same fields (reference 10.6), so most changes of operands are detected.

use super::Scheduled;
use crate::encoding::Encoding;
use crate::instruction::{Instruction, Operand};
use crate::registers::{Register, RegisterFile};

/// Possible start bits of register numbers. Those at 40 and 48 are of metadata of sparse products,
/// of cache hints and of tensor memory.
const FIELDS: [u32; 6] = [16, 24, 32, 64, 40, 48];

/// A difference between the encoding of an instruction and its text; `None` if no difference is
/// detected, and without an encoding.
pub fn disagreement(instruction: &Scheduled<'_>) -> Option<String> {
    let encoding = instruction
        .encoding()
        .filter(|_| !instruction.is_opaque())?;
    let (index, negated) = instruction
        .guard
        .map_or((7, false), |guard| (number(guard.predicate), guard.negated));
    if encoding.field(12, 3) != index || (encoding.field(15, 1) == 1) != negated {
        return Some("the encoding has a different guard".to_owned());
    }
    let missing = registers(instruction).find(|register| !names(encoding, *register))?;
    Some(format!("the encoding does not name {missing}"))
}

/// The encoding of a register.
fn number(register: Register) -> u64 {
    match (register.is_constant(), register.file.is_predicate()) {
        (true, true) => 7,
        _ => u64::from(register.index),
    }
}

/// The registers of an instruction that are encoded in whole bytes.
fn registers(instruction: &Instruction) -> impl Iterator<Item = Register> {
    let wide = |register: &Register| {
        matches!(register.file, RegisterFile::General | RegisterFile::Uniform)
            && !register.is_constant()
    };
    let operands = &instruction.operands;
    let found = operands.iter().enumerate().filter(|(number, operand)| {
        let before = number.checked_sub(1).map(|before| &operands[before]);
        !before.is_some_and(|before| continues(before, operand))
    });
    found
        .flat_map(|(_, operand)| of_operand(operand))
        .filter(wide)
}

/// Whether the address of an operand is in the register after that of the previous one, so that it
/// is not encoded: `tmem[UR4], idesc[UR5]`.
fn continues(before: &Operand, operand: &Operand) -> bool {
    let only = |operand: &Operand| match operand {
        Operand::Memory(memory) => match memory.address.registers.as_slice() {
            [only] if memory.descriptor.is_none() => Some(only.register),
            _ => None,
        },
        _ => None,
    };
    let (Some(before), Some(after)) = (only(before), only(operand)) else {
        return false;
    };
    before.file == after.file && before.index.checked_add(1) == Some(after.index)
}

fn of_operand(operand: &Operand) -> Vec<Register> {
    match operand {
        Operand::Register(found) => vec![found.register],
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

/// Whether one of the fields contains the register. Uniform ones have six bits before sm_100.
fn names(encoding: Encoding, register: Register) -> bool {
    let width = if register.file == RegisterFile::General || register.index > 62 {
        8
    } else {
        6
    };
    FIELDS
        .iter()
        .any(|start| encoding.field(*start, width) == number(register))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instruction::parse;
    use crate::scheduled::Imported;

    /// `@!P0 LDG.E R20, [R2.64]` of sm_80, with nvdisasm's text.
    fn load(text: &str) -> Scheduled<'static> {
        let encoding = Encoding {
            low: 0x0000_0004_0214_8981,
            high: 0x000e_a200_0c1e_1900,
        };
        Scheduled {
            imported: Some(Imported {
                encoding,
                fingerprint: None,
            }),
            ..Scheduled::new(parse(text).expect("an instruction"))
        }
    }

    #[test]
    fn an_encoding_agrees_with_its_text() {
        assert_eq!(disagreement(&load("@!P0 LDG.E R20, [R2.64]")), None);
    }

    /// The sign of the guard is bit 15, its predicate bits 12 to 14.
    #[test]
    fn another_guard_disagrees() {
        for text in [
            "@P0 LDG.E R20, [R2.64]",
            "@!P1 LDG.E R20, [R2.64]",
            "LDG.E R20, [R2.64]",
        ] {
            let found = disagreement(&load(text)).expect(text);
            assert!(found.contains("guard"), "{found}");
        }
    }

    #[test]
    fn a_register_that_is_not_encoded_disagrees() {
        for (text, register) in [
            ("@!P0 LDG.E R21, [R2.64]", "R21"),
            ("@!P0 LDG.E R20, [R6.64]", "R6"),
        ] {
            let found = disagreement(&load(text)).expect(text);
            assert!(found.contains(register), "{found}");
        }
    }
}
