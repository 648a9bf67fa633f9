//! Valid schedules with one change: the checker accepts exactly those that a time line of absolute
//! cycles accepts.
//!
//! The time line knows nothing of rows modulo the interval: it executes enough iterations, one after
//! the other, and records which operation holds what in which cycle.

mod common;

use std::collections::BTreeMap;

use common::Random;
use orison_schedule::check::{Claim, Violation, check_schedule};
use orison_schedule::modulo::{
    DependenceGraph, Node, NodeConstraints, Pool, PoolUse, ResourceSpace, SchedulingOptions,
    Strategy, schedule_loop,
};

/// A loop with slots, pools, forced order, groups and depth limits.
fn constrained(seed: u64) -> DependenceGraph {
    let mut random = Random::new(seed);
    let tight = common::tight_loop(seed, random.between(3, 9));
    let decorated = tight.nodes().iter().map(|node| {
        let mut node = node.clone();
        if random.chance(40) {
            let count = random.between(1, 2);
            let pool = random.between(0, 1) as usize;
            node.pools.push(PoolUse { pool, count });
        }
        node.constraints = NodeConstraints {
            group: random.chance(20).then(|| random.between(0, 1)),
            max_depth: random.chance(15).then(|| random.between(1, 2)),
            force_serial: random.chance(25),
            ..NodeConstraints::default()
        };
        node
    });
    let nodes: Vec<Node> = decorated.collect();
    let pool = |name: &str, capacity| Pool {
        name: name.to_owned(),
        capacity,
    };
    let space = ResourceSpace {
        pools: vec![pool("narrow", 2), pool("wide", 3)],
        ..ResourceSpace::default()
    };
    DependenceGraph::new(space, nodes, tight.edges().to_vec()).expect("a graph")
}

/// Start cycles at an interval, with the stages and orders that follow from them.
#[derive(Clone, Debug)]
struct Starts {
    interval: i64,
    starts: Vec<i64>,
    stages: Vec<u32>,
    orders: Vec<u32>,
}

impl Starts {
    fn new(interval: i64, starts: Vec<i64>) -> Self {
        let stage = |start: &i64| u32::try_from(start.div_euclid(interval)).unwrap_or(u32::MAX);
        let stages: Vec<u32> = starts.iter().map(stage).collect();
        let orders = (0..starts.len()).map(|node| {
            let key = |other: usize| (starts[other], other);
            let before = (0..starts.len())
                .filter(|&other| stages[other] == stages[node] && key(other) < key(node));
            u32::try_from(before.count()).expect("few")
        });
        Self {
            orders: orders.collect(),
            interval,
            stages,
            starts,
        }
    }

    fn verdict(&self, graph: &DependenceGraph) -> Result<(), Violation> {
        let last = self.stages.iter().copied().max().unwrap_or(0);
        let claim = Claim {
            interval: u32::try_from(self.interval).expect("positive"),
            starts: &self.starts,
            stages: &self.stages,
            orders: &self.orders,
            stage_count: last.saturating_add(1),
        };
        check_schedule(graph, &claim)
    }
}

/// Cycles for which an operation holds each slot, each pool, and the place of the serial operations.
fn holds(node: &Node) -> (BTreeMap<u8, i64>, i64, i64) {
    let mut slots: BTreeMap<u8, i64> = BTreeMap::new();
    for triple in node.uses.iter().filter(|triple| triple.occupancy > 0) {
        let longest = slots.entry(triple.slot).or_default();
        *longest = (*longest).max(i64::from(triple.duration));
    }
    let serial = if node.constraints.force_serial {
        i64::from(node.latency.max(1))
    } else {
        0
    };
    let longest = slots.values().copied().max().unwrap_or(0);
    (slots, longest.max(serial).max(1), serial)
}

/// Whether the iterations of a loop, started an interval apart, break nothing.
fn runs(graph: &DependenceGraph, claim: &Starts) -> bool {
    let (interval, starts) = (claim.interval, &claim.starts);
    let length = |node: &Node| holds(node).1;
    let ends = graph.nodes().iter().zip(starts);
    let end = ends.map(|(node, start)| start + length(node)).max();
    let first = starts.iter().copied().min().unwrap_or(0);
    if !(0..interval).contains(&first) {
        return false;
    }
    let iterations = 2 * ((end.unwrap_or(0) - first) / interval + 2);
    let mut slots: BTreeMap<(u8, i64), u32> = BTreeMap::new();
    let mut serial: BTreeMap<i64, u32> = BTreeMap::new();
    let mut pools: BTreeMap<(usize, i64), u32> = BTreeMap::new();
    for iteration in 0..iterations {
        for (node, start) in graph.nodes().iter().zip(starts) {
            let start = start + iteration * interval;
            let (slot_cycles, pool_cycles, serial_cycles) = holds(node);
            for (slot, cycles) in slot_cycles {
                for cycle in start..start + cycles {
                    *slots.entry((slot, cycle)).or_default() += 1;
                }
            }
            for cycle in start..start + serial_cycles {
                *serial.entry(cycle).or_default() += 1;
            }
            for share in &node.pools {
                for cycle in start..start + pool_cycles {
                    *pools.entry((share.pool, cycle)).or_default() += share.count;
                }
            }
        }
        for edge in graph.edges() {
            let produced = starts[edge.from] + iteration * interval + i64::from(edge.latency);
            let read = starts[edge.to] + (iteration + i64::from(edge.distance)) * interval;
            if read < produced {
                return false;
            }
        }
    }
    let depths = graph.nodes().iter().zip(&claim.stages);
    let mut groups: BTreeMap<u32, u32> = BTreeMap::new();
    let placed = depths.into_iter().all(|(node, &depth)| {
        let group = node.constraints.group;
        group.is_none_or(|group| *groups.entry(group).or_insert(depth) == depth)
            && node.constraints.max_depth.is_none_or(|most| depth <= most)
    });
    let capacity = |pool: usize| graph.space().pools[pool].capacity;
    placed
        && slots.values().all(|users| *users <= 1)
        && serial.values().all(|users| *users <= 1)
        && pools
            .iter()
            .all(|((pool, _), units)| *units <= capacity(*pool))
}

