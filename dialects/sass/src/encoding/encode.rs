//! Bits of instructions.

use std::fmt;

use super::Encoding;
use super::alignment::{alignments, alike, has_registers, is_dropped};
use super::bits::Field;
use super::decode::{fill, find, has_constant};
use super::describe;
use super::form::{Atom, Form, GuardKind, NumberKind, OperandForm, Piece, Values};
use super::table::{self, Table};
use crate::instruction::{
    Address, ConstantBank, Immediate, Instruction, Mnemonic, Operand, RegisterOperand,
};
use crate::registers::{Register, RegisterFile};

/// An instruction that a machine does not have.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EncodeError {
    /// The operand, from 0; `None` for the guard and the mnemonic.
    pub operand: Option<usize>,
    /// What does not fit, and what would.
    pub message: String,
}

impl fmt::Display for EncodeError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.operand {
            Some(place) => write!(out, "operand {}: {}", place + 1, self.message),
            None => out.write_str(&self.message),
        }
    }
}

impl std::error::Error for EncodeError {}

/// More solutions for the modifiers of one form are not tried.
const MOST_SOLUTIONS: usize = 64;

/// The bits of an instruction at an address in its section, with a control word of zeros. Targets of
/// jumps are numbers: their addresses. Marks of registers that are kept belong to the control word.
///
/// # Errors
/// What the machine cannot hold.
pub fn encode(
    machine: &str,
    instruction: &Instruction,
    address: u64,
) -> Result<Encoding, EncodeError> {
    let general = |message: String| EncodeError {
        operand: None,
        message,
    };
    let table = table::of(machine)
        .ok_or_else(|| general(format!("there is no table of encodings for '{machine}'")))?;
    let base = instruction.mnemonic.base();
    if table.of_base(base).is_none() {
        return Err(general(format!("{machine} has no instruction '{base}'")));
    }
    let found = by_table(table, instruction, address);
    found.or_else(|error| {
        let mut others = other_names(instruction).into_iter();
        let other = others.find_map(|other| by_table(table, &other, address).ok());
        other.ok_or(error)
    })
}

/// The texts that nvdisasm has for other texts of the same: names of its own for `IMAD` with a factor that is zero, one
/// or a power of two, no carry of `IADD3` into `PT`, and no zero behind the register that has the address of a function.
fn other_names(instruction: &Instruction) -> Vec<Instruction> {
    let text = instruction.mnemonic.to_string();
    if let Some(modifiers) = text.strip_prefix("IMAD") {
        let named = |name: &str| Instruction {
            mnemonic: Mnemonic::new(&format!("IMAD.{name}{modifiers}")),
            ..instruction.clone()
        };
        return ["MOV", "IADD", "SHL"].map(named).to_vec();
    }
    if let [Operand::Relative { register, target }] = &instruction.operands[..]
        && **target == Operand::integer(0)
    {
        let mut plain = instruction.clone();
        plain.operands = vec![Operand::register(*register)];
        return vec![plain];
    }
    let is_carry = |operand: Option<&Operand>| {
        let register = operand.and_then(Operand::as_register);
        register.is_some_and(|found| found.register == Register::PT)
    };
    if instruction.mnemonic.base() != "IADD3" || !is_carry(instruction.operands.get(1)) {
        return Vec::new();
    }
    let mut without = instruction.clone();
    while is_carry(without.operands.get(1)) {
        without.operands.remove(1);
    }
    vec![without]
}

/// The bits of an instruction of a table.
pub(super) fn by_table(
    table: &Table,
    instruction: &Instruction,
    address: u64,
) -> Result<Encoding, EncodeError> {
    let mut failure = Failure::default();
    let Some(forms) = table.of_base(instruction.mnemonic.base()) else {
        return Err(failure.error);
    };
    let attempt = |(form, operands): (_, Vec<Option<usize>>), quiet| {
        let mut attempt = Attempt {
            table,
            form,
            instruction,
            address,
            bits: form.fixed,
            set: 0,
            quiet,
        };
        attempt.run(&operands)
    };
    let fitting = || {
        let forms = forms.clone();
        forms.flat_map(|form| {
            alignments(form, instruction, false).map(move |operands| (form, operands))
        })
    };
    if let Some(bits) = fitting().find_map(|found| attempt(found, true).ok()) {
        return Ok(Encoding::from_bits(bits));
    }
    for found in fitting() {
        if let Err(found) = attempt(found, false) {
            failure.keep(found);
        }
    }
    // The other forms cannot hold it, but may say better why.
    if failure.depth == 0 {
        for form in forms {
            let mut ways = alignments(form, instruction, true).peekable();
            if ways.peek().is_none() {
                failure.keep(failed(1, None, describe::count(form, instruction)));
            }
            for operands in ways {
                if let Err(found) = attempt((form, operands), false) {
                    failure.keep(found);
                }
            }
        }
    }
    Err(failure.error)
}

