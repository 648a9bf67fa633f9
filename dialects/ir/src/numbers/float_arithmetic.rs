//! Float arithmetic for constant folding: every result is the exact result, rounded once.

use std::cmp::Ordering;

use num_bigint::{BigInt, BigUint, Sign};

use super::float::{Finite, Float, FloatCategory};
use super::float_kind::FloatKind;
use super::float_round::Magnitude;

impl Finite {
    /// The value as an integer multiple of `2^unit`; `unit` must not exceed the exponent.
    fn in_units(self, unit: i32) -> BigUint {
        BigUint::from(self.significand) << (self.exponent - unit).unsigned_abs()
    }
}

fn signed(negative: bool, magnitude: BigUint) -> BigInt {
    BigInt::from_biguint(if negative { Sign::Minus } else { Sign::Plus }, magnitude)
}

impl Float {
    /// The NaN operand, quieted; the first one if both are NaNs.
    fn nan_operand(self, other: Self) -> Option<Self> {
        let nan = if self.is_nan() { self } else { other };
        nan.is_nan().then(|| nan.quieted())
    }

    /// The NaN of an undefined result; the largest value if the kind has no NaN.
    fn undefined(kind: FloatKind) -> Self {
        Self::nan(kind, false).unwrap_or_else(|| Self::largest(kind, false))
    }

    /// Converts the right operand to the kind of the left one; normally they agree.
    fn matching(self, other: Self) -> Self {
        other.convert(self.kind())
    }

    /// The sum. A zero sum of operands that are not both negative zeros is positive.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        let other = self.matching(other);
        if let Some(nan) = self.nan_operand(other) {
            return nan;
        }
        let (Some(left), Some(right)) = (self.finite(), other.finite()) else {
            let opposed = self.is_negative() != other.is_negative();
            if self.is_infinite() && other.is_infinite() && opposed {
                return Self::undefined(self.kind());
            }
            return if self.is_infinite() { self } else { other };
        };
        let unit = left.exponent.min(right.exponent);
        let sum = signed(self.is_negative(), left.in_units(unit))
            + signed(other.is_negative(), right.in_units(unit));
        let negative = match sum.sign() {
            Sign::NoSign => self.is_negative() && other.is_negative(),
            sign => sign == Sign::Minus,
        };
        Magnitude::of_big(sum.magnitude(), i64::from(unit), false).round(self.kind(), negative)
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
        let negative = self.is_negative() != other.is_negative();
        let (Some(left), Some(right)) = (self.finite(), other.finite()) else {
            if self.is_zero() || other.is_zero() {
                return Self::undefined(self.kind());
            }
            let infinite = if self.is_infinite() { self } else { other };
            return if infinite.is_negative() == negative {
                infinite
            } else {
                infinite.negated()
            };
        };
        let product = BigUint::from(left.significand) * BigUint::from(right.significand);
        let exponent = i64::from(left.exponent) + i64::from(right.exponent);
        Magnitude::of_big(&product, exponent, false).round(self.kind(), negative)
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
            (Some(left), Some(right)) if right.significand == 0 => {
                if left.significand == 0 {
                    return Self::undefined(kind);
                }
                Self::infinity(kind, negative)
                    .or_else(|| Self::nan(kind, negative))
                    .unwrap_or_else(|| Self::largest(kind, negative))
            }
            (Some(left), Some(right)) => {
                let dividend = BigUint::from(left.significand) << 256;
                let divisor = BigUint::from(right.significand);
                let quotient = &dividend / &divisor;
                let sticky = &quotient * &divisor != dividend;
                let exponent = i64::from(left.exponent) - i64::from(right.exponent) - 256;
                Magnitude::of_big(&quotient, exponent, sticky).round(kind, negative)
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
            (Some(_), Some(right)) if right.significand == 0 => Self::undefined(self.kind()),
            (Some(_), None) => self,
            (Some(left), Some(right)) => {
                let unit = left.exponent.min(right.exponent);
                let rest = left.in_units(unit) % right.in_units(unit);
                let magnitude = Magnitude::of_big(&rest, i64::from(unit), false);
                magnitude.round(self.kind(), self.is_negative())
            }
        }
    }

    /// Compares the values; `None` if one is a NaN. Zeros of both signs are equal, and values of
    /// different kinds compare exactly.
    #[must_use]
    pub fn compare(self, other: Self) -> Option<Ordering> {
        if self.is_nan() || other.is_nan() {
            return None;
        }
        let rank = |value: Self| match (value.category(), value.is_negative()) {
            (FloatCategory::Zero, _) => 0,
            (FloatCategory::Infinite, true) => -2,
            (FloatCategory::Infinite, false) => 2,
            (_, true) => -1,
            (_, false) => 1,
        };
        let by_rank = rank(self).cmp(&rank(other));
        let (Some(left), Some(right)) = (self.finite(), other.finite()) else {
            return Some(by_rank);
        };
        if by_rank.is_ne() || rank(self) == 0 {
            return Some(by_rank);
        }
        let unit = left.exponent.min(right.exponent);
        let magnitudes = left.in_units(unit).cmp(&right.in_units(unit));
        Some(if self.is_negative() {
            magnitudes.reverse()
        } else {
            magnitudes
        })
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
