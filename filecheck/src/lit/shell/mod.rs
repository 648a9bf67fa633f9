//! The shell that runs `RUN:` lines.
//!
//! Commands, pipelines, `&&`, `||`, `;`, redirections, quotes and globs, as in lit's internal
//! shell: all operators have the same precedence, a pipeline fails if any of its commands fails,
//! and common utilities are built in.

#[cfg(test)]
mod against_lit;
mod builtins;
mod diff;
mod environment;
mod execute;
mod glob;
mod lexer;
mod limits;
mod parser;
mod process;

pub(crate) use environment::Environment;
pub(crate) use execute::{CommandResult, Shell, run};
pub(crate) use parser::parse;

/// The stack size of a thread that runs tests: in-process tools may recurse as deeply as in a
/// separate program.
pub(crate) const STACK: usize = 8 << 20;

/// A word of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Word {
    pub(crate) text: String,
    /// Whether its `*` and `?` are expanded to file names.
    pub(crate) is_glob: bool,
}

/// A redirection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Redirection {
    /// `<`, `>`, `>>`, `>&` or `&>`.
    pub(crate) operator: &'static str,
    /// The file descriptor before the operator.
    pub(crate) descriptor: Option<u32>,
    pub(crate) target: Word,
}

/// A command with its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Command {
    pub(crate) words: Vec<Word>,
    pub(crate) redirections: Vec<Redirection>,
}

/// Commands connected by pipes.
pub(crate) type Pipeline = Vec<Command>;

/// A line: a pipeline, and further pipelines after operators.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    pub(crate) first: Pipeline,
    pub(crate) rest: Vec<(&'static str, Pipeline)>,
}
