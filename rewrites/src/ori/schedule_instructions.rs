//! The pass `ori-schedule-instructions`: phase 97 of ptxas.

use orison_ir::analyses::{ControlFlowGraph, Liveness};
use orison_ir::pass::{
    IRStatus, Pass, PassContext, PassDefinition, PassFailure, PassResult, Remark, RemarkKind,
    Statistic, source_position,
};
use orison_ir::{Context, Diagnostic, Operation};
use orison_ori::analyses::{Frequencies, RegisterPressure};
use orison_ori::keywords::Space;
use orison_ori::knobs::Knobs;
use orison_ori::operations::structure::Func;
use orison_schedule::instructions::Occupancy;
use orison_schedule::instructions::ori::{
    Options, PhaseOutcome, Schedule, Scope, adjusted_model, cross_block, schedule,
};
use orison_schedule::instructions::strategies::{Phase, Settings, StrategyChoice};
use orison_schedule::ori::check_order::RecordedOrder;
use orison_schedule::sass::latency::LatencyModel;

use super::calling_convention::CallingConvention;
use super::functions::{Function, applied, machine_of, on_each};
use super::loops::Loops;
use super::matrix_registers::{RegisterLimit, threads};
use super::memory_layout::MemoryLayout;
use super::rules::Rules;

orison_ir::pass_options! {
    /// Options of `ori-schedule-instructions`.
    pub struct ScheduleInstructionsOptions {
        /// Knobs, as `Name=value`.
        knobs = "knobs": Vec<String> = Vec::new(),
        /// Phases, in order.
        phases = "phases": Vec<Phase> = Phase::ALL.to_vec(),
        /// Strategy of all blocks; auto chooses by block.
        strategy = "strategy": StrategyChoice = StrategyChoice::Auto,
        /// Instructions that a search may issue in trials, for each block.
        effort = "effort": u32 = 4000,
        /// Candidates that a strategy with dynamic priorities compares at a time.
        window = "window": u32 = 32,
        /// Registers of a thread, as -maxrregcount; 0: those that the function asks for, or of the machine.
        max_registers = "max-registers": u32[0..=255] = 0,
        /// Whose rules choose the budget of registers: `ptxas` (also if unset) or `page`.
        rules = "rules": Option<Rules> = None,
    }
}

const BLOCKS: &str = "num-blocks";
const HOISTED: &str = "num-hoisted";
const BEFORE: &str = "cycles-before";
const AFTER: &str = "cycles-after";
const RULE: &str = "schedule";

/// The pass `ori-schedule-instructions`.
#[derive(Clone, Debug)]
pub struct ScheduleInstructions(ScheduleInstructionsOptions);

impl Pass for ScheduleInstructions {
    type Options = ScheduleInstructionsOptions;

    const DEFINITION: PassDefinition = PassDefinition::new::<ScheduleInstructions>(
        "ori-schedule-instructions",
        "Orders operations within blocks before registers are allocated: phase 97 of ptxas.\n\
         \n\
         Loads move over the blocks between two blocks of which the second one is always reached behind the \
         first one. Then every block is ordered in phases: `reduce-reg` makes fewer registers live where there \
         are too many, `ilp` shortens the estimated time within a budget of registers, `dyn-batch` issues \
         products and texture reads together. In each phase the strategies that suit a block are tried, and the \
         best order by live registers beyond the budget and then by cycles stays: none is worse than before. \
         Latencies are those of the machine instructions that operations become. With `--verify-each` the result \
         is checked by a judge of the order that shares no code with the scheduler.\n\n\
         Source: seed 000; reference section 4; docs/ori-schedule.md.",
        source_position!(),
    )
    .with_statistics(&[
        Statistic {
            name: BLOCKS,
            summary: "Number of blocks with a new order, counted in each phase",
        },
        Statistic {
            name: HOISTED,
            summary: "Number of loads that were moved over blocks",
        },
        Statistic {
            name: BEFORE,
            summary: "Estimated cycles before",
        },
        Statistic {
            name: AFTER,
            summary: "Estimated cycles after",
        },
    ]);

