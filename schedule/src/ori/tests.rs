//! Dependences of blocks and of loops that are one block.

use orison_ir::analyses::{ControlFlowGraph, LoopForest};
use orison_ir::{Context, Operation, Region, Source, parse_source};
use orison_ori::analyses::Inductions;
use orison_ori::analyses::induction::Loop;

use super::{Dependences, Reason};

use Reason::{Data, Order, Overwrite, ReadAfterWrite};

fn parse(text: &str) -> (Context, Region) {
    let mut context = Context::new();
    orison_host::register(&mut context);
    orison_ori::register(&mut context);
    let source = Source {
        name: "test.mlir",
        text,
        first_line: 1,
    };
    let module = parse_source(&mut context, source).unwrap_or_else(|_| {
        let errors = context.diagnostics.take();
        let errors: Vec<_> = errors.iter().map(|one| one.render(&context)).collect();
        panic!("{}", errors.concat())
    });
    let function: Operation = module
        .body_block(&context, 0)
        .and_then(|block| block.first_op(&context))
        .expect("a function");
    let region = function.regions(&context).next().expect("a body");
    (context, region)
}

/// The dependences, as first operation, second one, iterations between them, and reason.
type Found = Vec<(usize, usize, u32, Reason)>;

fn listed(found: &Dependences) -> Found {
    let edges = found.edges.iter();
    edges
        .map(|edge| (edge.from, edge.to, edge.distance, edge.reason))
        .collect()
}

/// Those of the operations in a block.
fn in_block(body: &str) -> Found {
    let (context, region) = parse(&format!(
        "ori.func @f(%q: !ori.r64, %r: !ori.r64, %x: !ori.r, %p: !ori.p) target \"sm_90\" {{\n{body}\nori.ret\n}}"
    ));
    let block = region.blocks(&context).next().expect("a block");
    listed(&Dependences::of_block(&context, block))
}

/// Those of the operations in a loop that carries a word, a pointer and another word, and passes on
/// what is given. The counter and its comparison are behind the operations.
fn in_loop(body: &str, passed: &str) -> Found {
    let (context, region) = parse(&format!(
        "ori.func @f(%q: !ori.r64, %x: !ori.r, %n: !ori.r) target \"sm_90\" {{\n\
         %zero = ori.imm 0 : !ori.r\n\
         %one = ori.imm 1 : !ori.r\n\
         %four = ori.imm 4 : !ori.r\n\
         ori.bra ^loop(%zero, %x, %q, %x : !ori.r, !ori.r, !ori.r64, !ori.r)\n\
         ^loop(%i: !ori.r, %s: !ori.r, %a: !ori.r64, %t: !ori.r):\n{body}\n\
         %j = ori.iadd3 %i, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r\n\
         %c = ori.isetp <lt, s32, and> %j, %n : (!ori.r, !ori.r) -> !ori.p\n\
         ori.cond_bra %c, ^loop(%j, {passed} : !ori.r, !ori.r, !ori.r64, !ori.r), ^exit : !ori.p\n\
         ^exit:\nori.ret\n}}"
    ));
    let flow = ControlFlowGraph::of(&context, region);
    let forest = LoopForest::of(&flow);
    let inductions = Inductions::of(&context, &flow, &forest);
    let around = Loop {
        context: &context,
        flow: &flow,
        natural: &forest.loops()[0],
    };
    let found = Dependences::of_loop(&around, inductions.at(0));
    let counter = found.operations.len() - 2;
    let own = listed(&found).into_iter();
    own.filter(|(from, to, ..)| *from < counter && *to < counter)
        .collect()
}

const LOAD: &str = "%v = ori.ldg <b32> [%q] : (!ori.r64) -> !ori.r";
const STORE: &str = "ori.stg <b32> [%r], %x : (!ori.r64, !ori.r) -> ()";

#[test]
fn a_result_comes_before_its_uses_and_a_read_before_what_overwrites_it() {
    let sum = "%w = ori.iadd3 %v, %x, %v : (!ori.r, !ori.r, !ori.r) -> !ori.r";
    let store = "ori.stg <b32> [%q], %w : (!ori.r64, !ori.r) -> ()";
    let found = in_block(&format!("{LOAD}\n{sum}\n{store}"));
    assert_eq!(
        found,
        [(0, 1, 0, Data), (0, 2, 0, Overwrite), (1, 2, 0, Data)]
    );
    let found = in_block(&format!("{STORE}\n{LOAD}\n{STORE}"));
    let stays = [
        (0, 1, 0, ReadAfterWrite),
        (0, 2, 0, Overwrite),
        (1, 2, 0, Overwrite),
    ];
    assert_eq!(found, stays);
    let other = "%u = ori.ldg <b32> [%r] : (!ori.r64) -> !ori.r";
    assert_eq!(in_block(&format!("{LOAD}\n{other}")), []);
}

