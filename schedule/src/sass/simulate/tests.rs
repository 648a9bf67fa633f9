use super::*;
use crate::sass::test_support::{function, real_functions};

/// Kinds of hazards with the indices of producer and consumer.
pub(super) fn found(target: &str, lines: &str) -> Vec<(HazardKind, u32, u32)> {
    let model = LatencyModel::for_target(target).expect("a model");
    let report = simulate(&function(target, lines), model);
    let key = |hazard: &Hazard| (hazard.kind, hazard.producer, hazard.consumer);
    report.hazards.iter().map(key).collect()
}

pub(super) fn clean(target: &str, lines: &str) {
    assert_eq!(found(target, lines), [], "{lines}");
}

#[test]
fn fixed_results_take_their_latency() {
    for (stall, hazards) in [
        ("04", vec![]),
        ("03", vec![(HazardKind::ReadTooEarly, 0, 1)]),
    ] {
        let lines = format!(
            "B------:R-:W-:-:S{stall} IADD3 R0, R1, R2, RZ
             B------:R-:W-:-:S05 LOP3.LUT R3, R0, R4, RZ, 0xc0, !PT
             B------:R-:W-:-:S05 EXIT"
        );
        assert_eq!(found("sm_90a", &lines), hazards);
    }
    // The same result takes longer to another unit, and is available if others issue in between.
    let lines = |stall: &str| {
        format!(
            "B------:R-:W-:-:S04 IADD3 R0, R1, R2, RZ
             B------:R-:W-:-:S{stall} NOP
             B------:R-:W-:-:S05 FFMA R3, R0, R4, R5"
        )
    };
    clean("sm_90a", &lines("01"));
    let early = lines("01").replace("S04 IADD3", "S03 IADD3");
    assert_eq!(found("sm_90a", &early), [(HazardKind::ReadTooEarly, 0, 2)]);
}

/// The value that `SYNCS.EXCH` stores is read later than its address, and than operands of other `SYNCS`.
#[test]
fn exchanged_values_take_longer() {
    let shift = "USHF.L.U32 UR10, UR8, 0x1, URZ";
    for (target, least, second) in [
        ("sm_90", 12, "SYNCS.EXCH.64 URZ, [UR4+0x10], UR10"),
        ("sm_120", 12, "SYNCS.EXCH.64 URZ, [UR4+0x10], UR10"),
        ("sm_100", 9, "SYNCS.EXCH.64 URZ, [UR10+0x10], UR4"),
        ("sm_100", 9, "SYNCS.ARRIVE.TRANS64 RZ, [UR10], R4"),
    ] {
        let lines = |stall: usize| {
            format!("B------:R-:W-:-:S{stall:02} {shift}\nB------:R-:W-:-:S05 {second}")
        };
        clean(target, &lines(least));
        let early = [(HazardKind::ReadTooEarly, 0, 1)];
        assert_eq!(found(target, &lines(least - 1)), early, "{second}");
    }
}

/// Code for sm_100 that also runs on sm_103 arms scoreboards for doubles: a wait ends the result however
/// few cycles have passed, on this path and on others, and a wait for another scoreboard does not.
#[test]
fn a_wait_for_the_scoreboard_of_a_fixed_result_ends_it() {
    let lines = |armed: u8| {
        format!(
            "B------:R-:W{armed}:-:S01 DADD R0, R2, R4
             B------:R-:W1:-:S01 LDS R8, [R9]
             B0-----:R-:W-:-:S02 DADD R6, R0, R4"
        )
    };
    clean("sm_100", &lines(0));
    assert_eq!(
        found("sm_100", &lines(1)),
        [(HazardKind::ReadTooEarly, 0, 2)]
    );
    let branch = lines(0).replace("B0-----", "B------:R-:W-:-:S05 BRA `(.L_1)\n.L_1:\nB0-----");
    let late = branch.replace("B0-----", "B-1----");
    clean("sm_100", &branch);
    assert_eq!(found("sm_100", &late), [(HazardKind::ReadTooEarly, 0, 3)]);
}

