//! Passes preserve the behaviour of random kernels.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};

use orison_interpret::warp::GlobalMemory;
use orison_ir::pass::{PassRegistry, Pipeline};
use orison_ir::walk;
use orison_ori::operations::control::CondBra;

use crate::common::round_trip;
use crate::generator::{SYMBOLS, kernel, loop_kernel};
use crate::harness::{Module, Printed, compare, parse, prepare, run, transform_with};
use crate::random::Random;
use crate::reduce::reduce;

/// Random kernels of a kind, and the pipelines that keep what they do.
struct Suite {
    kernel: fn(usize, &mut Random) -> String,
    pipelines: &'static [&'static str],
    /// The least percentage of kernels that end in time.
    complete: u64,
}

const KERNELS_OF_ANY_FORM: Suite = Suite {
    kernel,
    pipelines: PIPELINES,
    complete: 90,
};

const LOOPS: Suite = Suite {
    kernel: loop_kernel,
    pipelines: LOOP_PIPELINES,
    complete: 90,
};

/// The pipelines run on random loops: the passes on loops, and what stands on canonical loops.
const LOOP_PIPELINES: &[&str] = &[
    "builtin.module(ori.func(ori-loop-simplification))",
    "builtin.module(ori.func(ori-loop-simplification{level=5}))",
    "builtin.module(ori.func(ori-loop-simplification{level=5 knobs=GenPeelingLoopsForSyncs,EnableSingleThreadPeelingLoops}))",
    "builtin.module(ori.func(ori-loop-simplification,ori-strength-reduce,ori-gvn,ori-branch-opt,\
     ori-perform-live-dead,ori-loop-simplification{level=4}))",
    // Unrolling by what it would choose, and each form for as many loops as possible.
    "builtin.module(ori.func(ori-copy-propagation,ori-loop-simplification,ori-branch-opt,\
     ori-loop-unrolling))",
    "builtin.module(ori.func(ori-copy-propagation,ori-loop-simplification,ori-branch-opt,\
     ori-loop-unrolling{knobs=UnrollUnknownInstLimit=900,LoopUnrollNumInstTex=900,\
     LoopUnrollUnknownMultiBlock=true,UnrollUnknownCount=3},ori-branch-opt))",
    "builtin.module(ori.func(ori-copy-propagation,ori-loop-simplification,ori-branch-opt,\
     ori-loop-unrolling{knobs=LoopUnrollFactor=8,EpilogueLoopUnrollCount=2}))",
    "builtin.module(ori.func(ori-loop-simplification,ori-loop-unrolling{knobs=LoopUnrollFactor=5}))",
    "builtin.module(ori.func(ori-copy-propagation,ori-loop-simplification,ori-branch-opt,\
     ori-loop-unrolling{rules=page}))",
    // Hoisting as it would, and of as much as possible.
    "builtin.module(ori.func(ori-copy-propagation,ori-loop-simplification,ori-branch-opt,\
     ori-pipelining{knobs=OkToPipelineNoUnroll=1,PipelineDelaySeed=5}))",
    "builtin.module(ori.func(ori-loop-simplification,ori-branch-opt,ori-pipelining{knobs=\
     OkToPipelineNoUnroll=1,PipelineDelaySeed=3,PipelineStageLimit=0,PipelineCopies=1}))",
    "builtin.module(ori.func(ori-loops{level=5 pipelining=true}))",
    "builtin.module(ori.func(ori-optimize))",
    "builtin.module(ori.func(ori-loop-simplification,ori-hoist-invariants))",
    "builtin.module(ori.func(ori-hoist-invariants{pass-id=3 knobs=HoistLate=0,HoistBudget=0,\
     HoistLoopInvBudget=1000,EnableHoistLowLatencyInstMidBlock=true,\
     MaxMidHeaderSizeRateForAggressiveHoist=1000,NestedHoistInnerThreshold=1000,\
     NestedHoistOuterThreshold=1000}))",
    // Fusion of what is written, and of what other passes leave.
    "builtin.module(ori.func(ori-loop-fusion{knobs=PerformLoopFusion=1}))",
    "builtin.module(ori.func(ori-copy-propagation,ori-loop-simplification,ori-gvn,ori-branch-opt,\
     ori-loop-fusion{knobs=PerformLoopFusion=1},ori-perform-live-dead,ori-loop-unrolling))",
    "builtin.module(ori.func(ori-loop-simplification,ori-schedule-instructions{effort=200}))",
];

