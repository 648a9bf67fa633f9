//! Floats of 32 and 64 bits: sums, products, extrema, signs, elementary functions.

use orison_ir::Value;
use orison_ori::Register;
use orison_ori::modifiers::Modifier;
use orison_ori::operations as ori;

use super::super::emitter::Emitter;
use super::emit::{FloatMode, Source, absolute, compared_doubles, mode_of, negative, table};
use super::float_approximate::{SCALE, is_normal, scaled_unless};
use super::modifiers::{Extremum, Words};
use super::{float_divide, float16};
use crate::ptx::ast::{Expression, Instruction};

const R: Register = Register::R;
const R64: Register = Register::R64;

/// Selects instructions on floats; `None` for those on integers.
pub(super) fn select<'a>(
    emitter: &mut Emitter<'_, 'a>,
    instruction: &Instruction<'a>,
) -> Option<()> {
    let (destination, sources) = instruction.operands.split_first()?;
    let mut words = Words::of(instruction);
    let ty = words.last()?;
    let value = match ty {
        ".f32" => single(emitter, instruction.name, &mut words, sources)?,
        ".f64" => double(emitter, instruction.name, &mut words, sources)?,
        ".f32x2" => pair(emitter, instruction.name, &mut words, sources)?,
        ".f16" | ".bf16" if words.rest().contains(&".f32") => {
            mixed(emitter, instruction.name, &ty[1..], &mut words, sources)?
        }
        ".f16" | ".f16x2" | ".bf16" | ".bf16x2" => {
            float16::value(emitter, instruction.name, ty, &mut words, sources)?
        }
        _ => return None,
    };
    words.done()?;
    emitter.write(destination, value)
}

fn single<'a>(
    emitter: &mut Emitter<'_, 'a>,
    name: &str,
    words: &mut Words<'_>,
    sources: &[Expression<'a>],
) -> Option<Value> {
    match name {
        "min" | "max" => return extremum(emitter, name == "min", words, sources),
        "div" | "rcp" | "sqrt" => {
            return float_divide::single(emitter, name, words, sources);
        }
        _ => {}
    }
    if words.take(".approx") {
        let ftz = words.take(".ftz");
        let [a] = emitter.sources(sources, R)?;
        return elementary(emitter, name, ftz, a);
    }
    let mode = mode_of(words);
    let values: Option<Vec<_>> = sources.iter().map(|each| emitter.source(each, R)).collect();
    // Negative zero, so that the sign of a zero is kept.
    let minus_zero = emitter.float_of(-0.0);
    Some(match (name, values?.as_slice()) {
        ("add", [a, b]) => emitter.fadd(mode, *a, *b),
        ("sub", [a, b]) => emitter.fadd(mode, *a, negative(*b)),
        ("mul", [a, b]) => emitter.fmul(mode, *a, *b),
        ("fma" | "mad", [a, b, c]) => emitter.ffma(mode, *a, *b, *c),
        ("neg", [a]) => emitter.fadd(mode, negative(*a), minus_zero),
        ("abs", [a]) => emitter.fadd(mode, absolute(*a), minus_zero),
        ("copysign", [a, b]) => {
            let sign = emitter.word_of(i32::MIN);
            emitter.logic(table::CHOOSE, *a, sign, *b)
        }
        _ => return None,
    })
}

/// Approximate functions. Without `.ftz`, denormal inputs are scaled, and the result is scaled
/// back.
fn elementary(emitter: &mut Emitter<'_, '_>, name: &str, ftz: bool, a: Value) -> Option<Value> {
    let nearest = FloatMode::NEAREST;
    Some(match (name, ftz) {
        ("sin" | "cos", _) => {
            // The unit expects turns: a times 1/(2 pi).
            let turns = emitter.float_of(std::f32::consts::FRAC_1_PI / 2.0);
            let mode = FloatMode {
                ftz,
                ..nearest.rounded("rz")
            };
            let a = emitter.fmul(mode, a, turns);
            emitter.elementary(name, a)
        }
        ("tanh", _) => emitter.elementary("tanh", a),
        ("ex2", true) => emitter.elementary("ex2", a),
        ("lg2", true) => emitter.elementary("lg2", a),
        ("rsqrt", true) => emitter.elementary("rsq", a),
        ("ex2", false) => {
            // Half the exponent, then the square, if the result is denormal.
            let least = emitter.float_of(-126.0);
            let plain = emitter.compared_floats("geu", false, a, least);
            let a = scaled_unless(emitter, plain, a, 0.5);
            let power = emitter.elementary("ex2", a);
            let square = emitter.fmul(nearest, power, power);
            emitter.chosen(plain, power, square)
        }
        ("lg2", false) => {
            let plain = is_normal(emitter, a);
            let a = scaled_unless(emitter, plain, a, SCALE);
            let logarithm = emitter.elementary("lg2", a);
            let less = emitter.float_of(-24.0);
            let corrected = emitter.fadd(nearest, logarithm, less);
            emitter.chosen(plain, logarithm, corrected)
        }
        ("rsqrt", false) => {
            let plain = is_normal(emitter, a);
            let a = scaled_unless(emitter, plain, a, SCALE);
            let root = emitter.elementary("rsq", a);
            scaled_unless(emitter, plain, root, 4096.0)
        }
        _ => return None,
    })
}

