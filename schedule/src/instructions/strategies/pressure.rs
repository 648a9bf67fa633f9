//! Minimises live registers.

mod depth_first;

use super::{Settings, Strategy};
use crate::instructions::clock::Clock;
use crate::instructions::narrow;
use crate::instructions::ready::ReadyList;
use crate::instructions::region::Region;
use crate::instructions::registers::{Pressure as Live, RegisterClass};

/// Of three orders the one that needs the fewest registers: an expression after the other with the part that needs the
/// most first, and two greedy ones, which take what leaves the fewest live, and of equals what comes first in that
/// order or in the program. Predicates beyond their limit count like registers, as each becomes one. Cycles do not
/// count.
pub(super) struct Pressure;

impl Strategy for Pressure {
    fn name(&self) -> &'static str {
        "pressure"
    }

    fn order(&self, region: &Region<'_>, _: &[u32], settings: &Settings) -> Option<Vec<u32>> {
        let order = region.sparing.get_or_init(|| sparing(region, settings));
        Some(order.clone())
    }
}

fn sparing(region: &Region<'_>, settings: &Settings) -> Vec<u32> {
    // Nothing stalls, so that every instruction whose dependences were issued is a candidate.
    let patient = region.without_latencies();
    let program = (0..region.len()).map(narrow).collect();
    let deep = depth_first::order(region);
    let mut places = vec![0; region.len()];
    for (place, node) in (0..).zip(&deep) {
        places[*node as usize] = place;
    }
    let along = greedy(region, &patient, places, settings);
    let within = greedy(region, &patient, program, settings);
    let mut best = within;
    for order in [along, deep] {
        if needs(region, &order) < needs(region, &best) {
            best = order;
        }
    }
    best
}

/// The general registers that an order needs, with the predicates that there are too many of.
fn needs(region: &Region<'_>, order: &[u32]) -> i32 {
    let most = Live::of(&region.registers, order);
    let predicate = RegisterClass::Predicate as usize;
    let beyond = most[predicate].saturating_sub(region.registers.limits[predicate]);
    most[RegisterClass::General as usize] + beyond.max(0)
}

/// Of the candidates, the one after which the fewest registers are live; of equals the one with the smallest key.
/// Predicates beyond their limit are avoided first.
fn greedy(
    region: &Region<'_>,
    patient: &Region<'_>,
    keys: Vec<u32>,
    settings: &Settings,
) -> Vec<u32> {
    let mut clock = Clock::new(patient);
    let mut ready = ReadyList::new(patient, &clock, keys);
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
            return order;
        };
        clock.issue(node as usize);
        live.issue(node as usize);
        order.push(node);
        ready.issued(patient, &clock, node);
    }
}
