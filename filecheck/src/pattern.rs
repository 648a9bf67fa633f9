//! Patterns: the text after the colon of a check line.

use std::cell::OnceCell;
use std::rc::Rc;

use crate::directive::Kind;
use crate::ere::{self, Regex};
use crate::expression::{
    BlockParser, EvaluationError, Expression, Extent, SyntaxError, parse_name,
};
use crate::number_format::Format;
use crate::options::Options;
use crate::source::{Located, Location, Sources};
use crate::variables::{NumericId, Variables};

/// How many groups of a line can be referred to again on that line: `\1` to `\9`.
const MAXIMUM_BACK_REFERENCE: u32 = 9;

/// What a substitution puts into the regular expression.
#[derive(Debug)]
enum Value {
    Variable(Rc<str>),
    Number(Expression, Format),
}

/// A value to put in when the pattern is matched.
#[derive(Debug)]
struct Substitution {
    value: Value,
    /// The text between the brackets.
    extent: Extent,
    /// Where in the regular expression it goes.
    index: usize,
}

/// A pattern.
#[derive(Debug)]
pub(crate) struct Pattern {
    pub(crate) kind: Kind,
    pub(crate) count: u32,
    pub(crate) literal: bool,
    pub(crate) location: Location,
    line: Option<usize>,
    ignore_case: bool,
    /// The text to find; empty if it takes a regular expression.
    fixed: Vec<u8>,
    /// The regular expression; in a box because most patterns have none.
    template: Option<Box<Template>>,
}

/// A regular expression, and the variables in it.
#[derive(Debug, Default)]
struct Template {
    regex: Vec<u8>,
    substitutions: Vec<Substitution>,
    /// Variables defined here with the group that captures each, sorted by name.
    strings: Vec<(Rc<str>, u32)>,
    numbers: Vec<(Rc<str>, NumericId, u32)>,
    /// The expression as it is, for patterns without substitutions.
    compiled: OnceCell<Option<Regex>>,
}
/// A match: a range in the text that was searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Match {
    pub(crate) start: usize,
    pub(crate) length: usize,
}

/// Why there is no match.
#[derive(Debug)]
pub(crate) enum NoMatch {
    NotFound,
    /// The pattern could not be completed.
    Invalid(Vec<SyntaxError>),
}

/// What reading a pattern needs.
pub(crate) struct PatternContext<'c> {
    pub(crate) options: &'c Options,
    pub(crate) variables: &'c mut Variables,
    pub(crate) sources: &'c Sources,
}

/// A pattern being read.
struct Builder<'p, 'c> {
    template: &'p mut Template,
    line: Option<usize>,
    context: &'p mut PatternContext<'c>,
    groups: u32,
}

type Parsed<T> = Result<T, Vec<SyntaxError>>;

fn error_at<T>(location: Location, message: impl Into<String>) -> Parsed<T> {
    Err(vec![SyntaxError {
        location,
        message: message.into(),
        is_spaced: false,
    }])
}

impl Pattern {
    /// A pattern that matches at the end of the input.
    pub(crate) fn end_of_file(location: Location, line: usize) -> Pattern {
        Pattern::blank(Kind::EndOfFile, location, Some(line))
    }

    fn blank(kind: Kind, location: Location, line: Option<usize>) -> Pattern {
        Pattern {
            kind,
            count: 1,
            literal: false,
            location,
            line,
            ignore_case: false,
            fixed: Vec::new(),
            template: None,
        }
    }

    /// Reads a pattern. The second value is what is wrong with it; a pattern comes back even then,
    /// for LLVM continues with malformed `--implicit-check-not` patterns.
    pub(crate) fn parse(
        (kind, count, literal): (Kind, u32, bool),
        prefix: &str,
        text: Located<'_>,
        line: Option<usize>,
        context: &mut PatternContext<'_>,
    ) -> (Pattern, Parsed<()>) {
        let mut pattern = Pattern::blank(kind, text.location, line);
        pattern.count = count;
        pattern.literal = literal;
        pattern.ignore_case = context.options.ignore_case;
        let result = pattern.fill(prefix, text, context);
        (pattern, result)
    }

