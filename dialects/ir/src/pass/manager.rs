//! The pass manager.

use std::cell::Cell;
use std::rc::Rc;

use super::context::Services;
use super::{
    Anchor, Element, ErasedPass, Event, IRStatus, Instrumentation, Log, PassContext, PassEnd,
    PassFailure, Pipeline, PreservedAnalyses, Remarks, RewriteControl, Statistics,
};
use crate::declare::Trait;
use crate::{Context, Operation};

/// Options of the pass manager.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ManagerOptions {
    /// Whether the IR is verified after each pass.
    pub verify_each: bool,
}

impl Default for ManagerOptions {
    fn default() -> Self {
        ManagerOptions { verify_each: true }
    }
}

/// Runs pipelines, and owns the state of a run.
#[derive(Default)]
pub struct PassManager<'i> {
    options: ManagerOptions,
    services: Services,
    instrumentations: Vec<&'i mut dyn Instrumentation>,
    running: Rc<Cell<Option<&'static str>>>,
}

impl std::fmt::Debug for PassManager<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PassManager")
            .field("options", &self.options)
            .field("services", &self.services)
            .field("running", &self.running.get())
            .finish_non_exhaustive()
    }
}

/// Runs a pipeline on an operation, with default options and without observers.
///
/// # Errors
/// If a pass fails or leaves IR that does not verify; the errors are emitted to the context.
pub fn run_pipeline(
    context: &mut Context,
    pipeline: &Pipeline,
    op: Operation,
) -> Result<(), PassFailure> {
    PassManager::default().run(context, pipeline, op, &mut String::new())
}

impl<'i> PassManager<'i> {
    /// A manager with these options.
    pub fn new(options: ManagerOptions) -> Self {
        PassManager {
            options,
            ..PassManager::default()
        }
    }

    /// Adds an observer. Observers are notified of a start in order and of an end in reverse order.
    pub fn observe(&mut self, instrumentation: &'i mut dyn Instrumentation) {
        self.instrumentations.push(instrumentation);
    }

    /// The remark channel.
    pub fn remarks(&mut self) -> &mut Remarks {
        &mut self.services.remarks
    }

    /// Selects the rewrite rules that may be applied, and counts applications.
    pub fn control(&mut self) -> &mut RewriteControl {
        &mut self.services.control
    }

    /// The statistics of the passes.
    pub fn statistics(&self) -> &Statistics {
        &self.services.statistics
    }

