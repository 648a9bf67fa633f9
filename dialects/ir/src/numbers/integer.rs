//! Two's complement integers of a fixed but arbitrary width.

use std::cmp::Ordering;
use std::fmt;

use num_bigint::{BigInt, BigUint, Sign};

/// The widest integer type that the textual format accepts, in bits.
pub const MAX_INTEGER_WIDTH: u32 = (1 << 24) - 1;

/// A two's complement integer of a fixed width; the signedness is determined by each operation.
///
/// Equality compares width and bits. Up to 64 bits are stored inline. A width of zero is allowed,
/// and its only value is zero.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct ApInt {
    width: u32,
    /// The bits above the width are always zero.
    bits: Bits,
}

#[derive(Clone, PartialEq, Eq, Hash)]
enum Bits {
    /// At most 64 bits.
    Small(u64),
    /// More than 64 bits, least significant word first, with the minimum number of words.
    Wide(Box<[u64]>),
}

/// The mask of the valid bits for a width of at most 64.
const fn small_mask(width: u32) -> u64 {
    match width {
        0 => 0,
        1..64 => (1 << width) - 1,
        _ => u64::MAX,
    }
}

impl ApInt {
    /// The integer of `width` bits whose low bits are those of `value`; zero-extended above 64
    /// bits.
    #[must_use]
    pub fn from_u64(width: u32, value: u64) -> Self {
        if width <= 64 {
            return Self {
                width,
                bits: Bits::Small(value & small_mask(width)),
            };
        }
        let mut words = vec![0; width.div_ceil(64) as usize];
        words[0] = value;
        Self {
            width,
            bits: Bits::Wide(words.into_boxed_slice()),
        }
    }

    /// The integer of `width` bits whose low bits are those of `value`; sign-extended above 64
    /// bits.
    #[must_use]
    pub fn from_i64(width: u32, value: i64) -> Self {
        if width <= 64 || value >= 0 {
            return Self::from_u64(width, value.cast_unsigned());
        }
        let mut words = vec![u64::MAX; width.div_ceil(64) as usize];
        words[0] = value.cast_unsigned();
        Self::from_words(width, words)
    }

    /// The integer of `width` bits with the given bytes, least significant first. Missing bytes are
    /// zero; excess bits are dropped.
    #[must_use]
    pub fn from_le_bytes(width: u32, bytes: &[u8]) -> Self {
        let word = |chunk: &[u8]| {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            u64::from_le_bytes(word)
        };
        Self::from_words(width, bytes.chunks(8).map(word).collect())
    }

    /// The integer of `width` bits with the given words, least significant first. Missing words are
    /// zero; excess bits are dropped.
    #[must_use]
    pub fn from_words(width: u32, mut words: Vec<u64>) -> Self {
        if width <= 64 {
            return Self::from_u64(width, words.first().copied().unwrap_or(0));
        }
        words.resize(width.div_ceil(64) as usize, 0);
        if !width.is_multiple_of(64)
            && let Some(last) = words.last_mut()
        {
            *last &= small_mask(width % 64);
        }
        Self {
            width,
            bits: Bits::Wide(words.into_boxed_slice()),
        }
    }

    /// The low `width` bits of a natural number.
    #[must_use]
    pub fn from_biguint(width: u32, value: &BigUint) -> Self {
        let words = value
            .iter_u64_digits()
            .take(width.div_ceil(64).max(1) as usize)
            .collect();
        Self::from_words(width, words)
    }

    /// The low `width` bits of an integer.
    #[must_use]
    pub fn from_bigint(width: u32, value: &BigInt) -> Self {
        let magnitude = Self::from_biguint(width, value.magnitude());
        if value.sign() == Sign::Minus {
            magnitude.wrapping_neg()
        } else {
            magnitude
        }
    }

    /// The value, interpreted as unsigned.
    #[must_use]
    pub fn to_biguint(&self) -> BigUint {
        let mut halves = Vec::with_capacity(self.words().len() * 2);
        for word in self.words() {
            halves.extend([*word as u32, (*word >> 32) as u32]);
        }
        BigUint::new(halves)
    }

    /// The value, interpreted as signed.
    #[must_use]
    pub fn to_bigint(&self) -> BigInt {
        if self.is_negative() {
            -BigInt::from(self.wrapping_neg().to_biguint())
        } else {
            BigInt::from(self.to_biguint())
        }
    }

    /// Zero.
    #[must_use]
    pub fn zero(width: u32) -> Self {
        Self::from_u64(width, 0)
    }

    /// The integer with every bit set: the largest unsigned one, or minus one.
    #[must_use]
    pub fn all_ones(width: u32) -> Self {
        Self::from_i64(width, -1)
    }

    /// The largest signed integer.
    #[must_use]
    pub fn signed_max(width: u32) -> Self {
        let ones = Self::all_ones(width);
        ones.logical_shift_right(1)
    }

