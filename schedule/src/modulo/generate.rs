//! The driver: strategy selection, the upward search of the interval, the choice among schedules of
//! one interval.
//!
//! Source: tileas reference 4.2 (linear search, C3), 4.3 (selection), design section 6.

use super::arms::ArmGenerator;
use super::decisions::{AttemptOutcome, DecisionLog, Event};
use super::exact::{ExactOutcome, exact_search, is_in_range};
use super::graph::DependenceGraph;
use super::improve::{improve, respects_dependences, respects_stage_rules};
use super::interval_search::IntervalSearch;
use super::iterative::attempt;
use super::order::{Timing, seat_orders};
use super::placement::Placement;
use super::problem::{LoopProblem, MAX_INTERVAL, ScheduleError, SchedulingOptions, Strategy};
use super::refutation::least_open;
use super::schedule::{GeneratorKind, Refinement, Schedule, SearchLimit};
use super::schedule_cost::schedule_cost;
use super::serial::serial_starts;

/// Makes a schedule at a given interval. The driver tries generators in a fixed order.
pub trait Generator {
    /// The generator's kind, for summaries and remarks.
    fn kind(&self) -> GeneratorKind;

    /// Start cycles at the interval, or `None` if this generator finds none. A result satisfies
    /// dependences, slots, pools, stage limits and depth groups. The log never changes the result.
    fn generate(
        &self,
        problem: &LoopProblem<'_>,
        interval: u32,
        log: &mut DecisionLog,
    ) -> Option<Vec<i64>>;
}

impl Generator for ArmGenerator {
    fn kind(&self) -> GeneratorKind {
        GeneratorKind::CostBased
    }

    fn generate(
        &self,
        problem: &LoopProblem<'_>,
        interval: u32,
        log: &mut DecisionLog,
    ) -> Option<Vec<i64>> {
        ArmGenerator::run(problem, interval, log).0
    }
}

/// Iterative modulo scheduling over several orders; keeps the best result of an interval.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct IterativeGenerator;

impl Generator for IterativeGenerator {
    fn kind(&self) -> GeneratorKind {
        GeneratorKind::Iterative
    }

    fn generate(
        &self,
        problem: &LoopProblem<'_>,
        interval: u32,
        log: &mut DecisionLog,
    ) -> Option<Vec<i64>> {
        let best = iterate(problem, interval);
        note(log, self.kind(), interval, outcome_of(best.is_some()));
        best
    }
}

fn iterate(problem: &LoopProblem<'_>, interval: u32) -> Option<Vec<i64>> {
    let timing = Timing::new(problem, interval)?;
    let mut best = None;
    for order in seat_orders(problem, &timing, attempts_for(problem.graph.len())) {
        let Some(starts) = attempt(problem, &timing, &order, interval) else {
            continue;
        };
        let starts = improve(problem, interval, &starts);
        if !respects_stage_rules(problem, interval, &starts) {
            continue;
        }
        let kind = GeneratorKind::Iterative;
        let quality = finish(problem, interval, starts.clone(), kind, false).quality(problem.graph);
        if best.as_ref().is_none_or(|(least, _)| quality < *least) {
            best = Some((quality, starts));
        }
        if problem.graph.len() > MANY_OPERATIONS {
            break;
        }
    }
    best.map(|(_, starts)| starts)
}

const fn outcome_of(scheduled: bool) -> AttemptOutcome {
    if scheduled {
        AttemptOutcome::Scheduled
    } else {
        AttemptOutcome::Failed
    }
}

fn note(log: &mut DecisionLog, generator: GeneratorKind, interval: u32, outcome: AttemptOutcome) {
    log.push(Event::Attempt {
        generator,
        interval,
        outcome,
    });
}

/// Above this size the first schedule of an interval is used instead of the best.
const MANY_OPERATIONS: usize = 256;

/// Attempts at one interval: many for small loops, few for large ones, so that the work per
/// interval is about constant.
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
    schedule_loop_logged(graph, options, &mut DecisionLog::off())
}

/// Like [`schedule_loop`], and logs the decisions. The log does not affect the schedule.
///
/// # Errors
/// Those of [`schedule_loop`].
pub fn schedule_loop_logged(
    graph: &DependenceGraph,
    options: &SchedulingOptions,
    log: &mut DecisionLog,
) -> Result<Schedule, ScheduleError> {
    let problem = LoopProblem::new(graph, options.clone())?;
    let serial = match options.strategy {
        Strategy::Serial => true,
        Strategy::Auto => graph.len() < options.serial_threshold,
        Strategy::Fast | Strategy::CostBased => false,
    };
    if serial || graph.is_empty() {
        return serial_schedule(&problem, log);
    }
    Search::new(&problem).run(log)
}

