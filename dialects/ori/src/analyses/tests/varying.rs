//! Which values vary between the threads of a warp, and where threads part.

use std::fmt::Write as _;

use orison_ir::Value;
use orison_ir::analyses::{DefUse, LoopForest, PostDominatorTree};

use super::{Program, function, parse};
use crate::analyses::divergence::FlowAnalyses;

/// A kernel: `%tid` and `%is` vary, `%n` and `%same` are uniform.
fn kernel(body: &str) -> Program {
    parse(&format!(
        "ori.func private @g(!ori.r) -> !ori.r target \"sm_90a\"\n\
         ori.func kernel @k() target \"sm_90a\" attributes {{frame = [\
         {{name = \"m\", offset = 0 : i32, size = 16 : i32, alignment = 4 : i32}}]}} {{\n\
         %tid = ori.s2r <register = \"SR_TID.X\"> : !ori.r\n\
         %n = ori.cbank[0, 528] : !ori.r\n%d = ori.cbank[0, 536] : !ori.r64\n\
         %zero = ori.imm 0 : !ori.r\n%one = ori.imm 1 : !ori.r\n\
         %is = ori.isetp <lt, s32, and> %tid, %n : (!ori.r, !ori.r) -> !ori.p\n\
         %same = ori.isetp <lt, s32, and> %zero, %n : (!ori.r, !ori.r) -> !ori.p\n\
         {body}\n}}"
    ))
}

/// Whether the value stored to shared memory at the given place among such stores varies there.
fn stored(program: &Program, number: usize) -> bool {
    let flow = program.flow();
    let analyses = FlowAnalyses {
        flow: &flow,
        post_dominators: &PostDominatorTree::of(&flow),
        loops: &LoopForest::of(&flow),
        chains: &DefUse::of(&program.context, &flow),
    };
    let store = program.named("ori.sts")[number];
    let value = store.operands_named(&program.context, "value")[0];
    let divergence = program.divergence();
    divergence.reads_varying(&program.context, &analyses, store, value)
}

const STORE: &str = "ori.sts <b32> [%zero], %v : (!ori.r, !ori.r) -> ()";

/// Whether the result `%v` of an operation in a kernel varies.
fn varies(operation: &str) -> bool {
    stored(&kernel(&format!("{operation}\n{STORE}\nori.exit")), 0)
}

#[test]
fn results_without_effects_vary_with_their_operands() {
    let types = "(!ori.r, !ori.r, !ori.r) -> !ori.r";
    assert!(!varies(&format!(
        "%v = ori.iadd3 %n, %one, %zero : {types}"
    )));
    for operands in ["%tid, %n, %n", "%n, %tid, %n", "%n, %n, %tid"] {
        assert!(varies(&format!("%v = ori.iadd3 {operands} : {types}")));
    }
    assert!(varies(
        "%v = ori.sel %n, %one, %is : (!ori.r, !ori.r, !ori.p) -> !ori.r"
    ));
    assert!(!varies(
        "%v = ori.sel %n, %one, %same : (!ori.r, !ori.r, !ori.p) -> !ori.r"
    ));
}

/// Where the guard does not hold, the result is another value.
#[test]
fn results_under_a_varying_guard_vary_if_they_are_defined_elsewhere() {
    let sum = |guard: &str, other: &str, ty: &str| {
        varies(&format!(
            "%v = ori.iadd3 %n, %one, %zero if {guard}{other} \
             : (!ori.r, !ori.r, !ori.r, !ori.p{ty}) -> !ori.r"
        ))
    };
    assert!(sum("%is", " else %one", ", !ori.r"));
    assert!(!sum("%same", " else %one", ", !ori.r"));
    assert!(sum("%same", " else %tid", ", !ori.r"));
}

