//! Quotients and remainders of integers.
//!
//! The same expansion as in ptxas: the reciprocal of the divisor, rounded so that it is never too
//! large, is refined to full width by Newton's method in integers; the resulting quotient is too
//! small by at most two, which the remainder corrects. A divisor of zero gives ones.

use orison_ir::Value;
use orison_ori::Register;
use orison_ori::analyses::properties::immediate;
use orison_ori::division::{Division, by_constant};
use orison_ori::operations as ori;

use super::super::emitter::Emitter;
use super::super::routines::Routine;
use super::emit::{negative, table};
use super::integer::{Integer, high_pair};
use super::modifiers::Words;
use crate::ptx::ast::Instruction;

const R: Register = Register::R;
const R64: Register = Register::R64;

/// Selects `div` and `rem` of integers.
pub(super) fn select<'a>(
    emitter: &mut Emitter<'_, 'a>,
    instruction: &Instruction<'a>,
) -> Option<()> {
    let [destination, a, b] = instruction.operands.as_slice() else {
        return None;
    };
    let mut words = Words::of(instruction);
    let ty = Integer::of(words.last()?)?;
    words.done()?;
    let (a, b) = (emitter.integer(a, ty)?, emitter.integer(b, ty)?);
    let remainder = instruction.name == "rem";
    (emitter.kind(destination) == Some(ty.register())).then_some(())?;
    if let Some(value) = divide_by_constant(emitter, ty, a, b, remainder) {
        return emitter.write(destination, value);
    }
    let value = if ty.bits == 64 {
        let signed = ty.signed;
        emitter.routine(Routine::Divide { signed, remainder }, &[a, b])
    } else {
        divide_words(emitter, ty.signed, a, b, remainder)
    };
    emitter.write(destination, value)
}

/// Division by a constant other than zero: products and shifts.
fn divide_by_constant(
    emitter: &mut Emitter<'_, '_>,
    ty: Integer,
    a: Value,
    b: Value,
    remainder: bool,
) -> Option<Value> {
    let divisor = immediate(emitter.context(), b)?;
    let division = Division {
        bits: ty.bits.max(32),
        signed: ty.signed,
        remainder,
    };
    let location = emitter.location;
    by_constant(&mut emitter.builder, location, a, divisor, division)
}

/// The absolute values of signed integers; unsigned ones unchanged.
fn magnitudes(emitter: &mut Emitter<'_, '_>, ty: Integer, a: Value, b: Value) -> [Value; 2] {
    [a, b].map(|value| {
        if ty.signed {
            emitter.magnitude(ty, value)
        } else {
            value
        }
    })
}

/// Applies the sign to a quotient or remainder of magnitudes: that of both operands combined, or of
/// the dividend.
fn with_sign(
    emitter: &mut Emitter<'_, '_>,
    ty: Integer,
    value: Value,
    [a, b]: [Value; 2],
    remainder: bool,
) -> Value {
    if !ty.signed {
        return value;
    }
    let top = ty.bits / 32 - 1;
    let (a, b) = (emitter.word(a, top), emitter.word(b, top));
    let sign = if remainder {
        a
    } else {
        emitter.logic2(table::XOR, a, b)
    };
    let zero = emitter.word_of(0);
    let is_negative = emitter.compared("lt", true, sign, zero);
    let negated = emitter.negated(ty, value);
    emitter.either(ty, is_negative, negated, value)
}

/// A quotient or remainder of unsigned 32-bit values.
pub(super) fn unsigned_words(
    emitter: &mut Emitter<'_, '_>,
    a: Value,
    b: Value,
    remainder: bool,
) -> Value {
    divide_words(emitter, false, a, b, remainder)
}

