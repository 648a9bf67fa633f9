//! Random kernels through generation, the checker, materialization and the interpreter.
//!
//! A configuration is a random kernel, a strategy of the scheduler, a form of the result and a
//! machine. Each must get a schedule that the checker accepts, and become agents or a loop that
//! prefetches, or be rejected with a located error that leaves the IR valid. What is materialized
//! leaves the memory of the kernel before the passes, in several orders. The whole campaign is
//! `cargo test -p orison-interpret --test tile -- --ignored campaign`; `ORISON_PROGRAMS` and
//! `ORISON_SEED` choose the number of kernels and the first one.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};

use orison_interpret::tile::kernel::{Argument, Launch};
use orison_interpret::tile::memory::Memory;
use orison_ir::pass::{ManagerOptions, PassManager, PassRegistry, Remarks};

use crate::common;
use crate::generator::{plain, rich, varied};
use crate::harness::Program;
use crate::roles;

/// Kernels of the campaign, and of the part of it in every test run.
const KERNELS: u64 = 2_000;
const SAMPLE: u64 = 16;
/// Orders of each materialized configuration.
const RUNS: u64 = 4;

/// Iterations of the loops of the kernels.
const TRIPS: [i64; 6] = [0, 3, 1, 8, 2, 5];

const STRATEGIES: [&str; 4] = [
    "default",
    "serial",
    "fast",
    "joint joint-work=0 joint-warps=16",
];
const MACHINES: [&str; 2] = ["hopper", "blackwell"];

/// What a schedule becomes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Form {
    /// The agents that the pass chooses, with iterations that overlap inside them.
    Specialized,
    /// The same agents, which execute one iteration after the other.
    Sequential,
    /// One agent that prefetches.
    Unspecialized,
    /// Two to eight listed agents, and operations assigned to them at random.
    Listed,
    /// Listed agents, which execute one iteration after the other.
    ListedSequential,
}

const FORMS: [Form; 5] = [
    Form::Specialized,
    Form::Sequential,
    Form::Unspecialized,
    Form::Listed,
    Form::ListedSequential,
];

impl Form {
    /// Whether the kernel lists its agents.
    fn is_listed(self) -> bool {
        matches!(self, Form::Listed | Form::ListedSequential)
    }

    /// The options of `tileas-materialize-schedule`.
    fn options(self) -> &'static str {
        match self {
            Form::Specialized | Form::Listed => "rotate=true",
            Form::Sequential | Form::ListedSequential => "rotate=false",
            Form::Unspecialized => "pipeline-strategy=unspecialized",
        }
    }
}

/// A kernel, with the memory that it leaves.
struct Kernel {
    seed: u64,
    text: String,
    launch: Launch,
    expected: Memory,
    /// What it was materialized to, and run as.
    known: BTreeSet<String>,
}

impl Kernel {
    /// The kernel of a seed: half of them are nested. It runs zero to eight iterations (fewer than
    /// overlap, and more), in one or two blocks.
    fn new(seed: u64) -> Result<Kernel, String> {
        let count = TRIPS[usize::try_from(seed / 4).unwrap_or(0) % TRIPS.len()];
        let mut arguments = vec![None, None, None, None, Some(Argument::Number(count))];
        let text = match seed % 4 {
            0 => plain(seed),
            1 => rich(seed),
            _ => {
                arguments.push(Some(Argument::Numbers {
                    shape: vec![9],
                    values: vec![2.0, 0.0, 1.0, 1.0, 3.0, 0.0, 2.0, 1.0, 1.0],
                }));
                varied(seed)
            }
        };
        let launch = Launch {
            tiles: 9,
            arguments,
            grid: [[1, 1, 1], [2, 1, 1]][usize::from(seed.is_multiple_of(5))],
            ..Launch::default()
        };
        let before = Program::parse("random", &text).map_err(|error| format!("{error}\n{text}"))?;
        let expected = before.run("f", &launch, seed);
        let expected = expected.map_err(|error| format!("{error}\n{text}"))?;
        Ok(Kernel {
            seed,
            text,
            launch,
            expected,
            known: BTreeSet::new(),
        })
    }
}

impl Kernel {
    /// Whether the text of its IR is checked.
    fn prints(&self) -> bool {
        self.seed.is_multiple_of(8)
    }
}

