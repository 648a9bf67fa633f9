//! Passes on `ori` leave random kernels valid, and do nothing when run again.
//!
//! The interpreter tests check that results are preserved, with the same generator.

use orison_ir::pass::{PassRegistry, Pipeline, run_pipeline};
use orison_ir::{Context, Operation, PrintFlags, Source, parse_source, print_to_string};

// Only the text of kernels is used here, not the means of running them.
#[allow(dead_code)]
#[path = "../../tools/interpret/tests/warp/generator.rs"]
mod generator;
#[allow(dead_code)]
#[path = "../../tools/interpret/tests/common/random.rs"]
mod random;

/// Pipelines, and whether a second run must change nothing.
const PIPELINES: [(&str, bool); 13] = [
    ("builtin.module(ori-branch-opt)", true),
    ("builtin.module(ori-copy-propagation)", true),
    ("builtin.module(ori-gvn)", false),
    ("builtin.module(ori-perform-live-dead)", true),
    ("builtin.module(ori-strength-reduce)", false),
    ("builtin.module(ori-predication)", false),
    ("builtin.module(ori-switch-opt)", false),
    ("builtin.module(ori-reassociate)", true),
    ("builtin.module(ori-rematerialize{floor=2 share=1})", false),
    ("builtin.module(ori-store-elimination)", true),
    ("builtin.module(ori-optimize-uniform-atomic)", true),
    (
        "builtin.module(ori-schedule-instructions{effort=200})",
        false,
    ),
    (
        "builtin.module(ori-branch-opt,ori-copy-propagation,ori-strength-reduce,ori-gvn,\
         ori-predication,ori-branch-opt,ori-copy-propagation,ori-gvn,ori-perform-live-dead)",
        false,
    ),
];

fn parse(text: &str) -> (Context, Operation) {
    let mut context = Context::new();
    orison_host::register(&mut context);
    orison_ori::register(&mut context);
    let source = Source {
        name: "kernels.mlir",
        text,
        first_line: 1,
    };
    let module = parse_source(&mut context, source).expect("the generator writes what parses");
    assert!(context.verify(module).is_ok());
    (context, module)
}

fn run(context: &mut Context, module: Operation, pipeline: &Pipeline) -> String {
    let done = run_pipeline(context, pipeline, module);
    assert!(done.is_ok(), "{:?}", context.diagnostics.take());
    assert!(
        context.verify(module).is_ok(),
        "{:?}\n{}",
        context.diagnostics.take(),
        print_to_string(context, module, &PrintFlags::default())
    );
    print_to_string(context, module, &PrintFlags::default())
}

#[test]
fn passes_leave_random_kernels_valid() {
    let mut registry = PassRegistry::default();
    orison_rewrites::passes(&mut registry);
    for (name, again) in PIPELINES {
        let pipeline = registry.parse_pipeline(name).expect("a pipeline");
        for seed in 0..12_u64 {
            let mut random = random::Random(seed << 16);
            let mut text = generator::SYMBOLS.to_owned();
            for number in 0..3 {
                text.push_str(&generator::kernel(number, &mut random));
            }
            let (mut context, module) = parse(&text);
            let once = run(&mut context, module, &pipeline);
            let twice = run(&mut context, module, &pipeline);
            assert!(
                !again || once == twice,
                "{name}, seed {seed}: {once}\n{twice}"
            );
        }
    }
}
