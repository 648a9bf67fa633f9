//! A partial schedule with dependence windows, transactional seating and ejection.
//!
//! Source: tileas reference 4.5 (arms are transactional, C10), 4.6 (gates G2', G3, G4), 5.2
//! (windows).

use std::collections::BTreeMap;

use super::longest_path::latest_starts;
use super::problem::LoopProblem;
use super::reservation::{Rejection, ReservationTable};

/// The cycles in which an operation may start, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// Earliest start that every seated predecessor allows.
    pub earliest: i64,
    /// Latest start that every seated successor and the stage limits allow.
    pub latest: i64,
}

/// Undo log entry: the node and its previous start.
type Change = (usize, Option<i64>);

/// Operations seated so far at one interval.
#[derive(Clone, Debug)]
pub struct Placement<'p> {
    problem: &'p LoopProblem<'p>,
    table: ReservationTable,
    starts: Vec<Option<i64>>,
    /// The latest start that stage limits allow, of the operation itself and of its successors.
    latest: Vec<i64>,
    seated: usize,
    /// Depth and number of seated members of each depth group.
    groups: BTreeMap<u32, (i64, u32)>,
    /// Changes since the outermost open checkpoint.
    journal: Vec<Change>,
    /// Number of open checkpoints.
    checkpoints: u32,
}

/// A point to which a placement can return.
#[derive(Debug)]
#[must_use = "a checkpoint is kept or rolled back"]
pub struct Checkpoint(usize);

impl<'p> Placement<'p> {
    /// An empty placement at an interval.
    #[must_use]
    pub fn new(problem: &'p LoopProblem<'p>, interval: u32) -> Self {
        Self::quantised(problem, interval, 1)
    }

    /// Like [`Self::new`], with a table whose rows each cover `quantum` cycles.
    #[must_use]
    pub fn quantised(problem: &'p LoopProblem<'p>, interval: u32, quantum: u32) -> Self {
        let (graph, footprints) = (problem.graph, &problem.footprints);
        let limit = |node| problem.latest_start(node, interval);
        let latest = latest_starts(graph, &problem.components, interval, limit);
        Self {
            problem,
            table: ReservationTable::quantised(graph, footprints, interval, quantum),
            starts: vec![None; problem.graph.len()],
            latest,
            seated: 0,
            groups: BTreeMap::new(),
            journal: Vec::new(),
            checkpoints: 0,
        }
    }

    /// The initiation interval, in cycles.
    #[must_use]
    pub const fn interval(&self) -> u32 {
        self.table.interval()
    }

    /// The start of a seated operation.
    #[must_use]
    pub fn start(&self, node: usize) -> Option<i64> {
        self.starts[node]
    }

    /// The reservation table, for evaluators and diagnostics.
    #[must_use]
    pub const fn table(&self) -> &ReservationTable {
        &self.table
    }

    /// The starts of all operations; `None` for those without a seat.
    #[must_use]
    pub fn starts(&self) -> &[Option<i64>] {
        &self.starts
    }

    /// Whether the operation's footprint is free at a cycle.
    ///
    /// # Errors
    /// The obstacle.
    pub fn admit(&self, node: usize, start: i64) -> Result<(), Rejection> {
        self.table.admit(&self.problem.footprints[node], start)
    }

    /// All starts if every operation is seated.
    #[must_use]
    pub fn complete(&self) -> Option<Vec<i64>> {
        if self.seated < self.starts.len() {
            return None;
        }
        self.starts.iter().copied().collect()
    }

    /// The window that seated neighbours and stage limits leave, from `floor`.
    #[must_use]
    pub fn window(&self, node: usize, floor: i64) -> Window {
        let (before, after) = self.neighbour_bounds(node);
        Window {
            earliest: before.unwrap_or(floor).max(floor),
            latest: after.unwrap_or(i64::MAX).min(self.latest[node]),
        }
    }

    /// The latest start that stage limits allow: the operation's own limit and, through
    /// dependences, the limits of its successors.
    #[must_use]
    pub fn latest_start(&self, node: usize) -> i64 {
        self.latest[node]
    }

