//! Orders of real and random machine code, judged by what did not make them.

use super::pair_tests::pairing_lines;
use super::*;
use crate::instructions::bound::least_cycles;
use crate::instructions::strategies::{ALL, LONGEST_PERMUTATION, exact, named};
use crate::instructions::{Clock, Cost, Region};
use crate::sass::simulate::simulate_with;
use crate::sass::test_support::{Random, function, random_lines, real_functions};
use crate::sass::verify::order::check_order;

/// Schedules a function, and judges the result: same instructions, dependences in order, no hazard, never slower
/// than what was given if that had none, nor than the old order with new words; the same again.
pub(super) fn judged<'f>(
    name: &str,
    before: &Function<'f>,
    options: &Options<'_>,
) -> (Outcome, Function<'f>) {
    let model = LatencyModel::for_code(&before.target).expect("a model");
    let frequencies = Frequencies::of_loops(before);
    let mut after = before.clone();
    let outcome = schedule(&mut after, model, &frequencies, options);
    let findings = check_order(before, &after);
    let wrong = findings.iter().find(|found| !found.is_padding());
    assert!(
        wrong.is_none(),
        "{name}: {}",
        wrong.map(ToString::to_string).unwrap_or_default()
    );
    let facts = FunctionFacts::new(&after, model);
    let report = simulate_with(&after, &facts, model, &frequencies);
    assert!(report.hazards.is_empty(), "{name}: {}", report.hazards[0]);
    assert_eq!(report.timing.cycles, outcome.after, "{name}");
    assert!(outcome.after <= outcome.before, "{name}: {outcome:?}");
    let given = FunctionFacts::new(before, model);
    if options.keeps_words && hazards(before, &given, model).is_empty() {
        assert!(outcome.after <= outcome.given, "{name}: {outcome:?}");
    }
    let moved = |block: BlockIndex| {
        let old = before.blocks[block].instructions.iter();
        let mut places = old.zip(&after.blocks[block].instructions);
        places.any(|(old, new)| old.address != new.address)
    };
    assert!(
        outcome.blocks.iter().all(|found| moved(found.block)),
        "{name}"
    );
    assert!(options.moves || outcome.blocks.is_empty(), "{name}");
    let counts = [before, &after].map(|function| function.instructions().count());
    assert!(!options.in_place || counts[0] == counts[1], "{name}");
    let mut again = before.clone();
    schedule(&mut again, model, &frequencies, options);
    assert_eq!(again, after, "{name}: another result for the same function");
    (outcome, after)
}

#[test]
fn real_code_keeps_its_order_and_becomes_faster() {
    let options = Options {
        keeps_words: true,
        ..Options::default()
    };
    let mut gained = 0;
    for (name, before) in real_functions() {
        if before.opaque().is_none() {
            let (outcome, _) = judged(&name, &before, &options);
            gained += usize::from(outcome.after < outcome.before);
            let in_place = Options {
                in_place: true,
                ..Options::default()
            };
            judged(&name, &before, &in_place);
        }
    }
    assert!(gained > 20, "{gained} functions became faster");
}

#[test]
fn random_code_keeps_its_order() {
    let mut random = Random::new(0x51f0_77aa);
    for number in 0..400 {
        let blocks = 1 + random.below(5);
        let target = ["sm_52", "sm_75", "sm_80", "sm_90a", "sm_100a", "sm_120a"][number % 6];
        let lines = random_lines(&mut random, blocks, 4 + number % 60);
        let options = Options {
            moves: number % 7 > 0,
            keeps_words: number % 2 == 0,
            ..Options::default()
        };
        let name = format!("program {number}");
        judged(&name, &function(target, &lines), &options);
    }
}

#[test]
fn each_strategy_keeps_the_order() {
    let mut random = Random::new(0x1234_5678);
    for strategy in ALL {
        let options = Options {
            strategy: Some(strategy),
            ..Options::default()
        };
        for number in 0..10 {
            let blocks = 1 + random.below(3);
            let lines = random_lines(&mut random, blocks, 5 + 3 * number);
            let name = format!("{} of program {number}", strategy.name());
            let target = ["sm_90a", "sm_50"][number % 2];
            judged(&name, &function(target, &lines), &options);
        }
    }
    assert_eq!(named("list"), Some(ALL[0]));
    assert_eq!(named("lists"), None);
}

