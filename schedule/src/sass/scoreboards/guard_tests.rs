//! Waits and stalls that guards save: nothing waits for an operation of other threads.

use super::tests::{check, made, words};
use super::*;
use crate::sass::test_support::function;

fn default_words(lines: &str) -> Vec<ControlWord> {
    words(lines, &Knobs::default())
}

/// No thread executes both loads, so the second neither waits for the first nor do they wait for
/// each other's operands; the reader waits for both.
#[test]
fn a_complementary_guard_saves_the_wait_of_an_overwrite() {
    let lines = |guard: &str| {
        format!(
            "@!P0 LDG.E R0, desc[UR4][R8.64]\n{guard} LDG.E R0, desc[UR4][R10.64]\nFADD R2, R0, R0\nEXIT"
        )
    };
    let found = default_words(&lines("@P0"));
    assert!(found[1].wait.is_empty());
    let both = found[0].armed().union(found[1].armed());
    assert_eq!(found[2].wait, both);
    for guard in ["@!P0", "@P1"] {
        let found = default_words(&lines(guard));
        assert_eq!(found[1].wait, found[0].armed(), "{guard}");
    }
}

/// The predicate has another value at the second: threads may execute both.
#[test]
fn a_guard_that_changed_saves_nothing() {
    let found = default_words(
        "@!P0 LDG.E R0, desc[UR4][R8.64]
         ISETP.NE.AND P0, PT, R4, RZ, PT
         @P0 LDG.E R0, desc[UR4][R10.64]
         FADD R2, R0, R0
         EXIT",
    );
    assert_eq!(found[2].wait, found[0].armed());
}

/// A result with a fixed latency is not read by threads that do not write it.
#[test]
fn a_complementary_guard_saves_a_stall() {
    let found = |guard: &str| {
        default_words(&format!(
            "@!P0 FADD R0, R4, R5\n{guard} FADD R2, R0, R0\nEXIT"
        ))
    };
    assert_eq!(found("@P0")[0].stall.cycles(), 1);
    assert!(found("@!P0")[0].stall.cycles() > 1);
    assert!(found("@P1")[0].stall.cycles() > 1);
}

/// A uniform register belongs to all threads, also to those that do not execute its writer.
#[test]
fn a_uniform_register_is_overwritten_for_all_threads() {
    let found =
        default_words("@!P0 LDG.E R0, desc[UR4][R8.64]\n@P0 R2UR UR4, R10\nFADD R2, R0, R0\nEXIT");
    let without =
        default_words("@!P0 LDG.E R0, desc[UR4][R8.64]\nR2UR UR4, R10\nFADD R2, R0, R0\nEXIT");
    assert_eq!(found[1].wait, without[1].wait);
}

/// The guard changes between the two loads of an iteration, so the second waits for the first.
#[test]
fn guards_of_another_iteration_save_nothing() {
    let lines = "B------:R-:W-:-:S01 MOV R3, RZ
        .L_x_0:
        B------:R-:W-:-:S01 @!P0 LDG.E R0, desc[UR4][R8.64]
        B------:R-:W-:-:S01 ISETP.NE.AND P0, PT, R4, R3, PT
        B------:R-:W-:-:S01 @P0 LDG.E R0, desc[UR4][R10.64]
        B------:R-:W-:-:S01 IADD3 R4, R4, 0x1, RZ
        B------:R-:W-:-:S05 @P1 BRA `(.L_x_0)
        B------:R-:W-:-:S01 FADD R2, R0, R0
        B------:R-:W-:-:S05 EXIT";
    let (made, _) = made(&function("sm_90a", lines), &Knobs::default());
    check("a loop", &made);
    let found: Vec<_> = made.instructions().map(|found| found.control).collect();
    let armed = found[1].armed();
    assert!(!armed.is_empty());
    assert!(armed.iter().all(|barrier| found[3].wait.contains(barrier)));
}

/// What is in flight on entry to a loop is waited for inside: the store of the loop, whose operands
/// are waited for around it, arms another scoreboard.
#[test]
fn a_loop_does_not_arm_what_is_waited_for_on_entry() {
    let lines = "B------:R-:W-:-:S01 LDG.E R0, desc[UR4][R8.64]
        .L_x_0:
        B------:R-:W-:-:S01 MOV R6, R4
        B------:R-:W-:-:S01 LDG.E R5, desc[UR4][R10.64]
        B------:R-:W-:-:S01 FFMA R6, R0, R5, R6
        B------:R-:W-:-:S01 STG.E desc[UR4][R10.64], R6
        B------:R-:W-:-:S05 @P1 BRA `(.L_x_0)
        B------:R-:W-:-:S05 EXIT";
    let (made, _) = made(&function("sm_90a", lines), &Knobs::default());
    check("a loop", &made);
    let found: Vec<_> = made.instructions().map(|found| found.control).collect();
    assert_eq!(found[1].wait, found[4].armed());
    assert!(
        !found[1]
            .wait
            .contains(found[0].write_barrier.expect("a scoreboard"))
    );
}

/// ptxas fills up with a branch to itself and no-ops that issue nothing: a stall of zero. A trap is followed by
/// the branch, which does not make it code. A loop with another instruction is code.
#[test]
fn code_behind_the_end_has_a_stall_of_zero() {
    let stalls = |end: &str, before: &str| {
        let lines = format!(
            "B------:R-:W-:-:S01 MOV R6, R4
            B------:R-:W-:-:S05 {end}
            .L_x_0:
            {before}B------:R-:W-:-:S05 BRA `(.L_x_0)
            B------:R-:W-:-:S01 NOP"
        );
        let (made, _) = made(&function("sm_90a", &lines), &Knobs::default());
        let stalls = made
            .instructions()
            .map(|found| found.control.stall.cycles());
        stalls.collect::<Vec<_>>()
    };
    assert_eq!(stalls("EXIT", ""), [1, 5, 0, 0]);
    assert_eq!(stalls("BPT.TRAP 0x1", ""), [1, 5, 0, 0]);
    let waits = "B------:R-:W-:-:S01 YIELD\n";
    assert_eq!(stalls("BPT.TRAP 0x1", waits), [1, 5, 1, 5, 0]);
}
