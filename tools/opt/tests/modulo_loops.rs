//! The loop collection as text: every loop of `schedule/tests/modulo` runs through the parser and
//! the passes, and the result is compared with `loops.jsonl` by a separate reader and checker that
//! share no code with the scheduler.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::{fs, io};

use orison_ir::{Attribute, AttributeKind, Context, Operation, Source, Value, parse_source, walk};
use orison_opt::{Outcome, Streams, Tool, run};
use serde::Deserialize;

#[derive(Deserialize)]
struct Known {
    name: String,
    optimal_ii: i64,
    proven: bool,
    nodes: Vec<KnownNode>,
    edges: Vec<(usize, usize, i64)>,
}

#[derive(Deserialize)]
struct KnownNode {
    latency: i64,
    uses: Vec<(i64, i64)>,
}

/// A loop as given by the printed schedule.
struct Scheduled {
    interval: i64,
    cycles: Vec<i64>,
    latencies: Vec<i64>,
    uses: Vec<Vec<(i64, i64)>>,
    edges: BTreeSet<(usize, usize, i64)>,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../schedule/tests/modulo")
}

/// Schedules a file; returns the resulting text.
fn schedule(path: &Path) -> String {
    let arguments = [
        "orison-opt",
        &path.to_string_lossy(),
        "--allow-unregistered-dialect",
        "--tileas-generate-schedule",
        "--tileas-verify-schedule",
        "--mlir-print-op-generic",
    ];
    let (mut output, mut errors) = (Vec::new(), Vec::new());
    let mut streams = Streams {
        input: &mut io::empty(),
        output: &mut output,
        errors: &mut errors,
    };
    let outcome = run(
        Tool::OPT,
        arguments.map(str::to_owned).to_vec(),
        &mut streams,
    );
    let errors = String::from_utf8_lossy(&errors);
    assert_eq!(outcome, Outcome::Success, "{}: {errors}", path.display());
    String::from_utf8(output).expect("text")
}

fn integer(context: &Context, op: Operation, key: &str) -> i64 {
    let value = op.attribute(context, key);
    let value = value.and_then(|value| value.as_i64(context));
    value.unwrap_or_else(|| panic!("no {key} on {}", op.name_text(context)))
}

fn array(context: &Context, attribute: Attribute) -> &[Attribute] {
    match attribute.kind(context) {
        AttributeKind::Array(elements) => elements,
        _ => panic!("not an array"),
    }
}

/// The integers of `array<i32: …>`.
fn numbers(context: &Context, attribute: Attribute) -> Vec<i64> {
    let AttributeKind::DenseArray { data, .. } = attribute.kind(context) else {
        panic!("not a dense array");
    };
    let words = data.chunks_exact(4);
    words
        .map(|word| i64::from(i32::from_le_bytes([word[0], word[1], word[2], word[3]])))
        .collect()
}

fn read(text: &str) -> Scheduled {
    let mut context = Context::new();
    orison_opt::registry::register_all_dialects(&mut context);
    context.allow_unregistered_dialects(true);
    let source = Source {
        name: "scheduled",
        text,
        first_line: 1,
    };
    let module = parse_source(&mut context, source).expect("what was printed");
    let context = &context;
    let is_loop = |op: &Operation| op.attribute(context, "tileas.schedule").is_some();
    let found = walk::collect(context, module).into_iter().find(is_loop);
    let found = found.expect("a scheduled loop");
    let summary = found.attribute(context, "tileas.schedule");
    let interval = summary.and_then(|summary| summary.get(context, "ii"));
    let interval = interval.and_then(|interval| interval.as_i64(context));
    let region = found.regions(context).next().expect("a body");
    let body = region.first_block(context).expect("a body");
    let nodes: Vec<Operation> = body
        .operations(context)
        .filter(|op| op.attribute(context, "node").is_some())
        .collect();
    let positions: BTreeMap<i64, usize> = (0..nodes.len())
        .map(|position| (integer(context, nodes[position], "node"), position))
        .collect();
    assert!(positions.keys().copied().eq(0..nodes.len() as i64));
    let mut edges = BTreeSet::new();
    for &user in &nodes {
        let to = integer(context, user, "node") as usize;
        for operand in user.operands(context) {
            if let Some((from, distance)) = producer(context, found, operand) {
                edges.insert((from, to, distance));
            }
        }
    }
    let mut scheduled = Scheduled {
        interval: interval.expect("an interval"),
        cycles: Vec::new(),
        latencies: Vec::new(),
        uses: Vec::new(),
        edges,
    };
    for position in positions.values() {
        let op = nodes[*position];
        let cycle = integer(context, op, "tileas.schedule.cycle");
        scheduled.cycles.push(cycle);
        let latency = integer(context, op, "tileas.schedule.latency");
        scheduled.latencies.push(latency);
        let uses = op.attribute(context, "tileas.schedule.resources");
        let uses = uses.map_or(&[][..], |uses| array(context, uses));
        let uses = uses.iter().map(|entry| match *numbers(context, *entry) {
            [slot, duration, 1] => (slot, duration),
            _ => panic!("not a use of one unit"),
        });
        scheduled.uses.push(uses.collect());
    }
    scheduled
}

