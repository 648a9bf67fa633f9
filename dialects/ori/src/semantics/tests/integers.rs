//! Integer operations compared with 128-bit arithmetic of the host.

use super::{Bits, computation, interesting, words};

const CASES: usize = 4000;

/// Triples of words.
fn triples() -> impl Iterator<Item = [u32; 3]> {
    let (a, b, c) = (interesting(1), interesting(2), interesting(3));
    let all = a.zip(b).zip(c).map(|((a, b), c)| [a, b, c]);
    all.take(CASES)
}

fn signed(word: u32) -> i64 {
    i64::from(word.cast_signed())
}

#[test]
fn sums_of_pairs_through_carries_are_those_of_64_bits() {
    let types = ["r", "r", "r"];
    let low = computation(
        &types,
        "%z:2 = ori.iadd3 %a, neg %b, %c : (!ori.r, !ori.r, !ori.r) -> (!ori.r, !ori.p)",
    );
    let plain = computation(
        &types,
        "%z:3 = ori.iadd3 %a, %b, %c : (!ori.r, !ori.r, !ori.r) -> (!ori.r, !ori.p, !ori.p)",
    );
    let high = computation(
        &["r", "r", "r", "p", "p"],
        "%z = ori.iadd3 <extended> %a, %b, %c carry(%d, %e) : (!ori.r, !ori.r, !ori.r, !ori.p, !ori.p) -> !ori.r",
    );
    let high_of_difference = computation(
        &["r", "r", "r", "p"],
        "%z = ori.iadd3 <extended> %a, not %b, %c carry(%d) : (!ori.r, !ori.r, !ori.r, !ori.p) -> !ori.r",
    );
    for ([a, b, c], [x, y, z]) in triples().zip(triples().skip(7)) {
        let pair = |low: u32, high: u32| u64::from(high) << 32 | u64::from(low);
        let below = plain(&[a.into(), b.into(), c.into()]);
        let above = high(&[x.into(), y.into(), z.into(), below[1], below[2]]);
        let sum = pair(a, x).wrapping_add(pair(b, y)).wrapping_add(pair(c, z));
        assert_eq!(above[0] << 32 | below[0], u128::from(sum));
        let below = low(&[a.into(), b.into(), 0]);
        let above = high_of_difference(&[x.into(), y.into(), 0, below[1]]);
        let difference = pair(a, x).wrapping_sub(pair(b, y));
        assert_eq!(above[0] << 32 | below[0], u128::from(difference));
    }
}

#[test]
fn products_are_exact() {
    let low = words(3, "ori.imad %a, %b, neg %c");
    let [high, high_signed] = ["u32", "s32"].map(|sign| {
        computation(
            &["r", "r", "r64"],
            &format!("%z = ori.imad_hi <{sign}> %a, %b, %c : (!ori.r, !ori.r, !ori.r64) -> !ori.r"),
        )
    });
    let wide = computation(
        &["r", "r", "r64"],
        "%z:2 = ori.imad_wide <u32> %a, %b, %c : (!ori.r, !ori.r, !ori.r64) -> (!ori.r64, !ori.p)",
    );
    let negated = computation(
        &["r", "r", "r64"],
        "%z = ori.imad_wide <s32> neg %a, %b, %c : (!ori.r, !ori.r, !ori.r64) -> !ori.r64",
    );
    for [a, b, c] in triples() {
        let expected = a.wrapping_mul(b).wrapping_sub(c);
        assert_eq!(low(&[a, b, c]), expected);
        let addend = u128::from(c) << 32 | u128::from(a);
        let operands = [a.into(), b.into(), addend];
        let exact = u128::from(a) * u128::from(b) + addend;
        let results = wide(&operands);
        assert_eq!(results[0], exact & u128::from(u64::MAX));
        assert_eq!(results[1], exact >> 64);
        assert_eq!(high(&operands)[0], exact >> 32 & u128::from(u32::MAX));
        let product = i128::from(signed(a)) * i128::from(signed(b));
        let sum = addend.cast_signed().wrapping_add(product).cast_unsigned();
        assert_eq!(high_signed(&operands)[0], sum >> 32 & u128::from(u32::MAX));
        let sum = addend.cast_signed().wrapping_sub(product).cast_unsigned();
        assert_eq!(negated(&operands)[0], sum & u128::from(u64::MAX));
    }
}