    fn create(options: ScheduleInstructionsOptions) -> Self {
        ScheduleInstructions(options)
    }

    fn options(&self) -> &ScheduleInstructionsOptions {
        &self.0
    }

    fn run(&mut self, pass: &mut PassContext<'_>) -> PassResult {
        let shared = shared_memory(pass.context, pass.op());
        let convention = convention(pass.context, pass.op());
        on_each(pass, &self.0.knobs, |pass, function, knobs| {
            let name = Func(function.op).sym_name(pass.context);
            let is_internal = convention.is_internal(name);
            self.order(pass, function, (shared, is_internal), knobs)
        })
    }
}

impl ScheduleInstructions {
    fn order(
        &self,
        pass: &mut PassContext<'_>,
        function: Function,
        (shared, is_internal): (i64, bool),
        knobs: &Knobs,
    ) -> Result<IRStatus, PassFailure> {
        let model = model(pass.context, function)?;
        if knobs.integer("SchedDisableAll") != 0 || knobs.flag("PreserveSchedOrder") {
            return Ok(IRStatus::Unchanged);
        }
        let adjusted = adjusted_model(model, knobs);
        let model = adjusted.as_ref().unwrap_or(model);
        let option = self.0.max_registers;
        let limit = RegisterLimit::of(pass.context, function.op, (option > 0).then_some(option));
        let hoisted = hoist(pass, function, knobs, limit.registers);
        // The judge does not know that accesses are independent.
        let judges = pass.verifies() && !knobs.flag("SchedMemNoAlias");
        let recorded = judges.then(|| RecordedOrder::of(pass.context, function.body));
        let options = Options {
            phases: self.0.phases.clone(),
            strategy: self.0.strategy.forced(),
            settings: Settings {
                effort: u64::from(self.0.effort),
                window: usize::try_from(self.0.window.max(1)).unwrap_or(usize::MAX),
                ..Settings::default()
            },
            registers: limit.registers,
            is_asked: limit.is_asked,
            is_internal,
            occupancy: match self.0.rules.unwrap_or(Rules::Ptxas) {
                Rules::Ptxas => Some(occupancy(pass.context, function, shared)),
                Rules::Page => None,
            },
        };
        let found = scheduled(pass.context, function, (model, knobs), &options);
        for phase in &found.phases {
            pass.count(BLOCKS, phase.blocks.len() as u64);
            report(pass, function, phase);
        }
        if let (Some(first), Some(last)) = (found.phases.first(), found.phases.last()) {
            pass.count(BEFORE, first.cycles[0]);
            pass.count(AFTER, last.cycles[1]);
        }
        for (operations, behind) in &found.moved {
            for op in operations {
                op.move_before(pass.context, *behind);
            }
        }
        if let Some(recorded) = recorded {
            judge(pass.context, function, &recorded)?;
        }
        Ok(match hoisted || !found.moved.is_empty() {
            true => IRStatus::Changed,
            false => IRStatus::Unchanged,
        })
    }
}

/// The latency model of the target of a function.
fn model(context: &Context, function: Function) -> Result<&'static LatencyModel, PassFailure> {
    let target = Func(function.op).target(context).unwrap_or_default();
    LatencyModel::for_target(target).ok_or_else(|| {
        let known = LatencyModel::targets().join(", ");
        let message = format!("no latency model for '{target}'; known are {known}");
        PassFailure::from(function.op.op_error(context, message))
    })
}

/// The module that a function is in, or a module itself.
fn module_of(context: &Context, root: Operation) -> Option<Operation> {
    match Func::of(context, root) {
        Some(_) => root.parent_op(context),
        None => Some(root),
    }
}

/// How the functions beside or in an operation are called.
fn convention(context: &Context, root: Operation) -> CallingConvention {
    let module = module_of(context, root);
    module.map_or_else(CallingConvention::default, |module| {
        CallingConvention::of(context, module)
    })
}

