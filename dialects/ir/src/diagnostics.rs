//! Errors, warnings, remarks and notes, and their rendering.

use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use crate::{Context, Identifier, Location, Operation, Palette};

/// The severity of a diagnostic.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Severity {
    /// The requested action failed.
    Error,
    /// Suspicious input.
    Warning,
    /// Information for the user.
    Remark,
    /// Details of the diagnostic it is attached to.
    Note,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Remark => "remark",
            Severity::Note => "note",
        })
    }
}

/// A message about a source location, with notes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// The severity.
    pub severity: Severity,
    /// The source location.
    pub location: Location,
    /// The message, without a final period or newline.
    pub message: String,
    /// Attached notes.
    pub notes: Vec<Diagnostic>,
}

impl Diagnostic {
    /// A diagnostic without notes.
    pub fn new(severity: Severity, location: Location, message: impl Into<String>) -> Self {
        Diagnostic {
            severity,
            location,
            message: message.into(),
            notes: Vec::new(),
        }
    }

    /// An error.
    pub fn error(location: Location, message: impl Into<String>) -> Self {
        Diagnostic::new(Severity::Error, location, message)
    }

    /// Appends a note.
    #[must_use]
    pub fn with_note(mut self, location: Location, message: impl Into<String>) -> Self {
        self.notes
            .push(Diagnostic::new(Severity::Note, location, message));
        self
    }

    /// Renders the diagnostic as `file:line:column: severity: message`, the source line with a
    /// caret if the source is available, then the notes in the same form.
    pub fn render(&self, context: &Context) -> String {
        let mut text = String::new();
        self.render_one(context, true, &mut text);
        let mut shown = self.location;
        for note in &self.notes {
            // As in MLIR, a source line that was just shown is not repeated.
            note.render_one(context, note.location != shown, &mut text);
            shown = note.location;
        }
        text
    }

    fn render_one(&self, context: &Context, with_line: bool, text: &mut String) {
        let Diagnostic {
            severity,
            location,
            message,
            ..
        } = self;
        let palette = &context.diagnostics.palette;
        match location.position(context) {
            Some((file, line, column)) => {
                let place = format!("{}:{line}:{column}", file.text(context));
                *text += &palette.headline(place, *severity, message);
                if with_line {
                    context
                        .sources
                        .render_line(palette, (file, line, column), text);
                }
            }
            None => *text += &palette.headline("<unknown>:0", *severity, message),
        }
    }
}

/// Collects diagnostics until the owner of the context shows them.
#[derive(Debug, Default)]
pub struct DiagnosticSink {
    collected: Vec<Diagnostic>,
    errors: usize,
    /// Whether errors about an operation print it in a note.
    pub show_operations: bool,
    /// The colours in which diagnostics are rendered.
    pub palette: Palette,
}

impl DiagnosticSink {
    /// Records a diagnostic.
    pub fn emit(&mut self, diagnostic: Diagnostic) {
        if diagnostic.severity == Severity::Error {
            self.errors += 1;
        }
        self.collected.push(diagnostic);
    }

    /// Takes the collected diagnostics, in order of emission.
    pub fn take(&mut self) -> Vec<Diagnostic> {
        std::mem::take(&mut self.collected)
    }

    /// Takes the diagnostics from index `start` on, as if they had not been emitted: for errors
    /// that are reported in another way.
    pub(crate) fn take_from(&mut self, start: usize) -> Vec<Diagnostic> {
        let taken = self.collected.split_off(start.min(self.collected.len()));
        let errors = taken.iter().filter(|one| one.severity == Severity::Error);
        self.errors -= errors.count();
        taken
    }

    /// The diagnostics that were collected and not yet taken.
    pub fn collected(&self) -> &[Diagnostic] {
        &self.collected
    }

    /// The number of errors ever emitted.
    pub fn error_count(&self) -> usize {
        self.errors
    }
}

/// The longest part of a source line that is shown, in bytes. Lines may be megabytes long.
const SHOWN_BYTES: usize = 240;

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

    fn render_line(
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

impl Context {
    /// Emits an error.
    pub fn error(&mut self, location: Location, message: impl Into<String>) {
        self.diagnostics.emit(Diagnostic::error(location, message));
    }

    /// Emits a warning.
    pub fn warning(&mut self, location: Location, message: impl Into<String>) {
        self.diagnostics
            .emit(Diagnostic::new(Severity::Warning, location, message));
    }

    /// Emits a remark.
    pub fn remark(&mut self, location: Location, message: impl Into<String>) {
        self.diagnostics
            .emit(Diagnostic::new(Severity::Remark, location, message));
    }
}

impl Operation {
    /// An error about this operation: `'name' op message`.
    pub fn op_error(self, context: &Context, message: impl fmt::Display) -> Box<Diagnostic> {
        let message = format!("'{}' op {message}", self.name_text(context));
        self.error(context, message)
    }

    /// An error at this operation, without its name.
    pub fn error(self, context: &Context, message: impl Into<String>) -> Box<Diagnostic> {
        let mut error = Diagnostic::error(self.location(context), message);
        if context.diagnostics.show_operations {
            error = error.with_note(self.location(context), self.as_note(context));
        }
        Box::new(error)
    }

    /// `see current operation: …`, for the note of an error.
    fn as_note(self, context: &Context) -> String {
        let text = crate::printer::print_in_place(context, self);
        let line_break = if text.contains('\n') { "\n" } else { "" };
        format!("see current operation: {line_break}{text}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diagnostic_shows_its_line_with_a_caret() {
        let mut context = Context::new();
        let file = Identifier::new(&mut context, "a.mlir");
        context
            .sources
            .add(file, Arc::from(&b"first\n\tsecond line\n"[..]), 1);
        let location = Location::file(&mut context, file, 2, 9);
        let diagnostic = Diagnostic::error(location, "wrong").with_note(location, "because");
        assert_eq!(
            diagnostic.render(&context),
            "a.mlir:2:9: error: wrong\n\tsecond line\n\t       ^\n\
             a.mlir:2:9: note: because\n"
        );
    }

    #[test]
    fn a_megabyte_line_is_shown_in_part() {
        let mut context = Context::new();
        let file = Identifier::new(&mut context, "a.mlir");
        context.sources.add(file, vec![b'x'; 1 << 20].into(), 1);
        let location = Location::file(&mut context, file, 1, 500_001);
        let text = Diagnostic::error(location, "wrong").render(&context);
        assert!(text.len() < 3 * SHOWN_BYTES, "{}", text.len());
        assert!(text.ends_with("x^\n") || text.ends_with(" ^\n"));
    }
}
