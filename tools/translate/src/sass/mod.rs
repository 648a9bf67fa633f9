//! Machine code: listings of nvdisasm into the `sass` dialect and back, and into cubins.

pub mod code;
pub mod cubin;
mod frames;
mod information;
mod patch_error;
mod references;
pub mod reschedule;
mod text;

pub use text::{assemble as assemble_text, disassemble};

use orison_ir::{Context, Operation, Source, parse_source};
use orison_sass::assemble::{self, Tool};
use orison_sass::cubin::{Cubin, Kind};
use orison_sass::dialect;
use orison_sass::listing::{Listing, parse};

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
pub fn import(context: &mut Context, name: &str, source: &str) -> Result<Operation, String> {
    let module = parse(source).and_then(|listing| dialect::module(context, listing, name));
    module.map_err(|error| {
        let place = Place {
            line: error.place.line,
            column: error.place.column,
        };
        let message = error.message;
        Error { place, message }.render_with(&context.diagnostics.palette, name, source)
    })
}

/// Reads a module of `sass` and converts it to a listing.
///
/// # Errors
/// Those of [`read`] and [`listing`].
pub fn read_module(context: &mut Context, name: &str, text: &str) -> Result<Listing, String> {
    let module = read(context, name, text)?;
    listing(context, module)
}

/// Reads a module of `sass`.
///
/// # Errors
/// The error of the parser or the verifier, with its location.
pub fn read(context: &mut Context, name: &str, text: &str) -> Result<Operation, String> {
    let source = Source {
        name,
        text,
        first_line: 1,
    };
    if let Ok(module) = parse_source(context, source)
        && context.verify(module).is_ok()
    {
        return Ok(module);
    }
    let found = context.diagnostics.take();
    Err(found.iter().map(|found| found.render(context)).collect())
}

/// The cubin of a module of `sass`.
///
/// # Errors
/// What cannot be encoded, with its location.
pub fn assemble(
    context: &Context,
    module: Operation,
    kind: Kind,
    tool: Tool,
) -> Result<Vec<u8>, String> {
    let cubin = assemble::module(context, module, kind, tool);
    cubin
        .map(Cubin::write)
        .map_err(|error| error.render(context))
}

/// The listing of a module of `sass`.
///
/// # Errors
/// The error of the conversion, with its location.
pub fn listing(context: &Context, module: Operation) -> Result<Listing, String> {
    dialect::listing(context, module).map_err(|error| error.render(context))
}
