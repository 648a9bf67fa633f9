//! The keywords of a test file: `RUN:` and the others.

use std::collections::BTreeSet;

use super::condition;

/// A `RUN:` line, with its continuation lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RunLine {
    pub(crate) line: usize,
    pub(crate) last_line: usize,
    pub(crate) command: String,
}

/// A `DEFINE:` or `REDEFINE:` line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Definition {
    pub(crate) line: usize,
    pub(crate) last_line: usize,
    pub(crate) is_new: bool,
    body: String,
    pub(crate) name: String,
    pub(crate) value: String,
}

/// A line of the script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Directive {
    Run(RunLine),
    Define(Definition),
}

/// The directives of a test file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Script {
    pub(crate) directives: Vec<Directive>,
    pub(crate) requires: Vec<String>,
    pub(crate) unsupported: Vec<String>,
    pub(crate) expected_failures: Vec<String>,
    pub(crate) retries: Option<usize>,
}

const KEYWORDS: [&str; 8] = [
    "RUN:",
    "XFAIL:",
    "REQUIRES:",
    "UNSUPPORTED:",
    "ALLOW_RETRIES:",
    "END.",
    "DEFINE:",
    "REDEFINE:",
];

/// Reads a test file.
///
/// # Errors
/// The error describes the problem; the test is then unresolved.
pub(crate) fn parse(text: &[u8]) -> Result<Script, String> {
    let mut script = Script::default();
    for (index, line) in text.split(|byte| *byte == b'\n').enumerate() {
        let Some((at, keyword)) = first_keyword(line) else {
            continue;
        };
        let rest = String::from_utf8_lossy(&line[at + keyword.len()..]);
        let rest = rest.trim_end_matches('\r');
        if keyword == "END." {
            if rest.trim().is_empty() {
                break;
            }
            continue;
        }
        keyword_line(&mut script, index + 1, keyword, rest).map_err(|message| {
            format!(
                "{message}\nin {keyword} directive on test line {}",
                index + 1
            )
        })?;
    }
    validate(&script)?;
    Ok(script)
}

/// The leftmost keyword of a line. `REDEFINE:` starts before the `DEFINE:` in it.
fn first_keyword(line: &[u8]) -> Option<(usize, &'static str)> {
    // All keywords end with a colon or the dot of `END.`; most lines contain neither.
    memchr::memchr2(b':', b'.', line)?;
    KEYWORDS
        .iter()
        .filter_map(|keyword| Some((memchr::memmem::find(line, keyword.as_bytes())?, *keyword)))
        .min_by_key(|(at, _)| *at)
}

fn keyword_line(script: &mut Script, line: usize, keyword: &str, rest: &str) -> Result<(), String> {
    match keyword {
        "RUN:" => {
            run_line(script, line, rest);
            Ok(())
        }
        "DEFINE:" | "REDEFINE:" => definition(script, line, keyword == "DEFINE:", rest),
        "REQUIRES:" => conditions(&mut script.requires, rest),
        "UNSUPPORTED:" => conditions(&mut script.unsupported, rest),
        "XFAIL:" => conditions(&mut script.expected_failures, rest),
        _ => {
            if script.retries.is_some() {
                return Err("Test has more than one ALLOW_RETRIES lines".to_owned());
            }
            let number = rest.trim().parse().map_err(|_| {
                format!("INTEGER parser requires the input to be an integer (got {rest})")
            })?;
            script.retries = Some(number);
            Ok(())
        }
    }
}

fn ends_in_backslash(text: &str) -> bool {
    text.trim_end().ends_with('\\')
}

fn run_line(script: &mut Script, line: usize, rest: &str) {
    let rest = substitute_line_numbers(line, rest);
    if let Some(Directive::Run(run)) = script.directives.last_mut()
        && run.command.ends_with('\\')
    {
        run.command.pop();
        run.command.push_str(rest.trim_end());
        run.last_line = line;
        return;
    }
    let command = rest.trim_end().to_owned();
    script.directives.push(Directive::Run(RunLine {
        line,
        last_line: line,
        command,
    }));
}

