//! Finite values, and their rounding to a float type: every float of the project is rounded here.
//!
//! A value is `±significand * 2^exponent`, with a sticky flag for nonzero bits dropped below it, so
//! that an operation is computed exactly and rounded once (IEEE 754, section 4.3), in any direction.

use std::cmp::Ordering;

use num_bigint::BigUint;

use super::float::Float;
use super::float_kind::{FloatKind, NonFinite};

/// The direction of rounding.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Direction {
    /// To the nearest, ties to the one whose last bit is zero.
    NearestEven,
    /// To the nearest, ties away from zero.
    NearestAway,
    /// Toward zero.
    Zero,
    /// Toward minus infinity.
    Down,
    /// Toward plus infinity.
    Up,
}

impl Direction {
    /// Whether magnitudes of this sign are rounded toward zero.
    const fn is_inward(self, negative: bool) -> bool {
        match self {
            Direction::NearestEven | Direction::NearestAway => false,
            Direction::Zero => true,
            Direction::Down => !negative,
            Direction::Up => negative,
        }
    }
}

/// The result beyond the largest finite value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Overflow {
    /// Infinity, NaN or the largest value, the first of these that the kind has; the largest value
    /// if the direction of rounding is inward (IEEE 754, section 7.4).
    Ieee,
    /// The largest value (PTX ISA, `.satfinite`).
    Largest,
}

/// A finite value: `significand * 2^exponent`, with a sign; with `sticky`, the magnitude is larger
/// by less than `2^exponent`, and the significand has at least two bits more than it is rounded to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Finite {
    /// The sign, also of a zero.
    pub negative: bool,
    /// The magnitude in units.
    pub significand: u128,
    /// The unit, as a power of two.
    pub exponent: i32,
    /// Whether there are nonzero bits below the unit.
    pub sticky: bool,
}

/// Position of the highest bit of an operand of a sum: above the 113 bits of the widest kind (and
/// the 106 of a product of doubles) there is space for a carry, and below them for guard bits.
const SUM_TOP: i32 = 124;

impl Finite {
    /// An integer.
    #[must_use]
    pub const fn integer(negative: bool, magnitude: u128) -> Self {
        Finite {
            negative,
            significand: magnitude,
            exponent: 0,
            sticky: false,
        }
    }

    /// Zero.
    #[must_use]
    pub const fn zero(negative: bool) -> Self {
        Finite::integer(negative, 0)
    }

    /// The leading 128 bits of `significand * 2^exponent`; `sticky` is set if the value is already
    /// inexact.
    pub(super) fn of_big(
        negative: bool,
        significand: &BigUint,
        exponent: i64,
        sticky: bool,
    ) -> Self {
        let excess = significand.bits().saturating_sub(128);
        let zeros = significand.trailing_zeros().unwrap_or(0);
        let top = significand >> excess;
        let mut words = top.iter_u64_digits();
        let low = u128::from(words.next().unwrap_or(0));
        let high = u128::from(words.next().unwrap_or(0));
        let exponent = exponent.saturating_add(excess.cast_signed());
        let limit = i64::from(i32::MAX / 4);
        Finite {
            negative,
            significand: low | high << 64,
            exponent: exponent.clamp(-limit, limit) as i32,
            sticky: sticky || zeros < excess,
        }
    }

    /// Whether the value is a zero.
    #[must_use]
    pub const fn is_zero(self) -> bool {
        self.significand == 0 && !self.sticky
    }

    /// The exponent of the highest bit; `None` for zero.
    fn top(self) -> Option<i32> {
        let bits = 127 - self.significand.leading_zeros().cast_signed();
        (self.significand != 0).then_some(self.exponent + bits)
    }

    /// The magnitude in units of `2^unit`, and whether nonzero bits were dropped.
    fn in_units(self, unit: i32) -> (u128, bool) {
        let (kept, rest) = self.split(unit);
        (kept, rest.is_some())
    }

    /// The largest multiple of `2^unit` not above the magnitude, and the comparison of the remainder
    /// with half a unit: `None` if there is no remainder.
    fn split(self, unit: i32) -> (u128, Option<Ordering>) {
        let shift = unit - self.exponent;
        if shift <= 0 {
            let rest = self.sticky.then_some(Ordering::Less);
            return (self.significand << shift.unsigned_abs(), rest);
        }
        let shift = shift.unsigned_abs();
        if self.significand == 0 || shift > 128 {
            return (0, (!self.is_zero()).then_some(Ordering::Less));
        }
        let kept = self.significand.checked_shr(shift).unwrap_or(0);
        let rest = self.significand & (u128::MAX >> (128 - shift));
        if rest == 0 && !self.sticky {
            return (kept, None);
        }
        let half = 1_u128 << (shift - 1);
        let order = rest.cmp(&half);
        let above = order == Ordering::Equal && self.sticky;
        (kept, Some(if above { Ordering::Greater } else { order }))
    }

