//! What ties starts together at one interval: clusters of operations with the least distances
//! between their starts.
//!
//! Two operations are in one cluster if each bounds the other: by a recurrence, by a shared stage,
//! or by a stage limit, which bounds from the first cycle of an iteration. Every other dependence
//! leads from one cluster to a later one and can be satisfied afterwards, by delaying the later
//! cluster by whole intervals: it never decides whether rows exist.

use std::collections::BTreeMap;

use super::components::number_components;
use super::problem::LoopProblem;

/// "No bound": far below every bound, and safe for additions.
pub(super) const NO_PATH: i32 = i32::MIN / 4;

/// Clusters with more operations use their dependences instead of all pairs: the table of all
/// pairs grows with the square.
const CLOSURE_LIMIT: usize = 2048;

/// Bounds are below this in magnitude, so that the sum of two fits in 32 bits.
const RANGE: i64 = 1 << 28;

/// A bound between an operation and another one of its cluster.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tie {
    /// The other operation.
    pub other: u32,
    /// Least `start - start[other]`, or [`NO_PATH`].
    pub after: i32,
    /// Least `start[other] - start`, or [`NO_PATH`].
    pub before: i32,
}

/// The reason that an interval has no coupling.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NoCoupling {
    /// Bounds contradict each other: no schedule exists.
    Contradiction,
    /// Bounds exceed 32 bits.
    Range,
}

/// Clusters, their bounds and the absolute window of every operation.
#[derive(Clone, Debug)]
pub(super) struct Coupling {
    /// Clusters in topological order of the dependences between them; that of the first cycle
    /// of an iteration has the fixed position.
    clusters: Vec<Vec<usize>>,
    /// The cluster whose starts are absolute, by index.
    anchored: usize,
    /// The bounds of every operation to others of its cluster.
    pub ties: Vec<Vec<Tie>>,
    /// Absolute windows; `None` for an operation that no stage limit reaches.
    pub windows: Vec<Option<(i32, i32)>>,
    /// The cluster of every operation, by index.
    cluster_of: Vec<u32>,
}

impl Coupling {
    /// Builds the clusters of an interval.
    pub fn new(problem: &LoopProblem<'_>, interval: u32) -> Result<Self, NoCoupling> {
        let origin = problem.graph.len();
        let mut bounds = all_bounds(problem, interval);
        let mut successors = vec![Vec::new(); origin + 1];
        let mut reach = 0;
        for &(from, to, weight) in &bounds {
            successors[from].push(to);
            reach += weight.abs();
        }
        if reach >= RANGE {
            return Err(NoCoupling::Range);
        }
        let (cluster, count) = number_components(&successors);
        let mut members = vec![Vec::new(); count];
        for node in 0..=origin {
            members[cluster[node] as usize].push(node);
        }
        bounds.retain(|&(from, to, _)| cluster[from] == cluster[to]);
        let mut inside = vec![Vec::new(); count];
        for bound in bounds {
            inside[cluster[bound.0] as usize].push(bound);
        }
        let mut coupling = Self {
            clusters: Vec::new(),
            anchored: cluster[origin] as usize,
            ties: vec![Vec::new(); origin],
            windows: vec![None; origin],
            cluster_of: cluster,
        };
        for (members, bounds) in members.iter().zip(&inside) {
            if members.len() > 1 {
                let tied = coupling.tie(members, bounds, origin);
                tied.ok_or(NoCoupling::Contradiction)?;
            }
        }
        coupling.clusters = members;
        Ok(coupling)
    }

    /// Whether two operations are in one cluster.
    pub fn is_inside(&self, from: usize, to: usize) -> bool {
        from != to && self.cluster_of[from] == self.cluster_of[to]
    }

    /// The clusters whose starts are relative to each other, without that of the first cycle of an
    /// iteration.
    pub fn free_clusters(&self) -> impl Iterator<Item = &[usize]> {
        let clusters = self.clusters.iter().enumerate();
        let free = clusters.filter(|(index, _)| *index != self.anchored);
        free.map(|(_, members)| members.as_slice())
    }