fn definition(script: &mut Script, line: usize, is_new: bool, rest: &str) -> Result<(), String> {
    let rest = substitute_line_numbers(line, rest);
    if let Some(Directive::Define(last)) = script.directives.last_mut()
        && last.is_new == is_new
        && ends_in_backslash(&last.body)
    {
        if rest.trim().is_empty() {
            return Err("Substitution's continuation is empty".to_owned());
        }
        let kept = last.body.trim_end().trim_end_matches('\\').trim_end();
        last.body = format!("{kept} {}", rest.trim_start());
        last.last_line = line;
        return finish_definition(last);
    }
    let mut definition = Definition {
        line,
        last_line: line,
        is_new,
        body: rest,
        name: String::new(),
        value: String::new(),
    };
    finish_definition(&mut definition)?;
    script.directives.push(Directive::Define(definition));
    Ok(())
}

/// Splits the body once it is complete.
fn finish_definition(definition: &mut Definition) -> Result<(), String> {
    if ends_in_backslash(&definition.body) {
        return Ok(());
    }
    let Some((name, value)) = definition.body.split_once('=') else {
        return Err("Substitution's definition does not contain '='".to_owned());
    };
    let name = name.trim();
    let inside = name
        .strip_prefix("%{")
        .and_then(|rest| rest.strip_suffix('}'));
    let is_valid = inside.is_some_and(|inside| {
        inside.starts_with(|first: char| first == '_' || first.is_ascii_alphabetic())
            && inside
                .chars()
                .all(|next| next.is_ascii_alphanumeric() || "-_:".contains(next))
    });
    if !is_valid {
        return Err(format!(
            "Substitution name '{name}' is malformed as it must start with '%{{', it must end \
             with '}}', and the rest must start with a letter or underscore and contain only \
             alphanumeric characters, hyphens, underscores, and colons"
        ));
    }
    definition.name = name.to_owned();
    definition.value = value.trim().to_owned();
    Ok(())
}

/// Adds comma-separated expressions; a backslash continues the last one.
fn conditions(list: &mut Vec<String>, rest: &str) -> Result<(), String> {
    let mut parts = rest
        .split(',')
        .map(str::trim)
        .filter(|part| !part.is_empty());
    if let Some(last) = list.last_mut()
        && last.ends_with('\\')
    {
        last.pop();
        last.push_str(parts.next().unwrap_or(""));
    }
    list.extend(parts.map(str::to_owned));
    let none = BTreeSet::new();
    for expression in list
        .iter()
        .filter(|text| *text != "*" && !text.ends_with('\\'))
    {
        condition::evaluate(expression, &none)?;
    }
    Ok(())
}

/// `%(line)`, `%(line+N)` and `%(line-N)`.
fn substitute_line_numbers(line: usize, text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("%(line") {
        out.push_str(&rest[..at]);
        let inside = &rest[at + 6..];
        match line_number(line, inside) {
            Some((number, length)) => {
                out.push_str(&number.to_string());
                rest = &inside[length..];
            }
            None => {
                out.push_str("%(line");
                rest = inside;
            }
        }
    }
    out + rest
}

/// Parses what follows `%(line`; returns its value and its length.
fn line_number(line: usize, text: &str) -> Option<(i64, usize)> {
    let close = text.find(')')?;
    let line = i64::try_from(line).ok()?;
    let inside = text[..close].trim_start_matches(' ');
    let (sign, digits) = match inside.chars().next() {
        None => return (close == 0).then_some((line, 1)),
        Some('+') => (1, &inside[1..]),
        Some('-') => (-1, &inside[1..]),
        Some(_) => return None,
    };
    let digits = digits.trim_start_matches(' ');
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let offset: i64 = is_number.then(|| digits.parse().ok())??;
    Some((line.checked_add(sign * offset)?, close + 1))
}

