//! Splits MLIR text into tokens, one at a time.

use std::borrow::Cow;

use super::stream::{LineStream, StreamError};
use crate::spelling::{CLASS, SPACE, STRING_STOP, SUFFIX, WORD, WORD_START, digits, scan, suffix};

/// The kinds of a token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TokenKind {
    /// End of the text.
    End,
    /// `foo`, `foo.bar`, `i32`, or a keyword.
    BareIdentifier,
    /// `@foo` or `@"foo"`.
    AtIdentifier,
    /// `%foo`.
    PercentIdentifier,
    /// `^foo`.
    CaretIdentifier,
    /// `#foo`.
    HashIdentifier,
    /// `!foo`.
    ExclamationIdentifier,
    /// `42` or `0x2A`.
    Integer,
    /// `4.2e1`.
    Float,
    /// `"text"` with escapes.
    String,
    /// `->`
    Arrow,
    /// `:`
    Colon,
    /// `,`
    Comma,
    /// `...`
    Ellipsis,
    /// `=`
    Equal,
    /// `>`
    Greater,
    /// `<`
    Less,
    /// `{`
    LeftBrace,
    /// `}`
    RightBrace,
    /// `(`
    LeftParen,
    /// `)`
    RightParen,
    /// `[`
    LeftSquare,
    /// `]`
    RightSquare,
    /// `-`
    Minus,
    /// `+`
    Plus,
    /// `?`
    Question,
    /// `/`
    Slash,
    /// `*`
    Star,
    /// `|`
    VerticalBar,
    /// `{-#`
    MetadataBegin,
    /// `#-}`
    MetadataEnd,
}

/// A token: its kind and position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token {
    /// First byte.
    pub start: usize,
    /// Number of bytes.
    pub length: u32,
    /// Line, 1-based.
    pub line: u32,
    /// Column in bytes, 1-based.
    pub column: u32,
    /// The kind.
    pub kind: TokenKind,
}

impl Token {
    /// The offset one past the last byte.
    #[inline]
    pub fn end(&self) -> usize {
        self.start + self.length as usize
    }
}

/// A lexical error: a message and its position.
#[derive(Clone, Debug)]
pub(crate) struct LexError {
    pub(crate) message: Cow<'static, str>,
    pub(crate) token: Token,
}

/// The next token, or a lexical error.
pub(crate) type LexResult<T> = Result<T, Box<LexError>>;

/// The lexer: a position in the text.
///
/// For a text that is read from a stream, only a window is kept. It starts at a line start at or
/// before [`Lexer::keep`] and ends at a line end, so that no token crosses its end.
#[derive(Debug)]
pub(crate) struct Lexer<'t> {
    text: Cow<'t, str>,
    /// The offset of the window in the whole text.
    base: usize,
    /// The current byte offset in the window.
    position: usize,
    line: u32,
    /// The offset of the current line in the whole text.
    line_start: usize,
    /// The offset in the whole text from which the text must be kept.
    keep: usize,
    /// The source of the rest of the text.
    stream: Option<LineStream<'t>>,
}

impl<'t> Lexer<'t> {
    /// A lexer at the start of `text`, whose first line has number `first_line`.
    pub(crate) fn new(text: &'t str, first_line: u32) -> Self {
        Lexer::of(Cow::Borrowed(text), first_line, None)
    }

    /// A lexer that reads from a stream.
    pub(crate) fn of_stream(stream: LineStream<'t>) -> Self {
        Lexer::of(Cow::Owned(String::new()), 1, Some(stream))
    }

    fn of(text: Cow<'t, str>, line: u32, stream: Option<LineStream<'t>>) -> Self {
        Lexer {
            text,
            base: 0,
            position: 0,
            line,
            line_start: 0,
            keep: 0,
            stream,
        }
    }

    /// The text starting at a byte offset, as far as it has been read.
    #[inline]
    pub(crate) fn text_from(&self, start: usize) -> &str {
        let start = start.checked_sub(self.base);
        debug_assert!(start.is_some(), "the requested text was dropped");
        start.and_then(|start| self.text.get(start..)).unwrap_or("")
    }

    /// A byte of the text, if it has been read.
    pub(crate) fn byte(&self, position: usize) -> Option<u8> {
        let position = position.checked_sub(self.base)?;
        self.text.as_bytes().get(position).copied()
    }

    /// The text of a token.
    #[inline]
    pub(crate) fn spelling(&self, token: Token) -> &str {
        let text = self.text_from(token.start);
        text.get(..token.length as usize).unwrap_or(text)
    }

