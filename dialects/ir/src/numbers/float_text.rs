//! Floats as text: literals, and the three printed forms.

use std::fmt::{self, Write};

use num_bigint::BigUint;

use super::finite::{Direction, Finite, Overflow};
use super::float::Float;
use super::float_kind::FloatKind;

/// The reason that a literal is not a valid float.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FloatError {
    /// The text is not a decimal number.
    InvalidDigits,
    /// A hexadecimal literal needs more bits than the type has.
    TooWide,
}

impl fmt::Display for FloatError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::InvalidDigits => "expected the digits of a floating point literal",
            Self::TooWide => "hexadecimal float constant out of range for type",
        })
    }
}

impl std::error::Error for FloatError {}

/// The maximum number of significant digits of a value halfway between two floats.
const MAX_DIGITS: usize = 12_000;

/// A decimal number: `digits * 10^exponent`, where the digits may be truncated.
struct Decimal {
    negative: bool,
    /// Digit values, not characters; without leading zeros.
    digits: Vec<u8>,
    exponent: i64,
}

impl Decimal {
    fn parse(text: &str) -> Option<Self> {
        let (negative, unsigned) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, parse_exponent(exponent)?),
            None => (unsigned, 0),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let well_formed = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        if whole.is_empty() || !well_formed(whole) || !well_formed(fraction) {
            return None;
        }
        let exponent = exponent.saturating_sub(i64::try_from(fraction.len()).ok()?);
        let mut decimal = Self {
            negative,
            digits: Vec::new(),
            exponent,
        };
        let all = whole
            .bytes()
            .chain(fraction.bytes())
            .map(|byte| byte - b'0');
        decimal.take_digits(all.skip_while(|digit| *digit == 0));
        Some(decimal)
    }

    /// Collects the digits that can affect the result; a final digit 1 represents the rest.
    fn take_digits(&mut self, digits: impl Iterator<Item = u8>) {
        let mut dropped = 0_i64;
        let mut sticky = false;
        for digit in digits {
            if self.digits.len() < MAX_DIGITS {
                self.digits.push(digit);
            } else {
                dropped += 1;
                sticky |= digit != 0;
            }
        }
        self.exponent = self.exponent.saturating_add(dropped);
        if sticky {
            self.digits.push(1);
            self.exponent = self.exponent.saturating_sub(1);
        }
        while self.digits.last() == Some(&0) {
            self.digits.pop();
            self.exponent = self.exponent.saturating_add(1);
        }
    }

    /// The value, with as many bits as any kind needs.
    fn value(&self) -> Finite {
        // Beyond these powers of ten, every kind overflows or rounds to zero.
        let leading = self.exponent.saturating_add(self.digits.len() as i64);
        match leading {
            _ if self.digits.is_empty() => Finite::zero(self.negative),
            5_001.. => self.scaled(1, 1 << 20),
            ..-5_100 => self.scaled(1, -(1 << 20)),
            _ => self.small_value().unwrap_or_else(|| self.big_value()),
        }
    }

    /// A magnitude with the sign of the number.
    fn scaled(&self, significand: u128, exponent: i32) -> Finite {
        Finite {
            exponent,
            ..Finite::integer(self.negative, significand)
        }
    }

    /// The digits as an integer, if there are few.
    fn few_digits(&self) -> Option<u128> {
        let digits = self.digits.iter();
        let number = digits.fold(0, |value: u128, digit| {
            value.wrapping_mul(10).wrapping_add(u128::from(*digit))
        });
        (self.digits.len() <= 19).then_some(number)
    }

    /// The value of a number with few digits and a small exponent.
    fn small_value(&self) -> Option<Finite> {
        let digits = self.few_digits()?;
        if self.exponent >= 0 {
            let power = 10_u128.checked_pow(u32::try_from(self.exponent).ok()?)?;
            return Some(self.scaled(digits.checked_mul(power)?, 0));
        }
        // An inexact quotient would lack the bits that wide formats need.
        let power = 5_u128.checked_pow(u32::try_from(-self.exponent).ok()?)?;
        let exponent = i32::try_from(self.exponent).ok()?;
        let exact = digits.is_multiple_of(power);
        exact.then(|| self.scaled(digits / power, exponent))
    }

    /// The value as a quotient with sufficient precision for formats up to 53 bits.
    fn quotient(&self) -> Option<Finite> {
        let digits = self.few_digits()?;
        if digits == 0 || !(-27..0).contains(&self.exponent) {
            return None;
        }
        let power = 5_u128.pow(u32::try_from(-self.exponent).ok()?);
        let shift = digits.leading_zeros();
        let scaled = digits << shift;
        let exponent = i32::try_from(self.exponent).ok()? - i32::try_from(shift).ok()?;
        Some(Finite {
            sticky: !scaled.is_multiple_of(power),
            ..self.scaled(scaled / power, exponent)
        })
    }

    fn big_value(&self) -> Finite {
        let digits = BigUint::from_radix_be(&self.digits, 10).unwrap_or_default();
        let power = BigUint::from(5_u32).pow(self.exponent.unsigned_abs() as u32);
        if self.exponent >= 0 {
            return Finite::of_big(self.negative, &(digits * power), self.exponent, false);
        }
        let shift = (power.bits() + 130).saturating_sub(digits.bits());
        let scaled = digits << shift;
        let quotient = &scaled / &power;
        let sticky = &quotient * &power != scaled;
        let exponent = self.exponent - shift.cast_signed();
        Finite::of_big(self.negative, &quotient, exponent, sticky)
    }
}

