//! FileCheck and lit, as LLVM has them and stricter.
//!
//! * [`check`] and [`run`] compare a text with check lines, in LLVM's syntax;
//! * [`tool::main`] is the program `orison-filecheck`;
//! * [`lit`] runs trees of tests with `RUN:` lines, in process where it can; `orison-lit` is its
//!   program.
//!
//! ```
//! use orison_filecheck::check;
//!
//! let checks = "
//!     CHECK:      [[SUM:%[0-9]+]] = add %a, %b
//!     CHECK-NEXT: ret [[SUM]]
//! ";
//! check("%3 = add %a, %b\nret %3\n", checks)?;
//!
//! let mismatch = check("%3 = add %a, %b\nret %4\n", checks).unwrap_err();
//! assert!(mismatch.to_string().contains("with \"SUM\" equal to \"%3\""));
//! # Ok::<(), orison_filecheck::CheckError>(())
//! ```
//!
//! Lines that LLVM ignores although a person surely meant them are errors here, unless
//! [`Options::lenient`] is set; see `docs/filecheck.md`.

mod bless;
mod check_file;
mod directive;
mod edit_distance;
pub mod ere;
mod expression;
#[doc(hidden)]
pub mod fuzzing;
mod input_dump;
pub mod lit;
mod matcher;
mod misspelled_directives;
mod number;
mod number_format;
mod options;
mod pattern;
mod report;
mod run;
mod scanner;
mod source;
mod text_diff;
pub mod tool;
mod variables;

use std::fmt;

pub use bless::{BlessError, Blessed, bless};
pub use options::{DumpFilter, DumpInput, Options};
pub use run::{Report, Status, run};

/// Why [`check`] did not pass. `Display` prints what FileCheck prints.
#[derive(Clone, Debug)]
pub struct CheckError {
    report: Report,
}

impl CheckError {
    /// Whether the checks themselves, or the options, were wrong; otherwise the input was.
    #[must_use]
    pub fn is_invalid(&self) -> bool {
        self.report.status == Status::Invalid
    }

    /// The whole result.
    #[must_use]
    pub fn report(&self) -> &Report {
        &self.report
    }
}

impl fmt::Display for CheckError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.report.text())
    }
}

impl std::error::Error for CheckError {}

/// Checks `input` against the check lines in `checks`, with default options.
///
/// # Errors
/// The messages and the annotated input, if the input is not as the checks want it or if the
/// checks are malformed.
pub fn check(input: impl AsRef<[u8]>, checks: impl AsRef<[u8]>) -> Result<(), CheckError> {
    check_with(input, checks, &Options::default())
}

/// [`check`] with options.
///
/// # Errors
/// As [`check`].
pub fn check_with(
    input: impl AsRef<[u8]>,
    checks: impl AsRef<[u8]>,
    options: &Options,
) -> Result<(), CheckError> {
    let report = run(checks.as_ref(), || Ok(input.as_ref().to_vec()), options);
    if report.status == Status::Passed {
        Ok(())
    } else {
        Err(CheckError { report })
    }
}