    /// The text before a byte, as far as it is kept: at least from the start of the line that
    /// contains the token before [`Lexer::keep`].
    pub(crate) fn text_before(&self, end: usize) -> &str {
        let end = end.saturating_sub(self.base).min(self.text.len());
        self.text.get(..end).unwrap_or("")
    }

    /// Marks the text before this byte as no longer needed.
    #[inline]
    pub(crate) fn keep_from(&mut self, keep: usize) {
        self.keep = keep;
    }

    /// Reads more of the text; returns false at its end.
    pub(crate) fn read_more(&mut self) -> LexResult<bool> {
        let Some(stream) = &mut self.stream else {
            return Ok(false);
        };
        let lines = match stream.lines() {
            Ok("") => return Ok(false),
            Ok(lines) => lines,
            Err(failure) => return Err(self.broken_stream(&failure)),
        };
        let text = self.text.to_mut();
        let dropped = line_of_token_before(text, self.keep.saturating_sub(self.base));
        text.drain(..dropped);
        text.push_str(lines);
        self.base += dropped;
        self.position -= dropped;
        Ok(true)
    }

    /// The error for a failed read.
    #[cold]
    fn broken_stream(&self, failure: &StreamError) -> Box<LexError> {
        let unseen = memchr::memchr_iter(b'\n', &self.text.as_bytes()[self.position..]).count();
        let unseen = u32::try_from(unseen).unwrap_or(u32::MAX);
        let (lines, column, message) = match failure {
            StreamError::Reading(error) => (0, 1, format!("cannot read the input: {error}").into()),
            StreamError::Encoding { lines, column } => {
                (*lines, *column, Cow::Borrowed("invalid UTF-8"))
            }
        };
        let token = Token {
            start: self.base + self.text.len(),
            length: 0,
            line: self.line.saturating_add(unseen).saturating_add(lines),
            column,
            kind: TokenKind::End,
        };
        Box::new(LexError { message, token })
    }

    /// Skips white space, line ends and comments.
    #[inline]
    fn skip_space(&mut self) {
        let bytes = self.text.as_bytes();
        while let Some(&byte) = bytes.get(self.position) {
            if CLASS[byte as usize] & SPACE != 0 {
                self.position += 1;
            } else if byte == b'\n' {
                self.position += 1;
                self.line += 1;
                self.line_start = self.base + self.position;
            } else if byte == b'/' && bytes.get(self.position + 1) == Some(&b'/') {
                let rest = &bytes[self.position..];
                self.position += memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
            } else {
                return;
            }
        }
    }

    /// The next token.
    #[inline]
    pub(crate) fn next(&mut self) -> LexResult<Token> {
        self.skip_space();
        while self.position == self.text.len() {
            if !self.read_more()? {
                return Ok(self.token(TokenKind::End, self.position));
            }
            self.skip_space();
        }
        let bytes = self.text.as_bytes();
        let start = self.position;
        let rest = &bytes[start + 1..];
        let (kind, length) = match bytes[start] {
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => (TokenKind::BareIdentifier, scan(rest, WORD)),
            b'%' => (TokenKind::PercentIdentifier, suffix(rest)),
            b'0'..=b'9' => number(bytes[start], rest),
            b'^' => (TokenKind::CaretIdentifier, suffix(rest)),
            b'!' => (TokenKind::ExclamationIdentifier, suffix(rest)),
            b'#' if rest.starts_with(b"-}") => (TokenKind::MetadataEnd, 2),
            b'#' => (TokenKind::HashIdentifier, suffix(rest)),
            b'@' => (TokenKind::AtIdentifier, self.symbol()?),
            b'"' => (TokenKind::String, self.string(0)?),
            b'-' if rest.first() == Some(&b'>') => (TokenKind::Arrow, 1),
            b'{' if rest.starts_with(b"-#") => (TokenKind::MetadataBegin, 2),
            b'.' if rest.starts_with(b"..") => (TokenKind::Ellipsis, 2),
            byte => match punctuation(byte) {
                Some(kind) => (kind, 0),
                None => return Err(self.unexpected(byte)),
            },
        };
        if length == 0
            && let Some(message) = needs_suffix(kind)
        {
            return Err(self.error(message, start));
        }
        self.position += 1 + length;
        self.checked(kind, start)
    }

