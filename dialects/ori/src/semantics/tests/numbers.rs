//! Exact numbers compared with the big integers of `orison_ir::numbers`, the host, and fixed point.

use orison_ir::numbers::{Float, FloatKind};
use proptest::prelude::*;

use super::super::number::{Direction, Finite, Number, Overflow, canonical_nan};

const KINDS: [FloatKind; 10] = [
    FloatKind::F4E2M1FN,
    FloatKind::F6E2M3FN,
    FloatKind::F6E3M2FN,
    FloatKind::F8E5M2,
    FloatKind::F8E4M3FN,
    FloatKind::F8E8M0FNU,
    FloatKind::BF16,
    FloatKind::F16,
    FloatKind::F32,
    FloatKind::F64,
];

fn nearest(number: Number, kind: FloatKind) -> u128 {
    number.encode(kind, Direction::NearestEven, Overflow::Ieee)
}

/// The bits of a big-integer result, with the canonical NaN.
fn reference(value: Float) -> u128 {
    if value.is_nan() {
        canonical_nan(value.kind())
    } else {
        value.bits()
    }
}

#[test]
fn encodings_survive() {
    for kind in KINDS.into_iter().filter(|kind| kind.width() <= 16) {
        for bits in 0..1_u128 << kind.width() {
            let float = Float::from_bits(kind, bits);
            let number = Number::decode(kind, bits);
            assert_eq!(nearest(number, kind), reference(float), "{kind:?} {bits:x}");
        }
    }
}

