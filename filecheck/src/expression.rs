//! Numeric expressions.

use crate::number::Number;
use crate::number_format::{Format, Notation};
use crate::source::{Located, Location, Sources};
use crate::variables::{NumericId, Variables};

/// An operation on two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Minimum,
    Maximum,
}

impl Operator {
    fn function(name: &[u8]) -> Option<Operator> {
        Some(match name {
            b"add" => Operator::Add,
            b"sub" => Operator::Subtract,
            b"mul" => Operator::Multiply,
            b"div" => Operator::Divide,
            b"min" => Operator::Minimum,
            b"max" => Operator::Maximum,
            _ => return None,
        })
    }

    fn apply(self, left: &Number, right: &Number) -> Option<Number> {
        match self {
            Operator::Add => left.add(right),
            Operator::Subtract => left.subtract(right),
            Operator::Multiply => left.multiply(right),
            Operator::Divide => left.divide(right),
            Operator::Minimum => Some(left.min(right).clone()),
            Operator::Maximum => Some(left.max(right).clone()),
        }
    }
}

/// The text of an expression, by place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extent {
    pub(crate) location: Location,
    pub(crate) length: usize,
}

impl Extent {
    pub(crate) fn of(text: Located<'_>) -> Extent {
        Extent {
            location: text.location,
            length: text.bytes.len(),
        }
    }

    pub(crate) fn text(self, sources: &Sources) -> String {
        String::from_utf8_lossy(sources.bytes(self.location, self.length)).into_owned()
    }
}

#[derive(Debug)]
enum Node {
    Literal(Number),
    Variable(NumericId),
    Line,
    Binary(Operator, Box<Expression>, Box<Expression>),
}

/// A numeric expression.
#[derive(Debug)]
pub(crate) struct Expression {
    extent: Extent,
    node: Node,
}

/// Why an expression has no value.
#[derive(Debug)]
pub(crate) enum EvaluationError {
    Undefined(Extent),
    Overflow,
}

impl Expression {
    /// The value, or all errors of the evaluation.
    pub(crate) fn evaluate(&self, variables: &Variables) -> Result<Number, Vec<EvaluationError>> {
        match &self.node {
            Node::Literal(value) => Ok(value.clone()),
            Node::Line => variables
                .line()
                .map(|line| Number::from(line as u64))
                .ok_or_else(|| vec![EvaluationError::Undefined(self.extent)]),
            Node::Variable(id) => variables
                .numeric_value(*id)
                .cloned()
                .ok_or_else(|| vec![EvaluationError::Undefined(self.extent)]),
            Node::Binary(operator, left, right) => {
                match (left.evaluate(variables), right.evaluate(variables)) {
                    (Ok(left), Ok(right)) => operator
                        .apply(&left, &right)
                        .ok_or_else(|| vec![EvaluationError::Overflow]),
                    (left, right) => {
                        let mut errors = left.err().unwrap_or_default();
                        errors.extend(right.err().unwrap_or_default());
                        Err(errors)
                    }
                }
            }
        }
    }

    fn implicit_format(
        &self,
        variables: &Variables,
        sources: &Sources,
    ) -> Result<Format, Vec<SyntaxError>> {
        match &self.node {
            Node::Literal(_) => Ok(Format::UNSPECIFIED),
            Node::Line => Ok(Format::UNSIGNED),
            Node::Variable(id) => Ok(variables.numeric_format(*id)),
            Node::Binary(_, left, right) => {
                let left_format = left.implicit_format(variables, sources);
                let right_format = right.implicit_format(variables, sources);
                let (left_format, right_format) = match (left_format, right_format) {
                    (Ok(left), Ok(right)) => (left, right),
                    (left, right) => {
                        let mut errors = left.err().unwrap_or_default();
                        errors.extend(right.err().unwrap_or_default());
                        return Err(errors);
                    }
                };
                if left_format.is_specified()
                    && right_format.is_specified()
                    && left_format != right_format
                {
                    let message = format!(
                        "implicit format conflict between '{}' ({}) and '{}' ({}), need an \
                         explicit format specifier",
                        left.extent.text(sources),
                        left_format.name(),
                        right.extent.text(sources),
                        right_format.name(),
                    );
                    return Err(vec![SyntaxError {
                        location: self.extent.location,
                        message,
                        is_spaced: true,
                    }]);
                }
                Ok(if left_format.is_specified() {
                    left_format
                } else {
                    right_format
                })
            }
        }
    }
}

