//! Tests of files that no writer produces, and of data that is not visible in the text.

use super::emitter::Emitter;
use super::format::{MAGIC, attribute, section, ty};
use super::{BytecodeOptions, read_bytecode, write_bytecode};
use crate::{Context, Operation, PrintFlags, Source, Value, parse_source, print_to_string};

pub(super) fn context() -> Context {
    let mut context = Context::new();
    context.allow_unregistered_dialects(true);
    context
}

fn parse(context: &mut Context, text: &str) -> Operation {
    let source = Source {
        name: "input",
        text,
        first_line: 1,
    };
    parse_source(context, source).expect("a valid text")
}

/// The sections of a file with one operation `d.op` with an attribute: the last of `entries`, each an
/// encoding. The first two entries are the unknown location and the name `a`. `types` are encodings of
/// types.
pub(super) fn sections(entries: &[Vec<u64>], types: &[Vec<u64>]) -> Vec<(u8, Vec<u8>)> {
    let dictionary = vec![attribute::DICTIONARY, 1, 1, entries.len() as u64 + 1];
    let mut all = vec![
        vec![attribute::UNKNOWN_LOCATION],
        vec![attribute::STRING, 2],
    ];
    all.extend(entries.iter().cloned());
    all.push(dictionary);
    let (mut data, mut offsets) = (Emitter::default(), Emitter::default());
    offsets.count(all.len());
    offsets.count(types.len());
    for group in [all.as_slice(), types] {
        if group.is_empty() {
            continue;
        }
        offsets.varint(0);
        offsets.count(group.len());
        for entry in group {
            let before = data.size();
            entry.iter().for_each(|number| data.varint(*number));
            offsets.flagged((data.size() - before) as u64, true);
        }
    }
    let mut dialects = Emitter::default();
    // Two dialects, an operation name of the second one.
    for number in [2, 0, 2, 1, 1, 1, 6] {
        dialects.varint(number);
    }
    let mut strings = Emitter::default();
    let texts = ["builtin", "d", "a", "op"];
    strings.count(texts.len());
    texts
        .iter()
        .rev()
        .for_each(|text| strings.count(text.len() + 1));
    texts
        .iter()
        .for_each(|text| strings.bytes(format!("{text}\0").as_bytes()));
    let mut ir = Emitter::default();
    ir.flagged(1, false);
    ir.varint(0);
    ir.byte(super::format::part::ATTRIBUTES);
    ir.varint(0);
    ir.count(all.len() - 1);
    let mut properties = Emitter::default();
    properties.count(0);
    let all = [
        (section::DIALECTS, dialects),
        (section::ENTRY_OFFSETS, offsets),
        (section::ENTRIES, data),
        (section::IR, ir),
        (section::STRINGS, strings),
        (section::PROPERTIES, properties),
    ];
    all.map(|(kind, contents)| (kind, contents.into_parts().concat()))
        .to_vec()
}

/// A file of a version with these sections.
pub(super) fn assembled(version: u64, sections: &[(u8, Vec<u8>)]) -> Vec<u8> {
    let mut file = Emitter::default();
    file.bytes(&MAGIC);
    file.varint(version);
    file.bytes(b"test\0");
    for (kind, contents) in sections {
        file.byte(*kind);
        file.count(contents.len());
        file.bytes(contents);
    }
    file.into_parts().concat()
}

/// A file with [`sections()`].
fn file(entries: &[Vec<u64>], types: &[Vec<u64>]) -> Vec<u8> {
    assembled(6, &sections(entries, types))
}

/// The printed operation of a file, or the error.
fn outcome(entries: &[Vec<u64>]) -> Result<String, String> {
    outcome_with(entries, &[])
}

fn outcome_with(entries: &[Vec<u64>], types: &[Vec<u64>]) -> Result<String, String> {
    let mut context = context();
    match read_bytecode(&mut context, "f", &file(entries, types), false) {
        Ok(op) => Ok(print_to_string(&context, op, &PrintFlags::generic())),
        Err(_) => Err(context.diagnostics.take()[0].message.clone()),
    }
}

#[test]
fn a_file_made_by_hand_is_read() {
    let unit = vec![attribute::UNIT];
    let printed = outcome(&[unit]).expect("a valid file");
    assert_eq!(printed, "\"d.op\"() {a} : () -> ()\n");
}

/// The error for an attribute that refers to types, both written by hand.
fn error_of(attribute: &[u64], types: &[&[u64]]) -> String {
    let types: Vec<_> = types.iter().map(|ty| ty.to_vec()).collect();
    outcome_with(&[vec![attribute::UNIT], attribute.to_vec()], &types).expect_err("invalid")
}

