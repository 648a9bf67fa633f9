//! Writing of bytecode files.

use super::emitter::Emitter;
use super::encode::Encoder;
use super::format::{MAGIC, VERSION, section, since};
use super::numbering::{Item, Numbering};
use super::piece::Entity;
use super::strings::Strings;
use super::write_ir::IrWriter;
use super::{properties, resources};
use crate::printer::{attribute_to_string, type_to_string};
use crate::{Context, Diagnostic, Operation};

/// Options of the bytecode writer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BytecodeOptions {
    /// The format version, from 0 to [`VERSION`]; any other is an error. Older versions serve older
    /// readers.
    pub version: i64,
    /// The producer name, for messages of readers. Must not contain a zero byte.
    pub producer: String,
    /// Whether to omit the values of resources and write only their keys.
    pub elide_resources: bool,
}

impl Default for BytecodeOptions {
    fn default() -> Self {
        BytecodeOptions {
            version: VERSION.cast_signed(),
            producer: concat!("orison ", env!("CARGO_PKG_VERSION")).to_owned(),
            elide_resources: false,
        }
    }
}

/// Writes an operation with its contents, and the resources that it references.
///
/// # Errors
/// If the version is unknown or cannot represent the IR, or if the IR is invalid: a property or a
/// value is missing. Valid IR can be written in version 5 and later.
pub fn write_bytecode(
    context: &mut Context,
    op: Operation,
    options: &BytecodeOptions,
) -> Result<Vec<u8>, Box<Diagnostic>> {
    let version = u64::try_from(options.version).ok();
    let Some(version) = version.filter(|version| *version <= VERSION) else {
        let version = options.version;
        let message =
            format!("unsupported version requested {version}, must be in range [0, {VERSION}]");
        return Err(op.error(context, message));
    };
    let mut encoder = Encoder::new(context);
    let mut numbering = Numbering::of(&mut encoder, op, version);
    numbering.sort_resources(|key| resources::has_data(encoder.context, key));
    let mut strings = Strings::default();
    let mut file = Emitter::default();
    file.bytes(&MAGIC);
    file.varint(version);
    file.bytes(options.producer.replace('\0', "").as_bytes());
    file.byte(0);
    write_dialects(&encoder, &numbering, version, &mut strings, &mut file);
    write_entries(&mut encoder, &numbering, &mut strings, &mut file);
    let mut ir = IrWriter::new(&mut encoder, &numbering, version);
    ir.write(op, &mut file)?;
    let properties = ir.finish();
    let elide = options.elide_resources;
    resources::write(encoder.context, &numbering, &mut strings, elide, &mut file);
    strings.write(&mut file);
    if version >= since::PROPERTIES {
        file.section(section::PROPERTIES, properties);
    }
    Ok(file.into_parts().concat())
}

/// Writes entries in groups by dialect: its index, the number of entries, and each entry.
fn write_groups<T>(items: &[Item<T>], out: &mut Emitter, mut write: impl FnMut(&mut Emitter, &T)) {
    for group in items.chunk_by(|a, b| a.dialect == b.dialect) {
        out.varint(u64::from(group[0].dialect));
        out.count(group.len());
        for item in group {
            write(out, &item.value);
        }
    }
}

fn write_dialects(
    encoder: &Encoder<'_>,
    numbering: &Numbering,
    version: u64,
    strings: &mut Strings,
    out: &mut Emitter,
) {
    let mut section = Emitter::default();
    section.count(numbering.dialects.len());
    for dialect in &numbering.dialects {
        let name = strings.number(dialect.as_bytes());
        if version < since::DIALECT_VERSIONS {
            section.varint(name);
        } else {
            section.flagged(name, false);
        }
    }
    if version >= since::ELIDED_LOCATIONS {
        section.count(numbering.names.items().len());
    }
    write_groups(numbering.names.items(), &mut section, |section, name| {
        let text = name.text(encoder.context);
        let local = text.split_once('.').map_or("", |(_, local)| local);
        let number = strings.number(local.as_bytes());
        if version < since::PROPERTIES {
            section.varint(number);
        } else {
            section.flagged(number, properties::native(encoder.context, *name).is_some());
        }
    });
    out.section(section::DIALECTS, section);
}

/// Writes attributes and types, each in the encoding of its dialect or as text.
fn write_entries(
    encoder: &mut Encoder<'_>,
    numbering: &Numbering,
    strings: &mut Strings,
    out: &mut Emitter,
) {
    let (mut entries, mut offsets) = (Emitter::default(), Emitter::default());
    offsets.count(numbering.entities.items().len());
    offsets.count(numbering.types.items().len());
    let mut pieces = Vec::new();
    let mut before = 0;
    let mut finish = |entries: &mut Emitter, offsets: &mut Emitter, text: Option<String>| {
        if let Some(text) = &text {
            entries.bytes(text.as_bytes());
            entries.byte(0);
        }
        let size = entries.size();
        offsets.flagged((size - before) as u64, text.is_none());
        before = size;
    };
    write_groups(
        numbering.entities.items(),
        &mut offsets,
        |offsets, entity| {
            let custom = encoder.entity(*entity, &mut pieces);
            numbering.write_pieces(pieces.drain(..).as_slice(), strings, &mut entries);
            let text = || match entity {
                Entity::Attribute(attribute) => attribute_to_string(encoder.context, *attribute),
                Entity::Location(_) => String::new(),
            };
            finish(&mut entries, offsets, (!custom).then(text));
        },
    );
    write_groups(numbering.types.items(), &mut offsets, |offsets, ty| {
        let custom = encoder.ty(*ty, &mut pieces);
        numbering.write_pieces(pieces.drain(..).as_slice(), strings, &mut entries);
        let text = || type_to_string(encoder.context, *ty);
        finish(&mut entries, offsets, (!custom).then(text));
    });
    out.section(section::ENTRY_OFFSETS, offsets);
    out.section(section::ENTRIES, entries);
}
