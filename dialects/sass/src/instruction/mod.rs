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

use crate::control::ControlWord;
use crate::effects;
use crate::encoding::Encoding;
use crate::registers::Register;

/// `@P0`, `@!UP1`: which threads execute an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Guard {
    /// A predicate, or a uniform one.
    pub predicate: Register,
    /// Whether the threads are those where it is false.
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
    /// A mnemonic in the words of nvdisasm.
    pub fn new(text: &str) -> Mnemonic {
        Mnemonic(text.into())
    }

    /// All of it.
    pub fn text(&self) -> &str {
        &self.0
    }

    /// What is before the first dot: `LDG`.
    pub fn base(&self) -> &str {
        self.0.split('.').next().unwrap_or_default()
    }

    /// What is between and behind the dots, in order.
    pub fn modifiers(&self) -> impl Iterator<Item = &str> + Clone {
        self.0.split('.').skip(1)
    }

    /// Whether a modifier is among them.
    pub fn has(&self, modifier: &str) -> bool {
        self.modifiers().any(|found| found == modifier)
    }
}

/// An instruction. `Display` prints what nvdisasm prints for it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Instruction {
    /// Where it is in its section, in bytes.
    pub address: u64,
    /// Which threads execute it; all without a guard.
    pub guard: Option<Guard>,
    /// The mnemonic.
    pub mnemonic: Mnemonic,
    /// The operands, in the order of the text.
    pub operands: Vec<Operand>,
    /// The labels a `BRX` may lead to: a comment in the text, from the tables that ptxas leaves.
    pub targets: Vec<Box<str>>,
    /// Another comment in the text, from what ptxas notes about instructions: `SpillRefill`.
    pub remark: Option<Box<str>>,
    /// What it tells the issue logic.
    pub control: ControlWord,
    /// Its bits, when it was imported. Their control bits may be older than [`Instruction::control`].
    pub encoding: Option<Encoding>,
    /// Of an imported instruction, the [`Instruction::fingerprint`] of the text that its bits stand
    /// for: there is no encoder, so that this is how a change of the text is noticed.
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

    /// A number for what the bits but for the control word stand for: guard, mnemonic, operands, the
    /// descriptor that the text does not show. Registers kept for reuse are part of the control
    /// word. The same in every version (FNV-1a of the text).
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

    /// How many slots of the control word its operands say to be kept; none when the text does not
    /// say, as for textures.
    ///
    /// A sparse product marks its metadata, the last register, when it keeps the first factor.
    pub fn kept(&self) -> Option<usize> {
        if effects::row(&self.mnemonic).is_some_and(|row| row.family == "texture") {
            return None;
        }
        let registers = self.operands.iter().filter_map(Operand::as_register);
        let metadata = usize::from(self.mnemonic.has("SP"));
        let mut marks: Vec<bool> = registers.map(|found| found.reuse).collect();
        marks.truncate(marks.len() - metadata.min(marks.len()));
        Some(marks.into_iter().filter(|kept| *kept).count())
    }

    /// The labels that the operands name, those of [`Instruction::targets`] behind them.
    pub fn labels(&self) -> impl Iterator<Item = &str> {
        let named = self.operands.iter().filter_map(|operand| match operand {
            Operand::Label(label) => Some(&**label),
            _ => None,
        });
        named.chain(self.targets.iter().map(|label| &**label))
    }
}
