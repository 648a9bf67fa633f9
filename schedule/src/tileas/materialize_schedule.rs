//! `tileas-materialize-schedule`: rewrites scheduled loops into agents, or pipelines them in one.

use std::collections::BTreeSet;

use orison_ir::pass::{
    IRStatus, Pass, PassContext, PassDefinition, PassResult, Remark, RemarkKind,
};
use orison_ir::walk::collect;
use orison_ir::{Context, Diagnostic, Operation, Severity, source_position};

use super::analysis::ScheduleAnalysis;
use super::assign_buffers::AssignBuffersOptions;
use super::assign_buffers::function_buffers::FunctionBuffers;
use super::attributes::{AGENT, AGENTS, read_schedule};
use super::check_loop::check_loop;
use super::dependence::dependence_graph;
use super::loop_body::LoopBody;
use super::machine_choice::MachineChoice;
use super::materialize::{
    Dual, Emission, Peeling, Planned, Reduced, Refusal, Shortage, Specialized, Unspecialized,
    function_around,
};
use super::solve::{self, FramePlan, MAX_RING_DEPTH, RegionPlan, ScheduledLoop, plan_region};

orison_ir::option_enum! {
    /// The form that scheduled loops are rewritten into.
    pub enum PipelineStrategy {
        /// Unchanged.
        None = "none",
        /// One agent that issues loads ahead of their use.
        Unspecialized = "unspecialized",
        /// Load agents and compute agents.
        Specialized = "specialized",
    }
}

orison_ir::pass_options! {
    /// Options of `tileas-materialize-schedule`.
    pub struct MaterializeOptions {
        /// Machine model.
        machine = "machine": MachineChoice = MachineChoice::Auto,
        /// Slots of each ring, as far as shared memory permits; at least what the schedule needs.
        depth = "depth": u32[1..=MAX_RING_DEPTH] = 2,
        /// Form of scheduled loops.
        strategy = "pipeline-strategy": PipelineStrategy = PipelineStrategy::Specialized,
        /// Use one agent regardless of the strategy, unless it is 'none'.
        use_aus = "use-aus": bool = false,
        /// Two compute agents that take iterations in turn, if iterations do not depend on each
        /// other, the work is small for the number of stages, and there are enough warps.
        use_dual_simt = "use-dual-simt": bool = true,
        /// Overlap the iterations of a scheduled loop inside each agent, as the schedule says.
        rotate = "rotate": bool = true,
        /// Stages of a loop pipelined by one agent, as far as shared memory permits; 1 pipelines no
        /// loop.
        unspecialized_stages = "unspecialized-pipeline-num-stages": u32[1..=MAX_RING_DEPTH] = 4,
        /// In one agent: omit guards decided by constant bounds.
        rewrite = "enable-schedule-rewrite": bool = true,
    }
}

/// The pass.
#[derive(Clone, Debug)]
pub struct MaterializeSchedule {
    options: MaterializeOptions,
}

impl Pass for MaterializeSchedule {
    type Options = MaterializeOptions;

    const DEFINITION: PassDefinition = PassDefinition::new::<Self>(
        "tileas-materialize-schedule",
        "Meterialize the pipeline schedule to generate warp-specialized or unspecialized IR\n\n\
         A scheduled loop becomes an `agent_switch`: a load agent that loads tiles into ring \
         slots, and a compute agent that executes the other operations; they communicate through \
         pipelines. The schedule comes from `ScheduleAnalysis`, or from the attributes if the IR \
         was read from a file; it is checked before it is used. A schedule that cannot be \
         materialized is an error, and the IR is left unchanged.\n\n\
         Source: TileAS reference 1.12 and section 6.",
        source_position!(),
    );

    fn create(options: MaterializeOptions) -> Self {
        MaterializeSchedule { options }
    }

    fn options(&self) -> &MaterializeOptions {
        &self.options
    }

