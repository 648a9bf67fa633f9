//! Exact numbers and their rounding to a float format.
//!
//! A value is `±significand * 2^exponent`, with a sticky flag for nonzero bits dropped below it.
//! Every float operation computes exactly and rounds once (IEEE 754, section 4.3), in all rounding
//! modes.

use std::cmp::Ordering;

use orison_ir::numbers::{FloatKind, NonFinite};

/// Rounding mode.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Direction {
    /// To the nearest, ties to the one whose last bit is zero.
    NearestEven,
    /// To the nearest, ties away from zero (`cvt.rna`).
    NearestAway,
    /// Toward zero.
    Zero,
    /// Toward minus infinity.
    Down,
    /// Toward plus infinity.
    Up,
}

/// Overflow behaviour: the result beyond the largest finite value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Overflow {
    /// As IEEE 754: infinity, or the largest finite value if the rounding mode points inward.
    Ieee,
    /// The largest finite value (`.satfinite`).
    Finite,
}

/// A finite value: `significand * 2^exponent`, with a sign; with `sticky`, the magnitude is larger
/// by less than `2^exponent`.
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

/// A number in the sense of IEEE 754.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Number {
    /// Not a number.
    Nan,
    /// Infinity.
    Infinite {
        /// Whether it is minus infinity.
        negative: bool,
    },
    /// A finite value.
    Finite(Finite),
}

/// Position of the highest bit of an operand of a sum: above the 106 bits of a product of doubles
/// there is space for one more bit, and below them for a guard bit.
const SUM_TOP: i32 = 124;

impl Finite {
    /// Zero.
    pub const fn zero(negative: bool) -> Self {
        Finite {
            negative,
            significand: 0,
            exponent: 0,
            sticky: false,
        }
    }

    /// An integer.
    pub const fn integer(negative: bool, magnitude: u128) -> Self {
        Finite {
            negative,
            significand: magnitude,
            exponent: 0,
            sticky: false,
        }
    }

    /// The exponent of the highest bit; `None` for zero.
    fn top(self) -> Option<i32> {
        let bits = 127 - self.significand.leading_zeros().cast_signed();
        (self.significand != 0).then_some(self.exponent + bits)
    }

    /// The magnitude in units of `2^unit`, and whether nonzero bits were dropped.
    fn in_units(self, unit: i32) -> (u128, bool) {
        let shift = unit - self.exponent;
        if shift <= 0 {
            return (self.significand << shift.unsigned_abs(), self.sticky);
        }
        let shift = shift.unsigned_abs();
        if shift >= 128 {
            return (0, self.sticky || self.significand != 0);
        }
        let dropped = self.significand & ((1 << shift) - 1);
        (self.significand >> shift, self.sticky || dropped != 0)
    }

    /// The exact sum, except for a sticky bit far below. A zero sum of opposite signs has the sign
    /// `zero_sign`.
    fn plus(self, other: Finite, zero_negative: bool) -> Finite {
        let (Some(mine), Some(its)) = (self.top(), other.top()) else {
            return match (self.significand, other.significand) {
                (0, 0) if self.negative == other.negative => self,
                (0, 0) => Finite::zero(zero_negative),
                (0, _) => other,
                _ => self,
            };
        };
        let unit = mine.max(its) - SUM_TOP;
        let (a, a_sticky) = self.in_units(unit);
        let (b, b_sticky) = other.in_units(unit);
        let sticky = a_sticky || b_sticky;
        let (negative, significand) = match (self.negative == other.negative, a.cmp(&b)) {
            (true, _) => (self.negative, a + b),
            (false, Ordering::Equal) => (zero_negative, 0),
            // Dropped bits belong to the smaller operand: the difference is slightly less.
            (false, Ordering::Greater) => (self.negative, a - b - u128::from(b_sticky)),
            (false, Ordering::Less) => (other.negative, b - a - u128::from(a_sticky)),
        };
        Finite {
            negative,
            significand,
            exponent: unit,
            sticky,
        }
    }

    fn times(self, other: Finite) -> Finite {
        Finite {
            negative: self.negative != other.negative,
            significand: self.significand * other.significand,
            exponent: self.exponent + other.exponent,
            sticky: false,
        }
    }

    /// The integer that a rounding mode gives, with its sign. Magnitudes of `2^120` and more are
    /// clamped, beyond every integer format.
    pub fn to_integer(self, direction: Direction) -> (bool, u128) {
        if self.top().is_some_and(|top| top >= 120) {
            return (self.negative, 1 << 120);
        }
        let (kept, rest) = split(self, 0);
        let kept = kept + u128::from(rounds_up(direction, self.negative, kept, rest));
        (self.negative, kept)
    }
}

