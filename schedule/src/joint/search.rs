//! The choice of agents, assignment and schedule.

use std::fmt;

use super::assignment::assignments;
use super::compact::compact;
use super::exact::{ExactStarts, exact_starts};
use super::problem::{Assigned, JointProblem};
use crate::modulo::{
    GeneratorKind, IntervalBounds, Schedule, ScheduleError, SchedulingOptions, SearchLimit,
    Strategy, schedule_loop,
};

/// The sizes of agents that are tried: groups of four warps.
const WARPS: [u32; 3] = [4, 8, 12];
/// The most compute agents.
const MOST_AGENTS: usize = 4;
/// Work units that one modulo schedule counts for.
const SCHEDULE_WORK: u64 = 50_000;
/// The shares of the exact and of the ejection work that all schedules but the first get.
const SHARES: [u64; 2] = [40, 8];

/// Limits of one run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JointOptions {
    /// Limits of each modulo schedule.
    pub scheduling: SchedulingOptions,
    /// Work units for assignments and the exact search: for each start cycle examined, as
    /// many as there are operations, and 50,000 for each modulo schedule.
    pub work: u64,
}

/// The agents, the assignment and the schedule chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JointSolution {
    /// The schedule of the operations of the loop.
    pub schedule: Schedule,
    /// The compute agent of each operation that one executes.
    pub agent_of: Vec<Option<usize>>,
    /// For each compute agent, the registers that one of its threads needs.
    pub registers: Vec<u32>,
    /// Warps of every agent.
    pub warps: u32,
    /// Bytes passed between compute agents in an iteration.
    pub passed_bytes: u64,
    /// Cycles of an iteration that the agents will execute, as judged.
    pub cycles: u32,
}

/// The objective, least first: executed cycles, interval, warps, agents, bytes passed, stages.
pub type Rank = (u32, u32, usize, usize, u64, u32);

/// The cycles of an iteration that the agents of a solution will execute; `None` if they cannot.
pub type Judge<'j> = dyn FnMut(&JointSolution) -> Option<u32> + 'j;

impl JointSolution {
    /// The objective, least first.
    #[must_use]
    pub fn rank(&self, problem: &JointProblem) -> Rank {
        let agents = problem.agents(self.registers.len());
        let warps = agents * self.warps as usize;
        let schedule = &self.schedule;
        (
            self.cycles,
            schedule.interval,
            warps,
            agents,
            self.passed_bytes,
            schedule.stage_count,
        )
    }
}

/// The reason that there is no solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JointError {
    /// The loop has no schedule, whatever the agents.
    Schedule(ScheduleError),
    /// The kernel has too few warps for the agents.
    Warps {
        /// The least number of agents, each of four warps.
        agents: usize,
    },
    /// No number of agents has enough registers for the schedules found.
    Registers {
        /// The least registers of a thread that were needed.
        needed: u32,
    },
    /// No agents can execute the schedules found.
    Execution,
}

impl fmt::Display for JointError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Schedule(error) => error.fmt(f),
            Self::Warps { agents } => {
                write!(
                    f,
                    "{agents} agents of four warps are more than the kernel has"
                )
            }
            Self::Registers { needed } => write!(
                f,
                "the tiles that an agent keeps need {needed} registers of each thread, more than \
                 fit"
            ),
            Self::Execution => f.write_str("no agents can execute the schedules found"),
        }
    }
}

impl std::error::Error for JointError {}

/// The schedules of one assignment, with the bytes of registers that its agents need.
struct Candidate {
    agent_of: Vec<Option<usize>>,
    assigned: Assigned,
    schedules: Vec<(Schedule, Vec<u64>)>,
}

/// Decides agents, assignment and schedule, so that what `judge` says is least.
///
/// # Errors
/// [`JointError`].
pub fn solve(
    problem: &JointProblem,
    options: &JointOptions,
    judge: &mut Judge<'_>,
) -> Result<JointSolution, JointError> {
    let base = schedule_loop(&problem.graph, &options.scheduling).map_err(JointError::Schedule)?;
    let mut search = Search {
        problem,
        options,
        judge,
        low: base.lower_bound,
        bounds: base.bounds,
        work: options.work,
        best: None,
        shortest: u32::MAX,
        needed: u32::MAX,
        is_partial: false,
        shapes: shapes(problem),
        candidates: (0..=MOST_AGENTS).map(|_| None).collect(),
    };
    if search.shapes.is_empty() {
        let agents = problem.agents(1);
        return Err(JointError::Warps { agents });
    }
    if let Some(needed) = too_large_result(problem, &search.shapes) {
        return Err(JointError::Registers { needed });
    }
    search.schedule_all(base);
    search.decide();
    search.finish()
}

