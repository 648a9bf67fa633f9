//! Joins of paths, guarded writes and queues: what holds after them is only what holds on every
//! path, for every thread and in every order.

use super::tests::{clean, found};
use super::*;
use crate::sass::test_support::function;

/// Two paths to a join, in both orders of their addresses: the blocks are walked in that order, so
/// either path may be joined to the state of the other.
fn both_orders(before: &str, one: &str, other: &str, after: &str) -> [String; 2] {
    [(one, other), (other, one)].map(|(first, second)| {
        format!(
            "{before}
             B------:R-:W-:-:S01 @P0 BRA `(.L_x_1)
             {first}
             B------:R-:W-:-:S01 BRA `(.L_x_2)
             .L_x_1:
             {second}
             B------:R-:W-:-:S01 BRA `(.L_x_2)
             .L_x_2:
             {after}
             B------:R-:W-:-:S05 EXIT"
        )
    })
}

/// Kinds of hazards of the first instruction with the last before `EXIT`.
fn kinds(target: &str, lines: &str) -> Vec<HazardKind> {
    let found = found(target, lines);
    assert!(found.len() <= 1, "{found:?}");
    found.iter().map(|found| found.0).collect()
}

/// `IADD3` to `FFMA` takes 5 cycles, of which the stalls before and the two branches take 3.
#[test]
fn at_a_join_a_result_is_as_old_as_on_the_shorter_path() {
    for (stall, hazards) in [("01", vec![HazardKind::ReadTooEarly]), ("02", vec![])] {
        for lines in both_orders(
            "B------:R-:W-:-:S01 IADD3 R0, R1, R2, RZ",
            "B------:R-:W-:-:S15 NOP",
            &format!("B------:R-:W-:-:S{stall} NOP"),
            "B------:R-:W-:-:S05 FFMA R3, R0, R4, R5",
        ) {
            assert_eq!(kinds("sm_90a", &lines), hazards, "{lines}");
        }
    }
}

/// A reader that has to be over before a load may write is as old as on the shorter path: without
/// the wait of `BRA` it is 1 cycle.
#[test]
fn at_a_join_a_read_is_as_old_as_on_the_shorter_path() {
    let lines = |stall: &str| {
        format!(
            "B------:R-:W-:-:S01 @P0 BRA `(.L_x_1)
             B------:R-:W-:-:S15 FADD R1, R0, R4
             B------:R-:W-:-:S01 BRA `(.L_x_2)
             .L_x_1:
             B------:R-:W-:-:S{stall} FADD R1, R0, R4
             .L_x_2:
             B------:R-:W0:-:S05 LDG.E R0, desc[UR4][R2.64]
             B0-----:R-:W-:-:S05 EXIT"
        )
    };
    clean("sm_90a", &lines("02"));
    assert_eq!(
        found("sm_90a", &lines("01")),
        [(HazardKind::WriteTooEarly, 3, 4)]
    );
}

/// A later operation of a queue covers an earlier one only on the path that has it.
#[test]
fn at_a_join_a_scoreboard_covers_results_that_it_covers_on_both_paths() {
    let first = "B------:R-:W-:-:S02 MUFU.RCP R0, R4";
    let later = "B------:R-:W0:-:S02 MUFU.RCP R1, R5";
    let after = "B0-----:R-:W-:-:S05 FADD R2, R0, R0";
    for lines in both_orders(first, later, "B------:R-:W-:-:S02 NOP", after) {
        assert_eq!(
            kinds("sm_90a", &lines),
            [HazardKind::ReadWithoutWait],
            "{lines}"
        );
    }
    for lines in both_orders(first, later, later, after) {
        clean("sm_90a", &lines);
    }
}

/// A load reads its address after a store has read its data, on the path that has the load.
#[test]
fn at_a_join_a_scoreboard_covers_operands_that_it_covers_on_both_paths() {
    let first = "B------:R-:W-:-:S02 STG.E desc[UR4][R2.64], R0";
    let later = "B------:R-:W0:-:S02 LDS R1, [R5]";
    let after = "B0-----:R-:W-:-:S05 MOV R0, RZ";
    for lines in both_orders(first, later, "B------:R-:W-:-:S02 NOP", after) {
        assert_eq!(
            kinds("sm_90a", &lines),
            [HazardKind::WriteWithoutWait],
            "{lines}"
        );
    }
    for lines in both_orders(first, later, later, after) {
        clean("sm_90a", &lines);
    }
}

/// An operation is in flight after a join if it is on one of the paths.
#[test]
fn at_a_join_operations_of_either_path_are_in_flight() {
    for lines in both_orders(
        "B------:R-:W-:-:S05 NOP",
        "B------:R-:W0:-:S02 LDG.E R0, desc[UR4][R2.64]",
        "B------:R-:W-:-:S02 NOP",
        "B------:R-:W-:-:S05 FADD R1, R0, R0",
    ) {
        assert_eq!(
            kinds("sm_90a", &lines),
            [HazardKind::ReadWithoutWait],
            "{lines}"
        );
    }
    for lines in both_orders(
        "B------:R-:W-:-:S05 NOP",
        "B------:R0:W-:-:S02 STG.E desc[UR4][R2.64], R0",
        "B------:R-:W-:-:S02 NOP",
        "B------:R-:W-:-:S05 MOV R0, RZ",
    ) {
        assert_eq!(
            kinds("sm_90a", &lines),
            [HazardKind::WriteWithoutWait],
            "{lines}"
        );
    }
}

/// A scoreboard that both paths arm was armed as late as on the later of them.
#[test]
fn at_a_join_a_scoreboard_is_armed_as_late_as_on_the_later_path() {
    let arm = |stall: &str| {
        format!(
            "B------:R-:W0:-:S02 MUFU.RCP R0, R4
             B------:R-:W-:-:S05 @P0 BRA `(.L_x_1)
             B------:R-:W0:-:S{stall} MUFU.RCP R1, R5
             .L_x_1:
             B0-----:R-:W-:-:S05 FADD R2, R0, R1
             B------:R-:W-:-:S05 EXIT"
        )
    };
    clean("sm_90a", &arm("02"));
    assert_eq!(
        found("sm_90a", &arm("01")),
        [(HazardKind::WaitBeforeArmed, 2, 3)]
    );
    // Armed last on the path that is walked first.
    let first = "B------:R-:W-:-:S01 @P0 BRA `(.L_x_1)
        B------:R-:W0:-:S05 MUFU.RCP R1, R5
        B------:R-:W-:-:S01 BRA `(.L_x_2)
        .L_x_1:
        B------:R-:W0:-:S01 MUFU.RCP R1, R5
        .L_x_2:
        B0-----:R-:W-:-:S05 FADD R2, R1, R1
        B------:R-:W-:-:S05 EXIT";
    assert_eq!(
        found("sm_90a", first),
        [(HazardKind::WaitBeforeArmed, 3, 4)]
    );
}

/// The jump back arms the scoreboard one cycle before the wait, and nothing else is in flight then.
#[test]
fn a_scoreboard_armed_in_the_iteration_before_is_known() {
    let lines = |stall: &str| {
        format!(
            "B------:R-:W-:-:S05 NOP
             .L_x_1:
             B0-----:R-:W-:-:S05 NOP
             B------:R-:W0:-:S{stall} BRA `(.L_x_1)"
        )
    };
    clean("sm_90a", &lines("15"));
    assert_eq!(
        found("sm_90a", &lines("01")),
        [(HazardKind::WaitBeforeArmed, 2, 1)]
    );
}