    /// The token from `start` to the current position.
    #[inline]
    fn token(&self, kind: TokenKind, start: usize) -> Token {
        let column = self.base + start - self.line_start + 1;
        Token {
            start: self.base + start,
            length: u32::try_from(self.position.saturating_sub(start)).unwrap_or(u32::MAX),
            line: self.line,
            column: u32::try_from(column).unwrap_or(u32::MAX),
            kind,
        }
    }

    /// The token from `start` to the current position, or an error if it is too long.
    #[inline]
    fn checked(&self, kind: TokenKind, start: usize) -> LexResult<Token> {
        let token = self.token(kind, start);
        if token.length == u32::MAX {
            return Err(self.error("token of more than 4 GiB", start));
        }
        Ok(token)
    }

    /// An error at a byte of the window.
    #[cold]
    fn error(&self, message: &'static str, start: usize) -> Box<LexError> {
        Box::new(LexError {
            message: Cow::Borrowed(message),
            token: Token {
                length: 0,
                ..self.token(TokenKind::End, start)
            },
        })
    }

    #[cold]
    fn unexpected(&self, byte: u8) -> Box<LexError> {
        match byte {
            b'.' => self.error(
                "expected three consecutive dots for an ellipsis",
                self.position + 1,
            ),
            _ => self.error("unexpected character", self.position),
        }
    }

    /// The length of `@name` or `@"name"` at the current position, after its first byte.
    fn symbol(&self) -> LexResult<usize> {
        let rest = &self.text.as_bytes()[self.position + 1..];
        match rest.first() {
            Some(b'"') => Ok(1 + self.string(1)?),
            // As in MLIR: letters, digits, `$`, `.`, `_` (and `-`).
            Some(first) if CLASS[*first as usize] & WORD_START != 0 => Ok(scan(rest, SUFFIX)),
            _ => {
                let message = "@ identifier expected to start with letter or '_'";
                Err(self.error(message, self.position + 1))
            }
        }
    }

    /// The length of a string that starts `skip` bytes after the position, after its first byte.
    fn string(&self, skip: usize) -> LexResult<usize> {
        let start = self.position + skip + 1;
        string_length(&self.text.as_bytes()[start..])
            .map_err(|(offset, message)| self.error(message, start + offset))
    }

    /// Continues lexing at byte `position` of the whole text, which is in the line of `token` or
    /// after it.
    pub(crate) fn reset(&mut self, token: &Token, position: usize) {
        self.position = position.saturating_sub(self.base);
        self.line = token.line;
        self.line_start = (token.start + 1).saturating_sub(token.column as usize);
        // The lexer has not visited the lines between the token and the position.
        let from = token.start.min(position) - self.base;
        let skipped = &self.text.as_bytes()[from..self.position];
        for newline in memchr::memchr_iter(b'\n', skipped) {
            self.line += 1;
            self.line_start = self.base + from + newline + 1;
        }
    }

    /// Skips bytes after the start of `token`, all in its line.
    #[inline]
    pub(crate) fn skip(&mut self, token: &Token, length: usize) {
        self.position = token.start - self.base + length;
        self.line = token.line;
        self.line_start = (token.start + 1).saturating_sub(token.column as usize);
    }
}

/// The end of the text before `start`, excluding white space and comments.
pub(crate) fn end_of_token_before(text: &str, start: usize) -> usize {
    let bytes = text.as_bytes();
    let mut end = start;
    loop {
        while end > 0 && matches!(bytes[end - 1], b' ' | b'\t') {
            end -= 1;
        }
        if end == 0 || !matches!(bytes[end - 1], b'\n' | b'\r') {
            return end;
        }
        end -= 1;
        let line = memchr::memrchr2(b'\n', b'\r', &bytes[..end]).map_or(0, |at| at + 1);
        if let Some(comment) = memchr::memmem::find(&bytes[line..end], b"//") {
            end = line + comment;
        }
    }
}

/// The start of the line that contains the token before `start`.
fn line_of_token_before(text: &str, start: usize) -> usize {
    let end = end_of_token_before(text, start);
    memchr::memrchr(b'\n', &text.as_bytes()[..end]).map_or(0, |newline| newline + 1)
}

/// The error message for a sigil without a valid suffix.
#[inline]
fn needs_suffix(kind: TokenKind) -> Option<&'static str> {
    match kind {
        TokenKind::PercentIdentifier => Some("invalid SSA name"),
        TokenKind::CaretIdentifier => Some("invalid block name"),
        TokenKind::HashIdentifier => Some("invalid attribute name"),
        TokenKind::ExclamationIdentifier => Some("invalid type identifier"),
        _ => None,
    }
}