#[test]
fn shifted_sums_of_pairs_are_those_of_64_bits() {
    for shift in [0, 1, 5, 31] {
        for sign in ["", "neg "] {
            let low = computation(
                &["r", "r", "r"],
                &format!(
                    "%z:2 = ori.lea <shift = {shift}> {sign}%a, %b, %c : (!ori.r, !ori.r, !ori.r) -> (!ori.r, !ori.p)"
                ),
            );
            let high = computation(
                &["r", "r", "r", "p"],
                &format!(
                    "%z = ori.lea <shift = {shift}, high, extended> {sign}%a, %b, %c carry(%d) : (!ori.r, !ori.r, !ori.r, !ori.p) -> !ori.r"
                ),
            );
            let alone = words(
                3,
                &format!("ori.lea <shift = {shift}, high> {sign}%a, %b, %c"),
            );
            for ([a, b, c], [x, ..]) in triples().zip(triples().skip(5)) {
                let pair = u64::from(c) << 32 | u64::from(a);
                let shifted = match sign {
                    "" => pair << shift,
                    _ => (pair << shift).wrapping_neg(),
                };
                let sum = shifted.wrapping_add(u64::from(x) << 32 | u64::from(b));
                let below = low(&[a.into(), b.into(), 0]);
                let above = high(&[a.into(), x.into(), c.into(), below[1]]);
                assert_eq!(above[0] << 32 | below[0], u128::from(sum), "{sign}{shift}");
                assert_eq!(alone(&[a, b, c]), ((shifted >> 32) as u32).wrapping_add(b));
            }
        }
    }
}

#[test]
fn truth_tables_are_their_own_results() {
    for table in 0..=255_u32 {
        let compute = words(3, &format!("ori.lop3 <lut = {table}> %a, %b, %c"));
        let expected = table | table << 8 | table << 16 | table << 24;
        assert_eq!(compute(&[0xF0F0_F0F0, 0xCCCC_CCCC, 0xAAAA_AAAA]), expected);
    }
    let plop = computation(
        &["p", "p", "p"],
        "%z:2 = ori.plop3 <lut = 128, second_lut = 254> %a, %b, not %c : (!ori.p, !ori.p, !ori.p) -> (!ori.p, !ori.p)",
    );
    for bits in 0..8_u128 {
        let [a, b, c] = [bits & 1, bits >> 1 & 1, bits >> 2];
        assert_eq!(plop(&[a, b, c]), [a & b & (c ^ 1), a | b | (c ^ 1)]);
    }
}

#[test]
fn shifts_are_those_of_pairs() {
    for (sign, width) in [("u32", 32), ("s32", 32), ("u64", 64), ("s64", 64)] {
        for wrap in ["", ", wrap"] {
            let of = |direction: &str, high: &str| {
                words(
                    3,
                    &format!("ori.shf <{direction}, {sign}{high}{wrap}> %a, %b, %c"),
                )
            };
            let (left, left_high) = (of("left", ""), of("left", ", high"));
            let (right, right_high) = (of("right", ""), of("right", ", high"));
            for [a, b, c] in triples() {
                let amount = match wrap {
                    "" => b.min(width),
                    _ => b % width,
                };
                let pair = u64::from(c) << 32 | u64::from(a);
                let up = u128::from(pair) << amount;
                let down = match sign {
                    "u32" | "u64" => (u128::from(pair) >> amount) as u64,
                    _ => (i128::from(pair.cast_signed()) >> amount) as u64,
                };
                assert_eq!(left(&[a, b, c]), up as u32);
                assert_eq!(left_high(&[a, b, c]), (up >> 32) as u32);
                assert_eq!(right(&[a, b, c]), down as u32);
                assert_eq!(right_high(&[a, b, c]), (down >> 32) as u32);
            }
        }
    }
}

