//! Products of warp groups: which are in flight at a point, in which group, and in which registers.
//!
//! `ori.wgmma.mma` starts a product and adds it to the open group; `ori.wgmma.commit` closes the
//! group; `ori.wgmma.wait` with N completes all but the last N closed groups. (`ori.warpgroup.*`,
//! which `ori-fixup-gmma-sequence` inserts, do the same.) Until then the registers of its
//! accumulator may not be read or written, nor the registers of its factors be written. The page
//! calls the operations from a fence to a wait a pipeline stage.
//!
//! [`MatrixGroups`] is a forward dataflow over the blocks: for every product in flight, the set of
//! groups that it may be in on some path. [`AccumulatorSets`] names the registers: values before
//! and after a product, a wait or a branch are one set. Source: seed 002, "Phase 85", and PTX ISA,
//! "wgmma.commit_group" and "wgmma.wait_group".

mod accumulators;
mod ages;
mod flights;
mod origins;
mod shared_set;

use orison_ir::analyses::ControlFlowGraph;
use orison_ir::pass::{Analysis, AnalysisManager};
use orison_ir::{Context, Operation, Value};

pub use accumulators::{AccumulatorSet, AccumulatorSets};
pub use ages::Ages;
pub use flights::{FlightFlow, Flights, InFlight};
pub use origins::Origins;
pub use shared_set::SharedSet;

use super::properties;
use crate::operations as ori;
use crate::operations::control::{Call, CallIndirect};
use crate::operations::matrix::{WarpgroupWait, WgmmaMma, WgmmaWait};

/// What an operation does to groups of products.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// Starts a product.
    Product,
    /// Orders registers before the following products: a fence, or an inserted arrive.
    Arrive,
    /// Closes the open group.
    Commit,
    /// Waits until at most this many closed groups are in flight.
    Wait(u32),
    /// A call, which may do anything to groups.
    Call,
}

/// The role of an operation; `None` if it does nothing to groups.
pub fn role(context: &Context, op: Operation) -> Option<Role> {
    let left = |count: Option<i64>| count.and_then(|count| u32::try_from(count).ok());
    if WgmmaMma::matches(context, op) {
        return Some(Role::Product);
    }
    if op.is_one_of(
        context,
        &[
            ori::WgmmaFence::DEFINITION,
            ori::WarpgroupArrive::DEFINITION,
        ],
    ) {
        return Some(Role::Arrive);
    }
    if op.is_one_of(
        context,
        &[
            ori::WgmmaCommit::DEFINITION,
            ori::WarpgroupCommit::DEFINITION,
        ],
    ) {
        return Some(Role::Commit);
    }
    if WgmmaWait::matches(context, op) || WarpgroupWait::matches(context, op) {
        let count = op.attribute(context, "count");
        let count = count.and_then(|count| count.as_i64(context));
        return Some(Role::Wait(left(count).unwrap_or(0)));
    }
    let calls = Call::matches(context, op) || CallIndirect::matches(context, op);
    (calls && !properties::is_pure_call(context, op)).then_some(Role::Call)
}

/// The products of a function, and those in flight at each point.
#[derive(Clone, Debug, Default)]
pub struct MatrixGroups {
    products: Vec<Operation>,
    /// What is in flight, by the numbers of products.
    pub flights: FlightFlow,
    /// The accumulator sets.
    pub sets: AccumulatorSets,
    /// What values are made of.
    pub origins: Origins,
}

impl MatrixGroups {
    /// Computes the products in flight in the blocks of a flow graph. Close to linear; see
    /// [`FlightFlow::of`] and [`Origins::of`].
    pub fn of(context: &Context, flow: &ControlFlowGraph) -> Self {
        let blocks = flow.blocks().iter();
        let all = blocks.flat_map(|block| block.operations(context));
        let products: Vec<Operation> = all.filter(|op| WgmmaMma::matches(context, *op)).collect();
        let number = products.iter().copied().zip(0..).collect();
        MatrixGroups {
            flights: FlightFlow::of(context, flow, number),
            sets: AccumulatorSets::of(context, flow),
            origins: Origins::of(context, flow, &products),
            products,
        }
    }

    /// The products, in the order of the text.
    pub fn products(&self) -> &[Operation] {
        &self.products
    }

    /// Some products, by number; numbers without product are left out.
    pub fn named<'a>(&'a self, numbers: &'a SharedSet) -> impl Iterator<Item = Operation> + 'a {
        let products = numbers
            .iter()
            .map(|number| self.products.get(number as usize));
        products.flatten().copied()
    }

    /// The number of a product.
    pub fn number(&self, op: Operation) -> Option<u32> {
        self.flights.number(op)
    }

    /// Reports the products in flight before each operation of a block, and then (without an
    /// operation) at its end. Linear in the operations.
    pub fn walk(
        &self,
        context: &Context,
        flow: &ControlFlowGraph,
        block: u32,
        tell: impl FnMut(Option<Operation>, &Flights),
    ) {
        self.flights.walk(context, flow, block, tell);
    }

    /// Whether a value holds an accumulator in flight: a product that wrote it. A later product on
    /// the same registers does not count.
    pub fn is_in_flight(&self, flights: &Flights, value: Value) -> bool {
        !flights.is_empty() && self.origins.of_value(value).meets(&flights.all())
    }
}

/// The products of a function.
impl Analysis for MatrixGroups {
    const NAME: &'static str = "ori-matrix-groups";

    fn compute(context: &mut Context, op: Operation, analyses: &mut AnalysisManager) -> Self {
        let flow = analyses.get::<ControlFlowGraph>(context, op);
        MatrixGroups::of(context, &flow)
    }
}
