//! Errors of barriers, branches, mbarriers, tensor memory and launches, next to what is allowed.

use orison_interpret::warp::{GlobalMemory, Kernel, Launch};

use crate::harness::parse;
use crate::operations::run;

const SHARED: &str = "ori.memory shared @s, size 64, align 16";

/// Runs a body in 64 threads; the error, or nothing.
fn error_of(body: &str) -> String {
    let body = format!("{body}\nori.exit");
    run(64, SHARED, &body).err().unwrap_or_default()
}

#[test]
fn barriers_count_the_threads_that_they_are_told() {
    let counts = |first: u32, second: u32| {
        error_of(&format!(
            "%a = ori.imm {first} : !ori.r\n%b = ori.imm {second} : !ori.r\n\
             %half = ori.imm 32 : !ori.r\n\
             %p = ori.isetp <lt, u32> %tid, %half : (!ori.r, !ori.r) -> !ori.p\n\
             ori.bar <sync, index = 3> threads(%a) if %p : (!ori.r, !ori.p) -> ()\n\
             ori.bar <sync, index = 3> threads(%b) if not %p : (!ori.r, !ori.p) -> ()"
        ))
    };
    assert_eq!(counts(64, 64), "");
    assert_eq!(counts(32, 32), "");
    let error = counts(64, 96);
    assert!(
        error.contains("barrier 3 is used with different thread counts"),
        "{error}"
    );
    let arrivals = |threads: u32| {
        error_of(&format!(
            "%n = ori.imm {threads} : !ori.r\nori.bar <arrive, index = 1> threads(%n) : (!ori.r) -> ()"
        ))
    };
    assert_eq!(arrivals(64), "");
    assert_eq!(arrivals(32), "");
    let error = arrivals(48);
    assert!(
        error.contains("barrier 1 expects 48 threads, but 64 have arrived"),
        "{error}"
    );
    let index = |index: u32| {
        error_of(&format!(
            "%n = ori.imm {index} : !ori.r\n%t = ori.imm 64 : !ori.r\n\
             ori.bar <sync> barrier(%n) threads(%t) : (!ori.r, !ori.r) -> ()"
        ))
    };
    assert_eq!(index(15), "");
    let error = index(16);
    assert!(error.contains("barrier 16 does not exist"), "{error}");
}

#[test]
fn a_warp_waits_for_lanes_of_its_own_mask() {
    let mask = |mask: i32| {
        error_of(&format!(
            "%m = ori.imm {mask} : !ori.r\nori.warpsync mask(%m) : (!ori.r) -> ()"
        ))
    };
    assert_eq!(mask(-1), "");
    let error = mask(-2);
    assert!(
        error.contains("the mask 0xfffffffe does not include all active lanes 0xffffffff"),
        "{error}"
    );
}

#[test]
fn an_index_selects_a_target_that_exists() {
    let index = |bound: u32| {
        error_of(&format!(
            "%m = ori.imm {bound} : !ori.r\n\
             %yes = ori.imm 1 : !ori.p\n\
             %i = ori.imnmx <u32> %lane, %m, %yes : (!ori.r, !ori.r, !ori.p) -> !ori.r\n\
             ori.brx %i, [^a, ^b, ^a] : !ori.r\n^a:\nori.bra ^b\n^b:"
        ))
    };
    assert_eq!(index(2), "");
    let error = index(3);
    assert!(
        error.contains("has no target 3, which lane 3 selects"),
        "{error}"
    );
}

