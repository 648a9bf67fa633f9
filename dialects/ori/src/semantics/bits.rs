//! Bit operations: truth tables, shifts, permutations, counts, copies, selections.

use orison_machine::words::{self, Funnel};

use super::Bits;
use super::call::{Call, WORD};
use crate::keywords::{Direction, Permutation, Signedness};

pub(super) fn lop3(call: &Call<'_>, results: &mut [Bits]) -> Option<()> {
    let inputs = [0, 1, 2].map(|operand| call.word(operand));
    results[0] = words::table(WORD, call.parameters.lut, inputs).into();
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
    let inputs = [0, 1, 2].map(|operand| u64::from(call.predicate(operand)));
    let tables = [call.parameters.lut, call.parameters.second_lut];
    for (result, table) in results.iter_mut().zip(tables) {
        *result = words::table(1, table, inputs).into();
    }
    Some(())
}

/// One word of a shifted pair. Shift amounts saturate at 32 for words and 64 for pairs, unless they
/// wrap.
pub(super) fn shf(call: &Call<'_>, results: &mut [Bits]) -> Option<()> {
    let parameters = call.parameters;
    let signedness = parameters.signedness?;
    let form = Funnel {
        left: parameters.direction? == Direction::Left,
        signed: parameters.is_signed(),
        high: parameters.high,
        wide: matches!(
            signedness,
            Signedness::SignedWide | Signedness::UnsignedWide
        ),
        wraps: parameters.wrap,
    };
    let [a, n, c] = [0, 1, 2].map(|operand| call.word(operand));
    results[0] = words::funnel(WORD, form, a, n, c).into();
    Some(())
}

/// A bit count: modulo 32 if it wraps, at most 32 otherwise.
fn bit_count(call: &Call<'_>, operand: usize) -> u32 {
    words::amount(call.word(operand), WORD, call.parameters.wrap)
}

pub(super) fn bmsk(call: &Call<'_>, results: &mut [Bits]) -> Option<()> {
    results[0] = words::ones(WORD, bit_count(call, 0), bit_count(call, 1)).into();
    Some(())
}

pub(super) fn sgxt(call: &Call<'_>, results: &mut [Bits]) -> Option<()> {
    let signed = call.parameters.is_signed();
    results[0] = words::extended(WORD, signed, call.word(0), bit_count(call, 1)).into();
    Some(())
}

pub(super) fn popc(call: &Call<'_>, results: &mut [Bits]) -> Option<()> {
    results[0] = call.integer(0).count_ones().into();
    Some(())
}

/// The highest bit that is set, or that differs from the sign; all bits set if there is none.
pub(super) fn flo(call: &Call<'_>, results: &mut [Bits]) -> Option<()> {
    let (signed, from_top) = (call.parameters.is_signed(), call.parameters.shift_amount);
    results[0] = words::highest_bit(WORD, signed, call.integer(0), from_top).into();
    Some(())
}

pub(super) fn brev(call: &Call<'_>, results: &mut [Bits]) -> Option<()> {
    results[0] = words::reversed(WORD, call.word(0)).into();
    Some(())
}

/// The selector of bytes, one nibble each, for which a selector of another mode stands (PTX ISA,
/// `prmt`).
fn byte_selector(permutation: Permutation, selector: u64) -> u64 {
    let low = selector & 3;
    let byte = |place: u64| match permutation {
        Permutation::Index => selector >> (4 * place) & 15,
        Permutation::Forward4 => low + place,
        Permutation::Backward4 => (low + 8 - place) & 7,
        Permutation::Replicate8 => low,
        Permutation::EdgeLeft => place.max(low),
        Permutation::EdgeRight => place.min(low),
        Permutation::Replicate16 => (selector & 1) * 2 + (place & 1),
    };
    (0..4).fold(0, |all, place| all | byte(place) << (4 * place))
}

pub(super) fn prmt(call: &Call<'_>, results: &mut [Bits]) -> Option<()> {
    let permutation = call.parameters.permutation.unwrap_or(Permutation::Index);
    let selector = byte_selector(permutation, call.word(1));
    let pair = words::pair(WORD, call.word(0), call.word(2));
    results[0] = words::permuted(pair, selector).into();
    Some(())
}

/// The carry-less product of two words, combined with a third by exclusive or.
pub(super) fn clmad(call: &Call<'_>, results: &mut [Bits]) -> Option<()> {
    let mut product = 0;
    for bit in 0..WORD {
        if call.word(1) >> bit & 1 == 1 {
            product ^= call.word(0) << bit;
        }
    }
    let word = words::part(WORD, call.parameters.high, product);
    results[0] = (word ^ call.word(2)).into();
    Some(())
}

/// Predicates in the bits of a mask, lowest first; the other bits come from the background.
pub(super) fn p2r(call: &Call<'_>, results: &mut [Bits]) -> Option<()> {
    let mask = u64::from(call.parameters.mask);
    let mut word = call.word(0) & !mask;
    let bits = (0..WORD).filter(|bit| mask >> bit & 1 == 1);
    for (bit, operand) in bits.zip(call.group(1)) {
        word |= u64::from(call.predicate(operand)) << bit;
    }
    results[0] = word.into();
    Some(())
}

pub(super) fn r2p(call: &Call<'_>, results: &mut [Bits]) -> Option<()> {
    let mask = call.parameters.mask;
    let bits = (0..WORD).filter(|bit| mask >> bit & 1 == 1);
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
