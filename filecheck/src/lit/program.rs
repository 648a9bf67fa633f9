//! The program `orison-lit`.

use std::collections::BTreeSet;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;

use super::condition;
use super::discovery;
use super::options::{self, Command, Options, Order, Show};
use super::report;
use super::result::{SuiteResult, TestResult};
use super::run::{Plan, RunSettings, is_selected, worker_count};
use super::script;

/// Exit codes.
const PASSED: i32 = 0;
const FAILED: i32 = 1;
const INVALID: i32 = 2;

/// Runs the program with `arguments`, which do not include its name, and returns its exit code.
/// Programs are first looked for in `own_directory`, where the running program is.
pub fn main(arguments: &[String], own_directory: Option<PathBuf>) -> i32 {
    let options = match options::parse(arguments) {
        Ok(Command::Help) => {
            print(options::HELP);
            return PASSED;
        }
        Ok(Command::Version) => {
            print(&format!("orison-lit {}\n", env!("CARGO_PKG_VERSION")));
            return PASSED;
        }
        Ok(Command::Run(options)) => options,
        Err(message) => return invalid(&message),
    };
    match run(&options, own_directory) {
        Ok(code) => code,
        Err(message) => invalid(&message),
    }
}

fn print(text: &str) {
    // A reader that has gone away is no reason to change the exit code.
    let _ = io::stdout().write_all(text.as_bytes());
    let _ = io::stdout().flush();
}

fn print_error(text: &str) {
    let _ = io::stderr().write_all(text.as_bytes());
}

fn invalid(message: &str) -> i32 {
    print_error(&format!("orison-lit: error: {message}\n"));
    INVALID
}

fn settings(options: &Options, own_directory: Option<PathBuf>) -> RunSettings {
    let mut settings = RunSettings::new("");
    settings.paths.clone_from(&options.paths);
    settings
        .tool_directories
        .clone_from(&options.tool_directories);
    settings.tool_directories.extend(own_directory);
    settings.features.clone_from(&options.features);
    settings.filter.clone_from(&options.filter);
    settings.filter_out.clone_from(&options.filter_out);
    settings.workers = options.workers;
    settings.timeout = options.timeout;
    settings
        .output_directory
        .clone_from(&options.output_directory);
    settings.maximum_failures = options.maximum_failures;
    settings.only_parse = options.no_execute;
    for (name, path) in &options.tools {
        settings.tool(name, path);
    }
    settings
}

fn run(options: &Options, own_directory: Option<PathBuf>) -> Result<i32, String> {
    let settings = settings(options, own_directory);
    let mut tests = discovery::find(&settings.paths).map_err(|error| error.to_string())?;
    if tests.is_empty() {
        print_error("error: did not discover any tests for provided path(s)\n");
        return Ok(INVALID);
    }
    if let Order::Random(seed) = options.order {
        shuffle(&mut tests, seed);
        print(&format!("-- Order: random, --seed={seed} --\n"));
    }
    let plan = Plan::new(&settings, tests).map_err(|error| error.to_string())?;
    if options.show_suites || options.show_tests || options.show_used_features {
        list(options, &plan);
        return Ok(PASSED);
    }
    let selected = match select(options, &settings, &plan) {
        Ok(selected) => selected,
        Err(code) => return Ok(code),
    };
    let result = execute(options, &settings, &plan, &selected);
    if let Some(path) = &options.xunit {
        std::fs::write(path, report::xunit(&result))
            .map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    }
    if result.passed() {
        return Ok(PASSED);
    }
    if let Some(directory) = plan.temporary() {
        print_error(&format!(
            "\nOutputs of the tests are in {}\n",
            directory.display()
        ));
    }
    if options.ignores_failures {
        print_error(
            "\nExiting with status 0 instead of 1 because '--ignore-fail' was specified.\n",
        );
        return Ok(PASSED);
    }
    Ok(FAILED)
}

/// Fisher and Yates, with a small generator: the order only has to be repeatable.
fn shuffle<T>(items: &mut [T], seed: u64) {
    let mut state = seed ^ 0x9e37_79b9_7f4a_7c15;
    for index in (1..items.len()).rev() {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        items.swap(index, (state % (index as u64 + 1)) as usize);
    }
}

/// Which tests to run; an exit code if there is nothing to do.
fn select(options: &Options, settings: &RunSettings, plan: &Plan<'_>) -> Result<Vec<bool>, i32> {
    let mut selected: Vec<usize> = (0..plan.tests.len())
        .filter(|index| is_selected(settings, &plan.tests[*index].name()))
        .collect();
    if selected.is_empty() {
        let count = plan.tests.len();
        print_error(&format!(
            "error: filter did not match any tests (of {count} discovered).  "
        ));
        if options.allows_empty_runs {
            print_error("Suppressing error because '--allow-empty-runs' was specified.\n");
            return Err(PASSED);
        }
        print_error("Use '--allow-empty-runs' to suppress this error.\n");
        return Err(INVALID);
    }
    if let Some((run, count)) = options.shard {
        let all = selected.len();
        selected = selected.into_iter().skip(run - 1).step_by(count).collect();
        let size = selected.len();
        print_error(&format!(
            "note: Selecting shard {run}/{count} = size {size}/{all}\n"
        ));
        if selected.is_empty() {
            print_error(
                "warning: shard does not contain any tests.  Consider decreasing the number of \
                 shards.\n",
            );
            return Err(PASSED);
        }
    }
    selected.truncate(options.maximum_tests.unwrap_or(usize::MAX));
    let mut flags = vec![false; plan.tests.len()];
    selected.into_iter().for_each(|index| flags[index] = true);
    Ok(flags)
}

