//! The exact search's view of a loop at one interval: difference bounds, pairs of operations that
//! share a slot, depth groups and pools.
//!
//! For two operations that share a slot, `start[v] - start[u]` must be in
//! `[q * interval + gap(u, v), (q + 1) * interval - gap(v, u)]` for some integer `q`, where
//! `gap(u, v)` is the longest hold of `u` on a common slot. The same holds for two operations that
//! together exceed a pool's capacity. Everything else is a difference constraint, except what the
//! engine propagates: larger sets in a pool, and equal depths.
//!
//! Without stage limits and depth groups, edges between different recurrences never affect
//! feasibility, because a later recurrence can be delayed by whole intervals; they are dropped, and
//! every recurrence is anchored within one interval of a common root instead, which loses no row
//! pattern. With them, the model has an *origin*, the first cycle of an iteration: the stage of an
//! operation is the number of whole intervals between the origin and its start, and every edge
//! counts.

use std::collections::{BTreeMap, BTreeSet};

use super::super::graph::DependenceGraph;
use super::super::problem::LoopProblem;

/// Bounds are below this in magnitude, so that the sum of two fits in 32 bits.
pub(super) const LIMIT: i64 = 1 << 28;

/// "No bound known": far below every bound, and safe for additions.
pub(super) const NO_PATH: i32 = i32::MIN / 4;

/// Two operations that may not overlap on a slot.
#[derive(Clone, Copy, Debug)]
pub(super) struct Conflict {
    /// The other operation.
    pub other: u32,
    /// Cycles that must pass from this operation's start to the other's.
    pub gap: i32,
    /// Cycles that must pass from the other's start to this operation's.
    pub back_gap: i32,
}

/// A set of operations of which no two may overlap, with the cycles each one needs.
#[derive(Clone, Debug)]
pub(super) struct Machine {
    /// `(operation, cycles)`.
    pub tasks: Vec<(u32, i32)>,
}

/// A pool with the operations that take units of it.
#[derive(Clone, Debug)]
pub(super) struct PoolLoad {
    /// Units available.
    pub capacity: u32,
    /// `(position, cycles, units)`.
    pub tasks: Vec<(usize, i32, u32)>,
}

/// The search problem at one interval.
#[derive(Clone, Debug)]
pub(super) struct Model {
    /// The initiation interval, in cycles.
    pub interval: i32,
    /// Number of positions: the origin, if there is one, and the operations in the model.
    pub size: usize,
    /// Program index of the operation at each position; `None` for the origin, which is the first.
    pub nodes: Vec<Option<usize>>,
    /// The position relative to which starts of pool operations are measured: every other position
    /// has bounds in both directions from it.
    pub reference: usize,
    /// Positions that must have equal depths, one list per group.
    pub groups: Vec<Vec<usize>>,
    /// The pools that some set of operations may overfill.
    pub pools: Vec<PoolLoad>,
    /// Difference bounds before any decision, row-major, closed later by the engine.
    pub bounds: Vec<(u32, u32, i32)>,
    /// The operations that share a slot with each operation.
    pub conflicts: Vec<Vec<Conflict>>,
    /// Slots, and pairs of slots that several operations hold together.
    pub machines: Vec<Machine>,
}

impl Model {
    /// Builds the model; `None` if the values exceed its range.
    ///
    /// With `stages`, the schedule may have at most that many.
    pub fn new(problem: &LoopProblem<'_>, interval: u32, stages: Option<u32>) -> Option<Self> {
        let staged = stages.is_some() || has_stage_rules(problem);
        Self::build(problem, interval, stages, staged)
    }

    /// The relaxation without stage limits and depth groups.
    pub fn without_stages(problem: &LoopProblem<'_>, interval: u32) -> Option<Self> {
        Self::build(problem, interval, None, false)
    }

    /// Whether the first position is the origin.
    pub fn has_origin(&self) -> bool {
        self.nodes.first().is_some_and(Option::is_none)
    }

    fn build(
        problem: &LoopProblem<'_>,
        interval: u32,
        stages: Option<u32>,
        staged: bool,
    ) -> Option<Self> {
        let graph = problem.graph;
        let components = &problem.components;
        let keep: Vec<usize> = (0..graph.len())
            .filter(|&node| {
                staged
                    || !problem.footprints[node].is_empty()
                    || components.members(components.of(node)).len() > 1
            })
            .collect();
        let first = usize::from(staged);
        let mut place = vec![usize::MAX; graph.len()];
        for (position, &node) in keep.iter().enumerate() {
            place[node] = position + first;
        }
        let mut nodes = vec![None; first];
        nodes.extend(keep.iter().copied().map(Some));
        let mut model = Self {
            interval: interval as i32,
            size: nodes.len(),
            nodes,
            reference: 0,
            groups: Vec::new(),
            pools: pools(problem, &place),
            bounds: Vec::new(),
            conflicts: vec![Vec::new(); first],
            machines: machines(problem, &keep, first),
        };
        model.conflicts.extend(conflicts(problem, &keep, first));
        let mut reach = 4 * i64::from(interval) * (model.size as i64 + 1);
        for edge in graph.edges().iter().filter(|edge| edge.from != edge.to) {
            if !staged && components.of(edge.from) != components.of(edge.to) {
                continue;
            }
            let weight = edge.weight(interval);
            reach += weight.abs();
            let (from, to) = (place[edge.from] as u32, place[edge.to] as u32);
            model.bounds.push((from, to, i32::try_from(weight).ok()?));
        }
        if staged {
            model.find_groups(graph, &place);
            reach += model.limit_starts(problem, interval, stages);
            model.bind_groups();
        } else {
            model.anchor(problem);
        }
        (reach < LIMIT).then_some(model)
    }

