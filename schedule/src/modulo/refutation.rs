//! Raises the lower bound of the interval by refuting larger ones.
//!
//! A schedule of an interval is one of the next larger interval after an empty row is added at the end
//! of every stage: operations keep their stages, the distance from one operation to a later one does not
//! shrink, and a row that is added has nothing but what runs across the end of a stage. Only a
//! dependence of negative latency may break, where an operation starts a stage before the one it
//! depends on. Without such dependences a refuted interval refutes all smaller ones.

use super::exact::refuted_by_bounds;
use super::problem::LoopProblem;
use super::windows::WindowModel;

/// Whether a refuted interval refutes all smaller ones.
#[must_use]
pub fn is_monotone(problem: &LoopProblem<'_>) -> bool {
    let mut edges = problem.graph.edges().iter();
    edges.all(|edge| edge.latency >= 0)
}

/// Part of the exact work that windows are probed with.
const PROBING_SHARE: u64 = 2;

/// The least interval from `low` to `end` that is not refuted, first by propagation alone, then with
/// probing. `work` is reduced by the work of probing; propagation is limited by it.
#[must_use]
pub fn least_open(problem: &LoopProblem<'_>, low: u32, end: u32, work: &mut u64) -> u32 {
    let windows = WindowModel::new(problem);
    let by_propagation = |interval: u32, work: &mut u64| {
        refuted_by_bounds(problem, interval) || windows.refutes(interval, false, work)
    };
    let mut left = *work;
    let low = ascend(problem, low, end, &mut left, by_propagation);
    let share = *work / PROBING_SHARE;
    let mut left = share;
    let by_probing = |interval: u32, work: &mut u64| {
        let mut slice = (*work).min(share / 4);
        let before = slice;
        let refuted = windows.refutes(interval, true, &mut slice);
        *work -= before - slice;
        refuted
    };
    let low = ascend(problem, low, end, &mut left, by_probing);
    *work -= share - left;
    low
}

/// The least interval from `low` to `end` that is not refuted. If refutations reach down, steps grow as
/// long as intervals are refuted, and shrink to 1 after one that is not.
fn ascend(
    problem: &LoopProblem<'_>,
    mut low: u32,
    end: u32,
    work: &mut u64,
    mut refuted: impl FnMut(u32, &mut u64) -> bool,
) -> u32 {
    let may_leap = is_monotone(problem);
    let (mut step, mut is_growing) = (1, may_leap);
    while low < end && *work > 0 {
        let interval = low.saturating_add(step - 1).min(end - 1);
        if refuted(interval, work) {
            low = interval + 1;
            if is_growing {
                step = step.saturating_mul(2);
            }
        } else if step == 1 {
            return low;
        } else {
            is_growing = false;
            step = step.div_ceil(2);
        }
    }
    low
}
