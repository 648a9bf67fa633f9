//! The subset of TOML that `lit.toml` uses.
//!
//! Tables, dotted and quoted keys, basic and literal strings, integers, booleans and arrays of
//! strings. Dates, floats, inline tables and arrays of tables are errors: no setting uses them.

use std::collections::BTreeMap;

/// A value of a setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    Text(String),
    Integer(i64),
    Boolean(bool),
    List(Vec<Value>),
}

/// Settings by their full names, for example `features.programs.mlir-opt`, with their lines.
pub(crate) type Settings = BTreeMap<Vec<String>, (usize, Value)>;

struct Reader<'t> {
    text: &'t str,
    position: usize,
}

type Parsed<T> = Result<T, String>;

/// Reads settings.
///
/// # Errors
/// The error has the line and a description of the problem.
pub(crate) fn parse(text: &str) -> Parsed<Settings> {
    let mut reader = Reader { text, position: 0 };
    let mut settings = Settings::new();
    let mut table = Vec::new();
    loop {
        reader.skip_lines();
        let Some(next) = reader.peek() else {
            return Ok(settings);
        };
        if next == '[' {
            reader.bump();
            table = reader.key()?;
            reader.expect(']')?;
        } else {
            let line = reader.line();
            let mut name = table.clone();
            name.extend(reader.key()?);
            reader.expect('=')?;
            let value = reader.value(0)?;
            if settings.insert(name.clone(), (line, value)).is_some() {
                return Err(format!("line {line}: '{}' is set twice", name.join(".")));
            }
        }
        reader.end_of_line()?;
    }
}

impl Reader<'_> {
    fn line(&self) -> usize {
        1 + self.text[..self.position].matches('\n').count()
    }

    fn error<T>(&self, message: &str) -> Parsed<T> {
        Err(format!("line {}: {message}", self.line()))
    }

    fn peek(&self) -> Option<char> {
        self.text[self.position..].chars().next()
    }

    fn bump(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.position += next.len_utf8();
        Some(next)
    }

    fn skip_blanks(&mut self) {
        while matches!(self.peek(), Some(' ' | '\t')) {
            self.bump();
        }
    }

    /// Skips blanks, comments and line ends.
    fn skip_lines(&mut self) {
        loop {
            self.skip_blanks();
            match self.peek() {
                Some('#') => {
                    while self.peek().is_some_and(|next| next != '\n') {
                        self.bump();
                    }
                }
                Some('\n' | '\r') => {
                    self.bump();
                }
                _ => return,
            }
        }
    }

    fn end_of_line(&mut self) -> Parsed<()> {
        self.skip_blanks();
        match self.peek() {
            None | Some('\n' | '\r' | '#') => Ok(()),
            Some(other) => self.error(&format!("unexpected '{other}'")),
        }
    }

    /// Reads a sign after a key, which ends before it.
    fn expect(&mut self, wanted: char) -> Parsed<()> {
        if self.peek() == Some(wanted) {
            self.bump();
            return Ok(());
        }
        self.error(&format!("expected '{wanted}'"))
    }

    fn key(&mut self) -> Parsed<Vec<String>> {
        let mut parts = Vec::new();
        loop {
            self.skip_blanks();
            match self.peek() {
                Some(quote @ ('"' | '\'')) => {
                    self.bump();
                    parts.push(self.string(quote)?);
                }
                _ => {
                    let is_bare =
                        |next: char| next.is_ascii_alphanumeric() || next == '_' || next == '-';
                    let start = self.position;
                    while self.peek().is_some_and(is_bare) {
                        self.bump();
                    }
                    if start == self.position {
                        return self.error("expected a name");
                    }
                    parts.push(self.text[start..self.position].to_owned());
                }
            }
            self.skip_blanks();
            if self.peek() != Some('.') {
                return Ok(parts);
            }
            self.bump();
        }
    }

    fn string(&mut self, quote: char) -> Parsed<String> {
        let mut out = String::new();
        loop {
            match self.bump() {
                None | Some('\n') => return self.error("a string does not end"),
                Some(next) if next == quote => return Ok(out),
                Some('\\') if quote == '"' => match self.bump() {
                    Some('n') => out.push('\n'),
                    Some('t') => out.push('\t'),
                    Some('r') => out.push('\r'),
                    Some(same @ ('"' | '\\')) => out.push(same),
                    _ => return self.error("unknown escape in a string"),
                },
                Some(next) => out.push(next),
            }
        }
    }

    fn value(&mut self, depth: usize) -> Parsed<Value> {
        self.skip_blanks();
        match self.peek() {
            Some(quote @ ('"' | '\'')) => {
                self.bump();
                self.string(quote).map(Value::Text)
            }
            Some('[') if depth < 8 => {
                self.bump();
                let mut list = Vec::new();
                loop {
                    self.skip_lines();
                    if self.peek() == Some(']') {
                        self.bump();
                        return Ok(Value::List(list));
                    }
                    list.push(self.value(depth + 1)?);
                    self.skip_lines();
                    match self.bump() {
                        Some(',') => {}
                        Some(']') => return Ok(Value::List(list)),
                        _ => return self.error("expected ',' or ']' in a list"),
                    }
                }
            }
            _ => {
                let is_word = |next: char| next.is_ascii_alphanumeric() || "+-_".contains(next);
                let start = self.position;
                while self.peek().is_some_and(is_word) {
                    self.bump();
                }
                let word = &self.text[start..self.position];
                match word {
                    "true" => Ok(Value::Boolean(true)),
                    "false" => Ok(Value::Boolean(false)),
                    _ => match word.replace('_', "").parse() {
                        Ok(number) => Ok(Value::Integer(number)),
                        Err(_) => self.error("expected a string, an integer, a boolean or a list"),
                    },
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Value, parse};

    #[test]
    fn settings_have_full_names_and_values() {
        let text = "name = \"a \\\"b\\\"\" # comment\n [ features . programs ] \nmlir-opt = [\n  'x',\n  \
                    \"y\", # more\n]\n[other]\n\"quoted.key\".part = true\nn = 1_000\n";
        let settings = parse(text).expect("valid");
        let get = |name: &[&str]| {
            let name: Vec<String> = name.iter().map(|part| (*part).to_owned()).collect();
            settings.get(&name).cloned()
        };
        assert_eq!(get(&["name"]), Some((1, Value::Text("a \"b\"".into()))));
        let list = vec![Value::Text("x".into()), Value::Text("y".into())];
        assert_eq!(
            get(&["features", "programs", "mlir-opt"]),
            Some((3, Value::List(list)))
        );
        assert_eq!(
            get(&["other", "quoted.key", "part"]),
            Some((8, Value::Boolean(true)))
        );
        assert_eq!(get(&["other", "n"]), Some((9, Value::Integer(1000))));
    }

    #[test]
    fn mistakes_are_told_with_their_lines() {
        for (text, error) in [
            ("a = 1\na = 2", "line 2: 'a' is set twice"),
            ("\nx", "line 2: expected '='"),
            ("x = \"a", "line 1: a string does not end"),
            ("x = [1, 2", "line 1: expected ',' or ']' in a list"),
            ("x = 1.5", "line 1: unexpected '.'"),
            ("[a\nx = 1", "line 1: expected ']'"),
        ] {
            assert_eq!(parse(text).expect_err(text), error);
        }
    }
}
