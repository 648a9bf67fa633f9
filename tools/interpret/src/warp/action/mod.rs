//! What an operation does, as read from its name and attributes.

mod asynchronous;
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

/// The operands of `ori.lop3_test` that must have a value, as bits: the predicate. It tests the result
/// that it computes bit by bit.
pub(super) const LOP3_TEST: u32 = 0b1000;

/// The parts of an address: numbers of operands, and a constant.
#[derive(Clone, Copy, Debug)]
pub(super) struct Address {
    pub(super) base: Option<usize>,
    pub(super) uniform: Option<usize>,
    pub(super) offset: i64,
}

/// A special register.
#[derive(Clone, Copy, Debug)]
pub(super) enum Special {
    /// Of the thread in its CTA, by dimension.
    Thread(usize),
    /// Of the CTA in the grid, by dimension.
    Block(usize),
    Lane,
    /// Of the warp in its CTA, and how many the CTA has; from a bit on.
    Warp(u32),
    Warps(u32),
    /// Of the CTA in its cluster.
    Rank,
    /// Bytes of shared memory of a CTA.
    SharedSize,
    /// Lanes below, at or below, above, at or above, or the one of this lane.
    LaneMask(fn(u32) -> u32),
    /// A number that is the same for all threads.
    Constant(u32),
    /// Steps so far; the high word of them.
    Clock,
    ClockHigh,
}

/// How bytes move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Transfer {
    pub(super) space: Space,
    pub(super) address: Address,
    pub(super) width: Width,
    /// The operand that is stored, or is an atomic operation's.
    pub(super) value: usize,
}

/// What an atomic operation does.
#[derive(Clone, Copy, Debug)]
pub(super) struct Atomic {
    pub(super) transfer: Transfer,
    pub(super) change: Change,
    pub(super) expected: Option<usize>,
}

/// What a CTA barrier does.
#[derive(Clone, Copy, Debug)]
pub(super) struct Barrier {
    pub(super) mode: BarrierMode,
    pub(super) index: Result<u32, usize>,
    pub(super) threads: Option<usize>,
    pub(super) predicate: Option<usize>,
    pub(super) reduction: Option<BarrierReduction>,
}

/// What an operation does.
#[derive(Clone, Debug)]
pub(super) enum Action {
    /// Computes results from operands, lane by lane.
    Compute(Computation),
    /// As `Compute`, bit by bit in the first three operands, whose bits may have no value. The bits of
    /// the number are operands that must have one.
    ComputeBits(Computation, u32),
    /// Chooses between the first two operands.
    Choose(Computation),
    /// Compares and combines the outcome with a predicate, an operand.
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
    /// The address of what lies so many bytes above the lowest address of the frame.
    SlotAddress(u64),
    /// Takes local memory; its address.
    TakeStack {
        alignment: u64,
    },
    StackEnd,
    PutStackBack,
    Load(Transfer),
    Store(Transfer),
    Atomic(Atomic),
    /// Which window an address lies in.
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
    /// A copy from global to shared memory that goes on.
    Copy(Copy),
    /// Closes a group of copies.
    CloseGroup,
    /// Waits until at most so many groups of copies are open.
    WaitForGroups(usize),
    Product(Product),
    Fragments(Fragments),
    Transpose,
    GroupProduct(GroupProduct),
    OnMbarrier(OnMbarrier),
    Arrive(Arrival),
    /// Waits for a phase of an mbarrier, unless it is a test.
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
    /// The address of shared memory, of which every CTA has its own.
    SharedSymbol(u64),
    MapAddress,
    ArriveAtCluster,
    WaitForCluster,
    /// Takes the value of the 128 bytes at an address away.
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
    /// Begins a region at whose end lanes meet.
    BeginRegion,
    LeaveRegion,
    Nothing,
    /// Lets others go on.
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
    /// Says of all lanes that something was done, without doing anything.
    Succeed,
    /// Stops: the words say why.
    Refused(String),
}

/// How the values of lanes become one.
#[derive(Clone, Copy, Debug)]
pub(super) struct LaneExtremum {
    pub(super) smallest: bool,
    pub(super) from: Format,
    pub(super) absolute: bool,
    /// No number wins over a number.
    pub(super) nan_wins: bool,
}