    /// Bounds by seated predecessors and by seated successors, `None` without any.
    #[must_use]
    pub fn neighbour_bounds(&self, node: usize) -> (Option<i64>, Option<i64>) {
        let graph = self.problem.graph;
        let interval = self.interval();
        let before = graph
            .predecessors(node)
            .filter(|edge| edge.from != node)
            .filter_map(|edge| Some(self.starts[edge.from]? + edge.weight(interval)))
            .max();
        let after = graph
            .successors(node)
            .filter(|edge| edge.to != node)
            .filter_map(|edge| Some(self.starts[edge.to]? - edge.weight(interval)))
            .min();
        (before, after)
    }

    /// Narrows a window to the depth that the operation's group already has (gate G4).
    #[must_use]
    pub fn restrict_to_group(&self, node: usize, window: Window) -> Window {
        let depth = self
            .problem
            .graph
            .depth_group(node)
            .and_then(|group| self.groups.get(&group));
        match depth {
            Some(&(depth, members)) if members > 0 => {
                let interval = i64::from(self.interval());
                Window {
                    earliest: window.earliest.max(depth * interval),
                    latest: window.latest.min((depth + 1) * interval - 1),
                }
            }
            _ => window,
        }
    }

    /// The first cycle of a window at which the operation's footprint is free.
    #[must_use]
    pub fn first_fit(&self, node: usize, window: Window) -> Option<i64> {
        self.table.first_fit(
            &self.problem.footprints[node],
            window.earliest,
            window.latest,
        )
    }

    /// A cycle of a window at which the footprint is free and touches another hold of its busiest
    /// slot, or the first free cycle if none is nearby.
    #[must_use]
    pub fn packed_fit(&self, node: usize, window: Window) -> Option<i64> {
        const TRIES: usize = 64;
        let footprint = &self.problem.footprints[node];
        let first = self.first_fit(node, window)?;
        let Some((slot, duration)) = self.problem.busiest_hold(node) else {
            return Some(first);
        };
        let last = window
            .latest
            .min(first.saturating_add(i64::from(self.interval()) - 1));
        let mut cycle = first;
        for _ in 0..TRIES {
            if self.table.touches(slot, duration, cycle) {
                return Some(cycle);
            }
            let Some(next) = self.table.next_held(slot, cycle + i64::from(duration)) else {
                break;
            };
            let before = (next - i64::from(duration)).max(cycle + 1);
            match self.table.first_fit(footprint, before, last) {
                Some(found) => cycle = found,
                None => break,
            }
        }
        Some(first)
    }

    /// The last cycle of a window at which the operation's footprint is free.
    #[must_use]
    pub fn last_fit(&self, node: usize, window: Window) -> Option<i64> {
        self.table.last_fit(
            &self.problem.footprints[node],
            window.earliest,
            window.latest,
        )
    }

    /// Seats an operation that is not seated yet.
    ///
    /// # Errors
    /// The obstacle in the reservation table; nothing has changed in that case.
    pub fn seat(&mut self, node: usize, start: i64) -> Result<(), Rejection> {
        self.table.admit(&self.problem.footprints[node], start)?;
        self.log(node);
        self.table
            .commit(node, &self.problem.footprints[node], start);
        self.starts[node] = Some(start);
        self.seated += 1;
        if let Some(group) = self.problem.graph.depth_group(node) {
            let depth = start.div_euclid(i64::from(self.interval()));
            let entry = self.groups.entry(group).or_insert((depth, 0));
            *entry = if entry.1 == 0 {
                (depth, 1)
            } else {
                (entry.0, entry.1 + 1)
            };
        }
        Ok(())
    }

    /// Unseats an operation; no effect if it has no seat.
    pub fn eject(&mut self, node: usize) {
        let Some(start) = self.starts[node] else {
            return;
        };
        self.log(node);
        self.table.release(&self.problem.footprints[node], start);
        self.starts[node] = None;
        self.seated -= 1;
        if let Some(group) = self.problem.graph.depth_group(node)
            && let Some(entry) = self.groups.get_mut(&group)
        {
            entry.1 -= 1;
        }
    }

