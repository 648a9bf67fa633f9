//! The pass `strip-debuginfo`.

use orison_ir::pass::{IRStatus, Pass, PassContext, PassDefinition, PassResult, source_position};
use orison_ir::{Location, walk};

/// The pass `strip-debuginfo`.
#[derive(Clone, Debug)]
pub struct StripDebuginfo;

impl Pass for StripDebuginfo {
    type Options = ();

    const DEFINITION: PassDefinition = PassDefinition::new::<StripDebuginfo>(
        "strip-debuginfo",
        "Replaces the locations of operations and block arguments by unknown locations.",
        source_position!(),
    );

    fn create((): ()) -> Self {
        StripDebuginfo
    }

    fn options(&self) -> &() {
        &()
    }

    fn run(&mut self, pass: &mut PassContext<'_>) -> PassResult {
        let operations = walk::collect(pass.context, pass.op());
        let context = &mut *pass.context;
        for op in operations {
            op.set_location(context, Location::UNKNOWN);
            let regions = op.regions(context);
            let blocks: Vec<_> = regions.flat_map(|region| region.blocks(context)).collect();
            for block in blocks {
                for position in 0..block.argument_count(context) {
                    block.set_argument_location(context, position, Location::UNKNOWN);
                }
            }
        }
        // No analysis depends on locations.
        pass.preserve_all();
        Ok(IRStatus::Changed)
    }
}
