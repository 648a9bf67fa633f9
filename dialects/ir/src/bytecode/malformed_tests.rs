//! Files with one broken section: each test changes a part of a valid file.

use super::cursor::{Cursor, Read};
use super::format::{attribute, part, resource, section, ty};
use super::tests::{assembled, context, sections};
use super::{BytecodeOptions, read_bytecode, write_bytecode};
use crate::{Context, Diagnostic, Source, parse_source};

/// The encoding of small numbers: each takes a byte.
fn numbers(numbers: &[u8]) -> Vec<u8> {
    assert!(numbers.iter().all(|number| *number < 128));
    numbers.iter().map(|number| number << 1 | 1).collect()
}

/// A valid file: version 6, and the sections in their order.
struct Parts {
    version: u64,
    sections: Vec<(u8, Vec<u8>)>,
    /// What follows the sections.
    rest: Vec<u8>,
}

impl Parts {
    /// The attribute of the operation is the third of four, `unit`; there is one type, `f32`.
    fn valid() -> Parts {
        Parts {
            version: 6,
            sections: sections(&[vec![attribute::UNIT]], &[vec![ty::F32]]),
            rest: Vec::new(),
        }
    }

    fn section(&mut self, kind: u8) -> &mut Vec<u8> {
        let found = self.sections.iter_mut().find(|found| found.0 == kind);
        &mut found.expect("the section").1
    }

    /// The first error and its notes.
    fn error(&self, context: &mut Context) -> Diagnostic {
        let bytes = [assembled(self.version, &self.sections), self.rest.clone()].concat();
        let read = read_bytecode(context, "f", &bytes, false);
        assert!(read.is_err());
        context.diagnostics.take().remove(0)
    }
}

/// The message for a change of the valid file.
fn message(change: impl FnOnce(&mut Parts)) -> String {
    let mut parts = Parts::valid();
    change(&mut parts);
    parts.error(&mut context()).message
}

fn replaced(kind: u8, bytes: &[u8]) -> String {
    message(|parts| *parts.section(kind) = bytes.to_vec())
}

#[test]
fn sections_are_complete() {
    let mut fresh = context();
    assert!(read_bytecode(&mut fresh, "f", b"module {}", false).is_err());
    assert_eq!(
        fresh.diagnostics.take()[0].message,
        "input buffer is not an MLIR bytecode file"
    );
    let properties = (section::PROPERTIES, numbers(&[0]));
    assert_eq!(
        message(|parts| parts.sections.push(properties)),
        "duplicate top-level section: Properties (8)"
    );
    for (kind, name) in [
        (section::STRINGS, "String (0)"),
        (section::IR, "IR (4)"),
        (section::PROPERTIES, "Properties (8)"),
    ] {
        assert_eq!(
            message(|parts| parts.sections.retain(|found| found.0 != kind)),
            format!("missing data for top-level section: {name}")
        );
    }
    let after = |bytes: &[u8]| message(|parts| parts.rest = bytes.to_vec());
    assert_eq!(after(&[9, 1]), "invalid section ID: 9");
    let aligned = section::RESOURCES | section::ALIGNED;
    assert_eq!(
        after(&[&[aligned][..], &numbers(&[0, 3])].concat()),
        "expected alignment to be a power-of-two"
    );
    assert_eq!(
        after(&[&[aligned][..], &numbers(&[0, 64]), &[7]].concat()),
        "expected alignment byte (0xCB), but got: '0x7'"
    );
    assert_eq!(
        replaced(section::PROPERTIES, &numbers(&[0, 0])),
        "Broken properties section: didn't exhaust the offsets table"
    );
}

/// An alignment holds wherever the data would begin.
#[test]
fn data_is_aligned() {
    let aligned = |bytes: &[u8], start, alignment| -> Read<usize> {
        let mut cursor = Cursor::of(bytes, (start, bytes.len()));
        cursor.align(alignment)?;
        Ok(cursor.position())
    };
    let bytes = [0xcb; 8];
    assert_eq!(aligned(&bytes, 4, 4).expect("aligned"), 4);
    assert_eq!(aligned(&bytes, 5, 4).expect("aligned"), 8);
    assert!(aligned(&bytes, 5, 0).is_err());
    assert!(aligned(&bytes, 5, 16).is_err());
}

#[test]
fn strings_fill_their_section() {
    for (change, expected) in [
        (
            (|bytes| bytes[1] = numbers(&[100])[0]) as fn(&mut Vec<u8>),
            "string size exceeds the available data size",
        ),
        (
            |bytes| bytes.insert(5, 0),
            "unexpected trailing data between the offsets for strings and their data",
        ),
        (
            |bytes| *bytes.last_mut().expect("a string") = b'x',
            "expected a null character at the end of a string",
        ),
    ] {
        let found = message(|parts| change(parts.section(section::STRINGS)));
        assert_eq!(found, expected);
    }
}

