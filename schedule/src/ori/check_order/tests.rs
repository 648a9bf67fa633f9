//! The rules one by one, and all adjacent pairs of the functions in tests of passes.

use orison_ir::{Block, Context, Operation, Region, Source, parse_source};
use orison_ori::analyses::properties;
use rustc_hash::FxHashSet;

use super::{OrderFinding, Reason, RecordedOrder, Window};
use crate::ori::Dependences;

fn parse(text: &str) -> Option<(Context, Operation)> {
    let mut context = Context::new();
    orison_host::register(&mut context);
    orison_ori::register(&mut context);
    let source = Source {
        name: "test.mlir",
        text,
        first_line: 1,
    };
    let module = parse_source(&mut context, source).ok()?;
    Some((context, module))
}

/// A function with these operations in its first block.
fn function(body: &str) -> (Context, Region) {
    let text = format!(
        "ori.func @f(%q: !ori.r64, %r: !ori.r64, %s: !ori.r, %x: !ori.r, %y: !ori.r, %p: !ori.p, \
         %d: !ori.ur64, %a: !ori.acc<4>) target \"sm_90a\" {{\n{body}\nori.ret\n}}\n\
         ori.memory shared @one, size 64, align 4\nori.memory shared @two, size 64, align 4"
    );
    let (mut context, module) = parse(&text).unwrap_or_else(|| panic!("{text}"));
    if context.verify(module).is_err() {
        let errors = context.diagnostics.take();
        let errors: Vec<_> = errors.iter().map(|one| one.render(&context)).collect();
        panic!("{}", errors.concat());
    }
    let function = module
        .body_block(&context, 0)
        .and_then(|block| block.first_op(&context));
    let region = function.and_then(|function| function.regions(&context).next());
    (context, region.expect("a body"))
}

fn first_block(context: &Context, region: Region) -> Block {
    region.first_block(context).expect("a block")
}

/// The findings if the two operations in front of the terminator change places.
fn swapped(body: &str) -> Vec<OrderFinding> {
    let (mut context, region) = function(body);
    let order = RecordedOrder::of(&context, region);
    assert_eq!(order.check(&context, region), [], "{body}");
    let last = first_block(&context, region)
        .terminator(&context)
        .expect("a terminator");
    let second = last.previous(&context).expect("an operation");
    let first = second.previous(&context).expect("an operation");
    first.move_after(&mut context, second);
    order.check(&context, region)
}

#[track_caller]
fn refuse(lines: &[&str], reason: Reason) {
    let findings = swapped(&lines.join("\n"));
    let reasons: Vec<Reason> = findings.iter().map(|found| found.reason).collect();
    assert_eq!(reasons, [reason], "{lines:?}");
}

#[track_caller]
fn accept(lines: &[&str]) {
    assert_eq!(swapped(&lines.join("\n")), [], "{lines:?}");
}

const LOAD: &str = "%v = ori.ldg <b32> [%q] : (!ori.r64) -> !ori.r";
const STORE: &str = "ori.stg <b32> [%r], %x : (!ori.r64, !ori.r) -> ()";
const STRONG: &str = "%w = ori.ldg <b32, strong, gpu> [%q] : (!ori.r64) -> !ori.r";

#[test]
fn a_definition_stays_in_front_of_its_uses() {
    let sum = "%w = ori.iadd3 %v, %x, %v : (!ori.r, !ori.r, !ori.r) -> !ori.r";
    refuse(&[LOAD, sum], Reason::Definition);
    accept(&[
        LOAD,
        "%w = ori.iadd3 %s, %x, %s : (!ori.r, !ori.r, !ori.r) -> !ori.r",
    ]);
}

#[test]
fn accesses_to_the_same_memory_keep_their_order_if_one_writes() {
    let global = Reason::Memory(Window::Global);
    refuse(&[LOAD, STORE], global);
    refuse(&[STORE, LOAD], global);
    refuse(
        &[STORE, "ori.stg <b32> [%q], %y : (!ori.r64, !ori.r) -> ()"],
        global,
    );
    accept(&[LOAD, "%w = ori.ldg <b32> [%r] : (!ori.r64) -> !ori.r"]);
    accept(&[STORE, "%w = ori.lds <b32> [%s] : (!ori.r) -> !ori.r"]);
    accept(&[
        STORE,
        "%w = ori.ldg <b32, constant> [%q] : (!ori.r64) -> !ori.r",
    ]);
    accept(&[STORE, "%w = ori.ldc <b32> [%s] : (!ori.r) -> !ori.r"]);
    let generic = "ori.st <b32> [%q], %y : (!ori.r64, !ori.r) -> ()";
    refuse(
        &["%w = ori.lds <b32> [%s] : (!ori.r) -> !ori.r", generic],
        Reason::Memory(Window::Shared),
    );
    refuse(
        &["%w = ori.ldl <b32> [%s] : (!ori.r) -> !ori.r", generic],
        Reason::Memory(Window::Local),
    );
    refuse(
        &[
            STORE,
            "ori.inst <mnemonic = \"FOO\", reads = [\"global\"], writes = []>",
        ],
        Reason::Memory(Window::Global),
    );
    accept(&[
        STORE,
        "ori.inst <mnemonic = \"FOO\", reads = [], writes = []>",
    ]);
}

