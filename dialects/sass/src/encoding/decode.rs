//! Instructions of bits.

use std::fmt;

use super::Encoding;
use super::form::{Atom, Form, GuardKind, NumberKind, OperandForm, Piece};
use super::hidden::reveal_descriptor;
use super::table::{self, Table};
use crate::instruction::{
    Address, AddressRegister, ConstantBank, Guard, Immediate, Instruction, Mnemonic, Operand,
    parse_operand,
};
use crate::registers::{Register, RegisterFile};

/// Bits that are no instruction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DecodeError {
    /// There is no table of the machine.
    Machine,
    /// No instruction has the opcode.
    Opcode(u16),
    /// No form of the opcode has the bits.
    Form(u16),
    /// A field of the form has a value that no text belongs to.
    Value(Box<str>),
}

impl fmt::Display for DecodeError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DecodeError::Machine => out.write_str("there is no table of encodings for the machine"),
            DecodeError::Opcode(opcode) => {
                write!(out, "no instruction has the opcode {opcode:#05x}")
            }
            DecodeError::Form(opcode) => {
                write!(out, "no form of the opcode {opcode:#05x} has these bits")
            }
            DecodeError::Value(mnemonic) => {
                write!(
                    out,
                    "a modifier of '{mnemonic}' has a value without a meaning"
                )
            }
        }
    }
}

impl std::error::Error for DecodeError {}

/// The instruction of bits at an address in its section. Targets of jumps are numbers: their
/// addresses.
///
/// # Errors
/// If the machine has no table or no such instruction.
pub fn decode(machine: &str, encoding: Encoding, address: u64) -> Result<Instruction, DecodeError> {
    let table = table::of(machine).ok_or(DecodeError::Machine)?;
    let mut found = by_table(table, encoding.bits(), address)?;
    reveal_descriptor(&mut found, encoding);
    Ok(found)
}

/// The instruction of bits of a table.
pub(super) fn by_table(
    table: &Table,
    bits: u128,
    address: u64,
) -> Result<Instruction, DecodeError> {
    let form = find(table, bits)?;
    fill(form, bits, address).ok_or_else(|| DecodeError::Value(form.base.clone()))
}

/// The form of bits.
pub(super) fn find(table: &Table, bits: u128) -> Result<&Form, DecodeError> {
    let opcode = u16::try_from(bits & 0xfff).unwrap_or_default();
    let mut forms = table.of_opcode(opcode).ok_or(DecodeError::Opcode(opcode))?;
    forms
        .find(|form| form.has(bits))
        .ok_or(DecodeError::Form(opcode))
}

/// The instruction of bits of a form; `None` if a field has a value without a text.
pub(super) fn fill(form: &Form, bits: u128, address: u64) -> Option<Instruction> {
    let mut text = String::with_capacity(32);
    text.push_str(&form.base);
    words(&form.modifiers, bits, &mut text)?;
    let mut operands = Vec::with_capacity(form.operands.len());
    for operand in &form.operands {
        if !is_hidden(operand, bits) {
            operands.push(operand_of(operand, bits, address)?);
        }
    }
    Some(Instruction {
        guard: guard(form.guard, bits),
        mnemonic: Mnemonic::new(&text),
        operands,
        targets: Vec::new(),
        remark: None,
    })
}

/// Whether an operand is not shown.
fn is_hidden(form: &OperandForm, bits: u128) -> bool {
    let Some(Atom::Register(_, field)) = form.atoms.first().filter(|_| form.optional) else {
        return false;
    };
    let mut signs = String::new();
    field.value(bits) == field.all()
        && words(&form.signs, bits, &mut signs).is_some()
        && signs.is_empty()
}

fn guard(kind: GuardKind, bits: u128) -> Option<Guard> {
    let file = match kind {
        GuardKind::None => return None,
        GuardKind::Predicate => RegisterFile::Predicate,
        GuardKind::Uniform => RegisterFile::UniformPredicate,
    };
    let index = u8::try_from(bits >> 12 & 7).unwrap_or_default();
    let negated = bits >> 15 & 1 == 1;
    let constant = index == 7;
    (!constant || negated).then(|| Guard {
        predicate: Register::new(file, if constant { Register::CONSTANT } else { index }),
        negated,
    })
}

/// Appends the words of the pieces.
fn words(pieces: &[Piece], bits: u128, out: &mut String) -> Option<()> {
    for piece in pieces {
        match piece {
            Piece::Literal(text) => out.push_str(text),
            Piece::Field(field, values) => {
                out.push_str(values.text(field.value(bits))?);
            }
        }
    }
    Some(())
}

/// The words without the dot before them.
fn selector(pieces: &[Piece], bits: u128) -> Option<Box<str>> {
    if pieces.is_empty() {
        return Some(Box::default());
    }
    let mut text = String::new();
    words(pieces, bits, &mut text)?;
    Some(text.strip_prefix('.').unwrap_or(&text).into())
}

