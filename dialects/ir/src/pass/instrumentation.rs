//! Observers of a pipeline run.

use super::ErasedPass;
use crate::{Context, Operation};

/// The outcome of a pass.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PassEnd {
    /// The IR is unchanged.
    Unchanged,
    /// The IR was changed.
    Changed,
    /// The pass failed, or left IR that does not verify.
    Failed,
}

/// Output of observers.
pub trait Log {
    /// Writes text, after any diagnostics that were emitted earlier if the log shows diagnostics.
    fn write(&mut self, context: &mut Context, text: &str);
}

/// Collects the text and ignores diagnostics.
impl Log for String {
    fn write(&mut self, _: &mut Context, text: &str) {
        self.push_str(text);
    }
}

/// The start or end of a pass.
pub struct Event<'e> {
    /// The IR.
    pub context: &'e mut Context,
    /// The operation the pass runs on.
    pub op: Operation,
    /// The pass.
    pub pass: &'e dyn ErasedPass,
    /// The index of the pass in the whole pipeline, from 0.
    pub number: usize,
    /// The output log.
    pub log: &'e mut dyn Log,
}

impl std::fmt::Debug for Event<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Event")
            .field("op", &self.op)
            .field("pass", &self.pass)
            .field("number", &self.number)
            .finish_non_exhaustive()
    }
}

/// An observer of a run. It must not change the IR.
pub trait Instrumentation {
    /// Called before a pass runs.
    fn before_pass(&mut self, event: &mut Event<'_>) {
        let _ = event;
    }

    /// Called after a pass has run.
    fn after_pass(&mut self, event: &mut Event<'_>, end: PassEnd) {
        let _ = (event, end);
    }

    /// Called before a nested pipeline runs on the operations in `op`.
    fn before_nested(&mut self, anchor: &str, number: usize) {
        let _ = (anchor, number);
    }

    /// Called after a nested pipeline has run.
    fn after_nested(&mut self) {}

    /// Called if an analysis was computed during the last pass.
    fn computed_analysis(&mut self, name: &'static str) {
        let _ = name;
    }
}
