//! Observers of a run.

use super::ErasedPass;
use crate::{Context, Operation};

/// How a pass ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PassEnd {
    /// It did nothing.
    Unchanged,
    /// It changed the IR.
    Changed,
    /// It failed, or left IR that does not verify.
    Failed,
}

/// Where observers write.
pub trait Log {
    /// Writes text. Diagnostics that were emitted before are shown before, where they are shown.
    fn write(&mut self, context: &mut Context, text: &str);
}

/// Keeps the text and leaves diagnostics alone.
impl Log for String {
    fn write(&mut self, _: &mut Context, text: &str) {
        self.push_str(text);
    }
}

/// A pass begins or ends.
pub struct Event<'e> {
    /// The IR.
    pub context: &'e mut Context,
    /// The operation the pass runs on.
    pub op: Operation,
    /// The pass.
    pub pass: &'e dyn ErasedPass,
    /// The number of the pass in the whole pipeline, from 0.
    pub number: usize,
    /// Where to write.
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

/// An observer of a run. It changes nothing.
pub trait Instrumentation {
    /// A pass is about to run.
    fn before_pass(&mut self, event: &mut Event<'_>) {
        let _ = event;
    }

    /// A pass has run.
    fn after_pass(&mut self, event: &mut Event<'_>, end: PassEnd) {
        let _ = (event, end);
    }

    /// A nested pipeline is about to run on the operations in `op`.
    fn before_nested(&mut self, anchor: &str, number: usize) {
        let _ = (anchor, number);
    }

    /// A nested pipeline has run.
    fn after_nested(&mut self) {}

    /// An analysis was computed during the last pass.
    fn computed_analysis(&mut self, name: &'static str) {
        let _ = name;
    }
}
