//! Instructions: guard, mnemonic, operands, control word, encoding.

mod operand;
mod parse;
mod print;
#[cfg(test)]
mod tests;

pub use operand::{
    Address, AddressRegister, AddressSpace, ConstantBank, ConstantOperand, Immediate,
    MemoryOperand, Operand, RegisterOperand,
};
pub use parse::{ParseError, is_remark, parse, parse_operand};

use orison_machine::Category;

use crate::control::ControlWord;
use crate::effects;
use crate::encoding::Encoding;
use crate::registers::Register;

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
pub struct Mnemonic(Box<str>);

impl Mnemonic {
    /// A mnemonic in nvdisasm syntax.
    pub fn new(text: &str) -> Mnemonic {
        Mnemonic(text.into())
    }

    /// The complete text.
    pub fn text(&self) -> &str {
        &self.0
    }

    /// The text before the first dot: `LDG`.
    pub fn base(&self) -> &str {
        self.0.split('.').next().unwrap_or_default()
    }

    /// The parts after the first dot, in order.
    pub fn modifiers(&self) -> impl Iterator<Item = &str> + Clone {
        self.0.split('.').skip(1)
    }

    /// Whether it has a modifier.
    pub fn has(&self, modifier: &str) -> bool {
        self.modifiers().any(|found| found == modifier)
    }
}

/// An instruction. `Display` prints it as nvdisasm does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Instruction {
    /// Its offset in its section, in bytes.
    pub address: u64,
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
    /// The control word.
    pub control: ControlWord,
    /// Its bits, if it was imported. Their control bits may be older than [`Instruction::control`].
    pub encoding: Option<Encoding>,
    /// For an imported instruction, the [`Instruction::fingerprint`] of the text that its bits
    /// encode: there is no encoder, so a change of the text is detected by this.
    pub imported: Option<u32>,
}

impl Instruction {
    /// An instruction without guard, operands and encoding.
    pub fn new(mnemonic: &str) -> Instruction {
        Instruction {
            address: 0,
            guard: None,
            mnemonic: Mnemonic::new(mnemonic),
            operands: Vec::new(),
            targets: Vec::new(),
            remark: None,
            control: ControlWord::PLAIN,
            encoding: None,
            imported: None,
        }
    }

    /// A hash of what the bits encode, without the control word: guard, mnemonic, operands, the
    /// descriptor that the text omits. Registers kept for reuse are part of the control word. The
    /// same in every version (FNV-1a of the text).
    pub fn fingerprint(&self) -> u32 {
        let hidden = self.operands.iter().find_map(|operand| match operand {
            Operand::Memory(memory) => memory.hidden_descriptor,
            _ => None,
        });
        let mut text = self.to_string().replace(".reuse", "");
        if let Some(register) = hidden {
            text.push(' ');
            text.push_str(&register.to_string());
        }
        text.bytes().fold(0x811c_9dc5, |hash, byte| {
            (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
        })
    }

    /// The number of reuse slots that its operands show; `None` if the text does not show them, as
    /// for textures.
    ///
    /// A sparse product marks its metadata, the last register, if it keeps the first factor.
    pub fn kept(&self) -> Option<usize> {
        if effects::row(&self.mnemonic)
            .is_some_and(|row| matches!(row.category, Category::Texture | Category::Surface))
        {
            return None;
        }
        let registers = self.operands.iter().filter_map(Operand::as_register);
        let metadata = usize::from(self.mnemonic.has("SP"));
        let mut marks: Vec<bool> = registers.map(|found| found.reuse).collect();
        marks.truncate(marks.len() - metadata.min(marks.len()));
        Some(marks.into_iter().filter(|kept| *kept).count())
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
