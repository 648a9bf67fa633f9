//! The clock, heights and what blocks leave in flight, reasoned from latencies of sm_90: sums 4 cycles, `MUFU` 24 and
//! one every 8, stores read operands within 12.

use super::tests::{lines_of, program, with_regions};
use crate::instructions::{Clock, Cost, heights};
use crate::sass::test_support::function;

/// The cycles at which the instructions of the first block issue in their order.
fn issued(texts: &[&str]) -> Vec<i64> {
    with_regions(&function("sm_90a", &lines_of(texts)), |regions| {
        let mut clock = Clock::new(&regions[0]);
        let nodes = 0..regions[0].len();
        nodes.map(|node| clock.issue(node)).collect()
    })
}

/// The cost of a block in the order of the program.
fn cost(block: usize, texts: &[&str]) -> Cost {
    with_regions(&function("sm_90a", &lines_of(texts)), |regions| {
        Clock::new(&regions[block]).cost(&program(&regions[block]))
    })
}

#[test]
fn instructions_issue_when_what_they_depend_on_is_there() {
    let cases: [(&[&str], &[i64]); 7] = [
        // The sum of both waits for the later one, although that of the other comes after it.
        (
            &["MUFU.RCP R0, R1", "FADD R2, R3, R4", "FADD R5, R0, R2"],
            &[0, 1, 24],
        ),
        // The second is computed behind the first.
        (
            &["MUFU.RCP R0, R1", "MUFU.RCP R2, R3", "FADD R4, R2, R5"],
            &[0, 1, 32],
        ),
        (&["STG.E desc[UR4][R2.64], R0", "MOV R0, R1"], &[0, 12]),
        // A group of copies ends 300 cycles after it was closed.
        (
            &["LDGDEPBAR", "DEPBAR.LE SB0, 0x0", "FADD R3, R4, R5"],
            &[0, 300, 304],
        ),
        (
            &["LDGDEPBAR", "DEPBAR.LE SB0, 0x1", "FADD R3, R4, R5"],
            &[0, 1, 5],
        ),
        // Products of one group: it ends with the last of them.
        (
            &[
                "HGMMA.64x8x16.F32 R24, gdesc[UR4], R24",
                "HGMMA.64x8x16.F32 R32, gdesc[UR8], R32, gsb0",
                "WARPGROUP.DEPBAR.LE gsb0, 0x0",
            ],
            &[0, 1, 129],
        ),
        (
            &[
                "HGMMA.64x8x16.F32 R24, gdesc[UR4], R24",
                "HGMMA.64x8x16.F32 R32, gdesc[UR8], R32, gsb0",
                "WARPGROUP.DEPBAR.LE gsb0, 0x1",
            ],
            &[0, 1, 2],
        ),
    ];
    for (texts, expected) in cases {
        assert_eq!(issued(texts), expected, "{texts:?}");
    }
}

/// The second of three comes 7 cycles too early for its unit, the third 14.
#[test]
fn a_cost_is_cycles_and_then_conflicts() {
    let found = cost(
        0,
        &["MUFU.RCP R0, R1", "MUFU.RCP R2, R1", "MUFU.RCP R3, R1"],
    );
    assert_eq!((found.cycles, found.conflicts), (2 * 3, 7 + 14));
}

/// A loop is entered once and iterates nine times more: its cost is twice the first iteration and nine times the two
/// that follow it.
#[test]
fn an_iteration_waits_for_the_one_before() {
    let of = |text| cost(0, &[".L_x_0:", text, "@P0 BRA `(.L_x_0)", "EXIT"]).cycles;
    // The sum, a cycle, and five behind the jump; the next sum is ready.
    assert_eq!(of("FADD R0, R0, R1"), 2 * 6 + 9 * 12);
    // Reciprocals at 0, 24 and 48: the third iteration ends at 54.
    assert_eq!(of("MUFU.RCP R0, R0"), 2 * 6 + 9 * 48);
}

/// The block ends a cycle after the reciprocal, and the block behind waits the other 23 at its first instruction,
/// a cycle less at its second: only the longer of both is kept.
#[test]
fn what_later_blocks_wait_for_costs() {
    let texts = [
        "MUFU.RCP R0, R1",
        ".L_x_0:",
        "FADD R2, R0, R3",
        "FADD R4, R0, R3",
        "@P0 BRA `(.L_x_0)",
        "EXIT",
    ];
    assert_eq!(cost(0, &texts).cycles, 2 + 2 * 23);
    with_regions(&function("sm_90a", &lines_of(&texts)), |regions| {
        assert_eq!(regions[1].entry.arrivals, [23, 23, 0]);
        let uses: Vec<(u32, i64)> = regions[0]
            .departures
            .iter()
            .map(|found| (found.target, found.at))
            .collect();
        assert_eq!((uses, &*regions[0].targets), (vec![(0, 0)], &[1][..]));
        assert_eq!(heights(&regions[0], None), [24]);
    });
}

