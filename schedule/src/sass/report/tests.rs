//! Figures of reports, reasoned from latencies, and judged by slower rules that share nothing with them.

use std::collections::BTreeSet;

use orison_sass::function::Function;

use super::*;
use crate::sass::facts::{FunctionFacts, RegisterNumber};
use crate::sass::latency::{LatencyModel, TableFile};
use crate::sass::simulate::{Frequencies, simulate};
use crate::sass::test_support::{Random, function, random_lines, real_functions};

fn measured(name: &str, function: &Function<'_>) -> Measured {
    let model = LatencyModel::for_target(&function.target).expect("a model");
    Measured::new(name, function, model, &Frequencies::of_loops(function))
}

fn of_lines(lines: &str) -> Measured {
    measured("this", &function("sm_90a", lines))
}

/// The reciprocal is there after 24 cycles typically; the sum arrives after 2, waits for 22, and issues at 24.
const RECIPROCAL: &str = "
    B------:R-:W0:-:S02 MUFU.RCP R0, R1
    B0-----:R-:W-:-:S05 FADD R2, R0, R1
    B------:R-:W-:-:S05 EXIT";

#[test]
fn issues_have_their_cycles_and_causes() {
    let found = of_lines(RECIPROCAL);
    let [block] = &*found.blocks else {
        panic!("one block");
    };
    let issues = block.instructions.iter().map(|found| {
        let waits = found.issue.breakdown;
        let boards = found.issue.waited.mask();
        (
            found.arrival(),
            found.issue.cycle,
            waits.stalls,
            waits.results,
            boards,
        )
    });
    let expected = [(0, 0, 1, 0, 0), (2, 24, 4, 22, 1), (29, 29, 4, 0, 0)];
    assert_eq!(issues.collect::<Vec<_>>(), expected);
    assert_eq!((block.span(), found.breakdown.total()), (34, 34));
    assert_eq!(text::armed(block, 0), [(0, 24)]);
    assert_eq!(block.instructions[1].producers, [0]);
    assert_eq!(wait_text(&block.instructions[1]), "22 results SB0");
}

/// The product of the reciprocal has the sum of both latencies before it: 24 and 4. The others depend on nothing.
#[test]
fn the_critical_path_is_the_longest_chain() {
    let found = of_lines(
        "B------:R-:W0:-:S01 MUFU.RCP R0, R1
         B------:R-:W-:-:S05 FADD R4, R5, R6
         B0-----:R-:W-:-:S04 FADD R2, R0, R1
         B------:R-:W-:-:S01 FMUL R3, R2, R2
         B------:R-:W-:-:S05 FADD R7, R4, R4
         B------:R-:W-:-:S05 FADD R8, R0, R0",
    );
    let block = &found.blocks[0];
    assert_eq!(block.critical_path().collect::<Vec<_>>(), [0, 2, 3]);
    assert_eq!(block.critical_cycles, 24 + 4 + 1);
    // The last one needs the reciprocal, too, although the sum has waited for it.
    assert_eq!(block.instructions[5].producers, [0]);
}

/// An operand of a store is read, and its result over it written, 8 cycles apart: a wait for operands.
#[test]
fn waits_for_operands_are_told_from_those_for_results() {
    let found = of_lines(
        "B------:R0:W-:-:S02 STG.E desc[UR4][R2.64], R0
         B0-----:R-:W-:-:S01 MOV R0, R1",
    );
    let moved = &found.blocks[0].instructions[1];
    let class = LatencyModel::for_target("sm_90a").expect("a model");
    let class = class.class(class.class_of("STG.E"));
    assert_eq!(
        moved.issue.breakdown.operands,
        u64::from(class.operands_after) - 2
    );
    assert_eq!(moved.issue.breakdown.results, 0);
    assert_eq!(moved.producers, [0]);
}

/// R3 is needed in every iteration, R0 from one to the next; the guarded write keeps the old R0.
#[test]
fn registers_are_live_around_a_loop() {
    let found = of_lines(
        "B------:R-:W-:-:S01 MOV R3, 0x4
         B------:R-:W-:-:S05 MOV R0, RZ
         .L_x_0:
         B------:R-:W-:-:S05 @P1 IADD3 R0, R3, 0x1, RZ
         B------:R-:W-:-:S13 ISETP.NE.AND P0, PT, R0, RZ, PT
         B------:R-:W-:-:S05 @P0 BRA `(.L_x_0)
         .L_x_1:
         B------:R-:W-:-:S05 EXIT",
    );
    let live = |block: usize| {
        let instructions = found.blocks[block].instructions.iter();
        instructions.map(|found| found.live).collect::<Vec<_>>()
    };
    assert_eq!(live(0), [1, 2]);
    assert_eq!(live(1), [2, 2, 2]);
    assert_eq!(live(2), [0]);
    assert_eq!((found.most_live(), found.loops.len()), (2, 1));
    assert_eq!(found.loops[0].blocks, [1]);
    // Issue and stalls: 5, 13 and 5 cycles.
    assert_eq!(found.loops[0].steady, 23);
}

/// The two loops inside are innermost, that around them is not.
#[test]
fn innermost_loops_have_no_loop_inside() {
    let found = of_lines(
        ".L_x_0:
         B------:R-:W-:-:S05 NOP
         .L_x_1:
         B------:R-:W-:-:S05 @P0 BRA `(.L_x_1)
         .L_x_2:
         B------:R-:W-:-:S05 NOP
         B------:R-:W-:-:S05 @P1 BRA `(.L_x_2)
         B------:R-:W-:-:S05 @P2 BRA `(.L_x_0)
         B------:R-:W-:-:S05 EXIT",
    );
    let loops: Vec<&[usize]> = found.loops.iter().map(|found| &*found.blocks).collect();
    assert_eq!(loops, [&[1][..], &[2]]);
    let steady: Vec<u64> = found.loops.iter().map(|found| found.steady).collect();
    assert_eq!(steady, [5, 10]);
}

