//! The cases under `tests/cases`, and running them.

#![allow(dead_code, reason = "every test binary uses a part of this")]

pub mod compare;
mod skipped;
pub mod tree;

pub use skipped::skipped;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use orison_filecheck::tool::{Outcome, Surroundings, main as run_tool};

/// The expected verdict of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Pass,
    Fail,
    Invalid,
}

impl Verdict {
    fn named(name: &str) -> Option<Verdict> {
        Some(match name {
            "pass" => Verdict::Pass,
            "fail" => Verdict::Fail,
            "invalid" => Verdict::Invalid,
            _ => return None,
        })
    }

    pub fn of_code(code: i32) -> Option<Verdict> {
        Some(match code {
            0 => Verdict::Pass,
            1 => Verdict::Fail,
            2 => Verdict::Invalid,
            _ => return None,
        })
    }
}

/// A case.
#[derive(Clone, Debug)]
pub struct Case {
    pub name: String,
    pub lenient: Verdict,
    pub strict: Verdict,
    pub flags: Vec<String>,
    pub reason: String,
    pub checks: Vec<u8>,
    pub input: Vec<u8>,
}

fn unescape(text: &str) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'\\' {
            out.push(byte);
            continue;
        }
        match rest.next() {
            Some(b'n') => out.push(b'\n'),
            Some(b'r') => out.push(b'\r'),
            Some(b't') => out.push(b'\t'),
            Some(b'x') => {
                let digits: String = rest.by_ref().take(2).map(char::from).collect();
                out.push(u8::from_str_radix(&digits, 16).expect("two hexadecimal digits"));
            }
            Some(other) => out.push(other),
            None => {}
        }
    }
    out
}

/// Adds a line of a case; `text` is what follows `>` or `<`.
fn add_line(out: &mut Vec<u8>, text: &str) {
    if let Some(rest) = text.strip_prefix("e ") {
        out.extend(unescape(rest));
        out.push(b'\n');
    } else if let Some(rest) = text.strip_prefix("- ") {
        out.extend_from_slice(rest.as_bytes());
    } else {
        out.extend_from_slice(text.strip_prefix(' ').unwrap_or(text).as_bytes());
        out.push(b'\n');
    }
}

/// All cases, in the order of files and lines.
pub fn all() -> Vec<Case> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let mut files: Vec<PathBuf> = std::fs::read_dir(directory)
        .expect("the cases are there")
        .map(|entry| entry.expect("a readable entry").path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "cases")
        })
        .collect();
    files.sort();
    let mut cases: Vec<Case> = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a readable file");
        for line in text.lines() {
            if let Some(header) = line.strip_prefix('[') {
                let (name, rest) = header.split_once(']').expect("a name in brackets");
                let mut words = rest.split_whitespace();
                let verdicts = words.next().expect("a verdict");
                let (lenient, strict) = verdicts.split_once('!').unwrap_or((verdicts, verdicts));
                cases.push(Case {
                    name: name.to_owned(),
                    lenient: Verdict::named(lenient).expect("a verdict"),
                    strict: Verdict::named(strict).expect("a verdict"),
                    flags: words.map(str::to_owned).collect(),
                    reason: String::new(),
                    checks: Vec::new(),
                    input: Vec::new(),
                });
                continue;
            }
            let case = cases.last_mut().expect("a header before other lines");
            match line.split_at_checked(1) {
                Some((">", text)) => add_line(&mut case.checks, text),
                Some(("<", text)) => add_line(&mut case.input, text),
                _ => case.reason.push_str(line),
            }
        }
    }
    cases
}

/// Runs our FileCheck in this process.
pub fn run_ours(case: &Case, directory: &Path, lenient: bool) -> Outcome {
    let checks = directory.join("checks.txt");
    std::fs::write(&checks, &case.checks).expect("a writable directory");
    let mut arguments = vec![checks.to_string_lossy().into_owned()];
    arguments.extend(case.flags.iter().cloned());
    if lenient {
        arguments.push("--lenient".to_owned());
    }
    let mut input = case.input.as_slice();
    run_tool(
        &arguments,
        &mut Surroundings {
            program: "FileCheck",
            environment_options: None,
            directory,
            input: &mut input,
            color: false,
            bless: false,
        },
    )
}

