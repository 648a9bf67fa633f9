//! The context of a running pass.

use std::rc::Rc;

use super::{
    Analysis, AnalysisManager, IRStatus, PreservedAnalyses, Remark, RemarkKind, Remarks,
    RewriteControl, Statistic, Statistics,
};
use crate::{Context, Diagnostic, Operation};

/// The result of a pass.
pub type PassResult = Result<IRStatus, PassFailure>;

/// The failure of a pass. `?` converts errors such as those of [`Operation::op_error`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PassFailure(pub(super) Vec<Diagnostic>);

impl PassFailure {
    /// A failure whose errors were already emitted to the context.
    pub fn reported() -> Self {
        PassFailure(Vec::new())
    }

    /// A failure with several errors.
    pub fn new(diagnostics: Vec<Diagnostic>) -> Self {
        PassFailure(diagnostics)
    }
}

impl From<Box<Diagnostic>> for PassFailure {
    fn from(diagnostic: Box<Diagnostic>) -> Self {
        PassFailure(vec![*diagnostic])
    }
}

impl From<Diagnostic> for PassFailure {
    fn from(diagnostic: Diagnostic) -> Self {
        PassFailure(vec![diagnostic])
    }
}

/// State that persists for a whole run of a pipeline.
#[derive(Debug, Default)]
pub struct Services {
    pub(super) analyses: AnalysisManager,
    pub(super) statistics: Statistics,
    pub(super) remarks: Remarks,
    pub(super) control: RewriteControl,
}

/// The context of a running pass.
#[derive(Debug)]
pub struct PassContext<'a> {
    /// The IR.
    pub context: &'a mut Context,
    /// Selects the rewrite rules that may be applied, and counts applications.
    pub control: &'a mut RewriteControl,
    pub(super) op: Operation,
    /// Whether results are verified after each pass.
    pub(super) verifies: bool,
    /// The name of the pass.
    pub(super) name: &'static str,
    /// The statistics that the pass declares.
    pub(super) declared: &'static [Statistic],
    pub(super) analyses: &'a mut AnalysisManager,
    pub(super) statistics: &'a mut Statistics,
    pub(super) remarks: &'a mut Remarks,
    pub(super) preserved: PreservedAnalyses,
}

impl PassContext<'_> {
    /// The operation the pass runs on.
    pub fn op(&self) -> Operation {
        self.op
    }

    /// Whether results are verified after each pass (`--verify-each`): a pass whose results have checks besides
    /// those of operations runs these, too.
    pub fn verifies(&self) -> bool {
        self.verifies
    }

    /// An analysis of the operation the pass runs on.
    pub fn analysis<A: Analysis>(&mut self) -> Rc<A> {
        self.analysis_of(self.op)
    }

    /// An analysis of that operation or a nested one.
    pub fn analysis_of<A: Analysis>(&mut self, op: Operation) -> Rc<A> {
        self.analyses.get(self.context, op)
    }

    /// An analysis of an operation, if it is cached.
    pub fn cached_analysis<A: Analysis>(&self, op: Operation) -> Option<Rc<A>> {
        self.analyses.cached(op)
    }

    /// Caches an analysis that the pass computed itself, and preserves it.
    pub fn provide_analysis<A: Analysis>(&mut self, op: Operation, result: A) -> Rc<A> {
        self.preserved.preserve::<A>();
        self.analyses.insert(self.context, op, result)
    }

    /// Marks an analysis as preserved although the IR is changed.
    pub fn preserve<A: Analysis>(&mut self) {
        self.preserved.preserve::<A>();
    }

    /// Marks all analyses as preserved although the IR is changed.
    pub fn preserve_all(&mut self) {
        self.preserved.preserve_all();
    }

    /// Adds to a statistic of the pass.
    pub fn count(&mut self, statistic: &'static str, amount: u64) {
        debug_assert!(
            self.declared.iter().any(|known| known.name == statistic),
            "the pass does not declare the statistic '{statistic}'"
        );
        self.statistics.add(statistic, amount);
    }

    /// Whether remarks are enabled: check before computing a costly explanation.
    pub fn wants_remarks(&self) -> bool {
        self.remarks.is_on()
    }

    /// Emits a remark about an operation.
    pub fn remark(&mut self, op: Operation, remark: &Remark) {
        self.remarks.emit(self.context, self.name, op, remark);
    }

    /// Warns that the pass was requested but found nothing to work on, with the reason and advice.
    pub fn nothing_to_do(&mut self, reason: &str, help: &str) {
        let context = &*self.context;
        // An implicit module has no source location, but its operations do.
        let first = self.op.body_block(context, 0);
        let first = first.and_then(|block| block.first_op(context));
        let has_place = |op: &Operation| {
            let place = op.location(context).position(context);
            place.is_some_and(|(_, line, _)| line > 0)
        };
        let at = first.filter(|_| !has_place(&self.op)).unwrap_or(self.op);
        let location = at.location(context);
        let name = self.name;
        let message = format!("pass '{name}' found nothing to do: {reason}; {help}");
        self.context.warning(location, message);
    }

    /// Emits a remark that `rule` was not applied to an operation, with the reason and advice.
    pub fn declined(&mut self, op: Operation, rule: &str, reason: &str, help: &str) {
        if self.wants_remarks() {
            let remark = Remark::new(RemarkKind::Missed, rule, reason).with_help(help);
            self.remark(op, &remark);
        }
    }
}