/// The bytes of the variables in shared memory beside or in an operation.
fn shared_memory(context: &Context, root: Operation) -> i64 {
    let body = module_of(context, root).and_then(|module| module.body_block(context, 0));
    let operations = body.into_iter().flat_map(|body| body.operations(context));
    MemoryLayout::of_operations(context, operations).end(context, Space::Shared)
}

/// How many CTAs of a function run at once: by the threads that it says, and so many bytes of shared memory.
fn occupancy(context: &Context, function: Function, shared: i64) -> Occupancy {
    let threads = threads(context, function.op);
    Occupancy::of(
        machine_of(context, function.op).unwrap_or(0),
        threads.map(|threads| u32::try_from(threads).unwrap_or(u32::MAX)),
        u32::try_from(shared).unwrap_or(u32::MAX),
    )
}

fn scheduled(
    context: &Context,
    function: Function,
    (model, knobs): (&LatencyModel, &Knobs),
    options: &Options,
) -> Schedule {
    let loops = Loops::of(context, function);
    let scope = Scope {
        context,
        flow: &loops.flow,
        liveness: &Liveness::of(context, &loops.flow),
        forest: &loops.forest,
        inductions: &loops.inductions,
        frequencies: &Frequencies::of(context, &loops.flow, &loops.forest, &loops.inductions),
        model,
        knobs,
    };
    schedule(scope, options)
}

/// Moves loads over blocks; returns whether one was moved.
fn hoist(pass: &mut PassContext<'_>, function: Function, knobs: &Knobs, registers: u32) -> bool {
    let context = &mut *pass.context;
    let flow = ControlFlowGraph::of(context, function.body);
    let pressure = RegisterPressure::of(context, &flow, &Liveness::of(context, &flow));
    let hoists = cross_block::hoists(context, &flow, &pressure, registers, knobs);
    for hoist in &hoists {
        let Some(terminator) = flow.block(hoist.pair.first).terminator(context) else {
            continue;
        };
        for op in &hoist.operations {
            op.move_before(context, terminator);
        }
    }
    pass.count(HOISTED, hoists.len() as u64);
    for op in hoists.iter().filter_map(|hoist| hoist.operations.last()) {
        applied(
            pass,
            *op,
            "cross-block",
            "moved over the blocks in front of its block",
        );
    }
    !hoists.is_empty()
}

fn judge(
    context: &Context,
    function: Function,
    recorded: &RecordedOrder,
) -> Result<(), PassFailure> {
    let findings = recorded.check(context, function.body).into_iter();
    let errors = findings.map(|finding| {
        *function
            .op
            .op_error(context, format!("has a wrong order: {finding}"))
    });
    let errors: Vec<Diagnostic> = errors.collect();
    match errors.is_empty() {
        true => Ok(()),
        false => Err(PassFailure::new(errors)),
    }
}

fn report(pass: &mut PassContext<'_>, function: Function, phase: &PhaseOutcome) {
    if !pass.wants_remarks() {
        return;
    }
    let name = Func(function.op).sym_name(pass.context).unwrap_or_default();
    let reason = format!(
        "phase '{}' of '{name}': {} estimated cycles instead of {}, {} live registers instead of {}, budget {}; {} blocks \
         have a new order",
        phase.phase.name(),
        phase.cycles[1],
        phase.cycles[0],
        phase.live[1],
        phase.live[0],
        phase.budget,
        phase.blocks.len()
    );
    let blocks = phase.blocks.iter().map(|found| {
        format!(
            "block {} of '{name}': strategy '{}', {} estimated cycles instead of {}",
            found.block,
            found.strategy.name(),
            found.cycles[1],
            found.cycles[0]
        )
    });
    let remarks: Vec<String> = std::iter::once(reason).chain(blocks).collect();
    for reason in remarks {
        pass.remark(function.op, &Remark::new(RemarkKind::Passed, RULE, reason));
    }
}
