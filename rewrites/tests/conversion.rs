//! Dialect conversion: rollback, type conversion, signatures, the choice of patterns.

use std::cell::Cell;
use std::rc::Rc;

use orison_ir::pass::{
    Pass, PassContext, PassDefinition, PassManager, PassResult, Pipeline, Remarks,
};
use orison_ir::{
    Attribute, Context, Declined, InsertionPoint, Operation, OperationName, OperationState,
    PrintFlags, Severity, Source, Type, Value, parse_source, print_to_string,
};
use orison_rewrites::conversion::{
    ConversionMode, ConversionPattern, ConversionRewriter, ConversionTarget, Convert,
    TypeConverter, analyze, convert,
};
use proptest::prelude::*;

/// The body of a test pass, which takes the seed of the test.
type Body = fn(&mut PassContext<'_>, u64) -> PassResult;

thread_local! {
    /// The body of the test pass: passes are created from text, so they cannot hold a closure.
    static BODY: Cell<Option<Body>> = const { Cell::new(None) };
    static SEED: Cell<u64> = const { Cell::new(0) };
}

/// Runs the body of the test in a pass.
#[derive(Clone, Debug)]
struct TestConversion(());

impl Pass for TestConversion {
    type Options = ();
    const DEFINITION: PassDefinition = PassDefinition::new::<TestConversion>(
        "test-conversion",
        "Runs a conversion of a test.",
        orison_ir::pass::source_position!(),
    );
    fn create((): ()) -> Self {
        TestConversion(())
    }
    fn options(&self) -> &() {
        &self.0
    }
    fn run(&mut self, pass: &mut PassContext<'_>) -> PassResult {
        let body = BODY.get().expect("a test sets it");
        body(pass, SEED.get())
    }
}

struct Outcome {
    before: String,
    after: String,
    errors: Vec<String>,
    remarks: Vec<String>,
    succeeded: bool,
}

fn run(text: &str, seed: u64, body: fn(&mut PassContext<'_>, u64) -> PassResult) -> Outcome {
    let mut context = Context::new();
    context.allow_unregistered_dialects(true);
    orison_host::register(&mut context);
    let source = Source {
        name: "t.mlir",
        text,
        first_line: 1,
    };
    let module = parse_source(&mut context, source).expect("the text is well-formed");
    let flags = PrintFlags {
        debug_info: true,
        ..PrintFlags::generic()
    };
    let before = print_to_string(&context, module, &flags);
    BODY.set(Some(body));
    SEED.set(seed);
    let mut pipeline = Pipeline::on("builtin.module");
    pipeline.add(TestConversion(()));
    let mut manager = PassManager::default();
    *manager.remarks() = Remarks::Text;
    let result = manager.run(&mut context, &pipeline, module, &mut String::new());
    let diagnostics = context.diagnostics.take();
    let messages = |severity| {
        let chosen = diagnostics
            .iter()
            .filter(|found| found.severity == severity);
        chosen.map(|found| found.message.clone()).collect()
    };
    Outcome {
        before,
        after: print_to_string(&context, module, &flags),
        errors: messages(Severity::Error),
        remarks: messages(Severity::Remark),
        succeeded: result.is_ok(),
    }
}

fn pattern(name: &'static str, root: &'static str, apply: Convert) -> ConversionPattern {
    ConversionPattern::new((name, root), orison_ir::pass::source_position!(), apply)
}

/// Creates an operation with the operands and result types of another one.
fn like(
    rewriter: &mut ConversionRewriter<'_>,
    op: Operation,
    name: &str,
    operands: &[Value],
    types: &[Type],
) -> Vec<Value> {
    let location = op.location(rewriter.ir());
    let name = OperationName::new(rewriter.context(), name);
    let mut state = OperationState::new(name, location);
    state.operands.extend_from_slice(operands);
    state.result_types.extend_from_slice(types);
    let new = rewriter.create(&state);
    new.results(rewriter.ir()).collect()
}

/// Replaces an operation with one of another name.
fn rename(
    rewriter: &mut ConversionRewriter<'_>,
    op: Operation,
    operands: &[Vec<Value>],
    name: &str,
) -> Result<(), Declined> {
    let operands = operands.concat();
    let types = op.result_types(rewriter.ir());
    let results = like(rewriter, op, name, &operands, &types);
    rewriter.replace(op, &results);
    Ok(())
}

const NESTED: &str = r#"
"t.a"() ({
^bb0(%x: i32):
  %0:2 = "t.b"(%x) : (i32) -> (i32, i32)
  "t.c"(%0#1)[^bb1] : (i32) -> ()
^bb1:
  %1 = "t.b"(%0#0) : (i32) -> i32
  "t.d"(%1, %x) ({
    %2 = "t.b"(%1) : (i32) -> i32
    "t.end"(%2) : (i32) -> ()
  }) : (i32, i32) -> ()
  "t.end"() : () -> ()
}) : () -> ()
%9 = "t.b"() : () -> i32
"t.e"(%9, %9) : (i32, i32) -> ()
"#;

/// A generator of pseudo-random numbers.
struct Dice(Cell<u64>);

impl Dice {
    fn below(&self, limit: u64) -> u64 {
        let next = self
            .0
            .get()
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_041);
        self.0.set(next);
        (next >> 33) % limit
    }
}

/// Makes random changes, and sometimes declines afterwards.
fn mess(
    rewriter: &mut ConversionRewriter<'_>,
    op: Operation,
    operands: &[Vec<Value>],
    dice: &Dice,
) -> Result<(), Declined> {
    for _ in 0..1 + dice.below(4) {
        match dice.below(7) {
            0 => {
                like(rewriter, op, "t.legal", &operands.concat(), &[Type::I32]);
            }
            1 => {
                let key = "touched";
                rewriter.modify(op, |context| {
                    op.set_attribute(context, key, Attribute::UNIT);
                });
            }
            2 => {
                if let Some(block) = op.block(rewriter.ir()) {
                    rewriter.split_block(block, Some(op));
                }
            }
            3 => {
                if let Some(block) = op.block(rewriter.ir()) {
                    rewriter.add_argument(block, Type::I64, op.location(rewriter.ir()));
                }
            }
            4 => {
                if let Some(inner) = op.body_block(rewriter.ir(), 0)
                    && let Some(block) = op.block(rewriter.ir())
                    && inner.argument_count(rewriter.ir()) == 0
                    && inner.next(rewriter.ir()).is_none()
                {
                    rewriter.inline_block(inner, block, Some(op), &[]);
                }
            }
            5 => {
                if let Some(block) = op.body_block(rewriter.ir(), 0) {
                    let converter = doubled();
                    let conversion = converter.convert_block(rewriter.context(), block);
                    if let Some(conversion) = conversion {
                        rewriter.convert_signature(block, &conversion);
                    }
                }
            }
            _ => {
                let region = op.regions(rewriter.ir()).next();
                let block = op.block(rewriter.ir());
                if let (Some(region), Some(block)) = (region, block) {
                    rewriter.inline_region(region, block);
                }
            }
        }
    }
    match dice.below(3) {
        0 => Declined::because("the dice say so"),
        1 => rename(rewriter, op, operands, "t.legal"),
        // No pattern makes this one legal.
        _ => rename(rewriter, op, operands, "t.stuck"),
    }
}

/// `i32` becomes two `i8`, all other types stay.
fn doubled() -> TypeConverter {
    let mut converter = TypeConverter::new();
    converter.conversion(Box::new(|_, ty| Some(Some(vec![ty]))));
    converter.conversion(Box::new(|_, ty| {
        (ty == Type::I32).then(|| Some(vec![Type::I8, Type::I8]))
    }));
    converter.keeps_casts = true;
    converter
}

fn messy(pass: &mut PassContext<'_>, seed: u64) -> PassResult {
    let dice = Rc::new(Dice(Cell::new(seed)));
    let roots = ["t.a", "t.b", "t.c", "t.d", "t.e"];
    let converter = Rc::new(doubled());
    // Several attempts for each operation, so that many changes precede a failure.
    let patterns: Vec<_> = roots
        .iter()
        .cycle()
        .take(6 * roots.len())
        .enumerate()
        .map(|(number, root)| {
            let dice = Rc::clone(&dice);
            let mut made = pattern(
                "test-mess",
                root,
                Box::new(move |rewriter, op, operands| mess(rewriter, op, operands, &dice)),
            );
            made.converter = (number % 2 == 0).then(|| Rc::clone(&converter));
            made
        })
        .collect();
    let mut target = ConversionTarget::new();
    target
        .illegal_operations(&roots)
        .illegal_operations(&["t.stuck", "t.never"]);
    target.unknown_dynamically_legal(Box::new(|_, _| Some(true)));
    // The last operation of the module never becomes legal: everything is rolled back in the end.
    convert(pass, ConversionMode::Partial, &target, &patterns)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]
    #[test]
    fn after_a_failure_everything_is_as_it_was(seed in any::<u64>()) {
        let text = format!("{NESTED}\"t.never\"() : () -> ()");
        let outcome = run(&text, seed, messy);
        prop_assert!(!outcome.succeeded);
        prop_assert_eq!(outcome.before, outcome.after);
    }

    #[test]
    fn after_a_success_nothing_illegal_is_left(seed in any::<u64>()) {
        let outcome = run(NESTED, seed, messy);
        let failed = outcome.errors.iter().any(|error| error.contains("failed to legalize"));
        let used = outcome.errors.iter().any(|error| error.contains("used after conversion"));
        if failed || used {
            prop_assert_eq!(outcome.before, outcome.after);
        } else {
            // The patterns leave blocks without a terminator, which the verifier may report.
            for name in ["\"t.a\"", "\"t.b\"", "\"t.c\"", "\"t.d\"", "\"t.e\"", "t.stuck"] {
                prop_assert!(!outcome.after.contains(name), "{}", outcome.after);
            }
        }
    }
}

#[test]
fn the_first_operation_that_cannot_become_legal_is_named() {
    let outcome = run("\"t.never\"() : () -> ()", 0, messy);
    let words = "failed to legalize operation 't.never' that was explicitly marked illegal";
    assert_eq!(outcome.errors, [words]);
    let outcome = run("\"t.x\"() : () -> ()", 0, |pass, _| {
        convert(pass, ConversionMode::Full, &ConversionTarget::new(), &[])
    });
    assert_eq!(outcome.errors, ["failed to legalize operation 't.x'"]);
}

#[test]
fn a_pattern_whose_result_cannot_become_legal_is_undone_and_the_next_one_tried() {
    let outcome = run(
        "%0 = \"t.a\"() : () -> i32\n\"t.use\"(%0) : (i32) -> ()",
        0,
        |pass, _| {
            let mut target = ConversionTarget::new();
            target
                .illegal_operations(&["t.a", "t.dead_end"])
                .legal_operations(&["t.good", "t.use"]);
            let mut first = pattern(
                "test-dead-end",
                "t.a",
                Box::new(|rewriter, op, operands| rename(rewriter, op, operands, "t.dead_end")),
            );
            first.benefit = 10;
            let second = pattern(
                "test-good",
                "t.a",
                Box::new(|rewriter, op, operands| rename(rewriter, op, operands, "t.good")),
            );
            convert(pass, ConversionMode::Full, &target, &[first, second])
        },
    );
    assert!(outcome.succeeded, "{:?}", outcome.errors);
    assert!(outcome.after.contains("t.good") && !outcome.after.contains("t.dead_end"));
    // There is no remark about an operation that became legal, and was erased.
    assert!(outcome.remarks.is_empty(), "{:?}", outcome.remarks);
}

#[test]
fn a_remark_says_why_an_operation_did_not_become_legal() {
    let outcome = run("\"t.a\"() : () -> ()", 0, |pass, _| {
        let mut target = ConversionTarget::new();
        target
            .illegal_operations(&["t.a", "t.dead_end"])
            .legal_operations(&["t.good"]);
        let first = pattern(
            "test-dead-end",
            "t.a",
            Box::new(|rewriter, op, operands| rename(rewriter, op, operands, "t.dead_end")),
        );
        let second = pattern(
            "test-declines",
            "t.dead_end",
            Box::new(|_, _, _| Declined::because("it is a dead end")),
        );
        convert(pass, ConversionMode::Full, &target, &[first, second])
    });
    // 't.dead_end', which the second pattern declined, was undone: there is no remark about it.
    let remark = "[test-conversion] Missed test-dead-end: generated operation 't.dead_end' could not be \
                  legalized";
    assert_eq!(outcome.remarks, [remark]);
    assert_eq!(outcome.errors, ["failed to legalize operation 't.a'"]);
    assert_eq!(outcome.before, outcome.after);
}

#[test]
fn a_target_may_forbid_that_a_pattern_is_undone() {
    let text = "\"t.a\"() : () -> ()\n\"t.a\"() : () -> ()";
    let outcome = run(text, 0, |pass, _| {
        let mut target = ConversionTarget::new();
        target
            .illegal_operations(&["t.a", "t.dead_end"])
            .legal_operations(&["t.good"])
            .forbid_pattern_rollback();
        // A pattern that declines before it changes anything is not undone.
        let mut declines = pattern(
            "test-declines",
            "t.a",
            Box::new(|_, _, _| Declined::because("it never applies")),
        );
        declines.benefit = 20;
        let mut dead_end = pattern(
            "test-dead-end",
            "t.a",
            Box::new(|rewriter, op, operands| rename(rewriter, op, operands, "t.dead_end")),
        );
        dead_end.benefit = 10;
        let good = pattern(
            "test-good",
            "t.a",
            Box::new(|rewriter, op, operands| rename(rewriter, op, operands, "t.good")),
        );
        let patterns = [declines, dead_end, good];
        convert(pass, ConversionMode::Full, &target, &patterns)
    });
    let message = "pattern 'test-dead-end' rollback of IR modifications requested";
    assert_eq!(outcome.errors, [message]);
    assert_eq!(outcome.before, outcome.after);
}

#[test]
fn results_of_an_erased_operation_must_not_be_used() {
    let text = "%0 = \"t.a\"() : () -> i32\n\"t.use\"(%0) : (i32) -> ()";
    let outcome = run(text, 0, |pass, _| {
        let mut target = ConversionTarget::new();
        target
            .illegal_operations(&["t.a"])
            .legal_operations(&["t.use"]);
        let erases = pattern(
            "test-erases",
            "t.a",
            Box::new(|rewriter, op, _| {
                rewriter.erase(op);
                Ok(())
            }),
        );
        convert(pass, ConversionMode::Full, &target, &[erases])
    });
    let message = "'t.a' op was erased, but its results are used after conversion";
    assert_eq!(outcome.errors, [message]);
    assert_eq!(outcome.before, outcome.after);
}

#[test]
fn branches_to_a_block_with_a_converted_signature_are_redirected() {
    // The entry block branches to both blocks; only the second one has arguments.
    let text = r#""t.func"() ({
  %0 = "t.make"() : () -> i8
  "t.branch"(%0, %0)[^bb1, ^bb2] : (i8, i8) -> ()
^bb1:
  "t.use"() : () -> ()
^bb2(%a: i32):
  "t.use"(%a) : (i32) -> ()
}) : () -> ()"#;
    let outcome = run(text, 0, |pass, _| {
        let mut target = ConversionTarget::new();
        target.legal_operations(&["t.make", "t.branch", "t.use"]);
        target.dynamically_legal_operation(
            "t.func",
            Box::new(|context, op| {
                let last = op.region(context, 0).blocks(context).last()?;
                Some(!last.argument_types(context).contains(&Type::I32))
            }),
        );
        let function = pattern(
            "test-function",
            "t.func",
            Box::new(|rewriter, op, _| {
                let last = op.region(rewriter.ir(), 0).blocks(rewriter.ir()).last();
                let conversion =
                    last.and_then(|last| doubled().convert_block(rewriter.context(), last));
                let (Some(last), Some(conversion)) = (last, conversion) else {
                    return Declined::because("it has no block that can be converted");
                };
                rewriter.convert_signature(last, &conversion);
                rewriter.modify(op, |_| ());
                Ok(())
            }),
        );
        convert(pass, ConversionMode::Partial, &target, &[function])
    });
    assert!(outcome.succeeded, "{:?}", outcome.errors);
    let after = &outcome.after;
    assert!(after.contains("[^bb1, ^bb2]"), "{after}");
    assert!(after.contains("^bb1:  "), "{after}");
    assert!(after.contains("^bb2(%1: i8 loc"), "{after}");
}

