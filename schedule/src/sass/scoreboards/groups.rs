//! Scoreboards that instructions name: `LDGDEPBAR` closes a group of copies on the one that `DEPBAR.LE SBn`
//! counts, `UTMACMDFLUSH` a group of stores.

use orison_sass::control::{Barrier, BarrierSet};

use super::input::{Assigned, Input};
use crate::sass::facts::Action;

/// The scoreboards of the instructions that close groups, and those that nothing else may arm: where a wait
/// counts operations (`DEPBAR.LE SB0, 0x2`), it needs the order of a queue (reference 10.4).
pub(super) struct Groups {
    /// For each instruction, what it has to arm.
    pub(super) fixed: Vec<Option<Assigned>>,
    /// Scoreboards with a count, and that of groups; empty if that is all.
    pub(super) reserved: BarrierSet,
}

impl Groups {
    /// Groups are closed on the lowest scoreboard that is named: scoreboard 0 in all code of ptxas. Others count
    /// textures and products of doubles, or stand in front of allocations of tensor memory
    /// (`DEPBAR.LE SB1, 0x36`), behind a group as well as before it. Linear.
    pub(super) fn new(input: &Input<'_>) -> Groups {
        let mut groups = Groups {
            fixed: Vec::with_capacity(input.facts.len()),
            reserved: BarrierSet::EMPTY,
        };
        let mut lowest = None;
        for number in 0..input.facts.len() {
            if let Action::WaitScoreboard {
                barrier,
                left,
                others,
            } = input.facts.fact(number).action
                && others.is_empty()
            {
                lowest = lowest.min(Some(barrier)).or(Some(barrier));
                if left > 0 {
                    groups.reserved.insert(barrier);
                }
            }
        }
        let barrier = lowest.or(Barrier::ALL.first().copied());
        for (number, found) in input.function.instructions().enumerate() {
            let closes = input.facts.fact(number).closes_copies;
            // Copies have arrived; of stores the operands have been read (corpus).
            let copies = found.mnemonic.base() == "LDGDEPBAR";
            groups.fixed.push(closes.then_some(Assigned {
                write: barrier.filter(|_| copies),
                read: barrier.filter(|_| !copies),
            }));
        }
        if groups.fixed.iter().any(Option::is_some) {
            groups.reserved = groups.reserved.union(barrier.into_iter().collect());
        }
        if groups.reserved == BarrierSet::FULL {
            groups.reserved = BarrierSet::EMPTY;
        }
        groups
    }
}
