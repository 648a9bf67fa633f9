//! Float arithmetic for constant folding: every result is the exact result, rounded once.

use std::cmp::Ordering;

use num_bigint::BigUint;

use super::finite::{Direction, Finite, Overflow};
use super::float::Float;
use super::number::Number;

/// A magnitude as an integer multiple of `2^unit`, which must not exceed the exponent.
fn in_units(value: Finite, unit: i32) -> BigUint {
    BigUint::from(value.significand) << (value.exponent - unit).unsigned_abs()
}

impl Float {
    /// The NaN operand, quieted; the first one if both are NaNs.
    fn nan_operand(self, other: Self) -> Option<Self> {
        let nan = if self.is_nan() { self } else { other };
        nan.is_nan().then(|| nan.quieted())
    }

    /// Converts the right operand to the kind of the left one; normally they agree.
    fn matching(self, other: Self) -> Self {
        other.convert(self.kind())
    }

    /// An exact result, rounded to the nearest value of this kind.
    fn nearest(self, result: Number) -> Self {
        result.round(self.kind(), Direction::NearestEven, Overflow::Ieee)
    }

    /// The sum. A zero sum of operands that are not both negative zeros is positive.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        let other = self.matching(other);
        if let Some(nan) = self.nan_operand(other) {
            return nan;
        }
        self.nearest(self.number().plus(other.number(), Direction::NearestEven))
    }

    /// The difference.
    #[must_use]
    pub fn minus(self, other: Self) -> Self {
        let other = self.matching(other);
        match self.nan_operand(other) {
            Some(nan) => nan,
            None => self.plus(other.negated()),
        }
    }

    /// The product.
    #[must_use]
    pub fn times(self, other: Self) -> Self {
        let other = self.matching(other);
        if let Some(nan) = self.nan_operand(other) {
            return nan;
        }
        self.nearest(self.number().times(other.number()))
    }

    /// The quotient. Division of a nonzero number by zero returns infinity, NaN or the largest
    /// value, the first of these that the kind has.
    #[must_use]
    pub fn divided_by(self, other: Self) -> Self {
        let other = self.matching(other);
        if let Some(nan) = self.nan_operand(other) {
            return nan;
        }
        let kind = self.kind();
        let negative = self.is_negative() != other.is_negative();
        match (self.finite(), other.finite()) {
            (None, None) => Self::undefined(kind),
            (None, Some(_)) => {
                if self.is_negative() == negative {
                    self
                } else {
                    self.negated()
                }
            }
            (Some(_), None) => Self::zero(kind, negative),
            (Some(left), Some(right)) if right.is_zero() => {
                if left.is_zero() {
                    return Self::undefined(kind);
                }
                Self::overflowed(kind, negative)
            }
            (Some(left), Some(right)) => {
                let dividend = BigUint::from(left.significand) << 256;
                let divisor = BigUint::from(right.significand);
                let quotient = &dividend / &divisor;
                let sticky = &quotient * &divisor != dividend;
                let exponent = i64::from(left.exponent) - i64::from(right.exponent) - 256;
                let quotient = Finite::of_big(negative, &quotient, exponent, sticky);
                self.nearest(Number::Finite(quotient))
            }
        }
    }

    /// The remainder of the quotient rounded toward zero, with the sign of the dividend.
    #[must_use]
    pub fn remainder(self, other: Self) -> Self {
        let other = self.matching(other);
        if let Some(nan) = self.nan_operand(other) {
            return nan;
        }
        match (self.finite(), other.finite()) {
            (None, _) => Self::undefined(self.kind()),
            (Some(_), Some(right)) if right.is_zero() => Self::undefined(self.kind()),
            (Some(_), None) => self,
            (Some(left), Some(right)) => {
                let unit = left.exponent.min(right.exponent);
                let rest = in_units(left, unit) % in_units(right, unit);
                let rest = Finite::of_big(left.negative, &rest, i64::from(unit), false);
                self.nearest(Number::Finite(rest))
            }
        }
    }

    /// Compares the values; `None` if one is a NaN. Zeros of both signs are equal, and values of
    /// different kinds compare exactly.
    #[must_use]
    pub fn compare(self, other: Self) -> Option<Ordering> {
        self.number().compare(other.number())
    }

    /// Whether this value is smaller; negative zero is smaller than positive zero.
    fn is_below(self, other: Self) -> bool {
        match self.compare(other) {
            Some(Ordering::Equal) => self.is_negative() && !other.is_negative(),
            ordering => ordering == Some(Ordering::Less),
        }
    }

    /// The smaller value; a NaN if either operand is a NaN.
    #[must_use]
    pub fn minimum(self, other: Self) -> Self {
        let smaller = if other.is_below(self) { other } else { self };
        self.nan_operand(other).unwrap_or(smaller)
    }

    /// The larger value; a NaN if either operand is a NaN.
    #[must_use]
    pub fn maximum(self, other: Self) -> Self {
        let larger = if self.is_below(other) { other } else { self };
        self.nan_operand(other).unwrap_or(larger)
    }

    /// The smaller value; the other operand if one is a NaN.
    #[must_use]
    pub fn minimum_number(self, other: Self) -> Self {
        match (self.is_nan(), other.is_nan()) {
            (true, false) => other,
            (false, true) => self,
            _ => self.minimum(other),
        }
    }

    /// The larger value; the other operand if one is a NaN.
    #[must_use]
    pub fn maximum_number(self, other: Self) -> Self {
        match (self.is_nan(), other.is_nan()) {
            (true, false) => other,
            (false, true) => self,
            _ => self.maximum(other),
        }
    }
}