#[test]
fn other_bytes_at_the_same_base_need_no_order() {
    let shared = Reason::Memory(Window::Shared);
    let store = "ori.sts <b64> [%s + 8], %q : (!ori.r, !ori.r64) -> ()";
    let load = |offset: &str| format!("%w = ori.lds <b32> [%s + {offset}] : (!ori.r) -> !ori.r");
    accept(&[store, &load("4")]);
    accept(&[store, &load("16")]);
    refuse(&[store, &load("12")], shared);
    refuse(
        &[store, "%w = ori.lds <b32> [%x] : (!ori.r) -> !ori.r"],
        shared,
    );
    let copy = |offset: u32| {
        format!("ori.ldgsts <b128> [%s + {offset}], [%q + {offset}] : (!ori.r, !ori.r64) -> ()")
    };
    accept(&[&copy(0), &copy(16)]);
    refuse(&[&copy(0), &copy(8)], shared);
}

/// Sums, products by constants and pairs of words are followed.
#[test]
fn addresses_are_compared_by_what_they_are_sums_of() {
    let sums = "%four = ori.imm 4 : !ori.r\n%zero = ori.imm 0 : !ori.r\n\
                %a0 = ori.iadd3 %s, %four, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r\n\
                %i = ori.imad_wide <u32> %x, %four, %q : (!ori.r, !ori.r, !ori.r64) -> !ori.r64\n\
                %j = ori.imad_wide <u32> %y, %four, %q : (!ori.r, !ori.r, !ori.r64) -> !ori.r64\n\
                %l = ori.extract %q [0] : (!ori.r64) -> !ori.r\n%h = ori.extract %q [1] : (!ori.r64) -> !ori.r\n\
                %m, %c = ori.iadd3 %l, %four, %zero : (!ori.r, !ori.r, !ori.r) -> (!ori.r, !ori.p)\n\
                %n = ori.iadd3 <extended> %h, %zero, %zero carry(%c) : (!ori.r, !ori.r, !ori.r, !ori.p) -> !ori.r\n\
                %b = ori.concat %m, %n : (!ori.r, !ori.r) -> !ori.r64";
    let global = Reason::Memory(Window::Global);
    let at = |place: &str| format!("%w = ori.ldg <b32> [{place}] : (!ori.r64) -> !ori.r");
    let store = |place: &str| format!("ori.stg <b32> [{place}], %x : (!ori.r64, !ori.r) -> ()");
    accept(&[
        sums,
        "ori.sts <b32> [%a0], %x : (!ori.r, !ori.r) -> ()",
        "%w = ori.lds <b32> [%s] : (!ori.r) -> !ori.r",
    ]);
    accept(&[sums, &store("%b"), &at("%q")]);
    refuse(&[sums, &store("%b"), &at("%q + 4")], global);
    accept(&[sums, &store("%i"), &at("%i + 4")]);
    refuse(&[sums, &store("%i"), &at("%j + 4")], global);
    refuse(&[sums, &store("%i"), &at("%q + 4")], global);
    // A right shift is no sum: a quarter of all words has another quotient after one is added.
    let halves = "%one = ori.imm 1 : !ori.r\n%two = ori.imm 2 : !ori.r\n%zero = ori.imm 0 : !ori.r\n\
                  %next = ori.iadd3 %x, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r\n\
                  %e = ori.shf <right, u32> %x, %two, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r\n\
                  %g = ori.shf <right, u32> %next, %two, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r";
    refuse(
        &[
            halves,
            "ori.sts <b32> [%e], %x : (!ori.r, !ori.r) -> ()",
            "%w = ori.lds <b32> [%g + 4] : (!ori.r) -> !ori.r",
        ],
        Reason::Memory(Window::Shared),
    );
}

