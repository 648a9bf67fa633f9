//! All orders of a short region, by branch and bound.

use std::ops::Range;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

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
/// instructions that are issued, sufficed, and half of it where nothing better was found. `now` is an order that
/// it has.
pub(crate) fn exact(region: &Region<'_>, now: &[u32], effort: u64) -> (Vec<u32>, bool) {
    let mut clock = Clock::new(region);
    let mut tree = Tree {
        region,
        heights: heights_within(region),
        issues: u64::try_from(region.issue_cycles(0..region.len(), false)).unwrap_or(0),
        best: (clock.cost(now), now.to_vec()),
        clocks: vec![Clock::new(region); region.len() + 1],
        clock,
        missing: (0..region.len())
            .map(|node| region.graph.predecessors(node).len())
            .collect(),
        order: Vec::with_capacity(region.len()),
        seen: FxHashMap::default(),
        states: Vec::new(),
        left: effort,
        until: effort / 2,
    };
    tree.descend(0);
    let is_certain = tree.left > tree.until;
    (tree.best.1, is_certain)
}

struct Tree<'r> {
    region: &'r Region<'r>,
    /// Cycles from the issue of each node until the next execution or block can start.
    heights: Vec<i64>,
    /// The least cycles in which all nodes issue.
    issues: u64,
    best: (Cost, Vec<u32>),
    /// For costs of complete orders.
    clock: Clock<'r>,
    /// The clock after each number of issued nodes.
    clocks: Vec<Clock<'r>>,
    /// Dependences of each node that have not been issued; the most for one that was issued itself.
    missing: Vec<usize>,
    order: Vec<u32>,
    /// The states in which each set of nodes was issued.
    seen: FxHashMap<u32, SmallVec<[Range<usize>; 2]>>,
    /// What they are, one after another.
    states: Vec<i64>,
    /// Nodes that may still be issued.
    left: u64,
    /// It ends with so many of them if no better order is found before.
    until: u64,
}

const ISSUED: usize = usize::MAX;

impl Tree<'_> {
    fn descend(&mut self, issued: u32) {
        let depth = self.order.len();
        if depth == self.region.len() {
            let cost = self.clock.cost(&self.order);
            if cost < self.best.0 {
                self.best = (cost, self.order.clone());
                self.until = self.until.min(self.left / 2);
            }
            return;
        }
        if self.bound(&self.clocks[depth]) >= self.best.0 || self.is_dominated(issued) {
            return;
        }
        let free = |node: &usize| self.missing[*node] == 0;
        let mut ready: SmallVec<[usize; LONGEST]> = (0..self.region.len()).filter(free).collect();
        let here = &self.clocks[depth];
        ready.sort_by_key(|node| (here.earliest(*node), -self.heights[*node], *node));
        for node in ready {
            if self.left <= self.until {
                return;
            }
            self.left -= 1;
            let (before, behind) = self.clocks.split_at_mut(depth + 1);
            behind[0].copy_from(&before[depth]);
            behind[0].issue(node);
            self.enter(node);
            self.descend(issued | 1 << node);
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
    fn is_dominated(&mut self, issued: u32) -> bool {
        if self.region.repeats() {
            return false;
        }
        let start = self.states.len();
        self.clocks[self.order.len()].state(issued, &mut self.states);
        let (before, state) = self.states.split_at(start);
        let seen = self.seen.entry(issued).or_default();
        let no_later = |known: &Range<usize>| {
            let mut cycles = before[known.clone()].iter().zip(state);
            known.len() == state.len() && cycles.all(|(known, now)| known <= now)
        };
        if seen.iter().any(no_later) {
            self.states.truncate(start);
            return true;
        }
        seen.push(start..self.states.len());
        false
    }

    /// A cost that no order with this start is below: the nodes that are left issue one after another, and none
    /// is over before its chain in the region is.
    fn bound(&self, here: &Clock<'_>) -> Cost {
        let region = self.region;
        let left = || (0..region.len()).filter(|node| self.missing[*node] != ISSUED);
        let cycles = region.issue_cycles(left(), here.is_open());
        let chains = left().map(|node| here.earliest(node) + self.heights[node]);
        let end = chains.max().unwrap_or(0).max(here.now() + cycles);
        let entered = 2 * region.frequency.min(region.entered) * u64::try_from(end).unwrap_or(0);
        // An iteration takes at least the cycles in which its instructions issue.
        let steady = match region.repeats() {
            true => 2 * (region.frequency - region.entered) * self.issues,
            false => region.least_delays(end, |found| {
                let node = found.from as usize;
                if self.missing[node] == ISSUED {
                    return here.available(node, found.cycles, found.protection);
                }
                here.earliest(node) + region.least_wait(found)
            }),
        };
        Cost {
            excess: here.excess(),
            cycles: entered + steady,
            conflicts: here.conflicts(),
        }
    }
}