/// The largest multiple of `2^unit` not above a magnitude, and the comparison of the remainder with
/// half a unit: `None` if there is no remainder.
fn split(value: Finite, unit: i32) -> (u128, Option<Ordering>) {
    let shift = unit - value.exponent;
    if shift <= 0 {
        let rest = value.sticky.then_some(Ordering::Less);
        return (value.significand << shift.unsigned_abs(), rest);
    }
    let shift = shift.unsigned_abs();
    if value.significand == 0 || shift > 128 {
        let any = value.sticky || value.significand != 0;
        return (0, any.then_some(Ordering::Less));
    }
    let kept = value.significand.checked_shr(shift).unwrap_or(0);
    let rest = value.significand & (u128::MAX >> (128 - shift));
    if rest == 0 && !value.sticky {
        return (kept, None);
    }
    let half = 1_u128 << (shift - 1);
    let order = rest.cmp(&half);
    let above = order == Ordering::Equal && value.sticky;
    (kept, Some(if above { Ordering::Greater } else { order }))
}

/// Whether to round away from zero.
fn rounds_up(direction: Direction, negative: bool, kept: u128, rest: Option<Ordering>) -> bool {
    let Some(rest) = rest else { return false };
    match direction {
        Direction::NearestEven => {
            rest == Ordering::Greater || (rest == Ordering::Equal && kept & 1 == 1)
        }
        Direction::NearestAway => rest != Ordering::Less,
        Direction::Zero => false,
        Direction::Down => negative,
        Direction::Up => !negative,
    }
}

const fn mask(bits: u32) -> u128 {
    if bits >= 128 {
        u128::MAX
    } else {
        (1 << bits) - 1
    }
}

/// The NaN that operations produce: all bits of exponent and mantissa set, except for doubles,
/// which use the default NaN of IEEE 754 (PTX ISA 9.0, section 9.7.3: the canonical NaN of `f32` is
/// `0x7fffffff`). Formats without NaN use the largest value.
pub fn canonical_nan(kind: FloatKind) -> u128 {
    match kind {
        FloatKind::F64 => 0x7FF8_0000_0000_0000,
        kind if kind.has_sign() => mask(kind.width() - 1),
        kind => mask(kind.width()),
    }
}

fn assemble(kind: FloatKind, negative: bool, field: u32, significand: u128) -> u128 {
    let sign = u128::from(negative && kind.has_sign()) << (kind.width() - 1);
    let field = u128::from(field) << kind.mantissa_bits();
    sign | field | significand & mask(kind.mantissa_bits())
}

/// The largest finite value of a format.
fn largest(kind: FloatKind, negative: bool) -> u128 {
    let field = (kind.max_exponent() + kind.bias()).cast_unsigned();
    let fraction = match kind.non_finite() {
        NonFinite::NanAllOnes if kind.mantissa_bits() > 0 => mask(kind.mantissa_bits()) - 1,
        _ => mask(kind.mantissa_bits()),
    };
    assemble(kind, negative, field, fraction)
}

fn infinity(kind: FloatKind, negative: bool, overflow: Overflow) -> u128 {
    match (overflow, kind.non_finite()) {
        (Overflow::Finite, _) | (_, NonFinite::None) => largest(kind, negative),
        (_, NonFinite::Ieee) => {
            let field = (kind.max_exponent() + 1 + kind.bias()).cast_unsigned();
            assemble(kind, negative, field, 0)
        }
        _ => canonical_nan(kind),
    }
}

impl Number {
    /// Decodes a value; bits above the width of the format are ignored.
    pub fn decode(kind: FloatKind, bits: u128) -> Self {
        let bits = bits & mask(kind.width());
        let negative = kind.has_sign() && bits >> (kind.width() - 1) == 1;
        let fraction = bits & mask(kind.mantissa_bits());
        let field = (bits >> kind.mantissa_bits()) & mask(kind.exponent_bits());
        let exponent = i32::try_from(field).unwrap_or(0) - kind.bias();
        match kind.non_finite() {
            NonFinite::Ieee if exponent > kind.max_exponent() => {
                return match fraction {
                    0 => Number::Infinite { negative },
                    _ => Number::Nan,
                };
            }
            NonFinite::NanAllOnes
                if bits & mask(kind.width() - u32::from(kind.has_sign()))
                    == canonical_nan(kind) =>
            {
                return Number::Nan;
            }
            _ => {}
        }
        let subnormal = field == 0 && kind.has_zero();
        let hidden = u128::from(!subnormal) << kind.mantissa_bits();
        let top = if subnormal {
            kind.min_exponent()
        } else {
            exponent
        };
        Number::Finite(Finite {
            negative,
            significand: hidden | fraction,
            exponent: top - i32::try_from(kind.mantissa_bits()).unwrap_or(0),
            sticky: false,
        })
    }

