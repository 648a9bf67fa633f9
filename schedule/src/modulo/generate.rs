//! The driver: strategy selection, the upward search of the interval, the choice among schedules
//! of one interval.
//!
//! Source: tileas reference 4.2 (linear search, C3), 4.3 (selection), design section 6.

use super::exact::{self, ExactOutcome, exact_search};
use super::graph::DependenceGraph;
use super::iterative::attempt;
use super::order::{Timing, seat_orders};
use super::placement::Placement;
use super::problem::{LoopProblem, MAX_INTERVAL, ScheduleError, SchedulingOptions, Strategy};
use super::schedule::{GeneratorKind, Schedule};
use super::serial::serial_starts;
use super::settle::{respects_dependences, respects_stage_rules, settle};

/// A way to make a schedule at a given interval. The driver asks generators in a fixed order;
/// the arms of the page (permute, fuse, retry, cost) plug in here.
pub trait Generator {
    /// What it is called in summaries and remarks.
    fn kind(&self) -> GeneratorKind;

    /// Start cycles at the interval, or `None` when this generator finds none. A result obeys
    /// dependences, slots, pools, stage limits and depth groups.
    fn generate(&self, problem: &LoopProblem<'_>, interval: u32) -> Option<Vec<i64>>;
}

/// Iterative modulo scheduling over several orders; keeps the best result of an interval.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct IterativeGenerator;

impl Generator for IterativeGenerator {
    fn kind(&self) -> GeneratorKind {
        GeneratorKind::Iterative
    }

