//! Quotients, reciprocals and square roots of floats.
//!
//! The common path is the same as in ptxas: an approximation of the transcendental unit, refined by
//! Newton's method and an exact residual from a fused multiply-add. If exponents are extreme, or
//! the result is not rounded to nearest, a routine of the module is called, whose body
//! [`float_exact`](super::float_exact) emits.

use orison_ir::Value;
use orison_ori::Register;
use orison_ori::operations as ori;

use super::super::emitter::Emitter;
use super::super::routines::{Format, Routine};
use super::emit::{FloatMode, ROUNDINGS, absolute, negative, table};
use super::float_approximate::{quotient, reciprocal, root};
use super::float_exact::Wanted;
use super::float_newton::{double_root, guess, refined_inverse_root, refined_reciprocal};
use super::modifiers::Words;
use crate::ptx::ast::Expression;

const R: Register = Register::R;
const R64: Register = Register::R64;
const NEAREST: FloatMode = FloatMode::NEAREST;

/// The precision of an instruction.
enum Manner {
    /// Approximate; `true` over the whole range.
    Approximate(bool),
    /// With this rounding.
    Rounded(Option<&'static str>),
}

fn manner(words: &mut Words<'_>) -> Option<Manner> {
    if words.take(".approx") {
        return Some(Manner::Approximate(false));
    }
    if words.take(".full") {
        return Some(Manner::Approximate(true));
    }
    words.translated(&ROUNDINGS).map(Manner::Rounded)
}

/// `div`, `rcp` and `sqrt` of 32-bit floats.
pub(super) fn single<'a>(
    emitter: &mut Emitter<'_, 'a>,
    name: &str,
    words: &mut Words<'_>,
    sources: &[Expression<'a>],
) -> Option<Value> {
    let manner = manner(words)?;
    let ftz = words.take(".ftz");
    words.done()?;
    let values: Option<Vec<_>> = sources.iter().map(|each| emitter.source(each, R)).collect();
    let values = values?;
    match manner {
        Manner::Approximate(full) => Some(match (name, ftz, values.as_slice()) {
            ("div", _, [a, b]) => quotient(emitter, full, ftz, *a, *b),
            ("rcp", true, [a]) => emitter.elementary("rcp", *a),
            ("rcp", false, [a]) => reciprocal(emitter, *a),
            ("sqrt", true, [a]) => emitter.elementary("sqrt", *a),
            ("sqrt", false, [a]) => root(emitter, *a),
            _ => return None,
        }),
        Manner::Rounded(rounding) => {
            let values: Vec<_> = values
                .into_iter()
                .map(|value| if ftz { flushed(emitter, value) } else { value })
                .collect();
            let wanted = match (name, values.as_slice()) {
                ("div", [a, b]) => Wanted::Quotient(*a, *b),
                ("rcp", [a]) => {
                    let one = emitter.float_of(1.0);
                    Wanted::Quotient(one, *a)
                }
                ("sqrt", [a]) => Wanted::Root(*a),
                _ => return None,
            };
            let value = rounded_single(emitter, name, wanted, rounding)?;
            Some(if ftz { flushed(emitter, value) } else { value })
        }
    }
}

/// A float; a denormal is flushed to a zero of its sign.
fn flushed(emitter: &mut Emitter<'_, '_>, value: Value) -> Value {
    let minus_zero = emitter.float_of(-0.0);
    emitter.fadd(FloatMode::FTZ, value, minus_zero)
}

/// The quotient or root of any floats, rounded to nearest or as specified, by a routine.
fn exact(
    emitter: &mut Emitter<'_, '_>,
    format: Format,
    wanted: Wanted,
    rounding: Option<&'static str>,
) -> Value {
    match wanted {
        Wanted::Quotient(a, b) => emitter.routine(Routine::Quotient(format, rounding), &[a, b]),
        Wanted::Root(a) => emitter.routine(Routine::Root(format, rounding), &[a]),
    }
}

fn rounded_single(
    emitter: &mut Emitter<'_, '_>,
    name: &str,
    wanted: Wanted,
    rounding: Option<&'static str>,
) -> Option<Value> {
    if rounding.is_some() {
        return Some(exact(emitter, Format::Single, wanted, rounding));
    }
    let (rare, common) = match (name, wanted) {
        ("div", Wanted::Quotient(a, b)) => {
            let sources = [a.into(), b.into()];
            let rare = emitter.compute(ori::Fchk::NAME, &sources, &[], &[], Register::P);
            (rare, single_quotient(emitter, a, b))
        }
        (_, Wanted::Quotient(_, b)) => single_reciprocal(emitter, b),
        (_, Wanted::Root(a)) => single_root(emitter, a),
    };
    emitter.rarely(rare, common, R, |emitter| {
        exact(emitter, Format::Single, wanted, None)
    })
}

fn single_quotient(emitter: &mut Emitter<'_, '_>, a: Value, b: Value) -> Value {
    let (one, zero) = (emitter.float_of(1.0), emitter.float_of(0.0));
    let guess = emitter.elementary("rcp", b);
    let error = emitter.ffma(NEAREST, negative(b), guess, one);
    let inverse = emitter.ffma(NEAREST, guess, error, guess);
    let quotient = emitter.ffma(NEAREST, a, inverse, zero);
    let residual = emitter.ffma(NEAREST, negative(b), quotient, a);
    emitter.ffma(NEAREST, inverse, residual, quotient)
}

/// Whether the exponent is extreme, and the reciprocal if it is not.
fn single_reciprocal(emitter: &mut Emitter<'_, '_>, b: Value) -> (Value, Value) {
    let shift = emitter.word_of(0x0180_0000);
    let moved = emitter.plus(b, shift);
    let exponent = emitter.masked(moved, 0x7f80_0000);
    let bound = emitter.word_of(0x01ff_ffff);
    let rare = emitter.compared("le", false, exponent, bound);
    let minus_one = emitter.float_of(-1.0);
    let guess = emitter.elementary("rcp", b);
    let error = emitter.ffma(NEAREST, b, guess, minus_one);
    let value = emitter.ffma(NEAREST, guess, negative(error), guess);
    (rare, value)
}

/// Whether the exponent is extreme, and the root if it is not.
fn single_root(emitter: &mut Emitter<'_, '_>, a: Value) -> (Value, Value) {
    let shift = emitter.word_of(-0x0d00_0000);
    let moved = emitter.plus(a, shift);
    let bound = emitter.word_of(0x727f_ffff);
    let rare = emitter.compared("gt", false, moved, bound);
    let guess = emitter.elementary("rsq", a);
    let half = emitter.float_of(0.5);
    let root = emitter.fmul(FloatMode::FTZ, a, guess);
    let half = emitter.fmul(FloatMode::FTZ, guess, half);
    let residual = emitter.ffma(NEAREST, negative(root), root, a);
    let value = emitter.ffma(NEAREST, residual, half, root);
    (rare, value)
}

/// `div`, `rcp`, `sqrt` and `rsqrt` of 64-bit floats.
pub(super) fn double<'a>(
    emitter: &mut Emitter<'_, 'a>,
    name: &str,
    words: &mut Words<'_>,
    sources: &[Expression<'a>],
) -> Option<Value> {
    let manner = manner(words)?;
    let ftz = words.take(".ftz");
    words.done()?;
    let values: Option<Vec<_>> = sources
        .iter()
        .map(|each| emitter.source(each, R64))
        .collect();
    let values = values?;
    let rounding = match (manner, name, values.as_slice()) {
        (Manner::Approximate(false), "rcp" | "rsqrt", [a]) if ftz => {
            let function = if name == "rcp" { "rcp64h" } else { "rsq64h" };
            let high = emitter.word(*a, 1);
            let high = emitter.elementary(function, high);
            let zero = emitter.word_of(0);
            return Some(emitter.concat(&[zero, high]));
        }
        (Manner::Approximate(false), "rsqrt", [a]) => return Some(inverse_root(emitter, *a)),
        (Manner::Rounded(rounding), ..) if !ftz => rounding,
        _ => return None,
    };
    let wanted = match (name, values.as_slice()) {
        ("div", [a, b]) => Wanted::Quotient(*a, *b),
        ("rcp", [a]) => {
            let one = emitter.double_of(1.0);
            Wanted::Quotient(one, *a)
        }
        ("sqrt", [a]) => Wanted::Root(*a),
        _ => return None,
    };
    if rounding.is_some() {
        return Some(exact(emitter, Format::Double, wanted, rounding));
    }
    let (rare, common) = match (name, wanted) {
        ("div", Wanted::Quotient(a, b)) => double_quotient(emitter, a, b),
        (_, Wanted::Quotient(_, b)) => double_reciprocal(emitter, b),
        (_, Wanted::Root(a)) => {
            let high = emitter.word(a, 1);
            let shift = emitter.word_of(-0x0350_0000);
            let moved = emitter.plus(high, shift);
            let bound = emitter.word_of(0x7ca0_0000);
            let rare = emitter.compared("ge", false, moved, bound);
            (rare, double_root(emitter, a, moved).0)
        }
    };
    emitter.rarely(rare, common, R64, |emitter| {
        exact(emitter, Format::Double, wanted, None)
    })
}

/// Whether the absolute value of 32 bits, read as a float, is below a bound given as bits.
fn is_below(emitter: &mut Emitter<'_, '_>, word: Value, bits: i32, how: &str) -> Value {
    let bound = emitter.word_of(bits);
    emitter.compared_floats(how, false, absolute(word), bound)
}

fn double_quotient(emitter: &mut Emitter<'_, '_>, a: Value, b: Value) -> (Value, Value) {
    let one = emitter.word_of(1);
    let first = guess(emitter, "rcp64h", b, one);
    let inverse = refined_reciprocal(emitter, b, first);
    let quotient = emitter.dmul(a, inverse);
    let residual = emitter.dfma(NEAREST, negative(b), quotient, a);
    let value = emitter.dfma(NEAREST, inverse, residual, quotient);
    let (a_high, b_high, high) = (
        emitter.word(a, 1),
        emitter.word(b, 1),
        emitter.word(value, 1),
    );
    // The exponent fields compared as 32-bit floats: an extreme divisor makes the quotient NaN.
    let zero = emitter.word_of(0);
    let checked = emitter.ffma(NEAREST, zero, b_high, high);
    let small_dividend = is_below(emitter, a_high, 0x0360_0000, "lt");
    let small_quotient = is_below(emitter, checked, 0x0010_0000, "leu");
    let rare = emitter.predicates2(table::OR, small_dividend, small_quotient);
    let ones = is_all_ones(emitter, b);
    (emitter.predicates2(table::OR, rare, ones), value)
}

fn double_reciprocal(emitter: &mut Emitter<'_, '_>, b: Value) -> (Value, Value) {
    let high = emitter.word(b, 1);
    let shift = emitter.word_of(0x0030_0402);
    let low = emitter.plus(high, shift);
    let rare = is_below(emitter, low, 0x0040_0402, "lt");
    let first = guess(emitter, "rcp64h", b, low);
    let ones = is_all_ones(emitter, b);
    let rare = emitter.predicates2(table::OR, rare, ones);
    (rare, refined_reciprocal(emitter, b, first))
}

/// Whether all bits of the significand of a double are set: the reciprocal is then correctly
/// rounded only with an initial guess that is too large, which the unit does not guarantee.
fn is_all_ones(emitter: &mut Emitter<'_, '_>, value: Value) -> Value {
    let (low, high) = (emitter.word(value, 0), emitter.word(value, 1));
    let (exponent, ones) = (
        emitter.word_of(0xfff0_0000_u32.cast_signed()),
        emitter.word_of(-1),
    );
    let high = emitter.logic2(table::OR, high, exponent);
    let both = emitter.logic2(table::AND, low, high);
    emitter.compared("eq", false, both, ones)
}

/// The approximate inverse root of any double: denormals are scaled; zeros and infinities give the
/// unit's result for their high halves.
fn inverse_root(emitter: &mut Emitter<'_, '_>, a: Value) -> Value {
    let (zero, high) = (emitter.word_of(0), emitter.word(a, 1));
    let least = emitter.word_of(0x0010_0000);
    let magnitude = emitter.masked(high, i32::MAX);
    let normal = emitter.compared("ge", false, magnitude, least);
    // 2^54, and 2^27.
    let (scale, back) = (
        emitter.double_of(18_014_398_509_481_984.0),
        emitter.double_of(134_217_728.0),
    );
    let scaled = emitter.dmul(a, scale);
    let scaled = emitter.chosen_pair(normal, a, scaled);
    let first = guess(emitter, "rsq64h", scaled, zero);
    let refined = refined_inverse_root(emitter, scaled, first);
    let restored = emitter.dmul(refined, back);
    let value = emitter.chosen_pair(normal, refined, restored);
    let (low, bound) = (emitter.word(a, 0), emitter.word_of(0x7ff0_0000));
    let any = emitter.logic2(table::OR, magnitude, low);
    let some = emitter.compared("ne", false, any, zero);
    let finite = emitter.compared("lt", false, magnitude, bound);
    let both = emitter.predicates2(table::AND, some, finite);
    emitter.chosen_pair(both, value, first)
}
