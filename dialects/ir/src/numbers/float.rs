//! Floating-point values of every builtin type.

use std::fmt;

use super::finite::Finite;
use super::float_kind::{FloatKind, NonFinite};
use super::number::Number;

/// A value of a builtin float type, compared and hashed by its bits.
///
/// A value of `f8E8M0FNU` stores a minus sign that its encoding cannot represent, because the
/// textual format prints it; [`Float::bits`] omits it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Float {
    kind: FloatKind,
    /// The encoding. For `f8E8M0FNU`, the next higher bit is the sign.
    raw: u128,
}

/// The class of a floating-point value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FloatCategory {
    /// Zero of either sign.
    Zero,
    /// A nonzero value below the smallest normal magnitude.
    Subnormal,
    /// Any other finite value.
    Normal,
    /// Infinity of either sign.
    Infinite,
    /// Not a number.
    Nan,
}

const fn mask(bits: u32) -> u128 {
    (1 << bits) - 1
}

impl Float {
    /// The value with the given encoding, least significant byte first. Missing bytes are zero;
    /// bytes after the sixteenth are dropped, as are bits above the width of the kind.
    #[must_use]
    pub fn from_le_bytes(kind: FloatKind, bytes: &[u8]) -> Self {
        let mut word = [0; 16];
        for (to, from) in word.iter_mut().zip(bytes) {
            *to = *from;
        }
        Self::from_bits(kind, u128::from_le_bytes(word))
    }

    /// The value with the given encoding; bits above the width of the kind are dropped.
    ///
    /// Invalid encodings of `f80` (a normal exponent without the integer bit) become the NaN to
    /// which the textual format converts them.
    #[must_use]
    pub fn from_bits(kind: FloatKind, bits: u128) -> Self {
        let width = kind.width();
        let raw = if width == 128 {
            bits
        } else {
            bits & mask(width)
        };
        let value = Self { kind, raw };
        if kind.has_integer_bit() {
            value.with_sound_integer_bit()
        } else {
            value
        }
    }

    /// The value with the given encoding; `None` if it needs more bits than the kind has.
    #[must_use]
    pub fn try_from_bits(kind: FloatKind, bits: u128) -> Option<Self> {
        let width = kind.width();
        (width == 128 || bits >> width == 0).then(|| Self::from_bits(kind, bits))
    }

    fn with_sound_integer_bit(self) -> Self {
        let integer_bit = 1 << 63;
        let field = self.exponent_field();
        let has_integer_bit = self.raw & integer_bit != 0;
        let sign = self.raw & (1 << 79);
        let raw = match (field, has_integer_bit) {
            (0, true) => self.raw | 1 << 64,
            (1..0x7FFF, false) => sign | 0x7FFF << 64 | self.raw & mask(64),
            _ => self.raw,
        };
        Self {
            kind: self.kind,
            raw,
        }
    }

    /// Assembles the fields; the significand includes the integer bit of normal values.
    pub(super) fn assemble(kind: FloatKind, negative: bool, field: u32, significand: u128) -> Self {
        let stored = kind.mantissa_bits() + u32::from(kind.has_integer_bit());
        let sign = u128::from(negative) << (stored + kind.exponent_bits());
        let raw = sign | u128::from(field) << stored | significand & mask(stored);
        Self { kind, raw }
    }

    /// The kind of the float.
    #[must_use]
    pub const fn kind(self) -> FloatKind {
        self.kind
    }

    /// The encoding.
    #[must_use]
    pub const fn bits(self) -> u128 {
        if self.kind.has_sign() {
            self.raw
        } else {
            self.raw & mask(self.kind.width())
        }
    }

    fn stored_mantissa_bits(self) -> u32 {
        self.kind.mantissa_bits() + u32::from(self.kind.has_integer_bit())
    }

    fn exponent_field(self) -> u32 {
        let field = self.raw >> self.stored_mantissa_bits();
        (field & mask(self.kind.exponent_bits())) as u32
    }

