//! Listings: the output of `nvdisasm -c -hex` for a cubin, and the same with readable control
//! words. The output of `cuobjdump -sass` for one machine is read as the listing that nvdisasm gives,
//! without directives.
//!
//! A listing keeps all text except blanks: directives, labels, comments and instructions, in order.
//! [`Listing::into_functions`] finds the functions and blocks in it.

mod code;
mod disassembly;
mod lines;
mod print;
#[cfg(test)]
mod tests;

use std::fmt;

pub use code::Code;
pub(crate) use code::section as code_section;
pub use lines::{parse, parse_edited};

pub use crate::place::Place;

use crate::scheduled::Scheduled;

/// An error in a listing, or a warning ([`Listing::warnings`]).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ListingError {
    /// The location.
    pub place: Place,
    /// The message, without a final period or newline.
    pub message: String,
}

impl ListingError {
    /// An error at a location.
    pub fn new(place: Place, message: impl Into<String>) -> ListingError {
        ListingError {
            place,
            message: message.into(),
        }
    }
}

impl fmt::Display for ListingError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Place { line, column } = self.place;
        write!(out, "{line}:{column}: error: {}", self.message)
    }
}

impl std::error::Error for ListingError {}

/// A directive: `.type k,@function` has the name `.type` and the arguments `k,@function`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Directive {
    /// The name, with its dot.
    pub name: Box<str>,
    /// The text after the name; empty if absent.
    pub arguments: Box<str>,
}

impl Directive {
    /// The arguments without quotes and the `@` before them: `ET_EXEC` of `@"ET_EXEC"`.
    pub fn value(&self) -> &str {
        self.arguments.trim_start_matches('@').trim_matches('"')
    }
}

/// A line of a listing that is not an instruction.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Note {
    /// A directive.
    Directive(Directive),
    /// A label, without its colon.
    Label(Box<str>),
    /// A comment, without its slashes.
    Comment(Box<str>),
}

impl Note {
    /// Whether a line without surrounding blanks is a note.
    pub fn is_one(text: &str) -> bool {
        let label = text.strip_suffix(':').is_some_and(is_name);
        label || is_directive(text) || text.starts_with("//")
    }

    /// The name of a label.
    pub fn label(&self) -> Option<&str> {
        match self {
            Note::Label(name) => Some(name),
            Note::Directive(_) | Note::Comment(_) => None,
        }
    }

    /// The note of a line without surrounding blanks; `None` for an instruction or anything else.
    pub fn parse(text: &str) -> Option<Note> {
        if let Some(comment) = text.strip_prefix("//") {
            return Some(Note::Comment(comment.trim().into()));
        }
        if let Some(name) = text.strip_suffix(':').filter(|name| is_name(name)) {
            return Some(Note::Label(name.into()));
        }
        is_directive(text).then(|| {
            let (name, arguments) = text.split_once([' ', '\t']).unwrap_or((text, ""));
            Note::Directive(Directive {
                name: name.into(),
                arguments: arguments.trim().into(),
            })
        })
    }
}

fn is_directive(text: &str) -> bool {
    text.starts_with('.') && !text.ends_with(':') && !text.contains('\n')
}

/// Whether a text can be a label: a single word.
fn is_name(text: &str) -> bool {
    let belongs = |byte: u8| byte.is_ascii_graphic() && !b"/*;,\"()".contains(&byte) || byte > 127;
    !text.is_empty() && text.bytes().all(belongs)
}

/// A line of a listing.
// Nearly all items are instructions, so boxing them would not pay off.
#[allow(clippy::large_enum_variant)]
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Item {
    /// An instruction, which may take two lines of the text.
    Instruction(Scheduled<'static>),
    /// Anything else.
    Note(Note),
}

/// An item and its location in the parsed text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// The location.
    pub place: Place,
    /// The item.
    pub item: Item,
}

/// A section of a listing: the lines after a line `//--------- .text.k ---------`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Section {
    /// The name in that line.
    pub name: Box<str>,
    /// The nonblank lines after it.
    pub lines: Vec<Line>,
}

impl Section {
    /// The instructions in order.
    pub fn instructions(&self) -> impl Iterator<Item = &Scheduled<'static>> {
        self.lines.iter().filter_map(|line| match &line.item {
            Item::Instruction(instruction) => Some(instruction),
            Item::Note(_) => None,
        })
    }

    /// Whether it holds code.
    pub fn is_code(&self) -> bool {
        self.name.starts_with(".text")
    }
}

/// A listing. `Display` prints it with readable control words.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Listing {
    /// The lines before the first section: `.target`, `.elftype`.
    pub header: Vec<Line>,
    /// The sections in order, the symbol section last.
    pub sections: Vec<Section>,
    /// Why instructions are opaque, in their order.
    pub warnings: Vec<ListingError>,
    /// The instructions of an edited listing that have no control word, in their order.
    pub unscheduled: Vec<Place>,
}

impl Listing {
    /// The value of a directive of the header.
    pub fn header_value(&self, name: &str) -> Option<&str> {
        self.header.iter().find_map(|line| match &line.item {
            Item::Note(Note::Directive(directive)) if &*directive.name == name => {
                Some(directive.value())
            }
            _ => None,
        })
    }

    /// The machine: `sm_90a`; empty if the listing does not state it.
    pub fn target(&self) -> &str {
        self.header_value(".target").unwrap_or_default()
    }

    /// Adds the machine of a listing without `.target`: files of toolkits before 13 state it in their flags,
    /// `.headerflags @"… EF_CUDA_ACCELERATORS EF_CUDA_SM90 …"`, with the former for code for `sm_90a`.
    fn name_machine(&mut self) {
        if !self.target().is_empty() {
            return;
        }
        let flags = self.header_value(".headerflags").unwrap_or_default();
        let mut flags = flags.split(' ');
        let accelerated = flags.clone().any(|flag| flag == "EF_CUDA_ACCELERATORS");
        let Some(machine) = flags.find_map(|flag| flag.strip_prefix("EF_CUDA_SM")) else {
            return;
        };
        let suffix = if accelerated { "a" } else { "" };
        let place = self
            .header
            .last()
            .map(|line| line.place)
            .unwrap_or_default();
        let note = Note::Directive(Directive {
            name: ".target".into(),
            arguments: format!("sm_{machine}{suffix}").into(),
        });
        self.header.push(Line {
            place,
            item: Item::Note(note),
        });
    }

    /// The same without source locations and warnings, to compare listings.
    #[must_use]
    pub fn without_places(mut self) -> Listing {
        self.warnings.clear();
        let sections = self.sections.iter_mut().map(|section| &mut section.lines);
        for line in sections.chain([&mut self.header]).flatten() {
            line.place = Place::default();
        }
        self
    }
}
