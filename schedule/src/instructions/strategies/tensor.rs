//! Keeps matrix products together.

use std::cmp::Reverse;

use super::{Settings, Strategy};
use crate::instructions::heights::heights;
use crate::instructions::ready::list;
use crate::instructions::region::Region;
use crate::instructions::resources::Unit;

/// What feeds products by the longest chain, then products in the order of the program, then the rest: the
/// products are one group as far as their operands allow, and accumulators are live for as long as the group
/// lasts.
pub(super) struct Tensor;

impl Strategy for Tensor {
    fn name(&self) -> &'static str {
        "tensor"
    }

    fn order(&self, region: &Region<'_>, _: &[u32], _: &Settings) -> Option<Vec<u32>> {
        if !region.has_products() {
            return None;
        }
        let heights = heights(region, None);
        let is_product = |node: usize| region.nodes[node].unit == Unit::Tensor;
        let mut feeds = vec![false; region.len()];
        for node in (0..region.len()).rev() {
            let mut behind = region.graph.successors(node).map(|edge| edge.to as usize);
            feeds[node] = behind.any(|to| feeds[to] || is_product(to));
        }
        Some(list(region, |node| match (is_product(node), feeds[node]) {
            (false, true) => (0, Reverse(heights[node])),
            (true, _) => (1, Reverse(0)),
            (false, false) => (2, Reverse(heights[node])),
        }))
    }
}
