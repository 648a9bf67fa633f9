//! Values of float kinds as doubles, which hold each of them exactly up to 64 bits.
//!
//! The host rounds: a double is scaled so that the last place of the kind is 1, and rounded to an
//! integer. That is several times faster than [`Finite::round`](super::Finite::round), with the same
//! results, and serves tiles of many elements.

use std::sync::OnceLock;

use super::float::Float;
use super::float_kind::{FloatKind, NonFinite};

/// `2^exponent`, for exponents of normal numbers.
fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(((exponent + 1023).cast_unsigned() as u64) << 52)
}

/// The exponent of a finite number that is not zero: `1 <= |value| / 2^exponent < 2`.
fn exponent_of(value: f64) -> i32 {
    let field = (value.to_bits() >> 52 & 0x7FF) as i32;
    if field > 0 {
        return field - 1023;
    }
    let fraction = value.to_bits() & ((1 << 52) - 1);
    -1011 - fraction.leading_zeros() as i32
}

/// Properties of a format for rounding and encoding, computed once.
#[derive(Clone, Copy, Debug)]
struct Format {
    width: u32,
    mantissa: u32,
    bias: i32,
    max_exponent: i32,
    /// Whether the bits are sign, exponent and mantissa with subnormals, at most 32 of them.
    regular: bool,
    /// Whether the format has negative zero, infinities and NaNs, as in IEEE 754.
    ieee: bool,
}

fn format_of(kind: FloatKind) -> Format {
    static FORMATS: OnceLock<Vec<Format>> = OnceLock::new();
    let formats = FORMATS.get_or_init(|| {
        let format = |kind: FloatKind| {
            let regular = kind.has_sign() && kind.has_zero() && kind.width() <= 32;
            Format {
                width: kind.width(),
                mantissa: kind.mantissa_bits(),
                bias: kind.bias(),
                max_exponent: kind.max_exponent(),
                regular,
                ieee: regular && kind.non_finite() == NonFinite::Ieee,
            }
        };
        FloatKind::ALL.into_iter().map(format).collect()
    });
    formats[kind as usize]
}

fn exact(kind: FloatKind, value: f64) -> f64 {
    let value = if value.is_nan() { f64::NAN } else { value };
    Float::from_f64(kind, value).to_f64()
}

impl FloatKind {
    /// A double rounded to the nearest value of the kind, ties to even: that of
    /// [`Float::from_f64`], where all NaNs are equal.
    #[must_use]
    pub fn round_double(self, value: f64) -> f64 {
        match self {
            FloatKind::F64 => return value,
            FloatKind::F32 => return f64::from(value as f32),
            _ => {}
        }
        let format = format_of(self);
        if !value.is_finite() || value == 0.0 {
            return if format.ieee {
                value
            } else {
                exact(self, value)
            };
        }
        let least = 1 - format.bias;
        let quantum = exponent_of(value).max(least) - format.mantissa as i32;
        if !format.regular || quantum < -1000 {
            return exact(self, value);
        }
        let rounded = (value * power_of_two(-quantum)).round_ties_even();
        let result = rounded * power_of_two(quantum);
        if result == 0.0 || exponent_of(result) >= format.max_exponent {
            return exact(self, value);
        }
        result
    }

    /// The encoding of a value of the kind, of at most 64 bits.
    #[must_use]
    pub fn encode_double(self, value: f64) -> u64 {
        match self {
            FloatKind::F64 if !value.is_nan() => return value.to_bits(),
            FloatKind::F32 if !value.is_nan() => return u64::from((value as f32).to_bits()),
            _ => {}
        }
        let format = format_of(self);
        let sign = u64::from(value.is_sign_negative()) << (format.width - 1);
        if value == 0.0 && format.ieee {
            return sign;
        }
        if !format.regular || !value.is_finite() || value == 0.0 {
            let value = if value.is_nan() { f64::NAN } else { value };
            return Float::from_f64(self, value).bits() as u64;
        }
        let least = 1 - format.bias;
        let exponent = exponent_of(value);
        let unit = exponent.max(least) - format.mantissa as i32;
        let significand = (value.abs() * power_of_two(-unit)) as u64;
        let field = if exponent < least {
            0
        } else {
            u64::from((exponent + format.bias).cast_unsigned())
        };
        let fraction = significand & ((1 << format.mantissa) - 1);
        sign | field << format.mantissa | fraction
    }

    /// The value with an encoding of at most 64 bits.
    #[must_use]
    pub fn decode_double(self, bits: u64) -> f64 {
        match self {
            FloatKind::F64 => return f64::from_bits(bits),
            FloatKind::F32 => return f64::from(f32::from_bits(bits as u32)),
            _ => {}
        }
        let format = format_of(self);
        let mantissa = format.mantissa;
        let fraction = bits & ((1 << mantissa) - 1);
        // The encodings of infinities and NaNs have the largest exponent field, or no bit but the sign.
        let fields = (1u64 << (format.width - 1).saturating_sub(mantissa)) - 1;
        let field = bits >> mantissa & fields;
        let negative = bits >> (format.width - 1) & 1 == 1;
        let special = field == fields || (field == 0 && fraction == 0 && negative && !format.ieee);
        if !format.regular || special {
            return Float::from_bits(self, u128::from(bits)).to_f64();
        }
        let implied = if field == 0 { 0 } else { 1 << mantissa };
        let exponent = (field as i32).max(1) - format.bias - mantissa as i32;
        let magnitude = (implied | fraction) as f64 * power_of_two(exponent);
        if negative { -magnitude } else { magnitude }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds() -> impl Iterator<Item = FloatKind> {
        FloatKind::ALL.into_iter().filter(|kind| kind.width() <= 64)
    }

    fn same(a: f64, b: f64) -> bool {
        a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
    }

    #[test]
    fn encodings_are_those_of_floats() {
        for kind in kinds() {
            let width = kind.width().min(16);
            for low in 0..1u64 << width {
                // Wide formats: patterns that cover sign, exponent and the last bits.
                let bits = match kind.width() {
                    0..=16 => low,
                    wide => low << (wide - 16) | ((low * 0x9E37) & 0xFFFF),
                };
                let expected = Float::from_bits(kind, u128::from(bits));
                let value = kind.decode_double(bits);
                assert!(same(value, expected.to_f64()), "{kind} {bits:#X}");
                if !value.is_nan() {
                    let again = Float::from_f64(kind, value).bits() as u64;
                    assert_eq!(kind.encode_double(value), again, "{kind} {bits:#X}");
                }
            }
        }
    }

    #[test]
    fn rounding_is_that_of_floats() {
        let mut state = 0x1234_5678_9ABC_DEF1u64;
        for kind in kinds() {
            for number in 0..20_000u32 {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                // Every exponent, and numbers around the range of narrow formats; ties too.
                let value = match number % 4 {
                    0 => f64::from_bits(state),
                    1 => (state as i16 as f64) / 64.0,
                    2 => (state as i32 as f64) * power_of_two((state >> 40) as i32 % 60 - 60),
                    _ => f64::from_bits(state & 0xFFFF_F800_0000_0000),
                };
                // All NaNs are equal here; formats without NaN convert it to a number by its sign.
                let value = if value.is_nan() { f64::NAN } else { value };
                let expected = Float::from_f64(kind, value).to_f64();
                let found = kind.round_double(value);
                assert!(
                    same(found, expected),
                    "{kind} {value:e}: {found} {expected}"
                );
            }
        }
    }
}
