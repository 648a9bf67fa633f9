//! `tileas-generate-schedule`: chooses interval, stages and orders.

use std::collections::BTreeMap;

use orison_ir::pass::{
    IRStatus, Pass, PassContext, PassDefinition, PassResult, Remark, RemarkKind,
};
use orison_ir::{Context, Diagnostic, Operation, source_position};

use super::agent_dependences::with_agents;
use super::analysis::ScheduleAnalysis;
use super::attributes::{self, WrittenSchedule, write_schedule};
use super::check_loop::check_loop;
use super::classify::WARP_REGISTER_BYTES;
use super::dependence::dependence_graph;
use super::input_check::unknown_names;
use super::joint::{self, AgentPlan};
use super::loop_body::LoopBody;
use super::machine_choice::{MachineChoice, capability, check_capability};
use super::schedule_trace::ScheduleTrace;
use super::solve::MAX_RING_DEPTH;
use crate::joint::JointSolution;
use crate::machine::MachineModel;
use crate::modulo::evaluators::BankCaps;
use crate::modulo::graph::MAX_NODES;
use crate::modulo::problem::{
    DEFAULT_CONSTRAINT_ITERATIONS, DEFAULT_EJECTION_WORK, DEFAULT_EXACT_WORK, DEFAULT_TABLE_SIZE,
    MAX_INTERVAL,
};
use crate::modulo::{
    DecisionLog, DependenceGraph, Schedule, SchedulingOptions, SearchLimit, Strategy,
    schedule_loop_logged,
};

orison_ir::option_enum! {
    /// The generator selection.
    pub enum StrategyChoice {
        /// Serial if the loop or its size requires it, if nothing in it is asynchronous, and before
        /// Hopper; otherwise cost-based, with the serial generator as the last resort.
        Default = "default",
        /// No schedule.
        None = "none",
        /// Operations one after another, one stage.
        Serial = "serial",
        /// Modulo scheduling with every generator; fails if no interval up to `max-ii` is feasible.
        CostBased = "cost-based",
        /// The first feasible interval of the heuristics, without the ejection and exact searches.
        Fast = "fast",
        /// Cost-based, together with the agents of the loop, their warps and registers, and whether
        /// the rows of its tiles are divided between compute agents.
        Joint = "joint",
    }
}

orison_ir::pass_options! {
    /// Options of `tileas-generate-schedule`.
    pub struct GenerateOptions {
        /// Machine model: a name, 'auto' for that of the kernel, or a TOML file.
        machine = "machine": MachineChoice = MachineChoice::Auto,
        /// Generator selection.
        strategy = "strategy": StrategyChoice = StrategyChoice::Default,
        /// Loops with fewer operations use the serial generator under 'default'.
        serial_threshold = "serial-threshold": usize[0..=MAX_NODES] = 0,
        /// Largest interval tried, in cycles; a serial schedule may exceed it, with a warning.
        max_ii = "max-ii": Option<u32>[1..=MAX_INTERVAL] = None,
        /// Maximum number of stages; by default as many as shared memory has ring slots for.
        max_stages = "max-stages": Option<u32>[1..=MAX_STAGES] = None,
        /// Search for a proof that the interval is minimal, with a hundred times the usual work.
        exact = "exact": bool = false,
        /// Work units of the exact search, which are deterministic; 0 turns it off.
        exact_work = "exact-work": u64[0..=MAX_EXACT_WORK] = DEFAULT_EXACT_WORK,
        /// Work units of the ejection search for each operation; 0 turns it off.
        ejection_work = "ejection-work": u64[0..=MAX_EJECTION_WORK] = DEFAULT_EJECTION_WORK,
        /// Maximum placements per operation in one attempt; an attempt has at most 16384 more than
        /// operations.
        placements = "placements": u32[1..=MAX_PLACEMENTS] = SchedulingOptions::default().placements_per_operation,
        /// Iterations of constraint refinement at one interval.
        max_constraint_iterations = "max-constraint-iterations": u32[1..=MAX_CONSTRAINT_ITERATIONS] = DEFAULT_CONSTRAINT_ITERATIONS,
        /// Schedule intervals above this many cycles in a quantised table first; 0 disables this.
        rrt_size_threshold = "rrt-size-threshold": u32[0..=MAX_INTERVAL] = DEFAULT_TABLE_SIZE,
        /// File for a trace of every decision, in Chrome's JSON format.
        trace = "trace": String = String::new(),
        /// Alias of 'trace'; only one of the two can be given.
        schedule_trace_file = "schedule-trace-file": String = String::new(),
        /// Work units for the choice of agents under 'joint': for each start cycle examined, as many
        /// as there are operations, and 50000 for each modulo schedule.
        joint_work = "joint-work": u64[0..=MAX_EJECTION_WORK] = DEFAULT_JOINT_WORK,
        /// Warps that 'joint' may use; by default those of the kernel. A kernel with fewer gets them.
        joint_warps = "joint-warps": Option<u32>[8..=64] = None,
        /// Whether 'joint' may divide the rows of tiles between compute agents.
        joint_split = "joint-split": bool = true,
        /// Delay seats at random, as a stress test; schedules remain valid.
        enable_random_delay = "enable-random-delay": bool = false,
        /// Seed of the random delays, for 'enable-random-delay'.
        random_seed = "random-seed": u64 = 1,
    }
}

