//! Errors that stop a run.

use orison_ir::{Context, Diagnostic, Operation};

/// An error of a kernel, at the operation that caused it.
#[derive(Debug)]
pub struct Fault {
    diagnostic: Option<Box<Diagnostic>>,
    message: String,
}

impl Fault {
    /// An error at an operation.
    pub fn at(context: &Context, op: Operation, message: &str) -> Self {
        Fault {
            diagnostic: Some(op.op_error(context, message)),
            message: message.to_owned(),
        }
    }

    /// An error without a location.
    pub fn plain(message: &str) -> Self {
        Fault {
            diagnostic: None,
            message: message.to_owned(),
        }
    }

    /// The message, without the location.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// `file:line:col: error: …` with the source line.
    pub fn render(&self, context: &Context) -> String {
        match &self.diagnostic {
            Some(diagnostic) => diagnostic.render(context),
            None => format!("error: {}\n", self.message),
        }
    }
}