/// The jump back arms the scoreboard for which the second block of the loop waits: that the first one
/// changes nothing else does not keep it from the second.
#[test]
fn a_scoreboard_armed_in_the_iteration_before_reaches_all_blocks() {
    let lines = |armed: &str| {
        format!(
            "B------:R-:W-:-:S05 NOP
             .L_x_1:
             B------:R-:W-:-:S05 NOP
             .L_x_2:
             B0-----:R-:W-:-:S05 NOP
             B------:R-:W{armed}:-:S05 BRA `(.L_x_1)"
        )
    };
    let model = LatencyModel::for_machine(90).expect("a model");
    let lints = |armed: &str| {
        simulate(&function("sm_90a", &lines(armed)), model)
            .lints
            .len()
    };
    assert_eq!([lints("0"), lints("-")], [0, 1]);
}

/// `DEPBAR.LE SB5, 1` ends the first texture only where a second one follows it.
#[test]
fn at_a_join_a_partial_wait_counts_the_operations_of_the_path_with_fewer() {
    let first = "B------:R-:W5:-:S02 TEX.SCR.LL RZ, R6, R2, R7, 0x0, 0x58, 2D, 0x1";
    let second = "B------:R-:W5:-:S02 TEX.SCR.LL RZ, R8, R2, R9, 0x0, 0x58, 2D, 0x1";
    let after = "B------:R-:W-:-:S04 DEPBAR.LE SB5, 0x1\nB------:R-:W-:-:S05 FADD R0, R6, R6";
    for lines in both_orders(first, second, "B------:R-:W-:-:S02 NOP", after) {
        assert_eq!(
            kinds("sm_80", &lines),
            [HazardKind::ReadWithoutWait],
            "{lines}"
        );
    }
    for lines in both_orders(first, second, second, after) {
        clean("sm_80", &lines);
    }
}

/// The same for groups of products.
#[test]
fn at_a_join_a_wait_for_groups_counts_those_of_the_path_with_fewer() {
    let first = "B------:R-:W-:-:S02 WARPGROUP.ARRIVE
        B------:R-:W-:-:S02 HGMMA.64x8x16.F32 R24, gdesc[UR4], RZ, !UPT, gsb0";
    let second = "B------:R-:W-:-:S02 HGMMA.64x8x16.F32 R32, gdesc[UR8], RZ, !UPT, gsb0";
    let after = "B------:R-:W-:-:S02 WARPGROUP.DEPBAR.LE gsb0, 0x1
        B------:R-:W-:-:S05 FADD R0, R24, R25";
    for lines in both_orders(first, second, "B------:R-:W-:-:S02 NOP", after) {
        assert_eq!(
            kinds("sm_90a", &lines),
            [HazardKind::ProductInFlight],
            "{lines}"
        );
    }
    for lines in both_orders(first, second, second, after) {
        clean("sm_90a", &lines);
    }
}

/// A guarded write may leave the earlier result, which has to arrive in time: `HFMA2.MMA` to
/// `FADD` takes 10 cycles, whatever is written in between for some threads.
#[test]
fn a_guarded_write_leaves_an_earlier_fixed_result_in_flight() {
    let lines = |stall: &str, guard: &str| {
        format!(
            "B------:R-:W-:-:S{stall} HFMA2.MMA R0, R4, R5, R6
             B------:R-:W-:-:S05 {guard}IADD3 R0, R1, R2, RZ
             B------:R-:W-:-:S05 FADD R3, R0, R4
             B------:R-:W-:-:S05 EXIT"
        )
    };
    clean("sm_90a", &lines("04", ""));
    // Replacing a result that remains for other threads takes 3 cycles, 6 after a guarded one.
    clean("sm_90a", &lines("05", "@P0 "));
    assert_eq!(
        found("sm_90a", &lines("04", "@P0 ")),
        [(HazardKind::ReadTooEarly, 0, 2)]
    );
}

/// The first of two writers has a guard: the second may write 1 cycle later than otherwise.
#[test]
fn a_guarded_result_is_overwritten_later() {
    let lines = |stall: &str, guard: &str| {
        format!(
            "B------:R-:W-:-:S{stall} {guard}HFMA2.MMA R0, R4, R6, R8
             B------:R-:W0:-:S05 LDG.E R0, desc[UR4][R2.64]
             B0-----:R-:W-:-:S05 EXIT"
        )
    };
    clean("sm_90a", &lines("09", ""));
    clean("sm_90a", &lines("10", "@P0 "));
    assert_eq!(
        found("sm_90a", &lines("09", "@P0 ")),
        [(HazardKind::OverwriteTooEarly, 0, 1)]
    );
    assert_eq!(
        found("sm_90a", &lines("08", "")),
        [(HazardKind::OverwriteTooEarly, 0, 1)]
    );
}

/// A load of threads with `P1` is not in flight in those that leave the loop without it: hand-scheduled code
/// of cuBLASLt, whose last iteration waits for nothing.
#[test]
fn what_a_branch_excludes_is_not_in_flight_behind_it() {
    let lines = |clear: &str, leave: &str| {
        format!(
            "B------:R-:W-:-:S13 ISETP.GE.AND P1, PT, R8, R9, PT
             B------:R-:W-:-:S13 {clear}R2P PR, RZ, 0x8
             B------:R-:W-:-:S13 @P1 R2P PR, R7, 0x8
             B------:R-:W2:-:S02 @P3 LDG.E R0, desc[UR4][R2.64]
             B------:R-:W-:-:S05 {leave}BRA `(.L_2)
             B--2---:R-:W-:-:S05 EXIT
             .L_2:
             B------:R-:W-:-:S05 MOV R0, RZ
             B------:R-:W-:-:S05 EXIT"
        )
    };
    clean("sm_90a", &lines("@!P1 ", "@!P1 "));
    for (clear, leave) in [("@!P1 ", "@P1 "), ("@!P2 ", "@!P1 "), ("@!P1 ", "@!P2 ")] {
        assert_eq!(
            found("sm_90a", &lines(clear, leave)),
            [(HazardKind::OverwriteWithoutWait, 3, 6)]
        );
    }
}