/// The default `joint-work`.
const DEFAULT_JOINT_WORK: u64 = 2_000_000;

/// The factor by which `exact` increases the work of the exact search.
const EXACT_FACTOR: u64 = 100;

/// The name of the choice of agents, in remarks.
pub(super) const AGENTS_RULE: &str = "agents";

/// The factor by which the stages may exceed the ring slots that fit in shared memory.
const MORE_STAGES: u32 = 4;

/// The largest `max-stages`: at most one stage per operation.
const MAX_STAGES: u32 = MAX_NODES as u32;
/// The largest `exact-work`: years of work.
const MAX_EXACT_WORK: u64 = 1_000_000_000_000_000;
/// The largest `ejection-work`: hours of work for a large loop.
const MAX_EJECTION_WORK: u64 = 1_000_000_000_000;
/// The largest `placements`.
const MAX_PLACEMENTS: u32 = 16_385;
/// The largest `max-constraint-iterations`.
const MAX_CONSTRAINT_ITERATIONS: u32 = 1_000;

/// The pass.
#[derive(Clone, Debug)]
pub struct GenerateSchedule {
    pub(super) options: GenerateOptions,
    trace: ScheduleTrace,
    /// The loops for which 'joint' has chosen agents.
    chosen: BTreeMap<Operation, JointSolution>,
}

impl Pass for GenerateSchedule {
    type Options = GenerateOptions;

    const DEFINITION: PassDefinition = PassDefinition::new::<Self>(
        "tileas-generate-schedule",
        "Choose initiation interval, stages and orders of tile loops.\n\n\
         Every innermost `scf.for` with tile operations gets a modulo schedule: each operation of \
         the body gets the attributes `nv_tile.aws.stage`, `nv_tile.aws.order` and \
         `tileas.schedule.cycle`, the loop gets the summary `tileas.schedule`. The schedule is \
         also available as the analysis `ScheduleAnalysis`.\n\n\
         Four arms (PERMUTE, FUSE, RETRY, COST) place groups of operations in rounds of constraint \
         refinement; iterative modulo scheduling follows. If they fail at the lower bound, an \
         ejection search and an exact search choose the interval. Every schedule is checked by code independent of \
         the generators.\n\n\
         `TILE_AS_DEBUG_UNLIMITED_SMEM=1` in the environment removes the limit of shared \
         memory.\n\n\
         Source: TileAS reference sections 3 and 4, page Schedule Solve.",
        source_position!(),
    );

    fn create(options: GenerateOptions) -> Self {
        GenerateSchedule {
            options,
            trace: ScheduleTrace::default(),
            chosen: BTreeMap::new(),
        }
    }

    fn options(&self) -> &GenerateOptions {
        &self.options
    }

    fn run(&mut self, pass: &mut PassContext<'_>) -> PassResult {
        let root = pass.op();
        self.check_options(pass)?;
        for (op, reason, help) in LoopBody::declined(pass.context, root) {
            pass.declined(op, "modulo-schedule", reason, help);
        }
        let mut generated = Vec::new();
        if self.options.strategy == StrategyChoice::Joint {
            for body in LoopBody::targets(pass.context, root) {
                let found = self.choose_agents(pass, &body)?;
                self.chosen.extend(found);
            }
        }
        let bodies = LoopBody::targets(pass.context, root);
        if bodies.is_empty() {
            let reason = "no innermost 'scf.for' has tile operations";
            let help = "operations other than tile operations require 'tileas.schedule.resources'";
            pass.nothing_to_do(reason, help);
        }
        for body in bodies {
            if self.options.strategy == StrategyChoice::None {
                let help = "choose another strategy";
                pass.declined(body.op, "modulo-schedule", "the strategy is 'none'", help);
                continue;
            }
            let (schedule, agents) = self.generate(pass, &body)?;
            generated.push((body, schedule, agents));
        }
        self.write_trace(pass)?;
        let mut analysis = ScheduleAnalysis::default();
        for (body, schedule, agents) in &generated {
            attributes::erase_schedule(pass.context, body.op, &body.operations);
            write_schedule(pass.context, body.op, &body.operations, schedule);
            analysis.insert(body, WrittenSchedule::from(schedule));
            if let Some(agents) = agents {
                agents.write(pass.context, body.op);
            }
        }
        let changed = !generated.is_empty();
        pass.provide_analysis(root, analysis);
        Ok(IRStatus::changed_if(changed))
    }
}

