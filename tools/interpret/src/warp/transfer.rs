//! Transfers of blocks of memory, and those that are in flight.

use orison_ir::Operation;

use super::change::Change;
use super::memory::Space;

/// The maximum duration of asynchronous work, in instructions.
pub(super) const LONGEST: usize = 400;

/// A location: space and offset.
pub(super) type Place = (Space, u64);

/// The source of the bytes of a run.
#[derive(Clone, Copy, Debug)]
pub(super) enum Source {
    Memory(Place),
    /// Eight bytes, repeated.
    Fill([u8; 8]),
}

/// Bytes that are contiguous at source and destination.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    pub(super) to: Place,
    pub(super) from: Source,
    pub(super) size: u64,
}

/// An mbarrier to signal with the number of bytes that arrived.
#[derive(Clone, Copy, Debug)]
pub(super) struct Signal {
    pub(super) place: Place,
    pub(super) bytes: u64,
}

/// The group of a copy: a lane of a warp, and the index among its groups.
#[derive(Clone, Copy, Debug)]
pub(super) struct Member {
    pub(super) warp: usize,
    pub(super) lane: usize,
    pub(super) group: u64,
}

/// A copy to begin.
#[derive(Clone, Debug, Default)]
pub(super) struct Transfer {
    pub(super) runs: Vec<Run>,
    /// How the data is combined with memory; overwrites it if absent.
    pub(super) change: Option<Change>,
    /// The mbarrier that counts the bytes; if absent, the copy belongs to a group.
    pub(super) signal: Option<Signal>,
}

/// A copy in flight. Locations are relative to the CTA that began it.
#[derive(Clone, Debug)]
pub(super) struct Bulk {
    pub(super) op: Operation,
    /// The instruction, counted from the beginning of the run, at which it completes.
    pub(super) due: u64,
    pub(super) transfer: Transfer,
    pub(super) member: Option<Member>,
    /// The data read, run by run, if a wait for the reads alone has occurred.
    pub(super) read: Option<Vec<Vec<Option<u8>>>>,
}
