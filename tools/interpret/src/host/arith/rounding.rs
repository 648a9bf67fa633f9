//! Rounding in all rounding modes.

use std::cmp::Ordering;

use orison_host::arith::RoundingMode;
use orison_ir::numbers::{Float, FloatKind};

/// A value rounded to a narrower kind. `None` for an unknown rounding mode.
///
/// Values beyond the largest finite value that are not rounded toward it are converted by
/// [`Float::convert`].
pub(super) fn round(value: Float, kind: FloatKind, mode: Option<i64>) -> Option<Float> {
    let mode = mode.map_or(Some(RoundingMode::ToNearestEven), RoundingMode::from_number)?;
    let nearest = value.convert(kind);
    let Some(order) = nearest.compare(value) else {
        return Some(nearest);
    };
    let upward = match mode {
        RoundingMode::ToNearestEven => return Some(nearest),
        _ if order.is_eq() => return Some(nearest),
        RoundingMode::Downward => false,
        RoundingMode::Upward => true,
        RoundingMode::TowardZero => value.is_negative(),
        RoundingMode::ToNearestAway => return Some(tie_away(value, nearest, order)),
    };
    Some(match (upward, order) {
        (true, Ordering::Less) | (false, Ordering::Greater) => neighbour(nearest, upward),
        _ => nearest,
    })
}

/// Rounds a tie away from zero.
fn tie_away(value: Float, nearest: Float, order: Ordering) -> Float {
    let other = neighbour(nearest, order.is_lt());
    let farther = other.absolute().compare(nearest.absolute()) == Some(Ordering::Greater);
    // Both differences are multiples of the last bit of `value`, and less than one of `nearest`:
    // they are exact.
    let wide = value.kind();
    let distance = |end: Float| value.minus(end.convert(wide)).absolute();
    if farther && distance(other).compare(distance(nearest)) == Some(Ordering::Equal) {
        other
    } else {
        nearest
    }
}

/// The adjacent value of the same kind, toward positive infinity or toward negative infinity.
fn neighbour(value: Float, upward: bool) -> Float {
    let kind = value.kind();
    if value.is_zero() {
        let smallest = Float::smallest(kind);
        return if upward { smallest } else { smallest.negated() };
    }
    // On either side of zero, encodings increase away from zero.
    let away = upward != value.is_negative();
    let bits = if away {
        value.bits() + 1
    } else {
        value.bits() - 1
    };
    Float::from_bits(kind, bits)
}
