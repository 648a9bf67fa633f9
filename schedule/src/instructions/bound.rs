//! What no order of a region costs less than.

use super::region::{Departure, Region};
use crate::dependences::Protection;

/// Twice the cycles that every order of a region costs at least, see [`super::Cost`]: instructions issue one after
/// another, no earlier than what is in flight and their dependences let them. Linear.
pub(super) fn least_cycles(region: &Region<'_>) -> u64 {
    let issue = region.issue_cycles(0..region.len(), false);
    let mut earliest = region.entry.arrivals.clone();
    let mut end = issue;
    for node in 0..region.len() {
        let issued = earliest[node].max(0);
        earliest[node] = issued;
        end = end.max(issued + i64::from(region.nodes[node].issue));
        for edge in region.graph.successors(node) {
            let cycles = edge
                .cycles
                .max(region.signalled(edge.from, edge.protection));
            let ready = &mut earliest[edge.to as usize];
            *ready = (*ready).max(issued + i64::from(cycles));
        }
    }
    let entered = 2 * region.frequency.min(region.entered) * unsigned(end);
    let behind = match region.repeats() {
        true => 2 * (region.frequency - region.entered) * unsigned(issue),
        false => region.least_delays(end, |found| {
            earliest[found.from as usize] + region.least_wait(found)
        }),
    };
    entered + behind
}

impl Region<'_> {
    /// Whether a use behind the region waits in any order: not if the instruction issues early enough as the last
    /// one.
    pub(super) fn may_delay(&self, found: &Departure) -> bool {
        let node = &self.nodes[found.from as usize];
        let class = self.model.class(node.class);
        let is_queued = class.result_queue.or(class.operand_queue).is_some();
        is_queued && found.protection == Protection::Results
            || self.least_wait(found) > i64::from(node.issue) + found.at
    }

    /// The least cycles between a node and a use of it behind the region.
    pub(super) fn least_wait(&self, found: &Departure) -> i64 {
        let signalled = self.signalled(found.from, found.protection);
        i64::from(found.cycles.max(signalled))
    }

    /// Twice the cycles that later blocks wait at least for a region that ends at `end`, or later by what it costs
    /// more then, and does not follow itself. `available` is the first cycle at which a use could issue.
    pub(super) fn least_delays(&self, end: i64, available: impl Fn(&Departure) -> i64) -> u64 {
        if self.targets.iter().sum::<u64>() > self.entered {
            return 0;
        }
        let mut sum = 0;
        for uses in self.departures.chunk_by(|a, b| a.target == b.target) {
            let late = uses.iter().map(|found| available(found) - end - found.at);
            let late = unsigned(late.max().unwrap_or(0));
            sum += 2 * late * self.targets[uses[0].target as usize];
        }
        sum
    }
}

fn unsigned(cycles: i64) -> u64 {
    u64::try_from(cycles).unwrap_or(0)
}