/// Entry 1 is a name, entry 2 the unit attribute.
#[test]
fn invalid_attributes_and_locations_are_told() {
    use attribute as code;
    let i4: &[u64] = &[ty::INTEGER, 4 << 2];
    let f32: &[u64] = &[ty::F32];
    /// The attribute, types, and the error.
    type Case<'a> = (&'a [u64], &'a [&'a [u64]], &'a str);
    let cases: [Case<'_>; 16] = [
        (&[99], &[], "unknown builtin attribute code: 99"),
        (
            &[code::DICTIONARY, 2, 1, 2, 1, 2],
            &[],
            "duplicate key in a dictionary",
        ),
        (
            &[code::SYMBOL, 1, 1, 2],
            &[],
            "expected FlatSymbolRefAttr, but got: unit",
        ),
        // A byte: the encoded 31, and 7, which is 15.
        (
            &[code::INTEGER, 0, 31],
            &[i4],
            "integer value 63 does not fit in 4 bits",
        ),
        (
            &[code::INTEGER, 0, 0],
            &[f32],
            "expected integer or index type for IntegerAttr, but got: 'f32'",
        ),
        (
            &[code::FLOAT, 0, 0],
            &[i4],
            "expected floating-point type for FloatAttr, but got: 'i4'",
        ),
        (
            &[code::DENSE_ARRAY, 0, 0, 0],
            &[i4],
            "expected integer or float type of whole bytes, but got: 'i4'",
        ),
        (
            &[code::DENSE_NUMBERS, 0, 0],
            &[i4],
            "expected ShapedType, but got: 'i4'",
        ),
        (
            &[code::FUSED_LOCATION, 0],
            &[],
            "expected a location in a fused location",
        ),
        (
            &[code::FILE_LOCATION, 1, 1 << 32, 0],
            &[],
            "line or column out of range: 4294967296",
        ),
        (
            &[code::FILE_LOCATION, 1, 0, 1 << 32],
            &[],
            "line or column out of range: 4294967296",
        ),
        (
            &[code::FILE_RANGE, 1, 5, 1, 2, 3, 4, 5],
            &[],
            "expected at most 4 integers in a file range, but got 5",
        ),
        // The second word has one bit.
        (
            &[code::INTEGER, 0, 2, 0, 4],
            &[&[ty::INTEGER, 65 << 2]],
            "integer value does not fit in 65 bits",
        ),
        (
            &[code::DENSE_ARRAY, 0, 2, 0],
            &[f32],
            "expected 2 elements of 4 bytes in a dense array, but got 0 bytes",
        ),
        (
            &[code::SPARSE, 0, 2, 2],
            &[&[ty::TENSOR, 0, 1], f32],
            "expected DenseElementsAttr, but got: unit",
        ),
        (
            &[code::NAME_LOCATION, 1, 2],
            &[],
            "expected attribute of type: mlir::LocationAttr, but got: unit",
        ),
    ];
    for (attribute, types, expected) in cases {
        assert_eq!(error_of(attribute, types), expected);
    }
    // Indices of i8: the byte of the one element is the encoding of 0, which is 1.
    let types = [vec![ty::TENSOR, 1, 2, 1], vec![ty::INTEGER, 8 << 2]];
    let dense = vec![code::DENSE_NUMBERS, 0, 1, 0];
    let error = outcome_with(&[dense, vec![code::SPARSE, 0, 2, 2]], &types);
    assert_eq!(
        error.expect_err("invalid"),
        "expected indices of i64 and values of the element type, but got: dense<1> : tensor<1xi8>"
    );
    // What is just allowed.
    let valid = |attribute: &[u64]| outcome_with(&[vec![7], attribute.to_vec()], &[i4.to_vec()]);
    assert!(valid(&[code::INTEGER, 0, 7]).is_ok());
    assert!(valid(&[code::FILE_LOCATION, 1, u64::from(u32::MAX), 0]).is_ok());
    assert!(valid(&[code::FILE_RANGE, 1, 4, 1, 2, 3, 4]).is_ok());
    assert!(valid(&[code::FUSED_LOCATION, 1, 0]).is_ok());
}

#[test]
fn invalid_types_are_told() {
    let i8: &[u64] = &[ty::INTEGER, 8 << 2];
    let tensor: &[u64] = &[ty::TENSOR, 0, 0];
    // Integers with sign are encoded with the sign in the lowest bit: 9 is -5.
    let cases: [(&[u64], &[u64], &str); 10] = [
        (&[99], i8, "unknown builtin type code: 99"),
        (
            &[ty::INTEGER, 8 << 2 | 3],
            i8,
            "unknown signedness of an integer type: 3",
        ),
        (
            &[ty::INTEGER, 1 << 26],
            i8,
            "integer bitwidth is limited to 16777215 bits",
        ),
        (&[ty::TENSOR, 1, 9, 0], i8, "invalid dimension: -5"),
        (
            &[ty::TENSOR, 0, 0],
            tensor,
            "invalid tensor element type: 'tensor<i8>'",
        ),
        (
            &[ty::UNRANKED_MEMREF, 0],
            &[ty::FUNCTION, 0, 0],
            "invalid memref element type",
        ),
        (
            &[ty::UNRANKED_MEMREF_WITH_SPACE, 0, 0],
            i8,
            "unsupported memory space Attribute",
        ),
        (
            &[ty::SCALABLE_VECTOR, 1, 0, 2, 2, 2, 0],
            i8,
            "number of dims must match, got 1 and 2",
        ),
        (
            &[ty::VECTOR, 1, 0, 0],
            i8,
            "vector types must have positive constant sizes but got 0",
        ),
        (
            &[ty::VECTOR, 1, 2, 0],
            tensor,
            "failed to verify 'elementType': VectorElementTypeInterface instance",
        ),
    ];
    for (invalid, element, expected) in cases {
        // The first type is the element, which for tensors refers to the third.
        let element: Vec<u64> = match element {
            [ty::TENSOR, ..] => vec![ty::TENSOR, 0, 2],
            element => element.to_vec(),
        };
        let types = [element.as_slice(), invalid, i8];
        let error = error_of(&[attribute::TYPE, 1], &types);
        assert_eq!(error, expected);
    }
}

