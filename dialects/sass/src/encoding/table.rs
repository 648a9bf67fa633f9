//! The forms of the instructions of a machine, from the tables of [`orison_machine`].

use std::sync::OnceLock;

use orison_machine::encodings::{FORMS, VALUES};
use rustc_hash::FxHashMap;

use super::bits::{Field, Range};
use crate::floats::FloatFormat;
use crate::instruction::{Operand, parse_operand};
use crate::registers::RegisterFile;

/// Texts of the values of a field; several values may have the same text, the usual one first.
#[derive(Debug, Default)]
pub(super) struct Values {
    pub(super) entries: Vec<(u64, Box<str>)>,
    /// The place in `entries` of each value, plus one.
    places: Vec<u16>,
}

impl Values {
    fn new(entries: Vec<(u64, Box<str>)>) -> Values {
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
    Field(Field, usize),
}

/// What a register or a number of an operand is made from.
#[derive(Debug)]
pub(super) enum Atom {
    Register(RegisterFile, Field),
    /// A number, and whether it is counted from the next instruction.
    Number(Field, bool),
    Float(FloatFormat, Field),
    Word(Field, usize),
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

/// The forms of a machine.
#[derive(Debug, Default)]
pub(super) struct Table {
    pub(super) forms: Vec<Form>,
    pub(super) values: Vec<Values>,
    pub(super) of_opcode: FxHashMap<u16, Vec<usize>>,
    pub(super) of_base: FxHashMap<Box<str>, Vec<usize>>,
    /// Lines that could not be read.
    pub(super) unreadable: Vec<&'static str>,
}

/// The names of the machines in the tables.
pub const MACHINES: [&str; 2] = ["sm_90a", "sm_100a"];

/// The table of a machine, read at its first use; `None` for a machine that no table has. A machine
/// without a letter has the instructions of the one with it.
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
    let table = TABLES[place].get_or_init(|| {
        let mut reader = Reader::default();
        reader.read(MACHINES[place].trim_start_matches("sm_"));
        reader.table
    });
    (!table.forms.is_empty()).then_some(table)
}

#[derive(Default)]
struct Reader {
    table: Table,
    named: FxHashMap<&'static str, usize>,
    inline: FxHashMap<&'static str, usize>,
}

impl Reader {
    fn read(&mut self, machine: &str) {
        let named: FxHashMap<&str, &str> = VALUES
            .lines()
            .filter_map(|line| line.split_once(' '))
            .collect();
        for line in FORMS.lines().filter(|line| !line.starts_with('#')) {
            let Some((machines, rest)) = line.split_once("; ") else {
                continue;
            };
            if !machines.split(' ').any(|name| name == machine) {
                continue;
            }
            match self.form(rest, &named) {
                Some(form) => self.add(form),
                None => self.table.unreadable.push(line),
            }
        }
    }

    fn add(&mut self, form: Form) {
        let place = self.table.forms.len();
        let opcode = u16::try_from(form.value & 0xfff).unwrap_or_default();
        self.table.of_opcode.entry(opcode).or_default().push(place);
        self.table
            .of_base
            .entry(form.base.clone())
            .or_default()
            .push(place);
        self.table.forms.push(form);
    }