/// A name for each kind of violation that a change of starts or interval can cause.
fn kind(violation: &Violation) -> &'static str {
    match violation {
        Violation::Dependence { .. } => "dependence",
        Violation::SelfCollision { .. } => "self collision",
        Violation::SlotConflict { .. } => "slot conflict",
        Violation::PoolOverflow { .. } => "pool overflow",
        Violation::SerialOverlap { .. } => "serial overlap",
        Violation::NotNormalised { .. } => "not normalised",
        Violation::MaxDepth { .. } => "max depth",
        Violation::LeaderGroup { .. } => "leader group",
        other => panic!("the claim follows from the starts: {other}"),
    }
}

/// One change: an operation moves a little, or into the row of another one, or to the next stage,
/// or all iterations start closer together.
fn mutated(random: &mut Random, interval: i64, starts: &[i64]) -> (i64, Vec<i64>) {
    let mut starts = starts.to_vec();
    let last = u32::try_from(starts.len() - 1).expect("few");
    let [chosen, other] = [(); 2].map(|()| random.between(0, last) as usize);
    match random.between(0, 4) {
        0 => starts[chosen] += i64::from(random.between(0, 18)) - 9,
        1 => {
            let row = starts[other].rem_euclid(interval);
            starts[chosen] += (row - starts[chosen]).rem_euclid(interval);
        }
        2 => starts[chosen] += interval,
        3 => starts.iter_mut().for_each(|start| *start += interval / 2),
        _ => {
            let most = u32::try_from(interval).expect("positive");
            return (i64::from(random.between(1, most)), starts);
        }
    }
    (interval, starts)
}

#[test]
fn a_mutated_schedule_is_caught() {
    let options = SchedulingOptions {
        strategy: Strategy::Fast,
        ..SchedulingOptions::default()
    };
    let mut found: BTreeMap<&str, u32> = BTreeMap::new();
    for seed in 0..60 {
        let graph = constrained(seed);
        let schedule = schedule_loop(&graph, &options).expect("a schedule");
        let valid = Starts::new(i64::from(schedule.interval), schedule.starts.clone());
        assert_eq!(valid.verdict(&graph), Ok(()), "seed {seed}");
        assert!(runs(&graph, &valid), "seed {seed}");
        assert_eq!(
            (&valid.stages, &valid.orders),
            (&schedule.stages, &schedule.orders)
        );
        // Without its dependences, other rules decide.
        let free = DependenceGraph::new(graph.space().clone(), graph.nodes().to_vec(), Vec::new());
        let free = free.expect("a graph");
        let mut random = Random::new(seed + 1_000);
        for round in 0..60 {
            let graph = if round % 2 == 0 { &graph } else { &free };
            let (interval, starts) = mutated(&mut random, valid.interval, &valid.starts);
            let claim = Starts::new(interval, starts);
            let verdict = claim.verdict(graph);
            assert_eq!(
                verdict.is_ok(),
                runs(graph, &claim),
                "seed {seed}: {verdict:?} {claim:?}"
            );
            let name = verdict.as_ref().map_or_else(kind, |()| "still valid");
            *found.entry(name).or_default() += 1;
        }
    }
    println!("{found:?}");
    for name in [
        "dependence",
        "self collision",
        "slot conflict",
        "pool overflow",
        "serial overlap",
        "not normalised",
        "max depth",
        "leader group",
        "still valid",
    ] {
        assert!(
            found.get(name).is_some_and(|count| *count >= 5),
            "{name}: {found:?}"
        );
    }
}

#[test]
fn a_wrong_stage_or_order_is_caught() {
    for seed in 0..20 {
        let graph = constrained(seed);
        let options = SchedulingOptions {
            strategy: Strategy::Fast,
            ..SchedulingOptions::default()
        };
        let schedule = schedule_loop(&graph, &options).expect("a schedule");
        for node in 0..graph.len() {
            let mut stages = schedule.stages.clone();
            stages[node] += 1;
            let claim = Claim {
                stages: &stages,
                ..Claim::from(&schedule)
            };
            assert!(matches!(
                check_schedule(&graph, &claim),
                Err(Violation::Stage { .. })
            ));
            let mut orders = schedule.orders.clone();
            orders[node] += 1;
            let claim = Claim {
                orders: &orders,
                ..Claim::from(&schedule)
            };
            assert!(matches!(
                check_schedule(&graph, &claim),
                Err(Violation::Order { .. })
            ));
        }
    }
}