/// The pipelines run on random kernels: each pass alone, and some together.
const PIPELINES: &[&str] = &[
    "builtin.module(canonicalize)",
    "builtin.module(cse)",
    "builtin.module(sccp)",
    "builtin.module(ori.func(ori-branch-opt))",
    "builtin.module(ori.func(ori-perform-live-dead))",
    "builtin.module(ori.func(ori-strength-reduce))",
    "builtin.module(ori.func(ori-switch-opt))",
    "builtin.module(ori.func(ori-switch-opt{knobs=SwitchOptChainLimit=1,SwitchOptDensity=90}))",
    "builtin.module(ori.func(ori-reassociate))",
    "builtin.module(ori.func(ori-loop-simplification))",
    "builtin.module(ori.func(ori-loop-simplification{level=5}))",
    "builtin.module(ori.func(ori-hoist-invariants))",
    "builtin.module(ori.func(ori-hoist-invariants{pass-id=3 knobs=HoistLate=0,HoistBudget=0,\
     HoistLoopInvBudget=1000,EnableHoistLowLatencyInstMidBlock=true,\
     MaxMidHeaderSizeRateForAggressiveHoist=1000,NestedHoistInnerThreshold=1000,\
     NestedHoistOuterThreshold=1000}))",
    "builtin.module(ori.func(ori-store-elimination))",
    "builtin.module(ori.func(ori-optimize-uniform-atomic))",
    "builtin.module(ori.func(ori-copy-propagation{knobs=BackCopyPropBudget=-1}))",
    "builtin.module(ori.func(ori-predication))",
    "builtin.module(ori.func(ori-rematerialize{floor=2 share=1}))",
    "builtin.module(ori.func(ori-copy-propagation))",
    "builtin.module(ori.func(ori-gvn))",
    "builtin.module(ori.func(ori-general-optimize))",
    "builtin.module(ori.func(ori-peephole))",
    "builtin.module(ori.func(ori-replace-uniforms-with-imm{known=0:0=64}))",
    "builtin.module(ori.func(ori-branch-opt,ori-copy-propagation,ori-gvn,ori-perform-live-dead))",
    "builtin.module(ori.func(ori-optimize))",
    "builtin.module(ori.func(ori-branch-opt,ori-switch-opt,ori-predication,ori-strength-reduce,\
     ori-peephole,ori-gvn,ori-reassociate,ori-general-optimize,ori-copy-propagation,ori-perform-live-dead,ori-branch-opt))",
    "builtin.module(ori.func(ori-schedule-instructions{effort=200}))",
    // Few registers, so that every phase has something to do, and what knobs add.
    "builtin.module(ori.func(ori-schedule-instructions{effort=200 phases=reduce-reg,dyn-batch,ilp knobs=\
     SchedReduceIncLimit=12,SchedReduceIncLimitHigh=12,SchedMaxRTarget=14,SchedCrossBlockLimit=5,\
     SchedTexBatchTargetSelectRegisterTarget=2}))",
    "builtin.module(ori.func(ori-schedule-instructions{strategy=priority knobs=SchedForceReverseOrder=1}))",
];

/// Kernels per module.
const KERNELS: usize = 10;

/// Seed and count may be set, to try more kernels or to repeat one module.
fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name)
        .ok()
        .and_then(|value| value.parse().ok())
        .unwrap_or(default)
}

