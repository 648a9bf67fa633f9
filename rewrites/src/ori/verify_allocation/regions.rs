//! What becomes of uniform registers where the threads of a warp part: they belong to the warp, which
//! executes the ways of its threads one behind the other.

use orison_ir::analyses::{ControlFlowGraph, PostDominatorTree};
use orison_ir::{Context, Operation, Value};
use orison_ori::operations::{Bssy, Bsync};
use rustc_hash::{FxHashMap, FxHashSet};

use super::calls::Calls;
use super::{Place, places};
use crate::ori::calling_convention::is_call;
use crate::ori::functions::{Function, divergence};

/// The uniform registers that some of a warp's threads may change before others enter a block.
#[derive(Debug, Default)]
pub(super) struct Regions {
    /// By block and successor, or by block alone for all its successors.
    changed: FxHashMap<(u32, Option<u32>), Changed>,
}

#[derive(Debug, Default)]
struct Changed {
    places: FxHashSet<Place>,
    calls: Vec<Operation>,
}

impl Regions {
    /// Those of a function: between `bssy` and `bsync`, and behind branches whose ways never meet. Linear in
    /// the function and in each region.
    pub(super) fn of(context: &Context, function: Function, flow: &ControlFlowGraph) -> Self {
        let mut regions = Regions::default();
        let has_uniform = flow.blocks().iter().any(|block| {
            let mut made = block.operations(context).flat_map(|op| op.results(context));
            made.any(|value| uniform(context, value).next().is_some())
        });
        if !has_uniform {
            return regions;
        }
        for (number, block) in (0..).zip(flow.blocks()) {
            for op in block.operations(context) {
                if Bssy::of(context, op).is_none() {
                    continue;
                }
                let mut waits = op.result(context, 0).users(context);
                let wait = waits.find(|wait| Bsync::of(context, *wait).is_some());
                let end = wait.and_then(|wait| flow.block_around(context, wait));
                let starts = flow.successors(number);
                let found = Changed::between(context, flow, starts, end);
                regions.changed.insert((number, None), found);
            }
        }
        let post_dominators = PostDominatorTree::of(flow);
        let divergence = divergence(context, function, flow);
        for number in flow.reverse_post_order().iter().copied() {
            let ways = flow.successors(number);
            let branch = flow.block(number).terminator(context);
            if ways.len() < 2
                || post_dominators.immediate(number).is_some()
                || !branch.is_some_and(|branch| divergence.parts_warp(branch))
            {
                continue;
            }
            for way in ways {
                let others: Vec<u32> = ways.iter().copied().filter(|other| other != way).collect();
                let found = Changed::between(context, flow, &others, None);
                regions.changed.insert((number, Some(*way)), found);
            }
        }
        regions
    }

    /// Whether a register still holds on the way from one block to another what it did at the branch.
    pub(super) fn keeps(
        &self,
        context: &Context,
        calls: &Calls,
        (from, to): (u32, u32),
    ) -> impl Fn(Place) -> bool {
        let found = [None, Some(to)].map(|to| self.changed.get(&(from, to)));
        move |place| {
            let changed = |found: &Changed| {
                let mut inside = found.calls.iter();
                place.0.is_uniform()
                    && (found.places.contains(&place)
                        || inside.any(|call| calls.changes(context, *call)(place)))
            };
            !found.into_iter().flatten().any(changed)
        }
    }
}

impl Changed {
    /// What blocks change from some on, up to one.
    fn between(
        context: &Context,
        flow: &ControlFlowGraph,
        starts: &[u32],
        end: Option<u32>,
    ) -> Self {
        let mut found = Changed::default();
        let mut seen: FxHashSet<u32> = end.into_iter().collect();
        let mut pending = starts.to_vec();
        while let Some(number) = pending.pop() {
            if !seen.insert(number) {
                continue;
            }
            let block = flow.block(number);
            let arguments = block.arguments(context);
            arguments.for_each(|value| found.places.extend(uniform(context, value)));
            for op in block.operations(context) {
                op.results(context)
                    .for_each(|value| found.places.extend(uniform(context, value)));
                if is_call(context, op) {
                    found.calls.push(op);
                }
            }
            pending.extend(flow.successors(number));
        }
        found
    }
}

/// The uniform registers of a value.
fn uniform(context: &Context, value: Value) -> impl Iterator<Item = Place> {
    let all = places(context, value).into_iter().flatten();
    all.filter(|(class, _)| class.is_uniform())
}