    fn run(&mut self, pass: &mut PassContext<'_>) -> PassResult {
        if self.options.strategy == PipelineStrategy::None {
            return Ok(IRStatus::Unchanged);
        }
        let loops = self.scheduled_loops(pass)?;
        let found = !loops.is_empty();
        let one_agent =
            self.options.use_aus || self.options.strategy == PipelineStrategy::Unspecialized;
        // All regions are planned before the first is changed: a failure changes none of them.
        let mut work = Work::default();
        if one_agent {
            self.prepare_loops(pass, &loops, &mut work.prepared)?;
        } else {
            self.prepare_regions(pass, loops, &mut work)?;
        }
        if !found {
            let help = "run tileas-generate-schedule first";
            pass.nothing_to_do("no loop has a schedule", help);
        } else if work.prepared.is_empty() {
            let reason = "no scheduled loop can be pipelined";
            pass.nothing_to_do(reason, "--remarks=text shows the reasons");
        }
        write(pass.context, &work.prepared)?;
        for buffers in work.buffers.iter().filter(|buffers| buffers.is_written()) {
            buffers.forget_planned(pass.context);
        }
        Ok(IRStatus::changed_if(!work.prepared.is_empty()))
    }
}

/// Writes all prepared items, or nothing.
fn write(context: &mut Context, prepared: &[Prepared]) -> Result<(), Box<Diagnostic>> {
    let mut emissions: Vec<Emission> = Vec::new();
    for prepared in prepared {
        emissions.push(match prepared {
            Prepared::Agents(region) => region.emit(context),
            Prepared::Loop(looped) => looped.emit(context),
        });
    }
    if let Err(error) = Emission::check(context, &emissions) {
        for emission in emissions.into_iter().rev() {
            emission.undo(context);
        }
        return Err(error);
    }
    for prepared in prepared {
        for warning in warnings(context, prepared.plan()) {
            context.diagnostics.emit(warning);
        }
    }
    let in_one_agent = prepared.iter().filter_map(|prepared| match prepared {
        Prepared::Agents(_) => None,
        Prepared::Loop(looped) => Some(function_around(context, looped.plan())),
    });
    let functions: BTreeSet<Operation> = in_one_agent.collect();
    for emission in emissions {
        emission.commit(context);
    }
    for function in functions {
        forget_agents(context, function);
    }
    Ok(())
}

/// Removes the assignment of operations to agents, unless a loop still lists agents.
fn forget_agents(context: &mut Context, function: Operation) {
    let ops = collect(context, function);
    if ops.iter().any(|op| op.attribute(context, AGENTS).is_some()) {
        return;
    }
    for op in ops {
        op.remove_attribute(context, AGENT);
    }
}

/// The decisions made before anything changes.
#[derive(Default)]
struct Work {
    prepared: Vec<Prepared>,
    buffers: Vec<FunctionBuffers>,
}

/// An item for which everything is decided.
enum Prepared {
    Agents(Specialized),
    Loop(Unspecialized),
}

impl Prepared {
    fn plan(&self) -> &RegionPlan {
        match self {
            Prepared::Agents(region) => region.plan(),
            Prepared::Loop(looped) => looped.plan(),
        }
    }
}

impl MaterializeSchedule {
    /// Decides how each loop is pipelined by one agent.
    fn prepare_loops(
        &self,
        pass: &mut PassContext<'_>,
        loops: &[ScheduledLoop],
        prepared: &mut Vec<Prepared>,
    ) -> Result<(), Box<Diagnostic>> {
        let peeling = Peeling {
            stages: self.options.unspecialized_stages,
            rewrite: self.options.rewrite,
        };
        for scheduled in loops {
            let shared_memory = self.shared_memory(pass.context, scheduled.body.op);
            match Unspecialized::prepare(pass.context, scheduled, shared_memory, peeling)? {
                Ok(looped) => {
                    explain_stages(pass, &looped, peeling.stages);
                    prepared.push(Prepared::Loop(looped));
                }
                Err(refusal) => decline(pass, &refusal),
            }
        }
        Ok(())
    }

