use super::super::graph::{DependenceGraph, Node, PoolUse};
use super::super::improve::{respects_dependences, respects_stage_rules};
use super::super::order::next_random;
use super::super::problem::{LoopProblem, SchedulingOptions};
use super::super::test_support::{edge, graph, node};
use super::*;

/// Searches from starts of 0, and checks slots and pools cycle by cycle.
fn search(graph: &DependenceGraph, interval: u32) -> EjectionOutcome {
    let problem = LoopProblem::new(graph, SchedulingOptions::default()).unwrap();
    let rivals = Rivals::new(&problem).unwrap();
    let mut work = 300_000;
    let hint = vec![0; graph.len()];
    let outcome = ejection_search(&problem, &rivals, interval, &hint, &mut work);
    if let EjectionOutcome::Found(starts) = &outcome {
        assert!(
            respects_dependences(&problem, interval, starts),
            "{starts:?}"
        );
        assert!(
            respects_stage_rules(&problem, interval, starts),
            "{starts:?}"
        );
        let mut held = std::collections::BTreeSet::new();
        let mut units = vec![0; interval as usize];
        for (node, start) in graph.nodes().iter().zip(starts) {
            for hold in &node.uses {
                for cycle in 0..i64::from(hold.duration) {
                    let row = (start + cycle).rem_euclid(i64::from(interval));
                    assert!(held.insert((hold.slot, row)), "{starts:?}");
                }
            }
            let duration = node.uses.iter().map(|hold| hold.duration).max();
            for share in &node.pools {
                for cycle in 0..i64::from(duration.unwrap_or(1)) {
                    units[(start + cycle).rem_euclid(i64::from(interval)) as usize] += share.count;
                }
            }
        }
        assert!(units.iter().all(|&used| used <= 2), "{units:?}");
    }
    outcome
}

/// 3 + 2 + 2 + 1 cycles fill the 8 rows of a slot.
#[test]
fn a_full_slot_is_packed_without_gaps() {
    let nodes = [3, 2, 2, 1].map(|cycles| node(&[(1, cycles), (2, 1)]));
    let full = graph(nodes.to_vec(), Vec::new());
    assert!(matches!(search(&full, 8), EjectionOutcome::Found(_)));
}

/// Six units fill three rows of two, though no two operations exclude each other.
#[test]
fn pools_are_counted_beyond_pairs() {
    let mut nodes: Vec<Node> = (1..=6).map(|slot| node(&[(slot, 1)])).collect();
    for node in &mut nodes {
        node.pools.push(PoolUse { pool: 0, count: 1 });
    }
    let shared = graph(nodes, Vec::new());
    assert!(matches!(search(&shared, 3), EjectionOutcome::Found(_)));
}

#[test]
fn a_recurrence_of_exactly_the_interval_is_kept() {
    let nodes = vec![node(&[(1, 2)]), node(&[(1, 2)]), node(&[(1, 2)])];
    let edges = vec![edge(0, 1, 2, 0), edge(1, 2, 2, 0), edge(2, 0, 2, 1)];
    let cycle = graph(nodes, edges);
    assert!(matches!(search(&cycle, 6), EjectionOutcome::Found(_)));
}

/// The second operation starts at 5 or later, which is stage 1 at an interval of 5 and stage 0 at 6.
#[test]
fn a_stage_limit_that_dependences_contradict_is_infeasible() {
    let mut last = node(&[(1, 1)]);
    last.constraints.max_depth = Some(0);
    let limited = graph(vec![node(&[(1, 1)]), last], vec![edge(0, 1, 5, 0)]);
    assert_eq!(search(&limited, 5), EjectionOutcome::Infeasible);
    assert!(matches!(search(&limited, 6), EjectionOutcome::Found(_)));
}

/// A latency of 6 between members of a group does not fit into a stage of 6 cycles.
#[test]
fn members_of_a_group_share_a_stage() {
    let mut member = node(&[(1, 1)]);
    member.constraints.group = Some(7);
    let nodes = vec![member.clone(), node(&[(2, 3)]), member];
    let grouped = graph(nodes, vec![edge(0, 1, 3, 0), edge(1, 2, 3, 0)]);
    assert_eq!(search(&grouped, 6), EjectionOutcome::Infeasible);
    assert!(matches!(search(&grouped, 7), EjectionOutcome::Found(_)));
}

/// Twelve operations on three slots in a recurrence that is about as long as the slots are full:
/// `search` checks what is found, and below the bounds nothing is.
#[test]
fn crowded_recurrences_are_scheduled_without_conflict() {
    let mut seed = 5_u64;
    let mut random = |limit: u64| next_random(&mut seed) % limit;
    let mut found = 0;
    for _ in 0..40 {
        let nodes: Vec<Node> = (0..12)
            .map(|_| {
                let first = 1 + random(3) as u8;
                let holds = [
                    (first, 1 + random(4) as u32),
                    (first % 3 + 1, 1 + random(4) as u32),
                ];
                node(&holds)
            })
            .collect();
        let mut edges: Vec<_> = (1..12)
            .map(|to| edge(to - 1 - random(2).min(to as u64 - 1) as usize, to, 2, 0))
            .collect();
        edges.push(edge(11, 0, 2, 1));
        let crowded = graph(nodes, edges);
        let problem = LoopProblem::new(&crowded, SchedulingOptions::default()).unwrap();
        let bound = problem.bounds.interval();
        for interval in bound..bound + 6 {
            found += usize::from(matches!(
                search(&crowded, interval),
                EjectionOutcome::Found(_)
            ));
        }
    }
    assert!(found > 100, "{found}");
}

/// Rows 0 and 1 of three are held. The second operation must be in stage 0: it starts at 2, and not one
/// interval earlier.
#[test]
fn a_stage_limit_keeps_starts_from_the_cycles_before_the_first() {
    let mut limited = node(&[(1, 1)]);
    limited.constraints.max_depth = Some(0);
    let body = graph(vec![node(&[(1, 2)]), limited], Vec::new());
    assert_eq!(search(&body, 3), EjectionOutcome::Found(vec![0, 2]));
}

/// The second operation has the earlier hint and keeps it; the first takes the row that is left.
#[test]
fn hints_are_adopted_in_their_order() {
    let body = graph(vec![node(&[(1, 1)]), node(&[(1, 3)])], Vec::new());
    let problem = LoopProblem::new(&body, SchedulingOptions::default()).unwrap();
    let rivals = Rivals::new(&problem).unwrap();
    let outcome = ejection_search(&problem, &rivals, 4, &[1, 0], &mut 300_000);
    assert_eq!(outcome, EjectionOutcome::Found(vec![3, 0]));
}

#[test]
fn a_search_without_work_is_exhausted() {
    let single = graph(vec![node(&[(1, 1)])], Vec::new());
    let problem = LoopProblem::new(&single, SchedulingOptions::default()).unwrap();
    let rivals = Rivals::new(&problem).unwrap();
    let outcome = ejection_search(&problem, &rivals, 1, &[0], &mut 0);
    assert_eq!(outcome, EjectionOutcome::Exhausted);
}
