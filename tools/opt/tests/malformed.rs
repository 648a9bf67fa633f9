//! Broken and hostile input: every file of `tests/malformed`, the large ones described by its
//! manifest, and valid files truncated at every byte. Each must result in a located error or in IR,
//! never in a panic.

mod common;

use std::fs;
use std::path::{Path, PathBuf};

use orison_ir::parser::{MAX_DEPTH, check_utf8};
use orison_ir::printer::print_in_place;
use orison_ir::{
    Context, Diagnostic, Mapping, ParseError, PrintFlags, Source, parse_source, print_to_string,
};
use serde::Deserialize;

#[derive(Deserialize)]
struct Manifest {
    file: Vec<Broken>,
    accepted: Vec<Accepted>,
    generated: Vec<Generated>,
}

#[derive(Deserialize)]
struct Broken {
    path: String,
    line: u32,
    column: u32,
    error: String,
}

#[derive(Deserialize)]
struct Accepted {
    path: String,
    /// The operations of the file, printed, if something in the file could hide them.
    prints: Option<String>,
}

#[derive(Deserialize)]
struct Generated {
    name: String,
    #[serde(default)]
    error: String,
    #[serde(default)]
    valid: bool,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/malformed")
}

fn manifest() -> Manifest {
    let text = fs::read_to_string(folder().join("manifest.toml")).expect("the manifest");
    toml::from_str(&text).expect("a well-formed manifest")
}

/// Parses and verifies; returns the diagnostics.
fn run(bytes: &[u8]) -> (bool, Context, Vec<Diagnostic>) {
    let mut context = Context::new();
    orison_host::register(&mut context);
    orison_tileas::register(&mut context);
    context.allow_unregistered_dialects(true);
    let result = check_utf8(&mut context, "input.mlir", bytes, 1).and_then(|text| {
        let source = Source {
            name: "input.mlir",
            text,
            first_line: 1,
        };
        let module = parse_source(&mut context, source)?;
        context.verify(module).map_err(|_| ParseError)
    });
    let diagnostics = context.diagnostics.take();
    (result.is_ok(), context, diagnostics)
}

#[test]
fn every_broken_file_gets_its_error_at_its_place() {
    let mut failures = Vec::new();
    for broken in manifest().file {
        let bytes = fs::read(folder().join(&broken.path)).expect("a file of the manifest");
        let (ok, context, diagnostics) = run(&bytes);
        let Some(first) = diagnostics.first().filter(|_| !ok) else {
            failures.push(format!(
                "{}: accepted, or rejected without a message",
                broken.path
            ));
            continue;
        };
        let place = first
            .location
            .position(&context)
            .map(|(_, line, column)| (line, column));
        if place != Some((broken.line, broken.column)) || !first.message.contains(&broken.error) {
            failures.push(format!(
                "{}: expected {}:{} {:?}\n    found {place:?} {:?}",
                broken.path, broken.line, broken.column, broken.error, first.message
            ));
        }
    }
    assert!(
        failures.is_empty(),
        "{} failures:\n{}",
        failures.len(),
        failures.join("\n")
    );
}

#[test]
fn odd_files_that_are_valid_are_accepted() {
    for accepted in manifest().accepted {
        let bytes = fs::read(folder().join(&accepted.path)).expect("a file of the manifest");
        let (ok, _, diagnostics) = run(&bytes);
        assert!(ok, "{}: {:?}", accepted.path, diagnostics.first());
        if let Some(expected) = accepted.prints {
            let text = String::from_utf8(bytes).expect("text");
            let found = common::orison(&text, &["--allow-unregistered-dialect"]).expect("accepted");
            let lines: Vec<_> = found.lines().map(str::trim).collect();
            let lines = lines.into_iter().filter(|line| line.contains('"'));
            assert_eq!(
                lines.collect::<Vec<_>>().join("\n"),
                expected,
                "{}",
                accepted.path
            );
        }
    }
}

/// Nesting depth or repetitions of an input.
const MANY: usize = 100_000;
/// Bytes of the long lines.
const LONG: usize = 10_000_000;