/// The offsets are the number of attributes and of types, the dialect of a group and its size, and
/// the sizes of its entries, each with the flag of a binary encoding.
#[test]
fn offsets_fill_their_section() {
    assert_eq!(
        message(|parts| parts.section(section::ENTRY_OFFSETS).push(1)),
        "unexpected trailing data in the Attribute/Type offset section"
    );
    assert_eq!(
        message(|parts| parts.section(section::ENTRY_OFFSETS)[3] = numbers(&[5])[0]),
        "a group of 5 Attribute or Type entries is too large"
    );
    let last = |parts: &mut Parts| {
        *parts
            .section(section::ENTRY_OFFSETS)
            .last_mut()
            .expect("a size") = numbers(&[127])[0];
    };
    assert_eq!(
        message(last),
        "Attribute or Type entry offset points past the end of section"
    );
}

#[test]
fn entries_end_where_their_offsets_say() {
    let longer = |attribute: &[u64], ty: &[u64]| {
        message(|parts| parts.sections = sections(&[attribute.to_vec()], &[ty.to_vec()]))
    };
    assert_eq!(
        longer(&[attribute::UNIT, 0], &[ty::F32]),
        "unexpected trailing bytes after Attribute entry"
    );
    assert_eq!(
        longer(&[attribute::TYPE, 0], &[ty::F32, 0]),
        "unexpected trailing bytes after Type entry"
    );
    let text = |text: &[u8]| {
        let mut parts = Parts::valid();
        // The first two entries take a byte and two.
        parts
            .section(section::ENTRIES)
            .splice(3..4, text.iter().copied());
        let size = u8::try_from(text.len()).expect("a short text");
        parts.section(section::ENTRY_OFFSETS)[6] = numbers(&[size << 1])[0];
        parts.error(&mut context())
    };
    assert_eq!(
        text(b"unit\0x").message,
        "unexpected trailing bytes after Attribute entry"
    );
    assert_eq!(
        text(b"\xff\0").message,
        "expected UTF-8 text, but got: '\u{fffd}'"
    );
    assert_eq!(
        text(b"unit  2\0").message,
        "trailing characters found after Attribute assembly format: 2"
    );
    let broken = text(b"[unit, !]\0");
    let notes: Vec<_> = broken.notes.iter().map(|note| &*note.message).collect();
    assert_eq!(
        notes[0],
        "at column 8 of the text of Attribute 2: [unit, !]"
    );
}

#[test]
fn dialects_state_versions_that_are_known() {
    // A version is a section, here without contents.
    let version = [&[section::DIALECT_VERSIONS][..], &numbers(&[0])].concat();
    let names = numbers(&[1, 1, 1, 6]);
    let dialects = |first: u8, between: &[u8], second: u8, rest: &[u8]| {
        let head = numbers(&[2, first]);
        let bytes = [&head, between, &numbers(&[second]), rest, &names].concat();
        replaced(section::DIALECTS, &bytes)
    };
    assert_eq!(
        dialects(1, &version, 2, &[]),
        "Dialect does not support versioning"
    );
    assert_eq!(
        dialects(0, &[], 3, &version),
        "dialect 'd' does not implement the bytecode interface, but found a version entry"
    );
    let other = [&[section::STRINGS][..], &numbers(&[0])].concat();
    assert_eq!(
        dialects(1, &other, 2, &[]),
        "expected dialect version section"
    );
    assert_eq!(
        Parts::valid().error(&mut Context::new()).message,
        "dialect 'd' is unknown. If this is intended, please call allowUnregisteredDialects() on \
         the MLIRContext, or use -allow-unregistered-dialect with the MLIR tool used."
    );
}

/// An operation is its name, its parts, its location, and what the parts are.
#[test]
fn attributes_and_properties_are_dictionaries_and_indices() {
    let op = |parts: u8, rest: &[u8]| {
        let head = numbers(&[2, 0]);
        [&head, &[parts][..], &numbers(&[0]), &numbers(rest)].concat()
    };
    let unit = op(part::ATTRIBUTES, &[2]);
    assert_eq!(
        replaced(section::IR, &unit),
        "expected attribute of type: mlir::DictionaryAttr, but got: unit"
    );
    let first = op(part::PROPERTIES, &[0]);
    assert_eq!(
        replaced(section::IR, &first),
        "Properties idx out-of-bound for d.op"
    );
    let with = |registered: u8, properties: &[u8]| {
        message(|parts| {
            parts.section(section::IR).clone_from(&first);
            *parts.section(section::PROPERTIES) = numbers(properties);
            let names = parts.section(section::DIALECTS);
            *names.last_mut().expect("a name") = numbers(&[6 | registered])[0];
        })
    };
    assert_eq!(
        with(0, &[1, 2, 3, 0]),
        "unexpected trailing bytes in the properties of 'd.op'"
    );
    assert_eq!(
        with(1, &[1, 1, 3]),
        "properties of 'd.op' have an unknown dialect-specific encoding; use the textual form of \
         the IR"
    );
    let older = |parts: &mut Parts| {
        parts.version = 4;
        parts.section(section::IR).clone_from(&first);
        *parts.section(section::DIALECTS).last_mut().expect("a name") = numbers(&[3])[0];
    };
    assert_eq!(
        message(older),
        "Unexpected missing `wasRegistered` opname flag at bytecode version 4 with properties."
    );
}

