//! Order between the agents that passed values do not establish: the `Mutex_` values.
//!
//! Source: TileAS reference 6.1 (mutexes first), 6.3 (strict serialisation).

use std::collections::BTreeSet;

use super::partition::Role;

/// An operation of the compute agent that a load must not overtake.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct OrderEdge {
    /// Position in the common order of what the compute agent does.
    pub compute: usize,
    /// Position of what the load agent does; equal if both are in one nested loop or branch.
    pub load: usize,
}

/// A lock between the agents. The first agent in an iteration acquires and commits, the other waits
/// and releases; the first agent's next iteration waits for the release.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MutexPlan {
    /// The agent that goes first.
    pub first: Role,
    /// Positions in the common order around which the first agent holds the lock.
    pub held_first: (usize, usize),
    /// Positions around which the second agent holds the lock.
    pub held_second: (usize, usize),
    /// Nothing is held: the first agent passes through before `held_first`, the second after
    /// `held_second`.
    pub passing: bool,
    /// Positions of the compute agent's operations that are kept in order.
    pub compute: BTreeSet<usize>,
    /// Positions of the loads that are kept in order.
    pub loads: BTreeSet<usize>,
}

/// The mutexes that enforce all edges. In a loop every edge also holds from one iteration to the
/// next; elsewhere an edge whose load comes first needs no mutex.
///
/// * Compute operations before a load of the same iteration: the compute agent signals after the
///   last such operation, and the load agent waits before the first such load. Edges that one point
///   between both satisfies share a mutex.
/// * Compute operations after a load must complete before that load of the next iteration. Such
///   edges share a mutex if their spans intersect.
pub fn mutexes(edges: &BTreeSet<OrderEdge>, is_loop: bool) -> Vec<MutexPlan> {
    let mut plans = forward(edges);
    if is_loop {
        plans.extend(backward(edges));
    }
    plans
}

/// Stabs the spans between operation and load with as few points as possible, as late as possible.
fn forward(edges: &BTreeSet<OrderEdge>) -> Vec<MutexPlan> {
    let mut spans: Vec<OrderEdge> = edges
        .iter()
        .copied()
        .filter(|edge| edge.compute < edge.load)
        .collect();
    spans.sort_by_key(|edge| (edge.load, edge.compute));
    let mut plans: Vec<MutexPlan> = Vec::new();
    for edge in spans {
        let fits = plans
            .last_mut()
            .filter(|plan| edge.compute < plan.held_second.0);
        match fits {
            Some(plan) => {
                plan.compute.insert(edge.compute);
                plan.loads.insert(edge.load);
            }
            None => plans.push(MutexPlan {
                first: Role::Compute,
                held_first: (edge.compute, edge.compute),
                held_second: (edge.load, edge.load),
                passing: false,
                compute: BTreeSet::from([edge.compute]),
                loads: BTreeSet::from([edge.load]),
            }),
        }
    }
    for plan in &mut plans {
        let last = plan.compute.last().copied().unwrap_or_default();
        plan.held_first = (last, last);
    }
    plans
}

