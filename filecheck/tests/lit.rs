//! Runs the test runner on the suite in `tests/lit`, and compares it with lit.

mod common;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use orison_filecheck::lit::{Code, RunSettings, run_suite};

fn suite() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/lit")
}

/// The expected result, named in each test.
fn expectations() -> BTreeMap<String, String> {
    let mut expected = BTreeMap::new();
    for entry in std::fs::read_dir(suite()).expect("the suite is there") {
        let path = entry.expect("a readable entry").path();
        if path.extension().is_none_or(|extension| extension != "txt") {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("a readable test");
        let verdict = text
            .lines()
            .find_map(|line| line.strip_prefix("EXPECT: "))
            .expect("a line that names the result");
        let name = path
            .file_name()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        expected.insert(name, verdict.to_owned());
    }
    expected
}

fn own_results() -> (BTreeMap<String, String>, String) {
    let result = run_suite(&RunSettings::new(suite())).expect("a good configuration");
    let codes = result
        .tests
        .iter()
        .map(|test| {
            (
                test.path.to_string_lossy().into_owned(),
                test.code.name().to_owned(),
            )
        })
        .collect();
    (codes, result.to_string())
}

#[test]
fn tests_have_the_results_they_name() {
    let expected = expectations();
    assert!(expected.len() >= 40, "only {} tests", expected.len());
    let (results, text) = own_results();
    let wrong: Vec<String> = expected
        .iter()
        .filter(|(name, verdict)| results.get(*name) != Some(verdict))
        .map(|(name, verdict)| format!("{name}: {:?} instead of {verdict}", results.get(name)))
        .collect();
    assert!(wrong.is_empty(), "{}\n{text}", wrong.join("\n"));
}

#[test]
fn lit_has_the_same_results() {
    let lit = common::program(&["lit-22", "lit"]);
    let (Some(lit), Some(check)) = (lit, common::reference()) else {
        common::skipped("no lit or no FileCheck on the search path");
        return;
    };
    let directory = tempfile::tempdir().expect("a temporary directory");
    let tools = directory.path().join("tools");
    std::fs::create_dir(&tools).expect("a writable directory");
    let mut links = vec![("FileCheck", check)];
    for (name, names) in [("not", ["not-22", "not"]), ("count", ["count-22", "count"])] {
        links.extend(common::program(&names).map(|path| (name, path)));
    }
    #[cfg(unix)]
    for (name, path) in links {
        std::os::unix::fs::symlink(path, tools.join(name)).expect("a link");
    }
    let path = std::env::var("PATH").unwrap_or_default();
    let output = Command::new(lit)
        .args(["--show-pass", "--show-xfail", "-j2"])
        .arg(suite())
        .env("PATH", format!("{}:{path}", tools.display()))
        .env("LIT_OUTPUT", directory.path().join("output"))
        .env_remove("LIT_OPTS")
        .output()
        .expect("lit starts");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut results = BTreeMap::new();
    for line in text.lines() {
        if let Some((code, rest)) = line.split_once(": shell :: ")
            && let Some((name, _)) = rest.split_once(" (")
        {
            results.insert(name.to_owned(), code.to_owned());
        }
    }
    let (own, _) = own_results();
    let wrong: Vec<String> = own
        .iter()
        .filter(|(name, code)| results.get(*name) != Some(code))
        .map(|(name, code)| format!("{name}: {code} here, {:?} there", results.get(name)))
        .collect();
    assert!(wrong.is_empty(), "{}\n{text}", wrong.join("\n"));
}

fn temporary_suite(tests: &[(&str, &str)], configuration: &str) -> tempfile::TempDir {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let text = format!("name = 'temporary'\nsuffixes = ['.txt']\n{configuration}");
    std::fs::write(directory.path().join("lit.toml"), text).expect("a writable directory");
    for (name, text) in tests {
        std::fs::write(directory.path().join(name), text).expect("a writable directory");
    }
    directory
}

fn codes(settings: &RunSettings) -> Vec<Code> {
    let result = run_suite(settings).expect("a good configuration");
    result.tests.iter().map(|test| test.code).collect()
}

/// Not even what a test leaves running in the background is waited for.
#[test]
fn a_test_that_hangs_is_ended() {
    let suite = temporary_suite(
        &[
            ("a.txt", "RUN: sleep 100000\n"),
            (
                "b.txt",
                "RUN: sh -c 'sleep 100000 & sleep 100000' | FileCheck %s\nCHECK: x\n",
            ),
            ("c.txt", "RUN: true\n"),
        ],
        "timeout = 1\n",
    );
    assert_eq!(
        codes(&RunSettings::new(suite.path())),
        [Code::Timeout, Code::Timeout, Code::Pass]
    );
}

#[test]
fn tools_can_be_functions_and_may_panic() {
    let suite = temporary_suite(
        &[
            ("a.txt", "RUN: shout < %s | FileCheck %s\nCHECK: SHOUT\n"),
            ("b.txt", "RUN: explode\n"),
            ("c.txt", "RUN: not explode\n"),
            (
                "d.txt",
                "RUN: not --crash explode 2>&1 | FileCheck %s\nCHECK: panicked: bang\n",
            ),
        ],
        "",
    );
    let mut settings = RunSettings::new(suite.path());
    settings.function(
        "shout",
        std::sync::Arc::new(|call| {
            let mut text = String::new();
            call.input.read_to_string(&mut text).expect("text");
            call.stdout.extend(text.to_uppercase().bytes());
            0
        }),
    );
    settings.function("explode", std::sync::Arc::new(|_| panic!("bang")));
    assert_eq!(
        codes(&settings),
        [Code::Pass, Code::Fail, Code::Fail, Code::Pass]
    );
}

#[test]
fn features_come_from_programs_and_settings() {
    let suite = temporary_suite(
        &[
            ("a.txt", "REQUIRES: shell\nRUN: shell -c true\n"),
            ("b.txt", "REQUIRES: nothing\nRUN: true\n"),
            ("c.txt", "REQUIRES: extra\nRUN: true\n"),
        ],
        "[features.programs]\nshell = ['no-such-shell', 'sh']\nnothing = ['no-such-program']\n",
    );
    let mut settings = RunSettings::new(suite.path());
    settings.features.push("extra".to_owned());
    assert_eq!(
        codes(&settings),
        [Code::Pass, Code::Unsupported, Code::Pass]
    );
}

#[test]
fn strictness_can_be_configured() {
    let test = (
        "a.txt",
        "RUN: echo a | FileCheck %s\nCHECK: a\nCHECK-NXT: b\n",
    );
    let strict = temporary_suite(&[test], "");
    assert_eq!(codes(&RunSettings::new(strict.path())), [Code::Fail]);
    let lenient = temporary_suite(&[test], "filecheck = 'lenient'\n");
    assert_eq!(codes(&RunSettings::new(lenient.path())), [Code::Pass]);
}

#[test]
fn blessing_changes_blocks_and_tells() {
    let text = "RUN: echo new | FileCheck %s\n# EXACT-BEGIN CHECK\n# CHECK: old\n# EXACT-END\n";
    let suite = temporary_suite(&[("a.txt", text), ("b.txt", "RUN: true\n")], "");
    let mut settings = RunSettings::new(suite.path());
    assert_eq!(codes(&settings), [Code::Fail, Code::Pass]);
    settings.bless = true;
    let result = run_suite(&settings).expect("a good configuration");
    assert!(result.passed(), "{result}");
    assert!(
        result
            .to_string()
            .contains("-# CHECK: old\n+# CHECK: new\n"),
        "{result}"
    );
    let changed = std::fs::read_to_string(suite.path().join("a.txt")).expect("a readable test");
    assert_eq!(changed, text.replace("old", "new"));
    settings.bless = false;
    assert_eq!(codes(&settings), [Code::Pass, Code::Pass]);
}

#[test]
fn mistakes_in_configurations_are_told() {
    for (text, part) in [
        ("name = 'x'\n", "'suffixes' must name at least one suffix"),
        ("suffixes = '.txt'\n", "line 1: expected a list of strings"),
        (
            "suffixes = ['.t']\ncolour = true\n",
            "line 2: unknown setting 'colour'",
        ),
        (
            "suffixes = ['.t']\n[substitutions]\ns = 'x'\n",
            "does not start with '%'",
        ),
        (
            "suffixes = ['.t']\nfilecheck = 'kind'\n",
            "\"strict\" or \"lenient\"",
        ),
        ("suffixes = ['.t'\n", "expected ',' or ']'"),
    ] {
        let directory = tempfile::tempdir().expect("a temporary directory");
        std::fs::write(directory.path().join("lit.toml"), text).expect("a writable directory");
        let error = run_suite(&RunSettings::new(directory.path())).expect_err(text);
        assert!(error.to_string().contains(part), "{error}");
    }
}
