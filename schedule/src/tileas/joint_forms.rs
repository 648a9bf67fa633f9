//! The choice under `strategy=joint`: the form of a loop, and whether it has agents of its own.
//!
//! The forms are the loop as it is, with the rows of its tiles divided, with sums in tensor memory, and
//! both. Solutions are judged by the cycles that materialization predicts for their agents: in a copy of the
//! function, each is planned as materialization plans it. The schedule and the agents of
//! `strategy=default` are judged in the same way, and kept if no solution executes in as few cycles.

use orison_ir::pass::PassContext;
use orison_ir::walk::collect;
use orison_ir::{Context, Diagnostic, Mapping, Operation};
use orison_tileas::schedule_keys::KERNEL_SPEC;

use super::assign_buffers::AssignBuffersOptions;
use super::assign_buffers::function_buffers::FunctionBuffers;
use super::attributes::{self, AGENT, AGENTS, WrittenSchedule};
use super::dependence::dependence_graph;
use super::generate_schedule::{AGENTS_RULE, GenerateSchedule};
use super::joint::{self, AgentPlan};
use super::loop_body::LoopBody;
use super::machine_choice::check_capability;
use super::materialize::{Dual, Specialized, function_around};
use super::solve::{ScheduledLoop, plan_region};
use super::split_m::{self, Refusal};
use super::use_tensor_memory;
use crate::joint::{JointError, JointOptions, JointSolution, Rank, solve};
use crate::machine::MachineModel;
use crate::modulo::{DecisionLog, DependenceGraph, Schedule, Strategy};

/// The parts into which the rows of tiles are divided.
const SPLIT_PARTS: u32 = 2;

/// The operation of a kernel.
const FUNCTION: &str = orison_tileas::nv_tileaa::Func::NAME;

/// What is done where no agents are chosen.
const HELP: &str = "the schedule is that of 'strategy=default'";

/// A form of a loop for which agents are chosen.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
struct Form {
    /// The rows of its tiles are divided.
    divided: bool,
    /// Sums and left factors of products are in tensor memory.
    tensor: bool,
}

/// The reason that a form has no solution.
enum Unsolved {
    /// The operation that cannot be divided.
    Undivided(Refusal),
    /// Tensor memory cannot be used, or the loop is not in a kernel.
    Form,
    /// No agents were found.
    Agents(JointError),
}

impl Form {
    /// Writes the form; returns the loop.
    fn write(self, context: &mut Context, body: &LoopBody) -> Result<LoopBody, Unsolved> {
        let mut looped = body.op;
        if self.divided {
            looped =
                split_m::split_rows(context, body, SPLIT_PARTS).map_err(Unsolved::Undivided)?;
        }
        let body = LoopBody::of(context, looped).ok_or(Unsolved::Form)?;
        if !self.tensor {
            return Ok(body);
        }
        let looped = use_tensor_memory::use_tensor_memory(context, &body);
        let looped = looped.map_err(|_| Unsolved::Form)?;
        LoopBody::of(context, looped).ok_or(Unsolved::Form)
    }
}

impl GenerateSchedule {
    /// Chooses the agents and the schedule of a loop, and writes its form; returns the loop in that form.
    /// `None`, with a remark, if no agents can be chosen or those of 'default' take fewer cycles.
    pub(super) fn choose_agents(
        &self,
        pass: &mut PassContext<'_>,
        body: &LoopBody,
    ) -> Result<Option<(Operation, JointSolution)>, Box<Diagnostic>> {
        check_capability(pass.context, body.op)?;
        if let Some(reason) = joint::obstacle(pass.context, pass.op(), body) {
            pass.declined(body.op, AGENTS_RULE, reason, HELP);
            return Ok(None);
        }
        let usual = self.usual_cycles(pass.context, body)?;
        let mut best: Option<(Rank, Form, JointSolution)> = None;
        let mut failure = None;
        let forms = self.forms(pass.context, body);
        let work = self.options.joint_work / forms.len().max(1) as u64;
        for form in forms {
            match self.solve_form(pass.context, (body, form), work)? {
                Ok((rank, solution)) => {
                    let is_least = solution.cycles <= solution.schedule.lower_bound;
                    if best.as_ref().is_none_or(|best| rank < best.0) {
                        best = Some((rank, form, solution));
                    }
                    if is_least {
                        break;
                    }
                }
                Err(Unsolved::Undivided(refusal)) if !form.tensor => {
                    split_m::report_refusal(pass, &refusal);
                }
                Err(Unsolved::Agents(error)) if form == Form::default() => failure = Some(error),
                Err(_) => {}
            }
        }
        let Some((_, form, solution)) = best else {
            if let Some(error) = failure {
                pass.declined(body.op, AGENTS_RULE, &format!("no agents: {error}"), HELP);
            }
            return Ok(None);
        };
        if let Some(usual) = usual.filter(|usual| *usual < solution.cycles) {
            let reason = format!(
                "an iteration of agents of its own is predicted to take {} cycles, more than the {usual} \
                 of a load and a compute agent",
                solution.cycles
            );
            pass.declined(body.op, AGENTS_RULE, &reason, HELP);
            return Ok(None);
        }
        let Ok(written) = form.write(pass.context, body) else {
            return Ok(None);
        };
        if form.divided {
            split_m::report(pass, written.op, SPLIT_PARTS);
        }
        if form.tensor {
            use_tensor_memory::report(pass, written.op);
        }
        Ok(Some((written.op, solution)))
    }

