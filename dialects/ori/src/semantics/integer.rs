//! Integer sums, products, minima and maxima.

use orison_machine::words;

use super::Bits;
use super::arithmetic::clamp;
use super::call::{Call, WORD, extend, integer_kind, register_bits};
use crate::keywords::Extremum;

/// Writes a sum, whether there is at least one carry, and whether two.
fn with_carries(results: &mut [Bits], (sum, count): (u64, u64)) -> Option<()> {
    let (result, carries) = results.split_first_mut()?;
    *result = sum.into();
    for (number, carry) in (1..).zip(carries) {
        *carry = u128::from(count >= number);
    }
    Some(())
}

/// The number of carries in: predicates count only if the operation is `extended`.
fn carries_in(call: &Call<'_>) -> u64 {
    if !call.parameters.extended {
        return 0;
    }
    let inward = call.group(3).filter(|operand| call.predicate(*operand));
    inward.count() as u64
}

/// The sum of three words. The first carry out is set for one or two carries, the second for two: a
/// sum of high words adds both.
pub(super) fn iadd3(call: &Call<'_>, results: &mut [Bits]) -> Option<()> {
    let [a, b, c] = [0, 1, 2].map(|operand| call.term(operand));
    let carries = a.1 + b.1 + c.1 + carries_in(call);
    with_carries(results, words::sum(WORD, [a.0, b.0, c.0], carries))
}

/// The low word of a product, plus a word; the carry is that of the sum.
pub(super) fn imad(call: &Call<'_>, results: &mut [Bits]) -> Option<()> {
    let product = words::product(WORD, call.integer(0), call.word(1));
    let (c, more) = call.term(2);
    with_carries(
        results,
        words::sum(WORD, [product, c, 0], more + carries_in(call)),
    )
}

/// The product of two words as a pair, plus a pair.
fn wide_sum(call: &Call<'_>) -> (u64, u64) {
    let signed = call.parameters.is_signed();
    let product = |a| words::wide_product(WORD, signed, a, call.word(1));
    // `neg` negates the value, `not` inverts the bits.
    let product = if call.is_negated(0) {
        words::negate(2 * WORD, product(call.word(0)))
    } else {
        product(call.term(0).0)
    };
    let (c, more) = call.term(2);
    words::sum(2 * WORD, [product, c, 0], more + carries_in(call))
}

/// A product of words, plus a pair.
pub(super) fn imad_wide(call: &Call<'_>, results: &mut [Bits]) -> Option<()> {
    with_carries(results, wide_sum(call))
}

/// The high word of a product plus a pair; the carry is that of the sum of pairs.
pub(super) fn imad_hi(call: &Call<'_>, results: &mut [Bits]) -> Option<()> {
    let (pair, carries) = wide_sum(call);
    with_carries(results, (words::part(WORD, true, pair), carries))
}

/// A word shifted left, or the high word of a shifted pair, plus a word. `neg` and `not` of `a` are
/// applied after the shift.
pub(super) fn lea(call: &Call<'_>, results: &mut [Bits]) -> Option<()> {
    let parameters = call.parameters;
    let low = call.word(0);
    let high = match parameters.sign_extended {
        true => words::shift_right(WORD, true, low, WORD - 1),
        false => call.word(2),
    };
    let pair = words::pair(WORD, low, high);
    let pair = words::shift_left(2 * WORD, pair, parameters.shift & 31);
    let shifted = words::part(WORD, parameters.high, pair);
    let inverted = call
        .modifiers(0)
        .contains(crate::modifiers::Modifier::Invert);
    let (shifted, more) = match (call.is_negated(0), inverted) {
        // For an extended high word, the carry of the low word supplies the one of the two's
        // complement.
        (true, _) if parameters.high && !parameters.extended => {
            (words::part(WORD, true, words::negate(2 * WORD, pair)), 0)
        }
        (true, _) => (words::not(WORD, shifted), u64::from(!parameters.high)),
        (_, true) => (words::not(WORD, shifted), 0),
        _ => (shifted, 0),
    };
    let (b, b_more) = call.term(1);
    let carries = more + b_more + carries_in(call);
    with_carries(results, words::sum(WORD, [shifted, b, 0], carries))
}

/// The sum of the first two operands.
fn plain_sum(call: &Call<'_>) -> u64 {
    words::sum(WORD, [call.integer(0), call.integer(1), 0], 0).0
}

pub(super) fn viadd(call: &Call<'_>, results: &mut [Bits]) -> Option<()> {
    results[0] = plain_sum(call).into();
    Some(())
}

