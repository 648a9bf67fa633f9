//! Valid modules of orison's dialects pass through an mlir-opt that loads them from IRDL, and
//! come back the same. Skipped, with a message, if LLVM 22's mlir-opt is not installed.

mod common;

use std::fs;
use std::path::{Path, PathBuf};

use common::{is_installed, orison, peer};

const OWN_DIALECTS: [&str; 3] = ["nv_tileaa", "nv_tileas", "ori"];

/// The test files of the dialects and of the passes that create their operations.
fn files() -> Vec<PathBuf> {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests");
    let folders = ["tileaa", "tileas", "ori", "ori-passes", "schedule"];
    let entries = folders.map(|folder| fs::read_dir(tests.join(folder)).expect("a folder"));
    let mut paths: Vec<_> = entries
        .into_iter()
        .flatten()
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|suffix| suffix == "mlir"))
        .collect();
    paths.sort();
    paths
}

/// Whether a type of a module names a physical register, as in `!ori.r<R4>` and `!ori.acc<32, R24>`.
fn names_registers(text: &str) -> bool {
    let types = text.split("!ori.").skip(1);
    let parameters = types.filter_map(|rest| {
        let (name, rest) = rest.split_once('<')?;
        let (parameters, _) = rest.split_once('>')?;
        let is_name = name.bytes().all(|byte| byte.is_ascii_alphanumeric());
        is_name.then_some(parameters)
    });
    parameters
        .flat_map(|parameters| parameters.split(", "))
        .any(|parameter| parameter.starts_with(['R', 'U', 'P', 'B']))
}

#[test]
fn modules_of_own_dialects_go_through_mlir_opt() {
    if !is_installed() {
        return;
    }
    const ANY: &str = "--allow-unregistered-dialect";
    let dialects = orison("", &[&format!("--emit-irdl={}", OWN_DIALECTS.join(","))]);
    let irdl = tempfile::NamedTempFile::new().expect("a scratch file");
    fs::write(irdl.path(), dialects.expect("IRDL of all dialects")).expect("a scratch file");
    let irdl_file = format!("--irdl-file={}", irdl.path().display());

    let (mut printed, mut forms) = (Vec::new(), Vec::new());
    for path in files() {
        let text = fs::read_to_string(&path).expect("a test");
        for part in text.split("// -----") {
            // Intentionally invalid input has separate tests.
            let Ok(own) = orison(part, &[ANY]) else {
                continue;
            };
            // Types that name a physical register have a parameter that IRDL cannot make optional.
            if names_registers(&own) {
                continue;
            }
            forms.push(orison(part, &[ANY, "--print-irdl-form"]).expect("a valid module"));
            printed.push((path.clone(), own));
        }
    }
    assert!(printed.len() > 150, "{} modules", printed.len());

    let split = ["--split-input-file", "--output-split-marker=// -----"];
    let all = forms.join("// -----\n");
    let flags = [
        ANY,
        &irdl_file,
        "--mlir-print-op-generic",
        split[0],
        split[1],
    ];
    let back = peer(&all, &flags).unwrap_or_else(|errors| panic!("mlir-opt refuses: {errors}"));
    let back = orison(&back, &[ANY, "--parse-irdl-form", split[0], split[1]]);
    let back = back.unwrap_or_else(|errors| panic!("not read back: {errors}"));
    let back: Vec<_> = back.split("// -----\n").collect();
    assert_eq!(back.len(), printed.len());
    for ((path, before), after) in printed.iter().zip(back) {
        assert_eq!(before, after, "a module of {}", path.display());
    }
}
