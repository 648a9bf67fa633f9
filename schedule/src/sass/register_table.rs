//! Short lists by register, in one array that is cleared by the registers used.

use smallvec::SmallVec;

use super::facts::RegisterNumber;

/// Entries per register, with a list of the registers that may have any.
#[derive(Clone, Debug)]
pub(in crate::sass) struct RegisterTable<T> {
    entries: Vec<SmallVec<[T; 2]>>,
    /// Registers that may have entries, each once.
    touched: Vec<RegisterNumber>,
    is_touched: Vec<bool>,
}

impl<T> RegisterTable<T> {
    /// No entries.
    pub(in crate::sass) fn new() -> Self {
        RegisterTable {
            entries: (0..RegisterNumber::COUNT)
                .map(|_| SmallVec::new())
                .collect(),
            touched: Vec::new(),
            is_touched: vec![false; RegisterNumber::COUNT],
        }
    }

    /// The entries of a register.
    pub(in crate::sass) fn get(&self, register: RegisterNumber) -> &[T] {
        &self.entries[register.index()]
    }

    /// Adds an entry.
    pub(in crate::sass) fn push(&mut self, register: RegisterNumber, value: T) {
        if !std::mem::replace(&mut self.is_touched[register.index()], true) {
            self.touched.push(register);
        }
        self.entries[register.index()].push(value);
    }

    /// Adds an entry, replacing one of the first `most` entries or the last one.
    pub(in crate::sass) fn replace(
        &mut self,
        register: RegisterNumber,
        most: usize,
        mut is_same: impl FnMut(&T) -> bool,
        value: T,
    ) {
        let list = &mut self.entries[register.index()];
        let among_first = list.iter().take(most).position(&mut is_same);
        let place = among_first.or_else(|| list.len().checked_sub(1));
        match place.filter(|place| is_same(&list[*place])) {
            Some(place) => list[place] = value,
            None => self.push(register, value),
        }
    }

    /// Keeps the entries of a register for which `keep` holds.
    pub(in crate::sass) fn retain(
        &mut self,
        register: RegisterNumber,
        mut keep: impl FnMut(&T) -> bool,
    ) {
        self.entries[register.index()].retain(|value| keep(value));
    }

    /// Keeps the entries of all registers for which `keep` holds.
    pub(in crate::sass) fn retain_all(&mut self, mut keep: impl FnMut(&T) -> bool) {
        let RegisterTable {
            entries,
            touched,
            is_touched,
        } = self;
        touched.retain(|register| {
            let entries = &mut entries[register.index()];
            entries.retain(|value| keep(value));
            is_touched[register.index()] = !entries.is_empty();
            !entries.is_empty()
        });
    }

    /// Removes the entries of a register.
    pub(in crate::sass) fn clear_register(&mut self, register: RegisterNumber) {
        self.entries[register.index()].clear();
    }

    /// Removes all entries.
    pub(in crate::sass) fn clear(&mut self) {
        for register in self.touched.drain(..) {
            self.entries[register.index()].clear();
            self.is_touched[register.index()] = false;
        }
    }

    /// All entries for which `map` returns a value, by register.
    pub(in crate::sass) fn export<U>(
        &mut self,
        mut map: impl FnMut(RegisterNumber, &T) -> Option<U>,
    ) -> Vec<U> {
        self.touched.sort_unstable();
        let mut exported = Vec::new();
        for register in &self.touched {
            let entries = &self.entries[register.index()];
            exported.extend(entries.iter().filter_map(|entry| map(*register, entry)));
        }
        exported
    }
}

#[cfg(test)]
mod tests {
    use orison_sass::registers::{Register, RegisterFile};

    use super::*;

    /// Only the first two entries and the last one are searched for the same tens.
    #[test]
    fn an_entry_replaces_the_same_one_among_the_first_or_at_the_end() {
        let register = RegisterNumber::of(Register::new(RegisterFile::General, 3));
        let register = register.expect("a number");
        let mut table = RegisterTable::new();
        let mut replace = |value: u32| {
            table.replace(register, 2, |found| found / 10 == value / 10, value);
            table.get(register).to_vec()
        };
        assert_eq!(replace(10), [10]);
        assert_eq!(replace(11), [11]);
        assert_eq!(replace(20), [11, 20]);
        assert_eq!(replace(30), [11, 20, 30]);
        assert_eq!(replace(21), [11, 21, 30]);
        assert_eq!(replace(31), [11, 21, 31]);
        assert_eq!(replace(40), [11, 21, 31, 40]);
        assert_eq!(replace(32), [11, 21, 31, 40, 32]);
    }
}
