//! Tests of the arms, one per mechanism.

use super::super::decisions::{Arm, Decision};
use super::super::graph::{DependenceGraph, Node, NodeConstraints, ResourceUse, StructConstraint};
use super::super::test_support::{edge, graph};
use super::*;

fn node(slot: u8, duration: u32) -> Node {
    Node::new("op", duration, vec![ResourceUse::new(slot, duration)])
}

type Run = (Option<Vec<i64>>, Refinement, Vec<Event>);

fn run_with(graph: &DependenceGraph, interval: u32, options: SchedulingOptions) -> Run {
    let problem = LoopProblem::new(graph, options).unwrap();
    let mut log = DecisionLog::on();
    let (starts, refinement) = ArmGenerator::run(&problem, interval, &mut log);
    (starts, refinement, log.events().to_vec())
}

fn run(graph: &DependenceGraph, interval: u32) -> Run {
    run_with(graph, interval, SchedulingOptions::default())
}

fn decisions(events: &[Event]) -> impl Iterator<Item = &Decision> {
    events.iter().filter_map(|event| match event {
        Event::Decision(decision) => Some(decision),
        _ => None,
    })
}

fn committed_by(events: &[Event], arm: Arm) -> bool {
    decisions(events).any(|decision| decision.arm == arm && decision.committed)
}

#[test]
fn permute_seats_at_the_earliest_legal_cycle() {
    let body = graph(vec![node(1, 3), node(1, 2)], vec![edge(0, 1, 3, 0)]);
    let (starts, refinement, events) = run(&body, 5);
    assert_eq!(starts, Some(vec![0, 3]));
    assert!(refinement.converged && !refinement.budget_exceeded);
    assert_eq!(refinement.rounds, 1);
    assert!(decisions(&events).all(|decision| decision.arm == Arm::Permute));
}

#[test]
fn fuse_seats_a_group_with_the_one_in_its_way() {
    // The first has the longer path to the end and takes rows 0 and 1 of slot 1. The second needs
    // four rows of slot 1 from its earliest cycle: the recurrence through the third leaves it
    // cycles 0 to 1 only at II 6. When they are seated as one, the longest hold goes first.
    let nodes = vec![
        node(1, 2),
        node(1, 4),
        node(2, 1),
        Node::new("tail", 1, vec![]),
    ];
    let edges = vec![edge(0, 3, 20, 0), edge(1, 2, 5, 0), edge(2, 1, 0, 1)];
    let mut body = nodes;
    body[1].constraints.max_depth = Some(0);
    body[2].constraints.max_depth = Some(0);
    let (starts, _, events) = run(&graph(body, edges), 6);
    let starts = starts.unwrap();
    assert_eq!((starts[0], starts[1]), (4, 0));
    assert!(committed_by(&events, Arm::Fuse));
}

#[test]
fn retry_widens_the_depth_horizon() {
    // max_depth 2 is beyond the first horizon of 1: G2 rejects it until RETRY.
    let mut late = node(2, 1);
    late.constraints.max_depth = Some(2);
    let body = graph(vec![node(1, 4), late], vec![edge(0, 1, 9, 0)]);
    let (starts, _, events) = run(&body, 4);
    assert_eq!(starts, Some(vec![0, 9]));
    let refused = decisions(&events).find(|decision| decision.gate.is_some());
    assert_eq!(
        refused.and_then(|decision| decision.gate),
        Some(super::super::decisions::Gate::DepthHorizon)
    );
    assert!(committed_by(&events, Arm::Retry));
}

#[test]
fn a_depth_that_dependences_exceed_fails_without_a_budget_problem() {
    let mut late = node(2, 1);
    late.constraints.max_depth = Some(1);
    let body = graph(vec![node(1, 4), late], vec![edge(0, 1, 9, 0)]);
    let (starts, refinement, _) = run(&body, 4);
    assert_eq!(starts, None);
    assert!(!refinement.converged && !refinement.budget_exceeded);
    assert_eq!(run(&body, 5).0, Some(vec![0, 9]));
}

