//! Cubins: the ELF files that hold machine code, its data, and what the driver needs to know of them.
//!
//! [`Cubin::read`] keeps everything that a file has, and [`Cubin::write`] writes it again: a file that is not changed
//! keeps its bytes. Sections are in the order of the file, without the first, empty one, whose index is 0.
//!
//! Measured on cubins of CUDA 12.8 to 13.2.

pub mod information;
mod layout;
pub(crate) mod read;
pub mod relocation;
mod strings;
#[cfg(test)]
mod tests;
mod write;

use std::fmt;

pub use strings::StringTable;

/// The identification of the operating system.
const OS_ABI: u8 = 0x41;
/// The processor.
const MACHINE: u16 = 190;
/// The version of the binary interface that this crate writes.
pub const ABI_VERSION: u8 = 8;

/// Types of sections that ELF does not define.
pub mod section_kind {
    /// `.nv.info` and `.nv.info.k`.
    pub const INFORMATION: u32 = 0x7000_0000;
    /// `.nv.callgraph`.
    pub const CALL_GRAPH: u32 = 0x7000_0001;
    /// `.nv.rel.action`.
    pub const RELOCATION_ACTION: u32 = 0x7000_000b;
    /// `.nv.compat`.
    pub const COMPATIBILITY: u32 = 0x7000_0086;
    /// Contents in the file.
    pub const CONTENTS: u32 = 1;
    /// Symbols.
    pub const SYMBOLS: u32 = 2;
    /// Names.
    pub const STRINGS: u32 = 3;
    /// Relocations with addends.
    pub const RELOCATIONS: u32 = 4;
    /// Notes.
    pub const NOTES: u32 = 7;
    /// No contents in the file.
    pub const ZEROS: u32 = 8;
    /// Relocations whose addends are where they apply.
    pub const RELOCATIONS_IN_PLACE: u32 = 9;
}

/// Flags of sections.
pub mod section_flags {
    /// Written when the code runs.
    pub const WRITE: u64 = 1;
    /// In memory when the code runs.
    pub const ALLOCATED: u64 = 2;
    /// Executable.
    pub const EXECUTABLE: u64 = 4;
    /// [`super::Section::info`] is the index of a section.
    pub const INFO_LINK: u64 = 0x40;
}

/// What a file is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// For a linker.
    Relocatable,
    /// For the driver.
    Executable,
}

/// A cubin.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cubin {
    /// What it is.
    pub kind: Kind,
    /// The version of the binary interface: 7 up to CUDA 12, 8 since.
    pub abi_version: u8,
    /// The flags of the header, with the machine.
    pub flags: u32,
    /// The version in the header: 1 in version 8 of the binary interface, the toolkit's before.
    pub version: u32,
    /// The sections.
    pub sections: Vec<Section>,
}

/// A section.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Section {
    /// The name.
    pub name: Box<str>,
    /// The type: see [`section_kind`].
    pub kind: u32,
    /// See [`section_flags`].
    pub flags: u64,
    /// The section that it refers to: the names of symbols, the symbols of relocations.
    pub link: u32,
    /// What depends on the type: for relocations and data of a function its section; for code the symbol of
    /// its function, and before sm_90 the number of registers in bits 24 to 31.
    pub info: u32,
    /// The alignment in bytes.
    pub alignment: u64,
    /// The size of an entry in bytes.
    pub entry_size: u64,
    /// The contents.
    pub contents: Contents,
    /// The offset in the file it was read from: it is written there if what is in front of it fits.
    pub offset: Option<u64>,
}

/// The contents of a section.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Contents {
    /// Bytes.
    Bytes(Vec<u8>),
    /// So many bytes that are zero, and not in the file.
    Zeros(u64),
    /// Names.
    Strings(StringTable),
    /// Symbols.
    Symbols(Vec<Symbol>),
    /// Relocations.
    Relocations(Vec<Relocation>),
}

/// A symbol.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Symbol {
    /// The name.
    pub name: Box<str>,
    /// The type in bits 0 to 3, the binding in bits 4 to 7.
    pub info: u8,
    /// The visibility in bits 0 and 1, and the properties of the driver.
    pub other: u8,
    /// The section that it is in; 0 if it is not in this file.
    pub section: u16,
    /// The offset in the section, in bytes.
    pub value: u64,
    /// The size in bytes.
    pub size: u64,
}

/// A place that the linker or the driver fills in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Relocation {
    /// The place: its offset in bytes.
    pub offset: u64,
    /// What is put there: see [`relocation`].
    pub kind: u32,
    /// The index of the symbol whose address it is.
    pub symbol: u32,
    /// What is added to the address; zero where the addend is in place.
    pub addend: i64,
}

/// Why a file is not a cubin that can be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CubinError(pub String);

impl fmt::Display for CubinError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl std::error::Error for CubinError {}

/// The number of the machine in the flags of a header: in bits 8 to 15 in version 8 of the binary interface, and in bits
/// 0 to 7 in version 7.
pub fn machine_number(abi_version: u8, flags: u32) -> u32 {
    match abi_version {
        ..8 => flags & 0xff,
        8.. => flags >> 8 & 0xff,
    }
}

impl Section {
    /// The bytes in the file; none for symbols, relocations and names, which have a form of their own.
    pub fn bytes(&self) -> &[u8] {
        match &self.contents {
            Contents::Bytes(bytes) => bytes,
            _ => &[],
        }
    }

    /// Whether it has the code of a function.
    pub fn is_code(&self) -> bool {
        self.flags & section_flags::EXECUTABLE != 0 && self.name.starts_with(".text.")
    }
}

impl Cubin {
    /// The section with an index, which counts the empty first section.
    pub fn section(&self, index: u32) -> Option<&Section> {
        let index = usize::try_from(index).ok()?.checked_sub(1)?;
        self.sections.get(index)
    }

    /// The first section with a name.
    pub fn section_named(&self, name: &str) -> Option<&Section> {
        self.sections.iter().find(|section| &*section.name == name)
    }

    /// The symbols.
    pub fn symbols(&self) -> &[Symbol] {
        let tables = self.sections.iter().filter_map(|section| {
            let is_table = section.kind == section_kind::SYMBOLS;
            match &section.contents {
                Contents::Symbols(symbols) if is_table => Some(&symbols[..]),
                _ => None,
            }
        });
        tables.into_iter().next().unwrap_or_default()
    }

    /// The machine: `sm_90a`. For version 8 of the binary interface `.nv.compat` says whether no later machine executes
    /// the code, for version 7 bit 11 of the flags.
    pub fn machine(&self) -> String {
        let only = match self.abi_version {
            ..8 => self.flags >> 11 & 1 == 1,
            8.. => self.is_only_for_machine(),
        };
        let number = self.machine_number();
        format!("sm_{number}{}", if only { "a" } else { "" })
    }

    /// The number of the machine.
    fn machine_number(&self) -> u32 {
        machine_number(self.abi_version, self.flags)
    }

    fn is_only_for_machine(&self) -> bool {
        let Some(section) = self.section_named(".nv.compat") else {
            return false;
        };
        let records = information::records(section.bytes()).unwrap_or_default();
        let only = records
            .iter()
            .find(|record| record.attribute == information::compatibility::ONLY_THIS_MACHINE);
        only.is_some_and(|record| record.value != information::Value::Byte(0))
    }
}
