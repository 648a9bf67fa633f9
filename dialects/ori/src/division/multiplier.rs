//! Multipliers for division by a constant (reference 9.2: `q = mulhi(x, ceil(2^(32+s)/C)) >> s`).

/// The computation of a quotient by a constant from a product.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Multiplier {
    /// The multiplier of the dividend; it fits a word of the width.
    pub number: u64,
    /// Right shift of the high word of the product, in bits.
    pub shift: u32,
    /// The multiplier is added to the product: it is rounded down, and the dividend is replaced by
    /// the next one. Otherwise a multiplier of one bit more than the width would be needed.
    pub adds: bool,
}

/// The multiplier for a divisor of words of `bits` (at most 64), for dividends below
/// `2^significant`.
///
/// With `m = ceil(2^(bits+s)/d)` the error `m d - 2^(bits+s)` must be at most
/// `2^(bits+s-significant)`; the least such `s` is taken. Where `m` would not fit,
/// `m = floor(2^(bits+s)/d)` of the next dividend does: of the two roundings one is always close
/// enough for `s = floor(log2 d)`, as the errors add up to `d < 2^(s+1)`.
///
/// `None` if the divisor is zero or a power of two, or a bound is out of range.
pub fn multiplier(divisor: u64, bits: u32, significant: u32) -> Option<Multiplier> {
    let fits = (1..=64).contains(&bits) && (1..=bits).contains(&significant);
    if !fits || divisor.is_power_of_two() || divisor == 0 || divisor.ilog2() >= bits {
        return None;
    }
    let wide = u128::from(divisor);
    let most = divisor.ilog2();
    for shift in 0..=most {
        let power = 1_u128 << (bits + shift);
        let number = power.div_ceil(wide);
        let error = number * wide - power;
        if number >> bits == 0 && error <= 1 << (bits + shift - significant) {
            return Some(Multiplier {
                number: u64::try_from(number).ok()?,
                shift,
                adds: false,
            });
        }
    }
    let power = 1_u128 << (bits + most);
    Some(Multiplier {
        number: u64::try_from(power / wide).ok()?,
        shift: most,
        adds: true,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The quotient computed with the multiplier.
    fn quotient(found: Multiplier, bits: u32, dividend: u64) -> u64 {
        let dividend = u128::from(dividend) + u128::from(found.adds);
        let product = dividend * u128::from(found.number);
        (product >> bits >> found.shift) as u64
    }

    #[test]
    fn all_quotients_of_narrow_words_are_right() {
        for bits in [1_u32, 2, 5, 8, 9] {
            for divisor in 1..1_u64 << bits {
                let Some(found) = multiplier(divisor, bits, bits) else {
                    assert!(divisor.is_power_of_two());
                    continue;
                };
                assert!(found.number >> bits == 0, "{divisor}: {found:?}");
                for dividend in 0..1_u64 << bits {
                    let expected = dividend / divisor;
                    assert_eq!(
                        quotient(found, bits, dividend),
                        expected,
                        "{dividend}/{divisor}"
                    );
                }
            }
        }
    }

    /// All 16-bit divisors, with the dividends where a quotient changes; others are between them.
    #[test]
    fn quotients_of_halves_change_where_they_should() {
        for significant in [15, 16] {
            for divisor in (1_u64..1 << 16).filter(|divisor| !divisor.is_power_of_two()) {
                let found = multiplier(divisor, 16, significant).expect("a multiplier");
                let end = (1_u64 << significant) - 1;
                let last = end / divisor * divisor;
                let dividends = [0, divisor - 1, divisor, last.saturating_sub(1), last, end];
                for dividend in dividends.into_iter().filter(|dividend| *dividend <= end) {
                    let expected = dividend / divisor;
                    assert_eq!(
                        quotient(found, 16, dividend),
                        expected,
                        "{dividend}/{divisor}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_bit_less_needs_no_second_rounding() {
        for divisor in (3_u64..1 << 16).filter(|divisor| !divisor.is_power_of_two()) {
            let found = multiplier(divisor, 16, 15).expect("a multiplier");
            assert!(!found.adds, "{divisor}");
        }
        assert!(multiplier(7, 32, 32).is_some_and(|found| found.adds));
        assert_eq!(multiplier(0, 32, 32), None);
        assert_eq!(multiplier(1 << 40, 32, 32), None);
    }
}
