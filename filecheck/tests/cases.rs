//! Checks the verdict of every case, and that LLVM's FileCheck agrees where it is installed.

mod common;

use std::collections::HashSet;

use common::compare::{agree, mutants, same_messages};
use common::{Verdict, all, run_ours, tree};

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

#[test]
fn llvm_agrees_on_all_cases() {
    agree(&all());
}

#[test]
fn messages_and_dumps_are_those_of_llvm() {
    same_messages(&all());
}

#[test]
fn llvm_agrees_on_mutants() {
    agree(&mutants(&all()));
}

/// Check files and outputs of the repository's tests, unchanged and mutated.
#[test]
fn llvm_agrees_on_the_tree_of_tests_and_its_mutants() {
    let cases = tree::all();
    if cases.is_empty() {
        common::skipped("no tests/ beside this crate");
        return;
    }
    agree(&cases);
    agree(&mutants(&cases));
}