/// All pipelines, each of which must be parsed. `ORISON_PIPELINE` selects one instead.
fn pipelines(suite: &Suite) -> Vec<(String, Pipeline)> {
    let mut registry = PassRegistry::default();
    orison_opt::registry::register_all_passes(&mut registry);
    let chosen = std::env::var("ORISON_PIPELINE").ok();
    let texts = match &chosen {
        Some(text) => vec![text.as_str()],
        None => suite.pipelines.to_vec(),
    };
    let parsed = texts.iter().map(|text| {
        let pipeline = registry.parse_pipeline(text);
        let pipeline = pipeline.unwrap_or_else(|error| panic!("'{text}': {error}"));
        ((*text).to_owned(), pipeline)
    });
    parsed.collect()
}

/// Every pipeline checks the text of one module in this many. A check takes as long as ten runs.
const PRINTED: u64 = 20;

/// When the text of a module is checked in one of the pipelines: of the modules that it checks, each
/// fifth is checked after each pass, which prints all kernels after a pass on one.
fn printed(number: u64, index: usize, pipelines: usize) -> Printed {
    // Other pipelines check other modules.
    let number = number + (index as u64 * PRINTED).div_ceil(pipelines as u64);
    match (number % PRINTED, number / PRINTED % 5) {
        (0, 0) => Printed::EachPass,
        (0, _) => Printed::End,
        _ => Printed::Unchecked,
    }
}

/// A module of random kernels as text.
fn module(suite: &Suite, seed: u64) -> String {
    let mut random = Random(seed);
    let mut text = SYMBOLS.to_owned();
    for number in 0..KERNELS {
        text.push_str(&(suite.kernel)(number, &mut random));
    }
    text
}

/// The only reason for which a random kernel may be left out: it does not end in time. What else stops
/// it is a defect of the generator or of the interpreter.
const TOO_LONG: &str = "did not finish within";

/// The run of a kernel of a module.
struct Run {
    number: usize,
    memory: GlobalMemory,
    issued: u64,
}

/// Runs of the kernels of a module that end in time.
fn runs(text: &str, seed: u64) -> Vec<Run> {
    let before = parse(text).unwrap_or_else(|errors| panic!("seed {seed}: {errors}\n{text}"));
    if let Err(found) = round_trip().check(&before.context, before.operation) {
        panic!("seed {seed}: {found}");
    }
    let mut kernel = prepare(&before, 0).unwrap_or_else(|fault| panic!("seed {seed}: {fault}"));
    let mut run = |number| run(&before, &mut kernel, number, seed + number as u64, false);
    let all = (0..KERNELS).map(|number| (number, run(number)));
    let ended = all.filter_map(|(number, result)| match result {
        Ok((memory, statistics)) => Some(Run {
            number,
            memory,
            issued: statistics.issued,
        }),
        Err(fault) if fault.contains(TOO_LONG) => None,
        Err(fault) => panic!("seed {seed}, k{number}: {fault}\n{text}"),
    });
    ended.collect()
}

/// How a pipeline changes the behaviour of a module; `None` if equal. Adds the instructions issued
/// before and after it.
fn difference(
    text: &str,
    seed: u64,
    (pipeline, printed): (&Pipeline, Printed),
    runs: &[Run],
    issued: &mut [u64; 2],
) -> Option<String> {
    let transformed = catch_unwind(AssertUnwindSafe(|| {
        let mut after = parse(text)?;
        transform_with(&mut after, pipeline, printed)?;
        Ok::<_, String>(after)
    }));
    let after = match transformed {
        Ok(Ok(after)) => after,
        Ok(Err(errors)) => return Some(errors),
        Err(_) => return Some("a pass panics".to_owned()),
    };
    let mut kernel = match prepare(&after, runs.first()?.number) {
        Ok(kernel) => kernel,
        Err(fault) => return Some(fault),
    };
    runs.iter().find_map(|before| {
        let number = before.number;
        let found = run(&after, &mut kernel, number, seed + number as u64, true);
        match found {
            Ok((memory, statistics)) => {
                issued[0] += before.issued;
                issued[1] += statistics.issued;
                let found = compare(&before.memory, &memory).err()?;
                Some(format!("k{number}: {found}"))
            }
            Err(fault) => Some(format!("k{number}: {fault}")),
        }
    })
}

