//! A printed line as tokens, with its brackets matched.

use std::ops::Range;

/// A part of a printed line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Token<'t> {
    /// Text without possible line breaks.
    Text(&'t str),
    /// White space between tokens, as written.
    Space(&'t str),
    /// An opening bracket that is closed on the same line.
    Open(&'t str),
    /// The bracket that closes the innermost open one.
    Close(&'t str),
    /// A comment, up to the end of the line.
    Comment(&'t str),
}

impl<'t> Token<'t> {
    /// The token as it was written.
    pub(super) fn text(&self) -> &'t str {
        match *self {
            Token::Text(text)
            | Token::Space(text)
            | Token::Open(text)
            | Token::Close(text)
            | Token::Comment(text) => text,
        }
    }
}

/// Splits a line without indentation into tokens. The ranges in `verbatim`, in order and relative
/// to the line, are text with significant white space.
pub(super) fn tokens<'t>(line: &'t str, verbatim: &[Range<usize>]) -> Vec<Token<'t>> {
    let mut found = Vec::new();
    let mut brackets = Brackets::default();
    let mut verbatim = verbatim.iter().peekable();
    let mut start = 0;
    while start < line.len() {
        while verbatim.next_if(|range| range.end <= start).is_some() {}
        let limit = match verbatim.peek() {
            Some(range) if range.start <= start => {
                found.push(Token::Text(&line[start..range.end]));
                start = range.end;
                continue;
            }
            Some(range) => range.start,
            None => line.len(),
        };
        let rest = &line[start..limit];
        let text = &rest[..length(rest)];
        start += text.len();
        let token = match text.as_bytes()[0] {
            b' ' => Token::Space(text),
            b'(' | b'[' | b'{' | b'<' => {
                brackets.open(text, found.len());
                Token::Text(text)
            }
            b')' | b']' | b'}' | b'>' if text.len() == 1 => match brackets.close(text) {
                Some(open) => {
                    if let Token::Text(bracket) = found[open] {
                        found[open] = Token::Open(bracket);
                    }
                    Token::Close(text)
                }
                None => Token::Text(text),
            },
            b'/' if text.starts_with("//") => Token::Comment(text),
            _ => Token::Text(text),
        };
        found.push(token);
    }
    found
}

/// The length of the first token of a text in bytes, at least 1.
fn length(text: &str) -> usize {
    const SPECIAL: &[u8] = b" ()[]{}<>\"/-";
    let bytes = text.as_bytes();
    let run = |is: fn(&u8) -> bool| bytes.iter().take_while(|byte| is(byte)).count();
    match bytes {
        [b' ', ..] => run(|byte| *byte == b' '),
        [b'"', ..] => string_length(bytes),
        [b'/', b'/', ..] => bytes.len(),
        [b'-', b'>', ..] | [b'>' | b'<', b'=', ..] => 2,
        [b'(' | b')' | b'[' | b']' | b'{' | b'}' | b'<' | b'>', ..] => 1,
        // A lone `/` or `-`, or any other character.
        _ => {
            1 + bytes[1..]
                .iter()
                .take_while(|byte| !SPECIAL.contains(byte))
                .count()
        }
    }
}

/// The length of a string with its quotes; an unterminated string extends to the end.
fn string_length(bytes: &[u8]) -> usize {
    let mut escaped = false;
    let inside = bytes[1..].iter().position(|byte| {
        let ends = *byte == b'"' && !escaped;
        escaped = *byte == b'\\' && !escaped;
        ends
    });
    inside.map_or(bytes.len(), |length| length + 2)
}

/// The stack of open brackets.
#[derive(Default)]
struct Brackets<'t> {
    stack: Vec<(&'t str, usize)>,
}

impl<'t> Brackets<'t> {
    fn open(&mut self, bracket: &'t str, token: usize) {
        self.stack.push((bracket, token));
    }

    /// The token that opened the pair closed by `bracket`. Any `<` in between is not a bracket.
    fn close(&mut self, bracket: &str) -> Option<usize> {
        let opening = match bracket {
            ")" => "(",
            "]" => "[",
            "}" => "{",
            _ => "<",
        };
        while let Some((open, token)) = self.stack.pop() {
            if open == opening {
                return Some(token);
            }
            if open != "<" {
                self.stack.push((open, token));
                return None;
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_arrows_and_comments_are_one_token_each() {
        use Token::{Close, Comment, Open, Space, Text};
        let line = r#"f("a, \" b") -> x  // c d"#;
        let expected = [
            Text("f"),
            Open("("),
            Text(r#""a, \" b""#),
            Close(")"),
            Space(" "),
            Text("->"),
            Space(" "),
            Text("x"),
            Space("  "),
            Comment("// c d"),
        ];
        assert_eq!(tokens(line, &[]), expected);
    }

    #[test]
    fn brackets_without_a_partner_are_text() {
        use Token::{Close, Open, Space, Text};
        let expected = [
            Text("}"),
            Text(")"),
            Space(" "),
            Open("("),
            Text("a"),
            Text("<"),
            Text("b"),
            Close(")"),
            Space(" "),
            Text("{"),
        ];
        assert_eq!(tokens("}) (a<b) {", &[]), expected);
    }

    #[test]
    fn verbatim_text_is_one_token_whatever_is_in_it() {
        use Token::{Space, Text};
        let line = "!d<a, \" // > b!d<c>";
        let expected = [
            Text("!d"),
            Text("<a, \" // >"),
            Space(" "),
            Text("b!d"),
            Text("<c>"),
        ];
        let found = tokens(line, &[2..12, 16..19]);
        assert_eq!(found, expected);
        let whole: String = found.iter().map(Token::text).collect();
        assert_eq!(whole, line);
    }
}
