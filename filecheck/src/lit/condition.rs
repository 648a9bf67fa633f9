//! Boolean expressions over features: `REQUIRES:`, `UNSUPPORTED:`, `XFAIL:` and `%if`.
//!
//! `!`, `&&`, `||` and parentheses combine names; a name may have parts in `{{...}}`, which are
//! regular expressions, and is true if a feature matches it as a whole. `true` is always true.

use std::collections::BTreeSet;

use regex::Regex;

/// How deep parentheses and negations may nest.
const MAXIMUM_DEPTH: usize = 200;

/// Evaluates an expression.
///
/// # Errors
/// The error describes the problem and quotes the expression.
pub(crate) fn evaluate(text: &str, features: &BTreeSet<String>) -> Result<bool, String> {
    let in_context = |message: String| format!("{message}\nin expression: '{text}'");
    let tokens = tokenize(text).map_err(in_context)?;
    let mut parser = Parser {
        tokens: &tokens,
        position: 0,
        features,
        depth: 0,
    };
    let value = parser.disjunction().map_err(in_context)?;
    if let Some(token) = parser.peek() {
        let message = format!("expected: <end of expression>\nhave: '{token}'");
        return Err(in_context(message));
    }
    Ok(value)
}

/// The names in an expression.
pub(crate) fn names(text: &str) -> Vec<String> {
    let tokens = tokenize(text).unwrap_or_default();
    tokens.into_iter().filter(|token| is_name(token)).collect()
}

fn is_name(token: &str) -> bool {
    !matches!(token, "&&" | "||" | "!" | "(" | ")")
}

fn tokenize(text: &str) -> Result<Vec<String>, String> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let length = match rest.as_bytes()[0] {
            b'(' | b')' | b'!' => 1,
            b'&' if rest.starts_with("&&") => 2,
            b'|' if rest.starts_with("||") => 2,
            _ => name_length(rest),
        };
        if length == 0 {
            return Err(format!("couldn't parse text: '{rest}'"));
        }
        tokens.push(rest[..length].to_owned());
        rest = rest[length..].trim_start();
    }
    Ok(tokens)
}

fn name_length(text: &str) -> usize {
    let mut length = 0;
    loop {
        let rest = &text[length..];
        let plain = rest
            .find(|next: char| !next.is_ascii_alphanumeric() && !"-+=._".contains(next))
            .unwrap_or(rest.len());
        length += plain;
        // The expression in braces is not empty, so its end does not directly follow its start.
        let Some(inside) = text[length..].strip_prefix("{{") else {
            return length;
        };
        let first = inside.chars().next().map_or(0, char::len_utf8);
        match inside[first..].find("}}") {
            Some(end) => length += 2 + first + end + 2,
            None => return length,
        }
    }
}

struct Parser<'p> {
    tokens: &'p [String],
    position: usize,
    features: &'p BTreeSet<String>,
    depth: usize,
}

impl Parser<'_> {
    fn peek(&self) -> Option<&str> {
        self.tokens.get(self.position).map(String::as_str)
    }

    fn accept(&mut self, token: &str) -> bool {
        let found = self.peek() == Some(token);
        self.position += usize::from(found);
        found
    }

    fn disjunction(&mut self) -> Result<bool, String> {
        let mut value = self.conjunction()?;
        while self.accept("||") {
            value |= self.conjunction()?;
        }
        Ok(value)
    }

    fn conjunction(&mut self) -> Result<bool, String> {
        let mut value = self.negation()?;
        while self.accept("&&") {
            value &= self.negation()?;
        }
        Ok(value)
    }

    fn negation(&mut self) -> Result<bool, String> {
        self.depth += 1;
        if self.depth > MAXIMUM_DEPTH {
            return Err("expression nests too deeply".to_owned());
        }
        let value = if self.accept("!") {
            !self.negation()?
        } else if self.accept("(") {
            let value = self.disjunction()?;
            if !self.accept(")") {
                return Err(format!("expected: ')'\nhave: {}", self.described()));
            }
            value
        } else {
            match self.peek() {
                Some(token) if is_name(token) => {
                    let value = self.matches(token)?;
                    self.position += 1;
                    value
                }
                _ => {
                    let have = self.described();
                    return Err(format!(
                        "expected: '!', '(', '{{{{', or identifier\nhave: {have}"
                    ));
                }
            }
        };
        self.depth -= 1;
        Ok(value)
    }

    fn described(&self) -> String {
        self.peek().map_or_else(
            || "<end of expression>".to_owned(),
            |token| format!("'{token}'"),
        )
    }

    fn matches(&self, name: &str) -> Result<bool, String> {
        if !name.contains("{{") {
            return Ok(name == "true" || self.features.contains(name));
        }
        let mut pattern = String::from("^(?:");
        let mut rest = name;
        while let Some(open) = rest.find("{{") {
            pattern.push_str(&regex::escape(&rest[..open]));
            let inside = &rest[open + 2..];
            let first = inside.chars().next().map_or(0, char::len_utf8);
            let end = inside[first..]
                .find("}}")
                .map_or(inside.len(), |end| first + end);
            pattern.push_str(&format!("(?:{})", &inside[..end]));
            rest = inside.get(end + 2..).unwrap_or("");
        }
        pattern.push_str(&regex::escape(rest));
        pattern.push_str(")$");
        let regex = Regex::new(&pattern).map_err(|error| error.to_string())?;
        Ok(regex.is_match("true") || self.features.iter().any(|feature| regex.is_match(feature)))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{evaluate, names};

    fn value(text: &str) -> Result<bool, String> {
        let features = ["linux", "target=x86_64-unknown", "gpu"];
        evaluate(
            text,
            &features
                .iter()
                .map(|name| (*name).to_owned())
                .collect::<BTreeSet<_>>(),
        )
    }

    #[test]
    fn operators_names_and_patterns() {
        for (text, expected) in [
            ("true", true),
            ("linux", true),
            ("windows", false),
            ("True", false),
            ("!windows && linux", true),
            ("windows && linux || gpu", true),
            ("windows && (linux || gpu)", false),
            ("!!linux", true),
            ("target={{(x86_64|aarch64)-.+}}", true),
            ("target={{aarch64.*}}", false),
            ("{{l.*x}}", true),
            ("li{{n}}u{{x}}", true),
            ("lin{{u}}", false),
        ] {
            assert_eq!(value(text), Ok(expected), "{text}");
        }
    }

    #[test]
    fn mistakes_are_described() {
        for (text, part) in [
            ("", "have: <end of expression>"),
            ("linux gpu", "expected: <end of expression>\nhave: 'gpu'"),
            ("linux &&", "have: <end of expression>"),
            ("|| gpu", "have: '||'"),
            ("(linux", "expected: ')'"),
            ("ba#d", "couldn't parse text: '#d'"),
            ("{{", "couldn't parse text: '{{'"),
            ("{{(}}", "regex parse error"),
        ] {
            let message = value(text).expect_err(text);
            assert!(message.contains(part), "{text}: {message}");
        }
        assert!(value(&"(".repeat(100_000)).is_err());
    }

    #[test]
    fn names_are_listed() {
        assert_eq!(names("a && !(b || {{c.*}})"), ["a", "b", "{{c.*}}"]);
    }
}
