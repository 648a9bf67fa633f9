//! Streamed parsing gives the same result as parsing from memory: the same IR, or the same
//! errors at the same locations.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use orison_ir::parser::{Stream, parse_stream};
use orison_ir::{Context, Identifier, PrintFlags, Source, parse_source, print_to_string};

const NAME: &str = "input.mlir";

fn context() -> Context {
    let mut context = Context::new();
    orison_host::register(&mut context);
    orison_tileas::register(&mut context);
    context.allow_unregistered_dialects(true);
    context
}

/// The IR with its locations, then the diagnostics.
fn outcome(
    text: &str,
    parse: impl FnOnce(&mut Context) -> Option<orison_ir::Operation>,
) -> (Option<String>, Vec<String>) {
    let mut context = context();
    let file = Identifier::new(&mut context, NAME);
    context.sources.add(file, text.as_bytes().into(), 1);
    let flags = PrintFlags {
        debug_info: true,
        ..PrintFlags::generic()
    };
    let printed = parse(&mut context).map(|op| print_to_string(&context, op, &flags));
    let diagnostics = context.diagnostics.take();
    let rendered = diagnostics
        .iter()
        .map(|diagnostic| diagnostic.render(&context));
    (printed, rendered.collect())
}

fn from_memory(text: &str) -> (Option<String>, Vec<String>) {
    outcome(text, |context| {
        let source = Source {
            name: NAME,
            text,
            first_line: 1,
        };
        parse_source(context, source).ok()
    })
}

fn from_stream(text: &str, block: usize) -> (Option<String>, Vec<String>) {
    outcome(text, |context| {
        let stream = Stream {
            name: NAME,
            reader: &mut text.as_bytes(),
            block,
        };
        parse_stream(context, stream, true).ok()
    })
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files(&path, found);
        } else if path
            .extension()
            .is_some_and(|extension| extension == "mlir")
        {
            found.push(path);
        }
    }
}

#[test]
fn every_file_of_the_tests_reads_the_same() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut paths = Vec::new();
    files(&root.join("tests"), &mut paths);
    files(&root.join("examples"), &mut paths);
    let (mut accepted, mut rejected) = (0, 0);
    for path in &paths {
        // Input that is not UTF-8 has a separate test.
        let Ok(text) = fs::read_to_string(path) else {
            continue;
        };
        let expected = from_memory(&text);
        match expected.0 {
            Some(_) => accepted += 1,
            None => rejected += 1,
        }
        for block in [1, 500] {
            let found = from_stream(&text, block);
            assert_eq!(found, expected, "{} in blocks of {block}", path.display());
        }
    }
    assert!(accepted > 50 && rejected > 50, "{accepted} {rejected}");
}

#[test]
fn a_file_of_many_blocks_reads_the_same() {
    let mut text = String::from("\"builtin.module\"() ({\n");
    for number in 0..2_000 {
        text += &format!(
            "  // The value {number}.\n  %{number}:2 = \"test.make\"() {{n = {number} : i32}} : () -> (i32, f32)\n  \
             \"test.take\"(%{number}#1) ({{\n  ^bb0(%a: i32):\n    \"test.use\"(%a, %{number}#0) : (i32, i32) -> ()\n  }}) \
             : (f32) -> ()\n"
        );
    }
    let open = text.clone();
    text += "}) : () -> ()\n";
    let expected = from_memory(&text);
    assert!(expected.0.is_some());
    assert_eq!(from_stream(&text, 10_000), expected);
    // An error at the end of the text is located after the last token, at any distance.
    let behind = open + &"  // nothing\n\n".repeat(2_000);
    let expected = from_memory(&behind);
    assert!(expected.0.is_none());
    assert_eq!(from_stream(&behind, 10_000), expected);
}

#[test]
fn what_is_no_utf8_is_found_at_its_place() {
    let mut context = context();
    let mut bytes = &b"// a\n\"test.a\"() : () -> ()\n  \"test.\xff\"() : () -> ()\n"[..];
    let stream = Stream {
        name: NAME,
        reader: &mut bytes,
        block: 7,
    };
    assert!(parse_stream(&mut context, stream, true).is_err());
    let diagnostics = context.diagnostics.take();
    let messages: Vec<_> = diagnostics.iter().map(|d| d.render(&context)).collect();
    assert_eq!(messages, ["input.mlir:3:9: error: invalid UTF-8\n"]);
}

/// A reader that fails after its bytes.
struct Broken<'b>(&'b [u8]);

impl Read for Broken<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.0.read(buffer)? {
            0 => Err(io::Error::other("the disk is gone")),
            length => Ok(length),
        }
    }
}

