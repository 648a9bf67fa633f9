//! Running one test.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::condition;
use super::discovery::Test;
use super::expectation::{Expectations, judged};
use super::result::{Code, TestResult};
use super::script::{self, Directive, Script};
use super::shell::{self, CommandResult, Environment, Line, Shell};
use super::substitute::Substitutions;
use super::tools::Tools;

/// Settings shared by all tests of a suite.
#[derive(Debug)]
pub(crate) struct SuiteContext {
    pub(crate) tools: Tools,
    pub(crate) features: BTreeSet<String>,
    pub(crate) environment: BTreeMap<String, String>,
    pub(crate) output_root: PathBuf,
    /// Seconds a test may take; zero for no limit.
    pub(crate) timeout: u64,
    /// The default number of retries of a failing test, without `ALLOW_RETRIES:`.
    pub(crate) retries: usize,
    /// `%{name}` and its value.
    pub(crate) parameters: BTreeMap<String, String>,
    pub(crate) expectations: Expectations,
    pub(crate) only_parse: bool,
}

/// A command of the script.
struct Step {
    label: String,
    command: String,
}

/// Runs a test. `end` is the end of the whole run.
pub(crate) fn execute(test: &Test, context: &SuiteContext, end: Option<Instant>) -> TestResult {
    let started = Instant::now();
    let mut result = execute_untimed(test, context, end)
        .unwrap_or_else(|(code, output)| TestResult::new(test, code, output));
    result.seconds = started.elapsed().as_secs_f64();
    result
}

/// A result determined without running any command.
type Early = (Code, String);

fn unresolved(message: impl Into<String>) -> Early {
    (Code::Unresolved, message.into() + "\n")
}

fn execute_untimed(
    test: &Test,
    context: &SuiteContext,
    end: Option<Instant>,
) -> Result<TestResult, Early> {
    let text = std::fs::read(test.source())
        .map_err(|error| unresolved(format!("cannot read the test: {error}")))?;
    let script = script::parse(&text).map_err(unresolved)?;
    let expectations = &context.expectations;
    let should_fail = expectations.is_failing(test, &script, &context.features);
    if should_fail && expectations.are_excluded {
        return Err((Code::Excluded, "excluding XFAIL tests\n".to_owned()));
    }
    if let Some(message) = conditions(&script, &context.features).map_err(unresolved)? {
        return Err((Code::Unsupported, message + "\n"));
    }
    if context.only_parse {
        return Err((Code::Pass, String::new()));
    }
    let directory = context
        .output_root
        .join(test.path.parent().unwrap_or(Path::new("")));
    let output_directory = directory.join("Output");
    std::fs::create_dir_all(&output_directory).map_err(|error| {
        let path = output_directory.display();
        unresolved(format!("cannot create {path}: {error}"))
    })?;
    let file_name = test.path.file_name().unwrap_or_default().to_string_lossy();
    let temporary = output_directory.join(file_name.into_owned() + ".tmp");
    let steps = steps(test, &script, &temporary, context).map_err(unresolved)?;
    let allowed = script.retries.unwrap_or(context.retries).saturating_add(1);
    let mut attempt = 1;
    let (code, output) = loop {
        let (code, output) = attempt_once(test, &steps, &directory, context, end);
        if code != Code::Fail || attempt == allowed {
            break (code, output);
        }
        attempt += 1;
    };
    let code = match code {
        Code::Pass if attempt > 1 => Code::FlakyPass,
        code => judged(code, should_fail),
    };
    let mut result = TestResult::new(test, code, output);
    (result.attempts, result.allowed_attempts) = (attempt, allowed);
    Ok(result)
}

/// The reason not to run the test, if any.
fn conditions(script: &Script, features: &BTreeSet<String>) -> Result<Option<String>, String> {
    let mut missing = Vec::new();
    for expression in &script.requires {
        if !condition::evaluate(expression, features)? {
            missing.push(expression.as_str());
        }
    }
    if !missing.is_empty() {
        let list = missing.join(", ");
        return Ok(Some(format!(
            "Test requires the following unavailable features: {list}"
        )));
    }
    let mut present = Vec::new();
    for expression in &script.unsupported {
        if condition::evaluate(expression, features)? {
            present.push(expression.as_str());
        }
    }
    if present.is_empty() {
        return Ok(None);
    }
    let list = present.join(", ");
    Ok(Some(format!(
        "Test does not support the following features and/or targets: {list}"
    )))
}

fn steps(
    test: &Test,
    script: &Script,
    temporary: &Path,
    context: &SuiteContext,
) -> Result<Vec<Step>, String> {
    let mut configured = test.suite.substitutions.clone();
    let parameters = context.parameters.iter();
    configured.extend(parameters.map(|(name, value)| (format!("%{{{name}}}"), value.clone())));
    let mut substitutions = Substitutions::new(&configured, &test.source(), temporary);
    let mut steps = Vec::new();
    for directive in &script.directives {
        match directive {
            Directive::Define(definition) => substitutions.define(definition)?,
            Directive::Run(run) => steps.push(Step {
                label: format!("RUN: at line {}", run.line),
                command: substitutions.apply(&run.command, &context.features)?,
            }),
        }
    }
    Ok(steps)
}

