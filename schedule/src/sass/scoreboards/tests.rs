//! The result is checked by the simulator, which shares no code with it.

use super::*;
use crate::sass::simulate::{Report, simulate};
use crate::sass::test_support::{Random, function, random_lines, real_functions};

fn model_of(function: &Function<'_>) -> &'static LatencyModel {
    LatencyModel::for_target(&function.target).expect("a model")
}

pub(super) fn made<'a>(from: &Function<'a>, knobs: &Knobs) -> (Function<'a>, Summary) {
    let mut function = from.clone();
    strip(&mut function);
    let frequencies = Frequencies::of_loops(&function);
    let summary = assign(&mut function, model_of(from), &frequencies, knobs);
    (function, summary)
}

/// What the simulator finds.
pub(super) fn report(function: &Function<'_>) -> Report {
    simulate(function, model_of(function))
}

pub(super) fn check(name: &str, function: &Function<'_>) -> Report {
    let report = report(function);
    if let Some(hazard) = report.hazards.first() {
        let instructions: Vec<_> = function.instructions().collect();
        let consumer = instructions[hazard.consumer as usize];
        let producer = instructions[hazard.producer as usize];
        panic!(
            "{name}: {}: {consumer}: {hazard}\n  {producer}",
            function.name
        );
    }
    report
}

/// One block of unguarded lines on sm_90a, recomputed; returns the control words.
pub(super) fn words(lines: &str, knobs: &Knobs) -> Vec<ControlWord> {
    words_for("sm_90a", lines, knobs)
}

/// One block of unguarded lines on a machine, recomputed; returns the control words.
pub(super) fn words_for(target: &str, lines: &str, knobs: &Knobs) -> Vec<ControlWord> {
    let lines: String = lines
        .lines()
        .map(|line| format!("B------:R-:W-:-:S01 {}\n", line.trim()))
        .collect();
    let from = function(target, &lines);
    let (made, _) = made(&from, knobs);
    check(target, &made);
    made.instructions().map(|found| found.control).collect()
}

#[test]
fn real_code_is_free_of_hazards_and_not_slower() {
    let (mut before, mut after) = (0, 0);
    for (name, function) in real_functions() {
        let own = simulate(&function, model_of(&function)).timing.cycles;
        let (made, summary) = made(&function, &Knobs::default());
        let report = check(&name, &made);
        assert_eq!(
            summary.inserted, 0,
            "{name}: ptxas needed no more instructions"
        );
        if !name.contains(".O0.") {
            let cycles = report.timing.cycles;
            let slow = cycles * 100 > own * 115;
            assert!(!slow, "{name}: {}: {own} -> {cycles}", function.name);
            before += own;
            after += cycles;
        }
    }
    assert!(
        before > 0 && after * 100 <= before * 105,
        "{before} -> {after}"
    );
}

/// Jumps in all directions, and more operations in flight than there are scoreboards.
#[test]
fn random_code_is_free_of_hazards() {
    let mut random = Random::new(11);
    for (blocks, instructions, rounds) in [(1, 80, 20), (8, 60, 40), (30, 120, 10)] {
        for _ in 0..rounds {
            let lines = random_lines(&mut random, blocks, instructions);
            let from = function("sm_90a", &lines);
            let (made, _) = made(&from, &Knobs::default());
            check(&lines, &made);
        }
    }
}

/// More readers of a register meet than the first walk follows: all of them are waited for.
#[test]
fn operations_that_are_not_followed_have_scoreboards() {
    let mut lines = String::new();
    for number in 0..60 {
        lines.push_str(&format!(
            "B------:R-:W-:-:S05 @P0 BRA `(.L_x_{number})
             B------:R-:W-:-:S01 STG.E desc[UR4][R2.64], R7
             B------:R-:W-:-:S01 ATOMG.E.ADD.STRONG.GPU PT, R{}, desc[UR4][R2.64], R7
             .L_x_{number}:
             B------:R-:W-:-:S01 MOV R1, RZ\n",
            8 + number % 4
        ));
    }
    lines.push_str("B------:R-:W-:-:S01 MOV R7, R9\nB------:R-:W-:-:S05 EXIT");
    let (made, _) = made(&function("sm_90a", &lines), &Knobs::default());
    check("stores that may be jumped over", &made);
}

/// The second reciprocal arms the scoreboard of the first, though that of the load is free and has the
/// smaller number.
#[test]
fn a_free_scoreboard_of_the_same_class_is_preferred() {
    let lines = "LDG.E R0, desc[UR4][R10.64]
        MUFU.RCP R1, R9
        IADD3 R2, R1, 0x1, RZ
        IADD3 R3, R0, 0x1, RZ
        MUFU.RCP R4, R9
        IADD3 R5, R4, 0x1, RZ";
    let write = |knobs: &Knobs| {
        let words = words(lines, knobs);
        [0, 1, 4].map(|number| words[number].write_barrier.map(Barrier::index))
    };
    let knobs = Knobs::default();
    assert_eq!(write(&knobs), [Some(0), Some(1), Some(1)]);
    let without = Knobs {
        class_affinity: false,
        ..knobs
    };
    assert_eq!(write(&without), [Some(0), Some(1), Some(0)]);
}

