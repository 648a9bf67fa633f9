//! The FileCheck tests beside this file, with the tool of this build.

use std::path::Path;

use orison_filecheck::lit::{RunSettings, run_suite};

#[test]
fn filecheck() {
    let mut settings = RunSettings::new(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests"));
    settings.tool("poly-opt", env!("CARGO_BIN_EXE_poly-opt"));
    settings.tool("poly-interpret", env!("CARGO_BIN_EXE_poly-interpret"));
    let result = run_suite(&settings).expect("the configuration in tests/lit.toml");
    assert!(result.passed(), "{result}");
}
