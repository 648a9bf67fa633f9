//! The program `orison-lit`.

use std::io::{self, IsTerminal};
use std::path::PathBuf;

use super::discovery;
use super::json;
use super::listing;
use super::options::{self, Command, Options, Order, Show};
use super::output::{print, print_error};
use super::progress::Progress;
use super::report;
use super::result::{Code, SuiteResult, TestResult};
use super::run::{Plan, RunSettings, is_selected, worker_count};

/// Exit codes.
const PASSED: i32 = 0;
const FAILED: i32 = 1;
const INVALID: i32 = 2;

/// Runs the program with `arguments`, which do not include its name, and returns its exit code.
/// Programs are searched first in `own_directory`, the directory of the running program.
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
    settings.maximum_seconds = options.maximum_seconds;
    settings.retries = options.retries;
    settings.parameters.clone_from(&options.parameters);
    settings.expectations.clone_from(&options.expectations);
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
        print(&listing::list(options, &plan));
        return Ok(PASSED);
    }
    let selected = match select(options, &settings, &plan) {
        Ok(selected) => selected,
        Err(code) => return Ok(code),
    };
    let result = execute(options, &settings, &plan, &selected);
    write_reports(options, &result)?;
    Ok(exit_code(options, &plan, &result))
}

fn exit_code(options: &Options, plan: &Plan<'_>, result: &SuiteResult) -> i32 {
    if result.passed() {
        return PASSED;
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
        return PASSED;
    }
    FAILED
}

fn write_reports(options: &Options, result: &SuiteResult) -> Result<(), String> {
    let is_reported = |code: Code| {
        // With excluded tests left out, the reports of all shards can be joined.
        (options.shard.is_none() || code != Code::Excluded)
            && (!options.reports.only_failures || code.is_failure())
    };
    let mut reported = result.clone();
    reported.tests.retain(|test| is_reported(test.code));
    let write = |path: &Option<PathBuf>, text: fn(&SuiteResult) -> String| match path {
        Some(path) => std::fs::write(path, text(&reported))
            .map_err(|error| format!("cannot write {}: {error}", path.display())),
        None => Ok(()),
    };
    write(&options.reports.json, json::json)?;
    write(&options.reports.xunit, report::xunit)
}

/// Fisher-Yates shuffle with a small generator: the order only has to be repeatable.
fn shuffle<T>(items: &mut [T], seed: u64) {
    let mut state = seed ^ 0x9e37_79b9_7f4a_7c15;
    for index in (1..items.len()).rev() {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        items.swap(index, (state % (index as u64 + 1)) as usize);
    }
}

/// Selects the tests to run; an exit code if there is nothing to do.
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
        if !options.hides_notes {
            print_error(&format!(
                "orison-lit: note: Selecting shard {run}/{count} = size {size}/{all}\n"
            ));
        }
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
    if options.results > Show::Nothing || options.progress == Some(true) {
        print(&format!(
            "-- Testing: {count}{of_all} tests, {workers} workers --\n"
        ));
    }
    let is_terminal = io::stdout().is_terminal();
    let wants_bar = options.progress.unwrap_or(options.results < Show::All);
    let mut progress = Progress::new(count, wants_bar && is_terminal);
    let result = plan.run(selected, &mut |position, test| {
        progress.clear();
        tell(options, position + 1, count, test);
        if test.code.is_failure() {
            progress.fail();
        }
        progress.show(position + 1, &test.name());
    });
    progress.clear();
    if let Some(limit) = limit_reached(settings, &result) {
        print_error(&format!(
            "warning: reached {limit}, skipping remaining tests\n"
        ));
    }
    result.blessed.iter().for_each(|change| print(change));
    if options.show_times {
        print(&report::times(&result));
    }
    print(&report::summary(
        &result,
        &options.shown_codes,
        options.is_summary_short,
    ));
    result
}

/// Why the run ended before its last test, if so.
fn limit_reached(settings: &RunSettings, result: &SuiteResult) -> Option<&'static str> {
    let is_reached = |limit: usize| result.failures().count() >= limit;
    if settings.maximum_failures.is_some_and(is_reached) {
        return Some("maximum number of test failures");
    }
    let was_cut = settings.maximum_seconds.is_some() && result.count(Code::Skipped) > 0;
    was_cut.then_some("timeout")
}

fn tell(options: &Options, number: usize, count: usize, test: &TestResult) {
    let failed = test.code.is_failure();
    let wanted = |show: Show| match show {
        Show::Nothing => false,
        Show::Failed => failed,
        Show::All => true,
    };
    if !wanted(options.results) {
        return;
    }
    let shows_output = wanted(options.output);
    let name = test.name();
    let attempts = match (test.attempts, test.allowed_attempts) {
        (0 | 1, _) => String::new(),
        (attempts, allowed) => format!(", {attempts} of {allowed} attempts"),
    };
    let mut out = format!(
        "{}: {name} ({number} of {count}{attempts})\n",
        test.code.name()
    );
    if shows_output {
        let stars = "*".repeat(20);
        if failed {
            out.push_str(&format!("{stars} TEST '{name}' FAILED {stars}\n"));
        }
        out.push_str(&format!("{}\n{stars}\n", test.output));
    }
    print(&out);
}
