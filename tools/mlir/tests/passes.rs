//! Pipelines of orison on live modules, alone and between passes of MLIR.

mod common;

use std::sync::{Arc, Mutex};

use common::{context, generic, own_context, own_module, printed};
use melior::Context;
use melior::ir::Module;
use melior::pass::PassManager;
use orison_ir::pass::PassRegistry;
use orison_mlir::{Error, add_pipeline, create_pass, run_pipeline};

const GEMM: &str = include_str!("../../../examples/gemm.mlir");
const SCHEDULE: &str = "builtin.module(tileas-generate-schedule,tileas-materialize-schedule)";

/// The module of a text in the dialects of orison.
fn module<'c>(context: &'c Context, text: &str) -> Module<'c> {
    let mut own = own_context();
    let read = own_module(&mut own, text).expect("orison reads it");
    Module::parse(context, &generic(&own, read)).expect("MLIR reads it")
}

/// What `orison-opt` makes of a text, as MLIR prints it.
fn expected(context: &Context, text: &str, pipeline: &str) -> String {
    let mut own = own_context();
    let read = own_module(&mut own, text).expect("orison reads it");
    let mut passes = PassRegistry::default();
    orison_opt::registry::register_all_passes(&mut passes);
    let pipeline = passes.parse_pipeline(pipeline).expect("a pipeline");
    orison_ir::pass::run_pipeline(&mut own, &pipeline, read).expect("the passes succeed");
    printed(&Module::parse(context, &generic(&own, read)).expect("MLIR reads it"))
}

/// Collects the errors of an MLIR context while `body` runs.
fn errors_of(context: &Context, body: impl FnOnce()) -> Vec<String> {
    let collected = Arc::new(Mutex::new(Vec::new()));
    let sink = Arc::clone(&collected);
    let id = context.attach_diagnostic_handler(move |diagnostic| {
        let text = format!("{}: {diagnostic}", diagnostic.location());
        sink.lock().expect("one thread").push(text);
        true
    });
    body();
    context.detach_diagnostic_handler(id);
    let collected = collected.lock().expect("one thread");
    collected.clone()
}

#[test]
fn a_live_module_is_scheduled_as_the_command_line_does() {
    let context = context();
    let mut live = module(&context, GEMM);
    run_pipeline(&mut live, SCHEDULE).expect("the passes succeed");
    assert_eq!(printed(&live), expected(&context, GEMM, SCHEDULE));
    assert!(printed(&live).contains("nv_tileas.async.pipeline.create_pipeline"));
}

#[test]
fn a_failing_pass_leaves_the_module_and_tells_mlir_where() {
    let context = context();
    // A number is no buffer, nor a pipeline.
    let text = r#"
      "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
        %0 = "arith.constant"() <{value = 1 : i32}> : () -> i32
        %1 = "arith.addi"(%0, %0) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
        %2 = "nv_tileas.async.pipeline.create_pipeline"(%1) : (i32) -> i32 loc("kernel.py":7:3)
        "func.return"() : () -> ()
      }) : () -> ()
    "#;
    let mut live = Module::parse(&context, text).expect("MLIR reads it");
    let before = printed(&live);
    let mut outcome = Ok(Vec::new());
    let errors = errors_of(&context, || {
        outcome = run_pipeline(&mut live, "builtin.module(canonicalize)");
    });
    let Err(Error::Passes(messages)) = outcome else {
        panic!("orison verifies first: {outcome:?}");
    };
    assert_eq!(printed(&live), before);
    assert_eq!(errors.len(), 1, "{errors:?}");
    assert!(errors[0].contains("kernel.py\":7:3"), "{errors:?}");
    assert!(errors[0].contains("'nv_tileas.async.pipeline.create_pipeline' op"));
    assert_eq!(
        messages[0].place,
        Some(("kernel.py".to_owned(), 7, 3)),
        "{messages:?}"
    );
}

#[test]
fn wrong_pipelines_are_errors_with_a_place() {
    let context = context();
    let mut live = module(&context, GEMM);
    let before = printed(&live);
    let error = run_pipeline(&mut live, "builtin.module(canonicalise)").expect_err("no such pass");
    assert!(
        error.to_string().contains("'canonicalise' does not refer"),
        "{error}"
    );
    assert!(error.to_string().contains(":1:16: error"), "{error}");
    assert_eq!(printed(&live), before);
}

#[test]
fn orison_stands_between_passes_of_mlir() {
    melior::utility::register_all_passes();
    let context = context();
    let mut live = module(&context, GEMM);
    let manager = PassManager::new(&context);
    let text = format!("canonicalize,orison{{pipeline={SCHEDULE}}},cse");
    add_pipeline(manager.as_operation_pass_manager(), &text).expect("a pipeline");
    manager.run(&mut live).expect("all passes succeed");
    let text = printed(&live);
    assert!(
        text.contains("nv_tileas.async.pipeline.create_pipeline"),
        "{text}"
    );
}

#[test]
fn orison_runs_on_functions_in_many_threads() {
    melior::utility::register_all_passes();
    let context = context();
    context.enable_multi_threading(true);
    let mut text = String::new();
    for number in 0..64 {
        text.push_str(&format!(
            "func.func @f{number}(%a: i32) -> i32 {{ %z = arith.constant 0 : i32 \
             %s = arith.addi %a, %z : i32 func.return %s : i32 }}\n"
        ));
    }
    let mut live = Module::parse(&context, &text).expect("MLIR reads it");
    let manager = PassManager::new(&context);
    let pipeline = "func.func(orison{pipeline=func.func(canonicalize)}),symbol-dce";
    add_pipeline(manager.as_operation_pass_manager(), pipeline).expect("a pipeline");
    manager.run(&mut live).expect("all passes succeed");
    let text = printed(&live);
    assert!(!text.contains("arith.addi"), "{text}");
    assert_eq!(text.matches("func.func").count(), 64);
}

#[test]
fn a_failing_pass_stops_the_pass_manager() {
    let context = context();
    let text = r#""nv_tileas.async.pipeline.create_pipeline"() : () -> ()"#;
    let mut live = Module::parse(&context, text).expect("MLIR reads it");
    let before = printed(&live);
    let manager = PassManager::new(&context);
    manager.add_pass(create_pass("builtin.module(cse)").expect("a pipeline"));
    let mut outcome = Ok(());
    let errors = errors_of(&context, || outcome = manager.run(&mut live));
    assert!(outcome.is_err());
    assert!(!errors.is_empty());
    assert_eq!(printed(&live), before);
}

#[test]
fn what_mlir_does_not_take_is_said_in_its_words() {
    melior::utility::register_all_passes();
    let context = context();
    let manager = PassManager::new(&context);
    let manager = manager.as_operation_pass_manager();
    let error = add_pipeline(manager, "no-such-pass").expect_err("no such pass");
    assert!(error.to_string().contains("no-such-pass"), "{error}");
    let error = add_pipeline(manager, "orison{pipeline=builtin.module(x)}").expect_err("no x");
    assert!(matches!(error, Error::Pipeline(_)), "{error}");
    assert!(add_pipeline(manager, "func.func(cse").is_err());
}
