//! The greedy driver with rules of its own.

use orison_ir::pass::{PassManager, Pipeline, Remarks, RewriteControl, RuleCounts, RuleFilter};
use orison_ir::{
    Context, Declined, Operation, PrintFlags, Rewriter, Rule, RuleResult, Severity, Source,
    parse_source, print_to_string, rule,
};
use orison_rewrites::{Canonicalize, CanonicalizeOptions};

rule!(
    ADD_SELF,
    "test-add-self",
    "x + x becomes 2 * x in name only",
    "arith.addi",
    add_self
);
rule!(
    SUB_SELF,
    "test-sub",
    "x - y becomes y - x, again and again",
    "arith.subi",
    swap
);
rule!(
    EARLIER,
    "test-a-decline",
    "declines, before the others",
    "arith.addi",
    |_, _| Declined::because("I never do")
);

fn add_self(rewriter: &mut Rewriter<'_>, op: Operation) -> RuleResult {
    let context = rewriter.ir();
    let (a, b) = (op.operand(context, 0), op.operand(context, 1));
    if a != b {
        return Declined::because("the operands differ");
    }
    let location = op.location(context);
    let ty = a.ty(context);
    let properties = op.properties(context);
    let mut state = rewriter.state("arith.muli", location);
    state.operands.extend([a, b]);
    state.result_types.push(ty);
    state.properties = properties;
    rewriter.replace_with_new(op, &state);
    Ok(())
}

fn swap(rewriter: &mut Rewriter<'_>, op: Operation) -> RuleResult {
    let context = rewriter.ir();
    let (a, b) = (op.operand(context, 0), op.operand(context, 1));
    rewriter.set_operand(op, 0, b);
    rewriter.set_operand(op, 1, a);
    Ok(())
}

const TEXT: &str = "\
func.func @f(%a: i32, %b: i32) -> i32 {
  %0 = arith.addi %a, %a : i32
  %1 = arith.addi %0, %b : i32
  %2 = arith.addi %1, %1 : i32
  return %2 : i32
}";

struct Run {
    text: String,
    counts: Vec<(&'static str, RuleCounts)>,
    remarks: Vec<String>,
    succeeded: bool,
}

fn run(text: &str, rules: &[&'static Rule], set_up: impl FnOnce(&mut PassManager<'_>)) -> Run {
    run_with(text, rules, CanonicalizeOptions::default(), set_up)
}

fn run_with(
    text: &str,
    rules: &[&'static Rule],
    options: CanonicalizeOptions,
    set_up: impl FnOnce(&mut PassManager<'_>),
) -> Run {
    let mut context = Context::new();
    orison_host::register(&mut context);
    let source = Source {
        name: "t.mlir",
        text,
        first_line: 1,
    };
    let module = parse_source(&mut context, source).expect("the text is well-formed");
    let mut pipeline = Pipeline::on("builtin.module");
    pipeline.add(Canonicalize::with_rules(options, rules.to_vec()));
    let mut manager = PassManager::default();
    set_up(&mut manager);
    let result = manager.run(&mut context, &pipeline, module, &mut String::new());
    let counts = manager.control().counts().clone().into_iter().collect();
    let diagnostics = context.diagnostics.take();
    let remarks = diagnostics
        .iter()
        .filter(|d| d.severity == Severity::Remark)
        .map(|d| d.message.clone())
        .collect();
    Run {
        text: print_to_string(&context, module, &PrintFlags::default()),
        counts,
        remarks,
        succeeded: result.is_ok(),
    }
}

fn count(run: &Run, rule: &str) -> (u64, u64) {
    let found = run.counts.iter().find(|(name, _)| *name == rule);
    found.map_or((0, 0), |(_, counts)| (counts.applied, counts.tried))
}

#[test]
fn rules_are_applied_and_counted() {
    let run = run(TEXT, &[&ADD_SELF], |_| {});
    assert_eq!(run.text.matches("arith.muli").count(), 2);
    assert_eq!(run.text.matches("arith.addi").count(), 1);
    assert_eq!(count(&run, "test-add-self").0, 2);
}

#[test]
fn a_rule_that_declines_says_why() {
    let run = run(TEXT, &[&ADD_SELF, &EARLIER], |manager| {
        *manager.remarks() = Remarks::Text;
    });
    // Equal benefits: by name.
    let of_tests: Vec<_> = run
        .remarks
        .iter()
        .filter(|remark| remark.contains("test-"))
        .collect();
    assert_eq!(
        of_tests[0],
        "[canonicalize] Missed test-a-decline: I never do"
    );
    let reason = "[canonicalize] Missed test-add-self: the operands differ".to_owned();
    assert!(of_tests.contains(&&reason));
}

#[test]
fn fuel_and_filters_hold_rules_back() {
    let limited = |control: RewriteControl| {
        let run = run(TEXT, &[&ADD_SELF], |manager| *manager.control() = control);
        run.text.matches("arith.muli").count()
    };
    let mut control = RewriteControl::default();
    control.fuel = Some(1);
    assert_eq!(limited(control), 1);
    let mut control = RewriteControl::default();
    control.only = RuleFilter::parse("test-add-self@4:8").ok();
    assert_eq!(limited(control), 1);
    let mut control = RewriteControl::default();
    control.only = RuleFilter::parse("test-add-self@3").ok();
    assert_eq!(limited(control), 0);
}

#[test]
fn named_rules_can_be_switched_off() {
    let off = CanonicalizeOptions {
        disable_patterns: vec!["test-add-self".to_owned()],
        ..CanonicalizeOptions::default()
    };
    let run = run_with(TEXT, &[&ADD_SELF], off, |_| {});
    assert_eq!(count(&run, "test-add-self"), (0, 0));
}

#[test]
fn a_rule_that_never_ends_is_stopped() {
    let text = "func.func @f(%a: i32, %b: i32) -> i32 {\n  %0 = arith.subi %a, %b : i32\n  \
                return %0 : i32\n}";
    let options = CanonicalizeOptions {
        max_rewrites: 100,
        test_convergence: true,
        ..CanonicalizeOptions::default()
    };
    let run = run_with(text, &[&SUB_SELF], options, |_| {});
    assert!(!run.succeeded);
    assert_eq!(count(&run, "test-sub").0, 100);
}
