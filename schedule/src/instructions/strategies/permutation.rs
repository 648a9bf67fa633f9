//! All orders of a short region, by branch and bound.

use rustc_hash::FxHashMap;

use super::{Settings, Strategy};
use crate::instructions::clock::{Clock, Cost};
use crate::instructions::heights::heights_within;
use crate::instructions::narrow;
use crate::instructions::region::Region;

/// The best order: exact for the cycles of [`Clock::cost`] of regions with at most [`LONGEST`] instructions, if the
/// effort suffices; else the best one so far.
pub(super) struct Permutation;

/// The most instructions (seed 000, "Strategy Selection").
pub const LONGEST: usize = 12;

impl Strategy for Permutation {
    fn name(&self) -> &'static str {
        "permutation"
    }

    fn order(&self, region: &Region<'_>, now: &[u32], settings: &Settings) -> Option<Vec<u32>> {
        if region.len() > LONGEST {
            return None;
        }
        Some(exact(region, now, settings.effort / 4).0)
    }
}

/// The best order of a region of at most 32 instructions, and whether it is certainly the best: the effort, in
/// instructions that are issued, sufficed. `now` is an order that it has.
pub(crate) fn exact(region: &Region<'_>, now: &[u32], effort: u64) -> (Vec<u32>, bool) {
    let mut clock = Clock::new(region);
    let mut tree = Tree {
        region,
        heights: heights_within(region),
        best: (clock.cost(now), now.to_vec()),
        clock,
        missing: (0..region.len())
            .map(|node| region.graph.predecessors(node).len())
            .collect(),
        order: Vec::with_capacity(region.len()),
        seen: FxHashMap::default(),
        left: effort,
    };
    tree.descend(&Clock::new(region), 0);
    (tree.best.1, tree.left > 0)
}

struct Tree<'r> {
    region: &'r Region<'r>,
    /// Cycles from the issue of each node until the next execution or block can start.
    heights: Vec<i64>,
    best: (Cost, Vec<u32>),
    /// For costs of complete orders.
    clock: Clock<'r>,
    /// Dependences of each node that have not been issued; the most for one that was issued itself.
    missing: Vec<usize>,
    order: Vec<u32>,
    /// The states in which each set of nodes was issued.
    seen: FxHashMap<u32, Vec<Vec<i64>>>,
    /// Nodes that may still be issued.
    left: u64,
}

const ISSUED: usize = usize::MAX;

impl Tree<'_> {
    fn descend(&mut self, here: &Clock<'_>, issued: u32) {
        if self.order.len() == self.region.len() {
            let cost = self.clock.cost(&self.order);
            if cost < self.best.0 {
                self.best = (cost, self.order.clone());
            }
            return;
        }
        let best = &self.best.0;
        let is_worse = (here.excess(), self.bound(here)) > (best.excess, best.cycles);
        if is_worse || self.is_dominated(here, issued) {
            return;
        }
        let free = |node: &usize| self.missing[*node] == 0;
        let mut ready: Vec<usize> = (0..self.region.len()).filter(free).collect();
        ready.sort_by_key(|node| (here.earliest(*node), -self.heights[*node], *node));
        for node in ready {
            if self.left == 0 {
                return;
            }
            self.left -= 1;
            let mut next = here.clone();
            next.issue(node);
            self.enter(node);
            self.descend(&next, issued | 1 << node);
            self.leave(node);
        }
    }

    fn enter(&mut self, node: usize) {
        self.missing[node] = ISSUED;
        self.order.push(narrow(node));
        for edge in self.region.graph.successors(node) {
            self.missing[edge.to as usize] -= 1;
        }
    }

    fn leave(&mut self, node: usize) {
        self.missing[node] = 0;
        self.order.pop();
        for edge in self.region.graph.successors(node) {
            self.missing[edge.to as usize] += 1;
        }
    }

    /// Whether the same nodes were issued before in an order after which nothing is later. In a region that
    /// follows itself that says nothing: the first execution may be longer so that the others are shorter.
    fn is_dominated(&mut self, here: &Clock<'_>, issued: u32) -> bool {
        if self.region.repeats() {
            return false;
        }
        let state = here.state(issued);
        let seen = self.seen.entry(issued).or_default();
        let no_later = |known: &Vec<i64>| {
            known.len() == state.len() && known.iter().zip(&state).all(|(known, now)| known <= now)
        };
        if seen.iter().any(no_later) {
            return true;
        }
        seen.push(state);
        false
    }

    /// A cost that no order with this start is below: the nodes that are left issue one after another, and none
    /// is over before its chain in the region is.
    fn bound(&self, here: &Clock<'_>) -> u64 {
        let region = self.region;
        let left = || (0..region.len()).filter(|node| self.missing[*node] != ISSUED);
        let cycles = region.issue_cycles(left(), here.is_open());
        let chains = left().map(|node| here.earliest(node) + self.heights[node]);
        let end = chains.max().unwrap_or(0).max(here.now() + cycles);
        let entered = 2 * region.frequency.min(region.entered) * u64::try_from(end).unwrap_or(0);
        if region.repeats() {
            // An iteration takes at least the cycles in which its instructions issue.
            let all = region.issue_cycles(0..region.len(), false);
            let all = u64::try_from(all).unwrap_or(0);
            entered + 2 * (region.frequency - region.entered) * all
        } else {
            entered
        }
    }
}
