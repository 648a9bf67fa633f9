//! Counting work, so that it can be bounded. Time is no bound: the same input gives the same output.

use std::cell::Cell;

/// Work that was done, and how much may be. A unit is one term that is looked at or made: when a
/// pattern is matched, when a rule that is code takes a class apart, when what a choice costs is
/// computed.
#[derive(Clone, Debug)]
pub struct Work {
    spent: Cell<u64>,
    limit: u64,
}

impl Work {
    /// So much work and no more.
    pub const fn limited(limit: u64) -> Self {
        Work {
            spent: Cell::new(0),
            limit,
        }
    }

    /// Counts work that is done.
    pub fn spend(&self, units: u64) {
        self.spent.set(self.spent.get().saturating_add(units));
    }

    /// The work that was done.
    pub fn spent(&self) -> u64 {
        self.spent.get()
    }

    /// Whether as much was done as may be. What is under way then ends soon: each step that does not
    /// ask is linear in a graph.
    pub fn is_spent(&self) -> bool {
        self.spent.get() >= self.limit
    }

    /// Allows so much work in all.
    pub fn allow(&mut self, limit: u64) {
        self.limit = limit;
    }
}

/// The work of a whole pass: each operation brings a share of it, and what some do not use is there for
/// those behind them. So the work is linear in the operations, whatever they are.
#[derive(Debug)]
pub struct Budget {
    share: u64,
    left: Cell<u64>,
}

impl Budget {
    /// So many units of work for each operation.
    pub const fn new(share: u64) -> Self {
        Budget {
            share,
            left: Cell::new(0),
        }
    }

    /// The work that may be done on so many operations and was not used before.
    pub fn open(&self, operations: usize) -> u64 {
        let brought = self.share.saturating_mul(operations as u64);
        self.left.set(self.left.get().saturating_add(brought));
        self.left.get()
    }

    /// Takes away what was done.
    pub fn close(&self, spent: u64) {
        self.left.set(self.left.get().saturating_sub(spent));
    }
}
