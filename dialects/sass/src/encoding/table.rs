//! The forms of the instructions of a machine, from the tables of [`orison_machine`]. A line of a table is read when an
//! instruction needs it.

use std::sync::{Arc, OnceLock};

use orison_machine::encodings::FORMS;
use rustc_hash::FxHashMap;

use super::bits::Field;
use super::reader;
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

/// A line of the tables.
#[derive(Debug)]
struct Line {
    text: &'static str,
    /// `None` if the line could not be read.
    form: OnceLock<Option<Form>>,
}

/// The forms of a machine.
#[derive(Debug, Default)]
pub(super) struct Table {
    lines: Vec<Line>,
    /// The places of the lines of each opcode.
    of_opcode: Vec<Vec<u16>>,
    of_base: FxHashMap<&'static str, Vec<u16>>,
}

/// The number of opcodes.
const OPCODES: usize = 1 << 12;

impl Table {
    /// The lines of a machine, without what they say.
    pub(super) fn of_machine(machine: &str, lines: &'static str) -> Table {
        let mut table = Table {
            of_opcode: vec![Vec::new(); OPCODES],
            ..Table::default()
        };
        for line in lines.lines() {
            let Some((machines, text)) = line.split_once("; ") else {
                continue;
            };
            if machines.split(' ').any(|name| name == machine) {
                table.add(text);
            }
        }
        table
    }

    fn add(&mut self, text: &'static str) {
        let Ok(place) = u16::try_from(self.lines.len()) else {
            return;
        };
        let mut parts = text.split("; ");
        let opcode = parts
            .next()
            .and_then(|digits| usize::from_str_radix(digits, 16).ok());
        let Some(places) = opcode.and_then(|opcode| self.of_opcode.get_mut(opcode)) else {
            return;
        };
        places.push(place);
        let base = reader::base(parts.nth(reader::PARTS_BEFORE_MNEMONIC).unwrap_or_default());
        self.of_base.entry(base).or_default().push(place);
        self.lines.push(Line {
            text,
            form: OnceLock::new(),
        });
    }

    fn form(&self, place: u16) -> Option<&Form> {
        let line = self.lines.get(usize::from(place))?;
        line.form.get_or_init(|| reader::form(line.text)).as_ref()
    }

    /// The number of forms.
    pub(super) fn len(&self) -> usize {
        self.lines.len()
    }

    /// The form at a place, and its line.
    pub(super) fn at(&self, place: usize) -> Option<(&Form, &'static str)> {
        let form = self.form(u16::try_from(place).ok()?)?;
        Some((form, self.lines.get(place)?.text))
    }

    /// The line at a place.
    #[cfg(test)]
    pub(super) fn line(&self, place: usize) -> &'static str {
        self.lines.get(place).map_or("", |line| line.text)
    }

    /// The forms of an opcode; `None` if no instruction has it.
    pub(super) fn of_opcode(&self, opcode: u16) -> Option<impl Iterator<Item = &Form>> {
        let places = self.of_opcode.get(usize::from(opcode))?;
        let forms = places.iter().filter_map(|place| self.form(*place));
        (!places.is_empty()).then_some(forms)
    }

    /// The forms of a mnemonic without modifiers, those of most real code first; `None` if no instruction has it.
    pub(super) fn of_base(&self, base: &str) -> Option<impl Iterator<Item = &Form> + Clone> {
        let places = self.of_base.get(base)?;
        Some(places.iter().filter_map(|place| self.form(*place)))
    }
}

/// The names of the machines in the tables.
pub const MACHINES: [&str; 3] = ["sm_80", "sm_90a", "sm_100a"];

/// The table of a machine; `None` for a machine that no table has. A machine without a letter has the instructions of
/// the one with it.
pub(super) fn of(machine: &str) -> Option<&'static Table> {
    static TABLES: [OnceLock<Table>; MACHINES.len()] = [const { OnceLock::new() }; MACHINES.len()];
    let number = |name: &str| orison_machine::sm_number(name);
    let place = MACHINES
        .iter()
        .position(|known| *known == machine)
        .or_else(|| {
            let wanted = number(machine)?;
            MACHINES
                .iter()
                .position(|known| number(known) == Some(wanted))
        })?;
    let table = TABLES[place]
        .get_or_init(|| Table::of_machine(MACHINES[place].trim_start_matches("sm_"), FORMS));
    (table.len() > 0).then_some(table)
}