    fn form(
        &mut self,
        line: &'static str,
        named: &FxHashMap<&'static str, &'static str>,
    ) -> Option<Form> {
        let mut parts = line.split("; ");
        let opcode = u128::from_str_radix(parts.next()?, 16).ok()?;
        let conditions = parts.next()?;
        let fixed = field(parts.next()?)?.mask() | opcode;
        let free = field(parts.next()?)?.mask();
        let guard = match parts.next()? {
            "P" => GuardKind::Predicate,
            "UP" => GuardKind::Uniform,
            _ => GuardKind::None,
        };
        let mut covered = free;
        let mnemonic = parts.next()?;
        let end = mnemonic.find(['.', '{']).unwrap_or(mnemonic.len());
        let modifiers = self.pieces(&mnemonic[end..], named, &mut covered)?;
        let operands = parts
            .map(|operand| self.operand(operand, named, &mut covered))
            .collect::<Option<Vec<_>>>()?;
        // Bits that are in no field are those of all encodings of the form.
        let control: u128 = ((1 << 21) - 1) << 105;
        let mut form = Form {
            mask: !(covered | control | if guard == GuardKind::None { 0 } else { 0xf000 }),
            value: 0,
            unless: Vec::new(),
            fixed,
            free,
            guard,
            base: mnemonic[..end].into(),
            modifiers,
            operands,
        };
        for condition in conditions.split(' ').filter(|found| !found.is_empty()) {
            form.add_condition(condition)?;
        }
        form.value = form.fixed & form.mask;
        Some(form)
    }

    /// The pieces of a text such as `.LUT{78+2:$round}`.
    fn pieces(
        &mut self,
        text: &'static str,
        named: &FxHashMap<&'static str, &'static str>,
        covered: &mut u128,
    ) -> Option<Vec<Piece>> {
        let mut pieces = Vec::new();
        let mut rest = text;
        while !rest.is_empty() {
            match rest.strip_prefix('{') {
                Some(inner) => {
                    let (inside, behind) = inner.split_once('}')?;
                    pieces.push(self.piece(inside, named, covered)?);
                    rest = behind;
                }
                None => {
                    let end = rest.find('{').unwrap_or(rest.len());
                    pieces.push(Piece::Literal(rest[..end].into()));
                    rest = &rest[end..];
                }
            }
        }
        Some(pieces)
    }

    /// `78+2:$round`, `77:.SAT`, `=.64`.
    fn piece(
        &mut self,
        text: &'static str,
        named: &FxHashMap<&'static str, &'static str>,
        covered: &mut u128,
    ) -> Option<Piece> {
        if let Some(literal) = text.strip_prefix('=') {
            return Some(Piece::Literal(literal.into()));
        }
        let (bits, values) = text.split_once(':')?;
        let found = field(bits)?;
        *covered |= found.mask();
        Some(Piece::Field(found, self.values(values, named)?))
    }

    fn values(
        &mut self,
        text: &'static str,
        named: &FxHashMap<&'static str, &'static str>,
    ) -> Option<usize> {
        let known = if text.starts_with('$') {
            &self.named
        } else {
            &self.inline
        };
        if let Some(place) = known.get(text) {
            return Some(*place);
        }
        let entries = match text.starts_with('$') {
            true => named.get(text)?.split(' ').filter_map(entry).collect(),
            false if text.contains('=') => text.split(',').filter_map(entry).collect(),
            false => vec![(0, Box::default()), (1, text.into())],
        };
        let place = self.table.values.len();
        self.table.values.push(Values::new(entries));
        match text.starts_with('$') {
            true => self.named.insert(text, place),
            false => self.inline.insert(text, place),
        };
        Some(place)
    }

    fn operand(
        &mut self,
        text: &'static str,
        named: &FxHashMap<&'static str, &'static str>,
        covered: &mut u128,
    ) -> Option<OperandForm> {
        let mut form = OperandForm {
            template: Operand::Other(Box::default()),
            signs: Vec::new(),
            atoms: Vec::new(),
            selectors: Vec::new(),
            end: Vec::new(),
            reuse: None,
        };
        let mut sample = String::new();
        let mut rest = text;
        while let Some((before, inner)) = rest.split_once('{') {
            sample.push_str(before);
            let (inside, behind) = inner.split_once('}')?;
            let (kind, what) = inside.split_once(' ').unwrap_or((inside, ""));
            match kind {
                "g" => form.signs.push(self.piece(what, named, covered)?),
                "s" => {
                    let piece = self.piece(what, named, covered)?;
                    match form.selectors.last_mut() {
                        Some(last) if !sample.ends_with(']') => last.push(piece),
                        _ => form.end.push(piece),
                    }
                }
                "r" => form.reuse = what.parse().ok(),
                _ => {
                    let (atom, dummy) = self.atom(kind, what, named, covered)?;
                    sample.push_str(dummy);
                    form.atoms.push(atom);
                    form.selectors.push(Vec::new());
                }
            }
            rest = behind;
        }
        sample.push_str(rest);
        // The number of an address may follow a register by a plus, or by a blank.
        form.template = parse_operand(&sample).ok()?;
        Some(form)
    }

