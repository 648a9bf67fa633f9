//! Natural loops.

use super::{Analysis, AnalysisManager, ControlFlowGraph};
use crate::{Context, Operation};

/// A natural loop: a header that dominates its latches, and every block that reaches a latch
/// without going through the header.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NaturalLoop {
    /// The header block.
    pub header: u32,
    /// Blocks with a back edge to the header, by index.
    pub latches: Vec<u32>,
    /// Its blocks, including those of inner loops, by index.
    pub blocks: Vec<u32>,
    /// Exit edges, by the block inside.
    pub exits: Vec<(u32, u32)>,
    /// The parent loop, as an index in the forest.
    pub parent: Option<usize>,
    /// Directly nested loops, in reverse post-order of their headers.
    pub children: Vec<usize>,
    /// The nesting depth: 1 for an outermost loop.
    pub depth: u32,
    /// Whether it contains a retreating edge to a block that does not dominate the source of the
    /// edge: a cycle that is not a natural loop.
    pub irreducible: bool,
}

impl NaturalLoop {
    /// Whether it contains a block. Logarithmic.
    pub fn contains(&self, block: u32) -> bool {
        self.blocks.binary_search(&block).is_ok()
    }

    /// The only predecessor of the header outside the loop, if the header is its only successor.
    pub fn preheader(&self, flow: &ControlFlowGraph) -> Option<u32> {
        let entering = flow.predecessors(self.header).iter();
        let mut outside = entering.copied().filter(|block| !self.contains(*block));
        let block = outside.next()?;
        if outside.next().is_some() {
            return None;
        }
        (flow.successors(block).len() == 1).then_some(block)
    }
}

/// The natural loops of a region, outer loops before inner ones.
///
/// Unreachable blocks are in no loop. Linear except for the block lists, in which a block occurs
/// once for each loop that contains it.
#[derive(Clone, Debug, Default)]
pub struct LoopForest {
    loops: Vec<NaturalLoop>,
    innermost: Vec<Option<usize>>,
    irreducible_edges: Vec<(u32, u32)>,
}

impl LoopForest {
    /// The loops of a flow graph.
    pub fn of(flow: &ControlFlowGraph) -> Self {
        let mut finder = Finder::new(flow);
        for header in flow.reverse_post_order().iter().rev() {
            finder.find(*header);
        }
        finder.finish()
    }

    /// All loops.
    pub fn loops(&self) -> &[NaturalLoop] {
        &self.loops
    }

    /// The innermost loop that contains a block.
    pub fn innermost(&self, block: u32) -> Option<usize> {
        self.innermost[block as usize]
    }

    /// The number of loops that contain a block.
    pub fn depth(&self, block: u32) -> u32 {
        self.innermost(block)
            .map_or(0, |number| self.loops[number].depth)
    }

    /// The loops that contain a block, innermost first.
    pub fn around(&self, block: u32) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(self.innermost(block), |number| self.loops[*number].parent)
    }

    /// Whether every cycle goes through the header of a natural loop.
    pub fn is_reducible(&self) -> bool {
        self.irreducible_edges.is_empty()
    }

    /// Retreating edges to blocks that do not dominate the source of the edge, in depth-first
    /// order.
    pub fn irreducible_edges(&self) -> &[(u32, u32)] {
        &self.irreducible_edges
    }
}

/// Finds loops from the innermost outwards: headers are visited in post-order, so a loop is
/// complete before its parent is found.
struct Finder<'f> {
    flow: &'f ControlFlowGraph,
    /// Header and latches, innermost loops first.
    found: Vec<(u32, Vec<u32>)>,
    parent: Vec<Option<usize>>,
    innermost: Vec<Option<usize>>,
    /// The outermost known loop that contains each loop, with path compression.
    outermost: Vec<usize>,
    irreducible_edges: Vec<(u32, u32)>,
}

impl<'f> Finder<'f> {
    fn new(flow: &'f ControlFlowGraph) -> Self {
        Finder {
            flow,
            found: Vec::new(),
            parent: Vec::new(),
            innermost: vec![None; flow.block_count()],
            outermost: Vec::new(),
            irreducible_edges: Vec::new(),
        }
    }

    fn outermost(&mut self, mut number: usize) -> usize {
        while self.outermost[number] != number {
            let above = self.outermost[number];
            self.outermost[number] = self.outermost[above];
            number = above;
        }
        number
    }

