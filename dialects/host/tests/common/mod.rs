//! Helpers shared by the tests over the corpus.

// Each test uses only part of this module.
#![allow(dead_code)]

#[path = "../../../../tools/skipped.rs"]
mod skipped;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use orison_ir::{
    Context, Diagnostic, Operation, ParseResult, PrintFlags, Source, parse_source, print_to_string,
};

/// The files with the extension `mlir` of a folder of the corpus, sorted.
pub fn files(folder: &str) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/format");
    let entries = std::fs::read_dir(root.join(folder)).expect("the corpus is in the repository");
    let mut files: Vec<_> = entries
        .map(|entry| entry.expect("the folder is readable").path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "mlir")
        })
        .collect();
    files.sort();
    files
}

/// The parts of a file with the line number of the start of each.
pub fn chunks(text: &str) -> Vec<(u32, String)> {
    let mut chunks = vec![(1, String::new())];
    for (number, line) in (1..).zip(text.lines()) {
        if line.trim_end() == "// -----" {
            chunks.push((number + 1, String::new()));
        } else if let Some((_, chunk)) = chunks.last_mut() {
            chunk.push_str(line);
            chunk.push('\n');
        }
    }
    chunks
}

/// A context with the host dialects that also accepts unregistered dialects.
pub fn context() -> Context {
    let mut context = Context::new();
    orison_host::register(&mut context);
    context.allow_unregistered_dialects(true);
    context
}

/// Parses a text and verifies it.
pub fn read(context: &mut Context, text: &str, first_line: u32) -> ParseResult<Operation> {
    let source = Source {
        name: "input",
        text,
        first_line,
    };
    let module = parse_source(context, source)?;
    context.verify(module)?;
    Ok(module)
}

/// Parses a text and prints it; returns the diagnostics if it is rejected.
pub fn convert(text: &str, flags: &PrintFlags) -> Result<String, Vec<String>> {
    let mut context = context();
    match read(&mut context, text, 1) {
        Ok(module) => Ok(print_to_string(&context, module, flags)),
        Err(_) => {
            let diagnostics: Vec<Diagnostic> = context.diagnostics.take();
            Err(diagnostics.iter().map(|d| d.render(&context)).collect())
        }
    }
}

/// The output of `mlir-opt` for a text; `None` if it is not installed or rejects the text.
pub fn mlir_opt(text: &str, arguments: &[&str]) -> Option<String> {
    let mut child = Command::new("mlir-opt-22")
        .arg("--allow-unregistered-dialect")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let mut input = child.stdin.take()?;
    let text = text.to_owned();
    let writer = std::thread::spawn(move || {
        // It may stop reading if the text is rejected.
        let _ = std::io::Write::write_all(&mut input, text.as_bytes());
    });
    let output = child.wait_with_output().ok()?;
    let _ = writer.join();
    output
        .status
        .success()
        .then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Whether `mlir-opt` is installed; prints a message if it is not.
pub fn has_mlir_opt() -> bool {
    let found = mlir_opt("", &[]).is_some();
    if !found {
        skipped::skipped("mlir-opt-22 is not installed");
    }
    found
}