    /// An atom, and a text of its kind.
    fn atom(
        &mut self,
        kind: &str,
        what: &'static str,
        named: &FxHashMap<&'static str, &'static str>,
        covered: &mut u128,
    ) -> Option<(Atom, &'static str)> {
        if kind == "w" {
            let (bits, values) = what.split_once(':')?;
            let found = field(bits)?;
            *covered |= found.mask();
            let values = self.values(values, named)?;
            return Some((Atom::Word(found, values), "WORD"));
        }
        let relative = what.strip_suffix('@');
        let found = field(relative.unwrap_or(what))?;
        *covered |= found.mask();
        let register = |file| Some(Atom::Register(file, found.clone()));
        let (atom, sample) = match kind {
            "R" => (register(RegisterFile::General)?, "R1"),
            "UR" => (register(RegisterFile::Uniform)?, "UR1"),
            "P" => (register(RegisterFile::Predicate)?, "P1"),
            "UP" => (register(RegisterFile::UniformPredicate)?, "UP1"),
            "B" => (register(RegisterFile::Convergence)?, "B1"),
            "SB" => (register(RegisterFile::Scoreboard)?, "SB1"),
            "n" => (Atom::Number(found, relative.is_some()), "0x1"),
            _ => (Atom::Float(FloatFormat::named(kind)?, found), "1.5"),
        };
        Some((atom, sample))
    }
}

fn entry(text: &str) -> Option<(u64, Box<str>)> {
    let (value, text) = text.split_once('=')?;
    Some((value.parse().ok()?, text.into()))
}

impl Form {
    /// `81+3=7`, `81+3!7`, `32+32^`, `32+32!^`.
    fn add_condition(&mut self, text: &str) -> Option<()> {
        if let Some(bits) = text.strip_suffix("!^") {
            self.unless.push(Unless::Power(field(bits)?.mask(), false));
        } else if let Some(bits) = text.strip_suffix('^') {
            self.unless.push(Unless::Power(field(bits)?.mask(), true));
        } else if let Some((bits, value)) = text.split_once('!') {
            let found = field(bits)?;
            let value = found.put(u64::from_str_radix(value, 16).ok()?);
            self.unless.push(Unless::Equal(found.mask(), value));
        } else {
            let (bits, value) = text.split_once('=')?;
            let found = field(bits)?;
            let value = found.put(u64::from_str_radix(value, 16).ok()?);
            self.mask |= found.mask();
            self.fixed = self.fixed & !found.mask() | value;
        }
        Some(())
    }
}

/// `24+8`, `40+14*4`, `16+8,34+48s*4`, `91`; `-` has no bits.
fn field(text: &str) -> Option<Field> {
    let mut found = Field::default();
    if text == "-" || text.is_empty() {
        return Some(found);
    }
    for part in text.split(',') {
        let (bits, scale) = part.split_once('*').unwrap_or((part, "1"));
        let signed = bits.strip_suffix('s');
        let (first, width) = signed
            .unwrap_or(bits)
            .split_once('+')
            .unwrap_or((signed.unwrap_or(bits), "1"));
        let width: u32 = width.parse().ok()?;
        let first: u32 = first.parse().ok()?;
        if width == 0 || first + width > 128 {
            return None;
        }
        found.ranges.push(Range {
            first,
            width,
            scale: scale.parse().ok()?,
            signed: signed.is_some(),
        });
    }
    Some(found)
}