fn backward(edges: &BTreeSet<OrderEdge>) -> Vec<MutexPlan> {
    let mut plans: Vec<MutexPlan> = Vec::new();
    for edge in edges.iter().filter(|edge| edge.load <= edge.compute) {
        let mut merged = MutexPlan {
            first: Role::Load,
            held_first: (edge.load, edge.load),
            held_second: (edge.compute, edge.compute),
            passing: false,
            compute: BTreeSet::from([edge.compute]),
            loads: BTreeSet::from([edge.load]),
        };
        let span = |plan: &MutexPlan| (plan.loads.first().copied(), plan.compute.last().copied());
        let meets = |plan: &MutexPlan| {
            let (a, b) = (span(plan), span(&merged));
            a.0 <= b.1 && b.0 <= a.1
        };
        let (touching, apart): (Vec<_>, Vec<_>) = plans.into_iter().partition(meets);
        for plan in touching {
            merged.compute.extend(plan.compute);
            merged.loads.extend(plan.loads);
        }
        plans = apart;
        plans.push(merged);
    }
    for plan in &mut plans {
        let bounds = |set: &BTreeSet<usize>| {
            let first = set.first().copied().unwrap_or_default();
            (first, set.last().copied().unwrap_or_default())
        };
        let (loads, compute) = (bounds(&plan.loads), bounds(&plan.compute));
        // Held around all protected operations if the two sides do not interleave; otherwise each
        // side passes through at one point: before the first load, after the last operation.
        if loads.1 < compute.0 {
            plan.held_first = loads;
            plan.held_second = compute;
        } else {
            plan.held_first = (loads.0, loads.0);
            plan.held_second = (compute.1, compute.1);
            plan.passing = true;
        }
    }
    plans
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edges(pairs: &[(usize, usize)]) -> BTreeSet<OrderEdge> {
        pairs
            .iter()
            .map(|&(compute, load)| OrderEdge { compute, load })
            .collect()
    }

    #[test]
    fn one_place_serves_many_loads() {
        let plans = mutexes(&edges(&[(0, 5), (1, 4), (3, 6)]), false);
        assert_eq!(plans.len(), 1);
        assert_eq!(plans[0].first, Role::Compute);
        assert_eq!(plans[0].held_first, (3, 3));
        assert_eq!(plans[0].held_second, (4, 4));
        // The load agent may pass only after the operation: the lock is held around it.
        assert!(!plans[0].passing);
    }

    #[test]
    fn an_operation_behind_the_place_needs_another() {
        let plans = mutexes(&edges(&[(0, 2), (3, 5)]), false);
        assert_eq!(plans.len(), 2);
        assert_eq!(plans[1].held_first, (3, 3));
        assert_eq!(plans[1].held_second, (5, 5));
    }

    #[test]
    fn the_next_iteration_waits_in_a_loop_only() {
        let spans = edges(&[(5, 0), (6, 1), (5, 1)]);
        assert_eq!(mutexes(&spans, false), []);
        let plans = mutexes(&spans, true);
        assert_eq!(plans.len(), 1);
        assert_eq!(plans[0].first, Role::Load);
        assert_eq!(plans[0].held_first, (0, 1));
        assert_eq!(plans[0].held_second, (5, 6));
        assert!(!plans[0].passing);
    }

    #[test]
    fn sides_that_interleave_pass_through_in_one_place() {
        let plans = mutexes(&edges(&[(1, 0), (4, 0), (4, 3)]), true);
        assert_eq!(plans.len(), 1);
        assert_eq!(plans[0].held_first, (0, 0));
        assert_eq!(plans[0].held_second, (4, 4));
        assert!(plans[0].passing);
    }

    /// The load waits before position 3, so a mutex for it orders nothing from position 3 on.
    #[test]
    fn an_operation_in_the_place_of_the_load_needs_another() {
        let plans = mutexes(&edges(&[(0, 3), (3, 5), (4, 6)]), false);
        let held: Vec<_> = plans
            .iter()
            .map(|plan| (plan.held_first, plan.held_second))
            .collect();
        assert_eq!(held, [((0, 0), (3, 3)), ((4, 4), (5, 5))]);
    }

    /// Spans of the next iteration that do not meet have a mutex each.
    #[test]
    fn spans_apart_have_a_mutex_each() {
        let plans = mutexes(&edges(&[(1, 0), (4, 3), (5, 4)]), true);
        let held: Vec<_> = plans
            .iter()
            .map(|plan| (plan.held_first, plan.held_second))
            .collect();
        assert_eq!(plans.len(), 2, "{held:?}");
        assert!(held.contains(&((0, 0), (1, 1))), "{held:?}");
    }

    #[test]
    fn a_nested_loop_of_both_is_passed_not_held() {
        // Holding it would make one agent wait for the end of a loop that needs the other.
        let plans = mutexes(&edges(&[(2, 2)]), true);
        assert!(plans[0].passing);
        assert_eq!(plans[0].held_first, (2, 2));
        assert_eq!(plans[0].held_second, (2, 2));
    }
}
