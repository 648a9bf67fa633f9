//! Registers kept for reuse, yields, and the stalls that ptxas always leaves.

use super::tests::words;
use super::*;

/// Without yields, so that only the other rules decide.
fn staying(lines: &str) -> Vec<ControlWord> {
    let knobs = Knobs {
        yield_threshold: 16,
        ..Knobs::default()
    };
    words(lines, &knobs)
}

/// The slots kept by the first of two instructions.
fn kept(first: &str, second: &str) -> u8 {
    staying(&format!("{first}\n{second}\nEXIT"))[0].reuse.mask()
}

#[test]
fn a_register_is_kept_for_the_same_slot_of_the_next_instruction() {
    let first = "FFMA R0, R4, R5, R6";
    for (second, slots) in [
        ("FFMA R1, R4, R8, R9", 0b001),
        ("FFMA R1, R8, R5, R9", 0b010),
        ("FFMA R1, R8, R9, R6", 0b100),
        ("FFMA R1, R4, R5, R6", 0b111),
        // In another slot, or none.
        ("FFMA R1, R5, R4, R9", 0),
        ("FFMA R1, R6, R8, R4", 0),
        ("FFMA R1, R8, R9, R10", 0),
    ] {
        assert_eq!(kept(first, second), slots, "{second}");
    }
}

/// `FADD` has its second source in the third slot.
#[test]
fn a_register_is_kept_in_the_slot_of_its_operand() {
    let first = "FFMA R0, R4, R5, R6";
    for (second, slots) in [
        ("FADD R1, R4, R6", 0b101),
        ("FADD R1, R8, R5", 0),
        ("FMUL R1, R4, R5", 0b011),
        // Numbers have a slot, too.
        ("FFMA R1, R4, 2, R6", 0b101),
    ] {
        assert_eq!(kept(first, second), slots, "{second}");
    }
}

#[test]
fn a_register_that_the_instruction_writes_is_not_kept() {
    assert_eq!(kept("FFMA R4, R4, R5, R6", "FFMA R1, R4, R5, R9"), 0b010);
}

#[test]
fn an_instruction_with_a_guard_keeps_nothing() {
    assert_eq!(kept("@P0 FFMA R0, R4, R5, R6", "FFMA R1, R4, R8, R9"), 0);
}

/// A wait of the next instruction may switch to another warp.
#[test]
fn nothing_is_kept_for_an_instruction_that_waits() {
    let found =
        staying("LDG.E R8, desc[UR4][R2.64]\nFFMA R0, R4, R5, R6\nFFMA R1, R4, R8, R9\nEXIT");
    assert!(!found[2].wait.is_empty());
    assert_eq!(found[1].reuse.mask(), 0);
}

#[test]
fn an_instruction_that_yields_keeps_nothing() {
    let knobs = Knobs {
        yield_threshold: 1,
        ..Knobs::default()
    };
    let found = words("FFMA R0, R4, R5, R6\nFFMA R1, R4, R8, R9\nEXIT", &knobs);
    assert!(found[0].yields);
    assert_eq!(found[0].reuse.mask(), 0);
}

/// "Stay" cannot be encoded with a stall of 12 cycles or more: `ISETP` to a guard takes 13.
#[test]
fn a_long_stall_yields_whatever_the_threshold() {
    let found = staying("ISETP.NE.AND P0, PT, R0, RZ, PT\n@P0 FADD R1, R2, R3\nEXIT");
    assert_eq!(found[0].stall.cycles(), 13);
    assert!(found[0].yields);
    // `DSETP` to an operand takes 6.
    let found = staying("DSETP.NEU.AND P0, PT, R4, R6, PT\nSEL R1, R2, R3, P0\nEXIT");
    assert_eq!(found[0].stall.cycles(), 6);
    assert!(!found[0].yields);
}

#[test]
fn a_stall_of_twelve_yields() {
    // `CREDUX`, `R2UR` and such to a reader: 13 less one for the instruction in between.
    let found = staying("R2UR UR4, R0\nNOP\nUIADD3 UR5, UR4, 0x1, URZ\nEXIT");
    let stalls = [found[0].stall.cycles(), found[1].stall.cycles()];
    assert_eq!(stalls, [1, 12]);
    assert!(found[1].yields);
}

/// ptxas never leaves less than 5 cycles after a jump or the end.
#[test]
fn jumps_and_exits_have_their_least_stall() {
    let found = words("FADD R0, R1, R2\nEXIT", &Knobs::default());
    assert_eq!(found[0].stall.cycles(), 1);
    assert_eq!(found[1].stall.cycles(), 5);
    let found = words("NANOSLEEP R0\nEXIT", &Knobs::default());
    assert_eq!(found[0].stall.cycles(), 5);
}

