//! Sets of registers of a file.

/// A set of registers of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct RegisterSet([u64; 4]);

impl RegisterSet {
    /// The registers below a number.
    pub fn below(count: u32) -> Self {
        let mut set = RegisterSet::default();
        (0..count).for_each(|register| set.insert(register));
        set
    }

    /// Adds a register.
    pub fn insert(&mut self, register: u32) {
        self.0[register as usize / 64] |= 1 << (register % 64);
    }

    /// Removes a register.
    pub fn remove(&mut self, register: u32) {
        self.0[register as usize / 64] &= !(1 << (register % 64));
    }

    /// Whether a register is in the set.
    pub fn contains(self, register: u32) -> bool {
        register < 256 && self.0[register as usize / 64] >> (register % 64) & 1 == 1
    }

    /// The registers, ascending.
    pub fn iter(self) -> impl Iterator<Item = u32> {
        (0..256).filter(move |register| self.contains(*register))
    }

    /// The number of registers.
    pub fn count(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// One more than the highest register; 0 if there is none.
    pub fn end(self) -> u32 {
        self.iter().last().map_or(0, |register| register + 1)
    }

    /// The registers of both sets.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        RegisterSet(std::array::from_fn(|word| self.0[word] | other.0[word]))
    }
}
