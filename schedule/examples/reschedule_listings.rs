//! Reschedules the functions of listings within their blocks, and compares static cycles of what was given, of its
//! order with new control words, and of the new order:
//! `reschedule_listings [--all] [--loops] [--effort=N] <file or directory>...`.
//!
//! Prints tables with a row for each argument: of kernels, and of their innermost loops, of which an iteration counts
//! after the first, in which each block is executed once. `--all` prints each kernel, `--loops` each loop. Exits
//! with 1 if a result has a hazard or a wrong order.

mod common;

use std::cmp::Ordering;
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use orison_sass::function::Function;
use orison_sass::listing;
use orison_schedule::instructions::machine_code::{Options, model_of, schedule};
use orison_schedule::instructions::strategies::Settings;
use orison_schedule::sass::facts::FunctionFacts;
use orison_schedule::sass::latency::LatencyModel;
use orison_schedule::sass::simulate::{Frequencies, innermost_loops, simulate_with};
use orison_schedule::sass::verify::order::check_order;

use common::files;

/// Cycles of what was given, of its order with new control words, and of the new order.
type Versions = [u64; 3];

/// What is measured of a sort of code: kernels, or loops.
#[derive(Default)]
struct Totals {
    sums: Versions,
    /// New order by what was given, of each.
    ratios: Vec<f64>,
    /// How many are faster, as fast and slower than given.
    compared: [usize; 3],
}

/// The results of an argument.
#[derive(Default)]
struct Row {
    instructions: usize,
    hazards: usize,
    disorder: usize,
    kernels: Totals,
    loops: Totals,
    blocks: usize,
    time: Duration,
}

/// What to print, and how to schedule.
#[derive(Clone, Copy)]
struct Flags {
    all: bool,
    loops: bool,
    effort: u64,
}

fn main() -> ExitCode {
    let mut flags = Flags {
        all: false,
        loops: false,
        effort: 20_000,
    };
    let mut rows: Vec<(String, Row)> = Vec::new();
    for argument in std::env::args().skip(1) {
        match argument.as_str() {
            "--all" => flags.all = true,
            "--loops" => flags.loops = true,
            text => match text.strip_prefix("--effort=") {
                Some(number) => flags.effort = number.parse().unwrap_or(flags.effort),
                None => {
                    let mut row = Row::default();
                    for file in files(Path::new(text)) {
                        check_file(&file, flags, &mut row);
                    }
                    let name = Path::new(text).file_name().unwrap_or_default();
                    rows.push((name.to_string_lossy().into_owned(), row));
                }
            },
        }
    }
    print(&rows);
    let wrong = rows.iter().any(|(_, row)| row.hazards + row.disorder > 0);
    ExitCode::from(u8::from(wrong))
}

fn check_file(file: &Path, flags: Flags, row: &mut Row) {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    let Ok(functions) = listing::parse(&text).and_then(listing::Listing::into_functions) else {
        eprintln!("{}: error", file.display());
        return;
    };
    for function in functions {
        match LatencyModel::for_code(&function.target) {
            Some(model) if function.opaque().is_none() => {
                check_function(file, &function, model_of(&function, model), flags, row);
            }
            _ => {}
        }
    }
}

fn check_function(
    file: &Path,
    function: &Function<'_>,
    model: &LatencyModel,
    flags: Flags,
    row: &mut Row,
) {
    let frequencies = Frequencies::of_loops(function);
    let run = |keeps_words, moves| {
        let options = Options {
            settings: Settings {
                effort: flags.effort,
                ..Settings::default()
            },
            keeps_words,
            moves,
            ..Options::default()
        };
        let mut new = function.clone();
        let outcome = schedule(&mut new, model, &frequencies, &options);
        (new, outcome)
    };
    let (words, _) = run(false, false);
    let start = Instant::now();
    let (new, outcome) = run(true, true);
    row.time += start.elapsed();
    for finding in check_order(function, &new) {
        // Control words may need a NOP.
        if !finding.is_padding() {
            row.disorder += 1;
            println!("{} {}: {finding}", file.display(), function.name);
        }
    }
    let reports = [function, &words, &new].map(|version| {
        let facts = FunctionFacts::new(version, model);
        simulate_with(version, &facts, model, &frequencies)
    });
    let hazards = &reports[2].hazards;
    row.hazards += hazards.len();
    for hazard in hazards {
        println!("{} {}: {hazard}", file.display(), function.name);
    }
    row.instructions += function.instructions().count();
    row.blocks += outcome.blocks.len();
    let cycles = [0, 1, 2].map(|version| reports[version].timing.cycles);
    row.kernels.add(cycles);
    if flags.all {
        println!("{} {} {}", line(cycles), function.name, file.display());
    }
    for blocks in innermost_loops(function) {
        let steady = [0, 1, 2].map(|version| {
            let timed = &reports[version].timing.blocks;
            let steady = blocks.iter().map(|block| timed[*block].steady.total());
            steady.sum()
        });
        row.loops.add(steady);
        if flags.loops {
            let name = &function.name;
            println!("{} {name} loop {blocks:?} {}", line(steady), file.display());
        }
    }
}

