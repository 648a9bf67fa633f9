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

    fn spares_registers(&self) -> bool {
        true
    }

    fn order(&self, region: &Region<'_>, now: &[u32], settings: &Settings) -> Option<Vec<u32>> {
        let most =
            |order: &[u32]| Pressure::of(&region.registers, order)[RegisterClass::General as usize];
        let mut bases = vec![pressure::Pressure.order(region, now, settings)?];
        if most(now) <= settings.register_budget && bases[0] != now {
            bases.insert(0, now.to_vec());
        }
        let limits = [
            settings.register_budget,
            region.registers.limits[RegisterClass::Predicate as usize],
        ];
        let heights = heights(region, None);
        let ranks = ranks(region);
        let by_length = |node: usize| (0, Reverse(heights[node]));
        let by_latency = |node: usize| match ranks[node] {
            2 => (2, Reverse(0)),
            rank => (rank, Reverse(heights[node])),
        };
        let mut clock = Clock::new(region);
        let orders = bases.iter().flat_map(|base| {
            let profile = Profile::new(&region.registers, limits, base);
            let nodes = 0..region.len();
            let keys = [
                nodes.clone().map(by_length).collect(),
                nodes.map(by_latency).collect(),
            ];
            keys.map(|keys| list(region, (base, profile.clone()), keys, settings))
        });
        orders.min_by_key(|order| clock.cost(order))
    }
}

/// List scheduling by keys, within the limits where `base` allows that.
fn list(
    region: &Region<'_>,
    (base, mut profile): (&[u32], Profile<'_>),
    keys: Vec<Key>,
    settings: &Settings,
) -> Vec<u32> {
    let mut clock = Clock::new(region);
    let mut ready = ReadyList::new(region, &clock, keys);
    let mut order = Vec::with_capacity(region.len());
    while let Some(first) = base.get(profile.first()) {
        let mut issuable = ready.candidates(&clock).take(settings.window);
        let found = issuable.find(|node| profile.fits(*node as usize));
        drop(issuable);
        // Those that stall may free registers; the one whose turn it is always fits.
        let found = found.or_else(|| {
            let mut stalled = ready.stalled(settings.window).into_iter();
            stalled.find(|node| profile.fits(*node as usize))
        });
        let node = found.unwrap_or(*first);
        profile.issue(node as usize);
        clock.issue(node as usize);
        order.push(node);
        ready.issued(region, &clock, node);
    }
    order
}
