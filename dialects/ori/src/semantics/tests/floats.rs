//! Float operations compared with the host's floats, which also round by IEEE 754.

use super::{Bits, computation, interesting, words};

const CASES: usize = 4000;
const NAN: u32 = 0x7FFF_FFFF;

fn triples() -> impl Iterator<Item = [u32; 3]> {
    let (a, b, c) = (interesting(4), interesting(5), interesting(6));
    let all = a.zip(b).zip(c).map(|((a, b), c)| [a, b, c]);
    all.take(CASES)
}

fn bits(value: f32) -> u32 {
    if value.is_nan() { NAN } else { value.to_bits() }
}

#[test]
fn sums_and_products_of_floats_are_those_of_the_host() {
    let add = words(2, "ori.fadd neg %a, %b");
    let product = words(2, "ori.fmul abs %a, %b");
    let fused = words(3, "ori.ffma %a, %b, neg %c");
    for [a, b, c] in triples() {
        let [x, y, z] = [a, b, c].map(f32::from_bits);
        assert_eq!(add(&[a, b]), bits(-x + y));
        assert_eq!(product(&[a, b]), bits(x.abs() * y));
        assert_eq!(fused(&[a, b, c]), bits(x.mul_add(y, -z)));
    }
}

/// The exact path, used for directed rounding, agrees with the host where results are exact, and
/// brackets the host's results elsewhere.
#[test]
fn directed_sums_bracket_those_of_the_host() {
    let [nearest, down, up, zero] =
        ["rn", "rm", "rp", "rz"].map(|word| words(3, &format!("ori.ffma <{word}> %a, %b, %c")));
    for [a, b, c] in triples() {
        let all = [
            nearest(&[a, b, c]),
            down(&[a, b, c]),
            up(&[a, b, c]),
            zero(&[a, b, c]),
        ];
        let [near, below, above, inward] = all.map(f32::from_bits);
        if near.is_nan() {
            assert_eq!(all, [NAN; 4]);
            continue;
        }
        assert!(below <= near && near <= above, "{all:x?}");
        assert!(below == near || above == near, "{all:x?}");
        assert_eq!(inward, if below < 0.0 { above } else { below });
        assert!(below == above || below.next_up() == above, "{all:x?}");
    }
}

#[test]
fn doubles_are_those_of_the_host() {
    let pair = |text: &str, count: usize| {
        let types = vec!["r64"; count];
        let registers = vec!["!ori.r64"; count].join(", ");
        computation(&types, &format!("%z = {text} : ({registers}) -> !ori.r64"))
    };
    let (add, product, fused) = (
        pair("ori.dadd %a, %b", 2),
        pair("ori.dmul %a, %b", 2),
        pair("ori.dfma %a, %b, %c", 3),
    );
    let bits = |value: f64| match value.is_nan() {
        true => 0x7FF8_0000_0000_0000,
        false => Bits::from(value.to_bits()),
    };
    for ([a, b, c], [d, e, f]) in triples().zip(triples().skip(11)) {
        let numbers =
            [(a, d), (b, e), (c, f)].map(|(low, high)| u64::from(high) << 32 | u64::from(low));
        let [x, y, z] = numbers.map(f64::from_bits);
        let operands = numbers.map(Bits::from);
        assert_eq!(add(&operands[..2])[0], bits(x + y));
        assert_eq!(product(&operands[..2])[0], bits(x * y));
        assert_eq!(fused(&operands)[0], bits(x.mul_add(y, z)));
    }
}

#[test]
fn denormals_are_zero_where_they_are_flushed() {
    let add = words(2, "ori.fadd <ftz> %a, %b");
    assert_eq!(add(&[1, 0x8000_0000]), 0);
    assert_eq!(add(&[0x0080_0001, 0x8080_0000]), 0);
    assert_eq!(add(&[0x8000_0001, 0x8000_0000]), 0x8000_0000);
    let clamped = words(2, "ori.fadd <saturate> %a, %b");
    let of = |x: f32, y: f32| f32::from_bits(clamped(&[x.to_bits(), y.to_bits()]));
    assert_eq!(of(0.25, 0.5), 0.75);
    assert_eq!(of(0.75, 0.5), 1.0);
    assert_eq!(of(-0.75, 0.5).to_bits(), 0);
    assert_eq!(of(f32::NAN, 0.5).to_bits(), 0);
}

