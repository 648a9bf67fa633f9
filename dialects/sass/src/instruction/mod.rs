//! Instructions: guard, mnemonic, operands.

mod flow;
mod operand;
mod parse;
mod print;
#[cfg(test)]
mod tests;

pub(crate) use flow::is_conditional;
pub use flow::{Flow, flow};
pub use operand::{
    Address, AddressRegister, AddressSpace, ConstantBank, ConstantOperand, Immediate,
    MemoryOperand, Operand, RegisterOperand,
};
pub use parse::{ParseError, is_remark, parse, parse_operand};
pub use print::Code;

use orison_machine::{Category, Opcode};

use crate::registers::{Register, RegisterFile};

/// `@P0`, `@!UP1`: the threads that execute an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Guard {
    /// A predicate, or a uniform one.
    pub predicate: Register,
    /// Whether the threads are those for which it is false.
    pub negated: bool,
}

impl Guard {
    /// Whether no thread executes: `@!PT`.
    pub fn is_never(self) -> bool {
        self.predicate.is_constant() && self.negated
    }
}

/// A mnemonic with its modifiers: `LDG.E.128.CONSTANT`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Mnemonic {
    opcode: Option<Opcode>,
    text: Box<str>,
}

impl Mnemonic {
    /// A mnemonic in nvdisasm syntax.
    pub fn new(text: &str) -> Mnemonic {
        Mnemonic {
            opcode: Opcode::named(base(text)),
            text: text.into(),
        }
    }

    /// The instruction, if the instruction table has it.
    pub fn opcode(&self) -> Option<Opcode> {
        self.opcode
    }

    /// The complete text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text before the first dot: `LDG`.
    pub fn base(&self) -> &str {
        base(&self.text)
    }

    /// The parts after the first dot, in order.
    pub fn modifiers(&self) -> impl Iterator<Item = &str> + Clone {
        self.text.split('.').skip(1)
    }

    /// Whether it has a modifier.
    pub fn has(&self, modifier: &str) -> bool {
        self.modifiers().any(|found| found == modifier)
    }
}

fn base(mnemonic: &str) -> &str {
    mnemonic.split('.').next().unwrap_or_default()
}

/// What an instruction does: the attribute `instruction` of its operation. `Display` prints it as
/// nvdisasm does.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Instruction {
    /// The threads that execute it; all without a guard.
    pub guard: Option<Guard>,
    /// The mnemonic.
    pub mnemonic: Mnemonic,
    /// The operands, in the order of the text.
    pub operands: Vec<Operand>,
    /// The labels a `BRX` may branch to: a comment in the text, from the tables that ptxas emits.
    pub targets: Vec<Box<str>>,
    /// Another comment in the text, from ptxas' notes about instructions: `SpillRefill`.
    pub remark: Option<Box<str>>,
}

impl Instruction {
    /// An instruction without guard and operands.
    pub fn new(mnemonic: &str) -> Instruction {
        Instruction {
            guard: None,
            mnemonic: Mnemonic::new(mnemonic),
            operands: Vec::new(),
            targets: Vec::new(),
            remark: None,
        }
    }

    /// An instruction whose text, or whose registers, are not understood: it may do anything. Guard
    /// and mnemonic are kept if the text begins with them.
    pub fn opaque(text: &str) -> Instruction {
        let (mut found, rest) = parse::head(text);
        found.operands.push(Operand::Opaque(rest.into()));
        found
    }

    /// Whether it was made by [`Instruction::opaque`].
    pub fn is_opaque(&self) -> bool {
        matches!(self.operands.as_slice(), [Operand::Opaque(_)])
    }

    /// A hash of what the bits encode, without the control word: guard, mnemonic, operands, the
    /// descriptor that the text omits. Registers kept for reuse are part of the control word. The
    /// same in every version (FNV-1a of the text).
    pub fn fingerprint(&self) -> u32 {
        let mut text = format!("{self:#}").replace(".reuse", "");
        if let Some(register) = self.hidden_descriptor() {
            text.push(' ');
            text.push_str(&register.to_string());
        }
        text.bytes().fold(0x811c_9dc5, |hash, byte| {
            (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
        })
    }

    /// The first register of the descriptor that the text omits
    /// ([`MemoryOperand::hidden_descriptor`]).
    pub fn hidden_descriptor(&self) -> Option<Register> {
        self.operands.iter().find_map(|operand| match operand {
            Operand::Memory(memory) => memory.hidden_descriptor,
            _ => None,
        })
    }

    /// Sets the descriptor that its text does not show, by its name.
    ///
    /// # Errors
    /// If it is not a uniform register, or no address may have it.
    pub fn hide_descriptor(&mut self, name: &str) -> Result<(), String> {
        let register = Register::from_name(name);
        let register = register.filter(|register| register.file == RegisterFile::Uniform);
        let register =
            register.ok_or_else(|| format!("descriptor '{name}' is not a uniform register"))?;
        let operands = self.operands.iter_mut();
        let memories = operands.filter_map(|operand| match operand {
            Operand::Memory(memory) if memory.space == AddressSpace::Plain => Some(memory),
            _ => None,
        });
        let memory = memories.last().filter(|memory| memory.descriptor.is_none());
        let memory = memory.ok_or("'descriptor' requires an address without a descriptor")?;
        memory.hidden_descriptor = Some(register);
        Ok(())
    }

    /// The number of reuse slots that its operands show; `None` if the text does not show them, as
    /// for textures.
    ///
    /// A sparse product marks its metadata, the last register, if it keeps the first factor.
    pub fn kept(&self) -> Option<usize> {
        let category = self.mnemonic.opcode().map(|opcode| opcode.row().category);
        if matches!(category, Some(Category::Texture | Category::Surface)) {
            return None;
        }
        let registers = self.operands.iter().filter_map(Operand::as_register);
        let last = registers.clone().next_back();
        let metadata = last.is_some_and(|found| found.reuse) && self.mnemonic.has("SP");
        Some(registers.filter(|found| found.reuse).count() - usize::from(metadata))
    }

    /// The labels that the operands name, followed by those of [`Instruction::targets`].
    pub fn labels(&self) -> impl Iterator<Item = &str> {
        let named = self.operands.iter().filter_map(|operand| match operand {
            Operand::Label(label) => Some(&**label),
            _ => None,
        });
        named.chain(self.targets.iter().map(|label| &**label))
    }
}
