//! Unreachable blocks: dominance does not constrain their values, which may refer to themselves and
//! each other. Passes must still terminate, after a number of steps proportional to the input, and
//! leave valid IR. If `mlir-opt` 22 is installed, its results must be the same for input that it
//! accepts.

mod generator;
#[allow(dead_code)]
#[path = "../../../tools/interpret/tests/common/random.rs"]
mod random;
#[path = "../../../tools/skipped.rs"]
mod skipped;

use std::io::Write as _;
use std::process::{Command, Stdio};

use generator::{Generator, HOST, Language, ORI};
use orison_ir::pass::{PassManager, PassRegistry};
use orison_ir::{Context, Operation, PrintFlags, Source, parse_source, print_to_string, walk};
use orison_rewrites::greedy::REWRITES_PER_OPERATION;
use random::Random;

/// Passes on all dialects, and whether `mlir-opt` gives the same result for random functions.
const GENERAL: [(&str, bool); 12] = [
    ("canonicalize", true),
    ("canonicalize{top-down=false}", false),
    ("canonicalize{region-simplify=disabled}", false),
    ("canonicalize{region-simplify=aggressive}", false),
    ("cse", true),
    ("sccp", true),
    ("loop-invariant-code-motion", true),
    ("symbol-dce", true),
    ("strip-debuginfo", false),
    // mlir-opt does not convert operations in unreachable blocks.
    ("convert-scf-to-cf", false),
    ("reconcile-unrealized-casts", true),
    ("test-single-fold", false),
];

const ORI_PASSES: [&str; 15] = [
    "ori-branch-opt",
    "ori-copy-propagation",
    "ori-general-optimize",
    "ori-gvn",
    "ori-loop-simplification",
    "ori-loop-simplification{level=5}",
    "ori-optimize-uniform-atomic",
    "ori-peephole",
    "ori-perform-live-dead",
    "ori-predication",
    "ori-reassociate",
    "ori-rematerialize{floor=2 share=1}",
    "ori-store-elimination",
    "ori-strength-reduce",
    "ori-switch-opt",
];

/// The maximum number of iterations of canonicalization.
const ITERATIONS: u64 = 10;

fn parse(text: &str) -> (Context, Operation) {
    let mut context = Context::new();
    orison_host::register(&mut context);
    orison_ori::register(&mut context);
    let source = Source {
        name: "random.mlir",
        text,
        first_line: 1,
    };
    let module = parse_source(&mut context, source);
    let module = module.unwrap_or_else(|_| panic!("{:?}\n{text}", context.diagnostics.take()));
    let verified = context.verify(module).is_ok();
    assert!(verified, "{:?}\n{text}", context.diagnostics.take());
    (context, module)
}

/// Runs a pass on a text, counts its steps, and verifies the result.
fn run(pass: &str, text: &str) -> String {
    let mut registry = PassRegistry::default();
    orison_rewrites::passes(&mut registry);
    let pipeline = registry.parse_pipeline(&format!("builtin.module({pass})"));
    let pipeline = pipeline.expect("a pipeline");
    let (mut context, module) = parse(text);
    let size = walk::collect(&context, module).len();
    let mut manager = PassManager::default();
    let done = manager.run(&mut context, &pipeline, module, &mut String::new());
    assert!(
        done.is_ok(),
        "{pass}: {:?}\n{text}",
        context.diagnostics.take()
    );
    let rewrites: u64 = manager.control().counts().values().map(|c| c.applied).sum();
    let bound = ITERATIONS * (256 + REWRITES_PER_OPERATION * size as u64);
    assert!(rewrites <= bound, "{pass}: {rewrites} rewrites\n{text}");
    let created = context.operation_capacity();
    assert!(
        created <= 1000 + 100 * size,
        "{pass}: {created} operations\n{text}"
    );
    let verified = context.verify(module).is_ok();
    let flags = PrintFlags::generic();
    let after = print_to_string(&context, module, &flags);
    assert!(
        verified,
        "{pass}: {:?}\n{text}\n{after}",
        context.diagnostics.take()
    );
    after
}

fn functions(language: &Language, seed: u64, count: usize) -> Vec<String> {
    let mut generator = Generator {
        language,
        random: &mut Random(seed),
        numbers: 0,
    };
    (0..count).map(|_| generator.function()).collect()
}

