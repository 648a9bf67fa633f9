//! `--verify-diagnostics`: compares emitted diagnostics with `expected-…` comments.
//!
//! A line ends in `expected-error {{text}}` (or `warning`, `remark`, `note`). It expects a
//! diagnostic whose message contains the text, on the same line, or on the line given by `@+2`,
//! `@-1`, `@above`, `@below`; `@unknown` expects one without a location. `expected-error-re` treats
//! `{{…}}` inside the text as regular expressions. Every diagnostic must be expected and every
//! expectation met.

use std::sync::LazyLock;

use orison_ir::{Context, Diagnostic, Identifier, Location, Severity};
use regex::bytes::Regex;

use crate::split::Chunk;

/// Which diagnostics must be expected.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Level {
    /// All of them.
    All,
    /// None: only expectations are checked.
    OnlyExpected,
}

static DESIGNATOR: LazyLock<Regex> = LazyLock::new(|| {
    let kind = "expected-(error|note|remark|warning)(-re)?";
    let place = r"(?:@([+-][0-9]+|above|below|unknown))?";
    // A constant pattern: the tests would detect a malformed one.
    #[expect(clippy::unwrap_used, reason = "the pattern is a constant")]
    Regex::new(&format!(r"(?-u){kind} *{place} *\{{\{{(.*)\}}\}}$")).unwrap()
});

/// The pattern of an expectation.
#[derive(Debug)]
enum Pattern {
    Substring(String),
    Regex(Regex),
}

#[derive(Debug)]
struct Expectation {
    severity: Severity,
    /// The required line of the diagnostic; `None` for `@unknown`.
    line: Option<u32>,
    /// The location of the expectation.
    place: (u32, u32),
    text: String,
    pattern: Pattern,
    met: bool,
}

/// The expectations of one input, and the mismatches so far.
#[derive(Debug)]
pub struct Expectations {
    file: Identifier,
    level: Level,
    expectations: Vec<Expectation>,
    failures: Vec<Diagnostic>,
}

impl Expectations {
    /// Parses the expectations of an input.
    pub fn read(context: &mut Context, file: Identifier, chunk: &Chunk<'_>, level: Level) -> Self {
        let mut expectations = Expectations {
            file,
            level,
            expectations: Vec::new(),
            failures: Vec::new(),
        };
        expectations.read_lines(context, chunk);
        expectations
    }

    fn read_lines(&mut self, context: &mut Context, chunk: &Chunk<'_>) {
        let mut last_plain_line = chunk.first_line;
        let mut for_next_plain_line: Vec<usize> = Vec::new();
        let mut last_line = chunk.first_line;
        for (line, text) in (chunk.first_line..).zip(chunk.text.split(|&byte| byte == b'\n')) {
            last_line = line;
            let Some(found) = DESIGNATOR.captures(text.trim_ascii_end()) else {
                for index in for_next_plain_line.drain(..) {
                    self.expectations[index].line = Some(line);
                }
                last_plain_line = line;
                continue;
            };
            let group = |number: usize| {
                let bytes = found.get(number).map(|part| part.as_bytes());
                bytes.map(|bytes| String::from_utf8_lossy(bytes).into_owned())
            };
            let column = found.get(0).map_or(0, |whole| whole.start()) + 1;
            let place = (line, u32::try_from(column).unwrap_or(u32::MAX));
            let text = group(4).unwrap_or_default();
            let pattern = match group(2) {
                None => Pattern::Substring(text.clone()),
                Some(_) => match compile(&text) {
                    Ok(regex) => Pattern::Regex(regex),
                    Err(message) => {
                        self.fail(context, place, message);
                        continue;
                    }
                },
            };
            let where_ = group(3);
            if where_.as_deref() == Some("below") {
                for_next_plain_line.push(self.expectations.len());
            }
            self.expectations.push(Expectation {
                severity: severity(&group(1).unwrap_or_default()),
                line: expected_line(where_.as_deref(), line, last_plain_line),
                place,
                text,
                pattern,
                met: false,
            });
        }
        for index in for_next_plain_line {
            self.expectations[index].line = Some(last_line);
        }
    }

