//! `cvt`: from one number format to another.

use orison_ir::Value;
use orison_ori::Register;
use orison_ori::operations as ori;

use super::super::emitter::Emitter;
use super::emit::{FloatMode, ROUNDINGS, absolute, table};
use super::float16::{as_float, as_half};
use super::integer::{Integer, extremum_of_words};
use super::modifiers::Words;
use crate::ptx::ast::{Expression, Instruction};

const R: Register = Register::R;
const R64: Register = Register::R64;

/// Rounding and saturation of a conversion.
#[derive(Clone, Copy, Default)]
struct Manner {
    rounding: Option<&'static str>,
    /// Rounding to an integer.
    whole: Option<&'static str>,
    /// To nearest, ties away from zero.
    away: bool,
    ftz: bool,
    saturate: bool,
    relu: bool,
    finite: bool,
}

const WHOLE: [(&str, &str); 4] = [
    (".rni", "round"),
    (".rzi", "trunc"),
    (".rmi", "floor"),
    (".rpi", "ceil"),
];

impl Manner {
    fn of(words: &mut Words<'_>) -> Self {
        Manner {
            whole: words.translated(&WHOLE),
            rounding: words.translated(&ROUNDINGS).flatten(),
            away: words.take(".rna"),
            ftz: words.take(".ftz"),
            saturate: words.take(".sat"),
            relu: words.take(".relu"),
            finite: words.take(".satfinite"),
        }
    }
}

/// A scalar type of PTX.
#[derive(Clone, Copy)]
enum Scalar {
    Integer(Integer),
    Float(&'static str),
}

impl Scalar {
    fn of(word: &str) -> Option<Self> {
        let floats = [
            (".f16", "f16"),
            (".bf16", "bf16"),
            (".f32", "f32"),
            (".f64", "f64"),
            (".tf32", "tf32"),
        ];
        let float = floats.iter().find(|(known, _)| *known == word);
        match float {
            Some((_, format)) => Some(Scalar::Float(format)),
            None => Integer::of(word).map(Scalar::Integer),
        }
    }
}

pub(super) fn select<'a>(
    emitter: &mut Emitter<'_, 'a>,
    instruction: &Instruction<'a>,
) -> Option<()> {
    let (destination, sources) = instruction.operands.split_first()?;
    let mut words = Words::of(instruction);
    let (from, to) = (words.last()?, words.last()?);
    if words.take(".pack") {
        return pack(emitter, &mut words, to, from, destination, sources);
    }
    if words.take(".rs") {
        (from == ".f32").then_some(())?;
        return stochastic(emitter, &mut words, to, destination, sources);
    }
    let manner = Manner::of(&mut words);
    words.done()?;
    if to.contains('x') || from.contains('x') {
        return several(emitter, manner, to, from, destination, sources);
    }
    let [source] = sources else { return None };
    match (Scalar::of(to)?, Scalar::of(from)?) {
        (Scalar::Integer(to), Scalar::Integer(from)) => {
            let mut value = integers(emitter, manner, to, from, source)?;
            // In a wider register, the value of the format is extended.
            let narrows = from.bits > 16 || from.bits == 16 && from.signed != to.signed;
            if to.bits == 16 && narrows && !manner.saturate && !emitter.is_half(destination) {
                value = emitter.extended(value, to);
            }
            if to.bits == 64 {
                return emitter.write(destination, value);
            }
            emitter.write_extended(destination, value, to.signed)
        }
        (Scalar::Float(to), Scalar::Integer(from)) => {
            let value = from_integer(emitter, manner, to, from, source)?;
            emitter.write(destination, value)
        }
        (Scalar::Integer(to), Scalar::Float(from)) => {
            let value = to_integer(emitter, manner, to, from, source)?;
            if to.bits == 64 {
                return emitter.write(destination, value);
            }
            emitter.write_extended(destination, value, to.signed)
        }
        (Scalar::Float(to), Scalar::Float(from)) => {
            let value = floats(emitter, manner, to, from, source)?;
            emitter.write(destination, value)
        }
    }
}

