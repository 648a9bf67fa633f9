//! `tileas-materialize-schedule`: rewrites scheduled loops into agents.

use orison_ir::pass::{
    IRStatus, Pass, PassContext, PassDefinition, PassResult, Remark, RemarkKind,
};
use orison_ir::source_position;

use super::analysis::ScheduleAnalysis;
use super::attributes::{SUMMARY, read_schedule};
use super::dependence::dependence_graph;
use super::loop_body::LoopBody;
use super::machine_choice::MachineChoice;
use super::materialize::{Limits, Materialization};
use super::recheck::check_loop;

orison_ir::pass_options! {
    /// Options of `tileas-materialize-schedule`.
    pub struct MaterializeOptions {
        /// Machine model.
        machine = "machine": MachineChoice = MachineChoice::Auto,
        /// Slots of each ring, as far as shared memory allows; at least what the schedule needs.
        depth = "depth": u32 = 2,
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
         A scheduled loop becomes an `agent_switch`: a producer that loads tiles by TMA into ring \
         slots, and a consumer that does the rest; they talk through pipelines. The schedule comes \
         from `ScheduleAnalysis`, or from the attributes when the IR came from text; it is checked \
         before it is used. What cannot be materialized is an error, and the IR is left as it \
         was.\n\n\
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
        let root = pass.op();
        let analysis = pass.analysis::<ScheduleAnalysis>();
        // All loops are planned before the first is changed: a failure leaves all of them.
        let mut prepared = Vec::new();
        for body in LoopBody::targets(pass.context, root) {
            if body.op.attribute(pass.context, SUMMARY).is_none() {
                if pass.wants_remarks() {
                    let reason = "the loop has no schedule";
                    let remark = Remark::new(RemarkKind::Missed, "materialize", reason)
                        .with_help("run tileas-generate-schedule before");
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
            let limits = Limits {
                shared_memory: machine.budget("smem").unwrap_or(u64::MAX),
                requested_depth: self.options.depth,
            };
            let context = &*pass.context;
            let loop_plan = Materialization::prepare(context, &body, &graph, &schedule, limits)?;
            prepared.push(loop_plan);
        }
        for materialization in &prepared {
            materialization.emit(pass.context);
        }
        Ok(IRStatus::changed_if(!prepared.is_empty()))
    }
}
