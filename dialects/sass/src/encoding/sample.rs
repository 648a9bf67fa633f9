//! Random encodings, for tests.

use super::Encoding;
use super::form::{Atom, Form, GuardKind, Piece};
use super::table;

/// A generator of numbers (`xorshift64*`), so that tests are the same each time.
#[derive(Clone, Debug)]
pub struct Chooser(u64);

impl Chooser {
    /// A generator with a start other than zero.
    pub fn new(seed: u64) -> Chooser {
        Chooser(seed.max(1))
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// A number below a bound.
    fn below(&mut self, bound: usize) -> usize {
        let bound = u64::try_from(bound.max(1)).unwrap_or(1);
        usize::try_from((self.next() >> 16) % bound).unwrap_or_default()
    }
}

/// An encoding of a random form of a machine, with random values in its fields, and without control
/// word; `None` if the machine has no table, or the values make it another form.
pub fn random(machine: &str, chooser: &mut Chooser) -> Option<Encoding> {
    let table = table::of(machine)?;
    let (form, _) = table.at(chooser.below(table.len()))?;
    let mut bits = form.fixed;
    for operand in &form.operands {
        for atom in &operand.atoms {
            bits = put_atom(atom, bits, chooser);
        }
        let pieces = [&operand.signs, &operand.end].into_iter();
        for pieces in pieces.chain(&operand.selectors) {
            bits = put_words(pieces, bits, chooser);
        }
    }
    bits = put_words(&form.modifiers, bits, chooser);
    if form.guard != GuardKind::None {
        let guard = if chooser.below(4) == 0 {
            u128::from(chooser.next() & 15)
        } else {
            7
        };
        bits = bits & !(0xf << 12) | guard << 12;
    }
    // What the conditions ask for.
    bits = bits & !form.mask | form.value;
    is_of(form, bits).then(|| Encoding::from_bits(bits))
}

fn is_of(form: &Form, bits: u128) -> bool {
    form.has(bits)
}

fn put_atom(atom: &Atom, bits: u128, chooser: &mut Chooser) -> u128 {
    let mut random = chooser.next();
    let field = match atom {
        Atom::Word(field, values) => {
            let chosen = values.entries.get(chooser.below(values.entries.len()));
            return chosen.map_or(bits, |(value, _)| bits & !field.mask() | field.put(*value));
        }
        // Wide operands start at a register that is a multiple of their width.
        Atom::Register(_, field) => {
            random = match chooser.below(8) {
                0 => u64::MAX,
                1 => random,
                _ => random & !7,
            };
            field
        }
        Atom::Number(field, _) => {
            random = match chooser.below(4) {
                0 => 0,
                1 => random & 0xf8,
                _ => random,
            };
            field
        }
        Atom::Float(_, field) | Atom::Scoreboards(field) => field,
    };
    bits & !field.mask() | field.put(random)
}

fn put_words(pieces: &[Piece], bits: u128, chooser: &mut Chooser) -> u128 {
    pieces.iter().fold(bits, |bits, piece| match piece {
        Piece::Literal(_) => bits,
        Piece::Field(field, values) => {
            let entries = &values.entries;
            let chosen = entries.get(chooser.below(entries.len()));
            // Most fields have their usual value.
            match chosen.filter(|_| chooser.below(3) == 0) {
                Some((value, _)) => bits & !field.mask() | field.put(*value),
                None => bits,
            }
        }
    })
}
