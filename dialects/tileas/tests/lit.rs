//! Runs the tests in `tests/tileas` and `tests/tileaa` in process, according to their RUN lines.

mod common;

use std::fs;
use std::path::{Path, PathBuf};

use orison_ir::{PrintFlags, print_to_string};

fn files() -> Vec<PathBuf> {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests");
    let mut files = Vec::new();
    for folder in ["tileas", "tileaa"] {
        let entries = fs::read_dir(tests.join(folder)).expect("the folder of tests");
        files.extend(entries.map(|entry| entry.expect("an entry").path()));
    }
    files.retain(|file| {
        file.extension()
            .is_some_and(|extension| extension == "mlir")
    });
    files.sort();
    files
}

#[test]
fn tests_pass() {
    let files = files();
    assert!(files.len() > 10, "{files:?}");
    let mut failures = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).expect("a readable test");
        let run = text.lines().filter(|line| line.starts_with("// RUN:"));
        let run: String = run.collect();
        let result = if run.contains("--verify-diagnostics") {
            expect_diagnostics(&text, run.contains("--allow-unregistered-dialect"))
        } else if run.contains("--canonicalize") {
            expect_canonical(&text, &run)
        } else {
            expect_round_trip(&text)
        };
        if let Err(message) = result {
            failures.push(format!("{}: {message}", file.display()));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

fn check(output: &str, checks: &str) -> Result<(), String> {
    orison_filecheck::check(output, checks).map_err(|error| format!("{error}\nin\n{output}"))
}

fn expect_round_trip(text: &str) -> Result<(), String> {
    let custom = common::print(text, &PrintFlags::default());
    let generic = common::print(text, &PrintFlags::generic());
    for (from, other) in [(&custom, "custom"), (&generic, "generic")] {
        let again = common::print(from, &PrintFlags::default());
        if again != custom {
            return Err(format!(
                "not the same through the {other} form:\n{custom}\n{again}"
            ));
        }
    }
    check(&custom, text)
}

fn expect_canonical(text: &str, run: &str) -> Result<(), String> {
    let options = run
        .split_once("disable-patterns=")
        .map_or("", |(_, rest)| rest);
    let names = options
        .split(|c: char| c == '\'' || c.is_whitespace())
        .next();
    let disabled: Vec<&str> = names.unwrap_or_default().split(',').collect();
    let mut context = common::context();
    let module = common::load(&mut context, text, 1);
    let Some(module) = module else {
        return Err(common::messages(&mut context));
    };
    common::canonicalize(&mut context, module, &disabled);
    let output = print_to_string(&context, module, &PrintFlags::default());
    if context.verify(module).is_err() {
        return Err(format!("{}\nin\n{output}", common::messages(&mut context)));
    }
    check(&output, text)
}

/// An expected error: line and text.
type Expectation = (u32, String);

fn expectations(text: &str) -> Vec<Expectation> {
    let mut found = Vec::new();
    for (line, number) in text.lines().zip(1u32..) {
        let Some((_, rest)) = line.split_once("// expected-error") else {
            continue;
        };
        let (place, rest) = rest.split_once("{{").expect("{{ after expected-error");
        let (message, _) = rest.split_once("}}").expect("}} after the message");
        let place = place.trim();
        let offset: i64 = match place.strip_prefix('@') {
            Some(offset) => offset.parse().expect("@+N or @-N"),
            None => 0,
        };
        let line = u32::try_from(i64::from(number) + offset).expect("a line of the file");
        found.push((line, message.to_owned()));
    }
    found
}

fn expect_diagnostics(text: &str, allow_unregistered: bool) -> Result<(), String> {
    let mut failures = String::new();
    if expectations(text).is_empty() {
        failures += "no expectation in the file\n";
    }
    let mut first_line = 1;
    for part in text.split_inclusive("// -----\n") {
        let lines = u32::try_from(part.lines().count()).expect("few lines");
        let mut context = common::context();
        context.allow_unregistered_dialects(allow_unregistered);
        let _ = common::load(&mut context, part, first_line);
        let mut found: Vec<Expectation> = Vec::new();
        for diagnostic in context.diagnostics.take() {
            let line = diagnostic
                .location
                .position(&context)
                .map_or(0, |position| position.1);
            found.push((line, diagnostic.message));
        }
        let mut expected: Vec<Expectation> = expectations(part)
            .into_iter()
            .map(|(line, message)| (line + first_line - 1, message))
            .collect();
        for (line, message) in found {
            let matching = expected
                .iter()
                .position(|(place, text)| *place == line && message.contains(text));
            match matching {
                Some(number) => drop(expected.remove(number)),
                None => failures += &format!("unexpected at line {line}: {message}\n"),
            }
        }
        for (line, message) in expected {
            failures += &format!("missing at line {line}: {message}\n");
        }
        first_line += lines;
    }
    if failures.is_empty() {
        Ok(())
    } else {
        Err(failures)
    }
}
