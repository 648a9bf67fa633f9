//! Listings of code that is decoded here: what cuobjdump prints, without cuobjdump.

use super::disassembly;
use super::{Directive, Item, Line, Listing, ListingError, Note, Place, Section};
use crate::effects;
use crate::encoding::{Encoding, decode};
use crate::instruction::Instruction;
use crate::scheduled::{Imported, Scheduled};

/// The bytes of a section with code, and its name, such as `.text.k`.
#[derive(Clone, Copy, Debug)]
pub struct Code<'a> {
    /// The name.
    pub name: &'a str,
    /// The instructions.
    pub bytes: &'a [u8],
}

impl Listing {
    /// The listing of sections with code. Jumps have labels in place of their addresses. Bits that
    /// are no known instruction become an opaque one, with a warning whose line is the number of
    /// the instruction in its section.
    ///
    /// # Errors
    /// If a control word is invalid, or a section does not consist of whole instructions.
    pub fn of_code(machine: &str, sections: &[Code<'_>]) -> Result<Listing, ListingError> {
        let mut listing = Listing::default();
        let target = Note::Directive(Directive {
            name: ".target".into(),
            arguments: machine.into(),
        });
        listing.header.push(Line {
            place: Place::default(),
            item: Item::Note(target),
        });
        for code in sections {
            let section = section(machine, *code, &mut listing.warnings)?;
            listing.sections.push(section);
        }
        Ok(listing)
    }
}

/// A section of code, decoded.
pub(crate) fn section(
    machine: &str,
    code: Code<'_>,
    warnings: &mut Vec<ListingError>,
) -> Result<Section, ListingError> {
    let (chunks, rest) = code.bytes.as_chunks::<16>();
    let mut lines = Vec::with_capacity(chunks.len());
    let mut address = 0;
    for (number, bytes) in chunks.iter().enumerate() {
        let place = Place {
            line: u32::try_from(number + 1).unwrap_or(u32::MAX),
            column: 1,
        };
        let encoding = Encoding::from_bytes(*bytes);
        let found = instruction(machine, encoding, address);
        let found = found.unwrap_or_else(|message| {
            let message = format!(
                "{}: the effects of this instruction are unknown: {message}",
                code.name
            );
            warnings.push(ListingError::new(place, message));
            Instruction::opaque(&format!("UNKNOWN {:#034x}", encoding.bits()))
        });
        let control = encoding
            .control()
            .map_err(|error| ListingError::new(place, format!("{}: {error}", code.name)))?;
        let imported = Imported {
            encoding,
            fingerprint: Some(found.fingerprint()),
        };
        let scheduled = Scheduled {
            address,
            control,
            imported: Some(imported),
            ..Scheduled::new(found)
        };
        lines.push(Line {
            place,
            item: Item::Instruction(scheduled),
        });
        address += Encoding::BYTES;
    }
    if !rest.is_empty() {
        let message = format!("'{}' ends within an instruction", code.name);
        return Err(ListingError::new(Place::default(), message));
    }
    let mut section = Section {
        name: code.name.into(),
        lines,
    };
    disassembly::name_places(&mut section);
    Ok(section)
}

fn instruction(machine: &str, encoding: Encoding, address: u64) -> Result<Instruction, String> {
    let found = decode(machine, encoding, address).map_err(|error| error.to_string())?;
    match effects::misaligned(&found) {
        Some(why) => Err(why),
        None => Ok(found),
    }
}
