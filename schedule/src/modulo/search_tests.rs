//! Tests of the searches at one interval: exact limits, budgets, orders, and what improvement keeps.

use super::arms::ArmGenerator;
use super::components::Components;
use super::iterative::attempt;
use super::longest_path::latest_starts;
use super::order::{Direction, SeatOrder, Timing};
use super::test_support::{edge, graph, operations};
use super::*;

fn node(slot: u8, duration: u32) -> Node {
    Node::new("op", duration, vec![ResourceUse::new(slot, duration)])
}

fn exact(graph: &DependenceGraph, interval: u32, stages: Option<u32>) -> ExactOutcome {
    let problem = LoopProblem::new(graph, SchedulingOptions::default()).unwrap();
    exact_search(&problem, interval, stages, &mut 1_000_000)
}

/// A limit of the second operation bounds the first, 8 cycles earlier; without a limit there is none.
#[test]
fn latest_starts_follow_from_limits_alone() {
    let graph = operations(2, &[(0, 1, 8, 0)]);
    let latest = |limit: i64| {
        let of = |node: usize| if node == 1 { limit } else { i64::MAX };
        latest_starts(&graph, &Components::new(&graph), 4, of)
    };
    assert_eq!(latest(11), [3, 11]);
    assert_eq!(latest(i64::MAX), [i64::MAX, i64::MAX]);
}

/// In a recurrence a limit of the second operation bounds the first, 8 cycles before it, and so the third
/// of the iteration before, 2 cycles before that: at 42 - 2 + 30.
#[test]
fn latest_starts_follow_recurrences() {
    let graph = operations(3, &[(0, 1, 8, 0), (1, 2, 16, 0), (2, 0, 2, 1)]);
    let limit = |node: usize| if node == 1 { 50 } else { i64::MAX };
    let latest = latest_starts(&graph, &Components::new(&graph), 30, limit);
    assert_eq!(latest, [42, 50, 70]);
}

/// The second operation starts at the latency or later: at 3, the last cycle of stage 0, or at 4.
#[test]
fn the_exact_search_allows_every_cycle_of_the_last_stage_and_no_later_one() {
    let chain = |latency| graph(vec![node(1, 1), node(2, 1)], vec![edge(0, 1, latency, 0)]);
    assert_eq!(
        exact(&chain(3), 4, Some(1)),
        ExactOutcome::Feasible(vec![0, 3])
    );
    assert_eq!(exact(&chain(4), 4, Some(1)), ExactOutcome::Infeasible);
    assert_eq!(
        exact(&chain(4), 4, Some(2)),
        ExactOutcome::Feasible(vec![0, 4])
    );
}

/// Two operations that take the two units of a pool may start in the same cycle; a third may not.
#[test]
fn the_exact_search_fills_a_pool() {
    let tasks = |count: usize| {
        let node = |slot: usize| {
            let mut node = node(slot as u8, 1);
            node.pools.push(PoolUse { pool: 0, count: 1 });
            node
        };
        graph((1..=count).map(node).collect(), Vec::new())
    };
    assert_eq!(
        exact(&tasks(2), 1, None),
        ExactOutcome::Feasible(vec![0, 0])
    );
    assert_eq!(exact(&tasks(3), 1, None), ExactOutcome::Infeasible);
}

/// The third operation needs two adjacent rows of four. The first two have rows 0 and 2: the first is
/// ejected and takes row 3, and the second, two cycles later at least, moves to cycle 6, in row 2 again.
#[test]
fn an_attempt_ejects_what_is_in_the_way() {
    let nodes = vec![node(1, 1), node(1, 1), node(1, 2)];
    let body = graph(nodes, vec![edge(0, 1, 2, 0)]);
    let problem = LoopProblem::new(&body, SchedulingOptions::default()).unwrap();
    let timing = Timing::new(&problem, 4).unwrap();
    let order = SeatOrder {
        rank: vec![0, 1, 2],
        direction: Direction::Forward,
    };
    assert_eq!(attempt(&problem, &timing, &order, 4), Some(vec![3, 6, 0]));
}

/// The second operation has the longest path to the end after the first, which it waits for. It is
/// seated before the third, with which it shares a slot, and so at its earliest cycle.
#[test]
fn arms_seat_an_operation_once_those_before_it_are_seated() {
    let nodes = vec![
        node(9, 1),
        node(1, 2),
        node(1, 2),
        Node::new("tail", 1, Vec::new()),
    ];
    let body = graph(nodes, vec![edge(0, 1, 1, 0), edge(1, 3, 20, 0)]);
    let problem = LoopProblem::new(&body, SchedulingOptions::default()).unwrap();
    let (starts, _) = ArmGenerator::run(&problem, 4, &mut DecisionLog::off());
    assert_eq!(starts, Some(vec![0, 1, 3, 21]));
}

/// The first operation takes 100 cycles; the second, which holds nothing, is needed as late as the result
/// of the first, and its value lives for one cycle. In loops of more than 256 operations the arms alone
/// decide.
#[test]
fn large_loops_are_improved() {
    let mut nodes = vec![node(1, 1), Node::new("value", 1, Vec::new()), node(2, 1)];
    nodes.resize(260, Node::new("other", 1, Vec::new()));
    let body = graph(nodes, vec![edge(0, 2, 100, 0), edge(1, 2, 1, 0)]);
    let options = SchedulingOptions {
        strategy: Strategy::Fast,
        ..SchedulingOptions::default()
    };
    let schedule = schedule_loop(&body, &options).unwrap();
    assert_eq!(schedule.generator, GeneratorKind::CostBased);
    assert_eq!(schedule.starts[..3], [0, 99, 100]);
}

/// The first start is moved from 2 to 0, which saves a stage, and every operation with it: in the rows of
/// the other rotations the second operation, which has a group and so is moved no further, starts 4
/// cycles before its value is read, and the value needs two slots.
#[test]
fn improvement_moves_the_first_start_to_zero() {
    let mut value = node(1, 1);
    value.buffer_bytes = 100;
    value.constraints.group = Some(1);
    let nodes = vec![node(3, 1), value, node(2, 1)];
    let body = graph(nodes, vec![edge(0, 2, 6, 0), edge(1, 2, 1, 0)]);
    let problem = LoopProblem::new(&body, SchedulingOptions::default()).unwrap();
    assert_eq!(super::improve::improve(&problem, 4, &[2, 7, 8]), [0, 5, 6]);
}
