//! Limits of what is scheduled at once: long blocks are cut into parts, long functions into chunks.

use std::ops::Range;

use orison_sass::function::{Block, BlockIndex, Edge, EdgeKind, Function};

use crate::sass::facts::FunctionFacts;

/// The most instructions of a region (seed 000, "Pre-Scheduling Setup").
pub(super) const LONGEST_BLOCK: usize = 4_095;
/// The most instructions whose regions exist at once, unless one block has more (seed 000, "Large Function Handling").
pub(super) const LONGEST_CHUNK: usize = 16_383;

/// The blocks of a function in parts of at most [`LONGEST_BLOCK`] instructions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Parts {
    /// The first part of each block; at last the number of parts.
    first: Vec<usize>,
}

impl Parts {
    pub(super) fn of(function: &Function<'_>) -> Self {
        let mut first = vec![0];
        let mut count = 0;
        for block in &function.blocks {
            count += block.instructions.len().div_ceil(LONGEST_BLOCK).max(1);
            first.push(count);
        }
        Parts { first }
    }

    /// For each block, its first part; at last the number of parts.
    pub(super) fn first(&self) -> &[usize] {
        &self.first
    }

    /// The parts of a block.
    pub(super) fn of_block(&self, block: BlockIndex) -> Range<usize> {
        self.first[block]..self.first[block + 1]
    }

    /// The function with its parts as blocks, each followed by the next; `None` if its blocks are the parts.
    pub(super) fn cut<'a>(&self, function: &Function<'a>) -> Option<Function<'a>> {
        if self.first.last() == Some(&function.blocks.len()) {
            return None;
        }
        let mut cut = function.clone();
        cut.blocks = Vec::with_capacity(self.first[function.blocks.len()]);
        for block in &function.blocks {
            let mut instructions = block.instructions.chunks(LONGEST_BLOCK);
            let mut part = Block {
                notes: block.notes.clone(),
                instructions: instructions.next().unwrap_or_default().to_vec(),
                ..Block::default()
            };
            for next in instructions {
                part.successors.push(Edge {
                    to: cut.blocks.len() + 1,
                    kind: EdgeKind::FallThrough,
                });
                cut.blocks.push(std::mem::take(&mut part));
                part.instructions = next.to_vec();
            }
            let edges = block.successors.iter();
            let edges = edges.map(|edge| Edge {
                to: self.first[edge.to],
                ..*edge
            });
            part.successors = edges.collect();
            part.callee = block.callee.map(|callee| self.first[callee]);
            part.fall_through = block.fall_through;
            part.leaves_to_unknown = block.leaves_to_unknown;
            cut.blocks.push(part);
        }
        for entry in &mut cut.entries {
            entry.block = self.first[entry.block];
        }
        Some(cut)
    }

    /// Gives a function the instructions of its parts.
    pub(super) fn join<'a>(&self, function: &mut Function<'a>, cut: Function<'a>) {
        let mut parts = cut.blocks.into_iter();
        for (number, block) in function.blocks.iter_mut().enumerate() {
            let parts = parts.by_ref().take(self.of_block(number).len());
            block.instructions = parts.flat_map(|part| part.instructions).collect();
        }
    }
}

/// The blocks of a function in chunks of at most [`LONGEST_CHUNK`] instructions.
pub(super) fn chunks(facts: &FunctionFacts) -> Vec<Range<BlockIndex>> {
    let mut chunks = Vec::new();
    let mut first = 0;
    for block in 0..facts.block_count() {
        let start = facts.block(first).start;
        if block > first && facts.block(block).end - start > LONGEST_CHUNK {
            chunks.push(first..block);
            first = block;
        }
    }
    chunks.push(first..facts.block_count());
    chunks
}
