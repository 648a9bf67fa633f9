//! Modulo scheduling at one interval with learning: finds a schedule or proves that none exists, within a
//! budget of work.
//!
//! The [exact search](super::exact) bounds pairs of operations, and learns nothing from conflicts. This
//! search is the lazy clause generation of Pumpkin. Each operation has a start, the sum of a row
//! and of whole intervals, its stage; members of a group have one stage. The holds of a slot and the
//! shares of a pool are a `cumulative` over two intervals, because each is repeated an interval
//! later. Only dependences inside a cluster of the coupling of operations decide whether rows
//! exist, and relative to one of its members each operation has a window of starts: no schedule is
//! excluded.
//!
//! The budget counts decisions and conflicts, and no choice is random, so that results do not depend
//! on the machine.

use std::collections::BTreeMap;

use pumpkin_conflict_resolvers::resolvers::ResolutionResolver;
use pumpkin_core::Solver;
use pumpkin_core::branching::branchers::autonomous_search::AutonomousSearch;
use pumpkin_core::branching::branchers::independent_variable_value_brancher::IndependentVariableValueBrancher;
use pumpkin_core::branching::value_selection::InDomainSplit;
use pumpkin_core::branching::variable_selection::FirstFail;
use pumpkin_core::options::SolverOptions;
use pumpkin_core::proof::ConstraintTag;
use pumpkin_core::results::{ProblemSolution, SatisfactionResult};
use pumpkin_core::termination::TerminationCondition;
use pumpkin_core::variables::{AffineView, DomainId, TransformableVariable};
use pumpkin_propagators::cumulative::options::{CumulativeOptions, CumulativePropagationMethod};

use super::coupling::{Coupling, NoCoupling};
use super::exact::ExactOutcome;
use super::problem::LoopProblem;

/// Searches one interval; `work` is reduced by the work done. A decision or a conflict of the solver
/// takes a unit for each hold, share and dependence, about a microsecond.
#[must_use]
pub fn learning_search(problem: &LoopProblem<'_>, interval: u32, work: &mut u64) -> ExactOutcome {
    if interval < problem.bounds.interval() {
        return ExactOutcome::Infeasible;
    }
    let coupling = match Coupling::new(problem, interval) {
        Ok(coupling) => coupling,
        Err(NoCoupling::Contradiction) => return ExactOutcome::Infeasible,
        Err(NoCoupling::Range) => return ExactOutcome::Exhausted,
    };
    let windows = start_windows(problem, &coupling, interval);
    let Some((windows, stages)) = within_stages(problem, windows, interval) else {
        return ExactOutcome::Infeasible;
    };
    let mut model = Model::new(problem, interval);
    model.add_starts(&windows, &stages);
    model.add_dependences(&coupling);
    if model.add_resources().is_none() {
        return ExactOutcome::Exhausted;
    }
    model.solve(&coupling, work)
}

/// First and last start of an operation; `None` if its start decides nothing.
type Window = Option<(i64, i64)>;

/// The windows that the coupling leaves: absolute ones, or relative to the member of the cluster with
/// the most slots, which starts in the first interval. Without stages rows may be rotated, so one
/// operation starts in the first row.
fn start_windows(problem: &LoopProblem<'_>, coupling: &Coupling, interval: u32) -> Vec<Window> {
    let graph = problem.graph;
    let absolute = coupling.windows.iter();
    let mut windows: Vec<Window> = absolute
        .map(|window| window.map(|(first, last)| (i64::from(first), i64::from(last))))
        .collect();
    let has_stages =
        (0..graph.len()).any(|node| windows[node].is_some() || graph.depth_group(node).is_some());
    let mut last = if has_stages {
        i64::from(interval) - 1
    } else {
        0
    };
    let mut clusters: Vec<&[usize]> = coupling.free_clusters().collect();
    clusters.sort_by_key(|members| std::cmp::Reverse(members.len()));
    for members in clusters {
        let slots = |node: &usize| problem.footprints[*node].holds.len();
        let Some(anchor) = members.iter().copied().max_by_key(slots) else {
            continue;
        };
        if members.len() == 1 && problem.footprints[anchor].is_empty() {
            continue;
        }
        windows[anchor] = Some((0, last));
        for tie in &coupling.ties[anchor] {
            let window = (i64::from(tie.before), last - i64::from(tie.after));
            windows[tie.other as usize] = Some(window);
        }
        last = i64::from(interval) - 1;
    }
    windows
}