/// `shl.b32` and `shr` as ptxas selects them: amounts of 32 and more give zero, or the sign.
#[test]
fn shifts_of_words_saturate() {
    let left = words(3, "ori.shf <left, u32> %a, %b, %c");
    let right = words(3, "ori.shf <right, s32, high> %a, %b, %c");
    assert_eq!(left(&[u32::MAX, 32, 0]), 0);
    assert_eq!(left(&[u32::MAX, 1000, 0]), 0);
    assert_eq!(right(&[0, 77, 0x8000_0000]), u32::MAX);
    assert_eq!(right(&[0, 77, 0x7000_0000]), 0);
}

#[test]
fn bits_are_counted_masked_and_moved() {
    let popc = words(1, "ori.popc %a");
    let flo = words(1, "ori.flo <u32> %a");
    let flo_signed = words(1, "ori.flo <s32, shift_amount> %a");
    let mask = words(2, "ori.bmsk %a, %b");
    let sign = words(2, "ori.sgxt <s32> %a, %b");
    let zero = words(2, "ori.sgxt <u32> %a, %b");
    let brev = words(1, "ori.brev %a");
    let abs = words(1, "ori.iabs %a");
    for [a, b, _] in triples() {
        let text = format!("{a:032b}");
        assert_eq!(popc(&[a]) as usize, text.matches('1').count());
        let first = text.find('1').map_or(u32::MAX, |place| 31 - place as u32);
        assert_eq!(flo(&[a]), first);
        let other = if text.starts_with('1') { '0' } else { '1' };
        let distance = text.find(other).map_or(u32::MAX, |place| place as u32);
        assert_eq!(flo_signed(&[a]), distance);
        let reversed: String = text.chars().rev().collect();
        assert_eq!(brev(&[a]), u32::from_str_radix(&reversed, 2).unwrap());
        assert_eq!(abs(&[a]), signed(a).unsigned_abs() as u32);
        let expected =
            (0..32).filter(|bit| *bit >= u64::from(a) && *bit < u64::from(a) + u64::from(b));
        assert_eq!(mask(&[a, b]), expected.fold(0, |word, bit| word | 1 << bit));
        let kept = (0..32)
            .filter(|bit| *bit < b)
            .fold(0, |word, bit| word | (a & 1 << bit));
        assert_eq!(zero(&[a, b]), kept);
        let top = b
            .min(32)
            .checked_sub(1)
            .is_some_and(|top| a >> top & 1 == 1);
        let fill = (0..32)
            .filter(|bit| top && *bit >= b)
            .fold(0, |word, bit| word | 1 << bit);
        assert_eq!(sign(&[a, b]), kept | fill);
    }
}

