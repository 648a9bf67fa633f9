//! Integer arithmetic for constant folding.
//!
//! Operations on two integers expect equal widths; if the widths differ, the right operand is
//! truncated or zero-extended to the width of the left one.

use std::borrow::Cow;

use num_bigint::{BigInt, BigUint};

use super::integer::ApInt;

/// A result and whether it overflowed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Overflowing {
    /// The result, wrapped around to the width.
    pub value: ApInt,
    /// Whether the exact result does not fit the width.
    pub overflow: bool,
}

/// Adds words with carry; the carry out of the last word is dropped.
fn add_words(left: &[u64], right: &[u64], mut carry: bool) -> Vec<u64> {
    left.iter()
        .zip(right)
        .map(|(left, right)| {
            let (partial, first) = left.overflowing_add(*right);
            let (sum, second) = partial.overflowing_add(u64::from(carry));
            carry = first || second;
            sum
        })
        .collect()
}

impl ApInt {
    fn matching<'a>(&self, other: &'a Self) -> Cow<'a, Self> {
        if self.width() == other.width() {
            Cow::Borrowed(other)
        } else {
            Cow::Owned(other.truncate_or_zero_extend(self.width()))
        }
    }

    /// Applies a function word by word.
    fn zip_words(&self, other: &Self, function: impl Fn(u64, u64) -> u64) -> Self {
        let other = self.matching(other);
        if let (Some(left), Some(right)) = (self.small(), other.small()) {
            return Self::from_u64(self.width(), function(left, right));
        }
        let pairs = self.words().iter().zip(other.words());
        Self::from_words(
            self.width(),
            pairs.map(|(left, right)| function(*left, *right)).collect(),
        )
    }

    /// The low bits of the sum.
    #[must_use]
    pub fn wrapping_add(&self, other: &Self) -> Self {
        let other = self.matching(other);
        if let (Some(left), Some(right)) = (self.small(), other.small()) {
            return Self::from_u64(self.width(), left.wrapping_add(right));
        }
        Self::from_words(self.width(), add_words(self.words(), other.words(), false))
    }

    /// The low bits of the difference.
    #[must_use]
    pub fn wrapping_sub(&self, other: &Self) -> Self {
        let other = self.matching(other);
        if let (Some(left), Some(right)) = (self.small(), other.small()) {
            return Self::from_u64(self.width(), left.wrapping_sub(right));
        }
        let inverted = other.bitwise_not();
        Self::from_words(
            self.width(),
            add_words(self.words(), inverted.words(), true),
        )
    }

    /// The low bits of the product.
    #[must_use]
    pub fn wrapping_mul(&self, other: &Self) -> Self {
        let other = self.matching(other);
        if let (Some(left), Some(right)) = (self.small(), other.small()) {
            return Self::from_u64(self.width(), left.wrapping_mul(right));
        }
        Self::from_biguint(self.width(), &(self.to_biguint() * other.to_biguint()))
    }

    /// The two's complement negation.
    #[must_use]
    pub fn wrapping_neg(&self) -> Self {
        Self::zero(self.width()).wrapping_sub(self)
    }

    /// The magnitude of the value as a signed integer; the smallest integer is unchanged.
    #[must_use]
    pub fn wrapping_abs(&self) -> Self {
        if self.is_negative() {
            self.wrapping_neg()
        } else {
            self.clone()
        }
    }

    fn signed_result(&self, exact: &BigInt) -> Overflowing {
        let value = Self::from_bigint(self.width(), exact);
        let overflow = value.to_bigint() != *exact;
        Overflowing { value, overflow }
    }

    fn unsigned_result(&self, exact: &BigInt) -> Overflowing {
        let value = Self::from_bigint(self.width(), exact);
        let overflow = BigInt::from(value.to_biguint()) != *exact;
        Overflowing { value, overflow }
    }

    /// The signed sum.
    #[must_use]
    pub fn signed_add(&self, other: &Self) -> Overflowing {
        let value = self.wrapping_add(other);
        let same_signs = self.is_negative() == self.matching(other).is_negative();
        let overflow = same_signs && value.is_negative() != self.is_negative();
        Overflowing { value, overflow }
    }

    /// The unsigned sum.
    #[must_use]
    pub fn unsigned_add(&self, other: &Self) -> Overflowing {
        let value = self.wrapping_add(other);
        let overflow = value
            .compare_unsigned(self)
            .is_some_and(std::cmp::Ordering::is_lt);
        Overflowing { value, overflow }
    }

    /// The signed difference.
    #[must_use]
    pub fn signed_sub(&self, other: &Self) -> Overflowing {
        let value = self.wrapping_sub(other);
        let signs_differ = self.is_negative() != self.matching(other).is_negative();
        let overflow = signs_differ && value.is_negative() != self.is_negative();
        Overflowing { value, overflow }
    }

    /// The unsigned difference.
    #[must_use]
    pub fn unsigned_sub(&self, other: &Self) -> Overflowing {
        let value = self.wrapping_sub(other);
        let overflow = self
            .compare_unsigned(&self.matching(other))
            .is_some_and(std::cmp::Ordering::is_lt);
        Overflowing { value, overflow }
    }

    /// The signed product.
    #[must_use]
    pub fn signed_mul(&self, other: &Self) -> Overflowing {
        self.signed_result(&(self.to_bigint() * self.matching(other).to_bigint()))
    }

    /// The unsigned product.
    #[must_use]
    pub fn unsigned_mul(&self, other: &Self) -> Overflowing {
        let exact = self.to_biguint() * self.matching(other).to_biguint();
        self.unsigned_result(&BigInt::from(exact))
    }

    /// The signed quotient, rounded toward zero; `None` for a zero divisor. Only the smallest
    /// integer divided by minus one overflows.
    #[must_use]
    pub fn signed_div(&self, other: &Self) -> Option<Overflowing> {
        let other = self.matching(other);
        if other.is_zero() {
            return None;
        }
        let quotient = self.wrapping_abs().unsigned_div(&other.wrapping_abs())?;
        let negative = self.is_negative() != other.is_negative();
        let value = if negative {
            quotient.wrapping_neg()
        } else {
            quotient
        };
        let overflow = self.is_signed_min() && other.is_all_ones() && self.width() > 0;
        Some(Overflowing { value, overflow })
    }

    /// The unsigned quotient; `None` for a zero divisor.
    #[must_use]
    pub fn unsigned_div(&self, other: &Self) -> Option<Self> {
        let other = self.matching(other);
        if other.is_zero() {
            return None;
        }
        if let (Some(left), Some(right)) = (self.small(), other.small()) {
            return Some(Self::from_u64(self.width(), left / right));
        }
        Some(Self::from_biguint(
            self.width(),
            &(self.to_biguint() / other.to_biguint()),
        ))
    }

    /// The signed remainder, with the sign of the dividend; `None` for a zero divisor.
    #[must_use]
    pub fn signed_rem(&self, other: &Self) -> Option<Self> {
        let other = self.matching(other);
        let rest = self.wrapping_abs().unsigned_rem(&other.wrapping_abs())?;
        Some(if self.is_negative() {
            rest.wrapping_neg()
        } else {
            rest
        })
    }

    /// The unsigned remainder; `None` for a zero divisor.
    #[must_use]
    pub fn unsigned_rem(&self, other: &Self) -> Option<Self> {
        let other = self.matching(other);
        if other.is_zero() {
            return None;
        }
        if let (Some(left), Some(right)) = (self.small(), other.small()) {
            return Some(Self::from_u64(self.width(), left % right));
        }
        Some(Self::from_biguint(
            self.width(),
            &(self.to_biguint() % other.to_biguint()),
        ))
    }

    /// The signed quotient rounded toward negative infinity; `None` for a zero divisor.
    #[must_use]
    pub fn signed_floor_div(&self, other: &Self) -> Option<Overflowing> {
        self.adjusted_quotient(other, true)
    }

    /// The signed quotient rounded toward positive infinity; `None` for a zero divisor.
    #[must_use]
    pub fn signed_ceil_div(&self, other: &Self) -> Option<Overflowing> {
        self.adjusted_quotient(other, false)
    }

    fn adjusted_quotient(&self, other: &Self, down: bool) -> Option<Overflowing> {
        let other = self.matching(other);
        let result = self.signed_div(&other)?;
        let negative = self.is_negative() != other.is_negative();
        if negative != down || self.signed_rem(&other)?.is_zero() {
            return Some(result);
        }
        let step = Self::from_i64(self.width(), if down { -1 } else { 1 });
        Some(result.value.signed_add(&step))
    }

    /// The unsigned quotient rounded up; `None` for a zero divisor.
    #[must_use]
    pub fn unsigned_ceil_div(&self, other: &Self) -> Option<Self> {
        let quotient = self.unsigned_div(other)?;
        if self.unsigned_rem(other)?.is_zero() {
            return Some(quotient);
        }
        Some(quotient.wrapping_add(&Self::from_u64(self.width(), 1)))
    }

    /// Every bit inverted.
    #[must_use]
    pub fn bitwise_not(&self) -> Self {
        self.zip_words(self, |word, _| !word)
    }

    /// The bitwise AND.
    #[must_use]
    pub fn bitwise_and(&self, other: &Self) -> Self {
        self.zip_words(other, |left, right| left & right)
    }

    /// The bitwise OR.
    #[must_use]
    pub fn bitwise_or(&self, other: &Self) -> Self {
        self.zip_words(other, |left, right| left | right)
    }

    /// The bitwise XOR.
    #[must_use]
    pub fn bitwise_xor(&self, other: &Self) -> Self {
        self.zip_words(other, |left, right| left ^ right)
    }

    /// Shifts left; zero if the amount is at least the width.
    #[must_use]
    pub fn shift_left(&self, amount: u32) -> Self {
        if amount >= self.width() {
            return Self::zero(self.width());
        }
        match self.small() {
            Some(word) => Self::from_u64(self.width(), word << amount),
            None => Self::from_biguint(self.width(), &(self.to_biguint() << amount)),
        }
    }

    /// Logical shift right; zero if the amount is at least the width.
    #[must_use]
    pub fn logical_shift_right(&self, amount: u32) -> Self {
        if amount >= self.width() {
            return Self::zero(self.width());
        }
        match self.small() {
            Some(word) => Self::from_u64(self.width(), word >> amount),
            None => Self::from_biguint(self.width(), &(self.to_biguint() >> amount)),
        }
    }

    /// Arithmetic shift right.
    #[must_use]
    pub fn arithmetic_shift_right(&self, amount: u32) -> Self {
        if self.is_negative() {
            self.bitwise_not().logical_shift_right(amount).bitwise_not()
        } else {
            self.logical_shift_right(amount)
        }
    }

    /// The value of `amount`; `None` if it is at least the width of `self`, where shifts are
    /// undefined.
    #[must_use]
    pub fn shift_amount(&self, amount: &Self) -> Option<u32> {
        let amount = amount.as_u64()?;
        u32::try_from(amount)
            .ok()
            .filter(|amount| *amount < self.width())
    }

    /// Truncates to `width` bits; unchanged if the value has no more bits.
    #[must_use]
    pub fn truncate(&self, width: u32) -> Self {
        if width >= self.width() {
            return self.clone();
        }
        let words = self.words().iter().take(width.div_ceil(64).max(1) as usize);
        Self::from_words(width, words.copied().collect())
    }

    /// Zero-extends to `width` bits; unchanged if the value has no fewer bits.
    #[must_use]
    pub fn zero_extend(&self, width: u32) -> Self {
        if width <= self.width() {
            return self.clone();
        }
        Self::from_words(width, self.words().to_vec())
    }

    /// Sign-extends to `width` bits; unchanged if the value has no fewer bits.
    #[must_use]
    pub fn sign_extend(&self, width: u32) -> Self {
        if width <= self.width() || !self.is_negative() {
            return self.zero_extend(width);
        }
        self.bitwise_not().zero_extend(width).bitwise_not()
    }

    /// Truncates or zero-extends to a width.
    #[must_use]
    pub fn truncate_or_zero_extend(&self, width: u32) -> Self {
        if width < self.width() {
            self.truncate(width)
        } else {
            self.zero_extend(width)
        }
    }

    /// Truncates or sign-extends to a width.
    #[must_use]
    pub fn truncate_or_sign_extend(&self, width: u32) -> Self {
        if width < self.width() {
            self.truncate(width)
        } else {
            self.sign_extend(width)
        }
    }

    /// Whether truncation to `width` bits preserves the unsigned value.
    #[must_use]
    pub fn fits_unsigned(&self, width: u32) -> bool {
        self.active_bits() <= width
    }

    /// Whether truncation to `width` bits preserves the signed value.
    #[must_use]
    pub fn fits_signed(&self, width: u32) -> bool {
        self.truncate_or_sign_extend(width)
            .sign_extend(self.width())
            == *self
            || width >= self.width()
    }

    /// The integer of `width` bits with the low bits of `value`; zero-extended above 128 bits.
    #[must_use]
    pub fn from_u128(width: u32, value: u128) -> Self {
        Self::from_biguint(width, &BigUint::from(value))
    }
}