/// Parses an exponent with an optional sign; saturates.
fn parse_exponent(text: &str) -> Option<i64> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let magnitude = digits.bytes().fold(0_i64, |value, digit| {
        value
            .saturating_mul(10)
            .saturating_add(i64::from(digit - b'0'))
    });
    Some(if negative { -magnitude } else { magnitude })
}

impl Float {
    /// The value nearest to a decimal number, ties to even: rounded once.
    ///
    /// Note that literals of the textual format are rounded twice; for them, see
    /// [`Float::from_literal`].
    pub fn parse_decimal(kind: FloatKind, text: &str) -> Result<Self, FloatError> {
        let decimal = Decimal::parse(text).ok_or(FloatError::InvalidDigits)?;
        let quick = (kind.precision() <= 53)
            .then(|| decimal.quotient())
            .flatten();
        let value = quick.unwrap_or_else(|| decimal.value());
        Ok(value.round(kind, Direction::NearestEven, Overflow::Ieee))
    }

    /// The value of a decimal literal. The textual format reads literals as doubles and then rounds
    /// the double to the type: `0.1 : f80` is the double nearest to a tenth. Values beyond the
    /// range of doubles become the largest value of kinds with only finite values.
    pub fn from_literal(kind: FloatKind, text: &str) -> Result<Self, FloatError> {
        Ok(Self::parse_decimal(FloatKind::F64, text)?.convert(kind))
    }

    /// The value of a hexadecimal literal (without `0x`): the digits are its bits.
    pub fn from_hex(kind: FloatKind, digits: &str) -> Result<Self, FloatError> {
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(FloatError::InvalidDigits);
        }
        let significant = digits.trim_start_matches('0');
        if significant.len() > 32 {
            return Err(FloatError::TooWide);
        }
        let bits = u128::from_str_radix(significant, 16).unwrap_or(0);
        Self::try_from_bits(kind, bits).ok_or(FloatError::TooWide)
    }

    /// The text of a float attribute in the textual format: scientific with six digits if that
    /// denotes the same value, else with all digits if that form has a point, else the bits in
    /// hexadecimal.
    #[must_use]
    pub fn print(self) -> String {
        let decimal = self.finite().and_then(|parts| self.print_decimal(parts));
        decimal.unwrap_or_else(|| format!("0x{:X}", self.bits()))
    }

    fn print_decimal(self, parts: Finite) -> Option<String> {
        let short = self.scientific(parts);
        if Self::parse_decimal(self.kind(), &short) == Ok(self) {
            return Some(short);
        }
        let full = self.full_precision(parts);
        full.contains('.').then_some(full)
    }

    fn sign_text(self) -> String {
        String::from(if self.is_negative() { "-" } else { "" })
    }

    /// Formats one digit, the point, five digits and a zero, and an exponent of two or more digits.
    fn scientific(self, parts: Finite) -> String {
        let mut text = self.sign_text();
        if parts.significand == 0 {
            text.push_str("0.000000e+00");
            return text;
        }
        let digits = Digits::of(parts, 6);
        let exponent = digits.leading_exponent();
        let (first, rest) = digits.text.split_at(1);
        let sign = if exponent < 0 { '-' } else { '+' };
        let _ = write!(
            text,
            "{first}.{rest:0<6}e{sign}{:02}",
            exponent.unsigned_abs()
        );
        text
    }

    /// Formats as many digits as the precision provides; positional unless that needs more than
    /// three padding zeros.
    fn full_precision(self, parts: Finite) -> String {
        let mut text = self.sign_text();
        if parts.significand == 0 {
            text.push('0');
            return text;
        }
        let limit = 2 + self.kind().precision() * 59 / 196;
        let digits = Digits::of(parts, limit);
        let count = digits.text.len() as i64;
        let leading = digits.leading_exponent();
        let scientific = if digits.exponent >= 0 {
            digits.exponent > 3 || count + digits.exponent > i64::from(limit)
        } else {
            leading < -3
        };
        if scientific {
            let (first, rest) = digits.text.split_at(1);
            let rest = if rest.is_empty() { "0" } else { rest };
            let sign = if leading < 0 { '-' } else { '+' };
            let _ = write!(text, "{first}.{rest}E{sign}{}", leading.unsigned_abs());
        } else if digits.exponent >= 0 {
            let width = (count + digits.exponent) as usize;
            let _ = write!(text, "{:0<width$}", digits.text);
        } else if leading >= 0 {
            let (whole, fraction) = digits.text.split_at(leading as usize + 1);
            let _ = write!(text, "{whole}.{fraction}");
        } else {
            let width = (count - leading - 1) as usize;
            let _ = write!(text, "0.{:0>width$}", digits.text);
        }
        text
    }
}

