use super::super::graph::{Edge, Node, PoolUse};
use super::super::problem::{LoopProblem, SchedulingOptions};
use super::super::test_support::{edge, graph_with_pool, node};
use super::*;

/// The intervals of a range that windows refute.
fn refuted(nodes: Vec<Node>, edges: Vec<Edge>, range: std::ops::Range<u32>) -> Vec<u32> {
    let graph = graph_with_pool(4, nodes, edges);
    let problem = LoopProblem::new(&graph, SchedulingOptions::default()).unwrap();
    let model = WindowModel::new(&problem);
    range
        .filter(|&interval| model.refutes(interval, true, &mut 100_000))
        .collect()
}

/// 0 forks into 1 and 2, which join in 3; the recurrence is 7 cycles.
fn fork() -> Vec<Edge> {
    vec![
        edge(0, 1, 2, 0),
        edge(0, 2, 2, 0),
        edge(1, 3, 3, 0),
        edge(2, 3, 3, 0),
        edge(3, 0, 2, 1),
    ]
}

/// Both branches take 3 cycles of a slot, one after the other: 2 + 3 + 3 + 2.
#[test]
fn branches_of_a_recurrence_take_turns_on_a_slot() {
    let nodes = vec![node(&[]), node(&[(1, 3)]), node(&[(1, 3)]), node(&[])];
    assert_eq!(refuted(nodes, fork(), 7..12), [7, 8, 9]);
}

/// Two shares of 3 do not fit into a pool of 4; shares of 2 do.
#[test]
fn large_shares_of_a_pool_take_turns() {
    let shares = |count: u32| {
        let mut nodes = vec![node(&[]), node(&[(1, 3)]), node(&[(2, 3)]), node(&[])];
        for node in &mut nodes[1..3] {
            node.pools.push(PoolUse { pool: 0, count });
        }
        nodes
    };
    assert_eq!(refuted(shares(3), fork(), 7..12), [7, 8, 9]);
    assert!(refuted(shares(2), fork(), 7..12).is_empty());
}

/// The second operation starts 10 cycles after the first or later, and up to 2 intervals - 11 later. At
/// 11 and 12 cycles it would overlap the first one of the next iteration.
#[test]
fn operations_of_the_next_iteration_hold_slots() {
    let nodes = vec![node(&[(1, 3)]), node(&[(1, 3)]), node(&[])];
    let edges = vec![edge(0, 1, 10, 0), edge(1, 2, 5, 0), edge(2, 0, 6, 2)];
    assert_eq!(refuted(nodes, edges, 11..15), [11, 12]);
}

/// The second operation starts at 5 or later: in stage 1 at an interval of 5.
#[test]
fn stage_limits_bound_starts() {
    let mut last = node(&[(1, 1)]);
    last.constraints.max_depth = Some(0);
    let nodes = vec![node(&[(1, 1)]), last];
    assert_eq!(refuted(nodes, vec![edge(0, 1, 5, 0)], 3..8), [3, 4, 5]);
}

/// A group of 0 and 3, and one of 1 and 2. At 4 cycles 1 is in a stage after that of 0, so 2 is too, and
/// 3 cannot start after 2. At 5 all are in one stage.
#[test]
fn stages_of_groups_are_whole_intervals_apart() {
    let mut nodes = vec![node(&[(1, 1)]); 4];
    for (node, group) in nodes.iter_mut().zip([0, 1, 1, 0]) {
        node.constraints.group = Some(group);
    }
    let edges = vec![edge(0, 1, 4, 0), edge(2, 3, 1, 0)];
    assert_eq!(refuted(nodes, edges, 4..8), [4]);
}
