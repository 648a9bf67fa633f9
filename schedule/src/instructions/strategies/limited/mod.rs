//! List scheduling that never needs more registers than the budget.

mod profile;

use std::cmp::Reverse;

use super::latency::ranks;
use super::{Settings, Strategy, pressure};
use crate::instructions::clock::Clock;
use crate::instructions::heights::heights;
use crate::instructions::ready::ReadyList;
use crate::instructions::region::Region;
use crate::instructions::registers::{Pressure, RegisterClass};
use profile::Profile;

/// Instructions are issued before their turn in an order that needs few registers, as list scheduling would, as long
/// as the rest of that order stays within the budget. What fills it is waited for: its use is always allowed.
pub(super) struct Limited;

/// What decides between instructions that can issue, smallest first.
type Key = (u8, Reverse<i64>);

impl Strategy for Limited {
    fn name(&self) -> &'static str {
        "limited"
    }

    fn order(&self, region: &Region<'_>, now: &[u32], settings: &Settings) -> Option<Vec<u32>> {
        let most =
            |order: &[u32]| Pressure::of(&region.registers, order)[RegisterClass::General as usize];
        let mut bases = Vec::new();
        if most(now) <= settings.register_budget {
            bases.push(now.to_vec());
        }
        bases.extend(pressure::Pressure.order(region, now, settings));
        let heights = heights(region, None);
        let ranks = ranks(region);
        let by_length = |node: usize| (0, Reverse(heights[node]));
        let by_latency = |node: usize| match ranks[node] {
            2 => (2, Reverse(0)),
            rank => (rank, Reverse(heights[node])),
        };
        let mut clock = Clock::new(region);
        let orders = bases.iter().flat_map(|base| {
            let mut by_turn = vec![(0, Reverse(0)); region.len()];
            for (place, node) in (0..).zip(base) {
                by_turn[*node as usize] = (0, Reverse(-place));
            }
            let nodes = 0..region.len();
            let keys = [
                nodes.clone().map(by_length).collect(),
                nodes.map(by_latency).collect(),
                by_turn,
            ];
            keys.map(|keys| list(region, base, keys, settings))
        });
        orders.min_by_key(|order| clock.cost(order))
    }
}

/// The live registers of the classes that are limited, along an order.
struct Profiles<'r>([(Profile<'r>, i32); 2]);

impl<'r> Profiles<'r> {
    fn new(region: &'r Region<'_>, base: &[u32], settings: &Settings) -> Self {
        let limits = &region.registers.limits;
        let classes = [
            (RegisterClass::General, settings.register_budget),
            (
                RegisterClass::Predicate,
                limits[RegisterClass::Predicate as usize],
            ),
        ];
        Profiles(classes.map(|(class, limit)| {
            let profile = Profile::new(&region.registers, class, base);
            (profile, limit)
        }))
    }

    fn fits(&mut self, node: u32) -> bool {
        let mut all = self.0.iter_mut();
        all.all(|(profile, limit)| profile.fits(node as usize, *limit))
    }

    fn issue(&mut self, node: u32) {
        for (profile, _) in &mut self.0 {
            profile.issue(node as usize);
        }
    }
}

/// List scheduling by keys, within the limits where `base` allows that.
fn list(region: &Region<'_>, base: &[u32], keys: Vec<Key>, settings: &Settings) -> Vec<u32> {
    let mut profiles = Profiles::new(region, base, settings);
    let mut clock = Clock::new(region);
    let mut ready = ReadyList::new(region, &clock, keys);
    let mut order = Vec::with_capacity(region.len());
    while let Some(first) = base.get(profiles.0[0].0.first()) {
        let mut issuable = ready.candidates(&clock).take(settings.window);
        let found = issuable.find(|node| profiles.fits(*node));
        drop(issuable);
        // Those that stall may free registers; the one whose turn it is always fits.
        let found = found.or_else(|| {
            let mut stalled = ready.stalled(settings.window).into_iter();
            stalled.find(|node| profiles.fits(*node))
        });
        let node = found.unwrap_or(*first);
        profiles.issue(node);
        clock.issue(node as usize);
        order.push(node);
        ready.issued(region, &clock, node);
    }
    order
}
