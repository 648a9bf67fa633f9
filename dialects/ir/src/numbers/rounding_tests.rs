//! Rounding in every direction, compared with LLVM's APFloat, with all values of narrow formats, and
//! with fixed point.

use proptest::prelude::*;
use rustc_apfloat::ieee::{
    BFloat, Double, Float8E4M3FN, Float8E5M2, Half, Quad, Single, X87DoubleExtended,
};
use rustc_apfloat::{FloatConvert, Round};

use super::*;

const DIRECTIONS: [(Direction, Round); 5] = [
    (Direction::NearestEven, Round::NearestTiesToEven),
    (Direction::NearestAway, Round::NearestTiesToAway),
    (Direction::Zero, Round::TowardZero),
    (Direction::Down, Round::TowardNegative),
    (Direction::Up, Round::TowardPositive),
];

/// Our result has the bits of the other library's, where NaNs are equal.
fn agrees<F: rustc_apfloat::Float>(ours: Float, theirs: F) -> bool {
    if theirs.is_nan() {
        ours.is_nan()
    } else {
        ours.bits() == theirs.to_bits()
    }
}

/// The directions compared for a kind. The other library treats negative values like positive ones
/// where the NaN takes the place of the value behind the largest one: for such a kind, only
/// directions that treat both signs alike.
fn directions(kind: FloatKind) -> &'static [(Direction, Round)] {
    if kind == FloatKind::F8E4M3FN {
        &DIRECTIONS[..3]
    } else {
        &DIRECTIONS
    }
}

/// `x + y`, `x * y`, `x * y + z` and the order, in every direction.
fn check_arithmetic<F: rustc_apfloat::Float>(kind: FloatKind, bits: [u128; 3]) {
    let bits = bits.map(|bits| Float::from_bits(kind, bits).bits());
    let [a, b, c] = bits.map(|bits| Number::decode(kind, bits));
    let [x, y, z] = bits.map(F::from_bits);
    for &(direction, round) in directions(kind) {
        let rounded = |number: Number| number.round(kind, direction, Overflow::Ieee);
        let sum = rounded(a.plus(b, direction));
        let product = rounded(a.times(b));
        let case = format!("{kind} {bits:x?} {direction:?}");
        assert!(agrees(sum, x.add_r(y, round).value), "{case}: {sum}");
        assert!(
            agrees(product, x.mul_r(y, round).value),
            "{case}: {product}"
        );
        // The product of two values of the widest kind has more bits than an exact number keeps.
        if kind != FloatKind::F128 {
            let fused = rounded(a.times(b).plus(c, direction));
            let expected = x.mul_add_r(y, z, round).value;
            assert!(agrees(fused, expected), "{case}: {fused}");
        }
    }
    assert_eq!(a.compare(b), x.partial_cmp(&y));
}

/// The value of a kind converted to another one, in every direction.
fn check_conversion<F: FloatConvert<T>, T: rustc_apfloat::Float>(
    from: FloatKind,
    to: FloatKind,
    bits: u128,
) {
    let float = Float::from_bits(from, bits);
    for &(direction, round) in directions(to) {
        let theirs: T = F::from_bits(float.bits())
            .convert_r(round, &mut false)
            .value;
        let ours = float.round(to, direction);
        assert!(
            agrees(ours, theirs),
            "{from} {float} to {to}: {ours} {direction:?}"
        );
    }
}

#[test]
fn all_halves_become_the_bytes_of_apfloat() {
    for bits in 0..1 << 16 {
        check_conversion::<Half, Float8E5M2>(FloatKind::F16, FloatKind::F8E5M2, bits);
        check_conversion::<Half, Float8E4M3FN>(FloatKind::F16, FloatKind::F8E4M3FN, bits);
        check_conversion::<BFloat, Float8E4M3FN>(FloatKind::BF16, FloatKind::F8E4M3FN, bits);
        check_conversion::<BFloat, Half>(FloatKind::BF16, FloatKind::F16, bits);
    }
}

#[test]
fn all_bytes_have_the_sums_and_products_of_apfloat() {
    for bits in 0..1_u128 << 16 {
        let all = [bits & 0xFF, bits >> 8, bits >> 4 & 0xFF];
        check_arithmetic::<Float8E5M2>(FloatKind::F8E5M2, all);
        check_arithmetic::<Float8E4M3FN>(FloatKind::F8E4M3FN, all);
    }
}