#[test]
fn special_registers_vary_unless_the_warp_shares_them() {
    let read = |register: &str| {
        varies(&format!(
            "%v = ori.s2r <register = \"{register}\"> : !ori.r"
        ))
    };
    for register in [
        "SR_TID.X",
        "SR_TID.Y",
        "SR_TID.Z",
        "SR_LANEID",
        "SR_EQMASK",
        "SR_LTMASK",
        "SR_LEMASK",
        "SR_GTMASK",
        "SR_GEMASK",
        "SR_AFFINITY",
        "SR_NO_SUCH_REGISTER",
    ] {
        assert!(read(register), "{register}");
    }
    for register in [
        "SR_CTAID.X",
        "SR_NCTAID.Z",
        "SR_NTID.Y",
        "SR_WARPID",
        "SR_NWARPID",
        "SR_SMID",
        "SR_NSMID",
        "SR_GRIDID",
    ] {
        assert!(!read(register), "{register}");
    }
    let uniform = "%u = ori.s2ur <register = \"SR_CTAID.X\"> : !ori.ur\n\
                   %v = ori.mov %u : (!ori.ur) -> !ori.r";
    assert!(!varies(uniform));
    // A uniform register holds one value, whatever it comes from.
    let first = "%u = ori.r2ur %tid : (!ori.r) -> !ori.ur\n%v = ori.mov %u : (!ori.ur) -> !ori.r";
    assert!(!varies(first));
}

#[test]
fn loads_vary_unless_all_threads_read_the_same_memory() {
    for (load, expected) in [
        ("%v = ori.lds <b32> [%n] : (!ori.r) -> !ori.r", false),
        ("%v = ori.lds <b32> [%tid] : (!ori.r) -> !ori.r", true),
        ("%v = ori.ldg <b32> [%d] : (!ori.r64) -> !ori.r", false),
        ("%v = ori.ldc <b32> [%n] : (!ori.r) -> !ori.r", false),
        ("%v = ori.ldc <b32> [%tid] : (!ori.r) -> !ori.r", true),
        // Each thread has its own local memory, which a generic address may be one of.
        ("%v = ori.ldl <b32> [%n] : (!ori.r) -> !ori.r", true),
        ("%v = ori.ld <b32> [%d] : (!ori.r64) -> !ori.r", true),
        // Others may write between the reads of two threads.
        (
            "%v = ori.ldg <b32, strong, gpu> [%d] : (!ori.r64) -> !ori.r",
            true,
        ),
        (
            "%v = ori.atomg <add, u32> [%d], %n : (!ori.r64, !ori.r) -> !ori.r",
            true,
        ),
        (
            "%v = ori.atoms <or, b32> [%n], %n : (!ori.r, !ori.r) -> !ori.r",
            true,
        ),
        ("%v = ori.cs2r <register = \"SR_CLOCKLO\"> : !ori.r", true),
    ] {
        assert_eq!(varies(load), expected, "{load}");
    }
}

#[test]
fn results_of_calls_vary_unless_they_are_pure() {
    assert!(varies("%v = ori.call @g(%n) : (!ori.r) -> !ori.r"));
    assert!(varies(
        "%v = ori.call_indirect %d(%n) : (!ori.r64, !ori.r) -> !ori.r"
    ));
    assert!(!varies("%v = ori.call @g(%n) {pure} : (!ori.r) -> !ori.r"));
    assert!(varies("%v = ori.call @g(%tid) {pure} : (!ori.r) -> !ori.r"));
    assert!(varies(
        "%v = ori.inst <mnemonic = \"FOO\", reads = [], writes = []> inputs(%n) : (!ori.r) -> !ori.r"
    ));
}

/// The answer of a vote is the same for all, that of `match` is not.
#[test]
fn answers_of_the_warp_are_uniform_where_all_threads_get_the_same() {
    assert!(!varies("%v = ori.vote <any> %is : (!ori.p) -> !ori.r"));
    assert!(varies("%v = ori.match <any> %tid : (!ori.r) -> !ori.r"));
    assert!(varies(
        "%e = ori.elect : !ori.p\n%v = ori.sel %n, %one, %e : (!ori.r, !ori.r, !ori.p) -> !ori.r"
    ));
}