    /// Decides how each region is split into agents; other regions are pipelined by one agent.
    fn prepare_regions(
        &self,
        pass: &mut PassContext<'_>,
        loops: Vec<ScheduledLoop>,
        work: &mut Work,
    ) -> Result<(), Box<Diagnostic>> {
        let mut functions: Vec<(Operation, Vec<Planned>)> = Vec::new();
        for loops in solve::regions(pass.context, loops) {
            let shared_memory = self.shared_memory(pass.context, loops[0].body.op);
            let Some(plan) = plan_region(pass.context, &loops, shared_memory)? else {
                nothing_to_load(pass, &loops);
                continue;
            };
            let function = function_around(pass.context, &plan);
            let planned = (plan, loops);
            match functions.iter_mut().find(|(known, _)| *known == function) {
                Some((_, regions)) => regions.push(planned),
                None => functions.push((function, vec![planned])),
            }
        }
        for (function, regions) in functions {
            self.prepare_function(pass, function, regions, work)?;
        }
        Ok(())
    }

    fn prepare_function(
        &self,
        pass: &mut PassContext<'_>,
        function: Operation,
        mut regions: Vec<Planned>,
        work: &mut Work,
    ) -> Result<(), Box<Diagnostic>> {
        let machine = self.options.machine.model(pass.context, function);
        let options = AssignBuffersOptions {
            depth: self.options.depth,
            rotate: self.options.rotate,
            ..AssignBuffersOptions::default()
        };
        let dual = Dual {
            allowed: self.options.use_dual_simt,
            shared_memory: options.budget(machine).shared_memory,
        };
        let (buffers, reduced) = FunctionBuffers::of(
            pass.context,
            function,
            &mut regions,
            machine,
            (&options, dual),
        )?;
        for reduced in &reduced {
            explain_rotation(pass, reduced);
        }
        buffers.explain_depths(pass, options.depth);
        let inner = inner_regions(pass, &regions);
        for (number, (plan, loops)) in regions.into_iter().enumerate() {
            if inner.contains(&number) {
                continue;
            }
            let storage = buffers.storage(number, &plan);
            match Specialized::prepare(pass.context, plan, storage, dual) {
                Ok(region) => {
                    if let Some((first, reason)) = region.undivided(pass.context) {
                        let help = "remove what its iterations have in common, or set \
                                    use-dual-simt=false";
                        pass.declined(first, "dual-simt", reason, help);
                    }
                    report_cycles(pass, region.plan(), &loops);
                    work.prepared.push(Prepared::Agents(region));
                }
                Err(refusal) => {
                    decline(pass, &refusal);
                    self.prepare_loops(pass, &loops, &mut work.prepared)?;
                }
            }
        }
        work.buffers.push(buffers);
        Ok(())
    }

    fn shared_memory(&self, context: &Context, op: Operation) -> u64 {
        let machine = self.options.machine.model(context, op);
        machine.budget("smem").unwrap_or(u64::MAX)
    }

    /// The loops with schedules, each checked.
    fn scheduled_loops(
        &self,
        pass: &mut PassContext<'_>,
    ) -> Result<Vec<ScheduledLoop>, Box<Diagnostic>> {
        let root = pass.op();
        let analysis = pass.analysis::<ScheduleAnalysis>();
        let mut loops = Vec::new();
        for body in LoopBody::targets(pass.context, root) {
            if !solve::has_schedule(pass.context, body.op) {
                if pass.wants_remarks() {
                    let reason = "the loop has no schedule";
                    let remark = Remark::new(RemarkKind::Missed, "materialize", reason)
                        .with_help("run tileas-generate-schedule first");
                    pass.remark(body.op, &remark);
                }
                continue;
            }
            let schedule = match analysis.get(&body) {
                Some(schedule) => schedule.clone(),
                None => match read_schedule(pass.context, body.op, &body.operations)? {
                    Some(schedule) => schedule,
                    None => continue,
                },
            };
            let machine = self.options.machine.model(pass.context, body.op);
            check_loop(pass.context, &body, &schedule, machine)?;
            let graph = dependence_graph(pass.context, &body, machine)?;
            loops.push(ScheduledLoop {
                body,
                graph,
                schedule,
            });
        }
        Ok(loops)
    }
}

/// Reports that one agent pipelines a loop with fewer stages than requested.
fn explain_stages(pass: &mut PassContext<'_>, looped: &Unspecialized, asked: u32) {
    let stages = looped.stages();
    if stages < asked {
        let reason = format!("the loop has {stages} stages instead of {asked}");
        let help = match looped.waits_for_stores() {
            true => "an iteration loads data that the previous one stores",
            false => "shared memory is too small for more",
        };
        pass.declined(looped.looped(), "stages", &reason, help);
    }
}

