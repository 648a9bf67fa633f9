//! Agents chosen with the schedule: an iteration executes in no more cycles than by default.

use orison_interpret::tile::timed::LoopTimes;
use orison_schedule::machine::MachineModel;

use crate::examples::{EXAMPLES, Example};
use crate::harness::Program;
use crate::timed::timed_on;

/// The most cycles of an iteration in an agent of a small form of an example; those of the whole run if the
/// loops are too short.
fn executed(example: &Example, machine: &str, model: &MachineModel, options: &str) -> f64 {
    let place = format!("{} ({machine}, {options})", example.name);
    let pipeline = format!(
        "builtin.module(tileas-generate-schedule{{machine={machine} {options}}},\
         tileas-materialize-schedule{{machine={machine}}},tileas-verify-pipelines)"
    );
    let program = Program::parse(example.name, example.text).expect("well-formed");
    let program = program.transformed(&pipeline);
    let program = program.unwrap_or_else(|errors| panic!("{place}: {errors}"));
    let record = timed_on(model, &program, example.function, &(example.launch)(16));
    let intervals = record.loops.iter().filter_map(LoopTimes::interval);
    intervals.reduce(f64::max).unwrap_or(record.cycles as f64)
}

fn check_examples(machine: &str, model: &MachineModel) {
    let mut faster = Vec::new();
    for example in EXAMPLES {
        let usual = executed(example, machine, model, "strategy=default");
        let joint = executed(example, machine, model, "strategy=joint joint-warps=16");
        let name = example.name;
        println!("{name} ({machine}): {joint} cycles, {usual} by default");
        assert!(
            joint <= usual,
            "{name} ({machine}): {joint} cycles, {usual} by default"
        );
        if joint < usual {
            faster.push(name);
        }
    }
    for name in ["attention", "two-gemms"] {
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
