//! Checks of the fuzz targets of `dialects/ir/fuzz`, applied to the committed inputs: the seeds,
//! the examples, and inputs found by fuzzing.

use std::fs;
use std::path::Path;

#[path = "../../../dialects/ir/fuzz/checks.rs"]
mod checks;

#[test]
fn committed_inputs_pass_the_checks_of_the_fuzz_targets() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut replayed = 0;
    for folder in [
        "dialects/ir/fuzz/corpus",
        "tests/malformed",
        "tests/malformed/seeds",
        "tests/format/bytecode",
        "examples",
    ] {
        for entry in fs::read_dir(root.join(folder)).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_file() {
                println!("{}", path.display());
                let bytes = fs::read(&path).expect("a file");
                checks::parse(&bytes);
                checks::round_trip(&bytes);
                checks::bytecode(&bytes);
                checks::bytecode_round_trip(&bytes);
                replayed += 1;
            }
        }
    }
    assert!(replayed > 40);
}