/// A quotient or remainder of 32-bit values.
fn divide_words(
    emitter: &mut Emitter<'_, '_>,
    signed: bool,
    a: Value,
    b: Value,
    remainder: bool,
) -> Value {
    let ty = Integer { bits: 32, signed };
    let [dividend, divisor] = magnitudes(emitter, ty, a, b);
    let zero = emitter.word_of(0);
    let words = [("to", "f32"), ("from", "u32"), ("rounding", "rp")];
    let float = emitter.compute(ori::I2f::NAME, &[divisor.into()], &words, &[], R);
    let reciprocal = emitter.elementary("rcp", float);
    // Times 2^32, minus two units in the last place: 0x10000000 would be the whole.
    let scale = emitter.word_of(0x0fff_fffe);
    let scaled = emitter.plus(reciprocal, scale);
    let words = [
        ("to", "u32"),
        ("from", "f32"),
        ("integer_rounding", "trunc"),
    ];
    let flags = ["ftz", "nan_is_zero"];
    let guess = emitter.compute(ori::F2i::NAME, &[scaled.into()], &words, &flags, R);
    let minus = emitter.plus(zero, negative(guess));
    let error = emitter.multiply(minus, divisor, zero);
    let whole = emitter.concat(&[zero, guess]);
    let inverse = emitter.multiply_high(guess, error, whole, false);
    let none = emitter.immediate(0, R64);
    let mut quotient = emitter.multiply_high(inverse, dividend, none, false);
    let minus = emitter.plus(zero, negative(quotient));
    let mut rest = emitter.multiply(minus, divisor, dividend);
    let one = emitter.word_of(1);
    for _ in 0..2 {
        let more = emitter.compared("ge", false, rest, divisor);
        if !remainder {
            let next = emitter.plus(quotient, one);
            quotient = emitter.chosen(more, next, quotient);
        }
        let less = emitter.plus(rest, negative(divisor));
        rest = emitter.chosen(more, less, rest);
    }
    let value = if remainder { rest } else { quotient };
    let value = with_sign(emitter, ty, value, [a, b], remainder);
    // If the divisor is zero: its bits inverted.
    let ones = emitter.logic2(table::NOT, b, zero);
    let is_zero = emitter.compared("eq", false, b, zero);
    emitter.chosen(is_zero, ones, value)
}

/// A quotient or remainder of pairs, computed in 32 bits if both fit: the body of a routine.
pub(in super::super) fn divide_pairs(
    emitter: &mut Emitter<'_, '_>,
    signed: bool,
    a: Value,
    b: Value,
    remainder: bool,
) -> Option<Value> {
    let (a_low, a_high) = (emitter.word(a, 0), emitter.word(a, 1));
    let (b_low, b_high) = (emitter.word(b, 0), emitter.word(b, 1));
    let zero = emitter.word_of(0);
    let high = emitter.logic2(table::OR, a_high, b_high);
    // A divisor with a zero low half takes the wide path, which handles division by zero.
    let wide = emitter.compared("ne", false, high, zero);
    let none = emitter.compared("eq", false, b_low, zero);
    let wide = emitter.predicates2(table::OR, wide, none);
    let narrow = divide_words(emitter, false, a_low, b_low, remainder);
    let narrow = emitter.concat(&[narrow, zero]);
    emitter.rarely(wide, narrow, R64, |emitter| {
        divide_wide(emitter, signed, a, b, remainder)
    })
}

/// A quotient or remainder of any pairs.
fn divide_wide(
    emitter: &mut Emitter<'_, '_>,
    signed: bool,
    a: Value,
    b: Value,
    remainder: bool,
) -> Value {
    let ty = Integer { bits: 64, signed };
    let unsigned = Integer {
        signed: false,
        ..ty
    };
    let [dividend, divisor] = magnitudes(emitter, ty, a, b);
    let words = [("to", "f32"), ("from", "u64"), ("rounding", "rp")];
    let float = emitter.compute(ori::I2f::NAME, &[divisor.into()], &words, &["double"], R);
    let reciprocal = emitter.elementary("rcp", float);
    // Times 2^64, minus two units in the last place.
    let scale = emitter.word_of(0x1fff_fffe);
    let scaled = emitter.plus(reciprocal, scale);
    let words = [
        ("to", "u64"),
        ("from", "f32"),
        ("integer_rounding", "trunc"),
    ];
    let mut inverse = emitter.compute(ori::F2i::NAME, &[scaled.into()], &words, &["double"], R64);
    let none = emitter.immediate(0, R64);
    for _ in 0..2 {
        let product = emitter.multiply_wide(inverse, divisor, none);
        let error = emitter.add_wide(none, product, true);
        let step = high_pair(emitter, inverse, error, false);
        inverse = emitter.add_wide(inverse, step, false);
    }
    let mut quotient = high_pair(emitter, dividend, inverse, false);
    let product = emitter.multiply_wide(quotient, divisor, none);
    let mut rest = emitter.add_wide(dividend, product, true);
    let one = emitter.immediate(1, R64);
    for _ in 0..2 {
        let more = emitter.is("ge", unsigned, rest, divisor);
        let next = emitter.add_wide(quotient, one, false);
        quotient = emitter.chosen_pair(more, next, quotient);
        let less = emitter.add_wide(rest, divisor, true);
        rest = emitter.chosen_pair(more, less, rest);
    }
    let value = if remainder { rest } else { quotient };
    let value = with_sign(emitter, ty, value, [a, b], remainder);
    let missing = emitter.is("eq", unsigned, b, none);
    let ones = emitter.immediate(-1, R64);
    emitter.chosen_pair(missing, ones, value)
}