/// The finite values of a kind, by the fields of their encodings, ascending.
fn values(kind: FloatKind) -> Vec<f64> {
    let (exponents, mantissas) = (1 << kind.exponent_bits(), 1 << kind.mantissa_bits());
    let mut values = Vec::new();
    for exponent in 0..exponents {
        for mantissa in 0..mantissas {
            let part = f64::from(mantissa) / f64::from(mantissas);
            let least = 1 - kind.bias();
            let value = match exponent {
                0 if kind.has_zero() => part * 2_f64.powi(least),
                _ => (1.0 + part) * 2_f64.powi(exponent - kind.bias()),
            };
            let last = (exponent, mantissa) == (exponents - 1, mantissas - 1);
            if !(last && kind.has_nan()) {
                values.push(value);
            }
        }
    }
    if kind.has_sign() {
        values.extend(values.clone().into_iter().map(|value| -value));
    }
    values.sort_by(f64::total_cmp);
    values
}

/// The neighbour that a direction chooses, by distances in doubles, which are exact here. `even`
/// returns whether the last bit of a value is zero.
fn nearest(values: &[f64], x: f64, direction: Direction, even: impl Fn(f64) -> bool) -> f64 {
    let below = values.iter().rev().find(|value| **value <= x);
    let above = values.iter().find(|value| **value >= x);
    let (Some(&below), Some(&above)) = (below, above) else {
        // Beyond the largest value; there is no infinity.
        return *below.or(above).expect("a kind has values");
    };
    let outer = if x < 0.0 { below } else { above };
    let tie = match direction {
        Direction::Down => return below,
        Direction::Up => return above,
        Direction::Zero => return if x < 0.0 { above } else { below },
        Direction::NearestAway => outer,
        Direction::NearestEven if even(below) => below,
        Direction::NearestEven => above,
    };
    match (x - below).total_cmp(&(above - x)) {
        std::cmp::Ordering::Less => below,
        std::cmp::Ordering::Equal => tie,
        std::cmp::Ordering::Greater => above,
    }
}

/// The kinds without infinity and NaN: every half becomes the value that a search finds.
#[test]
fn all_halves_become_the_nearest_narrow_value() {
    for kind in [
        FloatKind::F4E2M1FN,
        FloatKind::F6E2M3FN,
        FloatKind::F6E3M2FN,
    ] {
        let values = values(kind);
        for bits in 0..1 << 16 {
            let half = Float::from_bits(FloatKind::F16, bits);
            if !half.is_finite() {
                continue;
            }
            let x = half.to_f64();
            for (direction, _) in DIRECTIONS {
                let even = |value| Float::from_f64(kind, value).bits() & 1 == 0;
                let expected = nearest(&values, x, direction, even);
                let found = half.round(kind, direction).to_f64();
                assert_eq!(found, expected, "{kind} {x} {direction:?}");
                assert_eq!(found.is_sign_negative(), x.is_sign_negative());
            }
        }
    }
}

/// Scales are powers of two. Ties are between odd and even exponents; nothing is below 2^-127.
#[test]
fn scales_are_the_nearest_powers() {
    let kind = FloatKind::F8E8M0FNU;
    for exponent in -126..127 {
        let power = 2_f64.powi(exponent);
        let next = 2.0 * power;
        for (part, even) in [(1.0, power), (1.25, power), (1.5, next), (1.75, next)] {
            let x = Float::from_f64(FloatKind::F64, part * power);
            let rounded = |direction| x.round(kind, direction).to_f64();
            assert_eq!(rounded(Direction::Zero), power);
            assert_eq!(
                rounded(Direction::Up),
                if part == 1.0 { power } else { next }
            );
            // The significand of a power is 1, which is odd: a tie goes to the next power.
            assert_eq!(rounded(Direction::NearestEven), even);
        }
    }
    let tiny = Float::from_f64(FloatKind::F64, 1e-300);
    assert_eq!(tiny.convert(kind).bits(), 0);
    let huge = Float::from_f64(FloatKind::F64, 1e300);
    assert_eq!(huge.convert(kind).bits(), 0xFF);
}

