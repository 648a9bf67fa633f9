//! Two instructions in a cycle, on the machines that issue them.

use super::tests::{all_orders, lines_of, on_random_regions, program, with_regions};
use super::*;
use crate::instructions::Clock;
use crate::instructions::strategies::{dual_issue_benefit, named};
use crate::sass::test_support::{Random, function};

/// A block of arithmetic, and memory whose results are not read: what pairs, and few long waits.
pub(super) fn pairing_lines(random: &mut Random, _: usize, instructions: usize) -> String {
    let mut lines = String::new();
    for _ in 0..instructions {
        let mut any = || random.below(12);
        let (a, b, c) = (any(), any(), any());
        let text = match random.below(8) {
            0..3 => format!("FADD R{a}, R{b}, R{c}"),
            3 => format!("SHF.L.U32 R{a}, R{b}, 0x2, RZ"),
            4 => format!("STS [R{b}], R{a}"),
            5 => format!("LDS R{}, [R{b}]", a + 20),
            6 => format!("STG.E [R{}.64], R{a}", b / 2 * 2),
            _ => format!("MOV R{a}, c[0x0][0x160]"),
        };
        lines += &format!("B------:R-:W-:-:S01 {text}\n");
    }
    lines + "B------:R-:W-:-:S05 EXIT"
}

/// Where instructions pair, the strategy is compared with all orders, the list scheduler with both.
#[test]
fn dual_issue_is_near_the_optimum() {
    let strategies = ["dual-issue", "list"].map(|name| named(name).expect("a strategy"));
    let (mut regions, mut least, mut sums, mut equal) = (0, 0, [0, 0], 0);
    on_random_regions(0x52_5252, ("sm_52", pairing_lines), 4..11, |region| {
        if dual_issue_benefit(region) == 0 || region.repeats() {
            return true;
        }
        let Some(orders) = all_orders(region, 20_000) else {
            return true;
        };
        let mut clock = Clock::new(region);
        let best = orders.iter().map(|order| clock.cost(order).cycles).min();
        let best = best.expect("an order");
        let program = program(region);
        let found = strategies.map(|strategy| {
            let order = strategy.order(region, &program, &Settings::default());
            let order = order.expect("an order");
            assert!(region.allows(&order), "{order:?}");
            clock.cost(&order).cycles
        });
        least += best;
        sums = [sums[0] + found[0], sums[1] + found[1]];
        equal += u32::from(found[0] == best);
        regions += 1;
        regions < 300
    });
    let gap = |sum: u64| (sum - least) as f64 / least as f64 * 100.0;
    println!(
        "{regions} regions: {:.2} % above the optimum, {equal} optimal; list {:.2} %",
        gap(sums[0]),
        gap(sums[1])
    );
    assert!(gap(sums[0]) < 0.2 && sums[0] < sums[1], "{sums:?}");
}

/// The cycles at which instructions for a target issue in their order.
fn issued(target: &str, texts: &[&str]) -> Vec<i64> {
    with_regions(&function(target, &lines_of(texts)), |regions| {
        let mut clock = Clock::new(&regions[0]);
        let nodes = 0..regions[0].len();
        nodes.map(|node| clock.issue(node)).collect()
    })
}

#[test]
fn two_instructions_issue_in_a_cycle_where_the_machine_pairs_them() {
    let (add, more) = ("FADD R0, R1, R2", "FADD R3, R1, R2");
    let cases: [(&[&str], &[i64]); 8] = [
        (&[add, "LDS R5, [R6]", more, "LDS R7, [R6]"], &[0, 0, 1, 1]),
        // Memory is the second of a pair, and a pair is of two.
        (
            &["LDS R5, [R6]", add, "LDS R7, [R6]", "LDS R8, [R6]"],
            &[0, 1, 1, 2],
        ),
        (&[add, more], &[0, 1]),
        // It reads what the first writes, as late as shared memory does, or writes what the first reads.
        (&[add, "STS [R6], R0"], &[0, 4]),
        (&[add, "LDS R1, [R6]"], &[0, 2]),
        // One of the two may read constant memory.
        (&["FADD R0, R1, c[0x0][0x160]", "LDS R5, [R6]"], &[0, 0]),
        (
            &["FADD R0, R1, c[0x0][0x160]", "LDC R5, c[0x3][R6]"],
            &[0, 1],
        ),
        (&["P2R R0, PR, RZ, 0x7f", "LDS R5, [R6]"], &[0, 1]),
    ];
    for (texts, expected) in cases {
        assert_eq!(issued("sm_52", texts), expected, "{texts:?}");
    }
    assert_eq!(issued("sm_70", &[add, "LDS R5, [R6]"]), [0, 1]);
}

/// Behind the strategies of loops, in front of those of latencies, where a pair can be formed.
#[test]
fn dual_issue_is_tried_where_a_pair_can_be_formed() {
    let chosen = |target: &str, second: &str| {
        let lines = lines_of(&["FADD R0, R1, R2", second]);
        with_regions(&function(target, &lines), |regions| {
            let chosen = cascade(&regions[0], Phase::Ilp);
            chosen.first().expect("a strategy").name()
        })
    };
    assert_eq!(chosen("sm_50", "LDS R5, [R6]"), "dual-issue");
    assert_eq!(chosen("sm_52", "LDS R5, [R6]"), "dual-issue");
    // It depends on the first.
    assert_eq!(chosen("sm_52", "LDS R5, [R0]"), "latency");
    assert_eq!(chosen("sm_52", "FADD R5, R6, R7"), "latency");
    assert_eq!(chosen("sm_70", "LDS R5, [R6]"), "latency");
}

/// The score counts disjoint pairs of what is ready together, whatever the latencies: of three loads two have a sum
/// that does not depend on them.
#[test]
fn the_benefit_is_the_number_of_pairs() {
    let benefit = |target: &str, texts: &[&str]| {
        with_regions(&function(target, &lines_of(texts)), |regions| {
            dual_issue_benefit(&regions[0])
        })
    };
    let texts = [
        "LDS R0, [R10]",
        "LDS R1, [R10]",
        "LDS R2, [R10]",
        "FADD R3, R4, R5",
        "FADD R6, R3, R5",
    ];
    assert_eq!(benefit("sm_52", &texts), 2);
    assert_eq!(benefit("sm_52", &texts[2..]), 1);
    assert_eq!(benefit("sm_52", &texts[3..]), 0);
    assert_eq!(benefit("sm_70", &texts), 0);
}

/// A partner behind what was issued, and one in front of what can only be second: two cycles for four instructions.
#[test]
fn partners_are_found_on_both_sides() {
    let stores = ["STS [R6], R7", "STS [R8], R9"];
    let sums = ["FADD R0, R1, R2", "FADD R3, R1, R2"];
    let found = |texts: &[&str]| {
        with_regions(&function("sm_52", &lines_of(texts)), |regions| {
            let region = &regions[0];
            let strategy = named("dual-issue").expect("a strategy");
            let order = strategy.order(region, &program(region), &Settings::default());
            let order = order.expect("an order");
            let cycles = Clock::new(region).cost(&order).cycles;
            (order, cycles)
        })
    };
    // The sums are more urgent than the stores, which issue in their cycles all the same: the last sum waits for both.
    let all = [&sums[..], &stores, &["FADD R4, R0, R3"]].concat();
    assert_eq!(found(&all), (vec![0, 2, 1, 3, 4], 2 * 8));
    assert_eq!(found(&[stores, sums].concat()), (vec![2, 0, 3, 1], 2 * 2));
}