/// Stages of groups: first and last.
type GroupStages = BTreeMap<u32, (i64, i64)>;

/// Windows cut to the stages that all members of a group may have; `None` if one is empty.
fn within_stages(
    problem: &LoopProblem<'_>,
    mut windows: Vec<Window>,
    interval: u32,
) -> Option<(Vec<Window>, GroupStages)> {
    let length = i64::from(interval);
    let mut stages = GroupStages::new();
    let group_of = |node: usize| problem.graph.depth_group(node);
    for (node, window) in windows.iter().enumerate() {
        if let (Some((first, last)), Some(group)) = (*window, group_of(node)) {
            let known = stages.entry(group).or_insert((i64::MIN, i64::MAX));
            known.0 = known.0.max(first.div_euclid(length));
            known.1 = known.1.min(last.div_euclid(length));
        }
    }
    for (node, window) in windows.iter_mut().enumerate() {
        let Some((first, last)) = window else {
            continue;
        };
        if let Some(&(low, high)) = group_of(node).and_then(|group| stages.get(&group)) {
            if low > high {
                return None;
            }
            (*first, *last) = (
                (*first).max(low * length),
                (*last).min((high + 1) * length - 1),
            );
        }
        if first > last {
            return None;
        }
    }
    Some((windows, stages))
}

/// The number of decisions and conflicts that are left.
struct Steps {
    left: u64,
}

impl TerminationCondition for Steps {
    fn should_stop(&mut self) -> bool {
        self.left = self.left.saturating_sub(1);
        self.left == 0
    }
}

type View = AffineView<DomainId>;

/// The solver with what was added to it. Values are below 2^29 in magnitude: the bounds of a coupling
/// are below 2^28, and an interval below 2^24.
struct Model<'p, 'g> {
    problem: &'p LoopProblem<'g>,
    interval: i32,
    solver: Solver,
    tag: ConstraintTag,
    starts: Vec<Option<DomainId>>,
    rows: Vec<Option<View>>,
    /// Work units of a decision or conflict.
    size: u64,
}

impl<'p, 'g> Model<'p, 'g> {
    fn new(problem: &'p LoopProblem<'g>, interval: u32) -> Self {
        let mut solver = Solver::with_options(SolverOptions {
            memory_preallocated: 1,
            ..SolverOptions::default()
        });
        Self {
            problem,
            interval: interval as i32,
            tag: solver.new_constraint_tag(),
            solver,
            starts: vec![None; problem.graph.len()],
            rows: vec![None; problem.graph.len()],
            size: 1,
        }
    }

    /// Starts, rows and stages. A start within one stage has its row at a fixed distance.
    fn add_starts(&mut self, windows: &[Window], stages: &GroupStages) {
        let interval = self.interval;
        let between = |solver: &mut Solver, (first, last): (i64, i64)| {
            solver.new_bounded_integer(first as i32, last as i32)
        };
        let stages: BTreeMap<u32, DomainId> = stages
            .iter()
            .map(|(&group, &range)| (group, between(&mut self.solver, range)))
            .collect();
        for (node, window) in windows.iter().enumerate() {
            let Some((first, last)) = *window else {
                continue;
            };
            let start = between(&mut self.solver, (first, last));
            self.starts[node] = Some(start);
            let length = i64::from(interval);
            let (low, high) = (first.div_euclid(length), last.div_euclid(length));
            let group = self.problem.graph.depth_group(node);
            let stage = group.and_then(|group| stages.get(&group)).copied();
            if low == high && stage.is_none() {
                self.rows[node] = Some(start.offset(-(low * length) as i32));
                continue;
            }
            if stage.is_none() && self.problem.footprints[node].is_empty() {
                continue;
            }
            let stage = stage.unwrap_or_else(|| between(&mut self.solver, (low, high)));
            let row = self.solver.new_bounded_integer(0, interval - 1);
            self.rows[node] = Some(row.scaled(1));
            let sum = [start.scaled(-1), stage.scaled(interval), row.scaled(1)];
            let constraint = pumpkin_constraints::equals(sum, 0, self.tag);
            self.solver.add_constraint(constraint).post();
        }
    }

