//! Moves operations of a schedule so that agents keep fewer values at once.

use super::problem::{Assigned, JointProblem};
use crate::modulo::reservation::{Footprint, ReservationTable};

/// Rounds over all operations, at most.
const ROUNDS: usize = 4;

/// Starts with lower peaks of registers at the same interval, and in no more stages: each operation
/// in turn is moved next to its readers, or next to what it reads, if that lowers the peaks.
pub(super) fn compact(
    problem: &JointProblem,
    assigned: &Assigned,
    agents: (&[Option<usize>], usize),
    starts: &[i64],
    interval: u32,
) -> Vec<i64> {
    let graph = &assigned.graph;
    let mut starts = starts.to_vec();
    let is_constrained = |node: usize| {
        let constraints = &graph.node(node).constraints;
        constraints.max_depth.is_some() || graph.depth_group(node).is_some()
    };
    let footprints: Vec<Footprint> = graph.nodes().iter().map(Footprint::of).collect();
    let mut table = ReservationTable::new(graph, &footprints, interval);
    for (node, &start) in starts.iter().enumerate() {
        table.commit(node, &footprints[node], start);
    }
    let end = starts
        .iter()
        .max()
        .map_or(0, |last| last / i64::from(interval) + 1)
        * i64::from(interval);
    let value = |starts: &[i64]| {
        let peaks = assigned.peaks(problem, agents, starts, interval);
        let most = peaks.iter().copied().max().unwrap_or(0);
        (most, peaks.into_iter().sum::<u64>())
    };
    let mut best = value(&starts);
    for _ in 0..ROUNDS {
        let before = best;
        for node in (0..starts.len()).rev() {
            if is_constrained(node) {
                continue;
            }
            let old = starts[node];
            let (low, high) = window(assigned, &starts, node, (i64::from(interval), end));
            let footprint = &footprints[node];
            table.release(footprint, old);
            let late = table.last_fit(footprint, low, high);
            let choices = [late, table.first_fit(footprint, low, high)];
            let mut kept = old;
            for start in choices.into_iter().flatten().filter(|start| *start != old) {
                starts[node] = start;
                let found = value(&starts);
                if found < best {
                    (best, kept) = (found, start);
                }
            }
            starts[node] = kept;
            table.commit(node, footprint, kept);
        }
        if best == before {
            break;
        }
    }
    starts
}

/// The cycles in which an operation can start between those that it depends on and that depend on it.
fn window(
    assigned: &Assigned,
    starts: &[i64],
    node: usize,
    (interval, end): (i64, i64),
) -> (i64, i64) {
    let graph = &assigned.graph;
    let (mut low, mut high) = (0, end - 1);
    for edge in graph.predecessors(node).filter(|edge| edge.from != node) {
        let span = i64::from(edge.latency) - interval * i64::from(edge.distance);
        low = low.max(starts[edge.from] + span);
    }
    for edge in graph.successors(node).filter(|edge| edge.to != node) {
        let span = i64::from(edge.latency) - interval * i64::from(edge.distance);
        high = high.min(starts[edge.to] - span);
    }
    (low, high)
}
