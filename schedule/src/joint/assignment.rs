//! The assignments of units to agents.

use super::problem::JointProblem;

/// With more units than this, those between which most bytes would be passed are merged.
pub(super) const MOST_UNITS: usize = 10;

/// The assignments of a problem to a number of agents, each of which has a unit.
pub(super) struct Assignments {
    /// For each assignment the agent of each operation: in turn one of those that pass fewer bytes and of
    /// those whose busiest agent has fewer cycles of work.
    pub list: Vec<Vec<Option<usize>>>,
    /// Whether units were merged, so that the list is not complete.
    pub is_partial: bool,
}

/// All assignments to `agents` compute agents, without permutations of the agents.
pub(super) fn assignments(problem: &JointProblem, agents: usize) -> Assignments {
    let mut units = problem.units();
    let is_partial = agents > 1 && units.len() > MOST_UNITS;
    while is_partial && units.len() > MOST_UNITS {
        merge_closest(problem, &mut units);
    }
    let mut chosen = Vec::new();
    let mut list = Vec::new();
    enumerate(problem, &units, agents, &mut chosen, &mut list);
    list.sort_by_key(|ranked| (ranked.bytes, ranked.spread));
    let mut balanced: Vec<usize> = (0..list.len()).collect();
    balanced.sort_by_key(|&position| (list[position].work, position));
    let in_turn = balanced.into_iter().enumerate();
    let in_turn = in_turn.flat_map(|(fewest, balanced)| [fewest, balanced]);
    let mut listed = vec![false; list.len()];
    let new = in_turn.filter(|&position| !std::mem::replace(&mut listed[position], true));
    Assignments {
        list: new
            .map(|position| list[position].agent_of.clone())
            .collect(),
        is_partial,
    }
}

/// An assignment, and what it is ranked by.
struct Ranked {
    agent_of: Vec<Option<usize>>,
    /// Bytes passed.
    bytes: u64,
    /// Bytes of the results of the agent with the most.
    spread: u64,
    /// Cycles of the operations and copies of the agent with the most.
    work: u64,
}

/// Assigns the next unit to each agent used so far, and to the next one.
fn enumerate(
    problem: &JointProblem,
    units: &[Vec<usize>],
    agents: usize,
    chosen: &mut Vec<usize>,
    list: &mut Vec<Ranked>,
) {
    let used = chosen.iter().max().map_or(0, |last| last + 1);
    if chosen.len() == units.len() {
        if used == agents {
            list.push(ranked(problem, units, agents, chosen));
        }
        return;
    }
    // The units that are left must be enough for the agents that have none.
    if agents - used > units.len() - chosen.len() {
        return;
    }
    for agent in 0..(used + 1).min(agents) {
        chosen.push(agent);
        enumerate(problem, units, agents, chosen, list);
        chosen.pop();
    }
}

fn ranked(problem: &JointProblem, units: &[Vec<usize>], agents: usize, chosen: &[usize]) -> Ranked {
    let mut agent_of = vec![None; problem.graph.len()];
    let (mut results, mut work) = (vec![0_u64; agents], vec![0_u64; agents]);
    for (unit, &agent) in units.iter().zip(chosen) {
        for &node in unit {
            agent_of[node] = Some(agent);
            results[agent] += problem.operations[node].result_bytes;
            work[agent] += u64::from(problem.graph.node(node).latency);
        }
    }
    let mut bytes = 0;
    for node in passed(problem, &agent_of) {
        if let (Some(agent), Some(cost)) = (agent_of[node], &problem.operations[node].passing) {
            bytes += cost.bytes;
            work[agent] += u64::from(cost.latency);
        }
    }
    Ranked {
        agent_of,
        bytes,
        spread: results.into_iter().max().unwrap_or(0),
        work: work.into_iter().max().unwrap_or(0),
    }
}

/// The operations whose values other agents read.
fn passed(problem: &JointProblem, agent_of: &[Option<usize>]) -> Vec<usize> {
    let mut passed: Vec<usize> = Vec::new();
    for edge in problem
        .graph
        .edges()
        .iter()
        .filter(|edge| edge.kind.carries_value())
    {
        let differ = agent_of[edge.to].is_some() && agent_of[edge.from] != agent_of[edge.to];
        if differ && agent_of[edge.from].is_some() {
            passed.push(edge.from);
        }
    }
    passed.sort_unstable();
    passed.dedup();
    passed
}

/// Merges the two units between which most bytes would be passed; the first two without any.
fn merge_closest(problem: &JointProblem, units: &mut Vec<Vec<usize>>) {
    let mut unit_of = vec![usize::MAX; problem.graph.len()];
    for (number, unit) in units.iter().enumerate() {
        for &node in unit {
            unit_of[node] = number;
        }
    }
    let mut best = (0_u64, 0, 1);
    for edge in problem
        .graph
        .edges()
        .iter()
        .filter(|edge| edge.kind.carries_value())
    {
        let ends = (unit_of[edge.from], unit_of[edge.to]);
        let (low, high) = (ends.0.min(ends.1), ends.0.max(ends.1));
        let bytes = problem.operations[edge.from].result_bytes;
        if high != usize::MAX && low != high && bytes > best.0 {
            best = (bytes, low, high);
        }
    }
    let (_, low, high) = best;
    let moved = units.remove(high);
    units[low].extend(moved);
    units[low].sort_unstable();
}
