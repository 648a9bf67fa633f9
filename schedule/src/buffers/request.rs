//! What is asked of buffer assignment.

/// Cycles in which a pipeline is written or read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Access {
    /// First cycle, counted from the start of the iteration.
    pub start: i64,
    /// The cycle behind the last.
    pub end: i64,
}

/// The alignment of a slot, in bytes, by what writes it.
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

/// Which memory a ring may lie in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Storage {
    /// Shared memory only: TMA does not write tensor memory.
    #[default]
    Shared,
    /// Tensor memory, where there is one and the payload qualifies; else shared memory.
    Any,
    /// Tensor memory only: what the IR already says.
    Tensor,
}

/// The ring of a pipeline with payload.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ring {
    /// Bytes of each tile of a slot, in the order in which they lie.
    pub tiles: Vec<u64>,
    /// Element type, as it is written; only equal ones share storage.
    pub element: String,
    /// Bits of an element.
    pub element_bits: u32,
    /// The smallest rank of the tiles.
    pub rank: u32,
    /// Slots without which the schedule would wait (TileAS reference 4.8).
    pub needed: u32,
    /// Slots to have if memory allows; no effect below `needed`.
    pub requested: u32,
    /// Alignment of each tile.
    pub alignment: Alignment,
    /// Which memory it may lie in.
    pub storage: Storage,
}

impl Ring {
    /// Bytes from one slot to the next: every tile starts aligned.
    pub fn slot_stride(&self) -> u64 {
        let align = self.alignment.bytes();
        let padded = |bytes: &u64| bytes.checked_next_multiple_of(align).unwrap_or(u64::MAX);
        self.tiles.iter().map(padded).fold(0, u64::saturating_add)
    }

    /// Bytes of payload of one slot, without padding: what a TMA transaction brings.
    pub fn payload_bytes(&self) -> u64 {
        self.tiles.iter().copied().fold(0, u64::saturating_add)
    }
}

/// The scheduled loop whose cycles accesses are in. Only lifetimes in one loop can be compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Timing {
    /// Number of the loop.
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
    /// A mutex, or a pipeline of one stage without payload: a named barrier is all it needs.
    Barrier,
}

/// A pipeline that needs storage.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BufferRequest {
    /// Number of the value in the function; ties break by it, so it must be unique.
    pub id: u32,
    /// Name in diagnostics, such as `Pipe_0`.
    pub name: String,
    /// Ring or lock.
    pub kind: RequestKind,
    /// The scheduled loop it works in; none outside scheduled loops.
    pub timing: Option<Timing>,
    /// When it is written.
    pub producers: Vec<Access>,
    /// When it is read.
    pub consumers: Vec<Access>,
    /// The request whose storage this one is another name for.
    pub alias_of: Option<u32>,
    /// Something already waits for its mbarriers, so its handshake cannot change any more.
    pub has_waits: bool,
}

/// Tensor memory of the target.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TensorMemory {
    /// Bytes; a column has 512.
    pub bytes: u64,
    /// A ring goes to tensor memory when a slot has more bytes than this.
    pub threshold: u64,
}

/// Whether rings with disjoint lifetimes may lie on each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Sharing {
    /// Never. Right for agents that run at their own pace: only mbarriers order them, and the
    /// mbarriers of one ring say nothing about another.
    #[default]
    Never,
    /// Where the cycles of the schedule keep them apart: right when one agent issues everything
    /// in the order of the schedule.
    BySchedule,
}

/// What the target has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    /// Bytes of shared memory.
    pub shared_memory: u64,
    /// Tensor memory, if there is any.
    pub tensor_memory: Option<TensorMemory>,
    /// Named barriers with the reserved barrier 0; 16 on NVIDIA hardware, 32 on the pages.
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