/// A name is written once, however often it is used.
#[test]
fn strings_are_shared() {
    let mut context = context();
    let text = "\"d.often\"() {key = \"value\"} : () -> ()\n".repeat(3);
    let module = parse(&mut context, &text);
    let bytes = write_bytecode(&mut context, module, &BytecodeOptions::default()).expect("bytes");
    for name in ["often", "key", "value"] {
        let windows = bytes.windows(name.len());
        let count = windows.filter(|found| *found == name.as_bytes()).count();
        assert_eq!(count, 1, "{name}");
    }
}

/// Entry `n` is an array of two references to entry `n - 1`: a text of 2^60 elements.
#[test]
fn what_entries_stand_for_is_bounded() {
    let doubled = |n: u64| vec![attribute::ARRAY, 2, n + 1, n + 1];
    let mut entries = vec![vec![attribute::UNIT]];
    entries.extend((1..10).map(doubled));
    assert!(outcome(&entries).is_ok(), "1,024 elements");
    entries.extend((10..60).map(doubled));
    let error = outcome(&entries).expect_err("too much");
    assert_eq!(
        error,
        "an entry expands to more than 1000000 types and attributes"
    );
}

/// Whether decoded outermost or innermost first, entries nest no deeper than text may.
#[test]
fn nesting_is_bounded() {
    let nested = |n: u64| vec![attribute::ARRAY, 1, n + 1];
    let mut entries = vec![vec![attribute::UNIT]];
    entries.extend((1..200).map(nested));
    assert!(outcome(&entries).is_ok());
    entries.extend((200..100_000).map(nested));
    assert_eq!(
        outcome(&entries).expect_err("too deep"),
        "nesting deeper than 256 levels"
    );
}

#[test]
fn an_entry_that_contains_itself_is_an_error() {
    let entries = [vec![attribute::ARRAY, 1, 3], vec![attribute::ARRAY, 1, 2]];
    let error = outcome(&entries).expect_err("a cycle");
    assert_eq!(error, "an Attribute or Type entry refers to itself");
}

#[test]
fn counts_are_checked_before_anything_is_allocated() {
    let entries = [vec![attribute::ARRAY, u64::MAX >> 1]];
    let error = outcome(&entries).expect_err("too many");
    assert_eq!(
        error,
        "expected 9223372036854775807 elements, but only 0 bytes remain"
    );
}

/// The uses of a value (operation name and operand index) in use-list order.
fn uses(context: &Context, value: Value) -> Vec<(String, usize)> {
    let uses = value.uses(context);
    uses.map(|usage| (usage.owner.name_text(context).to_owned(), usage.operand))
        .collect()
}

fn first_result(context: &Context, module: Operation) -> Value {
    let block = module.body_block(context, 0).expect("a block");
    block
        .first_op(context)
        .expect("an operation")
        .result(context, 0)
}

/// Every order of five uses: those encoded as pairs and those encoded as lists.
#[test]
fn orders_of_uses_are_kept() {
    let text = r#"
        %0 = "d.make"() : () -> i32
        "d.a"(%0, %0) : (i32, i32) -> ()
        "d.b"(%0) : (i32) -> ()
        "d.c"(%0) : (i32) -> ()
        "d.d"(%0) : (i32) -> ()
    "#;
    let mut first = context();
    let module = parse(&mut first, text);
    let value = first_result(&first, module);
    let default: Vec<_> = value.uses(&first).collect();
    for seed in 0..120usize {
        let mut rest = default.clone();
        let mut order = Vec::new();
        let mut number = seed;
        while !rest.is_empty() {
            order.push(rest.remove(number % rest.len()));
            number /= rest.len() + 1;
        }
        value.set_use_order(&mut first, &order);
        let bytes = write_bytecode(&mut first, module, &BytecodeOptions::default());
        let mut second = context();
        let again = read_bytecode(&mut second, "f", &bytes.expect("bytes"), true);
        let again = first_result(&second, again.expect("a valid file"));
        assert_eq!(uses(&second, again), uses(&first, value), "{seed}");
    }
}
