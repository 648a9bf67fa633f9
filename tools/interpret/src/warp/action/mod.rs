//! The action of an operation: how it is read is an interface of the operation.

mod asynchronous;
mod implementations;
mod read;
mod table;

use orison_ori::keywords::{
    BarrierMode, BarrierReduction, Format, MatchMode, Reduction, ShuffleMode, VoteMode, Width,
};
use orison_ori::semantics::Computation;

use super::access::Change;
use super::copies::Copy;
use super::matrix::{Fragments, Product};
use super::mbarriers::{Arrival, ArrivalBehind, OnMbarrier};
use super::memory::Space;
use super::tensor_copies::{BulkCopy, TensorCopy};
use super::tensor_memory::{TensorMemoryCopy, TensorTransfer};
use super::tensor_products::TensorMultiply;
use super::warp_group::GroupProduct;

pub(crate) use implementations::register;

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
    /// Stops the run, with this reason.
    Refused(String),
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
