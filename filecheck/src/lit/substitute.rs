//! Substitutions: turning the text of a `RUN:` line into a command.

use std::collections::BTreeSet;
use std::path::Path;

use super::condition;
use super::script::{Definition, location};

/// Replaces `%%` during substitution. Commands do not use this private-use character.
const PERCENT: &str = "\u{f8ff}";

/// Names and values, in the order in which they are applied.
#[derive(Clone, Debug, Default)]
pub(crate) struct Substitutions {
    list: Vec<(String, String)>,
}

impl Substitutions {
    /// The substitutions of the configuration, followed by those of every test.
    pub(crate) fn new(
        configured: &[(String, String)],
        source: &Path,
        temporary: &Path,
    ) -> Substitutions {
        let mut list = configured.to_vec();
        let text = |path: &Path| path.to_string_lossy().into_owned();
        let name = |path: &Path| {
            path.file_name()
                .map(|name| name.to_string_lossy().into_owned())
        };
        let directory = source.parent().unwrap_or(source);
        let stem = name(temporary).unwrap_or_default();
        let stem = stem.strip_suffix(".tmp").unwrap_or(&stem).to_owned();
        let mut push = |name: String, value: String| list.push((name, value));
        push("%{pathsep}".into(), ":".into());
        push("%basename_t".into(), stem.clone());
        push("%{s:basename}".into(), name(source).unwrap_or_default());
        push("%{t:stem}".into(), stem);
        push("%{fs-src-root}".into(), "/".into());
        push("%{fs-tmp-root}".into(), "/".into());
        push("%{fs-sep}".into(), "/".into());
        push("%T".into(), text(temporary.parent().unwrap_or(temporary)));
        let paths = [
            ("s", source.to_path_buf()),
            ("S", directory.to_path_buf()),
            ("p", directory.to_path_buf()),
            ("t", temporary.to_path_buf()),
        ];
        for (letter, path) in paths {
            let path_text = text(&path);
            let real = std::fs::canonicalize(&path).map_or(path_text.clone(), |path| text(&path));
            push(format!("%{letter}"), path_text.clone());
            push(format!("%/{letter}"), path_text.clone());
            push(format!("%{{{letter}:real}}"), real.clone());
            push(format!("%{{/{letter}:real}}"), real);
            let escaped = path_text.replace('@', "\\@").replace('&', "\\&");
            push(format!("%{{/{letter}:regex_replacement}}"), escaped);
            push(
                format!("%:{letter}"),
                path_text.trim_start_matches('/').to_owned(),
            );
        }
        Substitutions { list }
    }

    /// Applies a `DEFINE:` or `REDEFINE:`.
    ///
    /// # Errors
    /// Fails if a name is defined twice, or redefined without being defined.
    pub(crate) fn define(&mut self, definition: &Definition) -> Result<(), String> {
        let keyword = if definition.is_new {
            "DEFINE:"
        } else {
            "REDEFINE:"
        };
        let place = location(definition.line, definition.last_line);
        let name = &definition.name;
        let existing: Vec<usize> = (0..self.list.len())
            .filter(|index| self.list[*index].0.contains(name.as_str()))
            .collect();
        match (definition.is_new, existing.as_slice()) {
            (true, []) => self
                .list
                .insert(0, (name.clone(), definition.value.clone())),
            (false, [index]) => self.list[*index].1.clone_from(&definition.value),
            (true, _) => {
                return Err(format!(
                    "Substitution whose pattern contains '{name}' is already defined before \
                     '{keyword}' directive {place}"
                ));
            }
            (false, []) => {
                return Err(format!(
                    "No substitution for '{name}' is defined before '{keyword}' directive {place}"
                ));
            }
            (false, _) => {
                return Err(format!(
                    "Multiple substitutions whose patterns contain '{name}' are defined before \
                     '{keyword}' directive {place}"
                ));
            }
        }
        Ok(())
    }

    /// The command that a line expands to.
    ///
    /// # Errors
    /// Fails for a malformed `%if`.
    pub(crate) fn apply(&self, line: &str, features: &BTreeSet<String>) -> Result<String, String> {
        let hidden = line.replace("%%", PERCENT);
        let mut text = conditionals(&hidden, features)?;
        for (name, value) in &self.list {
            if text.contains(name.as_str()) {
                text = text.replace(name.as_str(), value).replace("%%", PERCENT);
            }
        }
        Ok(text.trim().replace(PERCENT, "%"))
    }
}

/// How deep `%if` may nest.
const MAXIMUM_DEPTH: usize = 100;