/// The output of `mlir-opt` in generic form; `None` if it is not installed.
fn mlir_opt(flags: &[&str], text: &str) -> Option<String> {
    let mut child = Command::new("mlir-opt-22")
        .args(["--mlir-print-op-generic"])
        .args(flags)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .ok()?;
    let mut input = child.stdin.take().expect("a pipe");
    input.write_all(text.as_bytes()).expect("mlir-opt reads");
    drop(input);
    let output = child.wait_with_output().expect("mlir-opt ends");
    assert!(
        output.status.success(),
        "mlir-opt {flags:?} fails on\n{text}"
    );
    Some(String::from_utf8(output.stdout).expect("text"))
}

const USE: &str = "func.func private @use(i32)\n";

#[test]
fn general_passes_end_on_host_dialects() {
    for (seed, function) in functions(&HOST, 1, 150).into_iter().enumerate() {
        let text = format!("{USE}{function}");
        for (pass, _) in GENERAL {
            println!("{pass}, function {seed}");
            run(pass, &text);
        }
    }
}

#[test]
fn general_passes_make_what_mlir_opt_makes() {
    let text = USE.to_owned() + &functions(&HOST, 2, 60).concat();
    for (pass, _) in GENERAL.into_iter().filter(|(_, same)| *same) {
        let Some(expected) = mlir_opt(&[&format!("--{pass}")], &text) else {
            skipped::skipped("no mlir-opt-22 on the search path");
            return;
        };
        let ours = mlir_opt(&[], &run(pass, &text)).expect("mlir-opt is installed");
        let differing = expected.lines().zip(ours.lines()).find(|(a, b)| a != b);
        assert!(
            expected == ours,
            "{pass}: {differing:?}\n{text}\n{expected}\n{ours}"
        );
    }
}

#[test]
fn passes_on_ori_end() {
    for (seed, function) in functions(&ORI, 3, 60).into_iter().enumerate() {
        let general = GENERAL.into_iter().map(|(pass, _)| pass);
        for pass in ORI_PASSES.into_iter().chain(general) {
            println!("{pass}, function {seed}");
            run(pass, &function);
        }
    }
}

/// A loop that becomes unreachable while rules are applied, because its entry depends on a
/// constant.
fn dying_loop(latch: &str) -> String {
    format!(
        "func.func @dying(%cond: i1, %init: i32) {{
           %true = arith.constant true
           %c1 = arith.constant 1 : i32
           cf.cond_br %true, ^exit, ^header(%init : i32)
         ^header(%iv: i32):
           cf.cond_br %cond, ^exit, ^latch
         ^latch:
           {latch}
           cf.br ^header(%next : i32)
         ^exit:
           return
         }}"
    )
}

#[test]
fn loops_that_become_unreachable_go() {
    for latch in [
        "%next = arith.addi %iv, %c1 : i32",
        "%0 = arith.addi %iv, %c1 : i32
         %next = arith.addi %0, %c1 : i32",
        "%0 = arith.subi %c1, %iv : i32
         %1 = arith.addi %0, %iv : i32
         %next = arith.subi %c1, %1 : i32",
        "%0 = arith.extsi %iv : i32 to i64
         %next = arith.trunci %0 : i64 to i32",
        "%next = arith.select %cond, %iv, %c1 : i32",
        "%next = scf.while (%x = %iv) : (i32) -> i32 {
           scf.condition(%cond) %x : i32
         } do {
         ^bb0(%y: i32):
           scf.yield %y : i32
         }",
    ] {
        for options in [
            "",
            "{region-simplify=disabled}",
            "{region-simplify=aggressive}",
        ] {
            let after = run(&format!("canonicalize{options}"), &dying_loop(latch));
            assert!(!after.contains("cf."), "{latch}\n{after}");
        }
    }
}

#[test]
fn cycles_in_graph_regions_end() {
    for text in [
        "%c = arith.constant 1 : i32
         %a = arith.addi %a, %c : i32",
        "%c = arith.constant 1 : i32
         %a = arith.addi %b, %c : i32
         %b = arith.addi %a, %c : i32",
        "%t = arith.constant true
         %a = arith.xori %b, %t : i1
         %b = arith.xori %a, %t : i1",
        "%a = arith.extsi %b : i32 to i64
         %b = arith.trunci %a : i64 to i32",
    ] {
        run("canonicalize", text);
        run("cse", text);
        run("sccp", text);
    }
}
