//! Dependences between two operations, and which operations order memory accesses.

use super::{Program, function};
use crate::analyses::AliasKind;
use crate::analyses::memory::{self, DependenceKind};

use DependenceKind::{Order, ReadAfterWrite, WriteAfterRead, WriteAfterWrite};

/// The kinds of dependence of the last operation before the terminator on the one before it.
fn found(body: &str) -> Vec<(DependenceKind, AliasKind)> {
    let program = function(&format!("{body}\nori.ret"));
    let all = program.operations();
    let [.., first, second, _] = all[..] else {
        panic!("two operations");
    };
    let found = memory::dependences(&program.context, first, second);
    let parts = |dependence: &memory::Dependence| (dependence.kind, dependence.alias.kind);
    found.iter().map(parts).collect()
}

fn kinds(first: &str, second: &str) -> Vec<DependenceKind> {
    let found = found(&format!("{first}\n{second}"));
    found.iter().map(|(kind, _)| *kind).collect()
}

const LOAD: &str = "%l = ori.ldg <b32> [%d] : (!ori.r64) -> !ori.r";
const OTHER_LOAD: &str = "%o = ori.ldg <b32> [%d] : (!ori.r64) -> !ori.r";
const STORE: &str = "ori.stg <b32> [%d], %x : (!ori.r64, !ori.r) -> ()";
const OTHER_STORE: &str = "ori.stg <b32> [%e], %x : (!ori.r64, !ori.r) -> ()";
const SHARED_STORE: &str = "ori.sts <b32> [%r], %x : (!ori.r, !ori.r) -> ()";
const SUM: &str = "%i = ori.iadd3 %r, %x, %r : (!ori.r, !ori.r, !ori.r) -> !ori.r";

#[test]
fn kinds_follow_from_reads_and_writes() {
    assert_eq!(kinds(STORE, LOAD), [ReadAfterWrite]);
    assert_eq!(kinds(LOAD, STORE), [WriteAfterRead]);
    assert_eq!(kinds(STORE, OTHER_STORE), [WriteAfterWrite]);
    assert_eq!(kinds(LOAD, OTHER_LOAD), []);
    assert_eq!(kinds(SHARED_STORE, STORE), []);
    let reduction = "ori.redg <add, u32> [%d], %x : (!ori.r64, !ori.r) -> ()";
    assert_eq!(kinds(LOAD, reduction), [WriteAfterRead]);
    assert_eq!(kinds(STORE, reduction), [ReadAfterWrite, WriteAfterWrite]);
    assert_eq!(kinds(reduction, LOAD), [ReadAfterWrite]);
    let certain = found(&format!("{STORE}\n{LOAD}"));
    assert_eq!(certain, [(ReadAfterWrite, AliasKind::Same)]);
}

/// Every operation that orders memory depends on all accesses before it, and accesses after it on
/// it; operations without accesses do not.
#[test]
fn accesses_stay_on_their_side_of_operations_that_order_memory() {
    for ordering in [
        "ori.bar <sync, index = 0>",
        "ori.membar <all, gpu>",
        "ori.fence <shared, asynchronous>",
        "ori.errbar",
        "ori.cgabar_wait",
        "ori.call @h() : () -> ()",
        "ori.call_indirect %d() : (!ori.r64) -> ()",
        "%s = ori.ldg <b32, strong, gpu> [%e] : (!ori.r64) -> !ori.r",
        "%s = ori.ld <b32, mmio, sys> [%e] : (!ori.r64) -> !ori.r",
        "ori.stg <b32, strong, sys> [%e], %x : (!ori.r64, !ori.r) -> ()",
        "%s = ori.atomg <add, u32> [%e], %x : (!ori.r64, !ori.r) -> !ori.r",
        "%s = ori.atoms <or, b32> [%r], %x : (!ori.r, !ori.r) -> !ori.r",
        "%s = ori.inst <mnemonic = \"FOO\", reads = [], writes = [], barrier> : !ori.r",
        "ori.ldgsts <b32> [%r], [%d] : (!ori.r, !ori.r64) -> ()",
        "ori.ldgdepbar",
    ] {
        for access in [LOAD, STORE] {
            assert_eq!(kinds(ordering, access), [Order], "{ordering}, {access}");
            assert_eq!(kinds(access, ordering), [Order], "{access}, {ordering}");
        }
        assert_eq!(kinds(SUM, ordering), [], "{ordering}");
        assert_eq!(kinds(ordering, SUM), [], "{ordering}");
    }
}

