//! Time per instruction of the machine-code analyses and of scoreboard assignment:
//! `cargo bench -p orison-schedule --bench sass`.
//!
//! Real kernels are concatenated until they have the required number of instructions. The result
//! must have no hazard; the run fails otherwise.

mod common;

use std::hint::black_box;
use std::time::{Duration, Instant};

use orison_sass::function::Function;
use orison_sass::listing;
use orison_schedule::dependences::DependenceGraph;
use orison_schedule::sass::facts::FunctionFacts;
use orison_schedule::sass::latency::LatencyModel;
use orison_schedule::sass::scoreboards::{Knobs, assign, strip};
use orison_schedule::sass::simulate::{Frequencies, simulate_with};

const KERNELS: [(&str, &str); 3] = [
    (
        "softmax.sm_90a",
        include_str!("../../dialects/sass/tests/real/softmax.sm_90a.sass"),
    ),
    (
        "splitk_matmul.sm_80",
        include_str!("../../dialects/sass/tests/real/splitk_matmul.sm_80.sass"),
    ),
    (
        "tma_matmul.sm_90a",
        include_str!("../../dialects/sass/tests/real/tma_matmul.sm_90a.sass"),
    ),
];

/// Minimum instructions of the measured functions.
const SIZES: [usize; 3] = [1, 10_000, 100_000];

fn main() {
    println!("nanoseconds an instruction; 'words' are made from nothing, 'all' is their time");
    println!(
        "{:<20} {:>12} {:>7} {:>7} {:>7} {:>9} {:>7} {:>9}",
        "kernel", "instructions", "blocks", "facts", "edges", "simulate", "words", "all"
    );
    for (name, text) in KERNELS {
        let listing = listing::parse(text).expect("a listing");
        let functions = listing.into_functions().expect("functions");
        let kernel = functions.first().expect("a function");
        for size in SIZES {
            measure(name, common::repeated(kernel, size));
        }
    }
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let clock = Instant::now();
    let made = black_box(work());
    (made, clock.elapsed())
}

fn measure(name: &str, mut function: Function<'_>) {
    let count = function.instructions().count();
    let model = LatencyModel::for_target(&function.target).expect("a model");
    let frequencies = Frequencies::of_loops(&function);
    let (facts, facts_time) = timed(|| FunctionFacts::new(&function, model));
    let (_, graph_time) = timed(|| DependenceGraph::of_function(&function, &facts, model));
    let (_, simulate_time) = timed(|| simulate_with(&function, &facts, model, &frequencies));
    strip(&mut function);
    let (_, words_time) = timed(|| assign(&mut function, model, &frequencies, &Knobs::default()));
    let facts = FunctionFacts::new(&function, model);
    let report = simulate_with(&function, &facts, model, &frequencies);
    assert!(report.hazards.is_empty(), "{name}: {}", report.hazards[0]);
    let each = |time: Duration| time.as_nanos() / count as u128;
    println!(
        "{name:<20} {count:>12} {:>7} {:>7} {:>7} {:>9} {:>7} {:>9.1?}",
        function.blocks.len(),
        each(facts_time),
        each(graph_time),
        each(simulate_time),
        each(words_time),
        words_time
    );
}
