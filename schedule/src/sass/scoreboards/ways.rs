//! The control-flow edges between the blocks of a function, including calls and returns.

use orison_sass::program::{BlockIndex, Flow, Function, flow};

/// The effect of an edge on operations in flight.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum WayKind {
    /// All remain in flight: fall-through, jumps, into a callee.
    Next,
    /// After a call: the callee took longer than any latency.
    BehindCall,
    /// From the end of a callee (its first block) to the blocks after its calls: only operations
    /// started by the callee are new there, the rest comes from the caller.
    Return(BlockIndex),
}

/// The edges of a function, and the blocks with unknown successors.
pub(super) struct Ways {
    /// For each block, its successors.
    pub(super) out: Vec<Vec<(BlockIndex, WayKind)>>,
    /// For each block, its predecessors.
    pub(super) into: Vec<Vec<(BlockIndex, WayKind)>>,
    /// For each block, the callees (by their first block) that it is part of, in order.
    pub(super) inside: Vec<Vec<BlockIndex>>,
    /// Whether control leaves a block to code outside the function and continues: nothing may be in
    /// flight then.
    pub(super) leaves: Vec<bool>,
}

impl Ways {
    /// Linear in blocks and edges, times the callees that share blocks.
    pub(super) fn new(function: &Function) -> Ways {
        let count = function.blocks.len();
        let (inside, behind) = callees(function);
        let mut ways = Ways {
            out: vec![Vec::new(); count],
            into: vec![Vec::new(); count],
            leaves: vec![false; count],
            inside,
        };
        for (from, block) in function.blocks.iter().enumerate() {
            let last = block.instructions.last().map(flow);
            let is_call = last == Some(Flow::Call);
            let returns = last == Some(Flow::Return);
            ways.leaves[from] = block.leaves_to_unknown
                || is_call && block.callee.is_none()
                || returns && ways.inside[from].is_empty();
            let kind = if is_call {
                WayKind::BehindCall
            } else {
                WayKind::Next
            };
            let mut out: Vec<(BlockIndex, WayKind)> = Vec::new();
            out.extend(block.callee.map(|callee| (callee, WayKind::Next)));
            out.extend(block.successors.iter().map(|edge| (edge.to, kind)));
            for callee in ways.inside[from].iter().filter(|_| returns) {
                let known = behind.iter().find(|found| found.0 == *callee);
                let blocks = known.into_iter().flat_map(|found| &found.1);
                out.extend(blocks.map(|to| (*to, WayKind::Return(*callee))));
            }
            out.retain(|way| way.0 < count);
            out.dedup();
            for (to, kind) in &out {
                ways.into[*to].push((from, *kind));
            }
            ways.out[from] = out;
        }
        ways
    }
}

/// A callee's first block, and the blocks after its calls.
type Behind = Vec<(BlockIndex, Vec<BlockIndex>)>;

fn callees(function: &Function) -> (Vec<Vec<BlockIndex>>, Behind) {
    let mut behind: std::collections::BTreeMap<BlockIndex, Vec<BlockIndex>> =
        std::collections::BTreeMap::new();
    for block in &function.blocks {
        if let Some(callee) = block.callee {
            let after = block.successors.iter().map(|edge| edge.to);
            behind.entry(callee).or_default().extend(after);
        }
    }
    let mut inside: Vec<Vec<BlockIndex>> = vec![Vec::new(); function.blocks.len()];
    for (callee, after) in &mut behind {
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
    (inside, behind.into_iter().collect())
}
