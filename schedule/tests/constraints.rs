//! Properties of constrained loops: pools, depth groups, stage limits, forced order.

mod common;

use std::collections::BTreeMap;

use orison_schedule::check::{Claim, check_schedule};
use orison_schedule::modulo::arms::ArmGenerator;
use orison_schedule::modulo::learning::learning_search;
use orison_schedule::modulo::{
    DecisionLog, DependenceGraph, Edge, EdgeKind, ExactOutcome, LoopProblem, Node, NodeConstraints,
    Pool, PoolUse, ResourceSpace, ResourceUse, SchedulingOptions, Strategy, StructConstraint,
    exact_search, schedule_loop, schedule_loop_logged,
};
use proptest::prelude::*;

/// A small loop in which every kind of constraint is likely.
fn constrained_loop(seed: u64, operations: u32) -> DependenceGraph {
    let mut random = common::Random::new(seed);
    let nodes: Vec<Node> = (0..operations)
        .map(|_| {
            let mut uses = Vec::new();
            if random.chance(60) {
                uses.push(ResourceUse::new(
                    random.between(1, 2) as u8,
                    random.between(1, 3),
                ));
            }
            let mut node = Node::new("op", random.between(0, 6), uses);
            if random.chance(60) {
                let pool = random.between(0, 1) as usize;
                let count = random.between(1, 2);
                node.pools.push(PoolUse { pool, count });
            }
            let optional = |random: &mut common::Random, percent, most| {
                random.chance(percent).then(|| random.between(0, most))
            };
            node.constraints = NodeConstraints {
                group: optional(&mut random, 45, 1),
                max_depth: optional(&mut random, 30, 1),
                force_serial: random.chance(10),
                ..NodeConstraints::default()
            };
            node
        })
        .collect();
    let mut edges = Vec::new();
    for to in 1..operations {
        if random.chance(60) {
            let from = random.between(0, to - 1);
            edges.push(common::dependence(&nodes, from, to, 0));
        }
    }
    if random.chance(60) {
        let from = random.between(0, operations - 1);
        let to = random.between(0, from);
        edges.push(common::dependence(&nodes, from, to, random.between(1, 2)));
    }
    let pool = |name: &str, capacity| Pool {
        name: name.to_owned(),
        capacity,
    };
    let space = ResourceSpace {
        pools: vec![pool("narrow", 2), pool("wide", 3)],
        ..ResourceSpace::default()
    };
    let structures = vec![StructConstraint {
        members: vec![0, operations as usize - 1],
        combiner: false,
        rationale: "both ends".to_owned(),
    }];
    DependenceGraph::new(space, nodes, edges)
        .and_then(|graph| graph.with_structures(structures))
        .expect("a graph")
}

/// Whether any starts below `horizon` stages are a valid schedule at the interval, by exhaustive
/// enumeration.
fn brute_force(graph: &DependenceGraph, interval: u32, horizon: u32) -> bool {
    let end = i64::from(interval) * i64::from(horizon);
    let mut starts = Vec::new();
    search(graph, interval, end, &mut starts)
}

fn search(graph: &DependenceGraph, interval: u32, end: i64, starts: &mut Vec<i64>) -> bool {
    if !consistent(graph, interval, starts) {
        return false;
    }
    if starts.len() == graph.len() {
        return true;
    }
    for start in 0..end {
        starts.push(start);
        if search(graph, interval, end, starts) {
            return true;
        }
        starts.pop();
    }
    false
}

