//! Why a cubin cannot be changed.

use std::fmt;

/// Why a program cannot be written into a cubin.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PatchError {
    /// The function, if the error is about one.
    pub function: Option<String>,
    /// The offset in the function, in bytes, if the error is about a location.
    pub address: Option<u64>,
    /// The message.
    pub message: String,
}

impl fmt::Display for PatchError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(function) = &self.function {
            write!(out, "'{function}'")?;
            if let Some(address) = self.address {
                write!(out, " at {address:#06x}")?;
            }
            out.write_str(": ")?;
        }
        out.write_str(&self.message)
    }
}

impl std::error::Error for PatchError {}

pub(super) fn error(message: impl Into<String>) -> PatchError {
    PatchError {
        function: None,
        address: None,
        message: message.into(),
    }
}

pub(super) fn at(address: u64, message: String) -> PatchError {
    PatchError {
        address: Some(address),
        ..error(message)
    }
}