/// A jump without known targets: nothing may be in flight there.
#[test]
fn everything_is_waited_for_before_control_goes_to_unknown_code() {
    for operation in ["LDG.E R0, desc[UR4][R8.64]", "STG.E desc[UR4][R8.64], R0"] {
        let found = words(&format!("{operation}\nBRX R20 -0x170"), &Knobs::default());
        assert!(!found[0].armed().is_empty(), "{operation}");
        let waits = found[1].wait;
        assert!(
            found[0]
                .armed()
                .iter()
                .all(|barrier| waits.contains(barrier)),
            "{operation}"
        );
    }
}

/// `DEPBAR.LE SB0, 1` counts the operations of scoreboard 0, so no others arm it: not even where
/// `LDGDEPBAR`, which arms it itself, is in a caller.
#[test]
fn a_scoreboard_that_is_counted_is_armed_by_nothing_else() {
    // Strategies reserve scoreboard 0 for operations of short latency.
    let long = |number: usize| format!("LDG.E R{}, desc[UR4][R{}.64]\n", 30 + number, 2 * number);
    let short = |number: usize| format!("MUFU.RCP R{}, R{number}\n", 30 + number);
    let kinds: [&dyn Fn(usize) -> String; 2] = [&long, &short];
    for (group, operation) in ["LDGDEPBAR\n", ""]
        .into_iter()
        .flat_map(|group| kinds.map(|kind| (group, kind)))
    {
        let mut lines: String = (0..7).map(operation).collect();
        lines.push_str(group);
        lines.push_str("DEPBAR.LE SB0, 0x1\n");
        for number in 0..7 {
            lines.push_str(&format!("FADD R{0}, R{0}, R{0}\n", 30 + number));
        }
        lines.push_str("EXIT");
        let found = words(&lines, &Knobs::default());
        if !group.is_empty() {
            assert_eq!(found[7].write_barrier, Barrier::new(0));
        }
        for (number, word) in found[..7].iter().enumerate() {
            assert!(word.write_barrier.is_some(), "{number}");
            assert_ne!(word.write_barrier, Barrier::new(0), "{number}");
        }
    }
}

/// `DEPBAR.LE SB1, 0x36` stands in front of allocations of tensor memory, and products of doubles are counted on
/// scoreboard 5, before and behind the wait for a group.
#[test]
fn a_group_is_closed_on_the_scoreboard_of_its_wait() {
    type Armed = fn(&ControlWord) -> Option<Barrier>;
    let closing: [(&str, Armed); 2] = [
        ("LDGDEPBAR", |word| word.write_barrier),
        ("UTMACMDFLUSH", |word| word.read_barrier),
    ];
    for (closes, armed) in closing {
        for behind in [
            "DEPBAR.LE SB0, 0x0",
            "DEPBAR.LE SB5, 0xf\nDEPBAR.LE SB0, 0x1",
        ] {
            let lines = format!("DEPBAR.LE SB1, 0x36\n{closes}\n{behind}\nEXIT");
            let found = words(&lines, &Knobs::default());
            assert_eq!(armed(&found[1]), Barrier::new(0), "{lines}");
        }
        let other = format!("{closes}\nDEPBAR.LE SB3, 0x0\nEXIT");
        let found = words(&other, &Knobs::default());
        assert_eq!(armed(&found[0]), Barrier::new(3));
    }
}

/// A loop may lead back to the wait.
#[test]
fn a_scoreboard_that_is_counted_is_armed_by_nothing_else_behind_the_wait() {
    let mut lines = "DEPBAR.LE SB0, 0x1\n".to_owned();
    for number in 0..7 {
        let (result, address) = (30 + number, 2 * number);
        lines.push_str(&format!("LDG.E R{result}, desc[UR4][R{address}.64]\n"));
    }
    for number in 0..7 {
        lines.push_str(&format!("FADD R{0}, R{0}, R{0}\n", 30 + number));
    }
    lines.push_str("EXIT");
    let found = words(&lines, &Knobs::default());
    for (number, word) in found[1..8].iter().enumerate() {
        assert!(word.write_barrier.is_some(), "{number}");
        assert_ne!(word.write_barrier, Barrier::new(0), "{number}");
    }
}

/// Every second texture yields; the addition between them is none.
#[test]
fn only_textures_are_counted_in_a_batch() {
    let texture = |number: u32| format!("TEX.SCR.LL RZ, R{number}, R2, R7, 0x0, 0x58, 2D, 0x1\n");
    let add = "IADD3 R40, R41, R42, RZ\n";
    let lines = [
        &texture(10),
        add,
        &texture(12),
        add,
        &texture(14),
        add,
        "EXIT",
    ]
    .concat();
    let knobs = Knobs {
        yield_threshold: 16,
        texture_batch: 2,
        ..Knobs::default()
    };
    let found = words(&lines, &knobs);
    let yields: Vec<bool> = found[..6].iter().map(|word| word.yields).collect();
    assert_eq!(yields, [false, false, true, false, false, false]);
}
