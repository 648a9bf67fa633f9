//! Tests of the pass infrastructure.

use super::*;
use crate::declare::{
    DialectDefinition, OperationDefinition, RegionConstraint, RegionDefinition, Trait,
};
use crate::{Context, Operation, Source, parse_source};

static BODY: [RegionDefinition; 1] = [RegionDefinition {
    name: "body",
    constraint: RegionConstraint::Any,
    variadic: false,
    documentation: "What is inside.",
}];
static MODULE: OperationDefinition = OperationDefinition {
    name: "builtin.module",
    regions: &BODY,
    traits: &[
        Trait::IsolatedFromAbove,
        Trait::NoTerminator,
        Trait::SymbolTable,
    ],
    ..OperationDefinition::DEFAULT
};
static BUILTIN: DialectDefinition = DialectDefinition {
    name: "builtin",
    operations: &[&MODULE],
    ..DialectDefinition::DEFAULT
};
static FUNCTION: OperationDefinition = OperationDefinition {
    name: "t.func",
    regions: &BODY,
    traits: &[Trait::IsolatedFromAbove, Trait::NoTerminator],
    ..OperationDefinition::DEFAULT
};
static MARKED: OperationDefinition = OperationDefinition {
    name: "t.op",
    verify: Some(|context, op| match op.attribute(context, "broken") {
        Some(_) => Err(op.op_error(context, "is broken")),
        None => Ok(()),
    }),
    ..OperationDefinition::DEFAULT
};
static TEST: DialectDefinition = DialectDefinition {
    name: "t",
    operations: &[&FUNCTION, &MARKED],
    ..DialectDefinition::DEFAULT
};

