//! Pairs of 16-bit floats.

use orison_ir::numbers::{Direction, FloatKind, Number};

use super::Bits;
use super::arithmetic::{extremum, fused, product, sum};
use super::call::{Call, float_kind};
use super::float::{finished, polished};
use crate::keywords::Format;

fn kind_of(call: &Call<'_>) -> Option<FloatKind> {
    float_kind(call.parameters.from.unwrap_or(Format::F16))
}

/// Computes both halves of a word, and applies the flags.
fn pairwise(
    call: &Call<'_>,
    results: &mut [Bits],
    compute: impl Fn([Bits; 3], FloatKind) -> Bits,
) -> Option<()> {
    let kind = kind_of(call)?;
    let sources = [0, 1, 2].map(|operand| call.halves(operand, kind));
    let [low, high] = [0, 1].map(|half| {
        let result = compute(sources.map(|pair| pair[half]), kind);
        polished(call, result, kind)
    });
    results[0] = high << 16 | low;
    Some(())
}

const NEAREST: Direction = Direction::NearestEven;

pub(super) fn hadd2(call: &Call<'_>, results: &mut [Bits]) -> Option<()> {
    pairwise(call, results, |[a, b, _], kind| sum(kind, NEAREST, [a, b]))
}

pub(super) fn hmul2(call: &Call<'_>, results: &mut [Bits]) -> Option<()> {
    pairwise(call, results, |[a, b, _], kind| {
        product(kind, NEAREST, [a, b])
    })
}

pub(super) fn hfma2(call: &Call<'_>, results: &mut [Bits]) -> Option<()> {
    pairwise(call, results, |all, kind| fused(kind, NEAREST, all))
}

/// The sum of the low halves (or those selected by modifiers) as a float.
pub(super) fn hadd2_f32(call: &Call<'_>, results: &mut [Bits]) -> Option<()> {
    let kind = kind_of(call)?;
    let [a, b] = [0, 1].map(|operand| Number::decode(kind, call.halves(operand, kind)[0]));
    results[0] = finished(call, a.plus(b, NEAREST), FloatKind::F32);
    Some(())
}

/// The low half (or that selected by a modifier), plus a float.
pub(super) fn fhadd(call: &Call<'_>, results: &mut [Bits]) -> Option<()> {
    let half = Number::decode(FloatKind::F16, call.halves(0, FloatKind::F16)[0]);
    let sum = half.plus(call.number(1, FloatKind::F32), NEAREST);
    results[0] = finished(call, sum, FloatKind::F32);
    Some(())
}

/// The product of the low halves (or those selected by modifiers), plus a float.
pub(super) fn fhfma(call: &Call<'_>, results: &mut [Bits]) -> Option<()> {
    let kind = FloatKind::F16;
    let [a, b] = [0, 1].map(|operand| Number::decode(kind, call.halves(operand, kind)[0]));
    let sum = a.times(b).plus(call.number(2, FloatKind::F32), NEAREST);
    results[0] = finished(call, sum, FloatKind::F32);
    Some(())
}

/// For both halves, the minimum if the choice holds, else the maximum.
pub(super) fn hmnmx2(call: &Call<'_>, results: &mut [Bits]) -> Option<()> {
    let kind = kind_of(call)?;
    let (a, b) = (call.halves(0, kind), call.halves(1, kind));
    let min = call.predicate(2);
    let nan_wins = call.parameters.nan_wins;
    let [low, high] = [0, 1].map(|half| extremum(kind, [a[half], b[half]], min, nan_wins));
    results[0] = high << 16 | low;
    Some(())
}
