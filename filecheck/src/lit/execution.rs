//! Running one test.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::condition;
use super::discovery::Test;
use super::result::{Code, TestResult};
use super::script::{self, Directive, Script};
use super::shell::{self, CommandResult, Environment, Shell};
use super::substitute::Substitutions;
use super::tools::Tools;

/// What all tests of a suite share.
#[derive(Debug)]
pub(crate) struct SuiteContext {
    pub(crate) tools: Tools,
    pub(crate) features: BTreeSet<String>,
    pub(crate) environment: BTreeMap<String, String>,
    pub(crate) output_root: PathBuf,
    /// Seconds a test may take; zero for no limit.
    pub(crate) timeout: u64,
    pub(crate) only_parse: bool,
}

/// A command of the script.
struct Step {
    label: String,
    command: String,
}

/// Runs a test.
pub(crate) fn execute(test: &Test, context: &SuiteContext) -> TestResult {
    let started = Instant::now();
    let mut result = execute_untimed(test, context);
    result.seconds = started.elapsed().as_secs_f64();
    result
}

fn execute_untimed(test: &Test, context: &SuiteContext) -> TestResult {
    let result = |code, output: String| TestResult::new(test, code, output);
    let text = match std::fs::read(test.source()) {
        Ok(text) => text,
        Err(error) => return result(Code::Unresolved, format!("cannot read the test: {error}\n")),
    };
    let script = match script::parse(&text) {
        Ok(script) => script,
        Err(message) => return result(Code::Unresolved, message + "\n"),
    };
    match conditions(&script, &context.features) {
        Err(message) => return result(Code::Unresolved, message + "\n"),
        Ok(Some(message)) => return result(Code::Unsupported, message + "\n"),
        Ok(None) => {}
    }
    if context.only_parse {
        return result(Code::Pass, String::new());
    }
    let directory = context
        .output_root
        .join(test.path.parent().unwrap_or(Path::new("")));
    let output_directory = directory.join("Output");
    if let Err(error) = std::fs::create_dir_all(&output_directory) {
        let path = output_directory.display();
        return result(Code::Unresolved, format!("cannot create {path}: {error}\n"));
    }
    let file_name = test
        .path
        .file_name()
        .map(|name| name.to_string_lossy().into_owned());
    let temporary = output_directory.join(file_name.unwrap_or_default() + ".tmp");
    let steps = match steps(test, &script, &temporary, context) {
        Ok(steps) => steps,
        Err(message) => return result(Code::Unresolved, message + "\n"),
    };
    let attempts = script.retries.unwrap_or(test.suite.retries) + 1;
    let mut last = None;
    for attempt in 1..=attempts {
        let (code, output) = attempt_once(test, &steps, &directory, context);
        let is_flaky = code == Code::Pass && attempt > 1;
        last = Some((if is_flaky { Code::FlakyPass } else { code }, output));
        if code != Code::Fail {
            break;
        }
    }
    let (code, output) = last.unwrap_or((Code::Unresolved, String::new()));
    result(expected(code, &script, &context.features), output)
}

/// Why a test is not to be run, if so.
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

/// The result in view of `XFAIL:`.
fn expected(code: Code, script: &Script, features: &BTreeSet<String>) -> Code {
    let is_expected_to_fail = script.expected_failures.iter().any(|expression| {
        expression == "*" || condition::evaluate(expression, features).unwrap_or(false)
    });
    match code {
        Code::Pass if is_expected_to_fail => Code::UnexpectedPass,
        Code::Fail if is_expected_to_fail => Code::ExpectedFail,
        other => other,
    }
}

fn steps(
    test: &Test,
    script: &Script,
    temporary: &Path,
    context: &SuiteContext,
) -> Result<Vec<Step>, String> {
    let configured = &test.suite.substitutions;
    let mut substitutions = Substitutions::new(configured, &test.source(), temporary);
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

fn attempt_once(
    test: &Test,
    steps: &[Step],
    directory: &Path,
    context: &SuiteContext,
) -> (Code, String) {
    let mut lines = Vec::with_capacity(steps.len());
    for step in steps {
        if step.command.is_empty() {
            lines.push(None);
            continue;
        }
        match shell::parse(&step.command) {
            Ok(line) => lines.push(Some(line)),
            Err(message) => {
                let (label, command) = (&step.label, &step.command);
                let output = format!("# shell parser error on {label}: {command}\n# {message}\n");
                return (Code::Unresolved, output);
            }
        }
    }
    let deadline =
        (context.timeout > 0).then(|| Instant::now() + Duration::from_secs(context.timeout));
    let shell = Shell {
        tools: &context.tools,
        deadline,
    };
    let mut variables = context.environment.clone();
    variables.insert("LIT_CURRENT_TESTCASE".to_owned(), test.name());
    let mut environment = Environment {
        directory: directory.to_path_buf(),
        variables,
        stack: Vec::new(),
    };
    let mut log = String::new();
    let mut code = 0;
    for (step, line) in steps.iter().zip(&lines) {
        let Some(line) = line else {
            log.push_str(&format!(
                "# {} has no command after substitutions\n",
                step.label
            ));
            continue;
        };
        log.push_str(&format!("# {}\n{}\n", step.label, step.command));
        let mut results = Vec::new();
        let outcome = shell::run(&shell, line, &mut environment, &mut results);
        results.iter().for_each(|result| describe(&mut log, result));
        match outcome {
            Ok(result) => code = result,
            Err(message) => {
                log.push_str(&format!("# error: {message}\n"));
                return (Code::Unresolved, log);
            }
        }
        if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
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

/// Puts the log into the frame lit gives it.
fn framed(text: &str) -> String {
    match text.split_once("\n\n") {
        Some((head, log)) if !log.is_empty() => {
            format!("{head}\n\nCommand Output (stdout):\n--\n{log}\n--\n")
        }
        _ => text.to_owned(),
    }
}

/// How much of a redirected file is shown.
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

/// The word as a shell would want it.
fn quoted(word: &str) -> String {
    let is_plain = |next: char| next.is_ascii_alphanumeric() || "@%+=:,./-_!".contains(next);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\"'\"'"))
}
