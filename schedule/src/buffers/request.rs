//! The input of buffer assignment.

/// Cycles in which a pipeline is written or read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Access {
    /// First cycle, counted from the start of the iteration.
    pub start: i64,
    /// The cycle after the last.
    pub end: i64,
}

/// The alignment of a slot, in bytes, by its writer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Alignment {
    /// Ordinary stores: 16.
    #[default]
    Plain,
    /// TMA: 128.
    Tma,
    /// TMA with the 128-byte swizzle, whose pattern repeats every 1024 bytes.
    Swizzle128,
}

impl Alignment {
    /// Bytes.
    pub const fn bytes(self) -> u64 {
        match self {
            Alignment::Plain => 16,
            Alignment::Tma => 128,
            Alignment::Swizzle128 => 1024,
        }
    }
}

/// The memory a ring may be placed in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Storage {
    /// Shared memory only: TMA does not write tensor memory.
    #[default]
    Shared,
    /// Tensor memory if the target has it and the payload qualifies; otherwise shared memory.
    Any,
    /// Tensor memory only: already fixed by the IR.
    Tensor,
}

/// The ring of a pipeline with payload.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ring {
    /// Bytes of each tile of a slot, in memory order.
    pub tiles: Vec<u64>,
    /// Element type, as written; only rings with equal types share storage.
    pub element: String,
    /// Bits of an element.
    pub element_bits: u32,
    /// The smallest rank of the tiles.
    pub rank: u32,
    /// Slots needed to avoid stalls (TileAS reference 4.8).
    pub needed: u32,
    /// Slots for as many tiles as the schedule keeps alive; more than `needed` if no ring may have
    /// that many.
    pub wanted: u32,
    /// Slots to allocate if memory permits; no effect below `needed`.
    pub requested: u32,
    /// Alignment of each tile.
    pub alignment: Alignment,
    /// The memory it may be placed in.
    pub storage: Storage,
}

impl Ring {
    /// Bytes from one slot to the next: every tile starts aligned.
    pub fn slot_stride(&self) -> u64 {
        let align = self.alignment.bytes();
        let padded = |bytes: &u64| bytes.checked_next_multiple_of(align).unwrap_or(u64::MAX);
        self.tiles.iter().map(padded).fold(0, u64::saturating_add)
    }

    /// Bytes of payload of one slot, without padding: the size of a TMA transaction.
    pub fn payload_bytes(&self) -> u64 {
        self.tiles.iter().copied().fold(0, u64::saturating_add)
    }
}

/// The scheduled loop in which accesses are timed. Only lifetimes in one loop can be compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Timing {
    /// Index of the loop.
    pub region: u32,
    /// Initiation interval, in cycles; at least 1.
    pub interval: u32,
    /// Stages of the schedule.
    pub stages: u32,
}

/// Ring or lock.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RequestKind {
    /// A pipeline with payload, or one deeper than a named barrier can be.
    Ring(Ring),
    /// A mutex, or a pipeline of one stage without payload: it needs only a named barrier.
    Barrier,
    /// A mutex that does not exist yet: a named barrier, or mbarriers if all of those are taken.
    Lock,
}

/// A lock on mbarriers: a ring of one slot without payload.
static LOCK: Ring = Ring {
    tiles: Vec::new(),
    element: String::new(),
    element_bits: 8,
    rank: 0,
    needed: 1,
    wanted: 1,
    requested: 1,
    alignment: Alignment::Plain,
    storage: Storage::Shared,
};

impl RequestKind {
    /// The contents of memory if it has no named barrier; `None` if it needs one.
    pub fn in_memory(&self) -> Option<&Ring> {
        match self {
            RequestKind::Ring(ring) => Some(ring),
            RequestKind::Lock => Some(&LOCK),
            RequestKind::Barrier => None,
        }
    }
}

/// A pipeline that needs storage.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BufferRequest {
    /// Index of the value in the function; ties are broken by it, so it must be unique.
    pub id: u32,
    /// Name in diagnostics, such as `Pipe_0`.
    pub name: String,
    /// Ring or lock.
    pub kind: RequestKind,
    /// The scheduled loop it is used in; `None` outside scheduled loops.
    pub timing: Option<Timing>,
    /// When it is written.
    pub producers: Vec<Access>,
    /// When it is read.
    pub consumers: Vec<Access>,
    /// The request whose storage this one aliases.
    pub alias_of: Option<u32>,
    /// Its mbarriers already have waits, so its handshake is fixed.
    pub has_waits: bool,
}

/// Tensor memory of the target.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TensorMemory {
    /// Bytes; a column has 512.
    pub bytes: u64,
    /// A ring is placed in tensor memory if a slot has more bytes than this.
    pub threshold: u64,
}

/// Whether rings with disjoint lifetimes may overlap in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Sharing {
    /// Never. Required for agents that run at their own pace: only mbarriers order them, and the
    /// mbarriers of one ring do not order accesses to another.
    #[default]
    Never,
    /// If the cycles of the schedule separate them: correct if one agent issues all operations in
    /// the order of the schedule.
    BySchedule,
}

/// The resources of the target.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    /// Bytes of shared memory.
    pub shared_memory: u64,
    /// Tensor memory, if any.
    pub tensor_memory: Option<TensorMemory>,
    /// Named barriers including the reserved barrier 0; 16 on NVIDIA hardware, 32 in the pages.
    pub named_barriers: u32,
    /// Whether rings may share.
    pub sharing: Sharing,
}

impl Default for Budget {
    /// A multiprocessor of sm_90: 227 KiB of shared memory, no tensor memory, 16 barriers.
    fn default() -> Self {
        Budget {
            shared_memory: 232_448,
            tensor_memory: None,
            named_barriers: 16,
            sharing: Sharing::Never,
        }
    }
}
