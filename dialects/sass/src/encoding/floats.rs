//! Floating-point immediates as nvdisasm prints them.

use std::fmt::Write as _;

/// The format of an immediate in the bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Format {
    /// 32 bits.
    F32,
    /// The upper half of 64 bits; the lower half is zero.
    F64,
    F16,
    Bf16,
}

/// Numbers from this one on are printed with an exponent and 20 digits behind the point.
const LARGE: f64 = 1e9;

impl Format {
    pub(super) fn named(name: &str) -> Option<Format> {
        match name {
            "f32" => Some(Format::F32),
            "f64" => Some(Format::F64),
            "f16" => Some(Format::F16),
            "bf16" => Some(Format::Bf16),
            _ => None,
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Format::F32 => "a float of 32 bits",
            Format::F64 => "a float of 64 bits whose lower half is zero",
            Format::F16 => "a float of 16 bits",
            Format::Bf16 => "a bfloat16",
        }
    }

    /// Widths of the exponent and of the significand that the bits hold.
    fn widths(self) -> (u32, u32) {
        match self {
            Format::F32 => (8, 23),
            Format::F64 => (11, 20),
            Format::F16 => (5, 10),
            Format::Bf16 => (8, 7),
        }
    }

    /// The text of a number.
    pub(super) fn text(self, bits: u64) -> String {
        let (exponent, significand) = self.widths();
        let negative = bits >> (exponent + significand) & 1 == 1;
        let sign = if negative { '-' } else { '+' };
        let part = bits & ((1 << significand) - 1);
        let power = bits >> significand & ((1 << exponent) - 1);
        if power == (1 << exponent) - 1 {
            let quiet = part >> (significand - 1) & 1 == 1;
            let name = match part {
                0 => "INF",
                _ if quiet => "QNAN",
                _ => "SNAN",
            };
            return format!("{sign}{name}");
        }
        if power == 0 && part == 0 {
            return if negative { "-0.0" } else { "0" }.to_owned();
        }
        print(self.value(bits))
    }

    /// The value of finite bits.
    fn value(self, bits: u64) -> f64 {
        let (exponent, significand) = self.widths();
        let part = bits & ((1 << significand) - 1);
        let power = bits >> significand & ((1 << exponent) - 1);
        let sign = if bits >> (exponent + significand) & 1 == 1 {
            -1.0
        } else {
            1.0
        };
        let bias = (1i32 << (exponent - 1)) - 1;
        let width = i32::try_from(significand).unwrap_or_default();
        let (whole, power) = match i32::try_from(power).unwrap_or_default() {
            0 => (part, 1 - bias - width),
            power => (part | 1 << significand, power - bias - width),
        };
        // Exact: at most 24 digits, and the power is that of a double; two steps for the smallest.
        let whole = u32::try_from(whole).map(f64::from).unwrap_or_default();
        sign * whole * 2f64.powi(power / 2) * 2f64.powi(power - power / 2)
    }

    /// The bits of a text; `None` if the format does not have the number.
    pub(super) fn bits(self, text: &str) -> Option<u64> {
        let (exponent, significand) = self.widths();
        let (negative, rest) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        let sign = u64::from(negative) << (exponent + significand);
        let top = ((1 << exponent) - 1) << significand;
        match rest {
            "INF" => return Some(sign | top),
            // What ptxas uses: all bits.
            "QNAN" => return Some(sign | top | ((1 << significand) - 1)),
            "SNAN" => return Some(sign | top | 1),
            _ => {}
        }
        let value: f64 = rest.parse().ok()?;
        let found = self.nearest(value)?;
        (self.value(found) == value).then_some(sign | found)
    }

    /// The bits of a number that is not negative, if the format has it, else any.
    fn nearest(self, value: f64) -> Option<u64> {
        if self == Format::F64 {
            return Some(value.to_bits() >> 32);
        }
        let (exponent, significand) = self.widths();
        let bias = (1i64 << (exponent - 1)) - 1;
        let bits = value.to_bits();
        if bits == 0 {
            return Some(0);
        }
        // A double of these formats is normal.
        let power = i64::try_from(bits >> 52).ok()? - 1023;
        let whole = bits & ((1 << 52) - 1) | 1 << 52;
        let place = power + bias;
        if place >= (1 << exponent) - 1 {
            return None;
        }
        let shift = 52 - i64::from(significand) + (1 - place).max(0);
        if shift > 63 {
            return None;
        }
        let part = whole >> shift;
        let place = u64::try_from(place.max(1)).ok()?;
        // The leading one of a normal number adds to the exponent, which is one too small.
        Some(part + ((place - 1) << significand))
    }
}

/// `%.20g`, or `%.20e` for large numbers.
fn print(value: f64) -> String {
    if value.abs() >= LARGE {
        let text = format!("{value:.20e}");
        let (digits, power) = text.split_once('e').unwrap_or((&text, "0"));
        return format!("{digits}e+{power:0>2}");
    }
    let text = format!("{value:.19e}");
    let (digits, power) = text.split_once('e').unwrap_or((&text, "0"));
    let power: i32 = power.parse().unwrap_or_default();
    if power >= -4 {
        let places = usize::try_from(19 - power).unwrap_or_default();
        let text = format!("{value:.places$}");
        return trimmed(&text).to_owned();
    }
    let mut out = trimmed(digits).to_owned();
    let _ = write!(out, "e-{:02}", -power);
    out
}

fn trimmed(text: &str) -> &str {
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.')
    } else {
        text
    }
}
