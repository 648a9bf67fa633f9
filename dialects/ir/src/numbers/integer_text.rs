//! Integers as text: literals in decimal and hexadecimal, and printing.

use std::fmt::{self, Write};

use num_bigint::BigUint;

use super::integer::ApInt;

/// The valid range of literals of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum IntegerRange {
    /// Signless types: values that fit as signed or as unsigned.
    Signless,
    /// Signed types, and `index`.
    Signed,
    /// Unsigned types: no minus sign, even before zero.
    Unsigned,
}

/// The reason that a literal is not a valid integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum IntegerError {
    /// The text is not a sequence of digits.
    InvalidDigits,
    /// A minus sign before a literal of an unsigned type.
    NegativeUnsigned,
    /// The value does not fit.
    OutOfRange,
}

impl fmt::Display for IntegerError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::InvalidDigits => "expected the digits of an integer",
            Self::NegativeUnsigned => {
                "negative integer literal not valid for unsigned integer type"
            }
            Self::OutOfRange => "integer constant out of range for attribute",
        })
    }
}

impl std::error::Error for IntegerError {}

impl ApInt {
    /// The integer denoted by a decimal literal, by the rules of the textual format: the digits
    /// must fit the width as an unsigned number, and with a minus sign the result must be negative
    /// (so `-0` is rejected, as in the format).
    pub fn from_decimal(
        width: u32,
        digits: &str,
        negative: bool,
        range: IntegerRange,
    ) -> Result<Self, IntegerError> {
        let magnitude = Self::magnitude_from_decimal(width, digits);
        Self::judge(magnitude, negative, range)
    }

    /// The integer denoted by the digits of a hexadecimal literal (without `0x`), with the rules of
    /// [`ApInt::from_decimal`].
    pub fn from_hex(
        width: u32,
        digits: &str,
        negative: bool,
        range: IntegerRange,
    ) -> Result<Self, IntegerError> {
        let magnitude = Self::magnitude_from_hex(width, digits);
        Self::judge(magnitude, negative, range)
    }

    /// The integer denoted by a literal: hexadecimal after `0x`, decimal otherwise.
    pub fn from_literal(
        width: u32,
        text: &str,
        negative: bool,
        range: IntegerRange,
    ) -> Result<Self, IntegerError> {
        match text.strip_prefix("0x") {
            Some(digits) => Self::from_hex(width, digits, negative, range),
            None => Self::from_decimal(width, text, negative, range),
        }
    }

    fn judge(
        magnitude: Result<Self, IntegerError>,
        negative: bool,
        range: IntegerRange,
    ) -> Result<Self, IntegerError> {
        if magnitude == Err(IntegerError::InvalidDigits) {
            return magnitude;
        }
        if negative && range == IntegerRange::Unsigned {
            return Err(IntegerError::NegativeUnsigned);
        }
        let magnitude = magnitude?;
        if negative {
            let value = magnitude.wrapping_neg();
            return if value.is_negative() {
                Ok(value)
            } else {
                Err(IntegerError::OutOfRange)
            };
        }
        if range == IntegerRange::Signed && magnitude.is_negative() {
            return Err(IntegerError::OutOfRange);
        }
        Ok(magnitude)
    }

    /// The natural number denoted by decimal digits, if it fits `width` bits.
    pub fn magnitude_from_decimal(width: u32, digits: &str) -> Result<Self, IntegerError> {
        let digits = significant_digits(digits, u8::is_ascii_digit)?;
        // Reject too many digits before any arithmetic: 10^n has more than 3.32 n bits.
        if digits.len() as u64 * 332 > (u64::from(width) + 4) * 100 {
            return Err(IntegerError::OutOfRange);
        }
        if digits.len() <= 19 {
            let mut value = 0_u64;
            for digit in digits {
                value = value * 10 + u64::from(digit - b'0');
            }
            return fitting(width, &BigUint::from(value));
        }
        fitting(width, &decimal_value(digits))
    }

    /// The natural number denoted by hexadecimal digits, if it fits `width` bits.
    pub fn magnitude_from_hex(width: u32, digits: &str) -> Result<Self, IntegerError> {
        let digits = significant_digits(digits, u8::is_ascii_hexdigit)?;
        if digits.len() as u64 > u64::from(width.div_ceil(4)) {
            return Err(IntegerError::OutOfRange);
        }
        let mut words = vec![0_u64; digits.len().div_ceil(16).max(1)];
        for (position, digit) in digits.iter().rev().enumerate() {
            let value = u64::from(char::from(*digit).to_digit(16).unwrap_or(0));
            words[position / 16] |= value << (position % 16 * 4);
        }
        let wide = Self::from_words(words.len() as u32 * 64, words);
        if wide.active_bits() > width {
            return Err(IntegerError::OutOfRange);
        }
        Ok(wide.truncate_or_zero_extend(width))
    }

    /// The decimal text of the value, interpreted as signed.
    #[must_use]
    pub fn to_signed_decimal(&self) -> String {
        match self.as_i64() {
            Some(value) => value.to_string(),
            None => self.to_bigint().to_string(),
        }
    }

    /// The decimal text of the value, interpreted as unsigned.
    #[must_use]
    pub fn to_unsigned_decimal(&self) -> String {
        match self.as_u64() {
            Some(value) => value.to_string(),
            None => self.to_biguint().to_string(),
        }
    }

    /// The bits in hexadecimal, after `0x`, in upper case, without leading zeros.
    #[must_use]
    pub fn to_hex(&self) -> String {
        let mut text = String::from("0x");
        let mut words = self.words().iter().rev().skip_while(|word| **word == 0);
        let first = words.next().copied().unwrap_or(0);
        // Writing to a string cannot fail.
        let _ = write!(text, "{first:X}");
        for word in words {
            let _ = write!(text, "{word:016X}");
        }
        text
    }
}

/// The digits without leading zeros.
fn significant_digits(digits: &str, is_digit: fn(&u8) -> bool) -> Result<&[u8], IntegerError> {
    let bytes = digits.as_bytes();
    if bytes.is_empty() || !bytes.iter().all(is_digit) {
        return Err(IntegerError::InvalidDigits);
    }
    let start = bytes
        .iter()
        .position(|digit| *digit != b'0')
        .unwrap_or(bytes.len());
    Ok(&bytes[start..])
}

fn fitting(width: u32, value: &BigUint) -> Result<ApInt, IntegerError> {
    if value.bits() > u64::from(width) {
        return Err(IntegerError::OutOfRange);
    }
    Ok(ApInt::from_biguint(width, value))
}

/// The value of decimal digits, by divide and conquer, which uses fast multiplication for long
/// inputs.
fn decimal_value(digits: &[u8]) -> BigUint {
    const CHUNK: usize = 512;
    // The chunks are aligned to the end; neighbours are joined level by level.
    let mut parts: Vec<BigUint> = digits
        .rchunks(CHUNK)
        .map(|chunk| {
            BigUint::from_radix_be(
                &chunk.iter().map(|digit| digit - b'0').collect::<Vec<_>>(),
                10,
            )
            .unwrap_or_default()
        })
        .collect();
    let mut power = BigUint::from(10_u32).pow(CHUNK as u32);
    while parts.len() > 1 {
        parts = parts
            .chunks(2)
            .map(|pair| match pair {
                [low, high] => low + high * &power,
                [only] => only.clone(),
                _ => BigUint::default(),
            })
            .collect();
        power = &power * &power;
    }
    parts.pop().unwrap_or_default()
}