#[test]
fn a_reader_that_fails_is_an_error_at_the_place_reached() {
    let mut context = context();
    let mut reader = Broken(b"\"test.a\"() : () -> ()\n\"test.b\"() : () -> ()\n");
    let stream = Stream {
        name: NAME,
        reader: &mut reader,
        block: 22,
    };
    assert!(parse_stream(&mut context, stream, true).is_err());
    let diagnostics = context.diagnostics.take();
    let messages: Vec<_> = diagnostics.iter().map(|d| d.render(&context)).collect();
    let message = "input.mlir:3:1: error: cannot read the input: the disk is gone\n";
    assert_eq!(messages, [message]);
}

/// Ends of operations, some of which are prefixes of others.
const ENDS: &[&str] = &[
    ": () -> i32",
    ": () -> i32 // a",
    ": () -> i32 // a b \"test.no\"() : () -> ()",
    ": () -> i32//a\r",
    ": () -> i32 loc(\"place\":1:2)",
    ": () -> !test.t",
    ": () -> !test.t<i32>",
    "{a = \"//\"} : () -> i32",
    "{a = \"//\"} : () -> i32 // \"",
    "{a} : () -> i32 /",
    "{a} : () -> i32",
    "<{a}> : () -> i32",
    "<{}> : () -> i32",
    "({}) : () -> i32",
    "({}) {a} : () -> i32",
    ": () -> (i32)",
    ": () -> (i32) // (",
    ": () -> i32 -> i32",
];

#[test]
fn ends_that_are_known_mean_what_they_mean_alone() {
    let alone: Vec<_> = ENDS
        .iter()
        .map(|end| from_memory(&format!("\"test.a\"() {end}\n")).0)
        .collect();
    for (first, known) in ENDS.iter().zip(&alone) {
        for (second, expected) in ENDS.iter().zip(&alone) {
            let line = |end: &str| format!("\"test.a\"() {end}\n");
            let both = from_memory(&(line(first) + &line(second) + &line(first)));
            // An end split over two lines is never in the cache.
            let apart = |end: &str| line(end).replacen(": (", ":\n(", 1);
            let read = from_memory(&(apart(first) + &apart(second) + &apart(first)));
            assert_eq!(both.0.is_some(), read.0.is_some(), "{first} | {second}");
            assert_eq!(both.0.is_some(), known.is_some() && expected.is_some());
            if let (Some(both), Some(read)) = (both.0, read.0) {
                assert_eq!(
                    without_places(&both),
                    without_places(&read),
                    "{first} | {second}"
                );
            }
        }
    }
}

/// Printed IR without the locations in the input, which depend on line breaks.
fn without_places(text: &str) -> String {
    let kept = text.lines().filter(|line| !line.starts_with("#loc"));
    kept.map(|line| line.split(" loc(").next().unwrap_or_default().to_owned() + "\n")
        .collect()
}

/// Text that may cross a buffer boundary: comments, strings, bodies of several lines, every kind of
/// white space, an alias that is defined at the end, metadata.
const ACROSS: &str = "// é \"\r\n!t = !test.body<[\"a>\\22\",\n  ( { } ) -> ],\n>\n\
    #a = #test.attr<\"// no comment\",\r\n 1>\n\n\n// more\n\
    %0:2 = \"test.make\"() <{\n  p = #a, // é\n  q = dense<[1,\n 2]> : tensor<2xi8>}> : () ->\n (!t,\n i32) loc(#loc1)\n\
    \"test.take\"(%0#1\n)\t({\n^bb0(%x: i32 loc(\"ü\":1:1)):\n  // end\n  \"test.end\"()[^bb1] : () -> ()\n^bb1:\n\
    \"test.use\"(%x, %later) : (i32, i64) -> () // x\0y\n}) : (i32) -> ()\n\
    %later = \"test.make\"() {s = \"\\C3\\A9 \\\\\"} : () -> i64\n#loc1 = loc(fused[\"a\":1:2,\n unknown])\n\
    {-#\n dialect_resources: { builtin: {\n k: \"0x0400000001\"\n} }\n#-}\n// the end";

#[test]
fn what_crosses_the_ends_of_blocks_reads_the_same() {
    let expected = from_memory(ACROSS);
    assert!(expected.0.is_some(), "{:?}", expected.1);
    for block in 1..=ACROSS.len() + 1 {
        assert_eq!(from_stream(ACROSS, block), expected, "in blocks of {block}");
    }
}

#[test]
fn a_text_that_is_cut_off_anywhere_reads_the_same() {
    for end in (0..ACROSS.len()).filter(|&end| ACROSS.is_char_boundary(end)) {
        let text = &ACROSS[..end];
        let expected = from_memory(text);
        for block in [1, 50] {
            assert_eq!(
                from_stream(text, block),
                expected,
                "{text} in blocks of {block}"
            );
        }
    }
}

#[test]
fn a_line_break_ends_a_string_in_a_body() {
    let text = "\"test.a\"() : () -> !test.t<\"x\\\ny\">\n";
    let expected = from_memory(text);
    assert!(expected.0.is_none());
    assert_eq!(from_stream(text, 1), expected);
}