/// Reports the predicted cycles of an iteration of the agents, with which a timed run compares.
fn report_cycles(pass: &mut PassContext<'_>, plan: &RegionPlan, loops: &[ScheduledLoop]) {
    for scheduled in loops {
        let looped = scheduled.body.op;
        let planned = plan.loop_plan(pass.context, looped);
        let Some(cycles) = planned.and_then(FramePlan::cycles) else {
            continue;
        };
        let reason = "predicted cycles of an iteration in the agents";
        let remark = Remark::new(RemarkKind::Analysis, "predicted-interval", reason)
            .with_value("cycles", cycles)
            .with_value("scheduled", scheduled.schedule.interval);
        pass.remark(looped, &remark);
    }
}

/// Reports that iterations overlap less than the schedule says.
fn explain_rotation(pass: &mut PassContext<'_>, reduced: &Reduced) {
    let interval = reduced.scheduled;
    let form = match reduced.interval {
        Some(same) if same == interval => "operations start earlier than scheduled".to_owned(),
        Some(longer) => format!("iterations start every {longer} cycles instead of {interval}"),
        None => "iterations do not overlap inside the agents".to_owned(),
    };
    let (reason, help) = match reduced.reason {
        Shortage::Registers { needed, available } => (
            format!(
                "{form}: {needed} bytes of tiles would be alive, with {available} of registers"
            ),
            "give the agent more warps or registers, or use smaller tiles",
        ),
        Shortage::Stages => (
            format!("{form}: more iterations would overlap than prologue and epilogue may contain"),
            "use larger tiles",
        ),
        Shortage::Slots => (
            format!("{form}: the rings would need more slots than memory or assigned buffers have"),
            "use smaller tiles",
        ),
        Shortage::Order => (
            format!("{form}: the agents cannot execute the order of the schedule"),
            "order memory accesses by tokens",
        ),
    };
    pass.declined(reduced.looped, "rotate", &reason, help);
}

fn nothing_to_load(pass: &mut PassContext<'_>, loops: &[ScheduledLoop]) {
    for scheduled in loops {
        let reason = "no load feeds its body: the loop is left unchanged";
        let help = "load tiles with weak memory semantics inside the loop";
        pass.declined(scheduled.body.op, "materialize", reason, help);
    }
}

/// Warnings about a plan.
fn warnings(context: &Context, plan: &RegionPlan) -> Vec<Diagnostic> {
    let mut warnings = Vec::new();
    for frame in &plan.frames {
        for pipe in frame.pipes.iter().filter(|pipe| pipe.route.is_none()) {
            let consumer = pipe.consumers.first().map(|node| frame.items[*node]);
            let Some(consumer) = consumer else { continue };
            let message = "consumer has no producer for raw value";
            let place = consumer.location(context);
            warnings.push(Diagnostic::new(Severity::Warning, place, message));
        }
    }
    warnings
}

/// Regions inside an operation that another region moves as a whole: they are not changed.
fn inner_regions(pass: &mut PassContext<'_>, regions: &[Planned]) -> BTreeSet<usize> {
    let mut inner = BTreeSet::new();
    for (number, (plan, _)) in regions.iter().enumerate() {
        let first = plan.partition.frames[0].items[0];
        let context = &*pass.context;
        let inside = regions.iter().enumerate().any(|(other, (plan, _))| {
            let mut items = plan.partition.frames[0].items.iter();
            other != number && items.any(|item| item.is_ancestor_of(context, first))
        });
        if inside {
            let reason = "it is nested in an operation that one agent executes as a whole";
            let help =
                "schedule only one of the loops, or put only 'scf.for' and 'scf.if' around it";
            pass.declined(first, "materialize", reason, help);
            inner.insert(number);
        }
    }
    inner
}

fn decline(pass: &mut PassContext<'_>, refusal: &Refusal) {
    pass.declined(refusal.at, "materialize", &refusal.reason, refusal.help);
}
