//! Registers that agents need for the values of a schedule.

use super::problem::{Assigned, JointProblem};

/// Bytes over the rows of an interval, for one agent.
struct Rows {
    interval: i64,
    /// Values that are alive in every row.
    always: u64,
    /// Changes at rows: the bytes that begin and end to be alive.
    changes: Vec<(i64, i64)>,
}

impl Rows {
    fn new(interval: u32) -> Self {
        Self {
            interval: i64::from(interval.max(1)),
            always: 0,
            changes: Vec::new(),
        }
    }

    /// Adds a value that is alive from a cycle to another one, in every iteration.
    fn add(&mut self, from: i64, to: i64, bytes: u64) {
        let length = (to - from).max(0);
        let whole = u64::try_from(length / self.interval).unwrap_or(0);
        self.always = self.always.saturating_add(whole.saturating_mul(bytes));
        let rest = length % self.interval;
        if rest == 0 {
            return;
        }
        let signed = i64::try_from(bytes).unwrap_or(i64::MAX);
        let first = from.rem_euclid(self.interval);
        let end = first + rest;
        self.changes.push((first, signed));
        if end <= self.interval {
            self.changes.push((end, -signed));
        } else {
            self.changes.push((0, signed));
            self.changes.push((end - self.interval, -signed));
        }
    }

    /// The most bytes alive in a row.
    fn peak(mut self) -> u64 {
        // Values that end in a row make place for those that begin in it.
        self.changes.sort_unstable();
        let (mut now, mut most) = (0_i64, 0_i64);
        for (_, change) in self.changes {
            now = now.saturating_add(change);
            most = most.max(now);
        }
        self.always.saturating_add(u64::try_from(most).unwrap_or(0))
    }
}

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
    let mut rows: Vec<Rows> = (0..agents).map(|_| Rows::new(interval)).collect();
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
        rows.always = bytes.sum();
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
    rows.into_iter().map(Rows::peak).collect()
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
