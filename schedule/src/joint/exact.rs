//! A complete search over start cycles under one assignment, with registers: for small loops.

use super::pressure::register_peaks;
use super::problem::{Assigned, JointProblem};
use crate::modulo::DependenceGraph;
use crate::modulo::reservation::{Footprint, ReservationTable};

/// The outcome at one interval.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ExactStarts {
    /// Starts of operations and copies.
    Found(Vec<i64>),
    /// No starts exist.
    Infeasible,
    /// The work was used up, or the graph has constraints that this search does not model.
    Undecided,
}

/// The search at one interval.
struct Search<'s> {
    problem: &'s JointProblem,
    assigned: &'s Assigned,
    agents: (&'s [Option<usize>], usize),
    warps: u32,
    interval: i64,
    /// Starts are below this cycle.
    horizon: i64,
    /// The operations in the order in which they are placed.
    order: Vec<usize>,
    footprints: Vec<Footprint>,
    table: ReservationTable,
    starts: Vec<Option<i64>>,
}

/// Decides whether an interval has starts within `stages` stages that fit in the registers of agents
/// of `warps` warps. A start that is examined takes a unit of work for each operation, whose registers
/// are counted, and for each 16 rows.
pub(super) fn exact_starts(
    problem: &JointProblem,
    assigned: &Assigned,
    agents: (&[Option<usize>], usize),
    (warps, interval, stages): (u32, u32, Option<u32>),
    work: &mut u64,
) -> ExactStarts {
    let graph = &assigned.graph;
    let is_constrained = |node: usize| {
        let constraints = &graph.node(node).constraints;
        constraints.max_depth.is_some() || constraints.force_serial
    };
    if (0..graph.len()).any(|node| is_constrained(node) || graph.depth_group(node).is_some()) {
        return ExactStarts::Undecided;
    }
    let footprints: Vec<Footprint> = graph.nodes().iter().map(Footprint::of).collect();
    let mut durations = footprints.iter().map(|footprint| footprint.duration);
    if durations.any(|duration| duration > interval) {
        return ExactStarts::Infeasible;
    }
    let table = ReservationTable::new(graph, &footprints, interval);
    let interval = i64::from(interval);
    let Some(order) = in_order(graph) else {
        return ExactStarts::Undecided;
    };
    let latest = stages.map_or_else(|| enough_stages(graph, interval), i64::from);
    let mut search = Search {
        problem,
        assigned,
        agents,
        warps,
        interval,
        horizon: latest * interval,
        order,
        footprints,
        table,
        starts: vec![None; graph.len()],
    };
    match search.place(0, work) {
        Some(true) => ExactStarts::Found(search.starts.into_iter().flatten().collect()),
        Some(false) => ExactStarts::Infeasible,
        None => ExactStarts::Undecided,
    }
}

/// Stages with which every feasible combination of rows has starts: each operation waits for the one
/// before it and then at most one interval for its row.
fn enough_stages(graph: &DependenceGraph, interval: i64) -> i64 {
    let latencies = graph.nodes().iter().enumerate().map(|(node, _)| {
        let after = graph.successors(node).map(|edge| i64::from(edge.latency));
        after.max().unwrap_or(0).max(0) / interval + 2
    });
    latencies.sum::<i64>().max(1)
}

/// The operations so that each comes after those that it depends on in the same iteration.
fn in_order(graph: &DependenceGraph) -> Option<Vec<usize>> {
    let mut order: Vec<usize> = Vec::with_capacity(graph.len());
    let mut placed = vec![false; graph.len()];
    while order.len() < graph.len() {
        let ready = (0..graph.len()).find(|&node| {
            let mut before = graph.predecessors(node).filter(|edge| edge.distance == 0);
            !placed[node] && before.all(|edge| placed[edge.from])
        })?;
        placed[ready] = true;
        order.push(ready);
    }
    Some(order)
}

impl Search<'_> {
    /// Places the operations from a position of the order on; `None` if the work is used up.
    fn place(&mut self, position: usize, work: &mut u64) -> Option<bool> {
        let Some(&node) = self.order.get(position) else {
            return Some(true);
        };
        let (mut low, mut high) = (0, self.horizon - 1);
        let graph = &self.assigned.graph;
        for edge in graph.predecessors(node) {
            if let Some(start) = self.starts[edge.from].filter(|_| edge.from != node) {
                low = low.max(
                    start + i64::from(edge.latency) - self.interval * i64::from(edge.distance),
                );
            }
        }
        for edge in graph.successors(node) {
            let span = i64::from(edge.latency) - self.interval * i64::from(edge.distance);
            if edge.to == node && span > 0 {
                return Some(false);
            }
            if let Some(start) = self.starts[edge.to].filter(|_| edge.to != node) {
                high = high.min(start - span);
            }
        }
        let cost = self.order.len() as u64 + u64::from(self.footprints[node].duration) / 16;
        for start in low..=high {
            *work = work.checked_sub(cost)?;
            if self.table.admit(&self.footprints[node], start).is_err() {
                continue;
            }
            self.table.commit(node, &self.footprints[node], start);
            self.starts[node] = Some(start);
            if self.registers_fit() && self.place(position + 1, work)? {
                return Some(true);
            }
            self.starts[node] = None;
            self.table.release(&self.footprints[node], start);
        }
        Some(false)
    }

    /// Whether the values whose readers are all placed fit: others only add to them.
    fn registers_fit(&self) -> bool {
        let starts = (&self.starts[..], &self.assigned.copied[..]);
        let interval = u32::try_from(self.interval).unwrap_or(u32::MAX);
        let peaks = register_peaks(self.problem, self.agents, starts, interval);
        self.problem.fits(&peaks, self.warps)
    }
}