/// The intersection of the ranges of two integer types.
fn bounds(to: Integer, from: Integer) -> (i64, i64) {
    let range = |ty: Integer| -> (i128, i128) {
        if ty.signed {
            (-(1 << (ty.bits - 1)), (1 << (ty.bits - 1)) - 1)
        } else {
            (0, (1 << ty.bits) - 1)
        }
    };
    let ((low, high), (least, most)) = (range(to), range(from));
    let bits = |number: i128| u64::try_from(number & i128::from(u64::MAX)).unwrap_or(0);
    (
        bits(low.max(least)).cast_signed(),
        bits(high.min(most)).cast_signed(),
    )
}

fn integers<'a>(
    emitter: &mut Emitter<'_, 'a>,
    manner: Manner,
    to: Integer,
    from: Integer,
    source: &Expression<'a>,
) -> Option<Value> {
    let mut value = emitter.integer(source, from)?;
    if manner.saturate {
        value = saturated(emitter, to, from, value);
    }
    Some(match (to.bits, from.bits) {
        (64, 64) => value,
        (64, _) => emitter.extended_pair(value, from.signed),
        (_, 64) => {
            let low = emitter.word(value, 0);
            if to.bits == 8 {
                emitter.extended(low, to)
            } else {
                low
            }
        }
        (8, 8) if to == from => value,
        (8, _) => emitter.extended(value, to),
        _ => value,
    })
}

/// Clamps a value to the range of another type.
fn saturated(emitter: &mut Emitter<'_, '_>, to: Integer, from: Integer, value: Value) -> Value {
    let (low, high) = bounds(to, from);
    if from.bits == 64 {
        let (low, high) = (emitter.immediate(low, R64), emitter.immediate(high, R64));
        let under = emitter.is("lt", from, value, low);
        let value = emitter.chosen_pair(under, low, value);
        let over = emitter.is("gt", from, value, high);
        return emitter.chosen_pair(over, high, value);
    }
    if from.signed && from.bits == 32 && to.bits < 32 {
        let format = |ty: Integer| match (ty.bits, ty.signed) {
            (8, true) => "s8",
            (8, false) => "u8",
            (_, true) => "s16",
            (_, false) => "u16",
        };
        let words = [("to", format(to)), ("from", "s32")];
        return emitter.compute(ori::I2i::NAME, &[value.into()], &words, &["saturate"], R);
    }
    let wider = to.bits > from.bits || (to.bits == from.bits && to.signed == from.signed);
    if wider && (to.signed || !from.signed) {
        return value;
    }
    // Bounds of 32-bit values have at most 32 bits.
    let word = |emitter: &mut Emitter<'_, '_>, bound: i64| {
        let bits = u32::try_from(bound & 0xffff_ffff).unwrap_or(0);
        emitter.word_of(bits.cast_signed())
    };
    let mut value = value;
    if from.signed {
        let low = word(emitter, low);
        value = extremum_of_words(emitter, false, true, value, low);
    }
    let high = word(emitter, high);
    extremum_of_words(emitter, true, from.signed, value, high)
}

/// The name of an integer format in the dialect.
fn format_of(ty: Integer) -> &'static str {
    match (ty.bits, ty.signed) {
        (8, true) => "s8",
        (8, false) => "u8",
        (16, true) => "s16",
        (16, false) => "u16",
        (32, true) => "s32",
        (32, false) => "u32",
        (_, true) => "s64",
        (_, false) => "u64",
    }
}

fn from_integer<'a>(
    emitter: &mut Emitter<'_, 'a>,
    manner: Manner,
    to: &'static str,
    from: Integer,
    source: &Expression<'a>,
) -> Option<Value> {
    let (true, false, None) = (!manner.away && !manner.relu, manner.finite, manner.whole) else {
        return None;
    };
    let value = emitter.integer(source, from)?;
    let from = if from.bits < 32 {
        Integer { bits: 32, ..from }
    } else {
        from
    };
    let double = to == "f64" || from.bits == 64;
    let mut words = vec![("from", format_of(from))];
    if let Some(rounding) = manner.rounding {
        words.push(("rounding", rounding));
    }
    let result = if to == "f64" { R64 } else { R };
    // The integer pipe converts 32-bit values from sm_86 on.
    let value = if to == "f32" && from.bits == 32 && emitter.sm() >= 86 {
        emitter.compute(ori::I2fp::NAME, &[value.into()], &words, &[], R)
    } else {
        words.push(("to", to));
        let flags: &[_] = if double { &["double"] } else { &[] };
        emitter.compute(ori::I2f::NAME, &[value.into()], &words, flags, result)
    };
    if manner.saturate {
        return clamped(emitter, to, value);
    }
    Some(value)
}

