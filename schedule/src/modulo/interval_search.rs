//! The search for the smallest interval: the lower bound itself, then downwards from the best
//! schedule, with refutation from below.
//!
//! A failure of a search excludes no interval; only a refutation does, and it excludes the smaller ones
//! too unless a dependence has a negative latency (see [`super::refutation`]).

use super::ejection::{EjectionOutcome, Rivals, ejection_search_seeded};
use super::exact::{ExactOutcome, exact_search};
use super::learning::learning_search;
use super::order::Timing;
use super::problem::LoopProblem;
use super::refutation::is_monotone;
use super::schedule::{GeneratorKind, SearchLimit};

/// The first operations get twice the work, because small loops are cheap.
const DOUBLE_WORK: u64 = 100;

/// Operations beyond these get a third of the work: a loop of 1,600 operations takes seconds.
const FULL_WORK: u64 = 400;

/// The exact work of 100 operations for a unit of the search with learning, for each operation: a unit
/// takes about a microsecond.
const LEARNING_SHARE: u64 = 1_500;

/// The search of one loop.
pub(super) struct IntervalSearch<'s, 'g> {
    problem: &'s LoopProblem<'g>,
    rivals: Option<Rivals>,
    /// Work of the ejection search in all, and what is left of it.
    total: u64,
    ejection_work: u64,
    /// Work left of the exact search.
    pub exact_work: u64,
    /// No schedule exists below this interval.
    pub low: u32,
    /// The best schedule: interval, generator and starts.
    pub best: Option<(u32, GeneratorKind, Vec<i64>)>,
    /// Whether a refuted interval refutes all smaller ones.
    is_monotone: bool,
    /// What ended the proof of a lower bound.
    pub limit: Option<SearchLimit>,
}

impl<'s, 'g> IntervalSearch<'s, 'g> {
    /// Prepares a search from a proven lower bound.
    pub fn new(problem: &'s LoopProblem<'g>, low: u32, exact_work: u64) -> Self {
        let size = problem.graph.len() as u64;
        let per_operation = problem.options.ejection_work;
        let shares =
            size.min(DOUBLE_WORK) + size.min(FULL_WORK) + size.saturating_sub(FULL_WORK) / 3;
        let total = per_operation.saturating_mul(shares);
        Self {
            problem,
            rivals: Rivals::new(problem),
            total,
            ejection_work: total,
            exact_work,
            low,
            best: None,
            is_monotone: is_monotone(problem),
            limit: None,
        }
    }

    /// Searches up to an interval. `serial` are the starts of the serial schedule, if that interval
    /// allows it.
    pub fn run(&mut self, cap: u32, serial: Option<Vec<i64>>) {
        self.try_bound(cap);
        if self.best.is_none() {
            self.best = serial.map(|starts| (cap, GeneratorKind::Serial, starts));
        }
        if self.best.is_none() && self.low < cap {
            // The serial schedule is above the limit: begin at the limit.
            let hint = self.earliest(cap);
            let _ = self.eject(cap, &hint, 0, self.total / 8);
        }
        self.refute();
        self.descend();
        self.finish_exactly();
        self.learn();
        if self.rivals.is_none() && !self.is_done() {
            self.limit = Some(SearchLimit::Size);
        }
    }

    fn is_done(&self) -> bool {
        self.best.as_ref().is_some_and(|best| best.0 == self.low)
    }

    /// Ejection search at the lower bound, which wide loops often reach, from the earliest starts.
    fn try_bound(&mut self, cap: u32) {
        while self.low <= cap {
            let (low, slice) = (self.low, self.total / 16);
            let hint = self.earliest(low);
            if self.eject(low, &hint, 0, slice) || self.low == low {
                return;
            }
        }
    }

    /// The earliest starts at an interval; all 0 below the recurrence bound.
    fn earliest(&self, interval: u32) -> Vec<i64> {
        let timing = Timing::new(self.problem, interval);
        timing.map_or_else(
            || vec![0; self.problem.graph.len()],
            |timing| timing.earliest,
        )
    }

    /// Ejection search at one interval; true if it found a schedule.
    fn eject(&mut self, interval: u32, hint: &[i64], seed: u64, slice: u64) -> bool {
        let Some(rivals) = &self.rivals else {
            return false;
        };
        let given = slice.min(self.ejection_work);
        let mut left = given;
        let outcome = ejection_search_seeded(self.problem, rivals, interval, hint, seed, &mut left);
        self.ejection_work -= given - left;
        match outcome {
            EjectionOutcome::Found(starts) => {
                self.best = Some((interval, GeneratorKind::Ejection, starts));
                true
            }
            EjectionOutcome::Infeasible => {
                // Bounds that contradict each other do so at every smaller interval.
                self.low = self.low.max(interval + 1);
                false
            }
            EjectionOutcome::Exhausted => {
                if given > 0 && left == given {
                    // It did not begin: distances exceed its range, at other intervals, too.
                    self.ejection_work = 0;
                    self.limit = Some(SearchLimit::Size);
                }
                false
            }
        }
    }

    /// Whether the interval is below that of the best schedule.
    fn is_open(&self, interval: u32) -> bool {
        self.best.as_ref().is_none_or(|best| interval < best.0)
    }

