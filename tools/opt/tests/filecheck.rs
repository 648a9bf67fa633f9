//! The FileCheck tests of the tree, with the tool of this build.

use std::path::Path;

use orison_filecheck::lit::{RunSettings, run_suite};

fn suite(folder: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(folder);
    let mut settings = RunSettings::new(path);
    settings.tool("orison-opt", env!("CARGO_BIN_EXE_orison-opt"));
    let result = run_suite(&settings).expect("a good configuration");
    assert!(result.passed(), "{result}");
    println!("{folder}: {} tests", result.tests.len());
}

#[test]
fn tests_of_the_tree() {
    suite("tests");
}

#[test]
fn examples() {
    suite("examples");
}
