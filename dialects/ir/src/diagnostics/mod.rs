//! Errors, warnings, remarks and notes, and their rendering.

mod palette;
mod severity;
mod sources;

use std::fmt;

pub use palette::{ColorChoice, Palette};
pub use severity::Severity;
pub use sources::SourceMap;

use crate::{Context, Location, Operation};

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

/// Prints an operation for a message, such as [`print_in_place`](crate::printer::print_in_place).
pub type PrintOperation = fn(&Context, Operation) -> String;

/// Collects diagnostics until the owner of the context shows them.
#[derive(Debug, Default)]
pub struct DiagnosticSink {
    collected: Vec<Diagnostic>,
    errors: usize,
    /// What prints the operation in a note of errors about it; they have no such note without it.
    pub print_operation: Option<PrintOperation>,
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
        if let Some(print) = context.diagnostics.print_operation {
            let text = print(context, self);
            let line_break = if text.contains('\n') { "\n" } else { "" };
            let note = format!("see current operation: {line_break}{text}");
            error = error.with_note(self.location(context), note);
        }
        Box::new(error)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::sources::SHOWN_BYTES;
    use super::*;
    use crate::Identifier;

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
