//! The code emitted for a plan, before it replaces the original operations.
//!
//! All plans of a pass are emitted first, then checked, then committed: if one fails, nothing has
//! changed.

use std::collections::BTreeSet;

use orison_ir::walk::collect;
use orison_ir::{Context, Diagnostic, Operation, Value};

/// The code emitted for one plan.
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
    /// Collects the operations created before `place` and after `before`, the operation that
    /// preceded `place` when emission started.
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

    /// Erases the emitted code. Emissions are undone in reverse order.
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
        "cannot be materialized: no agent computes its {} #{}, which '{}' requires",
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

#[cfg(test)]
mod tests {
    use orison_ir::{PrintFlags, Source, parse_source, print_to_string};

    use super::*;

    const TEXT: &str = "\
func.func @f(%a: i32) {
  %new = arith.addi %a, %a : i32
  %old = arith.muli %a, %a : i32
  %also = arith.muli %old, %a : i32
  return
}";

    /// A function with `new` before `old` and `also`, which are to be replaced.
    fn emission(replaced: bool) -> (Context, Operation, [Operation; 3], Emission) {
        let mut context = Context::new();
        orison_host::register(&mut context);
        let source = Source {
            name: "t.mlir",
            text: TEXT,
            first_line: 1,
        };
        let module = parse_source(&mut context, source).expect("the text is well-formed");
        let sums = collect(&context, module);
        let find = |name: &str| {
            let found = sums.iter().filter(|op| op.is(&context, name));
            found.copied().collect::<Vec<_>>()
        };
        let (new, old) = (find("arith.addi")[0], find("arith.muli"));
        let ops = [new, old[0], old[1]];
        let results = ops.map(|op| op.result(&context, 0));
        let pairs = if replaced {
            vec![(results[1], results[0])]
        } else {
            Vec::new()
        };
        let emission = Emission::new(&context, None, old[0], old, pairs);
        (context, module, ops, emission)
    }

    fn text(context: &Context, module: Operation) -> String {
        print_to_string(context, module, &PrintFlags::default())
    }

    #[test]
    fn a_use_that_is_left_over_is_an_error_and_everything_is_undone() {
        let (mut context, module, [new, old, _], emission) = emission(false);
        let value = old.result(&context, 0);
        new.set_operand(&mut context, 0, value);
        let error = Emission::check(&context, std::slice::from_ref(&emission));
        let error = error.expect_err("'new' uses what 'old' computes");
        let found = error.render(&context);
        let expected = "t.mlir:3:10: error: 'arith.muli' op cannot be materialized: no agent \
                        computes its result #0, which 'arith.addi' requires";
        assert!(found.starts_with(expected), "{found}");
        assert!(found.contains("t.mlir:2:10: note: needed here"), "{found}");
        emission.undo(&mut context);
        let after = text(&context, module);
        assert!(!after.contains("addi") && after.matches("muli").count() == 2);
        assert!(context.verify(module).is_ok());
    }

    #[test]
    fn originals_go_when_nothing_uses_them() {
        let (mut context, module, [new, old, _], emission) = emission(true);
        // Replaced results may have uses: they are redirected.
        let block = old.block(&context).expect("in the function");
        let end = block.terminator(&context).expect("a return");
        let value = old.result(&context, 0);
        end.set_operands(&mut context, &[value]);
        assert!(Emission::check(&context, std::slice::from_ref(&emission)).is_ok());
        emission.commit(&mut context);
        let after = text(&context, module);
        assert!(after.contains("addi") && !after.contains("muli"), "{after}");
        assert_eq!(end.operand(&context, 0), new.result(&context, 0));
    }
}
