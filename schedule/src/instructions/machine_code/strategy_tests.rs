//! The orders of single strategies, and which of them are tried.

use std::sync::atomic::{AtomicU32, Ordering};

use super::tests::{lines_of, on_random_regions, program, with_regions};
use super::*;
use crate::instructions::registers::{RegisterClass, Value};
use crate::instructions::strategies::{LONGEST_PERMUTATION, named};
use crate::instructions::{Clock, Region};
use crate::sass::test_support::{function, random_lines};

/// The order that a strategy finds for the first block of a function for sm_90.
fn order(strategy: &str, texts: &[&str]) -> Option<Vec<u32>> {
    with_regions(&function("sm_90a", &lines_of(texts)), |regions| {
        let strategy = named(strategy).expect("a strategy");
        strategy.order(&regions[0], &program(&regions[0]), &Settings::default())
    })
}

#[test]
fn list_takes_the_longest_chain_and_latency_what_leads_to_a_load() {
    let texts = [
        "FADD R10, R11, R12",
        "FADD R13, R10, R14",
        "IADD3 R2, R20, R21, RZ",
        "LDG.E R0, desc[UR4][R2.64]",
        "LDG.E R6, desc[UR4][R8.64]",
    ];
    // Chains of 5 cycles at the first sum and 6 at the address.
    assert_eq!(order("list", &texts), Some(vec![2, 0, 4, 1, 3]));
    assert_eq!(order("latency", &texts), Some(vec![4, 2, 0, 3, 1]));
    // What leads to no load stays in the order of the program.
    let texts = ["FADD R0, R1, R2", "FADD R3, R1, R2", "FADD R4, R3, R2"];
    assert_eq!(order("list", &texts), Some(vec![1, 0, 2]));
    assert_eq!(order("latency", &texts), Some(vec![0, 1, 2]));
}

/// What feeds products, also through others, by the longest chain; products in the order of the program; the rest.
#[test]
fn tensor_keeps_products_together() {
    let texts = [
        "FADD R50, R51, R52",
        "MUFU.RCP R53, R54",
        "MOV R60, R61",
        "IADD3 R8, R60, R62, RZ",
        "HMMA.16816.F32 R16, R8, R12, R16",
        "HMMA.16816.F32 R20, R4, R12, R20",
        "HMMA.16816.F32 R24, R4, R12, R24",
    ];
    // While the chain of the first product waits, the others would issue: they are behind what feeds.
    let found = order("tensor", &texts).expect("an order");
    assert_eq!(found[0], 2);
    let place = |node: u32| found.iter().position(|found| *found == node);
    assert!(
        place(5) < place(6) && place(6) < place(0) && place(0) < place(1),
        "{found:?}"
    );
    assert_eq!(order("tensor", &texts[..4]), None);
}

/// The reciprocal is needed at the start of the next iteration, and by nothing in this one: a list scheduler of one
/// iteration issues it behind all sums, those of loops soon.
#[test]
fn strategies_of_loops_look_into_the_next_iteration() {
    let sums = (0..24).map(|number| match number % 2 {
        0 => format!("FADD R{}, R50, R51", 20 + number),
        _ => format!("FADD R{}, R{}, R51", 20 + number, 19 + number),
    });
    let sums: Vec<String> = sums.collect();
    let mut texts = vec![".L_x_0:", "FADD R0, R9, R1"];
    texts.extend(sums.iter().map(String::as_str));
    texts.extend(["MUFU.RCP R9, R10", "@P0 BRA `(.L_x_0)", "EXIT"]);
    with_regions(&function("sm_90a", &lines_of(&texts)), |regions| {
        let mut clock = Clock::new(&regions[0]);
        let mut cost = |strategy: &str| {
            let strategy = named(strategy).expect("a strategy");
            let program = program(&regions[0]);
            let order = strategy.order(&regions[0], &program, &Settings::default());
            clock.cost(&order.expect("an order")).cycles
        };
        let [list, loops, pipelined] = ["list", "loop", "software-pipelining"].map(&mut cost);
        assert!(loops * 10 < list * 9, "{loops} {list}");
        assert!(pipelined * 10 < list * 9, "{pipelined} {list}");
    });
    for strategy in ["loop", "software-pipelining"] {
        assert_eq!(order(strategy, &texts[1..5]), None);
    }
}

/// What a search returns costs no more than what it starts from, keeps all dependences, and is that without effort.
#[test]
fn a_search_is_never_worse() {
    let search = named("search").expect("a strategy");
    let (mut regions, mut better) = (0, 0);
    on_random_regions(0x5ea_4c4, ("sm_90a", random_lines), 12..30, |region| {
        let program = program(region);
        let found = |effort| {
            let settings = Settings {
                effort,
                ..Settings::default()
            };
            search.order(region, &program, &settings).expect("an order")
        };
        let mut clock = Clock::new(region);
        let order = found(10_000);
        assert!(region.allows(&order), "{order:?}");
        let (before, after) = (clock.cost(&program), clock.cost(&order));
        assert!(after <= before);
        better += u32::from(after < before);
        assert_eq!(found(0), program);
        regions += 1;
        regions < 40
    });
    assert!(better > 20, "{better}");
}

#[test]
fn permutation_leaves_long_regions() {
    let texts = ["FADD R0, R1, R2"; LONGEST_PERMUTATION + 1];
    assert_eq!(order("permutation", &texts), None);
    assert!(order("permutation", &texts[1..]).is_some());
}

