//! Properties over random loops.

mod common;

use orison_schedule::check::{Claim, check_schedule};
use orison_schedule::modulo::components::Components;
use orison_schedule::modulo::learning::learning_search;
use orison_schedule::modulo::{
    DependenceGraph, DistanceMatrix, Edge, EdgeKind, ExactOutcome, LoopProblem, Node,
    NodeConstraints, Pool, PoolUse, ResourceSpace, ResourceUse, SchedulingOptions, Strategy,
    exact_search, schedule_loop,
};
use proptest::prelude::*;
use proptest::strategy::Strategy as _;

/// A loop with pools, groups, limits and every kind of edge; without cycles of distance 0.
fn any_loop() -> impl proptest::strategy::Strategy<Value = DependenceGraph> {
    let constraint = (
        proptest::option::weighted(0.2, 0_u32..3),
        proptest::option::weighted(0.2, 0_u32..3),
        proptest::option::weighted(0.1, 0_u32..3),
        proptest::bool::weighted(0.1),
    );
    let node = (
        0_u32..20,
        proptest::collection::vec((1_u8..6, 1_u32..9, 0_u32..2), 0..4),
        proptest::option::weighted(0.3, (0_usize..2, 1_u32..3)),
        constraint,
    );
    (2_usize..14).prop_flat_map(move |size| {
        let edge = (0..size, 0..size, -4_i32..20, 0_u32..4);
        (
            proptest::collection::vec(node.clone(), size),
            proptest::collection::vec(edge, 0..size * 2),
        )
            .prop_map(|(nodes, edges)| build(nodes, edges))
    })
}

type RawNode = (
    u32,
    Vec<(u8, u32, u32)>,
    Option<(usize, u32)>,
    (Option<u32>, Option<u32>, Option<u32>, bool),
);

fn build(nodes: Vec<RawNode>, edges: Vec<(usize, usize, i32, u32)>) -> DependenceGraph {
    let nodes = nodes
        .into_iter()
        .map(
            |(latency, uses, pool, (group, leader, max_depth, force_serial))| {
                let uses = uses
                    .into_iter()
                    .map(|(slot, duration, occupancy)| ResourceUse {
                        slot,
                        duration,
                        occupancy,
                    })
                    .collect();
                let mut node = Node::new("op", latency, uses);
                node.pools
                    .extend(pool.map(|(pool, count)| PoolUse { pool, count }));
                node.constraints = NodeConstraints {
                    group,
                    leader,
                    max_depth,
                    force_serial,
                    ..NodeConstraints::default()
                };
                node
            },
        )
        .collect();
    let edges = edges
        .into_iter()
        .map(|(from, to, latency, distance)| {
            let backwards = to <= from;
            let distance = if backwards { distance.max(1) } else { distance };
            Edge {
                from,
                to,
                latency,
                distance,
                kind: EdgeKind::Data,
            }
        })
        .collect();
    let pool = |name: &str, capacity| Pool {
        name: name.to_owned(),
        capacity,
    };
    let pools = vec![pool("narrow", 2), pool("wide", 5)];
    let space = ResourceSpace {
        pools,
        ..ResourceSpace::default()
    };
    DependenceGraph::new(space, nodes, edges).expect("a graph")
}

/// Distances by repeated relaxation from one source.
fn distances_from(graph: &DependenceGraph, source: usize, interval: u32) -> Vec<Option<i64>> {
    let mut best: Vec<Option<i64>> = vec![None; graph.len()];
    best[source] = Some(0);
    for _ in 0..graph.len() {
        for edge in graph.edges() {
            if let Some(through) = best[edge.from].map(|value| value + edge.weight(interval)) {
                best[edge.to] = Some(best[edge.to].map_or(through, |value| value.max(through)));
            }
        }
    }
    best
}

