//! `orison-opt` as a library: other tools and tests run it in process.
//!
//! Reads MLIR text, verifies it, runs passes, prints it. Flags have the names of mlir-opt's flags
//! where it has an equivalent.

pub mod arguments;
mod configuration;
mod defaults;
pub mod expectations;
mod input;
mod knobs;
pub mod listing;
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

/// The definition of a tool.
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

/// The default input and output streams of a tool.
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

/// Who runs a tool.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Caller {
    /// The process of the tool. Messages have colours on a terminal. The IR of a file is not freed,
    /// which takes a twentieth of the time of a large one, since the process ends.
    Process,
    /// A program that goes on.
    Program,
}

impl Caller {
    /// The meaning of `--color=auto`.
    fn color(self) -> ColorChoice {
        match self {
            Caller::Process => ColorChoice::Auto,
            Caller::Program => ColorChoice::Never,
        }
    }
}

/// The result of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// Success.
    Success,
    /// Failure with a reported error.
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
    match run::run(tool, arguments, &mut streams, Caller::Process) {
        Outcome::Success => ExitCode::SUCCESS,
        Outcome::Failure => ExitCode::FAILURE,
    }
}

/// Runs a tool. The first argument is the name of the program. Messages have colours only if the
/// arguments request them, regardless of the process's streams.
pub fn run(tool: Tool, arguments: Vec<String>, streams: &mut Streams<'_>) -> Outcome {
    run::run(tool, arguments, streams, Caller::Program)
}
