//! The rules on packed predicates, which are code, compute what they replace: their examples in
//! `tests/ori-patterns/predicates.mlir` are evaluated before and after, on all predicates and many
//! words.

use std::collections::HashMap;
use std::path::Path;

use orison_ir::pass::{PassRegistry, run_pipeline};
use orison_ir::{Block, Context, Operation, Source, Value, parse_source};
use orison_ori::Register;
use orison_ori::semantics::{Bits, evaluate};

fn module(text: &str) -> (Context, Operation) {
    let mut context = Context::new();
    orison_host::register(&mut context);
    orison_ori::register(&mut context);
    let source = Source {
        name: "predicates.mlir",
        text,
        first_line: 1,
    };
    let module = parse_source(&mut context, source).expect("well-formed");
    (context, module)
}

fn bodies(context: &Context, module: Operation) -> Vec<Block> {
    let block = module.body_block(context, 0).expect("a body");
    let functions = block.operations(context);
    functions
        .filter_map(|op| op.body_block(context, 0))
        .collect()
}

fn is_predicate(context: &Context, value: Value) -> bool {
    Register::of(context, value.ty(context)) == Some(Register::P)
}

/// The results of a function with a single block.
fn results(context: &Context, body: Block, arguments: &[Bits]) -> Vec<Bits> {
    let values = body.arguments(context).zip(arguments.iter().copied());
    let mut known: HashMap<Value, Bits> = values.collect();
    for op in body.body(context) {
        if let Some(number) = op.attribute(context, "value") {
            let number = number.as_i64(context).expect("a number");
            known.insert(op.result(context, 0), Bits::from(number as u32));
            continue;
        }
        let operands: Vec<Bits> = op.operands(context).map(|value| known[&value]).collect();
        let results = evaluate(context, op, &operands).expect("a pure operation");
        known.extend(op.results(context).zip(results));
    }
    let end = body.terminator(context).expect("a return");
    end.operands(context).map(|value| known[&value]).collect()
}

#[test]
fn examples_compute_the_same_before_and_after() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/ori-patterns/predicates.mlir");
    let text = std::fs::read_to_string(file).expect("the examples are there");
    let (before, original) = module(&text);
    let (mut after, rewritten) = module(&text);
    let mut registry = PassRegistry::default();
    orison_rewrites::passes(&mut registry);
    let pipeline = registry
        .parse_pipeline("builtin.module(ori-peephole)")
        .expect("a pipeline");
    assert!(run_pipeline(&mut after, &pipeline, rewritten).is_ok());
    let pairs = bodies(&before, original)
        .into_iter()
        .zip(bodies(&after, rewritten));
    let mut compared = 0;
    for (old, new) in pairs {
        for word in [0_u32, 1, 0x55, 0x2a, 0x7f, 0x80, 0xdead_beef, u32::MAX] {
            for bits in 0..4_u32 {
                let mut predicate = 0;
                let arguments: Vec<Bits> = old
                    .arguments(&before)
                    .map(|argument| {
                        if !is_predicate(&before, argument) {
                            return Bits::from(word);
                        }
                        predicate += 1;
                        Bits::from(bits >> (predicate - 1) & 1)
                    })
                    .collect();
                let expected = results(&before, old, &arguments);
                assert_eq!(results(&after, new, &arguments), expected, "{arguments:?}");
                compared += 1;
            }
        }
    }
    assert_eq!(compared, 10 * 8 * 4, "ten functions");
}
