//! The forms of instructions: encodings whose texts are alike.

use std::sync::Arc;

use super::bits::Field;
use crate::floats::FloatFormat;
use crate::instruction::Operand;
use crate::registers::RegisterFile;

/// Texts of the values of a field; several values may have the same text, the usual one first.
#[derive(Debug, Default)]
pub(super) struct Values {
    pub(super) entries: Vec<(u64, Box<str>)>,
    /// The place in `entries` of each value, plus one.
    places: Vec<u16>,
}

impl Values {
    pub(super) fn new(entries: Vec<(u64, Box<str>)>) -> Values {
        let size = entries.iter().map(|(value, _)| *value + 1).max();
        let size = usize::try_from(size.unwrap_or(0)).unwrap_or(0);
        let mut places = vec![0; size.min(1 << 16)];
        for (place, (value, _)) in entries.iter().enumerate() {
            let value = usize::try_from(*value).unwrap_or(usize::MAX);
            if let Some(known) = places.get_mut(value) {
                *known = u16::try_from(place + 1).unwrap_or(0);
            }
        }
        Values { entries, places }
    }

    /// The text of a value.
    pub(super) fn text(&self, value: u64) -> Option<&str> {
        let place = *self.places.get(usize::try_from(value).ok()?)?;
        let (_, text) = self.entries.get(usize::from(place).checked_sub(1)?)?;
        Some(text)
    }
}

/// A part of a text that words make up.
#[derive(Debug)]
pub(super) enum Piece {
    /// The same in all encodings.
    Literal(Box<str>),
    /// A text for each value of a field.
    Field(Field, Arc<Values>),
}

/// What a number is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum NumberKind {
    Plain,
    /// Counted from the next instruction.
    Distance,
    /// Without sign if no register is before it.
    UnsignedAlone,
}

/// What a register or a number of an operand is made from.
#[derive(Debug)]
pub(super) enum Atom {
    Register(RegisterFile, Field),
    Number(Field, NumberKind),
    Float(FloatFormat, Field),
    /// A set of scoreboards, a bit for each.
    Scoreboards(Field),
    Word(Field, Arc<Values>),
}

/// An operand.
#[derive(Debug)]
pub(super) struct OperandForm {
    /// An operand of the kind, with any registers and numbers.
    pub(super) template: Operand,
    pub(super) signs: Vec<Piece>,
    pub(super) atoms: Vec<Atom>,
    /// The selectors after each atom.
    pub(super) selectors: Vec<Vec<Piece>>,
    /// The selectors after the last bracket.
    pub(super) end: Vec<Piece>,
    /// The bit that keeps the register.
    pub(super) reuse: Option<u32>,
    /// Whether it is not shown if its register is the one that is always true or zero, without a sign.
    pub(super) optional: bool,
    /// Whether the first register of the address is not shown if it is zero and the number is not.
    pub(super) drops_zero: bool,
}

/// A condition on bits that is not an equality.
#[derive(Debug)]
pub(super) enum Unless {
    /// The bits under the mask are these.
    Equal(u128, u128),
    /// The bits under the mask are a power of two, or are none.
    Power(u128, bool),
}

/// The predicates that an instruction's guard can be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum GuardKind {
    None,
    Predicate,
    Uniform,
}

/// Encodings whose texts are alike.
#[derive(Debug)]
pub(super) struct Form {
    /// The bits that all have.
    pub(super) mask: u128,
    pub(super) value: u128,
    pub(super) unless: Vec<Unless>,
    /// The bits of an encoding before its fields are filled.
    pub(super) fixed: u128,
    /// Bits that no text shows.
    pub(super) free: u128,
    pub(super) guard: GuardKind,
    pub(super) base: Box<str>,
    pub(super) modifiers: Vec<Piece>,
    pub(super) operands: Vec<OperandForm>,
}

impl Form {
    /// Whether an encoding is one of the form.
    pub(super) fn has(&self, bits: u128) -> bool {
        bits & self.mask == self.value
            && self.unless.iter().all(|condition| match condition {
                Unless::Equal(mask, value) => bits & mask != *value,
                Unless::Power(mask, wanted) => (bits & mask).is_power_of_two() == *wanted,
            })
    }
}
