use std::cmp::Ordering;

use proptest::prelude::*;

use super::*;

fn of(kind: FloatKind, text: &str) -> Float {
    Float::from_literal(kind, text).unwrap()
}

fn f64_of(value: f64) -> Float {
    Float::from_f64(FloatKind::F64, value)
}

#[test]
fn keywords_and_widths() {
    let widths: Vec<_> = FloatKind::ALL.iter().map(|kind| kind.width()).collect();
    assert_eq!(
        widths,
        [4, 6, 6, 8, 8, 8, 8, 8, 8, 8, 8, 16, 16, 19, 32, 64, 80, 128]
    );
    for kind in FloatKind::ALL {
        assert_eq!(FloatKind::from_keyword(kind.keyword()), Some(kind));
    }
    assert_eq!(FloatKind::from_keyword("f8"), None);
}

#[test]
fn largest_values() {
    let largest = |kind| Float::largest(kind, false).to_f64();
    assert_eq!(largest(FloatKind::F4E2M1FN), 6.0);
    assert_eq!(largest(FloatKind::F6E2M3FN), 7.5);
    assert_eq!(largest(FloatKind::F6E3M2FN), 28.0);
    assert_eq!(largest(FloatKind::F8E5M2), 57344.0);
    assert_eq!(largest(FloatKind::F8E4M3), 240.0);
    assert_eq!(largest(FloatKind::F8E4M3FN), 448.0);
    assert_eq!(largest(FloatKind::F8E5M2FNUZ), 57344.0);
    assert_eq!(largest(FloatKind::F8E4M3FNUZ), 240.0);
    assert_eq!(largest(FloatKind::F8E4M3B11FNUZ), 30.0);
    assert_eq!(largest(FloatKind::F8E3M4), 15.5);
    assert_eq!(largest(FloatKind::F8E8M0FNU), 2_f64.powi(127));
    assert_eq!(largest(FloatKind::F16), 65504.0);
    assert_eq!(largest(FloatKind::F32), f64::from(f32::MAX));
    assert_eq!(largest(FloatKind::F64), f64::MAX);
}

#[test]
fn too_large_values_become_what_the_kind_has() {
    let huge = |kind| of(kind, "1.0e300");
    assert!(huge(FloatKind::F8E5M2).is_infinite());
    assert_eq!(huge(FloatKind::F8E4M3FN).bits(), 0x7F);
    assert_eq!(huge(FloatKind::F8E4M3FNUZ).bits(), 0x80);
    assert_eq!(huge(FloatKind::F8E8M0FNU).bits(), 0xFF);
    assert_eq!(huge(FloatKind::F4E2M1FN).to_f64(), 6.0);
    assert_eq!(of(FloatKind::F8E4M3FN, "464.0").to_f64(), 448.0);
    assert!(of(FloatKind::F8E4M3FN, "465.0").is_nan());
    assert_eq!(of(FloatKind::F16, "65519.999").to_f64(), 65504.0);
    assert!(of(FloatKind::F16, "65520.0").is_infinite());
}

#[test]
fn zeros() {
    assert_eq!(of(FloatKind::F32, "-0.0").bits(), 0x8000_0000);
    assert_eq!(of(FloatKind::F8E4M3FNUZ, "-0.0").bits(), 0);
    assert_eq!(of(FloatKind::F8E8M0FNU, "-0.0").print(), "5.877470e-39");
    assert_eq!(of(FloatKind::F8E8M0FNU, "-1.0").print(), "-1.000000e+00");
    assert_eq!(of(FloatKind::F8E8M0FNU, "-1.0").bits(), 0x7F);
}

#[test]
fn printed_forms() {
    let print = |kind, text| of(kind, text).print();
    assert_eq!(print(FloatKind::F32, "1.0"), "1.000000e+00");
    assert_eq!(print(FloatKind::F32, "0.1"), "1.000000e-01");
    assert_eq!(print(FloatKind::F32, "0.9"), "0.899999976");
    assert_eq!(print(FloatKind::F32, "12345678.0"), "0x4B3C614E");
    assert_eq!(print(FloatKind::F64, "-0.0"), "-0.000000e+00");
    assert_eq!(print(FloatKind::F64, "1.0e100"), "1.000000e+100");
    assert_eq!(print(FloatKind::F64, "1.0e400"), "0x7FF0000000000000");
    assert_eq!(print(FloatKind::BF16, "0.1"), "1.000980e-01");
    assert_eq!(print(FloatKind::F80, "0.1"), "0.100000000000000005551");
    let tiny = Float::from_hex(FloatKind::F80, "7FFFFFFFFFFFFFFF").unwrap();
    assert_eq!(tiny.print(), "3.3621031431120935059E-4932");
}