/// `shfl` with an index: one lane, the whole warp as one segment, and no lane out of bounds, where a
/// thread would keep its own value.
#[test]
fn shuffles_are_uniform_only_if_all_threads_read_one_lane_of_one_segment() {
    let shuffle = |value: &str, mode: &str, lane: &str, bounds: i32| {
        varies(&format!(
            "%b = ori.imm {bounds} : !ori.r\n\
             %v = ori.shfl <{mode}> {value}, {lane}, %b : (!ori.r, !ori.r, !ori.r) -> !ori.r"
        ))
    };
    assert!(!shuffle("%tid", "idx", "%one", 31));
    assert!(!shuffle("%tid", "idx", "%n", 31));
    assert!(
        shuffle("%tid", "idx", "%tid", 31),
        "each reads its own lane"
    );
    for mode in ["up", "down", "bfly"] {
        assert!(shuffle("%tid", mode, "%one", 31), "{mode} is relative");
        assert!(
            !shuffle("%n", mode, "%one", 31),
            "{mode} of a uniform value"
        );
    }
    // Segments of 16, 8, 4, 2 lanes and of 1.
    for segment in [0x10, 0x18, 0x1c, 0x1e, 0x1f] {
        assert!(
            shuffle("%tid", "idx", "%one", segment << 8 | 31),
            "{segment:#x}"
        );
    }
    for clamp in [0, 15, 30] {
        assert!(shuffle("%tid", "idx", "%n", clamp), "lanes up to {clamp}");
    }
    let unknown = "%v = ori.shfl <idx> %tid, %one, %n : (!ori.r, !ori.r, !ori.r) -> !ori.r";
    assert!(varies(unknown), "bounds that are not known");
}

/// Callers pass any values; a kernel is launched with the same for all threads.
#[test]
fn arguments_of_functions_that_are_not_kernels_vary() {
    let store = "ori.sts <b32> [%zero], %r : (!ori.r, !ori.r) -> ()\nori.ret";
    assert!(stored(&function(store), 0));
    let uniform = "%m = ori.mov %u : (!ori.ur) -> !ori.r\n\
                   ori.sts <b32> [%zero], %m : (!ori.r, !ori.r) -> ()\nori.ret";
    assert!(!stored(&function(uniform), 0), "a uniform register");
    let branch = "ori.cond_bra %p, ^a, ^b : !ori.p\n^a:\nori.ret\n^b:\nori.ret";
    let program = function(branch);
    let branch = program.named("ori.cond_bra")[0];
    assert!(program.divergence().parts_warp(branch));
}

/// Callers may have allocated different amounts of local memory.
#[test]
fn slots_of_functions_that_are_not_kernels_vary() {
    let slot = "%v = ori.slot_address \"m\" : !ori.r";
    assert!(!varies(slot));
    let other = format!("{slot}\n{STORE}\nori.ret").replace("%v", "%w");
    assert!(stored(&function(&other), 0));
}

/// A branch on a condition to a block with an argument.
fn join(condition: &str, then: &str, other: &str, word: &str) -> (bool, bool) {
    let program = kernel(&format!(
        "ori.cond_bra{word} {condition}, ^then, ^else : !ori.p\n\
         ^then:\nori.bra ^join({then} : !ori.r)\n^else:\nori.bra ^join({other} : !ori.r)\n\
         ^join(%v: !ori.r):\n{STORE}\nori.exit"
    ));
    let branch = program.named("ori.cond_bra")[0];
    (stored(&program, 0), program.divergence().parts_warp(branch))
}

