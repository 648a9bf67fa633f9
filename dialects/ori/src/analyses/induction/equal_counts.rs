//! Comparisons that hold in the same cases, and loops that run equally often.

use orison_ir::{Context, Value};

use super::exits::Comparison;
use super::{CountedExit, Relation};
use crate::analyses::linear::LinearForm;
use crate::keywords::Compare;

/// What is done to both sides of an ordering, so that orderings of either direction and signedness
/// become signed ones that increase.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Normalization {
    /// Whether a side `x` becomes `-1 - x`, which reverses the order.
    complements: bool,
    /// What is added then: half of all numbers, for unsigned ones.
    offset: i64,
}

impl Normalization {
    fn of(relation: Relation) -> Self {
        let is_ordering = !matches!(relation.compare, Compare::Eq | Compare::Ne);
        let half = 1_i64.wrapping_shl(relation.bits - 1);
        Normalization {
            complements: matches!(relation.compare, Compare::Gt | Compare::Ge),
            offset: if is_ordering && !relation.is_signed {
                half
            } else {
                0
            },
        }
    }

    /// The relation between the changed sides.
    fn relation(self, relation: Relation) -> Relation {
        let compare = match relation.compare {
            Compare::Gt => Compare::Lt,
            Compare::Ge => Compare::Le,
            other => other,
        };
        Relation {
            compare,
            is_signed: true,
            ..relation
        }
    }

    /// The factor of a side, and what is added to the product.
    fn parts(self) -> (i64, i64) {
        match self.complements {
            true => (-1, self.offset.wrapping_sub(1)),
            false => (1, self.offset),
        }
    }

    fn apply(self, side: &LinearForm) -> LinearForm {
        let (factor, offset) = self.parts();
        let mut side = side.times(factor);
        side.add_constant(offset);
        side
    }
}

/// A comparison of a counter with a bound, in a form that does not depend on how it was written.
#[derive(PartialEq, Eq, Debug)]
struct Normal {
    relation: Relation,
    /// The left side in the first iteration; for equalities minus the right side.
    left: LinearForm,
    step: i64,
    /// The right side; 0 for equalities.
    right: LinearForm,
}

impl Normal {
    fn of(relation: Relation, [left, right]: [&LinearForm; 2], step: i64) -> Self {
        let change = Normalization::of(relation);
        let (factor, _) = change.parts();
        let mut normal = Normal {
            relation: change.relation(relation),
            left: change.apply(left),
            step: step.wrapping_mul(factor),
            right: change.apply(right),
        };
        match normal.relation.compare {
            Compare::Eq | Compare::Ne => {
                let right =
                    std::mem::replace(&mut normal.right, LinearForm::constant(0, left.is_wide()));
                normal.left.add(&right, -1);
            }
            Compare::Le => normal.exclude_bound(),
            _ => {}
        }
        normal
    }

    /// Writes `x <= 9` as `x < 10`, and `1 <= x` as `0 < x`.
    fn exclude_bound(&mut self) {
        let relation = self.relation;
        if let Some(bound) = self.right.as_constant()
            && relation.fits(relation.read(bound) + 1)
        {
            self.right.add_constant(1);
        } else if let Some(start) = self.left.as_constant()
            && self.step == 0
            && relation.fits(relation.read(start) - 1)
        {
            self.left.add_constant(-1);
        } else {
            return;
        }
        self.relation.compare = Compare::Lt;
    }

    /// Whether the comparison stops to hold in the same iteration as another one.
    ///
    /// Orderings must be equal: whether a counter wraps depends on its numbers, not only on their
    /// differences. A counter equals its bound in the same iteration if both the difference and
    /// the step are multiplied by the same odd number, since that has an inverse.
    fn ends_with(&self, other: &Normal) -> bool {
        if !matches!(self.relation.compare, Compare::Eq | Compare::Ne) {
            return self == other;
        }
        let twos = self.step.trailing_zeros();
        self.relation == other.relation
            && self.step != 0
            && twos == other.step.trailing_zeros()
            && self.left.times(other.step >> twos) == other.left.times(self.step >> twos)
    }
}

impl CountedExit {
    /// Whether this exit is taken in the same iteration as that of another loop, whatever the values
    /// are from which both numbers are computed.
    pub fn is_taken_with(&self, other: &CountedExit) -> bool {
        if let (Some(iteration), Some(other)) = (self.iteration, other.iteration) {
            return iteration == other;
        }
        let normal = |exit: &CountedExit| {
            Normal::of(exit.stays, [&exit.counter.start, &exit.bound], exit.step())
        };
        self.stays.bits == other.stays.bits && normal(self).ends_with(&normal(other))
    }
}

