//! Functions of listings, and back.

use super::{Block, Function};
use crate::instruction::flow;
use crate::listing::{Item, Line, Listing, ListingError, Note, Place, Section};
use crate::scheduled::{Origin, Scheduled};

/// A section of a listing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Part {
    /// One with code.
    Function(Function<'static>),
    /// Any other.
    Section(Section),
}

impl Listing {
    /// The sections in order, those with code as functions.
    ///
    /// # Errors
    /// Those of [`Function::of_section`], and an instruction in any other section.
    pub fn into_parts(self) -> Result<Vec<Part>, ListingError> {
        let target: Box<str> = self.target().into();
        let part = |section: Section| {
            if section.is_code() {
                return Function::of_section(&target, section).map(Part::Function);
            }
            let mut lines = section.lines.iter();
            match lines.find(|line| matches!(line.item, Item::Instruction(_))) {
                Some(line) => {
                    let name = &section.name;
                    let message = format!("instruction in '{name}', which is not a code section");
                    Err(ListingError::new(line.place, message))
                }
                None => Ok(Part::Section(section)),
            }
        };
        self.sections.into_iter().map(part).collect()
    }

    /// The functions in order.
    ///
    /// # Errors
    /// Those of [`Listing::into_parts`].
    pub fn into_functions(self) -> Result<Vec<Function<'static>>, ListingError> {
        let functions = self
            .into_parts()?
            .into_iter()
            .filter_map(|part| match part {
                Part::Function(function) => Some(function),
                Part::Section(_) => None,
            });
        Ok(functions.collect())
    }
}

impl Function<'static> {
    /// The function of a section with code.
    ///
    /// # Errors
    /// If a jump branches to a label that is not in the section, a label without a following
    /// instruction is a jump target, or the section is empty.
    pub fn of_section(target: &str, section: Section) -> Result<Self, ListingError> {
        // A function may be called `textures`: the prefix is removed once.
        let name = section.name.strip_prefix(".text").unwrap_or(&section.name);
        let name = name.strip_prefix('.').unwrap_or(name).into();
        let start = section
            .lines
            .first()
            .map_or(Place::default(), |line| line.place);
        let (blocks, trailing) = split(section.lines);
        if blocks.is_empty() {
            let message = format!("the section '{}' has no instructions", section.name);
            return Err(ListingError::new(start, message));
        }
        let mut function = Function {
            name,
            target: target.into(),
            entries: Vec::new(),
            blocks,
            trailing,
        };
        function.connect()?;
        Ok(function)
    }
}

impl Function<'_> {
    /// The section with this code.
    pub fn to_section(&self) -> Section {
        let line = |place, item| Line { place, item };
        let note = |note: &Note| line(Place::default(), Item::Note(note.clone()));
        let code = |found: &Scheduled<'_>| line(found.place(), Item::Instruction(found.to_owned()));
        let blocks = self.blocks.iter().flat_map(|block| {
            let instructions = block.instructions.iter().map(code);
            block.notes.iter().map(note).chain(instructions)
        });
        Section {
            name: self.section().into(),
            lines: blocks.chain(self.trailing.iter().map(note)).collect(),
        }
    }
}

/// The blocks without edges, and the notes after the last instruction.
fn split(lines: Vec<Line>) -> (Vec<Block<'static>>, Vec<Note>) {
    let mut blocks: Vec<Block<'static>> = Vec::new();
    let mut notes: Vec<Note> = Vec::new();
    let mut ended = true;
    for Line { place, item } in lines {
        match item {
            Item::Note(note) => notes.push(note),
            Item::Instruction(mut found) => {
                if ended || !notes.is_empty() {
                    blocks.push(Block {
                        notes: std::mem::take(&mut notes),
                        ..Block::default()
                    });
                }
                ended = flow(&found).ends_block();
                found.origin = Origin::Line(place);
                if let Some(block) = blocks.last_mut() {
                    block.instructions.push(found);
                }
            }
        }
    }
    (blocks, notes)
}
