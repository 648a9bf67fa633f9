//! Integers of every width.

use super::check;

fn s16(value: u64) -> i64 {
    i64::from(value as u16 as i16)
}

fn s32(value: u64) -> i64 {
    i64::from(value as u32 as i32)
}

fn u16_of(value: u64) -> u64 {
    value & 0xFFFF
}

fn u32_of(value: u64) -> u64 {
    value & 0xFFFF_FFFF
}

/// The low bits of an integer.
fn low(value: i64, bits: u32) -> u64 {
    value.cast_unsigned() & (u64::MAX >> (64 - bits))
}

#[test]
fn mul_wide_of_halves_extends_by_their_signedness() {
    check("mul.wide.s16 %d32, %a16, %b16", |a, b, _| {
        low(s16(a) * s16(b), 32)
    });
    check("mul.wide.u16 %d32, %a16, %b16", |a, b, _| {
        u16_of(a) * u16_of(b)
    });
    check("mad.wide.s16 %d32, %a16, %b16, %c32", |a, b, c| {
        low(s16(a) * s16(b) + s32(c), 32)
    });
    check("mad.wide.u16 %d32, %a16, %b16, %c32", |a, b, c| {
        u32_of(u16_of(a) * u16_of(b) + u32_of(c))
    });
    check("mul.wide.s16 %d32, %a16, -3", |a, _, _| {
        low(-3 * s16(a), 32)
    });
}

#[test]
fn mul_hi_of_halves_is_the_upper_half() {
    check("mul.hi.s16 %d16, %a16, %b16", |a, b, _| {
        low((s16(a) * s16(b)) >> 16, 16)
    });
    check("mul.hi.u16 %d16, %a16, %b16", |a, b, _| {
        (u16_of(a) * u16_of(b)) >> 16
    });
    check("mul.lo.u16 %d16, %a16, %b16", |a, b, _| {
        u16_of(u16_of(a) * u16_of(b))
    });
    check("mad.hi.u16 %d16, %a16, %b16, %c16", |a, b, c| {
        u16_of(((u16_of(a) * u16_of(b)) >> 16).wrapping_add(c))
    });
}

#[test]
fn products_of_words_and_pairs_keep_their_sign() {
    check("mul.wide.s32 %d64, %a32, %b32", |a, b, _| {
        low(s32(a) * s32(b), 64)
    });
    check("mul.wide.u32 %d64, %a32, %b32", |a, b, _| {
        u32_of(a) * u32_of(b)
    });
    check("mad.wide.s32 %d64, %a32, %b32, %c64", |a, b, c| {
        low(s32(a) * s32(b), 64).wrapping_add(c)
    });
    check("mul.hi.s32 %d32, %a32, %b32", |a, b, _| {
        low((s32(a) * s32(b)) >> 32, 32)
    });
    check("mul.hi.u32 %d32, %a32, %b32", |a, b, _| {
        (u32_of(a) * u32_of(b)) >> 32
    });
    let high = |a: u64, b: u64| {
        let product = i128::from(a.cast_signed()) * i128::from(b.cast_signed());
        (product >> 64) as u64
    };
    check("mul.hi.s64 %d64, %a64, %b64", |a, b, _| high(a, b));
    check("mul.hi.u64 %d64, %a64, %b64", |a, b, _| {
        ((u128::from(a) * u128::from(b)) >> 64) as u64
    });
    check("mad.hi.s64 %d64, %a64, %b64, %c64", |a, b, c| {
        high(a, b).wrapping_add(c)
    });
    let s24 = |value: u64| s32(value << 8) >> 8;
    check("mul24.lo.s32 %d32, %a32, %b32", |a, b, _| {
        low(s24(a) * s24(b), 32)
    });
    check("mul24.hi.s32 %d32, %a32, %b32", |a, b, _| {
        low((s24(a) * s24(b)) >> 16, 32)
    });
    check("mul24.hi.u32 %d32, %a32, %b32", |a, b, _| {
        u32_of(((a & 0xFF_FFFF) * (b & 0xFF_FFFF)) >> 16)
    });
}