#[test]
fn mbarriers_have_limits() {
    let barrier = |count: u64, rest: &str| {
        error_of(&format!(
            "%s = ori.address_of @s : !ori.r\n%n = ori.imm {count} : !ori.r\n\
             %p = ori.isetp <eq, u32> %tid, %zero : (!ori.r, !ori.r) -> !ori.p\n\
             ori.syncs <init> [%s] count(%n) if %p : (!ori.r, !ori.r, !ori.p) -> ()\n\
             ori.bar <sync, index = 0>\n{rest}"
        ))
    };
    let arrive = "ori.syncs_arrive [%s] : (!ori.r) -> ()";
    assert_eq!(barrier(1, ""), "");
    assert_eq!(barrier((1 << 20) - 1, arrive), "");
    // Every phase takes 64 arrivals, or is over 64 times.
    assert_eq!(barrier(64, arrive), "");
    assert_eq!(barrier(1, arrive), "");
    for count in [0, 1 << 20] {
        let error = barrier(count, "");
        let expected = format!("from 1 to 1048575, found {count}");
        assert!(error.contains(&expected), "{error}");
    }
    // Two arrivals at once where one is missing.
    let twice = |count: u64| {
        barrier(
            count,
            "%two = ori.imm 2 : !ori.r\n\
             ori.syncs_arrive [%s] count(%two) if %p : (!ori.r, !ori.r, !ori.p) -> ()",
        )
    };
    assert_eq!(twice(2), "");
    let error = twice(1);
    assert!(
        error.contains("too many arrivals at the mbarrier at 0x0"),
        "{error}"
    );
    // An mbarrier that is invalidated is none.
    let gone = "ori.syncs <inval> [%s] if %p : (!ori.r, !ori.p) -> ()\n\
                ori.bar <sync, index = 0>\n";
    assert_eq!(barrier(1, gone), "");
    assert_ne!(barrier(64, &format!("{gone}{arrive}")), "");
}

/// Of two threads one arrives for the last time: the next phase waits for the other only.
#[test]
fn arrivals_that_drop_are_not_expected_again() {
    let run = |drops: &str| {
        error_of(&format!(
            "%s = ori.address_of @s : !ori.r\n%one = ori.imm 1 : !ori.r\n%two = ori.imm 2 : !ori.r\n\
             %p = ori.isetp <eq, u32> %tid, %zero : (!ori.r, !ori.r) -> !ori.p\n\
             %q = ori.isetp <eq, u32> %tid, %one : (!ori.r, !ori.r) -> !ori.p\n\
             ori.syncs <init> [%s] count(%two) if %p : (!ori.r, !ori.r, !ori.p) -> ()\n\
             ori.bar <sync, index = 0>\n\
             ori.syncs_arrive {drops} [%s] if %p : (!ori.r, !ori.p) -> ()\n\
             ori.syncs_arrive [%s] if %q : (!ori.r, !ori.p) -> ()\n\
             %first = ori.syncs_try_wait [%s], %zero : (!ori.r, !ori.r) -> !ori.p\n\
             ori.bar <sync, index = 0>\n\
             ori.syncs_arrive [%s] if %q : (!ori.r, !ori.p) -> ()\n\
             %second = ori.syncs_try_wait [%s], %one : (!ori.r, !ori.r) -> !ori.p"
        ))
    };
    assert_eq!(run("<drops>"), "");
    let error = run("");
    assert!(error.contains("for phase 1 of the mbarrier"), "{error}");
}

/// A launch of an empty kernel; the error, or nothing.
fn launched(target: &str, attributes: &str, launch: &Launch) -> String {
    let text = format!(
        "ori.func kernel @k() target \"{target}\" attributes {{{attributes}}} {{\nori.exit\n}}"
    );
    let module = parse(&text).expect("a module");
    let kernel = Kernel::new(&module.context, module.operation, "k").expect("a kernel");
    let done = kernel.run(&mut GlobalMemory::default(), launch);
    done.map_err(|fault| fault.render(&module.context))
        .err()
        .unwrap_or_default()
}

#[test]
fn launches_have_limits() {
    let of = |target: &str, grid: u32, block: u32, cluster: Option<u32>| {
        let launch = Launch {
            grid: [grid, 1, 1],
            block: [block, 1, 1],
            cluster: cluster.map(|size| [size, 1, 1]),
            ..Launch::default()
        };
        launched(target, "", &launch)
    };
    assert_eq!(of("sm_90a", 16, 1024, None), "");
    assert_eq!(of("sm_90a", 16, 32, Some(16)), "");
    assert_eq!(of("sm_80", 16, 32, Some(1)), "");
    for (error, words) in [
        (of("sm_90a", 1, 1025, None), "unsupported launch: 1025"),
        (of("sm_90a", 1, 0, None), "unsupported launch: 0"),
        (of("sm_90a", 0, 32, None), "32 threads per CTA, 0 CTAs"),
        (of("sm_90a", 34, 32, Some(17)), "more than 16 CTAs"),
        (of("sm_90a", 16, 32, Some(3)), "do not divide a grid"),
        (of("sm_90a", 16, 32, Some(0)), "do not divide a grid"),
        (of("sm_80", 16, 32, Some(2)), "which require sm_90"),
    ] {
        assert!(error.contains(words), "{error}");
    }
}
