//! Time of scheduling machine code: `tools/bench-schedule [--runs=5] [sizes… | directories…]`.
//!
//! Directories have PTX. Each file is compiled by `ptxas -O3`, and the functions of its machine code are scheduled,
//! in turn: the medians of both times, and their ratio. With sizes, or without arguments, functions of these many
//! instructions are scheduled, in several shapes, with the exponent of each step.
//!
//! The time of ptxas is its user time; that of scheduling is the processor time of what
//! `sass-schedule-instructions` does with a function, including its facts and control words, without
//! reading and writing text.

#[path = "../common/mod.rs"]
mod common;
mod ptxas;
mod shapes;

use std::borrow::Cow;
use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use orison_sass::function::Function;
use orison_sass::listing;
use orison_schedule::instructions::machine_code::{Options, schedule};
use orison_schedule::sass::latency::LatencyModel;
use orison_schedule::sass::scoreboards::{Knobs, assign};
use orison_schedule::sass::simulate::Frequencies;

use ptxas::Compiled;

/// Default number of runs.
const RUNS: usize = 5;
/// Default sizes of functions, in instructions.
const SIZES: [usize; 5] = [1_000, 3_000, 10_000, 30_000, 100_000];

fn main() -> ExitCode {
    let (mut runs, mut sizes, mut directories) = (RUNS, Vec::new(), Vec::new());
    for argument in std::env::args().skip(1).filter(|found| found != "--bench") {
        if let Some(number) = argument.strip_prefix("--runs=") {
            runs = number.parse().unwrap_or(RUNS).max(1);
        } else if let Ok(size) = argument.parse() {
            sizes.push(size);
        } else {
            directories.push(PathBuf::from(argument));
        }
    }
    if directories.is_empty() && sizes.is_empty() {
        sizes.extend(SIZES);
    }
    let done = compare(&directories, runs);
    if !sizes.is_empty() {
        scale(&sizes, runs);
    }
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bench-schedule: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The processor time that this thread has used; where the system does not tell, the time of day.
fn processor_time() -> Duration {
    let told = fs::read_to_string("/proc/thread-self/schedstat").ok();
    let spent = told.and_then(|text| text.split(' ').next()?.parse().ok());
    spent.map_or_else(
        || Instant::now().duration_since(*STARTED),
        Duration::from_nanos,
    )
}

static STARTED: std::sync::LazyLock<Instant> = std::sync::LazyLock::new(Instant::now);

/// The least time that is measured at once: the system counts processor time in ticks.
const LEAST: Duration = Duration::from_millis(20);

/// The time in which functions are scheduled once.
fn scheduling_time(functions: &[Function<'_>]) -> Duration {
    let mut spent = Duration::ZERO;
    let mut times = 0;
    while times == 0 || spent < LEAST {
        let mut copies: Vec<Function<'_>> = functions.iter().map(borrowed).collect();
        let start = processor_time();
        for function in &mut copies {
            if let Some(model) = LatencyModel::for_code(&function.target) {
                let frequencies = Frequencies::of_loops(function);
                let options = Options {
                    keeps_words: true,
                    ..Options::default()
                };
                black_box(schedule(function, model, &frequencies, &options));
            }
        }
        spent += processor_time() - start;
        times += 1;
    }
    spent / times
}

/// A function whose instructions belong to another one: for passes they belong to operations.
fn borrowed<'a>(function: &'a Function<'_>) -> Function<'a> {
    let mut copy = function.clone();
    for (copy, found) in copy.instructions_mut().zip(function.instructions()) {
        copy.instruction = Cow::Borrowed(&*found.instruction);
    }
    copy
}

fn median<T: Copy + PartialOrd>(mut values: Vec<T>) -> Option<T> {
    values.sort_by(|a, b| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal));
    values.get(values.len() / 2).copied()
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// Compares with ptxas on the PTX of directories.
fn compare(directories: &[PathBuf], runs: usize) -> Result<(), String> {
    let mut files: Vec<PathBuf> = directories.iter().flat_map(|path| ptx(path)).collect();
    files.sort();
    if files.is_empty() {
        return match directories {
            [] => Ok(()),
            _ => Err("no file ends with .ptx".to_owned()),
        };
    }
    let (mut sums, mut ratios) = ([Duration::ZERO; 2], Vec::new());
    println!("instructions  ptxas -O3, ms  schedule, ms   ratio  file");
    for file in &files {
        let (mut compiling, mut scheduling, mut count) = (Vec::new(), Vec::new(), 0);
        for _ in 0..runs {
            let Compiled { listing, user } = ptxas::compile(file)?;
            let functions = listing::parse(&listing).and_then(listing::Listing::into_functions);
            let functions = functions.map_err(|error| format!("{}: {error}", file.display()))?;
            count = functions
                .iter()
                .map(|found| found.instructions().count())
                .sum();
            compiling.push(user);
            scheduling.push(scheduling_time(&functions));
        }
        let times = [compiling, scheduling].map(|times| median(times).unwrap_or_default());
        let ratio = times[1].as_secs_f64() / times[0].as_secs_f64();
        ratios.push(ratio);
        sums = [sums[0] + times[0], sums[1] + times[1]];
        let [compiling, scheduling] = times.map(milliseconds);
        println!(
            "{count:>12} {compiling:>14.1} {scheduling:>13.2} {ratio:>7.3}  {}",
            file.display()
        );
    }
    let worst = ratios.iter().copied().fold(0.0, f64::max);
    println!(
        "{} files: ptxas -O3 {:.0} ms, schedule {:.0} ms: {:.3} of it; median {:.3}, worst {worst:.3}",
        files.len(),
        milliseconds(sums[0]),
        milliseconds(sums[1]),
        sums[1].as_secs_f64() / sums[0].as_secs_f64(),
        median(ratios).unwrap_or_default(),
    );
    Ok(())
}

/// The PTX files of a directory and its subdirectories.
fn ptx(path: &Path) -> Vec<PathBuf> {
    match fs::read_dir(path) {
        Ok(entries) => entries
            .flatten()
            .flat_map(|entry| ptx(&entry.path()))
            .collect(),
        Err(_) if path.extension().is_some_and(|end| end == "ptx") => vec![path.to_owned()],
        Err(_) => Vec::new(),
    }
}

/// Schedules functions of several shapes and sizes.
fn scale(sizes: &[usize], runs: usize) {
    println!(
        "shape                 instructions  blocks  schedule, ms  us an instruction  exponent"
    );
    for (shape, make) in shapes::ALL {
        let mut before: Option<(f64, f64)> = None;
        for size in sizes {
            let mut function = make(*size);
            if let Some(model) = LatencyModel::for_code(&function.target) {
                // Machine code has control words; those of ptxas have no hazard.
                let frequencies = Frequencies::of_loops(&function);
                assign(&mut function, model, &frequencies, &Knobs::default());
            }
            let count = function.instructions().count();
            let blocks = function.blocks.len();
            let functions = [function];
            let times = (0..runs).map(|_| scheduling_time(&functions)).collect();
            let time = milliseconds(median(times).unwrap_or_default());
            let now = (count as f64, time);
            let exponent = before.map(|(count, time)| (now.1 / time).ln() / (now.0 / count).ln());
            let exponent = exponent.map_or_else(String::new, |exponent| format!("{exponent:.2}"));
            let each = time * 1e3 / now.0;
            println!("{shape:<21} {count:>12} {blocks:>7} {time:>13.1} {each:>18.2} {exponent:>9}");
            before = Some(now);
        }
    }
}