/// The outcome of the configurations.
#[derive(Debug, Default)]
struct Report {
    configurations: usize,
    /// Materialized, and run with the result of the kernel before the passes.
    compared: usize,
    /// Left unchanged, by the reason in the remark.
    declined: BTreeMap<String, usize>,
    /// Rejected with an error, by its text.
    refused: BTreeMap<String, usize>,
    failures: Vec<String>,
}

/// Runs a pipeline on a module, with remarks; returns whether it succeeded, and the diagnostics. If
/// asked, checks after each pass that printed IR is read as itself, which takes longer than the passes.
fn run(module: &mut Program, pipeline: &str, prints: bool) -> (bool, String) {
    let mut registry = PassRegistry::default();
    orison_opt::registry::register_all_passes(&mut registry);
    let pipeline = registry.parse_pipeline(pipeline).expect("a pipeline");
    let mut round_trip = common::round_trip();
    let mut manager = PassManager::new(ManagerOptions::default());
    if prints {
        manager.observe(&mut round_trip);
    }
    *manager.remarks() = Remarks::Text;
    let result = manager.run(
        &mut module.context,
        &pipeline,
        module.operation,
        &mut String::new(),
    );
    drop(manager);
    let problems = round_trip.problems.join("\n");
    assert!(problems.is_empty(), "{problems}");
    let valid = module.context.verify(module.operation).is_ok();
    let text = common::errors(&mut module.context);
    assert!(valid, "the IR is not valid any more: {text}");
    (result.is_ok(), text)
}

/// The first line with a marker, from the marker on, without numbers.
fn reason(text: &str, mark: &str) -> Option<String> {
    let line = text.lines().find(|line| line.contains(mark))?;
    let (_, reason) = line.split_once(mark)?;
    let reason = reason.split(';').next().unwrap_or(reason).trim();
    Some(reason.replace(|c: char| c.is_ascii_digit(), "#"))
}

impl Report {
    /// Schedules a kernel; returns its text with the schedule.
    fn schedule(kernel: &Kernel, strategy: &str, machine: &str) -> Result<String, String> {
        let mut module = Program::parse("random", &kernel.text)?;
        let generate = format!(
            "builtin.module(tileas-generate-schedule{{machine={machine} strategy={strategy} exact-work=10000 ejection-work=10000}},tileas-verify-schedule{{machine={machine} require=true}})"
        );
        let (scheduled, said) = run(&mut module, &generate, kernel.prints());
        match scheduled {
            true => Ok(module.text()),
            false => Err(format!("not scheduled: {said}")),
        }
    }

    fn configuration(
        &mut self,
        kernel: &mut Kernel,
        scheduled: &str,
        form: Form,
        machine: &str,
    ) -> Result<(), String> {
        self.configurations += 1;
        let mut module = Program::parse("random", scheduled)?;
        if form.is_listed() {
            roles::list_agents(&mut module, kernel.seed, 8);
        }
        let options = form.options();
        let materialize = format!(
            "builtin.module(tileas-materialize-schedule{{machine={machine} {options}}},tileas-verify-pipelines)"
        );
        let before = module.text();
        let (done, said) = run(&mut module, &materialize, kernel.prints());
        if !done {
            let located = said.lines().any(|line| {
                let place = line.strip_prefix("random:").unwrap_or_default();
                place.starts_with(|c: char| c.is_ascii_digit()) && place.contains(": error: ")
            });
            if !located || module.text() != before {
                return Err(format!("not refused as it should be: {said}"));
            }
            let reason = reason(&said, "error: ").unwrap_or_default();
            *self.refused.entry(reason).or_default() += 1;
            return Ok(());
        }
        let after = module.text();
        if !after.contains("create_pipeline") && !after.contains("agent_switch") {
            let reason = reason(&said, "Missed materialize: ");
            let reason = reason.ok_or("left as it was without a reason")?;
            *self.declined.entry(reason).or_default() += 1;
            return Ok(());
        }
        // Some machines and forms give the same agents.
        if !kernel.known.contains(&after) {
            module.interleave("f", &kernel.launch, &kernel.expected, RUNS)?;
            kernel.known.insert(after);
        }
        self.compared += 1;
        Ok(())
    }