/// The text of a generated input by name; `None` if another test generates it.
fn generate(name: &str) -> Option<String> {
    let nest = |open: &str, middle: &str, close: &str| {
        format!("{}{middle}{}", open.repeat(MANY), close.repeat(MANY))
    };
    let op = |attribute: &str| format!("\"d.op\"() {{a = {attribute}}} : () -> ()\n");
    let ty = |ty: &str| format!("\"d.op\"() : () -> {ty}\n");
    let affine = |expression: &str| op(&format!("affine_map<(i, j) -> ({expression})>"));
    let located = |location: &str| format!("\"d.op\"() : () -> () loc({location})\n");
    Some(match name {
        "nested-function-types" => ty(&nest("(", "i32", "")),
        "nested-tuple-types" => ty(&nest("tuple<", "i32", ">")),
        "nested-tuple-types-open" => ty(&nest("tuple<", "i32", "")),
        "nested-complex-types" => ty(&nest("complex<", "f32", ">")),
        "nested-arrays" => op(&nest("[", "", "]")),
        "nested-dictionaries" => op(&nest("{a = ", "1", "}")),
        "nested-dense-lists" => op(&format!("dense<{}> : tensor<1xi32>", nest("[", "1", "]"))),
        "nested-foreign-type" => ty(&format!("!d.t<{}>", nest("<", "", ">"))),
        "nested-foreign-type-open" => ty(&format!("!d.t<{}", "([{<".repeat(MANY / 4))),
        "nested-regions" => nest("\"d.op\"() ({\n", "", "}) : () -> ()\n"),
        "nested-regions-open" => nest("\"d.op\"() ({\n", "", ""),
        "nested-custom-regions" => {
            format!(
                "func.func @f(%c: i1) {{ {} return }}",
                nest("scf.if %c {\n", "", "}\n")
            )
        }
        "nested-modules" => nest("module {\n", "", "}\n"),
        "nested-affine-parentheses" => affine(&nest("(", "i", ")")),
        "nested-affine-signs" => affine(&nest("-", "i", "")),
        "long-affine-sum" => affine(&vec!["i + j"; MANY / 2].join(" + ")),
        "nested-locations-callsite" => located(&nest("callsite(", "unknown", " at unknown)")),
        "nested-locations-name" => located(&nest("\"n\"(", "unknown", ")")),
        "nested-locations-fused" => located(&nest("fused[", "unknown", "]")),
        "nested-metadata" => {
            format!(
                "{{-# external_resources: {} #-}}",
                nest("{ a: ", "{}", " }")
            )
        }
        "alias-chain" => {
            let mut text = "#a0 = [1]\n".to_owned();
            for number in 1..MANY {
                text += &format!("#a{number} = [#a{}]\n", number - 1);
            }
            text + &op(&format!("#a{}", MANY - 1))
        }
        "alias-doubling" => {
            let mut text = "!t0 = tuple<i1, i1>\n".to_owned();
            for number in 1..=64 {
                text += &format!("!t{number} = tuple<!t{0}, !t{0}>\n", number - 1);
            }
            text + "\"d.op\"(%x) : (!t64) -> ()\n"
        }
        "one-line-operations" => {
            let one = "\"d.op\"() : () -> () ";
            one.repeat(LONG / one.len()) + "}"
        }
        "one-line-string" => op(&format!("\"{}\"", "x".repeat(LONG))),
        "one-line-string-open" => op(&format!("\"{}", "x".repeat(LONG))),
        "one-line-identifier" => format!("\"d.op\"(%{}) : (i32) -> ()", "x".repeat(LONG)),
        "one-line-comment" => format!("// {}", "x".repeat(LONG)),
        "one-line-digits" => op(&format!("{} : i64", "7".repeat(LONG))),
        "many-operands" => {
            let (names, types) = (vec!["%0"; MANY * 10], vec!["i1"; MANY * 10]);
            format!(
                "\"d.op\"({}) : ({}) -> ()",
                names.join(","),
                types.join(",")
            )
        }
        "many-errors" => {
            let uses = (0..MANY * 10).map(|number| format!("\"d.op\"(%{number}) : (i1) -> ()\n"));
            uses.collect()
        }
        "many-block-labels" => {
            let labels: Vec<_> = (0..MANY).map(|number| format!("^b{number}")).collect();
            format!(
                "\"d.op\"() ({{\n\"d.br\"()[{}] : () -> ()\n}}) : () -> ()",
                labels.join(", ")
            )
        }
        _ => return None,
    })
}

#[test]
fn large_inputs_end_in_an_error_or_in_ir() {
    for generated in manifest().generated {
        let Some(text) = generate(&generated.name) else {
            continue;
        };
        let (ok, context, diagnostics) = run(text.as_bytes());
        println!(
            "{}: {ok}, {} diagnostics",
            generated.name,
            diagnostics.len()
        );
        assert!(
            ok || !diagnostics.is_empty(),
            "{}: rejected silently",
            generated.name
        );
        assert!(
            ok || !generated.valid,
            "{}: {:?}",
            generated.name,
            diagnostics.first()
        );
        if let Some(first) = diagnostics.first() {
            let has = first.message.contains(&generated.error);
            assert!(has, "{}: {}", generated.name, first.message);
            let shown = first.render(&context);
            assert!(
                shown.len() < 100_000,
                "{}: {} bytes",
                generated.name,
                shown.len()
            );
        }
    }
}

/// The seeds: valid files to truncate and mutate.
fn seeds() -> Vec<(PathBuf, Vec<u8>)> {
    let mut paths: Vec<_> = fs::read_dir(folder().join("seeds"))
        .expect("the seeds")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    paths.sort();
    let read = |path: PathBuf| {
        let bytes = fs::read(&path).expect("a seed");
        (path, bytes)
    };
    paths.into_iter().map(read).collect()
}

