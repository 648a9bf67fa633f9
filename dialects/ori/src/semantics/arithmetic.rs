//! Arithmetic of float formats on encodings, as the machine does it.
//!
//! Exact values and their rounding are in `orison_ir::numbers`; here are the machine's NaN, its
//! flushing of denormals, its extrema and its conversions to integers.

use std::cmp::Ordering;

use orison_ir::numbers::{Direction, Float, FloatKind, Number, Overflow};

use super::Bits;

/// The NaN that operations produce: all bits of exponent and mantissa set, except for doubles,
/// which use the default NaN of IEEE 754 (PTX ISA 9.0, section 9.7.3: the canonical NaN of `f32` is
/// `0x7fffffff`). Formats without NaN use the largest value.
pub fn canonical_nan(kind: FloatKind) -> Bits {
    match kind {
        FloatKind::F64 => 0x7FF8_0000_0000_0000,
        kind => (1 << (kind.width() - u32::from(kind.has_sign()))) - 1,
    }
}

/// The encoding of a number rounded once, with the canonical NaN.
pub fn encoded(value: Number, kind: FloatKind, direction: Direction, overflow: Overflow) -> Bits {
    let float = value.round(kind, direction, overflow);
    if float.is_nan() {
        canonical_nan(kind)
    } else {
        float.bits()
    }
}

/// The encoding of a double rounded to nearest.
pub fn of_host(value: f64, kind: FloatKind) -> Bits {
    let value = Number::decode(FloatKind::F64, value.to_bits().into());
    encoded(value, kind, Direction::NearestEven, Overflow::Ieee)
}

/// The bits of a float; a denormal is replaced by a zero of the same sign.
pub fn flushed(bits: Bits, kind: FloatKind) -> Bits {
    let sign = 1 << (kind.width() - 1);
    let field = bits & (sign - 1) & !((1 << kind.mantissa_bits()) - 1);
    if field == 0 { bits & sign } else { bits }
}

/// The bits of a float, clamped to [0, 1]; NaN and minus zero become zero.
pub(super) fn saturated(bits: Bits, kind: FloatKind) -> Bits {
    let sign = 1 << (kind.width() - 1);
    match Number::decode(kind, bits) {
        Number::Nan => 0,
        _ if bits & sign != 0 => 0,
        _ => bits.min(Float::one(kind).bits()),
    }
}

fn single(bits: Bits) -> f32 {
    f32::from_bits(bits as u32)
}

fn double(bits: Bits) -> f64 {
    f64::from_bits(bits as u64)
}

fn of_single(value: f32) -> Bits {
    if value.is_nan() {
        canonical_nan(FloatKind::F32)
    } else {
        value.to_bits().into()
    }
}

fn of_double(value: f64) -> Bits {
    if value.is_nan() {
        canonical_nan(FloatKind::F64)
    } else {
        value.to_bits().into()
    }
}

/// `a + b`. The host rounds sums and products of floats and doubles to nearest as the machine does,
/// by IEEE 754.
pub fn sum(kind: FloatKind, direction: Direction, [a, b]: [Bits; 2]) -> Bits {
    match (kind, direction) {
        (FloatKind::F32, Direction::NearestEven) => of_single(single(a) + single(b)),
        (FloatKind::F64, Direction::NearestEven) => of_double(double(a) + double(b)),
        _ => {
            let [a, b] = [a, b].map(|bits| Number::decode(kind, bits));
            encoded(a.plus(b, direction), kind, direction, Overflow::Ieee)
        }
    }
}

/// `a * b`.
pub fn product(kind: FloatKind, direction: Direction, [a, b]: [Bits; 2]) -> Bits {
    match (kind, direction) {
        (FloatKind::F32, Direction::NearestEven) => of_single(single(a) * single(b)),
        (FloatKind::F64, Direction::NearestEven) => of_double(double(a) * double(b)),
        _ => {
            let [a, b] = [a, b].map(|bits| Number::decode(kind, bits));
            encoded(a.times(b), kind, direction, Overflow::Ieee)
        }
    }
}

/// `a * b + c`, rounded once.
pub fn fused(kind: FloatKind, direction: Direction, [a, b, c]: [Bits; 3]) -> Bits {
    if (kind, direction) == (FloatKind::F32, Direction::NearestEven) {
        return of_single(single(a).mul_add(single(b), single(c)));
    }
    let [a, b, c] = [a, b, c].map(|bits| Number::decode(kind, bits));
    let sum = a.times(b).plus(c, direction);
    encoded(sum, kind, direction, Overflow::Ieee)
}

/// The order of two floats; `None` if one is NaN.
pub fn compare(kind: FloatKind, [a, b]: [Bits; 2]) -> Option<Ordering> {
    Number::decode(kind, a).compare(Number::decode(kind, b))
}

/// The minimum or maximum of two floats. A NaN operand is ignored unless NaN wins; minus zero is
/// less than zero.
pub fn extremum(kind: FloatKind, [a, b]: [Bits; 2], smaller: bool, nan_wins: bool) -> Bits {
    let (x, y) = (Number::decode(kind, a), Number::decode(kind, b));
    match (x, y) {
        (Number::Nan, Number::Nan) => return canonical_nan(kind),
        (Number::Nan, _) | (_, Number::Nan) if nan_wins => return canonical_nan(kind),
        (Number::Nan, _) => return b,
        (_, Number::Nan) => return a,
        _ => {}
    }
    let first_is_smaller = match x.compare(y) {
        Some(Ordering::Equal) => x.is_negative(),
        order => order == Some(Ordering::Less),
    };
    if first_is_smaller == smaller { a } else { b }
}

/// A number as the nearest integer of a width and signedness in a direction. NaN becomes zero, or
/// the integer with only the highest bit set.
pub fn to_integer(
    value: Number,
    direction: Direction,
    (width, signed): (u32, bool),
    nan_is_zero: bool,
) -> i128 {
    let whole = match value {
        Number::Nan if nan_is_zero => 0,
        Number::Nan => return 1 << (width - 1),
        Number::Infinite { negative: true } => i128::MIN,
        Number::Infinite { negative: false } => i128::MAX,
        Number::Finite(value) => {
            let magnitude = value.to_integer(direction).cast_signed();
            if value.negative {
                -magnitude
            } else {
                magnitude
            }
        }
    };
    clamp(whole, width, signed)
}

/// The nearest representable value of an integer format.
pub(super) fn clamp(value: i128, width: u32, signed: bool) -> i128 {
    let (low, high) = if signed {
        (-(1 << (width - 1)), (1 << (width - 1)) - 1)
    } else {
        (0, (1 << width) - 1)
    };
    value.clamp(low, high)
}