#[test]
fn a_uniform_value_is_read_in_front_of_a_call() {
    // Other threads of the warp write the same uniform registers in the callee.
    let text = "%u = ori.redux <sum> %x : (!ori.r) -> !ori.ur\n\
                %m = ori.mov %u : (!ori.ur) -> !ori.r\n\
                ori.call @callee() : () -> ()\n\
                %n = ori.mov %u : (!ori.ur) -> !ori.r";
    let expected = [
        (0, 1, 0, Data),
        (0, 2, 0, Order),
        (0, 3, 0, Data),
        (1, 2, 0, Order),
    ];
    assert_eq!(in_block(text), expected);
}

#[test]
fn operations_on_other_threads_stay_in_order() {
    let vote = "%v = ori.vote <any> %p : (!ori.p) -> !ori.r";
    let other = "%w = ori.vote <any> not %p : (!ori.p) -> !ori.r";
    assert_eq!(in_block(&format!("{vote}\n{other}")), [(0, 1, 0, Order)]);
    let vote = "%e = ori.isetp <lt, s32, and> %i, %x : (!ori.r, !ori.r) -> !ori.p\n\
                %v = ori.vote <any> %e : (!ori.p) -> !ori.r\n\
                %w = ori.vote <any> not %e : (!ori.p) -> !ori.r";
    let order = [
        (0, 1, 0, Data),
        (0, 2, 0, Data),
        (1, 2, 0, Order),
        (2, 1, 1, Order),
    ];
    assert_eq!(in_loop(vote, "%s, %a, %t"), order);
}

#[test]
fn what_an_argument_carries_comes_from_iterations_before() {
    let sum = "%u = ori.iadd3 %s, %x, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r";
    assert_eq!(in_loop(sum, "%u, %a, %t"), [(0, 0, 1, Data)]);
    // %s is what %t was in the iteration before.
    assert_eq!(in_loop(sum, "%t, %a, %u"), [(0, 0, 2, Data)]);
    // Arguments that are passed to each other come from no operation.
    assert_eq!(in_loop(sum, "%t, %a, %s"), []);
}

#[test]
fn accesses_depend_on_the_iterations_in_which_they_overlap() {
    let body = |load: i32, store: i32| {
        format!(
            "%v = ori.ldg <b32> [%a + {load}] : (!ori.r64) -> !ori.r\n\
             ori.stg <b32> [%a + {store}], %v : (!ori.r64, !ori.r) -> ()\n\
             %b = ori.imad_wide <u32> %one, %four, %a : (!ori.r, !ori.r, !ori.r64) -> !ori.r64"
        )
    };
    let memory = |load, store| {
        let found = in_loop(&body(load, store), "%s, %b, %t");
        let found = found.into_iter().filter(|edge| edge.3 != Data);
        found.collect::<Found>()
    };
    // Three iterations later, the load reads what was stored.
    assert_eq!(memory(-12, 0), [(1, 0, 3, ReadAfterWrite)]);
    // Three iterations later, the store overwrites what was read.
    assert_eq!(memory(12, 0), [(0, 1, 3, Overwrite)]);
    assert_eq!(memory(0, 0), [(0, 1, 0, Overwrite)]);
    assert_eq!(memory(2, 0), [(0, 1, 0, Overwrite)], "bytes 2 and 3");
    let anywhere = "%v = ori.ldg <b32> [%q] : (!ori.r64) -> !ori.r\n\
                    ori.stg <b32> [%a], %v : (!ori.r64, !ori.r) -> ()\n\
                    %b = ori.imad_wide <u32> %one, %v, %a : (!ori.r, !ori.r, !ori.r64) -> !ori.r64";
    let found = in_loop(anywhere, "%s, %b, %t");
    for wanted in [
        (0, 1, 0, Overwrite),
        (1, 0, 1, ReadAfterWrite),
        (1, 1, 1, Overwrite),
    ] {
        assert!(found.contains(&wanted), "{wanted:?} in {found:?}");
    }
}

/// Of 2,000 stores to one address each comes behind all before, by few edges each.
#[test]
fn many_accesses_stay_in_order_with_edges_that_are_linear_in_their_number() {
    let count = 2000;
    let found = in_block(&vec![STORE; count].join("\n"));
    assert!(found.len() < count * 260, "{}", found.len());
    // The longest chain has all of them.
    let mut longest = vec![1; count];
    for (from, to, ..) in found {
        longest[to] = longest[to].max(longest[from] + 1);
    }
    assert_eq!(longest.iter().max(), Some(&count));
}
