//! Cubins as text, and back: `--disassemble` and `--assemble`.

use orison_ir::{Palette, Severity};
use orison_sass::cubin::Cubin;
use orison_sass::function::Function;
use orison_sass::listing::{self, Listing, ListingError, Place as ListingPlace, Section};
use orison_schedule::sass::latency::LatencyModel;
use orison_schedule::sass::scoreboards::{Knobs, assign};
use orison_schedule::sass::simulate::Frequencies;

use crate::ptx::{Error, Place};

/// The text of a cubin, and warnings of instructions that are not understood.
///
/// # Errors
/// If it is no cubin, or a control word in it is invalid.
pub fn disassemble(cubin: &[u8]) -> Result<(String, Vec<String>), String> {
    let cubin = Cubin::read(cubin).map_err(|error| error.to_string())?;
    let listing = cubin.listing().map_err(|error| error.to_string())?;
    let warnings = listing.warnings.iter();
    let warnings = warnings.map(|warning| warning.message.clone()).collect();
    Ok((listing.to_string(), warnings))
}

/// The cubin of a text that [`disassemble`] wrote, with or without changes. A function with an instruction that has no
/// control word gets new control words throughout.
///
/// # Errors
/// The first line that is not understood, with its location and text.
pub fn assemble(name: &str, text: &str, palette: Palette) -> Result<Vec<u8>, String> {
    let located = |error: ListingError| {
        let place = Place {
            line: error.place.line,
            column: error.place.column,
        };
        let message = error.message;
        Error { place, message }.render_with(&palette, name, text)
    };
    let mut listing = listing::parse_edited(text).map_err(located)?;
    let missing = "expected a section '.symtab': write the text with '--disassemble'";
    if !listing
        .sections
        .iter()
        .any(|section| &*section.name == ".symtab")
    {
        return Err(palette.headline(name, Severity::Error, missing));
    }
    schedule(&mut listing).map_err(located)?;
    let cubin = Cubin::of_listing(&listing).map_err(located)?;
    Ok(cubin.write())
}

/// Gives control words to the functions that lack some.
fn schedule(listing: &mut Listing) -> Result<(), ListingError> {
    let target = listing.target().to_owned();
    for section in &mut listing.sections {
        let lacks = |place: &ListingPlace| section.lines.iter().any(|line| line.place == *place);
        let Some(place) = listing.unscheduled.iter().copied().find(lacks) else {
            continue;
        };
        let model = LatencyModel::for_code(&target);
        let model = model.ok_or_else(|| {
            let message = format!("there are no latencies of '{target}' for new control words");
            ListingError::new(place, message)
        })?;
        let mut function = Function::of_section(&target, section.clone())?;
        if let Some(opaque) = function.opaque() {
            let message = format!("new control words need the effects of '{opaque}'");
            return Err(ListingError::new(opaque.place(), message));
        }
        let frequencies = Frequencies::of_loops(&function);
        assign(&mut function, model, &frequencies, &Knobs::default());
        *section = Section {
            name: section.name.clone(),
            ..function.to_section()
        };
    }
    Ok(())
}
