//! Bytecode: files written by every version of mlir-opt are read as the IR they were written from,
//! written bytecode round-trips, and broken files are reported as errors.

mod common;

use std::path::Path;

use common::{context, read};
use orison_ir::bytecode::{BytecodeOptions, VERSION, read_bytecode, write_bytecode};
use orison_ir::{
    Context, Operation, ParseResult, PrintFlags, Source, parse_source, print_to_string,
};

fn file(name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/format/bytecode");
    std::fs::read(folder.join(name)).expect("a file of the corpus")
}

/// The text of the corpus without the features that versions before 5 cannot encode.
fn text(version: u64) -> String {
    let text = String::from_utf8(file("all.mlir")).expect("a text");
    match version {
        0..5 => text
            .replace("<{kept = \"as they are\"}> ", "")
            .replace("<{}> ", ""),
        _ => text,
    }
}

/// Reads bytecode and verifies it.
fn read_bytes(context: &mut Context, bytes: &[u8]) -> ParseResult<Operation> {
    let op = read_bytecode(context, "input.mlirbc", bytes, true)?;
    context.verify(op)?;
    Ok(op)
}

/// The operation in full, except for the columns after the positions that [`text`] removes.
fn exact(context: &Context, op: Operation) -> String {
    let flags = PrintFlags {
        debug_info: true,
        ..PrintFlags::generic()
    };
    print_to_string(context, op, &flags)
}

fn expected(version: u64) -> String {
    let mut context = context();
    let text = text(version);
    let source = Source {
        name: "all.mlir",
        text: &text,
        first_line: 1,
    };
    let module = parse_source(&mut context, source).expect("the corpus is valid");
    exact(&context, module)
}

#[test]
fn files_of_mlir_opt_are_read_in_every_version() {
    for version in 0..=VERSION {
        let mut context = context();
        let read = read_bytes(&mut context, &file(&format!("v{version}.mlirbc")));
        let errors = context.diagnostics.take();
        let module = read.unwrap_or_else(|_| panic!("version {version}: {errors:?}"));
        assert_eq!(
            exact(&context, module),
            expected(version),
            "version {version}"
        );
    }
}

#[test]
fn what_is_written_is_read_back_in_every_version() {
    for version in 0..=VERSION {
        let mut first = context();
        let module = read(&mut first, &text(version), 1).expect("the corpus is valid");
        let options = BytecodeOptions {
            version: version.cast_signed(),
            ..BytecodeOptions::default()
        };
        let bytes = write_bytecode(&mut first, module, &options).expect("it can be written");
        let mut second = context();
        let again = read_bytes(&mut second, &bytes).expect("it can be read");
        assert_eq!(
            exact(&second, again),
            exact(&first, module),
            "version {version}"
        );
        let rewritten = write_bytecode(&mut second, again, &options).expect("once more");
        assert_eq!(rewritten, bytes, "version {version}: written again");
    }
}

#[test]
fn what_a_version_cannot_hold_is_an_error_at_the_operation() {
    let mut context = context();
    let module = read(&mut context, &text(VERSION), 1).expect("the corpus is valid");
    for (version, message) in [
        (
            4,
            "properties of an unregistered operation require bytecode version 5",
        ),
        (
            7,
            "unsupported version requested 7, must be in range [0, 6]",
        ),
        (
            -1,
            "unsupported version requested -1, must be in range [0, 6]",
        ),
    ] {
        let options = BytecodeOptions {
            version,
            ..BytecodeOptions::default()
        };
        let error = write_bytecode(&mut context, module, &options).expect_err("an error");
        assert_eq!(error.message, message);
    }
}

/// Reads possibly broken bytes: the result is IR that can be printed, or an error at the file.
fn survive(context: &mut Context, bytes: &[u8]) -> bool {
    let read = read_bytecode(context, "input.mlirbc", bytes, true);
    let diagnostics = context.diagnostics.take();
    let Ok(module) = read else {
        let [error] = diagnostics.as_slice() else {
            panic!("one error, not {diagnostics:?}");
        };
        let text = error.render(context);
        assert!(text.starts_with("input.mlirbc:0:0: error: "), "{text}");
        return false;
    };
    let verified = context.verify(module).is_ok();
    exact(context, module);
    if verified {
        print_to_string(context, module, &PrintFlags::default());
    }
    context.diagnostics.take();
    module.erase(context);
    true
}

#[test]
fn every_truncation_is_an_error() {
    let mut context = context();
    for name in ["v0.mlirbc", "v6.mlirbc"] {
        let bytes = file(name);
        for length in 0..bytes.len() {
            assert!(
                !survive(&mut context, &bytes[..length]),
                "{name}: {length} bytes"
            );
        }
    }
}

/// Each byte is replaced by other values: small and large counts, other kinds, other integer
/// lengths.
#[test]
fn every_changed_byte_ends_in_ir_or_an_error() {
    let (mut context, mut valid) = (context(), 0);
    let mut capacity = 0;
    // The last files were read before: what they need is there, if all of it was erased.
    for (name, step, again) in [
        ("v2.mlirbc", 3, false),
        ("v6.mlirbc", 1, false),
        ("v6.mlirbc", 5, true),
    ] {
        let mut bytes = file(name);
        for position in (0..bytes.len()).step_by(step) {
            let original = bytes[position];
            let changes = [
                0,
                1,
                0xff,
                original ^ 2,
                original ^ 0x80,
                original.wrapping_add(2),
            ];
            bytes[position] = changes[position % changes.len()];
            valid += usize::from(survive(&mut context, &bytes));
            bytes[position] = original;
        }
        let before = std::mem::replace(&mut capacity, context.operation_capacity());
        assert!(!again || capacity == before, "{before} became {capacity}");
    }
    // Bytes of strings and of integers may change.
    assert!(valid > 100);
}
