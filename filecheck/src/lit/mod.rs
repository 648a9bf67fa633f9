//! A test runner modelled on LLVM's lit.
//!
//! Tests are files with `RUN:` lines. The directory with a `lit.toml` is the root of a suite; the
//! file defines which files are tests, which features exist and where programs are found. The
//! shell of the `RUN:` lines and the programs `FileCheck`, `not`, `count`, `diff`, `cat` and `echo`
//! run in this process. See `docs/lit.md`.
//!
//! ```
//! use orison_filecheck::lit::{RunSettings, run_suite};
//!
//! let root = std::env::temp_dir().join(format!("lit-example-{}", std::process::id()));
//! std::fs::create_dir_all(&root)?;
//! std::fs::write(root.join("lit.toml"), "name = 'example'\nsuffixes = ['.txt']\n")?;
//! std::fs::write(root.join("a.txt"), "RUN: echo hello | FileCheck %s\nCHECK: hello\n")?;
//!
//! let result = run_suite(&RunSettings::new(&root))?;
//! assert!(result.passed(), "{result}");
//! # std::fs::remove_dir_all(&root)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod condition;
mod config;
mod discovery;
mod execution;
mod expectation;
mod fuzzing;
mod json;
mod listing;
mod options;
mod output;
mod program;
mod progress;
mod report;
mod result;
mod run;
mod script;
mod settings;
mod shell;
mod substitute;
mod tools;

pub(crate) use fuzzing::read_for_fuzzing;

pub use config::{CONFIGURATION_FILE, ConfigurationError};
pub use program::main;
pub use result::{Code, SuiteResult, TestResult};
pub use run::{RunSettings, run_suite};
pub use tools::{Call, ToolFunction};
