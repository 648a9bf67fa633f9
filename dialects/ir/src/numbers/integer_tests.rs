use proptest::prelude::*;

use super::*;

fn literal(width: u32, text: &str, range: IntegerRange) -> Result<String, IntegerError> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text),
    };
    ApInt::from_literal(width, digits, negative, range).map(|value| value.to_signed_decimal())
}

#[test]
fn an_integer_is_compact() {
    assert!(size_of::<ApInt>() <= 24);
}

#[test]
fn signless_literals_take_both_ranges() {
    use IntegerRange::Signless;
    assert_eq!(literal(8, "255", Signless).unwrap(), "-1");
    assert_eq!(literal(8, "-128", Signless).unwrap(), "-128");
    for refused in ["256", "-129", "-255", "-256", "0x100", "-0xFF", "-0"] {
        assert_eq!(
            literal(8, refused, Signless),
            Err(IntegerError::OutOfRange),
            "{refused}"
        );
    }
    assert_eq!(literal(1, "-1", Signless).unwrap(), "-1");
    assert_eq!(literal(1, "2", Signless), Err(IntegerError::OutOfRange));
    assert_eq!(literal(8, "0x00fF", Signless).unwrap(), "-1");
    assert_eq!(literal(8, "00000255", Signless).unwrap(), "-1");
}

#[test]
fn signed_and_unsigned_literals() {
    use IntegerRange::{Signed, Unsigned};
    assert_eq!(literal(8, "127", Signed).unwrap(), "127");
    assert_eq!(literal(8, "128", Signed), Err(IntegerError::OutOfRange));
    assert_eq!(literal(8, "-0x80", Signed).unwrap(), "-128");
    assert_eq!(literal(8, "255", Unsigned).unwrap(), "-1");
    assert_eq!(
        literal(8, "-0", Unsigned),
        Err(IntegerError::NegativeUnsigned)
    );
    assert_eq!(
        literal(8, "-999", Unsigned),
        Err(IntegerError::NegativeUnsigned)
    );
}

#[test]
fn integers_of_no_bits() {
    for range in [
        IntegerRange::Signless,
        IntegerRange::Signed,
        IntegerRange::Unsigned,
    ] {
        assert_eq!(literal(0, "0", range).unwrap(), "0");
        assert_eq!(literal(0, "1", range), Err(IntegerError::OutOfRange));
    }
    assert_eq!(
        literal(0, "-0", IntegerRange::Signless),
        Err(IntegerError::OutOfRange)
    );
    let nothing = ApInt::zero(0);
    assert_eq!(nothing, ApInt::all_ones(0));
    assert_eq!(nothing.as_i64(), Some(0));
    assert!(!nothing.is_negative() && nothing.is_zero());
    assert_eq!(nothing.wrapping_add(&nothing), nothing);
    assert_eq!(nothing.sign_extend(70), ApInt::zero(70));
}

#[test]
fn malformed_digits_are_refused() {
    for text in ["", "12a", "0x", "0xG", "+1", " 1"] {
        let result = literal(32, text, IntegerRange::Signless);
        assert_eq!(result, Err(IntegerError::InvalidDigits), "{text}");
    }
}

#[test]
fn hostile_digits_are_refused_early() {
    let digits = "9".repeat(10_000_000);
    let result = ApInt::from_decimal(128, &digits, false, IntegerRange::Signless);
    assert_eq!(result, Err(IntegerError::OutOfRange));
    let zeros = "0".repeat(10_000_000) + "7";
    let result = ApInt::from_decimal(8, &zeros, false, IntegerRange::Signless);
    assert_eq!(result, Ok(ApInt::from_u64(8, 7)));
}

#[test]
fn wide_literals_print_back() {
    let digits: String = (0..3000)
        .map(|index| char::from(b'1' + (index % 9) as u8))
        .collect();
    let value = ApInt::from_decimal(10_000, &digits, false, IntegerRange::Signed).unwrap();
    assert_eq!(value.to_signed_decimal(), digits);
    let value = ApInt::from_decimal(10_000, &digits, true, IntegerRange::Signed).unwrap();
    assert_eq!(value.to_signed_decimal(), format!("-{digits}"));
    let widest = ApInt::from_u64(MAX_INTEGER_WIDTH, 1);
    assert_eq!(widest.to_unsigned_decimal(), "1");
}

