//! The command line of the test runner.

use std::path::PathBuf;

use regex::{Regex, RegexBuilder};

use super::expectation::Expectations;
use super::result::Code;

/// The text of `--help`.
pub(super) const HELP: &str = include_str!("help.txt");

/// How much output to show while tests run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Show {
    Nothing,
    #[default]
    Failed,
    All,
}

/// The order of tests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Order {
    #[default]
    Lexical,
    /// Shuffled, with this seed.
    Random(u64),
}

/// Files that receive results in machine-readable formats.
#[derive(Clone, Debug, Default)]
pub(super) struct Reports {
    pub(super) xunit: Option<PathBuf>,
    pub(super) json: Option<PathBuf>,
    pub(super) only_failures: bool,
}

/// A command line.
#[derive(Clone, Debug, Default)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "they mirror independent command-line flags"
)]
pub(super) struct Options {
    pub(super) paths: Vec<PathBuf>,
    pub(super) workers: usize,
    pub(super) timeout: Option<u64>,
    pub(super) retries: Option<usize>,
    pub(super) features: Vec<String>,
    pub(super) parameters: Vec<(String, String)>,
    pub(super) tool_directories: Vec<PathBuf>,
    pub(super) tools: Vec<(String, PathBuf)>,
    pub(super) output_directory: Option<PathBuf>,
    pub(super) filter: Option<Regex>,
    pub(super) filter_out: Option<Regex>,
    pub(super) expectations: Expectations,
    pub(super) order: Order,
    pub(super) shard: Option<(usize, usize)>,
    pub(super) maximum_tests: Option<usize>,
    pub(super) maximum_failures: Option<usize>,
    pub(super) maximum_seconds: Option<u64>,
    /// Which results are printed as a line.
    pub(super) results: Show,
    /// Which results are printed with their output.
    pub(super) output: Show,
    pub(super) hides_notes: bool,
    pub(super) is_summary_short: bool,
    pub(super) progress: Option<bool>,
    pub(super) shown_codes: Vec<Code>,
    pub(super) show_suites: bool,
    pub(super) show_tests: bool,
    pub(super) show_used_features: bool,
    pub(super) show_times: bool,
    pub(super) reports: Reports,
    pub(super) ignores_failures: bool,
    pub(super) allows_empty_runs: bool,
    pub(super) no_execute: bool,
}

/// The action that the command line requests.
#[derive(Debug)]
pub(super) enum Command {
    Help,
    Version,
    Run(Box<Options>),
}

/// Options that take a value.
const WITH_VALUE: [&str; 28] = [
    "-j",
    "--threads",
    "--workers",
    "-D",
    "--param",
    "-o",
    "--output",
    "--timeout",
    "--max-time",
    "--max-retries-per-test",
    "--feature",
    "--path",
    "--tool",
    "--output-directory",
    "--filter",
    "--filter-out",
    "--xfail",
    "--xfail-not",
    "--order",
    "--seed",
    "--num-shards",
    "--run-shard",
    "--max-tests",
    "--max-failures",
    "--test-output",
    "--print-result-after",
    "--diagnostic-level",
    "--xunit-xml-output",
];

/// One-letter flags, which may be combined.
const LETTERS: &str = "asqvh";

/// Reads a command line. The error is one line for the user.
pub(super) fn parse(arguments: &[String]) -> Result<Command, String> {
    let mut reader = Reader {
        options: Options {
            results: Show::All,
            output: Show::Nothing,
            ..Options::default()
        },
        ..Reader::default()
    };
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        if !argument.starts_with('-') || argument == "-" {
            reader.options.paths.push(argument.into());
            continue;
        }
        let (name, value) = split(argument);
        if WITH_VALUE.contains(&name) {
            let Some(value) = value.or_else(|| rest.next().cloned()) else {
                return Err(format!("option '{name}' needs a value"));
            };
            reader.value(name, &value)?;
            continue;
        }
        if value.is_some() {
            return Err(format!("unknown option '{argument}'"));
        }
        for flag in flags(name) {
            match flag.as_str() {
                "-h" | "--help" => return Ok(Command::Help),
                "--version" => return Ok(Command::Version),
                "--shuffle" => reader.is_random = true,
                _ => set_flag(&mut reader.options, &flag)?,
            }
        }
    }
    reader.finish()
}