#[test]
fn different_symbols_share_no_memory() {
    let symbols = "%one = ori.address_of @one : !ori.r\n%two = ori.address_of @two : !ori.r\n\
                   %again = ori.address_of @one : !ori.r\n\
                   %i = ori.iadd3 %one, %x, %x : (!ori.r, !ori.r, !ori.r) -> !ori.r";
    let store = "ori.sts <b32> [%one], %x : (!ori.r, !ori.r) -> ()";
    let load = |place: &str| format!("%w = ori.lds <b32> [{place}] : (!ori.r) -> !ori.r");
    let shared = Reason::Memory(Window::Shared);
    accept(&[symbols, store, &load("%two")]);
    accept(&[symbols, store, &load("%again + 4")]);
    refuse(&[symbols, store, &load("%again")], shared);
    refuse(&[symbols, store, &load("%i")], shared);
    refuse(&[symbols, store, &load("%s")], shared);
}

#[test]
fn other_threads_observe_strong_accesses_and_atomic_operations() {
    let strong = "%u = ori.ldg <b32, strong, sys> [%r] : (!ori.r64) -> !ori.r";
    refuse(&[STRONG, strong], Reason::Observed);
    accept(&[LOAD, strong]);
    let atomic = "%u = ori.atoms <add, u32> [%s], %x : (!ori.r, !ori.r) -> !ori.r";
    refuse(&[STRONG, atomic], Reason::Observed);
}

#[test]
fn synchronisation_keeps_its_order_with_memory_and_with_itself() {
    for barrier in [
        "ori.bar <sync, index = 0>",
        "ori.membar <all, gpu>",
        "ori.ldgdepbar",
        "ori.depbar <count = 2>",
        "ori.utmacmdflush",
        "ori.exit_if %p : !ori.p",
    ] {
        refuse(&[LOAD, barrier], Reason::Synchronisation);
        refuse(&[barrier, STORE], Reason::Synchronisation);
        refuse(&["ori.errbar", barrier], Reason::Synchronisation);
        accept(&[
            barrier,
            "%w = ori.iadd3 %s, %x, %s : (!ori.r, !ori.r, !ori.r) -> !ori.r",
        ]);
    }
}

#[test]
fn products_of_a_warp_group_keep_their_order_with_their_groups() {
    let product = |name: &str, input: &str| {
        format!(
            "{name} = ori.wgmma.mma <columns = 8, depth = 16, half, left_format = f16, right_format = f16, \
             accumulator = f32> %d, %d {input} -> !ori.acc<4>"
        )
    };
    let first = product(
        "%m",
        "accumulator(%a) : (!ori.ur64, !ori.ur64, !ori.acc<4>)",
    );
    let second = product("%n", ": (!ori.ur64, !ori.ur64)");
    refuse(&[&first, &second], Reason::Products);
    let word = |of: &str| format!("%w = ori.extract {of} [0] : (!ori.acc<4>) -> !ori.r");
    let wait = "ori.wgmma.wait <count = 0> : () -> ()";
    refuse(&[&first, wait, &word("%m")], Reason::ProductValues);
    refuse(
        &[&first, "ori.wgmma.fence", &word("%a")],
        Reason::ProductValues,
    );
    accept(&[
        &first,
        "%z = ori.iadd3 %s, %x, %s : (!ori.r, !ori.r, !ori.r) -> !ori.r",
        wait,
    ]);
}

#[test]
fn clocks_keep_their_order_with_memory_synchronisation_and_each_other() {
    let clock = "%t = ori.cs2r <register = \"SR_CLOCKLO\"> : !ori.r";
    refuse(&[LOAD, clock], Reason::Changing);
    refuse(&["ori.errbar", clock], Reason::Changing);
    refuse(
        &[
            clock,
            "%u = ori.cs2r <register = \"SR_GLOBALTIMERLO\"> : !ori.r",
        ],
        Reason::Changing,
    );
    accept(&[LOAD, "%t = ori.cs2r <register = \"SRZ\"> : !ori.r"]);
    accept(&[LOAD, "%t = ori.s2r <register = \"SR_TID.X\"> : !ori.r"]);
}

#[test]
fn threads_are_together_for_what_they_exchange() {
    let vote = "%v:2 = ori.vote <any> not %p : (!ori.p) -> (!ori.r, !ori.p)";
    refuse(&[vote, "ori.warpsync"], Reason::Together);
    refuse(&["ori.exit_if %p : !ori.p", vote], Reason::Together);
    accept(&["ori.bar <sync, index = 0>", vote]);
}