#[test]
fn patterns_that_are_nearer_to_the_target_are_tried_first() {
    let outcome = run("\"t.a\"() : () -> ()", 0, |pass, _| {
        let mut target = ConversionTarget::new();
        target
            .illegal_operations(&["t.a", "t.b"])
            .legal_operations(&["t.near", "t.far"]);
        let step = |name, root, to: &'static str, generates, benefit| ConversionPattern {
            benefit,
            generates,
            ..pattern(
                name,
                root,
                Box::new(move |rewriter, op, operands| rename(rewriter, op, operands, to)),
            )
        };
        // Two steps, despite the higher benefit; and one that never becomes legal.
        let patterns = [
            step("test-a-to-b", "t.a", "t.b", &["t.b"], 50),
            step("test-b-to-far", "t.b", "t.far", &["t.far"], 1),
            step("test-a-to-nothing", "t.a", "t.nothing", &["t.nothing"], 90),
            step("test-a-to-near", "t.a", "t.near", &["t.near"], 1),
        ];
        convert(pass, ConversionMode::Full, &target, &patterns)
    });
    assert!(outcome.after.contains("t.near"), "{}", outcome.after);
}

#[test]
fn what_is_in_recursively_legal_operations_stays() {
    let text = "\"t.keep\"() ({\n  \"t.bad\"() : () -> ()\n}) : () -> ()";
    let outcome = run(text, 0, |pass, _| {
        let mut target = ConversionTarget::new();
        target
            .illegal_operations(&["t.bad"])
            .legal_operations(&["t.keep"]);
        target.recursively_legal_operation("t.keep");
        convert(pass, ConversionMode::Full, &target, &[])
    });
    assert!(outcome.succeeded, "{:?}", outcome.errors);
}

