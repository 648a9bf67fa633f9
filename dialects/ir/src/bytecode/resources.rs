//! The resource sections: the values of resources, and their keys with the sizes of the values.
//!
//! The context stores resource values in textual form: a blob is its alignment and its data in
//! hexadecimal digits. Only the builtin dialect has resources.

use rustc_hash::FxHashMap;

use super::cursor::{Cursor, Read};
use super::emitter::Emitter;
use super::format::{resource, section};
use super::numbering::Numbering;
use super::strings::Strings;
use super::tables::Tables;
use crate::parser::unescape;
use crate::printer::attribute_to_string;
use crate::resources::{DIALECT_RESOURCES, EXTERNAL_RESOURCES, Resource};
use crate::{Attribute, AttributeKind, Context, Identifier, Type};

/// The only dialect with resources.
const BUILTIN: &str = "builtin";

/// The size of the alignment before the data of a blob in textual form, in bytes.
const ALIGNMENT_BYTES: usize = 4;

/// Reads both sections, if present, into the resources of the context.
pub(super) fn read(
    context: &mut Context,
    tables: &mut Tables<'_>,
    data: Option<(usize, usize)>,
    offsets: Option<(usize, usize)>,
) -> Read<()> {
    let start = Cursor::new(tables.file);
    let (data, offsets) = match (data, offsets) {
        (Some(data), Some(offsets)) => (data, offsets),
        (None, None) => return Ok(()),
        (None, Some(_)) => {
            return Err(start
                .fault("unexpected resource offset section when resource section is not present"));
        }
        (Some(_), None) => {
            return Err(
                start.fault("expected resource offset section when resource section is present")
            );
        }
    };
    let mut data = Cursor::of(tables.file, data);
    let mut offsets = Cursor::of(tables.file, offsets);
    for _ in 0..offsets.varint()? {
        let group = tables.text(&mut offsets)?;
        read_group(
            context,
            tables,
            (&mut offsets, &mut data),
            EXTERNAL_RESOURCES,
            group,
        )?;
    }
    while !offsets.is_empty() {
        let dialect = offsets.index(tables.dialects.len(), "dialect")?;
        tables.dialects[dialect].load(context, &offsets)?;
        let name = tables.dialects[dialect].name.clone();
        if name != BUILTIN {
            let message = match context.dialect(&name) {
                None => format!("dialect '{name}' is unknown"),
                Some(_) => format!("unexpected resources for dialect '{name}'"),
            };
            return Err(offsets.fault(message));
        }
        read_group(
            context,
            tables,
            (&mut offsets, &mut data),
            DIALECT_RESOURCES,
            &name,
        )?;
    }
    Ok(())
}

fn read_group(
    context: &mut Context,
    tables: &mut Tables<'_>,
    (offsets, data): (&mut Cursor<'_>, &mut Cursor<'_>),
    section: &str,
    group: &str,
) -> Read<()> {
    for _ in 0..offsets.varint()? {
        let key = tables.text(offsets)?;
        let size = offsets.varint()?;
        let kind = offsets.byte()?;
        let mut value = Cursor::of(tables.file, data.span(size)?);
        if section == DIALECT_RESOURCES {
            tables.resources.push(Identifier::new(context, key));
            // The key of a blob without a value in the producer.
            if value.is_empty() {
                continue;
            }
            let other = match kind {
                resource::BOOL => Some("bool"),
                resource::STRING => Some("string"),
                _ => None,
            };
            if let Some(found) = other {
                return Err(value.fault(format!(
                    "expected a blob resource entry, but found a {found} entry instead"
                )));
            }
        }
        let text = read_value(context, tables, &mut value, kind)?;
        if !value.is_empty() {
            let message = format!("unexpected trailing bytes in resource entry '{key}'");
            return Err(value.fault(message));
        }
        context.resources.insert(Resource {
            section: section.to_owned(),
            group: group.to_owned(),
            key: key.to_owned(),
            value: text,
        });
    }
    Ok(())
}

/// Reads a value into its textual form.
fn read_value(
    context: &mut Context,
    tables: &Tables<'_>,
    cursor: &mut Cursor<'_>,
    kind: u8,
) -> Read<String> {
    match kind {
        resource::BLOB => {
            let (alignment, size) = (cursor.varint()?, cursor.varint()?);
            let Ok(stored) = u32::try_from(alignment) else {
                return Err(cursor.fault(format!("alignment of a blob out of range: {alignment}")));
            };
            cursor.align(alignment)?;
            let data = cursor.bytes(size)?;
            Ok(format!("\"0x{}{}\"", hex(&stored.to_le_bytes()), hex(data)))
        }
        resource::BOOL => Ok((cursor.byte()? != 0).to_string()),
        resource::STRING => {
            let kind = AttributeKind::String {
                value: tables.string(cursor)?.into(),
                ty: Type::NONE,
            };
            let quoted = Attribute::new(context, kind);
            Ok(attribute_to_string(context, quoted))
        }
        _ => Err(cursor.fault(format!("unknown kind of a resource entry: {kind}"))),
    }
}

