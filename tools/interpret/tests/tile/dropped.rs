//! Every wait, release, commit and barrier of materialized kernels, dropped one at a time: the
//! verifiers or the interpreter notice each. So none of them is redundant.

use std::collections::{BTreeMap, BTreeSet};

use orison_ir::walk::collect;
use orison_ir::{Attribute, Context, Operation, OperationName, OperationState, Value};
use orison_tileas::nv_tileas::AgentSwitch;

use orison_interpret::tile::kernel::{Argument, Launch};
use orison_interpret::tile::memory::Memory;

use crate::examples::EXAMPLES;
use crate::faults::IN_PLACE;
use crate::generator::{plain, rich};
use crate::harness::Program;

/// Orders tried before a fault counts as missed.
const RUNS: u64 = 40;
/// Random kernels of each kind in every test run, and in the whole campaign.
const SAMPLE: u64 = 3;
const KERNELS: u64 = 60;

/// The strategies: several agents, with iterations that overlap inside them, and that do not, one
/// agent, and two compute agents (of which a kernel has at most as many as the heuristic permits),
/// on 12 warps.
const STRATEGIES: [(&str, &str); 4] = [
    ("specialized", "use-dual-simt=false"),
    ("sequential", "use-dual-simt=false rotate=false"),
    ("unspecialized", "pipeline-strategy=unspecialized"),
    ("dual", "use-dual-simt=true"),
];
const MACHINES: [&str; 2] = ["hopper", "blackwell"];

/// A change of a kernel that must be noticed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Fault {
    /// The operation is removed. Where it has a result, a token without a stage takes its place.
    Drop,
    /// A slot less, in the pipeline alone.
    FewerStages,
    /// A slot less, in its storage alone.
    SmallerStorage,
    /// The last agent starts at the warps of the first.
    SharedWarps,
}

/// The faults of an operation.
fn faults_of(context: &Context, op: Operation) -> Vec<Fault> {
    let name = op.name_text(context);
    let name = name.strip_prefix("nv_tileas.async.").unwrap_or_default();
    match name {
        "wait"
        | "future_wait"
        | "pipeline.producer_acquire"
        | "pipeline.producer_commit"
        | "pipeline.consumer_wait"
        | "pipeline.consumer_release" => vec![Fault::Drop],
        "pipeline.create_pipeline" if op.operand_count(context) > 0 => {
            vec![Fault::FewerStages, Fault::SmallerStorage]
        }
        "pipeline.agent_switch" if op.region_count(context) > 1 => vec![Fault::SharedWarps],
        _ => Vec::new(),
    }
}

fn inject(context: &mut Context, op: Operation, fault: Fault) {
    match fault {
        Fault::Drop => drop_operation(context, op),
        Fault::FewerStages => {
            let stages = op.attribute(context, "numStages");
            let stages = stages
                .and_then(|stages| stages.as_i32(context))
                .unwrap_or(1);
            let fewer = Attribute::i32(context, stages - 1);
            op.set_attribute(context, "numStages", fewer);
        }
        Fault::SmallerStorage => {
            let ring = op.operand(context, 0);
            crate::faults::resize(context, ring, |shape| shape[0] -= 1);
        }
        Fault::SharedWarps => {
            let mut starts = AgentSwitch(op).warp_id(context).unwrap_or_default();
            if let [first, .., last] = starts.as_mut_slice() {
                *last = *first;
            }
            let starts = Attribute::i32_array(context, &starts);
            op.set_attribute(context, "warp_id", starts);
        }
    }
}

fn drop_operation(context: &mut Context, op: Operation) {
    if op.result_count(context) > 0 {
        let null = OperationName::new(context, "nv_tileas.async.pipeline.create_null_token");
        let mut state = OperationState::new(null, op.location(context));
        state.result_types = [op.result(context, 0).ty(context)].as_slice().into();
        let null = Operation::create(context, &state);
        if let Some(block) = op.block(context) {
            block.insert_before(context, Some(op), null);
        }
        let by: Value = null.result(context, 0);
        let uses: Vec<_> = op.result(context, 0).uses(context).collect();
        for usage in uses {
            usage.owner.set_operand(context, usage.operand, by);
        }
    }
    op.erase(context);
}

/// Materialized kernels with what they do.
struct Victim {
    name: String,
    function: &'static str,
    text: String,
    /// Launches with several numbers of iterations, and the memory that each leaves.
    launches: Vec<(Launch, Memory)>,
}

#[derive(Default)]
struct Report {
    found: BTreeMap<(Fault, String), usize>,
    missed: Vec<String>,
    kernels: usize,
    known: BTreeSet<String>,
}

