//! Rules that would leave invalid IR: the rewriter rejects the change, and the pass fails.

use orison_ir::pass::{PassManager, Pipeline};
use orison_ir::{Context, PrintFlags, Rule, Source, parse_source, print_to_string, rule};
use orison_rewrites::{Canonicalize, CanonicalizeOptions};

rule!(
    ERASE_USED,
    "test-erase-used",
    "erases a sum that something uses",
    "arith.addi",
    |rewriter, op| {
        rewriter.erase(op);
        Ok(())
    }
);
rule!(
    REPLACE_BY_NOTHING,
    "test-replace-by-nothing",
    "replaces a sum by no value",
    "arith.addi",
    |rewriter, op| {
        rewriter.replace(op, &[]);
        Ok(())
    }
);
rule!(
    INLINE_WITHOUT_VALUES,
    "test-inline-without-values",
    "inlines a loop body without values for its arguments",
    "scf.for",
    |rewriter, op| {
        if let Some(block) = op.body_block(rewriter.ir(), 0) {
            rewriter.inline_block(block, &[]);
        }
        Ok(())
    }
);

const TEXT: &str = "\
func.func @f(%a: i32, %l: index, %u: index) -> i32 {
  %0 = arith.addi %a, %a : i32
  scf.for %i = %l to %u step %u {
    \"t.use\"(%0) : (i32) -> ()
  }
  return %0 : i32
}";

/// The errors of canonicalization with a rule, which must fail and leave the text unchanged.
fn errors_of(rule: &'static Rule) -> Vec<String> {
    let mut context = Context::new();
    orison_host::register(&mut context);
    context.allow_unregistered_dialects(true);
    let source = Source {
        name: "t.mlir",
        text: TEXT,
        first_line: 1,
    };
    let module = parse_source(&mut context, source).expect("the text is well-formed");
    let before = print_to_string(&context, module, &PrintFlags::default());
    let mut pipeline = Pipeline::on("builtin.module");
    let options = CanonicalizeOptions::default();
    pipeline.add(Canonicalize::with_rules(options, vec![rule]));
    let mut manager = PassManager::default();
    let result = manager.run(&mut context, &pipeline, module, &mut String::new());
    assert!(result.is_err(), "the pass must fail");
    assert!(context.verify(module).is_ok(), "the IR must be valid");
    let after = print_to_string(&context, module, &PrintFlags::default());
    assert_eq!(after, before);
    let diagnostics = context.diagnostics.take();
    diagnostics.iter().map(|d| d.render(&context)).collect()
}

#[test]
fn what_is_used_is_not_erased() {
    let errors = errors_of(&ERASE_USED);
    assert_eq!(errors.len(), 1, "{errors:?}");
    let error = "t.mlir:2:8: error: 'arith.addi' op cannot be erased: its result #0 is used";
    assert!(errors[0].starts_with(error), "{errors:?}");
    assert!(errors[0].contains("note: used here"), "{errors:?}");
}

#[test]
fn replacements_have_to_fit() {
    let errors = errors_of(&REPLACE_BY_NOTHING);
    assert_eq!(errors.len(), 1, "{errors:?}");
    assert!(errors[0].contains("has 1 results, and cannot be replaced by 0 values"));
}

#[test]
fn inlined_blocks_need_their_arguments() {
    let errors = errors_of(&INLINE_WITHOUT_VALUES);
    assert_eq!(errors.len(), 1, "{errors:?}");
    assert!(errors[0].contains("has a block with 1 arguments, which 0 values cannot replace"));
}