/// Splits an option into its name and attached value: `--name=value`, `-j4`.
fn split(argument: &str) -> (&str, Option<String>) {
    if !argument.starts_with("--")
        && let Some((name, value)) = argument.split_at_checked(2)
        && WITH_VALUE.contains(&name)
    {
        let value = value.strip_prefix('=').unwrap_or(value);
        return (name, (!value.is_empty()).then(|| value.to_owned()));
    }
    match argument.split_once('=') {
        Some((name, value)) => (name, Some(value.to_owned())),
        None => (argument, None),
    }
}

/// Expands combined flags: `-sv` is `-s -v`.
fn flags(name: &str) -> Vec<String> {
    match name.strip_prefix('-') {
        Some(letters) if letters.chars().all(|letter| LETTERS.contains(letter)) => {
            letters.chars().map(|letter| format!("-{letter}")).collect()
        }
        _ => vec![name.to_owned()],
    }
}

/// The state while parsing a command line.
#[derive(Default)]
struct Reader {
    options: Options,
    shard_count: Option<usize>,
    shard: Option<usize>,
    seed: u64,
    is_random: bool,
}

impl Reader {
    fn value(&mut self, name: &str, value: &str) -> Result<(), String> {
        match name {
            "--num-shards" => self.shard_count = Some(positive(name, value)?),
            "--run-shard" => self.shard = Some(positive(name, value)?),
            "--seed" => self.seed = number(name, value)? as u64,
            "--order" => match value {
                "lexical" | "smart" => self.is_random = false,
                "random" => self.is_random = true,
                _ => return Err(format!("'{value}' is no order; there are: lexical, random")),
            },
            _ => set_value(&mut self.options, name, value)?,
        }
        Ok(())
    }

    fn finish(self) -> Result<Command, String> {
        let mut options = self.options;
        if self.is_random {
            options.order = Order::Random(self.seed);
        }
        options.shard = match (self.shard_count, self.shard) {
            (None, None) => None,
            (Some(count), Some(run)) if run <= count => Some((run, count)),
            (Some(_), Some(_)) => {
                return Err("--run-shard must be between 1 and --num-shards (inclusive)".to_owned());
            }
            _ => return Err("--num-shards and --run-shard must be used together".to_owned()),
        };
        if options.paths.is_empty() {
            return Err("no tests given; name files or directories".to_owned());
        }
        Ok(Command::Run(Box::new(options)))
    }
}

fn number(name: &str, value: &str) -> Result<usize, String> {
    value
        .parse()
        .map_err(|_| format!("option '{name}' needs a number, not '{value}'"))
}

fn positive(name: &str, value: &str) -> Result<usize, String> {
    match number(name, value)? {
        0 => Err(format!("option '{name}' needs a number above zero")),
        number => Ok(number),
    }
}

fn pattern(name: &str, value: &str) -> Result<Option<Regex>, String> {
    RegexBuilder::new(value)
        .case_insensitive(true)
        .build()
        .map(Some)
        .map_err(|error| format!("option '{name}': {error}"))
}

fn level(name: &str, value: &str) -> Result<Show, String> {
    match value {
        "off" => Ok(Show::Nothing),
        "failed" => Ok(Show::Failed),
        "all" => Ok(Show::All),
        _ => Err(format!(
            "option '{name}' is off, failed or all, not '{value}'"
        )),
    }
}

fn list(value: &str) -> impl Iterator<Item = String> {
    value
        .split(';')
        .filter(|item| !item.is_empty())
        .map(str::to_owned)
}

impl Options {
    /// Output is printed below the line of a result, so it implies that line.
    fn show_output(&mut self, show: Show) {
        self.output = show;
        self.results = self.results.max(show);
    }

    fn show_results(&mut self, show: Show) {
        self.results = show;
        self.output = self.output.min(show);
    }
}

