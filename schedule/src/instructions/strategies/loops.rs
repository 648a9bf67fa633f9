//! Loops of one block: every iteration finds what the one before has left in flight.

use std::cmp::Reverse;

use super::{Settings, Strategy};
use crate::instructions::clock::{Clock, Cost};
use crate::instructions::heights::heights;
use crate::instructions::ready::list;
use crate::instructions::region::Region;

/// List scheduling of an iteration behind another one, with chains that go on into the next iteration; again
/// with the order that was found in front, until nothing is gained.
pub(super) struct Loop;

/// Rounds: each finds the iteration in front with the order of the round before.
const ROUNDS: usize = 3;

impl Strategy for Loop {
    fn name(&self) -> &'static str {
        "loop"
    }

    fn order(&self, region: &Region<'_>, now: &[u32], _: &Settings) -> Option<Vec<u32>> {
        if !region.repeats() {
            return None;
        }
        let mut best: Option<(Cost, Vec<u32>)> = None;
        let mut order = now.to_vec();
        let mut clock = Clock::new(region);
        for _ in 0..ROUNDS {
            clock.restart();
            clock.walk(&order);
            clock.repeat();
            let start = clock.now();
            clock.walk(&order);
            let interval = clock.now() - start;
            clock.repeat();
            let mut steady = region.clone();
            steady.entry = clock.left();
            let heights = heights(region, Some(interval));
            order = list(&steady, |node| Reverse(heights[node]));
            let cost = clock.cost(&order);
            if best.as_ref().is_some_and(|best| best.0 <= cost) {
                break;
            }
            best = Some((cost, order.clone()));
        }
        best.map(|best| best.1)
    }
}
