//! A whole run: read the checks, read the input, match, report.

use crate::check_file::{CheckFile, Reader};
use crate::input_dump::{self, CheckPlaces};
use crate::matcher::Matcher;
use crate::options::{DumpInput, Options};
use crate::report::Reporter;
use crate::scanner::{DEFAULT_COMMENT_PREFIXES, DEFAULT_PREFIX};
use crate::source::{Log, Sources, is_blank};
use crate::variables::Variables;

/// How a run ended. The numbers are the exit codes of FileCheck.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The input is as the checks want it.
    Passed = 0,
    /// It is not.
    Failed = 1,
    /// Not decided: the checks or an option are malformed, or the input is empty.
    Invalid = 2,
}

/// The result of a run.
#[derive(Clone, Debug)]
pub struct Report {
    /// How it ended.
    pub status: Status,
    /// Everything FileCheck prints to standard error.
    pub output: Vec<u8>,
}

impl Report {
    /// The output as text; bytes that are not UTF-8 are replaced.
    #[must_use]
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.output).into_owned()
    }
}

/// Runs the checks in `checks` on what `input` returns.
///
/// `input` is called only if the checks are well formed, for only then does FileCheck open its
/// input. Its error is printed as it is, and makes the run [`Status::Invalid`].
///
/// ```
/// use orison_filecheck::{Options, Status, run};
///
/// let options = Options { verbose: 1, ..Options::default() };
/// let report = run(b"CHECK: b", || Ok(b"a\nb\n".to_vec()), &options);
/// assert_eq!(report.status, Status::Passed);
/// ```
pub fn run(
    checks: &[u8],
    input: impl FnOnce() -> Result<Vec<u8>, String>,
    options: &Options,
) -> Report {
    let mut log = Log {
        output: Vec::new(),
        color: options.color,
    };
    let status = match run_inner(checks, input, options, &mut log) {
        Ok(true) => Status::Passed,
        Ok(false) => Status::Failed,
        Err(Invalid) => Status::Invalid,
    };
    Report {
        status,
        output: log.output,
    }
}

/// The run ended before matching; the log has the reason.
struct Invalid;

fn run_inner(
    checks: &[u8],
    input: impl FnOnce() -> Result<Vec<u8>, String>,
    options: &Options,
    log: &mut Log,
) -> Result<bool, Invalid> {
    validate_defines(options, log)?;
    validate_prefixes(options, log)?;
    let mut sources = Sources::default();
    let mut variables = Variables::default();
    let folds = !options.strict_whitespace;
    let check_buffer = sources.add(&options.check_name, canonical(checks, folds));
    let mut reader = Reader {
        options,
        sources: &mut sources,
        variables: &mut variables,
        log,
    };
    let file = reader.read(check_buffer).map_err(|_| Invalid)?;
    let input = match input() {
        Ok(input) => input,
        Err(message) => {
            log.line(&message);
            return Err(Invalid);
        }
    };
    if input.is_empty() && !options.allow_empty {
        log.line(&format!(
            "FileCheck error: '{}' is empty.",
            options.input_name
        ));
        return Err(Invalid);
    }
    let input_buffer = sources.add(&options.input_name, canonical(&input, folds));
    drop(input);
    let run = Run {
        options,
        sources: &sources,
        file: &file,
        check_buffer,
        input_buffer,
    };
    Ok(run.matches(&mut variables, log))
}

struct Run<'r> {
    options: &'r Options,
    sources: &'r Sources,
    file: &'r CheckFile,
    check_buffer: usize,
    input_buffer: usize,
}

impl Run<'_> {
    fn matches(&self, variables: &mut Variables, log: &mut Log) -> bool {
        let text = self.sources.text(self.input_buffer);
        let collects = self.options.dump_input != DumpInput::Never;
        let mut reporter = Reporter {
            options: self.options,
            sources: self.sources,
            log,
            input: self.input_buffer,
            annotations: collects.then(Vec::new),
        };
        let mut matcher = Matcher {
            reporter: &mut reporter,
            variables,
            text: &text,
        };
        let passed = matcher.run(self.file);
        let annotations = reporter.annotations.take().unwrap_or_default();
        let dumps = match self.options.dump_input {
            DumpInput::Always => true,
            DumpInput::Fail => !passed,
            DumpInput::Never | DumpInput::Help => false,
        };
        if dumps {
            let places = CheckPlaces {
                check_buffer: self.check_buffer,
                implicit_buffers: &self.file.implicit_buffers,
            };
            let line_of = |location| self.sources.line_and_column(location).0;
            input_dump::dump(
                &mut log.output,
                self.options,
                &text,
                &annotations,
                &places,
                &line_of,
            );
        }
        passed
    }
}

/// Folds horizontal white space, if wanted, and drops the carriage returns of `\r\n`.
fn canonical(text: &[u8], folds: bool) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut position = 0;
    while position < text.len() {
        // Copy what stays as it is in one go.
        let plain = text[position..]
            .iter()
            .take_while(|byte| !matches!(byte, b' ' | b'\t' | b'\r'))
            .count();
        out.extend_from_slice(&text[position..position + plain]);
        position += plain;
        let Some(&byte) = text.get(position) else {
            break;
        };
        position += 1;
        if byte == b'\r' {
            if text.get(position) != Some(&b'\n') {
                out.push(byte);
            }
        } else if folds {
            out.push(b' ');
            while text.get(position).is_some_and(|byte| is_blank(*byte)) {
                position += 1;
            }
        } else {
            out.push(byte);
        }
    }
    out
}

fn validate_defines(options: &Options, log: &mut Log) -> Result<(), Invalid> {
    let mut result = Ok(());
    for define in &options.defines {
        let missing = match define.find('=') {
            None => "equal sign",
            Some(0) => "variable name",
            Some(_) => continue,
        };
        log.line(&format!(
            "Missing {missing} in command-line definition '-D{define}'"
        ));
        result = Err(Invalid);
    }
    result
}

fn validate_prefixes(options: &Options, log: &mut Log) -> Result<(), Invalid> {
    let mut known: Vec<&str> = Vec::new();
    if options.check_prefixes.is_empty() {
        known.push(DEFAULT_PREFIX);
    }
    if options.comment_prefixes.is_empty() {
        known.extend(DEFAULT_COMMENT_PREFIXES);
    }
    let checks = options
        .check_prefixes
        .iter()
        .map(|prefix| ("check", prefix));
    let comments = options
        .comment_prefixes
        .iter()
        .map(|prefix| ("comment", prefix));
    for (kind, prefix) in checks.chain(comments) {
        let is_valid = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
        let problem = if prefix.is_empty() {
            "must not be the empty string".to_owned()
        } else if !prefix.bytes().all(is_valid) {
            format!(
                "must start with a letter and contain only alphanumeric characters, hyphens, and \
                 underscores: '{prefix}'"
            )
        } else if known.contains(&prefix.as_str()) {
            format!("must be unique among check and comment prefixes: '{prefix}'")
        } else {
            known.push(prefix);
            continue;
        };
        log.line(&format!("error: supplied {kind} prefix {problem}"));
        return Err(Invalid);
    }
    Ok(())
}