    /// The name of the running pass; after a panic, of the pass that panicked. The cell remains
    /// valid after a panic in [`PassManager::run`].
    pub fn running(&self) -> Rc<Cell<Option<&'static str>>> {
        Rc::clone(&self.running)
    }

    /// Runs a pipeline on an operation.
    ///
    /// # Errors
    /// If the pipeline is for other operations, a pass fails, or leaves IR that does not verify;
    /// the errors are emitted to the context.
    pub fn run(
        &mut self,
        context: &mut Context,
        pipeline: &Pipeline,
        op: Operation,
        log: &mut dyn Log,
    ) -> Result<(), PassFailure> {
        check_root(context, pipeline, op)?;
        let mut pipeline = pipeline.clone();
        self.run_elements(context, &mut pipeline, op, 0, log)
    }

    fn run_elements(
        &mut self,
        context: &mut Context,
        pipeline: &mut Pipeline,
        op: Operation,
        first_number: usize,
        log: &mut dyn Log,
    ) -> Result<(), PassFailure> {
        let mut number = first_number;
        let mut next = 0;
        while next < pipeline.elements.len() {
            if let Element::Pass(pass) = &mut pipeline.elements[next] {
                self.run_pass(context, &mut **pass, op, number, log)?;
                number += 1;
                next += 1;
                continue;
            }
            // Adjacent nested pipelines run together on one operation after the other, for cache
            // locality.
            let end = next + nested_count(&pipeline.elements[next..]);
            let nested = &mut pipeline.elements[next..end];
            number += self.run_nested(context, nested, op, number, log)?;
            next = end;
        }
        Ok(())
    }

    /// Runs nested pipelines on the operations directly inside; returns the number of passes.
    fn run_nested(
        &mut self,
        context: &mut Context,
        nested: &mut [Element],
        op: Operation,
        first_number: usize,
        log: &mut dyn Log,
    ) -> Result<usize, PassFailure> {
        let blocks = op
            .regions(context)
            .flat_map(|region| region.blocks(context));
        let children: Vec<_> = blocks.flat_map(|block| block.operations(context)).collect();
        for child in children {
            let mut number = first_number;
            for element in &mut *nested {
                let Element::Nested(pipeline) = element else {
                    continue;
                };
                if runs_on(context, pipeline, child) {
                    self.tell(|observer| observer.before_nested(pipeline.anchor_text(), number));
                    let result = self.run_elements(context, pipeline, child, number, log);
                    self.tell_reversed(|observer| observer.after_nested());
                    result?;
                }
                number += pipeline.pass_count();
            }
        }
        let counts = nested.iter().map(|element| match element {
            Element::Nested(pipeline) => pipeline.pass_count(),
            Element::Pass(_) => 1,
        });
        Ok(counts.sum())
    }

    fn tell(&mut self, mut tell: impl FnMut(&mut dyn Instrumentation)) {
        for observer in &mut self.instrumentations {
            tell(&mut **observer);
        }
    }

    fn tell_reversed(&mut self, mut tell: impl FnMut(&mut dyn Instrumentation)) {
        for observer in self.instrumentations.iter_mut().rev() {
            tell(&mut **observer);
        }
    }

    fn run_pass(
        &mut self,
        context: &mut Context,
        pass: &mut dyn ErasedPass,
        op: Operation,
        number: usize,
        log: &mut dyn Log,
    ) -> Result<(), PassFailure> {
        self.tell(|observer| {
            observer.before_pass(&mut Event {
                context,
                op,
                pass: &*pass,
                number,
                log,
            });
        });
        self.services.statistics.current = number;
        self.running.set(Some(pass.definition().name));
        let result = self.execute(context, pass, op);
        let end = match &result {
            Ok(IRStatus::Unchanged) => PassEnd::Unchanged,
            Ok(IRStatus::Changed) => PassEnd::Changed,
            Err(_) => PassEnd::Failed,
        };
        self.running.set(None);
        if self.services.control.trace.is_on() {
            let text = self.services.control.trace.take();
            log.write(context, &text);
        }
        for name in self.services.analyses.take_computed() {
            self.tell(|observer| observer.computed_analysis(name));
        }
        self.tell_reversed(|observer| {
            observer.after_pass(
                &mut Event {
                    context,
                    op,
                    pass: &*pass,
                    number,
                    log,
                },
                end,
            );
        });
        result.map(|_| ())
    }

    /// Runs the pass, updates the cache of analyses and verifies. Errors are emitted.
    fn execute(
        &mut self,
        context: &mut Context,
        pass: &mut dyn ErasedPass,
        op: Operation,
    ) -> Result<IRStatus, PassFailure> {
        let definition = pass.definition();
        self.check_needs(context, pass, op)?;
        let errors_before = context.diagnostics.error_count();
        let mut pass_context = PassContext {
            control: &mut self.services.control,
            op,
            verifies: self.options.verify_each,
            name: definition.name,
            declared: definition.statistics,
            analyses: &mut self.services.analyses,
            statistics: &mut self.services.statistics,
            remarks: &mut self.services.remarks,
            preserved: PreservedAnalyses::none(),
            context,
        };
        let result = pass.run_erased(&mut pass_context);
        let preserved = std::mem::take(&mut pass_context.preserved);
        match result {
            Ok(status) => {
                if status.is_changed() {
                    let analyses = &mut self.services.analyses;
                    analyses.invalidate(context, op, &preserved, definition.name);
                }
                // Debug builds check a pass that reports no change.
                if self.options.verify_each && (status.is_changed() || cfg!(debug_assertions)) {
                    context.verify(op).map_err(|_| PassFailure::reported())?;
                }
                // A pass that emits an error has failed, whatever it returns.
                if context.diagnostics.error_count() > errors_before {
                    return Err(PassFailure::reported());
                }
                Ok(status)
            }
            Err(PassFailure(diagnostics)) => {
                let named = context.diagnostics.error_count() > errors_before;
                if diagnostics.is_empty() && !named {
                    let message = format!("pass '{}' failed", definition.name);
                    context.error(op.location(context), message);
                }
                for diagnostic in diagnostics {
                    context.diagnostics.emit(diagnostic);
                }
                if cfg!(debug_assertions) && self.options.verify_each {
                    self.check_valid_after_failure(context, definition.name, op);
                }
                Err(PassFailure::reported())
            }
        }
    }

    /// Checks that a failed pass left valid IR.
    fn check_valid_after_failure(&self, context: &mut Context, pass: &str, op: Operation) {
        if let Err(errors) = crate::verifier::verify(context, op) {
            let message = format!("pass '{pass}' failed and left invalid IR");
            context.error(op.location(context), message);
            for error in errors {
                context.diagnostics.emit(error);
            }
        }
    }

    /// Refuses a pass that needs an analysis which was cached and has been lost.
    fn check_needs(
        &self,
        context: &mut Context,
        pass: &dyn ErasedPass,
        op: Operation,
    ) -> Result<(), PassFailure> {
        let definition = pass.definition();
        for &key in definition.needs_preserved {
            if let Some(culprit) = self.services.analyses.lost_by(op, key) {
                let message = format!(
                    "pass '{}' requires the analysis '{}', which pass '{culprit}' did not preserve",
                    definition.name, key.name
                );
                context.error(op.location(context), message);
                return Err(PassFailure::reported());
            }
        }
        Ok(())
    }
}

