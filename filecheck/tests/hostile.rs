//! Hostile check files and inputs must give a verdict, without a panic and without work that grows
//! faster than they do: what goes wrong takes hours, so that the test run reaches its time limit.

mod common;

use std::path::Path;

use common::{Random, all, mutate};
use orison_filecheck::fuzzing::{replay, replay_lit};
use orison_filecheck::{Options, Status, check, run};
use proptest::prelude::*;

/// The committed inputs of a fuzz target.
fn corpus(target: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus");
    let entries = std::fs::read_dir(folder.join(target)).expect("the corpus is there");
    let mut paths: Vec<_> = entries
        .map(|entry| entry.expect("a readable entry").path())
        .collect();
    paths.sort();
    let read = |path: &std::path::PathBuf| std::fs::read(path).expect("readable");
    paths.iter().map(read).collect()
}

#[test]
fn the_fuzzing_corpus_passes() {
    let inputs = corpus("check");
    assert!(inputs.len() >= 10, "only {} inputs", inputs.len());
    inputs.iter().for_each(|data| replay(data));
}

#[test]
fn the_fuzzing_corpus_of_lit_passes() {
    let inputs = corpus("lit");
    assert!(inputs.len() >= 5, "only {} inputs", inputs.len());
    inputs.iter().for_each(|data| replay_lit(data));
}

/// Bytes replaced, removed and doubled in test files.
#[test]
fn mutants_of_test_files_never_panic() {
    const SIGNS: &[u8] = b"%{}()|&!\\\"'=\n <>*";
    let inputs = corpus("lit");
    let mut random = Random::new(11);
    for _ in 0..5_000 {
        let mut data = inputs[random.below(inputs.len())].clone();
        for _ in 0..=random.below(4) {
            let at = random.below(data.len());
            match random.below(3) {
                0 => data[at] = SIGNS[random.below(SIGNS.len())],
                1 => drop(data.remove(at)),
                _ => data.extend_from_within(at..),
            }
        }
        replay_lit(&data);
    }
}

#[test]
fn mutants_of_cases_never_panic() {
    let cases = all();
    let mut random = Random::new(7);
    for _ in 0..20_000 {
        let case = &cases[random.below(cases.len())];
        let mut mutant = case.clone();
        for _ in 0..=random.below(4) {
            mutant = mutate(&mutant, &mut random);
        }
        let mut data = vec![random.below(256) as u8];
        data.extend(mutant.checks.iter().filter(|byte| **byte != 0));
        data.push(0);
        data.extend(&mutant.input);
        replay(&data);
    }
}

/// Fragments of check files, valid and malformed.
fn piece() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        proptest::sample::select(vec![
            "CHECK:",
            "CHECK-NEXT:",
            "CHECK-NOT:",
            "CHECK-DAG:",
            "CHECK-LABEL:",
            "CHECK-SAME:",
            "CHECK-EMPTY:",
            "CHECK-COUNT-3:",
            "CHECK{LITERAL}:",
            "COM:",
            "\n",
            "\r\n",
            " ",
            "\t",
            "{{",
            "}}",
            "[[",
            "]]",
            "[[#",
            "[[@LINE",
            ":",
            "X",
            "$Y",
            "+1",
            "%.8x,",
            "mul(",
            ")",
            "a",
            "(a|b)*",
            "\\1",
            "[^a]",
            "[[:alpha:]]",
            "{2,3}",
            "^",
            "$",
            "|",
            "=="
        ])
        .prop_map(|text| text.as_bytes().to_vec()),
        proptest::collection::vec(any::<u8>(), 1..4),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn assembled_files_never_panic(
        flags in any::<u8>(),
        checks in proptest::collection::vec(piece(), 0..24),
        input in proptest::collection::vec(piece(), 0..24),
    ) {
        let mut data = vec![flags];
        data.extend(checks.concat().into_iter().filter(|byte| *byte != 0));
        data.push(0);
        data.extend(input.concat());
        replay(&data);
    }

    #[test]
    fn every_text_matches_itself_literally(text in "[ -~]{1,40}") {
        prop_assume!(!text.trim().is_empty());
        check(&text, format!("CHECK{{LITERAL}}: {text}")).map_err(|error| {
            TestCaseError::fail(error.to_string())
        })?;
    }

    #[test]
    fn lines_in_order_pass_and_swapped_lines_fail(
        lines in proptest::collection::btree_set("[a-z]{3}", 2..12),
        at in any::<proptest::sample::Index>(),
    ) {
        // Distinct words of the same length do not contain each other.
        let lines: Vec<String> = lines.into_iter().collect();
        let mut checks = format!("CHECK: {}\n", lines[0]);
        lines[1..].iter().for_each(|line| checks.push_str(&format!("CHECK-NEXT: {line}\n")));
        prop_assert!(check(lines.join("\n"), &checks).is_ok());
        let at = at.index(lines.len() - 1);
        let mut swapped = lines;
        swapped.swap(at, at + 1);
        prop_assert!(check(swapped.join("\n"), &checks).is_err());
    }
}

