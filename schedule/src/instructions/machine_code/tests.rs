//! Orders of real and random machine code, judged by what did not make them.

use super::*;
use crate::instructions::bound::least_cycles;
use crate::instructions::strategies::{ALL, LONGEST_PERMUTATION, exact, named};
use crate::instructions::{Clock, Cost, Region};
use crate::sass::simulate::simulate_with;
use crate::sass::test_support::{Random, function, random_lines, real_functions};
use crate::sass::verify::order::check_order;

/// Schedules a function, and judges the result: same instructions, dependences in order, no hazard, never slower
/// than what was given if that had none, nor than the old order with new words; the same again.
pub(super) fn judged<'a>(
    name: &str,
    before: &Function<'a>,
    options: &Options,
) -> (Function<'a>, Outcome) {
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
    let mut again = before.clone();
    schedule(&mut again, model, &frequencies, options);
    assert_eq!(again, after, "{name}: another result for the same function");
    (after, outcome)
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
            let (_, outcome) = judged(&name, &before, &options);
            gained += usize::from(outcome.after < outcome.before);
        }
    }
    assert!(gained > 20, "{gained} functions became faster");
}

#[test]
fn random_code_keeps_its_order() {
    let mut random = Random::new(0x51f0_77aa);
    for number in 0..400 {
        let blocks = 1 + random.below(5);
        let target = ["sm_75", "sm_80", "sm_90a", "sm_100a", "sm_120a"][number % 5];
        let lines = random_lines(&mut random, blocks, 4 + number % 60);
        judged(
            &format!("program {number}"),
            &function(target, &lines),
            &Options::default(),
        );
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
            judged(&name, &function("sm_90a", &lines), &options);
        }
    }
    assert_eq!(named("list"), Some(ALL[0]));
    assert_eq!(named("lists"), None);
}

/// All orders of a region that keep its dependences, unless there are more than `most`.
fn all_orders(region: &Region<'_>, most: usize) -> Option<Vec<Vec<u32>>> {
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

/// Calls a closure on the regions of random blocks.
fn on_random_regions(
    seed: u64,
    lengths: std::ops::Range<usize>,
    mut run: impl FnMut(&Region<'_>) -> bool,
) {
    let mut random = Random::new(seed);
    loop {
        let length = lengths.start + random.below(lengths.len());
        let blocks = 1 + random.below(2);
        let lines = random_lines(&mut random, blocks, length * blocks);
        let function = function("sm_90a", &lines);
        let model = LatencyModel::for_code(&function.target).expect("a model");
        let frequencies = Frequencies::of_loops(&function);
        let facts = FunctionFacts::new(&function, model);
        let regions = Regions::new(
            &function,
            &facts,
            model,
            &frequencies,
            0..function.blocks.len(),
        );
        let predecessors = function.predecessors();
        let program = function
            .blocks
            .iter()
            .map(|block| (0..block.instructions.len() as u32).collect());
        let flow = Flow::new(
            &regions,
            &function,
            &frequencies,
            &predecessors,
            &program.collect::<Vec<_>>(),
        );
        for block in 0..function.blocks.len() {
            let mut region = regions.get(block).clone();
            region.entry = flow.entry(block, false);
            (region.departures, region.targets) = flow.departures(block);
            if lengths.contains(&region.len()) && !run(&region) {
                return;
            }
        }
    }
}

#[test]
fn permutation_equals_brute_force() {
    let (mut compared, mut reached) = (0, 0);
    on_random_regions(0xabcdef, 3..LONGEST_PERMUTATION + 1, |region| {
        let Some(orders) = all_orders(region, 20_000) else {
            return true;
        };
        let mut clock = Clock::new(region);
        let least = orders.iter().map(|order| clock.cost(order).cycles).min();
        let program: Vec<u32> = (0..region.len() as u32).collect();
        let (found, is_certain) = exact(region, &program, u64::MAX);
        assert!(is_certain && region.allows(&found));
        assert_eq!(Some(clock.cost(&found).cycles), least, "{found:?}");
        let bound = Some(least_cycles(region));
        assert!(bound <= least, "{bound:?} {least:?}");
        reached += u64::from(bound == least);
        compared += 1;
        compared < 1000
    });
    println!("{reached} of {compared} blocks cost what their bound is");
    assert!(2 * reached > compared, "{reached}");
}

#[test]
fn list_scheduling_is_near_the_optimum() {
    let list = named("list").expect("the default");
    let (mut blocks, mut sums, mut equal) = (0, [0, 0], 0);
    on_random_regions(0x7777_1111, 8..21, |region| {
        let program: Vec<u32> = (0..region.len() as u32).collect();
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