#[test]
fn bytes_are_permuted() {
    let compute = words(3, "ori.prmt %a, %b, %c");
    let low = 0x8382_8100;
    assert_eq!(compute(&[low, 0x3210, 0x7776_7574]), low);
    assert_eq!(compute(&[low, 0x7654, 0x7776_7574]), 0x7776_7574);
    assert_eq!(compute(&[low, 0x5410, 0x7776_7574]), 0x7574_8100);
    assert_eq!(compute(&[low, 0xFB98, 0x7776_7574]), 0x00FF_FF00);
    let modes = [
        (
            "f4e",
            [0x33_22_11_00, 0x44_33_22_11, 0x55_44_33_22, 0x66_55_44_33],
        ),
        (
            "b4e",
            [0x55_66_77_00, 0x66_77_00_11, 0x77_00_11_22, 0x00_11_22_33],
        ),
        (
            "rc8",
            [0x00_00_00_00, 0x11_11_11_11, 0x22_22_22_22, 0x33_33_33_33],
        ),
        (
            "ecl",
            [0x33_22_11_00, 0x33_22_11_11, 0x33_22_22_22, 0x33_33_33_33],
        ),
        (
            "ecr",
            [0x00_00_00_00, 0x11_11_11_00, 0x22_22_11_00, 0x33_22_11_00],
        ),
        (
            "rc16",
            [0x11_00_11_00, 0x33_22_33_22, 0x11_00_11_00, 0x33_22_33_22],
        ),
    ];
    for (mode, expected) in modes {
        let compute = words(3, &format!("ori.prmt <{mode}> %a, %b, %c"));
        for (selector, expected) in (0..).zip(expected) {
            let found = compute(&[0x33_22_11_00, selector, 0x77_66_55_44]);
            assert_eq!(found, expected, "{mode} {selector}");
        }
    }
}

#[test]
fn comparisons_of_pairs_are_those_of_64_bits() {
    for (word, number) in ["lt", "eq", "le", "gt", "ne", "ge"].into_iter().zip(0..) {
        for sign in ["u32", "s32"] {
            let low = computation(
                &["r", "r"],
                &format!("%z = ori.isetp <{word}, u32> %a, %b : (!ori.r, !ori.r) -> !ori.p"),
            );
            let high = computation(
                &["r", "r", "p", "p"],
                &format!(
                    "%z:2 = ori.isetp <{word}, {sign}, extended> %a, %b with(%c) low(%d) : (!ori.r, !ori.r, !ori.p, !ori.p) -> (!ori.p, !ori.p)"
                ),
            );
            for ([a, b, c], [d, ..]) in triples().zip(triples().skip(3)) {
                // Equal high words are improbable in random inputs.
                let d = if a % 3 == 0 { c } else { d };
                let below = low(&[a.into(), b.into()])[0];
                let found = high(&[c.into(), d.into(), 1, below]);
                let (x, y) = (
                    u64::from(c) << 32 | u64::from(a),
                    u64::from(d) << 32 | u64::from(b),
                );
                let order = match sign {
                    "u32" => x.cmp(&y),
                    _ => x.cast_signed().cmp(&y.cast_signed()),
                };
                let expected = [
                    order.is_lt(),
                    order.is_eq(),
                    order.is_le(),
                    order.is_gt(),
                    order.is_ne(),
                    order.is_ge(),
                ][number];
                let expected = Bits::from(expected);
                assert_eq!(found, [expected, expected ^ 1], "{word} {sign} {x} {y}");
            }
        }
    }
}

