//! The pass `loop-invariant-code-motion`.

use orison_ir::declare::Trait;
use orison_ir::pass::{
    IRStatus, Pass, PassContext, PassDefinition, PassResult, Statistic, source_position,
};
use orison_ir::{Context, Operation, Region, Value, walk};

use crate::effects::{effects_of, is_speculatable};

const HOISTED: &str = "num-hoisted";

/// The pass `loop-invariant-code-motion`.
#[derive(Clone, Debug)]
pub struct LoopInvariantCodeMotion;

impl Pass for LoopInvariantCodeMotion {
    type Options = ();

    const DEFINITION: PassDefinition = PassDefinition::new::<LoopInvariantCodeMotion>(
        "loop-invariant-code-motion",
        "Hoists loop-invariant operations out of loops.\n\
         \n\
         A loop-invariant operation has no side effects, can be speculated, and uses only values \
         defined outside the loop. Inner loops are processed first, so an operation is hoisted \
         out of as many loops as possible.",
        source_position!(),
    )
    .with_statistics(&[Statistic {
        name: HOISTED,
        summary: "Number of operations hoisted",
    }]);

    fn create((): ()) -> Self {
        LoopInvariantCodeMotion
    }

    fn options(&self) -> &() {
        &()
    }

    fn run(&mut self, pass: &mut PassContext<'_>) -> PassResult {
        let mut hoisted = 0;
        for op in walk::collect_post_order(pass.context, pass.op()) {
            if op.has_trait(pass.context, Trait::Loop) && op != pass.op() {
                hoisted += hoist_from(pass.context, op);
            }
        }
        pass.count(HOISTED, hoisted);
        Ok(IRStatus::changed_if(hoisted > 0))
    }
}

/// Hoists operations from the regions of a loop; returns the number of hoisted operations.
fn hoist_from(context: &mut Context, looped: Operation) -> u64 {
    let mut hoisted = 0;
    let regions: Vec<_> = looped.regions(context).collect();
    for region in regions {
        let blocks = region.blocks(context);
        // First in, first out.
        let mut pending: std::collections::VecDeque<Operation> =
            blocks.flat_map(|block| block.operations(context)).collect();
        while let Some(op) = pending.pop_front() {
            // It may have been moved since it was queued.
            if op.parent_region(context) != Some(region) || !can_leave(context, op, looped) {
                continue;
            }
            op.move_before(context, looped);
            hoisted += 1;
            for result in op.results(context) {
                let users = result.users(context);
                pending.extend(users.filter(|user| user.parent_region(context) == Some(region)));
            }
        }
    }
    hoisted
}

fn can_leave(context: &Context, op: Operation, looped: Operation) -> bool {
    if op.has_trait(context, Trait::Terminator) || op.definition(context).is_none() {
        return false;
    }
    effects_of(context, op).is_none()
        && is_speculatable(context, op)
        && uses_only_outside(context, op, looped)
}

/// Whether an operation and everything nested in it uses only values defined inside it or outside
/// the loop.
fn uses_only_outside(context: &Context, op: Operation, looped: Operation) -> bool {
    let is_available = |value: Value| {
        let region = value
            .parent_block(context)
            .and_then(|block| block.region(context));
        let Some(region) = region else {
            return false;
        };
        let inside = |owner: Operation| {
            owner
                .regions(context)
                .any(|own: Region| own.is_ancestor_of(context, region))
        };
        !inside(looped) || inside(op)
    };
    walk::collect(context, op)
        .into_iter()
        .all(|nested| nested.operands(context).all(is_available))
}
