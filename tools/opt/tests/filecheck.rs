//! The FileCheck tests of the repository, with the tools of this build.

use std::path::Path;

use orison_filecheck::lit::{RunSettings, run_suite};

fn suite(folder: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(folder);
    let mut settings = RunSettings::new(path);
    let opt = Path::new(env!("CARGO_BIN_EXE_orison-opt"));
    settings.tool("orison-opt", opt);
    // Tools of other packages: cargo puts them into the same folder in any target directory.
    for name in ["orison-translate", "orison-interpret"] {
        let tool = opt.with_file_name(name);
        if tool.is_file() {
            settings.tool(name, tool);
        }
    }
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