fn any_bits() -> impl Strategy<Value = u64> {
    prop_oneof![
        any::<u64>(),
        (0_u64..4, 0_u64..2048, any::<u64>()).prop_map(|(top, exponent, rest)| {
            top << 62 | exponent << 52 | (rest & 0xFFF0_0000_0000_000F)
        }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn sums_and_products_are_those_of_big_integers(x in any_bits(), y in any_bits(), number in 0..KINDS.len()) {
        let kind = KINDS[number];
        prop_assume!(kind.has_sign());
        let (x, y) = (u128::from(x) >> (64 - kind.width()), u128::from(y) >> (64 - kind.width()));
        let (a, b) = (Float::from_bits(kind, x), Float::from_bits(kind, y));
        let (m, n) = (Number::decode(kind, x), Number::decode(kind, y));
        prop_assert_eq!(nearest(m.times(n), kind), reference(a.times(b)));
        prop_assert_eq!(nearest(m.plus(n, Direction::NearestEven), kind), reference(a.plus(b)));
        prop_assert_eq!(m.compare(n), a.compare(b));
    }

    #[test]
    fn formats_change_as_with_big_integers(bits in any_bits(), from in 0..KINDS.len(), to in 0..KINDS.len()) {
        let (from, to) = (KINDS[from], KINDS[to]);
        prop_assume!(from.has_sign() && to.has_sign());
        let bits = u128::from(bits) >> (64 - from.width());
        let float = Float::from_bits(from, bits);
        // NaN has no defined conversion to narrow formats without one.
        prop_assume!(to.has_nan() || !float.is_nan());
        let found = nearest(Number::decode(from, bits), to);
        prop_assert_eq!(found, reference(float.convert(to)));
    }

    #[test]
    fn fused_products_are_those_of_the_host(x in any_bits(), y in any_bits(), z in any_bits()) {
        let number = |bits: u64| Number::decode(FloatKind::F64, bits.into());
        let found = nearest(number(x).times(number(y)).plus(number(z), Direction::NearestEven), FloatKind::F64);
        let host = f64::from_bits(x).mul_add(f64::from_bits(y), f64::from_bits(z));
        let expected = if host.is_nan() { canonical_nan(FloatKind::F64) } else { host.to_bits().into() };
        prop_assert_eq!(found, expected);
    }

    /// Halves fit fixed point: units of 2^-48 represent every sum of a product and a half.
    #[test]
    fn directions_bound_the_exact_value(x in any::<u16>(), y in any::<u16>(), z in any::<u16>()) {
        let kind = FloatKind::F16;
        let number = |bits: u16| Number::decode(kind, bits.into());
        let fixed = |bits: u16| -> Option<i128> {
            let value = Float::from_bits(kind, bits.into()).to_f64();
            value.is_finite().then(|| (value * 2_f64.powi(24)) as i128)
        };
        let (Some(a), Some(b), Some(c)) = (fixed(x), fixed(y), fixed(z)) else { return Ok(()) };
        let exact = a * b + (c << 24);
        let rounded = |direction| {
            let sum = number(x).times(number(y)).plus(number(z), direction);
            let bits = sum.encode(kind, direction, Overflow::Ieee);
            let value = Float::from_bits(kind, bits).to_f64();
            // Infinity is larger than every finite value.
            if value.is_finite() { (value * 2_f64.powi(48)) as i128 } else { (value.signum() as i128) << 100 }
        };
        let (down, up) = (rounded(Direction::Down), rounded(Direction::Up));
        prop_assert!(down <= exact && exact <= up);
        let zero = rounded(Direction::Zero);
        prop_assert_eq!(zero, if exact < 0 { up } else { down });
        let even = rounded(Direction::NearestEven);
        let away = rounded(Direction::NearestAway);
        prop_assert!([down, up].contains(&even) && [down, up].contains(&away));
        if up < 1 << 100 && down > -(1 << 100) {
            let (below, above) = (exact - down, up - exact);
            let closest = if below < above { down } else { up };
            if below != above {
                prop_assert_eq!(even, closest);
                prop_assert_eq!(away, closest);
            } else if below != 0 {
                prop_assert_eq!(away, if exact < 0 { down } else { up });
            }
            // There is no half between the two.
            if down != up && down > 0 {
                let next = Float::from_f64(kind, down as f64 / 2_f64.powi(48)).bits() + 1;
                prop_assert_eq!((Float::from_bits(kind, next).to_f64() * 2_f64.powi(48)) as i128, up);
            }
        }
    }
}

#[test]
fn integers_round_in_every_direction() {
    let value = |negative, significand, exponent| Finite {
        negative,
        significand,
        exponent,
        sticky: false,
    };
    use Direction::{Down, NearestAway, NearestEven, Up, Zero};
    let directions = [NearestEven, NearestAway, Zero, Down, Up];
    let all = |value: Finite| directions.map(|direction| value.to_integer(direction).1);
    assert_eq!(all(value(false, 5, -1)), [2, 3, 2, 2, 3]);
    assert_eq!(all(value(true, 5, -1)), [2, 3, 2, 3, 2]);
    assert_eq!(all(value(true, 1, -70)), [0, 0, 0, 1, 0]);
    assert_eq!(all(value(false, 3, 4)), [48; 5]);
    assert_eq!(all(value(false, 1, 300)), [1 << 120; 5]);
}

#[test]
fn overflow_goes_where_it_is_sent() {
    let large = Number::of_f64(1e9);
    let encode = |kind, direction, overflow| large.encode(kind, direction, overflow);
    use Direction::{NearestEven, Zero};
    assert_eq!(encode(FloatKind::F16, NearestEven, Overflow::Ieee), 0x7C00);
    assert_eq!(encode(FloatKind::F16, Zero, Overflow::Ieee), 0x7BFF);
    assert_eq!(
        encode(FloatKind::F16, NearestEven, Overflow::Finite),
        0x7BFF
    );
    assert_eq!(
        encode(FloatKind::F8E4M3FN, NearestEven, Overflow::Finite),
        0x7E
    );
    assert_eq!(
        encode(FloatKind::F8E4M3FN, NearestEven, Overflow::Ieee),
        0x7F
    );
    assert_eq!(
        encode(FloatKind::F8E5M2, NearestEven, Overflow::Finite),
        0x7B
    );
    assert_eq!(
        encode(FloatKind::F4E2M1FN, NearestEven, Overflow::Ieee),
        0x7
    );
}