/// Whether any rows satisfy recurrences and slots, by exhaustive enumeration. Every operation's
/// start is `row + k * interval`; for fixed rows the least starts decide the dependences.
fn brute_force(graph: &DependenceGraph, interval: u32) -> bool {
    let size = graph.len();
    let length = i64::from(interval);
    let mut rows = vec![0_u32; size];
    'rows: loop {
        let mut held = std::collections::BTreeSet::new();
        let free = graph.nodes().iter().zip(&rows).all(|(node, row)| {
            node.uses.iter().all(|triple| {
                triple.duration <= interval
                    && (0..triple.duration)
                        .all(|offset| held.insert((triple.slot, (row + offset) % interval)))
            })
        });
        if free {
            let mut starts: Vec<i64> = rows.iter().map(|&row| i64::from(row)).collect();
            let mut stable = false;
            for _ in 0..=size {
                stable = true;
                for edge in graph.edges() {
                    let missing = starts[edge.from] + edge.weight(interval) - starts[edge.to];
                    if missing > 0 {
                        starts[edge.to] += (missing + length - 1) / length * length;
                        stable = false;
                    }
                }
                if stable {
                    break;
                }
            }
            if stable {
                return true;
            }
        }
        for row in &mut rows {
            *row += 1;
            if *row < interval {
                continue 'rows;
            }
            *row = 0;
        }
        return false;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(debug_assertions) { 40 } else { 400 }))]

    #[test]
    fn schedules_pass_the_checker(graph in any_loop(), stages in proptest::option::of(1_u32..4)) {
        for strategy in [Strategy::Auto, Strategy::Fast, Strategy::Serial] {
            let options = SchedulingOptions {
                strategy,
                max_stages: stages,
                exact_work: 200_000,
                ..SchedulingOptions::default()
            };
            let schedule = schedule_loop(&graph, &options).expect("the serial schedule exists");
            prop_assert_eq!(check_schedule(&graph, &Claim::from(&schedule)), Ok(()));
            prop_assert!(schedule.bounds.interval() <= schedule.interval);
            if let Some(limit) = stages {
                prop_assert!(schedule.stage_count <= limit);
            }
            let again = schedule_loop(&graph, &options).expect("the same schedule");
            prop_assert_eq!(schedule, again);
        }
    }

    #[test]
    fn the_closure_agrees_with_relaxation(graph in any_loop(), extra in 0_u32..5) {
        let schedule = schedule_loop(&graph, &SchedulingOptions {
            strategy: Strategy::Serial,
            ..SchedulingOptions::default()
        }).expect("the serial schedule exists");
        let interval = schedule.bounds.recurrence + extra;
        let closure = DistanceMatrix::new(&graph, &Components::new(&graph), interval).unwrap();
        for source in 0..graph.len() {
            let expected = distances_from(&graph, source, interval);
            for (target, distance) in expected.into_iter().enumerate() {
                prop_assert_eq!(closure.get(source, target), distance);
            }
        }
        if schedule.bounds.recurrence > 1 {
            let below = DistanceMatrix::new(&graph, &Components::new(&graph), schedule.bounds.recurrence - 1);
            prop_assert!(below.is_err());
        }
    }

    #[test]
    fn the_exact_search_agrees_with_brute_force(seed in 0_u64..10_000, size in 2_u32..5) {
        let graph = common::tight_loop(seed, size);
        let problem = LoopProblem::new(&graph, SchedulingOptions::default()).unwrap();
        let lower = problem.bounds.interval();
        for interval in lower.saturating_sub(2).max(1)..lower + 3 {
            if u64::from(interval).pow(size) > 300_000 {
                continue;
            }
            let mut work = 10_000_000;
            let outcome = exact_search(&problem, interval, None, &mut work);
            prop_assert!(outcome != ExactOutcome::Exhausted);
            let feasible = matches!(outcome, ExactOutcome::Feasible(_));
            prop_assert_eq!(feasible, brute_force(&graph, interval), "interval {}", interval);
            let learned = learning_search(&problem, interval, &mut 10_000_000);
            prop_assert!(learned != ExactOutcome::Exhausted);
            prop_assert_eq!(matches!(learned, ExactOutcome::Feasible(_)), feasible, "interval {}", interval);
        }
    }
}

/// The rows that the exact search finds are final: no slot is held twice in a row, and dependences
/// hold inside recurrences.
#[test]
fn rows_of_the_exact_search_hold_every_slot_once() {
    let mut feasible = 0;
    for seed in 0..150 {
        let graph = common::tight_loop(seed, 3 + seed as u32 % 6);
        let problem = LoopProblem::new(&graph, SchedulingOptions::default()).unwrap();
        let components = Components::new(&graph);
        let lower = problem.bounds.interval();
        for interval in lower..lower + 2 {
            let mut work = 200_000;
            let outcome = exact_search(&problem, interval, None, &mut work);
            let ExactOutcome::Feasible(starts) = outcome else {
                continue;
            };
            feasible += 1;
            let length = i64::from(interval);
            let mut held = std::collections::BTreeSet::new();
            for (node, start) in graph.nodes().iter().zip(&starts) {
                for triple in &node.uses {
                    for cycle in *start..start + i64::from(triple.duration) {
                        let row = (triple.slot, cycle.rem_euclid(length));
                        assert!(
                            held.insert(row),
                            "seed {seed}, interval {interval}: {row:?}"
                        );
                    }
                }
            }
            let inside = |edge: &&Edge| components.of(edge.from) == components.of(edge.to);
            for edge in graph.edges().iter().filter(inside) {
                let apart = starts[edge.to] - starts[edge.from];
                assert!(apart >= edge.weight(interval), "seed {seed}: {edge:?}");
            }
        }
    }
    assert!(feasible > 150, "{feasible}");
}

/// Generated loops of the last test; fewer without optimisation.
const LOOPS: u64 = if cfg!(debug_assertions) { 12 } else { 40 };

#[test]
fn generated_loops_of_both_families_are_valid_and_mostly_proven() {
    let mut proven = 0;
    for seed in 0..LOOPS {
        let graph = if seed % 3 == 0 {
            common::mixed_loop(seed, 4 + seed as u32 * 2)
        } else {
            common::tight_loop(seed, 4 + seed as u32 % 16)
        };
        let schedule = schedule_loop(&graph, &SchedulingOptions::default()).expect("a schedule");
        check_schedule(&graph, &Claim::from(&schedule)).expect("a valid schedule");
        let fast = SchedulingOptions {
            strategy: Strategy::Fast,
            ..SchedulingOptions::default()
        };
        let heuristic = schedule_loop(&graph, &fast).expect("a schedule");
        assert!(schedule.interval <= heuristic.interval, "seed {seed}");
        proven += usize::from(schedule.proven);
    }
    println!("{proven} of {LOOPS} generated loops proven");
    assert!(proven as u64 >= LOOPS - 2);
}
