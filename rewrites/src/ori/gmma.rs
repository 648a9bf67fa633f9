//! The pipeline `ori-gmma`: the form of accumulators, then phases 85 and 87 of ptxas.

use orison_ir::pass::{
    OptionError, OptionTexts, Pass, PassOptions, PassRegistry, Pipeline, PipelineDefinition,
    source_position,
};

use super::{
    FixupGmmaSequence, FixupGmmaSequenceOptions, FormAccumulators, FormAccumulatorsOptions,
    LiveDead, LiveDeadOptions, PropagateGmma, PropagateGmmaOptions,
};

/// The pipeline `ori-gmma`.
pub static GMMA: PipelineDefinition = PipelineDefinition {
    name: "ori-gmma",
    documentation: "Phases 85 and 87 of ptxas on an import, with what they need before them.\n\
                    \n\
                    ori-perform-live-dead, ori-form-accumulators, ori-perform-live-dead, \
                    ori-propagate-gmma, ori-fixup-gmma-sequence. Options are those of the last \
                    one. It reports what ptxas reports of an import with --ptx-locations; see \
                    docs/gmma.md.",
    options: FixupGmmaSequenceOptions::DEFINITIONS,
    build,
    position: source_position!(),
};

fn build(
    _: &PassRegistry,
    pipeline: &mut Pipeline,
    options: &OptionTexts,
) -> Result<(), OptionError> {
    let fixup = FixupGmmaSequenceOptions::of(options)?;
    let propagate = PropagateGmmaOptions {
        knobs: fixup.knobs.clone(),
    };
    pipeline.add(LiveDead::create(LiveDeadOptions::default()));
    pipeline.add(FormAccumulators::create(FormAccumulatorsOptions::default()));
    pipeline.add(LiveDead::create(LiveDeadOptions::default()));
    pipeline.add(PropagateGmma::create(propagate));
    pipeline.add(FixupGmmaSequence::create(fixup));
    Ok(())
}