#[test]
fn saturated_sums_stop_at_the_limits() {
    let clamp = |value: i64| low(value.clamp(-0x8000_0000, 0x7FFF_FFFF), 32);
    check("add.sat.s32 %d32, %a32, %b32", |a, b, _| {
        clamp(s32(a) + s32(b))
    });
    check("sub.sat.s32 %d32, %a32, %b32", |a, b, _| {
        clamp(s32(a) - s32(b))
    });
    check("mad.hi.sat.s32 %d32, %a32, %b32, %c32", |a, b, c| {
        clamp(((s32(a) * s32(b)) >> 32) + s32(c))
    });
    check("add.s32 %d32, %a32, %b32", |a, b, _| {
        u32_of(u32_of(a) + u32_of(b))
    });
    check("sub.u16 %d16, %a16, %b16", |a, b, _| {
        u16_of(a.wrapping_sub(b))
    });
    check("sub.u64 %d64, %a64, %b64", |a, b, _| a.wrapping_sub(b));
}

#[test]
fn carries_and_borrows_pass_from_word_to_word() {
    check(
        "mov.b64 {%x32, %y32}, %a64; mov.b64 {%s, %c32}, %b64; add.cc.u32 %x32, %x32, %s; \
         addc.u32 %y32, %y32, %c32; mov.b64 %d64, {%x32, %y32}",
        |a, b, _| a.wrapping_add(b),
    );
    check(
        "mov.b64 {%x32, %y32}, %a64; mov.b64 {%s, %c32}, %b64; sub.cc.u32 %x32, %x32, %s; \
         subc.u32 %y32, %y32, %c32; mov.b64 %d64, {%x32, %y32}",
        |a, b, _| a.wrapping_sub(b),
    );
}

#[test]
fn extrema_and_magnitudes_follow_the_type() {
    check("min.s16 %d16, %a16, %b16", |a, b, _| {
        low(s16(a).min(s16(b)), 16)
    });
    check("max.u16 %d16, %a16, %b16", |a, b, _| {
        u16_of(a).max(u16_of(b))
    });
    check("min.s32 %d32, %a32, %b32", |a, b, _| {
        low(s32(a).min(s32(b)), 32)
    });
    check("max.u32 %d32, %a32, %b32", |a, b, _| {
        u32_of(a).max(u32_of(b))
    });
    check("min.s64 %d64, %a64, %b64", |a, b, _| {
        a.cast_signed().min(b.cast_signed()).cast_unsigned()
    });
    check("max.u64 %d64, %a64, %b64", |a, b, _| a.max(b));
    check("abs.s16 %d16, %a16", |a, _, _| {
        u16_of(s16(a).unsigned_abs())
    });
    check("abs.s64 %d64, %a64", |a, _, _| {
        a.cast_signed().unsigned_abs()
    });
    check("neg.s16 %d16, %a16", |a, _, _| u16_of(a.wrapping_neg()));
    check("neg.s64 %d64, %a64", |a, _, _| a.wrapping_neg());
    check("sad.s16 %d16, %a16, %b16, %c16", |a, b, c| {
        u16_of((s16(a) - s16(b)).unsigned_abs().wrapping_add(c))
    });
    check("sad.u32 %d32, %a32, %b32, %c32", |a, b, c| {
        u32_of(u32_of(a).abs_diff(u32_of(b)) + u32_of(c))
    });
    check("sad.s64 %d64, %a64, %b64, %c64", |a, b, c| {
        a.cast_signed().abs_diff(b.cast_signed()).wrapping_add(c)
    });
}

