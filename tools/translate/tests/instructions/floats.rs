//! Floats: rounding, denormals, saturation, comparisons, conversions.

use super::{check, check_with};

fn single(value: u64) -> f32 {
    f32::from_bits(value as u32)
}

fn double(value: u64) -> f64 {
    f64::from_bits(value)
}

/// A denormal is a zero of its sign.
fn flushed(value: f32) -> f32 {
    if value.is_subnormal() {
        0.0_f32.copysign(value)
    } else {
        value
    }
}

/// The float next to `value + rest` in a direction; `rest` is too small to change `value` but for ties.
fn rounded(value: f64, rest: f64, direction: &str) -> f32 {
    let near = value as f32;
    if value.is_nan() || value.is_infinite() {
        return near;
    }
    // The sign of the difference between the exact value and the nearest float.
    let difference = if near.is_infinite() {
        -value.signum()
    } else {
        let difference = value - f64::from(near);
        if difference == 0.0 { rest } else { difference }
    };
    match direction {
        "rm" if difference < 0.0 => near.next_down(),
        "rp" if difference > 0.0 => near.next_up(),
        "rz" if difference < 0.0 && value > 0.0 => near.next_down(),
        "rz" if difference > 0.0 && value < 0.0 => near.next_up(),
        _ => near,
    }
}

/// The sum of two doubles, and its exact error.
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let part = sum - a;
    (sum, (a - (sum - part)) + (b - part))
}

/// The bits of a result; every NaN is equal.
fn differs(found: u64, expected: f32) -> Option<String> {
    let same = if expected.is_nan() {
        single(found).is_nan()
    } else {
        found == u64::from(expected.to_bits())
    };
    (!same).then(|| format!("{:e} ({found:#x}), not {expected:e}", single(found)))
}

#[test]
fn products_round_in_every_direction() {
    for direction in ["rn", "rz", "rm", "rp"] {
        check_with(
            &format!("mul.{direction}.f32 %d32, %a32, %b32"),
            |found, [a, b, _]| {
                // The product of two floats is exact in a double.
                let product = f64::from(single(a)) * f64::from(single(b));
                differs(found, rounded(product, 0.0, direction))
            },
        );
    }
}

#[test]
fn sums_round_in_every_direction() {
    for direction in ["rn", "rz", "rm", "rp"] {
        check_with(
            &format!("add.{direction}.f32 %d32, %a32, %b32"),
            |found, [a, b, _]| {
                let (value, rest) = two_sum(f64::from(single(a)), f64::from(single(b)));
                let exact = if direction == "rn" {
                    single(a) + single(b)
                } else {
                    rounded(value, rest, direction)
                };
                // The zero of a cancellation is negative only where sums are rounded down.
                if exact == 0.0 && single(a) == -single(b) && single(a) != 0.0 {
                    let zero = if direction == "rm" { -0.0 } else { 0.0 };
                    return differs(found, zero);
                }
                if exact == 0.0 {
                    return (single(found) != 0.0).then(|| "no zero".to_owned());
                }
                differs(found, exact)
            },
        );
    }
}

#[test]
fn ftz_flushes_operands_and_results() {
    type Binary = fn(f32, f32) -> f32;
    let cases: [(&str, Binary); 3] = [
        ("add", |a, b| a + b),
        ("sub", |a, b| a - b),
        ("mul", |a, b| a * b),
    ];
    for (name, host) in cases {
        let plain = format!("{name}.f32 %d32, %a32, %b32");
        check_with(&plain, |found, [a, b, _]| {
            differs(found, host(single(a), single(b)))
        });
        let flushing = format!("{name}.ftz.f32 %d32, %a32, %b32");
        check_with(&flushing, |found, [a, b, _]| {
            differs(found, flushed(host(flushed(single(a)), flushed(single(b)))))
        });
    }
    check_with(
        "fma.rn.ftz.f32 %d32, %a32, %b32, %c32",
        |found, [a, b, c]| {
            let [a, b, c] = [a, b, c].map(|value| flushed(single(value)));
            differs(found, flushed(a.mul_add(b, c)))
        },
    );
    check_with("fma.rn.f32 %d32, %a32, %b32, %c32", |found, [a, b, c]| {
        differs(found, single(a).mul_add(single(b), single(c)))
    });
    check_with("abs.ftz.f32 %d32, %a32", |found, [a, ..]| {
        differs(found, flushed(single(a)).abs())
    });
    check_with("neg.ftz.f32 %d32, %a32", |found, [a, ..]| {
        differs(found, -flushed(single(a)))
    });
}

