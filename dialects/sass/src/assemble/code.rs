//! The bytes of functions.

use rustc_hash::FxHashMap;

use super::Problem;
use crate::cubin::relocation;
use crate::encoding::{Encoding, encode};
use crate::function::Function;
use crate::instruction::{Instruction, Operand};
use crate::listing::Note;
use crate::scheduled::Scheduled;

/// The first machine whose calls have addresses of 55 bits.
const WIDE_CALLS: u16 = 90;

/// The code of a function.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Code {
    /// The instructions.
    pub bytes: Vec<u8>,
    /// What is filled in later.
    pub references: Vec<Reference>,
    /// The offset of each label.
    pub labels: FxHashMap<Box<str>, u64>,
}

/// A place that the linker or the driver fills in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reference {
    /// The place: its offset in bytes.
    pub offset: u64,
    /// The kind of relocation.
    pub kind: u32,
    /// The symbol.
    pub symbol: Box<str>,
    /// What is added to its address.
    pub addend: i64,
}

/// The code of a function. An instruction that the tables of encodings do not have keeps the bits that it was imported
/// with, if neither it nor its address was changed.
///
/// # Errors
/// An instruction that the machine cannot hold, or that refers to something unknown.
pub fn assemble(function: &Function<'_>) -> Result<Code, Box<Problem>> {
    let labels = labels(function);
    let mut code = Code::default();
    let mut address = 0;
    for found in function.instructions() {
        let assembler = Assembler {
            function,
            labels: &labels,
            found,
            address,
        };
        let encoding = assembler.encoding(&mut code.references);
        let encoding = encoding.and_then(|encoding| {
            let word = encoding.with_control(&found.control);
            word.map_err(|problem| problem.to_string())
        });
        let encoding = encoding.map_err(|message| {
            Box::new(Problem {
                place: function.name.clone(),
                address: Some(address),
                origin: found.origin,
                message: format!("'{found}': {message}"),
            })
        })?;
        code.bytes.extend(encoding.to_bytes());
        address += Encoding::BYTES;
    }
    code.labels = labels;
    Ok(code)
}

/// The offsets of the labels of a function, its own name among them.
fn labels(function: &Function<'_>) -> FxHashMap<Box<str>, u64> {
    let mut labels = FxHashMap::default();
    let mut address = 0;
    for block in &function.blocks {
        labels.extend(block.labels().map(|label| (label.into(), address)));
        address += Encoding::BYTES * u64::try_from(block.instructions.len()).unwrap_or(u64::MAX);
    }
    let trailing = function.trailing.iter().filter_map(Note::label);
    labels.extend(trailing.map(|label| (label.into(), address)));
    labels.entry(function.name.clone()).or_insert(0);
    labels
}

/// Encodes an instruction.
struct Assembler<'a> {
    function: &'a Function<'a>,
    labels: &'a FxHashMap<Box<str>, u64>,
    found: &'a Scheduled<'a>,
    address: u64,
}

impl Assembler<'_> {
    fn encoding(&self, references: &mut Vec<Reference>) -> Result<Encoding, String> {
        let known = references.len();
        match self.encode(references) {
            Ok(encoding) => Ok(encoding),
            Err(message) => {
                references.truncate(known);
                self.imported().ok_or(message)
            }
        }
    }

    fn encode(&self, references: &mut Vec<Reference>) -> Result<Encoding, String> {
        if let Some(bits) = raw_bits(&self.found.instruction) {
            return Ok(Encoding::from_bits(bits));
        }
        let mut instruction = self.found.instruction.clone().into_owned();
        for operand in &mut instruction.operands {
            self.resolve(operand, references)?;
        }
        let encoding = encode(&self.function.target, &instruction, self.address);
        encoding.map_err(|error| error.to_string())
    }

    /// The bits that it was imported with.
    fn imported(&self) -> Option<Encoding> {
        let imported = self.found.imported?;
        let same = imported.fingerprint == Some(self.found.fingerprint());
        (same && self.found.address == self.address).then_some(imported.encoding)
    }

    /// Replaces what is known only by its name by a number.
    fn resolve(
        &self,
        operand: &mut Operand,
        references: &mut Vec<Reference>,
    ) -> Result<(), String> {
        match operand {
            Operand::Label(name) => {
                let place = match self.labels.get(name) {
                    Some(place) => *place,
                    None => {
                        references.push(Reference {
                            offset: self.address,
                            kind: self.call_kind(),
                            symbol: name.clone(),
                            addend: 0,
                        });
                        0
                    }
                };
                *operand = Operand::integer(place.cast_signed());
            }
            Operand::Relative { target, .. } => self.resolve(target, references)?,
            Operand::Relocation(text) => {
                references.push(self.reference(text)?);
                *operand = Operand::integer(0);
            }
            _ => {}
        }
        Ok(())
    }

    fn call_kind(&self) -> u32 {
        let machine = orison_machine::sm_number(&self.function.target).unwrap_or(0);
        match machine >= WIDE_CALLS {
            true => relocation::CALL_SINCE_90,
            false => relocation::CALL,
        }
    }

    /// `32@lo(counter)`, `32@hi((counter + 0x8))`, `32@lo((k + .L_x_3@srel))`.
    fn reference(&self, text: &str) -> Result<Reference, String> {
        let unknown = || format!("'{text}' is not an address that is known later");
        let (word, expression) = text.split_once('(').ok_or_else(unknown)?;
        let kind = relocation::KINDS.iter().find(|kind| kind.operand == word);
        let kind = kind.filter(|kind| !kind.operand.is_empty());
        let kind = kind.ok_or_else(unknown)?;
        let expression = expression.strip_suffix(')').ok_or_else(unknown)?;
        let (symbol, added) = split_sum(expression);
        let addend = match added {
            None => 0,
            Some(added) => match added.strip_suffix("@srel") {
                Some(label) => {
                    let place = self.labels.get(label);
                    let place = place.ok_or_else(|| format!("there is no label '{label}'"))?;
                    place.cast_signed()
                }
                None => hexadecimal(added).ok_or_else(unknown)?,
            },
        };
        Ok(Reference {
            offset: self.address,
            kind: kind.number,
            symbol: symbol.into(),
            addend,
        })
    }
}

/// The symbol and what is added to it: `counter`, or `(counter + 0x8)`.
pub(super) fn split_sum(text: &str) -> (&str, Option<&str>) {
    let inside = text
        .strip_prefix('(')
        .and_then(|rest| rest.strip_suffix(')'));
    match inside.and_then(|inside| inside.split_once(" + ")) {
        Some((symbol, added)) => (symbol, Some(added)),
        None => (text, None),
    }
}

/// `0x8`, `-0x8`.
pub(super) fn hexadecimal(text: &str) -> Option<i64> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let digits = digits.strip_prefix("0x")?;
    let value = u64::from_str_radix(digits, 16).ok()?.cast_signed();
    Some(if negative {
        value.wrapping_neg()
    } else {
        value
    })
}

/// The bits in an instruction of unknown bits: `UNKNOWN 0x…`.
fn raw_bits(instruction: &Instruction) -> Option<u128> {
    let text = instruction.to_string();
    let digits = text.strip_prefix("UNKNOWN 0x")?;
    u128::from_str_radix(digits, 16).ok()
}
