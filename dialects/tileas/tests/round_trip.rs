//! The example programs of the reference parse, verify and come back from both forms.

use orison_ir::{Context, PrintFlags, Source, parse_source, print_to_string};

fn context() -> Context {
    let mut context = Context::new();
    context.allow_unregistered_dialects(true);
    orison_tileas::register(&mut context);
    context
}

/// Parses and verifies; prints in the form that is asked for.
fn pass(text: &str, flags: &PrintFlags) -> String {
    let mut context = context();
    let source = Source {
        name: "test.mlir",
        text,
        first_line: 1,
    };
    let parsed = parse_source(&mut context, source);
    let verified = parsed.and_then(|module| context.verify(module).map(|()| module));
    let messages: Vec<_> = context
        .diagnostics
        .take()
        .iter()
        .map(|diagnostic| diagnostic.render(&context))
        .collect();
    assert!(messages.is_empty(), "{}\nin\n{text}", messages.concat());
    print_to_string(&context, verified.expect("verified"), flags)
}

fn round_trips(text: &str) {
    let generic = pass(text, &PrintFlags::generic());
    let custom = pass(&generic, &PrintFlags::default());
    let again = pass(&custom, &PrintFlags::generic());
    assert_eq!(generic, again, "through the custom form\n{custom}");
    let custom_again = pass(&custom, &PrintFlags::default());
    assert_eq!(custom, custom_again);
    if std::env::var_os("SHOW").is_some() {
        println!("{custom}");
    }
}

#[test]
fn the_loop_before_scheduling() {
    round_trips(include_str!("../../../tests/tileas/gemm-loop.mlir"));
}

#[test]
fn the_loop_in_agents() {
    round_trips(include_str!("../../../tests/tileas/gemm-agents.mlir"));
}