    fn fail(&mut self, context: &mut Context, place: (u32, u32), message: String) {
        let location = Location::file(context, self.file, place.0, place.1);
        self.failures.push(Diagnostic::error(location, message));
    }

    /// Compares emitted diagnostics, including notes.
    pub fn check(&mut self, context: &mut Context, diagnostics: Vec<Diagnostic>) {
        for mut diagnostic in diagnostics {
            let notes = std::mem::take(&mut diagnostic.notes);
            self.check_one(context, &diagnostic);
            for note in notes {
                self.check_one(context, &note);
            }
        }
    }

    fn check_one(&mut self, context: &mut Context, diagnostic: &Diagnostic) {
        let line = match diagnostic.location.position(context) {
            Some((file, line, _)) if file == self.file => Some(line),
            // Other files have no expectations.
            Some(_) => Some(0),
            None => None,
        };
        let mut near_miss = None;
        for expectation in &mut self.expectations {
            let here = line.is_none() || expectation.line == line;
            let same_kind = expectation.line.is_none() == line.is_none();
            if !here || !same_kind || !expectation.matches(&diagnostic.message) {
                continue;
            }
            if expectation.severity == diagnostic.severity {
                expectation.met = true;
                return;
            }
            near_miss = Some((expectation.place, expectation.severity));
        }
        if self.level == Level::OnlyExpected {
            return;
        }
        let severity = diagnostic.severity;
        match near_miss {
            Some((place, expected)) => {
                let message =
                    format!("'{severity}' diagnostic emitted when expecting a '{expected}'");
                self.fail(context, place, message);
            }
            None => {
                let message = format!("unexpected {severity}: {}", diagnostic.message);
                let failure = Diagnostic::error(diagnostic.location, message);
                self.failures.push(failure);
            }
        }
    }

    /// The mismatches, followed by the unmet expectations.
    pub fn finish(mut self, context: &mut Context) -> Vec<Diagnostic> {
        for expectation in std::mem::take(&mut self.expectations) {
            if !expectation.met {
                let Expectation { severity, text, .. } = expectation;
                let message = format!("expected {severity} \"{text}\" was not produced");
                self.fail(context, expectation.place, message);
            }
        }
        self.failures
    }
}

impl Expectation {
    fn matches(&self, message: &str) -> bool {
        match &self.pattern {
            Pattern::Substring(text) => message.contains(text.as_str()),
            Pattern::Regex(regex) => regex.is_match(message.as_bytes()),
        }
    }
}

fn severity(text: &str) -> Severity {
    match text {
        "error" => Severity::Error,
        "warning" => Severity::Warning,
        "remark" => Severity::Remark,
        _ => Severity::Note,
    }
}

/// The line that `@…` on `line` refers to; for `below` it is set later.
fn expected_line(place: Option<&str>, line: u32, last_plain_line: u32) -> Option<u32> {
    let offset = |text: &str| text.parse::<u32>().unwrap_or(u32::MAX);
    match place {
        None | Some("below") => Some(line),
        Some("unknown") => None,
        Some("above") => Some(last_plain_line),
        Some(text) => match text.split_at(1) {
            ("+", rest) => Some(line.saturating_add(offset(rest))),
            (_, rest) => Some(line.saturating_sub(offset(rest))),
        },
    }
}

/// A regular expression from literal text with regular expressions in `{{…}}`.
fn compile(text: &str) -> Result<Regex, String> {
    let mut pattern = String::from("(?s)");
    let mut rest = text;
    while let Some(start) = rest.find("{{") {
        pattern.push_str(&regex::escape(&rest[..start]));
        rest = &rest[start + 2..];
        let Some(end) = rest.find("}}") else {
            return Err("found start of regex with no end '}}'".to_owned());
        };
        let part = &rest[..end];
        if let Err(error) = Regex::new(part) {
            let error = error.to_string();
            let reason = error.lines().last().unwrap_or_default();
            let reason = reason.trim_start_matches("error: ");
            return Err(format!("invalid regex: {reason}"));
        }
        pattern.push('(');
        pattern.push_str(part);
        pattern.push(')');
        rest = &rest[end + 2..];
    }
    pattern.push_str(&regex::escape(rest));
    Regex::new(&pattern).map_err(|error| format!("invalid regex: {error}"))
}

#[cfg(test)]
mod tests;