    fn fill(
        &mut self,
        prefix: &str,
        text: Located<'_>,
        context: &mut PatternContext<'_>,
    ) -> Parsed<()> {
        let text = if context.options.keeps_whitespace() {
            text
        } else {
            text.trim_end()
        };
        match (text.is_empty(), self.kind == Kind::Empty) {
            (true, true) => {
                // Shown by nothing but the search for the most similar line.
                self.template = Some(Box::new(Template {
                    regex: b"(\n$)".to_vec(),
                    ..Template::default()
                }));
                return Ok(());
            }
            (false, false) => {}
            (true, false) => {
                let message = format!("found empty check string with prefix '{prefix}:'");
                return error_at(self.location, message);
            }
            (false, true) => {
                let message =
                    format!("found non-empty check string for empty check with prefix '{prefix}:'");
                return error_at(self.location, message);
            }
        }
        self.fill_template(text, context)
    }

    fn fill_template(&mut self, text: Located<'_>, context: &mut PatternContext<'_>) -> Parsed<()> {
        let full_line = context.options.match_full_lines && self.kind != Kind::Not;
        let is_plain = text.find(b"{{").is_none() && text.find(b"[[").is_none();
        if self.literal || (!full_line && is_plain) {
            self.fixed.extend_from_slice(text.bytes);
            return Ok(());
        }
        let blanks = if context.options.strict_whitespace {
            ""
        } else {
            " *"
        };
        let mut template = Template::default();
        if full_line {
            template.regex.push(b'^');
            template.regex.extend_from_slice(blanks.as_bytes());
        }
        let line = self.line;
        Builder {
            template: &mut template,
            line,
            context,
            groups: 1,
        }
        .read(text)?;
        if full_line {
            template.regex.extend_from_slice(blanks.as_bytes());
            template.regex.push(b'$');
        }
        self.template = Some(Box::new(template));
        Ok(())
    }

    /// Whether the pattern defines a string variable or uses any.
    pub(crate) fn has_variable(&self) -> bool {
        self.template.as_ref().is_some_and(|template| {
            !template.substitutions.is_empty() || !template.strings.is_empty()
        })
    }

    /// Searches `text`, which starts at `base` in the input, and sets the variables defined here.
    pub(crate) fn search(
        &self,
        text: &[u8],
        base: usize,
        variables: &mut Variables,
        sources: &Sources,
    ) -> Result<Match, NoMatch> {
        match self.kind {
            Kind::EndOfFile => {
                return Ok(Match {
                    start: text.len(),
                    length: 0,
                });
            }
            Kind::Empty => return find_empty_line(text).ok_or(NoMatch::NotFound),
            _ => {}
        }
        if !self.fixed.is_empty() {
            let found = if self.ignore_case {
                find_ignoring_case(text, &self.fixed)
            } else {
                memchr::memmem::find(text, &self.fixed)
            };
            let start = found.ok_or(NoMatch::NotFound)?;
            return Ok(Match {
                start,
                length: self.fixed.len(),
            });
        }
        let template = self.template.as_ref().ok_or(NoMatch::NotFound)?;
        self.search_template(template, text, base, variables, sources)
    }

    fn search_template(
        &self,
        template: &Template,
        text: &[u8],
        base: usize,
        variables: &mut Variables,
        sources: &Sources,
    ) -> Result<Match, NoMatch> {
        let completed;
        let regex = if template.substitutions.is_empty() {
            let compile = || Regex::new(&template.regex, self.ignore_case).ok();
            template.compiled.get_or_init(compile)
        } else {
            if let Some(line) = self.line {
                variables.set_line(line);
            }
            let pattern = template
                .completed(variables, sources)
                .map_err(NoMatch::Invalid)?;
            completed = Regex::new(&pattern, self.ignore_case).ok();
            &completed
        };
        // A pattern that only goes wrong as a whole matches nothing, as in LLVM.
        let regex = regex.as_ref().ok_or(NoMatch::NotFound)?;
        if template.strings.is_empty() && template.numbers.is_empty() {
            let (start, end) = regex.find(text).ok_or(NoMatch::NotFound)?;
            return Ok(Match {
                start,
                length: end - start,
            });
        }
        let groups = regex.captures(text).ok_or(NoMatch::NotFound)?;
        let group = |number: u32| groups.get(number as usize).copied().flatten();
        let (start, end) = group(0).ok_or(NoMatch::NotFound)?;
        for (name, number) in &template.strings {
            let (from, to) = group(*number).unwrap_or((start, start));
            variables.set_string(name, &text[from..to], Some((base + from, base + to)));
        }
        for (_, id, number) in &template.numbers {
            let (from, to) = group(*number).unwrap_or((start, start));
            if let Some(value) = variables.numeric_format(*id).value_of(&text[from..to]) {
                variables.set_numeric(*id, value, Some((base + from, base + to)));
            }
        }
        Ok(Match {
            start,
            length: end - start,
        })
    }

