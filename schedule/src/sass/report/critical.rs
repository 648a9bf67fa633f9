//! The critical path of a block: its longest chain of dependences.

use std::ops::Range;

use crate::dependences::{DependenceGraph, Edge, Protection};
use crate::sass::facts::FunctionFacts;
use crate::sass::latency::LatencyModel;

/// The longest chain of a block.
pub(super) struct CriticalPath {
    /// Cycles from the issue of its first instruction to behind that of its last.
    pub(super) cycles: u64,
    /// Its instructions, in order.
    pub(super) instructions: Vec<usize>,
}

/// The longest chain among the instructions of a block; of several, the one that ends first.
pub(super) fn critical_path(
    graph: &DependenceGraph,
    facts: &FunctionFacts,
    model: &LatencyModel,
    block: Range<usize>,
) -> CriticalPath {
    let start = block.start;
    // For each instruction, the length of the longest chain to it, and the one before it in that.
    let mut chains: Vec<(u64, Option<usize>)> = vec![(0, None); block.len()];
    for instruction in block.clone() {
        let mut longest = (0, None);
        for edge in graph.predecessors(instruction) {
            let from = edge.from as usize;
            if !(start..instruction).contains(&from) {
                continue;
            }
            let length = chains[from - start].0 + latency(edge, facts, model);
            if length > longest.0 {
                longest = (length, Some(from));
            }
        }
        chains[instruction - start] = longest;
    }
    let length = chains.iter().map(|chain| chain.0).max().unwrap_or(0);
    let last = chains.iter().position(|chain| chain.0 == length);
    let mut instructions = Vec::new();
    let mut next = last.map(|last| last + start);
    while let Some(instruction) = next {
        instructions.push(instruction);
        next = chains[instruction - start].1;
    }
    instructions.reverse();
    CriticalPath {
        cycles: if block.is_empty() { 0 } else { length + 1 },
        instructions,
    }
}

/// The typical cycles between the issues of two dependent instructions.
fn latency(edge: &Edge, facts: &FunctionFacts, model: &LatencyModel) -> u64 {
    let class = model.class(facts.fact(edge.from as usize).class);
    let signalled = match edge.protection {
        Protection::Time => 0,
        Protection::Operands => class.operands_after,
        Protection::Results | Protection::Group => class.typical,
    };
    u64::from(edge.cycles.max(signalled))
}
