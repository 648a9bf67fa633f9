//! The loop collection: checks that every schedule is valid, and how many reach the best known
//! interval.

mod common;

use std::time::Instant;

use orison_schedule::check::{Claim, check_schedule};
use orison_schedule::modulo::{SchedulingOptions, Strategy, schedule_loop};

/// Schedules the collection, prints one line per loop, returns the number that reach the best known
/// interval.
fn run(strategy: Strategy) -> usize {
    let options = SchedulingOptions {
        strategy,
        ..SchedulingOptions::default()
    };
    let begin = Instant::now();
    let mut reached = 0;
    for known in common::known_loops() {
        let clock = Instant::now();
        let schedule = schedule_loop(&known.graph, &options).expect("a schedule");
        let spent = clock.elapsed();
        check_schedule(&known.graph, &Claim::from(&schedule)).expect("a valid schedule");
        assert_eq!(
            schedule.bounds.resource, known.resource_bound,
            "{}",
            known.name
        );
        assert_eq!(
            schedule.bounds.recurrence, known.recurrence_bound,
            "{}",
            known.name
        );
        if known.proven {
            assert!(
                schedule.interval >= known.optimal_interval,
                "{}",
                known.name
            );
        }
        let best = schedule.interval <= known.optimal_interval;
        reached += usize::from(best);
        println!(
            "{} {:3} operations, MII {:3}, best known {:3}{}, reached {:3}{}{} stages {} {:8.2} ms",
            known.name,
            known.graph.len(),
            schedule.bounds.interval(),
            known.optimal_interval,
            if known.proven { " proven" } else { "       " },
            schedule.interval,
            if schedule.proven {
                " proven"
            } else {
                "       "
            },
            if best { " " } else { "!" },
            schedule.stage_count,
            spent.as_secs_f64() * 1e3,
        );
    }
    println!(
        "{strategy:?}: {reached} of 60 at the best known interval, {:?}",
        begin.elapsed()
    );
    reached
}

#[test]
fn the_iterative_scheduler_alone_reaches_most() {
    assert!(run(Strategy::Fast) >= 36);
}

#[test]
fn all_generators_reach_the_best_known_intervals() {
    assert_eq!(run(Strategy::Auto), 60);
}
