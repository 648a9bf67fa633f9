//! The default: list scheduling by critical paths.

use std::cmp::Reverse;

use super::{Settings, Strategy};
use crate::instructions::heights::heights;
use crate::instructions::ready::list;
use crate::instructions::region::Region;

/// Of the instructions that can issue first, the one with the longest chain behind it, then the first one of
/// the program.
pub(super) struct List;

impl Strategy for List {
    fn name(&self) -> &'static str {
        "list"
    }

    fn order(&self, region: &Region<'_>, _: &[u32], _: &Settings) -> Option<Vec<u32>> {
        let heights = heights(region, None);
        Some(list(region, |node| Reverse(heights[node])))
    }
}