impl GenerateSchedule {
    /// The schedule of a loop, verified by the checker.
    fn generate(
        &mut self,
        pass: &mut PassContext<'_>,
        body: &LoopBody,
    ) -> Result<(Schedule, Option<AgentPlan>), Box<Diagnostic>> {
        check_capability(pass.context, body.op)?;
        let choice = self.options.machine.clone();
        let machine = choice.model(pass.context, body.op);
        let mut warnings = unknown_names(pass.context, body.op, machine);
        warnings.extend(choice.substitution(pass.context, body.op));
        for warning in warnings {
            pass.context.diagnostics.emit(warning);
        }
        let graph = dependence_graph(pass.context, body, machine)?;
        let graph = with_agents(pass.context, body, &graph, machine).unwrap_or(graph);
        warn_of_leader_conflicts(pass.context, body, &graph);
        let options = self.scheduling_options(pass.context, body, &graph, machine)?;
        let mut log = if pass.wants_remarks() || self.trace_path().is_some() {
            DecisionLog::on()
        } else {
            DecisionLog::off()
        };
        let costs = (&graph, machine);
        let (schedule, agents) = match self.chosen.get(&body.op) {
            Some(solution) => (
                solution.schedule.clone(),
                Some(self.agents(pass, body, costs, solution)),
            ),
            None => {
                let found = self.usual(pass.context, body, costs, &options, &mut log)?;
                (found, None)
            }
        };
        self.legalize(pass.context, body, &graph, &schedule, machine)?;
        self.warn_of_interval(pass.context, body, &schedule);
        explain(pass, body, &graph, &schedule, &log);
        if self.trace_path().is_some() {
            self.trace.add(pass.context, body, &graph, &schedule, &log);
        }
        Ok((schedule, agents))
    }

    /// The schedule without a choice of agents.
    pub(super) fn usual(
        &self,
        context: &Context,
        body: &LoopBody,
        (graph, machine): (&DependenceGraph, &MachineModel),
        options: &SchedulingOptions,
        log: &mut DecisionLog,
    ) -> Result<Schedule, Box<Diagnostic>> {
        let found = schedule_loop_logged(graph, options, log).map_err(|error| {
            let message = format!("failed to find a schedule: {error}");
            body.op.op_error(context, message)
        })?;
        let better = self.with_more_stages(graph, machine, (options, &found), log);
        Ok(better.unwrap_or(found))
    }

    /// The agents that 'joint' has chosen for a loop.
    fn agents(
        &self,
        pass: &mut PassContext<'_>,
        body: &LoopBody,
        (graph, machine): (&DependenceGraph, &MachineModel),
        solution: &JointSolution,
    ) -> AgentPlan {
        let problem = joint::problem(pass.context, body, graph, machine, self.options.joint_warps);
        let agents = AgentPlan::new(pass.context, body, &problem, solution);
        if pass.wants_remarks() {
            let reason = format!("chose the agents {}", agents.describe());
            let remark = Remark::new(RemarkKind::Passed, AGENTS_RULE, reason)
                .with_value("passed-bytes", solution.passed_bytes)
                .with_value("cycles", solution.cycles);
            pass.remark(body.op, &remark);
        }
        agents
    }