/// `how` of two values of each type.
#[test]
fn setp_compares_by_signedness_and_width() {
    let names = ["eq", "ne", "lt", "le", "gt", "ge"];
    let holds = |name: &str, order: std::cmp::Ordering| match name {
        "eq" => order.is_eq(),
        "ne" => order.is_ne(),
        "lt" => order.is_lt(),
        "le" => order.is_le(),
        "gt" => order.is_gt(),
        _ => order.is_ge(),
    };
    for name in names {
        check(&format!("setp.{name}.s16 %p, %a16, %b16"), |a, b, _| {
            holds(name, s16(a).cmp(&s16(b))).into()
        });
        check(&format!("setp.{name}.u16 %p, %a16, %b16"), |a, b, _| {
            holds(name, u16_of(a).cmp(&u16_of(b))).into()
        });
        check(&format!("setp.{name}.s32 %p, %a32, %b32"), |a, b, _| {
            holds(name, s32(a).cmp(&s32(b))).into()
        });
        check(&format!("setp.{name}.u32 %p, %a32, %b32"), |a, b, _| {
            holds(name, u32_of(a).cmp(&u32_of(b))).into()
        });
        check(&format!("setp.{name}.s64 %p, %a64, %b64"), |a, b, _| {
            holds(name, a.cast_signed().cmp(&b.cast_signed())).into()
        });
        check(&format!("setp.{name}.u64 %p, %a64, %b64"), |a, b, _| {
            holds(name, a.cmp(&b)).into()
        });
    }
    for (name, same) in [("lo", "lt"), ("ls", "le"), ("hi", "gt"), ("hs", "ge")] {
        check(&format!("setp.{name}.u32 %p, %a32, %b32"), |a, b, _| {
            holds(same, u32_of(a).cmp(&u32_of(b))).into()
        });
    }
}

#[test]
fn setp_combines_with_a_predicate_and_gives_the_opposite() {
    let odd = "and.b32 %x32, %c32, 1; setp.ne.u32 %q, %x32, 0;";
    for (name, combine) in [
        ("and", (|x, y| x & y) as fn(bool, bool) -> bool),
        ("or", |x, y| x | y),
        ("xor", |x, y| x ^ y),
    ] {
        let text = format!("{odd} setp.lt.{name}.s32 %p, %a32, %b32, %q");
        check(&text, |a, b, c| combine(s32(a) < s32(b), c & 1 == 1).into());
        let text = format!("{odd} setp.lt.{name}.s32 %p, %a32, %b32, !%q");
        check(&text, |a, b, c| combine(s32(a) < s32(b), c & 1 == 0).into());
        // The second result is the opposite comparison, combined alike.
        let text = format!("{odd} setp.lt.{name}.s32 %q|%p, %a32, %b32, %q");
        check(&text, |a, b, c| {
            combine(s32(a) >= s32(b), c & 1 == 1).into()
        });
    }
    check("set.gt.u32.s32 %d32, %a32, %b32", |a, b, _| {
        if s32(a) > s32(b) { 0xFFFF_FFFF } else { 0 }
    });
    check("set.gt.f32.u32 %d32, %a32, %b32", |a, b, _| {
        if u32_of(a) > u32_of(b) {
            0x3F80_0000
        } else {
            0
        }
    });
    check("slct.b32.s32 %d32, %a32, %b32, %c32", |a, b, c| {
        u32_of(if s32(c) >= 0 { a } else { b })
    });
}

#[test]
fn shifts_clamp_their_amount_at_the_width() {
    // The amount has 32 bits for each width.
    check("shl.b16 %d16, %a16, %b32", |a, b, _| {
        u16_of(u16_of(a).checked_shl(b as u32).unwrap_or(0))
    });
    check("shl.b32 %d32, %a32, %b32", |a, b, _| {
        u32_of(u32_of(a).checked_shl(b as u32).unwrap_or(0))
    });
    check("shl.b64 %d64, %a64, %b32", |a, b, _| {
        a.checked_shl(b as u32).unwrap_or(0)
    });
    check("shr.u16 %d16, %a16, %b32", |a, b, _| {
        u16_of(a).checked_shr(b as u32).unwrap_or(0)
    });
    check("shr.s16 %d16, %a16, %b32", |a, b, _| {
        low(s16(a) >> u32_of(b).min(63), 16)
    });
    check("shr.u32 %d32, %a32, %b32", |a, b, _| {
        u32_of(a).checked_shr(b as u32).unwrap_or(0)
    });
    check("shr.s32 %d32, %a32, %b32", |a, b, _| {
        low(s32(a) >> u32_of(b).min(63), 32)
    });
    check("shr.u64 %d64, %a64, %b32", |a, b, _| {
        a.checked_shr(b as u32).unwrap_or(0)
    });
    check("shr.s64 %d64, %a64, %b32", |a, b, _| {
        low(a.cast_signed() >> u32_of(b).min(63), 64)
    });
}

