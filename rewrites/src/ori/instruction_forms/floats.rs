//! The text of floating-point numbers, as nvdisasm prints them: 20 significant digits without
//! trailing zeros, but 21 digits from a billion on. Measured with nvdisasm 13.2.

/// A number of 32 bits.
pub fn single(bits: u32) -> String {
    let number = f32::from_bits(bits);
    text(f64::from(number), bits & 1 << 22 != 0, bits >> 31 != 0)
}

/// A number of 64 bits of which the instruction has the high word; the low one is zero.
pub fn double(high: u32) -> String {
    let number = f64::from_bits(u64::from(high) << 32);
    text(number, high & 1 << 19 != 0, high >> 31 != 0)
}

/// A number of 16 bits: sign, exponent of 5 bits, fraction of 10.
pub fn half(bits: u16) -> String {
    let (exponent, fraction) = (bits >> 10 & 31, bits & 0x3ff);
    let number = match exponent {
        31 if fraction == 0 => f64::INFINITY,
        31 => f64::NAN,
        0 => f64::from(fraction) / f64::from(1 << 24),
        _ => f64::from(fraction | 1 << 10) * 2f64.powi(i32::from(exponent) - 25),
    };
    let negative = bits >> 15 != 0;
    let number = if negative { -number } else { number };
    text(number, bits & 1 << 9 != 0, negative)
}

/// A number of 16 bits: the high half of one of 32 bits.
pub fn brain(bits: u16) -> String {
    single(u32::from(bits) << 16)
}

fn text(number: f64, quiet: bool, negative: bool) -> String {
    let sign = if negative { '-' } else { '+' };
    if number.is_nan() {
        return format!("{sign}{}", if quiet { "QNAN" } else { "SNAN" });
    }
    if number.is_infinite() {
        return format!("{sign}INF");
    }
    if number.abs() >= 1e9 {
        return with_exponent(&format!("{number:.20e}"), false);
    }
    let scientific = format!("{number:.19e}");
    let exponent: i32 = exponent_of(&scientific).unwrap_or(0);
    if number != 0.0 && exponent < -4 {
        return with_exponent(&scientific, true);
    }
    let places = usize::try_from(19 - exponent).unwrap_or(0);
    without_zeros(&format!("{number:.places$}")).to_owned()
}

fn exponent_of(text: &str) -> Option<i32> {
    text.split_once('e')?.1.parse().ok()
}

/// `1.5e-7` with a sign and two digits in the exponent.
fn with_exponent(text: &str, short: bool) -> String {
    let (digits, _) = text.split_once('e').unwrap_or((text, ""));
    let exponent = exponent_of(text).unwrap_or(0);
    let digits = if short { without_zeros(digits) } else { digits };
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{digits}e{sign}{:02}", exponent.abs())
}

fn without_zeros(text: &str) -> &str {
    if text.contains('.') {
        return text.trim_end_matches('0').trim_end_matches('.');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Texts of real listings.
    #[test]
    fn numbers_are_those_of_nvdisasm() {
        assert_eq!(single(0x3fb8_aa3b), "1.4426950216293334961");
        assert_eq!(single(0x3dcc_cccd), "0.10000000149011611938");
        assert_eq!(single(0x5f80_0000), "1.84467440737095516160e+19");
        assert_eq!(single(0x4e6e_6b27), "999999936");
        assert_eq!(single(0x4e80_0000), "1.07374182400000000000e+09");
        assert_eq!(single(0x0080_0000), "1.175494350822287508e-38");
        assert_eq!(single(0x3880_0000), "6.103515625e-05");
        assert_eq!(single(0xc000_0000), "-2");
        assert_eq!(single(0x7f80_0000), "+INF");
        assert_eq!(single(0xffc0_0000), "-QNAN");
        assert_eq!(double(0x4330_0000), "4.50359962737049600000e+15");
        assert_eq!(double(0x3fe0_0000), "0.5");
        assert_eq!(half(0x3f80), "1.875");
        assert_eq!(half(0x0004), "2.384185791015625e-07");
        assert_eq!(half(0xbc00), "-1");
        assert_eq!(half(0x0000), "0");
        assert_eq!(brain(0x3f80), "1");
    }
}
