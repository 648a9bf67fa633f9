//! Groups of copies and the scoreboards that they are closed on.

use orison_sass::control::BarrierSet;
use orison_sass::function::Function;

use super::hazard::{Hazard, HazardKind};
use super::state::InstructionIndex;
use crate::sass::facts::{Action, FunctionFacts};

/// A hazard for each instruction that closes a group of copies on a scoreboard that no wait behind it names, if
/// there are waits that name others. Waits in callers are not known. Linear in blocks and edges: a block's set
/// grows at most six times.
pub(super) fn hazards(function: &Function<'_>, facts: &FunctionFacts) -> Vec<Hazard> {
    let closes = |number: &usize| facts.fact(*number).closes_copies;
    if !(0..facts.len()).any(|number| closes(&number)) {
        return Vec::new();
    }
    let ahead = named_ahead(function, facts);
    let mut found = Vec::new();
    for (index, block) in function.blocks.iter().enumerate() {
        let numbers = facts.block(index);
        for number in numbers.clone().filter(closes) {
            let behind = (number + 1..numbers.end).map(|later| named(facts, later));
            let waited = behind.fold(ahead[index], BarrierSet::union);
            let armed = block.instructions[number - numbers.start].control.armed();
            let is_waited_for = armed.iter().any(|barrier| waited.contains(barrier));
            if waited.is_empty() || is_waited_for {
                continue;
            }
            let place = InstructionIndex::try_from(number).unwrap_or(InstructionIndex::MAX);
            found.push(Hazard {
                kind: HazardKind::GroupNotWaitedFor,
                consumer: place,
                producer: place,
                register: None,
                needed: 0,
                found: 0,
                barriers: armed.iter().collect(),
            });
        }
    }
    found
}

/// The scoreboard of a `DEPBAR.LE`.
fn named(facts: &FunctionFacts, number: usize) -> BarrierSet {
    match facts.fact(number).action {
        Action::WaitScoreboard { barrier, .. } => [barrier].into_iter().collect(),
        _ => BarrierSet::EMPTY,
    }
}

/// For each block, the scoreboards that waits behind its end name.
fn named_ahead(function: &Function<'_>, facts: &FunctionFacts) -> Vec<BarrierSet> {
    let count = function.blocks.len();
    let mut before = vec![Vec::new(); count];
    for (from, block) in function.blocks.iter().enumerate() {
        let next = block.successors.iter().map(|edge| edge.to);
        for to in next.chain(block.callee).filter(|to| *to < count) {
            before[to].push(from);
        }
    }
    let inside: Vec<BarrierSet> = (0..count)
        .map(|block| {
            let numbers = facts.block(block);
            let sets = numbers.map(|number| named(facts, number));
            sets.fold(BarrierSet::EMPTY, BarrierSet::union)
        })
        .collect();
    let mut ahead = vec![BarrierSet::EMPTY; count];
    let mut work: Vec<usize> = (0..count).collect();
    while let Some(block) = work.pop() {
        let reached = ahead[block].union(inside[block]);
        for from in &before[block] {
            let grown = ahead[*from].union(reached);
            if grown != ahead[*from] {
                ahead[*from] = grown;
                work.push(*from);
            }
        }
    }
    ahead
}
