//! Cubins as text that can be changed and assembled: [`Cubin::listing`] and [`Cubin::of_listing`].
//!
//! Sections are in their order, each with the directives of its header and its contents. Code has labels wherever
//! something refers to it, so that instructions may be added: records, symbols and relocations follow.

mod parse;
mod print;
mod read;

use rustc_hash::FxHashMap;

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

/// How many sections and symbols have each name.
struct Names<'c> {
    cubin: &'c Cubin,
    sections: Counts<'c>,
    /// Those of the symbols of each table, by the index of its section.
    symbols: FxHashMap<u32, Counts<'c>>,
}

type Counts<'c> = FxHashMap<&'c str, usize>;

fn counts<'c>(names: impl Iterator<Item = &'c str>) -> Counts<'c> {
    let mut counts = Counts::default();
    for name in names.filter(|name| !name.is_empty()) {
        *counts.entry(name).or_default() += 1;
    }
    counts
}

impl<'c> Names<'c> {
    fn of(cubin: &'c Cubin) -> Self {
        let tables = (1u32..).zip(&cubin.sections);
        let symbols = tables.filter_map(|(index, section)| match &section.contents {
            Contents::Symbols(symbols) => {
                Some((index, counts(symbols.iter().map(|symbol| &*symbol.name))))
            }
            _ => None,
        });
        Names {
            cubin,
            sections: counts(cubin.sections.iter().map(|section| &*section.name)),
            symbols: symbols.collect(),
        }
    }

    /// The text that stands for a section: its name, or `#` and its index if others have the name.
    fn section(&self, index: u32) -> String {
        let name = self.cubin.section(index).map(|section| &*section.name);
        match name {
            Some(name) if self.sections.get(name) == Some(&1) => name.to_owned(),
            _ => format!("#{index}"),
        }
    }

    /// The text that stands for a symbol of a table: its name in quotes, or `#` and its index.
    fn symbol(&self, table: u32, index: u32) -> String {
        let name = self
            .cubin
            .symbol_of(table, index)
            .map(|symbol| &*symbol.name);
        let counts = self.symbols.get(&table);
        match name {
            Some(name) if counts.and_then(|counts| counts.get(name)) == Some(&1) => {
                format!("{name:?}")
            }
            _ => format!("#{index}"),
        }
    }
}
