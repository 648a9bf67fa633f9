//! Random loops keep their behaviour when they become agents.

use orison_interpret::tile::kernel::{Argument, Launch};

use crate::examples::DRIVERS;
use crate::generator::plain;
use crate::harness::Program;

const PROGRAMS: u64 = 60;
const RUNS: u64 = 25;

#[test]
fn random_loops_do_what_they_did() {
    let mut declined = Vec::new();
    let mut failures = Vec::new();
    let mut compared = 0u64;
    for seed in 0..PROGRAMS {
        let text = plain(seed);
        let before = Program::parse("random", &text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let launch = launch();
        let expected = before
            .run("f", &launch, seed)
            .unwrap_or_else(|errors| panic!("{errors}\n{text}"));
        for (driver, pass) in DRIVERS {
            let pipeline =
                format!("builtin.module(tileas-generate-schedule,tileas-verify-schedule,{pass})");
            let after = Program::parse("random", &text).and_then(|p| p.transformed(&pipeline));
            let after = match after {
                Ok(after) => after,
                // Only a loop without loads by TMA has no producer.
                Err(errors) if errors.contains("no load by TMA") => {
                    declined.push(seed);
                    continue;
                }
                Err(errors) => {
                    failures.push(format!("seed {seed}, {driver}: {errors}"));
                    continue;
                }
            };
            // An unchanged program does not count as passing.
            if !after.text().contains("create_pipeline") {
                failures.push(format!("seed {seed}, {driver}: nothing was materialized"));
                continue;
            }
            match after.interleave("f", &launch, &expected, RUNS) {
                Ok(_) => compared += 1,
                Err(errors) => failures.push(format!("seed {seed}, {driver}: {errors}")),
            }
        }
    }
    println!("{compared} programs, {} without agents", declined.len());
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(
        compared >= PROGRAMS * 8 / 10,
        "too few programs: {declined:?}"
    );
}

/// Three iterations; coordinates reach one tile further.
pub fn launch() -> Launch {
    Launch {
        tiles: 4,
        arguments: vec![None, None, None, None, Some(Argument::Number(3))],
        ..Launch::default()
    }
}
