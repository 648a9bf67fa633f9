//! Parser of pipelines: `builtin.module(func.func(canonicalize{top-down=false},cse))`.

use std::fmt;

use super::{Element, ErasedPass, OptionError, OptionTexts, PassRegistry, Pipeline, nearest};

/// The maximum nesting depth of pipelines.
const MAX_DEPTH: usize = 64;

/// An error in the text of a pipeline.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PipelineError {
    /// The text of the pipeline.
    pub text: String,
    /// The byte offset of the error.
    pub offset: usize,
    /// The error message.
    pub message: String,
}

impl fmt::Display for PipelineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let before = self.text.get(..self.offset).unwrap_or_default();
        let line = before.matches('\n').count();
        let start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let column = self.offset - start + 1;
        writeln!(
            f,
            "<pass pipeline>:{}:{column}: error: {}",
            line + 1,
            self.message
        )?;
        let shown = self.text.lines().nth(line).unwrap_or_default();
        let indent: String = before[start..]
            .chars()
            .map(|c| if c == '\t' { '\t' } else { ' ' })
            .collect();
        write!(f, "{shown}\n{indent}^")
    }
}

impl std::error::Error for PipelineError {}

impl PassRegistry {
    /// Parses a pipeline.
    ///
    /// # Errors
    /// If the text is malformed, or names a pass or an option that does not exist.
    pub fn parse_pipeline(&self, text: &str) -> Result<Pipeline, PipelineError> {
        let mut reader = Reader {
            registry: self,
            text,
            offset: 0,
        };
        reader.blanks();
        let name = reader.name();
        if !reader.at('(') || name.is_empty() {
            let message = "expected pass pipeline to be wrapped with the anchor operation type, \
                           e.g. 'builtin.module(...)'";
            return Err(reader.error_at(0, message));
        }
        let pipeline = reader.nested(name, 0)?;
        reader.blanks();
        if reader.offset < text.len() {
            let message = match reader.at(')') {
                true => {
                    "encountered extra closing ')' creating unbalanced parentheses while \
                         parsing pipeline"
                }
                false => "expected the end of the pipeline",
            };
            return Err(reader.error_at(reader.offset, message));
        }
        Ok(pipeline)
    }

    /// Adds a pass or a named pipeline, with options as written between the braces
    /// (`top-down=false x=1`). A pass on other operations is nested.
    ///
    /// # Errors
    /// If there is no such pass or option, or a value is not allowed.
    pub fn add_to_pipeline(
        &self,
        pipeline: &mut Pipeline,
        name: &str,
        options: &str,
    ) -> Result<(), PipelineError> {
        let mut reader = Reader {
            registry: self,
            text: options,
            offset: 0,
        };
        let values = reader.options(None)?;
        let added = if let Some(definition) = self.pass(name) {
            (definition.create)(&values).map(|pass| pipeline.add_nested(pass))
        } else if let Some(definition) = self.pipeline(name) {
            (definition.build)(self, pipeline, &values)
        } else {
            return Err(reader.error_at(0, &self.unknown_pass(name)));
        };
        added.map_err(|error| reader.option_error(name, 0..options.len(), &error))
    }

    /// The error message for a name that is not registered.
    pub fn unknown_pass(&self, name: &str) -> String {
        let message = format!("'{name}' does not refer to a registered pass or pass pipeline");
        let known = self.passes().map(|pass| pass.name);
        match nearest(name, known.chain(self.pipelines().map(|p| p.name))) {
            Some(nearest) => format!("{message}; did you mean '{nearest}'?"),
            None => message,
        }
    }
}

struct Reader<'t> {
    registry: &'t PassRegistry,
    text: &'t str,
    offset: usize,
}

