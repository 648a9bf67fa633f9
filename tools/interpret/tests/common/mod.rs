//! Shared code of the tests that run programs before and after passes.
#![allow(dead_code, reason = "no test needs all of it")]

use orison_ir::pass::{Pipeline, run_pipeline};
use orison_ir::{Context, Operation, PrintFlags, Source, parse_source, print_to_string};

/// A module with its own context.
pub struct Module {
    pub context: Context,
    pub operation: Operation,
}

/// A context with all dialects.
pub fn context() -> Context {
    let mut context = Context::new();
    orison_opt::registry::register_all_dialects(&mut context);
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

/// Runs passes on a module, which must be valid afterwards.
pub fn transform(module: &mut Module, pipeline: &Pipeline) -> Result<(), String> {
    let Module { context, operation } = module;
    let run = run_pipeline(context, pipeline, *operation);
    run.map_err(|_| errors(context))?;
    let verified = context.verify(*operation);
    verified.map_err(|_| errors(context))
}

/// The text of a module, in the custom and in the generic form, is parsed as what prints the same
/// text.
pub fn reprint(module: &Module, context: fn() -> Context) -> Result<(), String> {
    for flags in [PrintFlags::default(), PrintFlags::generic()] {
        let printed = print_to_string(&module.context, module.operation, &flags);
        let again = parse_in(context(), "printed.mlir", &printed)
            .map_err(|errors| format!("the printed text is not valid: {errors}"))?;
        let second = print_to_string(&again.context, again.operation, &flags);
        let lines = printed.lines().zip(second.lines());
        if let Some((line, other)) = lines.into_iter().find(|(line, other)| line != other) {
            return Err(format!(
                "printed '{line}', parsed and printed again '{other}'"
            ));
        }
        if printed != second {
            return Err(
                "printed, parsed and printed again with another number of lines".to_owned(),
            );
        }
    }
    Ok(())
}

/// The diagnostics of a context.
pub fn errors(context: &mut Context) -> String {
    let diagnostics = context.diagnostics.take();
    diagnostics
        .iter()
        .map(|diagnostic| diagnostic.render(context))
        .collect()
}
