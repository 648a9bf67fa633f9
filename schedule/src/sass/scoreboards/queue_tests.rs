//! Waits that the order of a queue saves, and those that it does not: at guards, in other queues,
//! and on paths that lack the later operation.

use super::tests::{check, made, report, words, words_for};
use super::*;
use crate::sass::test_support::function;

fn default_words(lines: &str) -> Vec<ControlWord> {
    words(lines, &Knobs::default())
}

/// Loads of shared memory deliver in order: the wait for the second is one for the first.
#[test]
fn a_later_result_of_the_queue_saves_the_scoreboard_of_an_earlier_one() {
    let found = default_words("LDS R0, [R8]\nLDS R1, [R9]\nFADD R2, R1, R1\nFADD R3, R0, R0\nEXIT");
    assert!(found[0].armed().is_empty());
    assert_eq!(found[2].wait, found[1].armed());
    assert!(found[3].wait.is_empty());
}

/// With a guard the second may not have been executed, so nothing is known about the first.
#[test]
fn a_guarded_operation_of_the_queue_saves_nothing() {
    let found =
        default_words("LDS R0, [R8]\n@P0 LDS R1, [R9]\nFADD R2, R1, R1\nFADD R3, R0, R0\nEXIT");
    let first = found[0].write_barrier.expect("a scoreboard of its own");
    assert!(found[2].wait.contains(first) || found[3].wait.contains(first));
}

/// Loads of global memory deliver in no order.
#[test]
fn results_without_a_queue_have_scoreboards_each() {
    let found = default_words(
        "LDG.E R0, desc[UR4][R8.64]\nLDG.E R1, desc[UR4][R10.64]\nFADD R2, R1, R1\nFADD R3, R0, R0\nEXIT",
    );
    assert!(found[0].write_barrier.is_some() && found[1].write_barrier.is_some());
}

/// Memory operations read operands in one order: a result of the later one says that the data of
/// the store was read; one of another queue does not.
#[test]
fn a_result_of_the_operand_queue_saves_the_read_barrier_of_a_store() {
    let words = |target: &str, store: &str, load: &str| {
        let lines = format!("{store} [R8], R0\n{load} R1, R9\nFADD R2, R1, R1\nMOV R0, RZ\nEXIT");
        words_for(
            target,
            &lines.replace("LDS R1, R9", "LDS R1, [R9]"),
            &Knobs::default(),
        )
    };
    let saved = |found: &[ControlWord]| found[0].armed().is_empty() && found[3].wait.is_empty();
    for target in ["sm_75", "sm_80", "sm_86", "sm_90", "sm_100", "sm_120"] {
        assert!(saved(&words(target, "STS", "LDS")), "{target}");
        let found = words(target, "STS", "MUFU.RCP");
        assert_eq!(found[3].wait, found[0].armed(), "{target}");
        assert!(found[0].read_barrier.is_some(), "{target}");
    }
    // ptxas relies on it for global stores on some machines only.
    for (target, relied) in [
        ("sm_75", false),
        ("sm_80", true),
        ("sm_86", true),
        ("sm_100", false),
    ] {
        assert_eq!(saved(&words(target, "STG.E", "LDS")), relied, "{target}");
    }
}

/// Of two conversions the later one's scoreboard is enough; no code relies on that for two reciprocals.
#[test]
fn special_functions_have_scoreboards_each_and_conversions_do_not() {
    let armed = |mnemonic: &str| {
        let lines =
            format!("{mnemonic} R0, R8\n{mnemonic} R1, R9\nFADD R2, R1, R1\nFADD R3, R0, R0\nEXIT");
        default_words(&lines)[0].write_barrier.is_some()
    };
    assert!(armed("MUFU.RCP"));
    assert!(!armed("I2F.S8"));
}

/// A uniform register that `SYNCS.EXCH` reads is overwritten behind a wait for its scoreboard.
#[test]
fn a_uniform_source_of_a_barrier_object_is_read_late() {
    let found = default_words("SYNCS.EXCH.64 URZ, [UR8], UR6\nUMOV UR6, 0x1\nEXIT");
    let read = found[0]
        .read_barrier
        .expect("a scoreboard for its operands");
    assert!(found[1].wait.contains(read));
    // What comes later in its queue does not end it.
    let found = default_words(
        "SYNCS.EXCH.64 URZ, [UR8], UR6\nSYNCS.EXCH.64 URZ, [UR8+0x8], UR10\nUMOV UR10, 0x1\nUMOV UR6, 0x1\nEXIT",
    );
    let read = found[0]
        .read_barrier
        .expect("a scoreboard for its operands");
    assert!(found[2].wait.union(found[3].wait).contains(read));
}

