//! The kinds of operands, as the instruction table names them.

use orison_machine::OperandKind;

use crate::instruction::{AddressSpace, Operand};
use crate::registers::RegisterFile;

/// The kind of an operand.
pub fn kind(operand: &Operand) -> OperandKind {
    match operand {
        Operand::Register(found) => match found.register.file {
            RegisterFile::General => OperandKind::General,
            RegisterFile::Uniform => OperandKind::Uniform,
            RegisterFile::Predicate => OperandKind::Predicate,
            RegisterFile::UniformPredicate => OperandKind::UniformPredicate,
            RegisterFile::Convergence => OperandKind::Convergence,
            RegisterFile::Scoreboard => OperandKind::Scoreboard,
            RegisterFile::GroupScoreboard => OperandKind::Groups,
        },
        Operand::Immediate(_) => OperandKind::Number,
        Operand::Constant(_) => OperandKind::Constant,
        Operand::Memory(memory) => match memory.space {
            AddressSpace::Plain => OperandKind::Memory,
            AddressSpace::MatrixDescriptor => OperandKind::MatrixDescriptor,
            AddressSpace::InstructionDescriptor => OperandKind::InstructionDescriptor,
            AddressSpace::Tensor => OperandKind::TensorMemory,
            AddressSpace::Descriptor => OperandKind::Descriptor,
        },
        Operand::Label(_) | Operand::Relative { .. } | Operand::Relocation(_) => OperandKind::Code,
        Operand::Special(_) => OperandKind::Special,
        Operand::AllPredicates { uniform: false } => OperandKind::Predicates,
        Operand::AllPredicates { uniform: true } => OperandKind::UniformPredicates,
        Operand::Scoreboards(_) => OperandKind::Scoreboards,
        Operand::Other(_) | Operand::Opaque(_) => OperandKind::Word,
    }
}
