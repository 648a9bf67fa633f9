//! Raises the lower bound of the interval by refuting larger ones.
//!
//! A schedule of an interval is one of the next larger interval after an empty row is added at the end
//! of every stage: operations keep their stages, the distance from one operation to a later one does not
//! shrink, and a row that is added has nothing but what runs across the end of a stage. Only a
//! dependence of negative latency may break, where an operation starts a stage before the one it
//! depends on. Without such dependences a refuted interval refutes all smaller ones.

use super::exact::{is_in_range, refuted_by_bounds};
use super::packing::packing_bound;
use super::problem::LoopProblem;
use super::windows::WindowModel;

/// Whether a refuted interval refutes all smaller ones.
#[must_use]
pub fn is_monotone(problem: &LoopProblem<'_>) -> bool {
    let mut edges = problem.graph.edges().iter();
    edges.all(|edge| edge.latency >= 0)
}

/// Part of the exact work that windows are probed with, where the exact search has use for the rest and
/// where it has not.
const PROBING_SHARES: [u64; 2] = [4, 2];

/// The least interval from `low` to `end` that is not refuted, first by packing, then by propagation
/// alone, then with probing. `work` is reduced by the work of probing; propagation is limited by it.
#[must_use]
pub fn least_open(problem: &LoopProblem<'_>, low: u32, end: u32, work: &mut u64) -> u32 {
    let packing = packing_bound(problem.graph, &problem.footprints);
    let low = low.max(packing.min(end));
    let windows = WindowModel::new(problem);
    let by_propagation = |interval: u32, work: &mut u64| {
        refuted_by_bounds(problem, interval) || windows.refutes(interval, false, work)
    };
    let mut left = *work;
    let low = ascend(problem, low, end, &mut left, by_propagation);
    let share = *work / PROBING_SHARES[usize::from(!is_in_range(problem))];
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

#[cfg(test)]
mod tests {
    use super::super::generate::schedule_loop;
    use super::super::graph::{DependenceGraph, Edge, EdgeKind, Node, ResourceSpace};
    use super::super::problem::SchedulingOptions;
    use super::super::{ExactOutcome, exact_search};
    use super::*;

    /// 1 starts at 22 or later, and 2 in its stage. 3 is in stage 0, at most 11 cycles before 2. At an
    /// interval of 8 to 10 the stage of 1 is the second, which begins at most at 20: 3 starts at 9. At 11
    /// it begins at 22, and 3 would start at 11, in stage 1. At 12 operation 1 can be in stage 1.
    fn loop_with_a_gap() -> DependenceGraph {
        let mut nodes = vec![Node::new("op", 1, Vec::new()); 4];
        nodes[1].constraints.group = Some(0);
        nodes[2].constraints.group = Some(0);
        nodes[3].constraints.max_depth = Some(0);
        let edge = |from, to, latency| Edge {
            from,
            to,
            latency,
            distance: 0,
            kind: EdgeKind::Data,
        };
        let edges = vec![edge(0, 1, 22), edge(2, 3, -11)];
        DependenceGraph::new(ResourceSpace::default(), nodes, edges).unwrap()
    }

    #[test]
    fn a_negative_latency_may_exclude_a_larger_interval_only() {
        let graph = loop_with_a_gap();
        let problem = LoopProblem::new(&graph, SchedulingOptions::default()).unwrap();
        assert!(!is_monotone(&problem));
        let feasible = |interval: u32| {
            let outcome = exact_search(&problem, interval, None, &mut 100_000);
            matches!(outcome, ExactOutcome::Feasible(_))
        };
        let open: Vec<u32> = (7..13).filter(|&interval| feasible(interval)).collect();
        assert_eq!(open, [8, 9, 10, 12]);
        let schedule = schedule_loop(&graph, &SchedulingOptions::default()).unwrap();
        assert_eq!((schedule.interval, schedule.proven), (8, true));
    }
}