/// A located message about an expression or a name.
#[derive(Debug)]
pub(crate) struct SyntaxError {
    pub(crate) location: Location,
    pub(crate) message: String,
    /// Whether LLVM prints an empty line after the message.
    pub(crate) is_spaced: bool,
}

pub(crate) fn syntax_error<T>(
    at: Located<'_>,
    message: impl Into<String>,
) -> Result<T, Vec<SyntaxError>> {
    Err(vec![SyntaxError {
        location: at.location,
        message: message.into(),
        is_spaced: true,
    }])
}

/// A name and whether it starts with `@`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Name<'a> {
    pub(crate) text: Located<'a>,
    pub(crate) is_pseudo: bool,
}

impl Name<'_> {
    /// The name; names are ASCII by construction.
    pub(crate) fn as_string(self) -> String {
        self.text.text()
    }
}

/// Takes a variable name off the front of `text`.
pub(crate) fn parse_name<'a>(text: &mut Located<'a>) -> Result<Name<'a>, Vec<SyntaxError>> {
    let Some(first) = text.first() else {
        return syntax_error(*text, "empty variable name");
    };
    let is_pseudo = first == b'@';
    let sigil = usize::from(is_pseudo || first == b'$');
    let Some(&start) = text.bytes.get(sigil) else {
        let kind = if is_pseudo { "pseudo" } else { "global" };
        return syntax_error(text.skip(sigil), format!("empty {kind} variable name"));
    };
    if start != b'_' && !start.is_ascii_alphabetic() {
        return syntax_error(*text, "invalid variable name");
    }
    let rest = text.bytes[sigil + 1..]
        .iter()
        .take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_')
        .count();
    let length = sigil + 1 + rest;
    let name = Name {
        text: text.take(length),
        is_pseudo,
    };
    *text = text.skip(length);
    Ok(name)
}

/// Which operands an expression may have at some place.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Allowed {
    /// `@LINE` as the first operand of the old `[[@LINE+1]]`.
    LineVariable,
    /// A decimal literal, its second operand.
    LegacyLiteral,
    Any,
}

/// A parsed `[[#...]]`.
#[derive(Debug)]
pub(crate) struct Block<'a> {
    pub(crate) expression: Option<Expression>,
    pub(crate) format: Format,
    /// The variable it defines.
    pub(crate) definition: Option<(Located<'a>, NumericId)>,
}

/// Reads the inside of `[[#...]]`, and of the old `[[@LINE+1]]`.
pub(crate) struct BlockParser<'b> {
    pub(crate) variables: &'b mut Variables,
    pub(crate) sources: &'b Sources,
    /// The line of the pattern; `None` on the command line.
    pub(crate) line: Option<usize>,
    pub(crate) is_legacy_line: bool,
    depth: u32,
}

/// How deep parentheses and calls may nest.
const MAXIMUM_DEPTH: u32 = 200;

type Parsed<T> = Result<T, Vec<SyntaxError>>;