#[test]
fn operations_stay_there_unchanged_and_in_their_block() {
    let (mut context, region) = function(&format!("{LOAD}\n{STORE}\nori.bra ^next\n^next:"));
    let order = RecordedOrder::of(&context, region);
    let block = first_block(&context, region);
    let load = block.first_op(&context).expect("a load");
    let message = |context: &Context| {
        let findings = order.check(context, region);
        findings.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    let other = block
        .next(&context)
        .and_then(|next| next.terminator(&context))
        .expect("a return");
    load.move_before(&mut context, other);
    assert_eq!(
        message(&context),
        ["'ori.ldg' (block 0, operation 0) moved to block 1"]
    );
    let store = block.first_op(&context).expect("a store");
    load.move_before(&mut context, store);
    let number = orison_ir::Attribute::i32(&mut context, 4);
    load.set_attribute(&mut context, "offset", number);
    assert_eq!(
        message(&context),
        ["'ori.ldg' (block 0, operation 0) has other operands, properties or successors"]
    );
    load.erase(&mut context);
    assert_eq!(
        message(&context),
        ["'ori.ldg' (block 0, operation 0) is missing in the new order"]
    );
    let last = block.terminator(&context).expect("a branch");
    store.move_after(&mut context, last);
    let terminator = "'ori.bra' (block 0, operation 2) must stay after 'ori.stg' (block 0, operation 1): \
                      it ends the block";
    assert_eq!(message(&context)[1..], [terminator]);
}

/// Swaps neighbours in all blocks, from the first or the second operation of each on, but for terminators; twice
/// restores the order.
fn swap_pairs(context: &mut Context, region: Region, from: usize) {
    let blocks: Vec<Block> = region.blocks(context).collect();
    for block in blocks {
        let body = block.body(context);
        let end = body.len().saturating_sub(1);
        for pair in body.get(from..end).unwrap_or_default().chunks_exact(2) {
            pair[0].move_after(context, pair[1]);
        }
    }
}

/// All adjacent pairs in functions of the FileCheck tests that depend on each other in the graph of the schedulers,
/// which has no code in common with the judge.
#[test]
fn all_swaps_of_adjacent_dependent_operations_are_found() {
    let (mut dependent, mut free) = (0, 0);
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/ori-passes");
    let files = std::fs::read_dir(folder).expect("the tests").flatten();
    let mut files: Vec<_> = files.map(|file| file.path()).collect();
    files.sort();
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap_or_default();
        for part in text.split("// -----") {
            let Some((mut context, module)) = parse(part) else {
                continue;
            };
            let body = module.body_block(&context, 0);
            let functions = body.map(|body| body.body(&context)).unwrap_or_default();
            for function in functions {
                let Some(region) = function.regions(&context).next() else {
                    continue;
                };
                let (more, others) = check_swaps(&mut context, region, &file.to_string_lossy());
                dependent += more;
                free += others;
            }
        }
    }
    assert!(dependent > 500 && free > 500, "{dependent} {free}");
}

/// What the graph orders with all other accesses, and the judge only with some: strong accesses, atomic operations, and
/// products, which read shared memory; and textures, which it orders with global memory.
fn is_ordered_with_all(context: &Context, op: Operation) -> bool {
    let names = [
        "ori.atomg",
        "ori.atom",
        "ori.atoms",
        "ori.tex",
        "ori.wgmma.mma",
    ];
    properties::is_ordered(context, op) || names.iter().any(|name| op.is(context, name))
}

/// Checks the pairs of a function, and counts those that depend on each other and those that were not found.
fn check_swaps(context: &mut Context, region: Region, name: &str) -> (u32, u32) {
    let order = RecordedOrder::of(context, region);
    assert_eq!(order.check(context, region), [], "{name}");
    let mut found = FxHashSet::default();
    for from in [0, 1] {
        swap_pairs(context, region, from);
        let findings = order.check(context, region);
        found.extend(findings.iter().map(|found| found.second.operation));
        swap_pairs(context, region, from);
    }
    let (mut dependent, mut free) = (0, 0);
    let blocks: Vec<Block> = region.blocks(context).collect();
    for block in blocks {
        let graph = Dependences::of_block(context, block);
        let edges = graph.edges.iter().map(|edge| (edge.from, edge.to));
        let edges: FxHashSet<(usize, usize)> = edges.collect();
        let operations = &graph.operations;
        for number in 1..operations.len().saturating_sub(1) {
            let (first, second) = (operations[number - 1], operations[number]);
            let depends = edges.contains(&(number - 1, number));
            let is_found = found.contains(&second);
            let wider = [first, second]
                .iter()
                .any(|op| is_ordered_with_all(context, *op))
                || [first, second]
                    .iter()
                    .all(|op| properties::is_convergent(context, *op));
            let names = [first, second].map(|op| op.name_text(context).to_owned());
            assert!(is_found || !depends || wider, "{name}: {names:?}");
            dependent += u32::from(depends);
            free += u32::from(!is_found);
        }
    }
    (dependent, free)
}
