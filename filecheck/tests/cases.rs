//! Every case has its verdict, and LLVM's FileCheck agrees where it is installed.

mod common;

use std::collections::HashSet;
use std::thread;

use common::{Case, Random, Verdict, all, mutate, reference, run_ours, run_reference};

#[test]
fn cases_are_many_distinct_and_reasoned() {
    let cases = all();
    assert!(cases.len() >= 300, "only {} cases", cases.len());
    let names: HashSet<&str> = cases.iter().map(|case| case.name.as_str()).collect();
    assert_eq!(names.len(), cases.len(), "two cases have one name");
    for case in &cases {
        assert!(case.reason.ends_with('.'), "{} has no reason", case.name);
    }
}

#[test]
fn cases_have_their_verdicts() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let mut wrong = Vec::new();
    for case in all() {
        for (lenient, expected) in [(true, case.lenient), (false, case.strict)] {
            let outcome = run_ours(&case, directory.path(), lenient);
            if Verdict::of_code(outcome.code) != Some(expected) {
                let text = String::from_utf8_lossy(&outcome.stderr).into_owned();
                wrong.push(format!(
                    "{} (lenient: {lenient}): expected {expected:?}, got {}\n{text}",
                    case.name, outcome.code
                ));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

/// Where LLVM's code differs although it rejects as well: it ends with the code of a mismatch when
/// a bracket of a variable is not closed.
fn same_verdict(ours: i32, theirs: i32) -> bool {
    (ours == 0) == (theirs == 0)
}

/// Compares in two threads; returns descriptions of disagreements.
fn compare(cases: &[Case]) -> Option<Vec<String>> {
    let Some(program) = reference() else {
        eprintln!("skipped: no FileCheck-22 or FileCheck on the search path");
        return None;
    };
    let halves: Vec<&[Case]> = cases.chunks(cases.len().div_ceil(2).max(1)).collect();
    let wrong = thread::scope(|scope| {
        let handles: Vec<_> = halves
            .into_iter()
            .map(|cases| {
                let program = &program;
                scope.spawn(move || compare_some(cases, program))
            })
            .collect();
        handles
            .into_iter()
            .flat_map(|handle| handle.join().expect("no panic"))
            .collect()
    });
    Some(wrong)
}

fn compare_some(cases: &[Case], program: &std::path::Path) -> Vec<String> {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let mut wrong = Vec::new();
    for case in cases {
        // A crash is no verdict.
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
        // By default only more may be rejected, and only with a rule that says so.
        if strict.code == 0 && theirs != 0 {
            wrong.push(shown("accepted by default"));
        }
        if strict.code != 0 && theirs == 0 && !is_strict_rejection(&strict.stderr) {
            wrong.push(shown("rejected by default without a rule"));
        }
    }
    wrong
}

/// The messages of the rules that go beyond LLVM, as `docs/filecheck.md` lists them.
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

#[test]
fn llvm_agrees_on_all_cases() {
    if let Some(wrong) = compare(&all()) {
        assert!(
            wrong.is_empty(),
            "{} disagreements:\n{}",
            wrong.len(),
            wrong.join("\n\n")
        );
    }
}

#[test]
fn llvm_agrees_on_mutants() {
    const MUTANTS: usize = 2_000;
    let count = std::env::var("ORISON_MUTANTS")
        .ok()
        .and_then(|text| text.parse().ok());
    let seed = std::env::var("ORISON_SEED")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(1);
    let cases = all();
    let mut random = Random::new(seed);
    let mutants: Vec<Case> = (0..count.unwrap_or(MUTANTS))
        .map(|_| {
            let index = random.below(cases.len());
            mutate(&cases[index], &mut random)
        })
        .collect();
    if let Some(wrong) = compare(&mutants) {
        assert!(
            wrong.is_empty(),
            "{} disagreements:\n{}",
            wrong.len(),
            wrong.join("\n\n")
        );
    }
}