#[test]
fn literals_round_twice_and_decimals_once() {
    let text = "9007199254740993.0";
    assert_eq!(
        of(FloatKind::F128, text),
        of(FloatKind::F128, "9007199254740992.0")
    );
    let once = Float::parse_decimal(FloatKind::F128, text).unwrap();
    assert_eq!(
        once.minus(of(FloatKind::F128, "9007199254740992.0")),
        Float::one(FloatKind::F128)
    );
    // Slightly above halfway between two `f16` values; as a double, exactly halfway.
    let text = "2049.00000000000000001";
    assert_eq!(of(FloatKind::F16, text).to_f64(), 2048.0);
    assert_eq!(
        Float::parse_decimal(FloatKind::F16, text).unwrap().to_f64(),
        2050.0
    );
}

#[test]
fn malformed_literals_are_refused() {
    for text in [
        "", "-", ".5", "1e", "1.0e+", "0x1", "1.2.3", "1_0", "inf", "nan", "--1",
    ] {
        let result = Float::parse_decimal(FloatKind::F64, text);
        assert_eq!(result, Err(FloatError::InvalidDigits), "{text}");
    }
    assert_eq!(
        Float::from_hex(FloatKind::F16, "17FC0"),
        Err(FloatError::TooWide)
    );
    assert_eq!(
        Float::from_hex(FloatKind::F16, "07FC0").unwrap().bits(),
        0x7FC0
    );
    assert_eq!(
        Float::from_hex(FloatKind::F4E2M1FN, "10"),
        Err(FloatError::TooWide)
    );
    assert_eq!(
        Float::from_hex(FloatKind::F16, ""),
        Err(FloatError::InvalidDigits)
    );
}

#[test]
fn hostile_literals() {
    let long = format!("0.{}1", "0".repeat(5_000_000));
    assert!(of(FloatKind::F128, &long).is_zero());
    let long = format!("1.{}e-1", "3".repeat(5_000_000));
    assert_eq!(of(FloatKind::F64, &long).to_f64(), 0.133_333_333_333_333_33);
    assert!(of(FloatKind::F64, "1.0e99999999999999999999999").is_infinite());
    assert!(of(FloatKind::F64, "1.0e-99999999999999999999999").is_zero());
    assert!(of(FloatKind::F64, "0.0e99999999999999999999999").is_zero());
}

#[test]
fn extended_encodings_without_a_value_become_nan() {
    let value = Float::from_hex(FloatKind::F80, "3FFF0000000000000001").unwrap();
    assert_eq!(value.print(), "0x7FFF0000000000000001");
    let pseudo_subnormal = Float::from_bits(FloatKind::F80, 1 << 63);
    assert_eq!(pseudo_subnormal.bits(), 1 << 64 | 1 << 63);
}

#[test]
fn special_operands() {
    let infinity = f64_of(f64::INFINITY);
    assert!(infinity.minus(infinity).is_nan());
    assert!(infinity.times(f64_of(0.0)).is_nan());
    assert!(f64_of(0.0).divided_by(f64_of(0.0)).is_nan());
    assert_eq!(f64_of(-1.0).divided_by(f64_of(0.0)), infinity.negated());
    assert_eq!(f64_of(-0.0).plus(f64_of(0.0)), f64_of(0.0));
    assert_eq!(f64_of(-0.0).plus(f64_of(-0.0)), f64_of(-0.0));
    let nan = f64_of(f64::NAN);
    assert!(f64_of(1.0).minimum(nan).is_nan());
    assert_eq!(f64_of(1.0).minimum_number(nan), f64_of(1.0));
    assert_eq!(f64_of(0.0).minimum(f64_of(-0.0)), f64_of(-0.0));
    assert_eq!(f64_of(-0.0).maximum(f64_of(0.0)), f64_of(0.0));
    assert_eq!(f64_of(1.0).compare(nan), None);
    let signaling = Float::from_bits(FloatKind::F64, 0x7FF0_0000_0000_0001);
    assert!(signaling.is_signaling());
    assert_eq!(signaling.plus(f64_of(1.0)).bits(), 0x7FF8_0000_0000_0001);
}

#[test]
fn integers_convert() {
    let big = ApInt::from_u64(64, u64::MAX);
    assert_eq!(
        Float::from_integer(FloatKind::F64, &big, false),
        f64_of(u64::MAX as f64)
    );
    assert_eq!(
        Float::from_integer(FloatKind::F64, &big, true),
        f64_of(-1.0)
    );
    assert_eq!(f64_of(-2.7).to_integer(8, true).unwrap().as_i64(), Some(-2));
    assert_eq!(f64_of(-2.7).to_integer(8, false), None);
    assert_eq!(f64_of(-0.7).to_integer(8, false).unwrap().as_i64(), Some(0));
    assert_eq!(f64_of(128.0).to_integer(8, true), None);
    assert_eq!(f64_of(1e300).to_integer(64, true), None);
    assert_eq!(f64_of(f64::NAN).to_integer(64, true), None);
}