#[test]
fn sat_clamps_to_the_unit_interval() {
    let unit = |value: f32| {
        // NaN and negative values are zero.
        if value > 0.0 { value.min(1.0) } else { 0.0 }
    };
    check_with("add.sat.f32 %d32, %a32, %b32", |found, [a, b, _]| {
        differs(found, unit(single(a) + single(b)))
    });
    check_with("mul.ftz.sat.f32 %d32, %a32, %b32", |found, [a, b, _]| {
        differs(
            found,
            unit(flushed(flushed(single(a)) * flushed(single(b)))),
        )
    });
    check_with(
        "fma.rn.sat.f32 %d32, %a32, %b32, %c32",
        |found, [a, b, c]| differs(found, unit(single(a).mul_add(single(b), single(c)))),
    );
    check_with("cvt.sat.f32.f32 %d32, %a32", |found, [a, ..]| {
        differs(found, unit(single(a)))
    });
}

#[test]
fn setp_compares_unordered_and_flushes_with_ftz() {
    type Ordered = fn(f32, f32) -> bool;
    let names: [(&str, Ordered); 6] = [
        ("eq", |a, b| a == b),
        ("ne", |a, b| a != b),
        ("lt", |a, b| a < b),
        ("le", |a, b| a <= b),
        ("gt", |a, b| a > b),
        ("ge", |a, b| a >= b),
    ];
    for (name, host) in names {
        for (ftz, prepared) in [("", (|value| value) as fn(f32) -> f32), (".ftz", flushed)] {
            for (unordered, nan) in [("", false), ("u", true)] {
                let text = format!("setp.{name}{unordered}{ftz}.f32 %p, %a32, %b32");
                check(&text, |a, b, _| {
                    let (x, y) = (prepared(single(a)), prepared(single(b)));
                    let holds = if x.is_nan() || y.is_nan() {
                        nan
                    } else {
                        host(x, y)
                    };
                    holds.into()
                });
            }
        }
    }
    for (name, nan) in [("num", false), ("nan", true)] {
        check(&format!("setp.{name}.f32 %p, %a32, %b32"), |a, b, _| {
            ((single(a).is_nan() || single(b).is_nan()) == nan).into()
        });
    }
    // A denormal is less than another one, unless both are zeros.
    check(
        "mov.b32 %x32, 1; mov.b32 %y32, 2; setp.lt.f32 %p, %x32, %y32",
        |_, _, _| 1,
    );
    check(
        "mov.b32 %x32, 1; mov.b32 %y32, 2; setp.lt.ftz.f32 %p, %x32, %y32",
        |_, _, _| 0,
    );
    check(
        "mov.b32 %x32, 1; mov.b32 %y32, 2; set.lt.ftz.u32.f32 %d32, %x32, %y32",
        |_, _, _| 0,
    );
    check("setp.lt.f64 %p, %a64, %b64", |a, b, _| {
        (double(a) < double(b)).into()
    });
    check("setp.geu.f64 %p, %a64, %b64", |a, b, _| {
        let (a, b) = (double(a), double(b));
        (a.is_nan() || b.is_nan() || a >= b).into()
    });
    check("slct.ftz.b32.f32 %d32, %a32, %b32, %c32", |a, b, c| {
        let chosen = if flushed(single(c)) >= 0.0 { a } else { b };
        chosen & 0xFFFF_FFFF
    });
}

#[test]
fn extrema_prefer_numbers_unless_nan_wins() {
    let chosen = |a: f32, b: f32, min: bool| {
        // Minus zero is less than zero.
        let first = !a.is_nan() && (b.is_nan() || a.total_cmp(&b).is_lt() == min);
        if first { a } else { b }
    };
    for (name, min) in [("min", true), ("max", false)] {
        check_with(
            &format!("{name}.f32 %d32, %a32, %b32"),
            |found, [a, b, _]| differs(found, chosen(single(a), single(b), min)),
        );
        check_with(
            &format!("{name}.ftz.f32 %d32, %a32, %b32"),
            |found, [a, b, _]| differs(found, chosen(flushed(single(a)), flushed(single(b)), min)),
        );
        check_with(
            &format!("{name}.NaN.f32 %d32, %a32, %b32"),
            |found, [a, b, _]| {
                let (x, y) = (single(a), single(b));
                let nan = x.is_nan() || y.is_nan();
                differs(found, if nan { f32::NAN } else { chosen(x, y, min) })
            },
        );
    }
}