/// The registers of a thread that the largest result needs, if no agent has as many.
fn too_large_result(problem: &JointProblem, shapes: &[(usize, u32)]) -> Option<u32> {
    let warps = shapes.iter().map(|&(_, warps)| warps).max()?;
    let computing = (0..problem.graph.len()).filter(|&node| problem.computes(node));
    let bytes = computing
        .map(|node| problem.operations[node].result_bytes)
        .max()?;
    let needed = problem.registers_for(bytes, warps);
    (needed > problem.limits.most_registers).then_some(needed)
}

/// Numbers of compute agents with their warps that the kernel has, those with fewer warps first.
fn shapes(problem: &JointProblem) -> Vec<(usize, u32)> {
    let units = problem.units().len().max(1);
    let mut shapes = Vec::new();
    for warps in WARPS {
        for computing in 1..=MOST_AGENTS.min(units) {
            let total = problem.agents(computing) * warps as usize;
            if total <= problem.limits.warps as usize {
                shapes.push((computing, warps));
            }
        }
    }
    shapes
        .sort_by_key(|&(computing, warps)| (problem.agents(computing) * warps as usize, computing));
    shapes
}

struct Search<'s> {
    problem: &'s JointProblem,
    options: &'s JointOptions,
    judge: &'s mut Judge<'s>,
    /// No solution has a smaller interval.
    low: u32,
    /// The bounds of the loop, whatever the agents.
    bounds: IntervalBounds,
    work: u64,
    best: Option<JointSolution>,
    /// The least interval of a solution.
    shortest: u32,
    /// The least registers that a schedule needed which did not fit.
    needed: u32,
    /// Whether assignments were left out.
    is_partial: bool,
    shapes: Vec<(usize, u32)>,
    /// For each number of compute agents, the assignments scheduled so far.
    candidates: Vec<Option<Vec<Candidate>>>,
}

