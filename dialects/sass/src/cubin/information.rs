//! `.nv.info`, `.nv.info.k` and `.nv.compat`: what the driver needs to know of a file and of its functions.
//!
//! A record is a format, an attribute, and a value: format 1 has no value, formats 2 and 3 have a byte and a half word
//! in the two bytes after the attribute, format 4 has there the size of the data that follows.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

use super::CubinError;

/// How a word of a record refers to something.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Word {
    /// It is the address of an instruction, and follows it.
    Address,
    /// It is the address of a block, whatever its first instruction is.
    Block,
    /// It is the number of a symbol.
    Symbol,
    /// It refers to nothing.
    Value,
    /// It may be the address of anything.
    Unknown,
}

/// An attribute of `.nv.info` and `.nv.info.k`.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Attribute {
    /// Its name, as cuobjdump prints it behind `EIATTR_`.
    pub name: String,
    /// What it says; empty where that was not seen.
    #[serde(default)]
    pub about: String,
    #[serde(default)]
    words: Vec<String>,
}

/// The attributes by their numbers.
pub fn attributes() -> &'static BTreeMap<u8, Attribute> {
    static ATTRIBUTES: LazyLock<BTreeMap<u8, Attribute>> = LazyLock::new(|| {
        let parsed = toml::from_str(include_str!("attributes.toml"));
        let parsed: BTreeMap<String, Attribute> = parsed.unwrap_or_default();
        let number = |text: &str| u8::from_str_radix(text.strip_prefix("0x")?, 16).ok();
        let numbered = parsed.into_iter();
        numbered
            .filter_map(|(text, attribute)| Some((number(&text)?, attribute)))
            .collect()
    });
    &ATTRIBUTES
}

/// The number of an attribute with a name.
pub fn attribute(name: &str) -> Option<u8> {
    let mut all = attributes().iter();
    all.find_map(|(number, attribute)| (attribute.name == name).then_some(*number))
}

/// Attributes of `.nv.compat`.
pub mod compatibility {
    /// Which code the machine shares with others.
    pub const ISA_CLASS: u8 = 0x02;
    /// Whether the code has the first version of tensor maps.
    pub const TENSOR_MAP: u8 = 0x03;
    /// Which form of fifth-generation matrix instructions the code has.
    pub const TCGEN05_MMA: u8 = 0x05;
    /// Whether the driver may convert the code.
    pub const FINALIZATION: u8 = 0x06;
    /// The version of the second form of the code.
    pub const MERCURY_ISA_VERSION: u8 = 0x07;
    /// Whether no other machine executes the code.
    pub const ONLY_THIS_MACHINE: u8 = 0x09;
    /// How the driver may convert the code.
    pub const FAST_FINALIZATION: u8 = 0x0b;
}

/// A record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// What it says.
    pub attribute: u8,
    /// The value.
    pub value: Value,
}

/// The value of a record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    /// Format 1.
    None(u16),
    /// Format 2. The byte after it is zero.
    Byte(u8),
    /// Format 3.
    Half(u16),
    /// Format 4.
    Data(Vec<u8>),
}

impl Record {
    /// A record without a value. Attributes are named as in the table.
    pub fn flag(name: &str) -> Record {
        Record::new(name, Value::None(0))
    }

    /// A record with a byte.
    pub fn byte(name: &str, value: u8) -> Record {
        Record::new(name, Value::Byte(value))
    }

    /// A record with half a word.
    pub fn half(name: &str, value: u16) -> Record {
        Record::new(name, Value::Half(value))
    }

    /// A record with words.
    pub fn words(name: &str, words: &[u32]) -> Record {
        let bytes = words.iter().flat_map(|word| word.to_le_bytes());
        Record::new(name, Value::Data(bytes.collect()))
    }

    fn new(name: &str, value: Value) -> Record {
        Record {
            attribute: attribute(name).unwrap_or_default(),
            value,
        }
    }

    /// Its data as words; none if it has none, or other data.
    pub fn as_words(&self) -> Vec<u32> {
        match &self.value {
            Value::Data(data) if data.len().is_multiple_of(4) => data
                .chunks_exact(4)
                .map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]))
                .collect(),
            _ => Vec::new(),
        }
    }

    /// What its words are.
    pub fn kinds(&self) -> Vec<Word> {
        let pattern = attributes().get(&self.attribute);
        kinds(pattern.map_or(&[], |found| &found.words), &self.as_words())
    }
}

/// What the words of a record with a pattern are.
fn kinds(pattern: &[String], words: &[u32]) -> Vec<Word> {
    let mut kinds = Vec::with_capacity(words.len());
    for kind in pattern.iter().cycle() {
        let Some(word) = words.get(kinds.len()) else {
            break;
        };
        match &**kind {
            "address" => kinds.push(Word::Address),
            "value" => kinds.push(Word::Value),
            "symbol" => kinds.push(Word::Symbol),
            "blocks" => {
                let left = words.len() - kinds.len() - 1;
                let Some(count) = usize::try_from(*word).ok().filter(|count| *count <= left) else {
                    break;
                };
                kinds.push(Word::Value);
                kinds.resize(kinds.len() + count, Word::Block);
            }
            fixed if fixed.parse() == Ok(*word) => kinds.push(Word::Value),
            _ => break,
        }
    }
    kinds.resize(words.len(), Word::Unknown);
    kinds
}

/// The records of a section.
///
/// # Errors
/// If the section ends within a record, or a record has another format.
pub fn records(mut bytes: &[u8]) -> Result<Vec<Record>, CubinError> {
    let ended = || CubinError("ends within a record".to_owned());
    let mut found = Vec::new();
    while !bytes.is_empty() {
        let (header, rest) = bytes.split_first_chunk::<4>().ok_or_else(ended)?;
        let [format, attribute, low, high] = *header;
        bytes = rest;
        let half = u16::from_le_bytes([low, high]);
        let value = match format {
            1 => Value::None(half),
            2 if high == 0 => Value::Byte(low),
            3 => Value::Half(half),
            4 => {
                let (data, rest) = bytes.split_at_checked(half.into()).ok_or_else(ended)?;
                bytes = rest;
                Value::Data(data.to_vec())
            }
            _ => return Err(CubinError(format!("has a record of format {format}"))),
        };
        found.push(Record { attribute, value });
    }
    Ok(found)
}

/// The bytes of records. Data of more than 65535 bytes is cut off.
pub fn bytes(records: &[Record]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for record in records {
        let (format, half, data): (u8, u16, &[u8]) = match &record.value {
            Value::None(half) => (1, *half, &[]),
            Value::Byte(byte) => (2, u16::from(*byte), &[]),
            Value::Half(half) => (3, *half, &[]),
            Value::Data(data) => {
                let size = u16::try_from(data.len()).unwrap_or(u16::MAX);
                (4, size, &data[..usize::from(size)])
            }
        };
        bytes.extend([format, record.attribute]);
        bytes.extend(half.to_le_bytes());
        bytes.extend_from_slice(data);
    }
    bytes
}