/// The kind of a number and the count of bytes after its first one.
fn number(first: u8, rest: &[u8]) -> (TokenKind, usize) {
    let at = |offset: usize| rest.get(offset).copied().unwrap_or(0);
    if first == b'0' && at(0) == b'x' && at(1).is_ascii_hexdigit() {
        let other = |byte: &u8| !byte.is_ascii_hexdigit();
        let length = rest[1..].iter().position(other);
        return (TokenKind::Integer, length.map_or(rest.len(), |n| n + 1));
    }
    let mut length = digits(rest);
    if at(length) != b'.' {
        return (TokenKind::Integer, length);
    }
    length += 1;
    length += digits(&rest[length..]);
    if matches!(at(length), b'e' | b'E') {
        let sign = usize::from(matches!(at(length + 1), b'-' | b'+'));
        if at(length + 1 + sign).is_ascii_digit() {
            length += 1 + sign;
            length += digits(&rest[length..]);
        }
    }
    (TokenKind::Float, length)
}

/// The length of the string contents and the closing quote, or the position and reason of an error.
fn string_length(bytes: &[u8]) -> Result<usize, (usize, &'static str)> {
    let open = "expected '\"' in string literal";
    let mut position = 0;
    loop {
        let rest = &bytes[position..];
        let stop = |byte: &u8| CLASS[*byte as usize] & STRING_STOP != 0;
        let Some(offset) = rest.iter().position(stop) else {
            return Err((bytes.len(), open));
        };
        position += offset + 1;
        let at = |offset: usize| bytes.get(position + offset).copied().unwrap_or(0);
        match rest[offset] {
            b'"' => return Ok(position),
            b'\\' => match at(0) {
                b'"' | b'\\' | b'n' | b't' => position += 1,
                byte if byte.is_ascii_hexdigit() && at(1).is_ascii_hexdigit() => position += 2,
                _ => return Err((position - 1, "unknown escape in string literal")),
            },
            _ => return Err((position - 1, open)),
        }
    }
}

fn punctuation(byte: u8) -> Option<TokenKind> {
    Some(match byte {
        b':' => TokenKind::Colon,
        b',' => TokenKind::Comma,
        b'=' => TokenKind::Equal,
        b'>' => TokenKind::Greater,
        b'<' => TokenKind::Less,
        b'{' => TokenKind::LeftBrace,
        b'}' => TokenKind::RightBrace,
        b'(' => TokenKind::LeftParen,
        b')' => TokenKind::RightParen,
        b'[' => TokenKind::LeftSquare,
        b']' => TokenKind::RightSquare,
        b'-' => TokenKind::Minus,
        b'+' => TokenKind::Plus,
        b'?' => TokenKind::Question,
        b'/' => TokenKind::Slash,
        b'*' => TokenKind::Star,
        b'|' => TokenKind::VerticalBar,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<TokenKind> {
        let mut lexer = Lexer::new(text, 1);
        let mut kinds = Vec::new();
        loop {
            match lexer.next().expect("lexes").kind {
                TokenKind::End => return kinds,
                kind => kinds.push(kind),
            }
        }
    }

    #[test]
    fn numbers_dimensions_and_floats() {
        use TokenKind::{BareIdentifier, Float, Integer, Minus};
        assert_eq!(
            kinds("0x2A 12 1. 1.5e-3 1.e"),
            [Integer, Integer, Float, Float, Float, BareIdentifier]
        );
        assert_eq!(kinds("0x4xf32"), [Integer, BareIdentifier]);
        // No digit follows: the number is 0.
        assert_eq!(kinds("0x"), [Integer, BareIdentifier]);
        assert_eq!(kinds("-7"), [Minus, Integer]);
    }

    #[test]
    fn lines_and_columns_count_from_one() {
        let mut lexer = Lexer::new("a // x\n  %b", 1);
        lexer.next().expect("a");
        let token = lexer.next().expect("b");
        assert_eq!((token.line, token.column), (2, 3));
    }

    #[test]
    fn broken_tokens_are_errors_where_they_start() {
        for (text, column) in [
            ("\"abc", 5),
            ("  @1", 4),
            ("% ", 1),
            ("\"\\q\"", 2),
            ("..", 2),
            ("é", 1),
            ("\"a\nb\"", 3),
        ] {
            let error = Lexer::new(text, 1).next().expect_err(text);
            assert_eq!(error.token.column, column, "{text}");
        }
    }
}
