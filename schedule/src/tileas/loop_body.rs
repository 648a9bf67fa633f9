//! The unit of scheduling: an innermost `scf.for` and the operations of its body.

use orison_host::scf;
use orison_ir::walk::{collect, walk_nested};
use orison_ir::{Block, Context, Operation, Value};

use super::attributes;

/// An innermost `scf.for` with one block. The operations are those before the terminator.
#[derive(Clone, Debug)]
pub struct LoopBody {
    /// The `scf.for`.
    pub op: Operation,
    /// Its only block.
    pub block: Block,
    /// The operations of the body in program order, without the terminator.
    pub operations: Vec<Operation>,
    /// The `scf.yield`.
    pub terminator: Operation,
}

impl LoopBody {
    /// The body of a verified `scf.for`; `None` for another operation.
    pub fn of(context: &Context, op: Operation) -> Option<LoopBody> {
        if !scf::For::matches(context, op) {
            return None;
        }
        let block = op.body_block(context, 0)?;
        let terminator = block.terminator(context)?;
        Some(LoopBody {
            op,
            block,
            operations: block.body(context),
            terminator,
        })
    }

    /// The loops under `root` that can be scheduled, in program order: `scf.for` without a nested
    /// loop, with at least one tile operation or operation with explicit resources.
    pub fn targets(context: &Context, root: Operation) -> Vec<LoopBody> {
        let bodies = collect(context, root)
            .into_iter()
            .filter_map(|op| Self::of(context, op));
        bodies
            .filter(|body| body.is_innermost(context) && body.has_tile_work(context))
            .collect()
    }

    /// The loops under `root` that are not scheduled, with the reason and a suggestion.
    pub fn declined(
        context: &Context,
        root: Operation,
    ) -> Vec<(Operation, &'static str, &'static str)> {
        let bodies = collect(context, root)
            .into_iter()
            .filter_map(|op| Self::of(context, op));
        bodies
            .filter_map(|body| {
                if !body.is_innermost(context) {
                    let help = "the loop inside is scheduled";
                    Some((body.op, "it contains another loop", help))
                } else if !body.has_tile_work(context) {
                    let help = "give an operation the attribute tileas.schedule.resources";
                    Some((body.op, "it contains no tile operation", help))
                } else {
                    None
                }
            })
            .collect()
    }

    fn is_innermost(&self, context: &Context) -> bool {
        let mut innermost = true;
        walk_nested(context, self.op, |op| {
            innermost &= !op.is_one_of(
                context,
                &[
                    scf::For::DEFINITION,
                    scf::While::DEFINITION,
                    scf::Forall::DEFINITION,
                    scf::Parallel::DEFINITION,
                ],
            );
        });
        innermost
    }

    fn has_tile_work(&self, context: &Context) -> bool {
        let mut found = false;
        walk_nested(context, self.op, |op| {
            found |= op.name(context).dialect(context) == "nv_tileas"
                || attributes::has_resources(context, op);
        });
        found
    }

    /// Lower bound, upper bound, step.
    pub fn bounds(&self, context: &Context) -> [Value; 3] {
        [0, 1, 2].map(|number| self.op.operand(context, number))
    }

    /// The initial values of the carried arguments.
    pub fn initial_values(&self, context: &Context) -> Vec<Value> {
        self.op.operands(context).skip(3).collect()
    }

    /// The induction variable.
    pub fn induction_variable(&self, context: &Context) -> Value {
        self.block.argument(context, 0)
    }

    /// The values carried from one iteration to the next.
    pub fn carried(&self, context: &Context) -> Vec<Value> {
        self.block.arguments(context).skip(1).collect()
    }

    /// The values passed to the next iteration.
    pub fn yielded(&self, context: &Context) -> Vec<Value> {
        self.terminator.operands(context).collect()
    }
}
