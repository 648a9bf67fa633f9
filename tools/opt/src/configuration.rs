//! The configuration of a run, its input, and how it fails.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use orison_ir::pass::PassRegistry;

use crate::Tool;
use crate::pass_settings::PassSettings;
use crate::settings::Settings;

/// A failure that was already reported, or whose message is the full report.
pub(crate) enum Failure {
    Reported,
    /// The reader closed the output, for example `| head`: no message is printed.
    OutputClosed,
    Message(String),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::OutputClosed,
            _ => Failure::Message(error.to_string()),
        }
    }
}

/// The configuration of a run.
#[derive(Clone, Copy)]
pub(crate) struct Run<'r> {
    pub(crate) tool: Tool,
    pub(crate) registry: &'r PassRegistry,
    pub(crate) settings: &'r Settings,
    pub(crate) passes: &'r PassSettings,
    pub(crate) input: &'r Input,
}

/// The input of a run.
pub(crate) enum Input {
    /// A text in memory.
    Text(Arc<[u8]>),
    /// A file that is parsed while it is read, and read again for source excerpts in messages.
    File(PathBuf),
}

impl Input {
    /// The whole text.
    pub(crate) fn text(&self) -> io::Result<Arc<[u8]>> {
        match self {
            Input::Text(text) => Ok(Arc::clone(text)),
            Input::File(path) => std::fs::read(path).map(Arc::from),
        }
    }
}

/// The failure to open the input.
pub(crate) fn cannot_open(path: &str, error: &io::Error) -> Failure {
    let reason = error.to_string();
    let reason = reason.split(" (os error").next().unwrap_or_default();
    Failure::Message(format!("cannot open input file '{path}': {reason}"))
}
