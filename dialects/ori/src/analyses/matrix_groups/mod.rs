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
mod origins;

use std::rc::Rc;

use orison_ir::analyses::ControlFlowGraph;
use orison_ir::pass::{Analysis, AnalysisManager};
use orison_ir::{Block, Context, Operation, Value};
use rustc_hash::FxHashMap;

pub use accumulators::{AccumulatorSet, AccumulatorSets};
pub use ages::Ages;
pub use origins::{Origin, Origins};

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

/// A product in flight.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InFlight {
    /// The number of the product, in the order of the text.
    pub product: u32,
    /// The groups that it may be in.
    pub ages: Ages,
}

/// The products in flight at a point, by number.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Flights(Vec<InFlight>);

impl Flights {
    /// The products.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = InFlight> + '_ {
        self.0.iter().copied()
    }

    /// Whether no product is in flight.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The groups that a product may be in; empty if it is not in flight.
    pub fn ages(&self, product: u32) -> Ages {
        let found = self.0.binary_search_by_key(&product, |one| one.product);
        found.map_or(Ages::default(), |place| self.0[place].ages)
    }

    /// The greatest number of groups that may be in flight, the open one included.
    pub fn depth(&self) -> u32 {
        let oldest = self.0.iter().filter_map(|one| one.ages.iter().last());
        oldest.max().map_or(0, |age| age + 1)
    }

    /// The effect of an operation with a role.
    fn apply(&mut self, role: Role, product: Option<u32>) {
        match role {
            Role::Product => {
                let Some(product) = product else { return };
                match self.0.binary_search_by_key(&product, |one| one.product) {
                    // The product of an earlier iteration completes before this one, in order.
                    Ok(place) => self.0[place].ages = self.0[place].ages.or(Ages::OPEN),
                    Err(place) => self.0.insert(
                        place,
                        InFlight {
                            product,
                            ages: Ages::OPEN,
                        },
                    ),
                }
            }
            Role::Arrive => {}
            Role::Commit => self.change(Ages::after_commit),
            Role::Wait(left) => self.change(|ages| ages.after_wait(left)),
            Role::Call => self.change(Ages::after_anything),
        }
    }

    fn change(&mut self, change: impl Fn(Ages) -> Ages) {
        for one in &mut self.0 {
            one.ages = change(one.ages);
        }
        self.0.retain(|one| !one.ages.is_empty());
    }

    /// Adds what may be in flight on another path; whether this changed anything.
    fn merge(&mut self, other: &Flights) -> bool {
        let before = self.clone();
        for one in &other.0 {
            let found = self.0.binary_search_by_key(&one.product, |o| o.product);
            match found {
                Ok(place) => self.0[place].ages = self.0[place].ages.or(one.ages),
                Err(place) => self.0.insert(place, *one),
            }
        }
        *self != before
    }
}

/// The products of a function, and those in flight at each point.
#[derive(Clone, Debug, Default)]
pub struct MatrixGroups {
    products: Vec<Operation>,
    number: FxHashMap<Operation, u32>,
    /// At the beginning of each block; shared while blocks do not change it.
    entry: Vec<Rc<Flights>>,
    /// The accumulator sets.
    pub sets: AccumulatorSets,
    /// What values are made of.
    pub origins: Origins,
}

impl MatrixGroups {
    /// Computes the products in flight in the blocks of a flow graph. Each block is visited when
    /// what enters it changes, at most nine times for each product and loop around it; a visit is
    /// linear in the operations of the block and the products in flight.
    pub fn of(context: &Context, flow: &ControlFlowGraph) -> Self {
        let mut groups = MatrixGroups {
            entry: vec![Rc::default(); flow.block_count()],
            sets: AccumulatorSets::of(context, flow),
            origins: Origins::of(context, flow),
            ..MatrixGroups::default()
        };
        let mut acting: Vec<Vec<(Role, Option<u32>)>> = Vec::with_capacity(flow.block_count());
        for block in flow.blocks() {
            let mut own = Vec::new();
            for op in block.operations(context) {
                let Some(role) = role(context, op) else {
                    continue;
                };
                let product = (role == Role::Product).then(|| groups.add(op));
                own.push((role, product));
            }
            acting.push(own);
        }
        groups.solve(flow, &acting);
        groups
    }

    fn add(&mut self, op: Operation) -> u32 {
        let number = u32::try_from(self.products.len()).unwrap_or(u32::MAX);
        self.products.push(op);
        self.number.insert(op, number);
        number
    }

    fn solve(&mut self, flow: &ControlFlowGraph, acting: &[Vec<(Role, Option<u32>)>]) {
        if self.products.is_empty() {
            return;
        }
        let mut waiting = vec![true; flow.block_count()];
        let mut again = true;
        while again {
            again = false;
            for &block in flow.reverse_post_order() {
                if !std::mem::take(&mut waiting[block as usize]) {
                    continue;
                }
                let mut state = Rc::clone(&self.entry[block as usize]);
                for (role, product) in &acting[block as usize] {
                    Rc::make_mut(&mut state).apply(*role, *product);
                }
                for &next in flow.successors(block) {
                    if self.enter(next, &state) {
                        waiting[next as usize] = true;
                        again |= flow.position(next) <= flow.position(block);
                    }
                }
            }
        }
    }

    /// Adds a state to the entry of a block; whether it changed.
    fn enter(&mut self, block: u32, state: &Rc<Flights>) -> bool {
        let entry = &mut self.entry[block as usize];
        if state.is_empty() || Rc::ptr_eq(entry, state) {
            return false;
        }
        if entry.is_empty() {
            *entry = Rc::clone(state);
            return true;
        }
        Rc::make_mut(entry).merge(state)
    }

    /// The products, in the order of the text.
    pub fn products(&self) -> &[Operation] {
        &self.products
    }

    /// The number of a product.
    pub fn number(&self, op: Operation) -> Option<u32> {
        self.number.get(&op).copied()
    }

    /// The products in flight at the beginning of a block.
    pub fn at_start(&self, block: u32) -> &Flights {
        &self.entry[block as usize]
    }

    /// Reports the products in flight before each operation of a block, and then (without an
    /// operation) at its end. Linear in the operations and the changes.
    pub fn walk(
        &self,
        context: &Context,
        flow: &ControlFlowGraph,
        block: u32,
        mut tell: impl FnMut(Option<Operation>, &Flights),
    ) {
        let handle: Block = flow.block(block);
        let mut state = self.at_start(block).clone();
        for op in handle.operations(context) {
            tell(Some(op), &state);
            if let Some(role) = role(context, op) {
                state.apply(role, self.number(op));
            }
        }
        tell(None, &state);
    }

    /// The products in flight whose accumulators a value holds, with their groups: the products
    /// that wrote it. A later product on the same registers is not among them.
    pub fn in_flight(&self, flights: &Flights, value: Value) -> Vec<InFlight> {
        let origins = self.origins.of_value(value).iter();
        let mut found: Vec<InFlight> = origins
            .filter_map(|origin| {
                let product = self.number(origin.product)?;
                let ages = flights.ages(product);
                (!ages.is_empty()).then_some(InFlight { product, ages })
            })
            .collect();
        found.sort_unstable_by_key(|one| one.product);
        found.dedup();
        found
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
