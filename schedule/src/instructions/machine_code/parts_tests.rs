//! Long blocks and long functions.

use orison_sass::scheduled::Origin;

use super::parts::{LONGEST_BLOCK, LONGEST_CHUNK, Parts, chunks};
use super::tests::judged;
use super::*;
use crate::sass::test_support::{Random, function, random_lines};

/// A loop of one block of so many instructions and the jump, and what follows it.
fn long_loop(count: usize) -> Function<'static> {
    let line = "B------:R-:W-:-:S01 IADD3 R0, R1, R2, RZ\n";
    let jump = "B------:R-:W-:-:S05 @P0 BRA `(.L_x_0)\n";
    let lines = format!(
        ".L_x_0:\n{}{jump}B------:R-:W-:-:S05 EXIT",
        line.repeat(count)
    );
    function("sm_90a", &lines)
}

#[test]
fn a_long_block_is_cut_and_joined() {
    let count = LONGEST_BLOCK - 1;
    let short = long_loop(count);
    assert_eq!(Parts::of(&short).cut(&short), None);
    let long = long_loop(2 * LONGEST_BLOCK);
    let parts = Parts::of(&long);
    assert_eq!(parts.first(), [0, 3, 4]);
    let cut = parts.cut(&long).expect("parts");
    let lengths = cut.blocks.iter().map(|block| block.instructions.len());
    assert!(lengths.eq([LONGEST_BLOCK, LONGEST_BLOCK, 1, 1]));
    let next = |block: usize| {
        let edges = cut.blocks[block].successors.iter();
        edges.map(|edge| edge.to).collect::<Vec<_>>()
    };
    assert_eq!([next(0), next(1)], [[1], [2]]);
    assert_eq!([next(2), next(3)], [vec![0, 3], vec![]]);
    let frequencies = Frequencies::of_loops(&long).of_parts(parts.first());
    assert_eq!(frequencies, Frequencies::of_loops(&cut));
    let mut joined = long.clone();
    joined.blocks[0].instructions.clear();
    parts.join(&mut joined, cut);
    assert_eq!(joined, long);
}

/// Instructions of parts, by their old addresses, do not change places with those of others.
#[test]
fn a_block_of_10_000_instructions_is_scheduled_in_parts() {
    let mut random = Random::new(0x10_0000);
    let before = function("sm_90a", &random_lines(&mut random, 1, 10_000));
    let (outcome, after) = judged("a long block", &before, &Options::default());
    let part = |address: u64| usize::try_from(address / 16).expect("small") / LONGEST_BLOCK;
    let old = after
        .instructions()
        .filter(|found| found.origin != Origin::New);
    let old: Vec<usize> = old.map(|found| part(found.address)).collect();
    assert_eq!(old.len(), before.instructions().count());
    assert!(old.is_sorted() && old.last() > Some(&1));
    let first = after.instructions().take(LONGEST_BLOCK);
    assert!(!first.map(|found| found.address).is_sorted());
    assert_eq!(outcome.blocks[0].block, 0);
}

#[test]
fn a_long_function_is_scheduled_in_chunks() {
    let mut random = Random::new(0x17_000);
    let before = function("sm_90a", &random_lines(&mut random, 300, 2 * LONGEST_CHUNK));
    let model = LatencyModel::for_code(&before.target).expect("a model");
    let facts = FunctionFacts::new(&before, model);
    let found = chunks(&facts);
    assert!(found.len() > 2);
    assert_eq!(found[0].start, 0);
    assert_eq!(found.last().map(|last| last.end), Some(before.blocks.len()));
    for (number, chunk) in found.iter().enumerate() {
        let end = |block: usize| facts.block(block).end - facts.block(chunk.start).start;
        assert!(end(chunk.end - 1) <= LONGEST_CHUNK);
        if let Some(next) = found.get(number + 1) {
            assert_eq!(next.start, chunk.end);
            assert!(end(next.start) > LONGEST_CHUNK);
        }
    }
    let (outcome, _) = judged("a long function", &before, &Options::default());
    let chunk_of = |block: usize| found.iter().position(|chunk| chunk.contains(&block));
    let moved: Vec<_> = outcome
        .blocks
        .iter()
        .map(|moved| chunk_of(moved.block))
        .collect();
    assert!(moved.is_sorted() && moved.last() == Some(&Some(found.len() - 1)));
}