    /// The fraction bits, without the integer bit.
    pub(super) fn fraction(self) -> u128 {
        self.raw & mask(self.kind.mantissa_bits())
    }

    /// Whether the sign is set; also for zeros and NaNs.
    #[must_use]
    pub fn is_negative(self) -> bool {
        let position = self.stored_mantissa_bits() + self.kind.exponent_bits();
        self.raw >> position & 1 == 1
    }

    /// The class of the value.
    #[must_use]
    pub fn category(self) -> FloatCategory {
        let field = self.exponent_field();
        let fraction = self.fraction();
        let largest_field = mask(self.kind.exponent_bits()) as u32;
        match self.kind.non_finite() {
            NonFinite::Ieee if field == largest_field => {
                let integer_bit = !self.kind.has_integer_bit() || self.raw >> 63 & 1 == 1;
                return if fraction == 0 && integer_bit {
                    FloatCategory::Infinite
                } else {
                    FloatCategory::Nan
                };
            }
            NonFinite::NanAllOnes
                if field == largest_field && fraction == mask(self.kind.mantissa_bits()) =>
            {
                return FloatCategory::Nan;
            }
            NonFinite::NanNegativeZero if self.is_negative() && field == 0 && fraction == 0 => {
                return FloatCategory::Nan;
            }
            _ => {}
        }
        match (field, fraction) {
            _ if !self.kind.has_zero() => FloatCategory::Normal,
            (0, 0) => FloatCategory::Zero,
            (0, _) => FloatCategory::Subnormal,
            _ => FloatCategory::Normal,
        }
    }

    /// The finite value; `None` for infinities and NaNs.
    pub(super) fn finite(self) -> Option<Finite> {
        match self.number() {
            Number::Finite(value) => Some(value),
            _ => None,
        }
    }

    /// The number, without the sign and the payload of a NaN.
    #[must_use]
    pub fn number(self) -> Number {
        let negative = self.is_negative();
        let implied = 1 << self.kind.mantissa_bits();
        let (significand, field) = match self.category() {
            FloatCategory::Infinite => return Number::Infinite { negative },
            FloatCategory::Nan => return Number::Nan,
            FloatCategory::Zero | FloatCategory::Subnormal => (self.fraction(), 1),
            FloatCategory::Normal => (self.fraction() | implied, self.exponent_field() as i32),
        };
        Number::Finite(Finite {
            negative,
            significand,
            exponent: field - self.kind.bias() - self.kind.mantissa_bits() as i32,
            sticky: false,
        })
    }

    /// Whether the value is zero.
    #[must_use]
    pub fn is_zero(self) -> bool {
        self.category() == FloatCategory::Zero
    }

    /// Whether the value is not a number.
    #[must_use]
    pub fn is_nan(self) -> bool {
        self.category() == FloatCategory::Nan
    }

    /// Whether the value is a signaling NaN (IEEE 754).
    #[must_use]
    pub fn is_signaling(self) -> bool {
        self.is_nan()
            && self.kind.non_finite() == NonFinite::Ieee
            && self.fraction() >> (self.kind.mantissa_bits() - 1) & 1 == 0
    }

    /// Whether the value is infinite.
    #[must_use]
    pub fn is_infinite(self) -> bool {
        self.category() == FloatCategory::Infinite
    }

    /// Whether the value is neither infinite nor a NaN.
    #[must_use]
    pub fn is_finite(self) -> bool {
        !matches!(
            self.category(),
            FloatCategory::Infinite | FloatCategory::Nan
        )
    }

    /// Zero; positive zero or the smallest value if the kind has no such zero.
    #[must_use]
    pub fn zero(kind: FloatKind, negative: bool) -> Self {
        Self::assemble(kind, negative && kind.has_negative_zero(), 0, 0)
    }