#[test]
fn arguments_at_the_join_of_parted_threads_vary_unless_all_paths_pass_the_same() {
    assert_eq!(join("%is", "%zero", "%one", ""), (true, true));
    assert_eq!(join("%is", "%n", "%n", ""), (false, true));
    assert_eq!(join("%is", "%tid", "%tid", ""), (true, true));
    assert_eq!(join("%same", "%zero", "%one", ""), (false, false));
    assert_eq!(join("%same", "%tid", "%one", ""), (true, false));
    assert_eq!(join("%same", "%zero", "%tid", ""), (true, false));
    // The branch is declared to take all threads the same way.
    assert_eq!(join("%is", "%zero", "%one", " <uniform>"), (false, false));
    // Both edges of the branch lead to the join.
    let direct = kernel(&format!(
        "ori.cond_bra %is, ^join(%zero : !ori.r), ^join(%one : !ori.r) : !ori.p\n\
         ^join(%v: !ori.r):\n{STORE}\nori.exit"
    ));
    assert!(stored(&direct, 0));
    let indexed = kernel(&format!(
        "ori.brx %tid, [^join(%zero : !ori.r), ^join(%one : !ori.r)] : !ori.r\n\
         ^join(%v: !ori.r):\n{STORE}\nori.exit"
    ));
    assert!(stored(&indexed, 0));
}

/// Threads that parted at the outer branch meet those that parted at the inner one.
#[test]
fn arguments_at_joins_of_nested_branches_vary() {
    let program = |outer: &str, inner: &str| {
        kernel(&format!(
            "ori.cond_bra {outer}, ^a, ^c(%zero : !ori.r) : !ori.p\n\
             ^a:\nori.cond_bra {inner}, ^b, ^c(%one : !ori.r) : !ori.p\n\
             ^b:\nori.bra ^c(%n : !ori.r)\n^c(%v: !ori.r):\n{STORE}\nori.exit"
        ))
    };
    assert!(stored(&program("%is", "%same"), 0));
    assert!(stored(&program("%same", "%is"), 0));
    assert!(!stored(&program("%same", "%same"), 0));
}

/// A loop that counts the same number in all threads and ends by a condition; the count is stored in
/// the loop and after it.
fn counting(condition: &str, exit: &str) -> Program {
    kernel(&format!(
        "ori.bra ^head(%zero : !ori.r)\n\
         ^head(%i: !ori.r):\n\
         %next = ori.iadd3 %i, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r\n\
         ori.sts <b32> [%zero], %next : (!ori.r, !ori.r) -> ()\n\
         %more = ori.isetp <lt, s32, and> %next, {condition} : (!ori.r, !ori.r) -> !ori.p\n\
         {exit}\nori.exit"
    ))
}

/// Threads leave with the counts of different iterations: in the loop the count is uniform, behind
/// it is not.
#[test]
fn values_that_leave_a_divergent_loop_vary_after_it() {
    let plain = "ori.cond_bra %more, ^head(%next : !ori.r), ^out : !ori.p\n\
                 ^out:\nori.sts <b32> [%zero], %next : (!ori.r, !ori.r) -> ()";
    let program = counting("%tid", plain);
    assert!(!stored(&program, 0), "in the loop");
    assert!(stored(&program, 1), "after it");
    let uniform = counting("%n", plain);
    assert!(!stored(&uniform, 0) && !stored(&uniform, 1));
    // Computed from it after the loop.
    let computed = plain.replace(
        "^out:\n",
        "^out:\n%w = ori.iadd3 %next, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r\n",
    );
    let computed = computed.replace("%zero], %next", "%zero], %w");
    assert!(stored(&counting("%tid", &computed), 1));
    assert!(!stored(&counting("%n", &computed), 1));
    // Passed to the block after the loop.
    let passed = "ori.cond_bra %more, ^head(%next : !ori.r), ^out(%next : !ori.r) : !ori.p\n\
                  ^out(%o: !ori.r):\nori.sts <b32> [%zero], %o : (!ori.r, !ori.r) -> ()";
    assert!(stored(&counting("%tid", passed), 1));
    assert!(!stored(&counting("%n", passed), 1));
    // A branch after the loop on a condition computed in it.
    let branch = "ori.cond_bra %more, ^head(%next : !ori.r), ^out : !ori.p\n\
                  ^out:\nori.cond_bra %even, ^a, ^b : !ori.p\n^a:\nori.exit\n^b:";
    let even = "%even = ori.isetp <eq, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p\n";
    for (condition, parts) in [("%tid", true), ("%n", false)] {
        let program = counting(condition, &(even.to_owned() + branch));
        let last = program.named("ori.cond_bra")[1];
        assert_eq!(program.divergence().parts_warp(last), parts, "{condition}");
    }
}