#[test]
fn other_operations_do_not_order_memory() {
    for free in [
        SUM,
        "%s = ori.shfl <bfly> %r, %x, %r : (!ori.r, !ori.r, !ori.r) -> !ori.r",
        "%s = ori.vote <any> %p : (!ori.p) -> !ori.r",
        "%s = ori.call @g(%r) {pure} : (!ori.r) -> !ori.r",
        "%s = ori.ldg <b32, constant> [%e] : (!ori.r64) -> !ori.r",
        "%s = ori.ldc <b32> [352] : !ori.r",
        "%s = ori.inst <mnemonic = \"FOO\", reads = [\"shared\"], writes = []> : !ori.r",
        "%s = ori.inst <mnemonic = \"FOO\", reads = [], writes = [\"tensor\"]> : !ori.r",
    ] {
        assert_eq!(kinds(STORE, free), [], "{free}");
        assert_eq!(kinds(free, STORE), [], "{free}");
    }
}

/// An instruction that is not modelled accesses what it lists, and anything without a list.
#[test]
fn instructions_that_are_not_modelled_access_what_they_list() {
    let reads = "%s = ori.inst <mnemonic = \"FOO\", reads = [\"global\"], writes = []> : !ori.r";
    assert_eq!(kinds(STORE, reads), [ReadAfterWrite]);
    assert_eq!(kinds(LOAD, reads), []);
    let writes = "ori.inst <mnemonic = \"FOO\", reads = [], writes = [\"generic\"]>";
    assert_eq!(kinds(STORE, writes), [WriteAfterWrite]);
    assert_eq!(kinds(LOAD, writes), [WriteAfterRead]);
    let unlisted = "ori.inst <mnemonic = \"FOO\">";
    assert_eq!(kinds(STORE, unlisted), [ReadAfterWrite, WriteAfterWrite]);
    assert_eq!(
        kinds(SHARED_STORE, unlisted),
        [ReadAfterWrite, WriteAfterWrite]
    );
}

/// The spaces of an operation with two of them are looked at one by one.
#[test]
fn generic_accesses_depend_on_those_of_local_and_shared_memory() {
    let generic = "ori.st <b32> [%e], %x : (!ori.r64, !ori.r) -> ()";
    let local = "%l = ori.ldl <b32> [%r] : (!ori.r) -> !ori.r";
    let shared = "%l = ori.lds <b32> [%r] : (!ori.r) -> !ori.r";
    for load in [local, shared, LOAD] {
        assert_eq!(kinds(generic, load), [ReadAfterWrite], "{load}");
    }
    let local = "ori.stl <b32> [%r], %x : (!ori.r, !ori.r) -> ()";
    let generic = "%l = ori.ld <b32> [%e] : (!ori.r64) -> !ori.r";
    for store in [local, SHARED_STORE, STORE] {
        assert_eq!(kinds(store, generic), [ReadAfterWrite], "{store}");
    }
    let constant = "%l = ori.ldc <b32> [%r] : (!ori.r) -> !ori.r";
    assert_eq!(kinds(STORE, constant), []);
}

#[test]
fn an_access_to_the_same_address_is_found_by_place() {
    let program: Program = function(&format!("{STORE}\n{LOAD}\nori.ret"));
    let load = program.named("ori.ldg")[0];
    let access = &memory::accesses(&program.context, load)[..];
    assert_eq!(access.len(), 1);
    assert!(access[0].reads && !access[0].writes && !access[0].constant);
    assert_eq!(access[0].bytes, Some(4));
}
