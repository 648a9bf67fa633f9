//! Costs by shape, against the cycles that `costs/kernels.py` computes from public rates.

use std::collections::BTreeMap;

use orison_ir::pass::{PassRegistry, Pipeline, run_pipeline};
use orison_ir::{Context, Operation, PrintFlags, Source, parse_source, print_to_string};
use orison_schedule::machine::MachineModel;
use orison_schedule::tileas::loop_body::LoopBody;
use serde_json::Value;

/// The units of the script and their slots.
const UNITS: [(&str, &str); 7] = [
    ("L2", "tp_gnic_rd"),
    ("tensor core", "tc_and_mma"),
    ("shared memory", "tp_smem_rd"),
    ("MUFU", "xu"),
    ("FMA", "alu_or_fmaheavy"),
    ("ALU", "alu"),
    ("issue", "issue"),
];

fn kernels() -> Vec<Value> {
    let lines = include_str!("costs/kernels.jsonl").lines();
    lines
        .map(|line| serde_json::from_str(line).expect("a JSON line"))
        .collect()
}

fn parsed(text: &str) -> (Context, Operation) {
    let mut context = Context::new();
    orison_host::register(&mut context);
    orison_tileas::register(&mut context);
    context.allow_unregistered_dialects(true);
    let source = Source {
        name: "kernel.mlir",
        text,
        first_line: 1,
    };
    let module = parse_source(&mut context, source).expect("the kernel parses");
    (context, module)
}

fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value[key].as_str().expect("a text")
}

/// The expected cycles by unit.
fn expected(kernel: &Value) -> BTreeMap<&str, u64> {
    let cycles = kernel["cycles"].as_object().expect("cycles by unit");
    let cycles = cycles.iter();
    cycles
        .map(|(unit, cycles)| (unit.as_str(), cycles.as_u64().expect("cycles")))
        .collect()
}

#[test]
fn every_unit_is_held_as_long_as_the_public_rates_say() {
    for kernel in kernels() {
        let (context, module) = parsed(text(&kernel, "mlir"));
        let machine = MachineModel::by_name(text(&kernel, "machine")).expect("a model");
        let bodies = LoopBody::targets(&context, module);
        assert_eq!(bodies.len(), 1);
        let mut held: BTreeMap<u8, u64> = BTreeMap::new();
        for op in &bodies[0].operations {
            for held_slot in machine.cost(&context, *op, 8).uses {
                *held.entry(held_slot.slot).or_default() += u64::from(held_slot.duration);
            }
        }
        let expected = expected(&kernel);
        for (unit, slot) in UNITS {
            let number = machine.slot(slot).expect("a slot").number;
            let found = held.get(&number).copied().unwrap_or(0);
            let wanted = expected.get(unit).copied().unwrap_or(0);
            // The products of FMA and plain loads also issue, which the script does not count.
            let is_counted = expected.contains_key(unit) || unit != "issue";
            assert!(
                !is_counted || found == wanted,
                "{} {unit}: {found} instead of {wanted} cycles",
                text(&kernel, "name")
            );
        }
    }
}

#[test]
fn intervals_reach_the_bound_of_the_rates() {
    for kernel in kernels() {
        let (mut context, module) = parsed(text(&kernel, "mlir"));
        let mut registry = PassRegistry::default();
        orison_schedule::passes(&mut registry);
        let mut pipeline = Pipeline::on("builtin.module");
        registry
            .add_to_pipeline(&mut pipeline, "tileas-generate-schedule", "")
            .expect("the pass exists");
        run_pipeline(&mut context, &pipeline, module).expect("a schedule");
        let printed = print_to_string(&context, module, &PrintFlags::default());
        let number = |key: &str| -> u64 {
            let (_, rest) = printed.split_once(&format!("{key} = ")).expect("a summary");
            let end = rest.find(' ').expect("a type");
            rest[..end].parse().expect("a number")
        };
        let bound = expected(&kernel).into_values().max().expect("a unit");
        let name = text(&kernel, "name");
        println!("{name}: II {}, bound {bound}", number("ii"));
        assert_eq!(number("resource"), bound, "{name}");
        assert!(
            number("ii") * 100 <= bound * 101,
            "{name}: II {} above {bound}",
            number("ii")
        );
    }
}

#[test]
fn agents_with_fewer_warps_reach_less_of_each_unit() {
    let kernels = kernels();
    let attention = kernels
        .iter()
        .find(|kernel| text(kernel, "name").contains("attention"));
    let (context, module) = parsed(text(attention.expect("a kernel"), "mlir"));
    let bodies = LoopBody::targets(&context, module);
    let machine = MachineModel::hopper();
    let named = |name: &str| {
        let mut operations = bodies[0].operations.iter();
        let op = operations.find(|op| op.name_text(&context) == name);
        *op.expect("an operation")
    };
    let longest = |op: Operation, warps: u32| {
        let cost = machine.cost(&context, op, warps);
        cost.uses
            .iter()
            .map(|held| held.duration)
            .max()
            .expect("a use")
    };
    // 64 x 128 exponentials: 512 cycles of the SM's 16 a cycle, and of one partition's four 2,048.
    let exponential = named("cuda_tile.exp2");
    assert_eq!(
        [1, 2, 4, 8].map(|warps| longest(exponential, warps)),
        [2_048, 1_024, 512, 512]
    );
    // TMA and tensor cores do not depend on the number of warps that wait for them.
    for name in ["nv_tileas.tiled_load", "nv_tileas.dot"] {
        assert_eq!(longest(named(name), 1), longest(named(name), 8), "{name}");
    }
}
