//! The driver: strategy selection, the upward search of the interval, the choice among schedules
//! of one interval.
//!
//! Source: tileas reference 4.2 (linear search, C3), 4.3 (selection), design section 6.

use super::graph::DependenceGraph;
use super::iterative::attempt;
use super::order::{Timing, seat_orders};
use super::problem::{LoopProblem, ScheduleError, SchedulingOptions, Strategy};
use super::schedule::{GeneratorKind, Schedule};
use super::serial::serial_starts;
use super::settle::{respects_stage_rules, settle};

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

fn search_interval(problem: &LoopProblem<'_>) -> Result<Schedule, ScheduleError> {
    let lower = problem.bounds.interval();
    let serial = serial_starts(problem);
    let serial_interval = serial
        .as_ref()
        .map_or(super::problem::MAX_INTERVAL, |s| s.interval);
    let cap = problem
        .options
        .max_interval
        .unwrap_or(u32::MAX)
        .min(serial_interval);
    for interval in lower..=cap {
        if let Some(starts) = IterativeGenerator.generate(problem, interval) {
            let kind = GeneratorKind::Iterative;
            return Ok(finish(problem, interval, starts, kind, interval == lower));
        }
    }
    serial_schedule(problem)
}
