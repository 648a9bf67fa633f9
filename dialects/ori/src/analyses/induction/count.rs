//! How often a comparison of a counter with a bound holds, in wrapping arithmetic.

use crate::keywords::Compare;

/// A comparison of integers with a width.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Relation {
    /// The comparison.
    pub compare: Compare,
    /// Whether the sides are signed.
    pub is_signed: bool,
    /// The width of the sides, in bits.
    pub bits: u32,
}

impl Relation {
    /// The relation that holds where this one does not.
    #[must_use]
    pub fn inverted(self) -> Self {
        let compare = match self.compare {
            Compare::Lt => Compare::Ge,
            Compare::Le => Compare::Gt,
            Compare::Gt => Compare::Le,
            Compare::Ge => Compare::Lt,
            Compare::Eq => Compare::Ne,
            Compare::Ne => Compare::Eq,
            Compare::True => Compare::False,
            Compare::False => Compare::True,
        };
        Relation { compare, ..self }
    }

    /// The relation with the sides exchanged.
    #[must_use]
    pub fn exchanged(self) -> Self {
        let compare = match self.compare {
            Compare::Lt => Compare::Gt,
            Compare::Le => Compare::Ge,
            Compare::Gt => Compare::Lt,
            Compare::Ge => Compare::Le,
            other => other,
        };
        Relation { compare, ..self }
    }

    /// The number that the low bits of an integer are.
    pub fn read(self, bits: i64) -> i128 {
        let unused = 64 - self.bits;
        match self.is_signed {
            true => i128::from((bits << unused) >> unused),
            false => i128::from((bits.cast_unsigned() << unused) >> unused),
        }
    }

    /// Whether the relation holds.
    pub fn holds(self, left: i64, right: i64) -> bool {
        let (left, right) = (self.read(left), self.read(right));
        match self.compare {
            Compare::False => false,
            Compare::Lt => left < right,
            Compare::Eq => left == right,
            Compare::Le => left <= right,
            Compare::Gt => left > right,
            Compare::Ne => left != right,
            Compare::Ge => left >= right,
            Compare::True => true,
        }
    }

    /// Whether a number is one of the width.
    pub(super) fn fits(self, number: i128) -> bool {
        let (least, greatest) = self.limits();
        least <= number && number <= greatest
    }

    /// The least and the greatest number of the width.
    fn limits(self) -> (i128, i128) {
        match self.is_signed {
            true => (-(1 << (self.bits - 1)), (1 << (self.bits - 1)) - 1),
            false => (0, (1 << self.bits) - 1),
        }
    }

    /// The numbers on the left side for which an ordering holds.
    fn range(self, right: i128) -> Option<(i128, i128)> {
        let (least, greatest) = self.limits();
        Some(match self.compare {
            Compare::Lt => (least, right - 1),
            Compare::Le => (least, right),
            Compare::Gt => (right + 1, greatest),
            Compare::Ge => (right, greatest),
            _ => return None,
        })
    }

    /// The first number `k` for which the relation does not hold between `start + k * step` and
    /// `bound`, in arithmetic modulo the width; `None` if there is none, or if a step past the end
    /// of the numbers leads to one for which it holds.
    pub fn first_failure(self, start: i64, step: i64, bound: i64) -> Option<u64> {
        if !self.holds(start, bound) {
            return Some(0);
        }
        let signed = Relation {
            is_signed: true,
            ..self
        };
        let step_signed = signed.read(step);
        if step_signed == 0 {
            return None;
        }
        match self.compare {
            Compare::Eq => Some(1),
            Compare::Ne => self.steps_to(start, step, bound),
            _ => {
                let (low, high) = self.range(self.read(bound))?;
                let from = self.read(start);
                let distance = if step_signed > 0 {
                    high - from
                } else {
                    from - low
                };
                let count = distance / step_signed.abs() + 1;
                let reached = from + count * step_signed;
                let (least, greatest) = self.limits();
                let size = greatest - least + 1;
                let wrapped = (reached - least).rem_euclid(size) + least;
                let fails = wrapped < low || wrapped > high;
                fails.then(|| u64::try_from(count).ok())?
            }
        }
    }

    /// The least positive number of steps after which a counter equals the bound.
    fn steps_to(self, start: i64, step: i64, bound: i64) -> Option<u64> {
        let mask = u64::MAX >> (64 - self.bits);
        let distance = bound.wrapping_sub(start).cast_unsigned() & mask;
        let step = step.cast_unsigned() & mask;
        let shift = step.trailing_zeros();
        if distance.trailing_zeros() < shift {
            return None;
        }
        // Newton's iteration for the inverse of an odd number modulo 2^64.
        let odd = step >> shift;
        let mut inverse = odd;
        for _ in 0..5 {
            inverse = inverse.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(inverse)));
        }
        Some((distance >> shift).wrapping_mul(inverse) & (mask >> shift))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All counters of 5 bits, compared with a simulation. The closed form may only be unknown where
    /// the counter wraps or the relation always holds.
    #[test]
    fn the_first_failure_is_that_of_a_simulation() {
        let orders = [Compare::Lt, Compare::Le, Compare::Gt, Compare::Ge];
        let equalities = [Compare::Eq, Compare::Ne, Compare::True, Compare::False];
        for compare in orders.into_iter().chain(equalities) {
            for is_signed in [false, true] {
                let relation = Relation {
                    compare,
                    is_signed,
                    bits: 5,
                };
                for start in 0..32 {
                    for bound in 0..32 {
                        for step in -16..16 {
                            check(relation, start, step, bound);
                        }
                    }
                }
            }
        }
    }

    fn check(relation: Relation, start: i64, step: i64, bound: i64) {
        let mut numbers = (0..64).map(|k| start + k * step);
        let simulated = numbers.position(|number| !relation.holds(number, bound));
        let simulated = simulated.map(|k| k as u64);
        match relation.first_failure(start, step, bound) {
            Some(found) => assert_eq!(
                Some(found),
                simulated,
                "{relation:?} {start} {step} {bound}"
            ),
            None => {
                let steps = simulated.unwrap_or(64).cast_signed();
                let last = relation.read(start) + i128::from(steps) * i128::from(step);
                let (least, greatest) = relation.limits();
                let wraps = last < least || last > greatest;
                assert!(
                    simulated.is_none() || wraps,
                    "{relation:?} {start} {step} {bound}: {simulated:?}"
                );
            }
        }
    }

    #[test]
    fn counters_of_64_bits_do_not_overflow() {
        let relation = Relation {
            compare: Compare::Lt,
            is_signed: false,
            bits: 64,
        };
        assert_eq!(relation.first_failure(0, 1, -1), Some(u64::MAX));
        assert_eq!(relation.first_failure(0, 2, -1), None);
        let unequal = Relation {
            compare: Compare::Ne,
            ..relation
        };
        assert_eq!(unequal.first_failure(1, 1, 0), Some(u64::MAX));
        assert_eq!(
            unequal.first_failure(0, 3, 1),
            Some(12_297_829_382_473_034_411)
        );
    }
}