/// The minimum or maximum of two floats, or of three; `.xorsign.abs` compares absolute values and
/// combines the signs in the result.
fn extremum<'a>(
    emitter: &mut Emitter<'_, 'a>,
    smaller: bool,
    words: &mut Words<'_>,
    sources: &[Expression<'a>],
) -> Option<Value> {
    let Extremum {
        flags,
        signs,
        magnitudes,
    } = Extremum::take(words);
    let choice = emitter.truth(smaller);
    let values: Option<Vec<_>> = sources.iter().map(|each| emitter.source(each, R)).collect();
    let read = |value: Value| -> Source {
        if magnitudes || signs {
            absolute(value)
        } else {
            value.into()
        }
    };
    let best = |emitter: &mut Emitter<'_, 'a>, a: Source, b: Source| {
        let sources = [("a", a), ("b", b), ("choice", choice.into())];
        let op = emitter.operation(ori::Fmnmx::NAME, &sources, &[]).result(R);
        let op = flags.iter().fold(op, |op, flag| op.flag(flag));
        emitter.emit(op)
    };
    let (first, values) = values?.split_first().map(|(a, rest)| (*a, rest.to_vec()))?;
    match values.as_slice() {
        [b] => {
            let value = best(emitter, read(first), read(*b));
            if !signs {
                return Some(value);
            }
            let mask = emitter.word_of(i32::MAX);
            let sign = emitter.logic2(table::XOR, first, *b);
            Some(emitter.logic(table::CHOOSE, value, mask, sign))
        }
        [b, c] if !signs => {
            let value = best(emitter, read(first), read(*b));
            Some(best(emitter, value.into(), read(*c)))
        }
        _ => None,
    }
}

fn double<'a>(
    emitter: &mut Emitter<'_, 'a>,
    name: &str,
    words: &mut Words<'_>,
    sources: &[Expression<'a>],
) -> Option<Value> {
    if matches!(name, "div" | "rcp" | "sqrt" | "rsqrt") {
        return float_divide::double(emitter, name, words, sources);
    }
    let mode = mode_of(words);
    let values: Option<Vec<_>> = sources
        .iter()
        .map(|each| emitter.source(each, R64))
        .collect();
    let values = values?;
    let minus_zero = emitter.double_of(-0.0);
    Some(match (name, values.as_slice()) {
        ("add", [a, b]) => emitter.float(ori::Dadd::NAME, mode, &[(*a).into(), (*b).into()], R64),
        ("sub", [a, b]) => emitter.float(ori::Dadd::NAME, mode, &[(*a).into(), negative(*b)], R64),
        ("mul", [a, b]) => emitter.float(ori::Dmul::NAME, mode, &[(*a).into(), (*b).into()], R64),
        ("fma" | "mad", [a, b, c]) => emitter.dfma(mode, *a, *b, *c),
        ("neg", [a]) => emitter.dadd(negative(*a), minus_zero),
        ("abs", [a]) => emitter.dadd(absolute(*a), minus_zero),
        ("copysign", [a, b]) => {
            let (low, high, other) = (
                emitter.word(*a, 0),
                emitter.word(*a, 1),
                emitter.word(*b, 1),
            );
            let sign = emitter.word_of(i32::MIN);
            let high = emitter.logic(table::CHOOSE, other, sign, high);
            emitter.concat(&[low, high])
        }
        ("min" | "max", [a, b]) => extremum_of_doubles(emitter, name == "min", *a, *b),
        _ => return None,
    })
}

/// The minimum or maximum of two doubles: a number wins over NaN, negative zero is below positive
/// zero.
fn extremum_of_doubles(emitter: &mut Emitter<'_, '_>, smaller: bool, a: Value, b: Value) -> Value {
    let before = compared_doubles(emitter, if smaller { "lt" } else { "gt" }, a, b);
    let none = compared_doubles(emitter, "nan", b, b);
    let first = emitter.predicates2(table::OR, before, none);
    let value = emitter.chosen_pair(first, a, b);
    let same = compared_doubles(emitter, "eq", a, b);
    let (low, high) = (emitter.word(value, 0), emitter.word(value, 1));
    let (a_high, b_high) = (emitter.word(a, 1), emitter.word(b, 1));
    let signs = emitter.logic2(if smaller { table::OR } else { table::AND }, a_high, b_high);
    let high = emitter.chosen(same, signs, high);
    emitter.concat(&[low, high])
}

