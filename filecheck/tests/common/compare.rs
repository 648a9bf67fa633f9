//! Compares the same cases with LLVM's FileCheck.

use std::path::Path;
use std::thread;

use super::{Case, Random, mutate, reference, run_ours, run_reference};

/// How many mutants are compared; `ORISON_MUTANTS` and `ORISON_SEED` override the defaults.
const MUTANTS: usize = 2_000;

/// Mutated copies of cases, random but the same in each run.
pub fn mutants(cases: &[Case]) -> Vec<Case> {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let mut random = Random::new(number("ORISON_SEED").unwrap_or(1));
    let count = number("ORISON_MUTANTS").map_or(MUTANTS, |count| count as usize);
    (0..count)
        .map(|_| {
            let index = random.below(cases.len());
            mutate(&cases[index], &mut random)
        })
        .collect()
}

/// Fails with all disagreements; skips if LLVM's FileCheck is not installed.
pub fn agree(cases: &[Case]) {
    let Some(program) = reference() else {
        super::skipped("no FileCheck-22 or FileCheck on the search path");
        return;
    };
    let halves = cases.chunks(cases.len().div_ceil(2).max(1));
    let wrong: Vec<String> = thread::scope(|scope| {
        let handles: Vec<_> = halves
            .map(|cases| {
                let program = &program;
                scope.spawn(move || disagreements(cases, program))
            })
            .collect();
        handles
            .into_iter()
            .flat_map(|handle| handle.join().expect("no panic"))
            .collect()
    });
    assert!(
        wrong.is_empty(),
        "{} disagreements:\n{}",
        wrong.len(),
        wrong.join("\n\n")
    );
}

/// Runs each case with several forms of the dump of the input, and fails with all differences
/// between the messages and those of LLVM's FileCheck; skips if it is not installed.
pub fn same_messages(cases: &[Case]) {
    const FORMS: [&[&str]; 3] = [
        &["-vv", "--dump-input=always"],
        &["-vv", "--dump-input=never"],
        &["--dump-input-filter=annotation", "--dump-input-context=1"],
    ];
    // LLVM reports an undefined variable of the command line without its place, and proposes
    // options that only LLVM has.
    const OWN: [&str; 2] = ["number-define-command-line-undefined", "option-unknown"];
    let Some(program) = reference() else {
        super::skipped("no FileCheck-22 or FileCheck on the search path");
        return;
    };
    let directory = tempfile::tempdir().expect("a temporary directory");
    let name = program.file_name().expect("a program").to_string_lossy();
    let text = |output: &[u8]| String::from_utf8_lossy(output).into_owned();
    for case in cases {
        if OWN.contains(&case.name.as_str()) {
            continue;
        }
        for flags in FORMS {
            let mut case = case.clone();
            case.flags.extend(flags.iter().map(ToString::to_string));
            let Some((_, theirs)) = run_reference(&program, &case, directory.path()) else {
                continue;
            };
            let ours = run_ours(&case, directory.path(), true).stderr;
            // LLVM switches to bold before it switches to a colour.
            let theirs = text(&theirs)
                .replace(&*program.to_string_lossy(), "FileCheck")
                .replace(&*name, "FileCheck")
                .replace("\x1b[1m\x1b[0m", "")
                .replace("\x1b[1m", "");
            let ours = text(&ours).replace(" --lenient", "");
            assert_eq!(ours, theirs, "{} with {:?}", case.name, case.flags);
        }
    }
}

/// Whether exit codes agree. LLVM also rejects an unclosed bracket of a variable, but with the exit
/// code of a mismatch.
fn same_verdict(ours: i32, theirs: i32) -> bool {
    (ours == 0) == (theirs == 0)
}

fn disagreements(cases: &[Case], program: &Path) -> Vec<String> {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let mut wrong = Vec::new();
    for case in cases {
        // A crash is not a verdict.
        let Some((theirs, text)) = run_reference(program, case, directory.path()) else {
            continue;
        };
        let lenient = run_ours(case, directory.path(), true);
        let strict = run_ours(case, directory.path(), false);
        let shown = |title: &str| {
            format!(
                "{title} in {}: flags {:?}\n--- checks\n{}--- input\n{}--- LLVM: {theirs}\n{}--- \
                 ours: {}\n{}",
                case.name,
                case.flags,
                String::from_utf8_lossy(&case.checks),
                String::from_utf8_lossy(&case.input),
                String::from_utf8_lossy(&text),
                lenient.code,
                String::from_utf8_lossy(&lenient.stderr),
            )
        };
        if !same_verdict(lenient.code, theirs) {
            wrong.push(shown("different verdict"));
        }
        // By default, ours may only reject more, and only by a documented rule.
        if strict.code == 0 && theirs != 0 {
            wrong.push(shown("accepted by default"));
        }
        if strict.code != 0 && theirs == 0 && !is_strict_rejection(&strict.stderr) {
            wrong.push(shown("rejected by default without a rule"));
        }
    }
    wrong
}

/// The messages of the rules that are stricter than LLVM, as listed in `docs/filecheck.md`.
fn is_strict_rejection(output: &[u8]) -> bool {
    let text = String::from_utf8_lossy(output);
    let rules = [
        "misspelled directive '",
        "misspelled prefix '",
        "unknown modifier in '",
        "unsupported combination of suffixes in '",
        "missing ':' after '",
        "command line:1:",
        "found empty check string with prefix '",
    ];
    rules.iter().any(|rule| text.contains(rule))
}
