//! What in a cubin, besides the code of a function, refers to its instructions by their addresses.

use std::collections::{BTreeMap, BTreeSet};

use object::read::elf::ElfFile64;
use object::{Endianness, Object, ObjectSection, ObjectSymbol, RelocationTarget, SectionIndex};
use orison_sass::cubin::information::Word;
use orison_sass::encoding::Encoding;
use orison_sass::function::Function;

use super::frames;
use super::information;
use super::patch_error::{PatchError, at, error};

/// The instructions of a function that cannot move, or not everywhere. A reference to a block refers to its first
/// instruction, whichever that is.
#[derive(Debug, Default)]
pub(super) struct References {
    /// Instructions that cannot move, with what refers to them.
    fixed: BTreeMap<u64, String>,
    /// Addresses that nothing moves across: the stack frame changes there.
    frames: BTreeSet<u64>,
    /// Why no instruction can move.
    all: Option<String>,
}

impl References {
    /// Those of a cubin to a function.
    ///
    /// # Errors
    /// If a table with addresses of the function cannot be read.
    pub(super) fn of(
        file: &ElfFile64<'_, Endianness>,
        function: &Function<'_>,
    ) -> Result<References, PatchError> {
        let mut found = References::default();
        let code = file.section_by_name(&function.section());
        let Some(code) = code.map(|section| section.index()) else {
            return Ok(found);
        };
        let blocks = blocks(function);
        for section in file.sections() {
            let name = section.name().unwrap_or_default();
            // The second form of the code on sm_100 duplicates all related data.
            if name.starts_with(".nv.merc.") || name.starts_with(".nv.capmerc.") {
                continue;
            }
            let mentions = mentions(file, &section, code);
            if name == ".debug_frame" {
                found.add_frames(&section, &mentions)?;
            } else if name.contains("debug_line") && !mentions.is_empty() {
                found.all = Some(format!("'{name}' has line numbers for them"));
            } else {
                let inside = mentions.iter().map(|mention| mention.base);
                for address in inside.filter(|address| !blocks.contains(address)) {
                    let why = format!("a relocation in '{name}' refers to it");
                    found.fixed.insert(address, why);
                }
            }
        }
        found.add_information(file, function, &blocks)?;
        Ok(found)
    }

    /// The addresses at which frame rules change.
    fn add_frames<'data>(
        &mut self,
        section: &impl ObjectSection<'data>,
        mentions: &[Mention],
    ) -> Result<(), PatchError> {
        if mentions.is_empty() {
            return Ok(());
        }
        let refuse = |why: String| error(format!("cannot move instructions: '.debug_frame' {why}"));
        let bytes = section.data();
        let bytes = bytes.map_err(|_| refuse("has no contents".to_owned()))?;
        for entry in frames::entries(bytes).map_err(refuse)? {
            let mention = mentions.iter().find(|found| found.offset == entry.location);
            let Some(mention) = mention else {
                continue;
            };
            let start = match mention.added {
                true => mention.base.wrapping_add(entry.start),
                false => mention.base,
            };
            let boundaries = entry.boundaries.iter();
            self.frames
                .extend(boundaries.map(|boundary| start.wrapping_add(*boundary)));
        }
        Ok(())
    }

    /// What the metadata for the driver may refer to in an unknown way.
    fn add_information(
        &mut self,
        file: &ElfFile64<'_, Endianness>,
        function: &Function<'_>,
        blocks: &BTreeSet<u64>,
    ) -> Result<(), PatchError> {
        let title = information_of(function);
        let section = file.section_by_name(&title);
        let Some(Ok(bytes)) = section.map(|section| section.data()) else {
            return Ok(());
        };
        let mentions = information::mentions(bytes);
        let size = Encoding::BYTES * number(function.instructions().count());
        for found in mentions.map_err(|message| error(format!("'{title}' {message}")))? {
            let address = u64::from(found.value);
            let is_inside = address < size && address.is_multiple_of(Encoding::BYTES);
            let is_hidden = match found.word {
                Word::Address | Word::Symbol | Word::Value => false,
                Word::Block => !blocks.contains(&address),
                Word::Unknown => true,
            };
            if is_inside && is_hidden {
                let attribute = found.attribute;
                let why = format!("attribute {attribute:#04x} of '{title}' may refer to it");
                self.fixed.insert(address, why);
            }
        }
        Ok(())
    }

    /// Addresses of instructions that others, if they stay on their sides of these, may move around.
    pub(super) fn fixed(&self) -> impl Iterator<Item = u64> {
        self.fixed.keys().chain(&self.frames).copied()
    }

    /// Checks moves from old addresses to new ones.
    ///
    /// # Errors
    /// If one is not possible.
    pub(super) fn check(&self, moves: &BTreeMap<u64, u64>) -> Result<(), PatchError> {
        if let Some(why) = &self.all {
            return Err(error(format!("cannot move instructions: {why}")));
        }
        if let Some((address, why)) = self.fixed.iter().find(|found| moves.contains_key(found.0)) {
            return Err(at(*address, format!("cannot move the instruction: {why}")));
        }
        for place in &self.frames {
            let crossed = moves
                .iter()
                .find(|(from, to)| (*from < place) != (*to < place));
            if let Some((from, to)) = crossed {
                let message = format!(
                    "cannot move the instruction from {from:#06x} across {place:#06x}: \
                     '.debug_frame' has a different stack frame there"
                );
                return Err(at(*to, message));
            }
        }
        Ok(())
    }
}

/// The section with the metadata of a function.
pub(super) fn information_of(function: &Function<'_>) -> String {
    format!(".nv.info.{}", function.name)
}

/// The addresses of the blocks.
fn blocks(function: &Function<'_>) -> BTreeSet<u64> {
    let mut address = 0;
    let starts = function.blocks.iter().map(|block| {
        let start = address;
        address += Encoding::BYTES * number(block.instructions.len());
        start
    });
    starts.collect()
}

fn number(count: usize) -> u64 {
    u64::try_from(count).unwrap_or(u64::MAX)
}

/// A relocation against the code of a function.
struct Mention {
    /// Its offset in its section.
    offset: u64,
    /// The target address, minus the addend stored in the section.
    base: u64,
    /// Whether the section stores an addend.
    added: bool,
}

/// The relocations of a section that refer to some code.
fn mentions<'data>(
    file: &ElfFile64<'data, Endianness>,
    section: &impl ObjectSection<'data>,
    code: SectionIndex,
) -> Vec<Mention> {
    let mention = |(offset, relocation): (u64, object::Relocation)| {
        let RelocationTarget::Symbol(symbol) = relocation.target() else {
            return None;
        };
        let symbol = file.symbol_by_index(symbol).ok()?;
        let addend = u64::try_from(relocation.addend()).unwrap_or_default();
        (symbol.section_index() == Some(code)).then(|| Mention {
            offset,
            base: symbol.address().wrapping_add(addend),
            added: relocation.has_implicit_addend(),
        })
    };
    section
        .relocations()
        .filter_map(|(offset, relocation)| mention((offset, relocation)))
        .collect()
}
