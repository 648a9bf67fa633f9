//! Encoding of the inherent attributes of operations.
//!
//! An operation defined in MLIR encodes its properties like the code that mlir-tblgen generates for
//! it (`OpDefinitionsGen.cpp`, `genBytecodeReader` and `genBytecodeWriter`): the attributes in name
//! order, then the sizes of operand and result groups. Before version 6 the sizes are one of the
//! attributes. Every other operation encodes its properties as one attribute.

use super::cursor::{Cursor, Read};
use super::format::since;
use super::piece::{Entity, Piece};
use super::tables::Decoder;
use crate::declare::{
    InherentAttribute, OPERAND_SEGMENTS, OperationDefinition, RESULT_SEGMENTS, Trait,
};
use crate::printer::attribute_to_string;
use crate::{Attribute, AttributeKind, Context, Identifier, Operation, OperationName};

/// The maximum number of bits of a packed index in a sparse array.
const MAX_INDEX_BITS: u64 = 8;
/// An array with a nonzero element beyond this index is not sparse.
const LAST_SPARSE: usize = 255;

/// An encoded property.
enum Entry {
    Attribute(&'static InherentAttribute),
    /// The sizes of this many groups, with their key.
    Segments(&'static str, usize),
}

impl Entry {
    fn name(&self) -> &'static str {
        match self {
            Entry::Attribute(attribute) => attribute.name,
            Entry::Segments(key, _) => key,
        }
    }
}

/// Whether the operation is defined in MLIR, and so has an encoding of its properties.
pub(super) fn native(
    context: &Context,
    name: OperationName,
) -> Option<&'static OperationDefinition> {
    let definition = name.definition(context)?;
    (!context.is_own(definition.name)).then_some(definition)
}

/// The groups whose sizes an operation stores.
fn segments(definition: &OperationDefinition) -> Vec<(&'static str, usize)> {
    let mut found = Vec::new();
    if definition.has_trait(Trait::AttrSizedOperandSegments) {
        found.push((OPERAND_SEGMENTS, definition.operands.len()));
    }
    if definition.has_trait(Trait::AttrSizedResultSegments) {
        found.push((RESULT_SEGMENTS, definition.results.len()));
    }
    found
}

/// The encoded entries, in order.
fn entries(definition: &'static OperationDefinition, version: u64) -> Vec<Entry> {
    let mut entries: Vec<_> = definition.attributes.iter().map(Entry::Attribute).collect();
    let segments = segments(definition).into_iter();
    let segments = segments.map(|(key, count)| Entry::Segments(key, count));
    if version < since::SEGMENT_NUMBERS {
        entries.extend(segments);
        entries.sort_by_key(Entry::name);
    } else {
        entries.sort_by_key(Entry::name);
        entries.extend(segments);
    }
    entries
}

/// The encoding of the properties of an operation.
#[derive(Debug)]
pub(super) enum Properties {
    /// The operation has no properties.
    None,
    /// The components of the encoding.
    Pieces(Vec<Piece>),
    /// The operation lacks this required property.
    Missing(&'static str),
}

impl Properties {
    /// The encoding of the properties of an operation with this name.
    pub(super) fn of(
        context: &mut Context,
        (name, properties): (OperationName, Attribute),
        version: u64,
    ) -> Self {
        if let Some(definition) = native(context, name) {
            return encode(context, definition, properties, version);
        }
        let merged = goes_with_attributes(context, name, properties);
        if merged || properties == Attribute::EMPTY_DICTIONARY {
            return Properties::None;
        }
        let written = match properties.is_empty_properties(context) {
            true => Attribute::EMPTY_DICTIONARY,
            false => properties,
        };
        Properties::Pieces(vec![Piece::Entity(Entity::of(context, written))])
    }

    /// The attributes referenced by the encoding.
    pub(super) fn entities(&self) -> impl Iterator<Item = Entity> + '_ {
        let pieces: &[Piece] = match self {
            Properties::Pieces(pieces) => pieces,
            _ => &[],
        };
        pieces.iter().filter_map(|piece| match piece {
            Piece::Entity(entity) | Piece::Optional(Some(entity)) => Some(*entity),
            _ => None,
        })
    }
}

