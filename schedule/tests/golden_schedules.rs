//! The golden schedules of the tile-level reference, section 4.8: interval, starts, stages,
//! orders and both classic bounds.

use orison_schedule::check::{Claim, check_schedule};
use orison_schedule::machine::{MachineModel, OperationQuery};
use orison_schedule::modulo::{
    DependenceGraph, Edge, EdgeKind, Node, SchedulingOptions, Strategy, schedule_loop,
};

/// `(from, to, latency, distance)`.
type Dependence = (usize, usize, i32, u32);

/// `(start, stage, order)`.
type Seat = (i64, u32, u32);

struct Golden {
    body: &'static [&'static str],
    edges: &'static [Dependence],
    resource: u32,
    recurrence: u32,
    interval: u32,
    seats: &'static [Seat],
    stages: u32,
}

const GOLDEN: [Golden; 5] = [
    Golden {
        body: &["load", "write", "mma", "read"],
        edges: &[(0, 3, 8, 0)],
        resource: 15,
        recurrence: 1,
        interval: 15,
        seats: &[(0, 0, 0), (8, 0, 2), (0, 0, 1), (8, 0, 3)],
        stages: 1,
    },
    Golden {
        body: &["load", "mma", "read"],
        edges: &[(0, 2, 8, 0)],
        resource: 8,
        recurrence: 1,
        interval: 8,
        seats: &[(0, 0, 0), (0, 0, 1), (8, 1, 0)],
        stages: 2,
    },
    Golden {
        body: &["load", "mma", "read"],
        edges: &[(0, 2, 8, 0), (2, 1, 7, 0)],
        resource: 8,
        recurrence: 1,
        interval: 8,
        seats: &[(0, 0, 0), (15, 1, 1), (8, 1, 0)],
        stages: 2,
    },
    Golden {
        body: &["load", "load", "mma"],
        edges: &[(0, 2, 8, 0), (1, 2, 8, 0), (2, 2, 16, 1)],
        resource: 16,
        recurrence: 16,
        interval: 16,
        seats: &[(0, 0, 0), (8, 0, 1), (16, 1, 0)],
        stages: 2,
    },
    Golden {
        body: &["load", "load", "mma"],
        edges: &[(0, 2, 8, 0), (1, 2, 8, 0), (2, 2, 20, 1)],
        resource: 16,
        recurrence: 20,
        interval: 20,
        seats: &[(0, 0, 0), (8, 0, 1), (16, 0, 2)],
        stages: 1,
    },
];

/// A node with the row of the machine model.
fn node(name: &str) -> Node {
    let query = |operation, from, to| OperationQuery {
        operation,
        from,
        to,
        ..Default::default()
    };
    let query = match name {
        "load" => query("nv_tileas.async.tiled_tma_load", None, None),
        "write" => query("nv_tileas.async.copy", Some("reg"), Some("smem")),
        "read" => query("nv_tileas.async.copy", Some("smem"), Some("reg")),
        _ => query("nv_tileas.dot", None, None),
    };
    let cost = MachineModel::blackwell().page().cost_of(&query);
    Node {
        pools: cost.pools,
        ..Node::new(name, cost.latency, cost.uses)
    }
}

fn graph(golden: &Golden) -> DependenceGraph {
    let edges = golden
        .edges
        .iter()
        .map(|&(from, to, latency, distance)| Edge {
            from,
            to,
            latency,
            distance,
            kind: EdgeKind::Data,
        });
    let nodes = golden.body.iter().map(|name| node(name)).collect();
    let space = MachineModel::blackwell().page().resource_space();
    DependenceGraph::new(space, nodes, edges.collect()).expect("a graph")
}

#[test]
fn every_row_of_the_table() {
    for strategy in [Strategy::Auto, Strategy::Fast] {
        for golden in &GOLDEN {
            let graph = graph(golden);
            let options = SchedulingOptions {
                strategy,
                ..SchedulingOptions::default()
            };
            let schedule = schedule_loop(&graph, &options).unwrap();
            check_schedule(&graph, &Claim::from(&schedule)).unwrap();
            assert_eq!(
                schedule.bounds.resource, golden.resource,
                "{:?}",
                golden.body
            );
            assert_eq!(
                schedule.bounds.recurrence, golden.recurrence,
                "{:?}",
                golden.body
            );
            assert_eq!(schedule.interval, golden.interval, "{:?}", golden.body);
            assert_eq!(schedule.stage_count, golden.stages, "{:?}", golden.body);
            let seats: Vec<Seat> = (0..graph.len())
                .map(|op| {
                    (
                        schedule.starts[op],
                        schedule.stages[op],
                        schedule.orders[op],
                    )
                })
                .collect();
            assert_eq!(seats, golden.seats, "{:?}", golden.body);
            assert!(schedule.proven);
        }
    }
}

#[test]
fn the_gemm_pipe_is_two_deep() {
    let graph = graph(&GOLDEN[3]);
    let schedule = schedule_loop(&graph, &SchedulingOptions::default()).unwrap();
    // The multiply reads both tiles until 16 + 16: ceil(32 / 16) and ceil(24 / 16).
    assert_eq!(
        [schedule.depth(&graph, 0), schedule.depth(&graph, 1)],
        [2, 2]
    );
}

#[test]
fn leaders_and_depth_limits_of_the_gemm_loop() {
    // The page's GEMM body: both loads under leader 1, the multiply leads itself.
    let plain = graph(&GOLDEN[3]);
    let constrained = |multiply_depth| {
        let mut nodes = plain.nodes().to_vec();
        for (node, (group, leader)) in nodes.iter_mut().zip([(1, 1), (2, 1), (3, 3)]) {
            node.constraints.group = Some(group);
            node.constraints.leader = Some(leader);
        }
        nodes[2].constraints.max_depth = multiply_depth;
        let space = plain.space().clone();
        DependenceGraph::new(space, nodes, plain.edges().to_vec()).expect("a graph")
    };
    let schedule = |graph: &DependenceGraph| {
        let schedule = schedule_loop(graph, &SchedulingOptions::default()).expect("a schedule");
        check_schedule(graph, &Claim::from(&schedule)).expect("a valid schedule");
        (schedule.interval, schedule.starts)
    };
    assert_eq!(schedule(&constrained(None)), (16, vec![0, 8, 16]));
    // With every operation in stage 0 the multiply has to start before the interval ends.
    assert_eq!(schedule(&constrained(Some(0))), (17, vec![0, 8, 16]));
}
