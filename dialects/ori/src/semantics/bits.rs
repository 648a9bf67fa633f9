//! Bit operations: truth tables, shifts, permutations, counts, copies, selections.

use super::Bits;
use super::call::{Call, extend};
use crate::keywords::{Direction, Permutation, Signedness};

/// A bitwise function of three values: bit `4a + 2b + c` of the table is the result for a, b, c.
pub fn truth_table(table: u8, [a, b, c]: [u32; 3]) -> u32 {
    let mut result = 0;
    for row in 0..8 {
        if table >> row & 1 == 1 {
            let input = |word: u32, bit: u32| if row >> bit & 1 == 1 { word } else { !word };
            result |= input(a, 2) & input(b, 1) & input(c, 0);
        }
    }
    result
}

pub(super) fn lop3(call: &Call<'_>, results: &mut [Bits]) -> Option<()> {
    let words = [0, 1, 2].map(|operand| call.word(operand));
    results[0] = truth_table(call.parameters.lut, words).into();
    Some(())
}

pub(super) fn lop3_test(call: &Call<'_>, results: &mut [Bits]) -> Option<()> {
    lop3(call, results)?;
    let with = call.optional_predicate(3).unwrap_or(false);
    results[1] = u128::from(results[0] != 0 || with);
    Some(())
}

/// Two functions of three predicates.
pub(super) fn plop3(call: &Call<'_>, results: &mut [Bits]) -> Option<()> {
    let bits = [0, 1, 2].map(|operand| u32::from(call.predicate(operand)));
    let tables = [call.parameters.lut, call.parameters.second_lut];
    for (result, table) in results.iter_mut().zip(tables) {
        *result = u128::from(truth_table(table, bits) & 1);
    }
    Some(())
}

/// One word of a shifted pair. Shift amounts saturate at 32 for words and 64 for pairs, unless they
/// wrap.
pub(super) fn shf(call: &Call<'_>, results: &mut [Bits]) -> Option<()> {
    let parameters = call.parameters;
    let width = match parameters.signedness? {
        Signedness::Signed | Signedness::Unsigned => 32,
        Signedness::SignedWide | Signedness::UnsignedWide => 64,
    };
    let amount = if parameters.wrap {
        call.word(1) % width
    } else {
        call.word(1).min(width)
    };
    let pair = u128::from(call.word(2)) << 32 | u128::from(call.word(0));
    let shifted = match parameters.direction? {
        Direction::Left => pair << amount,
        Direction::Right => (extend(pair, 64, parameters.is_signed()) >> amount).cast_unsigned(),
    };
    let word = if parameters.high {
        shifted >> 32
    } else {
        shifted
    };
    results[0] = u128::from(word as u32);
    Some(())
}

/// A bit count: modulo 32 if it wraps, at most 32 otherwise.
fn bit_count(call: &Call<'_>, operand: usize) -> u32 {
    let count = call.word(operand);
    if call.parameters.wrap {
        count % 32
    } else {
        count.min(32)
    }
}

pub(super) fn bmsk(call: &Call<'_>, results: &mut [Bits]) -> Option<()> {
    let mask = ((1_u64 << bit_count(call, 1)) - 1) << bit_count(call, 0);
    results[0] = u128::from(mask as u32);
    Some(())
}

pub(super) fn sgxt(call: &Call<'_>, results: &mut [Bits]) -> Option<()> {
    let count = bit_count(call, 1);
    let value = match count {
        0 => 0,
        count => extend(call.raw(0), count, call.parameters.is_signed()),
    };
    results[0] = u128::from(value as u32);
    Some(())
}

pub(super) fn popc(call: &Call<'_>, results: &mut [Bits]) -> Option<()> {
    results[0] = call.integer(0).count_ones().into();
    Some(())
}

/// The highest bit that is set, or that differs from the sign; all bits set if there is none.
pub(super) fn flo(call: &Call<'_>, results: &mut [Bits]) -> Option<()> {
    let mut word = call.integer(0);
    if call.parameters.is_signed() && word.cast_signed() < 0 {
        word = !word;
    }
    let found = match (word.checked_ilog2(), call.parameters.shift_amount) {
        (Some(number), true) => 31 - number,
        (Some(number), false) => number,
        (None, _) => u32::MAX,
    };
    results[0] = found.into();
    Some(())
}