/// The part of a module that a pipeline still changes. Invalid texts are excluded, and those whose
/// kernel has an error before the pipeline.
fn smallest(text: &str, seed: u64, pipeline: (&Pipeline, Printed)) -> String {
    let fails = |text: &str| {
        let Ok(before) = parse(text) else {
            return false;
        };
        // A part of a module may not have a kernel of each number.
        let kernels =
            (0..KERNELS).filter_map(|number| Some((number, prepare(&before, number).ok()?)));
        let runs = kernels.filter_map(|(number, mut kernel)| {
            let run = run(&before, &mut kernel, number, seed + number as u64, false);
            let (memory, _) = run.ok()?;
            Some(Run {
                number,
                memory,
                issued: 0,
            })
        });
        let runs: Vec<_> = runs.collect();
        difference(text, seed, pipeline, &runs, &mut [0; 2]).is_some()
    };
    let head = "ori.func kernel ";
    let mut kernels = text.split(head).skip(1);
    let alone = kernels.find_map(|kernel| {
        let alone = format!("{SYMBOLS}{head}{kernel}");
        fails(&alone).then_some(alone)
    });
    reduce(alone.as_deref().unwrap_or(text), &fails)
}

/// What a campaign has done.
#[derive(Default)]
struct Outcome {
    kernels: u64,
    complete: u64,
    failures: Vec<String>,
    /// Instructions issued before and after each pipeline.
    issued: Vec<[u64; 2]>,
}

impl Outcome {
    /// Runs a module before and after each pipeline.
    fn add(&mut self, suite: &Suite, number: u64, pipelines: &[(String, Pipeline)]) {
        let seed = number << 8;
        let text = module(suite, seed);
        if std::env::var("ORISON_PRINT").is_ok() {
            println!("{text}");
        }
        let runs = runs(&text, seed);
        self.kernels += KERNELS as u64;
        self.complete += runs.len() as u64;
        for (index, (name, pipeline)) in pipelines.iter().enumerate() {
            let pipeline = (pipeline, printed(number, index, pipelines.len()));
            let mut issued = [0; 2];
            let found = difference(&text, seed, pipeline, &runs, &mut issued);
            self.count(index, issued);
            let Some(found) = found else {
                continue;
            };
            let mut failure = format!("ORISON_SEED={number} {name}: {found}");
            if std::env::var("ORISON_REDUCE").is_ok() {
                failure.push('\n');
                failure.push_str(&smallest(&text, seed, pipeline));
            }
            self.failures.push(failure);
        }
    }
}

impl Outcome {
    fn count(&mut self, index: usize, issued: [u64; 2]) {
        if self.issued.len() <= index {
            self.issued.resize(index + 1, [0; 2]);
        }
        for (sum, more) in self.issued[index].iter_mut().zip(issued) {
            *sum += more;
        }
    }
}

