//! Parsing PTX: real and broken texts.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use orison_translate::ptx::ast::{Expression, Item, Statement, StatementKind};
use orison_translate::ptx::{self, check_utf8};
use proptest::prelude::*;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/translate")
}

fn texts() -> Vec<(PathBuf, String)> {
    let entries = fs::read_dir(folder().join("ptx")).expect("the folder of PTX");
    let mut files: Vec<_> = entries
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "ptx"));
    files.sort();
    assert!(files.len() >= 10, "{files:?}");
    let read = |file: PathBuf| {
        let text = fs::read_to_string(&file).expect("text");
        (file, text)
    };
    files.into_iter().map(read).collect()
}

/// Instructions of all blocks.
fn instructions(statements: &[Statement<'_>]) -> usize {
    let count = |statement: &Statement<'_>| match &statement.kind {
        StatementKind::Instruction(_) => 1,
        StatementKind::Block(inner) => instructions(inner),
        _ => 0,
    };
    statements.iter().map(count).sum()
}

#[test]
fn what_is_printed_reads_as_the_same() {
    for (file, text) in texts() {
        let module = match ptx::parse(&text) {
            Ok(module) => module,
            Err(error) => panic!("{}", error.render(&file.to_string_lossy(), &text)),
        };
        let printed = module.to_string();
        let again = ptx::parse(&printed).expect("what was printed");
        assert_eq!(again.to_string(), printed, "{}", file.display());
        assert_eq!(again.items.len(), module.items.len(), "{}", file.display());
    }
}

#[test]
fn no_statement_is_lost() {
    for (file, text) in texts() {
        if file.ends_with("syntax.ptx") {
            continue;
        }
        let module = ptx::parse(&text).expect("well-formed");
        let bodies = module.items.iter().filter_map(|item| match item {
            Item::Function(function) => function.body.as_deref(),
            _ => None,
        });
        let found: usize = bodies.map(instructions).sum();
        // Counted without the parser: the text before a semicolon is an instruction if one of its
        // lines, without label and opening brace, begins with a letter or a guard.
        let without_comments: String = text
            .lines()
            .map(|line| format!("{}\n", line.split("//").next().unwrap_or("")))
            .collect();
        let begins = |line: &str| {
            let line = line.trim_start_matches(['{', '}', ' ', '\t']);
            let line = line
                .split_once(": ")
                .map_or(line, |(_, rest)| rest.trim_start());
            !line.ends_with(':')
                && line.starts_with(|first: char| first == '@' || first.is_ascii_alphabetic())
        };
        // Do not count jump tables as instructions.
        let chunks = without_comments
            .split(';')
            .filter(|chunk| !chunk.contains(".branchtargets"));
        let expected = chunks.filter(|chunk| chunk.lines().any(begins)).count();
        assert_eq!(found, expected, "{}", file.display());
    }
}

#[test]
fn operands_are_what_they_look_like() {
    let text = ".entry k() { @!%p1 ld.shared::cta.v2.b32 {%r1, _}, [a + -4]; }";
    let module = ptx::parse(text).expect("well-formed");
    let Item::Function(function) = &module.items[0] else {
        panic!("a function");
    };
    let body = function.body.as_deref().expect("a body");
    let StatementKind::Instruction(load) = &body[0].kind else {
        panic!("an instruction");
    };
    assert_eq!((body[0].place.line, body[0].place.column), (1, 14));
    assert_eq!(load.guard, Some((true, "%p1")));
    assert_eq!(
        (load.name, &load.modifiers[..]),
        ("ld", &[".shared::cta", ".v2", ".b32"][..])
    );
    let vector = Expression::Vector(vec![Expression::Name("%r1"), Expression::Name("_")]);
    let four = Expression::Unary('-', Box::new(Expression::Integer(4, false)));
    let sum = Expression::Binary("+", Box::new(Expression::Name("a")), Box::new(four));
    assert_eq!(load.operands, [vector, Expression::Address(vec![sum])]);
}

