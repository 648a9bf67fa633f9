//! The flow graph of a region.

use rustc_hash::FxHashMap;

use super::{Graph, Tree, immediate_dominators};
use crate::pass::{Analysis, AnalysisManager};
use crate::{Block, Context, Operation, Region};

/// The blocks of a region as numbers, with the edges between them.
#[derive(Clone, Debug, Default)]
pub struct ControlFlowGraph {
    blocks: Vec<Block>,
    number: FxHashMap<Block, u32>,
    graph: Graph,
    order: Vec<u32>,
    /// Place in `order`; none for blocks that cannot be reached.
    position: Vec<Option<u32>>,
    dominators: Tree,
}

impl ControlFlowGraph {
    /// The graph of a region. Successors outside of the region are left out.
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

    /// How many blocks there are.
    pub fn block_count(&self) -> usize {
        self.blocks.len()
    }

    /// The blocks, in the order of the text.
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// The block with a number.
    pub fn block(&self, number: u32) -> Block {
        self.blocks[number as usize]
    }

    /// The number of a block; none for blocks of other regions.
    pub fn number(&self, block: Block) -> Option<u32> {
        self.number.get(&block).copied()
    }

    /// The edges.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// Where execution may go on behind a block; a block may stand twice.
    pub fn successors(&self, block: u32) -> &[u32] {
        self.graph.successors(block)
    }

    /// From where execution may come to a block; a block may stand twice.
    pub fn predecessors(&self, block: u32) -> &[u32] {
        self.graph.predecessors(block)
    }

    /// The blocks that can be reached from the entry, each before its successors but those that lead
    /// back.
    pub fn reverse_post_order(&self) -> &[u32] {
        &self.order
    }

    /// The place of a block in [`Self::reverse_post_order`]; none when it cannot be reached.
    pub fn position(&self, block: u32) -> Option<u32> {
        self.position[block as usize]
    }

    /// Whether a block can be reached from the entry.
    pub fn is_reachable(&self, block: u32) -> bool {
        self.position(block).is_some()
    }

    /// The dominator tree; blocks that cannot be reached stand alone in it.
    pub fn dominators(&self) -> &Tree {
        &self.dominators
    }

    /// Whether every path from the entry to `b` goes through `a`; false when one of them cannot be
    /// reached, unless they are the same.
    pub fn dominates(&self, a: u32, b: u32) -> bool {
        self.dominators.contains(a, b)
    }

    /// The block of this region in which an operation, or what it is nested in, stands.
    pub fn block_around(&self, context: &Context, op: Operation) -> Option<u32> {
        let mut around = std::iter::successors(Some(op), |op| op.parent_op(context));
        around.find_map(|op| self.number(op.block(context)?))
    }
}

/// Of the first region of an operation.
impl Analysis for ControlFlowGraph {
    const NAME: &'static str = "control-flow-graph";

    fn compute(context: &mut Context, op: Operation, _: &mut AnalysisManager) -> Self {
        match op.regions(context).next() {
            Some(region) => ControlFlowGraph::of(context, region),
            None => ControlFlowGraph::default(),
        }
    }
}
