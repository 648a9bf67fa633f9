//! Pairs instructions that issue in the same cycle (seed 000, "Dual-Issue Scheduler").

use std::cmp::Reverse;

use super::{Settings, Strategy};
use crate::instructions::clock::Clock;
use crate::instructions::heights::heights;
use crate::instructions::ready::ReadyList;
use crate::instructions::region::Region;

/// List scheduling by critical paths that looks along the ready list for a partner: one that issues in the cycle of
/// the last instruction; else, if the next one can only be the second of a pair, one to issue in front of it, which
/// then takes no cycle.
pub(super) struct DualIssue;

impl Strategy for DualIssue {
    fn name(&self) -> &'static str {
        "dual-issue"
    }

    fn order(&self, region: &Region<'_>, _: &[u32], settings: &Settings) -> Option<Vec<u32>> {
        let has_pairs = region.model.has_pairs();
        has_pairs.then(|| paired(region, settings.window).0)
    }
}

/// The eligibility score of the page (`dualIssueBenefit`): the number of pairs that can be formed, if no instruction
/// waits for a latency. Zero on machines that issue one instruction in a cycle.
pub(crate) fn benefit(region: &Region<'_>) -> usize {
    match region.model.has_pairs() {
        true => paired(&region.without_latencies(), Settings::default().window).1,
        false => 0,
    }
}

/// An order, and the number of its pairs.
fn paired(region: &Region<'_>, window: usize) -> (Vec<u32>, usize) {
    let heights = heights(region, None);
    let keys = heights.into_iter().map(Reverse).collect();
    let mut clock = Clock::new(region);
    let mut ready = ReadyList::new(region, &clock, keys);
    let mut order = Vec::with_capacity(region.len());
    loop {
        let candidates: Vec<u32> = ready.candidates(&clock).take(window).collect();
        let Some(best) = candidates.first().copied() else {
            return (order, clock.pairs());
        };
        let at = |node: u32| clock.earliest(node as usize);
        let mut others = candidates.iter().copied();
        let second = others.find(|node| at(*node) < clock.now());
        let leads =
            |node: &u32| at(*node) <= at(best) && region.pairs(*node as usize, best as usize);
        let node = second.or_else(|| candidates.iter().copied().find(leads));
        let node = node.unwrap_or(best);
        clock.issue(node as usize);
        order.push(node);
        ready.issued(region, &clock, node);
    }
}
