//! Reads and writes the corpus of `tests/format` and compares the results.

mod common;

use common::{chunks, convert, files, has_mlir_opt, mlir_opt};
use orison_ir::PrintFlags;

/// Files whose metadata section is in a different order than mlir-opt's: resources are kept
/// sorted instead of in the order of use.
const ORDER_OF_RESOURCES: [&str; 2] = ["dense-resource-several", "external-resources"];

/// Applies a check to every part of the positive files except those excluded, and reports all
/// failures together.
fn for_every_chunk(left_out: &[&str], check: impl Fn(&str) -> Result<(), String>) {
    let mut failures = Vec::new();
    let mut count = 0;
    for file in files("host").into_iter().chain(files("builtin")) {
        let stem = file.file_stem().unwrap_or_default();
        if left_out.iter().any(|name| stem == *name) {
            continue;
        }
        let text = std::fs::read_to_string(&file).expect("the file is readable");
        for (line, chunk) in chunks(&text) {
            count += 1;
            if let Err(message) = check(&chunk) {
                failures.push(format!("{}:{line}: {message}", file.display()));
            }
        }
    }
    assert!(
        failures.is_empty(),
        "{} of {count} parts fail:\n{}",
        failures.len(),
        failures.join("\n")
    );
}

fn different(what: &str, expected: &str, found: &str) -> Result<(), String> {
    if expected == found {
        return Ok(());
    }
    let mut lines = expected.lines().zip(found.lines());
    let line = lines.find(|(expected, found)| expected != found);
    let (expected, found) = line.unwrap_or(("(the end)", "(the end)"));
    Err(format!(
        "{what}\n  expected: {expected}\n  found:    {found}"
    ))
}

#[test]
fn the_generic_form_is_a_fixpoint() {
    for_every_chunk(&[], |text| {
        let once = convert(text, &PrintFlags::generic()).map_err(|errors| errors.concat())?;
        let twice = convert(&once, &PrintFlags::generic()).map_err(|errors| errors.concat())?;
        different("generic, again", &once, &twice)
    });
}

#[test]
fn the_custom_form_means_what_the_generic_form_means() {
    for_every_chunk(&[], |text| {
        let generic = convert(text, &PrintFlags::generic()).map_err(|errors| errors.concat())?;
        let custom = convert(text, &PrintFlags::default()).map_err(|errors| errors.concat())?;
        let back = convert(&custom, &PrintFlags::generic()).map_err(|errors| errors.concat())?;
        different("generic, by way of custom", &generic, &back)
    });
}

#[test]
fn both_forms_are_those_of_mlir_opt() {
    if !has_mlir_opt() {
        return;
    }
    let forms: [(&str, PrintFlags, &[&str]); 2] = [
        (
            "generic",
            PrintFlags::generic(),
            &["--mlir-print-op-generic"],
        ),
        ("custom", PrintFlags::default(), &[]),
    ];
    for_every_chunk(&ORDER_OF_RESOURCES, |text| {
        for (what, flags, arguments) in &forms {
            let Some(expected) = mlir_opt(text, arguments) else {
                continue;
            };
            let found = convert(text, flags).map_err(|errors| errors.concat())?;
            different(what, expected.trim_end(), found.trim_end())?;
        }
        Ok(())
    });
}
