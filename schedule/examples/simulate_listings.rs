//! Simulates the output of `nvdisasm -c -hex`: `simulate_listings <file or directory>...`.
//!
//! Prints every hazard, and what was checked. Exits with 1 if a hazard was found or a file is not a
//! listing.

mod common;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use orison_sass::function::Function;
use orison_sass::listing;
use orison_schedule::sass::latency::LatencyModel;
use orison_schedule::sass::simulate::{Checked, Hazard, simulate};

use common::files;

/// The totals of all files.
#[derive(Default)]
struct Totals {
    files: usize,
    functions: usize,
    checked: Checked,
    hazards: usize,
    lints: BTreeMap<&'static str, usize>,
    kinds: BTreeMap<String, usize>,
    cycles: u64,
    errors: usize,
    time: Duration,
}

fn main() -> ExitCode {
    let mut totals = Totals::default();
    for argument in std::env::args().skip(1) {
        for file in files(Path::new(&argument)) {
            check_file(&file, &mut totals);
        }
    }
    print(&totals);
    if totals.hazards + totals.errors == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

fn check_file(file: &Path, totals: &mut Totals) {
    let name = file.display();
    totals.files += 1;
    let parsed = std::fs::read_to_string(file)
        .map_err(|error| format!("{name}: error: {error}"))
        .and_then(|text| {
            let listing = listing::parse(&text).map_err(|error| format!("{name}:{error}"))?;
            listing
                .into_functions()
                .map_err(|error| format!("{name}:{error}"))
        });
    match parsed {
        Err(error) => {
            eprintln!("{error}");
            totals.errors += 1;
        }
        Ok(functions) => {
            for function in &functions {
                check_function(&name.to_string(), function, totals);
            }
        }
    }
}

fn check_function(file: &str, function: &Function<'_>, totals: &mut Totals) {
    let Some(model) = LatencyModel::for_target(&function.target) else {
        eprintln!("{file}: error: no model for '{}'", function.target);
        totals.errors += 1;
        return;
    };
    let start = Instant::now();
    let report = simulate(function, model);
    totals.time += start.elapsed();
    totals.functions += 1;
    totals.checked.add(&report.checked);
    totals.cycles += report.timing.cycles;
    for lint in &report.lints {
        *totals.lints.entry(lint.kind.name()).or_default() += 1;
    }
    for hazard in &report.hazards {
        totals.hazards += 1;
        describe(file, function, hazard, totals);
    }
}

fn describe(file: &str, function: &Function<'_>, hazard: &Hazard, totals: &mut Totals) {
    let instructions: Vec<_> = function.instructions().collect();
    let (consumer, producer) = (
        instructions[hazard.consumer as usize],
        instructions[hazard.producer as usize],
    );
    println!(
        "{file}: {}: {:04x} {consumer}",
        function.name, consumer.address
    );
    println!("    {}: {hazard}", hazard.kind.name());
    println!(
        "    producer {:04x} {producer} {}",
        producer.address, producer.control
    );
    let kind = format!(
        "{} {} {} -> {}",
        function.target,
        hazard.kind.name(),
        producer.mnemonic.base(),
        consumer.mnemonic.base()
    );
    *totals.kinds.entry(kind).or_default() += 1;
}

fn print(totals: &Totals) {
    let checked = &totals.checked;
    println!(
        "{} files, {} functions, {} blocks, {} instructions, {} dependences under way, {} waits",
        totals.files,
        totals.functions,
        checked.blocks,
        checked.instructions,
        checked.dependences,
        checked.waits
    );
    println!(
        "{} hazards, {} errors, {} walks of blocks, {} static cycles, {:.3} s",
        totals.hazards,
        totals.errors,
        checked.walks,
        totals.cycles,
        totals.time.as_secs_f64()
    );
    for (name, count) in &totals.lints {
        println!("lint {name}: {count}");
    }
    for (name, count) in &totals.kinds {
        println!("{count:6} {name}");
    }
}