#[test]
fn extrema_distances_and_dot_products_are_those_of_wide_integers() {
    let min = computation(
        &["r", "r", "p"],
        "%z = ori.vimnmx <s32> %a, %b, %c : (!ori.r, !ori.r, !ori.p) -> !ori.r",
    );
    let three = words(3, "ori.vimnmx3 <max, u32> %a, %b, %c");
    let added = words(3, "ori.viaddmnmx <min, s32, relu> %a, %b, %c");
    let distance = words(3, "ori.vabsdiff <u32> %a, %b, %c");
    let distances = words(3, "ori.vabsdiff4 <from = u8> %a, %b, %c");
    let dot = words(
        3,
        "ori.idp <left_format = s8, right_format = u8> %a, %b, %c",
    );
    let dot_high = words(
        3,
        "ori.idp <left_format = s16, right_format = s8, halves, high> %a, %b, %c",
    );
    for [a, b, c] in triples() {
        let smaller = signed(a).min(signed(b));
        assert_eq!(min(&[a.into(), b.into(), 1])[0], u128::from(smaller as u32));
        let larger = signed(a).max(signed(b));
        assert_eq!(min(&[a.into(), b.into(), 0])[0], u128::from(larger as u32));
        assert_eq!(three(&[a, b, c]), *[a, b, c].iter().max().unwrap());
        let sum = signed(a.wrapping_add(b)).min(signed(c)).max(0);
        assert_eq!(added(&[a, b, c]), sum as u32);
        let expected = (i64::from(a) - i64::from(b)).unsigned_abs() as u32;
        assert_eq!(distance(&[a, b, c]), expected.wrapping_add(c));
        let (x, y) = (a.to_le_bytes(), b.to_le_bytes());
        let sum: u32 = x.iter().zip(y).map(|(x, y)| u32::from(x.abs_diff(y))).sum();
        assert_eq!(distances(&[a, b, c]), sum.wrapping_add(c));
        let products = x
            .iter()
            .zip(y)
            .map(|(x, y)| i64::from(x.cast_signed()) * i64::from(y));
        let expected = products.sum::<i64>() + i64::from(c);
        assert_eq!(dot(&[a, b, c]), expected as u32);
        let halves = [signed(a << 16) >> 16, signed(a) >> 16];
        let bytes = [y[2].cast_signed(), y[3].cast_signed()];
        let expected =
            halves[0] * i64::from(bytes[0]) + halves[1] * i64::from(bytes[1]) + i64::from(c);
        assert_eq!(dot_high(&[a, b, c]), expected as u32);
    }
}

#[test]
fn widths_change_with_and_without_saturation() {
    let saturated = words(1, "ori.i2i <to = s8, from = s32, saturate> %a");
    let cut = words(1, "ori.i2i <to = s8, from = s32> %a");
    let unsigned = words(1, "ori.i2i <to = u16, from = s32, saturate> %a");
    let packed = words(3, "ori.i2ip <to = s16, from = s32> %a, %b, %c");
    for [a, b, _] in triples() {
        let wide = a.cast_signed();
        assert_eq!(saturated(&[a]).cast_signed(), wide.clamp(-128, 127));
        assert_eq!(cut(&[a]).cast_signed(), i32::from(wide as i8));
        assert_eq!(unsigned(&[a]).cast_signed(), wide.clamp(0, 65535));
        let half = |word: u32| (word.cast_signed().clamp(-32768, 32767) as u32) & 0xFFFF;
        assert_eq!(packed(&[a, b, 0]), half(a) << 16 | half(b));
    }
}

#[test]
fn registers_take_predicates_apart_and_together() {
    let together = computation(
        &["r", "p", "p"],
        "%z = ori.p2r <mask = 68> %a predicates(not %b, %c) : (!ori.r, !ori.p, !ori.p) -> !ori.r",
    );
    let apart = computation(
        &["r"],
        "%z:2 = ori.r2p <mask = 68> %a : (!ori.r) -> (!ori.p, !ori.p)",
    );
    assert_eq!(together(&[0xFF, 1, 1]), [0xFB]);
    assert_eq!(together(&[0, 0, 1]), [0x44]);
    assert_eq!(apart(&[0x40]), [0, 1]);
}

#[test]
fn registers_side_by_side_are_one_wider_register() {
    let concat = computation(
        &["r", "r64", "r"],
        "%z = ori.concat %a, %b, %c : (!ori.r, !ori.r64, !ori.r) -> !ori.r128",
    );
    let whole = concat(&[1, 3 << 32 | 2, 4])[0];
    assert_eq!(whole, 4 << 96 | 3 << 64 | 2 << 32 | 1);
    let extract = computation(
        &["r128"],
        "%z = ori.extract %a[1] : (!ori.r128) -> !ori.r64",
    );
    assert_eq!(extract(&[whole])[0], 3 << 32 | 2);
    let minus = computation(&[], "%z = ori.imm -2 : !ori.r");
    assert_eq!(minus(&[])[0], 0xFFFF_FFFE);
}