    /// The forms to try: with a unit of the machine for tensor memory, also those with sums there.
    fn forms(&self, context: &Context, body: &LoopBody) -> Vec<Form> {
        let machine = self.options.machine.model(context, body.op);
        let has_tensor_memory = machine.budget("tmem").is_some_and(|bytes| bytes > 0);
        let mut forms = Vec::new();
        for tensor in [false, true] {
            for divided in [false, true] {
                if (!divided || self.options.joint_split) && (!tensor || has_tensor_memory) {
                    forms.push(Form { divided, tensor });
                }
            }
        }
        forms
    }

    /// Solves a form of a loop in a copy of its function.
    fn solve_form(
        &self,
        context: &mut Context,
        (body, form): (&LoopBody, Form),
        work: u64,
    ) -> Result<Result<(Rank, JointSolution), Unsolved>, Box<Diagnostic>> {
        let function = body
            .op
            .ancestors(context)
            .find(|op| op.is(context, FUNCTION));
        let Some((function, home)) = function.and_then(|op| Some((op, op.block(context)?))) else {
            return Ok(Err(Unsolved::Form));
        };
        let bodies = LoopBody::targets(context, function);
        let Some(position) = bodies.iter().position(|other| other.op == body.op) else {
            return Ok(Err(Unsolved::Form));
        };
        let copy = function.clone_into(context, &mut Mapping::default());
        home.insert_before(context, Some(function), copy);
        let twin = LoopBody::targets(context, copy).swap_remove(position);
        let solved = match form.write(context, &twin) {
            Ok(written) => self.solve_written(context, (copy, &written), work),
            // The refusal is about an operation of the copy.
            Err(Unsolved::Undivided(refusal)) => Ok(Err(Unsolved::Undivided(Refusal {
                op: original(context, (copy, function), refusal.op).unwrap_or(body.op),
                ..refusal
            }))),
            Err(other) => Ok(Err(other)),
        };
        copy.erase(context);
        solved
    }

    fn solve_written(
        &self,
        context: &mut Context,
        (function, body): (Operation, &LoopBody),
        work: u64,
    ) -> Result<Result<(Rank, JointSolution), Unsolved>, Box<Diagnostic>> {
        let machine = self.options.machine.model(context, body.op);
        let graph = dependence_graph(context, body, machine)?;
        let mut scheduling = self.scheduling_options(context, body, &graph, machine)?;
        if !attributes::is_forced_serial(context, body.op)? {
            scheduling.strategy = Strategy::CostBased;
        }
        let problem = joint::problem(context, body, &graph, machine, self.options.joint_warps);
        let specification = function.attribute(context, KERNEL_SPEC);
        let mut judge = |solution: &JointSolution| {
            let agents = AgentPlan::new(context, body, &problem, solution);
            agents.write(context, body.op);
            let cycles = predicted_cycles(context, (body, &graph), &solution.schedule, machine);
            body.op.remove_attribute(context, AGENTS);
            for op in collect(context, function) {
                op.remove_attribute(context, AGENT);
            }
            if let Some(specification) = specification {
                function.set_attribute(context, KERNEL_SPEC, specification);
            }
            cycles
        };
        let solved = solve(&problem, &JointOptions { scheduling, work }, &mut judge);
        Ok(solved
            .map(|solution| (solution.rank(&problem), solution))
            .map_err(Unsolved::Agents))
    }

    /// The predicted cycles of an iteration with the schedule and the agents of 'default'.
    fn usual_cycles(
        &self,
        context: &Context,
        body: &LoopBody,
    ) -> Result<Option<u32>, Box<Diagnostic>> {
        let machine = self.options.machine.model(context, body.op);
        let graph = dependence_graph(context, body, machine)?;
        let options = self.scheduling_options(context, body, &graph, machine)?;
        let costs = (&graph, machine);
        let schedule = self.usual(context, body, costs, &options, &mut DecisionLog::off())?;
        Ok(predicted_cycles(
            context,
            (body, &graph),
            &schedule,
            machine,
        ))
    }
}

/// The cycles of an iteration that materialization predicts for the agents of a loop; `None` if it would
/// not divide the loop between agents. Two compute agents that take turns execute at most two iterations in
/// these cycles.
fn predicted_cycles(
    context: &Context,
    (body, graph): (&LoopBody, &DependenceGraph),
    schedule: &Schedule,
    machine: &MachineModel,
) -> Option<u32> {
    let loops = vec![ScheduledLoop {
        body: body.clone(),
        graph: graph.clone(),
        schedule: WrittenSchedule::from(schedule),
    }];
    let options = AssignBuffersOptions::default();
    let shared_memory = machine.budget("smem").unwrap_or(u64::MAX);
    let plan = plan_region(context, &loops, shared_memory).ok()??;
    let dual = Dual {
        allowed: true,
        shared_memory: options.budget(machine).shared_memory,
    };
    let function = function_around(context, &plan);
    let mut regions = vec![(plan, loops)];
    let buffers = FunctionBuffers::of(context, function, &mut regions, machine, (&options, dual));
    let (buffers, _) = buffers.ok()?;
    let (plan, _) = regions.pop()?;
    let storage = buffers.storage(0, &plan);
    let region = Specialized::prepare(context, plan, storage, dual).ok()?;
    let cycles = region.plan().loop_plan(context, body.op)?.cycles()?;
    Some(match region.takes_turns() {
        true => cycles.div_ceil(2),
        false => cycles,
    })
}

/// The operation of a function that stands where another one stands in its copy.
fn original(
    context: &Context,
    (copy, function): (Operation, Operation),
    op: Operation,
) -> Option<Operation> {
    let position = collect(context, copy)
        .into_iter()
        .position(|other| other == op)?;
    collect(context, function).get(position).copied()
}
