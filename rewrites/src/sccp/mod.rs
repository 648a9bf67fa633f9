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
        "Propagates constants along executable paths.\n\
         \n\
         Sparse conditional constant propagation: every value is assumed to be constant and every \
         block to be unreachable until proven otherwise. Control flow is followed through \
         branches, through the regions of loops and conditionals, and, if the pass runs on their \
         symbol table, through calls and functions. Values that are proven constant are replaced; \
         unreachable blocks are left to `canonicalize`.",
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