/// The error of the form that fits best: that in which most operands fit.
struct Failure {
    depth: usize,
    error: EncodeError,
}

impl Default for Failure {
    fn default() -> Self {
        Failure {
            depth: 0,
            error: EncodeError {
                operand: None,
                message: "the instruction has no form".to_owned(),
            },
        }
    }
}

impl Failure {
    fn keep(&mut self, (depth, error): (usize, EncodeError)) {
        if depth > self.depth {
            *self = Failure { depth, error };
        }
    }
}

/// How far a form fits, and why no further.
type Failed = (usize, EncodeError);

/// An instruction that is put into a form.
struct Attempt<'a> {
    table: &'a Table,
    form: &'a Form,
    instruction: &'a Instruction,
    address: u64,
    bits: u128,
    /// The bits that a part of the instruction has set.
    set: u128,
    /// Whether nobody reads the messages.
    quiet: bool,
}

impl Attempt<'_> {
    /// `operands`: which operand each one of the form is.
    fn run(&mut self, operands: &[Option<usize>]) -> Result<u128, Failed> {
        let text = self.instruction.mnemonic.text();
        let modifiers = text.get(self.form.base.len()..).unwrap_or_default();
        let mut solutions = Vec::new();
        let pieces = &self.form.modifiers;
        solve(pieces, modifiers, (self.bits, self.set), &mut solutions);
        let depth = 2 + 2 * operands.len();
        if solutions.is_empty() {
            self.operands(operands)?;
            let message = self.message(|| describe::modifiers(self.form, modifiers));
            return Err(failed(depth + 1, None, message));
        }
        let start = (self.bits, self.set | fields(pieces));
        let mut failure = None;
        for bits in solutions {
            (self.bits, self.set) = (bits, start.1);
            match self.operands(operands) {
                Ok(()) if self.means_it(self.bits) => return Ok(self.bits),
                Ok(()) => {
                    let message = || format!("'{text}' cannot be combined with these operands");
                    failure = Some(failed(depth + 2, None, self.message(message)));
                }
                Err(error) => failure = failure.or(Some(error)),
            }
        }
        // What does not fit whatever the modifiers are says more.
        (self.bits, self.set) = (self.form.fixed, 0);
        self.operands(operands)?;
        Err(failure.unwrap_or_else(|| failed(depth, None, String::new())))
    }

    /// Sets the bits of the operands and of the guard.
    fn operands(&mut self, operands: &[Option<usize>]) -> Result<(), Failed> {
        for (form, place) in self.form.operands.iter().zip(operands) {
            let Some(place) = *place else {
                self.hide(form);
                continue;
            };
            let Some(operand) = self.instruction.operands.get(place) else {
                continue;
            };
            self.operand(form, operand)
                .map_err(|(depth, message)| failed(2 + 2 * place + depth, Some(place), message))?;
        }
        if !self.guard() {
            let message = || "the instruction cannot have this guard".to_owned();
            let depth = 2 + 2 * operands.len();
            return Err(failed(depth, None, self.message(message)));
        }
        self.hidden_descriptor();
        Ok(())
    }

    /// Sets the bits of an operand that is not shown.
    fn hide(&mut self, form: &OperandForm) {
        if let Some(Atom::Register(_, field)) = form.atoms.first() {
            self.put(field.mask(), field.put(field.all()));
        }
        // That no sign is possible is seen when the bits are decoded.
        self.pieces(&form.signs, "");
    }

    fn message(&self, text: impl FnOnce() -> String) -> String {
        if self.quiet { String::new() } else { text() }
    }

    /// Whether bits are decoded to the instruction.
    fn means_it(&self, bits: u128) -> bool {
        let is_form = find(self.table, bits).is_ok_and(|found| std::ptr::eq(found, self.form));
        let Some(found) = is_form.then(|| fill(self.form, bits, self.address)) else {
            return false;
        };
        found.is_some_and(|found| {
            found.guard == self.instruction.guard
                && found.mnemonic == self.instruction.mnemonic
                && found.operands.len() == self.instruction.operands.len()
                && (found.operands.iter().zip(&self.instruction.operands))
                    .all(|(one, other)| alike(one, other))
        })
    }

    /// Sets bits, unless they are set otherwise.
    fn put(&mut self, mask: u128, bits: u128) -> bool {
        if (self.bits ^ bits) & mask & self.set != 0 {
            return false;
        }
        self.bits = self.bits & !mask | bits;
        self.set |= mask;
        true
    }

    fn guard(&mut self) -> bool {
        let file = match self.form.guard {
            GuardKind::None => return self.instruction.guard.is_none(),
            GuardKind::Predicate => RegisterFile::Predicate,
            GuardKind::Uniform => RegisterFile::UniformPredicate,
        };
        let (index, negated) = match self.instruction.guard {
            None => (7, false),
            Some(guard) if guard.predicate.file != file => return false,
            Some(guard) => (u128::from(guard.predicate.index.min(7)), guard.negated),
        };
        self.put(0xf << 12, index << 12 | u128::from(negated) << 15)
    }

    /// The descriptor that the text omits is in bits that no text shows.
    fn hidden_descriptor(&mut self) {
        let hidden = self
            .instruction
            .mnemonic
            .opcode()
            .and_then(|opcode| opcode.row().hidden);
        let Some(start) = hidden else {
            return;
        };
        let mask = 0x3f << start;
        if self.form.free & mask != mask {
            return;
        }
        let index = match self.instruction.hidden_descriptor() {
            Some(register) => u128::from(register.index & 0x3f),
            None => 0x3f,
        };
        if self.bits >> 91 & 1 == 1 || self.instruction.hidden_descriptor().is_some() {
            self.put(mask | 1 << 91, index << start | 1 << 91);
        }
    }

    fn operand(&mut self, form: &OperandForm, operand: &Operand) -> Result<(), (usize, String)> {
        let quiet = self.quiet;
        let message = |text: &dyn Fn() -> String| if quiet { String::new() } else { text() };
        let other_kind = || {
            let text = || format!("expected {}, found '{operand}'", describe::kind(form));
            (0, message(&text))
        };
        match form.atoms.first() {
            Some(Atom::Word(field, values)) => {
                let text = operand.to_string();
                let names = || format!("'{text}' is none of {}", describe::names(values));
                return self
                    .word(field, values, &text)
                    .ok_or_else(|| (0, message(&names)));
            }
            Some(Atom::Scoreboards(field)) => {
                let Operand::Scoreboards(numbers) = operand else {
                    return Err(other_kind());
                };
                let set = numbers.iter().fold(0i128, |set, number| set | 1 << number);
                let bits = field.of_number(set);
                return bits
                    .is_some_and(|bits| self.put(field.mask(), bits))
                    .then_some(())
                    .ok_or_else(other_kind);
            }
            Some(Atom::Float(format, field)) => {
                let Operand::Immediate(Immediate::Float(text)) = operand else {
                    return Err(other_kind());
                };
                let bits = format.bits(text.trim_end()).map(|bits| field.put(bits));
                let bits = bits.ok_or_else(|| {
                    (1, message(&|| format!("'{text}' is not {}", format.name())))
                })?;
                return self
                    .put(field.mask(), bits)
                    .then_some(())
                    .ok_or_else(other_kind);
            }
            None => return self.constant(form, operand).ok_or_else(other_kind),
            _ => {}
        }
        let mut atoms = form.atoms.iter().zip(&form.selectors);
        match (&form.template, operand) {
            (Operand::Register(_), Operand::Register(found)) => {
                let (atom, selectors) = atoms.next().ok_or_else(other_kind)?;
                self.register(atom, found.register)?;
                self.signs(form, &signs_of(found))?;
                self.selector(selectors, &found.selector)
            }
            (
                Operand::Immediate(Immediate::Integer { .. }),
                Operand::Immediate(Immediate::Integer {
                    negative,
                    magnitude,
                }),
            ) => {
                let magnitude = i128::from(*magnitude);
                let number = if *negative { -magnitude } else { magnitude };
                let (atom, _) = atoms.next().ok_or_else(other_kind)?;
                self.number(atom, number)
            }
            (Operand::Constant(wanted), Operand::Constant(found)) => {
                match (&wanted.bank, &found.bank) {
                    (ConstantBank::Number(_), ConstantBank::Number(bank)) => {
                        let (atom, _) = atoms.next().ok_or_else(other_kind)?;
                        self.number(atom, i128::from(*bank))?;
                    }
                    (ConstantBank::Bindless(_), ConstantBank::Bindless(register)) => {
                        let (atom, _) = atoms.next().ok_or_else(other_kind)?;
                        self.register(atom, *register)?;
                    }
                    _ => return Err(other_kind()),
                }
                self.address(form, &wanted.address, &found.address, &mut atoms)
                    .ok_or_else(other_kind)??;
                let mut signs = String::new();
                signs.push_str(if found.negate { "-" } else { "" });
                signs.push_str(if found.invert { "~" } else { "" });
                signs.push_str(if found.absolute { "|" } else { "" });
                self.signs(form, &signs)?;
                self.selector(&form.end, &found.selector)
            }
            (Operand::Memory(wanted), Operand::Memory(found)) => {
                if wanted.space != found.space
                    || wanted.descriptor.is_some() != found.descriptor.is_some()
                {
                    return Err(other_kind());
                }
                if let Some(descriptor) = found.descriptor {
                    let (atom, _) = atoms.next().ok_or_else(other_kind)?;
                    self.register(atom, descriptor)?;
                }
                self.address(form, &wanted.address, &found.address, &mut atoms)
                    .ok_or_else(other_kind)??;
                self.selector(&form.end, &found.selector)
            }
            (Operand::Relative { .. }, Operand::Relative { register, target }) => {
                let (atom, _) = atoms.next().ok_or_else(other_kind)?;
                self.register(atom, *register)?;
                let number = match &**target {
                    Operand::Immediate(found) => found.integer(),
                    _ => None,
                };
                let (atom, _) = atoms.next().ok_or_else(other_kind)?;
                self.number(atom, i128::from(number.ok_or_else(other_kind)?))
            }
            (_, Operand::Label(label)) => Err((
                1,
                message(&|| format!("the label '{label}' has no address")),
            )),
            _ => Err(other_kind()),
        }
    }

    /// An operand that is the same in all encodings, apart from its signs.
    fn constant(&mut self, form: &OperandForm, operand: &Operand) -> Option<()> {
        match (&form.template, operand) {
            (Operand::Register(wanted), Operand::Register(found)) => {
                let same = wanted.register == found.register && found.selector.is_empty();
                same.then_some(())?;
                self.signs(form, &signs_of(found)).ok()
            }
            (wanted, found) => (wanted == found).then_some(()),
        }
    }

    /// The registers and the number of an address; `None` if they are others than those of the form.
    fn address<'b>(
        &mut self,
        form: &OperandForm,
        wanted: &Address,
        found: &Address,
        atoms: &mut impl Iterator<Item = (&'b Atom, &'b Vec<Piece>)>,
    ) -> Option<Result<(), (usize, String)>> {
        let has_number = wanted.offset.is_some();
        if !has_registers(form, wanted, found)
            || found.offset.is_some() && !has_number
            || found.offset.is_none() && wanted.registers.is_empty()
        {
            return None;
        }
        if is_dropped(form, found) {
            return self.dropped(found.offset.unwrap_or(0), atoms);
        }
        for register in &found.registers {
            let (atom, selectors) = atoms.next()?;
            let done = self
                .register(atom, register.register)
                .and_then(|()| self.selector(selectors, &register.selector));
            if done.is_err() {
                return Some(done);
            }
        }
        if has_number {
            let (atom, _) = atoms.next()?;
            return Some(self.number(atom, i128::from(found.offset.unwrap_or(0))));
        }
        Some(Ok(()))
    }

    /// The number of an address whose register is zero, and not shown.
    fn dropped<'b>(
        &mut self,
        offset: i64,
        atoms: &mut impl Iterator<Item = (&'b Atom, &'b Vec<Piece>)>,
    ) -> Option<Result<(), (usize, String)>> {
        let (Atom::Register(_, register), selectors) = atoms.next()? else {
            return None;
        };
        self.put(register.mask(), register.put(register.all()));
        self.pieces(selectors, "")?;
        let (atom, _) = atoms.next()?;
        match atom {
            Atom::Number(field, NumberKind::UnsignedAlone) => {
                let bits = field.of_unsigned(i128::from(offset))?;
                Some(if self.put(field.mask(), bits) {
                    Ok(())
                } else {
                    Err((1, String::new()))
                })
            }
            _ => Some(self.number(atom, i128::from(offset))),
        }
    }

    fn word(&mut self, field: &Field, values: &Values, text: &str) -> Option<()> {
        let text = text.trim_end();
        let mut fitting = values.entries.iter().filter(|(_, known)| **known == *text);
        fitting.find_map(|(value, _)| self.put(field.mask(), field.put(*value)).then_some(()))
    }

    fn register(&mut self, atom: &Atom, register: Register) -> Result<(), (usize, String)> {
        let Atom::Register(file, field) = atom else {
            let text = || format!("'{register}' is not a number");
            return Err((0, self.message(text)));
        };
        let name = file.prefix();
        if register.file != *file {
            let text = || format!("expected a register {name}…, found '{register}'");
            return Err((0, self.message(text)));
        }
        let all = field.all();
        let has_constant = has_constant(*file);
        let value = match register.is_constant() {
            true => all,
            false => u64::from(register.index),
        };
        if value > all
            || value < field.added
            || !register.is_constant() && has_constant && value == all
        {
            let last = all - u64::from(has_constant);
            let text = || format!("'{register}' does not fit: {name}0 to {name}{last} do");
            return Err((1, self.message(text)));
        }
        let fits = self.put(field.mask(), field.put(value));
        fits.then_some(()).ok_or_else(|| {
            let text = || format!("'{register}' must be the register of another operand");
            (1, self.message(text))
        })
    }

    fn number(&mut self, atom: &Atom, number: i128) -> Result<(), (usize, String)> {
        let Atom::Number(field, kind) = atom else {
            let text = || format!("expected a register, found {number:#x}");
            return Err((0, self.message(text)));
        };
        let from = i128::from(self.address) + i128::from(Encoding::BYTES);
        let relative = *kind == NumberKind::Distance;
        let stored = if relative { number - from } else { number };
        let fits = field
            .of_number(stored)
            .is_some_and(|bits| self.put(field.mask(), bits));
        fits.then_some(())
            .ok_or_else(|| (1, self.message(|| describe::range(field, stored, relative))))
    }

    fn signs(&mut self, form: &OperandForm, signs: &str) -> Result<(), (usize, String)> {
        self.pieces(&form.signs, signs).ok_or_else(|| {
            let others = || describe::others(&form.signs);
            let text = || format!("the sign '{signs}' is not possible here, {}", others());
            (1, self.message(text))
        })
    }

    fn selector(&mut self, pieces: &[Piece], selector: &str) -> Result<(), (usize, String)> {
        let text = match selector {
            "" => String::new(),
            _ => format!(".{selector}"),
        };
        self.pieces(pieces, &text).ok_or_else(|| {
            let others = || describe::others(pieces);
            let message = || format!("the selector '{text}' is not possible here, {}", others());
            (1, self.message(message))
        })
    }

    fn pieces(&mut self, pieces: &[Piece], text: &str) -> Option<()> {
        if pieces.is_empty() {
            return text.is_empty().then_some(());
        }
        let mut solutions = Vec::new();
        solve(pieces, text, (self.bits, self.set), &mut solutions);
        self.bits = *solutions.first()?;
        self.set |= fields(pieces);
        Some(())
    }
}

