//! The registers of a PTX function: their types, which are read and written where, which are live.

use std::collections::HashMap;

use orison_ori::Register;

use super::body::{Body, End};
use super::select::{destinations, reads_its_destination};
use crate::ptx::Error;
use crate::ptx::ast::{Declaration, Expression, Instruction, Statement, StatementKind};

/// The declared registers, by number.
#[derive(Debug, Default)]
pub(super) struct Registers<'a> {
    exact: HashMap<&'a str, Register>,
    counted: HashMap<&'a str, (u64, Register)>,
    numbers: HashMap<&'a str, usize>,
    kinds: Vec<Register>,
}

impl<'a> Registers<'a> {
    /// The registers that statements declare, nested ones too.
    ///
    /// # Errors
    /// When nested braces declare a name again with another type.
    pub fn of(statements: &'a [Statement<'a>]) -> Result<Self, Error> {
        let mut registers = Registers::default();
        registers.declare_all(statements)?;
        Ok(registers)
    }

    fn declare_all(&mut self, statements: &'a [Statement<'a>]) -> Result<(), Error> {
        for statement in statements {
            match &statement.kind {
                StatementKind::Declaration(declaration) if declaration.space == ".reg" => {
                    self.declare(declaration)?;
                }
                StatementKind::Block(inner) => self.declare_all(inner)?,
                _ => {}
            }
        }
        Ok(())
    }

    fn declare(&mut self, declaration: &'a Declaration<'a>) -> Result<(), Error> {
        let register = register_of(declaration.ty);
        for name in &declaration.names {
            let before = match name.count {
                Some(count) => {
                    let known = self.counted.get(name.name).copied();
                    let most = known.map_or(count, |(known, _)| known.max(count));
                    self.counted.insert(name.name, (most, register));
                    known.map(|(_, register)| register)
                }
                None => self.exact.insert(name.name, register),
            };
            if before.is_some_and(|before| before != register) {
                let message = format!("register '{}' is declared with two types", name.name);
                let place = name.place;
                return Err(Error { place, message });
            }
        }
        Ok(())
    }

    /// The type of a register; none for names that are no register.
    pub fn kind(&self, name: &str) -> Option<Register> {
        if let Some(register) = self.exact.get(name) {
            return Some(*register);
        }
        let stem = name.trim_end_matches(|digit: char| digit.is_ascii_digit());
        let (count, register) = self.counted.get(stem)?;
        let number: u64 = name[stem.len()..].parse().ok()?;
        (number < *count).then_some(*register)
    }

    /// The number of a register, given on first use.
    pub fn number(&mut self, name: &'a str) -> Option<usize> {
        let kind = self.kind(name)?;
        let next = self.kinds.len();
        let number = *self.numbers.entry(name).or_insert(next);
        if number == next {
            self.kinds.push(kind);
        }
        Some(number)
    }

    /// The number of a register that was met before.
    pub fn known(&self, name: &str) -> Option<usize> {
        self.numbers.get(name).copied()
    }

    /// The type of the register with a number.
    pub fn kind_of(&self, number: usize) -> Register {
        self.kinds[number]
    }

    /// How many registers were met.
    pub fn len(&self) -> usize {
        self.kinds.len()
    }
}

/// The register that holds values of a PTX type.
pub(super) fn register_of(ty: &str) -> Register {
    match ty {
        ".pred" => Register::P,
        ".b64" | ".u64" | ".s64" | ".f64" | ".f32x2" => Register::R64,
        ".b128" => Register::R128,
        _ => Register::R,
    }
}

/// Calls `each` with every name in an expression.
pub(super) fn names<'a>(expression: &'a Expression<'a>, each: &mut impl FnMut(&'a str)) {
    match expression {
        Expression::Name(name) => each(name),
        Expression::Member(of, _) | Expression::Unary(_, of) | Expression::Cast(_, of) => {
            names(of, each);
        }
        Expression::Binary(_, a, b) => {
            names(a, each);
            names(b, each);
        }
        Expression::Conditional(parts) => parts.iter().for_each(|part| names(part, each)),
        Expression::Apply(of, list) => {
            names(of, each);
            list.iter().for_each(|item| names(item, each));
        }
        Expression::Parentheses(list) | Expression::Vector(list) | Expression::Address(list) => {
            list.iter().for_each(|item| names(item, each));
        }
        _ => {}
    }
}

/// What an instruction reads and writes, by number. A guarded write reads too: where the guard does
/// not hold, the register keeps its value.
pub(super) fn reads_and_writes<'a>(
    registers: &mut Registers<'a>,
    instruction: &'a Instruction<'a>,
) -> (Vec<usize>, Vec<usize>) {
    let (mut reads, mut writes) = (Vec::new(), Vec::new());
    let count = destinations(instruction);
    for (number, operand) in instruction.operands.iter().enumerate() {
        names(operand, &mut |name| {
            let register = registers.number(name);
            if number < count {
                writes.extend(register);
            }
            if number >= count || reads_its_destination(instruction) {
                reads.extend(register);
            }
        });
    }
    if let Some((_, predicate)) = instruction.guard {
        reads.extend(registers.number(predicate));
        reads.extend_from_slice(&writes);
    }
    (reads, writes)
}

/// The registers that each block reads before it writes them, or hands on: sorted numbers.
pub(super) fn live_in<'a>(registers: &mut Registers<'a>, body: &Body<'a>) -> Vec<Vec<usize>> {
    let mut reads = Vec::new();
    let mut writes = Vec::new();
    for block in &body.blocks {
        let (mut read, mut written) = (Vec::new(), std::collections::BTreeSet::new());
        for (_, instruction) in &block.instructions {
            let (inward, outward) = reads_and_writes(registers, instruction);
            read.extend(
                inward
                    .into_iter()
                    .filter(|number| !written.contains(number)),
            );
            written.extend(outward);
        }
        if let End::Branch(_, name, ..) | End::Indexed(name, _) = &block.end {
            let number = registers.number(name);
            read.extend(number.filter(|number| !written.contains(number)));
        }
        reads.push(read);
        writes.push(written);
    }
    let words = registers.len().div_ceil(64);
    let mut live = vec![vec![0u64; words]; body.blocks.len()];
    for (live, read) in live.iter_mut().zip(&reads) {
        for number in read {
            live[number / 64] |= 1 << (number % 64);
        }
    }
    let killed: Vec<Vec<u64>> = writes
        .iter()
        .map(|written| {
            let mut bits = vec![0u64; words];
            for number in written {
                bits[number / 64] |= 1 << (number % 64);
            }
            bits
        })
        .collect();
    spread(body, &mut live, &killed);
    let members = |bits: &Vec<u64>| {
        let mut numbers = Vec::new();
        for (word, bits) in bits.iter().enumerate() {
            let mut rest = *bits;
            while rest != 0 {
                numbers.push(word * 64 + rest.trailing_zeros() as usize);
                rest &= rest - 1;
            }
        }
        numbers
    };
    live.iter().map(members).collect()
}

/// Hands liveness backwards until nothing changes.
fn spread(body: &Body<'_>, live: &mut [Vec<u64>], killed: &[Vec<u64>]) {
    let order = body.reverse_post_order();
    let mut changed = true;
    while changed {
        changed = false;
        for &block in order.iter().rev() {
            for next in body.blocks[block].end.successors() {
                for word in 0..killed[block].len() {
                    let bits = live[block][word] | (live[next][word] & !killed[block][word]);
                    changed |= bits != live[block][word];
                    live[block][word] = bits;
                }
            }
        }
    }
}