/// A guarded reader of its own destination leaves the read in flight.
#[test]
fn a_guarded_update_still_reads_its_register() {
    let lines = |guard: &str| {
        format!(
            "B------:R-:W-:-:S02 STG.E desc[UR4][R2.64], R0
             B------:R-:W0:-:S02 LDS R8, [R9]
             B0-----:R-:W-:-:S05 {guard}MOV R0, RZ
             B------:R-:W-:-:S05 EXIT"
        )
    };
    for guard in ["", "@P0 "] {
        clean("sm_90a", &lines(guard));
        let without = lines(guard).replace("B0-----", "B------");
        let found = found("sm_90a", &without);
        assert_eq!(found, [(HazardKind::WriteWithoutWait, 0, 2)], "{guard}");
    }
}

/// Results of two queues are in no order, nor those of operations without one.
#[test]
fn a_scoreboard_covers_earlier_results_of_its_own_queue_only() {
    let lines = |first: &str, later: &str| {
        format!(
            "B------:R-:W-:-:S02 {first}
             B------:R-:W0:-:S02 {later}
             B0-----:R-:W-:-:S05 FADD R2, R0, R0
             B------:R-:W-:-:S05 EXIT"
        )
    };
    let (shared, special) = ("LDS R0, [R8]", "MUFU.RCP R0, R8");
    clean("sm_90a", &lines(shared, "LDS R1, [R9]"));
    clean("sm_90a", &lines(special, "MUFU.RCP R1, R9"));
    for (first, later) in [
        (shared, "MUFU.RCP R1, R9"),
        (special, "LDS R1, [R9]"),
        ("LDG.E R0, desc[UR4][R8.64]", "LDG.E R1, desc[UR4][R10.64]"),
    ] {
        assert_eq!(
            kinds("sm_90a", &lines(first, later)),
            [HazardKind::ReadWithoutWait],
            "{first}, {later}"
        );
    }
}