    /// The smallest signed integer.
    #[must_use]
    pub fn signed_min(width: u32) -> Self {
        Self::signed_max(width).bitwise_not()
    }

    /// The width in bits.
    #[must_use]
    pub const fn width(&self) -> u32 {
        self.width
    }

    /// The bits as words, least significant first; bits above the width are zero.
    #[must_use]
    pub fn words(&self) -> &[u64] {
        match &self.bits {
            Bits::Small(word) => std::slice::from_ref(word),
            Bits::Wide(words) => words,
        }
    }

    /// The bits, if the width is at most 64.
    pub(super) fn small(&self) -> Option<u64> {
        match self.bits {
            Bits::Small(word) => Some(word),
            Bits::Wide(_) => None,
        }
    }

    /// The value, interpreted as unsigned, if it fits.
    #[must_use]
    pub fn as_u64(&self) -> Option<u64> {
        let (first, rest) = self.words().split_first()?;
        rest.iter().all(|word| *word == 0).then_some(*first)
    }

    /// The value, interpreted as signed, if it fits.
    #[must_use]
    pub fn as_i64(&self) -> Option<i64> {
        if self.width <= 64 {
            let unused = 64 - self.width;
            let word = self.words().first().copied()?;
            return Some(if unused == 64 {
                0
            } else {
                word.cast_signed() << unused >> unused
            });
        }
        let first = self.words().first().copied()?.cast_signed();
        (Self::from_i64(self.width, first) == *self).then_some(first)
    }

    /// The bit at `position`, the least significant one being 0; `false` above the width.
    #[must_use]
    pub fn bit(&self, position: u32) -> bool {
        self.words()
            .get(position as usize / 64)
            .is_some_and(|word| word >> (position % 64) & 1 == 1)
    }

    /// Whether the highest bit is set; `false` for a width of zero.
    #[must_use]
    pub fn is_negative(&self) -> bool {
        self.width > 0 && self.bit(self.width - 1)
    }

    /// Whether the value is zero.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        self.words().iter().all(|word| *word == 0)
    }

    /// Whether the value is one.
    #[must_use]
    pub fn is_one(&self) -> bool {
        self.as_u64() == Some(1)
    }

    /// Whether every bit is set; `true` for a width of zero.
    #[must_use]
    pub fn is_all_ones(&self) -> bool {
        self.count_ones() == self.width
    }

    /// Whether this is the smallest signed integer of its width.
    #[must_use]
    pub fn is_signed_min(&self) -> bool {
        self.width == 0 || (self.is_negative() && self.count_ones() == 1)
    }

    /// Whether this is the largest signed integer of its width.
    #[must_use]
    pub fn is_signed_max(&self) -> bool {
        !self.is_negative() && self.count_ones() == self.width.saturating_sub(1)
    }

    /// Whether exactly one bit is set.
    #[must_use]
    pub fn is_power_of_two(&self) -> bool {
        self.count_ones() == 1
    }

    /// The number of set bits.
    #[must_use]
    pub fn count_ones(&self) -> u32 {
        self.words().iter().map(|word| word.count_ones()).sum()
    }

    /// The number of zero bits above the highest set bit.
    #[must_use]
    pub fn leading_zeros(&self) -> u32 {
        self.width - self.active_bits()
    }

    /// The number of zero bits below the lowest set bit; the width if no bit is set.
    #[must_use]
    pub fn trailing_zeros(&self) -> u32 {
        let mut count = 0;
        for word in self.words() {
            if *word != 0 {
                return count + word.trailing_zeros();
            }
            count += 64;
        }
        self.width
    }

    /// The minimum number of bits that represent the value as unsigned.
    #[must_use]
    pub fn active_bits(&self) -> u32 {
        let mut end = self.words().len() as u32 * 64;
        for word in self.words().iter().rev() {
            if *word != 0 {
                return end - word.leading_zeros();
            }
            end -= 64;
        }
        0
    }

    /// Compares as unsigned integers; `None` if the widths differ.
    #[must_use]
    pub fn compare_unsigned(&self, other: &Self) -> Option<Ordering> {
        (self.width == other.width)
            .then(|| self.words().iter().rev().cmp(other.words().iter().rev()))
    }

    /// Compares as signed integers; `None` if the widths differ.
    #[must_use]
    pub fn compare_signed(&self, other: &Self) -> Option<Ordering> {
        let unsigned = self.compare_unsigned(other)?;
        Some(other.is_negative().cmp(&self.is_negative()).then(unsigned))
    }
}

impl From<bool> for ApInt {
    /// An integer of one bit.
    fn from(value: bool) -> Self {
        Self::from_u64(1, u64::from(value))
    }
}

impl fmt::Debug for ApInt {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.width <= 128 {
            write!(formatter, "{} : i{}", self.to_signed_decimal(), self.width)
        } else {
            write!(formatter, "{} : i{}", self.to_hex(), self.width)
        }
    }
}
