//! Shared by the parsers of the three model files: TOML with a position for every error.

use std::ops::Range;

use serde::de::DeserializeOwned;
use toml::Spanned;

use crate::machine::{ModelError, position};

/// An error at a range of a text.
pub(super) type Complaint = (Range<usize>, String);

/// Parses TOML and builds a value from it.
pub(super) fn parse_toml<Raw: DeserializeOwned, Built>(
    file: &str,
    contents: &str,
    build: impl FnOnce(Raw) -> Result<Built, Complaint>,
) -> Result<Built, ModelError> {
    let raw: Raw = toml::from_str(contents).map_err(|error| {
        let message = error.message().replace('\n', "; ");
        located(file, contents, (error.span().unwrap_or(0..0), message))
    })?;
    build(raw).map_err(|complaint| located(file, contents, complaint))
}

/// An error with its file, line and column.
pub(super) fn located(file: &str, contents: &str, complaint: Complaint) -> ModelError {
    let (span, message) = complaint;
    let (line, column) = position(contents, span.start);
    ModelError {
        file: file.to_owned(),
        line,
        column,
        message,
    }
}

/// A source that must not be empty.
pub(super) fn text(value: &Spanned<String>) -> Result<String, Complaint> {
    if value.get_ref().trim().is_empty() {
        return Err((value.span(), "expected a non-empty string".to_owned()));
    }
    Ok(value.get_ref().clone())
}