    /// Delays whole clusters by whole intervals until the dependences between them hold, each as
    /// little as possible. Rows and stages relative to the cluster are preserved.
    pub fn delay_clusters(&self, problem: &LoopProblem<'_>, interval: u32, starts: &mut [i64]) {
        let length = i64::from(interval);
        let origin = problem.graph.len();
        for (index, members) in self.clusters.iter().enumerate() {
            if index == self.anchored {
                continue;
            }
            let members = || members.iter().copied().filter(|&node| node != origin);
            let missing = members().map(|node| {
                let edges = problem.graph.predecessors(node);
                let outer = edges.filter(|edge| !members().any(|member| member == edge.from));
                let allowed = outer.map(|edge| starts[edge.from] + edge.weight(interval));
                allowed.max().unwrap_or(0).max(0) - starts[node]
            });
            let laps = missing.max().unwrap_or(0);
            let delay = -(-laps).div_euclid(length) * length;
            members().for_each(|node| starts[node] += delay);
        }
    }

    fn tie(
        &mut self,
        members: &[usize],
        bounds: &[(usize, usize, i64)],
        origin: usize,
    ) -> Option<()> {
        let place = |node: usize| members.binary_search(&node).unwrap_or(usize::MAX);
        let local: Vec<(usize, usize, i32)> = bounds
            .iter()
            .map(|&(from, to, weight)| (place(from), place(to), weight as i32))
            .collect();
        if let Ok(first) = members.binary_search(&origin) {
            let reversed: Vec<_> = local.iter().map(|&(a, b, w)| (b, a, w)).collect();
            let after = distances(members.len(), &local, first)?;
            let before = distances(members.len(), &reversed, first)?;
            for (position, &node) in members.iter().enumerate() {
                if node != origin {
                    self.windows[node] = Some((after[position], -before[position]));
                }
            }
        }
        if members.len() > CLOSURE_LIMIT {
            for &(from, to, weight) in bounds.iter().filter(|b| b.0 != origin && b.1 != origin) {
                self.ties[from].push(Tie {
                    other: to as u32,
                    after: NO_PATH,
                    before: weight as i32,
                });
                self.ties[to].push(Tie {
                    other: from as u32,
                    after: weight as i32,
                    before: NO_PATH,
                });
            }
            return Some(());
        }
        let size = members.len();
        let mut table = Vec::with_capacity(size * size);
        for source in 0..size {
            table.extend(distances(size, &local, source)?);
        }
        for (position, &node) in members.iter().enumerate() {
            if node == origin {
                continue;
            }
            for (place, &other) in members.iter().enumerate() {
                let after = table[place * size + position];
                let before = table[position * size + place];
                if other != origin && other != node && after.max(before) > NO_PATH / 2 {
                    self.ties[node].push(Tie {
                        other: other as u32,
                        after,
                        before,
                    });
                }
            }
        }
        Some(())
    }
}

/// Every bound `start[to] - start[from] >= weight`; the first cycle of an iteration follows the
/// operations.
fn all_bounds(problem: &LoopProblem<'_>, interval: u32) -> Vec<(usize, usize, i64)> {
    let graph = problem.graph;
    let origin = graph.len();
    let edges = graph.edges().iter().filter(|edge| edge.from != edge.to);
    let mut bounds: Vec<(usize, usize, i64)> = edges
        .map(|edge| (edge.from, edge.to, edge.weight(interval)))
        .collect();
    let mut last_of_group: BTreeMap<u32, usize> = BTreeMap::new();
    for node in 0..origin {
        if let Some(group) = graph.depth_group(node)
            && let Some(previous) = last_of_group.insert(group, node)
        {
            bounds.push((previous, node, 1 - i64::from(interval)));
            bounds.push((node, previous, 1 - i64::from(interval)));
        }
        bounds.push((origin, node, 0));
        let latest = problem.latest_start(node, interval);
        if latest < i64::MAX {
            bounds.push((node, origin, -latest));
        }
    }
    bounds
}

/// Longest distances from one member; `None` if a cycle is positive.
fn distances(size: usize, bounds: &[(usize, usize, i32)], source: usize) -> Option<Vec<i32>> {
    let mut value = vec![NO_PATH; size];
    value[source] = 0;
    for _ in 0..=size {
        let mut changed = false;
        for &(from, to, weight) in bounds {
            let through = value[from] + weight;
            if value[from] != NO_PATH && through > value[to] {
                value[to] = through;
                changed = true;
            }
        }
        if value[source] > 0 {
            return None;
        }
        if !changed {
            return Some(value);
        }
    }
    None
}
