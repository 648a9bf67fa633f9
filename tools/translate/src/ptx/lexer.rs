//! Tokens of PTX.

use super::{Error, Place};

/// The kind of a token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// The end of the text.
    End,
    /// A name: `mov`, `%r1`, `$L__BB0_1`, `_`.
    Name,
    /// A name after a dot: `.global`, `.shared::cta`, `.2d`.
    Dotted,
    /// An integer, and whether it has a `U` suffix.
    Integer(u64, bool),
    /// The bits of a float.
    Single(u32),
    /// The bits of a double.
    Double(u64),
    /// A string; the slice excludes the quotes.
    String,
    /// Punctuation.
    Sign(&'static str),
}

/// A token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Token<'t> {
    pub kind: Kind,
    pub text: &'t str,
    pub place: Place,
    /// Whether it follows the previous token without a gap.
    pub joined: bool,
}

/// Splits a text into tokens.
#[derive(Clone, Debug)]
pub(super) struct Lexer<'t> {
    text: &'t str,
    position: usize,
    line: u32,
    line_start: usize,
}

/// Punctuation, longest first.
const SIGNS: [&str; 33] = [
    "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", ",", ";", ":", "{", "}", "(", ")", "[", "]",
    "<", ">", "@", "!", "|", "+", "-", "*", "/", "%", "&", "^", "~", "=", "?", ".",
];

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$'
}

fn is_blank(bytes: &[u8]) -> bool {
    bytes.iter().all(u8::is_ascii_whitespace)
}

impl<'t> Lexer<'t> {
    pub fn new(text: &'t str) -> Self {
        Lexer {
            text,
            position: 0,
            line: 1,
            line_start: 0,
        }
    }

    fn place(&self, position: usize) -> Place {
        let column = position - self.line_start + 1;
        Place {
            line: self.line,
            column: u32::try_from(column).unwrap_or(u32::MAX),
        }
    }

    fn error(&self, position: usize, message: impl Into<String>) -> Error {
        Error {
            place: self.place(position),
            message: message.into(),
        }
    }

    fn byte(&self, position: usize) -> u8 {
        self.text.as_bytes().get(position).copied().unwrap_or(0)
    }

    fn new_line(&mut self, newline: usize) {
        self.line = self.line.saturating_add(1);
        self.line_start = newline + 1;
    }

    /// Skips blanks, comments, and lines left by a preprocessor.
    fn skip_blanks(&mut self) -> Result<(), Error> {
        let bytes = self.text.as_bytes();
        while let Some(byte) = bytes.get(self.position) {
            match byte {
                b'\n' => {
                    self.new_line(self.position);
                    self.position += 1;
                }
                b' ' | b'\t' | b'\r' | 0x0b | 0x0c => self.position += 1,
                b'/' if self.byte(self.position + 1) == b'/' => self.skip_line(),
                b'/' if self.byte(self.position + 1) == b'*' => self.skip_comment()?,
                b'#' if is_blank(&bytes[self.line_start..self.position]) => self.skip_line(),
                _ => break,
            }
        }
        Ok(())
    }

    fn skip_line(&mut self) {
        let rest = &self.text.as_bytes()[self.position..];
        let length = rest.iter().position(|byte| *byte == b'\n');
        self.position += length.unwrap_or(rest.len());
    }

    fn skip_comment(&mut self) -> Result<(), Error> {
        let opening = self.error(self.position, "unterminated comment");
        let bytes = self.text.as_bytes();
        let mut position = self.position + 2;
        while let Some(byte) = bytes.get(position) {
            if *byte == b'*' && self.byte(position + 1) == b'/' {
                self.position = position + 2;
                return Ok(());
            }
            if *byte == b'\n' {
                self.new_line(position);
            }
            position += 1;
        }
        Err(opening)
    }