impl<'b> BlockParser<'b> {
    pub(crate) fn new(
        variables: &'b mut Variables,
        sources: &'b Sources,
        line: Option<usize>,
        is_legacy_line: bool,
    ) -> BlockParser<'b> {
        BlockParser {
            variables,
            sources,
            line,
            is_legacy_line,
            depth: 0,
        }
    }

    pub(crate) fn block<'a>(&mut self, mut text: Located<'a>) -> Parsed<Block<'a>> {
        let mut explicit = Format::UNSPECIFIED;
        let mut precision = 0;
        // A comma also separates arguments, so a format must come before any parenthesis.
        if let Some(comma) = text.find(b",")
            && text.find(b"(").is_none_or(|open| comma < open)
        {
            (explicit, precision) = parse_format(text.take(comma))?;
            text = text.skip(comma + 1);
        }
        let mut definition_text = None;
        if let Some(colon) = text.find(b":") {
            definition_text = Some(text.take(colon));
            text = text.skip(colon + 1);
        }
        text = text.trim_start();
        let has_constraint = text.consume(b"==");
        text = text.trim_start();
        let expression = if text.is_empty() {
            if has_constraint {
                let message = "empty numeric expression should not have a constraint";
                return syntax_error(text, message);
            }
            None
        } else {
            Some(self.whole(text.trim_end(), has_constraint)?)
        };
        let mut format = explicit;
        if !format.is_specified()
            && let Some(expression) = &expression
        {
            format = expression.implicit_format(self.variables, self.sources)?;
        }
        if !format.is_specified() {
            format = Format::new(Notation::Unsigned, precision);
        }
        let definition = match definition_text {
            Some(name) => Some(self.definition(name.trim_start(), format)?),
            None => None,
        };
        Ok(Block {
            expression,
            format,
            definition,
        })
    }

    fn whole(&mut self, text: Located<'_>, has_constraint: bool) -> Parsed<Expression> {
        let mut rest = text;
        let allowed = if self.is_legacy_line {
            Allowed::LineVariable
        } else {
            Allowed::Any
        };
        let mut value = self.operand(&mut rest, allowed, !has_constraint)?;
        while !rest.is_empty() {
            value = self.binary(text, &mut rest, value)?;
            if self.is_legacy_line && !rest.is_empty() {
                let message = format!(
                    "unexpected characters at end of expression '{}'",
                    rest.text()
                );
                return syntax_error(rest, message);
            }
        }
        Ok(value)
    }

    fn definition<'a>(
        &mut self,
        mut text: Located<'a>,
        format: Format,
    ) -> Parsed<(Located<'a>, NumericId)> {
        let name = parse_name(&mut text)?;
        if name.is_pseudo {
            let message = "definition of pseudo numeric variable unsupported";
            return syntax_error(name.text, message);
        }
        let spelling = name.as_string();
        if self.variables.is_string(&spelling) {
            let message = format!("string variable with name '{spelling}' already exists");
            return syntax_error(name.text, message);
        }
        text = text.trim_start();
        if !text.is_empty() {
            return syntax_error(text, "unexpected characters after numeric variable name");
        }
        let id = match self.variables.numeric(&spelling) {
            Some(id) => {
                if self.variables.numeric_format(id) != format {
                    let message = "format different from previous variable definition";
                    return syntax_error(text, message);
                }
                id
            }
            None => self
                .variables
                .declare_numeric(&spelling.as_str().into(), format, self.line),
        };
        Ok((name.text, id))
    }

    fn operand(
        &mut self,
        text: &mut Located<'_>,
        allowed: Allowed,
        maybe_constraint: bool,
    ) -> Parsed<Expression> {
        self.depth += 1;
        if self.depth > MAXIMUM_DEPTH {
            return syntax_error(*text, "expression nests too deeply");
        }
        let result = self.operand_inner(text, allowed, maybe_constraint);
        self.depth -= 1;
        result
    }

    fn operand_inner(
        &mut self,
        text: &mut Located<'_>,
        allowed: Allowed,
        maybe_constraint: bool,
    ) -> Parsed<Expression> {
        if text.starts_with(b"(") {
            if allowed != Allowed::Any {
                return syntax_error(*text, "parenthesized expression not permitted here");
            }
            return self.parenthesized(text);
        }
        if allowed != Allowed::LegacyLiteral {
            match parse_name(text) {
                Ok(name) => {
                    if text.trim_start().starts_with(b"(") {
                        if allowed != Allowed::Any {
                            return syntax_error(name.text, "unexpected function call");
                        }
                        return self.call(text, name.text);
                    }
                    return self.variable(name);
                }
                Err(errors) if allowed == Allowed::LineVariable => return Err(errors),
                Err(_) => {}
            }
        }
        let saved = *text;
        let negative = text.consume(b"-");
        match take_integer(text, allowed == Allowed::LegacyLiteral) {
            Some(value) => {
                let extent = Extent::of(saved.take(saved.bytes.len() - text.bytes.len()));
                let value = if negative { value.negated() } else { value };
                Ok(Expression {
                    extent,
                    node: Node::Literal(value),
                })
            }
            None => {
                let what = if maybe_constraint {
                    "matching constraint or "
                } else {
                    ""
                };
                syntax_error(saved, format!("invalid {what}operand format"))
            }
        }
    }

    fn variable(&mut self, name: Name<'_>) -> Parsed<Expression> {
        let extent = Extent::of(name.text);
        let spelling = name.as_string();
        if name.is_pseudo {
            if spelling != "@LINE" {
                let message = format!("invalid pseudo numeric variable '{spelling}'");
                return syntax_error(name.text, message);
            }
            return Ok(Expression {
                extent,
                node: Node::Line,
            });
        }
        // The definition may come later or be missing, which matching detects.
        let id = match self.variables.numeric(&spelling) {
            Some(id) => id,
            None => {
                let shared = spelling.as_str().into();
                let id = self
                    .variables
                    .declare_numeric(&shared, Format::UNSIGNED, None);
                self.variables.bind_numeric(&shared, id);
                id
            }
        };
        if self.line.is_some() && self.variables.numeric_line(id) == self.line {
            let message = format!(
                "numeric variable '{spelling}' defined earlier in the same CHECK directive"
            );
            return syntax_error(name.text, message);
        }
        Ok(Expression {
            extent,
            node: Node::Variable(id),
        })
    }

    fn parenthesized(&mut self, text: &mut Located<'_>) -> Parsed<Expression> {
        text.consume(b"(");
        *text = text.trim_start();
        if text.is_empty() {
            return syntax_error(*text, "missing operand in expression");
        }
        let mut value = self.operand(text, Allowed::Any, false)?;
        *text = text.trim_start();
        while !text.is_empty() && !text.starts_with(b")") {
            let outer = *text;
            value = self.binary(outer, text, value)?;
            *text = text.trim_start();
        }
        if !text.consume(b")") {
            return syntax_error(*text, "missing ')' at end of nested expression");
        }
        Ok(value)
    }

    /// An operator and its right operand; `outer` is the text that started with the left one.
    fn binary(
        &mut self,
        outer: Located<'_>,
        text: &mut Located<'_>,
        left: Expression,
    ) -> Parsed<Expression> {
        *text = text.trim_start();
        let Some(symbol) = text.first() else {
            return Ok(left);
        };
        let operator = match symbol {
            b'+' => Operator::Add,
            b'-' => Operator::Subtract,
            _ => {
                let message = format!("unsupported operation '{}'", text.take(1).text());
                return syntax_error(*text, message);
            }
        };
        *text = text.skip(1).trim_start();
        if text.is_empty() {
            return syntax_error(*text, "missing operand in expression");
        }
        let allowed = if self.is_legacy_line {
            Allowed::LegacyLiteral
        } else {
            Allowed::Any
        };
        let right = self.operand(text, allowed, false)?;
        let extent = Extent::of(outer.take(outer.bytes.len().saturating_sub(text.bytes.len())));
        Ok(Expression {
            extent,
            node: Node::Binary(operator, Box::new(left), Box::new(right)),
        })
    }

    fn call(&mut self, text: &mut Located<'_>, name: Located<'_>) -> Parsed<Expression> {
        let Some(operator) = Operator::function(name.bytes) else {
            return syntax_error(
                name,
                format!("call to undefined function '{}'", name.text()),
            );
        };
        *text = text.trim_start();
        text.consume(b"(");
        *text = text.trim_start();
        let mut arguments = Vec::new();
        while !text.is_empty() && !text.starts_with(b")") {
            if text.starts_with(b",") {
                return syntax_error(*text, "missing argument");
            }
            arguments.push(self.argument(text)?);
            *text = text.trim_start();
            if !text.consume(b",") {
                break;
            }
            *text = text.trim_start();
            if text.starts_with(b")") {
                return syntax_error(*text, "missing argument");
            }
        }
        if !text.consume(b")") {
            return syntax_error(*text, "missing ')' at end of call expression");
        }
        let count = arguments.len();
        match <[Expression; 2]>::try_from(arguments) {
            Ok([left, right]) => Ok(Expression {
                extent: Extent::of(*text),
                node: Node::Binary(operator, Box::new(left), Box::new(right)),
            }),
            Err(_) => {
                let message = format!(
                    "function '{}' takes 2 arguments but {count} given",
                    name.text()
                );
                syntax_error(name, message)
            }
        }
    }

    fn argument(&mut self, text: &mut Located<'_>) -> Parsed<Expression> {
        let outer = *text;
        let mut argument = self.operand(text, Allowed::Any, false)?;
        while !text.is_empty() {
            *text = text.trim_start();
            if text.starts_with(b",") || text.starts_with(b")") {
                break;
            }
            argument = self.binary(outer, text, argument)?;
        }
        Ok(argument)
    }
}

