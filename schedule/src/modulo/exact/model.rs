//! The exact search's view of a loop at one interval: difference bounds and pairs of operations
//! that share a slot.
//!
//! For two operations that share a slot, `start[v] - start[u]` must lie in
//! `[q * interval + gap(u, v), (q + 1) * interval - gap(v, u)]` for some integer `q`, where
//! `gap(u, v)` is the longest hold of `u` on a common slot. Everything else is a difference
//! constraint. Edges between different recurrences never decide feasibility, because a later
//! recurrence can be delayed by whole intervals; they are dropped, and every recurrence is
//! anchored within one interval of a common root instead, which loses no row pattern.

use super::super::problem::LoopProblem;

/// Bounds stay below this in magnitude, so that sums of two never leave 32 bits.
pub(super) const LIMIT: i64 = 1 << 28;

/// "No bound known": far below every bound, and safe to add to.
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

/// The search problem at one interval.
#[derive(Clone, Debug)]
pub(super) struct Model {
    /// The initiation interval, in cycles.
    pub interval: i32,
    /// Number of operations in the model.
    pub size: usize,
    /// Program index of each.
    pub nodes: Vec<usize>,
    /// Difference bounds before any decision, row-major, closed later by the engine.
    pub bounds: Vec<(u32, u32, i32)>,
    /// The operations that share a slot with each operation.
    pub conflicts: Vec<Vec<Conflict>>,
    /// Slots, and pairs of slots that several operations hold together.
    pub machines: Vec<Machine>,
}

impl Model {
    /// Builds the model; `None` when the numbers are too large for it.
    ///
    /// With `span`, all starts must lie within `span` cycles of each other and every dependence
    /// counts: the question is then whether a schedule of few stages exists.
    pub fn new(problem: &LoopProblem<'_>, interval: u32, span: Option<i64>) -> Option<Self> {
        let graph = problem.graph;
        let components = &problem.components;
        let keep: Vec<usize> = (0..graph.len())
            .filter(|&node| {
                span.is_some()
                    || !problem.footprints[node].holds.is_empty()
                    || components.members(components.of(node)).len() > 1
            })
            .collect();
        let mut place = vec![u32::MAX; graph.len()];
        for (position, &node) in keep.iter().enumerate() {
            place[node] = position as u32;
        }
        let mut bounds = Vec::new();
        let mut reach = i64::from(interval);
        for edge in graph.edges().iter().filter(|edge| edge.from != edge.to) {
            if span.is_none() && components.of(edge.from) != components.of(edge.to) {
                continue;
            }
            let weight = edge.weight(interval);
            reach += weight.abs();
            bounds.push((
                place[edge.from],
                place[edge.to],
                i32::try_from(weight).ok()?,
            ));
        }
        reach += span.unwrap_or(0) + 4 * i64::from(interval) * (keep.len() as i64 + 1);
        if reach >= LIMIT {
            return None;
        }
        let mut model = Self {
            interval: interval as i32,
            size: keep.len(),
            conflicts: conflicts(problem, &keep),
            machines: machines(problem, &keep),
            nodes: keep,
            bounds,
        };
        match span {
            Some(span) => model.limit_span(span),
            None => model.anchor(problem),
        }
        Some(model)
    }

    /// All starts within one interval of the first recurrence's root.
    fn anchor(&mut self, problem: &LoopProblem<'_>) {
        let components = &problem.components;
        let busiest = |members: &[usize]| {
            let positions = members
                .iter()
                .filter_map(|node| self.nodes.binary_search(node).ok());
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
            for &(_, other) in rest {
                self.bounds.push((first as u32, other as u32, 0));
                self.bounds
                    .push((other as u32, first as u32, 1 - self.interval));
            }
        }
    }

    /// Any two starts at most `span` cycles apart.
    fn limit_span(&mut self, span: i64) {
        let span = span as i32;
        for first in 0..self.size as u32 {
            for second in 0..self.size as u32 {
                if first != second {
                    self.bounds.push((first, second, -span));
                }
            }
        }
    }
}

/// For every kept operation, the others that share a slot.
fn conflicts(problem: &LoopProblem<'_>, keep: &[usize]) -> Vec<Vec<Conflict>> {
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
            if let Some((gap, back)) = shared {
                result[first].push(Conflict {
                    other: second as u32,
                    gap: gap as i32,
                    back_gap: back as i32,
                });
            }
        }
    }
    result
}

/// Every slot is a machine. Operations that hold two slots together are one as well, with the
/// longer hold of each: two of them are at least that far apart whichever slot decides.
fn machines(problem: &LoopProblem<'_>, keep: &[usize]) -> Vec<Machine> {
    let mut slots: Vec<u8> = keep
        .iter()
        .flat_map(|&node| problem.footprints[node].holds.iter().map(|&(slot, _)| slot))
        .collect();
    slots.sort_unstable();
    slots.dedup();
    let mut sets: Vec<Vec<u8>> = slots.iter().map(|&slot| vec![slot]).collect();
    for &node in keep {
        let held: Vec<u8> = problem.footprints[node]
            .holds
            .iter()
            .map(|&(slot, _)| slot)
            .collect();
        for subset in 1..1_usize << held.len().min(4) {
            let chosen: Vec<u8> = (0..held.len().min(4))
                .filter(|&index| subset >> index & 1 == 1)
                .map(|index| held[index])
                .collect();
            if chosen.len() > 1 && !sets.contains(&chosen) {
                sets.push(chosen);
            }
        }
    }
    let mut result: Vec<Machine> = sets
        .iter()
        .map(|set| Machine {
            tasks: keep
                .iter()
                .enumerate()
                .filter_map(|(position, &node)| {
                    let holds = &problem.footprints[node].holds;
                    let durations = set.iter().map(|slot| {
                        holds
                            .iter()
                            .find(|(name, _)| name == slot)
                            .map(|&(_, cycles)| cycles)
                    });
                    let cycles = durations.collect::<Option<Vec<u32>>>()?.into_iter().max()?;
                    Some((position as u32, cycles as i32))
                })
                .collect(),
        })
        .filter(|machine| machine.tasks.len() > 2)
        .collect();
    result.sort_by_key(|machine| {
        std::cmp::Reverse(machine.tasks.iter().map(|&(_, cycles)| cycles).sum::<i32>())
    });
    result
}