/// Converts functions and calls to doubled types.
fn double_functions(pass: &mut PassContext<'_>, _: u64) -> PassResult {
    let converter = Rc::new(doubled());
    let legal = Rc::clone(&converter);
    let mut target = ConversionTarget::new();
    target.dynamically_legal_operation(
        "t.func",
        Box::new(move |context, op| {
            let block = op.body_block(context, 0)?;
            let arguments = block.argument_types(context);
            // Only `i32` is converted.
            let _ = &legal;
            Some(!arguments.contains(&Type::I32))
        }),
    );
    target
        .illegal_operations(&["t.add"])
        .legal_operations(&["t.add2", "t.use"]);
    let mut function = pattern(
        "test-function",
        "t.func",
        Box::new(|rewriter, op, _| {
            let Some(block) = op.body_block(rewriter.ir(), 0) else {
                return Declined::because("it has no body");
            };
            let conversion = doubled().convert_block(rewriter.context(), block);
            let Some(conversion) = conversion else {
                return Declined::because("an argument cannot be converted");
            };
            rewriter.convert_signature(block, &conversion);
            rewriter.modify(op, |_| ());
            Ok(())
        }),
    );
    function.converter = Some(Rc::clone(&converter));
    let mut add = pattern(
        "test-add",
        "t.add",
        Box::new(|rewriter, op, operands| {
            rewriter.set_insertion_point(InsertionPoint::Before(op));
            let types = [Type::I8, Type::I8];
            let results = like(rewriter, op, "t.add2", &operands.concat(), &types);
            rewriter.replace_with_lists(op, &[results]);
            Ok(())
        }),
    );
    add.converter = Some(converter);
    convert(pass, ConversionMode::Partial, &target, &[function, add])
}

