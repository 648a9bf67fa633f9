//! Floating-point immediates as nvdisasm prints them: 20 significant digits without trailing zeros, but 21 digits
//! from a billion on. Measured with nvdisasm 13.2.

use std::fmt::Write as _;

/// The format of an immediate in the bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FloatFormat {
    /// 32 bits.
    F32,
    /// The upper half of 64 bits; the lower half is zero.
    F64,
    /// 16 bits: sign, exponent of 5 bits, fraction of 10.
    F16,
    /// The upper half of 32 bits.
    Bf16,
}

/// Numbers from this one on are printed with an exponent and 20 digits behind the point.
const LARGE: f64 = 1e9;

impl FloatFormat {
    /// The format that tables of encodings name.
    pub(crate) fn named(name: &str) -> Option<FloatFormat> {
        match name {
            "f32" => Some(FloatFormat::F32),
            "f64" => Some(FloatFormat::F64),
            "f16" => Some(FloatFormat::F16),
            "bf16" => Some(FloatFormat::Bf16),
            _ => None,
        }
    }

    /// What errors call it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            FloatFormat::F32 => "a float of 32 bits",
            FloatFormat::F64 => "a float of 64 bits whose lower half is zero",
            FloatFormat::F16 => "a float of 16 bits",
            FloatFormat::Bf16 => "a bfloat16",
        }
    }

    /// Widths of the exponent and of the significand that the bits hold.
    fn widths(self) -> (u32, u32) {
        match self {
            FloatFormat::F32 => (8, 23),
            FloatFormat::F64 => (11, 20),
            FloatFormat::F16 => (5, 10),
            FloatFormat::Bf16 => (8, 7),
        }
    }

    /// The text of a number.
    pub fn text(self, bits: u64) -> String {
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

    /// The text of a number, with the bits of a NaN: `+QNAN:0x7fc00000`, unless its text alone means these bits.
    pub(crate) fn exact(self, bits: u64) -> String {
        let text = self.text(bits);
        if text.ends_with("NAN") && self.bits(&text) != Some(bits) {
            format!("{text}:{bits:#x}")
        } else {
            text
        }
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
    pub fn bits(self, text: &str) -> Option<u64> {
        if let Some((name, digits)) = text.split_once(":0x") {
            let bits = u64::from_str_radix(digits, 16).ok()?;
            return (self.text(bits) == name).then_some(bits);
        }
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
        if self == FloatFormat::F64 {
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

#[cfg(test)]
mod tests {
    use super::FloatFormat::{Bf16, F16, F32, F64};

    /// A NaN whose bits are not those of its text has them.
    #[test]
    fn nans_keep_their_bits() {
        for bits in [
            0x7fc0_0000,
            0xffc0_0001,
            0xffff_ffff,
            0x7f80_0001,
            0x7fa0_0000,
        ] {
            let text = F32.exact(bits);
            assert_eq!(F32.bits(&text), Some(bits), "{text}");
        }
        assert_eq!(F32.exact(0x7fff_ffff), "+QNAN");
        assert_eq!(F32.exact(0x7fc0_0000), "+QNAN:0x7fc00000");
        assert_eq!(F32.bits("-QNAN:0x7fc00000"), None);
    }

    /// Texts of real listings.
    #[test]
    fn numbers_are_those_of_nvdisasm() {
        assert_eq!(F32.text(0x3fb8_aa3b), "1.4426950216293334961");
        assert_eq!(F32.text(0x3dcc_cccd), "0.10000000149011611938");
        assert_eq!(F32.text(0x5f80_0000), "1.84467440737095516160e+19");
        assert_eq!(F32.text(0x4e6e_6b27), "999999936");
        assert_eq!(F32.text(0x4e80_0000), "1.07374182400000000000e+09");
        assert_eq!(F32.text(0x0080_0000), "1.175494350822287508e-38");
        assert_eq!(F32.text(0x3880_0000), "6.103515625e-05");
        assert_eq!(F32.text(0xc000_0000), "-2");
        assert_eq!(F32.text(0x7f80_0000), "+INF");
        assert_eq!(F32.text(0xffc0_0000), "-QNAN");
        assert_eq!(F64.text(0x4330_0000), "4.50359962737049600000e+15");
        assert_eq!(F64.text(0x3fe0_0000), "0.5");
        assert_eq!(F16.text(0x3f80), "1.875");
        assert_eq!(F16.text(0x0004), "2.384185791015625e-07");
        assert_eq!(F16.text(0xbc00), "-1");
        assert_eq!(F16.text(0x0000), "0");
        assert_eq!(Bf16.text(0x3f80), "1");
    }

    #[test]
    fn floats_are_printed_and_read() {
        for (format, bits, text) in [
            (F32, 0, "0"),
            (F32, 0x8000_0000, "-0.0"),
            (F32, 0x3f80_0000, "1"),
            (F32, 0x3dcc_cccd, "0.10000000149011611938"),
            (F32, 0xff80_0000, "-INF"),
            (F32, 1, "1.4012984643248170709e-45"),
            (F32, 0x7f7f_ffff, "3.40282346638528859812e+38"),
            (F32, 0x4e6e_6b28, "1.00000000000000000000e+09"),
            (F32, 0x4b80_0000, "16777216"),
            (F64, 0x3f80_0000, "0.0078125"),
            (F64, 0x7f80_0000, "1.40444776161118430291e+306"),
            (F16, 0x3555, "0.333251953125"),
            (F16, 1, "5.9604644775390625e-08"),
            (Bf16, 0x3dcc, "0.099609375"),
            (Bf16, 1, "9.183549615799121156e-41"),
        ] {
            assert_eq!(format.text(bits), text);
            assert_eq!(format.bits(text), Some(bits), "{text}");
        }
        // What ptxas writes for NaN has all bits.
        assert_eq!(F32.bits("+QNAN"), Some(0x7fff_ffff));
        assert_eq!(F32.text(0x7fc0_0000), "+QNAN");
        assert_eq!(F32.bits("1e39"), None);
        assert_eq!(F32.bits("0.1"), None);
        assert_eq!(F16.bits("65536"), None);
    }
}
