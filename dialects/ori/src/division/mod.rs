//! Quotients and remainders by constants without division instructions (reference 9.2, 9.8).
//!
//! A quotient by a power of two is a shift; by another constant it is the high word of a product,
//! shifted. Signed words need two more instructions for rounding towards zero; signed pairs are
//! divided as magnitudes. Remainders are the dividend minus the product of quotient and divisor.

mod multiplier;
mod writer;

pub use multiplier::{Multiplier, multiplier};

use orison_ir::{Builder, Location, Value};

use self::writer::Writer;

/// The kind of a division.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Division {
    /// Width of the dividend: 32 (an `ori.r`) or 64 (an `ori.r64`).
    pub bits: u32,
    /// The operands have signs, and the quotient is rounded towards zero.
    pub signed: bool,
    /// The result is the remainder, which has the sign of the dividend, instead of the quotient.
    pub remainder: bool,
}

/// Emits the operations of a division by the low bits of a constant. Returns `None`, and emits
/// nothing, if the divisor is zero or the width is not supported.
pub fn by_constant(
    builder: &mut Builder<'_>,
    location: Location,
    dividend: Value,
    divisor: i64,
    division: Division,
) -> Option<Value> {
    let divisor = match (division.bits, division.signed) {
        (32, true) => i64::from(divisor as i32),
        (32, false) => i64::from(divisor as u32),
        (64, _) => divisor,
        _ => return None,
    };
    if divisor == 0 {
        return None;
    }
    let mut writer = Writer { builder, location };
    Some(match (division.bits, division.signed) {
        (32, false) => unsigned_word(&mut writer, dividend, divisor as u32, division.remainder),
        (32, true) => signed_word(&mut writer, dividend, divisor as i32, division.remainder),
        (_, signed) => pair(&mut writer, dividend, divisor, signed, division.remainder),
    })
}

fn unsigned_word(writer: &mut Writer<'_, '_>, dividend: Value, divisor: u32, rest: bool) -> Value {
    if divisor.is_power_of_two() {
        return if rest {
            writer.masked(dividend, divisor.wrapping_sub(1))
        } else {
            writer.right(dividend, divisor.trailing_zeros(), false)
        };
    }
    let quotient = match multiplier(u64::from(divisor), 32, 32) {
        Some(found) => {
            let number = writer.word(found.number as u32);
            let added = if found.adds { found.number } else { 0 };
            let added = writer.pair(added);
            let high = writer.multiply_high([dividend, number, added], false);
            writer.right(high, found.shift, false)
        }
        // Only powers of two have no multiplier.
        None => dividend,
    };
    if rest {
        writer.rest(dividend, quotient, divisor)
    } else {
        quotient
    }
}

fn signed_word(writer: &mut Writer<'_, '_>, dividend: Value, divisor: i32, rest: bool) -> Value {
    let magnitude = divisor.unsigned_abs();
    let quotient = match multiplier(u64::from(magnitude), 32, 31) {
        None => signed_shift(writer, dividend, magnitude),
        Some(found) => {
            let number = found.number as u32;
            // Read as signed, a value with the top bit set is 2^32 too small: add the dividend.
            let added = if number >> 31 == 1 {
                let zero = writer.word(0);
                writer.concat([zero, dividend])
            } else {
                writer.pair(0)
            };
            let number = writer.word(number);
            let high = writer.multiply_high([dividend, number, added], true);
            // The quotient is rounded down: negative quotients are one too small.
            let sign = writer.right(high, 31, false);
            writer.shifted_sum(high, found.shift, sign)
        }
    };
    if rest {
        return writer.rest(dividend, quotient, magnitude);
    }
    if divisor < 0 {
        writer.negated(quotient)
    } else {
        quotient
    }
}

/// Divides a word by a power of two, rounding towards zero: negative dividends get the divisor
/// minus one added.
fn signed_shift(writer: &mut Writer<'_, '_>, dividend: Value, divisor: u32) -> Value {
    let shift = divisor.trailing_zeros();
    if shift == 0 {
        return dividend;
    }
    let sign = writer.right(dividend, 31, true);
    let sum = writer.high_bits_sum(sign, shift, dividend);
    writer.right(sum, shift, true)
}

fn pair(
    writer: &mut Writer<'_, '_>,
    dividend: Value,
    divisor: i64,
    signed: bool,
    rest: bool,
) -> Value {
    let magnitude = if signed {
        divisor.unsigned_abs()
    } else {
        divisor.cast_unsigned()
    };
    let sign = signed.then(|| {
        let high = writer.part(dividend, 1);
        let sign = writer.right(high, 31, true);
        writer.concat([sign, sign])
    });
    let absolute = match sign {
        Some(sign) => writer.with_sign(dividend, sign),
        None => dividend,
    };
    let quotient = match multiplier(magnitude, 64, 64) {
        Some(found) => {
            let high = writer.high_pair(absolute, found.number, found.adds);
            writer.right_pair(high, found.shift)
        }
        None => writer.right_pair(absolute, magnitude.trailing_zeros()),
    };
    if rest {
        let value = writer.rest_pair(absolute, quotient, magnitude);
        return match sign {
            Some(sign) => writer.with_sign(value, sign),
            None => value,
        };
    }
    let Some(sign) = sign else {
        return quotient;
    };
    let quotient = writer.with_sign(quotient, sign);
    if divisor < 0 {
        let zero = writer.pair(0);
        writer.sum_pair(zero, quotient, true)
    } else {
        quotient
    }
}
