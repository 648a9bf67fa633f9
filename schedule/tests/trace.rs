//! Tests that the trace of `tileas-generate-schedule` is Chrome's JSON format, and that tracing
//! does not affect the schedule.

use orison_ir::pass::{PassRegistry, Pipeline, run_pipeline};
use orison_ir::{Context, PrintFlags, Source, parse_source, print_to_string};
use serde_json::Value;

/// A loop in which gates reject seats: several slots, a recurrence close to the bound.
const LOOP: &str = include_str!("modulo/loop017.mlir");

/// Runs the pass with options and prints the result.
fn schedule(options: &str) -> String {
    let mut context = Context::new();
    orison_host::register(&mut context);
    orison_tileas::register(&mut context);
    context.allow_unregistered_dialects(true);
    let source = Source {
        name: "loop017.mlir",
        text: LOOP,
        first_line: 1,
    };
    let module = parse_source(&mut context, source).expect("the loop parses");
    let mut registry = PassRegistry::default();
    orison_schedule::passes(&mut registry);
    let mut pipeline = Pipeline::on("builtin.module");
    registry
        .add_to_pipeline(&mut pipeline, "tileas-generate-schedule", options)
        .expect("the options exist");
    run_pipeline(&mut context, &pipeline, module).expect("a schedule");
    print_to_string(&context, module, &PrintFlags::default())
}

/// Tests run concurrently, so each has a separate file.
fn traced(test: &str) -> (String, Value) {
    let name = format!("orison-trace-{test}-{}.json", std::process::id());
    let path = std::env::temp_dir().join(name);
    let printed = schedule(&format!("trace={}", path.display()));
    let text = std::fs::read_to_string(&path).expect("the trace is there");
    std::fs::remove_file(&path).expect("the trace can be removed");
    let trace = serde_json::from_str(&text).expect("the trace is JSON");
    (printed, trace)
}

fn events<'t>(trace: &'t Value, category: &'t str) -> impl Iterator<Item = &'t Value> {
    let events = trace["traceEvents"].as_array().expect("a list of events");
    events.iter().filter(move |event| event["cat"] == category)
}

#[test]
fn the_trace_is_complete_and_changes_nothing() {
    let (printed, trace) = traced("complete");
    assert_eq!(printed, schedule(""));
    for event in trace["traceEvents"].as_array().expect("a list of events") {
        let phase = event["ph"].as_str().expect("a phase");
        assert!(["M", "X", "i", "s", "f"].contains(&phase), "{phase}");
        assert!(event["pid"].is_u64() && event["name"].is_string());
        if phase != "M" {
            assert!(event["ts"].is_u64() && event["tid"].is_u64());
        }
        assert_eq!(phase == "X", event["dur"].is_u64());
    }
    // Each of the ten operations has a seat in the schedule, at the cycle of its attribute.
    let operations: Vec<&Value> = events(&trace, "operation").collect();
    assert_eq!(operations.len(), 10);
    for operation in operations {
        let cycle = &operation["args"]["cycle"];
        assert_eq!(cycle, &operation["ts"]);
        assert!(printed.contains(&format!("tileas.schedule.cycle = {cycle} : i32")));
    }
    for dependence in events(&trace, "dependence").filter(|event| event["ph"] == "s") {
        let arguments = &dependence["args"];
        let latency = |key: &str| arguments[key].as_i64().expect("a latency");
        let distance = arguments["distance"].as_i64().expect("a distance");
        if distance == 0 {
            assert!(latency("actual latency") >= latency("minimal latency"));
        }
    }
}

#[test]
fn decisions_have_an_arm_and_either_a_seat_or_a_gate() {
    let (printed, trace) = traced("decisions");
    let mut refused = 0;
    for decision in events(&trace, "decision") {
        let arguments = &decision["args"];
        let arm = arguments["arm"].as_str().expect("an arm");
        assert!(["PERMUTE", "FUSE", "RETRY", "COST"].contains(&arm));
        assert_ne!(arguments["cycle"].is_null(), arguments["gate"].is_null());
        let seated = arguments["cycle"].is_i64();
        assert!(seated || arguments["committed"] == false);
        assert!(seated || arguments["cost"].is_null());
        refused += usize::from(!seated);
    }
    assert!(refused > 0, "this loop is not scheduled without refusals");
    let attempts: Vec<_> = events(&trace, "attempt")
        .map(|attempt| {
            let outcome = attempt["args"]["outcome"].as_str().expect("an outcome");
            (
                outcome,
                attempt["args"]["ii"].as_u64().expect("an interval"),
            )
        })
        .collect();
    let scheduled = attempts
        .iter()
        .rposition(|(outcome, _)| *outcome == "scheduled");
    let scheduled = scheduled.expect("an attempt that scheduled the loop");
    let interval = attempts[scheduled].1;
    assert!(
        printed.contains(&format!("ii = {interval} : i32")),
        "{printed}"
    );
    // Other generators may fail at this interval after it, and at smaller ones with more stages.
    assert!(
        attempts[scheduled + 1..]
            .iter()
            .all(|(_, ii)| *ii <= interval)
    );
    assert!(attempts.iter().any(|(outcome, _)| *outcome == "refuted"));
}