#[test]
fn funnel_shifts_wrap_or_clamp() {
    // The pair is {b, a}, and the amount c.
    let pair = |a: u64, b: u64| u32_of(b) << 32 | u32_of(a);
    check("shf.l.wrap.b32 %d32, %a32, %b32, %c32", |a, b, c| {
        pair(a, b) << (c & 31) >> 32
    });
    check("shf.r.wrap.b32 %d32, %a32, %b32, %c32", |a, b, c| {
        u32_of(pair(a, b) >> (c & 31))
    });
    check("shf.l.clamp.b32 %d32, %a32, %b32, %c32", |a, b, c| {
        pair(a, b) << u32_of(c).min(32) >> 32
    });
    check("shf.r.clamp.b32 %d32, %a32, %b32, %c32", |a, b, c| {
        u32_of(pair(a, b) >> u32_of(c).min(32))
    });
}

/// The manual's pseudocode of `bfe`: the position and the length are bytes, the sign is that of the
/// last bit of the field or of the value.
fn field(value: u64, position: u64, length: u64, bits: u32, signed: bool) -> u64 {
    let most = u64::from(bits) - 1;
    let (position, length) = (position & 0xFF, length & 0xFF);
    let sign = signed && length != 0 && value >> (position + length - 1).min(most) & 1 == 1;
    (0..u64::from(bits)).fold(0, |word, bit| {
        let inside = bit < length && position + bit <= most;
        let one = if inside {
            value >> (position + bit) & 1 == 1
        } else {
            sign
        };
        word | u64::from(one) << bit
    })
}

#[test]
fn bfe_follows_the_manual_outside_of_the_value_too() {
    check("bfe.u32 %d32, %a32, %b32, %c32", |a, b, c| {
        field(a, b, c, 32, false)
    });
    check("bfe.s32 %d32, %a32, %b32, %c32", |a, b, c| {
        field(a, b, c, 32, true)
    });
    check("bfe.u64 %d64, %a64, %b32, %c32", |a, b, c| {
        field(a, b, c, 64, false)
    });
    check("bfe.s64 %d64, %a64, %b32, %c32", |a, b, c| {
        field(a, b, c, 64, true)
    });
}

#[test]
fn bfi_follows_the_manual_outside_of_the_value_too() {
    let inserted = |a: u64, b: u64, position: u64, length: u64, bits: u64| {
        let (position, length) = (position & 0xFF, length & 0xFF);
        (0..bits).fold(0, |word, bit| {
            let inside = bit >= position && bit - position < length;
            let one = if inside {
                a >> (bit - position)
            } else {
                b >> bit
            } & 1;
            word | one << bit
        })
    };
    check("bfi.b32 %d32, %a32, %b32, %c32, 5", |a, b, c| {
        inserted(a, b, c, 5, 32)
    });
    check("bfi.b32 %d32, %a32, %b32, 3, %c32", |a, b, c| {
        inserted(a, b, 3, c, 32)
    });
    check("bfi.b64 %d64, %a64, %b64, %c32, 9", |a, b, c| {
        inserted(a, b, c, 9, 64)
    });
    check("bfi.b64 %d64, %a64, %b64, 3, %c32", |a, b, c| {
        inserted(a, b, 3, c, 64)
    });
}