/// The cycles of the versions, and the ratio of the last to the first.
fn line(versions: Versions) -> String {
    let [given, words, new] = versions;
    format!("{given:9} {words:9} {new:9} {:.3}", ratio(new, given))
}

fn ratio(new: u64, given: u64) -> f64 {
    new as f64 / given.max(1) as f64
}

impl Totals {
    fn add(&mut self, versions: Versions) {
        for (sum, cycles) in self.sums.iter_mut().zip(versions) {
            *sum += cycles;
        }
        let [given, _, new] = versions;
        self.ratios.push(ratio(new, given));
        let compared = match new.cmp(&given) {
            Ordering::Less => 0,
            Ordering::Equal => 1,
            Ordering::Greater => 2,
        };
        self.compared[compared] += 1;
    }

    /// The ratio below which a share of them is.
    fn quantile(&self, share: f64) -> f64 {
        let mut sorted = self.ratios.clone();
        sorted.sort_by(f64::total_cmp);
        let place = share * sorted.len().saturating_sub(1) as f64;
        sorted.get(place.round() as usize).copied().unwrap_or(1.0)
    }

    /// The columns that kernels and loops have in common.
    fn columns(&self) -> String {
        let [given, words, new] = self.sums;
        let logarithms: f64 = self.ratios.iter().map(|ratio| ratio.ln()).sum();
        let mean = (logarithms / self.ratios.len().max(1) as f64).exp();
        let [faster, same, slower] = self.compared;
        format!(
            "{given} | {:.3} | {:.3} | {mean:.3} | {:.3} | {:.3} | {:.3} | {:.3} | {faster} | {same} | {slower} |",
            ratio(words, given),
            ratio(new, given),
            self.quantile(0.0),
            self.quantile(0.1),
            self.quantile(0.5),
            self.quantile(1.0),
        )
    }
}

/// The names of those columns: ratios of new words and of the new order to what was given.
const COLUMNS: &str =
    "given | words | scheduled | mean | best | 10 % | median | worst | faster | as fast | slower |";
const RULES: &str = "--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|";

fn print(rows: &[(String, Row)]) {
    println!("| code | kernels | instructions | hazards, wrong orders | {COLUMNS}");
    println!("|---|--:|--:|--:|{RULES}");
    for (name, row) in rows {
        let (kernels, instructions) = (row.kernels.ratios.len(), row.instructions);
        let wrong = row.hazards + row.disorder;
        let columns = row.kernels.columns();
        println!("| {name} | {kernels} | {instructions} | {wrong} | {columns}");
    }
    println!("\n| code | innermost loops | {COLUMNS}");
    println!("|---|--:|{RULES}");
    for (name, row) in rows {
        let loops = row.loops.ratios.len();
        println!("| {name} | {loops} | {}", row.loops.columns());
    }
    let time: Duration = rows.iter().map(|(_, row)| row.time).sum();
    let instructions: usize = rows.iter().map(|(_, row)| row.instructions).sum();
    let blocks: usize = rows.iter().map(|(_, row)| row.blocks).sum();
    println!(
        "\n{blocks} blocks have a new order; {time:.2?}, {:.1} us an instruction",
        time.as_secs_f64() * 1e6 / instructions.max(1) as f64
    );
}
