//! Words and operators of a shell line.

use super::Word;

/// A token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    Word(Word),
    /// An operator, and the number before it if it is a redirection.
    Operator(&'static str, Option<u32>),
}

const OPERATORS: [&str; 12] = [
    "||", "|", "&&", "&>", "&", ">&", ">>", ">", "<&", "<>", "<", ";",
];

/// Splits a line.
///
/// # Errors
/// Fails for what lit's shell rejects: an unclosed quote, a trailing backslash, a word with glob
/// characters both inside and outside quotes.
pub(super) fn tokens(text: &str) -> Result<Vec<Token>, String> {
    let mut tokens = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches(is_blank);
        if rest.is_empty() {
            return Ok(tokens);
        }
        if let Some(operator) = operator(&mut rest) {
            tokens.push(Token::Operator(operator, None));
            continue;
        }
        let token = word(&mut rest)?;
        tokens.push(token);
    }
}

/// Whether the character is white space in Python's definition.
fn is_blank(character: char) -> bool {
    character.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&character)
}

fn operator(rest: &mut &str) -> Option<&'static str> {
    let operator = OPERATORS
        .into_iter()
        .find(|operator| rest.starts_with(operator))?;
    *rest = &rest[operator.len()..];
    Some(operator)
}

/// Removes and returns the first character.
fn next(rest: &mut &str) -> Option<char> {
    let first = rest.chars().next()?;
    *rest = &rest[first.len_utf8()..];
    Some(first)
}

/// Reads a word, or a redirection that starts with a number.
fn word(rest: &mut &str) -> Result<Token, String> {
    let chunk = rest.split(is_blank).next().unwrap_or_default();
    if !chunk.contains(['|', '&', '<', '>', '\'', '"', ';', '\\']) {
        *rest = &rest[chunk.len()..];
        return Ok(Token::Word(Word {
            text: chunk.to_owned(),
            is_glob: chunk.contains(['*', '?']),
        }));
    }
    let mut text = String::new();
    let (mut has_glob, mut has_quoted_glob) = (false, false);
    // In such words lit takes the first character literally, even a backslash or a glob character.
    match next(rest) {
        Some(quote @ ('"' | '\'')) => text = quoted(rest, quote)?,
        first => text.extend(first),
    }
    while let Some(character) = rest.chars().next() {
        match character {
            blank if is_blank(blank) => break,
            '|' | '&' | ';' => break,
            '<' | '>' => {
                let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
                match is_number.then(|| operator(rest)).flatten() {
                    // Larger numbers cannot be file descriptors.
                    Some(operator) => {
                        let number = text.parse().unwrap_or(u32::MAX);
                        return Ok(Token::Operator(operator, Some(number)));
                    }
                    None => break,
                }
            }
            quote @ ('"' | '\'') => {
                next(rest);
                let inner = quoted(rest, quote)?;
                has_quoted_glob |= inner.contains(['*', '?']);
                text.push_str(&inner);
            }
            '\\' => {
                next(rest);
                let escaped = next(rest).ok_or("a backslash at the end of the line")?;
                text.push(escaped);
            }
            other => {
                next(rest);
                has_glob |= matches!(other, '*' | '?');
                text.push(other);
            }
        }
    }
    if has_glob && has_quoted_glob {
        return Err(format!(
            "glob characters inside and outside of quotes in '{text}'"
        ));
    }
    Ok(Token::Word(Word {
        text,
        is_glob: has_glob,
    }))
}

/// Reads the rest of a quoted string after the opening quote.
fn quoted(rest: &mut &str, quote: char) -> Result<String, String> {
    let mut text = String::new();
    while let Some(character) = next(rest) {
        if character == quote {
            return Ok(text);
        }
        let escapes = character == '\\' && quote == '"' && rest.starts_with(['"', '\\', '$']);
        text.extend(if escapes { next(rest) } else { Some(character) });
    }
    Err(format!("missing closing quote ({quote}) after '{text}'"))
}

#[cfg(test)]
mod tests {
    use super::{Token, tokens};

    fn shown(text: &str) -> String {
        let show = |token: &Token| match token {
            Token::Word(word) => format!("{}{}", if word.is_glob { "~" } else { "" }, word.text),
            Token::Operator(operator, None) => format!("({operator})"),
            Token::Operator(operator, Some(number)) => format!("({number}{operator})"),
        };
        let tokens = tokens(text).expect("a valid line");
        tokens.iter().map(show).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn words_and_operators() {
        for (line, expected) in [
            ("a b|c", "a b (|) c"),
            ("a  'b c' \"d\\\"e\" f\\ g", "a b c d\"e f g"),
            ("a>b 2>&1 >>c &>d <e", "a (>) b (2>&) 1 (>>) c (&>) d (<) e"),
            ("a2>b", "a2 (>) b"),
            ("a && b || c; d & e", "a (&&) b (||) c (;) d (&) e"),
            ("*.txt '*.txt' a?", "~*.txt *.txt ~a?"),
            ("x='a b' ''", "x=a b "),
            ("\"a\\nb\" \"\\$x\" 'a\\'", "a\\nb $x a\\"),
            ("# not a comment", "# not a comment"),
            // How lit treats the first character of a word that needs special handling.
            ("\\a *\\b *'*'", "\\a *b **"),
            ("99999999999>a", "(4294967295>) a"),
        ] {
            assert_eq!(shown(line), expected, "{line}");
        }
        for line in [
            "a'*'*",
            "true \"abc | false",
            "'",
            "a\\",
            "\"a\\",
            "a'b\\'c'",
        ] {
            assert!(tokens(line).is_err(), "{line}");
        }
    }
}