#[test]
fn prmt_selects_bytes_and_signs_in_every_mode() {
    let byte = |a: u64, b: u64, number: u64| (u32_of(b) << 32 | u32_of(a)) >> (8 * number) & 0xFF;
    let word = |bytes: [u64; 4]| (0..4).fold(0, |word, at| word | bytes[at] << (8 * at));
    check("prmt.b32 %d32, %a32, %b32, %c32", |a, b, c| {
        word([0, 1, 2, 3].map(|at| {
            let selector = c >> (4 * at) & 15;
            let chosen = byte(a, b, selector & 7);
            match selector & 8 {
                0 => chosen,
                _ if chosen & 0x80 != 0 => 0xFF,
                _ => 0,
            }
        }))
    });
    type Mode = fn(u64, u64) -> u64;
    let modes: [(&str, Mode); 6] = [
        ("f4e", |c, at| c + at),
        ("b4e", |c, at| (c + 8 - at) % 8),
        ("rc8", |c, _| c),
        ("ecl", |c, at| at.max(c)),
        ("ecr", |c, at| at.min(c)),
        ("rc16", |c, at| 2 * (c & 1) + at % 2),
    ];
    for (name, number) in modes {
        check(
            &format!("prmt.b32.{name} %d32, %a32, %b32, %c32"),
            |a, b, c| word([0, 1, 2, 3].map(|at| byte(a, b, number(c & 3, at)))),
        );
    }
}

#[test]
fn counts_of_bits_follow_the_width() {
    check("popc.b64 %d32, %a64", |a, _, _| a.count_ones().into());
    check("clz.b32 %d32, %a32", |a, _, _| {
        (a as u32).leading_zeros().into()
    });
    check("clz.b64 %d32, %a64", |a, _, _| a.leading_zeros().into());
    check("brev.b64 %d64, %a64", |a, _, _| a.reverse_bits());
    let find = |a: u64, bits: u32, shift: bool| {
        let place = (0..bits).rev().find(|bit| a >> bit & 1 == 1);
        place.map_or(0xFFFF_FFFF, |bit| {
            u64::from(if shift { bits - 1 - bit } else { bit })
        })
    };
    check("bfind.u32 %d32, %a32", |a, _, _| find(a, 32, false));
    check("bfind.u64 %d32, %a64", |a, _, _| find(a, 64, false));
    check("bfind.shiftamt.u64 %d32, %a64", |a, _, _| find(a, 64, true));
    check("bfind.s32 %d32, %a32", |a, _, _| {
        find(if s32(a) < 0 { !a } else { a }, 32, false)
    });
    check("cnot.b16 %d16, %a16", |a, _, _| u64::from(u16_of(a) == 0));
}

#[test]
fn conversions_between_widths_extend_cut_or_saturate() {
    check("cvt.s32.s16 %d32, %a16", |a, _, _| low(s16(a), 32));
    check("cvt.u32.u16 %d32, %a16", |a, _, _| u16_of(a));
    check("cvt.s64.s32 %d64, %a32", |a, _, _| low(s32(a), 64));
    check("cvt.u64.u32 %d64, %a32", |a, _, _| u32_of(a));
    check("cvt.s32.s8 %d32, %a32", |a, _, _| {
        low(i64::from(a as u8 as i8), 32)
    });
    check("cvt.u32.u8 %d32, %a32", |a, _, _| a & 0xFF);
    check("cvt.s64.s16 %d64, %a16", |a, _, _| low(s16(a), 64));
    check("cvt.sat.s8.s32 %d32, %a32", |a, _, _| {
        low(s32(a).clamp(-128, 127), 32)
    });
    check("cvt.sat.u8.s32 %d32, %a32", |a, _, _| {
        low(s32(a).clamp(0, 255), 32)
    });
    check("cvt.sat.u16.u32 %d32, %a32", |a, _, _| {
        u32_of(a).min(0xFFFF)
    });
    check("cvt.sat.s16.u32 %d32, %a32", |a, _, _| {
        u32_of(a).min(0x7FFF)
    });
    check("cvt.sat.u32.s32 %d32, %a32", |a, _, _| {
        low(s32(a).max(0), 32)
    });
    check("cvt.sat.s32.u32 %d32, %a32", |a, _, _| {
        u32_of(a).min(0x7FFF_FFFF)
    });
    check("cvt.sat.s32.s64 %d32, %a64", |a, _, _| {
        low(a.cast_signed().clamp(-0x8000_0000, 0x7FFF_FFFF), 32)
    });
    check("cvt.sat.u32.u64 %d32, %a64", |a, _, _| a.min(0xFFFF_FFFF));
}
