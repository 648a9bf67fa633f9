//! Improves a valid modulo schedule without changing its interval: fewer stages, then fewer buffer
//! bytes, then a smaller cost vector; then lifetimes are shortened.
//!
//! Rows are preserved, so resources stay valid; operations move by whole intervals, and the first
//! cycle of an iteration is chosen again.

use super::problem::LoopProblem;
use super::schedule::{GeneratorKind, Quality, Schedule, value_lifetime};
use super::schedule_cost::schedule_cost;

/// Loops above this size keep their first cycle as the start of an iteration.
const ROTATION_LIMIT: usize = 192;

/// The best schedule that preserves every operation's row relative to the others.
#[must_use]
pub fn improve(problem: &LoopProblem<'_>, interval: u32, starts: &[i64]) -> Vec<i64> {
    let length = i64::from(interval);
    let mut origins: Vec<i64> = vec![starts.iter().copied().min().unwrap_or(0)];
    if starts.len() <= ROTATION_LIMIT {
        origins.extend(starts.iter().map(|start| start.rem_euclid(length)));
        let first = origins[0];
        origins[1..].sort_unstable();
        origins.dedup();
        debug_assert_eq!(first, origins[0]);
    }
    let mut best: Option<(Quality, Vec<i64>)> = None;
    let candidates = origins
        .iter()
        .filter_map(|&origin| rotated(problem, interval, starts, origin));
    for candidate in
        std::iter::once(normalised(problem, interval, starts.to_vec())).chain(candidates)
    {
        if !respects_stage_rules(problem, interval, &candidate)
            || !respects_dependences(problem, interval, &candidate)
        {
            continue;
        }
        let quality = quality_of(problem, interval, &candidate);
        if best.as_ref().is_none_or(|(least, _)| quality < *least) {
            best = Some((quality, candidate));
        }
    }
    match best {
        Some((_, mut chosen)) => {
            shorten_lifetimes(problem, interval, &mut chosen);
            chosen
        }
        None => starts.to_vec(),
    }
}

/// Whether stage limits and depth groups hold; `start div interval` is the stage.
#[must_use]
pub fn respects_stage_rules(problem: &LoopProblem<'_>, interval: u32, starts: &[i64]) -> bool {
    let length = i64::from(interval);
    let mut depth_of = std::collections::BTreeMap::new();
    starts.iter().enumerate().all(|(node, &start)| {
        let depth = start.div_euclid(length);
        let group_agrees = problem
            .graph
            .depth_group(node)
            .is_none_or(|group| *depth_of.entry(group).or_insert(depth) == depth);
        depth >= 0 && start <= problem.latest_start(node, interval) && group_agrees
    })
}

/// Whether every edge is satisfied.
#[must_use]
pub fn respects_dependences(problem: &LoopProblem<'_>, interval: u32, starts: &[i64]) -> bool {
    problem
        .graph
        .edges()
        .iter()
        .all(|edge| starts[edge.to] - starts[edge.from] >= edge.weight(interval))
}

fn quality_of(problem: &LoopProblem<'_>, interval: u32, starts: &[i64]) -> Quality {
    let kind = GeneratorKind::Iterative;
    let starts = starts.to_vec();
    let mut schedule = Schedule::from_starts(interval, starts, problem.bounds, kind, false);
    schedule.cost = schedule_cost(problem, &schedule);
    schedule.quality(problem.graph)
}

/// Shifts the least start to 0; only by whole intervals if another shift would split a depth group.
#[must_use]
pub fn normalised(problem: &LoopProblem<'_>, interval: u32, mut starts: Vec<i64>) -> Vec<i64> {
    let length = i64::from(interval);
    let least = starts.iter().copied().min().unwrap_or(0);
    let mut shifted: Vec<i64> = starts.iter().map(|start| start - least).collect();
    if respects_stage_rules(problem, interval, &shifted) {
        return shifted;
    }
    let whole = least.div_euclid(length) * length;
    shifted.clear();
    starts.iter_mut().for_each(|start| *start -= whole);
    starts
}

/// All operations as early as their rows allow if `origin` is the first cycle.
fn rotated(
    problem: &LoopProblem<'_>,
    interval: u32,
    starts: &[i64],
    origin: i64,
) -> Option<Vec<i64>> {
    let graph = problem.graph;
    let length = i64::from(interval);
    // An operation that holds nothing has no row to preserve and moves freely within its
    // dependences.
    let mobile = |node: usize| problem.footprints[node].is_empty();
    let row = |(node, start): (usize, &i64)| {
        if mobile(node) {
            0
        } else {
            (start - origin).rem_euclid(length)
        }
    };
    let mut early: Vec<i64> = starts.iter().enumerate().map(row).collect();
    for members in problem.components.iter() {
        let mut rounds = members.len() + 2;
        loop {
            let mut changed = false;
            for &node in members {
                for edge in graph.predecessors(node) {
                    let missing = early[edge.from] + edge.weight(interval) - early[node];
                    if missing > 0 {
                        let whole = (missing + length - 1) / length * length;
                        early[node] += if mobile(node) { missing } else { whole };
                        changed = true;
                    }
                }
            }
            if !changed {
                break;
            }
            rounds -= 1;
            if rounds == 0 {
                return None;
            }
        }
    }
    Some(normalised(problem, interval, early))
}

/// Moves single operations later by whole intervals where that shortens lifetimes.
fn shorten_lifetimes(problem: &LoopProblem<'_>, interval: u32, starts: &mut [i64]) {
    const ROUNDS: usize = 4;
    let graph = problem.graph;
    let length = i64::from(interval);
    let end = starts.iter().copied().max().unwrap_or(0);
    for _ in 0..ROUNDS {
        let mut changed = false;
        for node in (0..graph.len()).rev() {
            if graph.depth_group(node).is_some() {
                continue;
            }
            let bound = graph
                .successors(node)
                .filter(|edge| edge.to != node)
                .map(|edge| starts[edge.to] - edge.weight(interval))
                .min()
                .unwrap_or(starts[node])
                .min(end)
                .min(problem.latest_start(node, interval));
            let room = bound - starts[node];
            let unit = if problem.footprints[node].is_empty() {
                1
            } else {
                length
            };
            let shift = room.div_euclid(unit) * unit;
            if shift <= 0 {
                continue;
            }
            let before = local_lifetime(problem, interval, starts, node);
            starts[node] += shift;
            if local_lifetime(problem, interval, starts, node) < before {
                changed = true;
            } else {
                starts[node] -= shift;
            }
        }
        if !changed {
            break;
        }
    }
    let least = starts.iter().copied().min().unwrap_or(0).div_euclid(length) * length;
    starts.iter_mut().for_each(|start| *start -= least);
}

/// Values with buffer bytes are weighted by them; otherwise every value counts its cycles.
fn local_lifetime(
    problem: &LoopProblem<'_>,
    interval: u32,
    starts: &[i64],
    node: usize,
) -> (u128, u64) {
    let graph = problem.graph;
    let mut values: Vec<usize> = graph.predecessors(node).map(|edge| edge.from).collect();
    values.push(node);
    values.sort_unstable();
    values.dedup();
    let mut bytes = 0_u128;
    let mut cycles = 0_u64;
    for value in values {
        let lifetime = value_lifetime(graph, starts, interval, value);
        bytes += u128::from(graph.node(value).buffer_bytes) * u128::from(lifetime);
        cycles += lifetime;
    }
    (bytes, cycles)
}