#[test]
fn division_reports_zero_and_overflow() {
    let minimum = ApInt::signed_min(8);
    assert_eq!(minimum.signed_div(&ApInt::zero(8)), None);
    assert_eq!(minimum.unsigned_rem(&ApInt::zero(8)), None);
    assert!(minimum.signed_div(&ApInt::all_ones(8)).unwrap().overflow);
    let minus_seven = ApInt::from_i64(8, -7);
    let two = ApInt::from_i64(8, 2);
    assert_eq!(
        minus_seven.signed_div(&two).unwrap().value.as_i64(),
        Some(-3)
    );
    assert_eq!(minus_seven.signed_rem(&two).unwrap().as_i64(), Some(-1));
    assert_eq!(
        minus_seven.signed_floor_div(&two).unwrap().value.as_i64(),
        Some(-4)
    );
    assert_eq!(
        minus_seven.signed_ceil_div(&two).unwrap().value.as_i64(),
        Some(-3)
    );
    assert_eq!(
        two.unsigned_ceil_div(&ApInt::from_i64(8, 3))
            .unwrap()
            .as_i64(),
        Some(1)
    );
}

#[test]
fn extremes() {
    for width in [1, 2, 7, 8, 63, 64, 65, 127, 128, 129] {
        let (minimum, maximum) = (ApInt::signed_min(width), ApInt::signed_max(width));
        assert!(minimum.is_signed_min() && minimum.is_negative(), "{width}");
        assert!(maximum.is_signed_max() && !maximum.is_negative(), "{width}");
        assert_eq!(maximum.wrapping_add(&ApInt::from_u64(width, 1)), minimum);
        assert_eq!(
            minimum.compare_signed(&maximum),
            Some(std::cmp::Ordering::Less)
        );
        assert_eq!(
            minimum.compare_unsigned(&maximum),
            Some(std::cmp::Ordering::Greater)
        );
        assert!(ApInt::all_ones(width).is_all_ones());
        assert_eq!(minimum.trailing_zeros(), width - 1);
        assert_eq!(maximum.leading_zeros(), 1);
    }
}

/// The value of `width` bits as a signed 128-bit number.
fn signed_value(width: u32, bits: u128) -> i128 {
    let unused = 128 - width;
    (bits << unused).cast_signed() >> unused
}

fn masked(width: u32, bits: u128) -> u128 {
    bits << (128 - width) >> (128 - width)
}

