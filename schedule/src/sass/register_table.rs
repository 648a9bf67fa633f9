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
        if let Some(place) = list.iter().take(most).position(&mut is_same) {
            list[place] = value;
        } else if list.last().is_some_and(is_same) {
            list.pop();
            list.push(value);
        } else {
            self.push(register, value);
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