fn validate(script: &Script) -> Result<(), String> {
    let has_run = script
        .directives
        .iter()
        .any(|line| matches!(line, Directive::Run(_)));
    if !has_run {
        return Err("Test has no 'RUN:' line".to_owned());
    }
    for directive in &script.directives {
        let (keyword, first, last, is_open) = match directive {
            Directive::Run(run) => ("RUN:", run.line, run.last_line, run.command.ends_with('\\')),
            Directive::Define(define) => {
                let keyword = if define.is_new {
                    "DEFINE:"
                } else {
                    "REDEFINE:"
                };
                (
                    keyword,
                    define.line,
                    define.last_line,
                    ends_in_backslash(&define.body),
                )
            }
        };
        if is_open {
            let place = location(first, last);
            return Err(format!(
                "Test has unterminated '{keyword}' directive (with '\\') {place}"
            ));
        }
    }
    for (keyword, list) in [
        ("XFAIL:", &script.expected_failures),
        ("REQUIRES:", &script.requires),
        ("UNSUPPORTED:", &script.unsupported),
    ] {
        if list.last().is_some_and(|last| last.ends_with('\\')) {
            return Err(format!(
                "Test has unterminated '{keyword}' lines (with '\\')"
            ));
        }
    }
    Ok(())
}

/// Describes the lines of a directive.
pub(crate) fn location(first: usize, last: usize) -> String {
    if first == last {
        format!("at line {first}")
    } else {
        format!("from line {first} to {last}")
    }
}

#[cfg(test)]
mod tests {
    use super::{Directive, parse};

    fn commands(text: &str) -> Vec<String> {
        let script = parse(text.as_bytes()).expect("a valid test");
        let command = |line| match line {
            Directive::Run(run) => run.command,
            Directive::Define(define) => format!("{} := {}", define.name, define.value),
        };
        script.directives.into_iter().map(command).collect()
    }

    #[test]
    fn lines_continue_and_know_their_numbers() {
        let text = "// RUN: a %(line) \\\n// RUN:   b %(line+1) %(line - 1) %(linex)\n// RUN: c\n";
        assert_eq!(commands(text), [" a 1    b 3 1 %(linex)", " c"]);
        let text = "# DEFINE: %{x} = a \\\n# DEFINE:   b\n# RUN: %{x}";
        assert_eq!(commands(text), ["%{x} := a b", " %{x}"]);
        assert_eq!(commands("RUN: a\nEND.\nRUN: b"), [" a"]);
        assert_eq!(commands("RUN: a\nEND. of what\nRUN: b"), [" a", " b"]);
    }

    #[test]
    fn conditions_are_lists() {
        let script =
            parse(b"RUN: x\nREQUIRES: a, b && c\nXFAIL: *\nUNSUPPORTED: d \\\nUNSUPPORTED: || e")
                .expect("a valid test");
        assert_eq!(script.requires, ["a", "b && c"]);
        assert_eq!(script.expected_failures, ["*"]);
        assert_eq!(script.unsupported, ["d || e"]);
    }

    #[test]
    fn mistakes_make_a_test_unresolved() {
        for (text, part) in [
            ("CHECK: x", "Test has no 'RUN:' line"),
            (
                "RUN: a \\",
                "unterminated 'RUN:' directive (with '\\') at line 1",
            ),
            ("RUN: a\nREQUIRES: b \\", "unterminated 'REQUIRES:' lines"),
            (
                "RUN: a\nREQUIRES: (b",
                "in REQUIRES: directive on test line 2",
            ),
            (
                "DEFINE: %x = 1\nRUN: a",
                "Substitution name '%x' is malformed",
            ),
            ("DEFINE: %{x}\nRUN: a", "does not contain '='"),
            ("ALLOW_RETRIES: many\nRUN: a", "INTEGER parser requires"),
        ] {
            let message = parse(text.as_bytes()).expect_err(text);
            assert!(message.contains(part), "{text}: {message}");
        }
    }
}