impl fmt::Display for Float {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.print())
    }
}

/// Significant decimal digits (without trailing zeros) and the power of ten of the last one.
struct Digits {
    text: String,
    exponent: i64,
}

impl Digits {
    /// At most `limit` digits of a nonzero value.
    ///
    /// This reproduces the algorithm of the textual format. The exact number is first divided by a
    /// power of ten that is estimated from its length in bits, which truncates digits; the digits
    /// that then exceed the limit are rounded, halves upward. A number that has no excess digits
    /// after the first step is therefore truncated rather than rounded.
    fn of(parts: Finite, limit: u32) -> Self {
        let zeros = parts.significand.trailing_zeros();
        let significand = parts.significand >> zeros;
        let exponent = parts.exponent + zeros as i32;
        let kept_bits = u64::from((limit * 196).div_ceil(59));
        let excess = |bits: u64| bits.saturating_sub(kept_bits) * 59 / 196;
        let (text, removed) = match small_integer(significand, exponent) {
            Some(number) => {
                let removed = excess(u64::from(128 - number.leading_zeros()));
                ((number / 10_u128.pow(removed as u32)).to_string(), removed)
            }
            None => {
                let number = big_integer(significand, exponent);
                let removed = excess(number.bits());
                (
                    (number / BigUint::from(10_u32).pow(removed as u32)).to_string(),
                    removed,
                )
            }
        };
        let exponent = i64::from(exponent.min(0)) + removed.cast_signed();
        let mut digits = Self { text, exponent };
        digits.strip_zeros();
        digits.round(limit as usize);
        digits
    }

    fn strip_zeros(&mut self) {
        while self.text.ends_with('0') {
            self.text.pop();
            self.exponent += 1;
        }
    }

    fn round(&mut self, limit: usize) {
        if self.text.len() <= limit {
            return;
        }
        let up = self.text.as_bytes()[limit] >= b'5';
        self.exponent += (self.text.len() - limit) as i64;
        self.text.truncate(limit);
        if !up {
            self.strip_zeros();
            return;
        }
        while self.text.ends_with('9') {
            self.text.pop();
            self.exponent += 1;
        }
        let last = self
            .text
            .pop()
            .map_or('1', |digit| char::from(digit as u8 + 1));
        self.text.push(last);
    }

    /// The power of ten of the first digit.
    fn leading_exponent(&self) -> i64 {
        self.exponent + self.text.len() as i64 - 1
    }
}

/// `significand * 2^exponent`, or for negative exponents `significand * 5^-exponent`, if it fits.
fn small_integer(significand: u128, exponent: i32) -> Option<u128> {
    let magnitude = exponent.unsigned_abs();
    if exponent >= 0 {
        (magnitude <= significand.leading_zeros()).then(|| significand << magnitude)
    } else {
        significand.checked_mul(5_u128.checked_pow(magnitude)?)
    }
}

fn big_integer(significand: u128, exponent: i32) -> BigUint {
    let magnitude = exponent.unsigned_abs();
    if exponent >= 0 {
        BigUint::from(significand) << magnitude
    } else {
        BigUint::from(significand) * BigUint::from(5_u32).pow(magnitude)
    }
}
