//! Kernels keep their behaviour when operations are divided into slices, before and after they become
//! agents.

use orison_interpret::tile::Random;
use orison_interpret::tile::kernel::Launch;
use orison_ir::Attribute;
use orison_ir::walk::collect;

use crate::examples::EXAMPLES;
use crate::generator::{plain, rich};
use crate::harness::Program;
use crate::random_loops::launch;

const SCHEDULE: &str = "tileas-generate-schedule{ejection-work=20000},tileas-verify-schedule";
const RUNS: u64 = 5;

/// The text with products of any extents, and broadcasts whose cost is not given for the whole.
fn divisible(text: &str) -> String {
    let costs =
        "tileas.schedule.latency = 2 : i32, tileas.schedule.resources = [array<i32: 7, 1, 1>]";
    let cost = "tileas.schedule.cost_of = \"nv_tileas.view\"";
    text.replace("\"wgmma_m64n8k16_f32_f16_f16\"", "\"simt\"")
        .replace(costs, cost)
}

/// Asks for slices of random extents at random operations; of loops, along the first axis.
fn mark(program: &mut Program, random: &mut Random) {
    let context = &mut program.context;
    for op in collect(context, program.operation) {
        let is_loop = op.is(context, "scf.for");
        let chance = if is_loop { 8 } else { 2 };
        if random.below(chance) > 0 {
            continue;
        }
        if is_loop {
            let count = Attribute::i32(context, 2);
            op.set_attribute(context, "sliceCount", count);
            continue;
        }
        let has_tile = op
            .results(context)
            .any(|value| value.ty(context).is_shaped(context));
        if has_tile || op.is(context, "nv_tileas.tiled_store") {
            let size = [1, 2, 3, 4, 8][random.below(5)];
            let size = Attribute::i32(context, size);
            op.set_attribute(context, "tileas.preferred_atom_size", size);
            let most = [1, 2, 2, 8][random.below(4)];
            let most = Attribute::i32(context, most);
            op.set_attribute(context, "tileas.max_num_slices_for_non_reduce_axis", most);
        }
    }
}

/// Counts of what was compared.
#[derive(Default, Debug)]
struct Counts {
    sliced: u64,
    agents: u64,
    unsupported: u64,
}

/// Divides a kernel and compares the memory that it leaves.
fn compare(
    text: &str,
    function: &str,
    launch: &Launch,
    seed: u64,
    counts: &mut Counts,
) -> Result<(), String> {
    let whole = Program::parse("kernel", text)?;
    let launch = &launch.with_memory_of(&whole.interpreter(), function);
    let expected = whole.run(function, launch, seed)?;
    let marked = || -> Result<Program, String> {
        let mut program = Program::parse("kernel", text)?;
        mark(&mut program, &mut Random::new(seed));
        Ok(program)
    };
    let sliced = match marked()?.transformed("builtin.module(tileas-slice)") {
        Ok(sliced) => sliced,
        Err(errors) if errors.contains("in Slicing pass") || errors.contains("in SlicingPass") => {
            counts.unsupported += 1;
            return Ok(());
        }
        Err(errors) => return Err(errors),
    };
    let found = sliced.interleave(function, launch, &expected, 1);
    found.map_err(|error| format!("{error}\n{}", sliced.text()))?;
    counts.sliced += 1;
    let pipeline = format!("builtin.module(tileas-slice,{SCHEDULE},tileas-materialize-schedule)");
    let agents = match marked()?.transformed(&pipeline) {
        Ok(agents) => agents,
        // Some kernels with branches have no agents.
        Err(errors) if errors.contains("cannot be materialized") => return Ok(()),
        Err(errors) => return Err(errors),
    };
    agents.interleave(function, launch, &expected, RUNS)?;
    counts.agents += 1;
    Ok(())
}

#[test]
fn random_slices_do_what_the_whole_did() {
    let mut failures = Vec::new();
    let mut counts = Counts::default();
    for seed in 0..36 {
        let text = if seed % 3 == 0 {
            rich(seed)
        } else {
            plain(seed)
        };
        let text = divisible(&text);
        if let Err(error) = compare(&text, "f", &launch(), seed, &mut counts) {
            failures.push(format!("seed {seed}: {error}"));
        }
    }
    println!("{counts:?}");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(counts.agents >= 30, "too few kernels: {counts:?}");
}

#[test]
fn examples_in_slices_do_what_they_did() {
    let mut failures = Vec::new();
    let mut counts = Counts::default();
    for (number, example) in EXAMPLES.iter().enumerate() {
        for round in 0..2 {
            let seed = 2 * number as u64 + round;
            let text = example.text();
            let launch = example.launch();
            if let Err(error) = compare(&text, example.function, &launch, seed, &mut counts) {
                failures.push(format!("{}, seed {seed}: {error}", example.name));
            }
        }
    }
    println!("{counts:?}");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
