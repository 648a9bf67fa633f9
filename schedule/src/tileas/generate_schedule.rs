//! `tileas-generate-schedule`: chooses interval, stages and orders.

use orison_ir::pass::{
    IRStatus, Pass, PassContext, PassDefinition, PassResult, Remark, RemarkKind,
};
use orison_ir::{Context, Diagnostic, source_position};

use super::analysis::ScheduleAnalysis;
use super::attributes::{self, WrittenSchedule, write_schedule};
use super::dependence::dependence_graph;
use super::loop_body::LoopBody;
use super::machine_choice::MachineChoice;
use crate::machine::MachineModel;
use crate::modulo::{DependenceGraph, Schedule, SchedulingOptions, Strategy, schedule_loop};

orison_ir::option_enum! {
    /// Which generator makes the schedule.
    pub enum GeneratorChoice {
        /// Modulo scheduling, or the serial generator for loops below `serial-threshold`.
        Auto = "auto",
        /// One operation after the other, one stage.
        Serial = "serial",
        /// The first feasible interval of the iterative scheduler.
        Fast = "fast",
        /// Modulo scheduling with every generator.
        CostBased = "cost-based",
    }
}

orison_ir::pass_options! {
    /// Options of `tileas-generate-schedule`.
    pub struct GenerateOptions {
        /// Machine model.
        machine = "machine": MachineChoice = MachineChoice::Auto,
        /// Which generator makes the schedule.
        generator = "generator": GeneratorChoice = GeneratorChoice::Auto,
        /// Loops with fewer operations get the serial generator under 'auto'.
        serial_threshold = "serial-threshold": usize = 0,
        /// Largest interval tried before the serial fallback, in cycles.
        max_ii = "max-ii": Option<u32> = None,
        /// Most stages a schedule may have; by default as many as shared memory has ring slots for.
        max_stages = "max-stages": Option<u32> = None,
        /// Work units of the exact search, which are deterministic; 0 turns it off.
        exact_work = "exact-work": u64 = SchedulingOptions::default().exact_work,
        /// Placements an operation may cost in one attempt.
        placements = "placements": u32 = SchedulingOptions::default().placements_per_operation,
    }
}

/// The pass.
#[derive(Clone, Debug)]
pub struct GenerateSchedule {
    options: GenerateOptions,
}

impl Pass for GenerateSchedule {
    type Options = GenerateOptions;

    const DEFINITION: PassDefinition = PassDefinition::new::<Self>(
        "tileas-generate-schedule",
        "Choose initiation interval, stages and orders of tile loops.\n\n\
         Every innermost `scf.for` with tile operations gets a modulo schedule: each operation of \
         the body the attributes `nv_tile.aws.stage`, `nv_tile.aws.order` and \
         `tileas.schedule.cycle`, the loop the summary `tileas.schedule`. The schedule is also the \
         analysis `ScheduleAnalysis`.\n\n\
         Source: TileAS reference sections 3 and 4, page Schedule Solve.",
        source_position!(),
    );

    fn create(options: GenerateOptions) -> Self {
        GenerateSchedule { options }
    }

    fn options(&self) -> &GenerateOptions {
        &self.options
    }

    fn run(&mut self, pass: &mut PassContext<'_>) -> PassResult {
        let root = pass.op();
        for (op, reason, help) in LoopBody::declined(pass.context, root) {
            pass.declined(op, "modulo-schedule", reason, help);
        }
        let mut generated = Vec::new();
        for body in LoopBody::targets(pass.context, root) {
            let machine = self.options.machine.model(pass.context, body.op);
            let graph = dependence_graph(pass.context, &body, machine)?;
            warn_of_leader_conflicts(pass.context, &body, &graph);
            let schedule = self.schedule(pass.context, &body, &graph, machine)?;
            generated.push((body, schedule));
        }
        let mut analysis = ScheduleAnalysis::default();
        for (body, schedule) in &generated {
            attributes::erase_schedule(pass.context, body.op, &body.operations);
            write_schedule(pass.context, body.op, &body.operations, schedule);
            explain(pass, body, schedule);
            analysis.insert(body, WrittenSchedule::from(schedule));
        }
        let changed = !generated.is_empty();
        pass.provide_analysis(root, analysis);
        Ok(IRStatus::changed_if(changed))
    }
}

impl GenerateSchedule {
    fn schedule(
        &self,
        context: &Context,
        body: &LoopBody,
        graph: &DependenceGraph,
        machine: &MachineModel,
    ) -> Result<Schedule, Box<Diagnostic>> {
        let forced = attributes::is_forced_serial(context, body.op)?;
        let strategy = match self.options.generator {
            _ if forced => Strategy::Serial,
            GeneratorChoice::Auto => Strategy::Auto,
            GeneratorChoice::Serial => Strategy::Serial,
            GeneratorChoice::Fast => Strategy::Fast,
            GeneratorChoice::CostBased => Strategy::CostBased,
        };
        let options = SchedulingOptions {
            strategy,
            max_stages: self
                .options
                .max_stages
                .or_else(|| affordable_stages(graph, machine)),
            max_interval: self.options.max_ii,
            placements_per_operation: self.options.placements,
            exact_work: self.options.exact_work,
            serial_threshold: self.options.serial_threshold,
            ..SchedulingOptions::default()
        };
        schedule_loop(graph, &options).map_err(|error| {
            let message = format!("failed to find a schedule: {error}");
            body.op.op_error(context, message)
        })
    }
}

/// How many stages of rings shared memory holds; none when nothing is staged.
fn affordable_stages(graph: &DependenceGraph, machine: &MachineModel) -> Option<u32> {
    let slot: u64 = graph.nodes().iter().map(|node| node.buffer_bytes).sum();
    let stages = machine.budget("smem")?.checked_div(slot)?;
    Some(u32::try_from(stages).unwrap_or(u32::MAX).max(1))
}

fn warn_of_leader_conflicts(context: &mut Context, body: &LoopBody, graph: &DependenceGraph) {
    for conflict in graph.leader_conflicts() {
        let first = body.operations[conflict.first].location(context);
        let second = body.operations[conflict.second].location(context);
        let message = format!("inconsistent leader_gid for group {}", conflict.group);
        let mut warning = Diagnostic::new(orison_ir::Severity::Warning, second, message);
        warning = warning.with_note(first, "another leader is given here");
        context.diagnostics.emit(warning);
    }
}

/// Says what was chosen and what bounds it.
fn explain(pass: &mut PassContext<'_>, body: &LoopBody, schedule: &Schedule) {
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
}
