//! The five lower bounds of the initiation interval, computed separately.
//!
//! Source: tileas reference 4.1 (recommendation), register entry C2.

use super::components::Components;
use super::graph::DependenceGraph;
use super::longest_path::{PositiveCycle, earliest_starts};
use super::reservation::Footprint;

/// Lower bounds of the initiation interval, in cycles, each at least 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct IntervalBounds {
    /// ResMII: the busiest slot's cycles per iteration.
    pub resource: u32,
    /// RecMII: the least interval without a positive dependence cycle.
    pub recurrence: u32,
    /// FineMII: the busiest pool's units per iteration over its capacity.
    pub fine: u32,
    /// DepMII: the longest intra-iteration chain over the stages that may be in flight.
    pub dependency: u32,
    /// SelfMII: the longest hold of one slot by one operation.
    pub self_hold: u32,
}

impl IntervalBounds {
    /// MII: the largest of the five.
    #[must_use]
    pub fn interval(&self) -> u32 {
        self.resource
            .max(self.recurrence)
            .max(self.fine)
            .max(self.dependency)
            .max(self.self_hold)
    }
}

/// Computes the five bounds.
///
/// `max_stages` limits how many stages the schedule may have (the deepest ring that memory
/// affords). A schedule has `1 + last start div interval` stages, so the dependency bound is
/// `ceil((last earliest start + 1) / max_stages)`; without a limit it is 1.
///
/// # Errors
/// A dependence cycle with positive latency and no distance: no interval satisfies it.
pub fn interval_bounds(
    graph: &DependenceGraph,
    components: &Components,
    footprints: &[Footprint],
    max_stages: Option<u32>,
) -> Result<IntervalBounds, PositiveCycle> {
    Ok(IntervalBounds {
        resource: clamp(resource_bound(footprints)),
        recurrence: recurrence_bound(graph, components)?,
        fine: clamp(fine_bound(graph, footprints)),
        dependency: match max_stages {
            Some(stages) => dependency_bound(graph, stages)?,
            None => 1,
        },
        self_hold: clamp(
            footprints
                .iter()
                .map(|f| u64::from(f.longest_hold()))
                .max()
                .unwrap_or(1),
        ),
    })
}

fn clamp(bound: u64) -> u32 {
    u32::try_from(bound.max(1)).unwrap_or(u32::MAX)
}

/// Largest sum of holds over the slots: a slot has one unit, so holds cannot share a row.
fn resource_bound(footprints: &[Footprint]) -> u64 {
    let mut total = [0_u64; 65];
    for &(slot, duration) in footprints.iter().flat_map(|footprint| &footprint.holds) {
        total[usize::from(slot)] += u64::from(duration);
    }
    total.into_iter().max().unwrap_or(1)
}

fn fine_bound(graph: &DependenceGraph, footprints: &[Footprint]) -> u64 {
    let pools = &graph.space().pools;
    let mut total = vec![0_u64; pools.len()];
    for footprint in footprints {
        for &(pool, units) in &footprint.pools {
            total[pool] += u64::from(units) * u64::from(footprint.duration);
        }
    }
    let demand = total.iter().zip(pools).filter(|(total, _)| **total > 0);
    demand
        .map(|(total, pool)| total.div_ceil(u64::from(pool.capacity.max(1))))
        .max()
        .unwrap_or(1)
}

/// The least interval without a positive cycle: every positive cycle found raises the interval to
/// the least that this cycle permits, until none is left. Each iteration relaxes the recurrences;
/// few iterations are needed because each removes the cycle's whole ratio.
fn recurrence_bound(
    graph: &DependenceGraph,
    components: &Components,
) -> Result<u32, PositiveCycle> {
    let mut interval = 1_u32;
    loop {
        match earliest_starts(graph, components, interval) {
            Ok(_) => return Ok(interval),
            Err(cycle) => match cycle.least_interval().map(u32::try_from) {
                Some(Ok(next)) if next > interval => interval = next,
                _ => return Err(cycle),
            },
        }
    }
}

/// Longest chain of starts within one iteration, divided by the permitted stages.
fn dependency_bound(graph: &DependenceGraph, stages: u32) -> Result<u32, PositiveCycle> {
    let edges = graph
        .edges()
        .iter()
        .filter(|edge| edge.distance == 0)
        .copied()
        .collect();
    let body = DependenceGraph::new(graph.space().clone(), graph.nodes().to_vec(), edges);
    let Ok(body) = body else { return Ok(1) };
    let starts = earliest_starts(&body, &Components::new(&body), 1)?;
    let chain = starts.into_iter().max().unwrap_or(0) as u64 + 1;
    Ok(clamp(chain.div_ceil(u64::from(stages.max(1)))))
}

#[cfg(test)]
mod tests {
    use super::super::graph::{Edge, Node, PoolUse, ResourceUse};
    use super::super::test_support::{edge, graph};
    use super::*;

    fn bounds(nodes: Vec<Node>, edges: Vec<Edge>, stages: Option<u32>) -> IntervalBounds {
        let footprints: Vec<_> = nodes.iter().map(Footprint::of).collect();
        let graph = graph(nodes, edges);
        interval_bounds(&graph, &Components::new(&graph), &footprints, stages).unwrap()
    }

    #[test]
    fn each_bound_is_separate() {
        let mut a = Node::new(
            "a",
            8,
            vec![ResourceUse::new(12, 8), ResourceUse::new(16, 8)],
        );
        let b = Node::new("b", 7, vec![ResourceUse::new(16, 7)]);
        a.pools.push(PoolUse { pool: 0, count: 2 });
        let result = bounds(
            vec![a.clone(), b, a],
            vec![edge(0, 1, 8, 0), edge(1, 0, 7, 1), edge(1, 2, 7, 0)],
            Some(2),
        );
        assert_eq!(result.resource, 23);
        assert_eq!(result.recurrence, 15);
        assert_eq!(result.fine, 16);
        assert_eq!(result.dependency, 8);
        assert_eq!(result.self_hold, 8);
        assert_eq!(result.interval(), 23);
    }

    /// Three units an iteration of two in a cycle take two cycles, not one.
    #[test]
    fn the_bound_of_a_pool_rounds_up() {
        let mut op = Node::new("op", 1, vec![ResourceUse::new(1, 1)]);
        op.pools.push(PoolUse { pool: 0, count: 1 });
        let nodes: Vec<Node> = (1..=3)
            .map(|slot| Node {
                uses: vec![ResourceUse::new(slot, 1)],
                ..op.clone()
            })
            .collect();
        let result = bounds(nodes, Vec::new(), None);
        assert_eq!((result.fine, result.interval()), (2, 2));
    }

    #[test]
    fn an_empty_loop_has_interval_one() {
        assert_eq!(bounds(Vec::new(), Vec::new(), Some(3)).interval(), 1);
    }
}
