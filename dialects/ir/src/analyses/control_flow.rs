//! The control-flow graph of a region.

use rustc_hash::FxHashMap;

use super::{Analysis, AnalysisManager, Graph, Tree, immediate_dominators};
use crate::{Block, Context, Operation, Region};

/// The blocks of a region as indices, with the edges between them.
#[derive(Clone, Debug, Default)]
pub struct ControlFlowGraph {
    blocks: Vec<Block>,
    number: FxHashMap<Block, u32>,
    graph: Graph,
    order: Vec<u32>,
    /// Index in `order`; `None` for unreachable blocks.
    position: Vec<Option<u32>>,
    dominators: Tree,
}

impl ControlFlowGraph {
    /// The graph of a region. Successors outside the region are left out.
    pub fn of(context: &Context, region: Region) -> Self {
        let blocks: Vec<Block> = region.blocks(context).collect();
        let number: FxHashMap<Block, u32> = blocks.iter().copied().zip(0..).collect();
        let mut edges = Vec::new();
        for (from, block) in (0..).zip(&blocks) {
            let successors = block.successors(context);
            let inside = successors.filter_map(|target| number.get(&target));
            edges.extend(inside.map(|to| (from, *to)));
        }
        let graph = Graph::new(blocks.len(), &edges);
        let order = graph.reverse_post_order(0);
        let mut position = vec![None; blocks.len()];
        for (place, block) in (0..).zip(&order) {
            position[*block as usize] = Some(place);
        }
        let dominators = Tree::new(immediate_dominators(&graph, 0));
        ControlFlowGraph {
            blocks,
            number,
            graph,
            order,
            position,
            dominators,
        }
    }

    /// The number of blocks.
    pub fn block_count(&self) -> usize {
        self.blocks.len()
    }

    /// The blocks, in textual order.
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// The block at an index.
    pub fn block(&self, number: u32) -> Block {
        self.blocks[number as usize]
    }

    /// The index of a block; `None` for blocks of other regions.
    pub fn number(&self, block: Block) -> Option<u32> {
        self.number.get(&block).copied()
    }

    /// The edges.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// The successors of a block; may contain duplicates.
    pub fn successors(&self, block: u32) -> &[u32] {
        self.graph.successors(block)
    }

    /// The predecessors of a block; may contain duplicates.
    pub fn predecessors(&self, block: u32) -> &[u32] {
        self.graph.predecessors(block)
    }

    /// The reachable blocks, each before its successors except along retreating edges.
    pub fn reverse_post_order(&self) -> &[u32] {
        &self.order
    }

    /// The index of a block in [`Self::reverse_post_order`]; `None` if it is unreachable.
    pub fn position(&self, block: u32) -> Option<u32> {
        self.position[block as usize]
    }

    /// Whether a block is reachable from the entry.
    pub fn is_reachable(&self, block: u32) -> bool {
        self.position(block).is_some()
    }

    /// The dominator tree; each unreachable block is a separate root.
    pub fn dominators(&self) -> &Tree {
        &self.dominators
    }

    /// Whether every path from the entry to `b` goes through `a`; false if either is unreachable,
    /// unless they are equal.
    pub fn dominates(&self, a: u32, b: u32) -> bool {
        self.dominators.contains(a, b)
    }

    /// The block of this region that contains an operation at any depth.
    pub fn block_around(&self, context: &Context, op: Operation) -> Option<u32> {
        let mut around = std::iter::successors(Some(op), |op| op.parent_op(context));
        around.find_map(|op| self.number(op.block(context)?))
    }
}

/// For the first region of an operation.
impl Analysis for ControlFlowGraph {
    const NAME: &'static str = "control-flow-graph";

    fn compute(context: &mut Context, op: Operation, _: &mut AnalysisManager) -> Self {
        match op.regions(context).next() {
            Some(region) => ControlFlowGraph::of(context, region),
            None => ControlFlowGraph::default(),
        }
    }
}