pub(super) fn brev(call: &Call<'_>, results: &mut [Bits]) -> Option<()> {
    results[0] = call.word(0).reverse_bits().into();
    Some(())
}

/// The index of the selected byte in the pair, and whether only its sign is replicated (PTX ISA,
/// `prmt`).
fn permuted(permutation: Permutation, selector: u32, place: u32) -> (u32, bool) {
    let low = selector & 3;
    let number = match permutation {
        Permutation::Index => {
            let nibble = selector >> (4 * place) & 15;
            return (nibble & 7, nibble & 8 != 0);
        }
        Permutation::Forward4 => low + place,
        Permutation::Backward4 => (low + 8 - place) & 7,
        Permutation::Replicate8 => low,
        Permutation::EdgeLeft => place.max(low),
        Permutation::EdgeRight => place.min(low),
        Permutation::Replicate16 => (selector & 1) * 2 + (place & 1),
    };
    (number, false)
}

pub(super) fn prmt(call: &Call<'_>, results: &mut [Bits]) -> Option<()> {
    let permutation = call.parameters.permutation.unwrap_or(Permutation::Index);
    let pair = u64::from(call.word(2)) << 32 | u64::from(call.word(0));
    let mut word = 0;
    for place in 0..4 {
        let (number, only_sign) = permuted(permutation, call.word(1), place);
        let mut byte = (pair >> (8 * number)) as u8;
        if only_sign {
            byte = (byte.cast_signed() >> 7).cast_unsigned();
        }
        word |= u32::from(byte) << (8 * place);
    }
    results[0] = word.into();
    Some(())
}

/// The carry-less product of two words, combined with a third by exclusive or.
pub(super) fn clmad(call: &Call<'_>, results: &mut [Bits]) -> Option<()> {
    let mut product = 0_u64;
    for bit in 0..32 {
        if call.word(1) >> bit & 1 == 1 {
            product ^= u64::from(call.word(0)) << bit;
        }
    }
    let word = if call.parameters.high {
        product >> 32
    } else {
        product
    } as u32;
    results[0] = (word ^ call.word(2)).into();
    Some(())
}

/// Predicates in the bits of a mask, lowest first; the other bits come from the background.
pub(super) fn p2r(call: &Call<'_>, results: &mut [Bits]) -> Option<()> {
    let mask = call.parameters.mask;
    let mut word = call.word(0) & !mask;
    let bits = (0..32).filter(|bit| mask >> bit & 1 == 1);
    for (bit, operand) in bits.zip(call.group(1)) {
        word |= u32::from(call.predicate(operand)) << bit;
    }
    results[0] = word.into();
    Some(())
}

pub(super) fn r2p(call: &Call<'_>, results: &mut [Bits]) -> Option<()> {
    let mask = call.parameters.mask;
    let bits = (0..32).filter(|bit| mask >> bit & 1 == 1);
    for (bit, result) in bits.zip(results) {
        *result = call.raw(0) >> bit & 1;
    }
    Some(())
}

pub(super) fn copy(call: &Call<'_>, results: &mut [Bits]) -> Option<()> {
    results[0] = call.raw(0);
    Some(())
}

pub(super) fn sel(call: &Call<'_>, results: &mut [Bits]) -> Option<()> {
    results[0] = call.raw(if call.predicate(2) { 0 } else { 1 });
    Some(())
}

fn low_bits(bits: Bits, width: u32) -> Bits {
    if width >= 128 {
        bits
    } else {
        bits & ((1 << width) - 1)
    }
}

pub(super) fn immediate(call: &Call<'_>, results: &mut [Bits]) -> Option<()> {
    let value = i128::from(call.parameters.value).cast_unsigned();
    results[0] = low_bits(value, call.parameters.result_width);
    Some(())
}

pub(super) fn concat(call: &Call<'_>, results: &mut [Bits]) -> Option<()> {
    let (mut whole, mut place) = (0, 0);
    for operand in call.group(0) {
        let part = low_bits(call.raw(operand), call.width(operand));
        whole |= part.checked_shl(place)?;
        place += call.width(operand);
    }
    results[0] = whole;
    Some(())
}

pub(super) fn extract(call: &Call<'_>, results: &mut [Bits]) -> Option<()> {
    let place = call.parameters.word.checked_mul(32)?;
    let part = call.raw(0).checked_shr(place)?;
    results[0] = low_bits(part, call.parameters.result_width);
    Some(())
}
