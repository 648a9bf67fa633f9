//! Order between the agents that passed values do not establish: the `Mutex_` values.
//!
//! Source: TileAS reference 6.1 (mutexes first), 6.3 (strict serialisation).

use std::collections::{BTreeMap, BTreeSet};

use orison_ir::Value;

use super::roles::Agent;

/// An operation of one agent that an operation of another must not overtake.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct OrderEdge {
    /// Position in the common order of the operation that is not overtaken.
    pub before: usize,
    /// Position of the one that waits for it; equal if both are in one nested loop or branch.
    pub after: usize,
}

/// The agents of order edges.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct OrderedAgents {
    /// The agent that is not overtaken.
    pub before: Agent,
    /// The agent that waits for it.
    pub after: Agent,
    /// The allocation in tensor memory that both access; `None` for other memory. Agents hand over
    /// each allocation by itself.
    pub storage: Option<Value>,
}

/// A lock between two agents. The first agent in an iteration acquires and commits, the other waits
/// and releases; the first agent's next iteration waits for the release.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MutexPlan {
    /// The agent that goes first.
    pub first: Agent,
    /// The agent that goes second.
    pub second: Agent,
    /// Positions in the common order around which the first agent holds the lock.
    pub held_first: (usize, usize),
    /// Positions around which the second agent holds the lock.
    pub held_second: (usize, usize),
    /// Nothing is held: the first agent passes through before `held_first`, the second after
    /// `held_second`.
    pub passing: bool,
    /// Positions of the operations that are not overtaken.
    pub before: BTreeSet<usize>,
    /// Positions of the operations that wait for them.
    pub after: BTreeSet<usize>,
}

impl MutexPlan {
    /// Whether an agent is at one of the ends.
    pub fn touches(&self, agent: Agent) -> bool {
        self.first == agent || self.second == agent
    }

    /// Whether it also orders the first agent's operation at one position before the second's at
    /// another, in every iteration.
    fn orders(&self, agents: OrderedAgents, edge: &OrderEdge) -> bool {
        !self.passing
            && (self.first, self.second) == (agents.before, agents.after)
            && edge.before <= self.held_first.1
            && self.held_second.0 <= edge.after
    }
}

/// The mutexes that enforce all edges. In a loop every edge also holds from one iteration to the
/// next; elsewhere an edge that leads back needs no mutex.
///
/// * Operations before the waiting one of the same iteration: their agent signals after the last
///   of them, and the other waits before the first that must. Edges that one point between both
///   satisfies share a mutex. An edge needs none if a mutex of the next kind already orders it.
/// * Operations after the waiting one must complete before that of the next iteration. Such edges
///   share a mutex if their spans intersect.
pub fn mutexes(
    edges: &BTreeMap<OrderedAgents, BTreeSet<OrderEdge>>,
    is_loop: bool,
) -> Vec<MutexPlan> {
    let mut back: Vec<MutexPlan> = Vec::new();
    if is_loop {
        back.extend(
            edges
                .iter()
                .flat_map(|(agents, set)| backward(*agents, set)),
        );
    }
    let mut plans = Vec::new();
    for (agents, set) in edges {
        let open = |edge: &&OrderEdge| !back.iter().any(|plan| plan.orders(*agents, edge));
        let open = set.iter().filter(open).copied().collect();
        plans.extend(forward(*agents, &open));
    }
    plans.extend(back);
    plans
}

/// Stabs the spans between operation and load with as few points as possible, as late as possible.
fn forward(agents: OrderedAgents, edges: &BTreeSet<OrderEdge>) -> Vec<MutexPlan> {
    let mut spans: Vec<OrderEdge> = edges
        .iter()
        .copied()
        .filter(|edge| edge.before < edge.after)
        .collect();
    spans.sort_by_key(|edge| (edge.after, edge.before));
    let mut plans: Vec<MutexPlan> = Vec::new();
    for edge in spans {
        let fits = plans
            .last_mut()
            .filter(|plan| edge.before < plan.held_second.0);
        match fits {
            Some(plan) => {
                plan.before.insert(edge.before);
                plan.after.insert(edge.after);
            }
            None => plans.push(MutexPlan {
                first: agents.before,
                second: agents.after,
                held_first: (edge.before, edge.before),
                held_second: (edge.after, edge.after),
                passing: false,
                before: BTreeSet::from([edge.before]),
                after: BTreeSet::from([edge.after]),
            }),
        }
    }
    for plan in &mut plans {
        let last = plan.before.last().copied().unwrap_or_default();
        plan.held_first = (last, last);
    }
    plans
}