    /// The next token.
    pub fn next(&mut self) -> Result<Token<'t>, Error> {
        let before = self.position;
        self.skip_blanks()?;
        let start = self.position;
        let joined = start == before;
        let place = self.place(start);
        let (kind, text) = self.token(start)?;
        Ok(Token {
            kind,
            text,
            place,
            joined,
        })
    }

    fn token(&mut self, start: usize) -> Result<(Kind, &'t str), Error> {
        if start >= self.text.len() {
            return Ok((Kind::End, ""));
        }
        let (first, second) = (self.byte(start), self.byte(start + 1));
        let name = first.is_ascii_alphabetic()
            || matches!(first, b'_' | b'$')
            || (first == b'%' && is_name_byte(second));
        if name {
            return Ok((Kind::Name, self.take_name(start + 1, start)));
        }
        if first == b'.' && is_name_byte(second) {
            return Ok((Kind::Dotted, self.take_name(start + 1, start)));
        }
        if first.is_ascii_digit() {
            return self.number(start);
        }
        if first == b'"' {
            return self.string(start);
        }
        let rest = &self.text[start..];
        match SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
            Some(sign) => {
                self.position = start + sign.len();
                Ok((Kind::Sign(sign), &rest[..sign.len()]))
            }
            None => {
                let character = rest.chars().next().unwrap_or(' ');
                let message = format!("unexpected character '{}'", character.escape_debug());
                Err(self.error(start, message))
            }
        }
    }

    /// Takes a name from `start`, whose first byte is known; parts of dotted names may be joined by
    /// `::`.
    fn take_name(&mut self, mut end: usize, start: usize) -> &'t str {
        let dotted = self.byte(start) == b'.';
        loop {
            while is_name_byte(self.byte(end)) {
                end += 1;
            }
            let joins = dotted
                && self.byte(end) == b':'
                && self.byte(end + 1) == b':'
                && is_name_byte(self.byte(end + 2));
            if !joins {
                break;
            }
            end += 2;
        }
        self.position = end;
        &self.text[start..end]
    }

    fn string(&mut self, start: usize) -> Result<(Kind, &'t str), Error> {
        let bytes = self.text.as_bytes();
        let mut end = start + 1;
        loop {
            match bytes.get(end) {
                Some(b'"') => break,
                Some(b'\\') if !matches!(self.byte(end + 1), 0 | b'\n') => end += 2,
                Some(byte) if *byte != b'\n' => end += 1,
                _ => return Err(self.error(start, "unterminated string")),
            }
        }
        // A backslash may precede a character of several bytes, none of which is a quote.
        self.position = end + 1;
        Ok((Kind::String, &self.text[start + 1..end]))
    }

    fn number(&mut self, start: usize) -> Result<(Kind, &'t str), Error> {
        let (kind, end) = match (self.byte(start), self.byte(start + 1)) {
            (b'0', b'f' | b'F') => {
                let (bits, end) = self.float_bits(start, 8)?;
                let bits = u32::try_from(bits).unwrap_or(0);
                (Kind::Single(bits), end)
            }
            (b'0', b'd' | b'D') => {
                let (bits, end) = self.float_bits(start, 16)?;
                (Kind::Double(bits), end)
            }
            (b'0', b'x' | b'X') => self.integer(start, start + 2, 16)?,
            (b'0', b'b' | b'B') => self.integer(start, start + 2, 2)?,
            _ => self.decimal(start)?,
        };
        if is_name_byte(self.byte(end)) {
            let message = format!("unexpected '{}' in a number", char::from(self.byte(end)));
            return Err(self.error(end, message));
        }
        self.position = end;
        Ok((kind, &self.text[start..end]))
    }

    fn float_bits(&self, start: usize, digits: usize) -> Result<(u64, usize), Error> {
        let mut end = start + 2;
        while self.byte(end).is_ascii_hexdigit() {
            end += 1;
        }
        let text = &self.text[start + 2..end];
        if text.len() != digits {
            let message = format!("expected {digits} hexadecimal digits, found {}", text.len());
            return Err(self.error(start, message));
        }
        Ok((u64::from_str_radix(text, 16).unwrap_or(0), end))
    }

    fn integer(&self, start: usize, from: usize, radix: u32) -> Result<(Kind, usize), Error> {
        let mut end = from;
        while char::from(self.byte(end)).is_digit(radix) {
            end += 1;
        }
        if end == from {
            return Err(self.error(start, "expected digits"));
        }
        let Ok(value) = u64::from_str_radix(&self.text[from..end], radix) else {
            return Err(self.error(start, "integer does not fit in 64 bits"));
        };
        let unsigned = self.byte(end) == b'U';
        Ok((Kind::Integer(value, unsigned), end + usize::from(unsigned)))
    }

    /// A decimal or octal integer, or a float with a point or an exponent.
    fn decimal(&self, start: usize) -> Result<(Kind, usize), Error> {
        let digits = |mut end: usize| {
            while self.byte(end).is_ascii_digit() {
                end += 1;
            }
            end
        };
        let whole = digits(start);
        let mut end = whole;
        if self.byte(end) == b'.' {
            end = digits(end + 1);
        }
        if matches!(self.byte(end), b'e' | b'E') {
            let sign = usize::from(matches!(self.byte(end + 1), b'+' | b'-'));
            let exponent = digits(end + 1 + sign);
            if exponent == end + 1 + sign {
                return Err(self.error(start, "expected the digits of an exponent"));
            }
            end = exponent;
        }
        if end > whole {
            let value: f64 = self.text[start..end].parse().unwrap_or(f64::NAN);
            return Ok((Kind::Double(value.to_bits()), end));
        }
        let octal = self.byte(start) == b'0' && whole > start + 1;
        if octal && self.text[start..whole].contains(['8', '9']) {
            return Err(self.error(start, "invalid digit in an octal integer"));
        }
        self.integer(start, start, if octal { 8 } else { 10 })
    }
}
