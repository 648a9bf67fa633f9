//! The modifiers of an instruction, taken one by one, so that one that is not known is noticed.

use crate::ptx::ast::Instruction;

/// The modifiers that nobody has taken yet.
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

    /// Takes a modifier, when it is there.
    pub fn take(&mut self, word: &str) -> bool {
        let place = self.rest.iter().position(|known| *known == word);
        place.map(|place| self.rest.remove(place)).is_some()
    }

    /// Takes the first modifier that is one of some.
    pub fn any(&mut self, words: &[&str]) -> Option<&'m str> {
        let place = self.rest.iter().position(|known| words.contains(known))?;
        Some(self.rest.remove(place))
    }

    /// Takes the first modifier that a table knows: what the table says of it.
    pub fn translated<T: Copy>(&mut self, table: &[(&str, T)]) -> Option<T> {
        let found = |word: &&str| table.iter().find(|(known, _)| known == word);
        let place = self.rest.iter().position(|word| found(word).is_some())?;
        found(&self.rest.remove(place)).map(|(_, value)| *value)
    }

    /// Takes the first modifier.
    pub fn first(&mut self) -> Option<&'m str> {
        (!self.rest.is_empty()).then(|| self.rest.remove(0))
    }

    /// Takes the last modifier: most often the type.
    pub fn last(&mut self) -> Option<&'m str> {
        self.rest.pop()
    }

    /// The modifiers that are left.
    pub fn rest(&self) -> &[&'m str] {
        &self.rest
    }

    /// Something when no modifier is left.
    pub fn done(&self) -> Option<()> {
        self.rest.is_empty().then_some(())
    }
}
