//! Freedom from deadlock of agents whose iterations overlap, and the slots that it takes.
//!
//! The steps of all agents that hand slots and mutexes over form a marked graph: an edge with
//! distance `d` says that a step of iteration `k` precedes one of iteration `k + d`. Steps of an
//! agent follow each other in the order of its kernel; a slot is waited for after it is filled, and
//! filled again after its release, as many iterations later as the ring has slots. No execution
//! deadlocks if and only if no cycle has a distance of zero or less.

use std::collections::BTreeMap;

use super::super::super::solve::{Agent, FramePlan};
use super::super::steps::Step;
use super::timeline::Timeline;

/// A step that hands over, in the kernel of an agent.
struct Event {
    agent: Agent,
    step: Step,
    stage: i64,
}

struct Edge {
    from: usize,
    to: usize,
    distance: i64,
    /// The pipe whose slots the edge counts.
    slots: Option<usize>,
}

/// The slots that each pipe needs so that the agents cannot deadlock, at least those of the plan;
/// `None` if no number suffices.
pub(super) fn slots(
    plan: &FramePlan,
    agents: &[(Agent, Timeline)],
    minimum: &[u32],
) -> Option<Vec<u32>> {
    let mut events = Vec::new();
    for (agent, timeline) in agents {
        for seat in timeline.kernel() {
            let step = timeline.steps[seat.step].step;
            if !matches!(step, Step::Copy(_) | Step::Project(_) | Step::Await(_)) {
                events.push(Event {
                    agent: *agent,
                    step,
                    stage: i64::try_from(seat.stage).unwrap_or(i64::MAX),
                });
            }
        }
    }
    let mut slots = minimum.to_vec();
    loop {
        let edges = edges(plan, &events, &slots);
        let Some(cycle) = cycle(events.len(), &edges) else {
            return Some(slots);
        };
        let short: Vec<usize> = cycle.iter().filter_map(|edge| edges[*edge].slots).collect();
        for &pipe in &short {
            slots[pipe] += 1;
            if slots[pipe] > plan.pipes[pipe].flavour().depth_limit() {
                return None;
            }
        }
        if short.is_empty() {
            return None;
        }
    }
}

fn edges(plan: &FramePlan, events: &[Event], slots: &[u32]) -> Vec<Edge> {
    let mut edges = Vec::new();
    let mut last: BTreeMap<Agent, (usize, usize)> = BTreeMap::new();
    for (number, event) in events.iter().enumerate() {
        let (first, before) = *last.entry(event.agent).or_insert((number, number));
        if before != number {
            edges.push((before, number, 0, None));
        }
        last.insert(event.agent, (first, number));
    }
    edges.extend(
        last.into_values()
            .map(|(first, last)| (last, first, 1, None)),
    );
    let mut edges: Vec<Edge> = edges
        .into_iter()
        .map(|(from, to, distance, slots)| Edge {
            from,
            to,
            distance,
            slots,
        })
        .collect();
    let mut hand_over = |from: usize, to: usize, iterations: i64, slots: Option<usize>| {
        edges.push(Edge {
            from,
            to,
            distance: iterations + events[to].stage - events[from].stage,
            slots,
        });
    };
    for (number, event) in events.iter().enumerate() {
        for (other, second) in events.iter().enumerate() {
            match (event.step, second.step) {
                (Step::Fill(a), Step::Take(b) | Step::Wait(b)) if a == b => {
                    hand_over(number, other, 0, None);
                }
                (Step::Take(a) | Step::Release(a), Step::Fill(b)) if a == b => {
                    hand_over(number, other, i64::from(slots[a]), Some(a));
                }
                (Step::Leave(a), Step::Enter(b)) if a == b && event.agent != second.agent => {
                    let again = plan.mutexes[a].second == event.agent;
                    hand_over(number, other, i64::from(again), None);
                }
                _ => {}
            }
        }
    }
    edges
}

/// The edges of a cycle whose distance is zero or less.
fn cycle(nodes: usize, edges: &[Edge]) -> Option<Vec<usize>> {
    // Each edge costs a little less than its distance: exactly such cycles are negative.
    let scale = i64::try_from(nodes).unwrap_or(i64::MAX - 1) + 1;
    let cost = |edge: &Edge| edge.distance.saturating_mul(scale) - 1;
    let mut best = vec![0i64; nodes];
    let mut through: Vec<Option<usize>> = vec![None; nodes];
    let mut changed = None;
    for _ in 0..=nodes {
        changed = None;
        for (number, edge) in edges.iter().enumerate() {
            let found = best[edge.from].saturating_add(cost(edge));
            if found < best[edge.to] {
                best[edge.to] = found;
                through[edge.to] = Some(number);
                changed = Some(edge.to);
            }
        }
        changed?;
    }
    let mut node = changed?;
    // After as many steps back as there are nodes, the path is in the cycle.
    for _ in 0..nodes {
        node = edges[through[node]?].from;
    }
    let start = node;
    let mut found = Vec::new();
    loop {
        let edge = through[node]?;
        found.push(edge);
        node = edges[edge].from;
        if node == start {
            return Some(found);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A producer fills slots in one order, a consumer holds each for `held` iterations.
    fn ring(slots: i64, held: i64) -> Vec<Edge> {
        let edge = |from, to, distance, slots| Edge {
            from,
            to,
            distance,
            slots,
        };
        vec![
            // Fill, wait, release; the release comes in a later stage, before the wait in its row.
            edge(0, 0, 1, None),
            edge(2, 1, 0, None),
            edge(1, 2, 1, None),
            edge(0, 1, 0, None),
            edge(2, 0, slots - held, Some(7)),
        ]
    }

    #[test]
    fn a_ring_has_a_slot_for_each_iteration_that_holds_one() {
        // The consumer releases the slot of iteration k after it has waited for that of k + 1, if
        // it holds slots for two iterations.
        assert_eq!(cycle(3, &ring(2, 1)), None);
        let found = cycle(3, &ring(2, 3)).expect("a deadlock");
        assert!(found.contains(&4), "{found:?}");
        assert_eq!(cycle(3, &ring(4, 3)), None);
    }

    #[test]
    fn a_cycle_without_an_iteration_between_is_a_deadlock() {
        let edge = |from, to, distance| Edge {
            from,
            to,
            distance,
            slots: None,
        };
        assert!(cycle(2, &[edge(0, 1, 0), edge(1, 0, 0)]).is_some());
        assert!(cycle(2, &[edge(0, 1, 0), edge(1, 0, 1)]).is_none());
        assert!(cycle(3, &[edge(0, 1, 2), edge(1, 2, -3), edge(2, 0, 1)]).is_some());
        assert!(cycle(1, &[edge(0, 0, 1)]).is_none());
    }
}