    /// Bounds all starts to within one interval of the first recurrence's root.
    fn anchor(&mut self, problem: &LoopProblem<'_>) {
        let components = &problem.components;
        let kept: Vec<usize> = self.nodes.iter().copied().flatten().collect();
        let busiest = |members: &[usize]| {
            let positions = members
                .iter()
                .filter_map(|node| kept.binary_search(node).ok());
            positions.max_by_key(|&position| {
                (self.conflicts[position].len(), std::cmp::Reverse(position))
            })
        };
        let mut roots: Vec<(usize, usize)> = components
            .iter()
            .filter_map(|members| Some((members.len(), busiest(members)?)))
            .collect();
        roots.sort_by_key(|&(size, root)| (std::cmp::Reverse(size), root));
        if let Some((&(_, first), rest)) = roots.split_first() {
            self.reference = first;
            for &(_, other) in rest {
                self.bounds.push((first as u32, other as u32, 0));
                self.bounds
                    .push((other as u32, first as u32, 1 - self.interval));
            }
        }
    }

    /// Bounds every start to at or after the origin, and within its stage limits. Without a limit,
    /// within a horizon that excludes no row pattern; returns the largest.
    fn limit_starts(
        &mut self,
        problem: &LoopProblem<'_>,
        interval: u32,
        stages: Option<u32>,
    ) -> i64 {
        let length = i64::from(interval);
        let by_stages = stages.map_or(i64::MAX, |stages| i64::from(stages) * length - 1);
        let horizons = self.horizons();
        for (position, &node) in self.nodes.iter().enumerate() {
            let Some(node) = node else { continue };
            let limit = problem.latest_start(node, interval).min(by_stages);
            let latest = i32::try_from(limit.min(horizons[position])).unwrap_or(i32::MAX / 4);
            self.bounds.push((0, position as u32, 0));
            self.bounds.push((position as u32, 0, -latest));
        }
        horizons.into_iter().max().unwrap_or(0)
    }

    /// Latest start of each operation in the earliest schedule of any rows. In it, an operation
    /// either starts in the first interval, or within an interval of what a predecessor allows, or
    /// in the last interval that a member of its group forces. Such reasons form no cycle, so as
    /// many steps as there are positions find the latest.
    fn horizons(&self) -> Vec<i64> {
        let length = i64::from(self.interval);
        let mut latest = vec![length - 1; self.size];
        for _ in 0..self.size {
            let mut next = latest.clone();
            for &(from, to, weight) in &self.bounds {
                let start = latest[from as usize] + i64::from(weight) + length - 1;
                next[to as usize] = next[to as usize].max(start);
            }
            for members in &self.groups {
                let last = members.iter().map(|&member| latest[member]).max();
                let end = (last.unwrap_or(0) / length + 1) * length - 1;
                for &member in members {
                    next[member] = next[member].max(end);
                }
            }
            if next == latest {
                break;
            }
            latest = next;
        }
        latest
    }

    fn find_groups(&mut self, graph: &DependenceGraph, place: &[usize]) {
        let mut groups: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for (node, &position) in place.iter().enumerate() {
            if let Some(group) = graph.depth_group(node) {
                groups.entry(group).or_default().push(position);
            }
        }
        groups.retain(|_, members| members.len() > 1);
        self.groups = groups.into_values().collect();
    }

    /// Bounds members of a group to less than an interval apart; the depth of each is to be
    /// decided. The pairs with the origin are stored only on the origin's side, because the bounds
    /// from a member to the origin have no forbidden cycles.
    fn bind_groups(&mut self) {
        for members in &self.groups {
            for &member in members {
                self.conflicts[0].push(Conflict {
                    other: member as u32,
                    gap: 0,
                    back_gap: 1,
                });
                for &other in members.iter().filter(|&&other| other != member) {
                    self.bounds
                        .push((member as u32, other as u32, 1 - self.interval));
                }
            }
        }
    }
}

/// Whether stages matter: a stage limit, a depth limit or a depth group of several operations.
fn has_stage_rules(problem: &LoopProblem<'_>) -> bool {
    let graph = problem.graph;
    let mut nodes = graph.nodes().iter();
    let mut seen = BTreeSet::new();
    problem.options.max_stages.is_some()
        || nodes.any(|node| node.constraints.max_depth.is_some())
        || (0..graph.len())
            .filter_map(|node| graph.depth_group(node))
            .any(|group| !seen.insert(group))
}

