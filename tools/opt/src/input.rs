//! The input of a session: its text, its context, and parsing it.

use std::fs::File;
use std::io::{self, Read};
use std::sync::Arc;

use orison_ir::bytecode::{MAGIC, is_bytecode, read_bytecode};
use orison_ir::diagnostics::PrintOperation;
use orison_ir::parser::{STREAM_BLOCK, Stream, check_utf8, parse_single_operation, parse_stream};
use orison_ir::printer::print_in_place;
use orison_ir::{Context, Identifier, Location, Operation, Source, parse_source};

use crate::configuration::{Failure, Input, Run, cannot_open};
use crate::split::Chunk;

/// The input of a session.
pub(crate) enum Part<'t> {
    /// The file of the run, which is parsed while it is read.
    File,
    /// A part of a text in memory, or the whole text.
    Chunk(Chunk<'t>),
}

impl Part<'_> {
    /// The text.
    pub(crate) fn text(&self, run: Run<'_>) -> io::Result<Vec<u8>> {
        match self {
            Part::File => run.input.text().map(|text| text.to_vec()),
            Part::Chunk(chunk) => Ok(chunk.text.to_vec()),
        }
    }
}

/// A context with all dialects that has the text of the input.
pub(crate) fn new_context(run: Run<'_>) -> (Context, Identifier) {
    let mut context = Context::new();
    context.allow_unregistered_dialects(run.settings.allow_unregistered);
    let print_operation = print_in_place as PrintOperation;
    context.diagnostics.print_operation = run
        .settings
        .print_op_on_diagnostic
        .then_some(print_operation);
    context.diagnostics.palette = run.settings.palette;
    (run.tool.dialects)(&mut context);
    context.read_irdl_form(run.settings.irdl_form);
    let file = Identifier::new(&mut context, &run.settings.input_name());
    match run.input {
        Input::Text(text) => context.sources.add(file, Arc::clone(text), 1),
        Input::File(path) => context.sources.add_file(file, path.clone()),
    }
    (context, file)
}

/// Parses and verifies an input; errors are emitted to the context.
pub(crate) fn parse(
    run: Run<'_>,
    context: &mut Context,
    part: &Part<'_>,
) -> Result<Operation, Failure> {
    let op = match part {
        Part::File => parse_file(run, context)?,
        Part::Chunk(chunk) => parse_chunk(run, context, chunk)?,
    };
    if run.settings.verify_parsed {
        context.verify(op).map_err(|_| Failure::Reported)?;
    }
    Ok(op)
}

fn parse_file(run: Run<'_>, context: &mut Context) -> Result<Operation, Failure> {
    let path = &run.settings.input;
    let unreadable = |error: io::Error| cannot_open(path, &error);
    let mut file = File::open(path).map_err(unreadable)?;
    let mut start = Vec::new();
    let length = MAGIC.len() as u64;
    let mut head = (&file).take(length);
    head.read_to_end(&mut start).map_err(unreadable)?;
    if is_bytecode(&start) {
        file.read_to_end(&mut start).map_err(unreadable)?;
        return parse_bytes(run, context, &start);
    }
    let stream = Stream {
        name: &run.settings.input_name(),
        reader: &mut start.as_slice().chain(file),
        block: STREAM_BLOCK,
    };
    parse_stream(context, stream, run.settings.implicit_module).map_err(|_| Failure::Reported)
}

fn parse_bytes(run: Run<'_>, context: &mut Context, bytes: &[u8]) -> Result<Operation, Failure> {
    let name = run.settings.input_name();
    let op = read_bytecode(context, &name, bytes, run.settings.implicit_module);
    op.map_err(|_| Failure::Reported)
}

fn parse_chunk(
    run: Run<'_>,
    context: &mut Context,
    chunk: &Chunk<'_>,
) -> Result<Operation, Failure> {
    if is_bytecode(&chunk.text) {
        return parse_bytes(run, context, &chunk.text);
    }
    let name = run.settings.input_name();
    let reported = |_| Failure::Reported;
    let text = check_utf8(context, &name, &chunk.text, chunk.first_line).map_err(reported)?;
    let source = Source {
        name: &name,
        text,
        first_line: chunk.first_line,
    };
    let op = if run.settings.implicit_module {
        parse_source(context, source)
    } else {
        parse_single_operation(context, source)
    };
    let op = op.map_err(reported)?;
    // As in mlir-opt, an implicit module is located at the start of its input, except the first.
    let file = Identifier::new(context, &name);
    let (line, column) = (chunk.first_line, chunk.first_column);
    if (line, column) != (1, 1) && op.location(context) == Location::file(context, file, 0, 0) {
        let location = Location::file(context, file, line, column);
        op.set_location(context, location);
    }
    Ok(op)
}