    fn add_dependences(&mut self, coupling: &Coupling) {
        let edges = self.problem.graph.edges().iter();
        for edge in edges.filter(|edge| coupling.is_inside(edge.from, edge.to)) {
            if let (Some(from), Some(to)) = (self.starts[edge.from], self.starts[edge.to]) {
                let weight = edge.weight(self.interval as u32) as i32;
                let terms = [from.scaled(1), to.scaled(-1)];
                let constraint = pumpkin_constraints::less_than_or_equals(terms, -weight, self.tag);
                self.solver.add_constraint(constraint).post();
                self.size += 1;
            }
        }
    }

    /// `None` if the units of a pool are not in the range of the solver.
    fn add_resources(&mut self) -> Option<()> {
        let problem = self.problem;
        let pools = &problem.graph.space().pools;
        let mut slots: BTreeMap<u8, Vec<Task>> = BTreeMap::new();
        let mut shares: BTreeMap<usize, Vec<Task>> = BTreeMap::new();
        for (footprint, row) in problem.footprints.iter().zip(&self.rows) {
            let Some(row) = *row else { continue };
            for &(slot, cycles) in &footprint.holds {
                slots.entry(slot).or_default().push((row, cycles, 1));
            }
            for &(pool, units) in &footprint.pools {
                let task = (row, footprint.duration, units);
                shares.entry(pool).or_default().push(task);
            }
        }
        for tasks in slots.values() {
            self.add_resource(tasks, 1)?;
        }
        for (pool, tasks) in &shares {
            self.add_resource(tasks, pools[*pool].capacity)?;
        }
        Some(())
    }

    fn add_resource(&mut self, tasks: &[Task], capacity: u32) -> Option<()> {
        let units: u64 = tasks.iter().map(|task| u64::from(task.2)).sum();
        if units <= u64::from(capacity) {
            return Some(());
        }
        i32::try_from(2 * units).ok()?;
        let twice = tasks.iter().flat_map(|task| [task, task]);
        let starts: Vec<View> = tasks
            .iter()
            .flat_map(|&(row, ..)| [row, row.offset(self.interval)])
            .collect();
        let cycles: Vec<i32> = twice.clone().map(|task| task.1 as i32).collect();
        let units: Vec<i32> = twice.map(|task| task.2 as i32).collect();
        let options = CumulativeOptions {
            propagation_method: CumulativePropagationMethod::TimeTableOverInterval,
            ..CumulativeOptions::default()
        };
        let constraint = pumpkin_constraints::cumulative_with_options(
            starts,
            cycles,
            units,
            capacity as i32,
            options,
            self.tag,
        );
        self.solver.add_constraint(constraint).post();
        self.size += tasks.len() as u64;
        Some(())
    }

    fn solve(&mut self, coupling: &Coupling, work: &mut u64) -> ExactOutcome {
        let given = *work / self.size;
        if given <= self.problem.graph.len() as u64 / 2 {
            // Too few decisions for most of the operations.
            *work = work.saturating_sub(1);
            return ExactOutcome::Exhausted;
        }
        let mut steps = Steps { left: given };
        let variables: Vec<DomainId> = self.starts.iter().copied().flatten().collect();
        let in_order =
            IndependentVariableValueBrancher::new(FirstFail::new(&variables), InDomainSplit);
        let mut brancher = AutonomousSearch::new(in_order);
        let mut resolver = ResolutionResolver::default();
        let result = self
            .solver
            .satisfy(&mut brancher, &mut steps, &mut resolver);
        let outcome = match result {
            SatisfactionResult::Satisfiable(found) => {
                let solution = found.solution();
                let value = |start: &Option<DomainId>| {
                    start.map_or(0, |start| i64::from(solution.get_integer_value(start)))
                };
                let mut starts = self.starts.iter().map(value).collect::<Vec<i64>>();
                coupling.delay_clusters(self.problem, self.interval as u32, &mut starts);
                ExactOutcome::Feasible(starts)
            }
            SatisfactionResult::Unsatisfiable(..) => ExactOutcome::Infeasible,
            SatisfactionResult::Unknown(..) => ExactOutcome::Exhausted,
        };
        *work -= (given - steps.left) * self.size;
        outcome
    }
}

/// Row, cycles and units of a hold or share.
type Task = (View, u32, u32);