#[test]
fn floats_become_integers_in_every_direction() {
    type Whole = fn(f64) -> f64;
    let directions: [(&str, Whole); 4] = [
        ("rni", f64::round_ties_even),
        ("rzi", f64::trunc),
        ("rmi", f64::floor),
        ("rpi", f64::ceil),
    ];
    for (name, whole) in directions {
        let of = |value: u64| whole(f64::from(single(value)));
        // Values beyond the limits are the limits. NaN is zero in 32 bits, but of doubles and in 64
        // bits the number with only the highest bit.
        check(&format!("cvt.{name}.s32.f32 %d32, %a32"), |a, _, _| {
            u64::from(of(a) as i32 as u32)
        });
        check(&format!("cvt.{name}.u32.f32 %d32, %a32"), |a, _, _| {
            u64::from(of(a) as u32)
        });
        check(
            &format!("cvt.{name}.s32.f64 %d32, %a64"),
            |a, _, _| match double(a).is_nan() {
                true => 1 << 31,
                false => u64::from(whole(double(a)) as i32 as u32),
            },
        );
        check(
            &format!("cvt.{name}.u64.f32 %d64, %a32"),
            |a, _, _| match single(a).is_nan() {
                true => 1 << 63,
                false => of(a) as u64,
            },
        );
        check_with(
            &format!("cvt.{name}.f32.f32 %d32, %a32"),
            |found, [a, ..]| differs(found, whole(f64::from(single(a))) as f32),
        );
    }
}

#[test]
fn integers_and_doubles_become_floats_in_every_direction() {
    for direction in ["rn", "rz", "rm", "rp"] {
        check_with(
            &format!("cvt.{direction}.f32.s32 %d32, %a32"),
            |found, [a, ..]| differs(found, rounded(f64::from(a as u32 as i32), 0.0, direction)),
        );
        check_with(
            &format!("cvt.{direction}.f32.u32 %d32, %a32"),
            |found, [a, ..]| differs(found, rounded(f64::from(a as u32), 0.0, direction)),
        );
        check_with(
            &format!("cvt.{direction}.f32.f64 %d32, %a64"),
            |found, [a, ..]| differs(found, rounded(double(a), 0.0, direction)),
        );
    }
    check("cvt.rn.f64.s64 %d64, %a64", |a, _, _| {
        (a.cast_signed() as f64).to_bits()
    });
    check("cvt.rn.f64.u32 %d64, %a32", |a, _, _| {
        f64::from(a as u32).to_bits()
    });
    check_with("cvt.rn.f32.s8 %d32, %a32", |found, [a, ..]| {
        differs(found, f32::from(a as u8 as i8))
    });
}

#[test]
fn halves_are_converted_and_widened() {
    use orison_ir::numbers::{Float, FloatKind};
    let half = |value: u64| Float::from_bits(FloatKind::F16, u128::from(value & 0xFFFF));
    check_with("cvt.f32.f16 %d32, %a16", |found, [a, ..]| {
        differs(found, half(a).to_f64() as f32)
    });
    check_with("cvt.rn.f16.f32 %d16, %a32", |found, [a, ..]| {
        let expected = Float::from_f64(FloatKind::F16, f64::from(single(a)));
        let same = if expected.is_nan() {
            half(found).is_nan()
        } else {
            u128::from(found) == expected.bits()
        };
        (!same).then(|| format!("{found:#x}"))
    });
}

#[test]
fn halves_are_added_to_floats() {
    use orison_ir::numbers::{Float, FloatKind};
    // A half is a float without rounding, so that the host rounds once, too.
    let half =
        |value: u64| Float::from_bits(FloatKind::F16, u128::from(value & 0xFFFF)).to_f64() as f32;
    check_with("add.rn.f32.f16 %d32, %a16, %b32", |found, [a, b, _]| {
        differs(found, half(a) + single(b))
    });
    check_with("sub.f32.f16 %d32, %a16, %b32", |found, [a, b, _]| {
        differs(found, half(a) - single(b))
    });
    check_with("add.rz.f32.f16 %d32, %a16, %b32", |found, [a, b, _]| {
        // The distance to zero is never larger than that of the nearest.
        let nearest = half(a) + single(b);
        let exceeds = f32::from_bits(found as u32).abs() > nearest.abs();
        exceeds.then(|| format!("{found:#x} is farther from zero than {nearest}"))
    });
    check_with(
        "fma.rn.f32.f16 %d32, %a16, %b16, %c32",
        |found, [a, b, c]| differs(found, half(a).mul_add(half(b), single(c))),
    );
}