/// Hand-scheduled code for sm_80 waits for the read scoreboard of the last of the loads from a register; nothing
/// waits so for a load from another, and on sm_86 none does at all.
#[test]
fn loads_from_one_register_read_it_in_order() {
    let lines = |address: u8| {
        format!(
            "B------:R-:W2:-:S02 LDG.E R0, [R8]
             B------:R3:W2:-:S02 LDG.E R1, [R{address}]
             B---3--:R-:W-:-:S04 IADD3 R8, R8, R12, RZ"
        )
    };
    clean("sm_80", &lines(8));
    for (target, address) in [("sm_80", 10), ("sm_86", 8)] {
        assert_eq!(
            found(target, &lines(address)),
            [(HazardKind::WriteWithoutWait, 0, 2)]
        );
    }
}

/// A uniform register is one for all threads: those with `P0` wait for what the others write.
#[test]
fn guards_of_threads_do_not_separate_uniform_registers() {
    let lines = |guard: &str, other: &str| {
        format!(
            "B------:R-:W-:-:S02 @{guard} R2UR UR4, R0
             B------:R-:W-:-:S02 @!{guard} UIADD3 {other}, UR8, 0x1, URZ"
        )
    };
    let early = [(HazardKind::OverwriteTooEarly, 0, 1)];
    assert_eq!(found("sm_90", &lines("P0", "UR4")), early);
    clean("sm_90", &lines("P0", "UR5"));
    clean("sm_90", &lines("UP0", "UR4"));
}

/// DSETP combines the predicate of another after 6 cycles on sm_90, and that of ISETP after 13.
#[test]
fn predicates_of_doubles_are_combined_early() {
    let lines = |stall: &str, first: &str| {
        format!(
            "B------:R-:W-:-:S{stall} {first} P0, PT, R0, R2, PT
             B------:R-:W-:-:S05 DSETP.GT.OR P1, PT, R4, R6, P0"
        )
    };
    clean("sm_90", &lines("06", "DSETP.LT.AND"));
    let early = [(HazardKind::ReadTooEarly, 0, 1)];
    assert_eq!(found("sm_90", &lines("05", "DSETP.LT.AND")), early);
    assert_eq!(found("sm_90", &lines("12", "ISETP.LT.AND")), early);
}

/// Every register of an instruction counts, however often others were read before it.
#[test]
fn each_instruction_is_checked_anew() {
    let lines = "B------:R-:W-:-:S04 IADD3 R0, R1, R2, RZ
        B------:R-:W-:-:S04 LOP3.LUT R3, R0, R4, RZ, 0xc0, !PT
        B------:R-:W-:-:S03 IADD3 R0, R1, R2, RZ
        B------:R-:W-:-:S05 LOP3.LUT R3, R0, R4, RZ, 0xc0, !PT";
    assert_eq!(found("sm_90a", lines), [(HazardKind::ReadTooEarly, 2, 3)]);
}

#[test]
fn guards_take_longer_than_operands() {
    let lines = |stall: &str, reader: &str| {
        format!(
            "B------:R-:W-:Y:S{stall} ISETP.NE.AND P0, PT, R0, RZ, PT
             B------:R-:W-:-:S05 {reader}"
        )
    };
    clean("sm_80", &lines("04", "SEL R1, R2, R3, P0"));
    clean("sm_80", &lines("13", "@P0 IADD3 R1, R2, R3, RZ"));
    assert_eq!(
        found("sm_80", &lines("12", "@P0 IADD3 R1, R2, R3, RZ")),
        [(HazardKind::ReadTooEarly, 0, 1)]
    );
}

#[test]
fn variable_results_need_a_wait() {
    let lines = |wait: &str| {
        format!(
            "B------:R-:W2:-:S15 LDG.E R0, desc[UR4][R2.64]
             B------:R-:W-:Y:S15 NOP
             B{wait}:R-:W-:-:S05 FADD R1, R0, R0"
        )
    };
    clean("sm_90a", &lines("--2---"));
    let model = LatencyModel::for_machine(90).expect("a model");
    let report = simulate(&function("sm_90a", &lines("-1----")), model);
    assert_eq!(report.hazards.len(), 1);
    assert_eq!(
        report.hazards[0].to_string(),
        "reads R0, whose value is still in flight: nothing waits for scoreboard 2"
    );
    assert_eq!(report.lints.len(), 1);
    assert_eq!(report.lints[0].kind, LintKind::WaitNeverArmed);
}

#[test]
fn results_under_way_must_not_be_overwritten() {
    let lines = "B------:R-:W2:-:S15 LDG.E R0, desc[UR4][R2.64]
        B------:R-:W-:-:S05 MOV R0, RZ";
    assert_eq!(
        found("sm_90a", lines),
        [(HazardKind::OverwriteWithoutWait, 0, 1)]
    );
}