/// The names of the cascade for the first block, whose iterations are known.
fn tried(phase: Phase, trips: Option<u64>, texts: &[&str]) -> Vec<&'static str> {
    with_regions(&function("sm_90a", &lines_of(texts)), |regions| {
        let region = Region {
            trip_count: trips,
            ..regions[0].clone()
        };
        let chosen = cascade(&region, phase).into_iter();
        chosen.map(Strategy::name).collect()
    })
}

#[test]
fn the_cascade_depends_on_the_region() {
    let mut block = vec!["FADD R0, R1, R2"; LONGEST_PERMUTATION];
    assert_eq!(
        tried(Phase::Ilp, None, &block),
        ["latency", "list", "permutation"]
    );
    assert_eq!(
        tried(Phase::ReduceReg, None, &block),
        ["pressure", "priority"]
    );
    block.push("FADD R0, R1, R2");
    assert_eq!(tried(Phase::Ilp, None, &block), ["latency", "list"]);
    let mut repeated = vec![".L_x_0:"];
    repeated.extend(&block);
    repeated.extend(["@P0 BRA `(.L_x_0)", "EXIT"]);
    let rest = ["loop", "latency", "list", "search"];
    assert_eq!(tried(Phase::Ilp, None, &repeated), rest);
    let pipelined = tried(Phase::Ilp, Some(4), &repeated);
    assert_eq!(
        (pipelined[0], &pipelined[1..]),
        ("software-pipelining", &rest[..])
    );
    repeated[1] = "HMMA.16816.F32 R16, R8, R12, R16";
    let products = tried(Phase::Ilp, None, &repeated);
    assert_eq!((products[0], &products[1..]), ("tensor", &rest[..]));
    let long = vec![".L_x_0:"]
        .into_iter()
        .chain(std::iter::repeat_n(block[0], 400));
    let long: Vec<&str> = long.chain(["@P0 BRA `(.L_x_0)", "EXIT"]).collect();
    assert_eq!(
        tried(Phase::Ilp, Some(4), &long),
        ["loop", "latency", "list"]
    );
}

/// It wants the order that the strategy before it found, and finds none.
struct Probe;

impl Strategy for Probe {
    fn name(&self) -> &'static str {
        "probe"
    }

    fn order(&self, _: &Region<'_>, now: &[u32], _: &Settings) -> Option<Vec<u32>> {
        assert_eq!(now, [1, 0, 2]);
        None
    }
}

#[test]
fn the_cheapest_order_is_chosen() {
    let texts = ["FADD R0, R1, R2", "FADD R3, R1, R2", "FADD R4, R3, R2"];
    with_regions(&function("sm_90a", &lines_of(&texts)), |regions| {
        let (list, latency) = (named("list"), named("latency"));
        let (list, latency) = (list.expect("a strategy"), latency.expect("a strategy"));
        let settings = Settings::default();
        let choice = choose(
            &regions[0],
            &[0, 1, 2],
            &[latency, list, &Probe, latency],
            &settings,
        );
        assert_eq!(choice.order, [1, 0, 2]);
        assert_eq!(choice.strategy, Some(list));
        // The last sum is ready 4 cycles after the one that it reads.
        assert_eq!((choice.before.cycles, choice.after.cycles), (2 * 6, 2 * 5));
    });
    // Both orders occupy the unit for as long: the one that there is stays.
    let texts = ["MUFU.RCP R0, R1", "MUFU.RCP R2, R3"];
    with_regions(&function("sm_90a", &lines_of(&texts)), |regions| {
        let list = named("list").expect("a strategy");
        let choice = choose(&regions[0], &[1, 0], &[list], &Settings::default());
        assert!(choice.before.conflicts > 0);
        assert_eq!((choice.order, choice.strategy), (vec![1, 0], None));
    });
}

/// Refuses a region, and counts how often it is asked.
struct Sparing(AtomicU32);

impl Strategy for Sparing {
    fn name(&self) -> &'static str {
        "sparing"
    }

    fn spares_registers(&self) -> bool {
        true
    }

    fn order(&self, _: &Region<'_>, _: &[u32], _: &Settings) -> Option<Vec<u32>> {
        self.0.fetch_add(1, Ordering::Relaxed);
        None
    }
}

/// Two reciprocals need a register each, and occupy one unit, so that no order is as good as the bound. With two registers
/// what spares them is not asked behind list scheduling; it is alone, in another phase, and with one register.
#[test]
fn registers_are_spared_where_they_are_short() {
    static SPARING: Sparing = Sparing(AtomicU32::new(0));
    let list = named("list").expect("a strategy");
    let texts = ["MUFU.RCP R0, R1", "MUFU.RCP R2, R3"];
    with_regions(&function("sm_90a", &lines_of(&texts)), |regions| {
        let mut region = regions[0].clone();
        for node in 0..2 {
            let value = region.registers.add(Value {
                class: RegisterClass::General,
                width: 1,
                live_in: false,
                live_out: true,
            });
            region.registers.define(node, value);
        }
        let asked = |strategies: &[&'static dyn Strategy], phase: Phase, limit: i32| {
            let mut region = region.clone();
            region.registers.limits[RegisterClass::General as usize] = limit;
            let settings = Settings {
                phase,
                ..Settings::default()
            };
            let before = SPARING.0.load(Ordering::Relaxed);
            choose(&region, &program(&region), strategies, &settings);
            SPARING.0.load(Ordering::Relaxed) - before
        };
        assert_eq!(asked(&[list, &SPARING], Phase::Ilp, 2), 0);
        assert_eq!(asked(&[list, &SPARING], Phase::Ilp, 1), 1);
        assert_eq!(asked(&[&SPARING], Phase::Ilp, 2), 1);
        assert_eq!(asked(&[list, &SPARING], Phase::DynBatch, 2), 1);
    });
}
