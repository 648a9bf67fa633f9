//! POSIX extended regular expressions, in the dialect LLVM's tools use.
//!
//! The dialect differs from the one of the `regex` crate in ways that check files can observe, so this crate has
//! an engine of its own:
//!
//! * a match is the *leftmost longest* one, and each part of a concatenation takes as much as the
//!   rest leaves it, from left to right; `{{a|ab}}` matches both letters of `ab`;
//! * `\d`, `\s`, `\b` mean the letters `d`, `s`, `b`; classes are written `[[:digit:]]`;
//! * `\1` to `\9` refer back to a group;
//! * `.` and `[^x]` do not match a newline, and `^` and `$` match at every line;
//! * text is bytes, and letters of `ignore_case` are ASCII letters.
//!
//! Matching without back references takes time in proportion to text times pattern. Back
//! references need a search that can be exponential; it stops after [`STEP_LIMIT`] steps and then
//! counts as a mismatch, so that no check file can hang a test run.

mod backref;
mod classes;
mod parse;
mod program;
mod search;
mod submatch;

#[cfg(test)]
mod tests;

use std::fmt;

pub use backref::STEP_LIMIT;
use program::Program;

/// Why a regular expression was rejected. `Display` prints LLVM's wording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RegexError {
    /// An unknown name in `[[.name.]]` or `[[=name=]]`.
    CollatingElement,
    /// An unknown name in `[[:name:]]`.
    CharacterClass,
    /// The pattern ends in a backslash.
    TrailingBackslash,
    /// `\N` where group N is not complete.
    BackReference,
    /// `[` without `]`.
    Bracket,
    /// `(` without `)` or the reverse.
    Parenthesis,
    /// `{` of a repetition without `}`.
    Brace,
    /// A repetition count above 255, or a maximum below the minimum.
    RepetitionCount,
    /// A range in brackets whose end is before its start.
    Range,
    /// The pattern would need more memory, or deeper nesting, than the engine allows.
    Space,
    /// `*`, `+`, `?` or `{` with nothing to repeat.
    Repetition,
    /// An empty expression, or an empty branch of an alternation.
    Empty,
}

impl fmt::Display for RegexError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            RegexError::CollatingElement => "invalid collating element",
            RegexError::CharacterClass => "invalid character class",
            RegexError::TrailingBackslash => "trailing backslash (\\)",
            RegexError::BackReference => "invalid backreference number",
            RegexError::Bracket => "brackets ([ ]) not balanced",
            RegexError::Parenthesis => "parentheses not balanced",
            RegexError::Brace => "braces not balanced",
            RegexError::RepetitionCount => "invalid repetition count(s)",
            RegexError::Range => "invalid character range",
            RegexError::Space => "out of memory",
            RegexError::Repetition => "repetition-operator operand invalid",
            RegexError::Empty => "empty (sub)expression",
        })
    }
}

impl std::error::Error for RegexError {}

/// A half-open range of bytes in the text that was searched.
pub type Span = (usize, usize);

/// A compiled expression.
///
/// ```
/// use orison_filecheck::ere::Regex;
///
/// let regex = Regex::new(b"(a|ab)(c)?", false)?;
/// let groups = regex.captures(b"xabcd").expect("it matches");
/// assert_eq!(groups[0], Some((1, 4))); // longest: "abc"
/// assert_eq!(groups[1], Some((1, 3))); // the first group takes what it can
/// # Ok::<(), orison_filecheck::ere::RegexError>(())
/// ```
#[derive(Debug)]
pub struct Regex {
    program: Program,
}

impl Regex {
    /// Compiles `pattern`.
    ///
    /// # Errors
    /// What is wrong with the pattern, in LLVM's order of detection.
    pub fn new(pattern: &[u8], ignore_case: bool) -> Result<Regex, RegexError> {
        let tree = parse::parse(pattern, ignore_case)?;
        Ok(Regex {
            program: program::compile(&tree)?,
        })
    }

    /// The leftmost longest match in `text`: element 0 is the whole match, element N the N-th
    /// group, `None` where the group did not participate.
    #[must_use]
    pub fn captures(&self, text: &[u8]) -> Option<Vec<Option<Span>>> {
        if self.program.has_backrefs {
            return backref::captures(&self.program, text);
        }
        let (start, end) = search::find(&self.program, text, 0)?;
        let mut groups = vec![None; self.program.group_count as usize + 1];
        groups[0] = Some((start, end));
        if self.program.group_count > 0 {
            submatch::fill(&self.program, text, start, end, &mut groups);
        }
        Some(groups)
    }

    /// The leftmost longest match in `text`, without its groups.
    #[must_use]
    pub fn find(&self, text: &[u8]) -> Option<Span> {
        if self.program.has_backrefs {
            return backref::captures(&self.program, text)?[0];
        }
        search::find(&self.program, text, 0)
    }
}

/// Checks a pattern without compiling it and returns the number of its groups.
///
/// # Errors
/// As [`Regex::new`].
pub fn count_groups(pattern: &[u8]) -> Result<u32, RegexError> {
    parse::parse(pattern, false).map(|tree| tree.group_count)
}

/// Appends `text` to `out` so that it matches itself.
pub fn escape_into(out: &mut Vec<u8>, text: &[u8]) {
    for &byte in text {
        if b"()^$|*+?.[]\\{}".contains(&byte) {
            out.push(b'\\');
        }
        out.push(byte);
    }
}