/// A float clamped to [0, 1].
fn clamped(emitter: &mut Emitter<'_, '_>, format: &str, value: Value) -> Option<Value> {
    let mode = FloatMode {
        saturate: true,
        ..FloatMode::NEAREST
    };
    match format {
        "f32" => {
            let zero = emitter.float_of(0.0);
            Some(emitter.fadd(mode, zero, value))
        }
        "f16" => {
            let zero = emitter.word_of(0);
            let sources = [value.into(), zero.into()];
            Some(emitter.compute(
                ori::Hadd2::NAME,
                &sources,
                &[("from", "f16")],
                &["saturate"],
                R,
            ))
        }
        _ => None,
    }
}

fn to_integer<'a>(
    emitter: &mut Emitter<'_, 'a>,
    manner: Manner,
    to: Integer,
    from: &'static str,
    source: &Expression<'a>,
) -> Option<Value> {
    (from != "tf32" && !manner.relu && !manner.finite).then_some(())?;
    let register = if from == "f64" { R64 } else { R };
    let mut value = emitter.source(source, register)?;
    let mut from = from;
    if from == "bf16" {
        value = as_float(emitter, from, value);
        from = "f32";
    }
    let double = from == "f64" || to.bits == 64;
    let words = [
        ("to", format_of(to)),
        ("from", from),
        ("integer_rounding", manner.whole?),
    ];
    let flags: Vec<_> = [
        (manner.ftz, "ftz"),
        (!double, "nan_is_zero"),
        (double, "double"),
    ]
    .into_iter()
    .filter_map(|(is, flag)| is.then_some(flag))
    .collect();
    let value = emitter.compute(
        ori::F2i::NAME,
        &[value.into()],
        &words,
        &flags,
        to.register(),
    );
    Some(if to.bits == 8 {
        emitter.extended(value, to)
    } else {
        value
    })
}

fn floats<'a>(
    emitter: &mut Emitter<'_, 'a>,
    manner: Manner,
    to: &'static str,
    from: &'static str,
    source: &Expression<'a>,
) -> Option<Value> {
    let register = if from == "f64" { R64 } else { R };
    let value = emitter.source(source, register)?;
    if to == "tf32" {
        (from == "f32").then_some(())?;
        return to_tensor_float(emitter, manner, value);
    }
    let mut value = value;
    if let Some(whole) = manner.whole {
        (to == from).then_some(())?;
        value = whole_number(emitter, manner, whole, from, value)?;
    } else {
        value = match (to, from) {
            ("f32", "f32") => {
                let mode = FloatMode {
                    ftz: manner.ftz,
                    saturate: manner.saturate,
                    rounding: None,
                };
                // Negative zero, so that the sign of a zero is kept.
                let zero = emitter.float_of(-0.0);
                return Some(emitter.fadd(mode, value, zero));
            }
            ("f64", "f64") | ("f16", "f16") | ("bf16", "bf16") => value,
            ("f32", "f16" | "bf16") => as_float(emitter, from, value),
            ("f16" | "bf16", "f32") => return narrowed(emitter, manner, to, value),
            ("f16", "bf16") | ("bf16", "f16") => {
                let wide = as_float(emitter, from, value);
                return narrowed(emitter, manner, to, wide);
            }
            ("f64", "bf16") => {
                let wide = as_float(emitter, from, value);
                between(emitter, manner, to, "f32", wide)
            }
            _ => between(emitter, manner, to, from, value),
        };
    }
    if manner.saturate {
        return clamped(emitter, to, value);
    }
    Some(value)
}

