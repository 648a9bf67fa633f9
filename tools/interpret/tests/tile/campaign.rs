//! Random kernels through generation, the checker, materialization and the interpreter.
//!
//! A configuration is a random kernel, a driver and a machine. Each must get a schedule that the
//! checker accepts, and become a pipeline or be rejected with a located error that leaves the IR
//! valid. The whole campaign is `cargo test -p orison-interpret --test tile -- --ignored campaign`.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use orison_ir::pass::{ManagerOptions, PassManager, PassRegistry, Remarks};

use crate::common;
use crate::generator::rich;
use crate::harness::Program;
use crate::random_loops::launch;

/// Kernels of the campaign, and of the part of it in every test run.
const KERNELS: u64 = 400;
const SAMPLE: u64 = 40;
/// One in this many materialized configurations is run, in this many orders.
const RUN_ONE_IN: usize = 4;
const RUNS: u64 = 8;

const DRIVERS: [(&str, &str); 2] = [("agents", ""), ("one agent", " use-aus=true")];
const MACHINES: [&str; 2] = ["hopper", "blackwell"];

/// The outcome of the configurations.
#[derive(Debug, Default)]
struct Report {
    configurations: usize,
    materialized: usize,
    compared: usize,
    /// Left unchanged, by the reason in the remark.
    declined: BTreeMap<String, usize>,
    /// Rejected with an error, by its text.
    refused: BTreeMap<String, usize>,
    failures: Vec<String>,
}

/// Runs a pipeline on a module, with remarks; returns whether it succeeded, and the diagnostics.
fn run(module: &mut Program, pipeline: &str) -> (bool, String) {
    let mut registry = PassRegistry::default();
    orison_opt::registry::register_all_passes(&mut registry);
    let pipeline = registry.parse_pipeline(pipeline).expect("a pipeline");
    let mut round_trip = common::round_trip();
    let mut manager = PassManager::new(ManagerOptions::default());
    manager.observe(&mut round_trip);
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
    fn configuration(&mut self, seed: u64, driver: &str, machine: &str) -> Result<(), String> {
        self.configurations += 1;
        let text = rich(seed);
        let mut module = Program::parse("random", &text)?;
        let generate = format!(
            "builtin.module(tileas-generate-schedule{{machine={machine} exact-work=100000}},tileas-verify-schedule{{machine={machine} require=true}})"
        );
        let (scheduled, said) = run(&mut module, &generate);
        if !scheduled {
            return Err(format!("not scheduled: {said}"));
        }
        let materialize = format!(
            "builtin.module(tileas-materialize-schedule{{machine={machine}{driver}}},tileas-verify-pipelines)"
        );
        let before = module.text();
        let (done, said) = run(&mut module, &materialize);
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
        if !module.text().contains("create_pipeline") {
            let reason = reason(&said, "Missed materialize: ");
            let reason = reason.ok_or("left as it was without a reason")?;
            *self.declined.entry(reason).or_default() += 1;
            return Ok(());
        }
        self.materialized += 1;
        if self.materialized.is_multiple_of(RUN_ONE_IN) {
            let expected = Program::parse("random", &text)?.run("f", &launch(), seed)?;
            module.interleave("f", &launch(), &expected, RUNS)?;
            self.compared += 1;
        }
        Ok(())
    }
}

/// Runs all configurations of this many kernels.
fn campaign(kernels: u64) -> Report {
    let mut report = Report::default();
    for seed in 0..kernels {
        for (driver, options) in DRIVERS {
            for machine in MACHINES {
                let run = || report.configuration(seed, options, machine);
                let result = catch_unwind(AssertUnwindSafe(run));
                let failure = match result {
                    Ok(Ok(())) => continue,
                    Ok(Err(error)) => error,
                    Err(panic) => match panic.downcast::<String>() {
                        Ok(message) => format!("panic: {message}"),
                        Err(_) => "panic".to_owned(),
                    },
                };
                report
                    .failures
                    .push(format!("seed {seed}, {driver}, {machine}: {failure}"));
            }
        }
    }
    report
}

fn check(report: &Report) {
    let Report {
        configurations,
        materialized,
        compared,
        declined,
        refused,
        failures,
    } = report;
    println!("{configurations} configurations, {materialized} materialized, {compared} compared");
    println!("left as they were: {declined:#?}\nrefused: {refused:#?}");
    assert!(
        failures.is_empty(),
        "{} failures, the first: {}",
        failures.len(),
        failures[..failures.len().min(5)].join("\n")
    );
    // A campaign in which most configurations are rejected is not meaningful.
    assert!(materialized * 10 >= configurations * 8, "{report:#?}");
    assert!(*compared * (RUN_ONE_IN + 1) >= *materialized);
}

#[test]
fn random_kernels_are_materialized_or_refused() {
    check(&campaign(SAMPLE));
}

#[test]
#[ignore = "the whole campaign takes minutes"]
fn whole_campaign() {
    check(&campaign(KERNELS));
}

/// The kernels contain what the campaign covers.
#[test]
fn random_kernels_have_what_they_should() {
    let texts: Vec<String> = (0..SAMPLE).map(rich).collect();
    let with = |wanted: &str| texts.iter().filter(|text| text.contains(wanted)).count();
    for wanted in [
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
    ] {
        assert!(with(wanted) >= 2, "{wanted}");
    }
}
