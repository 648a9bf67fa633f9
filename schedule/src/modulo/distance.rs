//! All-pairs longest distances at one initiation interval: the max-plus closure.
//!
//! `start[v] - start[u] >= distance(u, v)` in every schedule. "No path" is represented as absent,
//! never as a large number. Parallel edges count by their maximum, the diagonal starts at 0, and an
//! interval with a positive cycle has no closure (tileas reference 5.2, C20 to C23).
//!
//! The matrix is stored by target, so that following one edge updates a whole row of sources at
//! once, in contiguous memory. Edges are followed component by component in topological order,
//! which takes one pass over acyclic parts. The cost is (nodes x edges x passes), with few passes;
//! sources are handled in blocks that stay in cache. The arms use the matrix for the windows of seats in
//! loops of moderate size; otherwise schedulers use [`super::longest_path`], which is near-linear.

use super::components::Components;
use super::graph::{DependenceGraph, Edge};
use super::longest_path::{PositiveCycle, earliest_starts};

/// Absent path: below every real distance, and safe for additions.
const NO_PATH: i64 = i64::MIN / 4;

/// Sources handled together: one row of a block is 1 KiB.
const BLOCK: usize = 128;

/// Longest distances between all pairs of operations, in cycles. A matrix takes 8 bytes a pair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DistanceMatrix {
    size: usize,
    /// Blocks of sources; inside a block by target, then by source.
    blocks: Vec<Vec<i64>>,
}

impl DistanceMatrix {
    /// The closure at an interval.
    ///
    /// # Errors
    /// A positive cycle: the interval is below the recurrence bound.
    pub fn new(
        graph: &DependenceGraph,
        components: &Components,
        interval: u32,
    ) -> Result<Self, PositiveCycle> {
        // Without a positive cycle the relaxation below terminates, and sums fit in 64 bits.
        earliest_starts(graph, components, interval)?;
        let size = graph.len();
        let blocks = (0..size)
            .step_by(BLOCK)
            .map(|first| block(graph, components, interval, first, BLOCK.min(size - first)))
            .collect();
        Ok(Self { size, blocks })
    }

    /// Number of operations.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.size
    }

    /// Whether the matrix is empty.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.size == 0
    }

    /// The least `start[to] - start[from]`, or `None` without a path (or outside the matrix). The
    /// distance from an operation to itself is 0.
    #[must_use]
    pub fn get(&self, from: usize, to: usize) -> Option<i64> {
        if from >= self.size || to >= self.size {
            return None;
        }
        let width = BLOCK.min(self.size - from / BLOCK * BLOCK);
        let value = self.blocks[from / BLOCK][to * width + from % BLOCK];
        (value != NO_PATH).then_some(value)
    }

    /// The cycles in which an operation may start, given the starts of the seated ones: no earlier
    /// than every start it depends on, directly or not, allows, and before everything that depends
    /// on it. `None` for an unbounded latest start.
    #[must_use]
    pub fn window(&self, node: usize, starts: &[Option<i64>]) -> (i64, Option<i64>) {
        let seated = || {
            starts
                .iter()
                .enumerate()
                .filter_map(|(other, start)| Some((other, (*start)?)))
        };
        let earliest = seated()
            .filter(|&(other, _)| other != node)
            .filter_map(|(other, start)| Some(start + self.get(other, node)?))
            .max();
        let latest = seated()
            .filter(|&(other, _)| other != node)
            .filter_map(|(other, start)| Some(start - self.get(node, other)?))
            .min();
        (earliest.unwrap_or(0).max(0), latest)
    }
}

/// The distances from `width` sources to every target.
fn block(
    graph: &DependenceGraph,
    components: &Components,
    interval: u32,
    first: usize,
    width: usize,
) -> Vec<i64> {
    let mut value = vec![NO_PATH; graph.len() * width];
    for offset in 0..width {
        value[(first + offset) * width + offset] = 0;
    }
    for members in components.iter() {
        loop {
            let mut changed = false;
            for &node in members {
                for edge in graph.predecessors(node).filter(|edge| edge.from != node) {
                    changed |= follow(&mut value, width, edge, edge.weight(interval));
                }
            }
            if !changed || members.len() == 1 {
                break;
            }
        }
    }
    value
}

/// `to = max(to, from + weight)` for a row of sources.
fn follow(value: &mut [i64], width: usize, edge: &Edge, weight: i64) -> bool {
    let (from, to) = (edge.from * width, edge.to * width);
    let (source, target) = if from < to {
        let (low, high) = value.split_at_mut(to);
        (&low[from..from + width], &mut high[..width])
    } else {
        let (low, high) = value.split_at_mut(from);
        (&high[..width], &mut low[to..to + width])
    };
    let mut changed = false;
    for (target, source) in target.iter_mut().zip(source) {
        let through = source + weight;
        let better = through > *target && *source != NO_PATH;
        *target = if better { through } else { *target };
        changed |= better;
    }
    changed
}

#[cfg(test)]
mod tests {
    use super::super::test_support::operations as graph;
    use super::*;

    fn matrix(graph: &DependenceGraph, interval: u32) -> Result<DistanceMatrix, PositiveCycle> {
        DistanceMatrix::new(graph, &Components::new(graph), interval)
    }

    #[test]
    fn the_page_distance_from_load_to_read_is_8() {
        // load, write, mma, read; the only edge is load -> read with latency 8.
        let closure = matrix(&graph(4, &[(0, 3, 8, 0)]), 8).unwrap();
        assert_eq!(closure.get(0, 3), Some(8));
        assert_eq!(closure.get(3, 0), None);
        assert_eq!(closure.get(1, 1), Some(0));
    }

    #[test]
    fn the_recurrence_closes_at_26_and_not_before() {
        let graph = graph(3, &[(0, 1, 8, 0), (1, 2, 16, 0), (2, 0, 2, 1)]);
        assert!(matrix(&graph, 25).is_err());
        let closure = matrix(&graph, 27).unwrap();
        assert_eq!(closure.get(0, 2), Some(24));
        assert_eq!(closure.get(2, 1), Some(-17));
        assert_eq!(closure.get(0, 0), Some(0));
    }

    #[test]
    fn parallel_edges_count_by_their_maximum_and_longer_paths_win() {
        let graph = graph(
            4,
            &[
                (0, 1, 8, 0),
                (1, 3, 16, 0),
                (0, 2, 1, 0),
                (2, 3, 4, 0),
                (0, 3, 5, 0),
                (0, 3, 2, 0),
            ],
        );
        assert_eq!(matrix(&graph, 1).unwrap().get(0, 3), Some(24));
    }

    #[test]
    fn windows_follow_from_seated_operations() {
        let graph = graph(3, &[(0, 1, 8, 0), (1, 2, 16, 0), (2, 0, 2, 1)]);
        let closure = matrix(&graph, 30).unwrap();
        assert_eq!(closure.window(1, &[Some(3), None, None]), (11, Some(15)));
        assert_eq!(
            closure.window(1, &[Some(3), None, Some(28)]),
            (11, Some(12))
        );
        assert_eq!(closure.window(1, &[None, None, None]), (0, None));
    }
}
