//! Scheduling time against loop size: `cargo bench -p orison-schedule --bench scaling`.
//!
//! A loop of 200 operations must take less than 50 ms and one of 2,000 less than 2 s; the run fails
//! otherwise. The closure of 4,096 operations is also timed.

#[path = "../tests/common/mod.rs"]
mod common;

use std::time::{Duration, Instant};

use orison_schedule::check::{Claim, check_schedule};
use orison_schedule::modulo::components::Components;
use orison_schedule::modulo::{DistanceMatrix, SchedulingOptions, schedule_loop};

fn main() {
    let sizes: [(u32, Option<Duration>); 6] = [
        (20, None),
        (200, Some(Duration::from_millis(50))),
        (500, None),
        (2_000, Some(Duration::from_secs(2))),
        (5_000, None),
        (20_000, None),
    ];
    println!(
        "{:>10} {:>8} {:>8} {:>7} {:>12} {:>14}",
        "operations", "MII", "II", "stages", "time", "per operation"
    );
    for (operations, limit) in sizes {
        let graph = common::mixed_loop(7, operations);
        let clock = Instant::now();
        let schedule = schedule_loop(&graph, &SchedulingOptions::default()).expect("a schedule");
        let spent = clock.elapsed();
        check_schedule(&graph, &Claim::from(&schedule)).expect("a valid schedule");
        println!(
            "{operations:>10} {:>8} {:>8} {:>7} {:>12.2?} {:>14.2?}",
            schedule.bounds.interval(),
            schedule.interval,
            schedule.stage_count,
            spent,
            spent / operations,
        );
        if let Some(limit) = limit {
            assert!(
                spent < limit,
                "{operations} operations took {spent:?}, limit {limit:?}"
            );
        }
    }
    let graph = common::mixed_loop(7, 4_096);
    let components = Components::new(&graph);
    let interval = schedule_loop(&graph, &SchedulingOptions::default())
        .expect("a schedule")
        .interval;
    let clock = Instant::now();
    let closure = DistanceMatrix::new(&graph, &components, interval).expect("a closure");
    println!(
        "closure of {} operations: {:.2?}",
        closure.len(),
        clock.elapsed()
    );
}