/// `%`, `#`, `.N` and a letter.
fn parse_format(text: Located<'_>) -> Parsed<(Format, u32)> {
    let invalid = "invalid matching format specification in expression";
    let mut text = text.trim_start().trim_end();
    if !text.consume(b"%") {
        return syntax_error(text, invalid);
    }
    let alternate_at = text;
    let alternate = text.consume(b"#");
    let mut precision = 0;
    if text.consume(b".") {
        let digits = text
            .bytes
            .iter()
            .take_while(|byte| byte.is_ascii_digit())
            .count();
        let number = std::str::from_utf8(&text.bytes[..digits]).unwrap_or("");
        match number.parse() {
            Ok(value) => precision = value,
            Err(_) => return syntax_error(text, "invalid precision in format specifier"),
        }
        text = text.skip(digits);
    }
    let mut format = Format::UNSPECIFIED;
    if let Some(letter) = text.first() {
        let notation = match letter {
            b'u' => Notation::Unsigned,
            b'd' => Notation::Signed,
            b'x' => Notation::HexLower,
            b'X' => Notation::HexUpper,
            _ => return syntax_error(text, "invalid format specifier in expression"),
        };
        let is_hex = matches!(notation, Notation::HexLower | Notation::HexUpper);
        format = Format {
            notation,
            precision,
            alternate: alternate && is_hex,
        };
        text = text.skip(1);
    }
    if alternate && !format.alternate {
        return syntax_error(alternate_at, "alternate form only supported for hex values");
    }
    text = text.trim_start();
    if !text.is_empty() {
        return syntax_error(text, invalid);
    }
    Ok((format, precision))
}

