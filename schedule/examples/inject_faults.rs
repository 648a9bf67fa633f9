//! Makes faults in the control words of listings, one word at a time, and reports whether the simulator
//! detects each: `inject_faults [--each=N] [--longest=N] <listing>...`.
//!
//! In each function of at most `longest` instructions (2,000) that the simulator finds no hazard in, `each`
//! words (1) are chosen for each kind of fault, the same ones in every run. A line of the output is the listing,
//! the function, the address of the instruction in hexadecimal, the 21 bits of the new word, the kind of fault
//! and the number of hazards, separated by tabs. Whether the fault breaks anything is not judged here:
//! `tools/judge-latencies faults` reads these lines.

use std::process::ExitCode;

use orison_sass::control::{Barrier, BarrierSet, ControlLayout, ControlWord, Inline21, Stall};
use orison_sass::function::Function;
use orison_sass::listing;
use orison_schedule::sass::facts::FunctionFacts;
use orison_schedule::sass::latency::LatencyModel;
use orison_schedule::sass::simulate::hazards;

/// A way to change a control word: none if it does not have what is changed. The number chooses among
/// several.
type Change = fn(&ControlWord, usize) -> Option<ControlWord>;

const KINDS: [(&str, Change); 8] = [
    ("stall one less", |word, _| {
        let stall = word.stall.cycles().checked_sub(1)?;
        (stall > 0).then(|| with_stall(word, stall))
    }),
    ("stall of one", |word, _| {
        (word.stall.cycles() > 2).then(|| with_stall(word, 1))
    }),
    ("wait dropped", |word, number| {
        let waits: Vec<Barrier> = word.wait.iter().collect();
        let dropped = *waits.get(number.checked_rem(waits.len())?)?;
        let kept = waits.into_iter().filter(|barrier| *barrier != dropped);
        let wait: BarrierSet = kept.collect();
        Some(ControlWord { wait, ..*word })
    }),
    ("write barrier dropped", |word, _| {
        word.write_barrier?;
        Some(with_barriers(word, None, word.read_barrier))
    }),
    ("another write barrier", |word, number| {
        let other = another(word.write_barrier?, number);
        Some(with_barriers(word, Some(other), word.read_barrier))
    }),
    ("read barrier dropped", |word, _| {
        word.read_barrier?;
        Some(with_barriers(word, word.write_barrier, None))
    }),
    ("another read barrier", |word, number| {
        let other = another(word.read_barrier?, number);
        Some(with_barriers(word, word.write_barrier, Some(other)))
    }),
    ("barriers swapped", |word, _| {
        let swapped = with_barriers(word, word.read_barrier, word.write_barrier);
        (swapped != *word).then_some(swapped)
    }),
];

fn with_stall(word: &ControlWord, cycles: u8) -> ControlWord {
    let stall = Stall::at_most(cycles.into());
    ControlWord { stall, ..*word }
}

fn with_barriers(word: &ControlWord, write: Option<Barrier>, read: Option<Barrier>) -> ControlWord {
    ControlWord {
        write_barrier: write,
        read_barrier: read,
        ..*word
    }
}

/// One of the other five barriers.
fn another(barrier: Barrier, number: usize) -> Barrier {
    let mut others = Barrier::ALL.into_iter().filter(|other| *other != barrier);
    others.nth(number % 5).unwrap_or(barrier)
}

struct Options {
    each: usize,
    longest: usize,
}

fn main() -> ExitCode {
    let mut options = Options {
        each: 1,
        longest: 2000,
    };
    let mut files = Vec::new();
    for argument in std::env::args().skip(1) {
        let number = |text: &str| text.parse().ok();
        if let Some(each) = argument.strip_prefix("--each=").and_then(number) {
            options.each = each;
        } else if let Some(longest) = argument.strip_prefix("--longest=").and_then(number) {
            options.longest = longest;
        } else {
            files.push(argument);
        }
    }
    if files.is_empty() {
        eprintln!("usage: inject_faults [--each=N] [--longest=N] <listing>...");
        return ExitCode::FAILURE;
    }
    let mut code = ExitCode::SUCCESS;
    for file in &files {
        if let Err(error) = run(file, &options) {
            eprintln!("{error}");
            code = ExitCode::FAILURE;
        }
    }
    code
}

/// Prints the faults of a listing.
fn run(file: &str, options: &Options) -> Result<(), String> {
    let text = std::fs::read_to_string(file).map_err(|error| format!("{file}: error: {error}"))?;
    let listing = listing::parse(&text).map_err(|error| format!("{file}:{error}"))?;
    let functions = listing.into_functions();
    for function in functions.map_err(|error| format!("{file}:{error}"))? {
        let target = &function.target;
        let model = LatencyModel::for_target(target)
            .ok_or_else(|| format!("{file}: error: no model for '{target}'"))?;
        // Code that is right on all machines that run it has to stay so.
        let code_model = LatencyModel::for_code(target).unwrap_or(model);
        for model in [code_model, model] {
            let facts = FunctionFacts::new(&function, model);
            let is_short = facts.len() <= options.longest;
            if is_short && hazards(&function, &facts, model).is_empty() {
                inject(file, function, &facts, model, options);
                break;
            }
        }
    }
    Ok(())
}

fn inject(
    file: &str,
    mut function: Function<'_>,
    facts: &FunctionFacts,
    model: &LatencyModel,
    options: &Options,
) {
    let words: Vec<(u64, ControlWord)> = function
        .instructions()
        .map(|found| (found.address, found.control))
        .collect();
    let name = function.name.to_string();
    let mut state = name.bytes().fold(1, next);
    for (kind, change) in KINDS {
        let mut places: Vec<usize> = (0..words.len()).collect();
        places.retain(|place| change(&words[*place].1, 0).is_some());
        for _ in 0..options.each.min(places.len()) {
            state = next(state, 0);
            let place = places.swap_remove(state as usize % places.len());
            let (address, word) = words[place];
            let Some(fault) = change(&word, state as usize / 64) else {
                continue;
            };
            set(&mut function, place, fault);
            let found = hazards(&function, facts, model).len();
            set(&mut function, place, word);
            let bits = Inline21.encode(&fault).unwrap_or_default();
            println!("{file}\t{name}\t{address:x}\t{bits}\t{kind}\t{found}");
        }
    }
}

fn set(function: &mut Function<'_>, place: usize, word: ControlWord) {
    if let Some(found) = function.instructions_mut().nth(place) {
        found.control = word;
    }
}

/// A sequence of numbers that depends on all bytes so far.
fn next(state: u32, byte: u8) -> u32 {
    let mixed = (state ^ u32::from(byte)).wrapping_mul(0x9E37_79B1);
    mixed ^ mixed >> 15
}