    /// A shorter schedule with more stages than shared memory has ring slots for, whose rings fit
    /// nevertheless. The limit of stages is that of loops which need every slot from the first
    /// stage to the last; a slot is free again when its tile has been read. Tried where the limit may
    /// have cost cycles.
    fn with_more_stages(
        &self,
        graph: &DependenceGraph,
        machine: &MachineModel,
        (options, schedule): (&SchedulingOptions, &Schedule),
        log: &mut DecisionLog,
    ) -> Option<Schedule> {
        let bounds = schedule.bounds;
        let others = [
            bounds.resource,
            bounds.recurrence,
            bounds.fine,
            bounds.self_hold,
        ];
        let is_bounded = others.into_iter().max() >= Some(schedule.interval);
        if self.options.max_stages.is_some() || options.strategy == Strategy::Serial || is_bounded {
            return None;
        }
        let relaxed = SchedulingOptions {
            max_stages: Some(options.max_stages?.checked_mul(MORE_STAGES)?),
            max_interval: Some(schedule.interval - 1),
            ..options.clone()
        };
        let better = schedule_loop_logged(graph, &relaxed, log).ok()?;
        let staged = (0..graph.nodes().len()).filter(|node| graph.nodes()[*node].buffer_bytes > 0);
        let deepest = staged.map(|node| better.depth(graph, node)).max();
        let fits = better.buffer_bytes(graph) <= machine.budget("smem")?
            && deepest.is_none_or(|depth| depth <= MAX_RING_DEPTH);
        (fits && better.interval < schedule.interval).then_some(better)
    }

    fn trace_path(&self) -> Option<&str> {
        let paths = [&self.options.trace, &self.options.schedule_trace_file];
        let mut named = paths.into_iter().filter(|path| !path.is_empty());
        named.next().map(String::as_str)
    }

    /// Reports contradictory options, and warns of those without effect.
    fn check_options(&self, pass: &mut PassContext<'_>) -> Result<(), Box<Diagnostic>> {
        let given = &self.options;
        let traces = [&given.trace, &given.schedule_trace_file];
        if traces[0] != traces[1] && traces.iter().all(|path| !path.is_empty()) {
            let message = "options 'trace' and 'schedule-trace-file' name different files";
            return Err(pass.op().op_error(pass.context, message));
        }
        let searches = matches!(
            given.strategy,
            StrategyChoice::Default | StrategyChoice::CostBased | StrategyChoice::Joint
        );
        let idle = [
            (
                given.random_seed != 1 && !given.enable_random_delay,
                "'random-seed' has no effect without 'enable-random-delay'",
            ),
            (
                given.exact && !(searches && given.exact_work > 0),
                "'exact' has no effect if 'strategy' or 'exact-work' disables the search",
            ),
            (
                given.strategy != StrategyChoice::Joint
                    && (given.joint_work != DEFAULT_JOINT_WORK
                        || given.joint_warps.is_some()
                        || !given.joint_split),
                "'joint-work', 'joint-warps' and 'joint-split' have no effect unless the strategy is 'joint'",
            ),
            (
                given.serial_threshold > 0 && given.strategy != StrategyChoice::Default,
                "'serial-threshold' has no effect unless the strategy is 'default'",
            ),
        ];
        let location = pass.op().location(pass.context);
        for (_, message) in idle.into_iter().filter(|(is_idle, _)| *is_idle) {
            pass.context.warning(location, format!("option {message}"));
        }
        Ok(())
    }

    /// Warns that a serial schedule takes longer than the largest interval allowed.
    fn warn_of_interval(&self, context: &mut Context, body: &LoopBody, schedule: &Schedule) {
        let Some(limit) = self.options.max_ii else {
            return;
        };
        if schedule.interval > limit {
            let message = format!(
                "using the serial schedule, whose II {} exceeds max-ii={limit}",
                schedule.interval
            );
            context.warning(body.op.location(context), message);
        }
    }

    fn write_trace(&self, pass: &PassContext<'_>) -> Result<(), Box<Diagnostic>> {
        let Some(path) = self.trace_path() else {
            return Ok(());
        };
        std::fs::write(path, self.trace.to_json()).map_err(|error| {
            let message = format!("cannot write the schedule trace '{path}': {error}");
            pass.op().op_error(pass.context, message)
        })
    }

    pub(super) fn scheduling_options(
        &self,
        context: &Context,
        body: &LoopBody,
        graph: &DependenceGraph,
        machine: &MachineModel,
    ) -> Result<SchedulingOptions, Box<Diagnostic>> {
        let given = &self.options;
        let factor = if given.exact { EXACT_FACTOR } else { 1 };
        let caps = machine.evaluator_caps();
        Ok(SchedulingOptions {
            strategy: self.strategy(context, body, graph, machine)?,
            max_stages: given
                .max_stages
                .or_else(|| affordable_stages(graph, machine)),
            max_interval: given.max_ii,
            placements_per_operation: given.placements,
            exact_work: given.exact_work.saturating_mul(factor),
            ejection_work: given.ejection_work,
            serial_threshold: given.serial_threshold,
            max_constraint_iterations: given.max_constraint_iterations,
            rrt_size_threshold: given.rrt_size_threshold,
            register_budget: machine
                .budget("register_file")
                .and_then(|bytes| u32::try_from(bytes / WARP_REGISTER_BYTES).ok()),
            latency_ceiling: latency_ceiling(context, body, machine),
            bank_caps: BankCaps {
                in_iteration: caps.tmem_in_iteration,
                carry: caps.named_barrier_carry,
            },
            random_delay: given.enable_random_delay.then_some(given.random_seed),
        })
    }

