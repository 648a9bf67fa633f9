//! Iterative modulo scheduling: seats operations by priority and ejects conflicting ones, within a
//! budget.
//!
//! The scheme is Rau's (Iterative Modulo Scheduling, 1994/1996), with two additions: a window
//! also respects seated successors when the table has room there, and an order may seat an
//! operation late, next to its successors. The budget is a number of placements per operation,
//! so one attempt is linear in operations for a given interval.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::order::{Direction, SeatOrder, Timing};
use super::placement::{Placement, Window};
use super::problem::LoopProblem;

/// One attempt at one interval. Returns a start for every operation, or `None` if the budget was
/// exhausted or an operation has no legal cycle.
#[must_use]
pub fn attempt(
    problem: &LoopProblem<'_>,
    timing: &Timing,
    order: &SeatOrder,
    interval: u32,
) -> Option<Vec<i64>> {
    let nodes = problem.graph.len();
    let mut placement = Placement::new(problem, interval);
    let mut waiting: BinaryHeap<Reverse<(u32, usize)>> = (0..nodes)
        .map(|node| Reverse((order.rank[node], node)))
        .collect();
    let mut last: Vec<Option<i64>> = vec![None; nodes];
    let mut budget = placement_budget(problem);
    while let Some(Reverse((_, node))) = waiting.pop() {
        budget = budget.checked_sub(1)?;
        let start = match free_seat(&placement, timing, order.direction, node) {
            Some(start) => start,
            None => {
                let start = forced_seat(&placement, timing, last[node], node);
                for other in placement.obstacles(node, start) {
                    placement.eject(other);
                    waiting.push(Reverse((order.rank[other], other)));
                }
                start
            }
        };
        placement.seat(node, start).ok()?;
        last[node] = Some(start);
    }
    placement.complete()
}

/// Placements one attempt may spend. Large loops get fewer per operation, because a placement
/// that finds no room costs them a walk over all rows.
fn placement_budget(problem: &LoopProblem<'_>) -> u64 {
    const LARGE: u64 = 8192;
    let nodes = problem.graph.len() as u64;
    let each = u64::from(problem.options.placements_per_operation.max(1));
    nodes + (nodes * (each - 1)).min(LARGE * 2)
}

/// A cycle that requires no ejection.
fn free_seat(
    placement: &Placement<'_>,
    timing: &Timing,
    direction: Direction,
    node: usize,
) -> Option<i64> {
    let (before, after) = placement.neighbour_bounds(node);
    let late = direction == Direction::Swing && before.is_none() && after.is_some();
    let floor = match direction {
        Direction::Swing if !late => timing.earliest[node],
        _ => 0,
    };
    let window = placement.restrict_to_group(node, placement.window(node, floor));
    match direction {
        _ if late => placement.last_fit(node, window),
        Direction::Packed => placement.packed_fit(node, window),
        Direction::Forward | Direction::Swing => placement.first_fit(node, window),
    }
}

/// The start of an operation without a free seat: after its predecessors, and later than the
/// previous time, so that a repeated conflict moves to a later cycle.
fn forced_seat(placement: &Placement<'_>, timing: &Timing, last: Option<i64>, node: usize) -> i64 {
    let window = placement.window(node, 0);
    let unbound = Window {
        earliest: window.earliest,
        latest: placement.latest_start(node),
    };
    // A seat that only violates successors is better than one that also conflicts on slots.
    let free = placement.first_fit(node, placement.restrict_to_group(node, unbound));
    let start = match (free, last) {
        (Some(start), Some(previous)) if start > previous => start,
        (Some(start), None) => start,
        (_, Some(previous)) => window.earliest.max(previous + 1),
        (None, None) => window.earliest,
    };
    if start <= unbound.latest {
        start
    } else {
        timing.earliest[node].min(unbound.latest)
    }
}