/// A read barrier says that operands were read, not that results are there.
#[test]
fn a_read_barrier_does_not_cover_results() {
    let lines = |wait: &str| {
        format!(
            "B------:R1:W0:-:S02 LDG.E R0, desc[UR4][R8.64]
             B{wait}:R-:W-:-:S05 FADD R2, R0, R0
             B------:R-:W-:-:S05 EXIT"
        )
    };
    clean("sm_90a", &lines("0-----"));
    assert_eq!(
        found("sm_90a", &lines("-1----")),
        [(HazardKind::ReadWithoutWait, 0, 1)]
    );
}

/// An earlier operation of the queue is covered by the later one's scoreboard, not the later one
/// by the earlier one's.
#[test]
fn a_scoreboard_does_not_cover_later_operations() {
    let lines = "B------:R-:W0:-:S02 LDS R0, [R8]
        B------:R-:W1:-:S02 LDS R1, [R9]
        B0-----:R-:W-:-:S05 FADD R2, R1, R1
        B------:R-:W-:-:S05 EXIT";
    assert_eq!(
        found("sm_90a", lines),
        [(HazardKind::ReadWithoutWait, 1, 2)]
    );
}

/// An operation without a queue, `R2UR` of sm_80, may read its operand after a later instruction
/// without one has written it.
#[test]
fn operations_without_a_queue_read_their_operands_in_any_order() {
    let lines = |wait: &str| {
        format!(
            "B------:R-:W0:-:S02 R2UR UR4, R0
             B{wait}:R-:W-:-:S05 MOV R0, RZ
             B0-----:R-:W-:-:S05 EXIT"
        )
    };
    clean("sm_80", &lines("0-----"));
    assert_eq!(
        found("sm_80", &lines("------")),
        [(HazardKind::WriteWithoutWait, 0, 1)]
    );
}

/// What nothing in the callee waits for is in flight after the call; what it waits for is not.
#[test]
fn operations_of_the_caller_are_in_flight_after_a_call() {
    let lines = |callee: &str| {
        format!(
            "B------:R-:W0:-:S02 LDG.E R0, desc[UR4][R2.64]
             B------:R-:W-:-:S05 CALL.REL.NOINC `($k$helper)
             B------:R-:W-:-:S05 FADD R5, R0, R0
             B------:R-:W-:-:S05 EXIT
             $k$helper:
             B{callee}:R-:W-:-:S05 FADD R4, R6, R6
             B------:R-:W-:-:S05 RET.REL.NODEC R8 `(k)"
        )
    };
    clean("sm_90a", &lines("0-----"));
    assert_eq!(
        found("sm_90a", &lines("------")),
        [(HazardKind::ReadWithoutWait, 0, 2)]
    );
}
