//! Lower bounds hold: an interval that is refuted has no schedule, and neither has a smaller one.

mod common;

use common::families::Family;
use orison_schedule::modulo::packing::packing_bound;
use orison_schedule::modulo::refutation::{is_monotone, least_open};
use orison_schedule::modulo::windows::WindowModel;
use orison_schedule::modulo::{
    DependenceGraph, ExactOutcome, LoopProblem, SchedulingOptions, exact_search, schedule_loop,
};

/// Seeds of each family and size; fewer without optimisation.
const SEEDS: u64 = if cfg!(debug_assertions) { 12 } else { 200 };

/// Windows, against the exact search, on small loops of all families. Above a feasible interval no
/// interval is infeasible.
#[test]
fn no_feasible_interval_is_refuted() {
    let (mut refuted, mut feasible) = (0, 0);
    for size in 4..=14 {
        for seed in 0..SEEDS {
            let family = Family::ALL[seed as usize % Family::ALL.len()];
            let graph = match seed % 3 {
                0 => common::tight_loop(seed + 100, size),
                _ => family.generate(seed, size),
            };
            let (below, above) = compare(&graph, seed);
            refuted += below;
            feasible += above;
        }
    }
    println!("{refuted} refuted, {feasible} feasible");
    assert!(
        refuted > 0 && feasible as u64 > SEEDS * 20,
        "{refuted} {feasible}"
    );
}

fn compare(graph: &DependenceGraph, seed: u64) -> (usize, usize) {
    let problem =
        LoopProblem::new(graph, SchedulingOptions::default()).expect("a schedulable loop");
    let windows = WindowModel::new(&problem);
    let (mut refuted, mut feasible) = (0, 0);
    let bound = problem.bounds.interval();
    let packing = packing_bound(graph, &problem.footprints);
    for interval in bound..bound + 6 {
        let outcome = exact_search(&problem, interval, None, &mut 400_000);
        let is_refuted = windows.refutes(interval, true, &mut 400_000);
        match outcome {
            ExactOutcome::Feasible(_) => {
                assert!(
                    !is_refuted,
                    "seed {seed}: interval {interval} has a schedule"
                );
                assert!(
                    packing <= interval,
                    "seed {seed}: {packing} above {interval}"
                );
                feasible += 1;
            }
            ExactOutcome::Infeasible => {
                assert!(
                    !is_monotone(&problem) || feasible == 0,
                    "seed {seed}: {interval}"
                );
                refuted += usize::from(is_refuted);
            }
            ExactOutcome::Exhausted => {}
        }
    }
    (refuted, feasible)
}

/// No interval of the collection that is known to be feasible is refuted.
#[test]
fn bounds_of_known_loops_are_at_most_their_intervals() {
    for known in common::known_loops() {
        let problem = LoopProblem::new(&known.graph, SchedulingOptions::default()).unwrap();
        let low = problem.bounds.interval();
        let mut work = 500_000;
        let open = least_open(&problem, low, known.optimal_interval + 1, &mut work);
        assert!(open <= known.optimal_interval, "{}: {open}", known.name);
    }
}

/// In loops of 200 operations, for which the exact search is too slow, the bound meets intervals that
/// the search for schedules reaches.
#[test]
fn bounds_of_large_loops_are_at_most_the_intervals_found() {
    let mut raised = 0;
    for family in Family::ALL {
        let graph = family.generate(1, 200);
        let options = SchedulingOptions {
            exact_work: 0,
            ejection_work: 20_000,
            ..SchedulingOptions::default()
        };
        let schedule = schedule_loop(&graph, &options).unwrap();
        let problem = LoopProblem::new(&graph, options).unwrap();
        let low = problem.bounds.interval();
        let open = least_open(&problem, low, schedule.interval + 1, &mut 400_000);
        assert!(open <= schedule.interval, "{family:?}: {open}");
        raised += usize::from(open > low);
    }
    assert!(raised >= 2, "{raised}");
}
