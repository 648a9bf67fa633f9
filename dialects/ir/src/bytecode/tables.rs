//! The tables of a file: strings, dialects, operation names, attributes and types. An attribute or
//! type is decoded at its first use.

use super::cursor::{Cursor, Fault, Read};
use super::references::{self, Reference};
use super::{decode_attributes, decode_types};
use crate::parser::{
    Extent, MAX_ALIAS_SIZE, MAX_DEPTH, ParseResult, parse_attribute_text, parse_type_text,
};
use crate::printer::{attribute_to_string, type_to_string};
use crate::{Attribute, AttributeKind, Context, Identifier, Location, OperationName, Source, Type};

/// An attribute of the file. Locations are attributes in MLIR.
#[derive(Clone, Copy, Debug)]
pub(super) enum Datum {
    Attribute(Attribute),
    Location(Location),
}

/// A table entry that is decoded on demand.
#[derive(Debug)]
struct Entry<T> {
    /// The index of the dialect.
    dialect: u32,
    /// Whether the encoding is that of the dialect rather than text.
    custom: bool,
    /// The range of the encoding in the file.
    span: (usize, usize),
    state: State<T>,
}

#[derive(Clone, Copy, Debug)]
enum State<T> {
    Unread,
    Reading,
    /// The decoded entry and its expanded extent.
    Read(T, Extent),
}

/// A dialect of the file.
#[derive(Debug)]
pub(super) struct Dialect {
    pub(super) name: String,
    /// Whether the file states the version of the dialect.
    pub(super) versioned: bool,
    loaded: bool,
}

impl Dialect {
    pub(super) fn new(name: String, versioned: bool) -> Self {
        Dialect {
            name,
            versioned,
            loaded: false,
        }
    }

    /// Checks that the dialect is registered, or need not be.
    pub(super) fn load(&mut self, context: &Context, cursor: &Cursor<'_>) -> Read<()> {
        let name = &self.name;
        if self.loaded {
            return Ok(());
        }
        let known = name == "builtin" || context.dialect(name).is_some();
        if !known && !context.allows_unregistered_dialect(name) {
            return Err(cursor.fault(format!(
                "dialect '{name}' is unknown. If this is intended, please call \
                 allowUnregisteredDialects() on the MLIRContext, or use \
                 -allow-unregistered-dialect with the MLIR tool used."
            )));
        }
        if self.versioned && name == "builtin" {
            return Err(cursor.fault("Dialect does not support versioning"));
        }
        if self.versioned {
            return Err(cursor.fault(format!(
                "dialect '{name}' does not implement the bytecode interface, but found a version \
                 entry"
            )));
        }
        self.loaded = true;
        Ok(())
    }
}

/// An operation name of the file.
#[derive(Debug)]
pub(super) struct FileName {
    pub(super) dialect: usize,
    pub(super) name: String,
    /// Whether the operation was registered with the producer and its properties have its own
    /// encoding; `None` before version 5.
    pub(super) registered: Option<bool>,
    pub(super) resolved: Option<OperationName>,
}

/// The tables of a file.
#[derive(Debug)]
pub(super) struct Tables<'b> {
    pub(super) file: &'b [u8],
    pub(super) version: u64,
    pub(super) strings: Vec<&'b [u8]>,
    pub(super) dialects: Vec<Dialect>,
    pub(super) names: Vec<FileName>,
    attributes: Vec<Entry<Datum>>,
    types: Vec<Entry<Type>>,
    /// The keys of resources, by index.
    pub(super) resources: Vec<Identifier>,
}

impl<'b> Tables<'b> {
    pub(super) fn new(file: &'b [u8], version: u64) -> Self {
        Tables {
            file,
            version,
            strings: Vec::new(),
            dialects: Vec::new(),
            names: Vec::new(),
            attributes: Vec::new(),
            types: Vec::new(),
            resources: Vec::new(),
        }
    }