    /// Encodes the value, rounded once.
    pub fn encode(self, kind: FloatKind, direction: Direction, overflow: Overflow) -> u128 {
        match self {
            Number::Nan => canonical_nan(kind),
            Number::Infinite { negative } => infinity(kind, negative, overflow),
            Number::Finite(value) => encode_finite(value, kind, direction, overflow),
        }
    }

    /// The value of a float of 32 bits.
    pub fn of_f32(value: f32) -> Self {
        Number::decode(FloatKind::F32, value.to_bits().into())
    }

    /// The value of a double.
    pub fn of_f64(value: f64) -> Self {
        Number::decode(FloatKind::F64, value.to_bits().into())
    }

    /// Whether the sign is set; false for NaN.
    pub const fn is_negative(self) -> bool {
        match self {
            Number::Nan => false,
            Number::Infinite { negative } => negative,
            Number::Finite(value) => value.negative,
        }
    }

    /// Whether the value is a zero.
    pub const fn is_zero(self) -> bool {
        matches!(
            self,
            Number::Finite(Finite {
                significand: 0,
                sticky: false,
                ..
            })
        )
    }

    /// The sum. A zero sum of opposite signs is negative only when rounding down.
    #[must_use]
    pub fn plus(self, other: Self, direction: Direction) -> Self {
        match (self, other) {
            (Number::Nan, _) | (_, Number::Nan) => Number::Nan,
            (Number::Finite(a), Number::Finite(b)) => {
                Number::Finite(a.plus(b, direction == Direction::Down))
            }
            (Number::Infinite { negative: a }, Number::Infinite { negative: b }) if a != b => {
                Number::Nan
            }
            (Number::Infinite { .. }, _) => self,
            _ => other,
        }
    }

    /// The product; exact if both significands have at most 64 bits.
    #[must_use]
    pub fn times(self, other: Self) -> Self {
        let negative = self.is_negative() != other.is_negative();
        match (self, other) {
            (Number::Nan, _) | (_, Number::Nan) => Number::Nan,
            (Number::Finite(a), Number::Finite(b)) => Number::Finite(a.times(b)),
            _ if self.is_zero() || other.is_zero() => Number::Nan,
            _ => Number::Infinite { negative },
        }
    }

    /// The ordering of two numbers; `None` if one is NaN. Zeros are equal.
    pub fn compare(self, other: Self) -> Option<Ordering> {
        let rank = |value: Self| match value {
            Number::Infinite { negative: true } => -2,
            Number::Infinite { negative: false } => 2,
            _ if value.is_zero() => 0,
            _ if value.is_negative() => -1,
            _ => 1,
        };
        if self == Number::Nan || other == Number::Nan {
            return None;
        }
        let by_rank = rank(self).cmp(&rank(other));
        let (Number::Finite(a), Number::Finite(b)) = (self, other) else {
            return Some(by_rank);
        };
        if by_rank.is_ne() || rank(self) == 0 {
            return Some(by_rank);
        }
        let magnitudes = a.top().cmp(&b.top()).then_with(|| {
            let unit = a.exponent.min(b.exponent);
            a.in_units(unit).0.cmp(&b.in_units(unit).0)
        });
        Some(if a.negative {
            magnitudes.reverse()
        } else {
            magnitudes
        })
    }
}

fn encode_finite(value: Finite, kind: FloatKind, direction: Direction, overflow: Overflow) -> u128 {
    let negative = value.negative;
    let Some(top) = value.top() else {
        return assemble(kind, negative, 0, 0);
    };
    let precision = i32::try_from(kind.precision()).unwrap_or(1);
    let mut unit = top.max(kind.min_exponent()) - (precision - 1);
    let (mut kept, rest) = split(value, unit);
    kept += u128::from(rounds_up(direction, negative, kept, rest));
    if kept >> precision != 0 {
        kept >>= 1;
        unit += 1;
    }
    let exponent = unit + precision - 1;
    let is_nan_code = kind.non_finite() == NonFinite::NanAllOnes
        && kind.mantissa_bits() > 0
        && exponent == kind.max_exponent()
        && kept == mask(kind.precision());
    if exponent > kind.max_exponent() || is_nan_code {
        let inward = match direction {
            Direction::NearestEven | Direction::NearestAway => false,
            Direction::Zero => true,
            Direction::Down => !negative,
            Direction::Up => negative,
        };
        return if inward {
            largest(kind, negative)
        } else {
            infinity(kind, negative, overflow)
        };
    }
    let normal = kept >> (precision - 1) != 0 || !kind.has_zero();
    let field = if normal {
        (exponent + kind.bias()).cast_unsigned()
    } else {
        0
    };
    assemble(kind, negative, field, kept)
}