/// The bound is uniform on entry and varies from the second iteration on, which is known only after
/// the operations behind the loop were visited.
#[test]
fn a_loop_that_becomes_divergent_later_is_left_unevenly() {
    let program = |bound: &str| {
        kernel(&format!(
            "ori.bra ^head(%zero, %n : !ori.r, !ori.r)\n\
             ^head(%i: !ori.r, %b: !ori.r):\n\
             %next = ori.iadd3 %i, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r\n\
             %more = ori.isetp <lt, s32, and> %next, %b : (!ori.r, !ori.r) -> !ori.p\n\
             ori.cond_bra %more, ^head(%next, {bound} : !ori.r, !ori.r), ^out : !ori.p\n\
             ^out:\n\
             %w = ori.iadd3 %next, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r\n\
             ori.sts <b32> [%zero], %w : (!ori.r, !ori.r) -> ()\nori.exit"
        ))
    };
    assert!(stored(&program("%tid"), 0));
    assert!(!stored(&program("%n"), 0));
}

/// The inner loop ends in different iterations; the outer one goes on with all threads together.
#[test]
fn values_of_a_divergent_inner_loop_vary_in_the_outer_one() {
    let nest = |bound: &str| {
        kernel(&format!(
            "ori.bra ^outer(%zero : !ori.r)\n\
             ^outer(%k: !ori.r):\nori.bra ^inner(%zero : !ori.r)\n\
             ^inner(%i: !ori.r):\n\
             %next = ori.iadd3 %i, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r\n\
             %more = ori.isetp <lt, s32, and> %next, {bound} : (!ori.r, !ori.r) -> !ori.p\n\
             ori.cond_bra %more, ^inner(%next : !ori.r), ^latch : !ori.p\n\
             ^latch:\nori.sts <b32> [%zero], %next : (!ori.r, !ori.r) -> ()\n\
             ori.sts <b32> [%zero], %k : (!ori.r, !ori.r) -> ()\n\
             %l = ori.iadd3 %k, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r\n\
             %again = ori.isetp <lt, s32, and> %l, %n : (!ori.r, !ori.r) -> !ori.p\n\
             ori.cond_bra %again, ^outer(%l : !ori.r), ^out : !ori.p\n\
             ^out:\nori.sts <b32> [%zero], %l : (!ori.r, !ori.r) -> ()\nori.exit"
        ))
    };
    let divergent = nest("%tid");
    assert!(stored(&divergent, 0), "the inner count in the outer loop");
    assert!(!stored(&divergent, 1), "the outer count in the outer loop");
    // Nothing makes the threads that have left the inner loop wait for the others, so that some may
    // be an iteration ahead.
    assert!(stored(&divergent, 2), "the outer count after the loop");
    let uniform = nest("%n");
    assert!(!stored(&uniform, 0));
}

/// A divergent branch in the middle of a loop: some threads leave, others go on.
#[test]
fn a_loop_left_in_the_middle_by_some_threads_is_left_unevenly() {
    let middle = |condition: &str| {
        kernel(&format!(
            "ori.bra ^head(%zero : !ori.r)\n\
             ^head(%i: !ori.r):\n\
             %next = ori.iadd3 %i, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r\n\
             ori.cond_bra {condition}, ^out, ^latch : !ori.p\n\
             ^latch:\n\
             %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p\n\
             ori.cond_bra %more, ^head(%next : !ori.r), ^out : !ori.p\n\
             ^out:\nori.sts <b32> [%zero], %i : (!ori.r, !ori.r) -> ()\nori.exit"
        ))
    };
    assert!(stored(&middle("%is"), 0));
    assert!(!stored(&middle("%same"), 0));
}

