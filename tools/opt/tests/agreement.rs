//! Every printing mode, compared with mlir-opt byte by byte on the corpus of `tests/format`, and
//! the exchange of files between both tools in both directions. Skipped, with a message, if
//! LLVM 22's mlir-opt is not installed.

mod common;

use std::fs;
use std::path::{Path, PathBuf};

use common::{PEER, is_installed};

const SEPARATOR: &str = "// -----\n";
const GENERIC: &str = "--mlir-print-op-generic";
const DEBUG_INFO: &str = "--mlir-print-debuginfo";

/// The printing flags passed to both tools. Limits in options are exceeded by the corpus.
const FLAGS: &[&[&str]] = &[
    &[],
    &[GENERIC],
    &[DEBUG_INFO],
    &[DEBUG_INFO, GENERIC],
    &[DEBUG_INFO, "--mlir-pretty-debuginfo"],
    &["--mlir-print-local-scope"],
    &["--mlir-print-local-scope", DEBUG_INFO],
    &["--mlir-print-unique-ssa-ids"],
    &["--mlir-print-value-users"],
    &["--mlir-print-value-users", GENERIC],
    &["--mlir-use-nameloc-as-prefix"],
    &["--mlir-elide-elementsattrs-if-larger=2"],
    &["--mlir-elide-resource-strings-if-larger=4"],
    &["--mlir-print-elementsattrs-with-hex-if-larger=1"],
    &["--mlir-print-skip-regions"],
    &["--mlir-print-assume-verified"],
];

/// The files of folders of the corpus, in order of their names.
fn corpus(folders: &[&str]) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/format");
    let mut paths: Vec<_> = folders
        .iter()
        .flat_map(|folder| fs::read_dir(root.join(folder)).expect("a folder"))
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|suffix| suffix == "mlir"))
        .collect();
    paths.sort();
    paths
}

/// All parts of these files in one text, so that each tool starts once per printing mode;
/// and the name of each part.
fn joined(folders: &[&str]) -> (String, Vec<String>) {
    let (mut parts, mut names) = (Vec::new(), Vec::new());
    for path in corpus(folders) {
        let text = fs::read_to_string(&path).expect("a text");
        for part in text.split("// -----") {
            parts.push(part.trim_end().to_owned() + "\n");
            names.push(
                path.file_stem()
                    .unwrap_or_default()
                    .to_string_lossy()
                    .into_owned(),
            );
        }
    }
    (parts.join(SEPARATOR), names)
}

/// The flags, followed by those of every run.
fn arguments<'f>(flags: &[&'f str]) -> Vec<&'f str> {
    [
        &["--allow-unregistered-dialect", "--split-input-file"],
        flags,
    ]
    .concat()
}

fn orison(text: &str, flags: &[&str]) -> String {
    common::orison(text, &arguments(flags)).unwrap_or_else(|errors| panic!("{errors}"))
}

fn peer(text: &str, flags: &[&str]) -> String {
    common::peer(text, &arguments(flags)).unwrap_or_else(|errors| panic!("{errors}"))
}

/// The parts that differ: name, and the first differing lines.
fn differences(names: &[String], expected: &str, found: &str) -> Vec<String> {
    let (expected, found): (Vec<_>, Vec<_>) = (
        expected.split(SEPARATOR).collect(),
        found.split(SEPARATOR).collect(),
    );
    assert_eq!(expected.len(), names.len(), "as many parts as there were");
    assert_eq!(found.len(), names.len(), "as many parts as there were");
    let mut different = Vec::new();
    for ((expected, found), name) in expected.iter().zip(&found).zip(names) {
        if expected == found {
            continue;
        }
        let mut lines = expected.lines().zip(found.lines());
        let (expected, found) = lines
            .find(|(a, b)| a != b)
            .unwrap_or(("(the end)", "(the end)"));
        different.push(format!(
            "{name}\n  {PEER}: {expected}\n  orison-opt: {found}"
        ));
    }
    different
}

fn assert_none_differ(failures: &[String]) {
    let (count, text) = (failures.len(), failures.join("\n"));
    assert!(failures.is_empty(), "{count} differ:\n{text}");
}

#[test]
fn every_way_of_printing_is_that_of_mlir_opt() {
    if !is_installed() {
        return;
    }
    let (text, names) = joined(&["builtin", "host"]);
    // Modules are explicit because of locations: an implicit one is located at the start of its
    // part, which differs between the tools in a joined text.
    let written_out = peer(&text, &[GENERIC, DEBUG_INFO]);
    let mut failures = Vec::new();
    for flags in FLAGS {
        let text = if flags.contains(&DEBUG_INFO) {
            &written_out
        } else {
            &text
        };
        for difference in differences(&names, &peer(text, flags), &orison(text, flags)) {
            failures.push(format!("{flags:?} {difference}"));
        }
    }
    println!("{} texts printed in {} ways", names.len(), FLAGS.len());
    assert!(names.len() > 280);
    assert_none_differ(&failures);
}

/// Each tool reads the output of the other and prints it like the other.
#[test]
fn each_tool_reads_what_the_other_wrote() {
    if !is_installed() {
        return;
    }
    let (text, names) = joined(&["builtin", "host"]);
    let mut failures = Vec::new();
    for flags in [&[GENERIC][..], &[GENERIC, DEBUG_INFO]] {
        let theirs = peer(&text, flags);
        let normal = peer(&theirs, flags);
        failures.extend(differences(&names, &normal, &orison(&theirs, flags)));
        let ours = orison(&text, flags);
        failures.extend(differences(
            &names,
            &peer(&ours, flags),
            &orison(&ours, flags),
        ));
    }
    assert_none_differ(&failures);
}

/// Operations of dialects that mlir-opt registers and orison does not: mlir-opt reads orison's
/// output like its own.
#[test]
fn operations_of_other_dialects_pass_through() {
    if !is_installed() {
        return;
    }
    let (text, names) = joined(&["foreign"]);
    let mut failures = Vec::new();
    for flags in [&[GENERIC][..], &[GENERIC, "--mlir-print-local-scope"]] {
        let normal = peer(&text, flags);
        let through = peer(&orison(&text, flags), flags);
        failures.extend(differences(&names, &normal, &through));
    }
    // The output of mlir-opt has aliases that occur in opaque text.
    let flags = [GENERIC, DEBUG_INFO];
    let theirs = peer(&text, &flags);
    let normal = peer(&theirs, &flags);
    for more in [&[][..], &["--mlir-print-local-scope"]] {
        let ours = orison(&theirs, &[&flags[..], more].concat());
        failures.extend(differences(&names, &normal, &peer(&ours, &flags)));
    }
    println!("{} texts passed through", names.len());
    assert!(names.len() > 30);
    assert_none_differ(&failures);
}