    /// Reads the string table. The lengths are stored in reverse order, so the position of each
    /// string follows from the end of the section.
    pub(super) fn read_strings(&mut self, span: (usize, usize)) -> Read<()> {
        let mut cursor = Cursor::of(self.file, span);
        let count = cursor.varint()?;
        let count = cursor.fits(count, "strings")?;
        self.strings = vec![&[]; count];
        let mut end = span.1;
        for string in self.strings.iter_mut().rev() {
            let size = cursor.varint()?;
            let start = usize::try_from(size)
                .ok()
                .and_then(|size| end.checked_sub(size));
            let Some(start) = start.filter(|start| *start >= span.0) else {
                return Err(cursor.fault("string size exceeds the available data size"));
            };
            *string = &self.file[start..end];
            end = start;
        }
        if cursor.position() != end {
            let message = "unexpected trailing data between the offsets for strings and their data";
            return Err(cursor.fault(message));
        }
        for string in &mut self.strings {
            let Some((0, text)) = string.split_last() else {
                return Err(cursor.fault("expected a null character at the end of a string"));
            };
            *string = text;
        }
        Ok(())
    }

    /// Reads a string by its index.
    pub(super) fn string(&self, cursor: &mut Cursor<'_>) -> Read<&'b [u8]> {
        let index = cursor.index(self.strings.len(), "string")?;
        Ok(self.strings[index])
    }

    /// The string with this index, as text.
    pub(super) fn text_at(&self, cursor: &Cursor<'_>, index: u64) -> Read<&'b str> {
        let index = cursor.check_index(index, self.strings.len(), "string")?;
        text_of(cursor, self.strings[index])
    }

    /// Reads a string by its index, as text.
    pub(super) fn text(&self, cursor: &mut Cursor<'_>) -> Read<&'b str> {
        let index = cursor.varint()?;
        self.text_at(cursor, index)
    }

    /// Reads the ranges of the encodings of attributes and types.
    pub(super) fn read_entries(
        &mut self,
        data: (usize, usize),
        offsets: (usize, usize),
    ) -> Read<()> {
        let mut cursor = Cursor::of(self.file, offsets);
        let (attributes, types) = (cursor.varint()?, cursor.varint()?);
        let mut place = data.0;
        self.attributes = self.read_spans(&mut cursor, attributes, &mut place, data.1)?;
        self.types = self.read_spans(&mut cursor, types, &mut place, data.1)?;
        if !cursor.is_empty() {
            let message = "unexpected trailing data in the Attribute/Type offset section";
            return Err(cursor.fault(message));
        }
        Ok(())
    }

    /// Reads the ranges of entries, which are grouped by dialect.
    fn read_spans<T>(
        &self,
        cursor: &mut Cursor<'_>,
        count: u64,
        place: &mut usize,
        end: usize,
    ) -> Read<Vec<Entry<T>>> {
        let mut entries = Vec::new();
        while (entries.len() as u64) < count {
            let dialect = cursor.index(self.dialects.len(), "dialect")?;
            let dialect = u32::try_from(dialect).unwrap_or(u32::MAX);
            let group = cursor.varint()?;
            if group > count - entries.len() as u64 {
                let message = format!("a group of {group} Attribute or Type entries is too large");
                return Err(cursor.fault(message));
            }
            for _ in 0..group {
                let (size, custom) = cursor.flagged()?;
                let size = usize::try_from(size)
                    .ok()
                    .filter(|size| *size <= end - *place);
                let Some(size) = size else {
                    return Err(cursor
                        .fault("Attribute or Type entry offset points past the end of section"));
                };
                let span = (*place, *place + size);
                *place = span.1;
                entries.push(Entry {
                    dialect,
                    custom,
                    span,
                    state: State::Unread,
                });
            }
        }
        Ok(entries)
    }

    /// The type with this index at nesting depth `level`, and its extent.
    fn resolve_type(
        &mut self,
        context: &mut Context,
        cursor: &Cursor<'_>,
        number: u64,
        level: usize,
    ) -> Read<(Type, Extent)> {
        let index = cursor.check_index(number, self.types.len(), "Type")?;
        if let State::Unread = self.types[index].state {
            self.read_with_parts(context, Reference::Type(number), level)?;
        }
        let State::Read(ty, extent) = self.types[index].state else {
            return Err(cursor.fault(CYCLE));
        };
        self.check_extent(cursor, level, extent)?;
        Ok((ty, extent))
    }

    /// The attribute with this index at nesting depth `level`, and its extent.
    fn resolve_attribute(
        &mut self,
        context: &mut Context,
        cursor: &Cursor<'_>,
        number: u64,
        level: usize,
    ) -> Read<(Datum, Extent)> {
        let index = cursor.check_index(number, self.attributes.len(), "Attribute")?;
        if let State::Unread = self.attributes[index].state {
            self.read_with_parts(context, Reference::Attribute(number), level)?;
        }
        let State::Read(datum, extent) = self.attributes[index].state else {
            return Err(cursor.fault(CYCLE));
        };
        self.check_extent(cursor, level, extent)?;
        Ok((datum, extent))
    }

    /// Reads an entry after the entries it references. The explicit stack allows any nesting before
    /// the depth check reports it.
    fn read_with_parts(
        &mut self,
        context: &mut Context,
        root: Reference,
        level: usize,
    ) -> Read<()> {
        // An entry is `Reading` while its components are above it on the stack.
        let mut stack = vec![root];
        while let Some(&top) = stack.last() {
            let (custom, span, is_unread) = match top {
                Reference::Attribute(number) => head(&mut self.attributes, number),
                Reference::Type(number) => head(&mut self.types, number),
            };
            if is_unread && custom {
                references::collect(Cursor::of(self.file, span), top, &mut stack);
                continue;
            }
            stack.pop();
            match top {
                Reference::Attribute(number) => self.read_attribute(context, number, level)?,
                Reference::Type(number) => self.read_type(context, number, level)?,
            }
        }
        Ok(())
    }

    /// Reads a type whose components were read; does nothing if it was read before or does not
    /// exist.
    fn read_type(&mut self, context: &mut Context, number: u64, level: usize) -> Read<()> {
        let Some((index, entry)) = entry_at(&self.types, number) else {
            return Ok(());
        };
        let Entry {
            dialect,
            custom,
            span,
            state: State::Reading,
        } = *entry
        else {
            return Ok(());
        };
        let (ty, extent) = match custom {
            true => self.decode(context, span, dialect, level, "Type", decode_types::decode)?,
            false => self.assembly(context, span, index, "Type", parse_type_text)?,
        };
        self.check_extent(&Cursor::of(self.file, span), level, extent)?;
        self.types[index].state = State::Read(ty, extent);
        Ok(())
    }

    /// Reads an attribute like [`Tables::read_type`].
    fn read_attribute(&mut self, context: &mut Context, number: u64, level: usize) -> Read<()> {
        let Some((index, entry)) = entry_at(&self.attributes, number) else {
            return Ok(());
        };
        let Entry {
            dialect,
            custom,
            span,
            state: State::Reading,
        } = *entry
        else {
            return Ok(());
        };
        let kind = "Attribute";
        let (datum, extent) = if custom {
            self.decode(
                context,
                span,
                dialect,
                level,
                kind,
                decode_attributes::decode,
            )?
        } else {
            let (attribute, extent) =
                self.assembly(context, span, index, kind, parse_attribute_text)?;
            (datum_of(context, attribute), extent)
        };
        self.check_extent(&Cursor::of(self.file, span), level, extent)?;
        self.attributes[index].state = State::Read(datum, extent);
        Ok(())
    }

    /// Checks that the expansion of an entry is no larger than a text of the size of the file could
    /// be: entries may be shared, so the expansion could be arbitrarily large.
    fn check_extent(&self, cursor: &Cursor<'_>, level: usize, extent: Extent) -> Read<()> {
        if level + extent.depth > MAX_DEPTH {
            return Err(cursor.fault(format!("nesting deeper than {MAX_DEPTH} levels")));
        }
        let limit = self.file.len().max(MAX_ALIAS_SIZE);
        if extent.size > limit {
            let message = format!("an entry expands to more than {limit} types and attributes");
            return Err(cursor.fault(message));
        }
        Ok(())
    }

    /// Decodes an entry of the builtin dialect.
    fn decode<T>(
        &mut self,
        context: &mut Context,
        span: (usize, usize),
        dialect: u32,
        level: usize,
        kind: &str,
        decode: fn(&mut Decoder<'_, '_, 'b>) -> Read<T>,
    ) -> Read<(T, Extent)> {
        let cursor = Cursor::of(self.file, span);
        let dialect = &mut self.dialects[dialect as usize];
        dialect.load(context, &cursor)?;
        if dialect.name != "builtin" {
            let name = &dialect.name;
            let message = format!("dialect '{name}' does not implement the bytecode interface");
            return Err(cursor.fault(message));
        }
        let mut decoder = Decoder {
            context,
            tables: self,
            cursor,
            level: level + 1,
            extent: Extent::default(),
        };
        let value = decode(&mut decoder)?;
        if !decoder.cursor.is_empty() {
            let message = format!("unexpected trailing bytes after {kind} entry");
            return Err(decoder.cursor.fault(message));
        }
        let extent = Extent {
            depth: decoder.extent.depth + 1,
            size: decoder.extent.size.saturating_add(1),
        };
        Ok((value, extent))
    }

    /// Parses an entry that is encoded as text.
    fn assembly<T>(
        &self,
        context: &mut Context,
        span: (usize, usize),
        index: usize,
        kind: &str,
        parse: fn(&mut Context, Source<'_>) -> ParseResult<(T, Extent)>,
    ) -> Read<(T, Extent)> {
        let mut cursor = Cursor::of(self.file, span);
        let text = text_of(&cursor.clone(), cursor.terminated()?)?;
        if !cursor.is_empty() {
            let message = format!("unexpected trailing bytes after {kind} entry");
            return Err(cursor.fault(message));
        }
        let source = Source {
            name: "<bytecode>",
            text,
            first_line: 1,
        };
        let mark = context.diagnostics.collected().len();
        parse(context, source).map_err(|_| {
            let errors = context.diagnostics.take_from(mark);
            let first = errors.first();
            let message = first.map_or("", |error| error.message.as_str());
            let place = first.and_then(|error| error.location.position(context));
            let column = place.map_or(1, |(_, _, column)| column);
            let shown = text.chars().take(SHOWN).collect::<String>();
            let note = format!("at column {column} of the text of {kind} {index}: {shown}");
            Fault {
                note: Some(note),
                ..Cursor::of(self.file, span).fault(message)
            }
        })
    }
}

const CYCLE: &str = "an Attribute or Type entry refers to itself";

fn entry_at<T>(entries: &[Entry<T>], number: u64) -> Option<(usize, &Entry<T>)> {
    let index = usize::try_from(number).ok()?;
    Some((index, entries.get(index)?))
}

/// Whether an entry has a dialect encoding, its range, and whether this is its first visit. An
/// invalid index is reported when the referencing entry is decoded.
fn head<T>(entries: &mut [Entry<T>], number: u64) -> (bool, (usize, usize), bool) {
    let index = usize::try_from(number).ok();
    let Some(entry) = index.and_then(|index| entries.get_mut(index)) else {
        return (false, (0, 0), false);
    };
    let is_unread = matches!(entry.state, State::Unread);
    if is_unread {
        entry.state = State::Reading;
    }
    (entry.custom, entry.span, is_unread)
}

/// The number of characters of an unparsable text that are shown.
const SHOWN: usize = 120;

fn datum_of(context: &Context, attribute: Attribute) -> Datum {
    match attribute.kind(context) {
        AttributeKind::Location(location) => Datum::Location(*location),
        _ => Datum::Attribute(attribute),
    }
}

/// Converts bytes to text; names must be UTF-8.
pub(super) fn text_of<'t>(cursor: &Cursor<'_>, bytes: &'t [u8]) -> Read<&'t str> {
    std::str::from_utf8(bytes).map_err(|_| {
        let text = String::from_utf8_lossy(bytes);
        cursor.fault(format!("expected UTF-8 text, but got: '{text}'"))
    })
}

/// Decodes data that references the tables.
pub(super) struct Decoder<'c, 't, 'b> {
    pub(super) context: &'c mut Context,
    pub(super) tables: &'t mut Tables<'b>,
    pub(super) cursor: Cursor<'b>,
    /// The nesting depth in other entries, regions and operations.
    pub(super) level: usize,
    /// The total extent of the referenced entries.
    pub(super) extent: Extent,
}

impl<'b> Decoder<'_, '_, 'b> {
    /// Reads an attribute or location by its index.
    pub(super) fn datum(&mut self) -> Read<Datum> {
        let index = self.cursor.varint()?;
        self.datum_at(index)
    }

    /// The attribute or location with this index.
    pub(super) fn datum_at(&mut self, index: u64) -> Read<Datum> {
        let (datum, extent) =
            self.tables
                .resolve_attribute(self.context, &self.cursor, index, self.level)?;
        self.refer(extent);
        Ok(datum)
    }

    fn refer(&mut self, extent: Extent) {
        self.extent.depth = self.extent.depth.max(extent.depth);
        self.extent.size = self.extent.size.saturating_add(extent.size);
    }

    /// Reads an attribute by its index.
    pub(super) fn attribute(&mut self) -> Read<Attribute> {
        let datum = self.datum()?;
        Ok(self.as_attribute(datum))
    }

    fn as_attribute(&mut self, datum: Datum) -> Attribute {
        match datum {
            Datum::Attribute(attribute) => attribute,
            Datum::Location(location) => {
                Attribute::new(self.context, AttributeKind::Location(location))
            }
        }
    }

    /// Reads an optional attribute by its index.
    pub(super) fn optional_attribute(&mut self) -> Read<Option<Attribute>> {
        let (index, present) = self.cursor.flagged()?;
        if !present {
            return Ok(None);
        }
        let datum = self.datum_at(index)?;
        Ok(Some(self.as_attribute(datum)))
    }

    /// Reads a location by its index.
    pub(super) fn location(&mut self) -> Read<Location> {
        match self.datum()? {
            Datum::Location(location) => Ok(location),
            Datum::Attribute(attribute) => {
                Err(self.unexpected("attribute of type: mlir::LocationAttr", attribute))
            }
        }
    }

    /// Reads a dictionary by its index.
    pub(super) fn dictionary(&mut self) -> Read<Attribute> {
        let attribute = self.attribute()?;
        match attribute.kind(self.context) {
            AttributeKind::Dictionary(_) => Ok(attribute),
            _ => Err(self.unexpected("attribute of type: mlir::DictionaryAttr", attribute)),
        }
    }

    /// Reads a string attribute by its index, as a name.
    pub(super) fn name(&mut self) -> Read<Identifier> {
        let attribute = self.attribute()?;
        let AttributeKind::String { value, .. } = attribute.kind(self.context) else {
            return Err(self.unexpected("StringAttr", attribute));
        };
        let text = text_of(&self.cursor, value)?.to_owned();
        Ok(Identifier::new(self.context, &text))
    }

    /// Reads a type by its index.
    pub(super) fn ty(&mut self) -> Read<Type> {
        let index = self.cursor.varint()?;
        self.type_at(index)
    }

    /// The type with this index.
    pub(super) fn type_at(&mut self, index: u64) -> Read<Type> {
        let (ty, extent) =
            self.tables
                .resolve_type(self.context, &self.cursor, index, self.level)?;
        self.refer(extent);
        Ok(ty)
    }

    /// Reads a string by its index.
    pub(super) fn string(&mut self) -> Read<&'b [u8]> {
        self.tables.string(&mut self.cursor)
    }

    /// Reads a list.
    pub(super) fn list<T>(&mut self, item: impl Fn(&mut Self) -> Read<T>) -> Read<Vec<T>> {
        let count = self.cursor.varint()?;
        let count = self.cursor.fits(count, "elements")?;
        (0..count).map(|_| item(self)).collect()
    }

    /// Reads bytes preceded by their count.
    pub(super) fn blob(&mut self) -> Read<&'b [u8]> {
        let size = self.cursor.varint()?;
        self.cursor.bytes(size)
    }

    /// The error for an unexpected attribute.
    pub(super) fn unexpected(&self, expected: &str, found: Attribute) -> Fault {
        let found = attribute_to_string(self.context, found);
        self.cursor
            .fault(format!("expected {expected}, but got: {found}"))
    }

    /// The error for an unexpected type.
    pub(super) fn unexpected_type(&self, expected: &str, found: Type) -> Fault {
        let found = type_to_string(self.context, found);
        self.cursor
            .fault(format!("expected {expected}, but got: '{found}'"))
    }
}
