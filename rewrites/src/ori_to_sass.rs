//! The pipeline `ori-to-sass`: from an import to scheduled machine code, in the order of ptxas's phases.

use orison_ir::pass::{
    OptionError, OptionTexts, Pass, PassOptions, PassRegistry, Pipeline, PipelineDefinition,
    source_position,
};
use orison_schedule::instructions::machine_code;
use orison_schedule::sass::passes as sass;

use crate::ConvertOriToSass;
use crate::ori;
use crate::ori::optimize::{OptimizeOptions, add, add_optimize};

orison_ir::pass_options! {
    /// Options of `ori-to-sass`.
    pub struct OriToSassOptions {
        /// 0: what the machine needs, and serial control words; 1: also passes on single operations and
        /// branches; 2: also loops and schedules; 3: also equality saturation.
        level = "level": u32[0..=3] = 3,
        /// Registers of a thread, as -maxrregcount; 0: those that the function asks for, or of the machine.
        max_registers = "max-registers": u32[0..=255] = 0,
    }
}

/// The pipeline `ori-to-sass`.
pub static ORI_TO_SASS: PipelineDefinition = PipelineDefinition {
    name: "ori-to-sass",
    documentation: "From an import to scheduled machine code, in the order of ptxas's phases.\n\
                    \n\
                    ori-optimize at the level, ori-enforce-argument-restrictions, ori-perform-live-dead from level 1 on, \
                    ori-rematerialize and ori-schedule-instructions from level 2 on, ori-insert-convergence-barriers, \
                    ori-allocate-registers, convert-ori-to-sass; then control words: \
                    sass-process-o0-waits at level 0, sass-advanced-scoreboards at level 1, and \
                    sass-schedule-instructions from level 2 on. See docs/ori-to-sass.md.",
    options: OriToSassOptions::DEFINITIONS,
    build,
    position: source_position!(),
};

fn build(
    _: &PassRegistry,
    pipeline: &mut Pipeline,
    options: &OptionTexts,
) -> Result<(), OptionError> {
    add_ori_to_sass(pipeline, &OriToSassOptions::of(options)?);
    Ok(())
}

/// Adds the passes of `ori-to-sass`, for a module.
pub fn add_ori_to_sass(pipeline: &mut Pipeline, own: &OriToSassOptions) {
    let optimize = OptimizeOptions {
        level: own.level.into(),
        ..OptimizeOptions::default()
    };
    add_optimize(pipeline, &optimize);
    add::<ori::EnforceArgumentRestrictions>(pipeline);
    if own.level >= 1 {
        // Selections of sizes that became predicates.
        add::<ori::LiveDead>(pipeline);
    }
    if own.level >= 2 {
        add::<ori::Rematerialize>(pipeline);
        let schedule = ori::ScheduleInstructionsOptions {
            max_registers: own.max_registers,
            ..ori::ScheduleInstructionsOptions::default()
        };
        pipeline.add(ori::ScheduleInstructions::create(schedule));
    }
    add::<ori::InsertConvergenceBarriers>(pipeline);
    let allocate = ori::AllocateRegistersOptions {
        max_registers: own.max_registers,
    };
    pipeline.add(ori::AllocateRegisters::create(allocate));
    pipeline.add(ConvertOriToSass);
    match own.level {
        0 => add::<sass::ProcessO0Waits>(pipeline),
        1 => {
            add::<sass::FixupTexDepbarAndSync>(pipeline);
            add::<sass::AdvancedScoreboards>(pipeline);
            add::<sass::InsertWarHazards>(pipeline);
            add::<sass::GenerateOpex>(pipeline);
            add::<sass::InsertWarHazards>(pipeline);
        }
        _ => add::<machine_code::ScheduleInstructions>(pipeline),
    }
}