/// The number of leading elements that are nested pipelines and may run together.
fn nested_count(elements: &[Element]) -> usize {
    let named = |element: &Element| matches!(element, Element::Nested(p) if p.anchor.is_some());
    elements.iter().take_while(|e| named(e)).count().max(1)
}

fn runs_on(context: &Context, pipeline: &Pipeline, op: Operation) -> bool {
    match &pipeline.anchor {
        Some(name) => op.is(context, name) && can_schedule(context, op).is_ok(),
        None => op.has_trait(context, Trait::IsolatedFromAbove),
    }
}

/// Checks whether passes may run on an operation. An undeclared operation named like a module is
/// treated as a module.
fn can_schedule(context: &Context, op: Operation) -> Result<(), &'static str> {
    match op.definition(context) {
        None if op.is(context, "builtin.module") => Ok(()),
        None => Err("trying to schedule a pass on an unregistered operation"),
        Some(definition) if !definition.has_trait(Trait::IsolatedFromAbove) => {
            Err("trying to schedule a pass on an operation not marked as 'IsolatedFromAbove'")
        }
        Some(_) => Ok(()),
    }
}

fn check_root(
    context: &mut Context,
    pipeline: &Pipeline,
    op: Operation,
) -> Result<(), PassFailure> {
    if let Some(anchor) = &pipeline.anchor
        && !op.is(context, anchor)
    {
        let name = op.name_text(context);
        let message = format!("can't run '{anchor}' pass manager on '{name}' op");
        context.error(op.location(context), message);
        return Err(PassFailure::reported());
    }
    if pipeline.elements.is_empty() {
        return Ok(());
    }
    can_schedule(context, op).map_err(|message| {
        let error = op.op_error(context, message);
        context.diagnostics.emit(*error);
        PassFailure::reported()
    })
}

/// Whether a pass runs on operations with this name.
impl Anchor {
    /// True if it includes operations with this name.
    pub fn matches(self, name: &str) -> bool {
        match self {
            Anchor::Any => true,
            Anchor::Op(wanted) => wanted == name,
        }
    }
}