proptest! {
    #[test]
    fn arithmetic_agrees_with_native_integers(
        width in 1_u32..=120,
        left in any::<u128>(),
        right in any::<u128>(),
        shrink in 0_u32..120,
    ) {
        let (left, right) = (masked(width, left), masked(width, right >> shrink));
        let (a, b) = (ApInt::from_u128(width, left), ApInt::from_u128(width, right));
        let (x, y) = (signed_value(width, left), signed_value(width, right));
        let wrap = |value: u128| ApInt::from_u128(width, masked(width, value));
        let fits = |value: i128| value == signed_value(width, value.cast_unsigned());
        prop_assert_eq!(a.wrapping_add(&b), wrap(left.wrapping_add(right)));
        prop_assert_eq!(a.wrapping_sub(&b), wrap(left.wrapping_sub(right)));
        prop_assert_eq!(a.wrapping_mul(&b), wrap(left.wrapping_mul(right)));
        prop_assert_eq!(a.signed_add(&b).overflow, !fits(x + y));
        prop_assert_eq!(a.signed_sub(&b).overflow, !fits(x - y));
        prop_assert_eq!(a.unsigned_add(&b).overflow, masked(width, left + right) != left + right);
        prop_assert_eq!(a.unsigned_sub(&b).overflow, left < right);
        if let Some(product) = x.checked_mul(y) {
            prop_assert_eq!(a.signed_mul(&b).overflow, !fits(product));
        }
        if let Some(product) = left.checked_mul(right) {
            prop_assert_eq!(a.unsigned_mul(&b).overflow, masked(width, product) != product);
        }
        prop_assert_eq!(a.unsigned_div(&b), left.checked_div(right).map(wrap));
        if right != 0 {
            prop_assert_eq!(a.unsigned_rem(&b), Some(wrap(left % right)));
            let quotient = a.signed_div(&b).unwrap();
            prop_assert_eq!(quotient.value, wrap((x / y).cast_unsigned()));
            prop_assert_eq!(quotient.overflow, !fits(x / y));
            prop_assert_eq!(a.signed_rem(&b), Some(wrap((x % y).cast_unsigned())));
            if fits(x / y) {
                let floor = x.div_euclid(y) - i128::from(y < 0 && x.rem_euclid(y) != 0);
                prop_assert_eq!(
                    a.signed_floor_div(&b).unwrap().value,
                    wrap(floor.cast_unsigned())
                );
                let ceil = floor + i128::from(x % y != 0);
                prop_assert_eq!(a.signed_ceil_div(&b).unwrap().value, wrap(ceil.cast_unsigned()));
            }
        }
        prop_assert_eq!(a.compare_signed(&b), Some(x.cmp(&y)));
        prop_assert_eq!(a.compare_unsigned(&b), Some(left.cmp(&right)));
        prop_assert_eq!(a.bitwise_and(&b), wrap(left & right));
        prop_assert_eq!(a.bitwise_or(&b), wrap(left | right));
        prop_assert_eq!(a.bitwise_xor(&b), wrap(left ^ right));
        prop_assert_eq!(a.bitwise_not(), wrap(!left));
        prop_assert_eq!(a.shift_left(shrink), wrap(if shrink < width { left << shrink } else { 0 }));
        prop_assert_eq!(a.logical_shift_right(shrink), wrap(left >> shrink));
        prop_assert_eq!(a.arithmetic_shift_right(shrink), wrap((x >> shrink).cast_unsigned()));
    }

    #[test]
    fn widths_change_soundly(width in 1_u32..=120, other in 1_u32..=120, bits in any::<u128>()) {
        let bits = masked(width, bits);
        let value = ApInt::from_u128(width, bits);
        let signed = signed_value(width, bits);
        prop_assert_eq!(
            value.truncate_or_zero_extend(other),
            ApInt::from_u128(other, masked(other, bits))
        );
        prop_assert_eq!(
            value.truncate_or_sign_extend(other),
            ApInt::from_u128(other, masked(other, signed.cast_unsigned()))
        );
        prop_assert_eq!(value.fits_unsigned(other), masked(other, bits) == bits);
        prop_assert_eq!(
            value.fits_signed(other),
            other >= width || signed_value(other, bits) == signed
        );
        prop_assert_eq!(value.as_i64(), i64::try_from(signed).ok());
        prop_assert_eq!(value.as_u64(), u64::try_from(bits).ok());
        prop_assert_eq!(value.active_bits(), 128 - bits.leading_zeros());
        prop_assert_eq!(value.to_signed_decimal(), signed.to_string());
        prop_assert_eq!(value.to_unsigned_decimal(), bits.to_string());
        prop_assert_eq!(value.to_hex(), format!("{bits:#X}"));
    }

    #[test]
    fn literals_read_back(width in 1_u32..=300, words in prop::collection::vec(any::<u64>(), 5)) {
        let value = ApInt::from_words(width, words);
        let unsigned = value.to_unsigned_decimal();
        let range = IntegerRange::Signless;
        prop_assert_eq!(ApInt::from_decimal(width, &unsigned, false, range), Ok(value.clone()));
        let signed = value.to_signed_decimal();
        let digits = signed.trim_start_matches('-');
        let negative = signed.starts_with('-');
        prop_assert_eq!(ApInt::from_decimal(width, digits, negative, range), Ok(value.clone()));
        prop_assert_eq!(ApInt::from_literal(width, &value.to_hex(), false, range), Ok(value));
    }
}
