//! Properties of single operations that decide what passes may do with them.

use orison_ir::{Context, Operation};

use super::function;
use crate::analyses::properties;

/// The property of the last operation before the terminator.
fn holds(operation: &str, property: impl Fn(&Context, Operation) -> bool) -> bool {
    let program = function(&format!("{operation}\nori.ret"));
    let all = program.operations();
    property(&program.context, all[all.len() - 2])
}

const SUM: &str = "%a = ori.iadd3 %r, %x, %r : (!ori.r, !ori.r, !ori.r) -> !ori.r";
const LOAD: &str = "%a = ori.ldg <b32> [%d] : (!ori.r64) -> !ori.r";
const STRONG: &str = "%a = ori.ldg <b32, strong, gpu> [%d] : (!ori.r64) -> !ori.r";
const MMIO: &str = "%a = ori.ld <b32, mmio, sys> [%d] : (!ori.r64) -> !ori.r";
const STORE: &str = "ori.stg <b32> [%d], %x : (!ori.r64, !ori.r) -> ()";
const BANK: &str = "%a = ori.cbank[0, 352] : !ori.r";
const CONSTANT: &str = "%a = ori.ldc <b32> [%r] : (!ori.r) -> !ori.r";
const CONSTANT_GLOBAL: &str = "%a = ori.ldg <b32, constant> [%d] : (!ori.r64) -> !ori.r";
const SHUFFLE: &str = "%a = ori.shfl <bfly> %r, %x, %r : (!ori.r, !ori.r, !ori.r) -> !ori.r";
const VOTE: &str = "%a = ori.vote <any> %p : (!ori.p) -> !ori.r";
const TO_UNIFORM: &str = "%a = ori.r2ur %r : (!ori.r) -> !ori.ur";
const UNIFORM: &str = "%a = ori.umov %u : (!ori.ur) -> !ori.ur";
const FROM_UNIFORM: &str = "%a = ori.mov %u : (!ori.ur) -> !ori.r";
const CLOCK: &str = "%a = ori.cs2r <register = \"SR_CLOCKLO\"> : !ori.r";
const CALL: &str = "%a = ori.call @g(%r) : (!ori.r) -> !ori.r";
const PURE_CALL: &str = "%a = ori.call @g(%r) {pure} : (!ori.r) -> !ori.r";
const ATOMIC: &str = "%a = ori.atomg <add, u32> [%d], %x : (!ori.r64, !ori.r) -> !ori.r";
const BARRIER: &str = "ori.bar <sync, index = 0>";
const REDUCE: &str = "%a = ori.bar <reduce, index = 1, popc> predicate(%p) : (!ori.p) -> !ori.r";
const UNMODELLED: &str = "%a = ori.inst <mnemonic = \"FOO\", reads = [], writes = []> : !ori.r";
const CONVERGENT: &str =
    "%a = ori.inst <mnemonic = \"FOO\", reads = [], writes = [], convergent> : !ori.r";
const PRODUCT: &str = "%b = ori.undef : !ori.r128\n\
    %a = ori.hmma <m16n8k16, from = f16, accumulator = f32> %b, %d, %b \
    : (!ori.r128, !ori.r64, !ori.r128) -> !ori.r128";
const ALLOCA: &str = "%a = ori.alloca <alignment = 4> %r : (!ori.r) -> !ori.r";
const RESTORE: &str = "ori.stack_restore %r : (!ori.r) -> ()";
const EXIT: &str = "ori.exit_if %p : !ori.p";

fn check(
    property: impl Fn(&Context, Operation) -> bool,
    those_with: &[&str],
    those_without: &[&str],
) {
    for operation in those_with {
        assert!(holds(operation, &property), "{operation}");
    }
    for operation in those_without {
        assert!(!holds(operation, &property), "{operation}");
    }
}

#[test]
fn pure_operations_only_compute_results_in_each_thread() {
    check(
        properties::is_pure,
        &[SUM, BANK, CONSTANT, UNIFORM, FROM_UNIFORM],
        &[
            LOAD, STORE, SHUFFLE, VOTE, TO_UNIFORM, CLOCK, CALL, PURE_CALL, ATOMIC, BARRIER,
            UNMODELLED, PRODUCT, ALLOCA, EXIT,
        ],
    );
}

/// A constant bank at a computed address may be read outside of the bank.
#[test]
fn only_pure_operations_without_computed_addresses_may_be_speculated() {
    check(
        properties::is_speculatable,
        &[SUM, BANK, UNIFORM, FROM_UNIFORM],
        &[
            CONSTANT,
            LOAD,
            CONSTANT_GLOBAL,
            STORE,
            SHUFFLE,
            VOTE,
            TO_UNIFORM,
            CLOCK,
            CALL,
            PURE_CALL,
            UNMODELLED,
            PRODUCT,
            ALLOCA,
            EXIT,
        ],
    );
}

