//! Clusters of operations that bound each other, with what may not overlap.

use std::collections::BTreeMap;

use super::super::components::number_components;
use super::super::exact::slot_sets;
use super::super::problem::LoopProblem;
use super::{FAR, Refuted, Windows};

/// `start[to] - start[from] >= latency - interval * distance`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bound {
    pub from: usize,
    pub to: usize,
    latency: i64,
    distance: i64,
}

impl Bound {
    pub fn weight(&self, interval: i64) -> i64 {
        self.latency - interval * self.distance
    }
}

/// Operations that bound each other from both sides. Members are operations, the first cycle of an
/// iteration, and the first cycles of the stages of groups.
#[derive(Clone, Debug)]
pub(super) struct Cluster {
    pub size: usize,
    pub bounds: Vec<Bound>,
    /// Sets of members of which no two may overlap, with the cycles of each.
    pub machines: Vec<Vec<(u32, i64)>>,
    /// The machines of each member.
    pub machines_of: Vec<Vec<u32>>,
    /// Members that are whole intervals apart: the first cycle of an iteration, and those of stages.
    pub stages: Vec<usize>,
}

/// Members compared as anchors.
const ANCHORS: usize = 12;

/// Stages used as anchors.
const STAGE_ANCHORS: usize = 3;

impl Cluster {
    /// The members relative to which windows are narrow: stages if there are any.
    pub fn anchors(&self, interval: i64, work: &mut u64) -> Result<Vec<usize>, Refuted> {
        if !self.stages.is_empty() {
            return Ok(self.stages.iter().copied().take(STAGE_ANCHORS).collect());
        }
        let candidates = (0..self.size).step_by(self.size.div_ceil(ANCHORS));
        let mut best = (i64::MAX, 0);
        let mut narrowest = 0;
        for anchor in candidates {
            let widths = self.widths(anchor, interval, work)?;
            let total: i64 = widths.iter().map(|&width| width.min(2 * interval)).sum();
            if total < best.0 {
                best = (total, anchor);
                let others = (0..self.size).filter(|&member| member != anchor);
                narrowest = others.min_by_key(|&member| widths[member]).unwrap_or(0);
            }
        }
        Ok(vec![best.1, narrowest])
    }

    /// The widths of the windows that bounds alone leave relative to a member.
    fn widths(&self, anchor: usize, interval: i64, work: &mut u64) -> Result<Vec<i64>, Refuted> {
        let mut windows = Windows::new(self, interval, anchor);
        while *work > 0 && windows.follow_bounds(work)? {}
        let ranges = windows.range.iter();
        Ok(ranges.map(|range| (range.1 - range.0).min(FAR)).collect())
    }
}

/// The clusters in which at least two operations hold a slot together.
pub(super) fn clusters(problem: &LoopProblem<'_>) -> Vec<Cluster> {
    let graph = problem.graph;
    let origin = graph.len();
    let mut groups: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for node in 0..origin {
        if let Some(group) = graph.depth_group(node) {
            groups.entry(group).or_default().push(node);
        }
    }
    groups.retain(|_, members| members.len() > 1);
    let bounds = bounds(problem, &groups);
    let size = origin + 1 + groups.len();
    let mut successors = vec![Vec::new(); size];
    for bound in &bounds {
        successors[bound.from].push(bound.to);
    }
    let (component, count) = number_components(&successors);
    let mut members = vec![Vec::new(); count];
    let mut place = vec![0; size];
    for node in 0..size {
        let list = &mut members[component[node] as usize];
        place[node] = list.len();
        list.push(node);
    }
    let mut inside = vec![Vec::new(); count];
    for bound in bounds {
        if component[bound.from] == component[bound.to] {
            inside[component[bound.from] as usize].push(Bound {
                from: place[bound.from],
                to: place[bound.to],
                ..bound
            });
        }
    }
    let clusters = members.into_iter().zip(inside);
    clusters
        .filter(|(members, _)| members.len() > 2)
        .map(|(members, bounds)| cluster(problem, &members, bounds))
        .filter(|cluster| !cluster.machines.is_empty())
        .collect()
}

/// Every bound. The first cycle of an iteration follows the operations, and then one cycle for each
/// group, the first of its stage.
fn bounds(problem: &LoopProblem<'_>, groups: &BTreeMap<u32, Vec<usize>>) -> Vec<Bound> {
    let graph = problem.graph;
    let origin = graph.len();
    let edges = graph.edges().iter().filter(|edge| edge.from != edge.to);
    let mut bounds: Vec<Bound> = edges
        .map(|edge| Bound {
            from: edge.from,
            to: edge.to,
            latency: i64::from(edge.latency),
            distance: i64::from(edge.distance),
        })
        .collect();
    let mut within_stages = |first: usize, node: usize, last_stage: i64| {
        let (latency, distance) = (0, 0);
        bounds.push(Bound {
            from: first,
            to: node,
            latency,
            distance,
        });
        if last_stage < i64::MAX {
            let (latency, distance) = (1, last_stage + 1);
            bounds.push(Bound {
                from: node,
                to: first,
                latency,
                distance,
            });
        }
    };
    for node in 0..origin {
        // At an interval of 1 the last start is the last stage.
        within_stages(origin, node, problem.latest_start(node, 1));
    }
    for (index, members) in groups.values().enumerate() {
        for &member in members {
            within_stages(origin + 1 + index, member, 0);
        }
        within_stages(origin, origin + 1 + index, i64::MAX);
    }
    bounds
}

fn cluster(problem: &LoopProblem<'_>, members: &[usize], bounds: Vec<Bound>) -> Cluster {
    let origin = problem.graph.len();
    let operations: Vec<usize> = members
        .iter()
        .copied()
        .filter(|&node| node < origin)
        .collect();
    let mut machines: Vec<Vec<(u32, i64)>> = slot_sets(problem, &operations);
    for (pool, entry) in problem.graph.space().pools.iter().enumerate() {
        let tasks = operations.iter().enumerate().filter_map(|(place, &node)| {
            let footprint = &problem.footprints[node];
            let is_large = |share: &&(usize, u32)| {
                share.0 == pool && 2 * u64::from(share.1) > u64::from(entry.capacity)
            };
            footprint.pools.iter().find(is_large)?;
            Some((place as u32, i64::from(footprint.duration)))
        });
        machines.push(tasks.collect());
    }
    machines.retain(|tasks| tasks.len() > 1);
    let mut machines_of = vec![Vec::new(); members.len()];
    for (machine, tasks) in machines.iter().enumerate() {
        for &(member, _) in tasks {
            machines_of[member as usize].push(machine as u32);
        }
    }
    Cluster {
        size: members.len(),
        bounds,
        machines,
        machines_of,
        stages: (operations.len()..members.len()).collect(),
    }
}