    /// Exact search from the lower bound up. If a refuted interval refutes all smaller ones, steps
    /// grow as long as it refutes, and shrink where it runs out of its share of the work.
    fn refute(&mut self) {
        let (mut step, mut is_growing) = (1, self.is_monotone);
        while let Some(best) = self.best.as_ref().map(|best| best.0)
            && self.low < best
        {
            let interval = (self.low + step - 1).min(best - 1);
            let share = match step {
                // Nothing else is left to decide.
                1 if interval + 1 == best => self.exact_work,
                1 => self.exact_work / 2,
                _ => self.exact_work / 8,
            };
            match self.decide(interval, share) {
                ExactOutcome::Infeasible if is_growing => step *= 2,
                ExactOutcome::Infeasible => {}
                ExactOutcome::Feasible(_) | ExactOutcome::Exhausted if step == 1 => return,
                ExactOutcome::Feasible(_) | ExactOutcome::Exhausted => {
                    is_growing = false;
                    step /= 2;
                }
            }
        }
    }

    /// Exact search at one interval; keeps the schedule found.
    fn decide(&mut self, interval: u32, share: u64) -> ExactOutcome {
        if share == 0 {
            let limit = match self.problem.options.exact_work {
                0 => SearchLimit::Disabled,
                _ => SearchLimit::Work,
            };
            self.limit.get_or_insert(limit);
            return ExactOutcome::Exhausted;
        }
        let mut left = share;
        let outcome = exact_search(self.problem, interval, None, &mut left);
        self.exact_work -= share - left;
        match &outcome {
            ExactOutcome::Feasible(starts) if self.is_open(interval) => {
                self.best = Some((interval, GeneratorKind::Exact, starts.clone()));
            }
            ExactOutcome::Infeasible if self.is_monotone || interval == self.low => {
                self.low = self.low.max(interval + 1);
            }
            ExactOutcome::Exhausted => {
                let limit = if left == share {
                    SearchLimit::Size
                } else {
                    SearchLimit::Work
                };
                self.limit.get_or_insert(limit);
            }
            _ => {}
        }
        outcome
    }

    /// Ejection search below the best schedule: by half of the gap to the bounds, by half as much
    /// after each failure, but not below the lower bound. The last step gets half of the work that is
    /// left each time; after a failure at it, random choices and every other beginning differ.
    fn descend(&mut self) {
        let bound = self.problem.bounds.interval();
        let mut step = u32::MAX;
        let mut repeats = 0;
        while !self.is_done() && self.ejection_work > self.total / 64 {
            let Some((interval, _, starts)) = &self.best else {
                return;
            };
            step = step.min((interval - bound).div_ceil(2));
            let target = (interval - step).max(self.low);
            let hint = if step > interval / 8 || repeats % 2 == 1 {
                self.earliest(target)
            } else {
                scaled(starts, *interval, target)
            };
            let slice = match step {
                1 => self.ejection_work / 2,
                _ => self.total / 24,
            };
            if self.eject(target, &hint, repeats, slice.max(self.total / 64)) {
                repeats = 0;
            } else {
                repeats += u64::from(step == 1);
                step = (step / 2).max(1);
            }
        }
    }

    /// The rest of the exact work, directly below the best schedule.
    fn finish_exactly(&mut self) {
        while !self.is_done() && self.exact_work > 0 {
            let Some((interval, ..)) = self.best else {
                return;
            };
            let target = interval - 1;
            match self.decide(target, self.exact_work) {
                ExactOutcome::Feasible(_) => {}
                _ => return,
            }
        }
    }

    /// Search with learning: directly below the best schedule, further below as long as schedules are
    /// found, and then upwards by halves of the gap, because smaller intervals are refuted sooner.
    fn learn(&mut self) {
        let operations = (self.problem.graph.len() as u64).clamp(100, 400);
        let mut work = self.problem.options.exact_work.saturating_mul(operations) / LEARNING_SHARE;
        let (mut step, mut end) = (1, u32::MAX);
        while let Some(best) = self.best.as_ref().map(|best| best.0)
            && self.low < best.min(end)
            && work > 1
        {
            let gap = best.min(end) - self.low;
            let target = match end {
                u32::MAX => best - step.min(gap),
                _ => self.low + gap / 2,
            };
            let share = work / 2;
            let mut left = share;
            let outcome = learning_search(self.problem, target, &mut left);
            work -= share - left;
            if left < share {
                self.limit = Some(SearchLimit::Work);
            }
            match outcome {
                ExactOutcome::Feasible(starts) => {
                    self.best = Some((target, GeneratorKind::Exact, starts));
                    step *= 2;
                }
                ExactOutcome::Infeasible if self.is_monotone || target == self.low => {
                    self.low = target + 1;
                    step = 1;
                }
                ExactOutcome::Infeasible => return,
                ExactOutcome::Exhausted if step > 1 => step = 1,
                ExactOutcome::Exhausted => end = target,
            }
        }
    }
}

/// The starts of a schedule in proportion to a smaller interval: their order is preserved, and the
/// search seats operations in that order.
fn scaled(starts: &[i64], from: u32, to: u32) -> Vec<i64> {
    let scale = |start: &i64| start * i64::from(to) / i64::from(from);
    starts.iter().map(scale).collect()
}