fn set_value(options: &mut Options, name: &str, value: &str) -> Result<(), String> {
    match name {
        "-j" | "--threads" | "--workers" => options.workers = positive(name, value)?,
        "-D" | "--param" => {
            let (name, value) = value.split_once('=').unwrap_or((value, ""));
            options.parameters.push((name.to_owned(), value.to_owned()));
        }
        "-o" | "--output" => options.reports.json = Some(value.into()),
        "--timeout" => options.timeout = Some(number(name, value)? as u64),
        "--max-time" => options.maximum_seconds = Some(positive(name, value)? as u64),
        "--max-retries-per-test" => options.retries = Some(positive(name, value)?),
        "--feature" => options.features.push(value.to_owned()),
        "--path" => options.tool_directories.push(value.into()),
        "--tool" => match value.split_once('=') {
            Some((tool, path)) => options.tools.push((tool.to_owned(), path.into())),
            None => return Err(format!("option '--tool' needs NAME=PATH, not '{value}'")),
        },
        "--output-directory" => options.output_directory = Some(value.into()),
        "--filter" => options.filter = pattern(name, value)?,
        "--filter-out" => options.filter_out = pattern(name, value)?,
        "--xfail" => options.expectations.failing = list(value).collect(),
        "--xfail-not" => options.expectations.not_failing = list(value).collect(),
        "--max-tests" => options.maximum_tests = Some(positive(name, value)?),
        "--max-failures" => options.maximum_failures = Some(positive(name, value)?),
        "--test-output" => options.show_output(level(name, value)?),
        "--print-result-after" => options.show_results(level(name, value)?),
        "--diagnostic-level" => match value {
            "note" => options.hides_notes = false,
            "warning" | "error" => options.hides_notes = true,
            _ => {
                return Err(format!(
                    "option '{name}' is error, warning or note, not '{value}'"
                ));
            }
        },
        _ => options.reports.xunit = Some(value.into()),
    }
    Ok(())
}

fn set_flag(options: &mut Options, name: &str) -> Result<(), String> {
    match name {
        "-v" | "-vv" | "--verbose" | "--echo-all-commands" => options.show_output(Show::Failed),
        "-a" | "--show-all" => options.show_output(Show::All),
        "-s" | "--succinct" => {
            options.show_results(Show::Failed);
            options.progress = Some(true);
        }
        "-q" | "--quiet" => {
            options.show_results(Show::Failed);
            options.show_output(Show::Nothing);
            options.hides_notes = true;
            options.is_summary_short = true;
        }
        "--terse-summary" => options.is_summary_short = true,
        "--no-terse-summary" => options.is_summary_short = false,
        "--progress-bar" => options.progress = Some(true),
        "--no-progress-bar" => options.progress = Some(false),
        "--show-suites" => options.show_suites = true,
        "--show-tests" => options.show_tests = true,
        "--show-used-features" => options.show_used_features = true,
        "--time-tests" => options.show_times = true,
        // Test times are not recorded.
        "--skip-test-time-recording" => {}
        "--exclude-xfail" => options.expectations.are_excluded = true,
        "--report-failures-only" => options.reports.only_failures = true,
        "--ignore-fail" => options.ignores_failures = true,
        "--allow-empty-runs" => options.allows_empty_runs = true,
        "--no-execute" => options.no_execute = true,
        _ => match shown_code(name) {
            Some(code) => options.shown_codes.push(code),
            None => return Err(format!("unknown option '{name}'")),
        },
    }
    Ok(())
}

/// The results that `--show-…` lists; failures are always listed.
fn shown_code(name: &str) -> Option<Code> {
    let name = name.strip_prefix("--show-")?.to_ascii_uppercase();
    Code::ALL
        .into_iter()
        .find(|code| code.name() == name && (!code.is_failure() || *code == Code::UnexpectedPass))
}

#[cfg(test)]
mod tests {
    use super::{Code, Command, Order, Show, parse};

