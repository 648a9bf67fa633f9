//! Functions with blocks and edges, made of listings and turned back into them.

mod build;
mod flow;
#[cfg(test)]
mod tests;

pub use build::build;
pub use flow::{Flow, flow};

use crate::instruction::Instruction;
use crate::listing::{Item, Line, Listing, Note, Place, Section};

/// Number of a block in [`Function::blocks`].
pub type BlockIndex = usize;

/// Why control goes from a block to another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum EdgeKind {
    /// A jump is taken.
    Taken,
    /// Control goes on behind the last instruction: no jump was taken, a call came back, or the
    /// next instruction has a label.
    FallThrough,
}

/// A way from a block to another of the same function.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Edge {
    /// Where to.
    pub to: BlockIndex,
    /// Why.
    pub kind: EdgeKind,
}

/// Instructions that are executed one after the other.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Block {
    /// Labels, directives and comments before the first instruction.
    pub notes: Vec<Note>,
    /// The instructions.
    pub instructions: Vec<Instruction>,
    /// Where each instruction stands in the text it was read from.
    pub places: Vec<Place>,
    /// Where control goes behind the last instruction, jumps first, each block once a kind. Returns
    /// and exits have no edge; neither has a call to its callee.
    pub successors: Vec<Edge>,
    /// The block that a call at the end leads to, when the listing has it.
    pub callee: Option<BlockIndex>,
    /// Whether control may also go where nobody knows: a jump through a register without a table.
    pub leaves_to_unknown: bool,
}

impl Block {
    /// The labels before the first instruction.
    pub fn labels(&self) -> impl Iterator<Item = &str> {
        self.notes.iter().filter_map(|note| match note {
            Note::Label(label) => Some(&**label),
            _ => None,
        })
    }
}

/// A place where control enters a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Name of the symbol.
    pub name: Box<str>,
    /// The block.
    pub block: BlockIndex,
}

/// The code of a section: a kernel or device function, with the functions that it keeps to itself
/// (`$k$helper`), which are reached by calls.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Function {
    /// The name: that of the section without `.text.`.
    pub name: Box<str>,
    /// The machine, `sm_90a`.
    pub target: Box<str>,
    /// The blocks in the order of their addresses.
    pub blocks: Vec<Block>,
    /// What follows the last instruction.
    pub trailing: Vec<Note>,
    /// The symbols, that of the function first.
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

/// What a listing says.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Program {
    /// What stands before the first section.
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

    /// The listing again.
    pub fn to_listing(&self) -> Listing {
        let note = |note: &Note| Line {
            place: Place::default(),
            item: Item::Note(note.clone()),
        };
        let section = |part: &Part| match part {
            Part::Section(section) => section.clone(),
            Part::Function(function) => {
                let blocks = function.blocks.iter().flat_map(|block| {
                    let code = block.instructions.iter().enumerate();
                    let code = code.map(|(number, found)| Line {
                        place: block.places.get(number).copied().unwrap_or_default(),
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
