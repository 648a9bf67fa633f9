//! Rejects invalid input with the message and at the line given in the corpus.

mod common;

use common::{chunks, context, files, read};
use orison_ir::{Context, Diagnostic};

/// Files about input that the parser does not examine yet: the contents of the metadata section.
const NOT_CHECKED: [&str; 1] = ["metadata"];

/// `expected-error @+1 {{words}}`.
#[derive(Debug)]
struct Expected {
    line: u32,
    words: String,
    met: bool,
}

fn expectations(chunk: &str, first_line: u32) -> Vec<Expected> {
    let mut expected = Vec::new();
    for (number, line) in (first_line..).zip(chunk.lines()) {
        let Some((_, rest)) = line.split_once("// expected-") else {
            continue;
        };
        let offset = rest
            .split_once("@+")
            .and_then(|(_, rest)| rest.split(' ').next())
            .and_then(|offset| offset.parse::<u32>().ok());
        let words = rest
            .split_once("{{")
            .and_then(|(_, rest)| rest.rsplit_once("}}"))
            .map(|(words, _)| words.to_owned());
        expected.push(Expected {
            line: number + offset.unwrap_or(0),
            words: words.unwrap_or_default(),
            met: false,
        });
    }
    expected
}

fn flatten(context: &Context, diagnostics: &[Diagnostic], into: &mut Vec<(u32, String)>) {
    for diagnostic in diagnostics {
        let line = diagnostic
            .location
            .position(context)
            .map_or(0, |(_, line, _)| line);
        into.push((line, diagnostic.message.clone()));
        flatten(context, &diagnostic.notes, into);
    }
}

/// The diagnostics of a part of a file, and how they differ from the expected ones.
fn check(chunk: &str, first_line: u32) -> Result<(), String> {
    let mut context = context();
    let rejected = read(&mut context, chunk, first_line).is_err();
    let collected = context.diagnostics.take();
    let mut found = Vec::new();
    flatten(&context, &collected, &mut found);
    let mut expected = expectations(chunk, first_line);
    let mut surprises = Vec::new();
    for (line, message) in &found {
        // mlir-opt registers more dialects.
        if message.starts_with("Available dialects") {
            continue;
        }
        let matching = expected.iter_mut().find(|expected| {
            !expected.met && expected.line == *line && message.contains(&expected.words)
        });
        match matching {
            Some(expected) => expected.met = true,
            None => surprises.push(format!("  found:    {line}: {message}")),
        }
    }
    if !rejected {
        surprises.push("  found:    nothing wrong".to_owned());
    }
    let unmet =
        |expected: &&Expected| !expected.met && !expected.words.starts_with("Available dialects");
    for expected in expected.iter().filter(unmet) {
        surprises.push(format!("  expected: {}: {}", expected.line, expected.words));
    }
    if surprises.is_empty() {
        Ok(())
    } else {
        Err(surprises.join("\n"))
    }
}

#[test]
fn every_error_has_its_words_and_its_line() {
    let mut failures = Vec::new();
    let mut count = 0;
    for file in files("invalid") {
        let text = std::fs::read_to_string(&file).expect("the file is readable");
        let name = file
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        if NOT_CHECKED.contains(&name.as_str()) {
            continue;
        }
        for (line, chunk) in chunks(&text) {
            if !chunk.contains("expected-") {
                continue;
            }
            count += 1;
            if let Err(message) = check(&chunk, line) {
                failures.push(format!("{name}:{line}:\n{message}"));
            }
        }
    }
    assert!(
        failures.is_empty(),
        "{} of {count} parts are not rejected as they should be:\n{}",
        failures.len(),
        failures.join("\n")
    );
}