#[test]
fn operands_under_way_must_not_be_overwritten() {
    let store = |barrier: &str, wait: &str| {
        format!(
            "B------:R{barrier}:W-:-:S15 STG.E desc[UR4][R2.64], R0
             B{wait}:R-:W-:-:S05 MOV R0, RZ"
        )
    };
    clean("sm_90a", &store("1", "-1----"));
    let hazard = [(HazardKind::WriteWithoutWait, 0, 1)];
    assert_eq!(found("sm_90a", &store("1", "------")), hazard);
    assert_eq!(found("sm_90a", &store("-", "------")), hazard);
    // An access with fixed latency needs two cycles before a load may write.
    let add = |stall: &str| {
        format!(
            "B------:R-:W-:-:S{stall} IADD3 R1, R0, R4, RZ
             B------:R-:W0:-:S05 LDG.E R0, desc[UR4][R2.64]"
        )
    };
    clean("sm_90a", &add("02"));
    assert_eq!(
        found("sm_90a", &add("01")),
        [(HazardKind::WriteTooEarly, 0, 1)]
    );
}

/// Shared memory responds in order; global memory does not. Reads of both are in one order.
#[test]
fn queues_keep_their_order() {
    let two = |load: &str| {
        format!(
            "B------:R-:W-:-:S01 {load} R0, [R8]
             B------:R-:W0:-:S02 {load} R1, [R9]
             B0-----:R-:W-:-:S05 FADD R2, R0, R1"
        )
    };
    clean("sm_90a", &two("LDS"));
    assert_eq!(
        found("sm_90a", &two("LDL")),
        [(HazardKind::ReadWithoutWait, 0, 2)]
    );
    clean(
        "sm_90a",
        "B------:R-:W-:-:S05 STG.E desc[UR4][R2.64], R0
         B------:R-:W0:-:S05 LDS R0, [R8]
         B0-----:R-:W-:-:S05 FADD R2, R0, R1",
    );
}

#[test]
fn arming_takes_effect_after_two_cycles() {
    let lines = |stall: &str| {
        format!(
            "B------:R-:W0:-:S{stall} MUFU.RCP R0, R1
             B0-----:R-:W-:-:S05 FADD R2, R0, R1"
        )
    };
    clean("sm_80", &lines("02"));
    assert_eq!(
        found("sm_80", &lines("01")),
        [(HazardKind::WaitBeforeArmed, 0, 1)]
    );
}

#[test]
fn a_guard_leaves_the_old_value() {
    let lines = "B------:R-:W0:-:S02 LDG.E R0, desc[UR4][R2.64]
        B------:R-:W-:-:S05 @P0 MOV R4, RZ
        B------:R-:W-:-:S05 FADD R1, R0, R4
        B------:R-:W-:-:S05 @P0 MOV R0, RZ
        B0-----:R-:W-:-:S05 FADD R1, R0, R4";
    assert_eq!(
        found("sm_90a", lines),
        [
            (HazardKind::ReadWithoutWait, 0, 2),
            (HazardKind::OverwriteWithoutWait, 0, 3)
        ]
    );
}

#[test]
fn never_executed_instructions_read_and_write_nothing() {
    clean(
        "sm_90a",
        "B------:R-:W0:-:S02 LDG.E R0, desc[UR4][R2.64]
         B------:R-:W-:-:S05 @!PT FADD R0, R0, R0
         B0-----:R-:W-:-:S05 EXIT",
    );
}

/// On one path the wait is missing; in a loop the next iteration is too early.
#[test]
fn all_ways_count() {
    let lines = "B------:R-:W0:-:S02 LDG.E R0, desc[UR4][R2.64]
        B------:R-:W-:-:S05 @P0 BRA `(.L_x_1)
        B0-----:R-:W-:-:S05 FADD R1, R0, R0
        .L_x_1:
        B------:R-:W-:-:S05 FADD R5, R0, R0
        B------:R-:W-:-:S05 EXIT";
    assert_eq!(
        found("sm_90a", lines),
        [(HazardKind::ReadWithoutWait, 0, 3)]
    );
    let turns = |stall: &str| {
        format!(
            "B------:R-:W-:-:S05 MOV R0, RZ
             .L_x_1:
             B------:R-:W-:-:S05 FADD R1, R0, R0
             B------:R-:W-:-:S{stall} IMAD R0, R0, R4, R5
             B------:R-:W-:-:S01 @P0 BRA `(.L_x_1)
             B------:R-:W-:-:S05 EXIT"
        )
    };
    assert_eq!(
        found("sm_90a", &turns("02")),
        [(HazardKind::ReadTooEarly, 2, 1)]
    );
    clean("sm_90a", &turns("03"));
}