#[test]
fn a_number_wins_over_no_number() {
    let text = |flags: &str| {
        format!("%z = ori.fmnmx {flags}%a, %b, %c : (!ori.r, !ori.r, !ori.p) -> !ori.r")
    };
    let choose = computation(&["r", "r", "p"], &text(""));
    let strict = computation(&["r", "r", "p"], &text("<nan_wins> "));
    let nan = Bits::from(0xFFC0_0001_u32);
    let (one, two) = (Bits::from(1_f32.to_bits()), Bits::from(2_f32.to_bits()));
    let minus_zero = Bits::from(0x8000_0000_u32);
    assert_eq!(choose(&[one, two, 1])[0], one);
    assert_eq!(choose(&[one, two, 0])[0], two);
    assert_eq!(choose(&[nan, two, 1])[0], two);
    assert_eq!(choose(&[nan, nan, 1])[0], NAN.into());
    assert_eq!(strict(&[one, nan, 1])[0], NAN.into());
    assert_eq!(choose(&[0, minus_zero, 1])[0], minus_zero);
    assert_eq!(choose(&[minus_zero, 0, 0])[0], 0);
}

#[test]
fn comparisons_say_what_no_number_does() {
    let names = [
        "f", "lt", "eq", "le", "gt", "ne", "ge", "num", "nan", "ltu", "equ", "leu", "gtu", "neu",
        "geu", "t",
    ];
    for name in names {
        let text = format!("%z = ori.fsetp <{name}> %a, %b : (!ori.r, !ori.r) -> !ori.p");
        let compare = computation(&["r", "r"], &text);
        for (x, y) in [
            (1.0, 2.0),
            (2.0, 1.0),
            (1.0, 1.0),
            (0.0, -0.0),
            (f32::NAN, 1.0),
        ] {
            let expected = match name {
                "f" => false,
                "t" => true,
                "num" => !x.is_nan(),
                "nan" => x.is_nan(),
                "lt" => x < y,
                "eq" => x == y,
                "le" => x <= y,
                "gt" => x > y,
                "ne" => !x.is_nan() && x != y,
                "ge" => x >= y,
                "ltu" => x.is_nan() || x < y,
                "equ" => x.is_nan() || x == y,
                "leu" => x.is_nan() || x <= y,
                "gtu" => x.is_nan() || x > y,
                "neu" => x != y,
                _ => x.is_nan() || x >= y,
            };
            let found = compare(&[x.to_bits().into(), y.to_bits().into()]);
            assert_eq!(found, [Bits::from(expected)], "{name} {x} {y}");
        }
    }
}

#[test]
fn conversions_are_those_of_the_host() {
    let unary = |text: &str, from: &str, to: &str| {
        computation(
            &[from],
            &format!("%z = {text} %a : (!ori.{from}) -> !ori.{to}"),
        )
    };
    let to_signed = unary(
        "ori.f2i <to = s32, from = f32, trunc, nan_is_zero>",
        "r",
        "r",
    );
    let to_unsigned = unary(
        "ori.f2i <to = u32, from = f32, trunc, nan_is_zero>",
        "r",
        "r",
    );
    let to_wide = unary("ori.f2i <to = s64, from = f32, floor, double>", "r", "r64");
    let from_signed = unary("ori.i2f <to = f32, from = s32>", "r", "r");
    let from_wide = unary("ori.i2f <to = f32, from = u64, double>", "r64", "r");
    let widened = unary("ori.f2f <to = f64, from = f32, double>", "r", "r64");
    let narrowed = unary("ori.f2f <to = f32, from = f64, double>", "r64", "r");
    let whole = unary("ori.frnd <from = f32>", "r", "r");
    let ceiling = unary("ori.frnd <from = f32, ceil>", "r", "r");
    for [a, b, _] in triples() {
        let x = f32::from_bits(a);
        let word = |value: i64| Bits::from(value as u32);
        assert_eq!(to_signed(&[a.into()])[0], word((x as i32).into()));
        assert_eq!(to_unsigned(&[a.into()])[0], Bits::from(x as u32));
        let floor = if x.is_nan() {
            i64::MIN
        } else {
            x.floor() as i64
        };
        assert_eq!(to_wide(&[a.into()])[0], Bits::from(floor.cast_unsigned()));
        assert_eq!(
            from_signed(&[a.into()])[0],
            Bits::from((a.cast_signed() as f32).to_bits())
        );
        let pair = u64::from(b) << 32 | u64::from(a);
        assert_eq!(
            from_wide(&[pair.into()])[0],
            Bits::from((pair as f32).to_bits())
        );
        if !x.is_nan() {
            assert_eq!(widened(&[a.into()])[0], Bits::from(f64::from(x).to_bits()));
            assert_eq!(
                whole(&[a.into()])[0],
                Bits::from(x.round_ties_even().to_bits())
            );
            assert_eq!(ceiling(&[a.into()])[0], Bits::from(x.ceil().to_bits()));
        }
        let narrow = f64::from_bits(pair) as f32;
        assert_eq!(narrowed(&[pair.into()])[0], Bits::from(bits(narrow)));
    }
    let pack = words(2, "ori.f2fp <to = e4m3, from = f32, satfinite> %a, %b");
    let packed = pack(&[1.5_f32.to_bits(), (-1000.0_f32).to_bits()]);
    assert_eq!(packed, 0x3CFE);
    let halves = words(2, "ori.f2fp <to = bf16, from = f32, relu> %a, %b");
    assert_eq!(
        halves(&[2.0_f32.to_bits(), (-3.0_f32).to_bits()]),
        0x4000_0000
    );
    let rounded = words(2, "ori.f2fp <to = tf32, from = f32> %a, %b");
    assert_eq!(rounded(&[0, 0x3F80_1001]), 0x3F80_2000);
}