    /// The seated operations to eject before `node` may start at `start`: holders of its slots and
    /// full pools, neighbours whose dependence would be violated, and members of its group at
    /// another depth. Sorted by program index.
    #[must_use]
    pub fn obstacles(&self, node: usize, start: i64) -> Vec<usize> {
        let graph = self.problem.graph;
        let interval = self.interval();
        let footprint = &self.problem.footprints[node];
        let mut found = Vec::new();
        self.table.blockers(footprint, start, &mut found);
        for edge in graph.predecessors(node).filter(|edge| edge.from != node) {
            if self.starts[edge.from].is_some_and(|other| other + edge.weight(interval) > start) {
                found.push(edge.from);
            }
        }
        for edge in graph.successors(node).filter(|edge| edge.to != node) {
            if self.starts[edge.to].is_some_and(|other| start + edge.weight(interval) > other) {
                found.push(edge.to);
            }
        }
        if self.table.has_full_pool(footprint, start) {
            found.extend(self.pool_sharers(node, start));
        }
        if let Some(group) = graph.depth_group(node) {
            let length = i64::from(interval);
            let depth = start.div_euclid(length);
            if self
                .groups
                .get(&group)
                .is_some_and(|&(other, count)| count > 0 && other != depth)
            {
                found.extend((0..graph.len()).filter(|&other| {
                    graph.depth_group(other) == Some(group) && self.starts[other].is_some()
                }));
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Seated operations that share a pool and a row with `node` at `start`.
    fn pool_sharers(&self, node: usize, start: i64) -> Vec<usize> {
        let footprint = &self.problem.footprints[node];
        let interval = i64::from(self.interval());
        let shares = |other: usize, other_start: i64| {
            let print = &self.problem.footprints[other];
            let common = print
                .pools
                .iter()
                .any(|(pool, _)| footprint.pools.iter().any(|(own, _)| own == pool));
            let apart = (other_start - start).rem_euclid(interval);
            common
                && (apart < i64::from(footprint.duration)
                    || interval - apart < i64::from(print.duration))
        };
        let starts = self.starts.iter().enumerate();
        starts
            .filter_map(|(other, start)| Some((other, (*start)?)))
            .filter(|&(other, other_start)| shares(other, other_start))
            .map(|(other, _)| other)
            .collect()
    }

    /// Runs several seatings as one transaction: if `arm` returns `false`, all its changes are
    /// undone. Nested transactions undo only their own part.
    pub fn transaction(&mut self, arm: impl FnOnce(&mut Self) -> bool) -> bool {
        let checkpoint = self.checkpoint();
        let success = arm(self);
        if success {
            self.keep(checkpoint);
        } else {
            self.roll_back(checkpoint);
        }
        success
    }

    /// Opens a transaction; checkpoints are closed in reverse order.
    pub fn checkpoint(&mut self) -> Checkpoint {
        self.checkpoints += 1;
        Checkpoint(self.journal.len())
    }

    /// Closes a transaction and keeps its changes.
    #[expect(clippy::needless_pass_by_value, reason = "a checkpoint is closed once")]
    pub fn keep(&mut self, checkpoint: Checkpoint) {
        debug_assert!(checkpoint.0 <= self.journal.len());
        self.checkpoints -= 1;
        if self.checkpoints == 0 {
            self.journal.clear();
        }
    }

    /// Closes a transaction and undoes its changes.
    #[expect(clippy::needless_pass_by_value, reason = "a checkpoint is closed once")]
    pub fn roll_back(&mut self, checkpoint: Checkpoint) {
        let changes = self.journal.split_off(checkpoint.0);
        let open = std::mem::take(&mut self.checkpoints);
        for &(node, before) in changes.iter().rev() {
            self.eject(node);
            if let Some(start) = before {
                // The seat was free when the entry was logged, and later changes are undone.
                let restored = self.seat(node, start);
                debug_assert!(restored.is_ok(), "the seat of an undone placement is free");
            }
        }
        self.checkpoints = open - 1;
    }

    fn log(&mut self, node: usize) {
        if self.checkpoints > 0 {
            self.journal.push((node, self.starts[node]));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::graph::{Node, NodeConstraints, PoolUse, ResourceUse};
    use super::super::problem::SchedulingOptions;
    use super::super::test_support::{edge, graph};
    use super::*;

    /// 0 reads what 2 computed an iteration ago, and 1 reads 0.
    #[test]
    fn windows_are_bounded_by_seated_neighbours_and_stage_limits() {
        let mut nodes = vec![Node::new("op", 3, Vec::new()); 3];
        nodes[1].constraints.max_depth = Some(1);
        let edges = vec![edge(0, 1, 3, 0), edge(2, 0, 7, 1)];
        let graph = graph(nodes, edges);
        let problem = LoopProblem::new(&graph, SchedulingOptions::default()).unwrap();
        let mut placement = Placement::new(&problem, 5);
        // Operation 1 starts in stage 1 at the latest, which is cycle 9; operation 0 three cycles
        // before it, and operation 2 seven before the next iteration's 0.
        assert_eq!(
            [0, 1, 2].map(|node| placement.latest_start(node)),
            [6, 9, 4]
        );
        placement.seat(2, 4).unwrap();
        let window = placement.window(0, 0);
        assert_eq!((window.earliest, window.latest), (6, 6));
        assert_eq!(placement.window(0, 8).earliest, 8);
        placement.eject(2);
        placement.seat(1, 7).unwrap();
        let window = placement.window(0, 0);
        assert_eq!((window.earliest, window.latest), (0, 4));
        assert_eq!(placement.neighbour_bounds(0), (None, Some(4)));
        assert_eq!(placement.obstacles(0, 5), [1]);
        assert!(placement.obstacles(0, 4).is_empty());
    }

    #[test]
    fn a_group_stays_at_the_depth_of_its_seated_members() {
        let mut nodes = vec![Node::new("op", 1, Vec::new()); 3];
        for node in &mut nodes[..2] {
            node.constraints = NodeConstraints {
                group: Some(4),
                ..NodeConstraints::default()
            };
        }
        let graph = graph(nodes, Vec::new());
        let problem = LoopProblem::new(&graph, SchedulingOptions::default()).unwrap();
        let mut placement = Placement::new(&problem, 5);
        let free = placement.window(1, 0);
        assert_eq!(placement.restrict_to_group(1, free), free);
        placement.seat(0, 7).unwrap();
        let bound = placement.restrict_to_group(1, placement.window(1, 0));
        assert_eq!((bound.earliest, bound.latest), (5, 9));
        // Another depth ejects the group; the same depth and operations of no group do not.
        assert_eq!(placement.obstacles(1, 4), [0]);
        assert_eq!(placement.obstacles(1, 10), [0]);
        assert!(placement.obstacles(1, 9).is_empty());
        assert!(placement.obstacles(2, 4).is_empty());
        placement.eject(0);
        assert_eq!(placement.restrict_to_group(1, free), free);
        placement.seat(1, 0).unwrap();
        let bound = placement.restrict_to_group(0, placement.window(0, 0));
        assert_eq!((bound.earliest, bound.latest), (0, 4));
    }

    /// Both operations take all units of the pool, for the two cycles of their own slots.
    #[test]
    fn those_that_share_a_full_pool_are_obstacles() {
        let op = |slot| {
            let mut op = Node::new("op", 1, vec![ResourceUse::new(slot, 2)]);
            op.pools.push(PoolUse { pool: 0, count: 2 });
            op
        };
        let other = Node::new("other", 1, vec![ResourceUse::new(3, 2)]);
        let graph = graph(vec![op(1), op(2), other], Vec::new());
        let problem = LoopProblem::new(&graph, SchedulingOptions::default()).unwrap();
        let mut placement = Placement::new(&problem, 8);
        placement.seat(0, 3).unwrap();
        placement.seat(2, 3).unwrap();
        assert!(placement.seat(1, 4).is_err());
        for (start, expected) in [(1, vec![]), (2, vec![0]), (4, vec![0]), (5, vec![])] {
            assert_eq!(placement.obstacles(1, start), expected, "cycle {start}");
            assert_eq!(placement.obstacles(1, start + 8), expected, "cycle {start}");
        }
    }

    #[test]
    fn a_failed_transaction_leaves_no_trace() {
        let nodes = vec![Node::new("op", 1, vec![ResourceUse::new(1, 2)]); 3];
        let graph = graph(nodes, Vec::new());
        let problem = LoopProblem::new(&graph, SchedulingOptions::default()).unwrap();
        let mut placement = Placement::new(&problem, 6);
        assert!(placement.seat(0, 0).is_ok());
        let done = placement.transaction(|inner| {
            inner.eject(0);
            assert!(inner.seat(1, 1).is_ok());
            assert!(inner.transaction(|deepest| deepest.seat(2, 3).is_ok()));
            inner.seat(0, 2).is_ok()
        });
        assert!(!done);
        assert_eq!(
            [0, 1, 2].map(|node| placement.start(node)),
            [Some(0), None, None]
        );
        assert_eq!(placement.table().row(0), 1);
        assert_eq!(placement.table().row(3), 0);
        assert!(placement.transaction(|inner| inner.seat(2, 2).is_ok()));
        assert_eq!(placement.start(2), Some(2));
        assert_eq!(placement.obstacles(1, 1), [0, 2]);
    }
}
