//! The pass `sccp`.

mod callers;
mod lattice;
mod replace;
mod solver;

use orison_ir::pass::{IRStatus, Pass, PassContext, PassDefinition, PassResult, source_position};

/// The pass `sccp`.
#[derive(Clone, Debug)]
pub struct Sccp;

impl Pass for Sccp {
    type Options = ();

    const DEFINITION: PassDefinition = PassDefinition::new::<Sccp>(
        "sccp",
        "Finds values that are constant on every path that can be taken.\n\
         \n\
         Sparse conditional constant propagation: every value is taken to be constant and every \
         block to be out of reach until something shows otherwise. Control is followed through \
         branches, through the regions of loops and conditionals, and, where the pass runs on the \
         table that holds them, through calls and functions. Values that are found to be constant \
         are replaced; blocks that are found to be out of reach stay as they are, which is work for \
         `canonicalize`.",
        source_position!(),
    );

    fn create((): ()) -> Self {
        Sccp
    }

    fn options(&self) -> &() {
        &()
    }

    fn run(&mut self, pass: &mut PassContext<'_>) -> PassResult {
        let root = pass.op();
        let facts = solver::solve(pass.context, root);
        let replaced = replace::replace_constants(pass.context, root, &facts);
        Ok(IRStatus::changed_if(replaced))
    }
}
