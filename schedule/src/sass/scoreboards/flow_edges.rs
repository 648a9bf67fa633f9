//! The control-flow edges between the blocks of a function, including calls and returns.

use orison_sass::function::{BlockIndex, Function};
use orison_sass::instruction::Flow;

/// The effect of an edge on operations in flight.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum EdgeKind {
    /// All remain in flight: fall-through, jumps, into a callee.
    Next,
    /// After a call: the callee took longer than any latency.
    AfterCall,
    /// From the end of a callee (its first block) to the blocks after its calls: only operations
    /// started by the callee are new there, the rest comes from the caller.
    Return(BlockIndex),
}

/// The edges of a function, and the blocks with unknown successors.
pub(super) struct FlowEdges {
    /// For each block, its successors.
    pub(super) out: Vec<Vec<(BlockIndex, EdgeKind)>>,
    /// For each block, its predecessors.
    pub(super) into: Vec<Vec<(BlockIndex, EdgeKind)>>,
    /// For each block, the callees (by their first block) that it is part of, in order.
    pub(super) inside: Vec<Vec<BlockIndex>>,
    /// Whether control leaves a block to code outside the function and continues: nothing may be in
    /// flight then.
    pub(super) leaves: Vec<bool>,
}

impl FlowEdges {
    /// Linear in blocks and edges, times the callees that share blocks.
    pub(super) fn new(function: &Function<'_>) -> FlowEdges {
        let count = function.blocks.len();
        let (inside, after_calls) = callees(function);
        let mut edges = FlowEdges {
            out: vec![Vec::new(); count],
            into: vec![Vec::new(); count],
            leaves: vec![false; count],
            inside,
        };
        for (from, block) in function.blocks.iter().enumerate() {
            let last = block.flow();
            let is_call = last == Some(Flow::Call);
            let returns = last == Some(Flow::Return);
            edges.leaves[from] = block.leaves_to_unknown
                || is_call && block.callee.is_none()
                || returns && edges.inside[from].is_empty();
            let kind = if is_call {
                EdgeKind::AfterCall
            } else {
                EdgeKind::Next
            };
            let mut out: Vec<(BlockIndex, EdgeKind)> = Vec::new();
            out.extend(block.callee.map(|callee| (callee, EdgeKind::Next)));
            out.extend(block.successors.iter().map(|edge| (edge.to, kind)));
            for callee in edges.inside[from].iter().filter(|_| returns) {
                let known = after_calls.iter().find(|found| found.0 == *callee);
                let blocks = known.into_iter().flat_map(|found| &found.1);
                out.extend(blocks.map(|to| (*to, EdgeKind::Return(*callee))));
            }
            out.retain(|edge| edge.0 < count);
            out.dedup();
            for (to, kind) in &out {
                edges.into[*to].push((from, *kind));
            }
            edges.out[from] = out;
        }
        edges
    }
}

/// A callee's first block, and the blocks after its calls.
type AfterCalls = Vec<(BlockIndex, Vec<BlockIndex>)>;

fn callees(function: &Function<'_>) -> (Vec<Vec<BlockIndex>>, AfterCalls) {
    let mut after_calls: std::collections::BTreeMap<BlockIndex, Vec<BlockIndex>> =
        std::collections::BTreeMap::new();
    for block in &function.blocks {
        if let Some(callee) = block.callee {
            let after = block.successors.iter().map(|edge| edge.to);
            after_calls.entry(callee).or_default().extend(after);
        }
    }
    let mut inside: Vec<Vec<BlockIndex>> = vec![Vec::new(); function.blocks.len()];
    for (callee, after) in &mut after_calls {
        after.sort_unstable();
        after.dedup();
        let mut work = vec![*callee];
        while let Some(block) = work.pop() {
            let known = inside
                .get(block)
                .is_none_or(|list| list.last() == Some(callee));
            if known {
                continue;
            }
            inside[block].push(*callee);
            let next = function.blocks[block].successors.iter();
            work.extend(next.map(|edge| edge.to));
        }
    }
    (inside, after_calls.into_iter().collect())
}