/// Whether the operations with starts satisfy all constraints among themselves.
fn consistent(graph: &DependenceGraph, interval: u32, starts: &[i64]) -> bool {
    let length = i64::from(interval);
    let seated = starts.len();
    let edges = graph.edges().iter();
    let holds = edges
        .filter(|edge| edge.from < seated && edge.to < seated)
        .all(|edge| starts[edge.to] - starts[edge.from] >= edge.weight(interval));
    let mut taken: BTreeMap<(u8, i64), u32> = BTreeMap::new();
    let mut pools: BTreeMap<(usize, i64), u32> = BTreeMap::new();
    let mut depths: BTreeMap<u32, i64> = BTreeMap::new();
    let mut fine = holds;
    for (node, &start) in graph.nodes().iter().zip(starts) {
        let depth = start / length;
        if let Some(group) = node.constraints.group {
            fine &= *depths.entry(group).or_insert(depth) == depth;
        }
        fine &= node
            .constraints
            .max_depth
            .is_none_or(|most| depth <= i64::from(most));
        let mut uses: Vec<(u8, u32)> = node
            .uses
            .iter()
            .map(|use_| (use_.slot, use_.duration))
            .collect();
        if node.constraints.force_serial {
            uses.push((64, node.latency.max(1)));
        }
        let longest = uses.iter().map(|hold| hold.1).max().unwrap_or(0).max(1);
        for (slot, duration) in uses {
            for offset in 0..i64::from(duration) {
                let count = taken.entry((slot, (start + offset) % length)).or_default();
                *count += 1;
                fine &= *count <= 1;
            }
        }
        for share in &node.pools {
            for offset in 0..i64::from(longest) {
                let units = pools
                    .entry((share.pool, (start + offset) % length))
                    .or_default();
                *units += share.count;
                fine &= *units <= graph.space().pools[share.pool].capacity;
            }
        }
    }
    fine
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(debug_assertions) { 60 } else { 600 }))]

    #[test]
    fn the_exact_search_knows_pools_groups_and_depths(seed in 0_u64..100_000, size in 2_u32..5) {
        let graph = constrained_loop(seed, size);
        let problem = LoopProblem::new(&graph, SchedulingOptions::default()).unwrap();
        let lower = problem.bounds.interval();
        for interval in lower..lower + 3 {
            let mut work = 20_000_000;
            let outcome = exact_search(&problem, interval, None, &mut work);
            prop_assert!(outcome != ExactOutcome::Exhausted);
            let feasible = matches!(outcome, ExactOutcome::Feasible(_));
            let learned = learning_search(&problem, interval, &mut work);
            prop_assert!(learned != ExactOutcome::Exhausted);
            prop_assert_eq!(matches!(learned, ExactOutcome::Feasible(_)), feasible);
            if let ExactOutcome::Feasible(starts) = &learned {
                prop_assert!(consistent(&graph, interval, starts), "{starts:?}");
            }
            let stages = 4;
            if u64::from(interval * stages).pow(size) > 40_000_000 {
                continue;
            }
            // Every feasible case here is feasible in a few stages: latencies are at most 6.
            prop_assert_eq!(
                feasible,
                brute_force(&graph, interval, stages + 24 / interval),
                "interval {}", interval
            );
        }
    }

    #[test]
    fn constrained_schedules_are_minimal_or_say_so(seed in 0_u64..100_000, size in 2_u32..12) {
        let graph = constrained_loop(seed, size);
        let schedule = schedule_loop(&graph, &SchedulingOptions::default()).unwrap();
        prop_assert_eq!(check_schedule(&graph, &Claim::from(&schedule)), Ok(()));
        prop_assert!(schedule.proven, "II {} of {:?}", schedule.interval, schedule.bounds);
    }

    #[test]
    fn the_arms_give_valid_schedules(seed in 0_u64..100_000, size in 2_u32..20, threshold in 0_u32..9) {
        let graph = constrained_loop(seed, size);
        let options = SchedulingOptions {
            rrt_size_threshold: threshold,
            random_delay: (seed % 2 == 0).then_some(seed),
            strategy: Strategy::Fast,
            ..SchedulingOptions::default()
        };
        let problem = LoopProblem::new(&graph, options.clone()).unwrap();
        let lower = problem.bounds.interval();
        for interval in lower..lower + 4 {
            let (starts, refinement) = ArmGenerator::run(&problem, interval, &mut DecisionLog::off());
            prop_assert_eq!(starts.is_some(), refinement.converged);
            prop_assert!(!(refinement.converged && refinement.budget_exceeded));
            if let Some(starts) = starts {
                prop_assert!(consistent(&graph, interval, &starts));
            }
        }
        let schedule = schedule_loop(&graph, &options).unwrap();
        prop_assert_eq!(check_schedule(&graph, &Claim::from(&schedule)), Ok(()));
    }

    #[test]
    fn a_log_changes_nothing(seed in 0_u64..100_000, size in 2_u32..16) {
        let graph = constrained_loop(seed, size);
        let options = SchedulingOptions { exact_work: 100_000, ..SchedulingOptions::default() };
        let mut log = DecisionLog::on();
        let logged = schedule_loop_logged(&graph, &options, &mut log).unwrap();
        prop_assert!(!log.events().is_empty());
        prop_assert_eq!(logged, schedule_loop(&graph, &options).unwrap());
    }
}

/// Three operations that each take one of two units for two cycles: 3 * 2 units are 2 * 3 cycles,
/// so the bound is 3; but arcs of two cycles on a circle of three overlap pairwise in every row,
/// and three of them put two units in each row, which fits exactly.
#[test]
fn arcs_that_overlap_pairwise_need_not_meet() {
    let mut node = Node::new("op", 1, vec![]);
    node.pools.push(PoolUse { pool: 0, count: 1 });
    let nodes: Vec<Node> = (1..=3)
        .map(|slot| Node {
            uses: vec![ResourceUse::new(slot, 2)],
            ..node.clone()
        })
        .collect();
    let pools = vec![Pool {
        name: "two".to_owned(),
        capacity: 2,
    }];
    let space = ResourceSpace {
        pools,
        ..ResourceSpace::default()
    };
    let graph = DependenceGraph::new(space, nodes, Vec::new()).unwrap();
    let problem = LoopProblem::new(&graph, SchedulingOptions::default()).unwrap();
    let mut work = 1_000_000;
    let outcome = exact_search(&problem, 3, None, &mut work);
    let ExactOutcome::Feasible(starts) = outcome else {
        panic!("{outcome:?}");
    };
    let mut rows: Vec<i64> = starts.iter().map(|start| start.rem_euclid(3)).collect();
    rows.sort_unstable();
    assert_eq!(rows, [0, 1, 2]);
}

/// The recurrence leaves no slack, the group needs both in one stage: II must exceed the bound.
#[test]
fn a_group_across_a_recurrence_raises_the_interval_and_that_is_proven() {
    let grouped = |slot, latency| {
        let mut node = Node::new("op", latency, vec![ResourceUse::new(slot, 1)]);
        node.constraints.group = Some(1);
        node
    };
    let nodes = vec![grouped(1, 9), grouped(2, 1)];
    let edge = |from, to, latency, distance| Edge {
        from,
        to,
        latency,
        distance,
        kind: EdgeKind::Data,
    };
    let edges = vec![edge(0, 1, 9, 0), edge(1, 0, 1, 4)];
    let graph = DependenceGraph::new(ResourceSpace::default(), nodes, edges).unwrap();
    let schedule = schedule_loop(&graph, &SchedulingOptions::default()).unwrap();
    // The bound is (9 + 1) / 4, but 9 cycles apart in one stage take II = 10.
    assert_eq!((schedule.bounds.interval(), schedule.interval), (3, 10));
    assert!(schedule.proven);
    assert_eq!(schedule.stages, [0, 0]);
}