    /// All configurations of a kernel.
    fn kernel(&mut self, seed: u64) {
        let mut kernel = match guarded(|| Kernel::new(seed)) {
            Ok(kernel) => kernel,
            Err(error) => return self.failures.push(format!("seed {seed}: {error}")),
        };
        for strategy in STRATEGIES {
            for machine in MACHINES {
                let place = format!("seed {seed}, {strategy}, {machine}");
                let text = match guarded(|| Report::schedule(&kernel, strategy, machine)) {
                    Ok(text) => text,
                    Err(error) => {
                        self.failures.push(format!("{place}: {error}"));
                        continue;
                    }
                };
                // Agents that are chosen with the schedule are not replaced by others.
                let chosen = strategy.starts_with("joint");
                for form in FORMS
                    .into_iter()
                    .filter(|form| !(chosen && form.is_listed()))
                {
                    let result = guarded(|| self.configuration(&mut kernel, &text, form, machine));
                    if let Err(error) = result {
                        self.failures.push(format!("{place}, {form:?}: {error}"));
                    }
                }
            }
        }
    }
}

/// A result, or the message of a panic.
pub fn guarded<T>(run: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|panic| match panic.downcast::<String>() {
        Ok(message) => Err(format!("panic: {message}")),
        Err(_) => Err("panic".to_owned()),
    })
}

/// Runs all configurations of these kernels.
fn campaign(seeds: std::ops::Range<u64>) -> Report {
    let mut report = Report::default();
    for seed in seeds {
        report.kernel(seed);
        if (seed + 1).is_multiple_of(100) {
            println!("{} kernels, {} failures", seed + 1, report.failures.len());
        }
    }
    report
}

fn check(report: &Report) {
    let Report {
        configurations,
        compared,
        declined,
        refused,
        failures,
    } = report;
    println!("{configurations} configurations, {compared} materialized and compared");
    println!("left as they were: {declined:#?}\nrefused: {refused:#?}");
    assert!(
        failures.is_empty(),
        "{} failures, the first: {}",
        failures.len(),
        failures[..failures.len().min(20)].join("\n")
    );
    // A campaign in which most configurations are rejected is not meaningful.
    assert!(compared * 10 >= configurations * 8, "{report:#?}");
}

#[test]
fn random_kernels_are_materialized_or_refused() {
    check(&campaign(0..SAMPLE));
}

#[test]
#[ignore = "the whole campaign takes minutes"]
fn whole_campaign() {
    let number = |name: &str, default: u64| {
        let text = std::env::var(name).ok();
        text.map_or(default, |text| text.parse().expect("a number"))
    };
    let first = number("ORISON_SEED", 0);
    check(&campaign(first..first + number("ORISON_PROGRAMS", KERNELS)));
}

/// The kernels contain what the campaign covers.
#[test]
fn random_kernels_have_what_they_should() {
    let texts = |kernel: fn(u64) -> String| -> Vec<String> { (0..80).map(kernel).collect() };
    let all = |texts: &[String], wanted: &[&str]| {
        for wanted in wanted {
            let with = texts.iter().filter(|text| text.contains(wanted)).count();
            assert!(with >= 2, "{wanted}");
        }
    };
    all(
        &texts(rich),
        &[
            "%outs[%m, %i] token",
            "scf.if",
            "\"cuda_tile.exp2\"",
            "constraint.gid",
            "constraint.max_depth",
            "force_serial_execution",
            "%uo = %c0",
            "-> (!nv_tileaa.mem_token) {",
            "numWarps = 4",
            "scf.if %some",
        ],
    );
    all(
        &texts(varied),
        &[
            "nv_tileas.scan",
            "axis 0 :",
            "math.exp2",
            "arith.select",
            "nv_tileas.insert_slice",
            "nv_tileas.convert_layout",
            "tiled_atomic_rmw",
            "async.tiled_load",
            "async.dot",
            "gather_load",
            "mem_semantic = \"acquire\"",
            "mem_semantic = \"release\"",
            "tcgen05_mma",
            " if %",
            "%m, %at",
            "= %c1 to %c3",
            "step %c2",
            "h = arith.addi %s",
            "o to %count",
        ],
    );
    // Two innermost loops in one iteration of another loop, and three levels of loops.
    let depth = |text: &String| {
        let mut open: Vec<bool> = Vec::new();
        let mut deepest = 0;
        for line in text.lines().map(str::trim) {
            if line.starts_with('}') {
                open.pop();
            }
            if line.ends_with('{') {
                open.push(line.contains("scf.for"));
            }
            deepest = deepest.max(open.iter().filter(|is_loop| **is_loop).count());
        }
        deepest
    };
    let texts = texts(varied);
    assert!(texts.iter().filter(|text| depth(text) >= 3).count() >= 5);
}
