//! Cubins as text that can be changed and assembled: [`Cubin::listing`] and [`Cubin::of_listing`].
//!
//! Sections are in their order, each with the directives of its header and its contents. Code has labels wherever
//! something refers to it, so that instructions may be added: records, symbols and relocations follow.

mod parse;
mod print;
mod read;

use crate::cubin::{Contents, Cubin, section_kind};

/// The names of types of sections that ELF defines.
const KINDS: [(u32, &str); 7] = [
    (section_kind::CONTENTS, "progbits"),
    (section_kind::SYMBOLS, "symtab"),
    (section_kind::STRINGS, "strtab"),
    (section_kind::RELOCATIONS, "rela"),
    (section_kind::NOTES, "note"),
    (section_kind::ZEROS, "nobits"),
    (section_kind::RELOCATIONS_IN_PLACE, "rel"),
];

/// The letters of flags of sections.
const FLAGS: [(u64, char); 3] = [(2, 'a'), (1, 'w'), (4, 'x')];

/// The only index with a name, or `None` if several have it, or it is empty.
fn unique<'a>(name: &str, mut all: impl Iterator<Item = &'a str>) -> bool {
    !name.is_empty() && all.by_ref().filter(|found| *found == name).count() == 1
}

impl Cubin {
    /// The name that stands for a section: its own, or `#` and its index.
    fn section_reference(&self, index: u32) -> String {
        let name = self.section(index).map(|section| &*section.name);
        let names = self.sections.iter().map(|section| &*section.name);
        match name {
            Some(name) if unique(name, names) => name.to_owned(),
            _ => format!("#{index}"),
        }
    }

    /// The text that stands for a symbol of a table: its name in quotes, or `#` and its index.
    fn symbol_reference(&self, table: u32, index: u32) -> String {
        let symbols = self.section(table).map(|section| &section.contents);
        let Some(Contents::Symbols(symbols)) = symbols else {
            return format!("#{index}");
        };
        let place = usize::try_from(index).unwrap_or(usize::MAX);
        let name = symbols.get(place).map(|symbol| &*symbol.name);
        match name {
            Some(name) if unique(name, symbols.iter().map(|symbol| &*symbol.name)) => {
                format!("{name:?}")
            }
            _ => format!("#{index}"),
        }
    }
}
