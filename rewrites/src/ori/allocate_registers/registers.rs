//! What the registers of a file hold at a point of the program.

use super::register_set::RegisterSet;
use super::units::UnitId;

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