fn backward(agents: OrderedAgents, edges: &BTreeSet<OrderEdge>) -> Vec<MutexPlan> {
    let mut plans: Vec<MutexPlan> = Vec::new();
    for edge in edges.iter().filter(|edge| edge.after <= edge.before) {
        let mut merged = MutexPlan {
            first: agents.after,
            second: agents.before,
            held_first: (edge.after, edge.after),
            held_second: (edge.before, edge.before),
            passing: false,
            before: BTreeSet::from([edge.before]),
            after: BTreeSet::from([edge.after]),
        };
        let span = |plan: &MutexPlan| (plan.after.first().copied(), plan.before.last().copied());
        let meets = |plan: &MutexPlan| {
            let (a, b) = (span(plan), span(&merged));
            a.0 <= b.1 && b.0 <= a.1
        };
        let (touching, apart): (Vec<_>, Vec<_>) = plans.into_iter().partition(meets);
        for plan in touching {
            merged.before.extend(plan.before);
            merged.after.extend(plan.after);
        }
        plans = apart;
        plans.push(merged);
    }
    for plan in &mut plans {
        let bounds = |set: &BTreeSet<usize>| {
            let first = set.first().copied().unwrap_or_default();
            (first, set.last().copied().unwrap_or_default())
        };
        let (after, before) = (bounds(&plan.after), bounds(&plan.before));
        // Held around all protected operations if the two sides do not interleave; otherwise each
        // side passes through at one point: before the first waiting operation, after the last
        // of the others.
        if after.1 < before.0 {
            plan.held_first = after;
            plan.held_second = before;
        } else {
            plan.held_first = (after.0, after.0);
            plan.held_second = (before.1, before.1);
            plan.passing = true;
        }
    }
    plans
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOADS_WAIT: OrderedAgents = OrderedAgents {
        before: Agent::COMPUTE,
        after: Agent::LOAD,
        storage: None,
    };

    type Edges = BTreeMap<OrderedAgents, BTreeSet<OrderEdge>>;

    fn edges(pairs: &[(usize, usize)]) -> Edges {
        let pairs = pairs.iter();
        let set = pairs.map(|&(before, after)| OrderEdge { before, after });
        BTreeMap::from([(LOADS_WAIT, set.collect())])
    }

    #[test]
    fn one_place_serves_many_loads() {
        let plans = mutexes(&edges(&[(0, 5), (1, 4), (3, 6)]), false);
        assert_eq!(plans.len(), 1);
        assert_eq!(plans[0].first, Agent::COMPUTE);
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
        assert_eq!(plans[0].first, Agent::LOAD);
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

    /// In a loop, a store before and after that of another agent needs one lock: the agent that
    /// waits for the release of the previous iteration is also the first of its own.
    #[test]
    fn one_mutex_orders_both_directions() {
        let mut both = edges(&[(5, 2)]);
        let reverse = OrderedAgents {
            before: LOADS_WAIT.after,
            after: LOADS_WAIT.before,
            storage: None,
        };
        both.insert(
            reverse,
            BTreeSet::from([OrderEdge {
                before: 2,
                after: 5,
            }]),
        );
        let plans = mutexes(&both, true);
        assert_eq!(plans.len(), 1, "{plans:?}");
        assert_eq!(
            (plans[0].first, plans[0].second),
            (Agent::LOAD, Agent::COMPUTE)
        );
        // Without a loop only the order of the program remains.
        let plans = mutexes(&both, false);
        assert_eq!(plans.len(), 1, "{plans:?}");
        assert_eq!(
            (plans[0].held_first, plans[0].held_second),
            ((2, 2), (5, 5))
        );
    }

    /// A lock that one side only passes through does not order the same iteration.
    #[test]
    fn a_passed_mutex_orders_the_next_iteration_only() {
        let mut both = edges(&[(1, 0), (4, 3)]);
        both.entry(LOADS_WAIT).or_default().insert(OrderEdge {
            before: 4,
            after: 0,
        });
        let reverse = OrderedAgents {
            before: LOADS_WAIT.after,
            after: LOADS_WAIT.before,
            storage: None,
        };
        both.insert(
            reverse,
            BTreeSet::from([OrderEdge {
                before: 0,
                after: 4,
            }]),
        );
        assert_eq!(mutexes(&both, true).len(), 2);
    }
}
