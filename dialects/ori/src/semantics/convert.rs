//! Conversions between number formats.

use orison_ir::numbers::{Direction, Finite, FloatKind, Number, Overflow};

use super::Bits;
use super::arithmetic::{encoded, to_integer};
use super::call::{Call, extend, float_kind, integer_kind, register_bits};
use super::float::{finished, polished};
use crate::keywords::{Format, IntegerRounding};

/// Rounding mode from a float to an integer; to nearest, ties to even, by default.
fn whole_direction(rounding: Option<IntegerRounding>) -> Direction {
    match rounding {
        None | Some(IntegerRounding::Even) => Direction::NearestEven,
        Some(IntegerRounding::Floor) => Direction::Down,
        Some(IntegerRounding::Ceiling) => Direction::Up,
        Some(IntegerRounding::Truncate) => Direction::Zero,
    }
}

fn integer_number(bits: Bits, width: u32, signed: bool) -> Number {
    let value = extend(bits, width, signed);
    Number::Finite(Finite::integer(value < 0, value.unsigned_abs()))
}

pub(super) fn i2f(call: &Call<'_>, results: &mut [Bits]) -> Option<()> {
    let (width, signed) = integer_kind(call.parameters.from?)?;
    let to = float_kind(call.parameters.to.unwrap_or(Format::F32))?;
    results[0] = finished(call, integer_number(call.raw(0), width, signed), to);
    Some(())
}

pub(super) fn f2i(call: &Call<'_>, results: &mut [Bits]) -> Option<()> {
    let from = float_kind(call.parameters.from?)?;
    let (width, signed) = integer_kind(call.parameters.to?)?;
    let direction = whole_direction(call.parameters.integer_rounding);
    let nan_is_zero = call.parameters.nan_is_zero;
    let whole = to_integer(
        call.number(0, from),
        direction,
        (width, signed),
        nan_is_zero,
    );
    results[0] = register_bits(whole, width.max(32));
    Some(())
}

pub(super) fn f2f(call: &Call<'_>, results: &mut [Bits]) -> Option<()> {
    let from = float_kind(call.parameters.from?)?;
    let to = float_kind(call.parameters.to?)?;
    results[0] = finished(call, call.number(0, from), to);
    Some(())
}

/// Rounds to an integral float of the same format; zeros keep the sign of the source.
pub(super) fn frnd(call: &Call<'_>, results: &mut [Bits]) -> Option<()> {
    let kind = float_kind(call.parameters.from?)?;
    let direction = whole_direction(call.parameters.integer_rounding);
    let value = match call.number(0, kind) {
        Number::Finite(value) if !value.is_zero() && value.exponent < 0 => {
            Number::Finite(Finite::integer(value.negative, value.to_integer(direction)))
        }
        other => other,
    };
    let bits = encoded(value, kind, Direction::NearestEven, Overflow::Ieee);
    results[0] = polished(call, bits, kind);
    Some(())
}

/// Converts a float to a narrow format.
fn narrowed(call: &Call<'_>, value: Number, to: FloatKind) -> Bits {
    let parameters = call.parameters;
    let value = match value {
        value if parameters.relu && value.is_negative() => Number::Finite(Finite::zero(false)),
        // Formats without NaN, and `.satfinite` of formats without infinity, clamp to the largest
        // value.
        value => value,
    };
    let overflow = if parameters.satfinite {
        Overflow::Largest
    } else {
        Overflow::Ieee
    };
    encoded(value, to, parameters.direction_of_rounding(), overflow)
}

/// Packs two floats, `a` above `b`; `tf32` uses the whole word for `b`.
pub(super) fn f2fp(call: &Call<'_>, results: &mut [Bits]) -> Option<()> {
    let from = float_kind(call.parameters.from.unwrap_or(Format::F32))?;
    let to = float_kind(call.parameters.to?)?;
    let [high, low] = [0, 1].map(|operand| narrowed(call, call.number(operand, from), to));
    // A tf32 value is in the high bits of a word, like a float.
    results[0] = match to {
        FloatKind::TF32 => low << 13,
        _ => high << packed_width(to) | low,
    };
    Some(())
}

/// Converts two packed narrow floats to a pair of halves.
pub(super) fn f2fp_unpack(call: &Call<'_>, results: &mut [Bits]) -> Option<()> {
    let from = float_kind(call.parameters.from?)?;
    let to = float_kind(call.parameters.to?)?;
    let width = packed_width(from);
    let mask = (1 << from.width()) - 1;
    let [low, high] = [0, width].map(|place| {
        let element = Number::decode(from, call.raw(0) >> place & mask);
        narrowed(call, element, to)
    });
    results[0] = high << 16 | low;
    Some(())
}

/// Width of an element of a packed pair in bits; six-bit formats occupy bytes.
fn packed_width(kind: FloatKind) -> u32 {
    match kind.width() {
        6 => 8,
        width => width,
    }
}

pub(super) fn i2fp(call: &Call<'_>, results: &mut [Bits]) -> Option<()> {
    let (width, signed) = integer_kind(call.parameters.from?)?;
    let value = integer_number(call.raw(0), width, signed);
    results[0] = finished(call, value, FloatKind::F32);
    Some(())
}

/// Converts two floats to packed integers, `a` above `b`; NaN becomes zero.
pub(super) fn f2ip(call: &Call<'_>, results: &mut [Bits]) -> Option<()> {
    let from = float_kind(call.parameters.from?)?;
    let (width, signed) = integer_kind(call.parameters.to?)?;
    if 2 * width > 32 {
        return None;
    }
    let narrow = |operand| {
        let value = call.number(operand, from);
        let whole = to_integer(value, Direction::NearestEven, (width, signed), true);
        register_bits(whole, width)
    };
    results[0] = narrow(0) << width | narrow(1);
    Some(())
}
