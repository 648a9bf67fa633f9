//! The limit of accumulators in flight (warning 7407).

use orison_ir::analyses::ControlFlowGraph;
use orison_ir::{Context, Operation};
use orison_ori::analyses::MatrixGroups;
use orison_ori::analyses::matrix_groups::{AccumulatorSet, Flights};
use orison_ori::operations::matrix::WgmmaMma;

use crate::ori::fixup_gmma_sequence::causes::Cause;

/// Warns for each product with which more accumulator sets than `limit` are in flight: once for
/// those that are read, and once for those that are written. ptxas 13.0 was never seen to give the
/// warning, so that there is no limit by default.
pub(super) fn check(
    context: &mut Context,
    flow: &ControlFlowGraph,
    groups: &MatrixGroups,
    limit: Option<u64>,
) {
    let Some(limit) = limit.and_then(|limit| u32::try_from(limit).ok()) else {
        return;
    };
    let mut exceeded = Vec::new();
    for block in 0..u32::try_from(flow.block_count()).unwrap_or(u32::MAX) {
        groups.walk(context, flow, block, |op, flights| {
            let Some(product) = op.filter(|op| groups.number(*op).is_some()) else {
                return;
            };
            for sets in directions(context, groups, flights, product) {
                let count = u32::try_from(sets.len()).unwrap_or(u32::MAX);
                if count > limit {
                    exceeded.push((product, count));
                }
            }
        });
    }
    for (product, count) in exceeded {
        let location = product.location(context);
        Cause::LiveRanges.report(context, location, "", &[count, limit]);
    }
}

/// The accumulator sets that a product and those in flight read, and that they write.
fn directions(
    context: &Context,
    groups: &MatrixGroups,
    flights: &Flights,
    product: Operation,
) -> [Vec<AccumulatorSet>; 2] {
    let others = flights.all();
    let all: Vec<WgmmaMma> = groups
        .named(&others)
        .chain([product])
        .filter_map(|op| WgmmaMma::of(context, op))
        .collect();
    let distinct = |values: Vec<orison_ir::Value>| {
        let mut sets: Vec<AccumulatorSet> = values
            .into_iter()
            .filter_map(|value| groups.sets.get(value))
            .collect();
        sets.sort_unstable();
        sets.dedup();
        sets
    };
    let read = all.iter().filter_map(|one| one.accumulator(context));
    let written = all.iter().map(|one| one.result(context));
    [distinct(read.collect()), distinct(written.collect())]
}