#[test]
fn narrow_kinds_survive_printing_and_doubles() {
    for kind in FloatKind::ALL.into_iter().filter(|kind| kind.width() <= 16) {
        for bits in 0..1_u128 << kind.width() {
            let value = Float::from_bits(kind, bits);
            assert_eq!(value.bits(), bits, "{kind}");
            if value.is_finite() {
                assert_eq!(
                    Float::from_f64(kind, value.to_f64()),
                    value,
                    "{kind} {bits:#X}"
                );
            }
            let text = value.print();
            let back = match text.strip_prefix("0x") {
                Some(digits) => Float::from_hex(kind, digits),
                None => Float::from_literal(kind, &text),
            };
            assert_eq!(back, Ok(value), "{kind} {bits:#X}");
        }
    }
}

fn any_kind() -> impl Strategy<Value = FloatKind> {
    prop::sample::select(FloatKind::ALL.to_vec())
}

fn same(ours: Float, native: f64) -> bool {
    if native.is_nan() {
        ours.is_nan()
    } else {
        ours == f64_of(native)
    }
}

proptest! {
    #[test]
    fn doubles_agree_with_native_arithmetic(
        left in any::<u64>(), right in any::<u64>(), near in any::<bool>(),
    ) {
        let x = f64::from_bits(left);
        // Operands of similar exponents exercise more cancellation and rounding.
        let mask = if near { 0x800F_FFFF_FFFF_FFFF } else { u64::MAX };
        let y = f64::from_bits(right & mask | left & !mask);
        let (a, b) = (f64_of(x), f64_of(y));
        prop_assert!(same(a.plus(b), x + y));
        prop_assert!(same(a.minus(b), x - y));
        prop_assert!(same(a.times(b), x * y));
        prop_assert!(same(a.divided_by(b), x / y));
        prop_assert!(same(a.remainder(b), x % y));
        prop_assert_eq!(a.compare(b), x.partial_cmp(&y));
    }

    #[test]
    fn singles_agree_with_native_arithmetic(left in any::<u32>(), right in any::<u32>()) {
        let (x, y) = (f32::from_bits(left), f32::from_bits(right));
        let of = |bits: u32| Float::from_bits(FloatKind::F32, u128::from(bits));
        let same = |ours: Float, native: f32| {
            if native.is_nan() { ours.is_nan() } else { ours == of(native.to_bits()) }
        };
        let (a, b) = (of(left), of(right));
        prop_assert!(same(a.plus(b), x + y));
        prop_assert!(same(a.times(b), x * y));
        prop_assert!(same(a.divided_by(b), x / y));
        prop_assert!(same(f64_of(f64::from_bits(u64::from(left) << 32 | u64::from(right)))
            .convert(FloatKind::F32),
            f64::from_bits(u64::from(left) << 32 | u64::from(right)) as f32));
    }

    #[test]
    fn decimals_agree_with_native_parsing(
        whole in any::<u64>(), fraction in any::<u32>(), exponent in -340_i32..320,
    ) {
        let text = format!("{whole}.{fraction}e{exponent}");
        prop_assert_eq!(of(FloatKind::F64, &text), f64_of(text.parse().unwrap()));
        let single: f32 = text.parse().unwrap();
        prop_assert_eq!(
            Float::parse_decimal(FloatKind::F32, &text).unwrap().bits(),
            u128::from(single.to_bits())
        );
    }

    #[test]
    fn printing_identifies_the_value(kind in any_kind(), bits in any::<u128>()) {
        let value = Float::from_bits(kind, bits);
        let text = value.print();
        let back = match text.strip_prefix("0x") {
            Some(digits) => Float::from_hex(kind, digits).unwrap(),
            None => Float::parse_decimal(kind, &text).unwrap(),
        };
        prop_assert_eq!(back, value);
    }

    #[test]
    fn order_is_total_on_numbers(kind in any_kind(), left in any::<u128>(), right in any::<u128>()) {
        let (a, b) = (Float::from_bits(kind, left), Float::from_bits(kind, right));
        prop_assert_eq!(a.compare(b), b.compare(a).map(Ordering::reverse));
        prop_assert_eq!(a.minimum(b).is_nan(), a.is_nan() || b.is_nan());
        if let Some(order) = a.minimum(b).compare(a.maximum(b)) {
            prop_assert!(order.is_le());
        }
    }
}
