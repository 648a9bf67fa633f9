//! Reading of bytecode files.

use super::cursor::{Cursor, Fault, Read};
use super::format::{MAGIC, VERSION, section, since};
use super::read_ir::IrReader;
use super::resources;
use super::tables::{Dialect, FileName, Tables};
use crate::parser::{ParseError, ParseResult, discard_block, only_operation, wrap_in_module};
use crate::{Block, Context, Diagnostic, Identifier, Location, Operation};

/// The information that precedes the sections of a file.
#[derive(Default)]
struct Head {
    version: Option<u64>,
    producer: String,
    sections: [Option<(usize, usize)>; section::COUNT as usize],
}

/// Reads a bytecode file, with `name` for messages. The result is a `builtin.module`: the one in
/// the file, or a new one that contains its operations. If `implicit_module` is false, it is the
/// only operation of the file.
///
/// The IR is not verified: verify it before use.
///
/// # Errors
/// Errors are emitted to the context, as in MLIR at line 0 of the file, with the byte offset in a
/// note; nothing of an invalid file remains in the context except resources.
pub fn read_bytecode(
    context: &mut Context,
    name: &str,
    bytes: &[u8],
    implicit_module: bool,
) -> ParseResult<Operation> {
    let file = Identifier::new(context, name);
    let location = Location::file(context, file, 0, 0);
    let block = Block::new(context, &[]);
    let mut head = Head::default();
    if let Err(fault) = read_file(context, bytes, block, &mut head) {
        discard_block(context, block);
        let diagnostic = describe(location, &head, &fault);
        context.diagnostics.emit(diagnostic);
        return Err(ParseError);
    }
    if implicit_module {
        return Ok(wrap_in_module(context, file, block));
    }
    let only = only_operation(context, file, block);
    if only.is_err() {
        discard_block(context, block);
    }
    only
}

/// The diagnostic for an error in a file.
fn describe(location: Location, head: &Head, fault: &Fault) -> Diagnostic {
    let mut diagnostic = Diagnostic::error(location, &fault.message);
    if let Some(note) = &fault.note {
        diagnostic = diagnostic.with_note(location, note);
    }
    if let Some(offset) = fault.offset {
        let sections = (0..).zip(&head.sections);
        let inside = |(_, span): &(u8, &Option<(usize, usize)>)| {
            span.is_some_and(|(start, end)| (start..=end).contains(&offset))
        };
        let place = sections
            .filter(inside)
            .map(|(kind, _)| section::name(kind))
            .next();
        let place = place.map_or(String::new(), |name| format!(", in section {name}"));
        diagnostic = diagnostic.with_note(location, format!("at byte {offset} of the file{place}"));
    }
    if let Some(version) = head.version {
        let producer = &head.producer;
        let note = format!("in bytecode version {version} produced by: {producer}");
        diagnostic = diagnostic.with_note(location, note);
    }
    diagnostic
}

fn read_file(context: &mut Context, bytes: &[u8], block: Block, head: &mut Head) -> Read<()> {
    let mut cursor = Cursor::new(bytes);
    if !super::is_bytecode(bytes) {
        return Err(cursor.fault("input buffer is not an MLIR bytecode file"));
    }
    cursor.span(MAGIC.len() as u64)?;
    let version = cursor.varint()?;
    if version > VERSION {
        return Err(cursor.fault(format!(
            "bytecode version {version} is newer than the current version {VERSION}"
        )));
    }
    let producer = cursor.terminated()?;
    head.producer = String::from_utf8_lossy(producer).into_owned();
    head.version = Some(version);
    read_sections(&mut cursor, version, head)?;
    let required = |kind: u8| head.sections[kind as usize].unwrap_or_default();
    let mut tables = Tables::new(bytes, version);
    tables.read_strings(required(section::STRINGS))?;
    let properties = match head.sections[section::PROPERTIES as usize] {
        Some(span) => read_properties(Cursor::of(bytes, span))?,
        None => Vec::new(),
    };
    read_dialects(&mut tables, required(section::DIALECTS))?;
    let data = head.sections[section::RESOURCES as usize];
    let offsets = head.sections[section::RESOURCE_OFFSETS as usize];
    resources::read(context, &mut tables, data, offsets)?;
    tables.read_entries(required(section::ENTRIES), required(section::ENTRY_OFFSETS))?;
    IrReader::read(
        context,
        &mut tables,
        properties,
        required(section::IR),
        block,
    )
}

fn read_sections(cursor: &mut Cursor<'_>, version: u64, head: &mut Head) -> Read<()> {
    while !cursor.is_empty() {
        let (kind, span) = cursor.section()?;
        let known = &mut head.sections[kind as usize];
        if known.is_some() {
            let name = section::name(kind);
            return Err(cursor.fault(format!("duplicate top-level section: {name}")));
        }
        *known = Some(span);
    }
    for (kind, span) in (0..).zip(&head.sections) {
        let optional = match kind {
            section::RESOURCES | section::RESOURCE_OFFSETS | section::DIALECT_VERSIONS => true,
            section::PROPERTIES => version < since::PROPERTIES,
            _ => false,
        };
        if span.is_none() && !optional {
            let name = section::name(kind);
            return Err(cursor.fault(format!("missing data for top-level section: {name}")));
        }
    }
    Ok(())
}

/// Reads the ranges of the properties.
fn read_properties(mut cursor: Cursor<'_>) -> Read<Vec<(usize, usize)>> {
    if cursor.is_empty() {
        return Ok(Vec::new());
    }
    let count = cursor.varint()?;
    let count = cursor.fits(count, "properties")?;
    let mut spans = Vec::with_capacity(count);
    for _ in 0..count {
        let size = cursor.varint()?;
        spans.push(cursor.span(size)?);
    }
    if !cursor.is_empty() {
        let message = "Broken properties section: didn't exhaust the offsets table";
        return Err(cursor.fault(message));
    }
    Ok(spans)
}

/// Reads the names of dialects and operations.
fn read_dialects(tables: &mut Tables<'_>, span: (usize, usize)) -> Read<()> {
    let mut cursor = Cursor::of(tables.file, span);
    let version = tables.version;
    let count = cursor.varint()?;
    for _ in 0..cursor.fits(count, "dialects")? {
        let (name, versioned) = match version < since::DIALECT_VERSIONS {
            true => (cursor.varint()?, false),
            false => cursor.flagged()?,
        };
        let name = tables.text_at(&cursor, name)?.to_owned();
        if versioned {
            let (kind, _) = cursor.section()?;
            if kind != section::DIALECT_VERSIONS {
                return Err(cursor.fault("expected dialect version section"));
            }
        }
        tables.dialects.push(Dialect::new(name, versioned));
    }
    if version >= since::ELIDED_LOCATIONS {
        let count = cursor.varint()?;
        cursor.fits(count, "operation names")?;
    }
    while !cursor.is_empty() {
        let dialect = cursor.index(tables.dialects.len(), "dialect")?;
        for _ in 0..cursor.varint()? {
            let (name, registered) = match version < since::PROPERTIES {
                true => (cursor.varint()?, None),
                false => {
                    let (name, registered) = cursor.flagged()?;
                    (name, Some(registered))
                }
            };
            let name = tables.text_at(&cursor, name)?.to_owned();
            tables.names.push(FileName {
                dialect,
                name,
                registered,
                resolved: None,
            });
        }
    }
    Ok(())
}