fn gives(what: &str, checks: &str, input: &str, expected: Status) {
    let report = run(
        checks.as_bytes(),
        || Ok(input.as_bytes().to_vec()),
        &Options::default(),
    );
    assert_eq!(report.status, expected, "{what}");
}

#[test]
fn work_on_long_inputs_stays_in_proportion() {
    let long = "a".repeat(1 << 20);
    let zeros = "\0".repeat(1 << 20);
    for (what, checks, input, status) in [
        ("long line", "CHECK: {{a.*b}}", &long[..], Status::Failed),
        (
            "nested stars",
            "CHECK: {{((a*)*)*b}}",
            &long,
            Status::Failed,
        ),
        (
            "two starred variables",
            "CHECK: [[X:a*]][[Y:a*]]",
            &long,
            Status::Passed,
        ),
        (
            "back reference",
            "CHECK: {{(a*)*b\\1}}",
            &long[..2_000],
            Status::Failed,
        ),
        (
            "same-line use",
            "CHECK: [[X:a+]]b[[X]]",
            &long[..20_000],
            Status::Failed,
        ),
        (
            "a million counts",
            "CHECK-COUNT-1000000: a",
            &long,
            Status::Passed,
        ),
        (
            "huge count",
            "CHECK-COUNT-2147483647: a",
            &long,
            Status::Failed,
        ),
        ("NUL bytes", "CHECK: a", &zeros, Status::Failed),
    ] {
        gives(what, checks, input, status);
    }
}

#[test]
fn work_on_deep_and_huge_patterns_stays_in_proportion() {
    let deep = "(".repeat(100_000);
    let digits = "9".repeat(1 << 20);
    let repeated = "CHECK: {{(((a{255}){255}){255}) }}".to_owned();
    let calls = "add(".repeat(100_000);
    for (what, checks, input, status) in [
        (
            "deep group",
            format!("CHECK: {{{{{deep}}}}}"),
            "a",
            Status::Invalid,
        ),
        (
            "deep expression",
            format!("CHECK: [[#{deep}1]]"),
            "1",
            Status::Invalid,
        ),
        (
            "deep call",
            format!("CHECK: [[#{calls}"),
            "1",
            Status::Invalid,
        ),
        ("huge repetition", repeated, "a", Status::Failed),
        (
            "huge literal",
            format!("CHECK: [[#{digits}]]"),
            "1",
            Status::Invalid,
        ),
        (
            "directives on a line",
            "CHECK: a ".repeat(100_000),
            "a",
            Status::Failed,
        ),
    ] {
        gives(what, &checks, input, status);
    }
    gives(
        "huge number",
        "CHECK: [[#X:]]\nCHECK: [[#X]]",
        &digits,
        Status::Failed,
    );
    let (many, lines) = ("CHECK-DAG: a\n".repeat(2_000), "a\n".repeat(2_000));
    gives("many equal DAGs", &many, &lines, Status::Passed);
}

#[test]
fn numbers_do_not_grow_without_bound() {
    let mut squares = String::from("CHECK: [[#A0:]]\n");
    let mut text = String::from("99\n");
    for index in 1..60 {
        squares.push_str(&format!(
            "CHECK: {{{{x}}}}[[#A{index}:mul(A{0},A{0})]]\n",
            index - 1
        ));
        text.push_str("x1\n");
    }
    gives("squares", &squares, &text, Status::Failed);
}

#[test]
fn thousands_of_labels_and_variables_pass() {
    let mut checks = String::new();
    let mut input = String::new();
    for index in 0..5_000 {
        checks.push_str(&format!(
            "CHECK-LABEL: f{index}:\nCHECK: [[V{index}:r[0-9]+]]\n"
        ));
        input.push_str(&format!("f{index}:\n  r{index}\n"));
    }
    let options = Options {
        enable_var_scope: true,
        ..Options::default()
    };
    let report = run(checks.as_bytes(), || Ok(input.into_bytes()), &options);
    assert_eq!(report.status, Status::Passed, "{}", report.text());
}

/// In a check file and in the input, CR LF is a line end like LF: `EMPTY` sees an empty line, `{{$}}` and full
/// lines end before it, and a check for the end of a word does not see the carriage return.
#[test]
fn lines_that_end_in_crlf_are_those_that_end_in_lf() {
    let checks = "CHECK:{{^}}a{{$}}\nCHECK-EMPTY:\nCHECK-NEXT:b{{$}}\n";
    let input = "a\n\nb\n";
    let crlf = |text: &str| text.replace('\n', "\r\n");
    for full_lines in [false, true] {
        for strict_whitespace in [false, true] {
            let options = Options {
                match_full_lines: full_lines,
                strict_whitespace: strict_whitespace && !full_lines,
                ..Options::default()
            };
            for (checks, input) in [
                (crlf(checks), input.to_owned()),
                (checks.to_owned(), crlf(input)),
                (crlf(checks), crlf(input)),
            ] {
                let report = run(checks.as_bytes(), || Ok(input.into_bytes()), &options);
                assert_eq!(report.status, Status::Passed, "{}", report.text());
            }
        }
    }
}