/// A write that always happens hides the value from before; one under a guard does not. Of two uses of a value on a
/// way the first one counts.
#[test]
fn later_blocks_see_what_reaches_them() {
    let seen = |first: &str, second: &str| {
        let texts = [
            "MUFU.RCP R0, R1",
            first,
            ".L_x_0:",
            second,
            "FADD R2, R0, R3",
            "@P0 BRA `(.L_x_0)",
            "EXIT",
        ];
        with_regions(&function("sm_90a", &lines_of(&texts)), |regions| {
            let uses = regions[0].departures.len();
            (regions[1].entry.arrivals.clone(), uses)
        })
    };
    assert_eq!(seen("NOP", "NOP"), (vec![0, 22, 0], 1));
    // The copy waits for the reciprocal, to replace it, and is there 5 cycles later, 4 behind the end.
    assert_eq!(seen("MOV R0, R5", "NOP"), (vec![0, 4, 0], 1));
    assert_eq!(seen("@P1 MOV R0, R5", "NOP"), (vec![0, 4, 0], 2));
    assert_eq!(seen("NOP", "MOV R0, R5"), (vec![22, 0, 0], 1));
    assert_eq!(seen("NOP", "@P1 MOV R0, R5"), (vec![22, 22, 0], 1));
}

/// Values pass through blocks that do not touch them; behind those that replace them there is no use of them.
#[test]
fn values_pass_through_blocks() {
    let seen = |first: &str, between: &[&str]| {
        let texts = [
            &[first, ".L_x_0:"],
            between,
            &[
                "@P0 BRA `(.L_x_0)",
                ".L_x_1:",
                "FADD R2, R0, R3",
                "@P1 BRA `(.L_x_1)",
                "EXIT",
            ],
        ];
        with_regions(&function("sm_90a", &lines_of(&texts.concat())), |regions| {
            let uses = regions[0].departures.len();
            (regions[2].entry.arrivals.clone(), uses)
        })
    };
    let reciprocal = "MUFU.RCP R0, R1";
    // After 1 cycle of the first block and 6 of the second.
    assert_eq!(seen(reciprocal, &["NOP"]), (vec![17, 0], 1));
    // The second block replaces it: only its own use counts.
    assert_eq!(seen(reciprocal, &["MOV R0, R5"]), (vec![0, 0], 1));
    // A load is in flight long after its operands have been read: 300 cycles, less 1 and 54.
    let chain = ["MUFU.RCP R7, R8", "MUFU.RCP R9, R7", "FADD R11, R9, R9"];
    let load = "LDG.E R0, desc[UR4][R4.64]";
    assert_eq!(seen(load, &chain), (vec![245, 0], 1));
}

/// Chains go on through waits for groups, and through iterations.
#[test]
fn heights_are_the_longest_chains() {
    let of = |texts: &[&str], interval| {
        with_regions(&function("sm_90a", &lines_of(texts)), |regions| {
            heights(&regions[0], interval)
        })
    };
    let texts = ["MUFU.RCP R0, R1", "FADD R2, R0, R3", "FADD R4, R5, R6"];
    assert_eq!(of(&texts, None), [25, 1, 1]);
    // A store reads its operand within 12 cycles.
    let texts = ["STG.E desc[UR4][R2.64], R0", "MOV R0, R1"];
    assert_eq!(of(&texts, None), [13, 1]);
    // The wait for a group takes 4 cycles to issue the next instruction.
    assert_eq!(of(&["LDGDEPBAR", "DEPBAR.LE SB0, 0x0"], None), [304, 4]);
    let texts = [".L_x_0:", "MUFU.RCP R0, R0", "@P0 BRA `(.L_x_0)", "EXIT"];
    assert_eq!(of(&texts, None)[0], 6);
    // Twice through the next iteration, which starts 10 cycles later: 24 + (24 + 6 - 10) - 10.
    assert_eq!(of(&texts, Some(10))[0], 34);
}

#[test]
fn an_order_has_each_node_once_and_keeps_dependences() {
    for (second, allowed) in [("FADD R2, R0, R3", false), ("FADD R2, R3, R3", true)] {
        let texts = ["MUFU.RCP R0, R1", second];
        with_regions(&function("sm_90a", &lines_of(&texts)), |regions| {
            assert!(regions[0].allows(&[0, 1]));
            assert_eq!(regions[0].allows(&[1, 0]), allowed);
            for order in [&[0, 0][..], &[0], &[0, 1, 1], &[0, 2], &[]] {
                assert!(!regions[0].allows(order), "{order:?}");
            }
        });
    }
}
