//! The command line of the test runner.

use std::path::PathBuf;

use regex::Regex;

use super::result::Code;

/// The text of `--help`.
pub(super) const HELP: &str = include_str!("help.txt");

/// How much to show while tests run.
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

/// A command line.
#[derive(Clone, Debug)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "they mirror independent command-line flags"
)]
pub(super) struct Options {
    pub(super) paths: Vec<PathBuf>,
    pub(super) workers: usize,
    pub(super) timeout: Option<u64>,
    pub(super) features: Vec<String>,
    pub(super) tool_directories: Vec<PathBuf>,
    pub(super) tools: Vec<(String, PathBuf)>,
    pub(super) output_directory: Option<PathBuf>,
    pub(super) filter: Option<Regex>,
    pub(super) filter_out: Option<Regex>,
    pub(super) order: Order,
    pub(super) shard: Option<(usize, usize)>,
    pub(super) maximum_tests: Option<usize>,
    pub(super) maximum_failures: Option<usize>,
    /// Which results get a line.
    pub(super) results: Show,
    /// Which results get their output.
    pub(super) output: Show,
    pub(super) is_quiet: bool,
    pub(super) progress: Option<bool>,
    pub(super) shown_codes: Vec<Code>,
    pub(super) show_suites: bool,
    pub(super) show_tests: bool,
    pub(super) show_used_features: bool,
    pub(super) show_times: bool,
    pub(super) xunit: Option<PathBuf>,
    pub(super) ignores_failures: bool,
    pub(super) allows_empty_runs: bool,
    pub(super) no_execute: bool,
}

/// What the command line asks for.
#[derive(Debug)]
pub(super) enum Command {
    Help,
    Version,
    Run(Box<Options>),
}

impl Default for Options {
    fn default() -> Options {
        Options {
            paths: Vec::new(),
            workers: 0,
            timeout: None,
            features: Vec::new(),
            tool_directories: Vec::new(),
            tools: Vec::new(),
            output_directory: None,
            filter: None,
            filter_out: None,
            order: Order::Lexical,
            shard: None,
            maximum_tests: None,
            maximum_failures: None,
            results: Show::All,
            output: Show::Nothing,
            is_quiet: false,
            progress: None,
            shown_codes: Vec::new(),
            show_suites: false,
            show_tests: false,
            show_used_features: false,
            show_times: false,
            xunit: None,
            ignores_failures: false,
            allows_empty_runs: false,
            no_execute: false,
        }
    }
}

/// Options that take a value.
const WITH_VALUE: [&str; 16] = [
    "-j",
    "--threads",
    "--workers",
    "--timeout",
    "--feature",
    "--path",
    "--tool",
    "--output-directory",
    "--filter",
    "--filter-out",
    "--order",
    "--seed",
    "--num-shards",
    "--run-shard",
    "--max-tests",
    "--max-failures",
];

const WITH_FILE: [&str; 1] = ["--xunit-xml-output"];

/// Reads a command line. The error is one line for the user.
pub(super) fn parse(arguments: &[String]) -> Result<Command, String> {
    let mut options = Options::default();
    let mut shards = (None, None);
    let mut seed = 0;
    let mut is_random = false;
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        if !argument.starts_with('-') || argument == "-" {
            options.paths.push(argument.into());
            continue;
        }
        let (name, mut value) = match argument.split_once('=') {
            Some((name, value)) => (name, Some(value.to_owned())),
            None => (argument.as_str(), None),
        };
        let mut name = name;
        // `-j4` is `-j 4`.
        if let Some(count) = name.strip_prefix("-j")
            && !count.is_empty()
        {
            value = Some(count.to_owned());
            name = "-j";
        }
        if !WITH_VALUE.contains(&name) && !WITH_FILE.contains(&name) {
            if value.is_some() {
                return Err(format!("unknown option '{argument}'"));
            }
            match name {
                "-h" | "--help" => return Ok(Command::Help),
                "--version" => return Ok(Command::Version),
                "--shuffle" => is_random = true,
                _ => set_flag(&mut options, name)?,
            }
            continue;
        }
        let Some(value) = value.or_else(|| rest.next().cloned()) else {
            return Err(format!("option '{name}' needs a value"));
        };
        match name {
            "--num-shards" => shards.0 = Some(positive(name, &value)?),
            "--run-shard" => shards.1 = Some(positive(name, &value)?),
            "--seed" => seed = number(name, &value)? as u64,
            "--order" => match value.as_str() {
                "lexical" | "smart" => is_random = false,
                "random" => is_random = true,
                _ => return Err(format!("'{value}' is no order; there are: lexical, random")),
            },
            _ => set_value(&mut options, name, &value)?,
        }
    }
    if is_random {
        options.order = Order::Random(seed);
    }
    options.shard = match shards {
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
    Regex::new(value)
        .map(Some)
        .map_err(|error| format!("option '{name}': {error}"))
}

fn set_value(options: &mut Options, name: &str, value: &str) -> Result<(), String> {
    match name {
        "-j" | "--threads" | "--workers" => options.workers = positive(name, value)?,
        "--timeout" => options.timeout = Some(number(name, value)? as u64),
        "--feature" => options.features.push(value.to_owned()),
        "--path" => options.tool_directories.push(value.into()),
        "--tool" => match value.split_once('=') {
            Some((tool, path)) => options.tools.push((tool.to_owned(), path.into())),
            None => return Err(format!("option '--tool' needs NAME=PATH, not '{value}'")),
        },
        "--output-directory" => options.output_directory = Some(value.into()),
        "--filter" => options.filter = pattern(name, value)?,
        "--filter-out" => options.filter_out = pattern(name, value)?,
        "--max-tests" => options.maximum_tests = Some(positive(name, value)?),
        "--max-failures" => options.maximum_failures = Some(positive(name, value)?),
        _ => options.xunit = Some(value.into()),
    }
    Ok(())
}

fn set_flag(options: &mut Options, name: &str) -> Result<(), String> {
    match name {
        "-v" | "-vv" | "--verbose" => options.output = options.output.max(Show::Failed),
        "-a" | "--show-all" => options.output = Show::All,
        "-s" | "--succinct" => {
            options.results = Show::Failed;
            options.progress = Some(true);
        }
        "-q" | "--quiet" => {
            options.results = Show::Failed;
            options.is_quiet = true;
        }
        "--progress-bar" => options.progress = Some(true),
        "--no-progress-bar" => options.progress = Some(false),
        "--show-suites" => options.show_suites = true,
        "--show-tests" => options.show_tests = true,
        "--show-used-features" => options.show_used_features = true,
        "--time-tests" => options.show_times = true,
        "--ignore-fail" => options.ignores_failures = true,
        "--allow-empty-runs" => options.allows_empty_runs = true,
        "--no-execute" => options.no_execute = true,
        _ => {
            let code = name.strip_prefix("--show-").and_then(|word| {
                let name = word.to_ascii_uppercase();
                Code::ALL
                    .into_iter()
                    .find(|code| code.name() == name && !code.is_failure())
            });
            match code {
                Some(code) => options.shown_codes.push(code),
                None if name == "--show-xpass" => {}
                None => return Err(format!("unknown option '{name}'")),
            }
        }
    }
    Ok(())
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
                    --seed 7 --tool opt=/bin/opt"
            .replace("-sv", "-s -v");
        let Ok(Command::Run(options)) = parse(&words(&text)) else {
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
        ] {
            let message = parse(&words(text)).expect_err(text);
            assert!(message.contains(part), "{text}: {message}");
        }
    }
}
