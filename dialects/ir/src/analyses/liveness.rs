//! Live values at block boundaries, and live intervals.
//!
//! In SSA one walk per value is sufficient: from each use backwards to the definition (Boissinot et
//! al., "Computing Liveness Sets for SSA-Form Programs", 2011). Time and memory are linear in the
//! region and in the resulting sets.

use rustc_hash::FxHashMap;

use super::{Analysis, AnalysisManager, ControlFlowGraph};
use crate::{Context, Operation, Region, Value};

/// The live range of a value, as one interval over the text of the region. Positions count
/// operations from 0; a block argument is defined at the position of the first operation of the
/// block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LiveInterval {
    /// The value.
    pub value: Value,
    /// The position of its definition, or of the first block in which it is live before that.
    pub start: u32,
    /// The position of its last use, or one past the last block at whose end it is live.
    pub end: u32,
}

/// Liveness of the values that the blocks of a region define. Values from outside are ignored; uses
/// in nested regions count as uses at the operation that contains the region.
#[derive(Clone, Debug, Default)]
pub struct Liveness {
    /// By index: arguments and results in textual order.
    values: Vec<Value>,
    number: FxHashMap<Value, u32>,
    /// The block that defines a value.
    block: Vec<u32>,
    /// Indices of values, in order, by block.
    live_in: Vec<Vec<u32>>,
    live_out: Vec<Vec<u32>>,
    /// For each block, the position of its first operation and the one past its last.
    places: Vec<(u32, u32)>,
    place: FxHashMap<Operation, u32>,
}

impl Liveness {
    /// For the region of a flow graph.
    pub fn of(context: &Context, flow: &ControlFlowGraph) -> Self {
        let mut liveness = Liveness {
            live_in: vec![Vec::new(); flow.block_count()],
            live_out: vec![Vec::new(); flow.block_count()],
            ..Liveness::default()
        };
        liveness.number(context, flow);
        for number in 0..u32::try_from(liveness.values.len()).unwrap_or(u32::MAX) {
            liveness.walk(context, flow, number);
        }
        liveness
    }

    fn number(&mut self, context: &Context, flow: &ControlFlowGraph) {
        let mut place = 0;
        for (block, handle) in (0..).zip(flow.blocks()) {
            let first = place;
            for argument in handle.arguments(context) {
                self.add(argument, block);
            }
            for op in handle.operations(context) {
                self.place.insert(op, place);
                place += 1;
                for result in op.results(context) {
                    self.add(result, block);
                }
            }
            self.places.push((first, place));
        }
    }

    fn add(&mut self, value: Value, block: u32) {
        let number = u32::try_from(self.values.len()).unwrap_or(u32::MAX);
        self.number.insert(value, number);
        self.values.push(value);
        self.block.push(block);
    }

    /// Walks from the uses of a value back to its definition.
    fn walk(&mut self, context: &Context, flow: &ControlFlowGraph, number: u32) {
        let value = self.values[number as usize];
        let home = self.block[number as usize];
        let mut pending = Vec::new();
        for user in value.users(context) {
            let block = flow.block_around(context, user);
            let Some(block) = block.filter(|block| *block != home) else {
                continue;
            };
            if add_last(&mut self.live_in[block as usize], number) {
                pending.push(block);
            }
        }
        while let Some(block) = pending.pop() {
            for &before in flow.predecessors(block) {
                let new = add_last(&mut self.live_out[before as usize], number);
                if new && before != home && add_last(&mut self.live_in[before as usize], number) {
                    pending.push(before);
                }
            }
        }
    }

    /// The values that the region defines, in textual order.
    pub fn values(&self) -> &[Value] {
        &self.values
    }

    /// Values live at the start of a block, without the arguments of the block, in textual order.
    pub fn live_in(&self, block: u32) -> impl ExactSizeIterator<Item = Value> + '_ {
        let numbers = self.live_in[block as usize].iter();
        numbers.map(|number| self.values[*number as usize])
    }

    /// Values live at the end of a block, in textual order.
    pub fn live_out(&self, block: u32) -> impl ExactSizeIterator<Item = Value> + '_ {
        let numbers = self.live_out[block as usize].iter();
        numbers.map(|number| self.values[*number as usize])
    }

    /// Whether a value is live at the start of a block. Logarithmic in the size of the set.
    pub fn is_live_in(&self, block: u32, value: Value) -> bool {
        let number = self.number.get(&value);
        number.is_some_and(|number| self.live_in[block as usize].binary_search(number).is_ok())
    }

    /// Whether a value is live at the end of a block. Logarithmic in the size of the set.
    pub fn is_live_out(&self, block: u32, value: Value) -> bool {
        let number = self.number.get(&value);
        number.is_some_and(|number| self.live_out[block as usize].binary_search(number).is_ok())
    }

    /// The position of an operation of the region.
    pub fn place(&self, op: Operation) -> Option<u32> {
        self.place.get(&op).copied()
    }

    /// The positions of the operations of a block: the first, and one past the last.
    pub fn places(&self, block: u32) -> (u32, u32) {
        self.places[block as usize]
    }

    /// The live interval of each value, in textual order. Linear in the sets and the uses.
    pub fn intervals(&self, context: &Context, region: Region) -> Vec<LiveInterval> {
        let mut intervals: Vec<LiveInterval> = Vec::with_capacity(self.values.len());
        for (value, block) in self.values.iter().zip(&self.block) {
            let defined = value.defining_op(context);
            let start = defined.and_then(|op| self.place(op));
            let start = start.unwrap_or(self.places[*block as usize].0);
            let users = value.users(context).filter_map(|user| {
                let mut around = std::iter::successors(Some(user), |op| op.parent_op(context));
                let inside = around.find(|op| op.parent_region(context) == Some(region))?;
                self.place(inside)
            });
            let end = users.max().unwrap_or(start).max(start);
            intervals.push(LiveInterval {
                value: *value,
                start,
                end,
            });
        }
        for (block, (first, behind)) in self.places.iter().enumerate() {
            for number in &self.live_in[block] {
                let interval = &mut intervals[*number as usize];
                interval.start = interval.start.min(*first);
            }
            for number in &self.live_out[block] {
                let interval = &mut intervals[*number as usize];
                interval.end = interval.end.max(*behind);
            }
        }
        intervals
    }
}

/// Adds an index not smaller than those in the set; false if it is already there.
fn add_last(set: &mut Vec<u32>, number: u32) -> bool {
    if set.last() == Some(&number) {
        return false;
    }
    set.push(number);
    true
}

/// For the first region of an operation.
impl Analysis for Liveness {
    const NAME: &'static str = "liveness";

    fn compute(context: &mut Context, op: Operation, analyses: &mut AnalysisManager) -> Self {
        let flow = analyses.get::<ControlFlowGraph>(context, op);
        Liveness::of(context, &flow)
    }
}
