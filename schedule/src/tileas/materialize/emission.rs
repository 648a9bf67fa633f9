//! What was written for a plan, before it takes the place of the original operations.
//!
//! All plans of a pass are written first, then checked, then committed: when one cannot be, nothing
//! has changed.

use std::collections::BTreeSet;

use orison_ir::walk::collect;
use orison_ir::{Context, Diagnostic, Operation, Value};

/// The code written for one plan.
#[derive(Clone, Debug)]
pub struct Emission {
    /// The new operations, in the order of their block.
    created: Vec<Operation>,
    /// Results of the original operations, with the values that replace them.
    replaced: Vec<(Value, Value)>,
    /// The operations that are replaced, in program order.
    originals: Vec<Operation>,
}

impl Emission {
    /// Collects what was created before `place` and after `before`, which was the operation before
    /// `place` when writing began.
    pub(super) fn new(
        context: &Context,
        before: Option<Operation>,
        place: Operation,
        originals: Vec<Operation>,
        replaced: Vec<(Value, Value)>,
    ) -> Self {
        let mut created = Vec::new();
        let mut current = place.previous(context);
        while let Some(op) = current.filter(|op| Some(*op) != before) {
            created.push(op);
            current = op.previous(context);
        }
        created.reverse();
        Emission {
            created,
            replaced,
            originals,
        }
    }

    /// Checks that nothing uses what the emissions erase.
    ///
    /// # Errors
    /// At the operation whose value is still used, with a note at the use.
    pub fn check(context: &Context, emissions: &[Emission]) -> Result<(), Box<Diagnostic>> {
        let originals = emissions.iter().flat_map(|emission| &emission.originals);
        let erased: BTreeSet<Operation> = originals.flat_map(|op| collect(context, *op)).collect();
        let replaced = emissions.iter().flat_map(|emission| &emission.replaced);
        let replaced: BTreeSet<Value> = replaced.map(|(original, _)| *original).collect();
        for &op in &erased {
            for value in defined(context, op).filter(|value| !replaced.contains(value)) {
                if let Some(user) = value.users(context).find(|user| !erased.contains(user)) {
                    return Err(left_over(context, op, value, user));
                }
            }
        }
        Ok(())
    }

    /// Erases what was written. Emissions are undone in the reverse of their order.
    pub fn undo(self, context: &mut Context) {
        for op in self.created.into_iter().rev() {
            op.erase(context);
        }
    }

    /// Replaces the originals, after [`Emission::check`].
    pub fn commit(self, context: &mut Context) {
        for (original, replacement) in self.replaced {
            original.replace_all_uses_with(context, replacement);
        }
        for op in self.originals.into_iter().rev() {
            op.erase(context);
        }
    }
}

/// Results of an operation and arguments of its blocks.
fn defined(context: &Context, op: Operation) -> impl Iterator<Item = Value> + '_ {
    let blocks = op
        .regions(context)
        .flat_map(|region| region.blocks(context));
    let arguments = blocks.flat_map(|block| block.arguments(context));
    op.results(context).chain(arguments)
}

fn left_over(context: &Context, op: Operation, value: Value, user: Operation) -> Box<Diagnostic> {
    let message = format!(
        "cannot be materialized: no agent computes its {} number {}, which '{}' needs",
        match value.defining_op(context) {
            Some(_) => "result",
            None => "block argument",
        },
        value.position(context),
        user.name_text(context)
    );
    let error = *op.op_error(context, message);
    Box::new(error.with_note(user.location(context), "needed here"))
}