fn list(options: &Options, plan: &Plan<'_>) {
    let mut out = String::new();
    if options.show_suites {
        out.push_str("-- Test Suites --\n");
        for (root, context) in plan.suites() {
            let tests: Vec<_> = plan
                .tests
                .iter()
                .filter(|test| test.suite.root == root)
                .collect();
            let features: Vec<&str> = context.features.iter().map(String::as_str).collect();
            let name = tests.first().map_or("", |test| test.suite.name.as_str());
            out.push_str(&format!("  {name} - {} tests\n", tests.len()));
            out.push_str(&format!("    Source Root: {}\n", root.display()));
            out.push_str(&format!(
                "    Exec Root  : {}\n",
                context.output_root.display()
            ));
            out.push_str(&format!("    Available Features: {}\n", features.join(" ")));
        }
    }
    if options.show_tests {
        out.push_str("-- Available Tests --\n");
        plan.tests
            .iter()
            .for_each(|test| out.push_str(&format!("  {}\n", test.name())));
    }
    if options.show_used_features {
        let mut used = BTreeSet::new();
        for test in &plan.tests {
            let Ok(text) = std::fs::read(test.source()) else {
                continue;
            };
            let Ok(script) = script::parse(&text) else {
                continue;
            };
            let expressions = script
                .requires
                .iter()
                .chain(&script.unsupported)
                .chain(&script.expected_failures);
            used.extend(
                expressions
                    .filter(|text| *text != "*")
                    .flat_map(|text| condition::names(text)),
            );
        }
        let used: Vec<String> = used.into_iter().collect();
        out.push_str(&format!("{}\n", used.join(" ")));
    }
    print(&out);
}

fn execute(
    options: &Options,
    settings: &RunSettings,
    plan: &Plan<'_>,
    selected: &[bool],
) -> SuiteResult {
    let count = selected.iter().filter(|selected| **selected).count();
    let all = plan.tests.len();
    let of_all = if count == all {
        String::new()
    } else {
        format!(" of {all}")
    };
    let workers = worker_count(settings).min(count);
    print(&format!(
        "-- Testing: {count}{of_all} tests, {workers} workers --\n"
    ));
    let is_terminal = io::stdout().is_terminal();
    let shows_bar = options
        .progress
        .unwrap_or(is_terminal && options.results < Show::All)
        && is_terminal;
    let mut progress = Progress {
        shown: false,
        failed: false,
        count,
        enabled: shows_bar,
    };
    let result = plan.run(selected, &mut |position, test| {
        progress.clear();
        tell(options, position + 1, count, test);
        progress.failed |= test.code.is_failure();
        progress.show(position + 1, &test.name());
    });
    progress.clear();
    let stopped = settings
        .maximum_failures
        .is_some_and(|limit| result.failures().count() >= limit);
    if stopped {
        print_error("warning: reached maximum number of test failures, skipping remaining tests\n");
    }
    result.blessed.iter().for_each(|change| print(change));
    if options.show_times {
        print(&report::times(&result));
    }
    print(&report::summary(
        &result,
        &options.shown_codes,
        options.is_quiet,
    ));
    result
}

fn tell(options: &Options, number: usize, count: usize, test: &TestResult) {
    let failed = test.code.is_failure();
    let wanted = |show: Show| match show {
        Show::Nothing => false,
        Show::Failed => failed,
        Show::All => true,
    };
    let shows_output = wanted(options.output);
    if !wanted(options.results) && !shows_output {
        return;
    }
    let name = test.name();
    let mut out = format!("{}: {name} ({number} of {count})\n", test.code.name());
    if shows_output {
        let stars = "*".repeat(20);
        if failed {
            out.push_str(&format!("{stars} TEST '{name}' FAILED {stars}\n"));
        }
        out.push_str(&format!("{}\n{stars}\n", test.output));
    }
    print(&out);
}

/// A line at the bottom of the terminal.
struct Progress {
    shown: bool,
    failed: bool,
    count: usize,
    enabled: bool,
}

impl Progress {
    fn show(&mut self, done: usize, name: &str) {
        const WIDTH: usize = 30;
        if !self.enabled {
            return;
        }
        let filled = WIDTH * done / self.count.max(1);
        let color = if self.failed { "\x1b[31m" } else { "\x1b[32m" };
        let (bar, rest) = ("=".repeat(filled), " ".repeat(WIDTH - filled));
        let name: String = name.chars().take(60).collect();
        print(&format!(
            "\r[{color}{bar}{rest}\x1b[0m] {done}/{} {name}\x1b[K",
            self.count
        ));
        self.shown = true;
    }

    fn clear(&mut self) {
        if std::mem::take(&mut self.shown) {
            print("\r\x1b[K");
        }
    }
}
