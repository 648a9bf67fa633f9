//! Orders in which the iterative scheduler seats operations.
//!
//! Each order is a permutation given as ranks: rank 0 is seated first. Several orders are tried
//! at every interval, because each fails on different loops. All are deterministic.

use super::longest_path::{earliest_starts, heights};
use super::problem::LoopProblem;

/// Loops above this size skip the swing order, whose cost grows with the square of the frontier.
const SWING_LIMIT: usize = 1024;

/// Which neighbours determine the seat of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// As early as seated predecessors allow.
    Forward,
    /// Next to the neighbours that are already seated: early after predecessors, late before
    /// successors. Shortens lifetimes.
    Swing,
    /// As early as possible, but adjacent to an operation that already holds the busiest slot, so
    /// that a heavily used slot is not fragmented into unusable gaps.
    Packed,
}

/// One configuration of the iterative scheduler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeatOrder {
    /// Rank of every operation, a permutation.
    pub rank: Vec<u32>,
    /// Direction of seating.
    pub direction: Direction,
}

/// Dependence-only timing at one interval: earliest starts, heights and derived values.
#[derive(Clone, Debug)]
pub struct Timing {
    /// Earliest start of every operation, in cycles.
    pub earliest: Vec<i64>,
    /// Longest path from every operation to any operation, in cycles.
    pub height: Vec<i64>,
}

impl Timing {
    /// Timing at an interval; `None` if the interval is below the recurrence bound.
    #[must_use]
    pub fn new(problem: &LoopProblem<'_>, interval: u32) -> Option<Self> {
        Some(Self {
            earliest: earliest_starts(problem.graph, &problem.components, interval).ok()?,
            height: heights(problem.graph, &problem.components, interval).ok()?,
        })
    }

    /// Cycles an operation may move without stretching the longest path.
    #[must_use]
    pub fn slack(&self, node: usize, critical: i64) -> i64 {
        critical - self.earliest[node] - self.height[node]
    }

    /// Length of the longest path between two starts, in cycles.
    #[must_use]
    pub fn critical(&self) -> i64 {
        self.earliest
            .iter()
            .zip(&self.height)
            .map(|(start, height)| start + height)
            .max()
            .unwrap_or(0)
    }
}

/// The orders to try at one interval, best first; at most `limit`.
#[must_use]
pub fn seat_orders(problem: &LoopProblem<'_>, timing: &Timing, limit: usize) -> Vec<SeatOrder> {
    let nodes = problem.graph.len();
    let critical = timing.critical();
    let hold = |node: usize| {
        let holds = problem.footprints[node].holds.iter();
        holds.map(|&(_, duration)| i64::from(duration)).sum::<i64>()
    };
    let mut orders = vec![forward(nodes, |node| (-timing.height[node], 0))];
    if nodes > PACK_EARLY {
        orders.push(packed(nodes, timing));
    }
    let mut add = |make: &dyn Fn() -> SeatOrder| {
        if orders.len() < limit {
            orders.push(make());
        }
    };
    add(&|| SeatOrder {
        direction: Direction::Swing,
        ..forward(nodes, |node| {
            (timing.slack(node, critical), timing.earliest[node])
        })
    });
    if nodes <= SWING_LIMIT {
        add(&|| swing(problem, timing));
    }
    add(&|| packed(nodes, timing));
    add(&|| forward(nodes, |node| (timing.earliest[node], -timing.height[node])));
    add(&|| forward(nodes, |node| (-hold(node), -timing.height[node])));
    add(&|| forward(nodes, |node| (-timing.height[node] - hold(node), 0)));
    let mut seed = 0x9E37_79B9_7F4A_7C15_u64;
    while orders.len() < limit {
        let spread = (critical / 4).max(4);
        let noise: Vec<i64> = (0..nodes)
            .map(|_| (next_random(&mut seed) % spread as u64) as i64)
            .collect();
        orders.push(forward(nodes, |node| {
            (-timing.height[node] - noise[node], 0)
        }));
    }
    orders.truncate(limit);
    orders
}

/// Loops above this size try the packed order second, because their slots have few gaps.
const PACK_EARLY: usize = 256;

fn packed(nodes: usize, timing: &Timing) -> SeatOrder {
    SeatOrder {
        direction: Direction::Packed,
        ..forward(nodes, |node| (-timing.height[node], 0))
    }
}

/// A small deterministic generator (xorshift with a multiplier); never leaves state 0.
pub(crate) fn next_random(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    state.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 16
}

fn forward(nodes: usize, key: impl Fn(usize) -> (i64, i64)) -> SeatOrder {
    let mut sequence: Vec<usize> = (0..nodes).collect();
    sequence.sort_by_key(|&node| (key(node), node));
    SeatOrder {
        rank: ranks(&sequence),
        direction: Direction::Forward,
    }
}

fn ranks(sequence: &[usize]) -> Vec<u32> {
    let mut rank = vec![0_u32; sequence.len()];
    for (position, &node) in sequence.iter().enumerate() {
        rank[node] = position as u32;
    }
    rank
}

/// The swing order: recurrences first, then outwards from the ordered operations, alternating
/// between predecessors (deepest first) and successors (highest first), so that an operation seldom
/// has ordered neighbours on both sides.
fn swing(problem: &LoopProblem<'_>, timing: &Timing) -> SeatOrder {
    let graph = problem.graph;
    let mut sequence = Vec::with_capacity(graph.len());
    let mut ordered = vec![false; graph.len()];
    let mut sets: Vec<&[usize]> = problem.components.iter().collect();
    sets.sort_by_key(|members| {
        let recurrent = problem
            .components
            .is_recurrent(problem.components.of(members[0]));
        (
            !recurrent,
            std::cmp::Reverse(if recurrent { members.len() } else { 0 }),
        )
    });
    let everything: Vec<usize> = (0..graph.len()).collect();
    let recurrent = sets.iter().take_while(|members| {
        problem
            .components
            .is_recurrent(problem.components.of(members[0]))
    });
    let phases: Vec<&[usize]> = recurrent
        .copied()
        .chain(std::iter::once(everything.as_slice()))
        .collect();
    for members in phases {
        order_set(problem, timing, members, &mut ordered, &mut sequence);
    }
    SeatOrder {
        rank: ranks(&sequence),
        direction: Direction::Swing,
    }
}

fn order_set(
    problem: &LoopProblem<'_>,
    timing: &Timing,
    members: &[usize],
    ordered: &mut [bool],
    sequence: &mut Vec<usize>,
) {
    let graph = problem.graph;
    let critical = timing.critical();
    let after =
        |node: usize, ordered: &[bool]| graph.predecessors(node).any(|edge| ordered[edge.from]);
    let before =
        |node: usize, ordered: &[bool]| graph.successors(node).any(|edge| ordered[edge.to]);
    loop {
        let open = || members.iter().copied().filter(|&node| !ordered[node]);
        let upward: Vec<usize> = open().filter(|&node| before(node, ordered)).collect();
        let downward: Vec<usize> = open().filter(|&node| after(node, ordered)).collect();
        let pick =
            if !downward.is_empty() && (upward.is_empty() || sequence.len().is_multiple_of(2)) {
                downward
                    .into_iter()
                    .min_by_key(|&n| (-timing.height[n], timing.slack(n, critical), n))
            } else if upward.is_empty() {
                open().min_by_key(|&n| (timing.slack(n, critical), timing.earliest[n], n))
            } else {
                upward
                    .into_iter()
                    .min_by_key(|&n| (-timing.earliest[n], timing.slack(n, critical), n))
            };
        let Some(node) = pick else { return };
        ordered[node] = true;
        sequence.push(node);
    }
}
