//! Passes: definition, naming, composition and execution.
//!
//! A pass is a struct that implements [`Pass`]. It has typed options
//! ([`pass_options!`](crate::pass_options)), a static [`PassDefinition`] and a `run` method that
//! works on one operation and its contents. A [`PassRegistry`] contains passes by name, a
//! [`Pipeline`] is a nested list of passes with a textual form, and [`run_pipeline`] runs it with
//! caching of analyses, verification and instrumentation.
//!
//! ```
//! use orison_ir::pass::{
//!     IRStatus, Pass, PassContext, PassDefinition, PassRegistry, PassResult, source_position,
//! };
//!
//! orison_ir::pass_options! {
//!     /// Options of `toy-count`.
//!     pub struct CountOptions {
//!         /// Count at most this many operations.
//!         limit = "limit": u64 = 10,
//!     }
//! }
//!
//! /// The pass `toy-count`.
//! #[derive(Clone, Debug)]
//! struct Count(CountOptions);
//!
//! impl Pass for Count {
//!     type Options = CountOptions;
//!     const DEFINITION: PassDefinition = PassDefinition::new::<Count>(
//!         "toy-count",
//!         "Counts operations.",
//!         source_position!(),
//!     );
//!     fn create(options: CountOptions) -> Self {
//!         Count(options)
//!     }
//!     fn options(&self) -> &CountOptions {
//!         &self.0
//!     }
//!     fn run(&mut self, pass: &mut PassContext<'_>) -> PassResult {
//!         let count = orison_ir::walk::collect(pass.context, pass.op()).len() as u64;
//!         let location = pass.op().location(pass.context);
//!         pass.context.remark(location, format!("{}", count.min(self.0.limit)));
//!         Ok(IRStatus::Unchanged)
//!     }
//! }
//!
//! let mut registry = PassRegistry::default();
//! registry.register::<Count>();
//! let pipeline = registry.parse_pipeline("builtin.module(toy-count{limit=3})").unwrap();
//! assert_eq!(pipeline.to_string(), "builtin.module(toy-count{limit=3})");
//! ```
//!
//! # What a pass must keep
//!
//! - It changes only the operation it runs on and its contents. Other operations may be read.
//! - If it fails, the IR must still be valid: plan first, check everything, then change. Debug
//!   builds verify this.
//! - Errors are for input that cannot be compiled. A missed optimization is reported as a remark
//!   ([`PassContext::declined`]).

mod context;
mod debug_counter;
mod definition;
mod instrumentation;
mod ir_printing;
mod ir_tree;
mod manager;
mod options;
mod pipeline;
mod pipeline_text;
mod registry;
mod remarks;
pub mod reproducer;
mod rewrite_control;
mod rewrite_trace;
mod round_trip;
mod statistics;
mod statistics_report;
mod suggestion;
mod timing;

pub use context::{PassContext, PassFailure, PassResult};
pub use debug_counter::DebugCounters;
pub use definition::{Anchor, CreatePass, ErasedPass, Pass, PassDefinition, SourcePosition};
pub use instrumentation::{Event, Instrumentation, Log, PassEnd};
pub use ir_printing::{IrPrinting, PassSelection};
pub use ir_tree::IrTree;
pub use manager::{ManagerOptions, PassManager, run_pipeline};
pub use options::{
    OptionDefinition, OptionEnum, OptionError, OptionNumber, OptionTexts, OptionValue, PassOptions,
    form_within, read_within,
};
pub use pipeline::{Element, Pipeline};
pub use pipeline_text::PipelineError;
pub use registry::{ListedPattern, PassRegistry, PatternSet, PipelineDefinition};
pub use remarks::{Remark, RemarkKind, Remarks};
pub use rewrite_control::{RewriteControl, RuleCounts, RuleFilter};
pub use rewrite_trace::Trace;
pub use round_trip::RoundTrip;
pub use statistics::{Statistic, Statistics};
pub use statistics_report::StatisticsDisplay;
pub use suggestion::nearest;
pub use timing::{Timing, TimingDisplay};

pub use crate::analyses::{Analysis, AnalysisKey, AnalysisManager, PreservedAnalyses};
pub use crate::source_position;

/// Whether a pass, or a part of it, changed the IR.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum IRStatus {
    /// No change: all analyses remain valid.
    #[default]
    Unchanged,
    /// The IR was changed.
    Changed,
}

impl IRStatus {
    /// `Changed` if `changed` is true.
    pub fn changed_if(changed: bool) -> Self {
        if changed {
            IRStatus::Changed
        } else {
            IRStatus::Unchanged
        }
    }

    /// True for [`IRStatus::Changed`].
    pub fn is_changed(self) -> bool {
        self == IRStatus::Changed
    }

    /// `Changed` if either of the two is.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        IRStatus::changed_if(self.is_changed() || other.is_changed())
    }
}

impl std::ops::BitOrAssign for IRStatus {
    fn bitor_assign(&mut self, other: Self) {
        *self = self.or(other);
    }
}

#[cfg(test)]
mod tests;
