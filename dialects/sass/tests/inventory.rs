//! Every operation of the dialect is in a line that a FileCheck test checks.

use std::collections::BTreeSet;
use std::path::Path;

use orison_sass::dialect::SASS;

/// The names of operations `sass.…` in the `CHECK` lines of the tests below a directory.
fn checked(directory: &Path, names: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(directory).expect("a directory").flatten() {
        let path = entry.path();
        if path.is_dir() {
            checked(&path, names);
        } else if path.extension().is_some_and(|end| end == "mlir") {
            let text = std::fs::read_to_string(&path).expect("a test");
            let is_check = |line: &&str| {
                let directive = line.trim_start().strip_prefix("//");
                directive.is_some_and(|rest| rest.trim_start().starts_with("CHECK"))
            };
            for line in text.lines().filter(is_check) {
                let words = line.split(|letter: char| {
                    !(letter.is_ascii_alphanumeric() || "._".contains(letter))
                });
                names.extend(
                    words
                        .filter(|word| word.starts_with("sass."))
                        .map(str::to_owned),
                );
            }
        }
    }
}

#[test]
fn every_operation_is_in_a_check_line() {
    let mut names = BTreeSet::new();
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/sass");
    checked(&tests, &mut names);
    let operations = SASS.definition().operations.iter();
    let missing: Vec<_> = operations
        .map(|definition| definition.name)
        .filter(|name| !names.contains(*name))
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
    assert!(SASS.definition().operations.len() >= 221);
}