impl<'t> Reader<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.offset..]
    }

    fn at(&self, wanted: char) -> bool {
        self.rest().starts_with(wanted)
    }

    fn eat(&mut self, wanted: char) -> bool {
        let found = self.at(wanted);
        if found {
            self.offset += wanted.len_utf8();
        }
        found
    }

    fn blanks(&mut self) {
        self.offset = self.text.len() - self.rest().trim_start().len();
    }

    /// The text up to a delimiter.
    fn name(&mut self) -> &'t str {
        let rest = self.rest();
        let end = rest.find(['(', ')', '{', '}', ',']).unwrap_or(rest.len());
        self.offset += end;
        rest[..end].trim_end()
    }

    fn error_at(&self, offset: usize, message: &str) -> PipelineError {
        PipelineError {
            text: self.text.to_owned(),
            offset,
            message: message.to_owned(),
        }
    }

    /// The contents of the parentheses at the current position.
    fn nested(&mut self, anchor: &str, depth: usize) -> Result<Pipeline, PipelineError> {
        let open = self.offset;
        if depth == MAX_DEPTH {
            let message = format!("pipelines nest deeper than {MAX_DEPTH} levels");
            return Err(self.error_at(open, &message));
        }
        self.eat('(');
        let mut pipeline = match anchor {
            "any" => Pipeline::on_any(),
            _ => Pipeline::on(anchor),
        };
        self.blanks();
        if self.eat(')') {
            return Ok(pipeline);
        }
        loop {
            self.element(&mut pipeline, depth)?;
            self.blanks();
            if self.eat(')') {
                return Ok(pipeline);
            }
            if !self.eat(',') {
                let message = match self.rest() {
                    "" => "expected ')' to match the '(' here",
                    _ => "expected ',' or ')' after a pass",
                };
                let offset = if self.rest().is_empty() {
                    open
                } else {
                    self.offset
                };
                return Err(self.error_at(offset, message));
            }
        }
    }

    /// A pass or a nested pipeline.
    fn element(&mut self, pipeline: &mut Pipeline, depth: usize) -> Result<(), PipelineError> {
        self.blanks();
        let start = self.offset;
        let name = self.name();
        if self.at('(') && !name.is_empty() {
            let nested = self.nested(name, depth + 1)?;
            pipeline.elements.push(Element::Nested(nested));
            return Ok(());
        }
        let values_start = self.offset;
        let values = if self.eat('{') {
            self.options(Some(values_start))?
        } else {
            OptionTexts::new()
        };
        if let Some(definition) = self.registry.pass(name) {
            let pass = (definition.create)(&values)
                .map_err(|error| self.option_error(name, values_start..self.offset, &error))?;
            return self.add(pipeline, pass, start);
        }
        if let Some(definition) = self.registry.pipeline(name) {
            let added = (definition.build)(self.registry, pipeline, &values);
            return added
                .map_err(|error| self.option_error(name, values_start..self.offset, &error));
        }
        Err(self.error_at(start, &self.registry.unknown_pass(name)))
    }

    fn add(
        &self,
        pipeline: &mut Pipeline,
        pass: Box<dyn ErasedPass>,
        start: usize,
    ) -> Result<(), PipelineError> {
        if pipeline.accepts(&*pass) {
            pipeline.elements.push(Element::Pass(pass));
            return Ok(());
        }
        let name = pass.definition().name;
        let super::Anchor::Op(wanted) = pass.definition().anchor else {
            return Ok(());
        };
        let anchor = pipeline.anchor_text();
        let message = format!(
            "can't add pass '{name}' restricted to '{wanted}' on a pass manager intended to run \
             on '{anchor}', did you intend to nest? (write '{wanted}({name})')"
        );
        Err(self.error_at(start, &message))
    }

    /// Options up to the closing brace that matches `open`, or up to the end.
    fn options(&mut self, open: Option<usize>) -> Result<OptionTexts, PipelineError> {
        let mut values = OptionTexts::new();
        loop {
            self.blanks();
            match open {
                Some(_) if self.eat('}') => return Ok(values),
                Some(open) if self.rest().is_empty() => {
                    return Err(self.error_at(open, "expected '}' to match the '{' here"));
                }
                None if self.rest().is_empty() => return Ok(values),
                _ => {}
            }
            let rest = self.rest();
            let end = rest
                .find(|c: char| c == '=' || c.is_whitespace() || (c == '}' && open.is_some()))
                .unwrap_or(rest.len());
            let name = rest[..end].to_owned();
            if name.is_empty() {
                return Err(self.error_at(self.offset, "expected the name of an option"));
            }
            self.offset += end;
            let value = if self.eat('=') {
                self.value(open.is_some())?
            } else {
                String::new()
            };
            values.push((name, value));
        }
    }

    /// A value: quoted, in braces, or up to a blank. Nested braces must balance.
    fn value(&mut self, braced: bool) -> Result<String, PipelineError> {
        let start = self.offset;
        let mut depth = 0_usize;
        let mut quote = None;
        let rest = self.rest();
        let mut end = rest.len();
        for (position, c) in rest.char_indices() {
            match (c, quote) {
                (c, Some(open)) => quote = (c != open).then_some(open),
                ('"' | '\'', None) => quote = Some(c),
                ('{', None) => depth += 1,
                ('}', None) if depth > 0 => depth -= 1,
                (c, None) if depth == 0 && (c.is_whitespace() || (braced && c == '}')) => {
                    end = position;
                    break;
                }
                _ => {}
            }
        }
        if let Some(quote) = quote {
            return Err(self.error_at(start, &format!("expected {quote} to end the value")));
        }
        if depth > 0 {
            return Err(self.error_at(start, "expected '}' to match a '{' in the value"));
        }
        self.offset += end;
        Ok(without_delimiters(&rest[..end]).to_owned())
    }

    /// An error about one of the options in a part of the text, located at that option.
    fn option_error(
        &self,
        pass: &str,
        range: std::ops::Range<usize>,
        error: &OptionError,
    ) -> PipelineError {
        let (OptionError::Unknown { name, .. } | OptionError::Value { name, .. }) = error;
        let part = &self.text[range.clone()];
        let found = part.match_indices(name.as_str()).find(|(position, _)| {
            let before = part[..*position].chars().next_back();
            let after = part[position + name.len()..].chars().next();
            before.is_none_or(|c| c == '{' || c.is_whitespace())
                && after.is_none_or(|c| c == '=' || c == '}' || c.is_whitespace())
        });
        let offset = range.start + found.map_or(0, |(position, _)| position);
        self.error_at(offset, &format!("pass '{pass}': {error}"))
    }
}

/// The value without quotes or braces that enclose all of it.
fn without_delimiters(value: &str) -> &str {
    for (open, close) in [('"', '"'), ('\'', '\''), ('{', '}')] {
        let inner = value
            .strip_prefix(open)
            .and_then(|rest| rest.strip_suffix(close));
        if let Some(inner) = inner
            && encloses_all(inner, open, close)
        {
            return inner;
        }
    }
    value
}

/// False for the inside of `{a} {b}`, where the first delimiter is closed before the end.
fn encloses_all(inner: &str, open: char, close: char) -> bool {
    if open == close {
        return !inner.contains(open);
    }
    let mut depth = 0_usize;
    for c in inner.chars() {
        if c == open {
            depth += 1;
        } else if c == close {
            match depth.checked_sub(1) {
                Some(less) => depth = less,
                None => return false,
            }
        }
    }
    true
}
