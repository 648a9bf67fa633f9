//! The registers of a file, and what they hold at a point of the program.

use super::units::UnitId;

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

/// A file of registers: which units they hold.
#[derive(Clone, Debug)]
pub struct File {
    /// The registers that may be assigned.
    usable: RegisterSet,
    /// Those of them that hold nothing.
    free: RegisterSet,
    holders: Vec<Option<UnitId>>,
    /// The registers that were in use.
    pub used: RegisterSet,
}

impl File {
    /// A file whose usable registers are free.
    pub fn new(usable: RegisterSet) -> Self {
        File {
            usable,
            free: usable,
            holders: vec![None; 256],
            used: RegisterSet::default(),
        }
    }

    /// Frees all registers.
    pub fn clear(&mut self) {
        self.free = self.usable;
        self.holders.fill(None);
    }

    /// The registers that hold nothing.
    pub fn free(&self) -> RegisterSet {
        self.free
    }

    /// Whether a register may be assigned at all.
    pub fn is_usable(&self, register: u32) -> bool {
        self.usable.contains(register)
    }

    /// Whether all registers from one on are free.
    pub fn is_free(&self, first: u32, count: u32) -> bool {
        (first..first + count).all(|register| self.free.contains(register))
    }

    /// The unit in a register.
    pub fn holder(&self, register: u32) -> Option<UnitId> {
        self.holders.get(register as usize).copied().flatten()
    }

    /// Puts a unit into a register. A register outside of the usable ones may be given by the program.
    pub fn put(&mut self, register: u32, unit: UnitId) {
        self.free.remove(register);
        self.holders[register as usize] = Some(unit);
        self.used.insert(register);
    }

    /// Frees a register.
    pub fn release(&mut self, register: u32) {
        self.holders[register as usize] = None;
        if self.usable.contains(register) {
            self.free.insert(register);
        }
    }
}