    /// One.
    #[must_use]
    pub fn one(kind: FloatKind) -> Self {
        let integer_bit = 1 << kind.mantissa_bits();
        Self::assemble(kind, false, kind.bias().cast_unsigned(), integer_bit)
    }

    /// Infinity, if the kind has one.
    #[must_use]
    pub fn infinity(kind: FloatKind, negative: bool) -> Option<Self> {
        let field = mask(kind.exponent_bits()) as u32;
        let integer_bit = 1 << kind.mantissa_bits();
        kind.has_infinity()
            .then(|| Self::assemble(kind, negative, field, integer_bit))
    }

    /// The quiet NaN without a payload, if the kind has a NaN. The sign is ignored if the kind has
    /// a single NaN.
    #[must_use]
    pub fn nan(kind: FloatKind, negative: bool) -> Option<Self> {
        let field = mask(kind.exponent_bits()) as u32;
        match kind.non_finite() {
            NonFinite::Ieee => {
                let quiet = 0b11 << (kind.mantissa_bits() - 1);
                Some(Self::assemble(kind, negative, field, quiet))
            }
            NonFinite::NanAllOnes => {
                let fraction = mask(kind.mantissa_bits());
                Some(Self::assemble(
                    kind,
                    negative && kind.has_sign(),
                    field,
                    fraction,
                ))
            }
            NonFinite::NanNegativeZero => Some(Self::assemble(kind, true, 0, 0)),
            NonFinite::None => None,
        }
    }

    /// The finite value of the largest magnitude.
    #[must_use]
    pub fn largest(kind: FloatKind, negative: bool) -> Self {
        let field = (kind.max_exponent() + kind.bias()).cast_unsigned();
        let taken_by_nan = kind.non_finite() == NonFinite::NanAllOnes && kind.mantissa_bits() > 0;
        let significand = mask(kind.precision()) - u128::from(taken_by_nan);
        Self::assemble(kind, negative, field, significand)
    }

    /// The result of an overflow: infinity, NaN or the largest value, the first of these that the
    /// kind has.
    pub(super) fn overflowed(kind: FloatKind, negative: bool) -> Self {
        Self::infinity(kind, negative)
            .or_else(|| Self::nan(kind, negative))
            .unwrap_or_else(|| Self::largest(kind, negative))
    }

    /// The NaN of an undefined result; the largest value if the kind has no NaN.
    pub(super) fn undefined(kind: FloatKind) -> Self {
        Self::nan(kind, false).unwrap_or_else(|| Self::largest(kind, false))
    }

    /// The positive value of the smallest magnitude.
    #[must_use]
    pub fn smallest(kind: FloatKind) -> Self {
        Self::assemble(kind, false, 0, u128::from(kind.has_zero()))
    }

    /// Sets the quiet bit of a NaN; other values are unchanged.
    #[must_use]
    pub fn quieted(self) -> Self {
        if !self.is_signaling() {
            return self;
        }
        Self {
            kind: self.kind,
            raw: self.raw | 1 << (self.kind.mantissa_bits() - 1),
        }
    }

    /// The value with its sign flipped; unchanged if the result has no encoding (the zero and the
    /// NaN of kinds without a negative zero).
    #[must_use]
    pub fn negated(self) -> Self {
        let fixed = self.kind.non_finite() == NonFinite::NanNegativeZero
            && matches!(self.category(), FloatCategory::Zero | FloatCategory::Nan);
        if fixed || (!self.kind.has_sign() && self.is_nan()) {
            return self;
        }
        let position = self.stored_mantissa_bits() + self.kind.exponent_bits();
        Self {
            kind: self.kind,
            raw: self.raw ^ 1 << position,
        }
    }

    /// The value without its sign.
    #[must_use]
    pub fn absolute(self) -> Self {
        if self.is_negative() {
            self.negated()
        } else {
            self
        }
    }
}

impl fmt::Debug for Float {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{self} : {} ({:#X})", self.kind, self.bits())
    }
}
