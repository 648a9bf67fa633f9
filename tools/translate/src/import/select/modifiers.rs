//! The modifiers of an instruction, taken one by one, so that unknown ones are detected.

use crate::ptx::ast::Instruction;

/// The modifiers that have not been taken.
#[derive(Clone, Debug)]
pub(super) struct Words<'m> {
    rest: Vec<&'m str>,
}

impl<'m> Words<'m> {
    /// All modifiers of an instruction.
    pub fn of(instruction: &Instruction<'m>) -> Self {
        Words {
            rest: instruction.modifiers.clone(),
        }
    }

    /// Takes a modifier, if present.
    pub fn take(&mut self, word: &str) -> bool {
        let place = self.rest.iter().position(|known| *known == word);
        place.map(|place| self.rest.remove(place)).is_some()
    }

    /// Takes the first modifier that is one of these.
    pub fn any(&mut self, words: &[&str]) -> Option<&'m str> {
        let place = self.rest.iter().position(|known| words.contains(known))?;
        Some(self.rest.remove(place))
    }

    /// Takes the first modifier that is in a table; returns its entry.
    pub fn translated<T: Copy>(&mut self, table: &[(&str, T)]) -> Option<T> {
        let found = |word: &&str| table.iter().find(|(known, _)| known == word);
        let place = self.rest.iter().position(|word| found(word).is_some())?;
        found(&self.rest.remove(place)).map(|(_, value)| *value)
    }

    /// Takes the first modifier.
    pub fn first(&mut self) -> Option<&'m str> {
        (!self.rest.is_empty()).then(|| self.rest.remove(0))
    }

    /// Takes the last modifier: usually the type.
    pub fn last(&mut self) -> Option<&'m str> {
        self.rest.pop()
    }

    /// The remaining modifiers.
    pub fn rest(&self) -> &[&'m str] {
        &self.rest
    }

    /// `Some` if no modifier remains.
    pub fn done(&self) -> Option<()> {
        self.rest.is_empty().then_some(())
    }
}

/// The modifiers of a minimum or maximum.
pub struct Extremum {
    /// Flags of the operation.
    pub flags: Vec<&'static str>,
    /// Whether the result has the combined signs of the operands: `.xorsign`.
    pub signs: bool,
    /// Whether absolute values are compared: `.abs`.
    pub magnitudes: bool,
}

impl Extremum {
    pub(super) fn take(words: &mut Words<'_>) -> Extremum {
        let flags = [(".ftz", "ftz"), (".NaN", "nan_wins")].into_iter();
        Extremum {
            flags: flags
                .filter_map(|(word, flag)| words.take(word).then_some(flag))
                .collect(),
            signs: words.take(".xorsign"),
            magnitudes: words.take(".abs"),
        }
    }
}