fn serial_schedule(
    problem: &LoopProblem<'_>,
    log: &mut DecisionLog,
) -> Result<Schedule, ScheduleError> {
    let serial = serial_starts(problem)?;
    let proven = serial.interval == problem.bounds.interval();
    let kind = GeneratorKind::Serial;
    note(log, kind, serial.interval, AttemptOutcome::Scheduled);
    Ok(finish(
        problem,
        serial.interval,
        serial.starts,
        kind,
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
    let mut schedule = Schedule::from_starts(interval, starts, problem.bounds, kind, proven);
    schedule.cost = schedule_cost(problem, &schedule);
    schedule
}

/// The search over intervals. Intervals that propagation of the bounds refutes are skipped. If the
/// heuristics have a schedule at the first that is left, its interval is minimal. Otherwise the
/// ejection and exact searches choose the interval, and the best schedule of all generators at it
/// is kept. Without the searches, and under stress, the heuristics go upwards to the first schedule.
struct Search<'s, 'g> {
    problem: &'s LoopProblem<'g>,
    /// Remaining work units of the exact search.
    work: u64,
    /// No schedule exists below this interval.
    low: u32,
    limit: Option<SearchLimit>,
    pace: Pace,
    /// Whether refinement exceeded its budget at any interval.
    budget_exceeded: bool,
}

impl<'s, 'g> Search<'s, 'g> {
    fn new(problem: &'s LoopProblem<'g>) -> Self {
        let options = &problem.options;
        let exact = options.strategy != Strategy::Fast && options.random_delay.is_none();
        Self {
            problem,
            work: if exact { options.exact_work } else { 0 },
            low: problem.bounds.interval(),
            limit: None,
            pace: Pace::new(problem),
            budget_exceeded: false,
        }
    }

    fn run(mut self, log: &mut DecisionLog) -> Result<Schedule, ScheduleError> {
        let problem = self.problem;
        let options = &problem.options;
        let in_order = serial_starts(problem);
        let serial = in_order
            .as_ref()
            .map_or(MAX_INTERVAL, |serial| serial.interval);
        let limit = options.max_interval.unwrap_or(u32::MAX);
        let cap = limit.min(serial);
        if self.work > 0 {
            let open = least_open(problem, self.low, cap.saturating_add(1), &mut self.work);
            if open > self.low {
                note(log, GeneratorKind::Exact, open - 1, AttemptOutcome::Refuted);
            }
            self.low = open;
        }
        let mut interval = self.low;
        let mut heuristic = None;
        if interval <= cap {
            heuristic = self.at(interval, log);
        }
        if heuristic.is_none() && interval <= cap {
            let in_order = in_order.ok().filter(|serial| serial.interval == cap);
            let starts = in_order.map(|serial| serial.starts);
            if let Some(found) = self.search(cap, starts, log) {
                return Ok(found);
            }
        }
        while heuristic.is_none() && interval < cap {
            interval = interval.saturating_add(self.pace.step()).min(cap);
            heuristic = self.at(interval, log);
        }
        if let Some(found) = heuristic {
            return Ok(self.concluded(found));
        }
        if options.strategy == Strategy::CostBased && limit < serial {
            return Err(problem.refusal(limit));
        }
        let mut found = serial_schedule(problem, log)?;
        found.refinement.budget_exceeded = self.budget_exceeded;
        Ok(self.concluded(found))
    }

    /// The ejection and exact searches, and then every generator at the interval they choose;
    /// `None` if they find nothing or are turned off.
    fn search(
        &mut self,
        cap: u32,
        serial: Option<Vec<i64>>,
        log: &mut DecisionLog,
    ) -> Option<Schedule> {
        let problem = self.problem;
        let options = &problem.options;
        let is_off = options.strategy == Strategy::Fast || options.random_delay.is_some();
        let is_exact = self.work > 0 && is_in_range(problem);
        if is_off || (options.ejection_work == 0 && !is_exact) {
            return None;
        }
        let mut search = IntervalSearch::new(problem, self.low, self.work);
        search.run(cap, serial);
        (self.work, self.low, self.limit) = (search.exact_work, search.low, search.limit);
        // A loop beyond the range of the searches is left to the heuristics.
        let is_searched = search.limit != Some(SearchLimit::Size);
        let found = |kind: GeneratorKind| is_searched || kind != GeneratorKind::Serial;
        let (interval, kind, starts) = search.best.filter(|best| found(best.1))?;
        let starts = improve(problem, interval, &starts);
        if !admissible(problem, interval, &starts) {
            note(log, kind, interval, AttemptOutcome::Exhausted);
            return None;
        }
        note(log, kind, interval, AttemptOutcome::Scheduled);
        let searched = fewer_stages(problem, self.finish(interval, starts, kind), self.work);
        let found = better(problem, self.at(interval, log), Some(searched))?;
        Some(self.concluded(found))
    }

    /// Records what is proven.
    fn concluded(&self, mut found: Schedule) -> Schedule {
        found.proven = found.interval <= self.low;
        found.lower_bound = self.low.min(found.interval);
        found.limit = match self.limit {
            _ if found.proven => None,
            Some(limit) => Some(limit),
            None => Some(SearchLimit::Disabled),
        };
        found
    }

    /// All generators at one interval.
    fn at(&mut self, interval: u32, log: &mut DecisionLog) -> Option<Schedule> {
        let problem = self.problem;
        let (starts, refinement) = ArmGenerator::run(problem, interval, log);
        let outcome = outcome_of(starts.is_some());
        note(log, GeneratorKind::CostBased, interval, outcome);
        self.budget_exceeded |= refinement.budget_exceeded;
        let stress = problem.options.random_delay.is_some();
        let arms = starts
            .map(|starts| {
                if stress {
                    in_first_stage(interval, starts)
                } else {
                    improve(problem, interval, &starts)
                }
            })
            .filter(|starts| respects_stage_rules(problem, interval, starts))
            .map(|starts| self.finish(interval, starts, GeneratorKind::CostBased));
        // The stress option needs the delayed schedule, and large loops use the first.
        let enough = arms.is_some() && (stress || problem.graph.len() > MANY_OPERATIONS);
        let other = if enough {
            None
        } else {
            let starts = IterativeGenerator.generate(problem, interval, log);
            starts.map(|starts| self.finish(interval, starts, GeneratorKind::Iterative))
        };
        let found = match better(problem, arms, other) {
            Some(found) if stress => Some(found),
            found => found.map(|found| fewer_stages(problem, found, self.work)),
        };
        found.map(|mut found| {
            found.refinement = Refinement {
                budget_exceeded: self.budget_exceeded,
                ..refinement
            };
            found
        })
    }

    fn finish(&self, interval: u32, starts: Vec<i64>, kind: GeneratorKind) -> Schedule {
        finish(self.problem, interval, starts, kind, interval == self.low)
    }
}

/// The same starts, shifted by whole intervals so that the earliest is in stage 0.
fn in_first_stage(interval: u32, mut starts: Vec<i64>) -> Vec<i64> {
    let length = i64::from(interval);
    let least = starts.iter().copied().min().unwrap_or(0);
    let whole = least.div_euclid(length) * length;
    starts.iter_mut().for_each(|start| *start -= whole);
    starts
}

/// The better of two schedules of one interval; the first among equals.
fn better(
    problem: &LoopProblem<'_>,
    first: Option<Schedule>,
    second: Option<Schedule>,
) -> Option<Schedule> {
    match (first, second) {
        (Some(first), Some(second)) => {
            let keep = first.quality(problem.graph) <= second.quality(problem.graph);
            Some(if keep { first } else { second })
        }
        (first, second) => first.or(second),
    }
}

/// Whether every operation can be seated at its given start and all stage rules hold.
fn admissible(problem: &LoopProblem<'_>, interval: u32, starts: &[i64]) -> bool {
    let mut placement = Placement::new(problem, interval);
    respects_stage_rules(problem, interval, starts)
        && respects_dependences(problem, interval, starts)
        && starts
            .iter()
            .enumerate()
            .all(|(node, &start)| placement.seat(node, start).is_ok())
}

/// Searches for a schedule of the same interval with fewer stages, down to what the longest path
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
        let outcome = exact_search(problem, interval, Some(best.stage_count - 1), &mut left);
        let ExactOutcome::Feasible(starts) = outcome else {
            break;
        };
        let starts = improve(problem, interval, &starts);
        let found = finish(problem, interval, starts, GeneratorKind::Exact, best.proven);
        if !admissible(problem, interval, &found.starts) || found.stage_count >= best.stage_count {
            break;
        }
        best = found;
    }
    best
}

/// The step after an interval that remains undecided. Small loops advance by one. Large loops
/// advance by about a thousandth of the bound, doubled after every second failure, so that attempts
/// stay logarithmic in the gap; their result is not claimed to be minimal.
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
