//! Output of the program. A closed pipe does not change its exit code.

use std::io::{self, Write};

/// Writes to standard output.
pub(super) fn print(text: &str) {
    let _ = io::stdout().write_all(text.as_bytes());
    let _ = io::stdout().flush();
}

/// Writes to standard error.
pub(super) fn print_error(text: &str) {
    let _ = io::stderr().write_all(text.as_bytes());
}
