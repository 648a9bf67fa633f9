//! The pipeline `ori-optimize`: the passes on `ori` in the order of ptxas's phases up to 65, then
//! equality saturation, then phases 85 and 87.

use orison_ir::pass::{
    OptionError, OptionTexts, Pass, PassRegistry, Pipeline, PipelineDefinition, source_position,
};

use super::{
    BranchOpt, CopyPropagation, FixupGmmaSequence, FormAccumulators, GeneralOptimize,
    GlobalValueNumbering, LiveDead, OptimizeUniformAtomic, Peephole, Predication, PropagateGmma,
    Reassociate, StoreElimination, StrengthReduce, SwitchOpt,
};

/// The pipeline `ori-optimize`.
pub static OPTIMIZE: PipelineDefinition = PipelineDefinition {
    name: "ori-optimize",
    documentation: "The passes on ori in the order of ptxas's phases, then ori-general-optimize.\n\
                    \n\
                    ori-general-optimize takes the most time per operation and runs last, on the \
                    output of the other passes; operations that it leaves unused are erased \
                    behind it. Phases 85 and 87 of ptxas, on products of warp groups, come last. \
                    See docs/ori-passes.md and docs/gmma.md.",
    options: &[],
    build,
    position: source_position!(),
};

fn build(
    _: &PassRegistry,
    pipeline: &mut Pipeline,
    options: &OptionTexts,
) -> Result<(), OptionError> {
    if let Some((name, _)) = options.first() {
        return Err(OptionError::Unknown {
            name: name.clone(),
            nearest: None,
        });
    }
    add::<SwitchOpt>(pipeline);
    add::<BranchOpt>(pipeline);
    add::<LiveDead>(pipeline);
    add::<StrengthReduce>(pipeline);
    add::<Peephole>(pipeline);
    add::<CopyPropagation>(pipeline);
    add::<OptimizeUniformAtomic>(pipeline);
    add::<GlobalValueNumbering>(pipeline);
    add::<Reassociate>(pipeline);
    add::<Predication>(pipeline);
    add::<BranchOpt>(pipeline);
    add::<CopyPropagation>(pipeline);
    add::<GlobalValueNumbering>(pipeline);
    add::<StoreElimination>(pipeline);
    add::<LiveDead>(pipeline);
    add::<GeneralOptimize>(pipeline);
    add::<LiveDead>(pipeline);
    add::<FormAccumulators>(pipeline);
    add::<PropagateGmma>(pipeline);
    add::<FixupGmmaSequence>(pipeline);
    Ok(())
}

/// Adds a pass with default options.
fn add<P: Pass>(pipeline: &mut Pipeline)
where
    P::Options: Default,
{
    pipeline.add(P::create(P::Options::default()));
}
