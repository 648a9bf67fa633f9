//! Loops that reach the limits of what the attributes of a schedule represent.

use std::fmt::Write;

use orison_ir::pass::{PassRegistry, Pipeline, run_pipeline};
use orison_ir::{Context, Source, parse_source};

/// A chain of operations of the longest latency, 2^20 cycles each: the error of the scheduler, if any.
fn schedule_chain(operations: usize) -> Option<String> {
    let mut text = "func.func @chain(%n: index) {\n%c0 = arith.constant 0 : index\n\
                    %c1 = arith.constant 1 : index\nscf.for %i = %c0 to %n step %c1 {\n"
        .to_owned();
    for number in 0..operations {
        let operand = number.checked_sub(1);
        let operand = operand.map_or("%i".to_owned(), |before| format!("%v{before}"));
        let attributes = "tileas.schedule.latency = 1048576 : i32, \
                          tileas.schedule.resources = [array<i32: 7, 1, 1>]";
        writeln!(
            text,
            "%v{number} = \"test.wait\"({operand}) {{{attributes}}} : (index) -> index"
        )
        .expect("a string");
    }
    text.push_str("}\nreturn\n}\n");
    let mut context = Context::new();
    orison_host::register(&mut context);
    orison_tileas::register(&mut context);
    context.allow_unregistered_dialects(true);
    let source = Source {
        name: "chain.mlir",
        text: &text,
        first_line: 1,
    };
    let module = parse_source(&mut context, source).expect("the loop parses");
    let mut registry = PassRegistry::default();
    orison_schedule::passes(&mut registry);
    let mut pipeline = Pipeline::on("builtin.module");
    registry
        .add_to_pipeline(&mut pipeline, "tileas-generate-schedule", "")
        .expect("the pass exists");
    run_pipeline(&mut context, &pipeline, module).err()?;
    let errors = context.diagnostics.take();
    Some(errors.iter().map(|e| e.render(&context)).collect())
}

/// Operation 2048 starts at the end of 2048 latencies, cycle 2^31; that before it fits.
#[test]
fn cycles_fit_in_32_bits() {
    assert_eq!(schedule_chain(2048), None);
    let error = schedule_chain(2049).expect("no schedule");
    let expected = "chain.mlir:4:1: error: 'scf.for' op failed to legalize schedule: cycle 2147483648 \
                    does not fit in 32 bits";
    assert!(error.starts_with(expected), "{error}");
}
