//! The serial generator: operations one after another, one stage.
//!
//! Source: tileas reference 4.3 (recommendation): Kahn walk in program order, interval = serial
//! length. It is the fallback that always succeeds and is used under `force_serial_execution`.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::graph::DependenceGraph;
use super::problem::{LoopProblem, MAX_INTERVAL, ScheduleError};

/// Starts and interval of the serial schedule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SerialStarts {
    /// The initiation interval: the serial length, in cycles.
    pub interval: u32,
    /// Start cycle of every operation.
    pub starts: Vec<i64>,
}

/// Runs every operation alone: the next one starts when the previous one has fully completed.
///
/// # Errors
/// [`ScheduleError::NoFeasibleInterval`] when a cycle of distance 0 leaves operations unvisited,
/// and [`ScheduleError::IntervalTooLarge`].
pub fn serial_starts(problem: &LoopProblem<'_>) -> Result<SerialStarts, ScheduleError> {
    let graph = problem.graph;
    let walk = kahn_walk(graph);
    if walk.len() < graph.len() {
        return Err(ScheduleError::NoFeasibleInterval {
            last: problem.bounds.interval(),
        });
    }
    let mut starts = vec![0_i64; graph.len()];
    let mut clock = 0_i64;
    let mut interval = i64::from(problem.bounds.interval());
    for &node in &walk {
        starts[node] = clock;
        interval = interval.max(clock + 1);
        clock += length_alone(problem, node);
    }
    interval = interval.max(clock);
    match u32::try_from(interval) {
        Ok(interval) if interval <= MAX_INTERVAL => Ok(SerialStarts { interval, starts }),
        _ => Err(ScheduleError::IntervalTooLarge {
            bound: problem.bounds.interval(),
        }),
    }
}

/// Cycles until no result, slot or dependence of the operation is outstanding. A dependence
/// backwards in program order takes a cycle, so that the order by (cycle, program index) respects
/// it.
fn length_alone(problem: &LoopProblem<'_>, node: usize) -> i64 {
    let graph = problem.graph;
    let hold = i64::from(problem.footprints[node].duration);
    let out = graph.successors(node).map(|edge| {
        let against = edge.distance == 0 && edge.to < node;
        i64::from(edge.latency).max(i64::from(against))
    });
    out.max()
        .unwrap_or(0)
        .max(hold)
        .max(i64::from(graph.node(node).latency))
}

/// Topological order over the dependences of distance 0, popped in program order.
fn kahn_walk(graph: &DependenceGraph) -> Vec<usize> {
    let mut missing = vec![0_usize; graph.len()];
    for edge in graph.edges().iter().filter(|edge| edge.distance == 0) {
        missing[edge.to] += 1;
    }
    let mut ready: BinaryHeap<Reverse<usize>> = (0..graph.len())
        .filter(|&node| missing[node] == 0)
        .map(Reverse)
        .collect();
    let mut walk = Vec::with_capacity(graph.len());
    while let Some(Reverse(node)) = ready.pop() {
        walk.push(node);
        for edge in graph.successors(node).filter(|edge| edge.distance == 0) {
            missing[edge.to] -= 1;
            if missing[edge.to] == 0 {
                ready.push(Reverse(edge.to));
            }
        }
    }
    walk
}

#[cfg(test)]
mod tests {
    use super::super::graph::{Node, ResourceUse};
    use super::super::problem::SchedulingOptions;
    use super::super::test_support::{edge, graph};
    use super::*;

    #[test]
    fn operations_run_one_after_the_other() {
        let nodes = vec![
            Node::new("load", 8, vec![ResourceUse::new(12, 8)]),
            Node::new("mma", 16, vec![ResourceUse::new(11, 8)]),
            Node::new("view", 0, Vec::new()),
        ];
        let graph = graph(nodes, vec![edge(0, 1, 8, 0), edge(1, 1, 16, 1)]);
        let problem = LoopProblem::new(&graph, SchedulingOptions::default()).unwrap();
        let serial = serial_starts(&problem).unwrap();
        assert_eq!(
            serial,
            SerialStarts {
                interval: 25,
                starts: vec![0, 8, 24]
            }
        );
    }
}
