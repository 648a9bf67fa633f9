//! The cost-based generator: four arms tried in turn on every ready group of operations, inside
//! iterations of constraint refinement.
//!
//! ```text
//! for each ready group:  PERMUTE or FUSE or RETRY(snapshot) or COST(snapshot)
//!                        or RETRY(fresh snapshot) or COST(fresh snapshot), else the round fails
//! round fails:           lift a soft constraint of the group, or hold over what stood in its way,
//!                        and start the next round; give up the interval when neither is possible
//! ```
//!
//! Every arm is transactional: all members of the group get a seat, or nothing changes. Every seat
//! passes the gates of `gates.rs` in their order. Results do not depend on randomness or time.
//!
//! Source: tileas reference 4.2 (refinement), 4.5 (arms), 4.6 (gates); C7, C9, C10, C11, C12.

mod ancestors;
mod attempt;
mod gates;
mod groups;
mod seating;

use std::collections::BTreeSet;

use super::decisions::{DecisionLog, Event};
use super::distance::DistanceMatrix;
use super::longest_path::latest_starts;
use super::order::Timing;
use super::problem::{LoopProblem, SchedulingOptions};
use super::schedule::Refinement;
use ancestors::Ancestors;
use attempt::{Attempt, Blame};
use groups::Groups;

/// Distances between all operations are computed for loops of up to this many operations.
const MOST_DISTANCES: usize = 256;

/// The generator of the page; the driver tries it first at every interval.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ArmGenerator;

impl ArmGenerator {
    /// Runs the iterations at one interval. The starts satisfy dependences, slots, pools, stage
    /// limits and depth groups.
    #[must_use]
    pub fn run(
        problem: &LoopProblem<'_>,
        interval: u32,
        log: &mut DecisionLog,
    ) -> (Option<Vec<i64>>, Refinement) {
        let mut refinement = Refinement::default();
        let Some(timing) = Timing::new(problem, interval) else {
            return (None, refinement);
        };
        let limit = |node| problem.latest_start(node, interval);
        let latest = latest_starts(problem.graph, &problem.components, interval, limit);
        if timing
            .earliest
            .iter()
            .zip(&latest)
            .any(|(first, last)| first > last)
        {
            return (None, refinement);
        }
        let quantum = quantum(&problem.options, interval);
        if !fits_quantised(problem, interval, quantum) {
            return (None, refinement);
        }
        let ancestors = Ancestors::new(problem.graph);
        let is_small = problem.graph.len() <= MOST_DISTANCES;
        let distances = is_small
            .then(|| DistanceMatrix::new(problem.graph, &problem.components, interval).ok())
            .flatten();
        let mut state = RoundState::new(problem);
        let mut starts = None;
        for round in 1..=problem.options.max_constraint_iterations {
            refinement.rounds = round;
            let groups = Groups::new(problem, &timing, &state.lifted, &state.promotion);
            let attempt = Attempt::new(problem, &timing, &groups, &ancestors, (interval, quantum));
            let attempt = attempt.in_round(round, &state.held, state.placements);
            let attempt = attempt.with_distances(distances.as_ref());
            let (outcome, placements) = attempt.run(log);
            state.placements = placements;
            match outcome {
                Ok(found) => {
                    refinement.converged = true;
                    starts = Some(found);
                    break;
                }
                Err(blame) if !state.refine(&groups, &blame, (interval, round), log) => break,
                Err(_) => {
                    let last = round == problem.options.max_constraint_iterations;
                    refinement.budget_exceeded = last || placements == 0;
                    if refinement.budget_exceeded {
                        break;
                    }
                }
            }
        }
        refinement.lifted = state.lifted.into_iter().collect();
        (starts, refinement)
    }
}

/// Cycles per row: one, or as many as keep the table below the threshold.
fn quantum(options: &SchedulingOptions, interval: u32) -> u32 {
    match options.rrt_size_threshold {
        0 => 1,
        threshold => interval.div_ceil(threshold),
    }
}

/// Whether the operations fit a quantised table, in which every hold takes whole rows.
fn fits_quantised(problem: &LoopProblem<'_>, interval: u32, quantum: u32) -> bool {
    let mut rows = [0_u64; 65];
    for &(slot, duration) in problem.footprints.iter().flat_map(|print| &print.holds) {
        rows[usize::from(slot)] += u64::from(duration.div_ceil(quantum));
    }
    let most = u64::from(interval.div_ceil(quantum));
    rows.into_iter().all(|needed| needed <= most)
}

/// Refinement state carried from one iteration to the next.
struct RoundState {
    /// Soft constraints that are lifted.
    lifted: BTreeSet<usize>,
    /// Promoted operations, a larger value earlier; 0 for the others.
    promotion: Vec<u32>,
    /// Operations that wait until the others of the next iteration are seated (gate G1).
    held: Vec<bool>,
    /// Placements left at this interval.
    placements: u64,
}

impl RoundState {
    fn new(problem: &LoopProblem<'_>) -> Self {
        let nodes = problem.graph.len();
        let each = u64::from(problem.options.placements_per_operation.max(1));
        Self {
            lifted: BTreeSet::new(),
            promotion: vec![0; nodes],
            held: vec![false; nodes],
            placements: each * nodes as u64,
        }
    }

    /// Changes the constraints after a failed iteration; `false` if there is nothing to change.
    fn refine(
        &mut self,
        groups: &Groups,
        blame: &Blame,
        (interval, round): (u32, u32),
        log: &mut DecisionLog,
    ) -> bool {
        let group = &groups.list[blame.group];
        if let Some(&structure) = group.structures.first() {
            self.lifted.insert(structure);
            log.push(Event::Lifted {
                interval,
                round,
                structure,
            });
            return true;
        }
        let highest = self.promotion.iter().copied().max().unwrap_or(0);
        let is_first = |&node: &usize| highest > 0 && self.promotion[node] == highest;
        if blame.obstacles.is_empty() || group.members.iter().all(is_first) {
            return false;
        }
        for &node in &group.members {
            self.promotion[node] = highest + 1;
        }
        self.held.fill(false);
        for &node in &blame.obstacles {
            self.held[node] = true;
        }
        log.push(Event::Promoted {
            interval,
            round,
            node: blame.node,
        });
        true
    }
}

#[cfg(test)]
mod tests;