#[test]
fn products_of_warp_groups_need_their_wait() {
    let lines = |left: &str| {
        format!(
            "B------:R-:W-:-:S02 WARPGROUP.ARRIVE
             B------:R-:W-:-:S02 HGMMA.64x8x16.F32 R24, gdesc[UR4], RZ, !UPT, gsb0
             B------:R-:W-:-:S02 HGMMA.64x8x16.F32 R32, gdesc[UR8], RZ, !UPT, gsb0
             B------:R-:W-:-:S02 WARPGROUP.DEPBAR.LE gsb0, {left}
             B------:R-:W-:-:S05 FADD R0, R24, R25
             B------:R-:W-:-:S05 EXIT"
        )
    };
    clean("sm_90a", &lines("0x0"));
    clean("sm_90a", &lines("0x1"));
    assert_eq!(
        found("sm_90a", &lines("0x2")),
        [(HazardKind::ProductInFlight, 1, 4)]
    );
    let other = lines("0x1").replace("R24, R25", "R32, R25");
    assert_eq!(
        found("sm_90a", &other),
        [(HazardKind::ProductInFlight, 2, 4)]
    );
}

/// A product accumulates into registers of an earlier one, in order; its factor must be available.
#[test]
fn products_keep_their_order() {
    let lines = |factor: &str| {
        format!(
            "B------:R-:W-:-:S02 WARPGROUP.ARRIVE
             B------:R-:W-:-:S02 HGMMA.64x8x16.F32 R24, gdesc[UR4], RZ, !UPT
             B------:R-:W-:-:S02 HGMMA.64x8x16.F32 R24, {factor}gdesc[UR8], R24, gsb0
             B------:R-:W-:-:S02 WARPGROUP.DEPBAR.LE gsb0, 0x0
             B------:R-:W-:-:S05 FADD R0, R24, R25"
        )
    };
    clean("sm_90a", &lines(""));
    clean("sm_90a", &lines("R40, "));
    let factor =
        lines("R40, ").replace("64x8x16.F32 R24, gdesc[UR4]", "64x8x16.F32 R40, gdesc[UR4]");
    assert_eq!(
        found("sm_90a", &factor),
        [(HazardKind::ProductInFlight, 1, 2)]
    );
}

#[test]
fn partial_waits_need_an_order() {
    let lines = |left: &str| {
        format!(
            "B------:R-:W0:-:S02 LDG.E R0, desc[UR4][R2.64]
             B------:R-:W0:-:S02 LDG.E R1, desc[UR4][R4.64]
             B------:R-:W-:-:S04 DEPBAR.LE SB0, {left}
             B------:R-:W-:-:S05 FADD R0, R0, R1"
        )
    };
    clean("sm_90a", &lines("0x0"));
    let kinds: Vec<HazardKind> = found("sm_90a", &lines("0x1"))
        .iter()
        .map(|found| found.0)
        .collect();
    assert!(
        kinds.contains(&HazardKind::PartialWaitUnordered),
        "{kinds:?}"
    );
    assert!(kinds.contains(&HazardKind::ReadWithoutWait), "{kinds:?}");
}

#[test]
fn a_store_arms_no_scoreboard_for_results() {
    let store = |word: &str| format!("B------:{word}:-:S02 STG.E desc[UR4][R2.64], R0");
    clean("sm_90a", &store("R0:W-"));
    clean("sm_90a", "B------:R-:W0:-:S02 LDGDEPBAR");
    let hazard = [(HazardKind::NothingToSignal, 0, 0)];
    assert_eq!(found("sm_90a", &store("R-:W0")), hazard);
}

