//! Operands that are numbers: their bits in the format of the instruction, and the registers that
//! hold them.

use orison_ir::numbers::{Float, FloatKind};
use orison_ori::semantics::arithmetic::canonical_nan;
use orison_sass::encoding::Encoding;
use orison_sass::instruction::Immediate;
use rustc_hash::FxHashMap;

use super::super::memory::Bytes;
use super::super::registers::{LANES, Registers, Row, Slot};
use super::files;

/// The format of numbers in decimal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum DecimalFormat {
    Single,
    /// The high word of a double.
    Double,
    /// A pair of halves, the high one first.
    Halves,
}

impl DecimalFormat {
    /// Reads the name of a format; `f32` if absent.
    pub(super) fn parse(name: Option<&str>) -> Self {
        match name {
            Some("f64") => DecimalFormat::Double,
            Some("f16") => DecimalFormat::Halves,
            _ => DecimalFormat::Single,
        }
    }

    /// The bits of a number; an integer is sign-extended to 64 bits.
    pub(super) fn bits(
        self,
        immediate: &Immediate,
        encoding: Option<Encoding>,
        brain: bool,
    ) -> Option<u64> {
        if let Some(value) = immediate.integer() {
            return Some(match self {
                DecimalFormat::Double => value.cast_unsigned() << 32,
                _ => value.cast_unsigned(),
            });
        }
        let value = immediate.float()?;
        let kind = match self {
            DecimalFormat::Single => FloatKind::F32,
            DecimalFormat::Double => FloatKind::F64,
            DecimalFormat::Halves if brain => FloatKind::BF16,
            DecimalFormat::Halves => FloatKind::F16,
        };
        if value.is_nan() && self != DecimalFormat::Halves {
            // The text does not show the bits of a NaN.
            let bits = encoding.map(|encoding| encoding.low >> 32);
            return Some(match (self, bits) {
                (DecimalFormat::Double, Some(bits)) => bits << 32,
                (_, Some(bits)) => bits,
                _ => canonical_nan(kind) as u64,
            });
        }
        Some(Float::from_f64(kind, value).bits() as u64)
    }
}

/// A word that is the same in all lanes of all warps of a launch.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Constant {
    Bits(u32),
    /// A word of a constant bank.
    Bank(usize, usize),
}

/// The registers of numbers and values of constant banks, behind those of the machine.
#[derive(Clone, Debug, Default)]
pub(super) struct Pool {
    words: Vec<Constant>,
    known: FxHashMap<Vec<Constant>, usize>,
}

impl Pool {
    /// The registers that hold these words.
    pub(super) fn slot(&mut self, words: Vec<Constant>) -> Slot {
        let count = words.len();
        let first = *self.known.entry(words.clone()).or_insert_with(|| {
            self.words.extend(words);
            self.words.len() - count
        });
        files::slot_at(files::POOL + first, count)
    }

    /// The registers that hold a number of one or two words.
    pub(super) fn number(&mut self, bits: u64, words: usize) -> Slot {
        let word = |number: usize| Constant::Bits((bits >> (32 * number)) as u32);
        self.slot((0..words).map(word).collect())
    }

    /// The registers of a warp at the start of a launch: constants are defined, others are not.
    pub(super) fn registers(&self, banks: &[Bytes]) -> Registers {
        let mut registers = Registers::new(files::POOL + self.words.len());
        let mut set = |at: usize, word: Option<u32>| {
            let row = Row {
                words: [word.unwrap_or(0); LANES],
                undefined: [if word.is_some() { 0 } else { u32::MAX }; LANES],
                pending: 0,
                fences: 0,
                name: 0,
            };
            registers.set_row(at, &row, u32::MAX);
        };
        for at in files::ZEROS..files::ZEROS + files::WIDEST {
            set(at, Some(0));
        }
        set(files::TRUE, Some(1));
        for (number, word) in self.words.iter().enumerate() {
            let word = match *word {
                Constant::Bits(bits) => Some(bits),
                Constant::Bank(bank, offset) => {
                    let bank = banks.get(bank);
                    bank.and_then(|bank| bank.read(offset, 4)).flatten()
                }
            };
            set(files::POOL + number, word);
        }
        registers
    }
}