/// The node that defines a value, and the iteration distance.
fn producer(context: &Context, found: Operation, mut value: Value) -> Option<(usize, i64)> {
    let region = found.regions(context).next()?;
    let body = region.first_block(context)?;
    let terminator = body.last_op(context)?;
    let mut distance = 0;
    loop {
        if let Some(op) = value.defining_op(context) {
            op.attribute(context, "node")?;
            return Some((integer(context, op, "node") as usize, distance));
        }
        // Argument 0 is the induction variable, the others are yields of the previous iteration.
        let carried = value.position(context).checked_sub(1)?;
        value = terminator.operand(context, carried);
        distance += 1;
    }
}

/// Every dependence holds and no slot is used twice in the same cycle modulo the interval.
fn check(name: &str, scheduled: &Scheduled) {
    let Scheduled {
        interval, cycles, ..
    } = scheduled;
    for &(from, to, distance) in &scheduled.edges {
        let ready = cycles[from] + scheduled.latencies[from] - interval * distance;
        assert!(cycles[to] >= ready, "{name}: {from} -> {to} is broken");
    }
    let mut taken = BTreeSet::new();
    for (cycle, uses) in cycles.iter().zip(&scheduled.uses) {
        for &(slot, duration) in uses {
            assert!(duration <= *interval, "{name}: slot {slot} overlaps itself");
            for offset in 0..duration {
                let free = taken.insert((slot, (cycle + offset) % interval));
                assert!(free, "{name}: slot {slot} is used twice");
            }
        }
    }
}

#[test]
fn every_loop_of_the_collection_is_scheduled_validly() {
    let known = fs::read_to_string(folder().join("loops.jsonl")).expect("the collection");
    let (mut loops, mut reached) = (0, 0);
    for line in known.lines() {
        let known: Known = serde_json::from_str(line).expect("a loop");
        let text = schedule(&folder().join(format!("{}.mlir", known.name)));
        let scheduled = read(&text);
        let name = &known.name;
        let edges: BTreeSet<_> = known.edges.iter().copied().collect();
        assert_eq!(scheduled.edges, edges, "{name}");
        let latencies: Vec<_> = known.nodes.iter().map(|node| node.latency).collect();
        assert_eq!(scheduled.latencies, latencies, "{name}");
        let uses: Vec<_> = known.nodes.iter().map(|node| node.uses.clone()).collect();
        assert_eq!(scheduled.uses, uses, "{name}");
        check(name, &scheduled);
        if known.proven {
            assert!(scheduled.interval >= known.optimal_ii, "{name}");
        }
        loops += 1;
        reached += usize::from(scheduled.interval <= known.optimal_ii);
        if scheduled.interval > known.optimal_ii {
            println!("{name}: {} > {}", scheduled.interval, known.optimal_ii);
        }
    }
    println!("{reached} of {loops} loops at the best known interval");
    assert_eq!(loops, 60);
    assert_eq!(reached, 60, "fewer than before");
}
