//! The critical path of a block: its longest chain of dependences.

use crate::dependences::{DependenceGraph, Edge, Protection};
use crate::sass::facts::FunctionFacts;
use crate::sass::latency::LatencyModel;

/// The longest chain of a block.
pub(super) struct CriticalPath {
    /// Cycles from the issue of its first instruction to behind that of its last.
    pub(super) cycles: u64,
    /// The places of its instructions in the block, in order.
    pub(super) places: Vec<usize>,
}

/// The longest chain among the instructions of a block, which begins with number `start`; of several, the one that
/// ends first. `graph` has the dependences in it, by places in the block.
pub(super) fn critical_path(
    graph: &DependenceGraph,
    facts: &FunctionFacts,
    model: &LatencyModel,
    (start, length): (usize, usize),
) -> CriticalPath {
    // For each instruction, the length of the longest chain to it, and the one before it in that.
    let mut chains: Vec<(u64, Option<usize>)> = Vec::with_capacity(length);
    for place in 0..length {
        let mut longest = (0, None);
        for edge in graph.predecessors(place) {
            let from = edge.from as usize;
            let cycles = chains[from].0 + latency(edge, start, facts, model);
            if cycles > longest.0 {
                longest = (cycles, Some(from));
            }
        }
        chains.push(longest);
    }
    let cycles = chains.iter().map(|chain| chain.0).max();
    let last = chains.iter().position(|chain| Some(chain.0) == cycles);
    let before = |place: &usize| chains[*place].1;
    let mut places: Vec<usize> = std::iter::successors(last, before).collect();
    places.reverse();
    CriticalPath {
        cycles: cycles.map_or(0, |cycles| cycles + 1),
        places,
    }
}

/// The typical cycles between the issues of two dependent instructions.
fn latency(edge: &Edge, start: usize, facts: &FunctionFacts, model: &LatencyModel) -> u64 {
    let class = model.class(facts.fact(start + edge.from as usize).class);
    let signalled = match edge.protection {
        Protection::Time => 0,
        Protection::Operands => class.operands_after,
        Protection::Results | Protection::Group => class.typical,
    };
    u64::from(edge.cycles.max(signalled))
}
