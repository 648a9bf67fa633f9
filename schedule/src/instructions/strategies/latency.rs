//! Hides latencies: what starts an operation of variable latency goes first.

use std::cmp::Reverse;

use super::{Settings, Strategy};
use crate::instructions::heights::heights;
use crate::instructions::ready::list;
use crate::instructions::region::Region;

/// Instructions of variable latency first, then those that lead to one, each by the longest chain behind it;
/// the others stay in the order of the program.
pub(super) struct Latency;

impl Strategy for Latency {
    fn name(&self) -> &'static str {
        "latency"
    }

    fn order(&self, region: &Region<'_>, _: &[u32], _: &Settings) -> Option<Vec<u32>> {
        let heights = heights(region, None);
        let ranks = ranks(region);
        let height = |node: usize| if ranks[node] < 2 { heights[node] } else { 0 };
        Some(list(region, |node| (ranks[node], Reverse(height(node)))))
    }
}

/// By node: 0 if it is of variable latency, 1 if it leads to one that is, else 2.
pub(super) fn ranks(region: &Region<'_>) -> Vec<u8> {
    let mut ranks = vec![2; region.len()];
    for node in (0..region.len()).rev() {
        let mut behind = region.graph.successors(node);
        if region.is_variable(node) {
            ranks[node] = 0;
        } else if behind.any(|edge| ranks[edge.to as usize] < 2) {
            ranks[node] = 1;
        }
    }
    ranks
}
