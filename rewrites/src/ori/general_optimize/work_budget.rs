//! Bounding work. Time is not the limit: the same input gives the same output.

use std::cell::Cell;

/// The work done so far, and its limit. A unit is one term examined or created: by matching a
/// pattern, decomposing a class in a code rule, or computing the cost of a choice.
#[derive(Clone, Debug)]
pub struct Work {
    spent: Cell<u64>,
    limit: u64,
}

impl Work {
    /// A work limit.
    pub const fn limited(limit: u64) -> Self {
        Work {
            spent: Cell::new(0),
            limit,
        }
    }

    /// Adds units to the work done.
    pub fn spend(&self, units: u64) {
        self.spent.set(self.spent.get().saturating_add(units));
    }

    /// The work that was done.
    pub fn spent(&self) -> u64 {
        self.spent.get()
    }

    /// Whether the limit was reached. The current step then ends soon: each step that does not
    /// check is linear in a graph.
    pub fn is_spent(&self) -> bool {
        self.spent.get() >= self.limit
    }

    /// Sets the limit of the total work.
    pub fn allow(&mut self, limit: u64) {
        self.limit = limit;
    }
}

/// The work budget of a pass: each operation adds a share, and unused work is available to later
/// operations. The total work is therefore linear in the number of operations.
#[derive(Debug)]
pub struct Budget {
    share: u64,
    left: Cell<u64>,
}

impl Budget {
    /// A budget with this many units of work per operation.
    pub const fn new(share: u64) -> Self {
        Budget {
            share,
            left: Cell::new(0),
        }
    }

    /// The work allowed for this many operations, including unused work.
    pub fn open(&self, operations: usize) -> u64 {
        let brought = self.share.saturating_mul(operations as u64);
        self.left.set(self.left.get().saturating_add(brought));
        self.left.get()
    }

    /// Adds work that does not depend on the number of operations.
    pub fn grant(&self, work: u64) {
        self.left.set(self.left.get().saturating_add(work));
    }

    /// Subtracts the work done.
    pub fn close(&self, spent: u64) {
        self.left.set(self.left.get().saturating_sub(spent));
    }
}