    /// The first rule that applies: a forced-serial loop, then the option, then the rules of
    /// 'default', which are also those of loops for which 'joint' chooses no agents. The size threshold is
    /// left to the driver.
    fn strategy(
        &self,
        context: &Context,
        body: &LoopBody,
        graph: &DependenceGraph,
        machine: &MachineModel,
    ) -> Result<Strategy, Box<Diagnostic>> {
        if attributes::is_forced_serial(context, body.op)? {
            return Ok(Strategy::Serial);
        }
        Ok(match self.options.strategy {
            StrategyChoice::None | StrategyChoice::Serial => Strategy::Serial,
            StrategyChoice::CostBased => Strategy::CostBased,
            StrategyChoice::Fast => Strategy::Fast,
            StrategyChoice::Default | StrategyChoice::Joint => {
                let old = capability(context, body.op).is_some_and(|number| number < HOPPER);
                if old || !has_asynchronous_work(context, body, graph, machine) {
                    Strategy::Serial
                } else {
                    Strategy::Auto
                }
            }
        })
    }

    /// Checks what materialization requires: that the schedule is valid, that attributes can hold
    /// it, and, if the option lifted the limit given by shared memory, that its rings fit.
    fn legalize(
        &self,
        context: &Context,
        body: &LoopBody,
        graph: &DependenceGraph,
        schedule: &Schedule,
        machine: &MachineModel,
    ) -> Result<(), Box<Diagnostic>> {
        let illegal = |why: String| {
            let message = format!("failed to legalize schedule: {why}");
            Err(body.op.op_error(context, message))
        };
        let last = schedule.starts.iter().copied().max().unwrap_or(0);
        if i32::try_from(last).is_err() {
            return illegal(format!("cycle {last} does not fit in 32 bits"));
        }
        if self.options.max_stages.is_some()
            && let Some(available) = machine.budget("smem")
        {
            let needed = schedule.buffer_bytes(graph);
            if needed > available {
                return illegal(format!(
                    "its rings require {needed} bytes of shared memory, but {available} are \
                     available"
                ));
            }
        }
        check_loop(context, body, &WrittenSchedule::from(schedule), machine)
    }
}

/// The lowest compute capability for which 'default' is cost-based.
const HOPPER: u32 = 90;

/// The slots of asynchronous engines: TMA and tensor cores.
const ASYNCHRONOUS_SLOTS: [&str; 4] = ["tma", "mma", "tc_and_mma", "tp_mma"];

/// Whether the loop has anything to overlap: an asynchronous operation, one that holds TMA or a
/// tensor core, or one with explicit resources.
fn has_asynchronous_work(
    context: &Context,
    body: &LoopBody,
    graph: &DependenceGraph,
    machine: &MachineModel,
) -> bool {
    let engines = ASYNCHRONOUS_SLOTS.map(|name| machine.slot(name).map(|slot| slot.number));
    body.operations.iter().zip(graph.nodes()).any(|(op, node)| {
        attributes::has_resources(context, *op)
            || op.name_text(context).starts_with("nv_tileas.async.")
            || node
                .uses
                .iter()
                .any(|triple| engines.contains(&Some(triple.slot)))
    })
}

/// The number of ring stages that fit in shared memory, and that a ring may have; `None` if nothing is
/// staged.
fn affordable_stages(graph: &DependenceGraph, machine: &MachineModel) -> Option<u32> {
    let slot: u64 = graph.nodes().iter().map(|node| node.buffer_bytes).sum();
    let stages = machine.budget("smem")?.checked_div(slot)?;
    let deepest = u64::from(MAX_RING_DEPTH);
    Some(u32::try_from(stages.clamp(1, deepest)).unwrap_or(MAX_RING_DEPTH))
}