/// A region is its number of blocks and of values; a block is its number of operations, with a flag
/// for arguments, which come first.
#[test]
fn values_are_defined_in_their_region() {
    let ir = |pieces: &[&[u8]]| replaced(section::IR, &pieces.concat());
    let arguments = numbers(&[3, 1, 0]);
    assert_eq!(
        ir(&[&arguments]),
        "a value is defined outside of any region"
    );
    let around = [&numbers(&[2, 0]), &[part::REGIONS][..], &numbers(&[0])].concat();
    assert_eq!(
        ir(&[&around, &numbers(&[3]), &[section::STRINGS], &numbers(&[0])]),
        "expected IR section for region"
    );
    // An operation with a result, in a region without values; the padding is read as nothing.
    let made = [&numbers(&[0]), &[part::RESULTS][..], &numbers(&[0, 1, 0])].concat();
    assert_eq!(
        ir(&[&around, &numbers(&[2, 1, 0, 2]), &made]),
        "value index range was outside of the expected range for the parent region, got [0, 1), \
         but the maximum index was -1"
    );
    let used = [&numbers(&[0]), &[part::OPERANDS][..], &numbers(&[0, 1, 0])].concat();
    assert_eq!(
        ir(&[&around, &numbers(&[2, 1, 1, 2]), &used]),
        "not all forward unresolved forward operand references"
    );
    // Two uses in one place.
    let parts = part::RESULTS | part::USE_ORDERS;
    let ordered = [&numbers(&[0]), &[parts][..], &numbers(&[0, 1, 0, 4, 1, 1])].concat();
    let twice = [
        &numbers(&[0]),
        &[part::OPERANDS][..],
        &numbers(&[0, 2, 0, 0]),
    ]
    .concat();
    assert_eq!(
        ir(&[&around, &numbers(&[2, 1, 1, 4]), &ordered, &twice]),
        "parsed use-list orders were invalid and could not be applied"
    );
}

/// Resources are values in one section, and in the other the groups with the key, size and kind of
/// each value.
#[test]
fn resources_are_of_their_kinds() {
    let only = |kind: u8, bytes: Vec<u8>| message(|parts| parts.sections.push((kind, bytes)));
    assert_eq!(
        only(section::RESOURCE_OFFSETS, numbers(&[0])),
        "unexpected resource offset section when resource section is not present"
    );
    assert_eq!(
        only(section::RESOURCES, Vec::new()),
        "expected resource offset section when resource section is present"
    );
    let both = |head: &[u8], kind: u8, value: &[u8]| {
        message(|parts| {
            let size = u8::try_from(value.len()).expect("a short value");
            let offsets = [&numbers(head), &numbers(&[size]), &[kind][..]].concat();
            parts.sections.push((section::RESOURCES, value.to_vec()));
            parts.sections.push((section::RESOURCE_OFFSETS, offsets));
        })
    };
    // Of the builtin dialect, and of a group `a` that is not a dialect.
    let builtin = |kind: u8| both(&[0, 0, 1, 2], kind, &[0]);
    let expected = "expected a blob resource entry, but found a";
    assert_eq!(
        builtin(resource::BOOL),
        format!("{expected} bool entry instead")
    );
    assert_eq!(
        builtin(resource::STRING),
        format!("{expected} string entry instead")
    );
    assert_eq!(builtin(9), "unknown kind of a resource entry: 9");
    let external = |kind: u8, value: &[u8]| both(&[1, 2, 1, 2], kind, value);
    assert_eq!(external(9, &[0]), "unknown kind of a resource entry: 9");
    assert_eq!(
        external(resource::BOOL, &[0, 0]),
        "unexpected trailing bytes in resource entry 'a'"
    );
    // 2^32 in nine bytes.
    let large = [&[0, 0, 0, 0, 0, 1, 0, 0, 0][..], &numbers(&[0])].concat();
    assert_eq!(
        external(resource::BLOB, &large),
        "alignment of a blob out of range: 4294967296"
    );
    assert_eq!(
        external(resource::BLOB, &numbers(&[0, 0])),
        "expected alignment to be a power-of-two"
    );
}

/// What is written has no operand from outside.
#[test]
fn operands_are_defined_in_what_is_written() {
    let mut context = context();
    let source = Source {
        name: "f",
        text: "%0 = \"d.make\"() : () -> i32\n\"d.use\"() ({\n  \"d.in\"(%0) : (i32) -> ()\n}) : () -> ()\n",
        first_line: 1,
    };
    let module = parse_source(&mut context, source).expect("a valid text");
    let block = module.body_block(&context, 0).expect("a block");
    let user = block.operations(&context).last().expect("an operation");
    let written = write_bytecode(&mut context, user, &BytecodeOptions::default());
    let error = written.expect_err("an operand from outside");
    assert_eq!(
        error.message,
        "an operand is defined outside of the written operation"
    );
    let place = error.location.position(&context);
    assert_eq!(place.map(|place| place.1), Some(3));
}
