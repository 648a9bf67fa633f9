//! Bits: shifts, fields, counts, permutations, logic.

use orison_ir::Value;
use orison_ori::Register;
use orison_ori::operations as ori;

use super::super::emitter::Emitter;
use super::emit::{Source, negative, table};
use super::integer::Integer;
use super::modifiers::Words;
use crate::ptx::ast::{Expression, Instruction};

const R: Register = Register::R;
const R64: Register = Register::R64;
const P: Register = Register::P;

/// Selects instructions on bits.
pub(super) fn select<'a>(
    emitter: &mut Emitter<'_, 'a>,
    instruction: &Instruction<'a>,
) -> Option<()> {
    let (destination, sources) = instruction.operands.split_first()?;
    let mut words = Words::of(instruction);
    if instruction.name == "lop3" {
        return any_function(emitter, &mut words, destination, sources);
    }
    let value = match instruction.name {
        "and" | "or" | "xor" | "not" => logic(emitter, instruction.name, words.last()?, sources)?,
        "prmt" => {
            (words.first()? == ".b32").then_some(())?;
            permutation(emitter, &mut words, sources)?
        }
        "shf" => funnel(emitter, &mut words, sources)?,
        name => {
            let ty = Integer::of(words.last()?)?;
            match name {
                "shl" | "shr" => shift(emitter, name == "shl", ty, sources)?,
                "clz" | "bfind" | "popc" | "brev" | "cnot" => {
                    let [a] = sources else { return None };
                    let a = emitter.integer(a, ty)?;
                    counted(emitter, name, ty, &mut words, a)?
                }
                "bfe" => extract(emitter, ty, sources)?,
                "bfi" => insert(emitter, ty, sources)?,
                "bmsk" | "szext" => mask(emitter, name, ty, &mut words, sources)?,
                "fns" => nth_set(emitter, sources)?,
                _ => return None,
            }
        }
    };
    words.done()?;
    emitter.write(destination, value)
}

fn table_of(name: &str) -> Option<i32> {
    Some(match name {
        "and" | ".and" => table::AND,
        "or" | ".or" => table::OR,
        "xor" | ".xor" => table::XOR,
        "not" => table::NOT,
        _ => return None,
    })
}

fn logic<'a>(
    emitter: &mut Emitter<'_, 'a>,
    name: &str,
    ty: &str,
    sources: &[Expression<'a>],
) -> Option<Value> {
    let lut = table_of(name)?;
    let wanted = if name == "not" { 1 } else { 2 };
    (sources.len() == wanted).then_some(())?;
    if ty == ".pred" {
        let mut read = Vec::new();
        for source in sources {
            let (value, modifiers) = emitter.read_predicate(source)?;
            read.push(Source { value, modifiers });
        }
        let truth = Source::from(emitter.truth(true));
        let second = read.get(1).copied().unwrap_or(truth);
        return Some(emitter.predicates(lut, read[0], second, truth));
    }
    let register = match ty {
        ".b16" | ".b32" => R,
        ".b64" => R64,
        _ => return None,
    };
    let values: Option<Vec<_>> = sources
        .iter()
        .map(|source| emitter.source(source, register))
        .collect();
    let values = values?;
    let words: Vec<_> = (0..register.words()?)
        .map(|word| {
            let zero = emitter.word_of(0);
            let a = emitter.word(values[0], word);
            let b = values
                .get(1)
                .map_or(zero, |value| emitter.word(*value, word));
            emitter.logic(lut, a, b, zero)
        })
        .collect();
    Some(emitter.concat(&words))
}

