//! Tests of files that no writer produces, and of data that is not visible in the text.

use super::emitter::Emitter;
use super::format::{MAGIC, attribute, section};
use super::{BytecodeOptions, read_bytecode, write_bytecode};
use crate::{Context, Operation, PrintFlags, Source, Value, parse_source, print_to_string};

fn context() -> Context {
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

/// A file with one operation `d.op` with an attribute: the last of `entries`, each an encoding. The
/// first two entries are the unknown location and the name `a`.
fn file(entries: &[Vec<u64>]) -> Vec<u8> {
    let dictionary = vec![attribute::DICTIONARY, 1, 1, entries.len() as u64 + 1];
    let mut all = vec![
        vec![attribute::UNKNOWN_LOCATION],
        vec![attribute::STRING, 2],
    ];
    all.extend(entries.iter().cloned());
    all.push(dictionary);
    let (mut data, mut offsets) = (Emitter::default(), Emitter::default());
    offsets.count(all.len());
    offsets.count(0);
    offsets.varint(0);
    offsets.count(all.len());
    for entry in &all {
        let before = data.size();
        entry.iter().for_each(|number| data.varint(*number));
        offsets.flagged((data.size() - before) as u64, true);
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
    let mut file = Emitter::default();
    file.bytes(&MAGIC);
    file.varint(6);
    file.bytes(b"test\0");
    file.section(section::DIALECTS, dialects);
    file.section(section::ENTRY_OFFSETS, offsets);
    file.section(section::ENTRIES, data);
    file.section(section::IR, ir);
    file.section(section::STRINGS, strings);
    file.section(section::PROPERTIES, properties);
    file.into_parts().concat()
}

/// The printed operation of a file, or the error.
fn outcome(entries: &[Vec<u64>]) -> Result<String, String> {
    let mut context = context();
    match read_bytecode(&mut context, "f", &file(entries), false) {
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