impl Report {
    /// All forms of a kernel.
    fn kernel(&mut self, name: &str, function: &'static str, text: &str, launches: &[Launch]) {
        let before = Program::parse(name, text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let run = |launch: &Launch| {
            let expected = before.run(function, launch, 0);
            let expected = expected.unwrap_or_else(|errors| panic!("{name}: {errors}"));
            (launch.clone(), expected)
        };
        let launches: Vec<(Launch, Memory)> = launches.iter().map(run).collect();
        for (strategy, option) in STRATEGIES {
            for machine in MACHINES {
                let text = match strategy {
                    "dual" => text.replace("numWarps = 8", "numWarps = 12"),
                    _ => text.to_owned(),
                };
                let pipeline = format!(
                    "builtin.module(tileas-generate-schedule{{machine={machine} exact-work=100000}},tileas-materialize-schedule{{machine={machine} {option}}},tileas-verify-pipelines)"
                );
                let after = Program::parse(name, &text).and_then(|p| p.transformed(&pipeline));
                // Kernels that are refused are the subject of other tests.
                let Ok(after) = after else { continue };
                let text = after.text();
                // Most kernels are the same on both machines.
                if text.contains("create_pipeline") && self.known.insert(text.clone()) {
                    self.kernels += 1;
                    self.victim(&Victim {
                        name: format!("{name}, {strategy}, {machine}"),
                        function,
                        text,
                        launches: launches.clone(),
                    });
                }
            }
        }
    }

    fn victim(&mut self, victim: &Victim) {
        let program = Program::parse("original", &victim.text).expect("what was printed is read");
        let ops = collect(&program.context, program.operation);
        for (number, op) in ops.iter().enumerate() {
            for fault in faults_of(&program.context, *op) {
                let name = op.name_text(&program.context).to_owned();
                if caught(victim, number, fault) {
                    *self.found.entry((fault, name)).or_default() += 1;
                } else {
                    let place = op.location(&program.context).position(&program.context);
                    let line = place.map_or(0, |(_, line, _)| line);
                    self.missed.push(format!(
                        "{fault:?} of {name} at line {line} in {}",
                        victim.name
                    ));
                }
            }
        }
    }
}

/// Whether the verifier of the IR, that of pipelines, or the interpreter finds a fault.
fn caught(victim: &Victim, number: usize, fault: Fault) -> bool {
    let mut program = Program::parse("mutant", &victim.text).expect("what was printed is read");
    let op = collect(&program.context, program.operation)[number];
    inject(&mut program.context, op, fault);
    if program.context.verify(program.operation).is_err() {
        return true;
    }
    let Program { context, operation } = &program;
    if !orison_schedule::tileas::verify_pipelines::check(context, *operation, false).is_empty() {
        return true;
    }
    victim.launches.iter().any(|(launch, expected)| {
        program
            .interleave(victim.function, launch, expected, RUNS)
            .is_err()
    })
}

/// More iterations than overlap or are loaded ahead, so that the loop in the middle is executed, and
/// fewer, so that the other form is; coordinates reach one tile further.
fn launches() -> Vec<Launch> {
    let launch = |count: u8| Launch {
        tiles: usize::from(count) + 1,
        arguments: vec![None, None, None, None, Some(Argument::Number(count.into()))],
        ..Launch::default()
    };
    [9, 1, 2, 4].map(launch).to_vec()
}

fn campaign(kernels: u64) -> Report {
    let mut report = Report::default();
    for example in EXAMPLES {
        let text = example.text();
        report.kernel(example.name, example.function, &text, &example.launches());
    }
    report.kernel("in-place", "in_place", IN_PLACE, &[Launch::default()]);
    for seed in 0..kernels {
        let launches = launches();
        report.kernel(&format!("plain {seed}"), "f", &plain(seed), &launches);
        report.kernel(&format!("rich {seed}"), "f", &rich(seed), &launches);
    }
    report
}

fn check(report: &Report) {
    let Report {
        found,
        missed,
        kernels,
        ..
    } = report;
    println!("{kernels} materialized kernels; noticed: {found:#?}");
    let count = missed.len();
    assert!(
        missed.is_empty(),
        "{count} are not noticed:\n{}",
        missed.join("\n")
    );
    // Every kind of operation occurs.
    let names: BTreeSet<&str> = found.keys().map(|(_, name)| name.as_str()).collect();
    assert_eq!(names.len(), 7, "{names:?}");
}

#[test]
fn everything_that_is_dropped_is_noticed() {
    check(&campaign(SAMPLE));
}

#[test]
#[ignore = "the whole campaign takes minutes"]
fn everything_that_is_dropped_is_noticed_in_many_kernels() {
    check(&campaign(KERNELS));
}
