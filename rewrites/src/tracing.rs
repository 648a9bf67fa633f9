//! The output of the greedy driver for `--debug-only=greedy-rewriter` and `--debug-only=<rule>`.

use orison_ir::pass::{RewriteControl, Trace};
use orison_ir::printer::print_in_place;
use orison_ir::{Context, Operation};

/// The topic of the greedy driver, as in `mlir-opt`.
pub const GREEDY: &str = "greedy-rewriter";

/// Prints the steps of the driver, if requested.
#[derive(Debug)]
pub struct Tracing {
    /// Whether anything is printed.
    is_on: bool,
    /// Whether everything is printed.
    everything: bool,
    /// The header of the current operation, printed before its first step.
    header: Option<String>,
}

impl Tracing {
    /// Reads the requested topics.
    pub fn new(control: &RewriteControl) -> Self {
        Tracing {
            is_on: control.trace.is_on(),
            everything: control.trace.shows(GREEDY),
            header: None,
        }
    }

    /// Whether changes are to be recorded for [`Tracing::close_step`].
    pub fn is_on(&self) -> bool {
        self.is_on
    }

    /// Starts the output for an operation.
    pub fn open(&mut self, trace: &mut Trace, context: &Context, op: Operation) {
        if !self.is_on {
            return;
        }
        // Value names are numbered per function: this is linear in its size.
        let text = print_in_place(context, op);
        let text = match text.split_once('\n') {
            Some((first, _)) => format!("{first} ..."),
            None => text,
        };
        let place = match op.location(context).position(context) {
            Some((file, line, column)) => format!("{}:{line}:{column}", file.text(context)),
            None => "unknown location".to_owned(),
        };
        self.header = Some(format!(
            "\n//===-------------------------------------------===//\n\
             Processing operation : '{}' at {place} {{\n  {text}",
            op.name_text(context)
        ));
        if self.everything {
            self.show_header(trace);
        }
    }

    fn show_header(&mut self, trace: &mut Trace) {
        if let Some(header) = self.header.take() {
            trace.line(0, &header);
        }
    }

    /// Ends the output for the operation.
    pub fn close(&mut self, trace: &mut Trace, outcome: &str) {
        // If nothing was printed for the operation, no footer is needed.
        if self.is_on && self.header.take().is_none() {
            trace.line(0, &format!("}} -> {outcome}"));
        }
    }

    /// Records an attempted rule or step that may be printed alone: description, changes, outcome.
    pub fn step(
        &mut self,
        trace: &mut Trace,
        name: &str,
        heading: &str,
        changes: &str,
        outcome: &str,
    ) {
        if !self.is_on || !(self.everything || trace.shows(name)) {
            return;
        }
        self.show_header(trace);
        trace.line(1, &format!("\n* {heading} {{"));
        trace.line(2, changes);
        trace.line(1, &format!("}} -> {outcome}"));
    }
}
