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
        let mut leads = vec![false; region.len()];
        for node in (0..region.len()).rev() {
            let mut behind = region.graph.successors(node);
            leads[node] = region.is_variable(node) || behind.any(|edge| leads[edge.to as usize]);
        }
        let rank = |node: usize| match (region.is_variable(node), leads[node]) {
            (true, _) => 0,
            (false, true) => 1,
            (false, false) => 2,
        };
        let height = |node: usize| if leads[node] { heights[node] } else { 0 };
        Some(list(region, |node| (rank(node), Reverse(height(node)))))
    }
}