/// `ori.f2f`, with 64 bits on one side.
fn between(
    emitter: &mut Emitter<'_, '_>,
    manner: Manner,
    to: &str,
    from: &str,
    value: Value,
) -> Value {
    let mut words = vec![("to", to), ("from", from)];
    if let Some(rounding) = manner.rounding {
        words.push(("rounding", rounding));
    }
    let flags: &[_] = if manner.ftz {
        &["ftz", "double"]
    } else {
        &["double"]
    };
    let result = if to == "f64" { R64 } else { R };
    emitter.compute(ori::F2f::NAME, &[value.into()], &words, flags, result)
}

fn whole_number(
    emitter: &mut Emitter<'_, '_>,
    manner: Manner,
    whole: &str,
    format: &str,
    value: Value,
) -> Option<Value> {
    if format == "bf16" {
        let wide = as_float(emitter, format, value);
        let rounded = whole_number(emitter, manner, whole, "f32", wide)?;
        return Some(as_half(emitter, format, rounded));
    }
    let words = [("from", format), ("integer_rounding", whole)];
    let mut flags = Vec::new();
    if manner.ftz && format != "f64" {
        flags.push("ftz");
    }
    let result = if format == "f64" { R64 } else { R };
    if format == "f64" {
        flags.push("double");
    }
    Some(emitter.compute(ori::Frnd::NAME, &[value.into()], &words, &flags, result))
}

/// A 32-bit float as a half.
fn narrowed(
    emitter: &mut Emitter<'_, '_>,
    manner: Manner,
    to: &str,
    value: Value,
) -> Option<Value> {
    let zero = emitter.word_of(0);
    let value = pair_of_floats(emitter, manner, to, "f32", [zero, value]);
    if manner.saturate {
        return clamped(emitter, to, value);
    }
    Some(value)
}

/// Two floats as a pair of narrower ones, the first in the high half.
fn pair_of_floats(
    emitter: &mut Emitter<'_, '_>,
    manner: Manner,
    to: &str,
    from: &str,
    [high, low]: [Value; 2],
) -> Value {
    let mut words = vec![("to", to), ("from", from)];
    if let Some(rounding) = manner.rounding {
        words.push(("rounding", rounding));
    }
    let flags: Vec<_> = [(manner.relu, "relu"), (manner.finite, "satfinite")]
        .into_iter()
        .filter_map(|(is, flag)| is.then_some(flag))
        .collect();
    emitter.compute(
        ori::F2fp::NAME,
        &[high.into(), low.into()],
        &words,
        &flags,
        R,
    )
}

/// A 32-bit float as a 19-bit one: with `.rna`, half of the last place is added before truncation.
fn to_tensor_float(emitter: &mut Emitter<'_, '_>, manner: Manner, value: Value) -> Option<Value> {
    if !manner.away {
        let zero = emitter.word_of(0);
        return Some(pair_of_floats(
            emitter,
            manner,
            "tf32",
            "f32",
            [zero, value],
        ));
    }
    (!manner.relu).then_some(())?;
    let infinity = emitter.float_of(f32::INFINITY);
    let special = emitter.compared_floats("geu", false, absolute(value), infinity);
    let half = emitter.word_of(0x1000);
    let more = emitter.plus(value, half);
    let mut rounded = emitter.chosen(special, value, more);
    if manner.finite {
        // On overflow to infinity: the largest finite value, with the sign.
        let (mask, bound) = (emitter.word_of(i32::MAX), emitter.word_of(0x7f80_0000));
        let most = emitter.word_of(0x7f7f_e000);
        let bits = emitter.logic2(table::AND, rounded, mask);
        let large = emitter.compared("ge", false, bits, bound);
        let is_number = emitter.compared_floats("num", false, value, value);
        let large = emitter.predicates2(table::AND, large, is_number);
        let largest = emitter.logic(table::CHOOSE, most, mask, value);
        rounded = emitter.chosen(large, largest, rounded);
    }
    Some(emitter.masked(rounded, 0xffff_e000_u32.cast_signed()))
}

