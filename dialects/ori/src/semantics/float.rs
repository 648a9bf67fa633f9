//! Floats of 32 and 64 bits.

use std::cmp::Ordering;

use orison_ir::numbers::FloatKind;

use super::Bits;
use super::call::Call;
use super::number::{Direction, Number, Overflow, canonical_nan};
use crate::keywords::Extremum;

/// The bits of a float; a denormal is replaced by a zero of the same sign.
pub(super) fn flushed(bits: Bits, kind: FloatKind) -> Bits {
    let sign = 1 << (kind.width() - 1);
    let field = bits & (sign - 1) & !((1 << kind.mantissa_bits()) - 1);
    if field == 0 { bits & sign } else { bits }
}

/// The bits of a float, clamped to [0, 1]; NaN and minus zero become zero.
pub(super) fn saturated(bits: Bits, kind: FloatKind) -> Bits {
    let sign = 1 << (kind.width() - 1);
    let one = u128::from(kind.bias().cast_unsigned()) << kind.mantissa_bits();
    match Number::decode(kind, bits) {
        Number::Nan => 0,
        _ if bits & sign != 0 => 0,
        _ => bits.min(one),
    }
}

/// Rounds a result, and applies the flags.
pub(super) fn finished(call: &Call<'_>, value: Number, kind: FloatKind) -> Bits {
    let direction = call.parameters.direction_of_rounding();
    polished(call, value.encode(kind, direction, Overflow::Ieee), kind)
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

fn is_nearest(call: &Call<'_>) -> bool {
    call.parameters.direction_of_rounding() == Direction::NearestEven
}

/// The float of an operand as a host float: the host rounds sums, products and fused products to
/// nearest as the machine does, by IEEE 754.
fn native(call: &Call<'_>, operand: usize) -> f32 {
    f32::from_bits(call.float_bits(operand, call.raw(operand), FloatKind::F32) as u32)
}

fn native_double(call: &Call<'_>, operand: usize) -> f64 {
    f64::from_bits(call.float_bits(operand, call.raw(operand), FloatKind::F64) as u64)
}

fn of_native(call: &Call<'_>, value: f32) -> Bits {
    let bits = if value.is_nan() {
        canonical_nan(FloatKind::F32)
    } else {
        value.to_bits().into()
    };
    polished(call, bits, FloatKind::F32)
}

fn of_native_double(value: f64) -> Bits {
    if value.is_nan() {
        canonical_nan(FloatKind::F64)
    } else {
        value.to_bits().into()
    }
}

/// `a + b` with any rounding mode.
fn sum(call: &Call<'_>, kind: FloatKind) -> Bits {
    let direction = call.parameters.direction_of_rounding();
    let value = call.number(0, kind).plus(call.number(1, kind), direction);
    finished(call, value, kind)
}

fn product(call: &Call<'_>, kind: FloatKind) -> Bits {
    finished(call, call.number(0, kind).times(call.number(1, kind)), kind)
}

fn fused(call: &Call<'_>, kind: FloatKind) -> Bits {
    let direction = call.parameters.direction_of_rounding();
    let product = call.number(0, kind).times(call.number(1, kind));
    finished(call, product.plus(call.number(2, kind), direction), kind)
}

pub(super) fn fadd(call: &Call<'_>, results: &mut [Bits]) -> Option<()> {
    results[0] = if is_nearest(call) {
        of_native(call, native(call, 0) + native(call, 1))
    } else {
        sum(call, FloatKind::F32)
    };
    Some(())
}

pub(super) fn fmul(call: &Call<'_>, results: &mut [Bits]) -> Option<()> {
    results[0] = if is_nearest(call) {
        of_native(call, native(call, 0) * native(call, 1))
    } else {
        product(call, FloatKind::F32)
    };
    Some(())
}

pub(super) fn ffma(call: &Call<'_>, results: &mut [Bits]) -> Option<()> {
    results[0] = if is_nearest(call) {
        of_native(
            call,
            native(call, 0).mul_add(native(call, 1), native(call, 2)),
        )
    } else {
        fused(call, FloatKind::F32)
    };
    Some(())
}

pub(super) fn dadd(call: &Call<'_>, results: &mut [Bits]) -> Option<()> {
    results[0] = if is_nearest(call) {
        of_native_double(native_double(call, 0) + native_double(call, 1))
    } else {
        sum(call, FloatKind::F64)
    };
    Some(())
}

pub(super) fn dmul(call: &Call<'_>, results: &mut [Bits]) -> Option<()> {
    results[0] = if is_nearest(call) {
        of_native_double(native_double(call, 0) * native_double(call, 1))
    } else {
        product(call, FloatKind::F64)
    };
    Some(())
}

pub(super) fn dfma(call: &Call<'_>, results: &mut [Bits]) -> Option<()> {
    results[0] = fused(call, FloatKind::F64);
    Some(())
}

/// The minimum or maximum of two floats. A NaN operand is ignored unless NaN propagates; minus zero
/// is less than zero.
pub(super) fn extremum(call: &Call<'_>, [a, b]: [Bits; 2], kind: FloatKind, min: bool) -> Bits {
    let (x, y) = (Number::decode(kind, a), Number::decode(kind, b));
    match (x, y) {
        (Number::Nan, Number::Nan) => return canonical_nan(kind),
        (Number::Nan, _) | (_, Number::Nan) if call.parameters.nan_wins => {
            return canonical_nan(kind);
        }
        (Number::Nan, _) => return b,
        (_, Number::Nan) => return a,
        _ => {}
    }
    let first_is_smaller = match x.compare(y) {
        Some(Ordering::Equal) => x.is_negative(),
        order => order == Some(Ordering::Less),
    };
    if first_is_smaller == min { a } else { b }
}

fn float_operand(call: &Call<'_>, operand: usize) -> Bits {
    call.float_bits(operand, call.raw(operand), FloatKind::F32)
}

pub(super) fn fmnmx(call: &Call<'_>, results: &mut [Bits]) -> Option<()> {
    let pair = [float_operand(call, 0), float_operand(call, 1)];
    results[0] = extremum(call, pair, FloatKind::F32, call.predicate(2));
    Some(())
}

pub(super) fn fmnmx3(call: &Call<'_>, results: &mut [Bits]) -> Option<()> {
    let min = call.parameters.extremum? == Extremum::Min;
    let pair = [float_operand(call, 0), float_operand(call, 1)];
    let two = extremum(call, pair, FloatKind::F32, min);
    results[0] = extremum(call, [two, float_operand(call, 2)], FloatKind::F32, min);
    Some(())
}

/// Selects one of two floats; a NaN keeps its payload.
pub(super) fn fsel(call: &Call<'_>, results: &mut [Bits]) -> Option<()> {
    results[0] = float_operand(call, if call.predicate(2) { 0 } else { 1 });
    Some(())
}

/// Whether the fast path of a division could lose precision: true unless both operands are normal,
/// and quotient and remainder are well inside the range of the format. ptxas then branches to the
/// slow path, which is correct for all operands.
pub(super) fn fchk(call: &Call<'_>, results: &mut [Bits]) -> Option<()> {
    let field = |operand: usize| (call.word(operand) >> 23 & 0xFF).cast_signed();
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
