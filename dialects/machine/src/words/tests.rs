//! All words of 8 bits, computed bit by bit; and the same formulas at other widths.

use super::*;

/// Bits of a value, lowest first.
type Bits = Vec<bool>;

fn bits(width: u32, value: u64) -> Bits {
    (0..width).map(|place| value >> place & 1 == 1).collect()
}

fn number(bits: &[bool]) -> u64 {
    let bits = bits.iter().rev();
    bits.fold(0, |number, bit| 2 * number + u64::from(*bit))
}

/// A ripple-carry adder; the bits of its sum are two more than those of the operands.
fn added(a: &[bool], b: &[bool], mut carry: bool) -> Bits {
    let mut sum = Vec::new();
    for (a, b) in a.iter().zip(b) {
        sum.push(a ^ b ^ carry);
        carry = a & b | a & carry | b & carry;
    }
    sum.push(carry);
    sum
}

fn inverted(a: &[bool]) -> Bits {
    a.iter().map(|bit| !bit).collect()
}

/// A value with its sign or zeros above it.
fn widened(a: &[bool], width: usize, is_signed: bool) -> Bits {
    let fill = is_signed && a[a.len() - 1];
    let mut wide = a.to_vec();
    wide.resize(width, fill);
    wide
}

/// A pair shifted by one bit at a time.
fn shifted(pair: &[bool], left: bool, is_signed: bool, amount: u64) -> Bits {
    let mut pair = pair.to_vec();
    for _ in 0..amount {
        if left {
            pair.pop();
            pair.insert(0, false);
        } else {
            pair.push(is_signed && pair[pair.len() - 1]);
            pair.remove(0);
        }
    }
    pair
}

/// Whether a is below b: by the borrow of the difference, where the sign bits are inverted if the
/// numbers are signed.
fn below(a: &[bool], b: &[bool], is_signed: bool) -> bool {
    let (mut a, mut b) = (a.to_vec(), b.to_vec());
    let top = a.len() - 1;
    a[top] ^= is_signed;
    b[top] ^= is_signed;
    !added(&a, &inverted(&b), true)[top + 1]
}

/// Pairs of words of 8 bits: all of them.
fn pairs() -> impl Iterator<Item = (u64, u64)> {
    (0..256).flat_map(|a| (0..256).map(move |b| (a, b)))
}

const SIGNS: [bool; 2] = [false, true];

#[test]
fn sums_are_those_of_an_adder() {
    for (a, b) in pairs() {
        let (x, y) = (bits(8, a), bits(8, b));
        for carry in [0, 1] {
            let found = sum(8, [a, b, 0], carry);
            let expected = added(&x, &y, carry == 1);
            assert_eq!(found.0, number(&expected[..8]), "{a} + {b} + {carry}");
            assert_eq!(found.1, u64::from(expected[8]), "{a} + {b} + {carry}");
        }
        assert_eq!(
            negate(8, a),
            number(&added(&inverted(&x), &[false; 8], true)[..8])
        );
        assert_eq!(not(8, a), number(&inverted(&x)));
        // Three addends have up to two carries, and two more come in.
        for c in [0, 1, 0x7F, 0x80, 0xFF] {
            for carries in 0..3 {
                let all = a + b + c + carries;
                assert_eq!(sum(8, [a, b, c], carries), (all % 256, all / 256));
            }
        }
    }
}

#[test]
fn products_are_sums_of_shifted_words() {
    for (a, b) in pairs() {
        for is_signed in SIGNS {
            let (x, y) = (bits(8, a), bits(8, b));
            let (x, y) = (widened(&x, 16, is_signed), widened(&y, 16, is_signed));
            let mut total = vec![false; 16];
            for (place, bit) in (0..).zip(&y) {
                let row = if *bit {
                    shifted(&x, true, false, place)
                } else {
                    vec![false; 16]
                };
                total = added(&total, &row, false)[..16].to_vec();
            }
            assert_eq!(
                wide_product(8, is_signed, a, b),
                number(&total),
                "{a} * {b}"
            );
            assert_eq!(product(8, a, b), number(&total[..8]), "{a} * {b}");
        }
    }
}

#[test]
fn shifts_move_one_bit_at_a_time() {
    let amounts = (0..20).chain([31, 32, 63, 64, 65, 255]);
    for n in amounts {
        for (a, c) in pairs().step_by(61) {
            for code in 0..32_u8 {
                let flag = |bit: u8| code >> bit & 1 == 1;
                let (left, high, wide) = (flag(0), flag(1), flag(2));
                let (signed, wraps) = (flag(3), flag(4));
                let form = Funnel {
                    left,
                    signed,
                    high,
                    wide,
                    wraps,
                };
                let limit = if wide { 16 } else { 8 };
                let moved = if wraps { n % limit } else { n.min(limit) };
                let whole = shifted(&bits(16, c << 8 | a), left, signed, moved);
                let expected = if high { &whole[8..] } else { &whole[..8] };
                let found = funnel(8, form, a, n, c);
                assert_eq!(found, number(expected), "{form:?} {a} {n} {c}");
            }
        }
    }
    // 64 bits: a shift by the width of the type.
    assert_eq!(shift_left(64, 3, 63), 1 << 63);
    assert_eq!(shift_left(64, 3, 64), 0);
    assert_eq!(shift_right(64, false, u64::MAX, 64), 0);
    assert_eq!(shift_right(64, true, 1 << 63, 64), u64::MAX);
}

