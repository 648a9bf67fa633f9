//! Live general registers, over all paths through a function.

use orison_sass::function::{BlockIndex, Function};
use orison_sass::instruction::Flow;

use crate::sass::facts::{FunctionFacts, RegisterNumber};
use crate::sass::latency::TableFile;

/// A set of general registers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Registers([u64; 4]);

impl Registers {
    fn insert(&mut self, register: RegisterNumber) {
        if register.file() == TableFile::General {
            let index = register.index();
            self.0[index / 64] |= 1 << (index % 64);
        }
    }

    fn remove(&mut self, register: RegisterNumber) {
        if register.file() == TableFile::General {
            let index = register.index();
            self.0[index / 64] &= !(1 << (index % 64));
        }
    }

    fn join(&mut self, other: Registers) {
        for (mine, theirs) in self.0.iter_mut().zip(other.0) {
            *mine |= theirs;
        }
    }

    fn count(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }
}

/// The general registers needed at each instruction: the more of those live before it and those live behind
/// it or written by it. A guarded write leaves the old value live.
pub(super) fn needed(function: &Function<'_>, facts: &FunctionFacts) -> Vec<u32> {
    let after = live_behind_blocks(function, facts);
    let mut needed = vec![0; facts.len()];
    for (block, live) in after.into_iter().enumerate() {
        walk(facts, block, live, |instruction, count| {
            needed[instruction] = count;
        });
    }
    needed
}

/// The registers live before a block, from those live behind it. `note` gets what each instruction needs.
fn walk(
    facts: &FunctionFacts,
    block: BlockIndex,
    mut live: Registers,
    mut note: impl FnMut(usize, u32),
) -> Registers {
    for instruction in facts.block(block).rev() {
        let mut behind = live;
        for write in facts.writes(instruction) {
            behind.insert(write.register);
            if !facts.fact(instruction).guarded {
                live.remove(write.register);
            }
        }
        for read in facts.reads(instruction) {
            live.insert(read.register);
        }
        note(instruction, behind.count().max(live.count()));
    }
    live
}

/// The registers live behind each block.
fn live_behind_blocks(function: &Function<'_>, facts: &FunctionFacts) -> Vec<Registers> {
    let next = continuations(function);
    let mut before: Vec<Vec<BlockIndex>> = vec![Vec::new(); next.len()];
    for (block, behind) in next.iter().enumerate() {
        for to in behind {
            before[*to].push(block);
        }
    }
    let mut behind = vec![Registers::default(); next.len()];
    let mut waiting = vec![true; next.len()];
    let mut work: Vec<BlockIndex> = (0..next.len()).collect();
    while let Some(block) = work.pop() {
        waiting[block] = false;
        let live = walk(facts, block, behind[block], |_, _| {});
        for from in &before[block] {
            let mut joined = behind[*from];
            joined.join(live);
            if joined != behind[*from] {
                behind[*from] = joined;
                if !std::mem::replace(&mut waiting[*from], true) {
                    work.push(*from);
                }
            }
        }
    }
    behind
}

/// Where control continues behind each block. A call continues in its callee, too, and a return behind every
/// call of the section: which callee returns is not told apart.
fn continuations(function: &Function<'_>) -> Vec<Vec<BlockIndex>> {
    let calls = function
        .blocks
        .iter()
        .filter(|block| block.callee.is_some());
    let behind_calls = calls.flat_map(|block| block.successors.iter().map(|edge| edge.to));
    let behind_calls: Vec<BlockIndex> = behind_calls.collect();
    let next = function.blocks.iter().map(|block| {
        let mut next: Vec<BlockIndex> = block.successors.iter().map(|edge| edge.to).collect();
        next.extend(block.callee);
        if block.flow() == Some(Flow::Return) {
            next.extend(&behind_calls);
        }
        next.sort_unstable();
        next.dedup();
        next
    });
    next.collect()
}