/// The mask of `WARPSYNC.COLLECTIVE` is read later than other operands.
#[test]
fn the_mask_of_a_collective_comes_after_seven_cycles() {
    let found = default_words("MOV R0, 0xffff\nWARPSYNC.COLLECTIVE R0, `(.L_x_0)\nEXIT");
    assert_eq!(found[0].stall.cycles(), 7);
}

/// ptxas protects the operands of a store by its own scoreboard, though a load behind it has completed.
#[test]
fn a_result_of_global_memory_does_not_save_the_read_barrier_of_a_store() {
    let lines = "STG.E desc[UR4][R8.64], R0\nLDG.E R1, desc[UR4][R10.64]\nFADD R2, R1, R1\nMOV R0, RZ\nEXIT";
    let found = default_words(lines);
    let read = found[0].read_barrier.expect("a scoreboard of its own");
    assert!(found[3].wait.contains(read));
    let without = "B------:R-:W-:-:S01 STG.E desc[UR4][R8.64], R0
                   B------:R-:W0:-:S02 LDG.E R1, desc[UR4][R10.64]
                   B0-----:R-:W-:-:S01 FADD R2, R1, R1
                   B------:R-:W-:-:S01 MOV R0, RZ";
    let hazards = report(&function("sm_90a", without)).hazards;
    assert_eq!(hazards.len(), 1);
    assert_eq!((hazards[0].producer, hazards[0].consumer), (0, 3));
}

/// Loads read their operands in order from sm_90 on. Before, each has to wait for itself: only hand-scheduled
/// code relies on more.
#[test]
fn loads_before_sm_90_protect_their_operands_by_their_own_scoreboards() {
    let lines = "LDG.E R0, [R8]\nLDG.E R1, [R8+0x4]\nFADD R2, R1, R1\nIADD3 R8, R8, R9, RZ\nEXIT";
    let waited = |target: &str| {
        let found = words_for(target, lines, &Knobs::default());
        let own = found[0].armed();
        found[2..=3]
            .iter()
            .any(|word| own.iter().any(|barrier| word.wait.contains(barrier)))
    };
    for target in ["sm_75", "sm_80", "sm_86", "sm_89"] {
        assert!(waited(target), "{target}");
    }
    assert!(!waited("sm_90"));
}

/// A guarded write may leave the value of the load: its reader waits for both.
#[test]
fn a_guarded_write_keeps_the_earlier_operation_in_flight() {
    let after = |guard: &str| {
        let lines = format!("LDS R0, [R8]\n{guard}LDS R0, [R9]\nFADD R2, R0, R0\nEXIT");
        default_words(&lines)
    };
    let plain = after("");
    assert!(plain[0].armed().is_empty(), "overwritten in order");
    let guarded = after("@P0 ");
    let waits = guarded[1].wait.union(guarded[2].wait);
    assert!(!guarded[2].wait.is_empty());
    assert!(
        guarded[0]
            .armed()
            .iter()
            .all(|barrier| waits.contains(barrier)),
        "{guarded:?}"
    );
}

/// A fixed result that a guarded write may leave arrives before its reader: 10 cycles for
/// `HFMA2.MMA`.
#[test]
fn a_guarded_write_keeps_the_earlier_fixed_result_in_flight() {
    let cycles = |guard: &str| {
        let lines =
            format!("HFMA2.MMA R0, R4, R5, R6\n{guard}IADD3 R0, R1, R2, RZ\nFADD R3, R0, R4\nEXIT");
        let found = default_words(&lines);
        u32::from(found[0].stall.cycles()) + u32::from(found[1].stall.cycles())
    };
    // 3 to the second writer, 5 from it to the reader.
    assert_eq!(cycles(""), 8);
    assert_eq!(cycles("@P0 "), 10);
}

/// A guarded load into the data of a store may not have been executed: the store may still read.
#[test]
fn a_guarded_write_keeps_an_earlier_read_in_flight() {
    let after = |guard: &str| {
        let lines = format!("STS [R8], R0\n{guard}LDS R0, [R9]\nFADD R2, R0, R0\nMOV R0, RZ\nEXIT");
        default_words(&lines)
    };
    assert!(after("")[0].armed().is_empty(), "read before the load");
    let guarded = after("@P0 ");
    let armed = guarded[0].armed();
    assert!(!armed.is_empty());
    let waits = guarded[2].wait.union(guarded[3].wait);
    assert!(armed.iter().all(|barrier| waits.contains(barrier)));
}