fn operand_of(form: &OperandForm, bits: u128, address: u64) -> Option<Operand> {
    let mut atoms = Atoms {
        form,
        bits,
        address,
        next: 0,
    };
    let mut operand = match form.atoms.first() {
        Some(Atom::Word(field, values)) => {
            return parse_operand(values.text(field.value(bits))?).ok();
        }
        Some(Atom::Float(format, field)) => {
            let text = format.exact(field.value(bits));
            return Some(Operand::Immediate(Immediate::Float(text.into())));
        }
        Some(Atom::Scoreboards(field)) => {
            let set = field.number(bits);
            let numbers = (0..8).rev().filter(|number| set >> number & 1 == 1);
            return Some(Operand::Scoreboards(numbers.collect()));
        }
        None if form.signs.is_empty() => return Some(form.template.clone()),
        _ => form.template.clone(),
    };
    let mut signs = String::new();
    words(&form.signs, bits, &mut signs)?;
    let has = |sign| signs.contains(sign);
    match &mut operand {
        Operand::Register(found) => {
            if !form.atoms.is_empty() {
                found.register = atoms.register()?;
                found.selector = selector(form.selectors.first()?, bits)?;
            }
            found.negate = has('-');
            found.absolute = has('|');
            found.invert = has('~');
            found.not = has('!');
            found.reuse = form.reuse.is_some_and(|bit| bits >> bit & 1 == 1);
        }
        Operand::Immediate(found) => {
            let number = atoms.number()?;
            *found = Immediate::Integer {
                negative: number < 0,
                magnitude: u64::try_from(number.unsigned_abs() & u128::from(u64::MAX)).ok()?,
            };
        }
        Operand::Constant(found) => {
            match &mut found.bank {
                ConstantBank::Number(bank) => *bank = u64::try_from(atoms.number()?).ok()?,
                ConstantBank::Bindless(register) => *register = atoms.register()?,
            }
            atoms.fill(&mut found.address)?;
            found.negate = has('-');
            found.absolute = has('|');
            found.invert = has('~');
            found.selector = selector(&form.end, bits)?;
        }
        Operand::Memory(found) => {
            if let Some(descriptor) = &mut found.descriptor {
                *descriptor = atoms.register()?;
            }
            atoms.fill(&mut found.address)?;
            found.selector = selector(&form.end, bits)?;
        }
        Operand::Relative { register, target } => {
            *register = atoms.register()?;
            **target = Operand::integer(i64::try_from(atoms.number()?).ok()?);
        }
        _ => {}
    }
    Some(operand)
}

/// The atoms of an operand in the order of its text.
struct Atoms<'a> {
    form: &'a OperandForm,
    bits: u128,
    address: u64,
    next: usize,
}

impl Atoms<'_> {
    fn atom(&mut self) -> Option<&Atom> {
        let atom = self.form.atoms.get(self.next);
        self.next += 1;
        atom
    }

    fn register(&mut self) -> Option<Register> {
        let bits = self.bits;
        match self.atom()? {
            Atom::Register(file, field) => {
                let value = field.value(bits);
                let all = field.all();
                let constant = value == all && has_constant(*file);
                let index = if constant {
                    u64::from(Register::CONSTANT)
                } else {
                    value
                };
                Some(Register::new(*file, u8::try_from(index).ok()?))
            }
            _ => None,
        }
    }

    fn number(&mut self) -> Option<i128> {
        let (bits, address) = (self.bits, self.address);
        match self.atom()? {
            Atom::Number(field, kind) => {
                let number = field.number(bits);
                let from = i128::from(address) + i128::from(Encoding::BYTES);
                let is_distance = *kind == NumberKind::Distance;
                Some(if is_distance { number + from } else { number })
            }
            _ => None,
        }
    }

    /// Sets the number of an address, and removes its first register if that is zero.
    fn without_zero(&self, address: &mut Address, number: i64) -> Option<()> {
        let is_zero =
            |found: &AddressRegister| found.register.is_constant() && found.selector.is_empty();
        address.offset = Some(number);
        if !address.registers.first().is_some_and(is_zero) {
            return Some(());
        }
        address.registers.remove(0);
        if let Some(Atom::Number(field, NumberKind::UnsignedAlone)) =
            self.form.atoms.get(self.next.checked_sub(1)?)
        {
            address.offset = i64::try_from(field.unsigned(self.bits)).ok();
        }
        Some(())
    }

    fn fill(&mut self, address: &mut Address) -> Option<()> {
        for found in &mut address.registers {
            let place = self.next;
            found.register = self.register()?;
            found.selector = selector(self.form.selectors.get(place)?, self.bits)?;
        }
        if address.offset.is_some() {
            let number = i64::try_from(self.number()?).ok()?;
            if self.form.drops_zero && number != 0 {
                return self.without_zero(address, number);
            }
            // Zero is not printed after a register.
            address.offset = (number != 0 || address.registers.is_empty()).then_some(number);
        }
        Some(())
    }
}

/// Whether all bits of a register of the file mean one that is always zero or true.
pub(super) fn has_constant(file: RegisterFile) -> bool {
    matches!(
        file,
        RegisterFile::General
            | RegisterFile::Uniform
            | RegisterFile::Predicate
            | RegisterFile::UniformPredicate
    )
}