    fn words(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn options_are_read() {
        let text = "-sv -j4 a --filter=x b --num-shards 3 --run-shard=2 --show-xfail --shuffle \
                    --seed 7 --tool opt=/bin/opt -Dtarget=sm_90 --param other -oout.json \
                    --xfail=x.txt;y.txt --exclude-xfail --max-time 9 --report-failures-only";
        let Ok(Command::Run(options)) = parse(&words(text)) else {
            panic!("valid options")
        };
        assert_eq!(options.paths.len(), 2);
        assert_eq!(options.workers, 4);
        assert_eq!(options.shard, Some((2, 3)));
        assert_eq!(options.order, Order::Random(7));
        assert_eq!(
            (options.results, options.output),
            (Show::Failed, Show::Failed)
        );
        assert_eq!(options.shown_codes, [Code::ExpectedFail]);
        assert_eq!(options.tools[0].0, "opt");
        let parameters = [("target", "sm_90"), ("other", "")]
            .map(|(name, value)| (name.to_owned(), value.to_owned()));
        assert_eq!(options.parameters, parameters);
        assert_eq!(options.expectations.failing, ["x.txt", "y.txt"]);
        assert!(options.expectations.are_excluded && options.reports.only_failures);
        assert_eq!(options.maximum_seconds, Some(9));
        assert_eq!(options.reports.json, Some("out.json".into()));
    }

    #[test]
    fn broken_values_are_rejected() {
        for (text, expected) in [
            (
                "a --order=up",
                "'up' is no order; there are: lexical, random",
            ),
            (
                "a --num-shards=2 --run-shard=3",
                "--run-shard must be between 1 and --num-shards (inclusive)",
            ),
            (
                "a --num-shards=2",
                "--num-shards and --run-shard must be used together",
            ),
            (
                "a --run-shard=1",
                "--num-shards and --run-shard must be used together",
            ),
            ("-v", "no tests given; name files or directories"),
            ("a -j0", "option '-j' needs a number above zero"),
            ("a -jx", "option '-j' needs a number, not 'x'"),
            ("a --tool x", "option '--tool' needs NAME=PATH, not 'x'"),
            (
                "a --test-output=some",
                "option '--test-output' is off, failed or all, not 'some'",
            ),
            (
                "a --diagnostic-level=all",
                "option '--diagnostic-level' is error, warning or note, not 'all'",
            ),
        ] {
            assert_eq!(parse(&words(text)).err().as_deref(), Some(expected));
        }
        assert!(parse(&words("a --num-shards=2 --run-shard=2")).is_ok());
    }

    /// As in lit, the last option determines both lines and outputs.
    #[test]
    fn levels_follow_each_other() {
        for (text, results, output) in [
            ("a", Show::All, Show::Nothing),
            ("a -q -v", Show::Failed, Show::Failed),
            ("a -v -q", Show::Failed, Show::Nothing),
            ("a -a -s", Show::Failed, Show::Failed),
            ("a --print-result-after=off", Show::Nothing, Show::Nothing),
            (
                "a --print-result-after=off --test-output=all",
                Show::All,
                Show::All,
            ),
        ] {
            let Ok(Command::Run(options)) = parse(&words(text)) else {
                panic!("valid options: {text}")
            };
            assert_eq!(
                (options.results, options.output),
                (results, output),
                "{text}"
            );
        }
    }

    #[test]
    fn mistakes_are_told() {
        for (text, part) in [
            ("", "no tests given"),
            ("a --nope", "unknown option '--nope'"),
            ("a --filter", "option '--filter' needs a value"),
            ("a --filter=(", "regex parse error"),
            ("a -j0", "above zero"),
            ("a --run-shard=1", "must be used together"),
            ("a --run-shard=3 --num-shards=2", "inclusive"),
            ("a --order=odd", "no order"),
            ("a --tool=x", "needs NAME=PATH"),
            ("a --show-fail", "unknown option"),
            ("a -v=1", "unknown option '-v=1'"),
            ("a -sz", "unknown option '-sz'"),
            ("a --test-output=some", "off, failed or all"),
            ("a --diagnostic-level=some", "error, warning or note"),
            ("a --max-time=0", "above zero"),
        ] {
            let message = parse(&words(text)).expect_err(text);
            assert!(message.contains(part), "{text}: {message}");
        }
    }
}
