//! Numbers in the sense of IEEE 754: results before they are rounded to a float type.

use std::cmp::Ordering;

use super::finite::{Direction, Finite, Overflow};
use super::float::Float;
use super::float_kind::FloatKind;

/// A number in the sense of IEEE 754, of no particular type.
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

impl Number {
    /// The number with an encoding; bits above the width of the kind are ignored.
    #[must_use]
    pub fn decode(kind: FloatKind, bits: u128) -> Self {
        Float::from_bits(kind, bits).number()
    }

    /// Rounds to a value of a kind. NaN becomes the quiet NaN of the kind without a payload, or its
    /// largest value if it has none.
    #[must_use]
    pub fn round(self, kind: FloatKind, direction: Direction, overflow: Overflow) -> Float {
        match self {
            Number::Nan => Float::undefined(kind),
            Number::Infinite { negative } if overflow == Overflow::Ieee => {
                Float::overflowed(kind, negative)
            }
            Number::Infinite { negative } => Float::largest(kind, negative),
            Number::Finite(value) => value.round(kind, direction, overflow),
        }
    }

    /// Whether the sign is set; false for NaN.
    #[must_use]
    pub const fn is_negative(self) -> bool {
        match self {
            Number::Nan => false,
            Number::Infinite { negative } => negative,
            Number::Finite(value) => value.negative,
        }
    }

    /// Whether the value is a zero.
    #[must_use]
    pub const fn is_zero(self) -> bool {
        matches!(self, Number::Finite(value) if value.is_zero())
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

    /// The product.
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

    /// The order of two numbers; `None` if one is NaN. Zeros are equal.
    #[must_use]
    pub fn compare(self, other: Self) -> Option<Ordering> {
        let rank = |value: Self| match value {
            Number::Infinite { negative: true } => -1,
            Number::Infinite { negative: false } => 1,
            _ => 0,
        };
        match (self, other) {
            (Number::Nan, _) | (_, Number::Nan) => None,
            (Number::Finite(a), Number::Finite(b)) => Some(a.compare(b)),
            _ => Some(rank(self).cmp(&rank(other))),
        }
    }
}