/// The bits of pieces.
fn fields(pieces: &[Piece]) -> u128 {
    pieces.iter().fold(0, |mask, piece| match piece {
        Piece::Literal(_) => mask,
        Piece::Field(field, _) => mask | field.mask(),
    })
}

fn failed(depth: usize, operand: Option<usize>, message: String) -> Failed {
    (depth, EncodeError { operand, message })
}

fn signs_of(found: &RegisterOperand) -> String {
    let signs = [
        (found.not, '!'),
        (found.negate, '-'),
        (found.invert, '~'),
        (found.absolute, '|'),
    ];
    signs
        .into_iter()
        .filter_map(|(holds, sign)| holds.then_some(sign))
        .collect()
}

/// All bits for which the pieces make up a text.
fn solve(pieces: &[Piece], text: &str, (bits, set): (u128, u128), solutions: &mut Vec<u128>) {
    let Some((piece, rest)) = pieces.split_first() else {
        if text.is_empty() && solutions.len() < MOST_SOLUTIONS {
            solutions.push(bits);
        }
        return;
    };
    let (field, values) = match piece {
        Piece::Literal(literal) => {
            if let Some(behind) = text.strip_prefix(&**literal).filter(|text| is_end(text)) {
                solve(rest, behind, (bits, set), solutions);
            }
            return;
        }
        Piece::Field(field, values) => (field, values),
    };
    let mask = field.mask();
    // What has a text is tried first: an empty one leaves it to another piece.
    for empty in [false, true] {
        for (value, word) in &values.entries {
            if word.is_empty() != empty || solutions.len() >= MOST_SOLUTIONS {
                continue;
            }
            let Some(behind) = text.strip_prefix(&**word).filter(|text| is_end(text)) else {
                continue;
            };
            let put = field.put(*value);
            if (bits ^ put) & mask & set == 0 {
                let next = (bits & !mask | put, set | mask);
                solve(rest, behind, next, solutions);
            }
        }
    }
}

/// Whether a word may end before a text.
fn is_end(text: &str) -> bool {
    !text.starts_with(|next: char| next.is_ascii_alphanumeric() || next == '_')
}