/// Pairs of floats.
fn several<'a>(
    emitter: &mut Emitter<'_, 'a>,
    manner: Manner,
    to: &str,
    from: &str,
    destination: &Expression<'a>,
    sources: &[Expression<'a>],
) -> Option<()> {
    let narrow = ["e4m3", "e5m2", "e3m2", "e2m3", "e2m1", "ue8m0"];
    let (saturate, whole) = (manner.saturate, manner.whole);
    (!saturate && whole.is_none() && !manner.away && !manner.ftz).then_some(())?;
    let to = to.get(1..)?.strip_suffix("x2")?;
    let value = match (from, sources) {
        (".f32", [high, low]) => {
            (narrow.contains(&to) || matches!(to, "f16" | "bf16")).then_some(())?;
            let (high, low) = (emitter.source(high, R)?, emitter.source(low, R)?);
            pair_of_floats(emitter, manner, to, "f32", [high, low])
        }
        (".f16x2" | ".bf16x2", [pair]) => {
            narrow.contains(&to).then_some(())?;
            let pair = emitter.source(pair, R)?;
            let high = emitter.bytes(pair, 0x4432);
            let from = from[1..].trim_end_matches("x2");
            pair_of_floats(emitter, manner, to, from, [high, pair])
        }
        (from, [pair]) => {
            let from = from.get(1..)?.strip_suffix("x2")?;
            (narrow.contains(&from) && matches!(to, "f16" | "bf16")).then_some(())?;
            (!manner.finite && manner.rounding.is_none()).then_some(())?;
            let pair = emitter.source(pair, R)?;
            let flags: &[_] = if manner.relu { &["relu"] } else { &[] };
            let words = [("to", to), ("from", from)];
            emitter.compute(ori::F2fpUnpack::NAME, &[pair.into()], &words, flags, R)
        }
        _ => return None,
    };
    emitter.write(destination, value)
}

/// `cvt.rs`: floats with stochastic rounding by random bits.
fn stochastic<'a>(
    emitter: &mut Emitter<'_, 'a>,
    words: &mut Words<'_>,
    to: &str,
    destination: &Expression<'a>,
    sources: &[Expression<'a>],
) -> Option<()> {
    let (relu, finite) = (words.take(".relu"), words.take(".satfinite"));
    words.done()?;
    let to = to.get(1..)?;
    let (to, values, random) = match (to.strip_suffix("x2"), to.strip_suffix("x4"), sources) {
        (Some(to @ ("f16" | "bf16")), _, [values @ .., random]) if values.len() == 2 => {
            (to, values, random)
        }
        (_, Some(to @ ("e4m3" | "e5m2" | "e3m2" | "e2m3" | "e2m1")), [four, random]) => {
            let Expression::Vector(values) = four else {
                return None;
            };
            (values.len() == 4).then_some(())?;
            (to, values.as_slice(), random)
        }
        _ => return None,
    };
    let mut op = emitter.operation(ori::F2fpStochastic::NAME, &[], &[("to", to)]);
    for value in values {
        let value = emitter.source(value, R)?;
        op = op.operand("values", value);
    }
    let random = emitter.source(random, R)?;
    op = op.operand("random", random).result(R);
    op = if relu { op.flag("relu") } else { op };
    op = if finite { op.flag("satfinite") } else { op };
    let value = emitter.emit(op);
    emitter.write(destination, value)
}

/// `cvt.pack`: two 32-bit values, saturated and concatenated with the low bits of a third.
fn pack<'a>(
    emitter: &mut Emitter<'_, 'a>,
    words: &mut Words<'_>,
    to: &str,
    from: &str,
    destination: &Expression<'a>,
    sources: &[Expression<'a>],
) -> Option<()> {
    // With a third source, the last modifier is its type.
    let (to, from) = match (sources.len(), from) {
        (3, ".b32") => (words.last()?, to),
        (2, _) => (to, from),
        _ => return None,
    };
    words.take(".sat").then_some(())?;
    words.done()?;
    (from == ".s32").then_some(())?;
    matches!(to, ".u16" | ".s16" | ".u8" | ".s8").then_some(())?;
    let (first, rest) = sources.split_first()?;
    let (second, third) = rest.split_first()?;
    let (a, b) = (emitter.source(first, R)?, emitter.source(second, R)?);
    let c = match third {
        [c] => emitter.source(c, R)?,
        _ => emitter.word_of(0),
    };
    let words = [("to", &to[1..]), ("from", "s32")];
    let value = emitter.compute(
        ori::I2ip::NAME,
        &[a.into(), b.into(), c.into()],
        &words,
        &[],
        R,
    );
    emitter.write(destination, value)
}
