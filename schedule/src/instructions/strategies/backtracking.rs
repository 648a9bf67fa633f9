//! List scheduling that takes back decisions (seed 000, "Backtracking Scheduler").

use std::cmp::Reverse;
use std::collections::VecDeque;

use super::{Settings, Strategy};
use crate::instructions::clock::Clock;
use crate::instructions::heights::heights;
use crate::instructions::ready::ReadyList;
use crate::instructions::region::Region;
use crate::instructions::registers::{Pressure, RegisterClass};

/// An instruction that stalls for longer than a threshold, or that needs registers beyond the budget, is
/// rejected, and the next candidate is tried. Where all are rejected, the last decision is taken back, at most
/// as many at a time as the page allows; then the one that stalls least is issued anyway.
pub(super) struct Backtracking;

/// The longest stall that is accepted, in cycles.
const STALL: i64 = 2;
/// The most decisions that are taken back from one place, if that is not more than a quarter of the region.
const DEEPEST: usize = 10;

/// The most instructions of a region: as many as the page has snapshots. Each is as large as the region.
const LONGEST: usize = 773;

type Key = (Reverse<i64>, u32);

/// The state before a decision, and what was rejected there.
struct Snapshot<'r> {
    clock: Clock<'r>,
    ready: ReadyList<Key>,
    live: Pressure<'r>,
    rejected: Vec<u32>,
}

impl Strategy for Backtracking {
    fn name(&self) -> &'static str {
        "backtracking"
    }

    fn spares_registers(&self) -> bool {
        true
    }

    fn order(&self, region: &Region<'_>, _: &[u32], settings: &Settings) -> Option<Vec<u32>> {
        if region.len() > LONGEST {
            return None;
        }
        let heights = heights(region, None);
        let keys = (0..region.len())
            .map(|node| (Reverse(heights[node]), 0))
            .collect();
        let clock = Clock::new(region);
        let ready = ReadyList::new(region, &clock, keys);
        let live = Pressure::new(&region.registers);
        let most = DEEPEST.min(region.len() / 4);
        let mut history: VecDeque<Snapshot<'_>> = VecDeque::new();
        let mut here = Snapshot {
            clock,
            ready,
            live,
            rejected: Vec::new(),
        };
        let mut order: Vec<u32> = Vec::with_capacity(region.len());
        // Decisions that were taken back since the last one that was forced.
        let mut taken_back = 0;
        while order.len() < region.len() {
            let all: Vec<u32> = here
                .ready
                .candidates(&here.clock)
                .take(settings.window)
                .collect();
            let stall = |node: u32| here.clock.earliest(node as usize) - here.clock.now();
            let general = here.live.live()[RegisterClass::General as usize];
            let fits = |node: u32| {
                let change = here.live.change(node as usize)[RegisterClass::General as usize];
                change <= 0 || general + change <= settings.register_budget
            };
            let mut allowed = all.iter().filter(|node| !here.rejected.contains(node));
            let found = allowed.find(|node| stall(**node) <= STALL && fits(**node));
            let accepted = found.copied();
            if accepted.is_none() && !history.is_empty() && taken_back < most {
                let undone = order.pop()?;
                here = history.pop_back()?;
                here.rejected.push(undone);
                taken_back += 1;
                continue;
            }
            let mut next = Snapshot {
                clock: here.clock.clone(),
                ready: here.ready.clone(),
                live: here.live.clone(),
                rejected: Vec::new(),
            };
            let least = |node: &&u32| (stall(**node), !fits(**node));
            let node = match accepted {
                Some(node) => node,
                None => *all.iter().min_by_key(least)?,
            };
            next.clock.issue(node as usize);
            next.live.issue(node as usize);
            next.ready.issued(region, &next.clock, node);
            order.push(node);
            history.push_back(std::mem::replace(&mut here, next));
            if accepted.is_none() {
                // What was forced is final.
                history.clear();
                taken_back = 0;
            } else if history.len() > most {
                history.pop_front();
            }
        }
        Some(order)
    }
}