/// The second of two equal instructions is the second there, too; `.reuse` makes no difference.
#[test]
fn instructions_that_moved_are_counted() {
    let before = of_lines(
        "B------:R-:W-:-:S01 FADD R0, R1, R2
         B------:R-:W-:-:S01 FADD R3, R1, R2
         B------:R-:W-:-:S01 NOP
         B------:R-:W-:-:S01 NOP",
    );
    let after = measured(
        "after",
        &function(
            "sm_90a",
            "B------:R-:W-:-:S01 NOP
             B------:R-:W-:-:S01:Ua FADD R0, R1.reuse, R2
             B------:R-:W-:-:S01 FADD R3, R1, R2
             B------:R-:W-:-:S01 NOP
             B------:R-:W-:-:S01 EXIT",
        ),
    );
    let report = FunctionReport::new("k", "sm_90a", BUDGET, vec![before, after]);
    let block = &report.versions[1].blocks[0];
    let twins = block.instructions.iter().map(|found| found.twin);
    let expected = [Some(2), Some(0), Some(1), Some(3), None];
    assert_eq!(twins.collect::<Vec<_>>(), expected);
    assert_eq!(block.moved, 1);
}

/// Every instruction arrives when the one before it is done, the parts add up to the time of the simulator, and
/// a block that is executed once takes the cycles that are shown.
#[test]
fn real_functions_add_up() {
    for (name, function) in real_functions() {
        let found = measured(&name, &function);
        let model = LatencyModel::for_target(&function.target).expect("a model");
        let timing = simulate(&function, model).timing;
        assert_eq!(found.breakdown, timing.breakdown, "{name}");
        let has_loops = !found.loops.is_empty();
        for (block, timing) in found.blocks.iter().zip(&timing.blocks) {
            let mut now = 0;
            for found in &block.instructions {
                assert_eq!(found.arrival(), now, "{name}: {}", found.text);
                now = found.end();
                assert!(found.issue.completes >= found.issue.cycle);
            }
            if !has_loops {
                assert_eq!(now, timing.cycles, "{name}: {}", block.label);
            }
            // A dependence cannot be shorter than the code that respects it.
            assert!(block.critical_path().is_sorted());
        }
    }
}

/// Live registers as their definition says: a path to a read without a write that always happens.
#[test]
fn live_registers_are_those_with_a_path_to_a_read() {
    let mut random = Random::new(7);
    for _ in 0..30 {
        let (blocks, instructions) = (1 + random.below(6), 6 + random.below(30));
        let lines = random_lines(&mut random, blocks, instructions);
        let function = function("sm_90a", &lines);
        let model = LatencyModel::for_target("sm_90a").expect("a model");
        let facts = FunctionFacts::new(&function, model);
        let next = next_instructions(&function, &facts);
        let needed = super::pressure::needed(&function, &facts);
        for instruction in 0..facts.len() {
            let before = live_at(&[instruction], &facts, &next);
            let mut behind = live_at(&next[instruction], &facts, &next);
            let writes = facts.writes(instruction).iter().map(|write| write.register);
            behind.extend(writes.filter(|found| found.file() == TableFile::General));
            let expected = before.len().max(behind.len());
            assert_eq!(
                needed[instruction] as usize, expected,
                "{instruction} of\n{lines}"
            );
        }
    }
}

fn next_instructions(function: &Function<'_>, facts: &FunctionFacts) -> Vec<Vec<usize>> {
    let mut next = vec![Vec::new(); facts.len()];
    for (number, block) in function.blocks.iter().enumerate() {
        let range = facts.block(number);
        for instruction in range.clone().skip(1) {
            next[instruction - 1].push(instruction);
        }
        let starts = block
            .successors
            .iter()
            .map(|edge| facts.block(edge.to).start);
        next[range.end - 1].extend(starts);
    }
    next
}

