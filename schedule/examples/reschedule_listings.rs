//! Reschedules the functions of listings within their blocks, and compares static cycles:
//! `reschedule_listings [--all] [--effort=N] <file or directory>...`.

mod common;

use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use orison_sass::listing;
use orison_schedule::instructions::machine_code::{Options, schedule};
use orison_schedule::instructions::strategies::Settings;
use orison_schedule::sass::facts::FunctionFacts;
use orison_schedule::sass::latency::LatencyModel;
use orison_schedule::sass::simulate::{Frequencies, hazards, simulate_with};
use orison_schedule::sass::verify::order::check_order;

use common::files;

#[derive(Default)]
struct Totals {
    functions: usize,
    instructions: usize,
    hazards: usize,
    disorder: usize,
    original: u64,
    before: u64,
    after: u64,
    worst: f64,
    above: usize,
    changed: usize,
    time: Duration,
}

fn main() -> ExitCode {
    let mut totals = Totals::default();
    let (mut all, mut effort) = (false, 20000);
    for argument in std::env::args().skip(1) {
        if argument == "--all" {
            all = true;
        } else if let Some(number) = argument.strip_prefix("--effort=") {
            effort = number.parse().unwrap_or(effort);
        } else {
            for file in files(Path::new(&argument)) {
                check_file(&file, all, effort, &mut totals);
            }
        }
    }
    println!(
        "{} functions, {} instructions, {} hazards, {} orders: original {}, words {} ({:.3}), scheduled {} ({:.3}); worst {:.3}, {} above 1.02; {} blocks changed; {:.2?} ({:.1} us an instruction)",
        totals.functions,
        totals.instructions,
        totals.hazards,
        totals.disorder,
        totals.original,
        totals.before,
        totals.before as f64 / totals.original as f64,
        totals.after,
        totals.after as f64 / totals.original as f64,
        totals.worst,
        totals.above,
        totals.changed,
        totals.time,
        totals.time.as_secs_f64() * 1e6 / totals.instructions as f64,
    );
    ExitCode::from(u8::from(totals.hazards > 0))
}

fn check_file(file: &Path, all: bool, effort: u64, totals: &mut Totals) {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    let Ok(functions) = listing::parse(&text).and_then(listing::Listing::into_functions) else {
        eprintln!("{}: error", file.display());
        return;
    };
    for function in functions {
        let Some(model) = LatencyModel::for_code(&function.target) else {
            continue;
        };
        if function.opaque().is_some() {
            continue;
        }
        let frequencies = Frequencies::of_loops(&function);
        let facts = FunctionFacts::new(&function, model);
        let original = simulate_with(&function, &facts, model, &frequencies)
            .timing
            .cycles;
        let mut new = function.clone();
        let settings = Settings {
            effort,
            ..Settings::default()
        };
        let start = Instant::now();
        let options = Options {
            settings,
            keeps_words: true,
            ..Options::default()
        };
        let outcome = schedule(&mut new, model, &frequencies, &options);
        totals.time += start.elapsed();
        for finding in check_order(&function, &new) {
            totals.disorder += 1;
            println!("{} {}: {finding}", file.display(), function.name);
        }
        let facts = FunctionFacts::new(&new, model);
        let found = hazards(&new, &facts, model);
        totals.functions += 1;
        totals.instructions += facts.len();
        totals.hazards += found.len();
        totals.original += original;
        totals.before += outcome.before;
        totals.after += outcome.after;
        totals.changed += outcome.blocks.len();
        let ratio = outcome.after as f64 / original as f64;
        totals.worst = totals.worst.max(ratio);
        totals.above += usize::from(ratio > 1.02);
        if all || ratio > 1.02 || !found.is_empty() {
            println!(
                "{:.3} {:.3} {} {} {} hazards={} {}",
                ratio,
                outcome.before as f64 / original as f64,
                original,
                facts.len(),
                function.name,
                found.len(),
                file.display()
            );
        }
    }
}