/// The commands of the steps; `None` for steps that are empty after substitution.
fn lines(steps: &[Step]) -> Result<Vec<Option<Line>>, Early> {
    steps
        .iter()
        .map(|step| {
            if step.command.is_empty() {
                return Ok(None);
            }
            shell::parse(&step.command).map(Some).map_err(|message| {
                let (label, command) = (&step.label, &step.command);
                unresolved(format!(
                    "# shell parser error on {label}: {command}\n# {message}"
                ))
            })
        })
        .collect()
}

fn attempt_once(
    test: &Test,
    steps: &[Step],
    directory: &Path,
    context: &SuiteContext,
    end: Option<Instant>,
) -> (Code, String) {
    let lines = match lines(steps) {
        Ok(lines) => lines,
        Err(early) => return early,
    };
    let limit = (context.timeout > 0)
        .then(|| Instant::now().checked_add(Duration::from_secs(context.timeout)))
        .flatten();
    let shell = Shell {
        tools: &context.tools,
        deadline: [limit, end].into_iter().flatten().min(),
    };
    let mut variables = context.environment.clone();
    variables.insert("LIT_CURRENT_TESTCASE".to_owned(), test.name());
    let mut environment = Environment::new(directory, variables);
    let mut log = String::new();
    let mut code = 0;
    for (step, line) in steps.iter().zip(&lines) {
        match run_step(&shell, step, line.as_ref(), &mut environment, &mut log) {
            Ok(result) => code = result.unwrap_or(code),
            Err(message) => {
                log.push_str(&format!("# error: {message}\n"));
                return (Code::Unresolved, log);
            }
        }
        let has_passed = |time: Option<Instant>| time.is_some_and(|time| Instant::now() >= time);
        if has_passed(end) {
            return (Code::Skipped, log);
        }
        if has_passed(limit) {
            let limit = context.timeout;
            let log =
                format!("Exit Code: {code}\nTimeout: Reached timeout of {limit} seconds\n\n{log}");
            return (Code::Timeout, framed(&log));
        }
        if code != 0 {
            break;
        }
    }
    let log = framed(&format!("Exit Code: {code}\n\n{log}"));
    (if code == 0 { Code::Pass } else { Code::Fail }, log)
}

/// Runs the command of a step, if it has one, and logs it.
fn run_step(
    shell: &Shell<'_>,
    step: &Step,
    line: Option<&Line>,
    environment: &mut Environment,
    log: &mut String,
) -> Result<Option<i32>, String> {
    let Some(line) = line else {
        let label = &step.label;
        log.push_str(&format!("# {label} has no command after substitutions\n"));
        return Ok(None);
    };
    log.push_str(&format!("# {}\n{}\n", step.label, step.command));
    let mut results = Vec::new();
    let outcome = shell::run(shell, line, environment, &mut results);
    results.iter().for_each(|result| describe(log, result));
    outcome.map(Some)
}

/// Frames the log as lit does.
fn framed(text: &str) -> String {
    match text.split_once("\n\n") {
        Some((head, log)) if !log.is_empty() => {
            format!("{head}\n\nCommand Output (stdout):\n--\n{log}\n--\n")
        }
        _ => text.to_owned(),
    }
}

/// How many bytes of a redirected file are shown.
const SHOWN_FILE: usize = 1024;

fn describe(log: &mut String, result: &CommandResult) {
    let words: Vec<String> = result.words.iter().map(|word| quoted(word)).collect();
    log.push_str(&format!("# executed command: {}\n", words.join(" ")));
    for (name, contents) in &result.files {
        let shown = &contents[..contents.len().min(SHOWN_FILE)];
        let was_cut = shown.len() < contents.len();
        frame(
            log,
            &format!("redirected output from '{name}'"),
            shown,
            was_cut,
        );
    }
    frame(log, "command stdout", &result.stdout, false);
    frame(log, "command stderr", &result.stderr, false);
    if result.code != 0 {
        log.push_str(&format!(
            "# error: command failed with exit status: {}\n",
            result.code
        ));
    }
    if result.timed_out {
        log.push_str("# error: command reached timeout: True\n");
    }
}

fn frame(log: &mut String, title: &str, text: &[u8], was_cut: bool) {
    let text = String::from_utf8_lossy(text);
    if text.trim().is_empty() {
        return;
    }
    let dashes = |used: usize| "-".repeat(26usize.saturating_sub(used));
    log.push_str(&format!("# .---{title}{}\n", dashes(title.len())));
    for line in text.lines() {
        log.push_str(&format!("# | {line}\n"));
    }
    let end = if was_cut { "data was truncated" } else { "" };
    if was_cut {
        log.push_str("# | ...\n");
    }
    log.push_str(&format!("# `---{end}{}\n", dashes(end.len())));
}

/// Quotes a word for the shell.
fn quoted(word: &str) -> String {
    let is_plain = |next: char| next.is_ascii_alphanumeric() || "@%+=:,./-_!".contains(next);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\"'\"'"))
}