/// All orders of a region that keep its dependences, unless there are more than `most`.
pub(super) fn all_orders(region: &Region<'_>, most: usize) -> Option<Vec<Vec<u32>>> {
    let mut orders = vec![Vec::new()];
    for _ in 0..region.len() {
        let mut longer = Vec::new();
        for order in &orders {
            for node in 0..u32::try_from(region.len()).expect("short") {
                let mut before = region.graph.predecessors(node as usize).iter();
                if !order.contains(&node) && before.all(|edge| order.contains(&edge.from)) {
                    let mut next: Vec<u32> = order.clone();
                    next.push(node);
                    longer.push(next);
                }
            }
        }
        if longer.len() > most {
            return None;
        }
        orders = longer;
    }
    Some(orders)
}

/// Calls a closure with the regions of a function, as they are in the order of the program.
pub(super) fn with_regions<T>(function: &Function<'_>, run: impl FnOnce(&[Region<'_>]) -> T) -> T {
    let model = LatencyModel::for_code(&function.target).expect("a model");
    let frequencies = Frequencies::of_loops(function);
    let facts = FunctionFacts::new(function, model);
    let blocks = 0..function.blocks.len();
    let regions = Regions::new(function, &facts, model, &frequencies, blocks);
    let program = function
        .blocks
        .iter()
        .map(|block| (0..block.instructions.len() as u32).collect());
    let program: Vec<Vec<u32>> = program.collect();
    let predecessors = function.predecessors();
    let flow = Flow::new(&regions, function, &frequencies, &predecessors, &program);
    let region = |block| {
        let mut region = regions.get(block).clone();
        region.entry = flow.entry(block, false);
        (region.departures, region.targets) = flow.departures(block);
        region
    };
    let regions: Vec<Region<'_>> = (0..function.blocks.len()).map(region).collect();
    run(&regions)
}

/// Lines without waits, from instructions and labels.
pub(super) fn lines_of(texts: &[&str]) -> String {
    let line = |text: &&str| match text.ends_with(':') {
        true => format!("{text}\n"),
        false => format!("B------:R-:W-:-:S01 {text}\n"),
    };
    texts.iter().map(line).collect()
}

/// The program order of a region.
pub(super) fn program(region: &Region<'_>) -> Vec<u32> {
    (0..region.len() as u32).collect()
}

/// Makes lines with about so many blocks and instructions.
pub(super) type Lines = fn(&mut Random, usize, usize) -> String;