impl Search<'_> {
    /// Schedules the assignments of every shape until one executes in the fewest cycles.
    fn schedule_all(&mut self, base: Schedule) {
        let mut base = Some(base);
        for (computing, warps) in self.shapes.clone() {
            if self.is_least() {
                return;
            }
            if self.candidates[computing].is_none() {
                let first = base.take().filter(|_| computing == 1);
                self.candidates[computing] = Some(self.candidates(computing, first));
            }
            self.consider(computing, warps);
        }
    }

    fn is_least(&self) -> bool {
        let best = self.best.as_ref();
        best.is_some_and(|best| best.cycles <= self.low)
    }

    /// The assignments to a number of agents with their schedules, as far as the work suffices.
    fn candidates(&mut self, computing: usize, first: Option<Schedule>) -> Vec<Candidate> {
        let all = assignments(self.problem, computing);
        self.is_partial |= all.is_partial;
        let mut first = first;
        let mut found = Vec::new();
        for agent_of in all.list {
            // The first assignment of each number of agents is always scheduled.
            if !found.is_empty() && self.work < SCHEDULE_WORK {
                self.is_partial = true;
                break;
            }
            let Some(assigned) = self.problem.assigned(&agent_of) else {
                continue;
            };
            let schedules = self.schedules(&assigned, (&agent_of, computing), first.take());
            found.push(Candidate {
                agent_of,
                assigned,
                schedules,
            });
        }
        found
    }

    /// Schedules of one assignment: the shortest, and those with fewer stages, which keep fewer
    /// values.
    fn schedules(
        &mut self,
        assigned: &Assigned,
        agents: (&[Option<usize>], usize),
        first: Option<Schedule>,
    ) -> Vec<(Schedule, Vec<u64>)> {
        let mut options = self.options.scheduling.clone();
        let mut found: Vec<(Schedule, Vec<u64>)> = Vec::new();
        options.exact_work /= SHARES[0];
        options.ejection_work /= SHARES[1];
        let mut next = first.or_else(|| schedule_loop(&assigned.graph, &options).ok());
        while let Some(mut schedule) = next {
            self.work = self.work.saturating_sub(SCHEDULE_WORK);
            let interval = schedule.interval;
            let starts = compact(self.problem, assigned, agents, &schedule.starts, interval);
            if starts != schedule.starts {
                let kind = schedule.generator;
                schedule = Schedule::from_starts(interval, starts, schedule.bounds, kind, false);
            }
            let peaks = assigned.peaks(self.problem, agents, &schedule.starts, schedule.interval);
            let fits_least = self.problem.fits(&peaks, WARPS[0]);
            let stages = schedule.stage_count;
            let memory = schedule.buffer_bytes(&assigned.graph) <= self.problem.limits.shared_bytes;
            if memory {
                found.push((schedule, peaks));
            }
            if (memory && fits_least) || options.strategy == Strategy::Serial {
                break;
            }
            // Operations one after another keep the fewest values, at the largest interval.
            match stages {
                0 | 1 => options.strategy = Strategy::Serial,
                _ => options.max_stages = Some(stages - 1),
            }
            next = schedule_loop(&assigned.graph, &options).ok();
        }
        found
    }

    /// Keeps the best of the schedules that fit in agents of a number of warps.
    fn consider(&mut self, computing: usize, warps: u32) {
        let Some(candidates) = self.candidates[computing].take() else {
            return;
        };
        for candidate in &candidates {
            for (schedule, peaks) in &candidate.schedules {
                let registers = peaks
                    .iter()
                    .map(|&bytes| self.problem.registers_for(bytes, warps));
                let registers: Vec<u32> = registers.collect();
                if !self.problem.fits(peaks, warps) {
                    let most = registers.into_iter().max().unwrap_or(0);
                    self.needed = self.needed.min(most);
                    continue;
                }
                self.keep(JointSolution {
                    schedule: of_loop(self.problem, schedule, schedule.generator),
                    agent_of: candidate.agent_of.clone(),
                    registers,
                    warps,
                    passed_bytes: candidate.assigned.bytes,
                    cycles: 0,
                });
            }
        }
        self.candidates[computing] = Some(candidates);
    }

    /// Judges a solution, and keeps it if it is the best.
    fn keep(&mut self, mut found: JointSolution) {
        self.shortest = self.shortest.min(found.schedule.interval);
        let Some(cycles) = (self.judge)(&found) else {
            return;
        };
        found.cycles = cycles;
        let rank = found.rank(self.problem);
        let mut best = self.best.iter();
        if best.all(|best| rank < best.rank(self.problem)) {
            self.best = Some(found);
        }
    }

    /// Decides smaller intervals exactly, from the lower bound upwards, as far as the work suffices.
    fn decide(&mut self) {
        while !self.is_least() && self.shortest > self.low && self.work > 0 {
            let serial: u32 = self
                .problem
                .graph
                .nodes()
                .iter()
                .map(|node| node.latency.max(1))
                .sum();
            if self.shortest == u32::MAX && self.low > serial.saturating_mul(2) {
                return;
            }
            match self.decide_at(self.low) {
                Some(Some(solution)) => {
                    self.keep(solution);
                    return;
                }
                Some(None) => self.low += 1,
                None => return,
            }
        }
    }

    /// The solution at an interval with the fewest warps; `None` if the work does not suffice.
    fn decide_at(&mut self, interval: u32) -> Option<Option<JointSolution>> {
        for (computing, warps) in self.shapes.clone() {
            let all = assignments(self.problem, computing);
            let listed = (all.list.len() * self.problem.graph.len()) as u64;
            self.work = self.work.checked_sub(listed)?;
            for agent_of in all.list {
                let Some(assigned) = self.problem.assigned(&agent_of) else {
                    continue;
                };
                let stages = self.options.scheduling.max_stages;
                let agents = (&agent_of[..], computing);
                let size = (warps, interval, stages);
                match exact_starts(self.problem, &assigned, agents, size, &mut self.work) {
                    ExactStarts::Infeasible => {}
                    ExactStarts::Undecided => return None,
                    ExactStarts::Found(starts) => {
                        let solution =
                            self.exact_solution(&assigned, agents, (warps, interval), starts);
                        return Some(Some(solution));
                    }
                }
            }
            if all.is_partial {
                return None;
            }
        }
        Some(None)
    }

    fn exact_solution(
        &self,
        assigned: &Assigned,
        agents: (&[Option<usize>], usize),
        (warps, interval): (u32, u32),
        starts: Vec<i64>,
    ) -> JointSolution {
        let peaks = assigned.peaks(self.problem, agents, &starts, interval);
        let bounds = self.bounds;
        let kind = GeneratorKind::Joint;
        let schedule = Schedule::from_starts(interval, starts, bounds, kind, true);
        let registers = peaks
            .iter()
            .map(|&bytes| self.problem.registers_for(bytes, warps));
        JointSolution {
            schedule: of_loop(self.problem, &schedule, kind),
            agent_of: agents.0.to_vec(),
            registers: registers.collect(),
            warps,
            passed_bytes: assigned.bytes,
            cycles: 0,
        }
    }

    fn finish(self) -> Result<JointSolution, JointError> {
        let Some(mut best) = self.best else {
            return Err(match self.needed {
                u32::MAX => JointError::Execution,
                needed => JointError::Registers { needed },
            });
        };
        let schedule = &mut best.schedule;
        schedule.proven = schedule.interval <= self.low;
        schedule.lower_bound = self.low.min(schedule.interval);
        schedule.limit = match schedule.proven {
            true => None,
            false if self.is_partial => Some(SearchLimit::Size),
            false => Some(SearchLimit::Work),
        };
        Ok(best)
    }
}

/// The schedule without the copies.
fn of_loop(problem: &JointProblem, schedule: &Schedule, kind: GeneratorKind) -> Schedule {
    let starts = schedule.starts[..problem.graph.len()].to_vec();
    let mut own = Schedule::from_starts(schedule.interval, starts, schedule.bounds, kind, false);
    own.cost = schedule.cost;
    own.refinement = schedule.refinement.clone();
    own
}