#[test]
fn leader_groups_share_a_depth() {
    // At II 8 the second member cannot start before cycle 9, stage 1; the first is moved there too.
    let grouped = |slot, leader| {
        let mut node = node(slot, 2);
        node.constraints = NodeConstraints {
            group: Some(leader),
            ..NodeConstraints::default()
        };
        node
    };
    let nodes = vec![node(3, 1), grouped(1, 5), grouped(2, 5)];
    let (starts, ..) = run(&graph(nodes, vec![edge(0, 2, 9, 0)]), 8);
    let starts = starts.unwrap();
    assert_eq!(starts[1].div_euclid(8), starts[2].div_euclid(8));
}

/// Two operations that should share a depth; one must be in stage 0 and the other, at an interval
/// of 8, cannot be.
fn torn_structure() -> DependenceGraph {
    let mut first = node(1, 2);
    first.constraints.max_depth = Some(0);
    let soft = StructConstraint {
        members: vec![0, 1],
        combiner: false,
        rationale: "a test".to_owned(),
    };
    let nodes = vec![first, node(2, 2), node(3, 1)];
    graph(nodes, vec![edge(2, 1, 9, 0)])
        .with_structures(vec![soft])
        .unwrap()
}

#[test]
fn a_soft_grouping_that_cannot_hold_is_lifted() {
    let (starts, refinement, events) = run(&torn_structure(), 8);
    assert_eq!(starts, Some(vec![0, 9, 0]));
    assert_eq!((refinement.lifted, refinement.rounds), (vec![0], 2));
    assert!(refinement.converged && !refinement.budget_exceeded);
    let lifted = |event: &Event| matches!(event, Event::Lifted { structure: 0, .. });
    assert!(events.iter().any(lifted));
}

#[test]
fn a_soft_grouping_that_can_hold_is_kept() {
    // At an interval of 10 the second also starts in stage 0.
    let (starts, refinement, _) = run(&torn_structure(), 10);
    assert_eq!(starts, Some(vec![0, 9, 0]));
    assert!(refinement.lifted.is_empty());
}

#[test]
fn one_round_is_too_few_when_something_must_be_lifted() {
    let options = SchedulingOptions {
        max_constraint_iterations: 1,
        ..SchedulingOptions::default()
    };
    let (starts, refinement, _) = run_with(&torn_structure(), 8, options);
    assert_eq!(starts, None);
    assert!(refinement.budget_exceeded && !refinement.converged);
}

#[test]
fn the_latency_ceiling_refuses_before_resources_are_probed() {
    let body = graph(vec![node(1, 3), node(1, 2)], vec![edge(0, 1, 3, 0)]);
    let options = SchedulingOptions {
        latency_ceiling: Some(4),
        ..SchedulingOptions::default()
    };
    let (starts, _, events) = run_with(&body, 5, options);
    assert_eq!(starts, None);
    let gates: Vec<_> = decisions(&events).filter_map(|d| d.gate).collect();
    assert!(gates.contains(&super::super::decisions::Gate::LatencyCeiling));
    assert!(
        !gates
            .iter()
            .any(|gate| matches!(gate, super::super::decisions::Gate::Resources(_)))
    );
}

#[test]
fn quantised_tables_give_valid_seats() {
    let body = graph(vec![node(1, 10), node(1, 11), node(1, 9)], Vec::new());
    let options = SchedulingOptions {
        rrt_size_threshold: 8,
        ..SchedulingOptions::default()
    };
    let (starts, ..) = run_with(&body, 64, options);
    let mut starts = starts.unwrap();
    starts.sort_unstable();
    // Rows of 8 cycles: 10 and 11 cycles take two rows each.
    assert!(starts.iter().all(|start| start % 8 == 0));
}

#[test]
fn delays_are_drawn_from_the_seed() {
    let body = graph(vec![node(1, 1), node(2, 1), node(3, 1)], Vec::new());
    let with = |seed| {
        let options = SchedulingOptions {
            random_delay: Some(seed),
            ..SchedulingOptions::default()
        };
        run_with(&body, 32, options).0.unwrap()
    };
    assert_eq!(with(1), with(1));
    assert!((1..9).any(|seed| with(seed) != [0, 0, 0]));
}