/// Calls a closure on the regions of random blocks for a target until it returns `false`.
pub(super) fn on_random_regions(
    seed: u64,
    (target, lines_of): (&str, Lines),
    lengths: std::ops::Range<usize>,
    mut run: impl FnMut(&Region<'_>) -> bool,
) {
    let mut random = Random::new(seed);
    loop {
        let length = lengths.start + random.below(lengths.len());
        let blocks = 1 + random.below(2);
        let lines = lines_of(&mut random, blocks, length * blocks);
        let goes_on = with_regions(&function(target, &lines), |regions| {
            let mut regions = regions.iter();
            regions.all(|region| !lengths.contains(&region.len()) || run(region))
        });
        if !goes_on {
            return;
        }
    }
}

#[test]
fn permutation_equals_brute_force() {
    compare_permutations("sm_90a", random_lines);
    compare_permutations("sm_52", random_lines);
    compare_permutations("sm_52", pairing_lines);
}

fn compare_permutations(target: &str, lines: Lines) {
    let (mut compared, mut reached) = (0, 0);
    on_random_regions(
        0xabcdef,
        (target, lines),
        3..LONGEST_PERMUTATION + 1,
        |region| {
            let Some(orders) = all_orders(region, 20_000) else {
                return true;
            };
            let mut clock = Clock::new(region);
            let least = orders.iter().map(|order| clock.cost(order).cycles).min();
            let program = program(region);
            let (found, is_certain) = exact(region, &program, u64::MAX);
            assert!(is_certain && region.allows(&found));
            assert_eq!(Some(clock.cost(&found).cycles), least, "{found:?}");
            let bound = Some(least_cycles(region));
            assert!(bound <= least, "{bound:?} {least:?}");
            reached += u64::from(bound == least);
            compared += 1;
            compared < 1000
        },
    );
    println!("{target}: {reached} of {compared} blocks cost what their bound is");
    assert!(3 * reached > compared, "{target}: {reached}");
}

#[test]
fn list_scheduling_is_near_the_optimum() {
    let list = named("list").expect("the default");
    let (mut blocks, mut sums, mut equal) = (0, [0, 0], 0);
    on_random_regions(0x7777_1111, ("sm_90a", random_lines), 8..21, |region| {
        let program = program(region);
        let (best, is_certain) = exact(region, &program, 20_000);
        if region.repeats() || !is_certain {
            return true;
        }
        let mut clock = Clock::new(region);
        let order = list
            .order(region, &program, &Settings::default())
            .expect("an order");
        let costs: [Cost; 2] = [clock.cost(&best), clock.cost(&order)];
        assert!(costs[0].cycles <= costs[1].cycles, "{order:?}");
        sums = [sums[0] + costs[0].cycles, sums[1] + costs[1].cycles];
        equal += u64::from(costs[0].cycles == costs[1].cycles);
        blocks += 1;
        blocks < 100
    });
    let gap = (sums[1] - sums[0]) as f64 / sums[0] as f64 * 100.0;
    println!(
        "{blocks} blocks of 8 to 20: the list scheduler takes {gap:.2} % more, {equal} are optimal"
    );
    assert!(gap < 4.0, "{gap}");
}

/// Instructions at given addresses stay there, and others on their sides of them.
#[test]
fn fixed_instructions_keep_their_places() {
    let mut random = Random::new(0x0f1c_5ed1);
    let mut moved = 0;
    for number in 0..60 {
        let blocks = 1 + random.below(3);
        let lines = random_lines(&mut random, blocks, 40);
        let before = function("sm_90a", &lines);
        let addresses: Vec<u64> = before.instructions().map(|found| found.address).collect();
        let fixed: Vec<u64> = (0..3)
            .map(|_| addresses[random.below(addresses.len())])
            .collect();
        let options = Options {
            fixed: &fixed,
            in_place: true,
            ..Options::default()
        };
        let name = format!("program {number}");
        let (outcome, after) = judged(&name, &before, &options);
        moved += outcome.blocks.len();
        for address in &fixed {
            let mut places = addresses.iter().zip(after.instructions());
            let crossed =
                places.find(|(place, found)| place.cmp(&address) != found.address.cmp(address));
            assert!(crossed.is_none(), "{name}: {crossed:?} across {address:#x}");
        }
    }
    assert!(moved > 30, "{moved} blocks");
}

/// Code for `sm_100` whose doubles take no scoreboards, as ptxas 13.0 makes it, is right there and wrong on sm_103: its
/// new words need none either. With scoreboards, or with words that are wrong on both, they do.
#[test]
fn code_for_one_machine_stays_for_it() {
    let code = LatencyModel::for_code("sm_100").expect("a model");
    let own = LatencyModel::for_target("sm_100").expect("a model");
    let lines = |first: &str, second: &str| {
        format!("{first} DADD R4, R2, R2\n{second} DADD R6, R4, R4\nB------:R-:W-:-:S05 EXIT")
    };
    for (first, second, expected) in [
        ("B------:R-:W-:-:S15", "B------:R-:W-:-:S15", own),
        ("B------:R-:W0:-:S02", "B0-----:R-:W-:-:S02", code),
        ("B------:R-:W-:-:S01", "B------:R-:W-:-:S01", code),
    ] {
        let before = function("sm_100", &lines(first, second));
        let found = model_of(&before, code);
        assert!(std::ptr::eq(found, expected), "{first}");
        // Another machine that was asked for.
        let other = LatencyModel::for_target("sm_103").expect("a model");
        assert!(std::ptr::eq(model_of(&before, other), other));
    }
}

/// Two loads, and what reads the first: both loads are started before it is waited for.
#[test]
fn loads_start_before_the_first_wait() {
    let before = function(
        "sm_90a",
        "B------:R-:W-:-:S01 LDG.E R0, desc[UR4][R2.64]\n\
         B------:R-:W-:-:S01 FADD R4, R0, R1\n\
         B------:R-:W-:-:S01 LDG.E R6, desc[UR4][R2.64+0x4]\n\
         B------:R-:W-:-:S01 FADD R8, R6, R1\n\
         B------:R-:W-:-:S05 EXIT",
    );
    let mut after = before.clone();
    let model = LatencyModel::for_code("sm_90a").expect("a model");
    let frequencies = Frequencies::of_loops(&before);
    let outcome = schedule(&mut after, model, &frequencies, &Options::default());
    let texts: Vec<String> = after.instructions().map(ToString::to_string).collect();
    assert!(
        texts[0].starts_with("LDG.E R0") && texts[1].starts_with("LDG.E R6"),
        "{texts:?}"
    );
    // One load is waited for instead of two.
    assert!(outcome.after * 2 < outcome.before + 20, "{outcome:?}");
}
