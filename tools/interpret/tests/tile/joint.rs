//! Agents chosen with the schedule: an iteration executes in no more cycles than by default.

use orison_interpret::tile::timed::LoopTimes;
use orison_schedule::machine::MachineModel;

use crate::examples::{EXAMPLES, Example};
use crate::harness::Program;
use crate::timed::timed_on;

/// The most cycles of an iteration in an agent of an example with 16 iterations, and these divided by the
/// interval of the schedule.
fn executed(example: &Example, machine: &str, model: &MachineModel, options: &str) -> (f64, f64) {
    let place = format!("{} ({machine}, {options})", example.name);
    let pipeline = format!(
        "builtin.module(tileas-generate-schedule{{machine={machine} {options}}},\
         tileas-materialize-schedule{{machine={machine}}},tileas-verify-pipelines)"
    );
    // Blocks of `attention-causal` have one iteration more than the one before, and the first is timed;
    // halves of its tiles need twice as many tiles of the same memory.
    let row = "%row = nv_tileaa.get_program_id axis 0";
    let (text, tiles) = match example.name {
        "attention-causal" => (
            example
                .text
                .replace(row, "%row = arith.constant 15 : index"),
            32,
        ),
        _ => (example.text.to_owned(), 16),
    };
    let program = Program::parse(example.name, &text).expect("well-formed");
    let program = program.transformed(&pipeline);
    let program = program.unwrap_or_else(|errors| panic!("{place}: {errors}"));
    let record = timed_on(model, &program, example.function, &(example.launch)(tiles));
    let most = |of: fn(&LoopTimes) -> Option<f64>| {
        let all = record.loops.iter().filter_map(of);
        all.reduce(f64::max).expect("enough iterations")
    };
    (most(LoopTimes::interval), most(LoopTimes::ratio))
}

/// Examples whose agents execute the interval of the schedule. `layer-norm` and `attention-backward` are bound
/// by registers, `tcgen05-gemm` on Hopper by the wait of a synchronous product; `persistent-gemm` starts its loop
/// again for each tile.
const REACHED: [&str; 7] = [
    "attention",
    "attention-causal",
    "two-gemms",
    "gemm",
    "gemm-epilogue",
    "grouped-gemm",
    "split-k",
];

fn check_examples(machine: &str, model: &MachineModel) {
    let mut faster = Vec::new();
    // The arguments of the convolution are those of its small tiles; its loop is that of `gemm`.
    let known = |example: &&Example| example.name != "convolution";
    for example in EXAMPLES.iter().filter(known) {
        let (usual, _) = executed(example, machine, model, "strategy=default");
        let (joint, ratio) = executed(example, machine, model, "strategy=joint joint-warps=16");
        let name = example.name;
        assert!(
            ratio <= 1.02 || !REACHED.contains(&name),
            "{name} ({machine}): {ratio} of the interval"
        );
        println!("{name} ({machine}): {joint} cycles, {usual} by default");
        assert!(
            joint <= usual,
            "{name} ({machine}): {joint} cycles, {usual} by default"
        );
        if joint < usual {
            faster.push(name);
        }
    }
    for name in ["attention", "attention-causal", "two-gemms"] {
        assert!(faster.contains(&name), "{machine}: {name} is not faster");
    }
}

#[test]
fn examples_do_not_take_longer_than_by_default_on_hopper() {
    check_examples("hopper", MachineModel::hopper());
}

#[test]
fn examples_do_not_take_longer_than_by_default_on_blackwell() {
    check_examples("blackwell", MachineModel::blackwell());
}
