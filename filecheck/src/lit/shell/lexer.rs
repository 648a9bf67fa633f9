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
    "||", "|", "&&", "&>", "&", ">&", ">>", ">", "<&", "<<", "<", ";",
];

/// Splits a line.
///
/// # Errors
/// A word that has glob characters both inside and outside of quotes.
pub(super) fn tokens(text: &str) -> Result<Vec<Token>, String> {
    let mut tokens = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start();
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

fn operator(rest: &mut &str) -> Option<&'static str> {
    let operator = OPERATORS
        .into_iter()
        .find(|operator| rest.starts_with(operator))?;
    *rest = &rest[operator.len()..];
    Some(operator)
}

/// Reads a word, or a redirection that starts with a number.
fn word(rest: &mut &str) -> Result<Token, String> {
    let mut text = String::new();
    let mut has_glob = false;
    let mut has_quoted_glob = false;
    let mut is_first = true;
    while let Some(next) = rest.chars().next() {
        match next {
            blank if blank.is_whitespace() => break,
            '|' | '&' | ';' => break,
            '<' | '>' => {
                let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
                if let Some(number) = is_number.then(|| text.parse().ok()).flatten()
                    && let Some(operator) = operator(rest)
                {
                    return Ok(Token::Operator(operator, Some(number)));
                }
                break;
            }
            quote @ ('"' | '\'') => {
                *rest = &rest[1..];
                let inner = quoted(rest, quote);
                // A quote that starts the word is exempt, as in lit.
                has_quoted_glob |= !is_first && inner.contains(['*', '?']);
                text.push_str(&inner);
            }
            '\\' => {
                *rest = &rest[1..];
                if let Some(escaped) = rest.chars().next() {
                    text.push(escaped);
                    *rest = &rest[escaped.len_utf8()..];
                }
            }
            other => {
                has_glob |= matches!(other, '*' | '?');
                text.push(other);
                *rest = &rest[other.len_utf8()..];
            }
        }
        is_first = false;
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

/// The inside of a quoted string; the opening quote is gone already.
fn quoted(rest: &mut &str, quote: char) -> String {
    let mut text = String::new();
    while let Some(next) = rest.chars().next() {
        *rest = &rest[next.len_utf8()..];
        if next == quote {
            break;
        }
        if next == '\\' && quote == '"' {
            match rest.chars().next() {
                Some(escaped @ ('"' | '\\' | '$')) => {
                    text.push(escaped);
                    *rest = &rest[1..];
                    continue;
                }
                _ => text.push('\\'),
            }
            continue;
        }
        text.push(next);
    }
    text
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
        ] {
            assert_eq!(shown(line), expected, "{line}");
        }
        assert!(tokens("a'*'*").is_err());
    }
}
