//! Floats.

use orison_host::arith::{FastMath, FloatPredicate, RoundingMode};
use orison_ir::numbers::{Direction, Float, FloatKind};

use super::Scalar;
use crate::Datum;

/// The results of an operation on two floats; `None` if it does not apply to these float types.
pub(super) fn binary(scalar: &Scalar, name: &str, a: Float, b: Float) -> Option<Vec<Datum>> {
    if let "scaling_extf" | "scaling_truncf" = name {
        return scale(scalar, name, a, b).map(|value| vec![assumed(scalar, &[a], value)]);
    }
    if a.kind() != b.kind() {
        return None;
    }
    if name == "cmpf" {
        let predicate = FloatPredicate::from_number(scalar.predicate?)?;
        if breaks_assumption(scalar, a) || breaks_assumption(scalar, b) {
            return Some(vec![Datum::Poison]);
        }
        return Some(vec![Datum::bool(predicate.holds(a, b))]);
    }
    let value = match name {
        "addf" => a.plus(b),
        "subf" => a.minus(b),
        "mulf" => a.times(b),
        "divf" => a.divided_by(b),
        "remf" => a.remainder(b),
        "maximumf" => a.maximum(b),
        "minimumf" => a.minimum(b),
        "maxnumf" => a.maximum_number(b),
        "minnumf" => a.minimum_number(b),
        _ => return None,
    };
    Some(vec![assumed(scalar, &[a, b], value)])
}

/// A result; poison if an operand or the result violates a fast-math assumption. The other
/// assumptions permit other results; this one is always among those permitted.
pub(super) fn assumed(scalar: &Scalar, operands: &[Float], result: Float) -> Datum {
    let mut all = operands.iter().chain([&result]);
    if all.any(|value| breaks_assumption(scalar, *value)) {
        Datum::Poison
    } else {
        Datum::Float(result)
    }
}

fn breaks_assumption(scalar: &Scalar, value: Float) -> bool {
    value.is_nan() && scalar.fast_math.contains(FastMath::NNAN)
        || value.is_infinite() && scalar.fast_math.contains(FastMath::NINF)
}

/// Multiplies or divides by a power of two: the exponent of the scale.
fn scale(scalar: &Scalar, name: &str, value: Float, scale: Float) -> Option<Float> {
    let kind = scalar.kind?;
    let power = scale.convert(FloatKind::F8E8M0FNU);
    Some(if name == "scaling_extf" {
        value.convert(kind).times(power.convert(kind))
    } else {
        let divided = value.divided_by(power.convert(value.kind()));
        rounded(divided, kind, scalar.rounding)?
    })
}

/// A value rounded to a kind; `None` for an unknown rounding mode.
pub(super) fn rounded(value: Float, kind: FloatKind, mode: Option<i64>) -> Option<Float> {
    let mode = mode.map_or(Some(RoundingMode::ToNearestEven), RoundingMode::from_number)?;
    let direction = match mode {
        RoundingMode::ToNearestEven => Direction::NearestEven,
        RoundingMode::ToNearestAway => Direction::NearestAway,
        RoundingMode::TowardZero => Direction::Zero,
        RoundingMode::Downward => Direction::Down,
        RoundingMode::Upward => Direction::Up,
    };
    Some(value.round(kind, direction))
}