/// The minimum of two words if the choice holds, else the maximum.
pub(super) fn imnmx(call: &Call<'_>, results: &mut [Bits]) -> Option<()> {
    let signed = call.parameters.is_signed();
    let smaller = call.predicate(2);
    results[0] = words::extremum(WORD, signed, smaller, call.word(0), call.word(1)).into();
    Some(())
}

/// The extremum of a word and the last operand.
fn chosen(call: &Call<'_>, word: u64) -> Option<u64> {
    let signed = call.parameters.is_signed();
    let smaller = call.parameters.extremum? == Extremum::Min;
    Some(words::extremum(WORD, signed, smaller, word, call.word(2)))
}

pub(super) fn vimnmx3(call: &Call<'_>, results: &mut [Bits]) -> Option<()> {
    let signed = call.parameters.is_signed();
    let smaller = call.parameters.extremum? == Extremum::Min;
    let two = words::extremum(WORD, signed, smaller, call.word(0), call.word(1));
    results[0] = chosen(call, two)?.into();
    Some(())
}

pub(super) fn viaddmnmx(call: &Call<'_>, results: &mut [Bits]) -> Option<()> {
    let chosen = chosen(call, plain_sum(call))?;
    let floor = call.parameters.relu && call.parameters.is_signed();
    results[0] = if floor {
        words::extremum(WORD, true, false, chosen, 0)
    } else {
        chosen
    }
    .into();
    Some(())
}

pub(super) fn iabs(call: &Call<'_>, results: &mut [Bits]) -> Option<()> {
    results[0] = words::absolute(WORD, call.word(0)).into();
    Some(())
}

/// The absolute difference of two words, plus a third; signed by default.
pub(super) fn vabsdiff(call: &Call<'_>, results: &mut [Bits]) -> Option<()> {
    let signed = call.parameters.signedness.is_none() || call.parameters.is_signed();
    let distance = words::distance(WORD, signed, call.word(0), call.word(1));
    results[0] = words::sum(WORD, [distance, call.word(2), 0], 0).0.into();
    Some(())
}

/// The element at an index, in a word of elements of a format.
fn element(word: u128, number: u32, width: u32, signed: bool) -> i128 {
    extend(word >> (number * width), width, signed)
}

pub(super) fn vabsdiff4(call: &Call<'_>, results: &mut [Bits]) -> Option<()> {
    let (width, signed) = integer_kind(call.parameters.from?)?;
    let mut sum = call.word(2);
    for number in 0..4 {
        let read = |operand| element(call.raw(operand), number, width, signed);
        sum += (read(0) - read(1)).unsigned_abs() as u64;
    }
    results[0] = words::part(WORD, false, sum).into();
    Some(())
}

/// A dot product of four bytes by four bytes, or of two halves by two bytes.
pub(super) fn idp(call: &Call<'_>, results: &mut [Bits]) -> Option<()> {
    let parameters = call.parameters;
    let (left, left_signed) = integer_kind(parameters.left_format?)?;
    let (right, right_signed) = integer_kind(parameters.right_format?)?;
    let count = if parameters.halves { 2 } else { 4 };
    let first = if parameters.high { 2 } else { 0 };
    let mut sum = extend(call.raw(2), 32, true);
    for number in 0..count {
        let a = element(call.raw(0), number, left, left_signed);
        sum += a * element(call.raw(1), first + number, right, right_signed);
    }
    results[0] = register_bits(sum, 32);
    Some(())
}

/// Converts between widths: truncates, or clamps with `saturate`; narrow results are sign-extended
/// to the register.
pub(super) fn i2i(call: &Call<'_>, results: &mut [Bits]) -> Option<()> {
    let (from, from_signed) = integer_kind(call.parameters.from?)?;
    let (to, to_signed) = integer_kind(call.parameters.to?)?;
    let value = extend(call.raw(0), from, from_signed);
    let value = if call.parameters.saturate {
        clamp(value, to, to_signed)
    } else {
        extend(value.cast_unsigned(), to, to_signed)
    };
    results[0] = register_bits(value, 32);
    Some(())
}

/// `cvt.pack.sat`: `b` (lowest) and `a`, clamped to a narrow format, below the low bits of `c`.
pub(super) fn i2ip(call: &Call<'_>, results: &mut [Bits]) -> Option<()> {
    let (from, from_signed) = integer_kind(call.parameters.from?)?;
    let (to, to_signed) = integer_kind(call.parameters.to?)?;
    let narrow = |operand| {
        let value = clamp(extend(call.raw(operand), from, from_signed), to, to_signed);
        register_bits(value, to)
    };
    let behind = call.raw(2) << (2 * to);
    results[0] = (behind | narrow(0) << to | narrow(1)) & u128::from(u32::MAX);
    Some(())
}
