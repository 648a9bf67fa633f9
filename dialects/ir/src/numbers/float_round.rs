//! Rounding of exact values to a float type, and conversions.

use num_bigint::{BigInt, BigUint, Sign};

use super::float::{Finite, Float, FloatCategory};
use super::float_kind::{FloatKind, NonFinite};
use super::integer::ApInt;

/// A magnitude between `significand * 2^exponent` (included only without `sticky`) and
/// `(significand + 1) * 2^exponent` (excluded). With `sticky`, the significand has at least two
/// bits more than the precision that it is rounded to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Magnitude {
    pub(super) significand: u128,
    pub(super) exponent: i32,
    pub(super) sticky: bool,
}

impl Magnitude {
    /// The leading 128 bits of `significand * 2^exponent`; `sticky` is set if the value is already
    /// inexact.
    pub(super) fn of_big(significand: &BigUint, exponent: i64, sticky: bool) -> Self {
        let excess = significand.bits().saturating_sub(128);
        let lost = excess > 0
            && significand
                .trailing_zeros()
                .is_some_and(|zeros| zeros < excess);
        let top = significand >> excess;
        let mut words = top.iter_u64_digits();
        let low = u128::from(words.next().unwrap_or(0));
        let high = u128::from(words.next().unwrap_or(0));
        let exponent = exponent.saturating_add(excess.cast_signed());
        let limit = i64::from(i32::MAX / 4);
        Self {
            significand: low | high << 64,
            exponent: exponent.clamp(-limit, limit) as i32,
            sticky: sticky || lost,
        }
    }

    /// Rounds to the nearest value of a kind, ties to the one with an even last bit.
    pub(super) fn round(self, kind: FloatKind, negative: bool) -> Float {
        let bits = 128 - self.significand.leading_zeros();
        if bits == 0 {
            return Float::zero(kind, negative);
        }
        let precision = kind.precision();
        let top_exponent = self.exponent + bits as i32 - 1;
        let mut unit = top_exponent.max(kind.min_exponent()) - (precision as i32 - 1);
        let mut kept = self.rounded_to_unit(unit);
        if kept >> precision != 0 {
            kept >>= 1;
            unit += 1;
        }
        if kept == 0 {
            return Float::zero(kind, negative);
        }
        let exponent = unit + precision as i32 - 1;
        let all_ones = kept + 1 == 1 << precision;
        let is_nan_code = kind.non_finite() == NonFinite::NanAllOnes
            && kind.mantissa_bits() > 0
            && exponent == kind.max_exponent()
            && all_ones;
        if exponent > kind.max_exponent() || is_nan_code {
            return overflowed(kind, negative);
        }
        let normal = kept >> (precision - 1) != 0;
        let field = if normal {
            (exponent + kind.bias()).cast_unsigned()
        } else {
            0
        };
        Float::assemble(kind, negative, field, kept)
    }

    /// The multiple of `2^unit` nearest to the magnitude.
    fn rounded_to_unit(self, unit: i32) -> u128 {
        let shift = unit - self.exponent;
        if shift <= 0 {
            return self.significand << shift.unsigned_abs();
        }
        let shift = shift.unsigned_abs();
        if shift > 128 {
            return 0;
        }
        let (kept, rest) = if shift == 128 {
            (0, self.significand)
        } else {
            (
                self.significand >> shift,
                self.significand & ((1 << shift) - 1),
            )
        };
        let half = 1_u128 << (shift - 1);
        let above_half = rest > half || (rest == half && self.sticky);
        let tie_to_odd = rest == half && !self.sticky && kept & 1 == 1;
        kept + u128::from(above_half || tie_to_odd)
    }
}

/// The overflow result of a kind: infinity, else NaN, else the largest value.
fn overflowed(kind: FloatKind, negative: bool) -> Float {
    Float::infinity(kind, negative)
        .or_else(|| Float::nan(kind, negative))
        .unwrap_or_else(|| Float::largest(kind, negative))
}

impl Float {
    /// The nearest value of another kind, ties to the one with an even last bit.
    ///
    /// Values that are too large become infinity, NaN or the largest value, the first of these that
    /// the kind has. NaNs keep the leading bits of their payload and become quiet; kinds without
    /// NaN convert them to the largest value.
    #[must_use]
    pub fn convert(self, kind: FloatKind) -> Self {
        if kind == self.kind() {
            return self;
        }
        let negative = self.is_negative();
        match (self.category(), self.finite()) {
            (
                _,
                Some(Finite {
                    significand,
                    exponent,
                }),
            ) => Magnitude {
                significand,
                exponent,
                sticky: false,
            }
            .round(kind, negative),
            (FloatCategory::Nan, None) => self.convert_nan(kind),
            (_, None) => overflowed(kind, negative),
        }
    }

    fn convert_nan(self, kind: FloatKind) -> Self {
        let negative = self.is_negative() && self.kind().non_finite() != NonFinite::NanNegativeZero;
        let plain = overflowed_nan(kind, negative);
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
        Magnitude::of_big(&magnitude.to_biguint(), 0, false).round(kind, negative)
    }

    /// The value rounded toward zero as an integer of `width` bits; `None` if it does not fit or is
    /// not a number.
    #[must_use]
    pub fn to_integer(self, width: u32, signed: bool) -> Option<ApInt> {
        let Finite {
            significand,
            exponent,
        } = self.finite()?;
        if i64::from(exponent) > i64::from(width) {
            return (significand == 0).then(|| ApInt::zero(width));
        }
        let magnitude = if exponent >= 0 {
            BigUint::from(significand) << exponent.unsigned_abs()
        } else {
            BigUint::from(
                significand
                    .checked_shr(exponent.unsigned_abs())
                    .unwrap_or(0),
            )
        };
        let sign = if self.is_negative() {
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

fn overflowed_nan(kind: FloatKind, negative: bool) -> Float {
    Float::nan(kind, negative).unwrap_or_else(|| Float::largest(kind, negative))
}