#[test]
fn operations_without_effects_on_memory_and_other_threads_may_be_removed() {
    check(
        properties::is_removable,
        &[
            SUM, BANK, CONSTANT, LOAD, SHUFFLE, VOTE, TO_UNIFORM, CLOCK, PURE_CALL, PRODUCT,
        ],
        &[
            STRONG, MMIO, STORE, CALL, ATOMIC, BARRIER, REDUCE, UNMODELLED, CONVERGENT, RESTORE,
            EXIT,
        ],
    );
}

#[test]
fn convergent_operations_depend_on_the_threads_that_execute_them_together() {
    check(
        properties::is_convergent,
        &[
            SHUFFLE, VOTE, TO_UNIFORM, BARRIER, REDUCE, CONVERGENT, PRODUCT,
        ],
        &[
            SUM,
            LOAD,
            CONSTANT,
            UNIFORM,
            FROM_UNIFORM,
            UNMODELLED,
            CLOCK,
            STORE,
        ],
    );
}

#[test]
fn strong_and_mmio_accesses_are_ordered() {
    let private = "%a = ori.ldl <b32, private> [%r] : (!ori.r) -> !ori.r";
    let weak = "%a = ori.ldg <b32, weak> [%d] : (!ori.r64) -> !ori.r";
    check(
        properties::is_ordered,
        &[STRONG, MMIO],
        &[LOAD, STORE, CONSTANT_GLOBAL, weak, private, SUM],
    );
}

#[test]
fn constants_are_read_from_banks_and_by_constant_loads() {
    check(
        properties::reads_constants,
        &[CONSTANT, CONSTANT_GLOBAL, BANK],
        &[LOAD, STRONG, SUM, STORE],
    );
}

#[test]
fn results_are_partial_under_a_guard_without_other_values() {
    let guarded = "%a = ori.iadd3 %r, %x, %r if %p : (!ori.r, !ori.r, !ori.r, !ori.p) -> !ori.r";
    let complete = "%a = ori.iadd3 %r, %x, %r if not %p else %r \
                    : (!ori.r, !ori.r, !ori.r, !ori.p, !ori.r) -> !ori.r";
    check(properties::is_partial, &[guarded], &[complete, SUM]);
    let inverted =
        |context: &Context, op| properties::guard(context, op).is_some_and(|guard| guard.inverted);
    check(inverted, &[complete], &[guarded, SUM]);
}

/// Operands that may be permuted: the product's factors but not its addend, and no operand of a
/// difference or selection.
#[test]
fn operands_commute_only_where_the_result_is_the_same() {
    let commuting = |operation: &str| {
        let program = function(&format!("{operation}\nori.ret"));
        let all = program.operations();
        properties::commuting_operands(&program.context, all[all.len() - 2])
    };
    let ternary = "(!ori.r, !ori.r, !ori.r) -> !ori.r";
    for (operation, expected) in [
        (SUM.to_owned(), vec![0, 1, 2]),
        (format!("%a = ori.imad %r, %x, %r : {ternary}"), vec![0, 1]),
        (format!("%a = ori.ffma %r, %x, %r : {ternary}"), vec![0, 1]),
        (
            "%a = ori.uiadd3 %u, %u, %u : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur".to_owned(),
            vec![0, 1, 2],
        ),
        (
            format!("%a = ori.lop3 <lut = 192> %r, %x, %r : {ternary}"),
            vec![],
        ),
        (
            format!("%a = ori.shf <left, u32> %r, %x, %r : {ternary}"),
            vec![],
        ),
        (format!("%a = ori.vabsdiff %r, %x, %r : {ternary}"), vec![]),
        (
            format!("%a = ori.lea <shift = 2> %r, %x, %r : {ternary}"),
            vec![],
        ),
        (
            "%a = ori.sel %r, %x, %p : (!ori.r, !ori.r, !ori.p) -> !ori.r".to_owned(),
            vec![],
        ),
        (
            "%a = ori.isetp <lt, s32, and> %r, %x : (!ori.r, !ori.r) -> !ori.p".to_owned(),
            vec![],
        ),
        (
            "%a = ori.fadd %r, %x : (!ori.r, !ori.r) -> !ori.r".to_owned(),
            vec![0, 1],
        ),
    ] {
        assert_eq!(commuting(&operation), expected, "{operation}");
    }
}
