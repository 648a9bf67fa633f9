//! Parsing of dialect-specific text: the bodies of `!dialect.name<…>` and `#dialect.name<…>`, and
//! string and symbol literals.

use super::{ParseResult, Parser, Token, TokenKind};

impl Parser<'_> {
    /// Parses the body of an opaque type or attribute: `rest` is the text after the dot, `adjacent`
    /// is set if `<` follows directly.
    pub(super) fn parse_symbol_body(&mut self, rest: &str, adjacent: bool) -> ParseResult<String> {
        if !adjacent {
            return Ok(rest.to_owned());
        }
        let raw = self.parse_balanced()?;
        Ok(if rest.is_empty() {
            raw[1..raw.len() - 1].to_owned()
        } else {
            format!("{rest}{raw}")
        })
    }

    /// Parses the raw text from the next `<` to the matching `>`, both included. Brackets of every
    /// kind must balance; strings and `->` are skipped.
    pub(super) fn parse_balanced(&mut self) -> ParseResult<String> {
        let start = self.token().start;
        let mut open: Vec<u8> = Vec::new();
        let mut position = 0;
        while let Some(byte) = self.byte_behind(start + position)? {
            position += 1;
            let bytes = self.text_from(start).as_bytes();
            match byte {
                b'<' | b'(' | b'[' | b'{' => open.push(byte),
                b'-' if bytes.get(position) == Some(&b'>') => position += 1,
                b'"' => match string_end(bytes, position) {
                    Some(end) => position = end,
                    None => return Err(self.error("expected '\"' in string literal")),
                },
                b'>' | b')' | b']' | b'}' => {
                    let expected = match byte {
                        b'>' => b'<',
                        b')' => b'(',
                        b']' => b'[',
                        _ => b'{',
                    };
                    let last = open.pop();
                    if last != Some(expected) {
                        let message = format!(
                            "unbalanced '{}' character in pretty dialect name",
                            char::from(last.unwrap_or(byte))
                        );
                        return Err(self.error(&message));
                    }
                    if open.is_empty() {
                        let raw = self.text_from(start)[..position].to_owned();
                        self.jump_to(start + position)?;
                        return Ok(raw);
                    }
                }
                0 => break,
                _ => {}
            }
        }
        let last = char::from(open.last().copied().unwrap_or(b'<'));
        Err(self.error(&format!(
            "unbalanced '{last}' character in pretty dialect name"
        )))
    }

    /// The byte of the text at `position`, at or after the next token; `None` past the end.
    fn byte_behind(&mut self, position: usize) -> ParseResult<Option<u8>> {
        loop {
            if let Some(byte) = self.lexer.byte(position) {
                return Ok(Some(byte));
            }
            match self.lexer.read_more() {
                Ok(true) => {}
                Ok(false) => return Ok(None),
                Err(error) => return Err(self.error_at(error.token, &error.message)),
            }
        }
    }

    /// Parses a string literal into its bytes.
    ///
    /// # Errors
    /// If none is present.
    pub fn parse_string_bytes(&mut self) -> ParseResult<Vec<u8>> {
        let token = self.expect(TokenKind::String, "expected string literal")?;
        Ok(self.unescape(token))
    }

    /// Parses a string literal.
    ///
    /// # Errors
    /// If none is present or its bytes are not UTF-8.
    pub fn parse_string(&mut self) -> ParseResult<String> {
        let token = self.token();
        let bytes = self.parse_string_bytes()?;
        String::from_utf8(bytes).map_err(|_| self.error_at(token, "expected a UTF-8 string"))
    }

    /// The bytes denoted by a string token.
    pub(super) fn unescape(&self, token: Token) -> Vec<u8> {
        let text = self.spelling(token);
        unescape(&text[1..text.len() - 1])
    }

    /// Parses `@name` or `@"name"` into the name.
    ///
    /// # Errors
    /// If none is present.
    pub fn parse_symbol_name(&mut self) -> ParseResult<String> {
        let token = self.expect(
            TokenKind::AtIdentifier,
            "expected valid '@'-identifier for symbol name",
        )?;
        self.symbol_text(token)
    }

    pub(super) fn symbol_text(&mut self, token: Token) -> ParseResult<String> {
        let text = &self.spelling(token)[1..];
        match text.strip_prefix('"') {
            None => Ok(text.to_owned()),
            Some(quoted) => String::from_utf8(unescape(&quoted[..quoted.len() - 1]))
                .map_err(|_| self.error_at(token, "expected a UTF-8 symbol name")),
        }
    }

    /// Parses a keyword or a quoted string, the forms of dictionary keys and options.
    ///
    /// # Errors
    /// If neither is present.
    pub fn parse_keyword_or_string(&mut self, message: &str) -> ParseResult<String> {
        match self.token().kind {
            TokenKind::String => self.parse_string(),
            TokenKind::BareIdentifier => {
                let token = self.advance()?;
                Ok(self.spelling(token).to_owned())
            }
            _ => Err(self.error(message)),
        }
    }
}

/// The offset one past the closing quote of a string whose contents start at `position`.
fn string_end(bytes: &[u8], mut position: usize) -> Option<usize> {
    loop {
        match *bytes.get(position)? {
            b'"' => return Some(position + 1),
            // A line break ends the string, also after a backslash.
            b'\\' if bytes.get(position + 1) != Some(&b'\n') => position += 2,
            b'\n' => return None,
            _ => position += 1,
        }
    }
}

/// Replaces the escapes of a string literal; the lexer has validated them.
pub(crate) fn unescape(text: &str) -> Vec<u8> {
    let bytes = text.as_bytes();
    if !bytes.contains(&b'\\') {
        return bytes.to_vec();
    }
    let digit = |byte: u8| char::from(byte).to_digit(16).unwrap_or(0) as u8;
    let mut result = Vec::with_capacity(bytes.len());
    let mut rest = bytes.iter().copied();
    while let Some(byte) = rest.next() {
        if byte != b'\\' {
            result.push(byte);
            continue;
        }
        match rest.next() {
            Some(b'n') => result.push(b'\n'),
            Some(b't') => result.push(b'\t'),
            Some(c @ (b'"' | b'\\')) => result.push(c),
            Some(high) => result.push(digit(high) << 4 | digit(rest.next().unwrap_or(b'0'))),
            None => {}
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_become_bytes() {
        assert_eq!(unescape(r#"a\n\t\"\\\41\FF"#), b"a\n\t\"\\A\xff");
    }

    #[test]
    fn a_string_ends_at_its_quote_and_not_at_an_escaped_one() {
        assert_eq!(string_end(br#"a\"b" c"#, 0), Some(5));
        assert_eq!(string_end(b"abc", 0), None);
        assert_eq!(string_end(b"a\nb\"", 0), None);
        assert_eq!(string_end(b"a\\\nb\"", 0), None);
    }
}
