//! Instructions in their places: with control word and bits.

mod agreement;

use std::borrow::Cow;
use std::fmt::{Display, Formatter, Result};
use std::ops::{Deref, DerefMut};

use orison_ir::Operation;

pub use agreement::disagreement;

use crate::control::ControlWord;
use crate::encoding::Encoding;
use crate::instruction::{Instruction, Operand};
use crate::place::Place;

/// The bits from which an instruction was imported: the attribute `encoding` of its operation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Imported {
    /// The bits. Their control bits may be older than [`Scheduled::control`].
    pub encoding: Encoding,
    /// The [`Instruction::fingerprint`] of the text that they encode: there is no encoder, so a
    /// change of the text is detected by this.
    pub fingerprint: Option<u32>,
}

/// What an instruction in a [`crate::function::Function`] was made from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Origin {
    /// Nothing: a pass inserted it.
    #[default]
    New,
    /// A line of a listing.
    Line(Place),
    /// An operation.
    Operation(Operation),
}

/// An instruction with its control word and its bits: a line of a listing, or an operation.
///
/// That of an operation is borrowed: control words may be set at no cost, and the first change of
/// what the instruction does copies it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Scheduled<'a> {
    /// Its offset in its section, in bytes.
    pub address: u64,
    /// What it does.
    pub instruction: Cow<'a, Instruction>,
    /// The control word.
    pub control: ControlWord,
    /// Its bits, if it was imported.
    pub imported: Option<Imported>,
    /// What it was made from.
    pub origin: Origin,
}

impl Scheduled<'_> {
    /// A new instruction, with the control word of one without dependences.
    pub fn new(instruction: Instruction) -> Self {
        Scheduled {
            address: 0,
            instruction: Cow::Owned(instruction),
            control: ControlWord::PLAIN,
            imported: None,
            origin: Origin::New,
        }
    }

    /// The bits from which it was imported.
    pub fn encoding(&self) -> Option<Encoding> {
        self.imported.map(|imported| imported.encoding)
    }

    /// The position in the listing; the default for other origins.
    pub fn place(&self) -> Place {
        match self.origin {
            Origin::Line(place) => place,
            Origin::New | Origin::Operation(_) => Place::default(),
        }
    }

    /// The same, independent of operations.
    pub fn to_owned(&self) -> Scheduled<'static> {
        Scheduled {
            address: self.address,
            instruction: Cow::Owned(self.instruction.clone().into_owned()),
            control: self.control,
            imported: self.imported,
            origin: Origin::New,
        }
    }

    /// Marks the register operands with these indices `.reuse`, and no others.
    pub fn mark_reuse(&mut self, kept: impl Fn(usize) -> bool) {
        for number in 0..self.operands.len() {
            // Only a difference copies the instruction.
            if let Operand::Register(found) = &self.operands[number]
                && found.reuse != kept(number)
                && let Operand::Register(found) = &mut self.operands[number]
            {
                found.reuse = kept(number);
            }
        }
    }
}

impl Deref for Scheduled<'_> {
    type Target = Instruction;

    fn deref(&self) -> &Instruction {
        &self.instruction
    }
}

impl DerefMut for Scheduled<'_> {
    fn deref_mut(&mut self) -> &mut Instruction {
        self.instruction.to_mut()
    }
}

impl Display for Scheduled<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> Result {
        self.instruction.fmt(out)
    }
}