/// Waits for other scoreboards, before the group is closed or behind it, do not concern it, nor does a group that
/// nothing waits for.
#[test]
fn the_scoreboard_of_a_group_of_copies_is_waited_for() {
    for closes in ["R-:W{}:-:S01 LDGDEPBAR", "R{}:W-:-:S01 UTMACMDFLUSH"] {
        let lines = |barrier: &str, behind: &str| {
            let closes = closes.replace("{}", barrier);
            format!(
                "B------:R-:W-:-:S04 DEPBAR.LE SB1, 0x36
                 B------:{closes}
                 B------:R-:W-:-:S05 {behind}
                 B------:R-:W-:-:S05 @P0 EXIT
                 B------:R-:W-:-:S04 {behind}
                 B------:R-:W-:-:S05 EXIT"
            )
        };
        clean("sm_100a", &lines("0", "DEPBAR.LE SB0, 0x0"));
        clean("sm_100a", &lines("1", "NOP"));
        let hazard = [(HazardKind::GroupNotWaitedFor, 1, 1)];
        assert_eq!(found("sm_100a", &lines("1", "DEPBAR.LE SB0, 0x0")), hazard);
        let counted = lines("0", "DEPBAR.LE SB0, 0x0").replacen("SB0, 0x0", "SB5, 0xf", 1);
        clean("sm_100a", &counted);
    }
}

/// The callee reads a result the caller has in flight, and the caller one that the callee leaves.
#[test]
fn calls_are_followed() {
    let lines = |callee: &str, behind: &str| {
        format!(
            "B------:R-:W0:-:S02 LDG.E R0, desc[UR4][R2.64]
             B------:R-:W-:-:S05 CALL.REL.NOINC `($k$helper)
             B{behind}:R-:W-:-:S05 FADD R5, R1, R1
             B------:R-:W-:-:S05 EXIT
             $k$helper:
             B{callee}:R-:W-:-:S05 FADD R4, R0, R0
             B------:R-:W1:-:S02 MUFU.RCP R1, R4
             B------:R-:W-:-:S05 RET.REL.NODEC R8 `(k)"
        )
    };
    clean("sm_90a", &lines("0-----", "-1----"));
    assert_eq!(
        found("sm_90a", &lines("------", "-1----")),
        [(HazardKind::ReadWithoutWait, 0, 4)]
    );
    assert_eq!(
        found("sm_90a", &lines("0-----", "------")),
        [(HazardKind::ReadWithoutWait, 5, 2)]
    );
}

/// The output of ptxas has no hazards. A finding here is a wrong latency, effect or rule.
#[test]
fn real_code_is_clean() {
    let mut checked = Checked::default();
    for (name, function) in real_functions() {
        let model = LatencyModel::for_target(&function.target).expect("a model");
        let report = simulate(&function, model);
        let hazards: Vec<String> = report.hazards.iter().map(ToString::to_string).collect();
        assert!(hazards.is_empty(), "{name} {}: {hazards:?}", function.name);
        checked.add(&report.checked);
    }
    println!("{checked:?}");
    assert!(checked.instructions > 5000 && checked.dependences > 5000 && checked.waits > 500);
}

#[test]
fn time_is_what_stalls_and_waits_take() {
    let model = LatencyModel::for_machine(90).expect("a model");
    let function = function(
        "sm_90a",
        "B------:R-:W0:-:S02 MUFU.RCP R0, R1
         .L_x_1:
         B0-----:R-:W-:-:S05 FADD R2, R0, R1
         B------:R-:W-:-:S05 @P0 BRA `(.L_x_1)
         B------:R-:W-:-:S05 EXIT",
    );
    let timing = simulate(&function, model).timing;
    let frequencies: Vec<u64> = timing.blocks.iter().map(|block| block.frequency).collect();
    assert_eq!(frequencies, [1, 10, 1]);
    // MUFU typically takes 24 cycles, 2 of which are over. One of ten iterations waits for it.
    assert_eq!(timing.breakdown.results, 22);
    assert_eq!(timing.cycles, 2 + 22 + 10 * (5 + 5) + 5);
    assert_eq!(timing.blocks[1].cycles, 2 + 5 + 5);
    assert_eq!(timing.cycles, timing.breakdown.total());
    assert_eq!(timing.most_armed, 1);
    let given = Frequencies::given(vec![1, 3, 1]);
    let facts = FunctionFacts::new(&function, model);
    // How many of them are first iterations is not known.
    let three = simulate_with(&function, &facts, model, &given);
    assert_eq!(three.timing.cycles, 2 + 3 * 32 + 5);
}

/// Every iteration but the first waits for what the one before it left in flight.
#[test]
fn iterations_wait_for_the_one_before() {
    let text = |before: &str| {
        format!(
            "{before}
             .L_x_1:
             B0-----:R-:W-:-:S05 FADD R2, R0, R1
             B------:R-:W0:-:S02 MUFU.RCP R0, R1
             B------:R-:W-:-:S05 @P0 BRA `(.L_x_1)
             B------:R-:W-:-:S05 EXIT"
        )
    };
    let model = LatencyModel::for_machine(90).expect("a model");
    let cycles = |before: &str| {
        simulate(&function("sm_90a", &text(before)), model)
            .timing
            .cycles
    };
    // 2 and 5 of 24 cycles are over at the wait; the loop takes as long whatever was before it.
    let waits = 24 - 7;
    let plain = cycles("B------:R-:W-:-:S02 MOV R0, R1");
    assert_eq!(plain, 2 + 10 * (waits + 5 + 2 + 5) + 5);
    // A load takes 300 cycles, two of which are over: the first iteration waits for it.
    let load = cycles("B------:R-:W0:-:S02 LDG.E R0, desc[UR4][R4.64]");
    assert_eq!(load, plain + (298 - waits));
}

