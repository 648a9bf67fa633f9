//! Where accumulators keep their registers.

use orison_ir::analyses::ControlFlowGraph;
use orison_ir::{Context, Operation};
use orison_ori::analyses::MatrixGroups;
use orison_ori::analyses::matrix_groups::{AccumulatorSet, Role, role};
use orison_ori::operations::matrix::WgmmaMma;
use rustc_hash::FxHashSet;

/// Where an accumulator must stay in one tuple of consecutive registers: from each of `starts` to each
/// of `ends` that is reached from it. Outside, its words are ordinary values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LiveRange {
    /// The accumulator: [`MatrixGroups`] tells which values are in it.
    pub accumulator: AccumulatorSet,
    /// Its registers, 32 bits each: the length of the tuple.
    pub words: u32,
    /// The fences and arrives before its products, in the order of the text; the product itself where
    /// its block has none before it.
    pub starts: Vec<Operation>,
    /// The waits that complete its products, in the order of the text.
    pub ends: Vec<Operation>,
}

/// The live ranges of all accumulators, by number. Linear in the operations and in the products that
/// waits complete.
pub(super) fn live_ranges(
    context: &Context,
    flow: &ControlFlowGraph,
    groups: &MatrixGroups,
) -> Vec<LiveRange> {
    let count = u32::try_from(groups.sets.count()).unwrap_or(u32::MAX);
    let numbers = (0..count).map(AccumulatorSet);
    let mut ranges: Vec<LiveRange> = numbers
        .map(|accumulator| LiveRange {
            accumulator,
            words: groups.sets.words(accumulator),
            starts: Vec::new(),
            ends: Vec::new(),
        })
        .collect();
    let sets: Vec<Option<usize>> = groups
        .products()
        .iter()
        .map(|op| {
            let product = WgmmaMma::of(context, *op)?;
            let set = groups.sets.get(product.result(context))?;
            usize::try_from(set.0).ok()
        })
        .collect();
    let set_of = |number: u32| sets.get(number as usize).copied().flatten();
    for block in 0..u32::try_from(flow.block_count()).unwrap_or(u32::MAX) {
        let mut arrive = None;
        groups.walk(context, flow, block, |op, flights| {
            let Some(op) = op else { return };
            match role(context, op) {
                Some(Role::Arrive) => arrive = Some(op),
                Some(Role::Product) => {
                    let set = groups.number(op).and_then(set_of);
                    let start = arrive.unwrap_or(op);
                    if let Some(range) = set.and_then(|set| ranges.get_mut(set))
                        && range.starts.last() != Some(&start)
                    {
                        range.starts.push(start);
                    }
                }
                Some(Role::Wait(left)) => {
                    let complete = flights.reached(left);
                    let complete: FxHashSet<usize> = complete.iter().filter_map(set_of).collect();
                    for set in complete {
                        ranges[set].ends.push(op);
                    }
                }
                _ => {}
            }
        });
    }
    ranges
}
