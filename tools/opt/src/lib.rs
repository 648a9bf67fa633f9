//! `orison-opt` as a library: other tools and tests run it in process.
//!
//! Reads MLIR text, verifies it, runs passes, prints it. The flags are mlir-opt's wherever it has
//! one.

pub mod arguments;
pub mod expectations;
mod knobs;
pub mod listing;
mod machine;
pub mod pass_settings;
pub mod registry;
mod reproduce;
mod run;
mod session;
pub mod settings;
pub mod split;

use std::io::{self, Read, Write};
use std::process::ExitCode;

use orison_ir::pass::PassRegistry;
use orison_ir::{ColorChoice, Context};

/// What a tool is made of.
#[derive(Clone, Copy, Debug)]
pub struct Tool {
    /// The name in messages.
    pub name: &'static str,
    /// Registers its dialects.
    pub dialects: fn(&mut Context),
    /// Registers its passes.
    pub passes: fn(&mut PassRegistry),
}

impl Tool {
    /// `orison-opt` itself.
    pub const OPT: Tool = Tool {
        name: "orison-opt",
        dialects: registry::register_all_dialects,
        passes: registry::register_all_passes,
    };
}

/// Where a tool reads and writes when no file is named.
pub struct Streams<'s> {
    /// Standard input.
    pub input: &'s mut dyn Read,
    /// Standard output.
    pub output: &'s mut dyn Write,
    /// Standard error.
    pub errors: &'s mut dyn Write,
}

impl std::fmt::Debug for Streams<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Streams").finish_non_exhaustive()
    }
}

/// How a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// As it should.
    Success,
    /// With an error that was reported.
    Failure,
}

/// Runs `orison-opt` with the arguments of the process.
pub fn main() -> ExitCode {
    main_with(Tool::OPT)
}

/// Runs a tool with the arguments and streams of the process.
pub fn main_with(tool: Tool) -> ExitCode {
    let arguments = std::env::args_os()
        .map(|argument| argument.to_string_lossy().into_owned())
        .collect();
    let (input, output) = (&mut io::stdin(), &mut io::stdout().lock());
    let errors = &mut io::stderr();
    let mut streams = Streams {
        input,
        output,
        errors,
    };
    match run::run(tool, arguments, &mut streams, ColorChoice::Auto) {
        Outcome::Success => ExitCode::SUCCESS,
        Outcome::Failure => ExitCode::FAILURE,
    }
}

/// Runs a tool. The first argument is the name of the program. Messages have colours only where
/// the arguments ask for them, whatever the streams of the process are.
pub fn run(tool: Tool, arguments: Vec<String>, streams: &mut Streams<'_>) -> Outcome {
    run::run(tool, arguments, streams, ColorChoice::Never)
}
