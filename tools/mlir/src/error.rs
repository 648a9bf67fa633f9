//! What can go wrong between MLIR and orison.

use std::fmt;

use orison_ir::pass::PipelineError;
use orison_ir::{Context, Diagnostic, Severity};

/// A diagnostic of orison, free of its context.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Message {
    /// How serious it is.
    pub severity: Severity,
    /// File, line and column; none when the place is unknown.
    pub place: Option<(String, u32, u32)>,
    /// What, without a final newline.
    pub text: String,
    /// More about it.
    pub notes: Vec<Message>,
}

impl Message {
    /// The message of a diagnostic.
    pub(crate) fn of(context: &Context, diagnostic: &Diagnostic) -> Self {
        let place = diagnostic.location.position(context);
        Message {
            severity: diagnostic.severity,
            place: place.map(|(file, line, column)| (file.text(context).to_owned(), line, column)),
            text: diagnostic.message.clone(),
            notes: diagnostic
                .notes
                .iter()
                .map(|note| Message::of(context, note))
                .collect(),
        }
    }

    /// The text with its notes, a line each, as one diagnostic of MLIR: its C interface has no notes.
    pub(crate) fn with_notes(&self) -> String {
        let mut text = self.text.clone();
        for note in &self.notes {
            text.push_str("\nnote: ");
            if let Some((file, line, column)) = &note.place {
                text.push_str(&format!("{file}:{line}:{column}: "));
            }
            text.push_str(&note.text);
        }
        text
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place {
            Some((file, line, column)) => write!(f, "{file}:{line}:{column}: ")?,
            None => write!(f, "<unknown>:0: ")?,
        }
        write!(f, "{}: {}", self.severity, self.text)?;
        for note in &self.notes {
            write!(f, "\n{note}")?;
        }
        Ok(())
    }
}

/// Why a module was left as it was.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Error {
    /// The text of the pipeline is wrong, or names what does not exist.
    Pipeline(PipelineError),
    /// MLIR did not take a part of a pipeline that is its own; its words.
    MlirPipeline(String),
    /// The module cannot be imported.
    Import(String),
    /// A pass failed, or left IR that does not verify. The messages went to the diagnostic handlers
    /// of MLIR, too.
    Passes(Vec<Message>),
    /// What the passes made cannot be handed to MLIR.
    Export(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Pipeline(error) => error.fmt(f),
            Error::MlirPipeline(message) => message.fmt(f),
            Error::Import(message) => write!(f, "cannot import: {message}"),
            Error::Export(message) => write!(f, "cannot export: {message}"),
            Error::Passes(messages) => {
                for (number, message) in messages.iter().enumerate() {
                    let newline = if number == 0 { "" } else { "\n" };
                    write!(f, "{newline}{message}")?;
                }
                Ok(())
            }
        }
    }
}

impl std::error::Error for Error {}

impl From<PipelineError> for Error {
    fn from(error: PipelineError) -> Self {
        Error::Pipeline(error)
    }
}
