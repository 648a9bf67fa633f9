//! The action of an operation: how it is read is an interface of the operation.

mod asynchronous;
mod implementations;
mod read;
mod table;

use orison_ori::keywords::{
    AtomicOperation, BarrierMode, BarrierReduction, CopyShape, CopyWarps, Format, MatchMode,
    MbarrierAction, Reduction, Shape, ShuffleMode, TensorKind, TensorShape, VoteMode, Width,
};
use orison_ori::modifiers::ModifierSet;
use orison_ori::semantics::Computation;

use super::change::Change;
use super::memory::Space;

pub(crate) use implementations::register;
pub(super) use read::special;

/// The operands of `ori.lop3_test` that must be defined, as a bit set: the predicate. It tests the
/// result that it computes bitwise.
pub(super) const LOP3_TEST: u32 = 0b1000;

/// The parts of an address: operand indices, and a constant.
#[derive(Clone, Copy, Debug)]
pub(super) struct Address {
    pub(super) base: Option<usize>,
    pub(super) uniform: Option<usize>,
    pub(super) offset: i64,
}

/// A special register.
#[derive(Clone, Copy, Debug)]
pub(super) enum Special {
    /// Index of the thread in its CTA, by dimension.
    Thread(usize),
    /// Index of the CTA in the grid, by dimension.
    Block(usize),
    Lane,
    /// Index of the warp in its CTA, and their number; from this bit on.
    Warp(u32),
    Warps(u32),
    /// Rank of the CTA in its cluster.
    Rank,
    /// Shared memory of a CTA, in bytes.
    SharedSize,
    /// Mask of the lanes below, at or below, above, at or above, or of this lane.
    LaneMask(fn(u32) -> u32),
    /// A value that is the same for all threads.
    Constant(u32),
    /// Steps so far, or their high 32 bits.
    Clock,
    ClockHigh,
}

/// A load or store.
#[derive(Clone, Copy, Debug)]
pub(super) struct Transfer {
    pub(super) space: Space,
    pub(super) address: Address,
    pub(super) width: Width,
    /// Index of the stored operand, or of the operand of an atomic operation.
    pub(super) value: usize,
}

/// An atomic operation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Atomic {
    pub(super) transfer: Transfer,
    pub(super) change: Change,
    pub(super) expected: Option<usize>,
}

/// A CTA barrier.
#[derive(Clone, Copy, Debug)]
pub(super) struct Barrier {
    pub(super) mode: BarrierMode,
    pub(super) index: Result<u32, usize>,
    pub(super) threads: Option<usize>,
    pub(super) predicate: Option<usize>,
    pub(super) reduction: Option<BarrierReduction>,
}

/// Resolves names in operations to addresses and function indices.
pub(super) trait Names {
    /// The address of memory; `None` if there is no such memory.
    fn address(&self, symbol: &str) -> Option<u64>;
    /// Whether it is shared memory, of which every CTA has its own copy.
    fn is_shared(&self, symbol: &str) -> bool;
    /// The index of a function; `None` if there is no such function with a body.
    fn function(&self, symbol: &str) -> Option<usize>;
}

/// What only machine code does: it directs control, and has parts of operations of `ori`.
#[derive(Clone, Copy, Debug)]
pub(super) enum Code {
    /// To an address, where the operand holds if it is conditional.
    Branch { target: u64, conditional: bool },
    /// To an address, if all lanes of the mask are in the path, or if not all are.
    BranchTogether { target: u64, divergent: bool },
    /// To the sum of the operand and an address.
    Indirect { base: u64 },
    /// Waits for the lanes of the convergence barrier that is the operand.
    Meet,
    /// Takes lanes out of a convergence barrier, those where the second operand holds if it is
    /// conditional.
    Leave { conditional: bool },
    /// Allocates columns of tensor memory, in units of 32: the first one, and whether there are any.
    Allocate,
    /// Which of two doubles, with their modifiers, is the minimum or maximum: whether it is the first, and whether both
    /// are NaN.
    Choose {
        smaller: bool,
        modifiers: [ModifierSet; 2],
    },
    /// Stops the run if the operand, the lanes that a product keeps, is not zero.
    RequireZero,
    /// Frees the columns of tensor memory whose bit in the operand is zero, in units of 32.
    Free,
}