/// The number of operations.
struct Count(#[expect(dead_code, reason = "what counts is when it is computed")] usize);

impl Analysis for Count {
    const NAME: &'static str = "Count";
    fn compute(context: &mut Context, op: Operation, _: &mut AnalysisManager) -> Self {
        Count(crate::walk::collect(context, op).len())
    }
}

crate::option_enum! {
    /// The action of the pass.
    pub enum Action {
        /// Reads the analysis.
        Look = "look",
        /// Changes an attribute.
        Change = "change",
        /// Changes an attribute and preserves the analysis.
        ChangePreserving = "change-preserving",
        /// Fails.
        Fail = "fail",
        /// Makes the verifier fail.
        Break = "break",
        /// Emits a remark about a declined rule.
        Decline = "decline",
    }
}

crate::pass_options! {
    /// Options of the test passes.
    pub struct TestOptions {
        /// The action of the pass.
        action = "do": Action = Action::Look,
        /// A list.
        list = "list": Vec<String> = Vec::new(),
        /// A number.
        limit = "limit": Option<u64> = None,
    }
}

macro_rules! test_pass {
    ($rust:ident, $name:literal, $($anchor:tt)*) => {
        #[derive(Clone, Debug)]
        struct $rust(TestOptions);

        impl Pass for $rust {
            type Options = TestOptions;
            const DEFINITION: PassDefinition =
                PassDefinition::new::<$rust>($name, "Does what it is told.", source_position!())
                    $($anchor)*
                    .with_statistics(&[Statistic { name: "runs", summary: "Number of runs" }]);
            fn create(options: TestOptions) -> Self {
                $rust(options)
            }
            fn options(&self) -> &TestOptions {
                &self.0
            }
            fn run(&mut self, pass: &mut PassContext<'_>) -> PassResult {
                act(&self.0, pass)
            }
        }
    };
}

test_pass!(TestAny, "t-any",);
test_pass!(TestModule, "t-module", .on("builtin.module"));
test_pass!(TestFunction, "t-func", .on("t.func"));
test_pass!(TestNeeds, "t-needs", .needing_preserved(&[AnalysisKey::of::<Count>()]));

fn act(options: &TestOptions, pass: &mut PassContext<'_>) -> PassResult {
    pass.count("runs", 1);
    let op = pass.op();
    match options.action {
        Action::Look => {
            pass.analysis::<Count>();
            return Ok(IRStatus::Unchanged);
        }
        Action::Decline => {
            pass.declined(op, "grow", "it is large enough", "make it smaller");
            return Ok(IRStatus::Unchanged);
        }
        Action::Change => {}
        Action::ChangePreserving => pass.preserve::<Count>(),
        Action::Fail => return Err(op.op_error(pass.context, "fails").into()),
        Action::Break => {
            for nested in crate::walk::collect(pass.context, op) {
                let unit = crate::Attribute::UNIT;
                nested.set_attribute(pass.context, "broken", unit);
            }
        }
    }
    op.set_attribute(pass.context, "changed", crate::Attribute::UNIT);
    Ok(IRStatus::Changed)
}

fn registry() -> PassRegistry {
    let mut registry = PassRegistry::default();
    registry.register::<TestAny>();
    registry.register::<TestModule>();
    registry.register::<TestFunction>();
    registry.register::<TestNeeds>();
    registry
}

fn module(context: &mut Context) -> Operation {
    context.register_dialect(&BUILTIN);
    context.register_dialect(&TEST);
    let text = r#""t.func"() ({ "t.op"() : () -> () }) {sym_name = "f"} : () -> ()
                  "t.func"() ({ "t.op"() : () -> () }) {sym_name = "g"} : () -> ()"#;
    let source = Source {
        name: "t.mlir",
        text,
        first_line: 1,
    };
    parse_source(context, source).unwrap()
}

fn canonical(text: &str) -> String {
    match registry().parse_pipeline(text) {
        Ok(pipeline) => pipeline.to_string(),
        Err(error) => error.to_string(),
    }
}

/// Runs a pipeline; returns the errors and the output of observers.
fn run(text: &str, set_up: impl FnOnce(&mut PassManager<'_>)) -> (Vec<String>, String) {
    let mut context = Context::new();
    let module = module(&mut context);
    let pipeline = registry().parse_pipeline(text).unwrap();
    let mut manager = PassManager::default();
    set_up(&mut manager);
    let mut log = String::new();
    let result = manager.run(&mut context, &pipeline, module, &mut log);
    let diagnostics = context.diagnostics.take();
    let is_error = |d: &crate::Diagnostic| d.severity == crate::Severity::Error;
    assert_eq!(result.is_err(), diagnostics.iter().any(is_error));
    let messages = diagnostics.into_iter().map(|d| d.message).collect();
    (messages, log)
}

/// Records the names of analyses in order of computation.
#[derive(Default)]
struct Trace(Vec<String>);

impl Instrumentation for Trace {
    fn before_pass(&mut self, event: &mut Event<'_>) {
        let on = event.op.symbol_name(event.context).unwrap_or("module");
        let name = event.pass.definition().name;
        self.0.push(format!("{}:{name}@{on}", event.number));
    }
    fn computed_analysis(&mut self, name: &'static str) {
        self.0.push(name.to_owned());
    }
}

fn trace(text: &str) -> Vec<String> {
    let mut context = Context::new();
    let module = module(&mut context);
    let pipeline = registry().parse_pipeline(text).unwrap();
    let mut trace = Trace::default();
    let mut manager = PassManager::default();
    manager.observe(&mut trace);
    let result = manager.run(&mut context, &pipeline, module, &mut String::new());
    assert!(result.is_ok());
    drop(manager);
    trace.0
}

#[test]
fn pipelines_print_as_they_parse() {
    for text in [
        "builtin.module()",
        "any(t-any{do=look})",
        "builtin.module(t-any{do=look},t.func(t-func{do=fail},t-any{do=look}))",
        "builtin.module(t-any{do=look limit=3 list=a,b})",
        "builtin.module(t-any{do=look list={a b,c}})",
    ] {
        assert_eq!(canonical(text), text);
    }
    assert_eq!(
        canonical(" builtin.module ( t-any { limit=1  do='change' } , any( t-any ) ) "),
        "builtin.module(t-any{do=change limit=1},any(t-any{do=look}))"
    );
}

#[test]
fn errors_in_pipelines_have_a_place() {
    let error = |text: &str| {
        let message = canonical(text);
        let mut lines = message.lines();
        let first = lines.next().unwrap_or_default();
        first.replace("<pass pipeline>:", "")
    };
    assert_eq!(
        error("t-any"),
        "1:1: error: expected pass pipeline to be wrapped with the anchor operation type, e.g. \
         'builtin.module(...)'"
    );
    assert_eq!(
        error("builtin.module(t-ani)"),
        "1:16: error: 't-ani' does not refer to a registered pass or pass pipeline; did you mean \
         't-any'?"
    );
    assert_eq!(
        error("builtin.module(t-any{limit=1 od=look})"),
        "1:30: error: pass 't-any': no such option 'od'; did you mean 'do'?"
    );
    assert_eq!(
        error("builtin.module(t-any{limit=x})"),
        "1:22: error: pass 't-any': option 'limit': 'x' value invalid for unsigned integer argument!"
    );
    assert_eq!(
        error("builtin.module(t-any"),
        "1:15: error: expected ')' to match the '(' here"
    );
    assert_eq!(
        error("builtin.module(t-any))"),
        "1:22: error: encountered extra closing ')' creating unbalanced parentheses while parsing \
         pipeline"
    );
    assert_eq!(
        error("builtin.module(t-any,)"),
        "1:22: error: '' does not refer to a registered pass or pass pipeline"
    );
    assert_eq!(
        error("builtin.module(t-any{do=look)"),
        "1:21: error: expected '}' to match the '{' here"
    );
    assert_eq!(
        error("builtin.module(t-func)"),
        "1:16: error: can't add pass 't-func' restricted to 't.func' on a pass manager intended to \
         run on 'builtin.module', did you intend to nest? (write 't.func(t-func)')"
    );
}

#[test]
fn errors_show_the_pipeline_with_a_caret() {
    assert_eq!(
        canonical("any(\n  t-any,\n  x)"),
        "<pass pipeline>:3:3: error: 'x' does not refer to a registered pass or pass pipeline\n  \
         x)\n  ^"
    );
}

#[test]
fn hostile_pipelines_end_in_an_error() {
    assert!(canonical(&"any(".repeat(100_000)).contains("nest deeper than"));
    for text in [
        "",
        "(",
        ")",
        "{",
        "a(b{",
        "a(b{c=",
        "a(b{c='",
        "a(b{=1})",
        "a(b{c={})",
        "ä(ö{ü}",
    ] {
        assert!(canonical(text).contains("error: "), "{text}");
    }
}

#[test]
fn passes_on_other_operations_are_nested() {
    let mut pipeline = Pipeline::on("builtin.module");
    for pass in [0, 1] {
        let options = TestOptions {
            limit: Some(pass),
            ..TestOptions::default()
        };
        pipeline.add(TestFunction(options));
    }
    pipeline.add(TestModule(TestOptions::default()));
    assert_eq!(
        pipeline.to_string(),
        "builtin.module(t.func(t-func{do=look limit=0},t-func{do=look limit=1}),t-module{do=look})"
    );
}

#[test]
fn analyses_are_cached_until_the_ir_changes() {
    assert_eq!(
        trace(
            "builtin.module(t-any,t-any,t-any{do=change-preserving},t-any,t-any{do=change},t-any)"
        ),
        [
            "0:t-any@module",
            "Count",
            "1:t-any@module",
            "2:t-any@module",
            "3:t-any@module",
            "4:t-any@module",
            "5:t-any@module",
            "Count"
        ]
    );
}

#[test]
fn a_change_inside_or_around_drops_analyses_too() {
    assert_eq!(
        trace("builtin.module(t-any,t.func(t-any{do=change}),t-any)"),
        [
            "0:t-any@module",
            "Count",
            "1:t-any@f",
            "1:t-any@g",
            "2:t-any@module",
            "Count"
        ]
    );
    assert_eq!(
        trace("builtin.module(t.func(t-any),t-any{do=change},t.func(t-any))"),
        [
            "0:t-any@f",
            "Count",
            "0:t-any@g",
            "Count",
            "1:t-any@module",
            "2:t-any@f",
            "Count",
            "2:t-any@g",
            "Count"
        ]
    );
    // Changes in one function do not affect another.
    assert_eq!(
        trace("builtin.module(t.func(t-any,t-any{do=change}),t.func(t-any))").len(),
        6 + 4
    );
}

#[test]
fn neighbouring_nested_pipelines_run_operation_by_operation() {
    assert_eq!(
        trace("builtin.module(t.func(t-func{do=change}),t.func(t-any{do=change}))"),
        ["0:t-func@f", "1:t-any@f", "0:t-func@g", "1:t-any@g"]
    );
}

#[test]
fn a_preserved_analysis_preserves_no_other() {
    struct Other;
    impl Analysis for Other {
        const NAME: &'static str = "Other";
        fn compute(_: &mut Context, _: Operation, _: &mut AnalysisManager) -> Self {
            Other
        }
    }
    let mut preserved = PreservedAnalyses::none();
    preserved.preserve::<Count>();
    assert!(preserved.contains(AnalysisKey::of::<Count>()));
    assert!(!preserved.contains(AnalysisKey::of::<Other>()));
}

#[test]
fn a_lost_analysis_refuses_the_pass_that_needs_it() {
    let (messages, _) = run("builtin.module(t-any,t-any{do=change},t-needs)", |_| {});
    assert_eq!(
        messages,
        ["pass 't-needs' requires the analysis 'Count', which pass 't-any' did not preserve"]
    );
    let (messages, _) = run("builtin.module(t-any{do=change},t-needs)", |_| {});
    assert!(messages.is_empty());
    let (messages, _) = run(
        "builtin.module(t-any,t-any{do=change-preserving},t-needs)",
        |_| {},
    );
    assert!(messages.is_empty());
}

#[test]
fn failures_are_reported_and_stop_the_pipeline() {
    let (messages, _) = run("builtin.module(t-any{do=fail},t-any{do=break})", |_| {});
    assert_eq!(messages, ["'builtin.module' op fails"]);
    let (messages, _) = run("builtin.module(t-any{do=break},t-any)", |_| {});
    assert_eq!(messages, ["'t.op' op is broken", "'t.op' op is broken"]);
    let (messages, _) = run("t.func(t-any)", |_| {});
    assert_eq!(
        messages,
        ["can't run 't.func' pass manager on 'builtin.module' op"]
    );
}

#[test]
fn remarks() {
    let pipeline = "builtin.module(t.func(t-any{do=decline}))";
    let (messages, _) = run(pipeline, |_| {});
    assert!(messages.is_empty());
    let text = "[t-any] Missed grow: it is large enough; make it smaller";
    let (messages, _) = run(pipeline, |manager| *manager.remarks() = Remarks::Text);
    assert_eq!(messages, [text, text]);
}

#[test]
fn remarks_as_yaml() {
    let mut context = Context::new();
    let module = module(&mut context);
    let mut remarks = Remarks::Yaml(String::new());
    let remark = Remark::new(RemarkKind::Passed, "a-b", "it's 2").with_value("ii", 3);
    remarks.emit(&mut context, "t-any", module, &remark);
    let Remarks::Yaml(text) = remarks else {
        panic!("the channel is still YAML")
    };
    assert_eq!(
        text,
        "--- !Passed\nPass:            t-any\nName:            a-b\n\
         DebugLoc:        { File: t.mlir, Line: 0, Column: 0 }\nFunction:        ''\nArgs:\n  \
         - Operation:       builtin.module\n  - Reason:          'it''s 2'\n  - ii: '3'\n...\n"
    );
}

#[test]
fn statistics_are_summed_by_place_or_by_name() {
    let mut context = Context::new();
    let module = module(&mut context);
    let text = "builtin.module(t.func(t-any),t-any)";
    let pipeline = registry().parse_pipeline(text).unwrap();
    let mut manager = PassManager::default();
    let result = manager.run(&mut context, &pipeline, module, &mut String::new());
    assert!(result.is_ok());
    let statistics = manager.statistics();
    let control = RewriteControl::default();
    let body = |display| {
        let report = statistics.report(&pipeline, &control, display);
        report.lines().skip(3).collect::<Vec<_>>().join("\n")
    };
    assert_eq!(
        body(StatisticsDisplay::Pipeline),
        "'builtin.module' Pipeline\n  't.func' Pipeline\n    t-any\n      (S) 2 runs - Number of \
         runs\n  t-any\n    (S) 1 runs - Number of runs"
    );
    assert_eq!(
        body(StatisticsDisplay::List),
        "t-any\n  (S) 3 runs - Number of runs"
    );
}

#[test]
fn rule_filters() {
    let filter = |rule: &str, line, column| RuleFilter {
        rule: rule.to_owned(),
        line,
        column,
    };
    assert_eq!(RuleFilter::parse("r"), Ok(filter("r", None, None)));
    assert_eq!(RuleFilter::parse("r@3"), Ok(filter("r", Some(3), None)));
    assert_eq!(
        RuleFilter::parse("r@3:4"),
        Ok(filter("r", Some(3), Some(4)))
    );
    assert!(RuleFilter::parse("r@x").is_err());
}

#[test]
fn reproducers_carry_the_pipeline() {
    let mut context = Context::new();
    let module = module(&mut context);
    let wanted = reproducer::Reproducer {
        pipeline: "builtin.module(t-any{list={\"a\"}})".to_owned(),
        verify_each: false,
    };
    let file = wanted.file(&mut context, module);
    let mut context = Context::new();
    context.allow_unregistered_dialects(true);
    let source = Source {
        name: "r.mlir",
        text: &file,
        first_line: 1,
    };
    parse_source(&mut context, source).unwrap();
    assert_eq!(reproducer::Reproducer::of(&context), Some(wanted));
    reproducer::Reproducer::remove(&mut context);
    assert!(context.resources.is_empty());
}
