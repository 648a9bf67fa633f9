//! What a ring takes up at a given depth: which memory, how many bytes, when.

use super::lifetime::Lifetime;

/// The memory class of a ring.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Class {
    Shared,
    Tensor,
}

/// A ring with a depth.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Footprint {
    pub(super) class: Class,
    pub(super) element: String,
    pub(super) slot_stride: u64,
    pub(super) align: u64,
    pub(super) depth: u32,
    pub(super) lifetime: Lifetime,
    pub(super) has_waits: bool,
    /// Position of the ring whose storage it uses; usually its own.
    pub(super) root: usize,
}

impl Footprint {
    pub(super) const fn bytes(&self) -> u64 {
        self.slot_stride.saturating_mul(self.depth as u64)
    }

    /// The byte range of the slot of an iteration, from the start of the ring.
    pub(super) fn slot_range(&self, iteration: u32) -> (u64, u64) {
        let slot = u64::from(iteration % self.depth.max(1));
        let start = slot.saturating_mul(self.slot_stride);
        (start, start.saturating_add(self.slot_stride))
    }
}