/// The action of an operation.
#[derive(Clone, Debug)]
pub(super) enum Action {
    /// Computes results from operands, per lane.
    Compute(Computation),
    /// As `Compute`, but bitwise in the first three operands, whose bits may be undefined. The bit
    /// set names the operands that must be defined.
    ComputeBits(Computation, u32),
    /// Selects one of the first two operands.
    Choose(Computation),
    /// Compares, and combines the outcome with a predicate operand.
    Compare {
        computation: Computation,
        with: usize,
    },
    Concat,
    Extract(usize),
    Undefined,
    ConstantWord {
        bank: usize,
        offset: usize,
    },
    Special(Special),
    Number(u64),
    /// The address at this byte offset from the lowest address of the frame.
    SlotAddress(u64),
    /// Allocates local memory; returns its address.
    TakeStack {
        alignment: u64,
    },
    StackEnd,
    PutStackBack,
    Load(Transfer),
    Store(Transfer),
    Atomic(Atomic),
    /// The window that contains an address.
    InWindow(Space),
    Shuffle(ShuffleMode),
    Vote(VoteMode),
    Match(MatchMode),
    Reduce {
        reduction: Reduction,
        signed: bool,
    },
    /// The extremum of all lanes.
    Extremum(LaneExtremum),
    Elect {
        mask: Option<usize>,
    },
    /// The value of the first active lane, in all lanes.
    FirstLane,
    Barrier(Barrier),
    /// An asynchronous copy from global to shared memory.
    Copy(Copy),
    /// Closes a group of copies.
    CloseGroup,
    /// Waits until at most this many groups of copies are open.
    WaitForGroups(usize),
    Product(Product),
    Fragments(Fragments),
    Transpose,
    GroupProduct(GroupProduct),
    OnMbarrier(OnMbarrier),
    Arrive(Arrival),
    /// Waits for, or tests, a phase of an mbarrier.
    WaitForPhase {
        address: Address,
        phase: usize,
        test: bool,
    },
    ArriveBehind(ArrivalBehind),
    BulkCopy(BulkCopy),
    TensorCopy(TensorCopy),
    CloseBulks,
    WaitForBulks {
        most: u64,
        reads: bool,
    },
    /// The address of shared memory, of which every CTA has its own copy.
    SharedSymbol(u64),
    MapAddress,
    ArriveAtCluster,
    WaitForCluster,
    /// Makes the 128 bytes at an address undefined.
    Discard(Address),
    Allocate(usize),
    Free {
        address: usize,
        columns: Option<usize>,
    },
    GivePermitUp,
    LoadTensor(TensorTransfer, usize),
    StoreTensor(TensorTransfer, (usize, usize)),
    WaitForStores,
    WaitForLoads,
    CopyToTensor(TensorMemoryCopy),
    MultiplyTensor(TensorMultiply),
    CommitTensor {
        barrier: usize,
        multicast: Option<usize>,
    },
    CloseProducts,
    FenceProducts,
    WaitForProducts(u32),
    /// Waits for lanes of the warp.
    Gather {
        mask: Option<usize>,
        barrier: bool,
    },
    /// Begins a region at whose end lanes reconverge.
    BeginRegion,
    LeaveRegion,
    Nothing,
    /// Yields to other paths.
    Pause,
    Jump,
    Branch {
        inverted: bool,
    },
    Indexed,
    Exit,
    ExitWhere {
        inverted: bool,
    },
    Call(usize),
    CallIndirect,
    Return,
    Trap,
    /// Reports success for all lanes, without any effect.
    Succeed,
    /// What only machine code does.
    Code(Code),
    /// Stops the run, with this reason.
    Refused(String),
}

impl Action {
    /// Whether it may read an accumulator in flight: products do, and what only passes values on.
    pub(super) fn passes_on(&self) -> bool {
        matches!(
            self,
            Action::Extract(_)
                | Action::Concat
                | Action::GroupProduct(_)
                | Action::WaitForProducts(_)
                | Action::Jump
                | Action::Branch { .. }
                | Action::Indexed
                | Action::Call(_)
                | Action::CallIndirect
                | Action::Return
        )
    }
}

/// A copy to shared memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct Copy {
    pub(super) shared: Address,
    pub(super) global: Address,
    pub(super) width: Width,
    /// The operand with the number of bytes copied; the others become zero.
    pub(super) size: Option<usize>,
    /// The predicate of the lanes that copy; the others write zeros.
    pub(super) copied: Option<usize>,
    /// The low bits of the global address are the number of bytes that are not copied.
    pub(super) zero_fill: bool,
}