/// Takes an integer off the front; the radix is read from its prefix unless it must be ten.
fn take_integer(text: &mut Located<'_>, decimal: bool) -> Option<Number> {
    let mut rest = *text;
    let mut radix = 10;
    if !decimal {
        let lower = rest.bytes.get(..2).map(<[u8]>::to_ascii_lowercase);
        radix = match lower.as_deref() {
            Some(b"0x") => 16,
            Some(b"0b") => 2,
            Some(b"0o") => 8,
            Some([b'0', b'0'..=b'9']) => {
                rest = rest.skip(1);
                8
            }
            _ => 10,
        };
        if lower
            .as_deref()
            .is_some_and(|prefix| matches!(prefix, b"0x" | b"0b" | b"0o"))
        {
            rest = rest.skip(2);
        }
    }
    if rest.is_empty() {
        return None;
    }
    let digits = rest
        .bytes
        .iter()
        .take_while(|byte| {
            char::from(**byte)
                .to_digit(36)
                .is_some_and(|digit| digit < radix)
        })
        .count();
    let value = if digits == 0 {
        if rest.bytes.len() == text.bytes.len() {
            return None;
        }
        Number::from(0)
    } else {
        Number::parse(&rest.bytes[..digits], radix)?
    };
    *text = rest.skip(digits);
    Some(value)
}
