//! Forms from the lines of the tables, whose notation `dialects/machine/encodings/README.md` explains.

use std::sync::{Arc, OnceLock};

use orison_machine::encodings::VALUES;
use rustc_hash::FxHashMap;

use super::bits::{Field, Range};
use super::form::{Atom, Form, GuardKind, NumberKind, OperandForm, Piece, Unless, Values};
use crate::floats::FloatFormat;
use crate::instruction::{Operand, parse_operand};
use crate::registers::RegisterFile;

/// The parts of a line between the opcode and the mnemonic: conditions, set bits, free bits, guard.
pub(super) const PARTS_BEFORE_MNEMONIC: usize = 4;

/// The mnemonic without modifiers.
pub(super) fn base(mnemonic: &str) -> &str {
    let end = mnemonic.find(['.', '{']).unwrap_or(mnemonic.len());
    mnemonic.get(..end).unwrap_or(mnemonic)
}

/// The form of a line without its machines; `None` if it cannot be read.
pub(super) fn form(line: &'static str) -> Option<Form> {
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
    let base = base(mnemonic);
    let modifiers = pieces(mnemonic.get(base.len()..)?, &mut covered)?;
    let operands = parts
        .map(|text| operand(text, &mut covered))
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
        base: base.into(),
        modifiers,
        operands,
    };
    for condition in conditions.split(' ').filter(|found| !found.is_empty()) {
        form.add_condition(condition)?;
    }
    form.value = form.fixed & form.mask;
    Some(form)
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

/// The pieces of a text such as `.LUT{78+2:$round}`.
fn pieces(text: &'static str, covered: &mut u128) -> Option<Vec<Piece>> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        match rest.strip_prefix('{') {
            Some(inner) => {
                let (inside, behind) = inner.split_once('}')?;
                pieces.push(piece(inside, covered)?);
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
fn piece(text: &'static str, covered: &mut u128) -> Option<Piece> {
    if let Some(literal) = text.strip_prefix('=') {
        return Some(Piece::Literal(literal.into()));
    }
    let (bits, texts) = text.split_once(':')?;
    let found = field(bits)?;
    *covered |= found.mask();
    Some(Piece::Field(found, values(texts)?))
}

/// A list of `values.txt`, and what it says, once an instruction needed it.
struct Named {
    list: &'static str,
    values: OnceLock<Arc<Values>>,
}

/// The values of a field: a list, or the text of a bit that is set.
fn values(text: &'static str) -> Option<Arc<Values>> {
    static NAMED: OnceLock<FxHashMap<&'static str, Named>> = OnceLock::new();
    if !text.starts_with('$') {
        let entries = vec![(0, Box::default()), (1, text.into())];
        return Some(Arc::new(Values::new(entries)));
    }
    let named = NAMED.get_or_init(|| {
        let lines = VALUES.lines().filter_map(|line| line.split_once(' '));
        let named = |list| Named {
            list,
            values: OnceLock::new(),
        };
        lines.map(|(name, list)| (name, named(list))).collect()
    });
    let found = named.get(text)?;
    let read = || {
        Arc::new(Values::new(
            found.list.split(' ').filter_map(entry).collect(),
        ))
    };
    Some(found.values.get_or_init(read).clone())
}

/// `1=.RM`.
fn entry(text: &str) -> Option<(u64, Box<str>)> {
    let (value, text) = text.split_once('=')?;
    Some((value.parse().ok()?, text.into()))
}

fn operand(text: &'static str, covered: &mut u128) -> Option<OperandForm> {
    let mut form = OperandForm {
        template: Operand::Other(Box::default()),
        signs: Vec::new(),
        atoms: Vec::new(),
        selectors: Vec::new(),
        end: Vec::new(),
        reuse: None,
        optional: text.starts_with('?'),
        drops_zero: false,
    };
    let mut sample = String::new();
    let mut rest = text.strip_prefix('?').unwrap_or(text);
    while let Some((before, inner)) = rest.split_once('{') {
        sample.push_str(before);
        let (inside, behind) = inner.split_once('}')?;
        let (kind, what) = inside.split_once(' ').unwrap_or((inside, ""));
        match kind {
            "g" => form.signs.push(piece(what, covered)?),
            "s" => {
                let piece = piece(what, covered)?;
                match form.selectors.last_mut() {
                    Some(last) if !sample.ends_with(']') => last.push(piece),
                    _ => form.end.push(piece),
                }
            }
            "r" => form.reuse = what.parse().ok(),
            _ => {
                let shown = kind.strip_suffix('?');
                form.drops_zero |= shown.is_some();
                let (atom, dummy) = atom(shown.unwrap_or(kind), what, covered)?;
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
fn atom(kind: &str, what: &'static str, covered: &mut u128) -> Option<(Atom, &'static str)> {
    if kind == "w" {
        let (bits, texts) = what.split_once(':')?;
        let found = field(bits)?;
        *covered |= found.mask();
        return Some((Atom::Word(found, values(texts)?), "WORD"));
    }
    let (bits, number) = match what.strip_suffix('@') {
        Some(bits) => (bits, NumberKind::Distance),
        None if what.contains("su") => (what, NumberKind::UnsignedAlone),
        None => (what, NumberKind::Plain),
    };
    let found = field(bits)?;
    *covered |= found.mask();
    let register = |file| Atom::Register(file, found.clone());
    Some(match kind {
        "R" => (register(RegisterFile::General), "R1"),
        "UR" => (register(RegisterFile::Uniform), "UR1"),
        "P" => (register(RegisterFile::Predicate), "P1"),
        "UP" => (register(RegisterFile::UniformPredicate), "UP1"),
        "B" => (register(RegisterFile::Convergence), "B1"),
        "SB" => (register(RegisterFile::Scoreboard), "SB1"),
        "S" => (Atom::Scoreboards(found), "{0}"),
        "n" => (Atom::Number(found, number), "0x1"),
        _ => (Atom::Float(FloatFormat::named(kind)?, found), "1.5"),
    })
}

/// `24+8`, `40+14*4`, `16+8,34+48s*4`, `91`, `87+3~`, `40+8|1`; `-` has no bits.
fn field(text: &str) -> Option<Field> {
    let mut found = Field::default();
    if text == "-" || text.is_empty() {
        return Some(found);
    }
    let plain = text.strip_suffix('~');
    found.inverted = plain.is_some();
    let (plain, added) = plain
        .unwrap_or(text)
        .split_once('|')
        .unwrap_or((plain.unwrap_or(text), "0"));
    found.added = added.parse().ok()?;
    for part in plain.split(',') {
        let (bits, scale) = part.split_once('*').unwrap_or((part, "1"));
        let bits = bits.strip_suffix('u').unwrap_or(bits);
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
