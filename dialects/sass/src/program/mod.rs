//! Functions with blocks and edges, built from listings or operations and converted back to them.

mod build;
mod flow;
#[cfg(test)]
mod tests;

pub use build::build;
pub use flow::{Flow, flow};

use orison_ir::Operation;

use crate::instruction::Instruction;
use crate::listing::{Item, Line, Listing, Note, Place, Section};

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

/// What an instruction was made from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Origin {
    /// Nothing: a pass inserted it.
    #[default]
    New,
    /// A line of a listing.
    Line(Place),
    /// An operation.
    Operation(Operation),
}

impl Origin {
    /// The position in the listing; the default for other origins.
    pub fn place(self) -> Place {
        match self {
            Origin::Line(place) => place,
            Origin::New | Origin::Operation(_) => Place::default(),
        }
    }
}

/// Instructions that are executed in sequence.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Block {
    /// Labels, directives and comments before the first instruction.
    pub notes: Vec<Note>,
    /// The instructions.
    pub instructions: Vec<Instruction>,
    /// What each instruction was made from.
    pub origins: Vec<Origin>,
    /// The successors, jumps first, each block once per kind. Returns and exits have no edge;
    /// neither has a call to its callee.
    pub successors: Vec<Edge>,
    /// The block called at the end, if it is in the listing.
    pub callee: Option<BlockIndex>,
    /// Whether control may also go to an unknown target: a jump through a register without a table.
    pub leaves_to_unknown: bool,
}

impl Block {
    /// Appends an instruction.
    pub fn push(&mut self, instruction: Instruction, origin: Origin) {
        self.instructions.push(instruction);
        self.origins.push(origin);
    }

    /// Inserts a new instruction before the one with this index, or at the end.
    ///
    /// # Panics
    /// If the block has fewer instructions.
    pub fn insert(&mut self, index: usize, instruction: Instruction) {
        self.instructions.insert(index, instruction);
        self.origins.insert(index, Origin::New);
    }

    /// The instructions with their origins.
    pub fn code(&self) -> impl Iterator<Item = (&Instruction, Origin)> {
        self.instructions.iter().zip(self.origins.iter().copied())
    }

    /// The labels before the first instruction.
    pub fn labels(&self) -> impl Iterator<Item = &str> {
        self.notes.iter().filter_map(|note| match note {
            Note::Label(label) => Some(&**label),
            _ => None,
        })
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
pub struct Function {
    /// The name: that of the section without `.text.`.
    pub name: Box<str>,
    /// The machine, `sm_90a`.
    pub target: Box<str>,
    /// The blocks in the order of their addresses.
    pub blocks: Vec<Block>,
    /// The notes after the last instruction.
    pub trailing: Vec<Note>,
    /// The symbols, the function's own first.
    pub entries: Vec<Entry>,
}

impl Function {
    /// The instructions in the order of their addresses.
    pub fn instructions(&self) -> impl Iterator<Item = &Instruction> {
        self.blocks.iter().flat_map(|block| &block.instructions)
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

/// A part of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Part {
    /// A section with code.
    Function(Function),
    /// Any other section.
    Section(Section),
}

/// The contents of a listing.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Program {
    /// The notes before the first section.
    pub header: Vec<Note>,
    /// The sections in order.
    pub parts: Vec<Part>,
}

impl Program {
    /// The functions in order.
    pub fn functions(&self) -> impl Iterator<Item = &Function> {
        self.parts.iter().filter_map(|part| match part {
            Part::Function(function) => Some(function),
            Part::Section(_) => None,
        })
    }

    /// Converts the program back to a listing.
    pub fn to_listing(&self) -> Listing {
        let note = |note: &Note| Line {
            place: Place::default(),
            item: Item::Note(note.clone()),
        };
        let section = |part: &Part| match part {
            Part::Section(section) => section.clone(),
            Part::Function(function) => {
                let blocks = function.blocks.iter().flat_map(|block| {
                    let code = block.code().map(|(found, origin)| Line {
                        place: origin.place(),
                        item: Item::Instruction(found.clone()),
                    });
                    block.notes.iter().map(note).chain(code)
                });
                Section {
                    name: function.section().into(),
                    lines: blocks.chain(function.trailing.iter().map(note)).collect(),
                }
            }
        };
        Listing {
            header: self.header.iter().map(note).collect(),
            sections: self.parts.iter().map(section).collect(),
        }
    }
}
