//! The pipelines `ori-optimize` and `ori-loops`: the passes on `ori` in the order of ptxas's phases.

use orison_ir::pass::{
    OptionError, OptionTexts, Pass, PassOptions, PassRegistry, Pipeline, PipelineDefinition,
    source_position,
};

use super::{
    BranchOpt, CopyPropagation, FixupGmmaSequence, FoldOffsets, FormAccumulators, FormWideSums,
    GeneralOptimize, GeneralOptimizeOptions, GlobalValueNumbering, HoistInvariants,
    HoistInvariantsOptions, LiveDead, LoopFusion, LoopSimplification, LoopSimplificationOptions,
    LoopUnrolling, OptimizeUniformAtomic, Peephole, PeepholeOptions, Pipelining, Predication,
    PropagateGmma, Reassociate, StoreElimination, StrengthReduce, SwitchOpt,
};

orison_ir::pass_options! {
    /// Options of `ori-optimize`.
    pub struct OptimizeOptions {
        /// 0: only what products of warp groups need; 1: passes on single operations and branches; 2:
        /// also loops, predication and reassociation; 3: also equality saturation.
        level = "level": i64 = 3,
        /// Runs ori-general-optimize, at level 3.
        saturate = "saturate": bool = true,
        /// Runs ori-pipelining, at levels 2 and 3.
        pipelining = "pipelining": bool = false,
    }
}

orison_ir::pass_options! {
    /// Options of `ori-loops`.
    pub struct LoopsOptions {
        /// The level of ori-loop-simplification.
        level = "level": i64 = 3,
        /// Runs ori-pipelining.
        pipelining = "pipelining": bool = false,
    }
}

/// The pipeline `ori-optimize`.
pub static OPTIMIZE: PipelineDefinition = PipelineDefinition {
    name: "ori-optimize",
    documentation: "The passes on ori in the order of ptxas's phases.\n\
                    \n\
                    Level 0 is phases 85 and 87, on products of warp groups, which every program \
                    with such products needs. Level 1 adds branches, copies, dead and equal \
                    operations, and peepholes; level 2 loops, predication, reassociation, atomics \
                    and stores; level 3 equality saturation, which takes the most time per operation \
                    and runs behind the other passes. Pipelining (phase 24) is off, as ptxas's is in \
                    the code that was looked at. See docs/ori-passes.md, docs/loops.md and docs/gmma.md.",
    options: OptimizeOptions::DEFINITIONS,
    build: optimize,
    position: source_position!(),
};

/// The pipeline `ori-loops`.
pub static LOOPS: PipelineDefinition = PipelineDefinition {
    name: "ori-loops",
    documentation: "The passes on loops in the order of ptxas's phases, with what they need between.\n\
                    \n\
                    Copies are propagated and loops are made canonical; then strength reduction, \
                    unrolling, pipelining if it is asked for, loop-invariant code and fusion. See \
                    docs/loops.md.",
    options: LoopsOptions::DEFINITIONS,
    build: loops,
    position: source_position!(),
};

fn loops(
    _: &PassRegistry,
    pipeline: &mut Pipeline,
    options: &OptionTexts,
) -> Result<(), OptionError> {
    let loops = LoopsOptions::of(options)?;
    add::<CopyPropagation>(pipeline);
    first_loops(pipeline, &loops);
    add::<LiveDead>(pipeline);
    hoist(pipeline, 0);
    add::<LoopFusion>(pipeline);
    for phase in 1..4 {
        hoist(pipeline, phase);
    }
    Ok(())
}

fn optimize(
    _: &PassRegistry,
    pipeline: &mut Pipeline,
    options: &OptionTexts,
) -> Result<(), OptionError> {
    let own = OptimizeOptions::of(options)?;
    if !(0..=3).contains(&own.level) {
        return Err(OptionError::Value {
            name: "level".to_owned(),
            message: format!("expected 0 to 3, found {}", own.level),
        });
    }
    add_optimize(pipeline, &own);
    Ok(())
}