/// Without analysis, everything is waited for: operands too, and results that outlast any stall.
#[test]
fn serial_code_protects_operands_and_long_results() {
    let serial = |lines: &str| {
        let lines: String = lines
            .lines()
            .map(|line| format!("B------:R-:W-:-:S01 {line}\n"))
            .collect();
        let mut function = function("sm_90a", &lines);
        let model = LatencyModel::for_machine(90).expect("a model");
        assign_serial(&mut function, model, SerialScheme::Safe);
        check("lines", &function);
        let words = function.instructions().map(|found| found.control);
        words.collect::<Vec<_>>()
    };
    let found = serial("STG.E desc[UR4][R8.64], R0\nMOV R0, RZ\nEXIT");
    let read = found[0].read_barrier.expect("armed");
    assert!(found[1].wait.contains(read));
    // 24 cycles; a stall of zero waits for the result.
    let found = serial("HMMA.16816.F32 R4, R8, R12, RZ\nFADD R0, R4, R5\nEXIT");
    assert_eq!(found[0].stall.cycles(), 0);
    assert_eq!(found[1].stall, Stall::MAXIMUM);
}

fn rewritten(lines: &str) -> Vec<ControlWord> {
    let lines: String = lines
        .lines()
        .map(str::trim)
        .map(|line| match line.ends_with(':') {
            true => format!("{line}\n"),
            false => format!("B------:R-:W-:-:S01 {line}\n"),
        })
        .collect();
    let (made, _) = made(&function("sm_90a", &lines), &Knobs::default());
    check("lines", &made);
    made.instructions().map(|found| found.control).collect()
}

/// A result of one path is waited for after the join.
#[test]
fn operations_of_either_path_are_waited_for_after_a_join() {
    let found = rewritten(
        "@P0 BRA `(.L_x_1)
         LDG.E R0, desc[UR4][R8.64]
         .L_x_1:
         FADD R2, R0, R0
         EXIT",
    );
    assert!(found[1].write_barrier.is_some());
    assert_eq!(found[2].wait, found[1].armed());
}

/// The wait on one path does not end the operation on the other.
#[test]
fn a_wait_on_one_path_only_is_repeated_after_the_join() {
    let found = rewritten(
        "LDG.E R0, desc[UR4][R8.64]
         @P0 BRA `(.L_x_1)
         FADD R2, R0, R0
         .L_x_1:
         FADD R3, R0, R0
         EXIT",
    );
    assert_eq!(found[2].wait, found[0].armed());
    assert_eq!(found[3].wait, found[0].armed());
}

/// A later load of the queue on one path does not cover the first on the other.
#[test]
fn the_order_of_a_queue_on_one_path_saves_nothing_on_the_other() {
    let found = rewritten(
        "LDS R0, [R8]
         @P0 BRA `(.L_x_1)
         LDS R1, [R9]
         FADD R2, R1, R1
         .L_x_1:
         FADD R3, R0, R0
         EXIT",
    );
    let first = found[0].write_barrier.expect("a scoreboard");
    assert!(found[4].wait.contains(first));
}

/// The stall before a join is the one that the shorter path needs: `IADD3` to `FFMA` takes 5.
#[test]
fn stalls_suffice_on_the_shorter_path() {
    let found = rewritten(
        "IADD3 R0, R1, R2, RZ
         @P0 BRA `(.L_x_1)
         NOP
         NOP
         .L_x_1:
         FFMA R3, R0, R4, R5
         EXIT",
    );
    let short = u32::from(found[0].stall.cycles()) + u32::from(found[1].stall.cycles());
    assert!(short >= 5, "{short}");
}

/// The last instruction of a loop leaves what the first of the next iteration needs.
#[test]
fn stalls_suffice_around_a_loop() {
    let found = rewritten(
        "MOV R0, RZ
         .L_x_1:
         FFMA R3, R0, R4, R5
         IADD3 R0, R0, R2, RZ
         @P0 BRA `(.L_x_1)
         EXIT",
    );
    let around = u32::from(found[2].stall.cycles()) + u32::from(found[3].stall.cycles());
    assert!(around >= 5, "{around}");
}
