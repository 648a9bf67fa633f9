//! The source texts that diagnostics quote.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use super::Palette;
use crate::Identifier;

/// The longest part of a source line that is shown, in bytes. Lines may be megabytes long.
pub(super) const SHOWN_BYTES: usize = 240;

/// The source texts that locations refer to.
#[derive(Debug, Default)]
pub struct SourceMap {
    sources: Vec<Source>,
}

#[derive(Debug)]
struct Source {
    file: Identifier,
    /// The text, read on first use; `None` if it cannot be read.
    text: OnceLock<Option<Arc<[u8]>>>,
    /// The file from which the text is read on first use.
    path: Option<PathBuf>,
    /// Line number of the first line of `text`; more than 1 for a part of a split file.
    first_line: u32,
    /// Start offsets of the lines, computed on first use.
    lines: OnceLock<Vec<usize>>,
}

impl Source {
    fn text(&self) -> Option<&[u8]> {
        let read = || Some(std::fs::read(self.path.as_ref()?).ok()?.into());
        self.text.get_or_init(read).as_deref()
    }
}

impl SourceMap {
    /// Registers the text of a file, so that diagnostics can show its lines.
    pub fn add(&mut self, file: Identifier, text: Arc<[u8]>, first_line: u32) {
        self.sources.push(Source {
            file,
            text: Some(text).into(),
            path: None,
            first_line,
            lines: OnceLock::new(),
        });
    }

    /// Registers the path of a file. Its text is read when a diagnostic shows a line of it; if that
    /// fails, no line is shown.
    pub fn add_file(&mut self, file: Identifier, path: PathBuf) {
        self.sources.push(Source {
            file,
            text: OnceLock::new(),
            path: Some(path),
            first_line: 1,
            lines: OnceLock::new(),
        });
    }

    /// Removes all texts.
    pub fn clear(&mut self) {
        self.sources.clear();
    }

    /// A line of the text, without its line terminator.
    pub fn line(&self, file: Identifier, line: u32) -> Option<&[u8]> {
        let covers = |source: &&Source| source.file == file && source.first_line <= line;
        let source = self
            .sources
            .iter()
            .filter(covers)
            .max_by_key(|source| source.first_line)?;
        let skip = (line - source.first_line) as usize;
        let text = source.text()?;
        let lines = source.lines.get_or_init(|| {
            let newlines = memchr::memchr_iter(b'\n', text);
            std::iter::once(0)
                .chain(newlines.map(|at| at + 1))
                .collect()
        });
        let start = *lines.get(skip)?;
        let rest = &text[start..];
        let line = &rest[..memchr::memchr(b'\n', rest).unwrap_or(rest.len())];
        Some(line.strip_suffix(b"\r").unwrap_or(line))
    }

    pub(super) fn render_line(
        &self,
        palette: &Palette,
        (file, line, column): (Identifier, u32, u32),
        text: &mut String,
    ) {
        let Some(content) = self.line(file, line) else {
            return;
        };
        let caret = (column.max(1) - 1) as usize;
        // Only the part of a very long line around the caret is shown.
        let start = if content.len() > SHOWN_BYTES {
            caret.saturating_sub(SHOWN_BYTES / 2)
        } else {
            0
        };
        let start = start.min(content.len());
        let end = content.len().min(start + SHOWN_BYTES);
        text.push_str(&String::from_utf8_lossy(&content[start..end]));
        text.push('\n');
        // Tabs are kept so that the caret is below its character.
        let before = String::from_utf8_lossy(&content[start..caret.clamp(start, end)]);
        let blank = |c: char| if c == '\t' { '\t' } else { ' ' };
        let indent: String = before.chars().map(blank).collect();
        *text += &palette.caret(&indent);
    }
}