/// Threads that part and meet again in one iteration leave together.
#[test]
fn a_branch_that_joins_in_the_loop_does_not_make_it_uneven() {
    let program = kernel(&format!(
        "ori.bra ^head(%zero : !ori.r)\n\
         ^head(%i: !ori.r):\n\
         %next = ori.iadd3 %i, %one, %zero : (!ori.r, !ori.r, !ori.r) -> !ori.r\n\
         ori.cond_bra %is, ^a, ^latch(%zero : !ori.r) : !ori.p\n\
         ^a:\nori.bra ^latch(%one : !ori.r)\n\
         ^latch(%v: !ori.r):\n{STORE}\n\
         %more = ori.isetp <lt, s32, and> %next, %n : (!ori.r, !ori.r) -> !ori.p\n\
         ori.cond_bra %more, ^head(%next : !ori.r), ^out : !ori.p\n\
         ^out:\nori.sts <b32> [%zero], %next : (!ori.r, !ori.r) -> ()\nori.exit"
    ));
    assert!(stored(&program, 0), "at the join in the loop");
    assert!(!stored(&program, 1), "after the loop");
    let flow = program.flow();
    assert!(!program.divergence().is_left_unevenly(0));
    assert_eq!(LoopForest::of(&flow).loops().len(), 1);
}

/// A value that enters a loop varies in it, and through its phi in later iterations.
#[test]
fn varying_values_vary_through_loops() {
    let program = counting(
        "%n",
        "ori.cond_bra %more, ^head(%tid : !ori.r), ^out : !ori.p\n\
         ^out:\nori.sts <b32> [%zero], %i : (!ori.r, !ori.r) -> ()",
    );
    assert!(stored(&program, 0) && stored(&program, 1));
}

/// Some threads may exit; those that remain see one value.
#[test]
fn threads_that_exit_do_not_part() {
    let program = kernel(&format!(
        "ori.exit_if %is : !ori.p\nori.bra ^next(%n : !ori.r)\n^next(%v: !ori.r):\n{STORE}\nori.exit"
    ));
    assert!(!stored(&program, 0));
    let value: Value = program.named("ori.isetp")[0].result(&program.context, 0);
    assert!(program.divergence().is_varying(value));
    assert!(!program.divergence().is_uniform(value));
}

/// A switch in a loop whose cases are the ways back: each of them is divergent, and leads to all of
/// them. With too many, every block with several predecessors counts as a join, also the first one,
/// to which a uniform branch leads twice.
#[test]
fn joins_of_too_many_branches_are_not_followed() {
    let joins = |ways: usize| {
        let mut graph = vec![vec![1, 3 + ways], vec![2]];
        graph.push((3..3 + ways).collect());
        graph.extend((0..ways).map(|_| vec![1, 3 + ways]));
        graph.push(Vec::new());
        let mut text = String::from(
            "ori.func kernel @k() target \"sm_80\" {\n\
             %tid = ori.s2r <register = \"SR_TID.X\"> : !ori.r\n\
             %p = ori.isetp <ne, s32, and> %tid, %tid : (!ori.r, !ori.r) -> !ori.p\n\
             %u = ori.imm 1 : !ori.p\n\
             ori.cond_bra %u, ^b0, ^b0 : !ori.p\n",
        );
        for (number, targets) in graph.iter().enumerate() {
            let names: Vec<String> = targets.iter().map(|to| format!("^b{to}")).collect();
            let names = names.join(", ");
            let branch = match targets.len() {
                0 => "ori.exit".to_owned(),
                1 => format!("ori.bra {names}"),
                2 => format!("ori.cond_bra %p, {names} : !ori.p"),
                _ => format!("ori.brx %tid, [{names}] : !ori.r"),
            };
            let _ = write!(text, "^b{number}:\n{branch}\n");
        }
        text.push('}');
        let program = parse(&text);
        let divergence = program.divergence();
        let last = u32::try_from(4 + ways).expect("few");
        (1..=last)
            .filter(|block| divergence.is_join(*block))
            .collect::<Vec<_>>()
    };
    // The header, whose number is one behind that of the first block, and the block behind the loop.
    // Those that are followed come to the switch with two names.
    assert_eq!(joins(40), [2, 3, 44]);
    assert_eq!(joins(3000), [1, 2, 3, 3004]);
}
