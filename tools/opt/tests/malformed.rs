//! Broken and hostile input: every file of `tests/malformed`, the large ones its manifest
//! describes, and valid files cut off at every byte. Each must end in a located error or in IR,
//! never in a panic.

use std::fs;
use std::path::{Path, PathBuf};

use orison_ir::parser::check_utf8;
use orison_ir::{Context, Diagnostic, ParseError, Source, parse_source};
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

/// Parses and verifies; the diagnostics.
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
    }
}

/// Times an input is nested or repeated.
const MANY: usize = 100_000;
/// Bytes of the long lines.
const LONG: usize = 10_000_000;

/// The text of a generated input by name; none when it is made in another test.
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

#[test]
fn valid_files_may_be_cut_off_anywhere() {
    for entry in fs::read_dir(folder().join("seeds")).expect("the seeds") {
        let path = entry.expect("an entry").path();
        let bytes = fs::read(&path).expect("a seed");
        for end in 0..bytes.len() {
            let (ok, _, diagnostics) = run(&bytes[..end]);
            assert!(
                ok || !diagnostics.is_empty(),
                "{}: cut at {end}",
                path.display()
            );
        }
    }
}