/// Textures deliver in order, so a wait for all but one completes the first of two.
#[test]
fn partial_waits_leave_the_last_textures() {
    let lines = |read: &str| {
        format!(
            "B------:R-:W5:-:S01 TEX.SCR.LL RZ, R6, R2, R7, 0x0, 0x58, 2D, 0x1
             B------:R-:W5:-:S02 TEX.SCR.LL RZ, R8, R2, R9, 0x0, 0x58, 2D, 0x1
             B------:R-:W-:-:S04 DEPBAR.LE SB5, 0x1
             B------:R-:W-:-:S05 FADD R0, {read}, {read}"
        )
    };
    clean("sm_80", &lines("R6"));
    assert_eq!(
        found("sm_80", &lines("R8")),
        [(HazardKind::ReadWithoutWait, 1, 3)]
    );
    // The order of loads is not known.
    let loads = lines("R6").replace(
        "TEX.SCR.LL RZ, R6, R2, R7, 0x0, 0x58, 2D, 0x1",
        "LDG.E R6, [R2.64]",
    );
    assert!(!found("sm_80", &loads).is_empty());
}

#[test]
fn a_stall_of_zero_lets_fixed_results_drain() {
    let lines = |word: &str| {
        format!(
            "B------:R-:W-:{word} HMMA.16816.F32 R4, R8, R2, R4
             B------:R-:W-:-:S05 MOV R0, R4"
        )
    };
    clean("sm_80", &lines("Y:S00"));
    assert_eq!(
        found("sm_80", &lines("-:S02")),
        [(HazardKind::ReadTooEarly, 0, 1)]
    );
}

#[test]
fn a_barrier_of_turing_ends_the_reads_of_its_queue() {
    let with = "B------:R-:W-:-:S04 STS [R0], R1
        B------:R-:W-:-:S05 BAR.SYNC 0x0
        B------:R-:W-:-:S05 MOV R1, R2";
    for other in ["STG.E.SYS [R2], R1", "STL [R0], R1"] {
        clean("sm_75", &with.replace("STS [R0], R1", other));
    }
    let shuffle = "B------:R-:W0:-:S04 SHFL.IDX PT, R3, R0, R1, 0x1f";
    let with_shuffle = with.replace("B------:R-:W-:-:S04 STS [R0], R1", shuffle);
    clean("sm_75", &with_shuffle);
    assert_eq!(found("sm_80", &with_shuffle).len(), 1);
    let without = "B------:R-:W-:-:S09 STS [R0], R1
        B------:R-:W-:-:S05 MOV R1, R2";
    clean("sm_75", with);
    assert_eq!(found("sm_80", with), [(HazardKind::WriteWithoutWait, 0, 2)]);
    assert_eq!(
        found("sm_75", without),
        [(HazardKind::WriteWithoutWait, 0, 1)]
    );
}

#[test]
fn lane_exchanges_deliver_in_order() {
    let lines = |later: &str| {
        format!(
            "B------:R-:W-:-:S01 SHFL.BFLY PT, R0, R1, 0x1, 0x1f
             B------:R-:W0:-:S02 {later}
             B0-----:R-:W-:-:S05 FADD R3, R0, R0"
        )
    };
    clean("sm_90a", &lines("SHFL.BFLY PT, R2, R1, 0x2, 0x1f"));
    assert_eq!(
        found("sm_90a", &lines("LDG.E R2, desc[UR4][R4.64]")),
        [(HazardKind::ReadWithoutWait, 0, 2)]
    );
}