/// The pools that some set of operations may overfill.
fn pools(problem: &LoopProblem<'_>, place: &[usize]) -> Vec<PoolLoad> {
    let pools = problem.graph.space().pools.iter().enumerate();
    let loads = pools.map(|(pool, entry)| {
        let mut tasks = Vec::new();
        for (node, footprint) in problem.footprints.iter().enumerate() {
            let shares = footprint.pools.iter().filter(|share| share.0 == pool);
            tasks.extend(shares.map(|&(_, units)| (place[node], footprint.duration as i32, units)));
        }
        PoolLoad {
            capacity: entry.capacity,
            tasks,
        }
    });
    let may_overfill = |load: &PoolLoad| {
        let all: u64 = load.tasks.iter().map(|task| u64::from(task.2)).sum();
        all > u64::from(load.capacity)
    };
    loads.filter(may_overfill).collect()
}

/// For every kept operation, the others that share a slot.
fn conflicts(problem: &LoopProblem<'_>, keep: &[usize], base: usize) -> Vec<Vec<Conflict>> {
    let mut result = vec![Vec::new(); keep.len()];
    for (first, &u) in keep.iter().enumerate() {
        for (second, &v) in keep.iter().enumerate() {
            if first == second {
                continue;
            }
            let mut shared: Option<(u32, u32)> = None;
            for &(slot, own) in &problem.footprints[u].holds {
                let others = &problem.footprints[v].holds;
                if let Some(&(_, other)) = others.iter().find(|&&(name, _)| name == slot) {
                    let (gap, back) = shared.unwrap_or((0, 0));
                    shared = Some((gap.max(own), back.max(other)));
                }
            }
            if exceed_pool(problem, u, v) {
                let (gap, back) = shared.unwrap_or((0, 0));
                shared = Some((
                    gap.max(problem.footprints[u].duration),
                    back.max(problem.footprints[v].duration),
                ));
            }
            if let Some((gap, back)) = shared {
                result[first].push(Conflict {
                    other: (second + base) as u32,
                    gap: gap as i32,
                    back_gap: back as i32,
                });
            }
        }
    }
    result
}

/// Whether two operations together exceed the capacity of some pool.
fn exceed_pool(problem: &LoopProblem<'_>, u: usize, v: usize) -> bool {
    let pools = &problem.graph.space().pools;
    let others = &problem.footprints[v].pools;
    problem.footprints[u].pools.iter().any(|&(pool, own)| {
        let other = others.iter().find(|share| share.0 == pool);
        other.is_some_and(|&(_, units)| own + units > pools[pool].capacity)
    })
}

/// The machines of the kept operations that more than two share, the busiest first.
fn machines(problem: &LoopProblem<'_>, keep: &[usize], base: usize) -> Vec<Machine> {
    let mut result: Vec<Machine> = slot_sets(problem, keep)
        .into_iter()
        .filter(|tasks| tasks.len() > 2)
        .map(|tasks| Machine {
            tasks: tasks
                .into_iter()
                .map(|(position, cycles)| (position + base as u32, cycles as i32))
                .collect(),
        })
        .collect();
    result.sort_by_key(|machine| {
        std::cmp::Reverse(machine.tasks.iter().map(|&(_, cycles)| cycles).sum::<i32>())
    });
    result
}

/// Sets of operations of which no two may overlap, as positions in `keep` with the cycles of each.
/// Every slot is one. Operations that hold several slots together also form one, with the longest
/// hold of each: two of them are at least that far apart on one of the slots.
pub(in super::super) fn slot_sets(
    problem: &LoopProblem<'_>,
    keep: &[usize],
) -> Vec<Vec<(u32, i64)>> {
    let mut slots: BTreeSet<u8> = BTreeSet::new();
    for &node in keep {
        let holds = &problem.footprints[node].holds;
        slots.extend(holds.iter().map(|&(slot, _)| slot));
    }
    let mut sets: Vec<Vec<u8>> = slots.iter().map(|&slot| vec![slot]).collect();
    let mut seen: BTreeSet<Vec<u8>> = BTreeSet::new();
    for &node in keep {
        let holds = problem.footprints[node].holds.iter().take(4);
        let held: Vec<u8> = holds.map(|&(slot, _)| slot).collect();
        for subset in 1..1_usize << held.len() {
            let chosen: Vec<u8> = (0..held.len())
                .filter(|&index| subset >> index & 1 == 1)
                .map(|index| held[index])
                .collect();
            if chosen.len() > 1 && seen.insert(chosen.clone()) {
                sets.push(chosen);
            }
        }
    }
    let task = |set: &[u8], position: usize, node: usize| {
        let holds = &problem.footprints[node].holds;
        let durations = set.iter().map(|slot| {
            let hold = holds.iter().find(|(name, _)| name == slot);
            hold.map(|&(_, cycles)| i64::from(cycles))
        });
        let cycles = durations.collect::<Option<Vec<i64>>>()?.into_iter().max()?;
        Some((position as u32, cycles))
    };
    let tasks = |set: Vec<u8>| {
        let kept = keep.iter().enumerate();
        kept.filter_map(|(position, &node)| task(&set, position, node))
            .collect()
    };
    sets.into_iter().map(tasks).collect()
}
