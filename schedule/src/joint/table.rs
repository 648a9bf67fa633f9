//! The slots and pools in use in each row of an interval.

use crate::modulo::DependenceGraph;
use crate::modulo::reservation::Footprint;

/// A reservation table that can say when an operation could start instead.
pub(super) struct Table {
    interval: i64,
    footprints: Vec<Footprint>,
    /// Units of each pool.
    capacities: Vec<u32>,
    /// Whether a slot is held, by slot and row.
    slots: Vec<Vec<bool>>,
    /// Units in use, by pool and row.
    pools: Vec<Vec<u32>>,
}

impl Table {
    /// The empty table of an interval; `None` if an operation holds a slot for longer.
    pub fn new(graph: &DependenceGraph, interval: u32) -> Option<Self> {
        let footprints: Vec<Footprint> = graph.nodes().iter().map(Footprint::of).collect();
        if footprints
            .iter()
            .any(|footprint| footprint.duration > interval)
        {
            return None;
        }
        let rows = interval as usize;
        let slots = footprints.iter().flat_map(|footprint| &footprint.holds);
        let slots = slots
            .map(|&(slot, _)| usize::from(slot) + 1)
            .max()
            .unwrap_or(0);
        let pools = &graph.space().pools;
        Some(Self {
            interval: i64::from(interval),
            footprints,
            capacities: pools.iter().map(|pool| pool.capacity).collect(),
            slots: vec![vec![false; rows]; slots],
            pools: vec![vec![0; rows]; pools.len()],
        })
    }

    /// Cycles for which an operation holds anything.
    pub fn duration(&self, node: usize) -> u32 {
        self.footprints[node].duration
    }

    fn row(&self, cycle: i64) -> usize {
        usize::try_from(cycle.rem_euclid(self.interval)).unwrap_or(0)
    }

    /// The last cycle from a start on in which something that the operation needs is held.
    fn conflict(&self, node: usize, start: i64) -> Option<i64> {
        let footprint = &self.footprints[node];
        let mut last = None;
        for &(slot, duration) in &footprint.holds {
            let held = &self.slots[usize::from(slot)];
            let mut cycles = start..start + i64::from(duration);
            last = last.max(cycles.rfind(|&cycle| held[self.row(cycle)]));
        }
        for &(pool, units) in &footprint.pools {
            let used = &self.pools[pool];
            let most = self.capacities[pool];
            let mut cycles = start..start + i64::from(footprint.duration);
            last = last.max(cycles.rfind(|&cycle| used[self.row(cycle)] + units > most));
        }
        last
    }

    /// Whether an operation can start in a cycle.
    pub fn is_free(&self, node: usize, start: i64) -> bool {
        self.conflict(node, start).is_none()
    }

    /// The first cycle of a range in which an operation can start.
    pub fn first_free(&self, node: usize, low: i64, high: i64) -> Option<i64> {
        let mut start = low;
        while start <= high && start < low + self.interval {
            match self.conflict(node, start) {
                Some(cycle) => start = cycle + 1,
                None => return Some(start),
            }
        }
        None
    }

    /// The last cycle of a range in which an operation can start.
    pub fn last_free(&self, node: usize, low: i64, high: i64) -> Option<i64> {
        let mut start = high;
        while start >= low && start > high - self.interval {
            match self.latest_before_conflict(node, start) {
                Some(earlier) => start = earlier,
                None => return Some(start),
            }
        }
        None
    }

    /// The last start before one with conflicts that avoids the first of them; `None` without
    /// conflicts.
    fn latest_before_conflict(&self, node: usize, start: i64) -> Option<i64> {
        let footprint = &self.footprints[node];
        let mut latest: Option<i64> = None;
        let mut avoid = |cycle: Option<i64>, duration: u32| {
            if let Some(cycle) = cycle {
                let before = cycle - i64::from(duration);
                latest = Some(latest.map_or(before, |known| known.min(before)));
            }
        };
        for &(slot, duration) in &footprint.holds {
            let held = &self.slots[usize::from(slot)];
            let mut cycles = start..start + i64::from(duration);
            avoid(cycles.find(|&cycle| held[self.row(cycle)]), duration);
        }
        for &(pool, units) in &footprint.pools {
            let (used, most) = (&self.pools[pool], self.capacities[pool]);
            let mut cycles = start..start + i64::from(footprint.duration);
            let full = cycles.find(|&cycle| used[self.row(cycle)] + units > most);
            avoid(full, footprint.duration);
        }
        latest
    }

    /// Holds what an operation needs.
    pub fn hold(&mut self, node: usize, start: i64) {
        self.change(node, start, true);
    }

    /// Releases what an operation held.
    pub fn release(&mut self, node: usize, start: i64) {
        self.change(node, start, false);
    }

    fn change(&mut self, node: usize, start: i64, held: bool) {
        let footprint = self.footprints[node].clone();
        for &(slot, duration) in &footprint.holds {
            for cycle in start..start + i64::from(duration) {
                let row = self.row(cycle);
                self.slots[usize::from(slot)][row] = held;
            }
        }
        for &(pool, units) in &footprint.pools {
            for cycle in start..start + i64::from(footprint.duration) {
                let row = self.row(cycle);
                let used = &mut self.pools[pool][row];
                *used = if held { *used + units } else { *used - units };
            }
        }
    }
}