    /// The multiple of `2^unit` that a direction gives, in units.
    fn rounded_to_unit(self, unit: i32, direction: Direction) -> u128 {
        let (kept, rest) = self.split(unit);
        let Some(rest) = rest else { return kept };
        let away = match direction {
            Direction::NearestEven => rest.is_gt() || rest.is_eq() && kept & 1 == 1,
            Direction::NearestAway => rest.is_ge(),
            _ => !direction.is_inward(self.negative),
        };
        kept + u128::from(away)
    }

    /// Rounds to a value of a kind.
    #[must_use]
    pub fn round(self, kind: FloatKind, direction: Direction, overflow: Overflow) -> Float {
        let Some(top) = self.top() else {
            return Float::zero(kind, self.negative);
        };
        let precision = kind.precision();
        let below = precision.cast_signed() - 1;
        let mut unit = top.max(kind.min_exponent()) - below;
        let mut kept = self.rounded_to_unit(unit, direction);
        if kept >> precision != 0 {
            kept >>= 1;
            unit += 1;
        }
        if kept == 0 {
            return Float::zero(kind, self.negative);
        }
        let exponent = unit + below;
        if exponent > kind.max_exponent() || is_nan_code(kind, exponent, kept) {
            return match overflow {
                Overflow::Ieee if !direction.is_inward(self.negative) => {
                    Float::overflowed(kind, self.negative)
                }
                _ => Float::largest(kind, self.negative),
            };
        }
        let normal = kept >> below != 0;
        let field = if normal {
            (exponent + kind.bias()).cast_unsigned()
        } else {
            0
        };
        Float::assemble(kind, self.negative, field, kept)
    }

    /// The magnitude of the integer that a direction gives. Magnitudes of `2^120` and more become
    /// `2^120`, which no integer type of a machine has.
    #[must_use]
    pub fn to_integer(self, direction: Direction) -> u128 {
        match self.top() {
            Some(top) if top >= 120 => 1 << 120,
            _ => self.rounded_to_unit(0, direction),
        }
    }

    /// The sum, exact except for a sticky bit far below. A zero sum of opposite signs is negative as
    /// stated.
    #[must_use]
    pub fn plus(self, other: Self, zero_is_negative: bool) -> Self {
        let (Some(mine), Some(its)) = (self.top(), other.top()) else {
            return match (self.significand, other.significand) {
                (0, 0) if self.negative == other.negative => self,
                (0, 0) => Finite::zero(zero_is_negative),
                (0, _) => other,
                _ => self,
            };
        };
        let unit = mine.max(its) - SUM_TOP;
        let (a, a_sticky) = self.in_units(unit);
        let (b, b_sticky) = other.in_units(unit);
        let (negative, significand) = match (self.negative == other.negative, a.cmp(&b)) {
            (true, _) => (self.negative, a + b),
            (false, Ordering::Equal) => (zero_is_negative, 0),
            // Dropped bits belong to the smaller operand: the difference is slightly less.
            (false, Ordering::Greater) => (self.negative, a - b - u128::from(b_sticky)),
            (false, Ordering::Less) => (other.negative, b - a - u128::from(a_sticky)),
        };
        Finite {
            negative,
            significand,
            exponent: unit,
            sticky: a_sticky || b_sticky,
        }
    }

    /// The product, exact except for a sticky bit below its leading 128 bits.
    #[must_use]
    pub fn times(self, other: Self) -> Self {
        let negative = self.negative != other.negative;
        let exponent = self.exponent + other.exponent;
        match self.significand.checked_mul(other.significand) {
            Some(significand) => Finite {
                negative,
                significand,
                exponent,
                sticky: false,
            },
            None => {
                let product = BigUint::from(self.significand) * BigUint::from(other.significand);
                Finite::of_big(negative, &product, exponent.into(), false)
            }
        }
    }

    /// The order of two values without sticky bits. Zeros are equal.
    #[must_use]
    pub fn compare(self, other: Self) -> Ordering {
        let sign = |value: Self| match (value.significand, value.negative) {
            (0, _) => 0,
            (_, true) => -1,
            (_, false) => 1,
        };
        let by_sign = sign(self).cmp(&sign(other));
        if by_sign.is_ne() || self.significand == 0 {
            return by_sign;
        }
        let magnitudes = self.top().cmp(&other.top()).then_with(|| {
            let unit = self.exponent.min(other.exponent);
            self.in_units(unit).0.cmp(&other.in_units(unit).0)
        });
        if self.negative {
            magnitudes.reverse()
        } else {
            magnitudes
        }
    }
}

/// Whether the encoding with all bits set, which is a finite value by its fields, is the NaN.
fn is_nan_code(kind: FloatKind, exponent: i32, significand: u128) -> bool {
    kind.non_finite() == NonFinite::NanAllOnes
        && kind.mantissa_bits() > 0
        && exponent == kind.max_exponent()
        && significand + 1 == 1 << kind.precision()
}