/// The ceiling for accumulated latency: a round trip to far memory, or across a cluster in a kernel
/// that has one.
fn latency_ceiling(context: &Context, body: &LoopBody, machine: &MachineModel) -> Option<u32> {
    let spec = orison_tileas::nv_tileaa::KernelSpec::around(context, body.op);
    let cluster = spec.and_then(|spec| spec.cluster_dim).unwrap_or_default();
    let name = if cluster.iter().any(|&extent| extent > 1) {
        "cross_cluster"
    } else {
        "far_memory"
    };
    let mut anchors = machine.anchors().iter();
    Some(anchors.find(|anchor| anchor.name == name)?.cycles)
}

fn warn_of_leader_conflicts(context: &mut Context, body: &LoopBody, graph: &DependenceGraph) {
    for conflict in graph.leader_conflicts() {
        let first = body.operations[conflict.first];
        let second = body.operations[conflict.second];
        let names = [first, second].map(|op| op.name_text(context));
        let message = format!(
            "inconsistent leader_gid for group {}: '{}' contradicts '{}'",
            conflict.group, names[1], names[0]
        );
        let locations = [first, second].map(|op| op.location(context));
        let mut warning = Diagnostic::new(orison_ir::Severity::Warning, locations[1], message);
        warning = warning.with_note(locations[0], "a different leader is given here");
        context.diagnostics.emit(warning);
    }
}

/// Reports the choice, its bounds, and what prevented a better one.
fn explain(
    pass: &mut PassContext<'_>,
    body: &LoopBody,
    graph: &DependenceGraph,
    schedule: &Schedule,
    log: &DecisionLog,
) {
    if !pass.wants_remarks() {
        return;
    }
    let bounds = schedule.bounds;
    let reason = format!(
        "scheduled {} operations at II {} in {} stages",
        body.operations.len(),
        schedule.interval,
        schedule.stage_count
    );
    let remark = Remark::new(RemarkKind::Passed, "modulo-schedule", reason)
        .with_value("ii", schedule.interval)
        .with_value("stages", schedule.stage_count)
        .with_value("generator", schedule.generator.name())
        .with_value("proven", schedule.proven)
        .with_value("mii-resource", bounds.resource)
        .with_value("mii-recurrence", bounds.recurrence)
        .with_value("mii-fine", bounds.fine)
        .with_value("mii-dependency", bounds.dependency)
        .with_value("mii-self", bounds.self_hold);
    pass.remark(body.op, &remark);
    explain_limit(pass, body, schedule);
    let refinement = &schedule.refinement;
    for &structure in &refinement.lifted {
        let structure = &graph.structures()[structure];
        let reason = format!(
            "operations {:?} do not share a stage, though {}",
            structure.members, structure.rationale
        );
        let remark = Remark::new(RemarkKind::Missed, "same-depth", reason)
            .with_help("a larger II would allow it");
        pass.remark(body.op, &remark);
    }
    let refusals = log.refusals();
    if refusals.is_empty() && refinement.rounds <= 1 {
        return;
    }
    let reason = "placements rejected by gates";
    let mut remark = Remark::new(RemarkKind::Analysis, "constraint-refinement", reason)
        .with_value("rounds", refinement.rounds)
        .with_value("converged", refinement.converged)
        .with_value("budget-exceeded", refinement.budget_exceeded)
        .with_value("cost", schedule.cost);
    for (gate, count) in refusals {
        remark = remark.with_value(gate.replace(' ', "-"), count);
    }
    pass.remark(body.op, &remark);
}

/// Reports what ended the search before the interval was proven minimal.
fn explain_limit(pass: &mut PassContext<'_>, body: &LoopBody, schedule: &Schedule) {
    let Some(limit) = schedule.limit else {
        return;
    };
    let (reason, help) = match limit {
        SearchLimit::Disabled => (
            "the options turn off the search for a smaller II",
            "use 'strategy=cost-based' with nonzero 'ejection-work' and 'exact-work'",
        ),
        SearchLimit::Size => (
            "the loop, or the distances between its operations, are too large for a search",
            "a search works with fewer operations, smaller latencies and smaller stage limits",
        ),
        SearchLimit::Work => (
            "the search for a smaller II ended at its limit of work",
            "increase 'ejection-work' for a smaller II, or use 'exact' for a proof",
        ),
    };
    let remark = Remark::new(RemarkKind::Missed, "modulo-schedule", reason)
        .with_value("ii", schedule.interval)
        .with_value("lower-bound", schedule.lower_bound)
        .with_help(help);
    pass.remark(body.op, &remark);
}
