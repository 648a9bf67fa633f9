//! The greedy driver with test rules.

use orison_ir::pass::{
    Pass, PassContext, PassDefinition, PassManager, PassResult, Pipeline, Remarks, RewriteControl,
    RuleCounts, RuleFilter, Trace,
};
use orison_ir::{
    Context, Declined, Operation, PrintFlags, Rewriter, Rule, RuleResult, Severity, Source,
    parse_source, print_to_string, rule,
};
use orison_rewrites::{
    Canonicalize, CanonicalizeOptions, GreedyOptions, Strictness, apply_greedily_to,
};

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
    // Equal benefits are ordered by name.
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
    // The limit is per iteration, as in MLIR, and there are ten iterations.
    assert_eq!(count(&run, "test-sub").0, 1000);
}

orison_ir::pass_options! {
    /// Options of the test pass.
    pub struct SomeOptions {
        /// `any`, `new` or `existing`.
        strictness = "strictness": String = String::from("any"),
    }
}

/// Rewrites the first sum and the operations that its strictness admits.
#[derive(Clone, Debug)]
struct RewriteSome(SomeOptions);

impl Pass for RewriteSome {
    type Options = SomeOptions;
    const DEFINITION: PassDefinition = PassDefinition::new::<RewriteSome>(
        "test-rewrite-some",
        "Rewrites the first sum.",
        orison_ir::pass::source_position!(),
    );
    fn create(options: SomeOptions) -> Self {
        RewriteSome(options)
    }
    fn options(&self) -> &SomeOptions {
        &self.0
    }
    fn run(&mut self, pass: &mut PassContext<'_>) -> PassResult {
        let mut sums = orison_ir::walk::collect(pass.context, pass.op());
        sums.retain(|op| op.is(pass.context, "arith.addi"));
        sums.truncate(1);
        let options = GreedyOptions {
            strictness: match self.0.strictness.as_str() {
                "new" => Strictness::ExistingAndNew,
                "existing" => Strictness::Existing,
                _ => Strictness::Any,
            },
            declared_rules: false,
            extra_rules: vec![&ADD_SELF, &MUL_TO_SHIFT],
            ..GreedyOptions::default()
        };
        Ok(apply_greedily_to(pass, &sums, &options).status)
    }
}

rule!(
    MUL_TO_SHIFT,
    "test-mul-shift",
    "x * y becomes x << y in name only",
    "arith.muli",
    |rewriter, op| {
        let context = rewriter.ir();
        let operands: Vec<_> = op.operands(context).collect();
        let (location, properties) = (op.location(context), op.properties(context));
        let ty = op.result(context, 0).ty(context);
        let mut state = rewriter.state("arith.shli", location);
        state.operands.extend(operands);
        state.result_types.push(ty);
        state.properties = properties;
        rewriter.replace_with_new(op, &state);
        Ok(())
    }
);

#[test]
fn strictness_says_which_operations_are_rewritten() {
    let text = "\
func.func @f(%a: i32) -> i32 {
  %0 = arith.addi %a, %a : i32
  %1 = arith.addi %0, %0 : i32
  return %1 : i32
}";
    let after = |strictness: &str| {
        let mut context = Context::new();
        orison_host::register(&mut context);
        let source = Source {
            name: "t.mlir",
            text,
            first_line: 1,
        };
        let module = parse_source(&mut context, source).expect("the text is well-formed");
        let mut pipeline = Pipeline::on("builtin.module");
        pipeline.add(RewriteSome(SomeOptions {
            strictness: strictness.to_owned(),
        }));
        let mut manager = PassManager::default();
        let result = manager.run(&mut context, &pipeline, module, &mut String::new());
        assert!(result.is_ok());
        let text = print_to_string(&context, module, &PrintFlags::default());
        ["addi", "muli", "shli"].map(|name| text.matches(name).count())
    };
    // The first sum alone; also its replacement; and its user.
    assert_eq!(after("existing"), [1, 1, 0]);
    assert_eq!(after("new"), [1, 0, 1]);
    assert_eq!(after("any"), [0, 0, 2]);
}

#[test]
fn counters_and_traces_are_of_single_rules() {
    let mut log = String::new();
    let mut context = Context::new();
    orison_host::register(&mut context);
    let source = Source {
        name: "t.mlir",
        text: TEXT,
        first_line: 1,
    };
    let module = parse_source(&mut context, source).expect("the text is well-formed");
    let mut pipeline = Pipeline::on("builtin.module");
    let options = CanonicalizeOptions::default();
    pipeline.add(Canonicalize::with_rules(options, vec![&ADD_SELF, &EARLIER]));
    let mut manager = PassManager::default();
    manager.control().trace = Trace::of(vec!["test-add-self".to_owned()]);
    let counter = manager.control().counters.set("test-add-self-skip=1");
    assert_eq!(counter, Ok(()));
    let result = manager.run(&mut context, &pipeline, module, &mut log);
    assert!(result.is_ok());
    assert!(
        log.contains("* Pattern test-add-self : 'arith.addi -> ()'"),
        "{log}"
    );
    assert!(log.contains("failure : the operands differ"), "{log}");
    assert!(!log.contains("test-a-decline"), "{log}");
    // The first attempt is skipped; in each pass over all operations but the first, it is made.
    assert!(log.contains("** Insert  : 'arith.muli'"), "{log}");
}