/// Whether one predicate holds exactly where another one does, or is inverted with respect to it:
/// both are the same value, or comparisons of equal sums.
pub fn is_same_condition(
    context: &Context,
    [first, second]: [Value; 2],
    are_opposite: bool,
) -> bool {
    if first == second {
        return !are_opposite;
    }
    let known = [first, second].map(|value| Comparison::of(context, value));
    let [Some(first), Some(mut second)] = known else {
        return false;
    };
    if are_opposite {
        second.relation = second.relation.inverted();
    }
    let normal = |relation, [left, right]: [&LinearForm; 2]| Normal::of(relation, [left, right], 0);
    let ([a, b], [c, d]) = (first.sides(context), second.sides(context));
    let wanted = normal(first.relation, [&a, &b]);
    first.relation.bits == second.relation.bits
        && (wanted == normal(second.relation, [&c, &d])
            || wanted == normal(second.relation.exchanged(), [&d, &c]))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Compare; 6] = [
        Compare::Lt,
        Compare::Le,
        Compare::Gt,
        Compare::Ge,
        Compare::Eq,
        Compare::Ne,
    ];

    /// All pairs of numbers of 5 bits.
    #[test]
    fn normalization_keeps_what_holds() {
        for compare in ALL {
            for is_signed in [false, true] {
                let relation = Relation {
                    compare,
                    is_signed,
                    bits: 5,
                };
                let change = Normalization::of(relation);
                let (factor, offset) = change.parts();
                let changed = |side: i64| side * factor + offset;
                for left in 0..32 {
                    for right in 0..32 {
                        let after = change.relation(relation);
                        assert_eq!(
                            after.holds(changed(left), changed(right)),
                            relation.holds(left, right),
                            "{relation:?} {left} {right}"
                        );
                    }
                }
            }
        }
    }

    fn exit(compare: Compare, is_signed: bool, [start, step, bound]: [i64; 3]) -> Normal {
        let relation = Relation {
            compare,
            is_signed,
            bits: 32,
        };
        let sum = |number| LinearForm::constant(number, false);
        Normal::of(relation, [&sum(start), &sum(bound)], step)
    }

    /// Two counters of which the analysis says that they stop together do.
    #[test]
    fn loops_that_end_together_run_equally_often() {
        let numbers = [
            0,
            1,
            2,
            5,
            6,
            -1,
            -6,
            i64::from(i32::MAX),
            i64::from(i32::MIN),
        ];
        let steps = [1, -1, 2, -2, 3, 6];
        let mut all = Vec::new();
        for compare in ALL {
            for is_signed in [false, true] {
                for start in numbers {
                    for bound in numbers {
                        for step in steps {
                            all.push((compare, is_signed, [start, step, bound]));
                        }
                    }
                }
            }
        }
        let count = |(compare, is_signed, [start, step, bound]): &(Compare, bool, [i64; 3])| {
            let relation = Relation {
                compare: *compare,
                is_signed: *is_signed,
                bits: 32,
            };
            relation.first_failure(*start, *step, *bound)
        };
        let normal: Vec<Normal> = all.iter().map(|(a, b, c)| exit(*a, *b, *c)).collect();
        let mut together = 0;
        for (first, a) in all.iter().zip(&normal) {
            for (second, b) in all.iter().zip(&normal) {
                if first != second && a.ends_with(b) {
                    together += 1;
                    assert_eq!(count(first), count(second), "{first:?} {second:?}");
                }
            }
        }
        assert!(together > 1000, "{together}");
    }

    #[test]
    fn multiples_by_even_numbers_may_end_earlier() {
        let ends = |a: [i64; 3], b: [i64; 3]| {
            exit(Compare::Ne, true, a).ends_with(&exit(Compare::Ne, true, b))
        };
        assert!(ends([0, 1, 7], [0, 3, 21]));
        assert!(ends([0, 1, 7], [7, -1, 0]));
        assert!(ends([3, 2, 9], [0, -6, -18]));
        assert!(!ends([0, 1, 7], [0, 2, 14]));
        assert!(!ends([0, 1, 7], [0, 3, 7]));
    }
}