/// `lop3.b32 d, a, b, c, table`, or `lop3.or.b32 d|p, a, b, c, table, q`: `p` is whether any bit is
/// set, combined with `q`.
fn any_function<'a>(
    emitter: &mut Emitter<'_, 'a>,
    words: &mut Words<'_>,
    destination: &Expression<'a>,
    sources: &[Expression<'a>],
) -> Option<()> {
    (words.last()? == ".b32").then_some(())?;
    let combine = words.any(&[".or", ".and"]);
    words.done()?;
    let (inputs, rest) = sources.split_at_checked(3)?;
    let [a, b, c] = emitter.sources(inputs, R)?;
    let lut = i32::try_from(rest.first()?.as_integer()?).ok()?;
    let (Some(combine), [_, with]) = (combine, rest) else {
        combine.is_none().then_some(())?;
        (rest.len() == 1).then_some(())?;
        let value = emitter.logic(lut, a, b, c);
        return emitter.write(destination, value);
    };
    let Expression::Binary("|", value, nonzero) = destination else {
        return None;
    };
    let (with, modifiers) = emitter.read_predicate(with)?;
    let sources = [("a", a.into()), ("b", b.into()), ("c", c.into())];
    let op = emitter.operation(ori::Lop3Test::NAME, &sources, &[]);
    let op = op.number(emitter.context(), "lut", lut).result(R).result(P);
    let op = if combine == ".or" {
        op.modified("with", with, modifiers)
    } else {
        op
    };
    let results = emitter.emit_all(op);
    let mut test = results[1];
    if combine == ".and" {
        let with = Source {
            value: with,
            modifiers,
        };
        test = emitter.predicates2(table::AND, test, with);
    }
    emitter.write(value, results[0])?;
    emitter.write(nonzero, test)
}

fn permutation<'a>(
    emitter: &mut Emitter<'_, 'a>,
    words: &mut Words<'_>,
    sources: &[Expression<'a>],
) -> Option<Value> {
    let modes = [
        (".f4e", "f4e"),
        (".b4e", "b4e"),
        (".rc8", "rc8"),
        (".ecl", "ecl"),
        (".ecr", "ecr"),
        (".rc16", "rc16"),
    ];
    let mode = words.translated(&modes).unwrap_or("idx");
    let [a, c, selector] = emitter.sources(sources, R)?;
    let sources = [a.into(), selector.into(), c.into()];
    Some(emitter.compute(ori::Prmt::NAME, &sources, &[("permutation", mode)], &[], R))
}

/// A 32-bit part of a pair shifted by an amount modulo 32, or clamped to 32.
fn funnel<'a>(
    emitter: &mut Emitter<'_, 'a>,
    words: &mut Words<'_>,
    sources: &[Expression<'a>],
) -> Option<Value> {
    (words.last()? == ".b32").then_some(())?;
    let left = words.any(&[".l", ".r"])? == ".l";
    let wraps = words.any(&[".wrap", ".clamp"])? == ".wrap";
    let [low, high, amount] = emitter.sources(sources, R)?;
    let direction = if left { "left" } else { "right" };
    let words = [("direction", direction), ("signedness", "u32")];
    let flags: Vec<_> = [(left, "high"), (wraps, "wrap")]
        .into_iter()
        .filter_map(|(is, flag)| is.then_some(flag))
        .collect();
    let sources = [low.into(), amount.into(), high.into()];
    Some(emitter.compute(ori::Shf::NAME, &sources, &words, &flags, R))
}

fn shift<'a>(
    emitter: &mut Emitter<'_, 'a>,
    left: bool,
    ty: Integer,
    sources: &[Expression<'a>],
) -> Option<Value> {
    let [a, amount] = sources else { return None };
    let amount = emitter.source(amount, R)?;
    if ty.bits == 64 {
        let a = emitter.source(a, R64)?;
        return Some(if left {
            shift_pair_left(emitter, a, amount)
        } else {
            shift_pair_right(emitter, a, amount, ty.signed)
        });
    }
    if left {
        let a = emitter.source(a, R)?;
        return Some(emitter.left(a, amount));
    }
    let a = emitter.integer(a, ty)?;
    Some(emitter.right(a, amount, ty.signed))
}

/// A pair shifted left by a saturating amount.
pub(super) fn shift_pair_left(emitter: &mut Emitter<'_, '_>, a: Value, amount: Value) -> Value {
    let (low, high) = (emitter.word(a, 0), emitter.word(a, 1));
    let words = [
        emitter.left(low, amount),
        emitter.funnel("left", "u64", [low, amount, high], true),
    ];
    emitter.concat(&words)
}

