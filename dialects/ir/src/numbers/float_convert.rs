//! Conversions of floats to other kinds, and from and to integers.

use num_bigint::{BigInt, BigUint, Sign};

use super::finite::{Direction, Finite, Overflow};
use super::float::Float;
use super::float_kind::{FloatKind, NonFinite};
use super::integer::ApInt;
use super::number::Number;

impl Float {
    /// The nearest value of another kind, ties to the one with an even last bit: [`Self::round`].
    #[must_use]
    pub fn convert(self, kind: FloatKind) -> Self {
        self.round(kind, Direction::NearestEven)
    }

    /// The value rounded to another kind.
    ///
    /// Values that are too large, and not rounded toward zero, become infinity, NaN or the largest
    /// value, the first of these that the kind has. NaNs keep the leading bits of their payload and
    /// become quiet; kinds without NaN convert them to the largest value.
    #[must_use]
    pub fn round(self, kind: FloatKind, direction: Direction) -> Self {
        if kind == self.kind() {
            return self;
        }
        match self.number() {
            Number::Nan => self.convert_nan(kind),
            number => number.round(kind, direction, Overflow::Ieee),
        }
    }

    fn convert_nan(self, kind: FloatKind) -> Self {
        let negative = self.is_negative() && self.kind().non_finite() != NonFinite::NanNegativeZero;
        let plain = Self::nan(kind, negative).unwrap_or_else(|| Self::largest(kind, negative));
        let both_ieee = kind.has_infinity() && self.kind().has_infinity();
        if !both_ieee {
            return plain;
        }
        let (from, to) = (self.kind().mantissa_bits(), kind.mantissa_bits());
        let payload = if to >= from {
            self.fraction() << (to - from)
        } else {
            self.fraction() >> (from - to)
        };
        Self::from_bits(kind, plain.bits() | payload)
    }

    /// The nearest value to a double.
    #[must_use]
    pub fn from_f64(kind: FloatKind, value: f64) -> Self {
        Self::from_bits(FloatKind::F64, u128::from(value.to_bits())).convert(kind)
    }

    /// The value as a double: exact, except for `f80` and `f128`, which are rounded.
    #[must_use]
    pub fn to_f64(self) -> f64 {
        f64::from_bits(self.convert(FloatKind::F64).bits() as u64)
    }

    /// The nearest value to an integer.
    #[must_use]
    pub fn from_integer(kind: FloatKind, value: &ApInt, signed: bool) -> Self {
        let negative = signed && value.is_negative();
        let magnitude = if negative {
            value.wrapping_neg()
        } else {
            value.clone()
        };
        Finite::of_big(negative, &magnitude.to_biguint(), 0, false).round(
            kind,
            Direction::NearestEven,
            Overflow::Ieee,
        )
    }

    /// The value rounded toward zero as an integer of `width` bits; `None` if it does not fit or is
    /// not a number.
    #[must_use]
    pub fn to_integer(self, width: u32, signed: bool) -> Option<ApInt> {
        let value = self.finite()?;
        if i64::from(value.exponent) > i64::from(width) {
            return value.is_zero().then(|| ApInt::zero(width));
        }
        let magnitude = if value.exponent >= 0 {
            BigUint::from(value.significand) << value.exponent.unsigned_abs()
        } else {
            BigUint::from(value.to_integer(Direction::Zero))
        };
        let sign = if value.negative {
            Sign::Minus
        } else {
            Sign::Plus
        };
        let exact = BigInt::from_biguint(sign, magnitude);
        let value = ApInt::from_bigint(width, &exact);
        let back = if signed {
            value.to_bigint()
        } else {
            BigInt::from(value.to_biguint())
        };
        (back == exact).then_some(value)
    }
}
