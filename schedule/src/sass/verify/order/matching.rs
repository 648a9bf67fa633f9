//! Which instruction of one order is which of the other.

use std::borrow::Cow;
use std::collections::VecDeque;

use orison_sass::function::{Block, BlockIndex, Function};
use orison_sass::instruction::{Instruction, Operand};
use rustc_hash::FxHashMap;

use super::findings::{Located, OrderFinding, Reason};

/// An instruction of one of the functions, by block and index.
type Place = (BlockIndex, usize);

/// Instructions without marks for reuse, and where they are, in order.
type Stock<'a> = FxHashMap<Cow<'a, Instruction>, VecDeque<Place>>;

/// The instructions of two functions that are the same.
pub(super) struct Matching {
    /// For each block of the first function the positions of its instructions in the block of the second.
    positions: Vec<Vec<Option<usize>>>,
    /// Those of the first function without a counterpart in their block.
    lost: Vec<Place>,
    /// Those of the second.
    gained: Vec<Place>,
}

/// The instruction as it would be without marks for reuse, which belong to the control word.
fn unmarked(found: &Instruction) -> Cow<'_, Instruction> {
    let is_marked = |operand: &Operand| operand.as_register().is_some_and(|found| found.reuse);
    if !found.operands.iter().any(is_marked) {
        return Cow::Borrowed(found);
    }
    let mut copy = found.clone();
    for operand in &mut copy.operands {
        if let Operand::Register(register) = operand {
            register.reuse = false;
        }
    }
    Cow::Owned(copy)
}

/// Whether an instruction does nothing, so that there may be more or fewer of it: stall counts may need it.
fn does_nothing(found: &Instruction) -> bool {
    found.mnemonic.base() == "NOP"
}

fn instruction<'a>(function: &'a Function<'_>, (block, index): Place) -> &'a Instruction {
    &function.blocks[block].instructions[index]
}

fn located(function: &Function<'_>, (block, index): Place) -> Located {
    Located::in_block(block, &function.blocks[block], index)
}

impl Matching {
    pub(super) fn of(before: &Function<'_>, after: &Function<'_>) -> Matching {
        let mut matching = Matching {
            positions: Vec::with_capacity(before.blocks.len()),
            lost: Vec::new(),
            gained: Vec::new(),
        };
        let nothing = Block::default();
        for index in 0..before.blocks.len().max(after.blocks.len()) {
            let old = before.blocks.get(index).unwrap_or(&nothing);
            let new = after.blocks.get(index).unwrap_or(&nothing);
            matching.add_block(index, old, new);
        }
        matching
    }

    fn add_block(&mut self, index: BlockIndex, old: &Block<'_>, new: &Block<'_>) {
        let mut stock: Stock<'_> = FxHashMap::default();
        for (number, found) in new.instructions.iter().enumerate() {
            let places = stock.entry(unmarked(found)).or_default();
            places.push_back((index, number));
        }
        let positions = old.instructions.iter().enumerate().map(|(number, found)| {
            let same = stock.get_mut(&unmarked(found));
            let place = same.and_then(VecDeque::pop_front);
            if place.is_none() && !does_nothing(found) {
                self.lost.push((index, number));
            }
            place.map(|(_, position)| position)
        });
        self.positions.push(positions.collect());
        stock.retain(|found, _| !does_nothing(found));
        let mut left: Vec<Place> = stock.into_values().flatten().collect();
        left.sort_unstable();
        self.gained.extend(left);
    }

    /// Where the new order has each instruction of a block.
    pub(super) fn positions(&self, block: BlockIndex) -> &[Option<usize>] {
        &self.positions[block]
    }

    /// What is missing, added, changed, or in another block.
    pub(super) fn findings(
        &self,
        before: &Function<'_>,
        after: &Function<'_>,
    ) -> Vec<OrderFinding> {
        let mut findings = labels(before, after);
        let (lost, gained) = moved(before, after, self, &mut findings);
        let mut left: FxHashMap<(BlockIndex, &str), VecDeque<Place>> = FxHashMap::default();
        for place in gained {
            let key = (place.0, instruction(after, place).mnemonic.base());
            left.entry(key).or_default().push_back(place);
        }
        for place in lost {
            let key = (place.0, instruction(before, place).mnemonic.base());
            let other = left.get_mut(&key).and_then(VecDeque::pop_front);
            findings.push(match other {
                Some(other) => OrderFinding {
                    first: Some(located(before, place)),
                    second: located(after, other),
                    reason: Reason::Changed,
                },
                None => alone(located(before, place), Reason::Missing),
            });
        }
        let mut added: Vec<Place> = left.into_values().flatten().collect();
        added.sort_unstable();
        let added = added.into_iter();
        findings.extend(added.map(|place| alone(located(after, place), Reason::Added)));
        findings
    }
}

fn alone(second: Located, reason: Reason) -> OrderFinding {
    OrderFinding {
        first: None,
        second,
        reason,
    }
}

/// Reports instructions that are in another block, and returns the others without a counterpart.
fn moved(
    before: &Function<'_>,
    after: &Function<'_>,
    matching: &Matching,
    findings: &mut Vec<OrderFinding>,
) -> (Vec<Place>, Vec<Place>) {
    let mut stock: Stock<'_> = FxHashMap::default();
    for place in &matching.gained {
        let places = stock
            .entry(unmarked(instruction(after, *place)))
            .or_default();
        places.push_back(*place);
    }
    let mut lost = Vec::new();
    for place in &matching.lost {
        let same = stock.get_mut(&unmarked(instruction(before, *place)));
        match same.and_then(VecDeque::pop_front) {
            Some(other) => findings.push(OrderFinding {
                first: Some(located(before, *place)),
                second: located(after, other),
                reason: Reason::LeftBlock,
            }),
            None => lost.push(*place),
        }
    }
    let mut gained: Vec<Place> = stock.into_values().flatten().collect();
    gained.sort_unstable();
    (lost, gained)
}

/// Blocks with other labels, at their first instruction.
fn labels(before: &Function<'_>, after: &Function<'_>) -> Vec<OrderFinding> {
    let blocks = before.blocks.iter().enumerate();
    let differ = blocks.filter(|(index, block)| {
        let other = after.blocks.get(*index);
        other.is_none_or(|other| !block.labels().eq(other.labels()))
    });
    differ
        .map(|(index, block)| alone(Located::in_block(index, block, 0), Reason::Labels))
        .collect()
}