/// A pair shifted right by a saturating amount.
pub(super) fn shift_pair_right(
    emitter: &mut Emitter<'_, '_>,
    a: Value,
    amount: Value,
    signed: bool,
) -> Value {
    let (low, high) = (emitter.word(a, 0), emitter.word(a, 1));
    let signedness = if signed { "s64" } else { "u64" };
    let words = [
        emitter.funnel("right", signedness, [low, amount, high], false),
        emitter.right(high, amount, signed),
    ];
    emitter.concat(&words)
}

/// The index of the highest set bit, or bit that differs from the sign; -1 if there is none.
fn highest(emitter: &mut Emitter<'_, '_>, a: impl Into<Source>, signed: bool) -> Value {
    let words = [("signedness", if signed { "s32" } else { "u32" })];
    emitter.compute(ori::Flo::NAME, &[a.into()], &words, &[], R)
}

/// The result of a count or search in one value.
fn counted(
    emitter: &mut Emitter<'_, '_>,
    name: &str,
    ty: Integer,
    words: &mut Words<'_>,
    a: Value,
) -> Option<Value> {
    let zero = emitter.word_of(0);
    if name == "cnot" {
        let none = emitter.immediate(0, ty.register());
        let one = emitter.immediate(1, ty.register());
        let is_zero = emitter.is(
            "eq",
            Integer {
                signed: false,
                ..ty
            },
            a,
            none,
        );
        return Some(emitter.either(ty, is_zero, one, none));
    }
    if ty.bits < 64 {
        return Some(match name {
            "popc" => emitter.compute(ori::Popc::NAME, &[a.into()], &[], &[], R),
            "brev" => emitter.compute(ori::Brev::NAME, &[a.into()], &[], &[], R),
            "bfind" if words.take(".shiftamt") => {
                let words = [("signedness", if ty.signed { "s32" } else { "u32" })];
                emitter.compute(ori::Flo::NAME, &[a.into()], &words, &["shift_amount"], R)
            }
            "bfind" => highest(emitter, a, ty.signed),
            "clz" => {
                let highest = highest(emitter, a, false);
                let top = emitter.word_of(31);
                emitter.add3([top.into(), negative(highest), zero.into()])
            }
            _ => return None,
        });
    }
    let (low, high) = (emitter.word(a, 0), emitter.word(a, 1));
    Some(match name {
        "popc" => {
            let counts = [low, high]
                .map(|word| emitter.compute(ori::Popc::NAME, &[word.into()], &[], &[], R));
            emitter.plus(counts[0], counts[1])
        }
        "brev" => {
            let words = [high, low]
                .map(|word| emitter.compute(ori::Brev::NAME, &[word.into()], &[], &[], R));
            emitter.concat(&words)
        }
        "clz" | "bfind" => {
            let found = highest_of_pair(emitter, low, high, ty.signed);
            if name == "bfind" && !words.take(".shiftamt") {
                return Some(found);
            }
            let top = emitter.word_of(63);
            let distance = emitter.plus(top, negative(found));
            if name == "clz" {
                return Some(distance);
            }
            let none = emitter.word_of(-1);
            let missing = emitter.compared("eq", false, found, none);
            emitter.chosen(missing, none, distance)
        }
        _ => return None,
    })
}

/// As [`highest`], for a pair: in the high half, else in the low one, whose bits are compared with
/// the sign of the pair.
fn highest_of_pair(emitter: &mut Emitter<'_, '_>, low: Value, high: Value, signed: bool) -> Value {
    let mut low = low;
    if signed {
        let sign = emitter.word_of(31);
        let signs = emitter.right(high, sign, true);
        low = emitter.logic2(table::XOR, low, signs);
    }
    let in_high = highest(emitter, high, signed);
    let in_low = highest(emitter, low, false);
    let (none, above) = (emitter.word_of(-1), emitter.word_of(32));
    let found = emitter.compared("ne", false, in_high, none);
    let shifted = emitter.plus(in_high, above);
    emitter.chosen(found, shifted, in_low)
}