#[test]
fn numbers_are_exact() {
    let numbers = [
        ("0x10", Expression::Integer(16, false)),
        ("017", Expression::Integer(15, false)),
        ("0b101U", Expression::Integer(5, true)),
        ("18446744073709551615", Expression::Integer(u64::MAX, false)),
        ("0f7FC00000", Expression::Single(0x7fc0_0000)),
        (
            "0d7FF8000000000001",
            Expression::Double(0x7ff8_0000_0000_0001),
        ),
        ("1.5", Expression::Double(1.5f64.to_bits())),
        ("2E-3", Expression::Double(0.002f64.to_bits())),
    ];
    for (text, expected) in numbers {
        let text = format!(".entry k() {{ mov a, {text}; }}");
        let module = ptx::parse(&text).expect("well-formed");
        let Item::Function(function) = &module.items[0] else {
            panic!("a function");
        };
        let StatementKind::Instruction(mov) = &function.body.as_deref().expect("a body")[0].kind
        else {
            panic!("an instruction");
        };
        assert_eq!(mov.operands[1], expected, "{text}");
    }
}

#[test]
fn broken_texts_get_located_errors() {
    let manifest = fs::read_to_string(folder().join("malformed.toml")).expect("the manifest");
    let manifest: toml::Table = manifest.parse().expect("TOML");
    let files = manifest["file"].as_array().expect("files");
    assert!(files.len() >= 80, "{}", files.len());
    for file in files {
        let text = |key: &str| file[key].as_str().expect("a string");
        let number = |key: &str| file[key].as_integer().expect("a number");
        let name = text("name");
        let error = match ptx::parse(text("text")) {
            Ok(module) => panic!("{name} was read as\n{module}"),
            Err(error) => error,
        };
        let place = (i64::from(error.place.line), i64::from(error.place.column));
        assert_eq!(
            place,
            (number("line"), number("column")),
            "{name}: {}",
            error.message
        );
        assert!(
            error.message.contains(text("error")),
            "{name}: {}",
            error.message
        );
    }
}

#[test]
fn an_error_shows_the_line() {
    let text = ".version 8.8\n\t.target 5\n";
    let error = ptx::parse(text).expect_err("a number");
    assert_eq!(
        error.render("a.ptx", text),
        "a.ptx:2:10: error: expected a target like 'sm_90a', found '5'\n\t.target 5\n\t        ^\n"
    );
    let error = check_utf8(b".version\n.tar\xffget").expect_err("invalid");
    assert_eq!((error.place.line, error.place.column), (2, 5));
}

#[test]
fn cut_texts_never_panic_and_errors_lie_within() {
    for (_, text) in texts() {
        let step = (text.len() / 400).max(1);
        for end in (0..text.len())
            .step_by(step)
            .filter(|end| text.is_char_boundary(*end))
        {
            if let Err(error) = ptx::parse(&text[..end]) {
                let lines = text[..end].split('\n').count();
                let line = usize::try_from(error.place.line).expect("small");
                assert!((1..=lines).contains(&line), "{error:?}");
            }
        }
    }
}

/// A kernel of about this many bytes.
fn large(bytes: usize) -> String {
    let mut text = String::from(".version 8.8\n.target sm_90a\n.visible .entry k()\n{\n");
    let mut number = 0;
    while text.len() < bytes {
        let _ = writeln!(
            text,
            "$L{number}:\n\t@%p{number} mad.lo.s32 %r{number}, %r1, {{%r2, %r3}}, [%rd{number}+{number}];"
        );
        number += 1;
    }
    text.push_str("}\n");
    text
}

/// A megabyte is parsed whole; `cargo bench -p orison-translate --bench scaling` measures how the time grows.
#[test]
fn a_long_text_is_parsed_whole() {
    let text = large(1_000_000);
    let module = ptx::parse(&text).expect("it is well-formed");
    let count = text.matches("mad.lo.s32").count();
    assert!(count > 10_000, "{count}");
    assert_eq!(module.to_string().matches("mad.lo.s32").count(), count);
}

proptest! {
    #[test]
    fn replaced_bytes_never_panic(at in 0usize..4000, byte in 0u8..128, file in 0usize..10) {
        let texts = texts();
        let mut bytes = texts[file].1.clone().into_bytes();
        let at = at % bytes.len();
        bytes[at] = byte;
        if let Ok(text) = std::str::from_utf8(&bytes)
            && let Ok(module) = ptx::parse(text)
        {
            let printed = module.to_string();
            let again = ptx::parse(&printed).expect("what was printed");
            prop_assert_eq!(again.to_string(), printed);
        }
    }

    #[test]
    fn any_text_is_read_or_refused(text in "[ -~\\n\\t]{0,200}") {
        let _ = ptx::parse(&text);
    }
}