/// Runs kernels before and after each pipeline, in two threads. `ORISON_SEED` and `ORISON_PROGRAMS`
/// select others, `ORISON_REDUCE` reduces and prints those that differ, `ORISON_PRINT` prints all.
fn campaign(suite: &Suite, programs: u64) {
    let first = setting("ORISON_SEED", 1);
    let modules = setting("ORISON_PROGRAMS", programs).div_ceil(KERNELS as u64);
    let next = AtomicU64::new(0);
    let work = || {
        let pipelines = pipelines(suite);
        let mut outcome = Outcome::default();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= modules {
                return outcome;
            }
            outcome.add(suite, first + number, &pipelines);
            if number % 100 == 99 {
                println!("{} kernels", (number + 1) * KERNELS as u64);
            }
        }
    };
    let mut all = Outcome::default();
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..2).map(|_| scope.spawn(work)).collect();
        for worker in workers {
            let found = worker.join().expect("a worker");
            all.kernels += found.kernels;
            all.complete += found.complete;
            all.failures.extend(found.failures);
            for (index, issued) in found.issued.into_iter().enumerate() {
                all.count(index, issued);
            }
        }
    });
    println!(
        "{} of {} kernels ended in time; each ran before and after {} pipelines",
        all.complete,
        all.kernels,
        pipelines(suite).len()
    );
    for ((name, _), [before, after]) in pipelines(suite).iter().zip(&all.issued) {
        println!("{before} instructions before, {after} after {name}");
    }
    let enough = all.complete * 100 >= all.kernels * suite.complete;
    assert!(enough, "too few kernels end in time");
    all.failures.sort();
    let failures = all.failures.len();
    all.failures.truncate(20);
    let shown = all.failures.join("\n");
    assert!(failures == 0, "{failures} modules differ:\n{shown}");
}

/// The share of the campaigns in each test run: this many kernels before and after each pipeline. A
/// kernel takes about 0.1 seconds of processor time.
const SHARE: u64 = 500;
const LOOP_SHARE: u64 = 120;

#[test]
fn passes_keep_what_random_kernels_do() {
    campaign(&KERNELS_OF_ANY_FORM, SHARE);
}

#[test]
fn passes_keep_what_random_loops_do() {
    campaign(&LOOPS, LOOP_SHARE);
}

/// 10,000 kernels before and after each pipeline.
#[test]
#[ignore = "a campaign: see docs/testing.md"]
fn campaign_of_random_kernels() {
    campaign(&KERNELS_OF_ANY_FORM, 10_000);
}

/// 10,000 kernels of loops before and after each pipeline for loops.
#[test]
#[ignore = "a campaign: see docs/testing.md"]
fn campaign_of_random_loops() {
    campaign(&LOOPS, 10_000);
}

/// In 200 kernels of loops there are so many that can be fused: a fused loop has no branch left.
#[test]
fn adjacent_loops_are_often_fused() {
    let mut registry = PassRegistry::default();
    orison_opt::registry::register_all_passes(&mut registry);
    let text = "builtin.module(ori.func(ori-loop-fusion{knobs=PerformLoopFusion=1}))";
    let pipeline = registry.parse_pipeline(text).expect("a pipeline");
    let branches = |module: &Module| {
        let all = walk::collect(&module.context, module.operation).into_iter();
        all.filter(|op| CondBra::of(&module.context, *op).is_some())
            .count()
    };
    let mut fused = 0;
    for seed in 0..20_u64 {
        let mut module = parse(&module(&LOOPS, seed << 8)).expect("valid");
        let before = branches(&module);
        transform_with(&mut module, &pipeline, Printed::Unchecked).expect("fused");
        fused += before - branches(&module);
    }
    assert!(fused >= 100, "{fused} branches are gone");
}

/// The comparison detects a changed operation.
#[test]
fn a_wrong_pass_is_noticed() {
    let mut noticed = 0;
    for seed in 0..20_u64 {
        let text = module(&KERNELS_OF_ANY_FORM, seed << 8);
        let before = runs(&text, seed << 8);
        let wrong = text.replace("ori.lop3 <lut = 192>", "ori.lop3 <lut = 128>");
        let wrong = parse(&wrong).expect("valid");
        let mut kernel = prepare(&wrong, 0).expect("kernels");
        let differs = before.iter().any(|before| {
            let number = before.number;
            let after = run(
                &wrong,
                &mut kernel,
                number,
                (seed << 8) + number as u64,
                false,
            );
            after.is_err() || after.is_ok_and(|(after, _)| compare(&before.memory, &after).is_err())
        });
        noticed += usize::from(differs);
    }
    assert!(noticed >= 18, "{noticed} of 20 modules");
}