/// The low byte of an operand: the start or length of a field.
fn byte_of<'a>(emitter: &mut Emitter<'_, 'a>, operand: &Expression<'a>) -> Option<Value> {
    if let Some(number) = operand.as_integer() {
        return Some(emitter.word_of(i32::try_from(number & 0xff).ok()?));
    }
    let value = emitter.source(operand, R)?;
    Some(emitter.masked(value, 0xff))
}

/// A field from a bit on, sign- or zero-extended.
fn extract<'a>(
    emitter: &mut Emitter<'_, 'a>,
    ty: Integer,
    sources: &[Expression<'a>],
) -> Option<Value> {
    let [a, place, length] = sources else {
        return None;
    };
    let (place, length) = (byte_of(emitter, place)?, byte_of(emitter, length)?);
    let a = emitter.source(a, ty.register())?;
    let signedness = [("signedness", if ty.signed { "s32" } else { "u32" })];
    match ty.bits {
        32 => {
            let shifted = emitter.right(a, place, ty.signed);
            let sources = [shifted.into(), length.into()];
            Some(emitter.compute(ori::Sgxt::NAME, &sources, &signedness, &[], R))
        }
        64 => {
            let shifted = shift_pair_right(emitter, a, place, ty.signed);
            // Shift left so that the field ends at the top, then back.
            let (top, zero) = (emitter.word_of(64), emitter.word_of(0));
            let room = emitter.plus(top, negative(length));
            let room = super::integer::extremum_of_words(emitter, false, true, room, zero);
            let up = shift_pair_left(emitter, shifted, room);
            Some(shift_pair_right(emitter, up, room, ty.signed))
        }
        _ => None,
    }
}

/// A mask of ones with a start and length.
fn ones(emitter: &mut Emitter<'_, '_>, place: Value, length: Value) -> Value {
    let sources = [place.into(), length.into()];
    emitter.compute(ori::Bmsk::NAME, &sources, &[], &[], R)
}

/// Inserts `a` as a field of `b`, from a bit on.
fn insert<'a>(
    emitter: &mut Emitter<'_, 'a>,
    ty: Integer,
    sources: &[Expression<'a>],
) -> Option<Value> {
    let [a, b, place, length] = sources else {
        return None;
    };
    let (place, length) = (byte_of(emitter, place)?, byte_of(emitter, length)?);
    let a = emitter.source(a, ty.register())?;
    let b = emitter.source(b, ty.register())?;
    match ty.bits {
        32 => {
            let shifted = emitter.left(a, place);
            let mask = ones(emitter, place, length);
            Some(emitter.logic(table::CHOOSE, shifted, mask, b))
        }
        64 => {
            let one = emitter.immediate(1, R64);
            let above = shift_pair_left(emitter, one, length);
            let field = emitter.add_wide(above, one, true);
            let mask = shift_pair_left(emitter, field, place);
            let shifted = shift_pair_left(emitter, a, place);
            let words = [0, 1].map(|word| {
                let parts = [shifted, mask, b].map(|value| emitter.word(value, word));
                emitter.logic(table::CHOOSE, parts[0], parts[1], parts[2])
            });
            Some(emitter.concat(&words))
        }
        _ => None,
    }
}

/// `bmsk` and `szext`, whose amounts saturate or wrap.
fn mask<'a>(
    emitter: &mut Emitter<'_, 'a>,
    name: &str,
    ty: Integer,
    words: &mut Words<'_>,
    sources: &[Expression<'a>],
) -> Option<Value> {
    (ty.bits == 32).then_some(())?;
    let wraps = words.any(&[".clamp", ".wrap"])? == ".wrap";
    let [a, b] = emitter.sources(sources, R)?;
    let flags: &[_] = if wraps { &["wrap"] } else { &[] };
    let sources = [a.into(), b.into()];
    if name == "bmsk" {
        return Some(emitter.compute(ori::Bmsk::NAME, &sources, &[], flags, R));
    }
    let words = [("signedness", if ty.signed { "s32" } else { "u32" })];
    Some(emitter.compute(ori::Sgxt::NAME, &sources, &words, flags, R))
}

