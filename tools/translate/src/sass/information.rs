//! `.nv.info.k`: the metadata of a function for the driver.
//!
//! A record is a format, an attribute, and a value: formats 1 to 3 have two bytes after the
//! attribute, format 4 has the length of the data that follows. `information.toml` has the attributes.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

/// How a word of a record refers to code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Word {
    /// It is the address of an instruction, and follows it.
    Address,
    /// It is the address of a block, whatever its first instruction is.
    Block,
    /// It may be the address of anything.
    Unknown,
}

/// A word that refers to code, or may.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Mention {
    /// Its offset in the section, in bytes.
    pub(super) offset: usize,
    /// Its value.
    pub(super) value: u32,
    /// The attribute of its record.
    pub(super) attribute: u8,
    /// What it is.
    pub(super) word: Word,
}

/// An attribute.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Attribute {
    /// For readers of the file.
    #[serde(rename = "name")]
    _name: String,
    words: Vec<String>,
}

/// The attributes, by their numbers as text: `0x1c`.
type Attributes = BTreeMap<String, Attribute>;

fn parse(text: &str) -> Result<Attributes, toml::de::Error> {
    toml::from_str(text)
}

/// The words of an attribute; none if it is unknown.
fn pattern(attribute: u8) -> &'static [String] {
    static ATTRIBUTES: LazyLock<Attributes> =
        LazyLock::new(|| parse(include_str!("information.toml")).unwrap_or_default());
    let found = ATTRIBUTES.get(&format!("{attribute:#04x}"));
    found.map_or(&[], |found| &found.words)
}

/// The words of a section that refer to code, or may.
///
/// # Errors
/// If a record cannot be read.
pub(super) fn mentions(bytes: &[u8]) -> Result<Vec<Mention>, String> {
    let (mut start, mut found) = (0, Vec::new());
    while start < bytes.len() {
        let header: Option<[u8; 4]> = bytes
            .get(start..start + 4)
            .and_then(|header| header.try_into().ok());
        let [format, attribute, low, high] = header.ok_or("ends within a record")?;
        start += 4;
        if format != 4 {
            continue;
        }
        let length = usize::from(u16::from_le_bytes([low, high]));
        let value = bytes.get(start..start + length);
        let value = value.ok_or("ends within a record")?;
        let words = value
            .chunks_exact(4)
            .map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]));
        let words: Vec<u32> = words.collect();
        let kinds = kinds(pattern(attribute), &words);
        let numbered = words.iter().zip(kinds).enumerate();
        found.extend(numbered.filter_map(|(number, (value, word))| {
            Some(Mention {
                offset: start + 4 * number,
                value: *value,
                attribute,
                word: word?,
            })
        }));
        start += length;
    }
    Ok(found)
}

/// What the words of a record with a pattern are; `None` for what is no address.
fn kinds(pattern: &[String], words: &[u32]) -> Vec<Option<Word>> {
    let mut kinds = Vec::with_capacity(words.len());
    for kind in pattern.iter().cycle() {
        let Some(word) = words.get(kinds.len()) else {
            break;
        };
        match &**kind {
            "address" => kinds.push(Some(Word::Address)),
            "value" => kinds.push(None),
            "blocks" => {
                let left = words.len() - kinds.len() - 1;
                let Some(count) = usize::try_from(*word).ok().filter(|count| *count <= left) else {
                    break;
                };
                kinds.push(None);
                kinds.resize(kinds.len() + count, Some(Word::Block));
            }
            fixed if fixed.parse() == Ok(*word) => kinds.push(None),
            _ => break,
        }
    }
    kinds.resize(words.len(), Some(Word::Unknown));
    kinds
}

/// Moves addresses. The order of lists is kept: other lists correspond to them.
///
/// # Errors
/// If a record cannot be read, or an address is too large for one.
pub(super) fn move_addresses(bytes: &mut [u8], moves: &BTreeMap<u64, u64>) -> Result<(), String> {
    for found in mentions(bytes)? {
        if let (Word::Address, Some(new)) = (found.word, moves.get(&u64::from(found.value))) {
            let new = u32::try_from(*new).map_err(|_| "has no room for an address")?;
            bytes[found.offset..][..4].copy_from_slice(&new.to_le_bytes());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(attribute: u8, words: &[u32]) -> Vec<u8> {
        let length = u8::try_from(words.len() * 4).unwrap();
        let mut bytes = vec![1, 0x35, 0, 0, 4, attribute, length, 0];
        bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
        bytes
    }

    #[test]
    fn the_table_is_well_formed() {
        let attributes = parse(include_str!("information.toml")).expect("the table");
        for (number, Attribute { words, .. }) in attributes {
            let digits = number.strip_prefix("0x").expect("a number");
            assert_eq!(digits.len(), 2);
            u8::from_str_radix(digits, 16).expect("a number");
            let known = |word: &String| {
                matches!(&**word, "address" | "value" | "blocks") || word.parse::<u32>().is_ok()
            };
            assert!(!words.is_empty() && words.iter().all(known), "{number}");
        }
    }

    #[test]
    fn addresses_move_where_they_are_known() {
        let moves: BTreeMap<u64, u64> = [(0x40, 0x60), (0x60, 0x40)].into();
        for (attribute, words, expected) in [
            (0x28, [0x40, 0x50, 0x60, 0x70], [0x60, 0x50, 0x40, 0x70]),
            (0x39, [0x40, 0x40, 0x60, 0x60], [0x60, 0x40, 0x60, 0x60]),
            (0x44, [0x40, 0x40, 0x60, 0x60], [0x60, 0x40, 0x40, 0x60]),
            (0x10, [0x40, 1, 1, 1], [0x40, 1, 1, 1]),
            (0x55, [1, 0x40, 1, 0x60], [1, 0x60, 1, 0x40]),
            (0x55, [1, 0x40, 2, 0x60], [1, 0x60, 2, 0x60]),
            (0x34, [0x60, 0x60, 1, 0x60], [0x40, 0x60, 1, 0x60]),
            (0xee, [1, 0x40, 1, 0x60], [1, 0x40, 1, 0x60]),
        ] {
            let mut bytes = record(attribute, &words);
            assert_eq!(move_addresses(&mut bytes, &moves), Ok(()));
            assert_eq!(bytes, record(attribute, &expected), "{attribute:#04x}");
        }
        // The end is within a header, or within the data that a header announces.
        for mut short in [vec![1, 0x35, 0], vec![4, 0x28, 8, 0, 0]] {
            let found = move_addresses(&mut short, &moves);
            assert_eq!(found.unwrap_err(), "ends within a record");
        }
    }

    #[test]
    fn what_no_pattern_has_is_unknown() {
        use Word::{Address, Block, Unknown};
        for (attribute, words, expected) in [
            (0xee, vec![0, 16], vec![(0, Unknown), (16, Unknown)]),
            (
                0x55,
                vec![1, 16, 2, 32],
                vec![(16, Address), (2, Unknown), (32, Unknown)],
            ),
            (
                0x34,
                vec![48, 0, 2, 64, 0, 80, 0, 0],
                vec![(48, Address), (64, Block), (0, Block), (80, Address)],
            ),
            // There are fewer blocks than the record says.
            (
                0x34,
                vec![48, 0, 2, 64],
                vec![(48, Address), (2, Unknown), (64, Unknown)],
            ),
        ] {
            let found = mentions(&record(attribute, &words)).expect("records");
            let found: Vec<(u32, Word)> = found
                .iter()
                .map(|found| (found.value, found.word))
                .collect();
            assert_eq!(found, expected, "{attribute:#04x}");
        }
    }
}