/// The general registers live before any of these instructions.
fn live_at(
    starts: &[usize],
    facts: &FunctionFacts,
    next: &[Vec<usize>],
) -> BTreeSet<RegisterNumber> {
    let all = (0..facts.len()).flat_map(|number| facts.reads(number));
    let all: BTreeSet<RegisterNumber> = all.map(|read| read.register).collect();
    let general = all
        .into_iter()
        .filter(|found| found.file() == TableFile::General);
    let is_live = |register: &RegisterNumber| {
        let mut seen = BTreeSet::new();
        let mut work = starts.to_vec();
        while let Some(at) = work.pop() {
            if !seen.insert(at) {
                continue;
            }
            if facts
                .reads(at)
                .iter()
                .any(|read| read.register == *register)
            {
                return true;
            }
            let mut writes = facts.writes(at).iter();
            let kills = writes.any(|write| write.register == *register);
            if !kills || facts.fact(at).guarded {
                work.extend(&next[at]);
            }
        }
        false
    };
    general.filter(is_live).collect()
}

/// Text of the code is escaped, and the page asks for nothing from elsewhere.
#[test]
fn pages_escape_and_are_self_contained() {
    let mut found = of_lines(RECIPROCAL);
    found.name = "<before> & \"".to_owned();
    found.blocks[0].instructions[0].text = "</pre><script>alert(1)</script>".to_owned();
    let report = FunctionReport::new("<k>", "sm_90a", BUDGET, vec![found]);
    let page = html::render(std::slice::from_ref(&report));
    assert_eq!(page.matches("<script").count(), 1);
    assert!(page.contains("@&lt;k&gt; for sm_90a"));
    assert!(page.contains("&lt;before&gt; &amp; &quot;"));
    // Links stay in the page.
    assert_eq!(
        page.matches("href=").count(),
        page.matches("href=\"#").count()
    );
    for outside in ["src=", "url(", "@import", "fetch(", "XMLHttpRequest"] {
        assert!(!page.contains(outside), "{outside}");
    }
    assert_eq!(page, html::render(&[report]));
}

/// The hotter of two blocks that do not fit together is drawn, both are listed; a third one is too long for
/// either.
#[test]
fn pages_are_bounded() {
    let found = of_lines("B------:R-:W-:-:S01 NOP");
    let block = |length: usize, frequency: u64| {
        let mut block = found.blocks[0].clone();
        block.instructions = vec![block.instructions[0].clone(); length];
        block.frequency = frequency;
        block
    };
    let long = html::DRAWN / 2 + 1;
    let mut found = found.clone();
    found.blocks = vec![block(long, 1), block(long, 10), block(LISTED, 1)];
    let report = FunctionReport::new("k", "sm_90a", BUDGET, vec![found]);
    let page = html::render(&[report]);
    assert!(page.contains("<p>Not listed: 30000 of 33002 instructions, in 1 blocks, "));
    assert_eq!(page.matches("<svg xmlns").count(), 1);
    assert_eq!(page.matches("class=\"mark").count(), long);
    assert_eq!(page.matches("<details").count(), 2);
    assert_eq!(page.matches("<h3>").count(), 3);
}

/// Two functions have 100,000 instructions in blocks of 100: text lists the 300 blocks that take most cycles, and says
/// so; each other block has its title, heads and figures.
#[test]
fn texts_are_bounded() {
    let lines = "B------:R-:W-:-:S01 NOP\n".repeat(100);
    let found = of_lines(&lines);
    let function = |name: &str, blocks: usize, hot: usize| {
        let mut found = found.clone();
        found.blocks = vec![found.blocks[0].clone(); blocks];
        for block in &mut found.blocks[..hot] {
            block.frequency = 10;
        }
        FunctionReport::new(name, "sm_90a", BUDGET, vec![found])
    };
    let all = [function("k", 600, 100), function("l", 400, 250)];
    let text = text::render(&all, 60);
    let first = text.lines().next().unwrap_or_default();
    assert!(
        first.starts_with("Not listed: 70000 of 100000 instructions, in 700 blocks, "),
        "{first}"
    );
    let part = |from: &str| text.split_once(from).expect("a function").1;
    assert_eq!(part("@k for").matches("  NOP\n").count(), LISTED);
    assert_eq!(part("@l for").matches("  NOP\n").count(), 200 * 100);
    assert_eq!(
        text.lines()
            .filter(|line| line.starts_with("block "))
            .count(),
        1000
    );
    let once = text::render(&all[..1], 60);
    assert!(once.len() < text.len());
    // What fits is not mentioned.
    let small = text::render(&[function("k", 300, 0)], 60);
    assert!(small.starts_with("@k for sm_90a\n"));
    assert_eq!(small.matches("  NOP\n").count(), LISTED);
}

/// Of equal shares of a character, the first in the order of the legend is shown; the width is respected.
#[test]
fn charts_fit_their_width() {
    let found = of_lines(RECIPROCAL);
    let report = FunctionReport::new("k", "sm_90a", BUDGET, vec![found]);
    let text = text::render(&[report], 60);
    // 34 cycles fit: each has a character.
    assert!(
        text.contains("│█·rrrrrrrrrrrrrrrrrrrrrr█····█····│"),
        "{text}"
    );
    let charts = text.lines().filter(|line| line.contains('│'));
    assert!(charts.clone().count() >= 4);
    assert!(charts.into_iter().all(|line| line.chars().count() <= 60));
}
