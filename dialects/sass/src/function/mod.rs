//! Functions for analyses: blocks and edges over the instructions of a section of a listing, or over
//! those of a `sass.func`, which are borrowed ([`Function::of_operation`]).
//!
//! Edges follow from labels, as in the text of nvdisasm. An analysis may set control words, and change,
//! move, insert and remove instructions; [`crate::dialect::Edits`] writes that to the operations.

mod edges;
mod section;
#[cfg(test)]
mod tests;

pub use section::Part;

use orison_ir::Operation;

use crate::instruction::{Flow, Instruction, flow};
use crate::listing::Note;
use crate::scheduled::Scheduled;

/// Index of a block in [`Function::blocks`].
pub type BlockIndex = usize;

/// The kind of a control-flow edge.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum EdgeKind {
    /// A jump is taken.
    Taken,
    /// Control continues after the last instruction: no jump was taken, a call returned, or the
    /// next instruction has a label.
    FallThrough,
}

/// An edge from a block to another of the same function.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Edge {
    /// The target.
    pub to: BlockIndex,
    /// The kind.
    pub kind: EdgeKind,
}

/// Instructions that are executed in sequence.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Block<'a> {
    /// Labels, directives and comments before the first instruction.
    pub notes: Vec<Note>,
    /// The instructions.
    pub instructions: Vec<Scheduled<'a>>,
    /// The operation after the instructions, if the last one does not end the block.
    pub fall_through: Option<Operation>,
    /// The successors, jumps first, each block once per kind. Returns and exits have no edge;
    /// neither has a call to its callee.
    pub successors: Vec<Edge>,
    /// The block called at the end, if it is in the section.
    pub callee: Option<BlockIndex>,
    /// Whether control may also go to an unknown target: a jump through a register without a table.
    pub leaves_to_unknown: bool,
}

impl Block<'_> {
    /// Inserts a new instruction before the one with this index, or at the end.
    ///
    /// # Panics
    /// If the block has fewer instructions.
    pub fn insert(&mut self, index: usize, instruction: Instruction) {
        self.instructions.insert(index, Scheduled::new(instruction));
    }

    /// Where control continues after the last instruction.
    pub fn flow(&self) -> Option<Flow> {
        self.instructions.last().map(|last| flow(last))
    }

    /// The labels before the first instruction.
    pub fn labels(&self) -> impl Iterator<Item = &str> {
        self.notes.iter().filter_map(Note::label)
    }
}

/// An entry point of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Name of the symbol.
    pub name: Box<str>,
    /// The block.
    pub block: BlockIndex,
}

/// The code of a section: a kernel or device function, with its local functions (`$k$helper`),
/// which are reached by calls.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Function<'a> {
    /// The name: that of the section without `.text.`.
    pub name: Box<str>,
    /// The machine, `sm_90a`.
    pub target: Box<str>,
    /// The blocks in the order of their addresses.
    pub blocks: Vec<Block<'a>>,
    /// The notes after the last instruction.
    pub trailing: Vec<Note>,
    /// The symbols, the function's own first.
    pub entries: Vec<Entry>,
}

impl<'a> Function<'a> {
    /// The instructions in the order of their addresses.
    pub fn instructions(&self) -> impl Iterator<Item = &Scheduled<'a>> {
        self.blocks.iter().flat_map(|block| &block.instructions)
    }

    /// The instructions in the order of their addresses, to set their control words.
    pub fn instructions_mut(&mut self) -> impl Iterator<Item = &mut Scheduled<'a>> {
        let blocks = self.blocks.iter_mut();
        blocks.flat_map(|block| &mut block.instructions)
    }

    /// The first instruction whose effects are unknown: the text was not understood.
    pub fn opaque(&self) -> Option<&Scheduled<'a>> {
        self.instructions().find(|found| found.is_opaque())
    }

    /// The name of the section.
    pub fn section(&self) -> String {
        format!(".text.{}", self.name)
    }

    /// The predecessors of each block, in order.
    pub fn predecessors(&self) -> Vec<Vec<BlockIndex>> {
        let mut predecessors = vec![Vec::new(); self.blocks.len()];
        for (from, block) in self.blocks.iter().enumerate() {
            for edge in &block.successors {
                if predecessors[edge.to].last() != Some(&from) {
                    predecessors[edge.to].push(from);
                }
            }
        }
        predecessors
    }
}