/// The input must result in IR or in a located error.
fn survives(what: &str, bytes: &[u8]) {
    let (ok, context, diagnostics) = run(bytes);
    assert!(ok || !diagnostics.is_empty(), "{what}: rejected silently");
    for diagnostic in diagnostics {
        // A text may specify an unknown location.
        let located = diagnostic.location.position(&context).is_some();
        let says = memchr::memmem::find(bytes, b"loc(").is_some();
        assert!(
            located || says,
            "{what}: {:?} is nowhere",
            diagnostic.message
        );
    }
}

#[test]
fn valid_files_are_accepted() {
    for (path, bytes) in seeds() {
        let (ok, _, diagnostics) = run(&bytes);
        // This file contains several texts.
        let ok = ok || path.ends_with("split.mlir");
        assert!(ok, "{}: {:?}", path.display(), diagnostics.first());
    }
}

#[test]
fn valid_files_may_be_cut_off_anywhere() {
    for (path, bytes) in seeds() {
        for end in 0..bytes.len() {
            survives(&format!("{}: cut at {end}", path.display()), &bytes[..end]);
        }
    }
}

#[test]
fn any_byte_may_be_missing() {
    for (path, bytes) in seeds() {
        let mut rest = bytes[1..].to_vec();
        for number in 0..rest.len() {
            survives(&format!("{}: without {number}", path.display()), &rest);
            rest[number] = bytes[number];
        }
    }
}

#[test]
fn bytes_may_be_others() {
    const BYTES: &[u8] = br#"<>(){}[]"%#!^@:,-=0x"#;
    // A xorshift generator: the same mutations in every run.
    let mut state = 0x2545_F491_4F6C_DD1D_u64;
    let mut random = |bound: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state >> 33).unwrap_or(0) % bound
    };
    for (path, bytes) in seeds() {
        for round in 0..200 {
            let mut changed = bytes.clone();
            for _ in 0..=random(3) {
                changed[random(bytes.len())] = BYTES[random(BYTES.len())];
            }
            survives(&format!("{}: change {round}", path.display()), &changed);
        }
    }
}

#[test]
fn any_byte_may_come_first() {
    for byte in 0..=u8::MAX {
        survives(&format!("{byte}"), &[byte]);
        let mut behind = b"\"d.op\"() ".to_vec();
        behind.push(byte);
        survives(&format!("{byte} behind an operation"), &behind);
    }
}

/// At the nesting limit of the parser: accepted IR is also verified, printed, copied, erased.
#[test]
fn what_is_deep_and_accepted_can_be_handled() {
    let nest = |depth: usize, open: &str, middle: &str, close: &str| {
        format!("{}{middle}{}", open.repeat(depth), close.repeat(depth))
    };
    let op = |attribute: &str| format!("\"d.op\"() {{a = {attribute}}} : () -> ()\n");
    let texts: [&dyn Fn(usize) -> String; 11] = [
        &|depth| nest(depth, "\"d.op\"() ({\n", "", "}) : () -> ()\n"),
        &|depth| nest(depth, "module {\n", "", "}\n"),
        &|depth| {
            let body = nest(depth, "scf.if %c {\n", "", "}\n");
            format!("func.func @f(%c: i1) {{ {body} return }}")
        },
        &|depth| {
            let open = |level| format!("scf.for %i{level} = %c to %c step %c {{\n");
            let opens: String = (0..depth).map(open).collect();
            let body = opens + &"}\n".repeat(depth);
            format!("func.func @f(%c: index) {{ {body} return }}")
        },
        &|depth| op(&nest(depth, "[", "", "]")),
        &|depth| op(&nest(depth, "{a = ", "1", "}")),
        &|depth| op(&nest(depth, "tuple<", "i1", ">")),
        &|depth| op(&nest(depth, "() -> (", "i1", ")")),
        &|depth| {
            op(&format!(
                "affine_map<(i, j) -> ({})>",
                nest(depth, "-(i + ", "j", ")")
            ))
        },
        &|depth| {
            op(&format!(
                "affine_map<(i, j) -> ({}j)>",
                "i floordiv 3 + ".repeat(depth)
            ))
        },
        &|depth| {
            format!(
                "\"d.op\"() : () -> () loc({})",
                nest(depth, "\"n\"(", "unknown", ")")
            )
        },
    ];
    for (number, text) in texts.iter().enumerate() {
        let accepted = |depth: &usize| run(text(*depth).as_bytes()).0;
        let depth = (1..=MAX_DEPTH).rev().find(accepted).expect("some depth");
        let (_, mut context, _) = run(b"");
        let source = Source {
            name: "deep",
            text: &text(depth),
            first_line: 1,
        };
        let module = parse_source(&mut context, source).expect("was accepted");
        let copy = module.clone_into(&mut context, &mut Mapping::default());
        for op in [module, copy] {
            context.verify(op).expect("was accepted");
            for generic in [false, true] {
                let flags = PrintFlags {
                    generic,
                    debug_info: true,
                    ..PrintFlags::default()
                };
                let printed = print_to_string(&context, op, &flags);
                assert!(printed.len() > depth, "text {number}");
            }
            print_in_place(&context, op);
            op.erase(&mut context);
        }
        println!("text {number}: {depth} levels");
    }
}