#[test]
fn seats_leave_a_window_for_what_is_between_them() {
    // The second and the last are seated first, as one group. The first takes slot 1 in cycles 0 to 2,
    // so the second starts at 3. The last depends on it through the third, 5 + 5 cycles later, which
    // has no seat yet: it starts at 13, and not at 10, the earliest when nothing is delayed.
    let grouped = |mut node: Node| {
        node.constraints = NodeConstraints {
            group: Some(1),
            ..NodeConstraints::default()
        };
        node
    };
    let nodes = vec![
        node(1, 3),
        grouped(node(1, 2)),
        node(2, 1),
        grouped(node(3, 1)),
        Node::new("tail", 1, vec![]),
    ];
    let edges = vec![edge(1, 2, 5, 0), edge(2, 3, 5, 0), edge(0, 4, 60, 0)];
    let body = graph(nodes, edges);
    let (starts, refinement, events) = run(&body, 40);
    let starts = starts.unwrap();
    assert_eq!(starts[..4], [0, 3, 8, 13]);
    assert_eq!(refinement.rounds, 1);
    assert!(
        decisions(&events).all(|decision| decision.gate.is_none()),
        "{events:?}"
    );
}

#[test]
fn bank_caps_move_a_seat_of_the_cost_arm() {
    // Two operations of different transports hold a bank each. COST seats the second where the banks of
    // the current iteration stay within the cap.
    let body = graph(vec![node(15, 4), node(16, 2)], vec![]);
    let seat = |in_iteration| {
        let options = SchedulingOptions {
            bank_caps: super::super::evaluators::BankCaps {
                in_iteration,
                carry: 3,
            },
            ..SchedulingOptions::default()
        };
        let problem = LoopProblem::new(&body, options).unwrap();
        let timing = Timing::new(&problem, 8).unwrap();
        let groups = Groups::new(&problem, &timing, &BTreeSet::new(), &[0, 0]);
        let ancestors = Ancestors::new(&body);
        let attempt = Attempt::new(&problem, &timing, &groups, &ancestors, (8, 1));
        let mut attempt = attempt.in_round(1, &[false, false], 100);
        let mut log = DecisionLog::off();
        let mut snapshot = Default::default();
        for node in [0, 1] {
            assert!(attempt.cost(groups.of[node], &mut snapshot, &mut log));
        }
        attempt.placement.start(1)
    };
    assert_eq!([seat(4), seat(0)], [Some(0), Some(4)]);
}

/// The second operation has the longer path to the end, but is held over until the first is seated.
#[test]
fn a_held_operation_is_passed_over_until_the_others_are_seated() {
    let body = graph(
        vec![node(1, 2), node(1, 2), Node::new("tail", 1, vec![])],
        vec![edge(1, 2, 20, 0)],
    );
    let problem = LoopProblem::new(&body, SchedulingOptions::default()).unwrap();
    let timing = Timing::new(&problem, 8).unwrap();
    let groups = Groups::new(&problem, &timing, &BTreeSet::new(), &[0, 0, 0]);
    let ancestors = Ancestors::new(&body);
    let run = |held: &[bool]| {
        let attempt = Attempt::new(&problem, &timing, &groups, &ancestors, (8, 1));
        let mut log = DecisionLog::on();
        let (starts, _) = attempt.in_round(1, held, 100).run(&mut log);
        let events = log.events().to_vec();
        let held_over = |found: &&Decision| {
            found.gate == Some(super::super::decisions::Gate::HoldOver) && found.node == 1
        };
        let found = starts.map(|starts| [starts[0], starts[1]]);
        (
            found.ok(),
            decisions(&events).any(|found| held_over(&found)),
        )
    };
    assert_eq!(run(&[false; 3]), (Some([2, 0]), false));
    assert_eq!(run(&[false, true, false]), (Some([0, 2]), true));
}
