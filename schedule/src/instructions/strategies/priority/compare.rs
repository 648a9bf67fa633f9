//! The cascade of comparisons of two candidates (reference section 4.6).

use std::cmp::{Ordering, Reverse};

use super::byte::{CLOSES, CRITICAL, HOT, HOT_AND_FITS, PRODUCT, STALL_FREE};
use super::candidates::{Candidate, Scan};
use crate::instructions::region::Temperature;
use crate::instructions::registers::{Counts, RegisterClass};
use crate::instructions::strategies::{Phase, Settings};

/// The bits of the byte in the order in which they decide.
const BITS: [u8; 5] = [HOT_AND_FITS, CLOSES, CRITICAL, STALL_FREE, HOT];
/// The classes whose scores are compared, in order, and below how many live registers one of them counts for
/// nothing: 6 of 7 predicates.
const SAFE: [(RegisterClass, i32); 3] = [
    (RegisterClass::Predicate, 6),
    (RegisterClass::UniformPredicate, 6),
    (RegisterClass::Uniform, 63),
];
/// How much longer than the least stall of a load one may stall, in cycles, and still break the budget.
const PATIENCE: i64 = 9;
/// Registers that must be left so that the budget is not looked at.
const AMPLE: i32 = 8;

/// What decides between candidates at a place.
pub(super) struct Comparison<'a> {
    pub settings: &'a Settings,
    pub live: &'a Counts,
    pub limits: &'a Counts,
    pub scan: &'a Scan,
}

impl Comparison<'_> {
    /// `Less` if the first one is better. A total order: equals are decided by their places in the program.
    pub fn compare(&self, one: &Candidate, other: &Candidate) -> Ordering {
        let overflow = self.overflows(one).cmp(&self.overflows(other));
        let scores = || self.scores(one).cmp(&self.scores(other));
        let furthest = || match self.settings.priority.furthest {
            true => other.height.cmp(&one.height),
            false => Ordering::Equal,
        };
        let rest = || self.rest(one).cmp(&self.rest(other));
        overflow
            .then_with(scores)
            .then_with(furthest)
            .then_with(|| self.bytes(one, other))
            .then_with(rest)
    }

    fn bytes(&self, one: &Candidate, other: &Candidate) -> Ordering {
        if self.settings.phase == Phase::DynBatch {
            return other.byte.cmp(&one.byte);
        }
        let mut bits = BITS.into_iter();
        let differs = bits.find(|bit| (one.byte ^ other.byte) & bit != 0);
        differs.map_or(Ordering::Equal, |bit| {
            (other.byte & bit).cmp(&(one.byte & bit))
        })
    }

    /// Whether it needs registers beyond the limits of a class.
    fn overflows(&self, candidate: &Candidate) -> bool {
        let general = RegisterClass::General as usize;
        if self.limits[general].saturating_sub(self.live[general]) > AMPLE
            && self.settings.phase != Phase::ReduceReg
            || candidate.stall > self.scan.least_stall + PATIENCE
            || candidate.temperature == Temperature::Cold
        {
            return false;
        }
        let all = self.live.iter().zip(&candidate.change).zip(self.limits);
        all.into_iter()
            .any(|((live, change), limit)| *change > 0 && live + change > *limit)
    }

    /// The scores of the register classes, smaller first: 0 for a class with enough registers.
    fn scores(&self, candidate: &Candidate) -> [i32; 1 + SAFE.len()] {
        let general = RegisterClass::General as usize;
        let after =
            |class: RegisterClass| self.live[class as usize] + candidate.change[class as usize];
        let mut scores = [0; 1 + SAFE.len()];
        let products = candidate.change[RegisterClass::Accumulator as usize];
        let beyond = after(RegisterClass::General) + products;
        if self.settings.phase == Phase::ReduceReg || beyond > self.settings.careful_budget {
            let rises = i32::from(candidate.change[general] > 0);
            scores[0] = (beyond - 1).max(0) + rises;
        }
        for (score, (class, safe)) in scores[1..].iter_mut().zip(SAFE) {
            let after = after(class);
            *score = if after > safe { after } else { 0 };
        }
        scores
    }

    /// What decides where the scores and the bytes are equal.
    fn rest(&self, candidate: &Candidate) -> impl Ord + use<> {
        let product = self.scan.shared && candidate.byte & PRODUCT != 0;
        let general = RegisterClass::General as usize;
        let after = self.live[general] + candidate.change[general];
        let beyond = after - self.settings.careful_budget;
        let mut contention = candidate.contention;
        if beyond > 0 {
            contention += i64::from(2 * beyond) - i64::from(candidate.sum() <= 0);
        }
        (
            (candidate.queue, candidate.stall.max(0), !product),
            (contention, candidate.issue),
            (candidate.earliest, Reverse(candidate.height)),
            (candidate.sum(), candidate.node),
        )
    }
}
