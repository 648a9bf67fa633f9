//! Strips the control words of listings, recomputes them, and compares:
//! `recompute_scoreboards [--o0] [--all] [--print] [--beam=N] [--strategies=N] [--words=DIRECTORY] <file or
//! directory>...`.
//!
//! For each directory entry, prints a line for each kernel that is slower than 1.05 of its original
//! (each kernel with `--all`), with `--print` the control words of both, too, then totals. With `--words` a
//! listing with the new words is written for each, which `tools/judge-latencies judge --words` reads; an
//! inserted instruction has an address that no other has. Exits with 1
//! if the simulator finds a hazard in the result, if the total is above 1.05, or a kernel above
//! 1.15 (not with `--o0`).

mod common;

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use orison_sass::control::{ControlLayout, Inline21};
use orison_sass::function::Function;
use orison_sass::listing;
use orison_schedule::sass::facts::FunctionFacts;
use orison_schedule::sass::latency::LatencyModel;
use orison_schedule::sass::scoreboards::{
    Knobs, SerialScheme, Summary, assign, assign_serial, strip,
};
use orison_schedule::sass::simulate::{Frequencies, hazards, simulate_with};

use common::files;

/// Maximum total of all kernels, in hundredths of the original.
const TOTAL_LIMIT: u64 = 105;
/// Maximum of a single kernel.
const KERNEL_LIMIT: u64 = 115;

#[derive(Default)]
struct Totals {
    functions: usize,
    instructions: usize,
    hazards: usize,
    errors: usize,
    before: u64,
    after: u64,
    slower: usize,
    faster: usize,
    above: usize,
    worst: f64,
    summary: Summary,
    time: Duration,
}

struct Options {
    words: Option<PathBuf>,
    serial: bool,
    all: bool,
    print: bool,
    knobs: Knobs,
}

fn main() -> ExitCode {
    let mut options = Options {
        words: None,
        serial: false,
        all: false,
        print: false,
        knobs: Knobs::default(),
    };
    let mut totals = Totals::default();
    for argument in std::env::args().skip(1) {
        match argument.as_str() {
            "--o0" => options.serial = true,
            "--all" => options.all = true,
            "--print" => options.print = true,
            path => {
                let number = |name: &str| path.strip_prefix(name)?.parse().ok();
                if let Some(directory) = path.strip_prefix("--words=") {
                    options.words = Some(PathBuf::from(directory));
                    continue;
                }
                if let Some(beam) = number("--beam=") {
                    options.knobs.beam = beam;
                    continue;
                }
                if let Some(strategies) = number("--strategies=") {
                    options.knobs.strategies = strategies;
                    continue;
                }
                for file in files(Path::new(path)) {
                    check_file(&file, &options, &mut totals);
                }
            }
        }
    }
    print(&totals);
    let slow = totals.above > 0 || totals.after * 100 > totals.before * TOTAL_LIMIT;
    if totals.hazards + totals.errors > 0 || slow && !options.serial {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    }
}

fn check_file(file: &Path, options: &Options, totals: &mut Totals) {
    let name = file.display().to_string();
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
            let mut words = String::new();
            for function in &functions {
                if let Some(made) = check_function(&name, function, options, totals) {
                    write_words(&mut words, &made);
                }
            }
            let file = file.file_name().map(Path::new);
            if let Some((directory, file)) = options.words.as_ref().zip(file)
                && let Err(error) = std::fs::write(directory.join(file), words)
            {
                eprintln!("{}: error: {error}", directory.display());
                totals.errors += 1;
            }
        }
    }
}

/// Adds a function to a listing of words: the lower halves are zero.
fn write_words(text: &mut String, function: &Function<'_>) {
    // Writing to a string cannot fail.
    let _ = writeln!(text, "\t.target\t{}", function.target);
    let _ = writeln!(text, "\t.section\t.text.{},\"ax\"", function.name);
    let mut last = 0;
    for found in function.instructions() {
        let address = match found.address {
            0 if last > 0 => last + 8,
            address => address,
        };
        last = address;
        let bits = Inline21.encode(&found.control).unwrap_or_default();
        let high = u64::from(bits) << 41;
        let _ = writeln!(
            text,
            "        /*{address:04x}*/ {found} ; /* 0x{:016x} */",
            0
        );
        let _ = writeln!(text, "        /* 0x{high:016x} */");
    }
}