/// `fns`: the index of the n-th set bit, from a base on, upward or downward (with a negative n);
/// all ones if there is none.
///
/// Downward search is upward search in the reversed value. Halving the range each step, it counts
/// the bits of the lower half: if there are too few, it continues in the upper one.
fn nth_set<'a>(emitter: &mut Emitter<'_, 'a>, sources: &[Expression<'a>]) -> Option<Value> {
    let [mask, base, offset] = emitter.sources(sources, R)?;
    let (zero, one, top) = (emitter.word_of(0), emitter.word_of(1), emitter.word_of(31));
    let ones = emitter.word_of(-1);
    let down = emitter.compared("lt", true, offset, zero);
    let at_base = emitter.compared("eq", false, offset, zero);
    let reversed = emitter.compute(ori::Brev::NAME, &[mask.into()], &[], &[], R);
    let mirrored = emitter.plus(top, negative(base));
    let back = emitter.plus(zero, negative(offset));
    let mask = emitter.chosen(down, reversed, mask);
    let start = emitter.chosen(down, mirrored, base);
    let number = emitter.chosen(down, back, offset);
    let number = emitter.chosen(at_base, one, number);
    let from = emitter.left(ones, start);
    let only = emitter.left(one, start);
    let window = emitter.chosen(at_base, only, from);
    let mut rest = emitter.logic2(table::AND, mask, window);
    let total = emitter.compute(ori::Popc::NAME, &[rest.into()], &[], &[], R);
    let missing = emitter.compared("lt", true, total, number);
    let (mut wanted, mut place) = (number, zero);
    for half in [16, 8, 4, 2, 1] {
        let lower = emitter.masked(rest, (1 << half) - 1);
        let count = emitter.compute(ori::Popc::NAME, &[lower.into()], &[], &[], R);
        let above = emitter.compared("lt", true, count, wanted);
        let step = emitter.word_of(half);
        let shifted = emitter.right(rest, step, false);
        let fewer = emitter.plus(wanted, negative(count));
        let further = emitter.plus(place, step);
        rest = emitter.chosen(above, shifted, rest);
        wanted = emitter.chosen(above, fewer, wanted);
        place = emitter.chosen(above, further, place);
    }
    let mirrored = emitter.plus(top, negative(place));
    let place = emitter.chosen(down, mirrored, place);
    Some(emitter.chosen(missing, ones, place))
}

/// Selects `dp4a` and `dp2a`: dot products of bytes, or of halves and bytes.
pub(super) fn select_dot_product<'a>(
    emitter: &mut Emitter<'_, 'a>,
    instruction: &Instruction<'a>,
) -> Option<()> {
    let (destination, sources) = instruction.operands.split_first()?;
    let mut words = Words::of(instruction);
    let halves = instruction.name == "dp2a";
    let high = halves && words.any(&[".lo", ".hi"])? == ".hi";
    let signs = [(".s32", true), (".u32", false)];
    let (left, right) = (words.translated(&signs)?, words.translated(&signs)?);
    words.done()?;
    let left = match (halves, left) {
        (true, true) => "s16",
        (true, false) => "u16",
        (false, true) => "s8",
        (false, false) => "u8",
    };
    let words = [
        ("left_format", left),
        ("right_format", if right { "s8" } else { "u8" }),
    ];
    let [a, b, c] = emitter.sources(sources, R)?;
    let flags: Vec<_> = [(halves, "halves"), (high, "high")]
        .into_iter()
        .filter_map(|(is, flag)| is.then_some(flag))
        .collect();
    let value = emitter.compute(
        ori::Idp::NAME,
        &[a.into(), b.into(), c.into()],
        &words,
        &flags,
        R,
    );
    emitter.write(destination, value)
}
