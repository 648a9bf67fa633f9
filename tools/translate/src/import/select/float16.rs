//! 16-bit floats, scalar or in pairs.

use orison_ir::Value;
use orison_ori::Register;
use orison_ori::modifiers::Modifier;
use orison_ori::operations as ori;

use super::super::emitter::Emitter;
use super::emit::{Source, mode_of, table};
use super::modifiers::{Extremum, Words};
use crate::ptx::ast::Expression;

const R: Register = Register::R;

/// A half as a 32-bit float, which is exact.
pub(super) fn as_float(emitter: &mut Emitter<'_, '_>, format: &str, half: Value) -> Value {
    if format == "bf16" {
        let amount = emitter.word_of(16);
        return emitter.left(half, amount);
    }
    let zero = emitter.word_of(0);
    // Added to negative zero, so that the sign of a zero is kept.
    let sources = [
        Source {
            value: zero,
            modifiers: &[Modifier::Negate],
        },
        Source {
            value: half,
            modifiers: &[Modifier::LowHalf],
        },
    ];
    emitter.compute(ori::Hadd2F32::NAME, &sources, &[("from", "f16")], &[], R)
}

/// A 32-bit float as a half, zero-extended.
pub(super) fn as_half(emitter: &mut Emitter<'_, '_>, format: &str, value: Value) -> Value {
    let zero = emitter.word_of(0);
    let words = [("to", format), ("from", "f32")];
    emitter.compute(
        ori::F2fp::NAME,
        &[zero.into(), value.into()],
        &words,
        &[],
        R,
    )
}

/// The modifiers of a source of an operation on halves.
fn modifiers(alone: bool, negated: bool, magnitude: bool) -> &'static [Modifier] {
    use Modifier::{Absolute, LowHalf, Negate};
    match (alone, negated, magnitude) {
        (false, false, false) => &[],
        (false, true, false) => &[Negate],
        (false, false, true) => &[Absolute],
        (false, true, true) => &[Negate, Absolute],
        (true, false, false) => &[LowHalf],
        (true, true, false) => &[Negate, LowHalf],
        (true, false, true) => &[Absolute, LowHalf],
        (true, true, true) => &[Negate, Absolute, LowHalf],
    }
}

/// The result of an instruction on halves.
pub(super) fn value<'a>(
    emitter: &mut Emitter<'_, 'a>,
    name: &str,
    ty: &str,
    words: &mut Words<'_>,
    sources: &[Expression<'a>],
) -> Option<Value> {
    let format = ty[1..].trim_end_matches("x2");
    let alone = !ty.ends_with("x2");
    let values: Option<Vec<_>> = sources.iter().map(|each| emitter.source(each, R)).collect();
    let values = values?;
    match (name, values.as_slice()) {
        ("min" | "max", [a, b]) => {
            return extremum(emitter, name == "min", format, alone, words, [*a, *b]);
        }
        ("ex2" | "tanh", [a]) => {
            words.take(".approx").then_some(())?;
            words.take(".ftz");
            return Some(elementary(emitter, name, format, alone, *a));
        }
        _ => {}
    }
    let mode = mode_of(words);
    mode.rounding.is_none().then_some(())?;
    let relu = words.take(".relu");
    let read = |value: Value, negated: bool| Source {
        value,
        modifiers: modifiers(alone, negated, false),
    };
    // The sum of a number and negative zero is the number.
    let none = emitter.word_of(0);
    let none = Source {
        value: none,
        modifiers: &[Modifier::Negate],
    };
    let (op, sources) = match (name, values.as_slice()) {
        ("add", [a, b]) => (ori::Hadd2::NAME, vec![read(*a, false), read(*b, false)]),
        ("sub", [a, b]) => (ori::Hadd2::NAME, vec![read(*a, false), read(*b, true)]),
        ("mul", [a, b]) => (ori::Hmul2::NAME, vec![read(*a, false), read(*b, false)]),
        ("neg", [a]) => (ori::Hadd2::NAME, vec![read(*a, true), none]),
        ("abs", [a]) => {
            let a = Source {
                value: *a,
                modifiers: modifiers(alone, false, true),
            };
            (ori::Hadd2::NAME, vec![a, none])
        }
        ("fma", [a, b, c]) => {
            let all = [*a, *b, *c].map(|value| read(value, false));
            (ori::Hfma2::NAME, all.to_vec())
        }
        _ => return None,
    };
    (!relu || name == "fma").then_some(())?;
    let flags: Vec<_> = [
        (mode.ftz, "ftz"),
        (mode.saturate, "saturate"),
        (relu, "relu"),
    ]
    .into_iter()
    .filter_map(|(is, flag)| is.then_some(flag))
    .collect();
    Some(emitter.compute(op, &sources, &[("from", format)], &flags, R))
}

fn extremum(
    emitter: &mut Emitter<'_, '_>,
    smaller: bool,
    format: &str,
    alone: bool,
    words: &mut Words<'_>,
    [a, b]: [Value; 2],
) -> Option<Value> {
    let Extremum {
        flags,
        signs,
        magnitudes,
    } = Extremum::take(words);
    (signs == magnitudes).then_some(())?;
    let choice = emitter.truth(smaller);
    let read = |value: Value| Source {
        value,
        modifiers: modifiers(alone, false, magnitudes),
    };
    let sources = [("a", read(a)), ("b", read(b)), ("choice", choice.into())];
    let op = emitter.operation(ori::Hmnmx2::NAME, &sources, &[("from", format)]);
    let op = flags.iter().fold(op.result(R), |op, flag| op.flag(flag));
    let value = emitter.emit(op);
    if !signs {
        return Some(value);
    }
    let mask = emitter.word_of(0x7fff_7fff);
    let sign = emitter.logic2(table::XOR, a, b);
    Some(emitter.logic(table::CHOOSE, value, mask, sign))
}

/// Functions of halves, computed in 32-bit floats.
fn elementary(
    emitter: &mut Emitter<'_, '_>,
    function: &str,
    format: &str,
    alone: bool,
    a: Value,
) -> Value {
    let one = |emitter: &mut Emitter<'_, '_>, half: Value| {
        let wide = as_float(emitter, format, half);
        let value = emitter.elementary(function, wide);
        as_half(emitter, format, value)
    };
    let low = one(emitter, a);
    if alone {
        return low;
    }
    let upper = emitter.bytes(a, 0x4432);
    let high = one(emitter, upper);
    emitter.packed(low, high)
}

/// The sum or an extremum of two pairs of halves, for atomic operations.
pub(super) fn combined(
    emitter: &mut Emitter<'_, '_>,
    operation: &str,
    format: &str,
    a: Value,
    b: Value,
) -> Value {
    let words = [("from", format)];
    if operation == "add" {
        return emitter.compute(ori::Hadd2::NAME, &[a.into(), b.into()], &words, &[], R);
    }
    let choice = emitter.truth(operation == "min");
    let sources = [("a", a.into()), ("b", b.into()), ("choice", choice.into())];
    let op = emitter.operation(ori::Hmnmx2::NAME, &sources, &words);
    emitter.emit(op.result(R))
}
