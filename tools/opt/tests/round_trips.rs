//! After each pass of each RUN line of the FileCheck tests and of the examples, printed IR is parsed
//! as IR that prints the same text.

mod common;

use std::fs;
use std::path::{Path, PathBuf};

/// The folders with inputs, in the repository.
const FOLDERS: [&str; 2] = ["tests", "examples"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn inputs(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            inputs(&path, files);
        } else if path.extension().is_some_and(|kind| kind == "mlir") {
            files.push(path);
        }
    }
}

/// The commands of the RUN lines, with continued lines joined.
fn commands(text: &str) -> Vec<String> {
    let mut commands: Vec<String> = Vec::new();
    let mut continues = false;
    for line in text.lines() {
        let Some((_, command)) = line.split_once("RUN:") else {
            continue;
        };
        let command = command.trim();
        let (command, next) = match command.strip_suffix('\\') {
            Some(command) => (command.trim_end(), true),
            None => (command, false),
        };
        match commands.last_mut().filter(|_| continues) {
            Some(last) => *last = format!("{last} {command}"),
            None => commands.push(command.to_owned()),
        }
        continues = next;
    }
    commands
}

/// The words of a command up to the first operator of the shell; `None` if it is not supported.
fn words(command: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut quote = None;
    for character in command.chars() {
        match (quote, character) {
            (Some(open), _) if open == character => quote = None,
            (None, '\'' | '"') => quote = Some(character),
            (None, '|' | '>' | ';' | '&') => {
                // The number of a redirected stream.
                if word == "2" {
                    word.clear();
                }
                break;
            }
            (None, '$' | '`' | '<') => return None,
            (None, ' ') => {
                words.extend(Some(std::mem::take(&mut word)).filter(|it| !it.is_empty()));
            }
            _ => word.push(character),
        }
    }
    words.extend(Some(word).filter(|it| !it.is_empty()));
    quote.is_none().then_some(words)
}

/// The flags of a command that runs orison-opt on the file itself.
fn flags(command: &str, file: &Path) -> Option<Vec<String>> {
    let command = command.strip_prefix("not ").unwrap_or(command);
    let mut words = words(command.strip_prefix("orison-opt ")?)?.into_iter();
    let mut flags = Vec::new();
    let mut reads_file = false;
    while let Some(word) = words.next() {
        if word == "%s" {
            reads_file = true;
        } else if word == "-o" {
            words.next();
        } else {
            let folder = file.parent()?.display().to_string();
            flags.push(
                word.replace("%S", &folder)
                    .replace("%s", &file.display().to_string()),
            );
        }
    }
    // Output files and substitutions of the configuration are not supported.
    (reads_file && !flags.iter().any(|flag| flag.contains('%'))).then_some(flags)
}

/// The round trips that fail in a file, and the number of commands.
fn check(file: &Path) -> (usize, Vec<String>) {
    let bytes = fs::read(file).expect("an input");
    let text = String::from_utf8_lossy(&bytes);
    let mut count = 0;
    let mut problems = Vec::new();
    for command in commands(&text) {
        let Some(mut flags) = flags(&command, file) else {
            continue;
        };
        count += 1;
        flags.push("--verify-roundtrip-each".to_owned());
        let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
        // Other errors are expected by the tests, or are reported by them.
        if let Err(errors) = common::orison_bytes(&bytes, &flags) {
            let failures = errors
                .lines()
                .filter(|line| line.contains("roundtrip failed"));
            problems
                .extend(failures.map(|line| format!("{}: {command}\n  {line}", file.display())));
        }
    }
    (count, problems)
}

#[test]
fn printed_ir_is_parsed_as_itself_after_each_pass() {
    let mut files = Vec::new();
    for folder in FOLDERS {
        inputs(&root().join(folder), &mut files);
    }
    files.sort();
    let halves = [0, 1].map(|half| files.iter().skip(half).step_by(2));
    let results: Vec<(usize, Vec<String>)> = std::thread::scope(|scope| {
        let workers = halves
            .map(|half| scope.spawn(move || half.map(|file| check(file)).collect::<Vec<_>>()));
        let workers = workers.into_iter();
        workers
            .flat_map(|worker| worker.join().expect("a worker"))
            .collect()
    });
    let commands: usize = results.iter().map(|(count, _)| count).sum();
    let problems: Vec<String> = results
        .into_iter()
        .flat_map(|(_, problems)| problems)
        .collect();
    println!("{commands} commands of {} files", files.len());
    assert!(commands >= 500, "{commands} commands");
    assert!(
        problems.is_empty(),
        "{} problems:\n{}",
        problems.len(),
        problems.join("\n")
    );
}
