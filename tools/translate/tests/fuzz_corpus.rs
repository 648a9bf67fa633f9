//! Runs the checks of the fuzz targets in `tools/translate/fuzz` on the committed inputs: the PTX
//! and the machine code of the tests, broken texts, and inputs found by fuzzing.

use std::fs;
use std::path::Path;

#[path = "../fuzz/checks.rs"]
mod checks;

#[test]
fn committed_inputs_pass_the_checks_of_the_fuzz_targets() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut replayed = 0;
    for folder in ["tools/translate/fuzz/corpus", "tests/translate/ptx"] {
        for entry in fs::read_dir(root.join(folder)).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.extension().is_some_and(|extension| extension == "ptx") {
                println!("{}", path.display());
                let bytes = fs::read(&path).expect("a file");
                checks::parse(&bytes);
                checks::import(&bytes);
                replayed += 1;
            }
        }
    }
    assert!(replayed >= 14, "{replayed} files");
}

#[test]
fn broken_texts_pass_the_checks_of_the_fuzz_targets() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/translate/malformed.toml");
    let text = fs::read_to_string(path).expect("the broken texts");
    let table: toml::Table = text.parse().expect("TOML");
    let files = table["file"].as_array().expect("files");
    for file in files {
        let text = file["text"].as_str().expect("a text");
        checks::parse(text.as_bytes());
        checks::import(text.as_bytes());
    }
    assert!(files.len() >= 80, "{} texts", files.len());
}

#[test]
fn committed_machine_code_passes_the_checks_of_the_fuzz_targets() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut replayed = 0;
    for folder in [
        "tools/translate/fuzz/corpus-sass",
        "tools/translate/tests/cubin",
        "tests/sass",
        "tests/sass/inputs",
    ] {
        for entry in fs::read_dir(root.join(folder)).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path
                .extension()
                .is_some_and(|extension| extension == "sass" || extension == "mlir")
            {
                println!("{}", path.display());
                let bytes = fs::read(&path).expect("a file");
                // FileCheck tests have several modules.
                for part in String::from_utf8_lossy(&bytes).split("// -----\n") {
                    checks::listing(part.as_bytes());
                    checks::sass_text(part.as_bytes());
                }
                replayed += 1;
            }
        }
    }
    assert!(replayed >= 20, "{replayed} files");
}

#[test]
fn broken_listings_pass_the_checks_of_the_fuzz_targets() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/sass/malformed.toml");
    let text = fs::read_to_string(path).expect("the broken listings");
    let table: toml::Table = text.parse().expect("TOML");
    let files = table["file"].as_array().expect("files");
    for file in files {
        checks::listing(file["text"].as_str().expect("a text").as_bytes());
    }
    assert!(files.len() >= 20, "{} texts", files.len());
}