/// Resolves `%if condition %{ ... %} %else %{ ... %}`.
fn conditionals(text: &str, features: &BTreeSet<String>) -> Result<String, String> {
    if !text.contains("%if ") {
        return Ok(text.to_owned());
    }
    let mut rest = text;
    conditional_text(&mut rest, features, 0)
}

/// Reads text up to the `%}` of the enclosing branch, or to the end at depth zero.
fn conditional_text(
    rest: &mut &str,
    features: &BTreeSet<String>,
    depth: usize,
) -> Result<String, String> {
    if depth > MAXIMUM_DEPTH {
        return Err("%if substitutions nest too deeply".to_owned());
    }
    let mut out = String::new();
    while !rest.is_empty() {
        if depth > 0 && rest.starts_with("%}") {
            break;
        }
        if let Some(after) = rest.strip_prefix("%if ") {
            *rest = after;
            out.push_str(&conditional(rest, features, depth)?);
            continue;
        }
        // The search starts after the first character, so that a lone `%if` does not stop it.
        let first = rest.chars().next().map_or(0, char::len_utf8);
        let ends = [
            rest[first..].find("%if"),
            rest[first..].find("%}").filter(|_| depth > 0),
        ];
        let length = ends
            .into_iter()
            .flatten()
            .min()
            .map_or(rest.len(), |end| first + end);
        out.push_str(&rest[..length]);
        *rest = &rest[length..];
    }
    Ok(out)
}

fn conditional(
    rest: &mut &str,
    features: &BTreeSet<String>,
    depth: usize,
) -> Result<String, String> {
    let Some(open) = rest.find("%{") else {
        return Err("'%{' is missing for %if substitution".to_owned());
    };
    let condition = &rest[..open];
    *rest = &rest[open + 2..];
    let then = conditional_text(rest, features, depth + 1)?;
    *rest = rest
        .strip_prefix("%}")
        .ok_or_else(|| "'%}' is missing for %if substitution".to_owned())?;
    let mut otherwise = String::new();
    if let Some(after) = rest.trim_start().strip_prefix("%else") {
        *rest = after
            .trim_start()
            .strip_prefix("%{")
            .ok_or_else(|| "'%{' is missing for %else substitution".to_owned())?;
        otherwise = conditional_text(rest, features, depth + 1)?;
        *rest = rest
            .strip_prefix("%}")
            .ok_or_else(|| "'%}' is missing for %else substitution".to_owned())?;
    }
    Ok(if condition::evaluate(condition, features)? {
        then
    } else {
        otherwise
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::Substitutions;

    fn apply(line: &str) -> Result<String, String> {
        let configured = [("%tool".to_owned(), "the-tool %s".to_owned())];
        let substitutions = Substitutions::new(
            &configured,
            Path::new("/src/a.mlir"),
            Path::new("/out/a.mlir.tmp"),
        );
        let features: BTreeSet<String> = ["yes".to_owned()].into();
        substitutions.apply(line, &features)
    }

    #[test]
    fn names_become_values() {
        for (line, expected) in [
            (
                "%tool | x > %t",
                "the-tool /src/a.mlir | x > /out/a.mlir.tmp",
            ),
            ("%S %p %T", "/src /src /out"),
            ("%%s 100%%", "%s 100%"),
            (
                "%{s:basename} %{t:stem} %basename_t",
                "a.mlir a.mlir a.mlir",
            ),
            ("%t.dir/%:s", "/out/a.mlir.tmp.dir/src/a.mlir"),
            ("a %if yes %{b %s%} %else %{c%} d", "a b /src/a.mlir d"),
            ("a %if no %{b%} %else %{c%} d", "a c d"),
            ("a %if no %{b%} d", "a  d"),
            ("%if yes %{a %if no %{b%} %else %{c%} d%}", "a c d"),
            ("%if yes && !no %{x%}", "x"),
            ("%iffy", "%iffy"),
        ] {
            assert_eq!(apply(line).as_deref(), Ok(expected), "{line}");
        }
    }

    #[test]
    fn conditionals_must_be_complete() {
        for (line, part) in [
            ("%if yes", ""),
            ("%if yes x", "'%{' is missing for %if"),
            ("%if yes %{x", "'%}' is missing for %if"),
            ("%if yes %{x%} %else y", "'%{' is missing for %else"),
            ("%if yes %{x%} %else %{y", "'%}' is missing for %else"),
            ("%if (yes %{x%}", "in expression"),
        ] {
            match apply(line) {
                Ok(text) => assert_eq!((part, text.as_str()), ("", line)),
                Err(message) => assert!(message.contains(part), "{line}: {message}"),
            }
        }
        assert!(apply(&"%if yes %{".repeat(100_000)).is_err());
    }
}