fn any_bits() -> impl Strategy<Value = u128> {
    // Any, and values of near exponents with few bits set: ties and cancellation.
    prop_oneof![
        any::<u128>(),
        (0_u128..16, 0_u128..64, any::<u128>())
            .prop_map(|(top, near, rest)| top << 124 | near << 116 | rest & 0xF << 112),
        (0_u128..16, 0_u128..64, any::<u128>())
            .prop_map(|(top, near, rest)| top << 124 | near << 116 | rest & 0xF << 60 | rest & 0xF),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn sums_and_products_are_those_of_apfloat(x in any_bits(), y in any_bits(), z in any_bits()) {
        let all = |width: u32| [x, y, z].map(|bits| bits >> (128 - width));
        check_arithmetic::<Half>(FloatKind::F16, all(16));
        check_arithmetic::<BFloat>(FloatKind::BF16, all(16));
        check_arithmetic::<Single>(FloatKind::F32, all(32));
        check_arithmetic::<Double>(FloatKind::F64, all(64));
        check_arithmetic::<Quad>(FloatKind::F128, all(128));
    }

    #[test]
    fn conversions_are_those_of_apfloat(x in any_bits()) {
        let top = |width: u32| x >> (128 - width);
        check_conversion::<Double, Single>(FloatKind::F64, FloatKind::F32, top(64));
        check_conversion::<Double, Half>(FloatKind::F64, FloatKind::F16, top(64));
        check_conversion::<Single, BFloat>(FloatKind::F32, FloatKind::BF16, top(32));
        check_conversion::<Single, Float8E4M3FN>(FloatKind::F32, FloatKind::F8E4M3FN, top(32));
        check_conversion::<Single, Float8E5M2>(FloatKind::F32, FloatKind::F8E5M2, top(32));
        check_conversion::<Quad, Double>(FloatKind::F128, FloatKind::F64, x);
        check_conversion::<Quad, X87DoubleExtended>(FloatKind::F128, FloatKind::F80, x);
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
            let value = sum.round(kind, direction, Overflow::Ieee).to_f64();
            // Infinity is larger than every finite value.
            if value.is_finite() { (value * 2_f64.powi(48)) as i128 } else { (value.signum() as i128) << 100 }
        };
        let (down, up) = (rounded(Direction::Down), rounded(Direction::Up));
        prop_assert!(down <= exact && exact <= up);
        let zero = rounded(Direction::Zero);
        prop_assert_eq!(zero, if exact < 0 { up } else { down });
        // There is no half between the two.
        if up < 1 << 100 && down > 0 && down != up {
            let next = Float::from_f64(kind, down as f64 / 2_f64.powi(48)).bits() + 1;
            prop_assert_eq!((Float::from_bits(kind, next).to_f64() * 2_f64.powi(48)) as i128, up);
        }
    }
}

#[test]
fn integers_round_in_every_direction() {
    let value = |negative, significand, exponent| Finite {
        exponent,
        ..Finite::integer(negative, significand)
    };
    let all = |value: Finite| DIRECTIONS.map(|(direction, _)| value.to_integer(direction));
    // To even, away, toward zero, down, up.
    assert_eq!(all(value(false, 5, -1)), [2, 3, 2, 2, 3]);
    assert_eq!(all(value(true, 5, -1)), [2, 3, 2, 3, 2]);
    assert_eq!(all(value(true, 1, -70)), [0, 0, 0, 1, 0]);
    assert_eq!(all(value(false, 3, 4)), [48; 5]);
    assert_eq!(all(value(false, 1, 300)), [1 << 120; 5]);
}

#[test]
fn overflow_goes_where_it_is_sent() {
    let large = Float::from_f64(FloatKind::F64, 1e9).number();
    let round = |kind, direction, overflow| large.round(kind, direction, overflow).bits();
    use Direction::{NearestEven, Zero};
    assert_eq!(round(FloatKind::F16, NearestEven, Overflow::Ieee), 0x7C00);
    assert_eq!(round(FloatKind::F16, Zero, Overflow::Ieee), 0x7BFF);
    assert_eq!(
        round(FloatKind::F16, NearestEven, Overflow::Largest),
        0x7BFF
    );
    assert_eq!(
        round(FloatKind::F8E4M3FN, NearestEven, Overflow::Largest),
        0x7E
    );
    assert_eq!(
        round(FloatKind::F8E4M3FN, NearestEven, Overflow::Ieee),
        0x7F
    );
    assert_eq!(
        round(FloatKind::F8E5M2, NearestEven, Overflow::Largest),
        0x7B
    );
    assert_eq!(round(FloatKind::F4E2M1FN, NearestEven, Overflow::Ieee), 0x7);
}
