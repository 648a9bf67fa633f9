//! Integer sums, products, minima and maxima.

use super::Bits;
use super::call::{Call, clamp, extend, integer_kind, register_bits};
use crate::keywords::Extremum;

/// Writes a sum of 33 bits or more: the low word, whether there is at least one carry, and whether
/// two.
fn with_carries(results: &mut [Bits], sum: u128, width: u32) -> Option<()> {
    let (result, carries) = results.split_first_mut()?;
    *result = sum & ((1 << width) - 1);
    let count = sum >> width;
    for (number, carry) in (1..).zip(carries) {
        *carry = u128::from(count >= number);
    }
    Some(())
}

/// The number of carries in: predicates count only if the operation is `extended`.
fn carries_in(call: &Call<'_>) -> u128 {
    if !call.parameters.extended {
        return 0;
    }
    let inward = call.group(3).filter(|operand| call.predicate(*operand));
    inward.count() as u128
}

/// The sum of three words. The first carry out is set for one or two carries, the second for two: a
/// sum of high words adds both.
pub(super) fn iadd3(call: &Call<'_>, results: &mut [Bits]) -> Option<()> {
    let mut sum = carries_in(call);
    for operand in 0..3 {
        let (bits, more) = call.term(operand);
        sum += u128::from(bits) + u128::from(more);
    }
    with_carries(results, sum, 32)
}

/// The low word of a product, plus a word; the carry is that of the sum.
pub(super) fn imad(call: &Call<'_>, results: &mut [Bits]) -> Option<()> {
    let product = call.integer(0).wrapping_mul(call.word(1));
    let (c, more) = call.term(2);
    let sum = u128::from(product) + u128::from(c) + u128::from(more) + carries_in(call);
    with_carries(results, sum, 32)
}

/// The exact 64-bit product of two words, in two's complement.
fn wide_product(call: &Call<'_>) -> u64 {
    let signed = call.parameters.is_signed();
    let read = |bits: u32| extend(bits.into(), 32, signed);
    let (a, more) = call.term(0);
    // `neg` negates the value, `not` inverts the bits.
    let a = if more == 1 {
        -read(call.word(0))
    } else {
        read(a as u32)
    };
    (a * read(call.word(1))) as u64
}

fn wide_sum(call: &Call<'_>) -> u128 {
    let (c, more) = call.term(2);
    u128::from(wide_product(call)) + u128::from(c) + u128::from(more) + carries_in(call)
}

/// A product of words, plus a pair.
pub(super) fn imad_wide(call: &Call<'_>, results: &mut [Bits]) -> Option<()> {
    with_carries(results, wide_sum(call), 64)
}

/// The high word of a product plus a pair; the carry is that of the sum of pairs.
pub(super) fn imad_hi(call: &Call<'_>, results: &mut [Bits]) -> Option<()> {
    with_carries(results, wide_sum(call) >> 32, 32)
}

/// A word shifted left, or the high word of a shifted pair, plus a word. `neg` and `not` of `a` are
/// applied after the shift.
pub(super) fn lea(call: &Call<'_>, results: &mut [Bits]) -> Option<()> {
    let parameters = call.parameters;
    let low = call.word(0);
    let high = match parameters.sign_extended {
        true => (low.cast_signed() >> 31).cast_unsigned(),
        false => call.word(2),
    };
    let pair = (u64::from(high) << 32 | u64::from(low)) << (parameters.shift & 31);
    let shifted = if parameters.high { pair >> 32 } else { pair } as u32;
    let inverted = call
        .modifiers(0)
        .contains(crate::modifiers::Modifier::Invert);
    let (shifted, more) = match (call.is_negated(0), inverted) {
        // For an extended high word, the carry of the low word supplies the one of the two's
        // complement.
        (true, _) if parameters.high && !parameters.extended => {
            ((pair.wrapping_neg() >> 32) as u32, 0)
        }
        (true, _) => (!shifted, u128::from(!parameters.high)),
        (_, true) => (!shifted, 0),
        _ => (shifted, 0),
    };
    let (b, b_more) = call.term(1);
    let sum = u128::from(shifted) + more + u128::from(b) + u128::from(b_more) + carries_in(call);
    with_carries(results, sum, 32)
}

pub(super) fn viadd(call: &Call<'_>, results: &mut [Bits]) -> Option<()> {
    results[0] = call.integer(0).wrapping_add(call.integer(1)).into();
    Some(())
}

fn smaller(a: u32, b: u32, signed: bool) -> u32 {
    if signed {
        a.cast_signed().min(b.cast_signed()).cast_unsigned()
    } else {
        a.min(b)
    }
}

fn larger(a: u32, b: u32, signed: bool) -> u32 {
    if signed {
        a.cast_signed().max(b.cast_signed()).cast_unsigned()
    } else {
        a.max(b)
    }
}

/// The minimum of two words if the choice holds, else the maximum.
pub(super) fn imnmx(call: &Call<'_>, results: &mut [Bits]) -> Option<()> {
    let signed = call.parameters.is_signed();
    let choose = if call.predicate(2) { smaller } else { larger };
    results[0] = choose(call.word(0), call.word(1), signed).into();
    Some(())
}

pub(super) fn vimnmx3(call: &Call<'_>, results: &mut [Bits]) -> Option<()> {
    let signed = call.parameters.is_signed();
    let choose = match call.parameters.extremum? {
        Extremum::Min => smaller,
        Extremum::Max => larger,
    };
    let two = choose(call.word(0), call.word(1), signed);
    results[0] = choose(two, call.word(2), signed).into();
    Some(())
}

pub(super) fn viaddmnmx(call: &Call<'_>, results: &mut [Bits]) -> Option<()> {
    let signed = call.parameters.is_signed();
    let choose = match call.parameters.extremum? {
        Extremum::Min => smaller,
        Extremum::Max => larger,
    };
    let sum = call.integer(0).wrapping_add(call.integer(1));
    let chosen = choose(sum, call.word(2), signed);
    let floor = call.parameters.relu && signed;
    results[0] = if floor {
        larger(chosen, 0, true)
    } else {
        chosen
    }
    .into();
    Some(())
}

pub(super) fn iabs(call: &Call<'_>, results: &mut [Bits]) -> Option<()> {
    results[0] = call.word(0).cast_signed().unsigned_abs().into();
    Some(())
}

/// The absolute difference of two words, plus a third; signed by default.
pub(super) fn vabsdiff(call: &Call<'_>, results: &mut [Bits]) -> Option<()> {
    let signed = call.parameters.signedness.is_none() || call.parameters.is_signed();
    let read = |operand| extend(call.raw(operand), 32, signed);
    let distance = (read(0) - read(1)).unsigned_abs() as u32;
    results[0] = distance.wrapping_add(call.word(2)).into();
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
        sum = sum.wrapping_add((read(0) - read(1)).unsigned_abs() as u32);
    }
    results[0] = sum.into();
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