    /// A note with the value of each substitution that has one.
    pub(crate) fn substitution_notes(
        &self,
        variables: &Variables,
        sources: &Sources,
    ) -> Vec<String> {
        let mut notes = Vec::new();
        let Some(template) = &self.template else {
            return notes;
        };
        for substitution in &template.substitutions {
            let value = match &substitution.value {
                Value::Variable(name) => variables.string_value(name).map(quoted),
                Value::Number(expression, format) => number_text(expression, *format, variables)
                    .ok()
                    .map(|text| format!("\"{text}\"")),
            };
            if let Some(value) = value {
                let extent = substitution.extent;
                let name = escaped(sources.bytes(extent.location, extent.length));
                notes.push(format!("with \"{name}\" equal to {value}"));
            }
        }
        notes
    }

    /// Names and places of what the last match captured, in the order of the input.
    pub(crate) fn captures(&self, variables: &Variables) -> Vec<(Rc<str>, (usize, usize))> {
        let Some(template) = &self.template else {
            return Vec::new();
        };
        let strings = template
            .strings
            .iter()
            .filter_map(|(name, _)| Some((Rc::clone(name), variables.string_range(name)?)));
        let numbers = template
            .numbers
            .iter()
            .filter_map(|(name, id, _)| Some((Rc::clone(name), variables.numeric_range(*id)?)));
        let mut captures: Vec<_> = strings.chain(numbers).collect();
        captures.sort_by_key(|(_, range)| range.0);
        captures
    }

    /// What to compare lines with in the search for the most similar one.
    pub(crate) fn example(&self) -> &[u8] {
        match &self.template {
            Some(template) => &template.regex,
            None => &self.fixed,
        }
    }
}

impl Template {
    /// The regular expression with all values put in.
    fn completed(&self, variables: &Variables, sources: &Sources) -> Parsed<Vec<u8>> {
        let mut out = Vec::with_capacity(self.regex.len() + 16 * self.substitutions.len());
        let mut errors = Vec::new();
        let mut copied = 0;
        for substitution in &self.substitutions {
            out.extend_from_slice(&self.regex[copied..substitution.index]);
            copied = substitution.index;
            match &substitution.value {
                Value::Variable(name) => match variables.string_value(name) {
                    Some(value) => ere::escape_into(&mut out, value),
                    None => errors.push(undefined(substitution.extent, sources)),
                },
                Value::Number(expression, format) => {
                    match number_text(expression, *format, variables) {
                        Ok(text) => out.extend_from_slice(text.as_bytes()),
                        Err(reasons) => {
                            errors.extend(reasons.into_iter().map(|reason| {
                                match reason {
                                    EvaluationError::Undefined(name) => undefined(name, sources),
                                    EvaluationError::Overflow => SyntaxError {
                                        location: substitution.extent.location,
                                        message: "unable to substitute variable or numeric \
                                              expression: overflow error"
                                            .to_owned(),
                                        is_spaced: false,
                                    },
                                }
                            }));
                        }
                    }
                }
            }
        }
        out.extend_from_slice(&self.regex[copied..]);
        if errors.is_empty() {
            Ok(out)
        } else {
            Err(errors)
        }
    }
}

fn undefined(name: Extent, sources: &Sources) -> SyntaxError {
    let message = format!("undefined variable: {}", name.text(sources));
    SyntaxError {
        location: name.location,
        message,
        is_spaced: false,
    }
}

fn number_text(
    expression: &Expression,
    format: Format,
    variables: &Variables,
) -> Result<String, Vec<EvaluationError>> {
    let value = expression.evaluate(variables)?;
    format
        .text_of(&value)
        .ok_or_else(|| vec![EvaluationError::Overflow])
}

