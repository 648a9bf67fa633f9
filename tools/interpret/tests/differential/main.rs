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

use orison_interpret::{Datum, Outcome, Trap, World};
use orison_ir::pass::{PassRegistry, Pipeline};
use orison_ir::{PrintFlags, print_to_string};

use generator::{Function, Program, program};
use harness::{Module, arguments, compare, functions, parse, run, run_after, transform};
use random::Random;

/// The pipelines run on every program.
const PIPELINES: &[&str] = &[
    "builtin.module(canonicalize)",
    "builtin.module(canonicalize{region-simplify=aggressive})",
    "builtin.module(cse)",
    "builtin.module(sccp,loop-invariant-code-motion)",
    "builtin.module(symbol-dce)",
    "builtin.module(canonicalize,cse,sccp,loop-invariant-code-motion)",
];

/// Converts loops and conditionals to branches. A conditional without effects on a poison condition
/// yields poison, because it may be speculated; a branch on poison is undefined.
const LOWERING: &str = "builtin.module(convert-scf-to-cf)";

/// The pipelines run on every program after [`LOWERING`].
const ON_BRANCHES: &[&str] = &[
    "builtin.module(canonicalize{region-simplify=aggressive})",
    "builtin.module(sccp,canonicalize,cse,symbol-dce)",
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

fn pipeline(registry: &PassRegistry, text: &str) -> Pipeline {
    match registry.parse_pipeline(text) {
        Ok(pipeline) => pipeline,
        Err(error) => panic!("{text} is no pipeline: {error}"),
    }
}

/// The pipelines, all of which parse.
fn pipelines(
    registry: &PassRegistry,
    texts: &'static [&'static str],
) -> Vec<(&'static str, Pipeline)> {
    let texts = texts.iter();
    texts
        .map(|text| (*text, pipeline(registry, text)))
        .collect()
}

/// A program with branches for its loops and conditionals. Returns its text, and the runs to compare
/// with: all that return or abort as before, or decide by poison.
fn lowered(text: &str, before: &[Run], lowering: &Pipeline) -> Result<(String, Vec<Run>), String> {
    let mut module = parse(text)?;
    transform(&mut module, lowering)?;
    let flags = PrintFlags::default();
    let text = print_to_string(&module.context, module.operation, &flags);
    let mut runs = Vec::new();
    for run in before {
        let outcome = run_after(&module, &run.function, &run.arguments);
        let by_poison = matches!(&outcome.0, Outcome::Trapped(Trap::Undefined { reason, .. })
            if reason.ends_with("depends on poison"));
        if !by_poison {
            compare(&run.outcome, &outcome).map_err(|difference| {
                let arguments: Vec<_> = run.arguments.iter().map(ToString::to_string).collect();
                format!("@{}({})\n{difference}", run.function, arguments.join(", "))
            })?;
        }
        runs.push(Run {
            function: run.function.clone(),
            arguments: run.arguments.clone(),
            outcome,
        });
    }
    Ok((text, runs))
}

/// The number of runs by outcome. Programs that end in another way are errors of the generator or
/// of the interpreter: nothing of them would be compared.
#[derive(Debug, Default)]
struct Outcomes {
    returned: usize,
    undefined: usize,
    aborted: usize,
    out_of_fuel: usize,
}

impl Outcomes {
    fn count(&mut self, seed: u64, run: &Run) {
        let counter = match &run.outcome.0 {
            Outcome::Returned(_) => &mut self.returned,
            Outcome::Trapped(Trap::Undefined { .. }) => &mut self.undefined,
            Outcome::Trapped(Trap::Aborted { .. }) => &mut self.aborted,
            Outcome::OutOfFuel => &mut self.out_of_fuel,
            other => panic!("seed {seed}, @{}: {other}", run.function),
        };
        *counter += 1;
    }

    fn total(&self) -> usize {
        self.returned + self.undefined + self.aborted + self.out_of_fuel
    }
}

/// Runs the public functions of a program.
fn runs(module: &Module, functions: &[Function], seed: u64) -> Vec<Run> {
    let mut random = Random(seed);
    let mut runs = Vec::new();
    for function in functions.iter().filter(|function| function.is_public) {
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
        let outcome = run_after(&after, &before.function, &before.arguments);
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
    check_random_programs(1_000);
}

/// The same for ten times as many programs.
#[test]
#[ignore = "takes minutes"]
fn campaign_of_random_programs() {
    check_random_programs(10_000);
}

/// Checks this number of programs, unless the environment sets another one.
fn check_random_programs(default: u64) {
    let registry = registry();
    let (pipelines, on_branches) = (
        pipelines(&registry, PIPELINES),
        pipelines(&registry, ON_BRANCHES),
    );
    let lowering = pipeline(&registry, LOWERING);
    let (first, count) = (
        setting("ORISON_SEED", 1),
        setting("ORISON_PROGRAMS", default),
    );
    let (mut programs, mut outcomes) = (0, Outcomes::default());
    let mut outcomes_on_branches = Outcomes::default();
    for seed in first.. {
        let program = program(seed, FUNCTIONS);
        let before = parse(&program.text)
            .unwrap_or_else(|errors| panic!("seed {seed} is broken:\n{errors}"));
        let runs = runs(&before, &program.functions, seed);
        runs.iter().for_each(|run| outcomes.count(seed, run));
        for (text, pipeline) in &pipelines {
            if let Some(found) = difference(&program.text, &runs, pipeline) {
                let small = smaller(&program, seed, pipeline);
                panic!("seed {seed}, {text}, {found}\nsmaller:\n{small}");
            }
        }
        let (text, lowered) = lowered(&program.text, &runs, &lowering)
            .unwrap_or_else(|difference| panic!("seed {seed}, {LOWERING}, {difference}"));
        lowered
            .iter()
            .for_each(|run| outcomes_on_branches.count(seed, run));
        for (pipeline_text, pipeline) in &on_branches {
            if let Some(found) = difference(&text, &lowered, pipeline) {
                panic!("seed {seed}, {LOWERING}, {pipeline_text}, {found}\n{text}");
            }
        }
        programs += FUNCTIONS as u64;
        if programs >= count {
            break;
        }
    }
    println!(
        "{programs} programs, {} pipelines, {outcomes:?}, with branches {outcomes_on_branches:?}",
        pipelines.len() + 1 + on_branches.len()
    );
    // Otherwise most runs have nothing to compare.
    assert!(2 * outcomes.returned > outcomes.total());
    assert!(100 * outcomes.out_of_fuel <= outcomes.total());
    // What was defined and decides by poison with branches is rare.
    let undefined = outcomes_on_branches.undefined - outcomes.undefined;
    assert!(20 * undefined <= outcomes.total());
}

/// Programs that a pass once miscompiled.
#[test]
fn programs_that_were_broken_once_keep_their_meaning() {
    let registry = registry();
    let pipelines = pipelines(&registry, PIPELINES);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/differential/regressions");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).expect("the folder") {
        let path = entry.expect("an entry").path();
        let text = std::fs::read_to_string(&path).expect("a text");
        let module = parse(&text).expect("a program");
        let runs = runs(&module, &functions(&module), 1);
        assert!(!runs.is_empty(), "{}: no public function", path.display());
        for (pipeline_text, pipeline) in &pipelines {
            let found = difference(&text, &runs, pipeline);
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
    for seed in 0..60 {
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
    println!("{noticed} of 60 noticed, {poison} of {values} results are poison");
    assert!(
        noticed > 10 && 4 * poison < values,
        "{noticed} of 60, {poison} of {values}"
    );
}
