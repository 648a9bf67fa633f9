//! Ejection search at one interval: finds a schedule, at any size, but never proves that there is
//! none.
//!
//! The state is a set of operations with starts that violate nothing. An operation that waits is
//! seated at the cycle that ejects the least weight of others, which then wait themselves. Each time
//! an operation has to be seated again its weight grows, so that the operations that are hard to
//! seat displace the others. The cost of all cycles is computed at once, by prefix sums over
//! the rows. A search has several rounds; each begins with the hint moved to other rows, because
//! ejections seldom move all operations against the first cycle of an iteration, which matters to
//! stage limits and groups.
//!
//! Source: guided ejection search (Nagata and Bräysy, A powerful route minimization heuristic for
//! the vehicle routing problem with time windows, 2009), applied to the starts of an iterative
//! modulo scheduler.

mod pools;
mod rivals;
mod state;

pub use rivals::Rivals;

use super::coupling::{Coupling, NoCoupling};
use super::problem::LoopProblem;
use state::State;

/// The outcome of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EjectionOutcome {
    /// Starts that satisfy everything.
    Found(Vec<i64>),
    /// Dependences, stage limits and groups contradict each other: no schedule exists.
    Infeasible,
    /// The work ran out, or values exceed the range of the search.
    Exhausted,
}

/// Work of the shortest round, in units for each pair of operations.
const ROUND_WORK: u64 = 256;

/// Lengths of consecutive rounds, in shortest rounds: some loops need many beginnings, others a
/// long search.
const ROUND_LENGTHS: [u64; 6] = [1, 1, 2, 1, 1, 4];

/// Searches for starts at an interval. `hint` are starts to begin with, such as a schedule of a
/// larger interval. `work` is reduced by the work done; a unit is one row, one rival or one
/// distance examined.
#[must_use]
pub fn ejection_search(
    problem: &LoopProblem<'_>,
    rivals: &Rivals,
    interval: u32,
    hint: &[i64],
    work: &mut u64,
) -> EjectionOutcome {
    ejection_search_seeded(problem, rivals, interval, hint, 0, work)
}

/// Like [`ejection_search`], with random choices that differ between seeds.
#[must_use]
pub fn ejection_search_seeded(
    problem: &LoopProblem<'_>,
    rivals: &Rivals,
    interval: u32,
    hint: &[i64],
    seed: u64,
    work: &mut u64,
) -> EjectionOutcome {
    let coupling = match Coupling::new(problem, interval) {
        Ok(coupling) => coupling,
        Err(NoCoupling::Contradiction) => return EjectionOutcome::Infeasible,
        Err(NoCoupling::Range) => return EjectionOutcome::Exhausted,
    };
    let size = problem.graph.len() as u64;
    let mut state = State::new(problem, rivals, &coupling, interval, seed);
    for (round, length) in (0..).zip(ROUND_LENGTHS.into_iter().cycle()) {
        if *work == 0 {
            break;
        }
        let given = (length * ROUND_WORK * size * size).max(1 << 20).min(*work);
        let mut left = given;
        let hint = rotated(hint, interval, round);
        let found = state.round(&hint, &mut left);
        *work -= (given - left).max(1);
        if found {
            let mut starts = state.starts();
            coupling.delay_clusters(problem, interval, &mut starts);
            return EjectionOutcome::Found(starts);
        }
    }
    EjectionOutcome::Exhausted
}

/// The hint of a round: later by a part of an interval that differs between any rounds (multiples
/// of the golden ratio).
fn rotated(hint: &[i64], interval: u32, round: u64) -> Vec<i64> {
    let shift = u64::from(interval) * (round % 1000 * 618 % 1000) / 1000;
    hint.iter().map(|start| start + shift as i64).collect()
}

#[cfg(test)]
mod tests;