#[test]
fn casts_stand_only_where_types_before_and_after_meet() {
    let text = r#""t.func"() ({
^bb0(%a: i32, %b: i32):
  %0 = "t.add"(%a, %b) : (i32, i32) -> i32
  %1 = "t.add"(%0, %a) : (i32, i32) -> i32
  "t.use"(%1) : (i32) -> ()
}) : () -> ()"#;
    let outcome = run(text, 0, double_functions);
    assert!(outcome.succeeded, "{:?}", outcome.errors);
    let after = &outcome.after;
    assert!(after.contains("(%arg0: i8 loc"), "{after}");
    assert_eq!(after.matches("t.add2").count(), 2, "{after}");
    // Only the unconverted user needs the old type.
    assert_eq!(
        after.matches("unrealized_conversion_cast").count(),
        1,
        "{after}"
    );
}

#[test]
fn a_cast_from_other_types_is_not_the_converted_value() {
    let text = r#""t.func"() ({
^bb0(%a: i32):
  %0 = "t.make"() : () -> i16
  %1 = builtin.unrealized_conversion_cast %0 : i16 to i32
  %2 = "t.add"(%1, %a) : (i32, i32) -> i32
  "t.use"(%2) : (i32) -> ()
}) : () -> ()"#;
    let outcome = run(text, 0, double_functions);
    assert!(outcome.succeeded, "{:?}", outcome.errors);
    let after = &outcome.after;
    assert!(after.contains("(i8, i8, i8, i8) -> (i8, i8)"), "{after}");
    assert!(after.contains("(i32) -> (i8, i8)"), "{after}");
}

