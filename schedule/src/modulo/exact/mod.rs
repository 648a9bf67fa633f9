//! Exact modulo scheduling at one interval: finds a schedule or proves that none exists, within a
//! budget of work.
//!
//! Depth-first search over the order of operations that share slots, on the closed difference
//! bounds of [`engine`](self). At every node the most critical open pairs are probed in both
//! directions; a direction that fails decides the pair, and the search branches on the pair that
//! constrains most. When all pairs are decided, the earliest starts are checked against the pools;
//! a row that is too full splits the window of an operation in it. Runs restart with growing limits
//! and keep the failure counts of pairs. The budget counts row operations, so results do not depend
//! on the machine.

mod engine;
mod model;

use super::order::next_random;
use super::problem::LoopProblem;
use engine::{Bounds, Contradiction, Engine};
use model::Model;
pub(super) use model::slot_sets;

/// The outcome of the exact search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExactOutcome {
    /// Starts that satisfy every slot, pool, stage limit and depth group. Without stage limits and
    /// depth groups, rows are final and dependences hold inside recurrences, but the whole
    /// intervals between recurrences are not yet chosen.
    Feasible(Vec<i64>),
    /// No schedule exists at this interval.
    Infeasible,
    /// The budget ran out.
    Exhausted,
}

/// Loops with more operations are not searched: the closure grows with the square.
const SIZE_LIMIT: usize = 160;

/// Whether a loop has few enough operations for the search.
#[must_use]
pub fn is_in_range(problem: &LoopProblem<'_>) -> bool {
    problem.graph.len() <= SIZE_LIMIT
}

/// Searches one interval; `work` is reduced by the work done.
///
/// With `stages`, the schedule has at most that many, and all dependences hold in the result.
#[must_use]
pub fn exact_search(
    problem: &LoopProblem<'_>,
    interval: u32,
    stages: Option<u32>,
    work: &mut u64,
) -> ExactOutcome {
    if interval < problem.bounds.interval() {
        return ExactOutcome::Infeasible;
    }
    if !is_in_range(problem) {
        return ExactOutcome::Exhausted;
    }
    let Some(model) = Model::new(problem, interval, stages) else {
        return ExactOutcome::Exhausted;
    };
    // Stages only add constraints: rows that are infeasible without them are not searched with
    // them. A caller that limits stages already has a schedule, and so feasible rows.
    if model.has_origin()
        && stages.is_none()
        && let Some(relaxed) = Model::without_stages(problem, interval)
        && relaxed.size > 0
    {
        let mut share = *work / 4;
        let before = share;
        let outcome = solve(problem, &relaxed, &mut share);
        *work -= before - share;
        if outcome == ExactOutcome::Infeasible {
            return outcome;
        }
    }
    if model.size == 0 {
        return ExactOutcome::Feasible(vec![0; problem.graph.len()]);
    }
    solve(problem, &model, work)
}

/// Searches one model; `work` is reduced by the work done.
fn solve(problem: &LoopProblem<'_>, model: &Model, work: &mut u64) -> ExactOutcome {
    let mut search = Search {
        engine: Engine::new(model),
        probes: 1,
        limit: *work,
        seed: 0x1234_5678_9ABC,
    };
    let outcome = search.run();
    *work = work.saturating_sub(search.engine.work);
    match outcome {
        Verdict::Found(bounds) => {
            let mut starts = vec![0_i64; problem.graph.len()];
            let earliest = bounds.row(model.reference);
            // With an origin no start is negative, and the origin is among the positions.
            let base = earliest.iter().copied().min().unwrap_or(0);
            for (position, &node) in model.nodes.iter().enumerate() {
                if let Some(node) = node {
                    starts[node] = i64::from(earliest[position] - base);
                }
            }
            ExactOutcome::Feasible(starts)
        }
        Verdict::Refuted => ExactOutcome::Infeasible,
        Verdict::Stopped => ExactOutcome::Exhausted,
    }
}

/// Whether propagation alone, without search, shows that no schedule exists at the interval.
#[must_use]
pub fn refuted_by_bounds(problem: &LoopProblem<'_>, interval: u32) -> bool {
    is_in_range(problem)
        && Model::new(problem, interval, None)
            .is_some_and(|model| Engine::new(&model).root().is_err())
}