/// Extents of a product, and its formats.
#[derive(Clone, Copy, Debug)]
pub(super) struct Product {
    pub(super) shape: Shape,
    pub(super) left: Format,
    pub(super) right: Format,
    pub(super) sum: Format,
    pub(super) saturate: bool,
    /// Single bits are multiplied by exclusive or.
    pub(super) exclusive: bool,
}

/// Matrices of 8 rows of 16 bytes in shared memory, as fragments of a warp.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fragments {
    pub(super) address: Address,
    pub(super) transposed: bool,
    /// The operand to store; `None` to load.
    pub(super) value: Option<usize>,
}

/// A product of a warp group.
#[derive(Clone, Copy, Debug)]
pub(super) struct GroupProduct {
    pub(super) product: Product,
    pub(super) columns: usize,
    pub(super) depth: usize,
    /// Whether the factors are negated.
    pub(super) negated: [bool; 2],
    /// Whether the factors are contiguous along rows of the left, columns of the right one.
    pub(super) transposed: [bool; 2],
    /// The operands of the previous accumulator, and whether it is used.
    pub(super) accumulator: Option<usize>,
    pub(super) scale: Option<usize>,
}

/// An operation on an mbarrier, and its operands.
#[derive(Clone, Copy, Debug)]
pub(super) struct OnMbarrier {
    pub(super) action: MbarrierAction,
    pub(super) address: Address,
    pub(super) count: Option<usize>,
}

/// An arrival.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arrival {
    pub(super) address: Address,
    pub(super) count: Option<usize>,
    pub(super) expect: Option<usize>,
    pub(super) drops: bool,
    /// The address contains the rank of its CTA.
    pub(super) remote: bool,
}

/// An arrival once the preceding copies of a thread are complete.
#[derive(Clone, Copy, Debug)]
pub(super) struct ArrivalBehind {
    pub(super) address: Address,
    /// It is one of the expected arrivals.
    pub(super) counted: bool,
}

/// Operands of a bulk copy.
#[derive(Clone, Copy, Debug)]
pub(super) struct BulkCopy {
    pub(super) destination: usize,
    pub(super) source: usize,
    pub(super) size: usize,
    pub(super) barrier: Option<usize>,
    /// Receiving CTAs of the cluster, as a mask.
    pub(super) multicast: Option<usize>,
    /// How the data is combined with memory.
    pub(super) change: Option<Change>,
}

/// Operands of a copy of a box.
#[derive(Clone, Debug)]
pub(super) struct TensorCopy {
    pub(super) descriptor: usize,
    /// The address in shared memory.
    pub(super) shared: usize,
    pub(super) coordinates: std::ops::Range<usize>,
    /// The offsets of an im2col copy, whose boxes consist of pixels.
    pub(super) offsets: Option<std::ops::Range<usize>>,
    pub(super) kind: TensorCopyKind,
}

/// The direction of a box copy.
#[derive(Clone, Copy, Debug)]
pub(super) enum TensorCopyKind {
    Load {
        barrier: usize,
        multicast: Option<usize>,
        /// The mbarrier may belong to the other CTA of a pair.
        two_ctas: bool,
    },
    Store,
    Reduce(AtomicOperation),
}

/// A transfer of a warp to or from tensor memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct TensorTransfer {
    pub(super) shape: TensorShape,
    /// Columns between the halves of a two-part shape.
    pub(super) distance: usize,
    /// The low halves of two cells share a register.
    pub(super) packs: bool,
    /// The lanes of the warp that take part.
    pub(super) lanes: u32,
}

/// A copy from shared to tensor memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct TensorMemoryCopy {
    pub(super) address: usize,
    pub(super) source: usize,
    pub(super) shape: CopyShape,
    pub(super) warps: Option<CopyWarps>,
    pub(super) two_ctas: bool,
}

/// Operands of a product.
#[derive(Clone, Copy, Debug)]
pub(super) struct TensorMultiply {
    pub(super) left: usize,
    pub(super) right: usize,
    pub(super) accumulator: usize,
    pub(super) instruction: usize,
    pub(super) scale: Option<usize>,
    pub(super) kind: TensorKind,
    pub(super) two_ctas: bool,
}

/// A reduction of the values of all lanes.
#[derive(Clone, Copy, Debug)]
pub(super) struct LaneExtremum {
    pub(super) smallest: bool,
    pub(super) from: Format,
    pub(super) absolute: bool,
    /// NaN wins over a number.
    pub(super) nan_wins: bool,
}