/// LLVM's FileCheck, if it is installed.
pub fn reference() -> Option<PathBuf> {
    program(&["FileCheck-22", "FileCheck"])
}

/// The first of these programs on the search path.
pub fn program(names: &[&str]) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let directories: Vec<PathBuf> = std::env::split_paths(&path).collect();
    names
        .iter()
        .flat_map(|name| {
            directories
                .iter()
                .map(move |directory| directory.join(name))
        })
        .find(|path| path.is_file())
}

/// Runs LLVM's FileCheck; `None` if it crashed.
pub fn run_reference(program: &Path, case: &Case, directory: &Path) -> Option<(i32, Vec<u8>)> {
    let checks = directory.join("checks.txt");
    std::fs::write(&checks, &case.checks).expect("a writable directory");
    let mut child = Command::new(program)
        .arg(&checks)
        .args(&case.flags)
        .env_remove("FILECHECK_OPTS")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("FileCheck starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    // It may end without reading its input.
    let _ = stdin.write_all(&case.input);
    drop(stdin);
    let output = child.wait_with_output().expect("FileCheck ends");
    Some((output.status.code()?, output.stderr))
}

/// A small deterministic random number generator, so that every run has the same mutants.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % bound.max(1)
    }
}

/// Fragments that mutations insert.
const PIECES: [&str; 32] = [
    "CHECK: ",
    "CHECK-NEXT: ",
    "CHECK-NOT: ",
    "CHECK-DAG: ",
    "CHECK-SAME: ",
    "CHECK-LABEL: ",
    "CHECK-EMPTY:",
    "CHECK-COUNT-2: ",
    "{{",
    "}}",
    "[[",
    "]]",
    "[[X:",
    "[[X]]",
    "[[#X:]]",
    "[[#X+1]]",
    "{{.*}}",
    "{{a|b}}",
    "(",
    ")",
    "[",
    "]",
    "*",
    "+",
    "\\",
    "\\1",
    "^",
    "$",
    "a",
    "1",
    " ",
    "{2}",
];

/// Mutates a text at one position.
fn mutate_text(text: &mut Vec<u8>, random: &mut Random) {
    let mut lines: Vec<Vec<u8>> = text
        .split_inclusive(|byte| *byte == b'\n')
        .map(<[u8]>::to_vec)
        .collect();
    let line = random.below(lines.len());
    match random.below(8) {
        0 if !lines.is_empty() => {
            lines.remove(line);
        }
        1 if !lines.is_empty() => {
            let copy = lines[line].clone();
            lines.insert(line, copy);
        }
        2 if lines.len() > 1 => {
            let other = random.below(lines.len());
            lines.swap(line, other);
        }
        3 if !text.is_empty() => {
            let at = random.below(text.len());
            text.remove(at);
            return;
        }
        4 if !text.is_empty() => {
            // Increments a digit.
            let from = random.below(text.len());
            if let Some(at) = (from..text.len()).find(|at| text[*at].is_ascii_digit()) {
                text[at] = b'0' + (text[at] - b'0' + 1) % 10;
            }
            return;
        }
        5 if !text.is_empty() => {
            let (at, other) = (random.below(text.len()), random.below(text.len()));
            text.swap(at, other);
            return;
        }
        _ => {
            let piece = PIECES[random.below(PIECES.len())].bytes();
            let at = random.below(text.len() + 1);
            text.splice(at..at, piece);
            return;
        }
    }
    *text = lines.concat();
}

/// A mutated copy of a case.
pub fn mutate(case: &Case, random: &mut Random) -> Case {
    let mut mutant = case.clone();
    for _ in 0..=random.below(3) {
        if random.below(3) == 0 {
            mutate_text(&mut mutant.input, random);
        } else {
            mutate_text(&mut mutant.checks, random);
        }
    }
    mutant
}
