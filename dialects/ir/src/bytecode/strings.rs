//! The table of strings that is written.

use rustc_hash::FxHashMap;

use super::emitter::Emitter;
use super::format::section;

/// Strings referenced by index, in order of first use.
#[derive(Debug, Default)]
pub(super) struct Strings {
    strings: Vec<Box<[u8]>>,
    numbers: FxHashMap<Box<[u8]>, u64>,
}

impl Strings {
    /// The index of a string.
    pub(super) fn number(&mut self, string: &[u8]) -> u64 {
        if let Some(number) = self.numbers.get(string) {
            return *number;
        }
        let number = self.strings.len() as u64;
        self.strings.push(string.into());
        self.numbers.insert(string.into(), number);
        number
    }

    /// Writes the section of strings.
    pub(super) fn write(&self, out: &mut Emitter) {
        let mut section = Emitter::default();
        section.count(self.strings.len());
        for string in self.strings.iter().rev() {
            section.count(string.len() + 1);
        }
        for string in &self.strings {
            section.bytes(string);
            section.byte(0);
        }
        out.section(section::STRINGS, section);
    }
}
