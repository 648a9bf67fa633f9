//! mbarriers: they count the arrivals and bytes of a phase; once none is pending, the next one
//! begins.

use std::collections::BTreeMap;

use orison_ir::Operation;

/// An mbarrier of a CTA.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mbarrier {
    /// Expected arrivals of a phase.
    pub(super) expected: i64,
    /// Pending arrivals of this phase.
    pub(super) missing: i64,
    /// Pending bytes of this phase; negative if they arrived before they were expected.
    pub(super) bytes: i64,
    /// Completed phases.
    pub(super) phase: u64,
}

/// The mbarriers of a CTA by address in shared memory.
pub(super) type Mbarriers = BTreeMap<u64, Mbarrier>;

/// The pending arrivals in a state: twenty bits from here on, minus 2^20 (PTX ISA,
/// `mbarrier.pending_count`, and the code ptxas generates for it).
pub(super) const PENDING_BIT: u32 = 43;

/// An arrival that is pending until the preceding copies of a thread are complete.
#[derive(Clone, Copy, Debug)]
pub(super) struct PendingArrival {
    pub(super) op: Operation,
    /// The instruction, counted from the beginning of the run, at which it is due.
    pub(super) due: u64,
    pub(super) place: u64,
    pub(super) warp: usize,
    pub(super) lane: usize,
    /// Number of preceding copies of the thread.
    pub(super) copies: u64,
}

impl Mbarrier {
    pub(super) fn new(count: i64) -> Self {
        Mbarrier {
            expected: count,
            missing: count,
            bytes: 0,
            phase: 0,
        }
    }

    pub(super) fn settle(&mut self) {
        if self.missing == 0 && self.bytes == 0 {
            self.phase += 1;
            self.missing = self.expected;
        }
    }

    /// Counts bytes that arrived.
    pub(super) fn complete_bytes(&mut self, bytes: i64) {
        self.bytes -= bytes;
        self.settle();
    }

    /// Counts one arrival; returns whether one was pending.
    pub(super) fn arrive_once(&mut self) -> bool {
        self.missing -= 1;
        let counted = self.missing >= 0;
        self.settle();
        counted
    }

    /// The state that an arrival returns.
    pub(super) fn state(&self) -> u128 {
        let pending = ((1 << 20) - self.missing) & 0xF_FFFF;
        u128::from(self.phase & 1) | (pending as u128) << PENDING_BIT
    }
}