/// Results of one queue arrive in order: after the wait for the second, the first needs none.
#[test]
fn results_before_an_awaited_one_of_their_queue_need_no_scoreboard() {
    let found = words(
        "I2F.S8 R0, R8
         I2F.S8 R1, R9
         FADD R2, R1, R1
         FADD R3, R0, R0
         EXIT",
        &Knobs::default(),
    );
    assert_eq!(found[0].write_barrier, None);
    assert_eq!(found[2].wait, found[1].armed());
    assert_eq!(found[3].wait, BarrierSet::EMPTY);
}

/// Every knob changed, one by one.
fn turned() -> Vec<Knobs> {
    let with = |turn: fn(&mut Knobs)| {
        let mut knobs = Knobs::default();
        turn(&mut knobs);
        knobs
    };
    vec![
        with(|knobs| knobs.barriers = 1),
        with(|knobs| knobs.barriers = 2),
        with(|knobs| knobs.sharing = false),
        with(|knobs| knobs.class_affinity = false),
        with(|knobs| knobs.stall_floor = 3),
        with(|knobs| knobs.longest_stall = 6),
        with(|knobs| knobs.yield_threshold = 5),
        with(|knobs| (knobs.sharing, knobs.eviction_age) = (false, 0)),
        with(|knobs| knobs.conflict_avoidance = true),
        with(|knobs| knobs.across_blocks = false),
        with(|knobs| knobs.strategies = 5),
        with(|knobs| knobs.beam = 0),
        with(|knobs| knobs.latency_scale = 10),
        with(|knobs| knobs.reuse = false),
    ]
}

#[test]
fn every_knob_keeps_code_right_and_does_something() {
    let turned = turned();
    let mut changed = vec![false; turned.len()];
    let words = |function: &Function<'_>| -> Vec<ControlWord> {
        let instructions = function.instructions();
        instructions.map(|found| found.control).collect()
    };
    for (name, function) in real_functions() {
        let plain = words(&made(&function, &Knobs::default()).0);
        for (knobs, changed) in turned.iter().zip(&mut changed) {
            let (made, _) = made(&function, knobs);
            check(&name, &made);
            *changed |= words(&made) != plain;
        }
    }
    for (knobs, changed) in turned.iter().zip(changed) {
        assert!(changed, "{knobs:?}");
    }
}

#[test]
fn words_keep_the_rules() {
    for (name, function) in real_functions() {
        let (made, _) = made(&function, &Knobs::default());
        for found in made.instructions() {
            let broken = orison_sass::control::check(&found.control, 90);
            assert!(broken.is_empty(), "{name}: {found}: {broken:?}");
        }
    }
}

#[test]
fn serial_code_is_safe_and_the_page_is_not() {
    let mut hazards = 0;
    for (name, function) in real_functions() {
        let mut safe = function.clone();
        assign_serial(&mut safe, model_of(&function), SerialScheme::Safe);
        check(&name, &safe);
        let mut page = function.clone();
        assign_serial(&mut page, model_of(&function), SerialScheme::Page);
        hazards += simulate(&page, model_of(&function)).hazards.len();
    }
    assert!(hazards > 100, "{hazards}");
}

#[test]
fn latency_over_the_longest_stall_is_filled_up() {
    let lines = "HMMA.16816.F32 R4, R8, R12, RZ\nFADD R0, R4, R5\nEXIT";
    let from = function(
        "sm_90a",
        &lines
            .lines()
            .map(|line| format!("B------:R-:W-:-:S01 {line}\n"))
            .collect::<String>(),
    );
    let (made, summary) = made(&from, &Knobs::default());
    check("long", &made);
    assert_eq!(summary.inserted, 1);
    let mnemonics: Vec<_> = made
        .instructions()
        .map(|found| found.mnemonic.text())
        .collect();
    assert_eq!(mnemonics, ["HMMA.16816.F32", "NOP", "FADD", "EXIT"]);
    let stalls: u32 = made
        .instructions()
        .take(2)
        .map(|found| u32::from(found.control.stall.cycles()))
        .sum();
    assert_eq!(stalls, 24, "HMMA.16816 takes 24 cycles");
}

#[test]
fn loads_for_one_reader_share_a_scoreboard() {
    let found = words(
        "LDG.E R0, desc[UR4][R8.64]\nLDG.E R1, desc[UR4][R10.64]\nFADD R2, R0, R1\nEXIT",
        &Knobs::default(),
    );
    assert!(found[0].write_barrier.is_some());
    assert_eq!(found[0].write_barrier, found[1].write_barrier);
    assert_eq!(found[2].wait, found[1].armed());
}