/// The function with its new words; none if there is no model.
fn check_function<'a>(
    file: &str,
    function: &Function<'a>,
    options: &Options,
    totals: &mut Totals,
) -> Option<Function<'a>> {
    let target = &function.target;
    let models = LatencyModel::for_target(target).zip(LatencyModel::for_code(target));
    let Some((model, code_model)) = models else {
        eprintln!("{file}: error: no model for '{}'", function.target);
        totals.errors += 1;
        return None;
    };
    let frequencies = Frequencies::of_loops(function);
    let facts = FunctionFacts::new(function, model);
    let before = simulate_with(function, &facts, model, &frequencies);
    // Code for this machine alone arms no scoreboard where only the other machine needs one.
    let on_both = |found: &Function<'_>| {
        let facts = FunctionFacts::new(found, code_model);
        hazards(found, &facts, code_model)
    };
    let differ = function.instructions().filter(|found| {
        let is_variable = |model: &LatencyModel| {
            let class = model.class_of(found.mnemonic.text());
            model.class(class).is_variable()
        };
        is_variable(code_model) && !is_variable(model)
    });
    let (armed, bare): (Vec<_>, Vec<_>) =
        differ.partition(|found| !found.control.armed().is_empty());
    let code_model = match armed.len() >= bare.len() {
        true => code_model,
        false => model,
    };
    let mut made = function.clone();
    strip(&mut made);
    let start = Instant::now();
    if options.serial {
        assign_serial(&mut made, code_model, SerialScheme::Safe);
    } else {
        let summary = assign(&mut made, code_model, &frequencies, &options.knobs);
        totals.summary.add(&summary);
    }
    totals.time += start.elapsed();
    let facts = FunctionFacts::new(&made, model);
    let mut after = simulate_with(&made, &facts, model, &frequencies);
    if !std::ptr::eq(model, code_model) {
        after.hazards.extend(on_both(&made));
    }
    totals.functions += 1;
    totals.instructions += facts.len();
    totals.before += before.timing.cycles;
    totals.after += after.timing.cycles;
    let ratio = after.timing.cycles as f64 / before.timing.cycles.max(1) as f64;
    totals.worst = totals.worst.max(ratio);
    totals.slower += usize::from(ratio > 1.0);
    totals.faster += usize::from(ratio < 1.0);
    let above = after.timing.cycles * 100 > before.timing.cycles * KERNEL_LIMIT;
    totals.above += usize::from(above);
    if options.all || ratio > 1.05 && !options.serial {
        println!(
            "{ratio:.3} {file}: {} {:?} -> {:?}",
            function.name, before.timing.breakdown, after.timing.breakdown
        );
    }
    if options.print && (options.all || ratio > 1.05) {
        for (number, block) in made.blocks.iter().enumerate() {
            let (old, new) = (before.timing.blocks[number], after.timing.blocks[number]);
            let (times, cycles) = (old.frequency, [old.cycles, new.cycles]);
            println!("block {number}, {times} times: {cycles:?} cycles");
            let old = function.blocks.get(number).map(|block| &block.instructions);
            for (old, new) in old.into_iter().flatten().zip(&block.instructions) {
                println!("{} {} {new}", old.control, new.control);
            }
        }
    }
    totals.hazards += after.hazards.len();
    let instructions: Vec<_> = made.instructions().collect();
    for hazard in &after.hazards {
        let consumer = instructions[hazard.consumer as usize];
        let producer = instructions[hazard.producer as usize];
        println!(
            "{file}: {}: {:04x} {consumer} {}",
            function.name, consumer.address, consumer.control
        );
        println!("    {}: {hazard}", hazard.kind.name());
        println!(
            "    producer {:04x} {producer} {}",
            producer.address, producer.control
        );
    }
    drop(instructions);
    Some(made)
}

fn print(totals: &Totals) {
    println!(
        "{} functions, {} instructions: {} hazards, {} errors, {:.3} s",
        totals.functions,
        totals.instructions,
        totals.hazards,
        totals.errors,
        totals.time.as_secs_f64()
    );
    println!(
        "static cycles {} -> {}: {:.4}; worst kernel {:.3}, {} above 1.15, {} slower, {} faster",
        totals.before,
        totals.after,
        totals.after as f64 / totals.before.max(1) as f64,
        totals.worst,
        totals.above,
        totals.slower,
        totals.faster
    );
    println!("{:?}", totals.summary);
}
