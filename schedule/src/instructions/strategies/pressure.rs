//! Minimises live registers.

use super::{Settings, Strategy};
use crate::instructions::clock::Clock;
use crate::instructions::ready::ReadyList;
use crate::instructions::region::Region;
use crate::instructions::registers::{Pressure as Live, RegisterClass};

/// Of the candidates, the one after which the fewest registers are live; of equals the first of the program.
/// Predicates beyond their limit are avoided first: each becomes a register. Cycles do not count.
pub(super) struct Pressure;

impl Strategy for Pressure {
    fn name(&self) -> &'static str {
        "pressure"
    }

    fn order(&self, region: &Region<'_>, _: &[u32], settings: &Settings) -> Option<Vec<u32>> {
        // Nothing stalls, so that every instruction whose dependences were issued is a candidate.
        let patient = region.without_latencies();
        let mut clock = Clock::new(&patient);
        let keys = (0..region.len()).collect();
        let mut ready = ReadyList::new(&patient, &clock, keys);
        let mut live = Live::new(&region.registers);
        let mut order = Vec::with_capacity(region.len());
        loop {
            let candidates = ready.candidates(&clock).take(settings.window);
            let predicate = RegisterClass::Predicate as usize;
            let left = region.registers.limits[predicate].saturating_sub(live.live()[predicate]);
            let weight = |node: u32| {
                let change = live.change(node as usize);
                let of = |class: RegisterClass| change[class as usize];
                let general = of(RegisterClass::General) + of(RegisterClass::Accumulator);
                (
                    (of(RegisterClass::Predicate) - left).max(0),
                    general,
                    of(RegisterClass::Predicate),
                    of(RegisterClass::Uniform),
                )
            };
            let Some(node) = candidates.min_by_key(|node| weight(*node)) else {
                return Some(order);
            };
            clock.issue(node as usize);
            live.issue(node as usize);
            order.push(node);
            ready.issued(&patient, &clock, node);
        }
    }
}
