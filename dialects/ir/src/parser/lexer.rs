//! Splits MLIR text into tokens, one at a time.

/// The kinds of a token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TokenKind {
    /// End of the text.
    End,
    /// `foo`, `foo.bar`, `i32`, a keyword.
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

/// A token: its kind and where it stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token {
    /// The kind.
    pub kind: TokenKind,
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
    /// Line, from 1.
    pub line: u32,
    /// Byte at which the line starts.
    pub line_start: usize,
}

impl Token {
    /// Column in bytes, from 1.
    pub fn column(&self) -> u32 {
        u32::try_from(self.start - self.line_start + 1).unwrap_or(u32::MAX)
    }
}

/// A lexical error: a message and where.
#[derive(Clone, Debug)]
pub(crate) struct LexError {
    pub(crate) message: &'static str,
    pub(crate) token: Token,
}

/// The lexer: a position in the text.
#[derive(Clone, Debug)]
pub(crate) struct Lexer<'t> {
    text: &'t str,
    position: usize,
    line: u32,
    line_start: usize,
}

const WORD: u8 = 1;
const WORD_START: u8 = 2;
const SUFFIX: u8 = 4;
const SPACE: u8 = 8;

/// What each byte may be part of.
static CLASS: [u8; 256] = {
    let mut class = [0; 256];
    let mut byte = 0usize;
    while byte < 128 {
        let c = byte as u8;
        if c.is_ascii_alphabetic() || c == b'_' {
            class[byte] = WORD | WORD_START | SUFFIX;
        } else if c.is_ascii_digit() || c == b'$' || c == b'.' {
            class[byte] = WORD | SUFFIX;
        } else if c == b'-' {
            class[byte] = SUFFIX;
        } else if c == b' ' || c == b'\t' || c == b'\r' || c == 0 {
            // As in MLIR a NUL between tokens is a blank.
            class[byte] = SPACE;
        }
        byte += 1;
    }
    class
};

impl<'t> Lexer<'t> {
    /// A lexer at the start of `text`, whose first line has number `first_line`.
    pub(crate) fn new(text: &'t str, first_line: u32) -> Self {
        Lexer {
            text,
            position: 0,
            line: first_line,
            line_start: 0,
        }
    }

    #[inline]
    fn peek(&self, offset: usize) -> u8 {
        self.text
            .as_bytes()
            .get(self.position + offset)
            .copied()
            .unwrap_or(0)
    }

    fn scan(&mut self, class: u8) {
        let bytes = self.text.as_bytes();
        while self.position < bytes.len() && CLASS[bytes[self.position] as usize] & class != 0 {
            self.position += 1;
        }
    }

    fn skip_space(&mut self) {
        let bytes = self.text.as_bytes();
        while let Some(&byte) = bytes.get(self.position) {
            if CLASS[byte as usize] & SPACE != 0 {
                self.position += 1;
            } else if byte == b'\n' {
                self.position += 1;
                self.line += 1;
                self.line_start = self.position;
            } else if byte == b'/' && bytes.get(self.position + 1) == Some(&b'/') {
                let rest = &bytes[self.position..];
                self.position += memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
            } else {
                return;
            }
        }
    }