#[test]
fn the_arguments_of_an_inlined_block_are_replaced() {
    let text = r#"%0 = "t.make"() : () -> i32
"t.with"(%0) ({
^bb0(%a: i32):
  "t.use"(%a, %a) : (i32, i32) -> ()
}) : (i32) -> ()"#;
    let outcome = run(text, 0, |pass, _| {
        let mut target = ConversionTarget::new();
        target
            .illegal_operations(&["t.with"])
            .legal_operations(&["t.make", "t.use"]);
        let inline = pattern(
            "test-inline",
            "t.with",
            Box::new(|rewriter, op, operands| {
                let ir = rewriter.ir();
                let (Some(block), Some(target)) = (op.body_block(ir, 0), op.block(ir)) else {
                    return Declined::because("it is in no block");
                };
                rewriter.inline_block(block, target, Some(op), &operands.concat());
                rewriter.erase(op);
                Ok(())
            }),
        );
        convert(pass, ConversionMode::Full, &target, &[inline])
    });
    assert!(outcome.succeeded, "{:?}", outcome.errors);
    let after = &outcome.after;
    assert!(after.contains("\"t.use\"(%0, %0)"), "{after}");
}

#[test]
fn casts_that_may_not_stay_are_errors_and_undo_everything() {
    let text = "%0 = \"t.a\"() : () -> i32\n\"t.use\"(%0) : (i32) -> ()";
    let outcome = run(text, 0, |pass, _| {
        let mut converter = TypeConverter::new();
        converter.conversion(Box::new(|_, _| Some(Some(vec![Type::I64]))));
        let mut target = ConversionTarget::new();
        target
            .illegal_operations(&["t.a"])
            .legal_operations(&["t.b", "t.use"]);
        let mut made = pattern(
            "test-a",
            "t.a",
            Box::new(|rewriter, op, _| {
                let results = like(rewriter, op, "t.b", &[], &[Type::I64]);
                rewriter.replace(op, &results);
                Ok(())
            }),
        );
        made.converter = Some(Rc::new(converter));
        convert(pass, ConversionMode::Full, &target, &[made])
    });
    let words = "failed to legalize unresolved materialization from ('i64') to ('i32') that \
                 remained live after conversion";
    assert_eq!(outcome.errors, [words]);
    assert_eq!(outcome.before, outcome.after);
}

#[test]
fn an_analysis_says_what_could_become_legal_and_changes_nothing() {
    let outcome = run(
        "\"t.a\"() : () -> ()\n\"t.x\"() : () -> ()",
        0,
        |pass, _| {
            let mut target = ConversionTarget::new();
            target
                .illegal_operations(&["t.a"])
                .legal_operations(&["t.b"]);
            let made = pattern(
                "test-a",
                "t.a",
                Box::new(|rewriter, op, operands| rename(rewriter, op, operands, "t.b")),
            );
            let legal = analyze(pass, &target, &[made]);
            let names: Vec<_> = legal
                .iter()
                .map(|op| op.name_text(pass.context).to_owned())
                .collect();
            assert_eq!(names, ["t.a"]);
            Ok(orison_ir::pass::IRStatus::Unchanged)
        },
    );
    assert_eq!(outcome.before, outcome.after);
}
