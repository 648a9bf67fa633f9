//! What `--debug-only=greedy-rewriter` and `--debug-only=<rule>` show of the greedy driver.

use orison_ir::pass::{RewriteControl, Trace};
use orison_ir::printer::print_in_place;
use orison_ir::{Context, Operation};

/// The topic of the greedy driver, as in `mlir-opt`.
pub const GREEDY: &str = "greedy-rewriter";

/// Shows the work of the driver, where that was asked for.
#[derive(Debug)]
pub struct Tracing {
    /// Whether anything is shown.
    is_on: bool,
    /// Whether everything is.
    everything: bool,
    /// What to say about the operation at hand before anything else is said about it.
    header: Option<String>,
}

impl Tracing {
    /// What was asked for.
    pub fn new(control: &RewriteControl) -> Self {
        Tracing {
            is_on: control.trace.is_on(),
            everything: control.trace.shows(GREEDY),
            header: None,
        }
    }

    /// Whether changes are to be written down, for [`Tracing::close_step`].
    pub fn is_on(&self) -> bool {
        self.is_on
    }

    /// The driver turns to an operation.
    pub fn open(&mut self, trace: &mut Trace, context: &Context, op: Operation) {
        if !self.is_on {
            return;
        }
        // Names of values are those of the function: this is linear in its size.
        let text = print_in_place(context, op);
        let text = match text.split_once('\n') {
            Some((first, _)) => format!("{first} ..."),
            None => text,
        };
        let place = match op.location(context).position(context) {
            Some((file, line, column)) => format!("{}:{line}:{column}", file.text(context)),
            None => "no place in the source".to_owned(),
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

    /// The driver is done with the operation.
    pub fn close(&mut self, trace: &mut Trace, outcome: &str) {
        // Where nothing was shown of the operation, nothing is to be closed.
        if self.is_on && self.header.take().is_none() {
            trace.line(0, &format!("}} -> {outcome}"));
        }
    }

    /// A rule or step was tried that may be shown alone: what it is, what changed, how it ended.
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