    /// The next token.
    pub(crate) fn next(&mut self) -> Result<Token, LexError> {
        self.skip_space();
        let start = self.position;
        let byte = self.peek(0);
        if start == self.text.len() {
            return Ok(self.token(TokenKind::End, start));
        }
        self.position += 1;
        let kind = match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => {
                self.scan(WORD);
                TokenKind::BareIdentifier
            }
            b'0'..=b'9' => self.number(start),
            b'%' => self.prefixed(TokenKind::PercentIdentifier, start)?,
            b'^' => self.prefixed(TokenKind::CaretIdentifier, start)?,
            b'!' => self.prefixed(TokenKind::ExclamationIdentifier, start)?,
            b'#' if self.peek(0) == b'-' && self.peek(1) == b'}' => {
                self.position += 2;
                TokenKind::MetadataEnd
            }
            b'#' => self.prefixed(TokenKind::HashIdentifier, start)?,
            b'@' => self.symbol()?,
            b'"' => self.string()?,
            b'-' if self.peek(0) == b'>' => {
                self.position += 1;
                TokenKind::Arrow
            }
            b'{' if self.peek(0) == b'-' && self.peek(1) == b'#' => {
                self.position += 2;
                TokenKind::MetadataBegin
            }
            b'.' if self.peek(0) == b'.' && self.peek(1) == b'.' => {
                self.position += 2;
                TokenKind::Ellipsis
            }
            _ => match punctuation(byte) {
                Some(kind) => kind,
                None => return Err(self.unexpected(byte, start)),
            },
        };
        Ok(self.token(kind, start))
    }

    fn token(&self, kind: TokenKind, start: usize) -> Token {
        Token {
            kind,
            start,
            end: self.position,
            line: self.line,
            line_start: self.line_start,
        }
    }

    fn error(&self, message: &'static str, start: usize) -> LexError {
        LexError {
            message,
            token: self.token(TokenKind::End, start),
        }
    }

    fn unexpected(&self, byte: u8, start: usize) -> LexError {
        match byte {
            b'.' => self.error(
                "expected three consecutive dots for an ellipsis",
                self.position,
            ),
            _ => self.error("unexpected character", start),
        }
    }

    fn number(&mut self, start: usize) -> TokenKind {
        let first = self.text.as_bytes()[start];
        if first == b'0' && self.peek(0) == b'x' && self.peek(1).is_ascii_hexdigit() {
            self.position += 1;
            while self.peek(0).is_ascii_hexdigit() {
                self.position += 1;
            }
            return TokenKind::Integer;
        }
        self.digits();
        if self.peek(0) != b'.' {
            return TokenKind::Integer;
        }
        self.position += 1;
        self.digits();
        if matches!(self.peek(0), b'e' | b'E') {
            let sign = usize::from(matches!(self.peek(1), b'-' | b'+'));
            if self.peek(1 + sign).is_ascii_digit() {
                self.position += 1 + sign;
                self.digits();
            }
        }
        TokenKind::Float
    }

    fn digits(&mut self) {
        while self.peek(0).is_ascii_digit() {
            self.position += 1;
        }
    }

    /// What follows `%`, `^`, `#` or `!`.
    fn prefixed(&mut self, kind: TokenKind, start: usize) -> Result<TokenKind, LexError> {
        let first = self.peek(0);
        if first.is_ascii_digit() {
            self.digits();
        } else if CLASS[first as usize] & SUFFIX != 0 {
            self.scan(SUFFIX);
        } else {
            return Err(self.error(
                match kind {
                    TokenKind::PercentIdentifier => "invalid SSA name",
                    TokenKind::CaretIdentifier => "invalid block name",
                    TokenKind::HashIdentifier => "invalid attribute name",
                    _ => "invalid type identifier",
                },
                start,
            ));
        }
        Ok(kind)
    }

    fn symbol(&mut self) -> Result<TokenKind, LexError> {
        let first = self.peek(0);
        if first == b'"' {
            self.position += 1;
            self.string()?;
        } else if CLASS[first as usize] & WORD_START != 0 {
            self.position += 1;
            // As in MLIR: letters, digits, `$`, `.`, `_` (and `-`).
            self.scan(SUFFIX);
        } else {
            let message = "@ identifier expected to start with letter or '_'";
            return Err(self.error(message, self.position));
        }
        Ok(TokenKind::AtIdentifier)
    }

    /// The rest of a string whose opening quote was read.
    fn string(&mut self) -> Result<TokenKind, LexError> {
        let bytes = self.text.as_bytes();
        let open = "expected '\"' in string literal";
        // Vertical tabs and form feeds end a string too, as in MLIR.
        let mut control = 0;
        loop {
            let rest = &bytes[self.position..];
            let end = memchr::memchr3(b'"', b'\\', b'\n', rest);
            let next = self.position + end.unwrap_or(rest.len());
            if control < next {
                let part = &bytes[self.position.max(control)..next];
                control = match memchr::memchr2(0x0B, 0x0C, part) {
                    Some(offset) => return Err(self.error(open, next - part.len() + offset)),
                    None => next,
                };
            }
            let Some(offset) = end else {
                return Err(self.error(open, bytes.len()));
            };
            self.position += offset + 1;
            match rest[offset] {
                b'"' => return Ok(TokenKind::String),
                b'\n' => {
                    self.position -= 1;
                    return Err(self.error(open, self.position));
                }
                _ => match self.peek(0) {
                    b'"' | b'\\' | b'n' | b't' => self.position += 1,
                    byte if byte.is_ascii_hexdigit() && self.peek(1).is_ascii_hexdigit() => {
                        self.position += 2;
                    }
                    _ => {
                        let escape = self.position - 1;
                        return Err(self.error("unknown escape in string literal", escape));
                    }
                },
            }
        }
    }

    /// Reads on behind `token`, at byte `position` of the text.
    pub(crate) fn reset(&mut self, token: &Token, position: usize) {
        // Lines between the token and the position were not seen by the lexer yet.
        let skipped = &self.text.as_bytes()[token.start.min(position)..position];
        self.position = position;
        self.line = token.line;
        self.line_start = token.line_start;
        for newline in memchr::memchr_iter(b'\n', skipped) {
            self.line += 1;
            self.line_start = token.start + newline + 1;
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
        assert_eq!(kinds("-7"), [Minus, Integer]);
    }

    #[test]
    fn lines_and_columns_count_from_one() {
        let mut lexer = Lexer::new("a // x\n  %b", 1);
        lexer.next().expect("a");
        let token = lexer.next().expect("b");
        assert_eq!((token.line, token.column()), (2, 3));
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
            assert_eq!(error.token.column(), column, "{text}");
        }
    }
}
