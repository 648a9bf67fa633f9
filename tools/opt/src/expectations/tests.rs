use super::*;

/// A diagnostic to emit: line (0 for no line), severity, message.
type Emitted<'t> = (u32, Severity, &'t str);

fn failures_at(level: Level, text: &str, emitted: &[Emitted<'_>]) -> Vec<String> {
    let mut context = Context::new();
    let file = Identifier::new(&mut context, "a.mlir");
    let chunk = Chunk {
        text: text.as_bytes().into(),
        first_line: 1,
        first_column: 1,
    };
    let mut expectations = Expectations::read(&mut context, file, &chunk, level);
    for &(line, severity, message) in emitted {
        let location = match line {
            0 => Location::UNKNOWN,
            _ => Location::file(&mut context, file, line, 1),
        };
        let diagnostic = Diagnostic::new(severity, location, message);
        expectations.check(&mut context, vec![diagnostic]);
    }
    let failures = expectations.finish(&mut context);
    let show = |d: Diagnostic| d.render(&context).trim_end().to_owned();
    failures.into_iter().map(show).collect()
}

fn failures(text: &str, emitted: &[Emitted<'_>]) -> Vec<String> {
    failures_at(Level::All, text, emitted)
}

#[test]
fn places() {
    let error = |line| (line, Severity::Error, "abc");
    assert!(failures("x // expected-error {{b}}", &[error(1)]).is_empty());
    assert!(failures("//expected-error@+1{{b}}  \nx", &[error(2)]).is_empty());
    assert!(failures("x\n\n// expected-error @-2 {{abc}}", &[error(1)]).is_empty());
    let two_above = "x\n// expected-error @above {{a}}\n// expected-note@above {{n}}";
    assert!(failures(two_above, &[error(1), (1, Severity::Note, "n")]).is_empty());
    let two_below = "// expected-error @below {{a}}\n// expected-note@below {{n}}\nx";
    assert!(failures(two_below, &[error(3), (3, Severity::Note, "n")]).is_empty());
    assert!(failures("// expected-error @unknown {{a}}", &[error(0)]).is_empty());
    assert!(failures("// expected-error @below {{a}}", &[error(1)]).is_empty());
}

#[test]
fn what_is_not_expected_is_a_failure() {
    assert_eq!(
        failures("x\n", &[(1, Severity::Warning, "w")]),
        ["a.mlir:1:1: error: unexpected warning: w"]
    );
    assert_eq!(
        failures("", &[(0, Severity::Error, "w")]),
        ["<unknown>:0: error: unexpected error: w"]
    );
    let only = failures_at(Level::OnlyExpected, "x\n", &[(1, Severity::Warning, "w")]);
    assert!(only.is_empty());
}

#[test]
fn what_is_expected_and_missing_is_a_failure() {
    assert_eq!(
        failures("  // expected-remark {{r}}", &[]),
        ["a.mlir:1:6: error: expected remark \"r\" was not produced"]
    );
}

#[test]
fn another_severity_is_a_near_miss() {
    let text = "// expected-remark {{r}}";
    assert_eq!(
        failures(text, &[(1, Severity::Error, "r")]),
        [
            "a.mlir:1:4: error: 'error' diagnostic emitted when expecting a 'remark'",
            "a.mlir:1:4: error: expected remark \"r\" was not produced"
        ]
    );
}

#[test]
fn one_expectation_covers_equal_diagnostics() {
    let error = (1, Severity::Error, "abc");
    assert!(failures("// expected-error {{abc}}", &[error, error]).is_empty());
}

#[test]
fn regular_expressions() {
    let error = (1, Severity::Error, "got 12 (of 13)");
    assert!(failures("// expected-error-re {{got {{[0-9]+}} (of}}", &[error]).is_empty());
    assert_eq!(
        failures("// expected-error-re {{a{{b}}", &[]),
        ["a.mlir:1:4: error: found start of regex with no end '}}'"]
    );
    assert_eq!(
        failures("// expected-error-re {{a{{(b}}}}", &[]),
        ["a.mlir:1:4: error: invalid regex: unclosed group"]
    );
}

#[test]
fn the_text_may_hold_braces() {
    let error = (1, Severity::Error, "a {b} }} c");
    assert!(failures("// expected-error {{a {b} }} c}}", &[error]).is_empty());
}

#[test]
fn a_diagnostic_on_another_line_is_not_the_expected_one() {
    let found = failures(
        "x // expected-error {{a}}\ny\n",
        &[(2, Severity::Error, "a")],
    );
    assert_eq!(
        found,
        [
            "a.mlir:2:1: error: unexpected error: a",
            "a.mlir:1:6: error: expected error \"a\" was not produced"
        ]
    );
}

#[test]
fn notes_must_be_expected_too() {
    let mut context = Context::new();
    let file = Identifier::new(&mut context, "a.mlir");
    let chunk = Chunk {
        text: b"x // expected-error {{a}}\n"[..].into(),
        first_line: 1,
        first_column: 1,
    };
    let mut expectations = Expectations::read(&mut context, file, &chunk, Level::All);
    let location = Location::file(&mut context, file, 1, 1);
    let mut diagnostic = Diagnostic::new(Severity::Error, location, "a");
    let note = Diagnostic::new(Severity::Note, location, "n");
    diagnostic.notes.push(note);
    expectations.check(&mut context, vec![diagnostic]);
    let found = expectations.finish(&mut context);
    let found: Vec<_> = found.iter().map(|found| found.message.as_str()).collect();
    assert_eq!(found, ["unexpected note: n"]);
}

#[test]
fn text_outside_of_braces_matches_itself() {
    let error = |message| (1, Severity::Error, message);
    let text = "// expected-error-re {{a.c {{[0-9]}} d.f}}";
    assert!(failures(text, &[error("a.c 1 d.f")]).is_empty());
    assert_eq!(failures(text, &[error("abc 1 d.f")]).len(), 2);
    assert_eq!(failures(text, &[error("a.c 1 def")]).len(), 2);
}