fn encode(
    context: &mut Context,
    definition: &'static OperationDefinition,
    properties: Attribute,
    version: u64,
) -> Properties {
    let entries = entries(definition, version);
    if entries.is_empty() {
        return Properties::None;
    }
    let mut pieces = Vec::new();
    for entry in entries {
        let value = properties.get(context, entry.name());
        let entity = value.map(|value| Entity::of(context, value));
        match (entry, entity) {
            (Entry::Attribute(attribute), entity) if attribute.may_be_absent() => {
                pieces.push(Piece::Optional(entity));
            }
            (Entry::Attribute(attribute), None) => return Properties::Missing(attribute.name),
            (Entry::Segments(_, count), entity) if version >= since::SEGMENT_NUMBERS => {
                let sizes = entity
                    .and(value)
                    .and_then(|value| value.as_i32_array(context));
                let mut sizes = sizes.unwrap_or_default();
                sizes.resize(count, 0);
                sparse_array(&sizes, &mut pieces);
            }
            (Entry::Segments(_, count), None) => {
                let zeros = Attribute::i32_array(context, &vec![0; count]);
                pieces.push(Piece::Entity(Entity::Attribute(zeros)));
            }
            (_, Some(entity)) => pieces.push(Piece::Entity(entity)),
        }
    }
    Properties::Pieces(pieces)
}

/// Encodes a small array: only the nonzero elements, if they are at most half.
fn sparse_array(values: &[i32], pieces: &mut Vec<Piece>) {
    let used = values.iter().filter(|value| **value != 0).count();
    let last = values.iter().rposition(|value| *value != 0).unwrap_or(0);
    let word = |value: i32| i64::from(value).cast_unsigned();
    if last > LAST_SPARSE || used > values.len() / 2 {
        pieces.push(Piece::Integer((values.len() as u64) << 1));
        pieces.extend(values.iter().map(|value| Piece::Integer(word(*value))));
        return;
    }
    pieces.push(Piece::Integer((used as u64) << 1 | 1));
    if used == 0 {
        return;
    }
    let bits = (last + 1).next_power_of_two().trailing_zeros();
    pieces.push(Piece::Integer(u64::from(bits)));
    for (index, value) in values.iter().enumerate().filter(|(_, value)| **value != 0) {
        pieces.push(Piece::Integer(word(*value) << bits | index as u64));
    }
}

/// Reads the properties of an operation defined in MLIR.
pub(super) fn decode(
    decoder: &mut Decoder<'_, '_, '_>,
    definition: &'static OperationDefinition,
) -> Read<Vec<(Identifier, Attribute)>> {
    let version = decoder.tables.version;
    let mut found = Vec::new();
    for entry in entries(definition, version) {
        let name = entry.name();
        let value = match entry {
            Entry::Segments(_, count) if version >= since::SEGMENT_NUMBERS => {
                let sizes = decode_sparse_array(&mut decoder.cursor, count)?;
                Some(Attribute::i32_array(decoder.context, &sizes))
            }
            Entry::Segments(..) => Some(decoder.attribute()?),
            Entry::Attribute(attribute) => decode_attribute(decoder, attribute)?,
        };
        if let Some(value) = value {
            found.push((Identifier::new(decoder.context, name), value));
        }
    }
    Ok(found)
}

fn decode_attribute(
    decoder: &mut Decoder<'_, '_, '_>,
    attribute: &'static InherentAttribute,
) -> Read<Option<Attribute>> {
    let value = if attribute.may_be_absent() {
        decoder.optional_attribute()?
    } else {
        Some(decoder.attribute()?)
    };
    if let Some(value) = value {
        check(decoder.context, attribute, value)
            .map_err(|message| decoder.cursor.fault(message))?;
    }
    Ok(value)
}

/// Checks that the value of a property has the declared kind.
///
/// # Errors
/// The error message.
pub(super) fn check(
    context: &Context,
    attribute: &InherentAttribute,
    value: Attribute,
) -> Result<(), String> {
    if (attribute.constraint.storage)(context, value) {
        return Ok(());
    }
    let value = attribute_to_string(context, value);
    let name = attribute.name;
    Err(format!(
        "Invalid attribute `{name}` in property conversion: {value}"
    ))
}