/// Two floats in a pair: both at once if the machine can, else one by one.
fn pair<'a>(
    emitter: &mut Emitter<'_, 'a>,
    name: &str,
    words: &mut Words<'_>,
    sources: &[Expression<'a>],
) -> Option<Value> {
    let mode = mode_of(words);
    (!mode.saturate).then_some(())?;
    let values: Option<Vec<_>> = sources
        .iter()
        .map(|each| emitter.source(each, R64))
        .collect();
    let values = values?;
    Some(match (name, values.as_slice()) {
        ("add", [a, b]) => emitter.float(ori::Fadd2::NAME, mode, &[(*a).into(), (*b).into()], R64),
        ("sub", [a, b]) => emitter.float(ori::Fadd2::NAME, mode, &[(*a).into(), negative(*b)], R64),
        ("mul", [a, b]) => emitter.float(ori::Fmul2::NAME, mode, &[(*a).into(), (*b).into()], R64),
        ("fma", [a, b, c]) => {
            let sources = [(*a).into(), (*b).into(), (*c).into()];
            emitter.float(ori::Ffma2::NAME, mode, &sources, R64)
        }
        _ => return None,
    })
}

/// `add.f32.f16` and similar: halves as sources of a 32-bit float operation.
fn mixed<'a>(
    emitter: &mut Emitter<'_, 'a>,
    name: &str,
    from: &str,
    words: &mut Words<'_>,
    sources: &[Expression<'a>],
) -> Option<Value> {
    words.take(".f32").then_some(())?;
    let mode = mode_of(words);
    let (last, halves) = sources.split_last()?;
    let c = Source::from(emitter.source(last, R)?);
    let halves: Option<Vec<_>> = halves.iter().map(|half| emitter.source(half, R)).collect();
    let halves = halves?;
    let c = if name == "sub" { negative(c.value) } else { c };
    // These operations round to nearest, and read only f16.
    if from == "f16" && mode == FloatMode::default() && emitter.sm() >= 100 {
        let low = |value| Source {
            value,
            modifiers: &[Modifier::LowHalf],
        };
        let mut sources: Vec<_> = halves.iter().copied().map(low).collect();
        sources.push(c);
        let operation = match (name, halves.len()) {
            ("add" | "sub", 1) => ori::Fhadd::NAME,
            ("fma", 2) => ori::Fhfma::NAME,
            _ => return None,
        };
        return Some(emitter.compute(operation, &sources, &[], &[], R));
    }
    let wide = halves
        .into_iter()
        .map(|half| float16::as_float(emitter, from, half));
    let wide: Vec<_> = wide.collect();
    Some(match (name, wide.as_slice()) {
        ("add" | "sub", [a]) => emitter.fadd(mode, *a, c),
        ("fma", [a, b]) => emitter.ffma(mode, *a, *b, c),
        _ => return None,
    })
}

/// Selects `testp`: the class of a float, from its bits.
pub(super) fn select_test<'a>(
    emitter: &mut Emitter<'_, 'a>,
    instruction: &Instruction<'a>,
) -> Option<()> {
    let ([kind, ty], [destination, a]) = (
        instruction.modifiers.as_slice(),
        instruction.operands.as_slice(),
    ) else {
        return None;
    };
    let (low, high, infinite, normal) = match *ty {
        ".f32" => (None, emitter.source(a, R)?, 0x7f80_0000, 0x0080_0000),
        ".f64" => {
            let a = emitter.source(a, R64)?;
            let low = emitter.word(a, 0);
            (Some(low), emitter.word(a, 1), 0x7ff0_0000, 0x0010_0000)
        }
        _ => return None,
    };
    let bits = emitter.masked(high, i32::MAX);
    // A pair is compared as one number; a 32-bit value becomes the high half above zero.
    let low = match low {
        Some(low) => low,
        None => emitter.word_of(0),
    };
    let bits = emitter.concat(&[low, bits]);
    let infinity = emitter.immediate(i64::from(infinite) << 32, R64);
    let least = emitter.immediate(i64::from(normal) << 32, R64);
    let zero = emitter.immediate(0, R64);
    let value = match *kind {
        ".finite" => emitter.compared_pairs("lt", false, bits, infinity),
        ".infinite" => emitter.compared_pairs("eq", false, bits, infinity),
        ".number" => emitter.compared_pairs("le", false, bits, infinity),
        ".notanumber" => emitter.compared_pairs("gt", false, bits, infinity),
        ".normal" => {
            // Zero is included, as in the code that ptxas generates.
            let large = emitter.compared_pairs("ge", false, bits, least);
            let finite = emitter.compared_pairs("lt", false, bits, infinity);
            let both = emitter.predicates2(table::AND, large, finite);
            let none = emitter.compared_pairs("eq", false, bits, zero);
            emitter.predicates2(table::OR, both, none)
        }
        ".subnormal" => {
            let small = emitter.compared_pairs("lt", false, bits, least);
            let some = emitter.compared_pairs("gt", false, bits, zero);
            emitter.predicates2(table::AND, small, some)
        }
        _ => return None,
    };
    emitter.write(destination, value)
}