#[test]
fn halves_are_computed_one_by_one() {
    let add = words(2, "ori.hadd2 <f16> %a, %b");
    // 1 + 1 below, 65504 + 65504 above.
    assert_eq!(add(&[0x7BFF_3C00, 0x7BFF_3C00]), 0x7C00_4000);
    let spread = words(3, "ori.hfma2 <f16, relu> h0_h0 %a, neg h1_h1 %b, %c");
    // 2 * -3 + 7 below, 2 * -3 + 5 above, which is clamped to zero.
    assert_eq!(
        spread(&[0x0000_4000, 0x4200_0000, 0x4500_4700]),
        0x0000_3C00
    );
    let widened = words(2, "ori.hadd2_f32 <f16> neg %a, %b");
    assert_eq!(f32::from_bits(widened(&[0, 0x3E00])), 1.5);
    let mixed = words(2, "ori.fhadd neg h1_h1 %a, abs %b");
    // -1.5 + |-0.25|; the smallest float is lost beside the smallest half.
    assert_eq!(f32::from_bits(mixed(&[0x3E00_0000, 0xBE80_0000])), -1.25);
    assert_eq!(f32::from_bits(mixed(&[0x0001_0000, 1])), -(2_f32.powi(-24)));
    let brain = words(3, "ori.hfma2 <bf16> %a, %b, %c");
    // 2 * 3 + 1, and 1 * 1 - 1.
    assert_eq!(brain(&[0x4000_3F80, 0x4040_3F80, 0x3F80_BF80]), 0x40E0_0000);
}

/// The functions are within their documented bounds of the host's results in doubles.
#[test]
fn elementary_functions_are_close() {
    type Case = (&'static str, fn(f64) -> f64, f64, f64);
    let cases: [Case; 7] = [
        ("rcp", |x| 1.0 / x, 1e-30, 1e30),
        ("rsq", |x| 1.0 / x.sqrt(), 1e-30, 1e30),
        ("sqrt", f64::sqrt, 1e-30, 1e30),
        ("ex2", f64::exp2, -100.0, 100.0),
        ("lg2", f64::log2, 1e-30, 1e30),
        ("tanh", f64::tanh, -9.0, 9.0),
        ("sin", |x| (x * std::f64::consts::TAU).sin(), -0.9, 0.9),
    ];
    for (name, exact, low, high) in cases {
        let compute = words(1, &format!("ori.mufu <{name}> %a"));
        for step in 0..1000 {
            let part = f64::from(step) / 1000.0;
            let x = if low > 0.0 {
                (low.ln() + part * (high / low).ln()).exp() as f32
            } else {
                (low + part * (high - low)) as f32
            };
            let found = f64::from(f32::from_bits(compute(&[x.to_bits()])));
            let expected = exact(f64::from(x));
            let error = (found - expected).abs();
            assert!(
                error <= expected.abs() * 6.0e-8 + 1e-12,
                "{name}({x}) = {found}, not {expected}"
            );
        }
    }
    let special = |name: &str, x: f32| {
        f32::from_bits(words(1, &format!("ori.mufu <{name}> %a"))(&[x.to_bits()]))
    };
    assert_eq!(special("rcp", 0.0), f32::INFINITY);
    assert_eq!(special("rcp", f32::from_bits(1)), f32::INFINITY);
    assert_eq!(special("rsq", -0.0), f32::NEG_INFINITY);
    assert_eq!(special("lg2", 0.0), f32::NEG_INFINITY);
    assert_eq!(special("ex2", -130.0), 0.0);
    assert_eq!(special("cos", 0.25), 0.0);
    assert_eq!(special("cos", 1e6), 1.0);
    assert!(special("sqrt", -1.0).is_nan() && special("sin", f32::INFINITY).is_nan());
}

/// A reciprocal of doubles starts with that of the high word; two Newton steps make it exact.
#[test]
fn reciprocals_of_high_words_start_divisions() {
    let compute = words(1, "ori.mufu <rcp64h> %a");
    for x in [1.0_f64, 3.0, 1e100, -7.25e-80] {
        let high = (x.to_bits() >> 32) as u32;
        let start = f64::from_bits(u64::from(compute(&[high])) << 32);
        assert!((start * x - 1.0).abs() < 2e-6, "{x}");
    }
}