    fn find(&mut self, header: u32) {
        let flow = self.flow;
        let mut latches = Vec::new();
        for &from in flow.predecessors(header) {
            let leads_back = flow.position(from) >= flow.position(header);
            if !flow.is_reachable(from) || !leads_back {
                continue;
            }
            if flow.dominates(header, from) {
                latches.push(from);
            } else {
                self.irreducible_edges.push((from, header));
            }
        }
        if latches.is_empty() {
            return;
        }
        latches.sort_unstable();
        latches.dedup();
        let own = self.found.len();
        self.parent.push(None);
        self.outermost.push(own);
        let mut pending = latches.clone();
        while let Some(block) = pending.pop() {
            match self.innermost[block as usize] {
                None => {
                    self.innermost[block as usize] = Some(own);
                    if block != header {
                        let reachable = flow.predecessors(block).iter().copied();
                        pending.extend(reachable.filter(|block| flow.is_reachable(*block)));
                    }
                }
                Some(inner) => {
                    let inner = self.outermost(inner);
                    if inner != own {
                        self.parent[inner] = Some(own);
                        self.outermost[inner] = own;
                        let head = self.found[inner].0;
                        let reachable = flow.predecessors(head).iter().copied();
                        pending.extend(reachable.filter(|block| flow.is_reachable(*block)));
                    }
                }
            }
        }
        if self.innermost[header as usize].is_none() {
            self.innermost[header as usize] = Some(own);
        }
        self.found.push((header, latches));
    }

    /// Reverses the order, so that outer loops come first.
    fn finish(self) -> LoopForest {
        let count = self.found.len();
        let turned = |number: usize| count - 1 - number;
        let mut loops: Vec<NaturalLoop> = Vec::with_capacity(count);
        for (number, (header, latches)) in self.found.into_iter().enumerate().rev() {
            let parent = self.parent[number].map(turned);
            let depth = parent.map_or(1, |parent| loops[parent].depth + 1);
            if let Some(parent) = parent {
                loops[parent].children.push(turned(number));
            }
            loops.push(NaturalLoop {
                header,
                latches,
                blocks: Vec::new(),
                exits: Vec::new(),
                parent,
                children: Vec::new(),
                depth,
                irreducible: false,
            });
        }
        let innermost = self.innermost.into_iter();
        let mut forest = LoopForest {
            loops,
            innermost: innermost.map(|number| number.map(turned)).collect(),
            irreducible_edges: self.irreducible_edges,
        };
        forest.irreducible_edges.sort_unstable();
        forest.fill(self.flow);
        forest
    }
}

impl LoopForest {
    /// Lists blocks and exits of each loop, and marks those with irreducible cycles.
    fn fill(&mut self, flow: &ControlFlowGraph) {
        let count = u32::try_from(flow.block_count()).unwrap_or(u32::MAX);
        for block in 0..count {
            let around: Vec<usize> = self.around(block).collect();
            for &to in flow.successors(block) {
                let common = self.common(block, to);
                for number in around.iter().take_while(|number| Some(**number) != common) {
                    self.loops[*number].exits.push((block, to));
                }
            }
            for number in around {
                self.loops[number].blocks.push(block);
            }
        }
        for (from, to) in self.irreducible_edges.clone() {
            let mut number = self.common(from, to);
            while let Some(around) = number.map(|number| &mut self.loops[number]) {
                around.irreducible = true;
                number = around.parent;
            }
        }
    }

    /// The innermost loop that contains two blocks. Linear in the loops that contain only one of
    /// them.
    fn common(&self, a: u32, b: u32) -> Option<usize> {
        let (mut a, mut b) = (self.innermost(a), self.innermost(b));
        while a != b {
            // Inner loops have higher indices, and `None` is lower than any.
            let inner = if a > b { &mut a } else { &mut b };
            *inner = inner.and_then(|number| self.loops[number].parent);
        }
        a
    }
}

/// For the first region of an operation.
impl Analysis for LoopForest {
    const NAME: &'static str = "loops";

    fn compute(context: &mut Context, op: Operation, analyses: &mut AnalysisManager) -> Self {
        LoopForest::of(&analyses.get::<ControlFlowGraph>(context, op))
    }
}