#[test]
fn arming_leaves_two_cycles_before_a_wait() {
    let found = words("MUFU.RCP R0, R1\nFADD R2, R0, R0\nEXIT", &Knobs::default());
    assert_eq!(found[0].stall.cycles(), 2);
}

#[test]
fn operands_that_are_overwritten_get_a_scoreboard_of_their_own() {
    let found = words(
        "STG.E desc[UR4][R8.64], R0\nMOV R0, RZ\nEXIT",
        &Knobs::default(),
    );
    assert!(found[0].read_barrier.is_some() && found[0].write_barrier.is_none());
    assert_eq!(found[1].wait, found[0].armed());
}

#[test]
fn what_nobody_waits_for_arms_nothing() {
    let found = words("STG.E desc[UR4][R8.64], R0\nEXIT", &Knobs::default());
    assert!(found[0].armed().is_empty());
}

/// A load acquires once it has completed and the caches are invalid.
#[test]
fn strong_loads_have_completed_before_caches_are_invalid() {
    let wait = |load: &str| {
        let lines = format!("{load} R0, [R8.64]\nCCTL.IVALL\nFADD R2, R0, R0\nEXIT");
        let found = words(&lines, &Knobs::default());
        (found[0].armed(), found[1].wait)
    };
    let (armed, waited) = wait("LD.E.STRONG.SYS");
    assert!(!armed.is_empty());
    assert_eq!(waited, armed);
    assert_eq!(wait("LD.E").1, BarrierSet::EMPTY);
}

/// From sm_90 on the read scoreboard of an `ATOM` is enough for its predicate, before it is not.
#[test]
fn predicates_of_generic_atomics_come_with_the_operands() {
    let atomic = "ATOM.E.ADD.64.STRONG.GPU P0, RZ, [R8.64], R10";
    let found = words(
        &format!("{atomic}\n@P0 MOV R4, RZ\nEXIT"),
        &Knobs::default(),
    );
    assert!(found[0].read_barrier.is_some() && found[0].write_barrier.is_none());
    assert_eq!(found[1].wait, found[0].armed());
    let lines = format!(
        "B------:R0:W-:-:S02 {atomic}\nB0-----:R-:W-:-:S01 @P0 MOV R4, RZ\nB------:R-:W-:-:S05 EXIT"
    );
    for (target, hazards) in [("sm_80", 1), ("sm_90", 0), ("sm_107", 0)] {
        let function = function(target, &lines);
        assert_eq!(
            simulate(&function, model_of(&function)).hazards.len(),
            hazards,
            "{target}"
        );
    }
}

/// The search keeps what it is given unless it is faster; with enough scoreboards it rarely is.
#[test]
fn the_search_is_never_slower_and_sometimes_faster() {
    let without = Knobs {
        beam: 0,
        ..Knobs::default()
    };
    let mut random = Random::new(5);
    let mut functions: Vec<_> = (0..12)
        .map(|round| {
            (
                format!("random {round}"),
                function("sm_90a", &random_lines(&mut random, 6, 90)),
            )
        })
        .collect();
    functions.extend(real_functions());
    let (mut faster, mut tried) = (0, 0);
    for (name, from) in functions {
        let cycles = |knobs: &Knobs| check(&name, &made(&from, knobs).0).timing.cycles;
        let (plain, searched) = (cycles(&without), cycles(&Knobs::default()));
        assert!(
            searched <= plain,
            "{name}: {}: {plain} -> {searched}",
            from.name
        );
        faster += usize::from(searched < plain);
        tried += 1;
    }
    assert!(faster > 0, "none of {tried}");
}

#[test]
fn repairs_bring_back_what_is_taken_away() {
    for (name, function) in real_functions() {
        let model = model_of(&function);
        let mut unchanged = function.clone();
        for what in [Repair::Operands, Repair::Results, Repair::Textures] {
            let mended = repair(&mut unchanged, model, what, &RepairKnobs::default());
            assert_eq!(mended, Mended::default(), "{name}");
        }
        assert_eq!(unchanged, function, "{name}: right code stays");
        let mut broken = function.clone();
        for (number, found) in broken
            .blocks
            .iter_mut()
            .flat_map(|block| &mut block.instructions)
            .enumerate()
        {
            match number % 7 {
                1 => found.control.wait = BarrierSet::EMPTY,
                3 => found.control.stall = Stall::at_most(1),
                _ => {}
            }
        }
        repair(
            &mut broken,
            model,
            Repair::Operands,
            &RepairKnobs::default(),
        );
        repair(&mut broken, model, Repair::Results, &RepairKnobs::default());
        repair(
            &mut broken,
            model,
            Repair::Operands,
            &RepairKnobs::default(),
        );
        check(&name, &broken);
    }
}
