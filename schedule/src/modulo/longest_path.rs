//! Longest paths over the dependence graph at one initiation interval, component by component.
//!
//! These replace the full closure where one source (the loop's entry) is enough: earliest starts,
//! heights, the test for a positive cycle. Components are visited in topological order and each is
//! relaxed separately to a fixpoint, so acyclic parts need one sweep. Inside one component the
//! bound is (members x edges), reached only if values propagate repeatedly against program order.

use super::components::Components;
use super::graph::{DependenceGraph, Edge};

/// A dependence cycle that no schedule at the tried interval can satisfy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositiveCycle {
    /// Sum of latencies around the cycle, in cycles.
    pub latency: i64,
    /// Sum of distances around the cycle, in iterations.
    pub distance: i64,
    /// The operations of the cycle.
    pub nodes: Vec<usize>,
}

impl PositiveCycle {
    /// The least interval that the cycle permits; `None` when no interval does.
    #[must_use]
    pub fn least_interval(&self) -> Option<i64> {
        (self.distance > 0).then(|| (self.latency + self.distance - 1).div_euclid(self.distance))
    }
}

/// The direction of paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Direction {
    FromEntry,
    ToExit,
}

/// The earliest start of every operation if only dependences count: the longest path from the
/// loop's entry, in cycles, never negative.
///
/// # Errors
/// A positive cycle: the interval is below the recurrence bound.
pub fn earliest_starts(
    graph: &DependenceGraph,
    components: &Components,
    interval: u32,
) -> Result<Vec<i64>, PositiveCycle> {
    relax_all(graph, components, interval, Direction::FromEntry)
}

/// The height of every operation: the longest path to any operation, in cycles, never negative.
/// Scheduling by decreasing height places the critical operations first.
///
/// # Errors
/// A positive cycle, as for [`earliest_starts`].
pub fn heights(
    graph: &DependenceGraph,
    components: &Components,
    interval: u32,
) -> Result<Vec<i64>, PositiveCycle> {
    relax_all(graph, components, interval, Direction::ToExit)
}

/// The latest start of every operation that satisfies its own limit and those of all operations
/// that depend on it; `i64::MAX` if there is no limit. The interval must be at least the recurrence
/// bound.
#[must_use]
pub fn latest_starts(
    graph: &DependenceGraph,
    components: &Components,
    interval: u32,
    limit: impl Fn(usize) -> i64,
) -> Vec<i64> {
    let mut latest: Vec<i64> = (0..graph.len()).map(limit).collect();
    for members in components.iter().rev() {
        // Without a positive cycle a component is stable after as many sweeps as it has members.
        for _ in 0..=members.len() {
            let mut changed = false;
            for &node in members.iter().rev() {
                for edge in graph.successors(node).filter(|edge| edge.to != node) {
                    let bound = latest[edge.to].saturating_sub(edge.weight(interval));
                    if latest[edge.to] < i64::MAX && bound < latest[node] {
                        latest[node] = bound;
                        changed = true;
                    }
                }
            }
            if !changed || members.len() == 1 {
                break;
            }
        }
    }
    latest
}

fn relax_all(
    graph: &DependenceGraph,
    components: &Components,
    interval: u32,
    direction: Direction,
) -> Result<Vec<i64>, PositiveCycle> {
    let mut value = vec![0_i64; graph.len()];
    let mut cause: Vec<Option<Edge>> = vec![None; graph.len()];
    let mut visit = |members: &[usize]| -> Result<(), PositiveCycle> {
        loop {
            let changed = sweep(graph, members, interval, direction, &mut value, &mut cause);
            if !changed {
                return Ok(());
            }
            if members.len() == 1 && !has_self_edge(graph, members[0]) {
                return Ok(());
            }
            if let Some(cycle) = cycle_of_causes(members, &cause, direction) {
                return Err(cycle);
            }
        }
    };
    match direction {
        Direction::FromEntry => components.iter().try_for_each(&mut visit)?,
        Direction::ToExit => components.iter().rev().try_for_each(&mut visit)?,
    }
    Ok(value)
}

fn has_self_edge(graph: &DependenceGraph, node: usize) -> bool {
    graph.successors(node).any(|edge| edge.to == node)
}

