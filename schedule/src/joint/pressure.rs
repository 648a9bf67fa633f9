//! Registers that agents need for the values of a schedule.

use super::problem::{Assigned, JointProblem};
use crate::modulo::pressure::LiveRows;

/// The bytes of registers that each compute agent needs at most in a row. `agent_of` is the compute
/// agent of each operation that one executes; `starts` are the start cycles of the operations, then
/// those of the copies of passed values, for each of which `copied` names the operation. Operations
/// whose start is `None` do not count, nor values that any of them reads.
#[must_use]
pub fn register_peaks(
    problem: &JointProblem,
    (agent_of, agents): (&[Option<usize>], usize),
    (starts, copied): (&[Option<i64>], &[usize]),
    interval: u32,
) -> Vec<u64> {
    let mut rows: Vec<LiveRows> = (0..agents)
        .map(|_| LiveRows::new(interval.into()))
        .collect();
    for (agent, rows) in rows.iter_mut().enumerate() {
        let here = (0..agent_of.len()).filter(|&node| agent_of[node] == Some(agent));
        let mut invariants: Vec<usize> = here
            .flat_map(|node| problem.operations[node].invariants.iter().copied())
            .collect();
        invariants.sort_unstable();
        invariants.dedup();
        let bytes = invariants
            .into_iter()
            .map(|value| problem.invariants[value]);
        rows.add_always(bytes.sum());
    }
    for (node, operation) in problem.operations.iter().enumerate() {
        let Some(agent) = agent_of[node].filter(|_| operation.result_bytes > 0) else {
            continue;
        };
        let ends = last_use(problem, node, (agent_of, starts), copied, interval);
        if let (Some(start), Some(end)) = (starts[node], ends) {
            rows[agent].add(start, end, operation.result_bytes);
        }
    }
    rows.into_iter().map(LiveRows::peak).collect()
}

/// The cycle from which the agent no longer needs the result of one of its operations; `None` if a
/// reader has no start.
fn last_use(
    problem: &JointProblem,
    node: usize,
    (agent_of, starts): (&[Option<usize>], &[Option<i64>]),
    copied: &[usize],
    interval: u32,
) -> Option<i64> {
    let graph = &problem.graph;
    let mut end = starts[node]? + i64::from(graph.node(node).latency);
    let mut is_passed = false;
    for edge in graph
        .successors(node)
        .filter(|edge| edge.kind.carries_value())
    {
        if agent_of[edge.to].is_some() && agent_of[edge.to] != agent_of[node] {
            is_passed = true;
            continue;
        }
        let keeps = problem.operations[edge.to].keeps.contains(&node);
        let extra = if keeps {
            graph.node(edge.to).latency
        } else {
            0
        };
        let iterations = i64::from(interval) * i64::from(edge.distance);
        end = end.max(starts[edge.to]? + iterations + i64::from(extra));
    }
    if is_passed {
        let position = copied.iter().position(|&value| value == node)?;
        let latency = problem.operations[node].passing.as_ref()?.latency;
        end = end.max(starts[graph.len() + position]? + i64::from(latency));
    }
    Some(end)
}

impl Assigned {
    /// The peaks of complete starts.
    pub(super) fn peaks(
        &self,
        problem: &JointProblem,
        agents: (&[Option<usize>], usize),
        starts: &[i64],
        interval: u32,
    ) -> Vec<u64> {
        let starts: Vec<Option<i64>> = starts.iter().copied().map(Some).collect();
        register_peaks(problem, agents, (&starts, &self.copied), interval)
    }
}