enum Verdict {
    Found(Bounds),
    Refuted,
    Stopped,
}

/// An open decision: the two orders of a pair that shares a slot.
#[derive(Clone, Copy, Debug)]
struct Choice {
    from: usize,
    to: usize,
    /// `start[from] - start[to] >= before` keeps the lower lap.
    before: i32,
    /// `start[to] - start[from] >= after` takes a higher lap.
    after: i32,
    /// Slack that each order leaves, in cycles.
    slack_before: i32,
    slack_after: i32,
}

struct Search<'m> {
    engine: Engine<'m>,
    /// Pairs probed before each branch in the current run.
    probes: usize,
    limit: u64,
    seed: u64,
}

impl Search<'_> {
    fn run(&mut self) -> Verdict {
        let Ok(root) = self.engine.root() else {
            return Verdict::Refuted;
        };
        let mut root = root;
        if self.probe_everything(&mut root).is_err() {
            return Verdict::Refuted;
        }
        // Runs probe differently: a loop that defeats one configuration often yields to another.
        let mut failures = 40_u64;
        for run in 0_usize.. {
            self.probes = [2, 1, 3, 1, 6][run % 5];
            if let Some(verdict) = self.descend(&root, failures) {
                return verdict;
            }
            failures += failures / 4;
        }
        Verdict::Stopped
    }

    /// Decides every pair at the root for which one order fails at once, to a fixpoint.
    fn probe_everything(&mut self, bounds: &mut Bounds) -> Result<(), Contradiction> {
        let mut trial = bounds.clone();
        loop {
            let mut changed = false;
            for choice in self.choices(bounds) {
                if self.engine.work > self.limit {
                    return Ok(());
                }
                let Some(choice) = self.refresh(bounds, choice) else {
                    continue;
                };
                changed |= self.probe(bounds, &mut trial, &choice)?.is_none();
            }
            if !changed {
                return Ok(());
            }
        }
    }

    /// Tries both orders of a pair. Decides the pair (`None`) if one fails, otherwise returns how
    /// much each constrains.
    fn probe(
        &mut self,
        bounds: &mut Bounds,
        trial: &mut Bounds,
        choice: &Choice,
    ) -> Result<Option<(u64, u64)>, Contradiction> {
        trial.copy_from(bounds);
        let work = self.engine.work;
        let before = self.take(trial, choice, true);
        let weight_before = self.engine.work - work;
        if before.is_err() {
            self.take(bounds, choice, false)?;
            return Ok(None);
        }
        trial.copy_from(bounds);
        let work = self.engine.work;
        let after = self.take(trial, choice, false);
        let weight_after = self.engine.work - work;
        if after.is_err() {
            self.take(bounds, choice, true)?;
            return Ok(None);
        }
        Ok(Some((weight_before, weight_after)))
    }

    fn take(
        &mut self,
        bounds: &mut Bounds,
        choice: &Choice,
        before: bool,
    ) -> Result<(), Contradiction> {
        if before {
            self.engine
                .assume(bounds, choice.to, choice.from, choice.before, true)
        } else {
            self.engine
                .assume(bounds, choice.from, choice.to, choice.after, true)
        }
    }

    /// All open pairs.
    fn choices(&self, bounds: &Bounds) -> Vec<Choice> {
        let model = self.engine.model;
        let mut found = Vec::new();
        for from in 0..model.size {
            for conflict in &model.conflicts[from] {
                let to = conflict.other as usize;
                if to > from
                    && let Some(choice) = choice_of(
                        bounds,
                        model.interval,
                        from,
                        to,
                        conflict.gap,
                        conflict.back_gap,
                    )
                {
                    found.push(choice);
                }
            }
        }
        found
    }

    /// The pair under newer bounds; `None` if it is decided.
    fn refresh(&self, bounds: &Bounds, choice: Choice) -> Option<Choice> {
        let model = self.engine.model;
        let conflict = model.conflicts[choice.from]
            .iter()
            .find(|conflict| conflict.other as usize == choice.to)?;
        choice_of(
            bounds,
            model.interval,
            choice.from,
            choice.to,
            conflict.gap,
            conflict.back_gap,
        )
    }

    /// A split of the window of an operation in a row where a pool is too full; `None` if the
    /// earliest starts respect all pools.
    fn pool_choice(&mut self, bounds: &Bounds) -> Option<Choice> {
        let reference = self.engine.model.reference;
        let position = self.engine.overfull(bounds)?;
        let low = bounds.get(reference, position);
        Some(Choice {
            from: reference,
            to: position,
            before: -low,
            after: low + 1,
            slack_before: 0,
            slack_after: 0,
        })
    }

    /// Picks the pair to branch on after probing the most critical ones; `Ok(None)` if every pair
    /// is decided and every pool constraint holds.
    fn select(
        &mut self,
        bounds: &mut Bounds,
        trial: &mut Bounds,
    ) -> Result<Option<(Choice, bool)>, Contradiction> {
        'again: loop {
            let mut open = self.choices(bounds);
            if open.is_empty() {
                return Ok(self.pool_choice(bounds).map(|choice| (choice, true)));
            }
            let size = self.engine.model.size;
            let score = |choice: &Choice, blame: &[u32]| {
                let freedom = i64::from(choice.slack_before) + i64::from(choice.slack_after) + 1;
                let failed = i64::from(blame[choice.from * size + choice.to]) + 1;
                (freedom * 1024 / failed, choice.from, choice.to)
            };
            let blame = &self.engine.blame;
            if open.len() > self.probes {
                open.select_nth_unstable_by_key(self.probes, |choice| score(choice, blame));
                open.truncate(self.probes);
            }
            open.sort_unstable_by_key(|choice| score(choice, blame));
            let mut best: Option<(u64, Choice)> = None;
            for choice in &open {
                match self.probe(bounds, trial, choice)? {
                    None => continue 'again,
                    Some((before, after)) => {
                        let effect = before.min(after) * 4 + before.max(after);
                        if best.is_none_or(|(least, _)| effect > least) {
                            best = Some((effect, *choice));
                        }
                    }
                }
            }
            let Some((_, choice)) = best else {
                return Ok(None);
            };
            let noise = next_random(&mut self.seed).is_multiple_of(16);
            // An operation tries its first possible stage first: later stages are unbounded.
            let depth = self.engine.model.nodes[choice.from].is_none();
            let before_first = depth || (choice.slack_before >= choice.slack_after) != noise;
            return Ok(Some((choice, before_first)));
        }
    }

    /// One depth-first run; `None` if it exhausted its failure limit.
    fn descend(&mut self, root: &Bounds, mut failures: u64) -> Option<Verdict> {
        let mut trial = root.clone();
        let mut current = root.clone();
        // Alternatives not yet taken: the bounds before the decision, and the decision left.
        let mut pending: Vec<(Bounds, Choice, bool)> = Vec::new();
        loop {
            if self.engine.work > self.limit {
                return Some(Verdict::Stopped);
            }
            let failed = match self.select(&mut current, &mut trial) {
                Ok(None) => return Some(Verdict::Found(current)),
                Ok(Some((choice, first))) => {
                    pending.push((current.clone(), choice, !first));
                    self.take(&mut current, &choice, first).is_err()
                }
                Err(Contradiction) => true,
            };
            if !failed {
                continue;
            }
            loop {
                let Some((bounds, choice, direction)) = pending.pop() else {
                    return Some(Verdict::Refuted);
                };
                failures = failures.checked_sub(1)?;
                current = bounds;
                if self.take(&mut current, &choice, direction).is_ok() {
                    break;
                }
            }
        }
    }
}

/// The two orders of a pair; `None` if bounds leave only one.
fn choice_of(
    bounds: &Bounds,
    interval: i32,
    from: usize,
    to: usize,
    gap: i32,
    back_gap: i32,
) -> Option<Choice> {
    let low = bounds.get(from, to);
    let high = -bounds.get(to, from);
    let lap = low.div_euclid(interval);
    if lap == high.div_euclid(interval) {
        return None;
    }
    let last_before = (lap + 1) * interval - back_gap;
    let first_after = (lap + 1) * interval + gap;
    Some(Choice {
        from,
        to,
        before: -last_before,
        after: first_after,
        slack_before: last_before - low,
        slack_after: high - first_after,
    })
}