#[test]
fn orders_are_those_of_the_borrow() {
    for (a, b) in pairs() {
        let (x, y) = (bits(8, a), bits(8, b));
        for is_signed in SIGNS {
            let less = below(&x, &y, is_signed);
            let order = compare(8, is_signed, a, b);
            assert_eq!(order.is_lt(), less, "{a} {b} {is_signed}");
            assert_eq!(order.is_eq(), x == y);
            assert_eq!(extremum(8, is_signed, true, a, b), if less { a } else { b });
            assert_eq!(
                extremum(8, is_signed, false, a, b),
                if less { b } else { a }
            );
            let (low, high) = if less { (&x, &y) } else { (&y, &x) };
            let difference = added(high, &inverted(low), true);
            assert_eq!(distance(8, is_signed, a, b), number(&difference[..8]));
        }
    }
    for a in 0..256 {
        assert_eq!(absolute(8, a), if a < 128 { a } else { 256 - a });
    }
}

#[test]
fn relations_of_pairs_are_those_of_their_words() {
    use relations::{hold, hold_extended};
    for set in 0..8 {
        for (a, b) in pairs() {
            // Words of 4 bits, so that pairs have 8.
            let order = a.cmp(&b);
            let low = hold(set, Some((a & 15).cmp(&(b & 15))));
            let high = (a >> 4).cmp(&(b >> 4));
            assert_eq!(
                hold_extended(set, high, low),
                hold(set, Some(order)),
                "{set} {a} {b}"
            );
        }
        assert!(!hold(set, None));
        assert!(hold(set | relations::UNORDERED, None));
    }
    use std::cmp::Ordering::{Equal, Greater, Less};
    for (order, bit) in [(Less, 1), (Equal, 2), (Greater, 4)] {
        for set in 0..8 {
            assert_eq!(hold(set, Some(order)), set & bit != 0);
        }
    }
}

#[test]
fn tables_are_their_own_results() {
    for lut in 0..=255_u8 {
        assert_eq!(table(8, lut, [0xF0, 0xCC, 0xAA]), u64::from(lut));
        for (input, weight) in [(0, 4), (1, 2), (2, 1)] {
            let changes = (0..8).any(|row| (lut >> row ^ lut >> (row ^ weight)) & 1 == 1);
            assert_eq!(depends(lut, input), changes, "{lut:#x} {input}");
        }
    }
}

#[test]
fn fields_are_kept_bit_by_bit() {
    for (a, count) in (0..256).flat_map(|a| (0..=8_u32).map(move |count| (a, count))) {
        let kept: Bits = bits(8, a).into_iter().take(count as usize).collect();
        assert_eq!(extended(8, false, a, count), number(&kept), "{a} {count}");
        let sign = kept.last().copied().unwrap_or(false);
        let mut filled = kept.clone();
        filled.resize(8, sign);
        assert_eq!(extended(8, true, a, count), number(&filled), "{a} {count}");
        let first = (a % 9) as u32;
        let set = (0..8).map(|place| place >= first && place < first + count);
        assert_eq!(ones(8, first, count), number(&set.collect::<Bits>()));
        for wraps in SIGNS {
            let expected = if wraps { a % 8 } else { a.min(8) };
            assert_eq!(u64::from(amount(a, 8, wraps)), expected);
        }
    }
}

#[test]
fn places_are_counted_from_either_end() {
    for width in [5, 8] {
        for a in 0..1 << width {
            let text = format!("{a:0width$b}", width = width as usize);
            let other = if text.starts_with('1') { '0' } else { '1' };
            for (is_signed, wanted) in [(false, '1'), (true, other)] {
                let from_top = text.find(wanted).map(|place| place as u64);
                let found = highest_bit(width, is_signed, a, true);
                assert_eq!(found, from_top.unwrap_or(mask(width)), "{text} {is_signed}");
                let place = from_top.map(|place| u64::from(width) - 1 - place);
                let found = highest_bit(width, is_signed, a, false);
                assert_eq!(found, place.unwrap_or(mask(width)), "{text} {is_signed}");
            }
            let turned: String = text.chars().rev().collect();
            assert_eq!(reversed(width, a), u64::from_str_radix(&turned, 2).unwrap());
        }
    }
}

#[test]
fn selectors_choose_bytes() {
    let pair: u64 = 0x7776_7574_8382_8100;
    let bytes = pair.to_le_bytes();
    for selector in 0..1 << 16 {
        let chosen = [0, 4, 8, 12].map(|place| {
            let choice = selector >> place & 15;
            let byte = bytes[choice as usize % 8];
            match (choice < 8, byte < 128) {
                (true, _) => byte,
                (_, true) => 0,
                _ => 0xFF,
            }
        });
        assert_eq!(
            permuted(pair, selector),
            u64::from(u32::from_le_bytes(chosen))
        );
    }
    assert_eq!(permuted(pair, 0xFFFF_3210), 0x8382_8100);
}

/// Words and pairs have parts.
#[test]
fn pairs_have_two_words() {
    assert_eq!(pair(8, 0x12, 0x34), 0x3412);
    assert_eq!(part(8, false, 0x3412), 0x12);
    assert_eq!(part(8, true, 0x3412), 0x34);
    assert_eq!(part(32, true, u64::MAX), 0xFFFF_FFFF);
}
