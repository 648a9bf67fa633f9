//! Buffer assignment: the depth of each pipeline, the placement of its slots, and the named barrier
//! of each lock. Pure: no IR is read or changed.
//!
//! [`assign`] works in four phases, one file each:
//!
//! | phase | decides | file |
//! |---|---|---|
//! | lifetime | when a slot is busy, on a circle of initiation intervals | `lifetime.rs`, `resolve_lifetimes.rs` |
//! | barriers | the named barrier of each lock | `barriers.rs` |
//! | class and bind | shared memory, tensor memory or barrier only; depth and place | `bind.rs`, `memory.rs` |
//! | share | rings that may overlap in memory | `share.rs` |
//!
//! The first three fail before anything changes; sharing never fails. [`check`] verifies an
//! assignment with independent code.
//!
//! Source: TileAS reference section 7, 3.5 (limits), 4.8 (depth).

mod barriers;
mod bind;
mod check;
mod error;
mod footprint;
mod lifetime;
mod memory;
mod request;
mod resolve_lifetimes;
mod share;
#[cfg(test)]
mod tests;

pub use check::{Fault, check};
pub use error::{AssignError, Phase, occupancy};
pub use lifetime::{Endpoint, Lifetime};
pub use memory::columns as tensor_columns;
pub use memory::{MBARRIER_BYTES, TMEM_COLUMN_BYTES, TMEM_COLUMN_STEP, TMEM_COLUMNS};
pub use request::{
    Access, Alignment, Budget, BufferRequest, RequestKind, Ring, Sharing, Storage, TensorMemory,
    Timing,
};

/// The location of a pipeline's slots, or its lock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// A ring in shared memory.
    Shared {
        /// First byte of slot 0.
        offset: u64,
        /// First byte of the mbarriers: `full[0..depth]`, then `empty[0..depth]`, 8 bytes each.
        barriers: u64,
    },
    /// A ring in tensor memory; its mbarriers are in shared memory.
    Tensor {
        /// First column of slot 0.
        column: u64,
        /// First byte of the mbarriers, in shared memory.
        barriers: u64,
    },
    /// No storage: a named barrier.
    Barrier {
        /// Index of the barrier; 0 is that of the whole block and never assigned.
        number: u32,
    },
}

impl Place {
    /// The name of the storage class, as written in attributes and diagnostics.
    pub const fn class(&self) -> &'static str {
        match self {
            Place::Shared { .. } => "smem",
            Place::Tensor { .. } => "tmem",
            Place::Barrier { .. } => "barrier",
        }
    }
}

/// The resources assigned to a request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Binding {
    /// The request's id.
    pub id: u32,
    /// Number of slots; 1 for a named barrier.
    pub depth: u32,
    /// Bytes from one slot to the next; 0 for a named barrier.
    pub slot_stride: u64,
    /// The location.
    pub place: Place,
    /// When a slot is busy.
    pub lifetime: Lifetime,
    /// The smallest id among the requests with the same storage; its own if it shares with none.
    pub storage: u32,
}

impl Binding {
    /// Bytes of the ring.
    pub const fn bytes(&self) -> u64 {
        self.slot_stride.saturating_mul(self.depth as u64)
    }
}

/// The result of [`assign`].
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Assignment {
    /// One binding for each request, in the order of the requests.
    pub bindings: Vec<Binding>,
    /// Pairs of ids, ascending, whose rings overlap in memory (`share pipeline buffer`).
    pub shared: Vec<(u32, u32)>,
    /// Bytes of shared memory from 0 to the end of the last mbarrier.
    pub smem_bytes: u64,
    /// Columns of tensor memory from 0 to the end of the last ring.
    pub tmem_columns: u64,
}

impl Assignment {
    /// The binding of a request.
    pub fn binding(&self, id: u32) -> Option<&Binding> {
        self.bindings.iter().find(|binding| binding.id == id)
    }
}

/// The cycles in which each request's slots are busy, in the order of the requests: phase 1 alone.
///
/// # Errors
/// The first request without a producer, consumer or storage.
pub fn lifetimes(requests: &[BufferRequest]) -> Result<Vec<Lifetime>, AssignError> {
    resolve_lifetimes::resolve(requests)
}

/// Assigns a depth and a location to every request.
///
/// # Errors
/// The first request that cannot be satisfied, with the phase, its text, and notes on the occupancy
/// of barriers and memory.
pub fn assign(requests: &[BufferRequest], budget: &Budget) -> Result<Assignment, AssignError> {
    let lifetimes = resolve_lifetimes::resolve(requests)?;
    let barriers = barriers::assign(requests, &lifetimes, budget)?;
    bind::bind(requests, lifetimes, &barriers, budget)
}
