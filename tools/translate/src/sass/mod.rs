//! Machine code: listings of nvdisasm into the `sass` dialect and back, and into cubins.

pub mod code;
pub mod cubin;
mod frames;
mod information;
mod patch_error;
mod references;
pub mod reschedule;

use orison_ir::{Context, Operation, Source, parse_source};
use orison_sass::dialect;
use orison_sass::listing::{self, Listing};

use crate::ptx::{Error, Place};

/// Registers the dialects for the translation of machine code.
pub fn register_dialects(context: &mut Context) {
    orison_host::register(context);
    orison_sass::register(context);
}

/// Reads the output of `nvdisasm -c -hex` as a module of `sass`.
///
/// # Errors
/// The first error, with its location and source line.
pub fn import(context: &mut Context, name: &str, text: &str) -> Result<Operation, String> {
    let module = listing::parse(text).and_then(|listing| dialect::module(context, listing, name));
    module.map_err(|error| {
        let place = Place {
            line: error.place.line,
            column: error.place.column,
        };
        let message = error.message;
        Error { place, message }.render_with(&context.diagnostics.palette, name, text)
    })
}

/// Reads a module of `sass` and converts it to a listing.
///
/// # Errors
/// The error of the parser, the verifier or the conversion, with its location.
pub fn read_module(context: &mut Context, name: &str, text: &str) -> Result<Listing, String> {
    let source = Source {
        name,
        text,
        first_line: 1,
    };
    let diagnostics = |context: &mut Context| {
        let found = context.diagnostics.take();
        let texts = found.iter().map(|found| found.render(context));
        texts.collect::<String>()
    };
    let Ok(module) = parse_source(context, source) else {
        return Err(diagnostics(context));
    };
    if context.verify(module).is_err() {
        return Err(diagnostics(context));
    }
    dialect::listing(context, module).map_err(|error| error.render(context))
}