/// A value in quotes; escaped, and marked so, if it would be hard to read otherwise.
fn quoted(value: &[u8]) -> String {
    let is_readable = |byte: &u8| (b' '..=b'~').contains(byte) && *byte != b'"';
    if value.iter().all(is_readable) {
        return format!("\"{}\"", String::from_utf8_lossy(value));
    }
    format!("\"{}\" (escaped value)", escaped(value))
}

fn escaped(value: &[u8]) -> String {
    let mut out = String::new();
    for &byte in value {
        match byte {
            b'\\' => out.push_str("\\\\"),
            b'\t' => out.push_str("\\t"),
            b'\n' => out.push_str("\\n"),
            b'"' => out.push_str("\\\""),
            b' '..=b'~' => out.push(char::from(byte)),
            _ => out.push_str(&format!("\\{byte:03o}")),
        }
    }
    out
}

/// A newline right before another one or the end; the match is what follows it.
fn find_empty_line(text: &[u8]) -> Option<Match> {
    let mut newlines = memchr::memchr_iter(b'\n', text);
    let newline = newlines.find(|at| matches!(text.get(at + 1), None | Some(b'\n')))?;
    Some(Match {
        start: newline + 1,
        length: 0,
    })
}

fn find_ignoring_case(text: &[u8], needle: &[u8]) -> Option<usize> {
    let (&first, _) = needle.split_first()?;
    let (lower, upper) = (first.to_ascii_lowercase(), first.to_ascii_uppercase());
    memchr::memchr2_iter(lower, upper, text).find(|&start| {
        text.get(start..start + needle.len())
            .is_some_and(|candidate| candidate.eq_ignore_ascii_case(needle))
    })
}

impl Builder<'_, '_> {
    fn read(&mut self, mut text: Located<'_>) -> Parsed<()> {
        while !text.is_empty() {
            if text.starts_with(b"{{") {
                text = self.regex_block(text)?;
            } else if text.starts_with(b"[[") && !text.starts_with(b"[[[") {
                text = self.substitution_block(text)?;
            } else {
                // Extra brackets before a block are text, so look from the second byte on.
                let rest = text.skip(1);
                let end = [rest.find(b"{{"), rest.find(b"[[")]
                    .into_iter()
                    .flatten()
                    .min();
                let length = end.map_or(text.bytes.len(), |end| end + 1);
                ere::escape_into(&mut self.template.regex, &text.bytes[..length]);
                text = text.skip(length);
            }
        }
        Ok(())
    }

