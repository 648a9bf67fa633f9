//! The addresses in `.nv.info.k`, the metadata of a function for the driver.

use std::collections::BTreeMap;

use orison_sass::cubin::information::{Value, Word, bytes, records};

/// A word that refers to code, or may.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Mention {
    /// Its value.
    pub(super) value: u32,
    /// The attribute of its record.
    pub(super) attribute: u8,
    /// What it is.
    pub(super) word: Word,
}

/// The words of a section that refer to code, or may.
///
/// # Errors
/// If a record cannot be read.
pub(super) fn mentions(section: &[u8]) -> Result<Vec<Mention>, String> {
    let mut found = Vec::new();
    for record in records(section).map_err(|error| error.0)? {
        let words = record.as_words().into_iter().zip(record.kinds());
        let words = words.filter(|(_, word)| !matches!(word, Word::Value | Word::Symbol));
        found.extend(words.map(|(value, word)| Mention {
            value,
            attribute: record.attribute,
            word,
        }));
    }
    Ok(found)
}

/// Moves addresses. The order of lists is kept: other lists correspond to them.
///
/// # Errors
/// If a record cannot be read, or an address is too large for one.
pub(super) fn move_addresses(section: &mut [u8], moves: &BTreeMap<u64, u64>) -> Result<(), String> {
    let mut all = records(section).map_err(|error| error.0)?;
    for record in &mut all {
        let (kinds, mut words) = (record.kinds(), record.as_words());
        for (word, kind) in words.iter_mut().zip(&kinds) {
            if let (Word::Address, Some(new)) = (kind, moves.get(&u64::from(*word))) {
                *word = u32::try_from(*new).map_err(|_| "has no room for an address")?;
            }
        }
        if !kinds.is_empty() {
            record.value = Value::Data(words.iter().flat_map(|word| word.to_le_bytes()).collect());
        }
    }
    let moved = bytes(&all);
    section.copy_from_slice(&moved);
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