/// Adds the passes of `ori-optimize`.
pub fn add_optimize(pipeline: &mut Pipeline, own: &OptimizeOptions) {
    let from = |level: i64| own.level >= level;
    if from(1) {
        add::<SwitchOpt>(pipeline);
        add::<BranchOpt>(pipeline);
        add::<LiveDead>(pipeline);
        add::<CopyPropagation>(pipeline);
    }
    if from(2) {
        let loops = LoopsOptions {
            level: own.level,
            pipelining: own.pipelining,
        };
        first_loops(pipeline, &loops);
    }
    if from(1) {
        // Operations that a rewrite may affect are visited again in the same iteration: another one visits all, and finds
        // next to nothing.
        let once = PeepholeOptions {
            max_iterations: 1,
            ..PeepholeOptions::default()
        };
        pipeline.add(Peephole::create(once));
        add::<CopyPropagation>(pipeline);
        add::<LiveDead>(pipeline);
    }
    if from(2) {
        hoist(pipeline, 0);
        add::<OptimizeUniformAtomic>(pipeline);
    }
    if from(1) {
        add::<GlobalValueNumbering>(pipeline);
    }
    if from(2) {
        add::<Reassociate>(pipeline);
        add::<LoopFusion>(pipeline);
        add::<Predication>(pipeline);
        add::<BranchOpt>(pipeline);
        add::<CopyPropagation>(pipeline);
        add::<GlobalValueNumbering>(pipeline);
        add::<StoreElimination>(pipeline);
        hoist(pipeline, 1);
    }
    if from(1) {
        add::<FoldOffsets>(pipeline);
        add::<LiveDead>(pipeline);
    }
    if from(3) && own.saturate {
        pipeline.add(GeneralOptimize::create(saturation()));
        add::<LiveDead>(pipeline);
    }
    if from(2) {
        add::<FormWideSums>(pipeline);
        add::<LiveDead>(pipeline);
        hoist(pipeline, 2);
    }
    add::<FormAccumulators>(pipeline);
    add::<PropagateGmma>(pipeline);
    add::<FixupGmmaSequence>(pipeline);
    if from(2) {
        hoist(pipeline, 3);
    }
}

/// What saturation may spend in the pipeline: it finds most of what is cheaper in the first iterations. Short functions
/// are searched as thoroughly as by the pass alone, and each operation of long ones with a third of the work.
fn saturation() -> GeneralOptimizeOptions {
    GeneralOptimizeOptions {
        max_iterations: 3,
        work: 100,
        start: 5000,
        ..GeneralOptimizeOptions::default()
    }
}

/// Phases 18 to 24: canonical loops, strength reduction, unrolling, pipelining.
fn first_loops(pipeline: &mut Pipeline, options: &LoopsOptions) {
    let simplification = LoopSimplificationOptions {
        level: options.level,
        ..LoopSimplificationOptions::default()
    };
    pipeline.add(LoopSimplification::create(simplification));
    add::<BranchOpt>(pipeline);
    add::<StrengthReduce>(pipeline);
    add::<BranchOpt>(pipeline);
    add::<LoopUnrolling>(pipeline);
    add::<BranchOpt>(pipeline);
    add::<CopyPropagation>(pipeline);
    if options.pipelining {
        add::<Pipelining>(pipeline);
    }
}

/// Phase 35, 66, 79 or 88.
fn hoist(pipeline: &mut Pipeline, pass_id: i64) {
    let options = HoistInvariantsOptions {
        pass_id,
        ..HoistInvariantsOptions::default()
    };
    pipeline.add(HoistInvariants::create(options));
}

/// Adds a pass with default options.
pub(crate) fn add<P: Pass>(pipeline: &mut Pipeline)
where
    P::Options: Default,
{
    pipeline.add(P::create(P::Options::default()));
}
