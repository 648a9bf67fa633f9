//! Floats of 32 and 64 bits.

use orison_ir::numbers::{FloatKind, Number, Overflow};

use super::Bits;
use super::arithmetic::{encoded, extremum, flushed, fused, product, saturated, sum};
use super::call::Call;
use crate::keywords::Extremum;

/// Rounds a result, and applies the flags.
pub(super) fn finished(call: &Call<'_>, value: Number, kind: FloatKind) -> Bits {
    let direction = call.parameters.direction_of_rounding();
    polished(call, encoded(value, kind, direction, Overflow::Ieee), kind)
}

/// Applies the flags to a rounded result.
pub(super) fn polished(call: &Call<'_>, bits: Bits, kind: FloatKind) -> Bits {
    let parameters = call.parameters;
    let bits = if parameters.ftz {
        flushed(bits, kind)
    } else {
        bits
    };
    let bits = if parameters.saturate {
        saturated(bits, kind)
    } else {
        bits
    };
    if !parameters.relu {
        return bits;
    }
    match Number::decode(kind, bits) {
        Number::Nan => bits,
        value if value.is_negative() => 0,
        _ => bits,
    }
}

/// The encodings of operands.
fn floats<const COUNT: usize>(call: &Call<'_>, kind: FloatKind) -> [Bits; COUNT] {
    std::array::from_fn(|operand| call.float(operand, kind))
}

fn add(call: &Call<'_>, results: &mut [Bits], kind: FloatKind) -> Option<()> {
    let direction = call.parameters.direction_of_rounding();
    results[0] = polished(call, sum(kind, direction, floats(call, kind)), kind);
    Some(())
}

fn multiply(call: &Call<'_>, results: &mut [Bits], kind: FloatKind) -> Option<()> {
    let direction = call.parameters.direction_of_rounding();
    results[0] = polished(call, product(kind, direction, floats(call, kind)), kind);
    Some(())
}

fn multiply_add(call: &Call<'_>, results: &mut [Bits], kind: FloatKind) -> Option<()> {
    let direction = call.parameters.direction_of_rounding();
    results[0] = polished(call, fused(kind, direction, floats(call, kind)), kind);
    Some(())
}

pub(super) fn fadd(call: &Call<'_>, results: &mut [Bits]) -> Option<()> {
    add(call, results, FloatKind::F32)
}

pub(super) fn fmul(call: &Call<'_>, results: &mut [Bits]) -> Option<()> {
    multiply(call, results, FloatKind::F32)
}

pub(super) fn ffma(call: &Call<'_>, results: &mut [Bits]) -> Option<()> {
    multiply_add(call, results, FloatKind::F32)
}

pub(super) fn dadd(call: &Call<'_>, results: &mut [Bits]) -> Option<()> {
    add(call, results, FloatKind::F64)
}

pub(super) fn dmul(call: &Call<'_>, results: &mut [Bits]) -> Option<()> {
    multiply(call, results, FloatKind::F64)
}

pub(super) fn dfma(call: &Call<'_>, results: &mut [Bits]) -> Option<()> {
    multiply_add(call, results, FloatKind::F64)
}

/// The minimum or maximum of two floats.
fn chosen(call: &Call<'_>, pair: [Bits; 2], smaller: bool) -> Bits {
    extremum(FloatKind::F32, pair, smaller, call.parameters.nan_wins)
}

pub(super) fn fmnmx(call: &Call<'_>, results: &mut [Bits]) -> Option<()> {
    let pair = floats(call, FloatKind::F32);
    results[0] = chosen(call, pair, call.predicate(2));
    Some(())
}

pub(super) fn fmnmx3(call: &Call<'_>, results: &mut [Bits]) -> Option<()> {
    let smaller = call.parameters.extremum? == Extremum::Min;
    let [a, b, c] = floats(call, FloatKind::F32);
    results[0] = chosen(call, [chosen(call, [a, b], smaller), c], smaller);
    Some(())
}

/// Selects one of two floats; a NaN keeps its payload.
pub(super) fn fsel(call: &Call<'_>, results: &mut [Bits]) -> Option<()> {
    let operand = if call.predicate(2) { 0 } else { 1 };
    results[0] = call.float(operand, FloatKind::F32);
    Some(())
}

/// Whether the fast path of a division could lose precision: true unless both operands are normal,
/// and quotient and remainder are well inside the range of the format. ptxas then branches to the
/// slow path, which is correct for all operands.
pub(super) fn fchk(call: &Call<'_>, results: &mut [Bits]) -> Option<()> {
    let field = |operand: usize| (call.word(operand) >> 23 & 0xFF) as i32;
    let (a, b) = (field(0), field(1));
    let plain =
        (26..=253).contains(&a) && (2..=252).contains(&b) && (-124..=125).contains(&(a - b));
    results[0] = u128::from(!plain);
    Some(())
}

/// Applies an operation on floats to the low and the high float of pairs.
fn twice(
    call: &Call<'_>,
    results: &mut [Bits],
    compute: fn(&Call<'_>, &mut [Bits]) -> Option<()>,
) -> Option<()> {
    let mut pair = 0;
    for place in [0, 32] {
        let mut operands = [0; 3];
        for (number, operand) in operands.iter_mut().enumerate() {
            *operand = call.raw(number) >> place & u128::from(u32::MAX);
        }
        let part = Call {
            parameters: call.parameters,
            operands: &operands,
            modifiers: call.modifiers,
        };
        let mut result = [0];
        compute(&part, &mut result)?;
        pair |= result[0] << place;
    }
    results[0] = pair;
    Some(())
}

pub(super) fn fadd2(call: &Call<'_>, results: &mut [Bits]) -> Option<()> {
    twice(call, results, fadd)
}

pub(super) fn fmul2(call: &Call<'_>, results: &mut [Bits]) -> Option<()> {
    twice(call, results, fmul)
}

pub(super) fn ffma2(call: &Call<'_>, results: &mut [Bits]) -> Option<()> {
    twice(call, results, ffma)
}
