//! What a run of orison-opt does with its inputs and outputs: parts after a failure, files of a failed run,
//! and IR that is not verified.

mod common;

use std::fs;

use common::orison;

const GOOD: &str = "func.func @good() {\n  return\n}\n";
const BAD: &str = "func.func @bad() {\n  retrn\n}\n";
/// A function that returns nothing although its type has a result.
const INVALID: &str = "func.func @f() -> i32 {\n  \"func.return\"() : () -> ()\n}\n";

/// A file with a text, in a folder of its own.
fn file(text: &str) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("input.mlir");
    fs::write(&path, text).expect("a file");
    let path = path.to_string_lossy().into_owned();
    (folder, path)
}

#[test]
fn a_part_that_fails_fails_the_run_although_a_later_one_succeeds() {
    let text = format!("{BAD}// -----\n{GOOD}");
    let errors = orison(&text, &["--split-input-file"]).expect_err("the first part is malformed");
    assert!(errors.contains("'retrn'"), "{errors}");
}

#[test]
fn a_part_after_one_that_fails_is_processed() {
    let text = format!("{BAD}// -----\n{}", BAD.replace("retrn", "rturn"));
    let errors = orison(&text, &["--split-input-file"]).expect_err("both parts are malformed");
    assert!(errors.contains("'retrn'"), "{errors}");
    assert!(errors.contains("'rturn'"), "{errors}");
}

#[test]
fn a_failed_run_leaves_no_output_file() {
    let (folder, input) = file(&format!("{GOOD}// -----\n{BAD}"));
    let output = folder.path().join("output.mlir");
    let path = output.to_string_lossy().into_owned();
    orison("", &[&input, "--split-input-file", "-o", &path])
        .expect_err("the second part is malformed");
    assert!(!output.exists(), "a partial output is there");
}

#[test]
fn a_failed_run_leaves_its_input_as_it_is() {
    let text = format!("{GOOD}// -----\n{BAD}");
    let (_folder, input) = file(&text);
    orison("", &[&input, "--split-input-file", "-o", &input])
        .expect_err("the second part is malformed");
    assert_eq!(fs::read_to_string(&input).expect("it is there"), text);
}

#[test]
fn what_is_parsed_is_verified() {
    let errors = orison(INVALID, &[]).expect_err("the function has no result to return");
    assert!(errors.contains("error: "), "{errors}");
}

#[test]
fn invalid_ir_that_is_not_verified_is_printed_in_generic_form() {
    let flag = "--mlir-very-unsafe-disable-verifier-on-parsing";
    let printed = orison(INVALID, &[flag]).expect("it is not verified");
    assert!(printed.contains("\"func.func\"()"), "{printed}");
    let valid = orison(GOOD, &[flag]).expect("it is valid");
    assert!(valid.contains("func.func @good()"), "{valid}");
}

#[test]
fn a_bytecode_version_needs_bytecode() {
    let errors = orison(GOOD, &["--emit-bytecode-version=3"]).expect_err("text has no version");
    assert!(
        errors.contains("bytecode version while not emitting bytecode"),
        "{errors}"
    );
}