/// One relaxation of every edge into (or out of) the members, in program order.
fn sweep(
    graph: &DependenceGraph,
    members: &[usize],
    interval: u32,
    direction: Direction,
    value: &mut [i64],
    cause: &mut [Option<Edge>],
) -> bool {
    let mut changed = false;
    let mut relax = |node: usize, other: usize, edge: &Edge| {
        let candidate = value[other] + edge.weight(interval);
        if candidate > value[node] {
            value[node] = candidate;
            cause[node] = Some(*edge);
            changed = true;
        }
    };
    match direction {
        Direction::FromEntry => {
            for &node in members {
                graph
                    .predecessors(node)
                    .for_each(|edge| relax(node, edge.from, edge));
            }
        }
        Direction::ToExit => {
            for &node in members.iter().rev() {
                graph
                    .successors(node)
                    .for_each(|edge| relax(node, edge.to, edge));
            }
        }
    }
    changed
}

/// A cycle among the edges that last raised each value: it exists exactly if relaxation would not
/// terminate, and it is then a positive cycle.
fn cycle_of_causes(
    members: &[usize],
    cause: &[Option<Edge>],
    direction: Direction,
) -> Option<PositiveCycle> {
    let inside = |node: usize| members.binary_search(&node).ok();
    // 0: not visited; otherwise 1 + index of the walk that visited the member.
    let mut seen = vec![0_u32; members.len()];
    for (walk, &start) in members.iter().enumerate() {
        let mark = walk as u32 + 1;
        let mut node = start;
        while let Some(position) = inside(node) {
            if seen[position] == mark {
                return Some(collect_cycle(node, cause, direction));
            }
            if seen[position] != 0 {
                break;
            }
            seen[position] = mark;
            let Some(edge) = &cause[node] else { break };
            node = behind(edge, direction);
        }
    }
    None
}

const fn behind(edge: &Edge, direction: Direction) -> usize {
    match direction {
        Direction::FromEntry => edge.from,
        Direction::ToExit => edge.to,
    }
}

fn collect_cycle(start: usize, cause: &[Option<Edge>], direction: Direction) -> PositiveCycle {
    let mut cycle = PositiveCycle {
        latency: 0,
        distance: 0,
        nodes: Vec::new(),
    };
    let mut node = start;
    while let Some(edge) = &cause[node] {
        cycle.latency += i64::from(edge.latency);
        cycle.distance += i64::from(edge.distance);
        cycle.nodes.push(node);
        node = behind(edge, direction);
        if node == start {
            break;
        }
    }
    cycle
}

#[cfg(test)]
mod tests {
    use super::super::test_support::operations as graph;
    use super::*;

    #[test]
    fn the_page_recurrence_is_positive_below_26() {
        let graph = graph(3, &[(0, 1, 8, 0), (1, 2, 16, 0), (2, 0, 2, 1)]);
        let components = Components::new(&graph);
        for (interval, weight) in [(8, 18), (25, 1)] {
            let cycle = earliest_starts(&graph, &components, interval).unwrap_err();
            assert_eq!(cycle.latency - i64::from(interval) * cycle.distance, weight);
            assert_eq!(cycle.least_interval(), Some(26));
        }
        assert_eq!(
            earliest_starts(&graph, &components, 26).unwrap(),
            [0, 8, 24]
        );
        assert_eq!(heights(&graph, &components, 26).unwrap(), [24, 16, 0]);
    }

    #[test]
    fn the_diamond_takes_the_longer_side() {
        let graph = graph(
            4,
            &[(0, 1, 8, 0), (1, 3, 16, 0), (0, 2, 1, 0), (2, 3, 4, 0)],
        );
        let components = Components::new(&graph);
        assert_eq!(earliest_starts(&graph, &components, 1).unwrap()[3], 24);
    }

    #[test]
    fn limits_reach_back_along_dependences() {
        let graph = graph(4, &[(0, 1, 8, 0), (1, 2, 16, 0), (2, 0, 2, 1)]);
        let limit = |node| if node == 2 { 30 } else { i64::MAX };
        let latest = latest_starts(&graph, &Components::new(&graph), 30, limit);
        assert_eq!(latest, [6, 14, 30, i64::MAX]);
    }

    #[test]
    fn a_cycle_without_distance_has_no_interval() {
        let graph = graph(2, &[(0, 1, 1, 0), (1, 0, 0, 0)]);
        let cycle = heights(&graph, &Components::new(&graph), 1000).unwrap_err();
        assert_eq!(cycle.least_interval(), None);
    }

    #[test]
    fn an_operation_that_feeds_itself_is_a_cycle() {
        let graph = graph(1, &[(0, 0, 20, 2)]);
        let components = Components::new(&graph);
        assert!(earliest_starts(&graph, &components, 9).is_err());
        assert!(earliest_starts(&graph, &components, 10).is_ok());
    }
}
