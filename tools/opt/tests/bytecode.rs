//! Bytecode exchanged with mlir-opt: both tools print the same text as without the bytecode
//! round trip. Skipped, with a message, if LLVM 22's mlir-opt is not installed.

mod common;

use std::fs;
use std::path::{Path, PathBuf};

use common::{PEER, is_installed, orison_bytes as orison, peer_bytes as peer};

const GENERIC: [&str; 3] = [
    "--allow-unregistered-dialect",
    "--mlir-print-op-generic",
    "--mlir-print-debuginfo",
];
const BYTECODE: [&str; 2] = ["--allow-unregistered-dialect", "--emit-bytecode"];

/// The texts of folders of `tests` that both tools read, with their names; those that expect errors
/// are excluded.
fn texts(folders: &[&str]) -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests");
    let mut found = Vec::new();
    for folder in folders {
        let entries = fs::read_dir(root.join(folder)).expect("a folder");
        let mut paths: Vec<PathBuf> = entries
            .map(|entry| entry.expect("an entry").path())
            .collect();
        paths.retain(|path| path.extension().is_some_and(|suffix| suffix == "mlir"));
        paths.sort();
        for path in paths {
            let text = String::from_utf8_lossy(&fs::read(&path).expect("a file")).into_owned();
            let name = path
                .strip_prefix(&root)
                .unwrap_or(&path)
                .display()
                .to_string();
            let parts = text.split("// -----").enumerate();
            let parts = parts.filter(|(_, part)| !part.contains("expected-error"));
            found.extend(parts.map(|(number, part)| (format!("{name} {number}"), part.to_owned())));
        }
    }
    found
}

/// The first differing lines.
fn difference(expected: &[u8], found: &[u8]) -> Option<String> {
    let (expected, found) = (
        String::from_utf8_lossy(expected),
        String::from_utf8_lossy(found),
    );
    if expected.trim_end() == found.trim_end() {
        return None;
    }
    let mut lines = expected.lines().zip(found.lines());
    Some(format!("{:#?}", lines.find(|(a, b)| a != b)))
}

/// Encodings of mlir-opt that orison does not implement: the properties of operations and the
/// attributes and types of mlir-opt's other dialects, and its versioned test dialect.
fn is_foreign_encoding(errors: &str) -> bool {
    [
        "in an encoding of its dialect",
        "does not implement the bytecode interface",
    ]
    .iter()
    .any(|message| errors.contains(message))
}

#[test]
fn bytecode_of_mlir_opt_is_what_its_text_is() {
    if !is_installed() {
        return;
    }
    let (mut compared, mut foreign, mut failures) = (0, 0, Vec::new());
    for (name, text) in texts(&["format/builtin", "format/host", "format/bytecode", "tileas"]) {
        // Input that one of the tools rejects is skipped.
        let Ok(expected) = orison(text.as_bytes(), &GENERIC) else {
            continue;
        };
        let Ok(bytes) = peer(text.as_bytes(), &BYTECODE) else {
            continue;
        };
        match orison(&bytes, &GENERIC) {
            Ok(found) => {
                compared += 1;
                let problem = difference(&expected, &found);
                failures.extend(problem.map(|lines| format!("{name}: {lines}")));
            }
            Err(errors) if is_foreign_encoding(&errors) => foreign += 1,
            Err(errors) => failures.push(format!("{name} is rejected: {errors}")),
        }
    }
    println!("{compared} files of {PEER} read, {foreign} in encodings of other dialects");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(compared > 280, "{compared}");
}

#[test]
fn bytecode_is_to_mlir_opt_what_the_text_is() {
    if !is_installed() {
        return;
    }
    let (mut compared, mut failures) = (0, Vec::new());
    for (name, text) in texts(&["format/builtin", "format/host", "format/bytecode", "tileas"]) {
        let (Ok(bytes), Ok(text)) = (
            orison(text.as_bytes(), &BYTECODE),
            orison(text.as_bytes(), &GENERIC),
        ) else {
            continue;
        };
        // The text has explicit locations, so they are equal in both.
        let Ok(expected) = peer(&text, &GENERIC) else {
            continue;
        };
        compared += 1;
        match peer(&bytes, &GENERIC) {
            Ok(found) => {
                let problem = difference(&expected, &found);
                failures.extend(problem.map(|lines| format!("{name}: {lines}")));
            }
            Err(errors) => failures.push(format!("{name} is rejected: {errors}")),
        }
    }
    println!("{compared} files given to {PEER}");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(compared > 280, "{compared}");
}

/// All numberings are MLIR's, so the files are identical except for the name of the producer.
#[test]
fn the_bytes_are_those_of_mlir_opt() {
    if !is_installed() {
        return;
    }
    let (mut compared, mut failures) = (0, Vec::new());
    // The alignment padding of blobs depends on the length of the producer's name.
    let texts = texts(&["format/host"]).into_iter();
    for (name, text) in texts.filter(|(_, text)| !text.contains("{-#") && !text.contains("\"test."))
    {
        let (Ok(ours), Ok(theirs)) = (
            orison(text.as_bytes(), &BYTECODE),
            peer(text.as_bytes(), &BYTECODE),
        ) else {
            continue;
        };
        compared += 1;
        let contents = |bytes: &[u8]| {
            let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(0);
            bytes[end..].to_vec()
        };
        if contents(&ours) != contents(&theirs) {
            failures.push(name);
        }
    }
    println!("{compared} files compared with {PEER}");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(compared > 90, "{compared}");
}
