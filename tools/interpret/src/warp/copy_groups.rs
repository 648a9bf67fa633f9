//! The asynchronous copies of a thread that are in flight, and their groups.

use std::collections::VecDeque;

use orison_ir::Operation;

/// A copy in flight.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pending {
    pub(super) op: Operation,
    pub(super) to: u64,
    pub(super) from: u64,
    pub(super) copied: usize,
    pub(super) count: usize,
    /// Its index among the copies of the thread.
    pub(super) number: u64,
}

/// The copies of a thread: those since the last group was closed, and the closed groups.
#[derive(Clone, Debug, Default)]
pub(super) struct Copies {
    pub(super) open: Vec<Pending>,
    pub(super) groups: VecDeque<Vec<Pending>>,
    /// The number of copies begun.
    pub(super) begun: u64,
}

impl Copies {
    /// The number of copies begun so far.
    pub(super) fn begun(&self) -> u64 {
        self.begun
    }

    /// Removes the copies before an index, in order.
    pub(super) fn take_before(&mut self, number: u64) -> Vec<Pending> {
        let mut taken = Vec::new();
        for list in self.groups.iter_mut().chain([&mut self.open]) {
            let (before, rest): (Vec<_>, _) = std::mem::take(list)
                .into_iter()
                .partition(|pending| pending.number < number);
            taken.extend(before);
            *list = rest;
        }
        taken
    }
}
