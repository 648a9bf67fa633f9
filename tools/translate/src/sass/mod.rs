//! Machine code: listings of nvdisasm into the `sass` dialect and back, and into cubins.

pub mod cubin;
mod frames;
mod information;

use orison_ir::{Context, Operation, Source, parse_source};
use orison_sass::dialect::convert;
use orison_sass::listing;
use orison_sass::program::{self, Program};

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
    let program = listing::parse(text).and_then(|listing| program::build(&listing));
    let program = program.map_err(|error| {
        let place = Place {
            line: error.place.line,
            column: error.place.column,
        };
        let message = error.message;
        Error { place, message }.render_with(&context.diagnostics.palette, name, text)
    })?;
    Ok(convert::module(context, &program, name))
}

/// Reads a module of `sass` and converts it to plain data.
///
/// # Errors
/// The error of the parser, the verifier or the conversion, with its location.
pub fn read_module(context: &mut Context, name: &str, text: &str) -> Result<Program, String> {
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
    convert::program(context, module).map_err(|error| error.render(context))
}
