//! Small programs in all orders.

use orison_interpret::tile::kernel::{Argument, Inputs, Kernel, Launch};

use crate::examples::{DRIVERS, EXAMPLES, materialized};
use crate::harness::Program;

/// The maximum number of states of a search.
const BOUND: usize = 60_000;

/// The example, its trip count, and the corresponding arguments.
const SEARCHES: &[(&str, i64)] = &[("gemm", 5), ("two-gemms", 3), ("attention", 3)];

#[test]
fn all_orders_of_small_loops_end_alike() {
    for (driver, pass) in DRIVERS {
        for (name, trips) in SEARCHES {
            let example = EXAMPLES.iter().find(|example| example.name == *name);
            let example = example.expect("a known example");
            let before = Program::parse(name, &example.text()).expect("well-formed");
            let arguments = before
                .operation
                .lookup_symbol(&before.context, example.function);
            let block = arguments.and_then(|op| op.body_block(&before.context, 0));
            let count = block.expect("a body").argument_count(&before.context);
            let mut arguments = vec![None; count];
            arguments[count - 1] = Some(Argument::Number(*trips));
            let launch = Launch {
                arguments,
                tiles: usize::try_from(*trips).expect("a small number"),
                ..Launch::default()
            };
            let expected = before.run(example.function, &launch, 0).expect("it runs");
            let after = materialized(example, pass).unwrap_or_else(|errors| panic!("{errors}"));
            let interpreter = after.interpreter();
            let kernel = Kernel {
                interpreter: &interpreter,
                function: example.function,
            };
            let inputs = Inputs::new(&interpreter, example.function, &launch)
                .unwrap_or_else(|failure| panic!("{}", failure.render(&after.context)));
            let report = kernel
                .explore(&inputs, &launch, Some(&expected), BOUND)
                .unwrap_or_else(|failure| panic!("{}", failure.render(&after.context)));
            println!("{name} ({driver}), {trips} iterations: {report:?}");
            assert!(report.complete, "{name}: more than {BOUND} states");
            assert!(report.endings >= 1, "{name}: no order ends");
        }
    }
}

/// Two agents store different numbers, in both orders: states that differ in memory alone are
/// different.
#[test]
fn orders_with_different_memory_have_different_endings() {
    let agent = |stored: &str| {
        format!(
            "{{
    nv_tileas.tiled_store %{stored}, %view[%c0] {{in_bounds = array<i1: true>}} : tensor<4xi32>, !nv_tileaa.tiled_view<4xi32, gmem>
    nv_tileas.async.pipeline.yield
  }}"
        )
    };
    let text = format!(
        "nv_tileaa.func @f(%X: !nv_tileaa.memref<?xi32>) attributes {{nv_tileaa.kernel_spec = {{numWarps = 8 : i32}}}} {{
  %c0 = arith.constant 0 : index
  %one = arith.constant dense<1> : tensor<4xi32>
  %two = arith.constant dense<2> : tensor<4xi32>
  %view = nv_tileaa.block_tile %X : !nv_tileaa.memref<?xi32> -> !nv_tileaa.tiled_view<4xi32, gmem>
  nv_tileas.async.pipeline.agent_switch attributes {{num_agents_per_group = 1 : i32, num_warps = array<i32: 4, 4>}} {}, {}
  nv_tileaa.return
}}\n",
        agent("one"),
        agent("two")
    );
    let program = Program::parse("stores.mlir", &text).unwrap_or_else(|errors| panic!("{errors}"));
    let launch = Launch {
        arguments: vec![Some(Argument::Numbers {
            shape: vec![4],
            values: vec![0.0],
        })],
        ..Launch::default()
    };
    let interpreter = program.interpreter();
    let kernel = Kernel {
        interpreter: &interpreter,
        function: "f",
    };
    let inputs = Inputs::new(&interpreter, "f", &launch).expect("an argument");
    let report = kernel
        .explore(&inputs, &launch, None, BOUND)
        .unwrap_or_else(|failure| panic!("{}", failure.render(&program.context)));
    assert_eq!((report.endings, report.complete), (2, true));
}
