//! Improves the best order so far of a region that is executed often, by moves within a budget of work.
//!
//! Large-neighbourhood search in the plain form that short blocks allow: an instruction moves to another place
//! between what it depends on and what depends on it, and the new order stays if it costs no more. Steps of equal
//! cost lead across plateaus. The moves follow a fixed sequence of pseudo-random numbers, so the same region has
//! the same result; the best order that was seen is returned, so it is never worse than the first.

use super::{Settings, Strategy};
use crate::instructions::clock::{Clock, Cost};
use crate::instructions::narrow;
use crate::instructions::region::Region;

/// The search.
pub(super) struct Search;

/// The most instructions of a region.
pub(super) const LONGEST: usize = 400;
/// A region that is executed at least this often is searched: one in a loop.
pub(super) const OFTEN: u64 = 10;
/// Trials without an improvement after which it ends.
const PATIENCE: u64 = 400;

impl Strategy for Search {
    fn name(&self) -> &'static str {
        "search"
    }

    fn order(&self, region: &Region<'_>, now: &[u32], settings: &Settings) -> Option<Vec<u32>> {
        let executions = if region.repeats() { 3 } else { 1 };
        let trials = settings.effort / (region.len() as u64 * executions).max(1);
        let mut moves = Moves {
            region,
            places: vec![0; region.len()],
            random: 0x9e37_79b9_7f4a_7c15,
        };
        let mut clock = Clock::new(region);
        let mut order = now.to_vec();
        let mut current = clock.cost(&order);
        let mut best: (Cost, Vec<u32>) = (current, order.clone());
        let mut trial = order.clone();
        let mut since = 0;
        for _ in 0..trials {
            trial.clone_from(&order);
            if !moves.apply(&mut trial) {
                continue;
            }
            let cost = clock.cost(&trial);
            since += 1;
            if cost <= current {
                std::mem::swap(&mut order, &mut trial);
                current = cost;
            }
            if cost < best.0 {
                best = (cost, order.clone());
                since = 0;
            }
            if since > PATIENCE {
                break;
            }
        }
        Some(best.1)
    }
}

struct Moves<'r> {
    region: &'r Region<'r>,
    /// The place of each node.
    places: Vec<usize>,
    random: u64,
}

impl Moves<'_> {
    /// A number below a positive one (xorshift).
    fn below(&mut self, end: usize) -> usize {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        usize::try_from(self.random % u64::from(narrow(end))).unwrap_or(0)
    }

    /// Moves an instruction; returns whether one could be moved.
    fn apply(&mut self, order: &mut [u32]) -> bool {
        if order.len() < 2 {
            return false;
        }
        for (place, node) in order.iter().enumerate() {
            self.places[*node as usize] = place;
        }
        let place = self.below(order.len());
        let node = order[place] as usize;
        let graph = &self.region.graph;
        let before = graph.predecessors(node).iter();
        let before = before.map(|edge| self.places[edge.from as usize] + 1);
        let first = before.max().unwrap_or(0);
        let behind = graph
            .successors(node)
            .map(|edge| self.places[edge.to as usize]);
        let last = behind.min().unwrap_or(order.len()) - 1;
        if first == last {
            return false;
        }
        let to = first + self.below(last - first);
        if to >= place {
            order[place..=to + 1].rotate_left(1);
        } else {
            order[to..=place].rotate_right(1);
        }
        true
    }
}
