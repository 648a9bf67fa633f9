//! What a pass has at hand while it runs.

use std::rc::Rc;

use super::{
    Analysis, AnalysisManager, IRStatus, PassDefinition, PreservedAnalyses, Remark, RemarkKind,
    Remarks, RewriteControl, Statistics,
};
use crate::{Context, Diagnostic, Operation};

/// The result of a pass.
pub type PassResult = Result<IRStatus, PassFailure>;

/// A pass failed. `?` makes one of an error such as [`Operation::op_error`] returns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PassFailure(pub(super) Vec<Diagnostic>);

impl PassFailure {
    /// The errors were emitted to the context already.
    pub fn reported() -> Self {
        PassFailure(Vec::new())
    }

    /// Several errors.
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

/// What lasts through a whole run of a pipeline.
#[derive(Debug, Default)]
pub struct Services {
    pub(super) analyses: AnalysisManager,
    pub(super) statistics: Statistics,
    pub(super) remarks: Remarks,
    pub(super) control: RewriteControl,
}

/// What a pass has at hand while it runs.
#[derive(Debug)]
pub struct PassContext<'a> {
    /// The IR.
    pub context: &'a mut Context,
    /// Which rewrite rules may be applied, and how often they were.
    pub control: &'a mut RewriteControl,
    pub(super) op: Operation,
    pub(super) definition: &'static PassDefinition,
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

    /// An analysis of the operation the pass runs on.
    pub fn analysis<A: Analysis>(&mut self) -> Rc<A> {
        self.analysis_of(self.op)
    }

    /// An analysis of that operation or one inside it.
    pub fn analysis_of<A: Analysis>(&mut self, op: Operation) -> Rc<A> {
        self.analyses.get(self.context, op)
    }

    /// An analysis of an operation if it is known.
    pub fn cached_analysis<A: Analysis>(&self, op: Operation) -> Option<Rc<A>> {
        self.analyses.cached(op)
    }

    /// Makes an analysis known that the pass computed itself, and preserves it.
    pub fn provide_analysis<A: Analysis>(&mut self, op: Operation, result: A) -> Rc<A> {
        self.preserved.preserve::<A>();
        self.analyses.insert(self.context, op, result)
    }

    /// An analysis goes on to hold although the IR is changed.
    pub fn preserve<A: Analysis>(&mut self) {
        self.preserved.preserve::<A>();
    }

    /// All analyses go on to hold although the IR is changed.
    pub fn preserve_all(&mut self) {
        self.preserved.preserve_all();
    }

    /// Adds to a statistic of the pass.
    pub fn count(&mut self, statistic: &'static str, amount: u64) {
        debug_assert!(
            self.definition
                .statistics
                .iter()
                .any(|known| known.name == statistic),
            "the pass does not declare the statistic '{statistic}'"
        );
        self.statistics.add(self.definition, statistic, amount);
    }

    /// Whether anybody reads remarks: ask before a costly explanation is made.
    pub fn wants_remarks(&self) -> bool {
        self.remarks.is_on()
    }

    /// Says something about an operation in the remark channel.
    pub fn remark(&mut self, op: Operation, remark: &Remark) {
        self.remarks
            .emit(self.context, self.definition.name, op, remark);
    }

    /// Warns that the pass, although it was asked for, found nothing that it could work on: why, and
    /// what would help.
    pub fn nothing_to_do(&mut self, reason: &str, help: &str) {
        let context = &*self.context;
        // A module that the text does not spell out has no place in it, but its operations have.
        let first = self.op.body_block(context, 0);
        let first = first.and_then(|block| block.first_op(context));
        let has_place = |op: &Operation| {
            let place = op.location(context).position(context);
            place.is_some_and(|(_, line, _)| line > 0)
        };
        let at = first.filter(|_| !has_place(&self.op)).unwrap_or(self.op);
        let location = at.location(context);
        let name = self.definition.name;
        let message = format!("pass '{name}' found nothing to do: {reason}; {help}");
        self.context.warning(location, message);
    }

    /// Says that `rule` was not applied to an operation, why, and what would help.
    pub fn declined(&mut self, op: Operation, rule: &str, reason: &str, help: &str) {
        if self.wants_remarks() {
            let remark = Remark::new(RemarkKind::Missed, rule, reason).with_help(help);
            self.remark(op, &remark);
        }
    }
}
