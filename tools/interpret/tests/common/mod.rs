//! Shared code of the tests that run programs before and after passes.
#![allow(dead_code, reason = "no test needs all of it")]

use orison_ir::pass::{PassManager, Pipeline, RoundTrip};
use orison_ir::{Context, Operation, Source, parse_source};

/// A module with its own context.
pub struct Module {
    pub context: Context,
    pub operation: Operation,
}

/// A context with all dialects.
pub fn context() -> Context {
    let mut context = Context::new();
    orison_opt::registry::register_all_dialects(&mut context);
    orison_interpret::register(&mut context);
    context
}

/// Parses and verifies a text.
pub fn parse_in(mut context: Context, name: &str, text: &str) -> Result<Module, String> {
    let source = Source {
        name,
        text,
        first_line: 1,
    };
    let module = parse_source(&mut context, source).and_then(|module| {
        context.verify(module)?;
        Ok(module)
    });
    match module {
        Ok(operation) => Ok(Module { context, operation }),
        Err(_) => Err(errors(&mut context)),
    }
}

/// When a run of passes checks that printed IR is parsed as IR that prints the same text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Printed {
    /// After each pass.
    EachPass,
    /// After the last pass.
    End,
    /// Not at all.
    Unchecked,
}

/// Runs passes on a module, which must be valid afterwards; the text of the IR is checked after each
/// pass.
pub fn transform(module: &mut Module, pipeline: &Pipeline) -> Result<(), String> {
    transform_with(module, pipeline, Printed::EachPass)
}

/// As [`transform`], with a choice of when the text is checked, which takes much longer than passes.
pub fn transform_with(
    module: &mut Module,
    pipeline: &Pipeline,
    printed: Printed,
) -> Result<(), String> {
    let Module { context, operation } = module;
    let mut round_trip = round_trip();
    let mut manager = PassManager::default();
    if printed == Printed::EachPass {
        manager.observe(&mut round_trip);
    }
    let run = manager.run(context, pipeline, *operation, &mut String::new());
    drop(manager);
    run.map_err(|_| errors(context))?;
    context.verify(*operation).map_err(|_| errors(context))?;
    if printed == Printed::End {
        round_trip.check(context, *operation)?;
    }
    match round_trip.problems.into_iter().next() {
        Some(problem) => Err(problem),
        None => Ok(()),
    }
}

/// A check that printed IR is parsed as IR that prints the same text.
pub fn round_trip() -> RoundTrip {
    RoundTrip::new(orison_opt::registry::register_all_dialects)
}

/// The diagnostics of a context.
pub fn errors(context: &mut Context) -> String {
    let diagnostics = context.diagnostics.take();
    diagnostics
        .iter()
        .map(|diagnostic| diagnostic.render(context))
        .collect()
}
