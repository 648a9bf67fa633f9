//! Repairs change what is needed, where it is needed, and no more.

use super::*;
use crate::sass::simulate::simulate;
use crate::sass::test_support::function;

fn repaired(target: &str, lines: &str, what: Repair) -> (Vec<ControlWord>, Mended) {
    let mut function = function(target, lines);
    let model = LatencyModel::for_target(target).expect("a model");
    let mended = repair(&mut function, model, what, &RepairKnobs::default());
    let hazards = simulate(&function, model).hazards;
    assert!(hazards.is_empty(), "{hazards:?}");
    let words = function.instructions().map(|found| found.control);
    (words.collect(), mended)
}

/// `IADD3` to `FFMA` takes 5 cycles: one repair adds the missing 4.
#[test]
fn all_missing_cycles_are_added_at_once() {
    let (words, mended) = repaired(
        "sm_90a",
        "B------:R-:W-:-:S01 IADD3 R0, R1, R2, RZ
         B------:R-:W-:-:S05 FFMA R3, R0, R4, R5
         B------:R-:W-:-:S05 EXIT",
        Repair::Results,
    );
    assert_eq!(words[0].stall.cycles(), 5);
    assert_eq!((mended.stalls, mended.inserted), (1, 0));
}

/// The first instruction of a block lacks cycles on two paths: both have to end later.
#[test]
fn the_stalls_of_all_preceding_blocks_are_lengthened() {
    let (words, mended) = repaired(
        "sm_90a",
        "B------:R-:W-:-:S05 @P0 BRA `(.L_x_1)
         B------:R-:W-:-:S01 IADD3 R0, R1, R2, RZ
         B------:R-:W-:-:S01 BRA `(.L_x_2)
         .L_x_1:
         B------:R-:W-:-:S02 IADD3 R0, R1, R2, RZ
         .L_x_2:
         B------:R-:W-:-:S05 FFMA R3, R0, R4, R5
         B------:R-:W-:-:S05 EXIT",
        Repair::Results,
    );
    assert!(words[2].stall.cycles() >= 4);
    assert!(words[3].stall.cycles() >= 5);
    assert_eq!(mended.inserted, 0);
}

/// The block before ends with a jump to elsewhere: its stall also delays the next block.
#[test]
fn the_stall_of_a_jump_that_may_not_be_taken_is_lengthened() {
    let (words, mended) = repaired(
        "sm_90a",
        "B------:R-:W-:-:S01 IADD3 R0, R1, R2, RZ
         B------:R-:W-:-:S01 @P0 BRA `(.L_x_1)
         B------:R-:W-:-:S05 FFMA R3, R0, R4, R5
         .L_x_1:
         B------:R-:W-:-:S05 EXIT",
        Repair::Results,
    );
    assert_eq!(words[1].stall.cycles(), 4);
    assert_eq!((mended.stalls, mended.inserted), (1, 0));
}

/// `DEPBAR.LE SB0, 1` counts the operations of scoreboard 0: a repair arms another.
#[test]
fn a_repair_arms_no_scoreboard_that_is_counted() {
    let (words, mended) = repaired(
        "sm_80",
        "B------:R-:W-:-:S02 LDG.E R0, [R2.64]
         B------:R-:W-:-:S05 NOP
         B------:R-:W-:-:S04 DEPBAR.LE SB0, 0x1
         B------:R-:W-:-:S05 FADD R1, R0, R0
         B------:R-:W-:-:S05 EXIT",
        Repair::Results,
    );
    assert_eq!(words[0].write_barrier, Barrier::new(1));
    assert_eq!(words[3].wait, words[0].armed());
    assert_eq!((mended.armed, mended.waits), (1, 1));
}

/// A scoreboard that the producer arms is used; a read barrier does not end its results.
#[test]
fn a_repair_waits_for_the_right_side_of_the_producer() {
    let lines = "B------:R1:W2:-:S02 LDG.E R0, desc[UR4][R2.64]
        B------:R-:W-:-:S05 MOV R3, R6
        B--2---:R-:W-:-:S05 FADD R1, R0, R0
        B------:R-:W-:-:S05 EXIT";
    let (words, mended) = repaired("sm_90a", lines, Repair::Operands);
    assert!(words[1].wait.contains(Barrier::ALL[1]));
    assert_eq!((mended.armed, mended.waits), (0, 1));
    let lines = "B------:R1:W-:-:S02 LDG.E R0, desc[UR4][R2.64]
        B-1----:R-:W-:-:S05 FADD R1, R0, R0
        B------:R-:W-:-:S05 EXIT";
    let (words, mended) = repaired("sm_90a", lines, Repair::Results);
    let barrier = words[0].write_barrier.expect("armed");
    assert_ne!(barrier, Barrier::ALL[1]);
    assert!(words[1].wait.contains(barrier));
    assert_eq!((mended.armed, mended.waits), (1, 1));
}

/// A repair of operands changes no results, and the other way round.
#[test]
fn a_repair_leaves_other_hazards_alone() {
    let model = LatencyModel::for_machine(90).expect("a model");
    let mut function = function(
        "sm_90a",
        "B------:R-:W-:-:S01 IADD3 R0, R1, R2, RZ
         B------:R-:W-:-:S05 FFMA R3, R0, R4, R5
         B------:R-:W-:-:S05 EXIT",
    );
    let before = function.clone();
    for what in [Repair::Operands, Repair::Textures] {
        let mended = repair(&mut function, model, what, &RepairKnobs::default());
        assert_eq!(mended, Mended::default());
        assert_eq!(function, before);
    }
}
