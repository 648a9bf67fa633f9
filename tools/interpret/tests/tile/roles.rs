//! Random kernels whose operations are assigned to random agents keep their behaviour in every
//! order of the agents.

use std::collections::BTreeMap;

use orison_interpret::tile::Random;
use orison_ir::walk::collect;
use orison_ir::{Attribute, Context, Operation};

use crate::campaign::guarded;
use crate::generator::{plain, rich};
use crate::harness::Program;
use crate::random_loops::launch;

/// Kernels of each kind, and orders of each.
const PROGRAMS: u64 = 40;
const RUNS: u64 = 20;
const AGENT: &str = "nv_tile.aws.agent";
const AGENTS: &str = "nv_tile.aws.agents";
const NAMES: [&str; 5] = ["load", "mma", "softmax", "epilogue", "store"];

fn contains_loop(context: &Context, op: Operation) -> bool {
    collect(context, op)
        .iter()
        .any(|op| op.is(context, "scf.for"))
}

/// Whether an operation can be assigned: it is in a loop, in the function, or in a branch that
/// contains a loop, and contains no loop. Scalars are computed where they are needed: the
/// interpreter has no stages of scalars.
fn is_assignable(context: &Context, op: Operation) -> bool {
    let Some(parent) = op.parent_op(context) else {
        return false;
    };
    let copied = parent.is(context, "scf.for") || contains_loop(context, parent);
    let terminator = op.results(context).next().is_none()
        && (op.is(context, "scf.yield") || op.is(context, "nv_tileaa.return"));
    let scalar = op.results(context).next().is_some_and(|value| {
        let ty = value.ty(context);
        ty == orison_ir::Type::INDEX || ty.bit_width(context).is_some()
    });
    copied && !terminator && !scalar && !contains_loop(context, op)
}

/// Assigns half of the operations from the first loop on to random agents.
fn assign(program: &mut Program, random: &mut Random, agents: usize) {
    let all = collect(&program.context, program.operation);
    let context = &mut program.context;
    let mut in_region = false;
    for op in all {
        if op.is(context, "scf.for") {
            in_region = true;
            let list: Vec<Attribute> = (0..agents)
                .map(|agent| {
                    let name = NAMES[agent % NAMES.len()];
                    let name = Attribute::string(context, name);
                    Attribute::dictionary_of(context, &[("role", name)])
                })
                .collect();
            let list = Attribute::array(context, &list);
            op.set_attribute(context, AGENTS, list);
        } else if in_region && random.below(2) == 0 && is_assignable(context, op) {
            let agent = i32::try_from(random.below(agents)).expect("few");
            let agent = Attribute::i32(context, agent);
            op.set_attribute(context, AGENT, agent);
        }
    }
}

/// Lists two to `most` agents on each loop, assigns operations to them, and gives the kernel enough
/// warps.
pub fn list_agents(program: &mut Program, seed: u64, most: usize) {
    let mut random = Random::new(seed.wrapping_mul(31) + 7);
    let agents = 2 + random.below(most - 1);
    assign(program, &mut random, agents);
    let context = &mut program.context;
    for op in collect(context, program.operation) {
        if let Some(spec) = op.attribute(context, "nv_tileaa.kernel_spec") {
            let warps = i32::try_from(4 * agents).expect("few");
            let warps = Attribute::i32(context, warps);
            let spec = spec.with(context, "numWarps", warps);
            op.set_attribute(context, "nv_tileaa.kernel_spec", spec);
        }
    }
}

/// The kernel with its agents, or the reason why it has none.
fn materialized(text: &str, seed: u64, machine: &str, rotate: bool) -> Result<Program, String> {
    let mut program = Program::parse("random", text)?;
    list_agents(&mut program, seed, 4);
    program.transformed(&format!(
        "builtin.module(tileas-generate-schedule{{machine={machine} exact-work=10000}},tileas-materialize-schedule{{machine={machine} rotate={rotate}}},tileas-verify-pipelines)"
    ))
}

fn check(kernel: fn(u64) -> String, seeds: std::ops::Range<u64>) {
    let mut failures = Vec::new();
    let mut refused: BTreeMap<String, usize> = BTreeMap::new();
    let (mut compared, mut switches) = (0u64, 0u64);
    let cases = seeds.flat_map(|seed| [(seed, false), (seed, true)]);
    let count = cases.clone().count() as u64;
    for (seed, rotate) in cases {
        let text = kernel(seed);
        let machine = ["hopper", "blackwell"][usize::from(seed % 2 == 1)];
        let after = match guarded(|| materialized(&text, seed, machine, rotate)) {
            Ok(after) => after,
            // Rings that do not fit, and tiles whose address another agent needs.
            Err(error) if error.contains("error: ") && !error.contains("not valid") => {
                let reason = error.lines().next().unwrap_or_default();
                let reason: String = reason.chars().filter(|c| !c.is_ascii_digit()).collect();
                *refused.entry(reason).or_default() += 1;
                continue;
            }
            Err(error) => {
                failures.push(format!("seed {seed}, rotate={rotate}: {error}"));
                continue;
            }
        };
        if after.text().contains("agent_switch") {
            switches += 1;
        }
        let before = Program::parse("random", &text).expect("it was parsed before");
        let expected = before
            .run("f", &launch(), seed)
            .unwrap_or_else(|errors| panic!("{errors}\n{text}"));
        match after.interleave("f", &launch(), &expected, RUNS) {
            Ok(_) => compared += 1,
            Err(errors) => failures.push(format!("seed {seed}, rotate={rotate}: {errors}")),
        }
    }
    println!("{compared} compared, {switches} with agents, refused: {refused:#?}");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(compared * 10 >= count * 8, "{refused:#?}");
    assert!(switches * 10 >= count * 7, "{switches} of {count}");
}

#[test]
fn plain_kernels_in_random_agents_do_what_they_did() {
    check(plain, 0..PROGRAMS);
}

#[test]
fn rich_kernels_in_random_agents_do_what_they_did() {
    check(rich, 0..PROGRAMS);
}

#[test]
#[ignore = "takes minutes"]
fn many_kernels_in_random_agents_do_what_they_did() {
    check(plain, PROGRAMS..600);
    check(rich, PROGRAMS..600);
}
