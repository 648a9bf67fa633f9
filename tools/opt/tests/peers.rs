//! mlir-opt reads orison's generic form and prints the same text again. Skipped, with
//! a message, if LLVM 22's mlir-opt is not installed.

mod common;

use std::fs;
use std::path::{Path, PathBuf};

use common::{PEER, is_installed, orison, peer};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The files of a folder and its subfolders, in order of their names.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut entries: Vec<_> = fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            found.extend(files(&path));
        } else if path.extension().is_some_and(|suffix| suffix == "mlir") {
            found.push(path);
        }
    }
    found
}

/// The parts of a file; those that expect errors are excluded.
fn parts(path: &Path) -> Vec<String> {
    let text = String::from_utf8_lossy(&fs::read(path).expect("a file")).into_owned();
    text.split("// -----")
        .filter(|part| !part.contains("expected-error"))
        .map(str::to_owned)
        .collect()
}

const GENERIC: [&str; 2] = ["--mlir-print-op-generic", "--allow-unregistered-dialect"];

/// Compares all parts of the files; returns the number of parts compared.
fn compare(paths: &[PathBuf], flags: &[&str]) -> usize {
    let mut failures = Vec::new();
    let mut compared = 0;
    for path in paths {
        let name = path.strip_prefix(root()).unwrap_or(path).display();
        let name = name.to_string();
        for (number, part) in parts(path).iter().enumerate() {
            // Tests of errors are expected to be rejected.
            let Ok(printed) = orison(part, &[&GENERIC, flags].concat()) else {
                continue;
            };
            compared += 1;
            match peer(&printed, &GENERIC) {
                Err(errors) => {
                    failures.push(format!("{name} part {number} is rejected:\n{errors}"));
                }
                Ok(again) if again.trim_end() == printed.trim_end() => {}
                Ok(again) => {
                    let differs = printed.lines().zip(again.lines()).find(|(a, b)| a != b);
                    failures.push(format!("{name} part {number} differs: {differs:#?}"));
                }
            }
        }
    }
    println!("{compared} texts compared with {PEER}, {flags:?}");
    assert!(
        failures.is_empty(),
        "{} failures:\n{}",
        failures.len(),
        failures.join("\n")
    );
    compared
}

#[test]
fn what_is_printed_of_the_tests_is_accepted_and_printed_the_same() {
    if !is_installed() {
        return;
    }
    let mut paths = Vec::new();
    for folder in [
        "tests/tileas",
        "tests/tileaa",
        "tests/schedule",
        "tests/rewrites",
        "tests/format/builtin",
        "tests/format/host",
        "examples",
    ] {
        paths.extend(files(&root().join(folder)));
    }
    assert!(compare(&paths, &[]) > 300);
}

#[test]
fn what_the_passes_make_of_the_examples_is_accepted_and_printed_the_same() {
    if !is_installed() {
        return;
    }
    let examples = root().join("examples");
    let mut paths = files(&examples);
    // The example of a dialect of one's own has a tool of its own.
    paths.retain(|path| path.parent() == Some(&examples));
    let schedule = "--tileas-generate-schedule";
    assert_eq!(compare(&paths, &[schedule]), paths.len());
    let both = [schedule, "--tileas-materialize-schedule"];
    assert_eq!(compare(&paths, &both), paths.len());
}
