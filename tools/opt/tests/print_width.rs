//! `--print-width`: what is laid out reads back as what was printed on one line, for each file of
//! the tests and examples, and a line is longer than asked for only where a single token is.

mod common;

use std::fs;
use std::path::{Path, PathBuf};

use common::orison;

const UNREGISTERED: &str = "--allow-unregistered-dialect";
const USERS: &str = "--mlir-print-value-users";

/// Ways of printing, each with the one that reads back the same.
const FORMS: &[(&[&str], &[&str])] = &[
    (&[], &[]),
    (&["--mlir-print-op-generic"], &["--mlir-print-op-generic"]),
    (&["--mlir-print-debuginfo"], &["--mlir-print-debuginfo"]),
    // Comments are lost.
    (&[USERS], &[]),
];

const WIDTHS: [usize; 4] = [1, 30, 60, 100];

/// The `.mlir` files below a folder, in order of their names.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut paths: Vec<_> = fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|suffix| suffix == "mlir") {
            found.push(path);
        }
    }
}

/// Whether a line has one token besides its indentation. `//` is part of the word after it.
fn is_one_token(line: &str) -> bool {
    let mut in_string = false;
    let mut escaped = false;
    let line = line.trim_start();
    let line = line.strip_prefix("// ").unwrap_or(line);
    line.chars().all(|c| {
        in_string ^= c == '"' && !escaped;
        escaped = c == '\\' && in_string && !escaped;
        in_string || c != ' '
    })
}

/// What is wrong with a text laid out in a form; nothing when it cannot be read.
fn fault(text: &str, form: (&[&str], &[&str]), width: usize) -> Option<String> {
    let option = format!("--print-width={width}");
    let printed = [&[UNREGISTERED], form.1].concat();
    let expected = orison(text, &printed).ok()?;
    let found = orison(text, &[&[UNREGISTERED, &option], form.0].concat());
    let found = found.unwrap_or_else(|errors| panic!("{errors}"));
    match orison(&found, &printed) {
        Err(errors) => return Some(format!("{errors}\n{found}")),
        Ok(again) if again != expected => return Some(format!("other IR:\n{found}")),
        Ok(_) => {}
    }
    // In bodies of unregistered dialects white space counts, so they are one token.
    orison(text, &[]).ok()?;
    let is_wrong = |line: &&str| line.len() > width && !is_one_token(line);
    let long = found.lines().find(is_wrong)?;
    Some(format!("a line of {} columns: {long}", long.len()))
}

#[test]
fn what_is_laid_out_reads_back_the_same() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut paths = Vec::new();
    for folder in ["tests", "examples"] {
        files(&root.join(folder), &mut paths);
    }
    let (mut faults, mut read) = (Vec::new(), 0);
    for path in &paths {
        // Some files are not UTF-8 on purpose.
        let Ok(text) = fs::read_to_string(path) else {
            continue;
        };
        for part in text.split("// -----") {
            if orison(part, &[UNREGISTERED]).is_err() {
                continue;
            }
            read += 1;
            for form in FORMS {
                // Each part is laid out in one width for each form, and in all widths over time.
                let width = WIDTHS[(read + form.0.len()) % WIDTHS.len()];
                if let Some(fault) = fault(part, *form, width) {
                    faults.push(format!("{} {form:?} {width}: {fault}", path.display()));
                }
            }
        }
    }
    let first = faults.first().map_or("", String::as_str);
    assert!(faults.is_empty(), "{} of {read}: {first}", faults.len());
    assert!(read > 500, "{read} parts were read");
}

#[test]
fn what_fits_stays_as_it_is() {
    let text = "func.func @f(%x: i32) -> i32 {\n  return %x : i32\n}\n";
    let plain = orison(text, &[]);
    assert_eq!(orison(text, &["--print-width=40"]), plain);
    assert!(orison(text, &["--print-width=0"]).is_err());
}
