//! `--print-width`: wrapped output reads back the same as output on one line, for each file of
//! the tests and examples, and a line exceeds the width only if it is a single token.

use std::fs;
use std::path::{Path, PathBuf};

use orison_ir::{Context, Operation, PrintFlags, Source, parse_source, print_to_string};
use orison_opt::registry::register_all_dialects;

/// Printing modes, each with the mode whose output is compared after reading back.
fn forms() -> [(PrintFlags, PrintFlags); 4] {
    let plain = PrintFlags::default();
    let debug_info = PrintFlags {
        debug_info: true,
        ..plain.clone()
    };
    let users = PrintFlags {
        value_users: true,
        ..plain.clone()
    };
    [
        (plain.clone(), plain.clone()),
        (PrintFlags::generic(), PrintFlags::generic()),
        (debug_info.clone(), debug_info),
        // Comments are lost.
        (users, plain),
    ]
}

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

/// Whether a line has one token besides its indentation and the brackets after it. `//` is part of
/// the word after it.
fn is_one_token(line: &str) -> bool {
    let mut in_string = false;
    let mut escaped = false;
    let line = line.trim_start();
    let line = line.strip_prefix("// ").unwrap_or(line);
    let line = line.trim_end_matches([' ', '(', '{', '}', '>', ')']);
    line.chars().all(|c| {
        in_string ^= c == '"' && !escaped;
        escaped = c == '\\' && in_string && !escaped;
        in_string || c != ' '
    })
}

/// Reads a text; `None` if it is not valid.
fn read(text: &str, allow_unregistered: bool) -> Option<(Context, Operation)> {
    let mut context = Context::new();
    context.allow_unregistered_dialects(allow_unregistered);
    register_all_dialects(&mut context);
    let source = Source {
        name: "input",
        text,
        first_line: 1,
    };
    let op = parse_source(&mut context, source).ok()?;
    context.verify(op).ok()?;
    Some((context, op))
}

/// The failure of the wrapped output of an operation in one form, if any.
fn fault(
    (context, op): &(Context, Operation),
    (form, read_back): &(PrintFlags, PrintFlags),
    width: usize,
    is_registered: bool,
) -> Option<String> {
    let flags = PrintFlags {
        width: Some(width),
        ..form.clone()
    };
    let found = print_to_string(context, *op, &flags);
    let Some((again, op_again)) = read(&found, true) else {
        return Some(format!("cannot be read:\n{found}"));
    };
    let expected = print_to_string(context, *op, read_back);
    if print_to_string(&again, op_again, read_back) != expected {
        return Some(format!("other IR:\n{found}"));
    }
    // White space in bodies of unregistered dialects is significant, so they are one token.
    let is_wrong = |line: &&str| is_registered && line.len() > width && !is_one_token(line);
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
    let (mut faults, mut parts, forms) = (Vec::new(), 0, forms());
    for path in &paths {
        // Some files are intentionally not UTF-8.
        let Ok(text) = fs::read_to_string(path) else {
            continue;
        };
        for part in text.split("// -----") {
            let Some(module) = read(part, true) else {
                continue;
            };
            let is_registered = read(part, false).is_some();
            parts += 1;
            for (number, form) in forms.iter().enumerate() {
                // Each part has one width for each form; all parts together cover all widths.
                let width = WIDTHS[(parts + number) % WIDTHS.len()];
                if let Some(fault) = fault(&module, form, width, is_registered) {
                    faults.push(format!(
                        "{}, form {number}, {width} columns: {fault}",
                        path.display()
                    ));
                }
            }
        }
    }
    faults.truncate(10);
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(parts > 500, "{parts} parts were read");
}

#[test]
fn what_fits_stays_as_it_is() {
    let text = "func.func @f(%x: i32) -> i32 {\n  return %x : i32\n}\n";
    let (context, op) = read(text, false).expect("valid");
    let with = |width| PrintFlags {
        width,
        ..PrintFlags::default()
    };
    let plain = print_to_string(&context, op, &with(None));
    let columns = "  func.func @f(%arg0: i32) -> i32 {".len();
    assert_eq!(print_to_string(&context, op, &with(Some(columns))), plain);
    assert_ne!(
        print_to_string(&context, op, &with(Some(columns - 1))),
        plain
    );
}
