//! Cases from the tests of the repository: their check files, with what their `RUN:` lines pipe
//! into FileCheck.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use orison_filecheck::lit::{RunSettings, run_suite};

use super::{Case, Verdict};

/// The input of one FileCheck call.
struct Captured {
    directory: PathBuf,
    arguments: Vec<String>,
    input: Vec<u8>,
}

/// All cases; none if this crate is outside the repository. Inputs are synthesised from the check
/// lines if `orison-opt` is not built.
pub fn all() -> Vec<Case> {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let trees: Vec<PathBuf> = ["tests", "examples"]
        .map(|name| repository.join(name))
        .into_iter()
        .filter(|tree| tree.join("lit.toml").is_file())
        .collect();
    if trees.is_empty() {
        return Vec::new();
    }
    let has_tool = tool_directories(&repository)
        .iter()
        .any(|directory| directory.join("orison-opt").is_file());
    if !has_tool {
        eprintln!("no orison-opt: inputs are made from check lines");
    }
    let mut cases: Vec<Case> = captured(&repository, &trees, has_tool)
        .into_iter()
        .filter_map(|call| case(call, has_tool))
        .collect();
    eprintln!("{} calls of FileCheck in the tree of tests", cases.len());
    // Tests run in any order.
    cases.sort_by(|a, b| (&a.name, &a.flags).cmp(&(&b.name, &b.flags)));
    cases
}

fn tool_directories(repository: &Path) -> Vec<PathBuf> {
    let own = Path::new(env!("CARGO_BIN_EXE_orison-filecheck"));
    let mut directories: Vec<PathBuf> = own.parent().map(Path::to_path_buf).into_iter().collect();
    directories.extend(["target/release", "target/debug"].map(|name| repository.join(name)));
    directories
}

/// Runs the trees with a FileCheck that only records its input.
fn captured(repository: &Path, trees: &[PathBuf], has_tool: bool) -> Vec<Captured> {
    let calls = Arc::new(Mutex::new(Vec::new()));
    let output = tempfile::tempdir().expect("a temporary directory");
    let mut settings = RunSettings::new("");
    settings.paths = trees.to_vec();
    settings.tool_directories = tool_directories(repository);
    settings.output_directory = Some(output.path().to_path_buf());
    settings.bless = false;
    if !has_tool {
        settings.function("orison-opt", Arc::new(|_| 0));
    }
    let notes = Arc::clone(&calls);
    settings.function(
        "FileCheck",
        Arc::new(move |call| {
            let mut input = Vec::new();
            call.input
                .read_to_end(&mut input)
                .expect("a readable input");
            let captured = Captured {
                directory: call.directory.to_path_buf(),
                arguments: call.arguments.to_vec(),
                input,
            };
            notes.lock().expect("no panic").push(captured);
            0
        }),
    );
    run_suite(&settings).expect("good configurations");
    std::mem::take(&mut *calls.lock().expect("no panic"))
}

fn case(call: Captured, has_input: bool) -> Option<Case> {
    let at = call
        .arguments
        .iter()
        .position(|argument| !argument.starts_with('-'))?;
    // The input comes from the pipe only.
    if call
        .arguments
        .iter()
        .any(|flag| flag.contains("input-file"))
    {
        return None;
    }
    let mut flags = call.arguments;
    let file = call.directory.join(flags.remove(at));
    let checks = std::fs::read(&file).ok()?;
    let input = if has_input {
        call.input
    } else {
        synthesised(&String::from_utf8_lossy(&checks)).into_bytes()
    };
    Some(Case {
        name: file.to_string_lossy().into_owned(),
        // Only agreement is checked.
        lenient: Verdict::Pass,
        strict: Verdict::Pass,
        flags,
        reason: String::new(),
        checks,
        input,
    })
}

/// A text that the check lines match: the text after their colons, without the brackets.
fn synthesised(checks: &str) -> String {
    let mut out = String::new();
    for line in checks.lines() {
        let Some((_, text)) = line
            .split_once("CHECK")
            .and_then(|(_, rest)| rest.split_once(": "))
        else {
            continue;
        };
        let mut rest = text;
        while let Some(at) = rest.find("[[").into_iter().chain(rest.find("{{")).min() {
            let closing = if rest[at..].starts_with("[[") {
                "]]"
            } else {
                "}}"
            };
            out.push_str(&rest[..at]);
            out.push_str("%0");
            rest = rest[at..]
                .find(closing)
                .map_or("", |end| &rest[at + end + 2..]);
        }
        out.push_str(rest);
        out.push('\n');
    }
    out
}
