//! Splits a file of several inputs at `// -----`.
//!
//! As in mlir-opt, the marker is recognised at any column, and a near miss of the marker causes
//! a warning.

use std::borrow::Cow;

/// The default marker between two inputs.
pub const MARKER: &str = "// -----";

/// How many bytes at the end of the marker may be missing for a near miss.
const NEAR_MISS_BYTES: usize = 2;

/// One input of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Chunk<'t> {
    /// The text in bytes.
    pub text: Cow<'t, [u8]>,
    /// The line on which it starts in the file, from 1.
    pub first_line: u32,
    /// The column at which it starts, from 1: directly after the preceding marker.
    pub first_column: u32,
}

/// Splits `text` at every `marker`. The text after a marker on its line belongs to the next input;
/// blanks replace the text before it on the line, so that all locations are those of the file.
///
/// An empty marker does not split.
pub fn split<'t>(text: &'t [u8], marker: &str) -> Vec<Chunk<'t>> {
    let mut chunks = Vec::new();
    let mut start = Position::START;
    if !marker.is_empty() {
        let mut seen = Position::START;
        for offset in memchr::memmem::find_iter(text, marker.as_bytes()) {
            chunks.push(start.chunk(text, offset));
            seen.advance(text, offset + marker.len());
            start = seen;
        }
    }
    chunks.push(start.chunk(text, text.len()));
    chunks
}

/// The locations, as line and column, directly after every text that is `marker` without its last
/// bytes.
pub fn near_misses(text: &[u8], marker: &str) -> Vec<(u32, u32)> {
    let Some(prefix) = marker
        .len()
        .checked_sub(NEAR_MISS_BYTES)
        .and_then(|length| marker.get(..length))
        .filter(|prefix| !prefix.is_empty())
    else {
        return Vec::new();
    };
    let mut seen = Position::START;
    let mut found = Vec::new();
    for offset in memchr::memmem::find_iter(text, prefix.as_bytes()) {
        if !text[offset..].starts_with(marker.as_bytes()) {
            seen.advance(text, offset + prefix.len());
            found.push((seen.line, seen.column()));
        }
    }
    found
}

/// A position in the text.
#[derive(Clone, Copy)]
struct Position {
    offset: usize,
    line: u32,
    line_start: usize,
}

impl Position {
    const START: Position = Position {
        offset: 0,
        line: 1,
        line_start: 0,
    };

    fn advance(&mut self, text: &[u8], offset: usize) {
        let between = &text[self.offset..offset];
        let lines = memchr::memchr_iter(b'\n', between).count();
        self.line = self
            .line
            .saturating_add(u32::try_from(lines).unwrap_or(u32::MAX));
        if let Some(newline) = memchr::memrchr(b'\n', between) {
            self.line_start = self.offset + newline + 1;
        }
        self.offset = offset;
    }

    fn column(self) -> u32 {
        u32::try_from(self.offset - self.line_start + 1).unwrap_or(u32::MAX)
    }

    /// The text from here to `end`.
    fn chunk(self, text: &[u8], end: usize) -> Chunk<'_> {
        let part = &text[self.offset..end];
        let rest_of_line = &part[..memchr::memchr(b'\n', part).unwrap_or(part.len())];
        let text = if rest_of_line.trim_ascii().is_empty() {
            Cow::Borrowed(part)
        } else {
            let mut padded = vec![b' '; self.offset - self.line_start];
            padded.extend_from_slice(part);
            Cow::Owned(padded)
        };
        Chunk {
            text,
            first_line: self.line,
            first_column: self.column(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str) -> Vec<(String, u32)> {
        split(text.as_bytes(), MARKER)
            .into_iter()
            .map(|chunk| {
                let text = String::from_utf8_lossy(&chunk.text).into_owned();
                (text, chunk.first_line)
            })
            .collect()
    }

    fn part(text: &str, line: u32) -> (String, u32) {
        (text.to_owned(), line)
    }

    #[test]
    fn chunks_know_their_first_line() {
        let expected = [part("a\nb\n", 1), part("\nc\n", 3), part("\n", 5)];
        assert_eq!(parts("a\nb\n// -----\nc\n// -----\n"), expected);
        assert_eq!(parts(""), [part("", 1)]);
    }

    #[test]
    fn what_follows_a_marker_keeps_its_column() {
        let expected = [part("x ", 1), part("          y", 1)];
        assert_eq!(parts("x // -----y"), expected);
    }

    #[test]
    fn an_empty_marker_splits_nothing() {
        assert_eq!(split(b"a\n\nb", "").len(), 1);
    }

    #[test]
    fn almost_a_marker_is_a_near_miss() {
        let text = b"// -----\n  // ----\n// ---x";
        assert_eq!(near_misses(text, MARKER), [(2, 9), (3, 7)]);
    }
}
