//! FileCheck as a program: its command line, its files and its exit code.

mod arguments;

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::bless::{Blessed, bless};
use crate::input_dump;
use crate::options::{DumpInput, Options};
use crate::run::run;
use crate::scanner::DEFAULT_PREFIX;
use arguments::{Command, Parsed};

pub use arguments::parse_response;

/// Where a run takes place. Tests run many in one process, so nothing is read from the process
/// itself.
pub struct Surroundings<'s> {
    /// The name of the program in messages.
    pub program: &'s str,
    /// The value of `FILECHECK_OPTS`.
    pub environment_options: Option<String>,
    /// The directory relative paths start from.
    pub directory: &'s Path,
    /// Standard input.
    pub input: &'s mut dyn Read,
    /// Whether messages are coloured when `--color` is not given.
    pub color: bool,
    /// Whether blocks of exact output in the check file are rewritten first.
    pub bless: bool,
}

/// The result of a program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// The exit code.
    pub code: i32,
    /// What it wrote to standard output.
    pub stdout: Vec<u8>,
    /// What it wrote to standard error.
    pub stderr: Vec<u8>,
    /// The changes to the check file, if it was rewritten.
    pub blessed: Option<String>,
}

/// Runs FileCheck with `arguments`, which do not include the program's name.
pub fn main(arguments: &[String], surroundings: &mut Surroundings<'_>) -> Outcome {
    let parsed = arguments::parse(
        surroundings.program,
        surroundings.environment_options.as_deref(),
        arguments,
    );
    match parsed {
        Err(message) => Outcome {
            code: 1,
            stderr: message.into_bytes(),
            ..Outcome::default()
        },
        Ok(Command::Help) => {
            let text = arguments::HELP.replace("{program}", surroundings.program);
            Outcome {
                stdout: text.into_bytes(),
                ..Outcome::default()
            }
        }
        Ok(Command::Version) => {
            let text = format!("orison-filecheck {}\n", env!("CARGO_PKG_VERSION"));
            Outcome {
                stdout: text.into_bytes(),
                ..Outcome::default()
            }
        }
        Ok(Command::Run(parsed)) => run_parsed(*parsed, arguments, surroundings),
    }
}

fn invalid(message: String) -> Outcome {
    Outcome {
        code: 2,
        stderr: (message + "\n").into_bytes(),
        ..Outcome::default()
    }
}

/// The name of a file in messages.
fn shown(name: &str) -> String {
    if name == "-" { "<stdin>" } else { name }.to_owned()
}

fn run_parsed(
    parsed: Parsed,
    arguments: &[String],
    surroundings: &mut Surroundings<'_>,
) -> Outcome {
    let mut options = parsed.options;
    if options.dump_input == DumpInput::Help {
        return Outcome {
            stdout: input_dump::HELP.as_bytes().to_vec(),
            ..Outcome::default()
        };
    }
    let Some(check_file) = parsed.check_file else {
        return invalid("<check-file> not specified".to_owned());
    };
    let input_name = parsed.input_file.as_deref().unwrap_or("-");
    options.color = parsed.color.unwrap_or(surroundings.color);
    options.check_name = shown(&check_file);
    options.input_name = shown(input_name);
    let checks = match read(&check_file, surroundings) {
        Ok(text) => text,
        Err(error) => {
            let reason = reason(&error);
            return invalid(format!(
                "Could not open check file '{check_file}': {reason}"
            ));
        }
    };
    let blessing = match blessed(checks, &check_file, input_name, &options, surroundings) {
        Ok(blessing) => blessing,
        Err(message) => return invalid(message),
    };
    let mut given_input = blessing.input;
    let mut is_empty = false;
    let mut input = || {
        let text = match given_input.take() {
            Some(text) => text,
            None => read(input_name, surroundings).map_err(|error| {
                let (name, reason) = (shown(input_name), reason(&error));
                format!("Could not open input file '{name}': {reason}")
            })?,
        };
        is_empty = text.is_empty();
        Ok(text)
    };
    let report = run(&blessing.checks, &mut input, &options);
    let mut stderr = report.output;
    if is_empty && !options.allow_empty {
        let (program, words) = (surroundings.program, arguments.join(" "));
        let line = format!("FileCheck command line:  {program} {words}\n");
        stderr.extend_from_slice(line.as_bytes());
    }
    Outcome {
        code: report.status as i32,
        stdout: Vec::new(),
        stderr,
        blessed: blessing.diff,
    }
}

/// The check file after blessing.
struct Blessing {
    checks: Vec<u8>,
    /// The input, if it had to be read.
    input: Option<Vec<u8>>,
    diff: Option<String>,
}

/// Rewrites the blocks of a check file if the surroundings ask for it.
fn blessed(
    checks: Vec<u8>,
    check_file: &str,
    input_name: &str,
    options: &Options,
    surroundings: &mut Surroundings<'_>,
) -> Result<Blessing, String> {
    let mut blessing = Blessing {
        checks,
        input: None,
        diff: None,
    };
    if !surroundings.bless || check_file == "-" {
        return Ok(blessing);
    }
    let Ok(input) = read(input_name, surroundings) else {
        return Ok(blessing);
    };
    let path = surroundings.directory.join(check_file);
    let change = rewrite(&blessing.checks, &input, options, &path)
        .map_err(|message| format!("{check_file}: {message}"))?;
    if let Some(change) = change {
        blessing.checks = change.text;
        blessing.diff = Some(change.diff);
    }
    blessing.input = Some(input);
    Ok(blessing)
}

/// Rewrites the blocks of a check file, in the file too.
fn rewrite(
    checks: &[u8],
    input: &[u8],
    options: &Options,
    path: &Path,
) -> Result<Option<Blessed>, String> {
    let prefixes: Vec<&str> = if options.check_prefixes.is_empty() {
        vec![DEFAULT_PREFIX]
    } else {
        options.check_prefixes.iter().map(String::as_str).collect()
    };
    let change = bless(checks, input, &prefixes).map_err(|error| error.to_string())?;
    if let Some(change) = &change {
        std::fs::write(path, &change.text).map_err(|error| reason(&error))?;
    }
    Ok(change)
}

fn read(name: &str, surroundings: &mut Surroundings<'_>) -> io::Result<Vec<u8>> {
    if name == "-" {
        let mut text = Vec::new();
        surroundings.input.read_to_end(&mut text)?;
        return Ok(text);
    }
    let path: PathBuf = surroundings.directory.join(name);
    std::fs::read(path)
}

/// The system's words for an error, without the number Rust adds.
pub(crate) fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    match text.find(" (os error") {
        Some(at) => text[..at].to_owned(),
        None => text,
    }
}
