//! Critical paths: the cycles from the issue of each node to the end of the region.

use super::region::Region;

/// The cycles from the issue of each node to the end of the longest chain of dependences behind it, also
/// through uses behind the region. Where the region follows itself every `interval` cycles, chains go on into
/// the next execution.
pub fn heights(region: &Region<'_>, interval: Option<i64>) -> Vec<i64> {
    let mut heights = vec![0; region.len()];
    for departure in &region.departures {
        let node = departure.from as usize;
        let signalled = region.signalled(departure.from, departure.protection);
        let left = i64::from(departure.cycles.max(signalled)) - departure.at;
        heights[node] = left.max(heights[node]);
    }
    sweep(region, &mut heights);
    if let Some(interval) = interval {
        // Twice: a chain through two executions is longer than the latencies that matter.
        for _ in 0..2 {
            for edge in &region.carried {
                let then = region.latency(edge) + heights[edge.to as usize] - interval;
                let height = &mut heights[edge.from as usize];
                *height = then.max(*height);
            }
            sweep(region, &mut heights);
        }
    }
    heights
}

/// The cycles from the issue of each node until what is behind the region can issue, whatever it is.
pub(super) fn heights_within(region: &Region<'_>) -> Vec<i64> {
    let mut heights = vec![0; region.len()];
    for node in (0..region.len()).rev() {
        let behind = region.graph.successors(node);
        let behind = behind.map(|edge| i64::from(edge.cycles) + heights[edge.to as usize]);
        heights[node] = behind
            .max()
            .unwrap_or(0)
            .max(i64::from(region.nodes[node].issue));
    }
    heights
}

fn sweep(region: &Region<'_>, heights: &mut [i64]) {
    for node in (0..region.len()).rev() {
        let behind = region.graph.successors(node);
        let behind = behind.map(|edge| region.latency(edge) + heights[edge.to as usize]);
        let own = i64::from(region.nodes[node].issue);
        heights[node] = behind.max().unwrap_or(0).max(own).max(heights[node]);
    }
}
