//! Passes preserve the behaviour of random programs.

mod arithmetic;
#[path = "../common/mod.rs"]
mod common;
mod generator;
mod harness;
mod kinds;
#[path = "../common/random.rs"]
mod random;
mod reduce;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use orison_interpret::{Datum, Outcome, World};
use orison_ir::pass::{PassRegistry, Pipeline};

use generator::{Function, Program, program};
use harness::{Module, arguments, compare, functions, parse, run, transform};
use random::Random;

/// The pipelines run on every program. A pipeline with a pass that does not exist is skipped.
const PIPELINES: &[&str] = &[
    "builtin.module(canonicalize)",
    "builtin.module(cse)",
    "builtin.module(sccp,loop-invariant-code-motion)",
    "builtin.module(canonicalize,cse,sccp,loop-invariant-code-motion)",
];

/// Programs per module.
const FUNCTIONS: usize = 10;
/// Sets of arguments per program.
const RUNS: usize = 2;

fn registry() -> PassRegistry {
    let mut registry = PassRegistry::default();
    orison_opt::registry::register_all_passes(&mut registry);
    registry
}

/// Seed and count may be set, to try more programs or to repeat one.
fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name)
        .ok()
        .and_then(|value| value.parse().ok())
        .unwrap_or(default)
}

/// The behaviour of a function for some arguments.
struct Run {
    function: String,
    arguments: Vec<Datum>,
    outcome: (Outcome, World),
}

/// Runs the functions of a program.
fn runs(module: &Module, functions: &[Function], seed: u64) -> Vec<Run> {
    let mut random = Random(seed);
    let mut runs = Vec::new();
    for function in functions {
        for _ in 0..RUNS {
            let arguments = arguments(function, &mut random);
            runs.push(Run {
                function: function.name.clone(),
                outcome: run(module, &function.name, &arguments),
                arguments,
            });
        }
    }
    runs
}

/// How the program that passes produce from a text differs from it; `None` if equal.
fn difference(text: &str, runs: &[Run], pipeline: &Pipeline) -> Option<String> {
    let transformed = catch_unwind(AssertUnwindSafe(|| {
        let mut after = parse(text)?;
        transform(&mut after, pipeline)?;
        Ok::<_, String>(after)
    }));
    let after = match transformed {
        Ok(Ok(after)) => after,
        Ok(Err(errors)) => return Some(errors),
        Err(_) => return Some("a pass panics".to_owned()),
    };
    runs.iter().find_map(|before| {
        let outcome = run(&after, &before.function, &before.arguments);
        let difference = compare(&before.outcome, &outcome).err()?;
        let list: Vec<_> = before.arguments.iter().map(ToString::to_string).collect();
        Some(format!(
            "@{}({})\n{difference}",
            before.function,
            list.join(", ")
        ))
    })
}

/// The smallest text found that still has a difference.
fn smaller(program: &Program, seed: u64, pipeline: &Pipeline) -> String {
    reduce::reduce(&program.text, |candidate| {
        let Ok(module) = parse(candidate) else {
            return false;
        };
        let name = |function: &Function| {
            module
                .operation
                .lookup_symbol(&module.context, &function.name)
        };
        let kept: Vec<_> = program
            .functions
            .iter()
            .filter(|f| name(f).is_some())
            .cloned()
            .collect();
        difference(candidate, &runs(&module, &kept, seed), pipeline).is_some()
    })
}

#[test]
fn passes_keep_the_meaning_of_random_programs() {
    let registry = registry();
    let mut pipelines = Vec::new();
    for text in PIPELINES {
        match registry.parse_pipeline(text) {
            Ok(pipeline) => pipelines.push((*text, pipeline)),
            Err(error) => println!("left out: {text}: {error}"),
        }
    }
    assert!(pipelines.len() >= 2);
    let (first, count) = (
        setting("ORISON_SEED", 1),
        setting("ORISON_PROGRAMS", 10_000),
    );
    let (mut programs, mut returned, mut total) = (0, 0, 0);
    for seed in first.. {
        let program = program(seed, FUNCTIONS);
        let before = parse(&program.text)
            .unwrap_or_else(|errors| panic!("seed {seed} is broken:\n{errors}"));
        let runs = runs(&before, &program.functions, seed);
        total += runs.len();
        returned += runs
            .iter()
            .filter(|run| matches!(run.outcome.0, Outcome::Returned(_)))
            .count();
        for (text, pipeline) in &pipelines {
            if let Some(found) = difference(&program.text, &runs, pipeline) {
                let small = smaller(&program, seed, pipeline);
                panic!("seed {seed}, {text}, {found}\nsmaller:\n{small}");
            }
        }
        programs += FUNCTIONS as u64;
        if programs >= count {
            break;
        }
    }
    println!(
        "{programs} programs, {} pipelines, {total} runs, {returned} return",
        pipelines.len()
    );
    // Otherwise most runs have nothing to compare.
    assert!(2 * returned > total);
}

/// Programs that a pass once miscompiled.
#[test]
fn programs_that_were_broken_once_keep_their_meaning() {
    let registry = registry();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/differential/regressions");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).expect("the folder") {
        let path = entry.expect("an entry").path();
        let text = std::fs::read_to_string(&path).expect("a text");
        let module = parse(&text).expect("a program");
        let runs = runs(&module, &functions(&module), 1);
        for pipeline_text in PIPELINES {
            let Ok(pipeline) = registry.parse_pipeline(pipeline_text) else {
                continue;
            };
            let found = difference(&text, &runs, &pipeline);
            assert_eq!(found, None, "{}, {pipeline_text}", path.display());
            count += 1;
        }
    }
    assert!(count > 0);
}

/// The comparison detects wrong programs.
#[test]
fn other_programs_differ() {
    let nothing = registry()
        .parse_pipeline("builtin.module()")
        .expect("a pipeline");
    let (mut noticed, mut values, mut poison) = (0, 0, 0);
    for seed in 0..40 {
        let program = program(seed, FUNCTIONS);
        let before = parse(&program.text).expect("a program");
        let runs = runs(&before, &program.functions, seed);
        assert_eq!(difference(&program.text, &runs, &nothing), None);
        for run in &runs {
            if let Outcome::Returned(results) = &run.outcome.0 {
                values += results.len();
                poison += results.iter().filter(|result| result.is_poison()).count();
            }
        }
        let wrong = program.text.replace("arith.addi", "arith.subi");
        let wrong = wrong
            .replace("arith.minsi", "arith.maxsi")
            .replace("slt", "sgt");
        noticed += usize::from(difference(&wrong, &runs, &nothing).is_some());
    }
    println!("{noticed} of 40 noticed, {poison} of {values} results are poison");
    assert!(
        noticed > 10 && 4 * poison < values,
        "{noticed} of 40, {poison} of {values}"
    );
}