fn decode_sparse_array(cursor: &mut Cursor<'_>, size: usize) -> Read<Vec<i32>> {
    let mut values = vec![0; size];
    let element = |value: u64| i32::try_from(value.cast_signed()).ok();
    let (count, sparse) = cursor.flagged()?;
    if !sparse && count > size as u64 {
        let message =
            format!("trying to read an array of {count} but only {size} storage available.");
        return Err(cursor.fault(message));
    }
    let bits = match (sparse, count) {
        (true, 1..) => cursor.varint()?,
        _ => 0,
    };
    if bits > MAX_INDEX_BITS {
        let message = format!("reading sparse array with indexing above 8 bits: {bits}");
        return Err(cursor.fault(message));
    }
    for number in 0..count {
        let pair = cursor.varint()?;
        let (index, value) = match sparse {
            true => (
                pair & ((1 << bits) - 1),
                (pair.cast_signed() >> bits).cast_unsigned(),
            ),
            false => (number, pair),
        };
        let slot = usize::try_from(index)
            .ok()
            .and_then(|index| values.get_mut(index));
        let Some(slot) = slot else {
            let message = format!(
                "reading a sparse array found index {index} but only {size} storage available."
            );
            return Err(cursor.fault(message));
        };
        let Some(value) = element(value) else {
            return Err(cursor.fault(format!("size of a group out of range: {value}")));
        };
        *slot = value;
    }
    Ok(values)
}

/// Whether properties are written among the discardable attributes: those of an operation that is
/// defined in MLIR but not in orison. Its reader expects an operation-specific encoding, which is
/// unknown here; it moves inherent attributes among the others to the properties.
fn goes_with_attributes(context: &Context, name: OperationName, properties: Attribute) -> bool {
    name.definition(context).is_none()
        && matches!(properties.kind(context), AttributeKind::Dictionary(_))
        && UPSTREAM_DIALECTS
            .lines()
            .any(|dialect| dialect == name.dialect(context))
}

/// The dialects of MLIR, one per line.
const UPSTREAM_DIALECTS: &str = include_str!("upstream_dialects.txt");

/// The dictionary that is written as the attributes of an operation.
pub(super) fn dictionary(context: &mut Context, op: Operation, version: u64) -> Attribute {
    let (name, properties) = (op.name(context), op.properties(context));
    if version < since::PROPERTIES
        || properties != Attribute::EMPTY_DICTIONARY
            && goes_with_attributes(context, name, properties)
    {
        return merged(context, op);
    }
    op.attributes(context)
}

/// The discardable and the inherent attributes of an operation in one dictionary.
fn merged(context: &mut Context, op: Operation) -> Attribute {
    let properties = op.properties(context);
    let attributes = op.attributes(context);
    if properties == Attribute::EMPTY_DICTIONARY || properties.is_empty_properties(context) {
        return attributes;
    }
    let mut entries = attributes.entries(context).to_vec();
    entries.extend_from_slice(properties.entries(context));
    Attribute::dictionary(context, &entries)
}

#[cfg(test)]
mod tests {
    use super::super::emitter::Emitter;
    use super::*;

    fn decoded(numbers: &[u64], size: usize) -> Result<Vec<i32>, String> {
        let mut bytes = Emitter::default();
        numbers.iter().for_each(|number| bytes.varint(*number));
        let bytes = bytes.into_parts().concat();
        let mut cursor = Cursor::new(&bytes);
        let found = decode_sparse_array(&mut cursor, size);
        assert!(found.is_err() || cursor.is_empty());
        found.map_err(|fault| fault.message)
    }

    /// The lowest bit of the count says whether the array is sparse; the indices of a sparse one have
    /// the number of bits that follows.
    #[test]
    fn arrays_of_sizes_are_whole_or_sparse() {
        assert_eq!(decoded(&[2 << 1, 5, 7], 3), Ok(vec![5, 7, 0]));
        assert_eq!(decoded(&[1], 2), Ok(vec![0, 0]));
        let pair = 9 << 2 | 3;
        assert_eq!(decoded(&[1 << 1 | 1, 2, pair], 4), Ok(vec![0, 0, 0, 9]));
        assert_eq!(decoded(&[1 << 1 | 1, 8, 9 << 8], 1), Ok(vec![9]));
        for (numbers, expected) in [
            (
                &[3 << 1, 0, 0, 0][..],
                "trying to read an array of 3 but only 2 storage available.",
            ),
            (
                &[1 << 1 | 1, 9, 0],
                "reading sparse array with indexing above 8 bits: 9",
            ),
            (
                &[1 << 1 | 1, 2, pair],
                "reading a sparse array found index 3 but only 2 storage available.",
            ),
            (
                &[1 << 1, 1 << 31],
                "size of a group out of range: 2147483648",
            ),
        ] {
            assert_eq!(decoded(numbers, 2), Err(expected.to_owned()));
        }
    }
}