/// Formats bytes as hexadecimal digits.
fn hex(bytes: &[u8]) -> String {
    let digit = |digit: u8| char::from_digit(u32::from(digit), 16).unwrap_or('0');
    let digits = bytes
        .iter()
        .flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]);
    digits.map(|digit| digit.to_ascii_uppercase()).collect()
}

/// The alignment and the data of a blob; `None` if the value is not a blob.
fn blob(value: &str) -> Option<(u32, Vec<u8>)> {
    let digits = value.strip_prefix("\"0x")?.strip_suffix('"')?;
    let digit = |digit: u8| char::from(digit).to_digit(16);
    let pairs = digits.as_bytes().chunks(2);
    let bytes: Option<Vec<u8>> = pairs
        .map(|pair| match pair {
            [high, low] => u8::try_from(digit(*high)? << 4 | digit(*low)?).ok(),
            _ => None,
        })
        .collect();
    let bytes = bytes?;
    let (alignment, data) = bytes.split_at_checked(ALIGNMENT_BYTES)?;
    let mut word = [0; ALIGNMENT_BYTES];
    word.copy_from_slice(alignment);
    // Alignment 0 in textual form means an alignment of one byte.
    let alignment = u32::from_le_bytes(word).max(1);
    alignment
        .is_power_of_two()
        .then(|| (alignment, data.to_vec()))
}

/// Whether a key of the builtin dialect has a value to write.
pub(super) fn has_data(context: &Context, key: Identifier) -> bool {
    let key = key.text(context);
    let value = context.resources.get(DIALECT_RESOURCES, BUILTIN, key);
    value.is_some_and(|value| blob(value).is_some())
}

/// Writes both sections.
pub(super) fn write(
    context: &Context,
    numbering: &Numbering,
    strings: &mut Strings,
    elide: bool,
    out: &mut Emitter,
) {
    let (mut data, mut offsets) = (Emitter::default(), Emitter::default());
    let mut groups: Vec<(&str, Vec<&Resource>)> = Vec::new();
    let mut places: FxHashMap<&str, usize> = FxHashMap::default();
    let external = context.resources.iter();
    for entry in external.filter(|entry| entry.section == EXTERNAL_RESOURCES) {
        let place = *places.entry(&entry.group).or_insert(groups.len());
        if place == groups.len() {
            groups.push((&entry.group, Vec::new()));
        }
        groups[place].1.push(entry);
    }
    offsets.count(groups.len());
    for (group, entries) in groups {
        let entries = entries
            .iter()
            .map(|entry| (entry.key.as_str(), Some(entry.value.as_str())));
        let heads = write_values(entries, strings, elide, &mut data);
        let group = strings.number(group.as_bytes());
        write_heads(group, &heads, strings, &mut offsets);
    }
    let builtin = numbering.dialects.iter().position(|name| name == BUILTIN);
    if let Some(builtin) = builtin.filter(|_| !numbering.resources.is_empty()) {
        let keys = numbering.resources.iter().map(|key| key.text(context));
        let value = |key| context.resources.get(DIALECT_RESOURCES, BUILTIN, key);
        let entries = keys.map(|key| (key, value(key)));
        let heads = write_values(entries, strings, elide, &mut data);
        write_heads(builtin as u64, &heads, strings, &mut offsets);
    }
    out.section(section::RESOURCE_OFFSETS, offsets);
    out.section(section::RESOURCES, data);
}

/// A resource of a group: its key, the size of its value, and its kind.
type Head<'e> = (&'e str, usize, u8);

/// Writes the values of a group of resources; those without a value only have a key.
fn write_values<'e>(
    entries: impl Iterator<Item = (&'e str, Option<&'e str>)>,
    strings: &mut Strings,
    elide: bool,
    data: &mut Emitter,
) -> Vec<Head<'e>> {
    let write = |(key, value): (&'e str, Option<&str>)| {
        let before = data.size();
        let kind = value.map_or(resource::BLOB, |value| {
            write_value(value, strings, elide, data)
        });
        (key, data.size() - before, kind)
    };
    entries.map(write).collect()
}

/// Writes the keys of a group of resources.
fn write_heads(group: u64, heads: &[Head<'_>], strings: &mut Strings, offsets: &mut Emitter) {
    offsets.varint(group);
    offsets.count(heads.len());
    for &(key, size, kind) in heads {
        offsets.varint(strings.number(key.as_bytes()));
        offsets.count(size);
        offsets.byte(kind);
    }
}

/// Writes a value, unless values are elided; returns its kind.
fn write_value(value: &str, strings: &mut Strings, elide: bool, data: &mut Emitter) -> u8 {
    if let Some((alignment, bytes)) = blob(value) {
        if !elide {
            data.varint(u64::from(alignment));
            data.count(bytes.len());
            data.align(alignment as usize);
            data.bytes(&bytes);
        }
        return resource::BLOB;
    }
    if let "true" | "false" = value {
        if !elide {
            data.byte(u8::from(value == "true"));
        }
        return resource::BOOL;
    }
    if !elide {
        let text = value
            .strip_prefix('"')
            .and_then(|text| text.strip_suffix('"'));
        data.varint(strings.number(&unescape(text.unwrap_or(value))));
    }
    resource::STRING
}
