//! Whether machine code in another order does the same: a judge of instruction schedulers.
//!
//! [`check_order`] takes a function before and after its instructions were reordered within blocks, derives
//! from the first one alone which instructions must keep their order, and reports those that the second one has
//! the other way round. It has no code in common with what computes dependences for schedulers and scoreboards
//! (`dependences`, `facts` and `guards` of `sass`); it uses the operands and the
//! instruction table of `orison_sass` only.
//!
//! What keeps its order:
//! - *registers* of all files, where one of two accesses writes. Instructions of which no thread executes both
//!   (`@P0`, `@!P0`, the same value of `P0`) need no order, but for what all threads of a warp share;
//! - *memory* of the same space, where one of two accesses writes, unless both add the same registers with the
//!   same values and access other bytes. Generic accesses are in local, shared and global memory. An access
//!   that no thread executes (`@!PT LDS RZ, [RZ]`) is there for the hardware, and is an access like others;
//! - *accesses that other threads observe*: strong ones, volatile ones, atomic operations, cache control;
//! - *synchronisation*, with accesses to memory and other synchronisation;
//! - *products of warp groups* among themselves, and fences and waits of their groups with them and with all
//!   that accesses a general register which any product of the function accesses;
//! - *clocks* and similar registers, with memory, synchronisation, and each other;
//! - `DEPBAR` with all that may have a scoreboard: it counts;
//! - `WARPSYNC` with what depends on the threads that execute it together;
//! - `USETMAXREG` with all that accesses general registers, some of which it takes away;
//! - *the last instruction* of a block if it may leave the block, and what is not understood or reads its own
//!   address: with everything.
//!
//! Equal instructions are interchangeable: the first in one order is the first in the other. An instruction is
//! compared with the one before it in each way that stands last in the new order; if that is behind it, the two
//! are reported. Every instruction that has passed another one is so reported with one of those that it passed,
//! and a walk takes linear time.

mod findings;
mod matching;
mod memory;
mod registers;
mod rules;
#[cfg(test)]
mod tests;

use orison_sass::effects;
use orison_sass::function::{Block, BlockIndex, Function};

pub use crate::order::Window;
pub use findings::{Located, OrderFinding, Reason};

use crate::order::{Accesses, Placed, Sets};
use matching::Matching;
use registers::Registers;
use rules::{Surroundings, order_of};

/// What in `after` differs from `before` by more than the order of independent instructions within blocks:
/// pairs in the wrong order, instructions that are missing, added, changed or in other blocks. Control words,
/// marks for reuse and encodings may differ, and the number of `NOP`s, which stall counts may need. By block, and in it in the order of `before`.
pub fn check_order(before: &Function<'_>, after: &Function<'_>) -> Vec<OrderFinding> {
    let matching = Matching::of(before, after);
    let surroundings = Surroundings::of(before);
    let mut findings = matching.findings(before, after);
    for (index, block) in before.blocks.iter().enumerate() {
        let walk = Walk {
            index,
            block,
            positions: matching.positions(index),
            surroundings: &surroundings,
        };
        walk.check(&mut findings);
    }
    findings.sort_by_key(|found| (found.second.block, found.second.index));
    findings
}

/// An instruction that must stay in front of the one at hand, but is behind it, and why it must.
type Passed = (usize, Reason);

/// The comparison of the two orders of a block.
struct Walk<'a> {
    index: BlockIndex,
    block: &'a Block<'a>,
    /// Where the new order has each instruction; `None` for one that it does not have.
    positions: &'a [Option<usize>],
    surroundings: &'a Surroundings,
}

impl Walk<'_> {
    fn check(&self, findings: &mut Vec<OrderFinding>) {
        let mut registers = Registers::default();
        let mut accesses = Accesses::default();
        let mut sets = Sets::default();
        for (number, instruction) in self.block.instructions.iter().enumerate() {
            let effects = effects::effects(instruction);
            let placed = self.positions[number].map(|position| Placed { position, number });
            let uses = memory::uses(instruction, &effects, &registers);
            let is_last = number + 1 == self.block.instructions.len();
            let mut passed: Vec<Passed> = Vec::new();
            if let Some(placed) = placed {
                let about = (&effects, uses.as_slice());
                let members = self.surroundings.members(instruction, about, is_last);
                sets.check(rules::pairs(), members, placed, |first, reason| {
                    passed.push((first, reason));
                });
                for found in uses {
                    accesses.check(found, placed, |first, window| {
                        passed.push((first, Reason::Memory(window)));
                    });
                }
            }
            registers.check(instruction, &effects, placed, &mut passed);
            self.report(number, passed, findings);
        }
    }

    /// Reports each pair once, by its first reason.
    fn report(&self, second: usize, mut passed: Vec<Passed>, findings: &mut Vec<OrderFinding>) {
        passed.sort_by_key(|(first, reason)| (*first, order_of(*reason)));
        passed.dedup_by_key(|(first, _)| *first);
        findings.extend(passed.into_iter().map(|(first, reason)| OrderFinding {
            first: Some(Located::in_block(self.index, self.block, first)),
            second: Located::in_block(self.index, self.block, second),
            reason,
        }));
    }
}
