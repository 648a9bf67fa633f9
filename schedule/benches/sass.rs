//! Time per instruction of the machine-code analyses and of scoreboard assignment:
//! `cargo bench -p orison-schedule --bench sass`.
//!
//! Real kernels are concatenated until they have the required number of instructions. The result
//! must have no hazard; the run fails otherwise.

use std::hint::black_box;
use std::time::{Duration, Instant};

use orison_sass::function::{Edge, EdgeKind, Function};
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
            measure(name, repeated(kernel, size));
        }
    }
}

/// A function with at least this many instructions: copies of a kernel, where instructions that
/// ended one copy continue with the next.
fn repeated<'a>(kernel: &Function<'a>, size: usize) -> Function<'a> {
    let mut all = kernel.clone();
    let each = kernel.instructions().count();
    for _ in 1..size.div_ceil(each) {
        let first = all.blocks.len();
        let last_copy = first - kernel.blocks.len();
        for block in &mut all.blocks[last_copy..] {
            if block.successors.is_empty() {
                let kind = EdgeKind::FallThrough;
                block.successors.push(Edge { to: first, kind });
            }
        }
        for block in &kernel.blocks {
            let mut copy = block.clone();
            for edge in &mut copy.successors {
                edge.to += first;
            }
            copy.callee = copy.callee.map(|callee| callee + first);
            all.blocks.push(copy);
        }
    }
    all
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