    fn regex_block<'a>(&mut self, text: Located<'a>) -> Parsed<Located<'a>> {
        let Some(end) = text.find(b"}}") else {
            return error_at(
                text.location,
                "found start of regex string with no end '}}'",
            );
        };
        // An alternation must not reach beyond its block; `\N` counts the group this takes.
        let needs_group = text.bytes.contains(&b'|');
        if needs_group {
            self.template.regex.push(b'(');
            self.groups += 1;
        }
        self.append_regex(text.take(end).skip(2))?;
        if needs_group {
            self.template.regex.push(b')');
        }
        Ok(text.skip(end + 2))
    }

    fn append_regex(&mut self, text: Located<'_>) -> Parsed<()> {
        match ere::count_groups(text.bytes) {
            Ok(groups) => {
                self.template.regex.extend_from_slice(text.bytes);
                self.groups += groups;
                Ok(())
            }
            Err(error) => error_at(text.location, format!("invalid regex: {error}")),
        }
    }

    fn substitution_block<'a>(&mut self, text: Located<'a>) -> Parsed<Located<'a>> {
        let inside = text.skip(2);
        let Some(end) = block_end(inside)? else {
            return error_at(text.location, "Invalid substitution block, no ]] found");
        };
        let mut body = inside.take(end);
        if body.consume(b"#") {
            self.numeric_block(body, false)?;
        } else {
            self.string_block(body)?;
        }
        Ok(inside.skip(end + 2))
    }

    fn string_block(&mut self, body: Located<'_>) -> Parsed<()> {
        let colon = memchr::memchr(b':', body.bytes);
        let name_part = body.take(colon.unwrap_or(body.bytes.len()));
        if let Some(space) = name_part
            .bytes
            .iter()
            .position(|byte| matches!(byte, b' ' | b'\t'))
        {
            return error_at(name_part.skip(space).location, "unexpected whitespace");
        }
        let mut rest = body;
        let name = parse_name(&mut rest)?;
        let spelling: Rc<str> = name.as_string().into();
        if colon.is_some() {
            if name.is_pseudo || !rest.consume(b":") {
                return error_at(
                    name.text.location,
                    "invalid name in string variable definition",
                );
            }
            if self.context.variables.is_numeric(&spelling) {
                let message = format!("numeric variable with name '{spelling}' already exists");
                return error_at(name.text.location, message);
            }
            return self.define_string(&spelling, rest);
        }
        if name.is_pseudo {
            return self.numeric_block(body, true);
        }
        if !rest.is_empty() {
            return error_at(name.text.location, "invalid name in string variable use");
        }
        self.use_string(spelling, name.text)
    }

    fn define_string(&mut self, name: &Rc<str>, regex: Located<'_>) -> Parsed<()> {
        self.template.regex.push(b'(');
        let group = self.groups;
        match self
            .template
            .strings
            .binary_search_by(|(known, _)| known.cmp(name))
        {
            Ok(index) => self.template.strings[index].1 = group,
            Err(index) => self
                .template
                .strings
                .insert(index, (Rc::clone(name), group)),
        }
        self.context.variables.declare_string(name);
        self.groups += 1;
        if !regex.is_empty() {
            self.append_regex(regex)?;
        }
        self.template.regex.push(b')');
        Ok(())
    }

    fn use_string(&mut self, name: Rc<str>, text: Located<'_>) -> Parsed<()> {
        let here = self
            .template
            .strings
            .iter()
            .find(|(known, _)| *known == name);
        if let Some(&(_, group)) = here {
            if group > MAXIMUM_BACK_REFERENCE {
                let message =
                    format!("Can't back-reference more than {MAXIMUM_BACK_REFERENCE} variables");
                return error_at(text.location, message);
            }
            self.template
                .regex
                .extend_from_slice(format!("\\{group}").as_bytes());
            return Ok(());
        }
        self.template.substitutions.push(Substitution {
            value: Value::Variable(name),
            extent: Extent::of(text),
            index: self.template.regex.len(),
        });
        Ok(())
    }

    fn numeric_block(&mut self, body: Located<'_>, is_legacy_line: bool) -> Parsed<()> {
        let line = self.line;
        let variables = &mut *self.context.variables;
        let block =
            BlockParser::new(variables, self.context.sources, line, is_legacy_line).block(body)?;
        let mut index = self.template.regex.len();
        let is_definition = block.definition.is_some();
        if let Some((name, id)) = block.definition {
            let name: Rc<str> = name.text().into();
            self.template.regex.push(b'(');
            index += 1;
            self.template.numbers.retain(|(known, _, _)| *known != name);
            self.template
                .numbers
                .push((Rc::clone(&name), id, self.groups));
            self.context.variables.bind_numeric(&name, id);
            self.groups += 1;
        }
        if block.expression.is_none() {
            let wildcard = block.format.wildcard();
            // A precision beyond what the engine repeats is an error only here.
            match ere::count_groups(wildcard.as_bytes()) {
                Ok(groups) => self.groups += groups,
                Err(error) => {
                    return error_at(body.location, format!("invalid regex: {error}"));
                }
            }
            self.template.regex.extend_from_slice(wildcard.as_bytes());
        }
        if is_definition {
            self.template.regex.push(b')');
        }
        if let Some(expression) = block.expression {
            self.template.substitutions.push(Substitution {
                value: Value::Number(expression, block.format),
                extent: Extent::of(body),
                index,
            });
        }
        Ok(())
    }
}

/// Where the `]]` is that closes a block; brackets inside nest, and a backslash hides one.
fn block_end(text: Located<'_>) -> Parsed<Option<usize>> {
    let bytes = text.bytes;
    let mut depth = 0usize;
    let mut offset = 0;
    while offset < bytes.len() {
        if depth == 0 && bytes[offset..].starts_with(b"]]") {
            return Ok(Some(offset));
        }
        match bytes[offset] {
            b'\\' => offset += 1,
            b'[' => depth += 1,
            b']' if depth == 0 => {
                let message = "missing closing \"]\" for regex variable";
                return error_at(text.skip(offset).location, message);
            }
            b']' => depth -= 1,
            _ => {}
        }
        offset += 1;
    }
    Ok(None)
}