    fn generate(&self, problem: &LoopProblem<'_>, interval: u32) -> Option<Vec<i64>> {
        let timing = Timing::new(problem, interval)?;
        let mut best: Option<(super::Quality, Vec<i64>)> = None;
        for order in seat_orders(problem, &timing, attempts_for(problem.graph.len())) {
            let Some(starts) = attempt(problem, &timing, &order, interval) else {
                continue;
            };
            let starts = settle(problem, interval, &starts);
            if !respects_stage_rules(problem, interval, &starts) {
                continue;
            }
            let quality = finish(problem, interval, starts.clone(), self.kind(), false)
                .quality(problem.graph);
            if best.as_ref().is_none_or(|(least, _)| quality < *least) {
                best = Some((quality, starts));
            }
            if problem.graph.len() > MANY_OPERATIONS {
                break;
            }
        }
        best.map(|(_, starts)| starts)
    }
}

/// Above this size the first schedule of an interval is taken instead of the best.
const MANY_OPERATIONS: usize = 256;

/// Attempts at one interval: many for small loops, few for large ones, so that an interval costs
/// about the same work whatever the size.
fn attempts_for(nodes: usize) -> usize {
    (4096 / nodes.max(1)).clamp(2, 16)
}

/// Schedules a loop body.
///
/// # Errors
/// [`ScheduleError`]: a dependence cycle that no interval satisfies, an interval beyond the
/// reservation table's size, or constraints that leave no schedule.
pub fn schedule_loop(
    graph: &DependenceGraph,
    options: &SchedulingOptions,
) -> Result<Schedule, ScheduleError> {
    let problem = LoopProblem::new(graph, options.clone())?;
    let serial = match options.strategy {
        Strategy::Serial => true,
        Strategy::Auto => graph.len() < options.serial_threshold,
        Strategy::Fast | Strategy::CostBased => false,
    };
    if serial || graph.is_empty() {
        return serial_schedule(&problem);
    }
    search_interval(&problem)
}

fn serial_schedule(problem: &LoopProblem<'_>) -> Result<Schedule, ScheduleError> {
    let serial = serial_starts(problem)?;
    let proven = serial.interval == problem.bounds.interval();
    Ok(finish(
        problem,
        serial.interval,
        serial.starts,
        GeneratorKind::Serial,
        proven,
    ))
}

fn finish(
    problem: &LoopProblem<'_>,
    interval: u32,
    starts: Vec<i64>,
    kind: GeneratorKind,
    proven: bool,
) -> Schedule {
    Schedule::from_starts(interval, starts, problem.bounds, kind, proven)
}

/// Walks the interval upwards. At each interval the bounds are propagated once, which refutes most
/// hopeless intervals; then the iterative scheduler tries; then the exact search decides, as far
/// as its budget goes. Every interval below the result that was refuted keeps it proven.
fn search_interval(problem: &LoopProblem<'_>) -> Result<Schedule, ScheduleError> {
    let options = &problem.options;
    let exact = options.strategy != Strategy::Fast && options.exact_work > 0;
    let mut work = if exact { options.exact_work } else { 0 };
    let serial_interval = serial_starts(problem).map_or(MAX_INTERVAL, |serial| serial.interval);
    let cap = options
        .max_interval
        .unwrap_or(u32::MAX)
        .min(serial_interval);
    let mut proven = true;
    let mut pace = Pace::new(problem);
    let mut interval = problem.bounds.interval();
    while interval <= cap {
        if exact && exact::refuted_by_bounds(problem, interval) {
            interval += 1;
            continue;
        }
        if let Some(starts) = IterativeGenerator.generate(problem, interval) {
            let found = finish(problem, interval, starts, GeneratorKind::Iterative, proven);
            return Ok(fewer_stages(problem, found, work));
        }
        match decide(problem, interval, exact, &mut work) {
            Decision::Found(starts) => {
                let found = finish(problem, interval, starts, GeneratorKind::Exact, proven);
                return Ok(fewer_stages(problem, found, work));
            }
            Decision::Refuted => {}
            Decision::Open => proven = false,
        }
        interval += if proven { 1 } else { pace.step() };
    }
    serial_schedule(problem)
}

/// What is known about an interval.
enum Decision {
    Found(Vec<i64>),
    Refuted,
    Open,
}

/// The exact search with a quarter of what is left of the whole budget. A result that breaks a
/// pool, a stage limit or a depth group, which the search does not model, decides nothing.
fn decide(problem: &LoopProblem<'_>, interval: u32, exact: bool, work: &mut u64) -> Decision {
    if !exact {
        return Decision::Open;
    }
    let share = (problem.options.exact_work / 4).min(*work);
    let mut left = share;
    let outcome = exact_search(problem, interval, None, &mut left);
    *work -= share - left;
    match outcome {
        ExactOutcome::Infeasible => Decision::Refuted,
        ExactOutcome::Exhausted => Decision::Open,
        ExactOutcome::Feasible(starts) => {
            let starts = settle(problem, interval, &starts);
            if admissible(problem, interval, &starts) {
                Decision::Found(starts)
            } else {
                Decision::Open
            }
        }
    }
}

/// Whether every operation can be seated as given and all stage rules hold.
fn admissible(problem: &LoopProblem<'_>, interval: u32, starts: &[i64]) -> bool {
    let mut placement = Placement::new(problem, interval);
    respects_stage_rules(problem, interval, starts)
        && respects_dependences(problem, interval, starts)
        && starts
            .iter()
            .enumerate()
            .all(|(node, &start)| placement.seat(node, start).is_ok())
}

/// Looks for a schedule of the same interval with fewer stages, down to what the longest path
/// needs. Uses at most an eighth of the exact budget.
fn fewer_stages(problem: &LoopProblem<'_>, mut best: Schedule, work: u64) -> Schedule {
    let interval = best.interval;
    let mut left = work.min(problem.options.exact_work / 8);
    let Some(timing) = Timing::new(problem, interval) else {
        return best;
    };
    let least = timing
        .earliest
        .iter()
        .max()
        .map_or(1, |last| 1 + last / i64::from(interval));
    while i64::from(best.stage_count) > least && left > 0 {
        let span = i64::from(best.stage_count - 1) * i64::from(interval) - 1;
        let outcome = exact_search(problem, interval, Some(span), &mut left);
        let ExactOutcome::Feasible(starts) = outcome else {
            break;
        };
        let starts = settle(problem, interval, &starts);
        let found = finish(problem, interval, starts, GeneratorKind::Exact, best.proven);
        if !admissible(problem, interval, &found.starts) || found.stage_count >= best.stage_count {
            break;
        }
        best = found;
    }
    best
}

/// How far to go after an interval that stays undecided. Small loops go one by one. Large loops
/// take steps of about a thousandth of the bound, doubled after every second failure, so that
/// attempts stay logarithmic in the gap; their result is not claimed to be minimal.
struct Pace {
    unit: Option<u32>,
    failures: u32,
}

impl Pace {
    fn new(problem: &LoopProblem<'_>) -> Self {
        let large = problem.graph.len() > MANY_OPERATIONS;
        Self {
            unit: large.then(|| problem.bounds.interval().div_ceil(1024)),
            failures: 0,
        }
    }

    fn step(&mut self) -> u32 {
        self.failures += 1;
        self.unit.map_or(1, |unit| {
            unit.saturating_mul(1 << (self.failures / 2).min(20))
        })
    }
}
