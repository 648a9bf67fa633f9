//! Video instructions, which are not native on any target from sm_70 on: arithmetic on bytes and
//! halves that is exact before saturation.
//!
//! Operands of scalar forms are extended to 64 bits; lanes of `vadd2`, `vadd4` and similar fit 32.

use orison_ir::Value;
use orison_ori::Register;

use super::super::emitter::Emitter;
use super::emit::negative;
use super::modifiers::Words;
use crate::ptx::ast::{Expression, Instruction};

const R: Register = Register::R;
const R64: Register = Register::R64;

/// A 32-bit integer type: whether it is signed.
fn signed_of(word: &str) -> Option<bool> {
    match word {
        ".s32" => Some(true),
        ".u32" => Some(false),
        _ => None,
    }
}

/// A part of a 32-bit value: its first bit and width.
#[derive(Clone, Copy)]
struct Part {
    first: u32,
    bits: u32,
}

const WORD: Part = Part { first: 0, bits: 32 };

/// An operand and its selected part: `%r1.b0`, `%r1.h1`.
fn part_of<'x, 'a>(operand: &'x Expression<'a>) -> Option<(&'x Expression<'a>, Part)> {
    let Expression::Member(of, part) = operand else {
        return Some((operand, WORD));
    };
    let part = match *part {
        ".h0" => (0, 16),
        ".h1" => (16, 16),
        ".b0" => (0, 8),
        ".b1" => (8, 8),
        ".b2" => (16, 8),
        ".b3" => (24, 8),
        _ => return None,
    };
    let (first, bits) = part;
    Some((of, Part { first, bits }))
}

/// The part of a value, extended to 32 bits.
fn extended(emitter: &mut Emitter<'_, '_>, value: Value, part: Part, signed: bool) -> Value {
    if part.bits == 32 {
        return value;
    }
    let number = |bits: u32| i32::try_from(bits).unwrap_or(0);
    let up = emitter.word_of(number(32 - part.first - part.bits));
    let value = emitter.left(value, up);
    let down = emitter.word_of(number(32 - part.bits));
    emitter.right(value, down, signed)
}

/// The range of integers of this many bits.
fn bounds(bits: u32, signed: bool) -> [i64; 2] {
    if signed {
        [-(1 << (bits - 1)), (1 << (bits - 1)) - 1]
    } else {
        [0, (1 << bits) - 1]
    }
}

/// The modifiers of `vadd` and similar.
struct Video<'m> {
    operation: &'m str,
    signed: [bool; 3],
    saturates: bool,
    /// The secondary operation on the result and a third operand.
    second: Option<&'m str>,
    compare: Option<&'m str>,
    /// Shift amounts are clamped to 32, rather than taken modulo 32.
    clamps: bool,
    /// The right shift of a product.
    scale: i32,
}

const COMPARISONS: [&str; 6] = [".eq", ".ne", ".lt", ".le", ".gt", ".ge"];

impl<'m> Video<'m> {
    fn of(name: &'m str, words: &mut Words<'m>) -> Option<Self> {
        // `vset` has no result type.
        let count = if name.starts_with("vset") { 2 } else { 3 };
        let mut signed = [false; 3];
        for each in signed.iter_mut().skip(3 - count) {
            *each = signed_of(words.first()?)?;
        }
        let video = Video {
            operation: name,
            signed,
            saturates: words.take(".sat"),
            second: words.any(&[".add", ".min", ".max"]),
            compare: words.any(&COMPARISONS),
            clamps: words.any(&[".clamp", ".wrap"]) == Some(".clamp"),
            scale: words
                .translated(&[(".shr7", 7), (".shr15", 15)])
                .unwrap_or(0),
        };
        words.done()?;
        Some(video)
    }
}

pub(super) fn select<'a>(
    emitter: &mut Emitter<'_, 'a>,
    instruction: &Instruction<'a>,
) -> Option<()> {
    let mut words = Words::of(instruction);
    let name = instruction.name;
    let [destination, rest @ ..] = instruction.operands.as_slice() else {
        return None;
    };
    if let Some(stem) = name.strip_suffix('2') {
        let video = Video::of(stem, &mut words)?;
        return lanes(emitter, &video, 16, destination, rest);
    }
    if let Some(stem) = name.strip_suffix('4') {
        let video = Video::of(stem, &mut words)?;
        return lanes(emitter, &video, 8, destination, rest);
    }
    let video = Video::of(name, &mut words)?;
    scalar(emitter, &video, destination, rest)
}

/// A 32-bit value extended to a pair.
fn wide(emitter: &mut Emitter<'_, '_>, value: Value, signed: bool) -> Value {
    emitter.extended_pair(value, signed)
}

fn scalar<'a>(
    emitter: &mut Emitter<'_, 'a>,
    video: &Video<'_>,
    destination: &Expression<'a>,
    sources: &[Expression<'a>],
) -> Option<()> {
    let (target, place) = part_of(destination)?;
    let [a, b, rest @ ..] = sources else {
        return None;
    };
    let mut values = Vec::new();
    for (operand, signed) in [(a, video.signed[1]), (b, video.signed[2])] {
        let (operand, part) = part_of(operand)?;
        let value = emitter.source(operand, R)?;
        values.push(extended(emitter, value, part, signed));
    }
    let third = match rest {
        [] => None,
        [c] => Some(emitter.source(c, R)?),
        _ => return None,
    };
    let result = computed(emitter, video, [values[0], values[1]], third)?;
    let value = if video.saturates {
        let low = clamped(emitter, result, bounds(place.bits, video.signed[0]));
        emitter.word(low, 0)
    } else {
        emitter.word(result, 0)
    };
    let value = match (video.operation, third, video.second) {
        ("vmad", ..) => (place.bits == 32 && video.second.is_none()).then_some(value)?,
        (_, None, None) => (place.bits == 32).then_some(value)?,
        (_, Some(third), Some(second)) if place.bits == 32 => {
            combined(emitter, second, video.signed[0], value, third)?
        }
        (_, Some(third), None) => merged(emitter, place, value, third),
        _ => return None,
    };
    emitter.write(target, value)
}

/// The exact result of an operation as a pair.
fn computed(
    emitter: &mut Emitter<'_, '_>,
    video: &Video<'_>,
    [a, b]: [Value; 2],
    third: Option<Value>,
) -> Option<Value> {
    let (left, right) = (
        wide(emitter, a, video.signed[1]),
        wide(emitter, b, video.signed[2]),
    );
    Some(match video.operation {
        "vadd" => emitter.add_wide(left, right, false),
        "vsub" => emitter.add_wide(left, right, true),
        "vabsdiff" => {
            let below = emitter.compared_pairs("lt", true, left, right);
            let more = emitter.add_wide(left, right, true);
            let less = emitter.add_wide(right, left, true);
            emitter.chosen_pair(below, less, more)
        }
        "vmin" | "vmax" => {
            let how = if video.operation == "vmin" {
                "lt"
            } else {
                "gt"
            };
            let first = emitter.compared_pairs(how, true, left, right);
            emitter.chosen_pair(first, left, right)
        }
        "vset" => {
            let how = video.compare?.get(1..)?;
            let holds = emitter.compared_pairs(how, true, left, right);
            let (one, none) = (emitter.word_of(1), emitter.word_of(0));
            let value = emitter.chosen(holds, one, none);
            wide(emitter, value, false)
        }
        "vshl" | "vshr" => shifted(emitter, video, left, b)?,
        "vmad" => {
            let signed = video.signed[1] || video.signed[2];
            let addend = wide(emitter, third?, signed);
            let product = emitter.multiply_wide(left, right, addend);
            if video.scale == 0 {
                product
            } else {
                let amount = emitter.word_of(video.scale);
                shifted_down(emitter, product, amount, signed)
            }
        }
        _ => return None,
    })
}

/// A pair shifted right by an amount below 32.
fn shifted_down(emitter: &mut Emitter<'_, '_>, value: Value, amount: Value, signed: bool) -> Value {
    let (low, high) = (emitter.word(value, 0), emitter.word(value, 1));
    let low = emitter.funnel("right", "u32", [low, amount, high], false);
    let high = emitter.right(high, amount, signed);
    emitter.concat(&[low, high])
}

fn shifted(
    emitter: &mut Emitter<'_, '_>,
    video: &Video<'_>,
    value: Value,
    amount: Value,
) -> Option<Value> {
    let amount = if video.clamps {
        let most = emitter.word_of(32);
        let above = emitter.compared("gt", false, amount, most);
        emitter.chosen(above, most, amount)
    } else {
        emitter.masked(amount, 31)
    };
    let (low, high) = (emitter.word(value, 0), emitter.word(value, 1));
    // A shift by 32 is two shifts by 16.
    let one = emitter.word_of(1);
    let half = emitter.right(amount, one, false);
    let other = emitter.plus(amount, negative(half));
    let mut pair = [low, high];
    for amount in [half, other] {
        let [low, high] = pair;
        pair = if video.operation == "vshl" {
            let above = emitter.funnel("left", "u32", [low, amount, high], true);
            [emitter.left(low, amount), above]
        } else {
            let below = emitter.funnel("right", "u32", [low, amount, high], false);
            [below, emitter.right(high, amount, true)]
        };
    }
    Some(emitter.concat(&pair))
}

/// Clamps a pair to a range.
fn clamped(emitter: &mut Emitter<'_, '_>, value: Value, bounds: [i64; 2]) -> Value {
    let [least, most] = bounds.map(|bound| emitter.immediate(bound, R64));
    let below = emitter.compared_pairs("lt", true, value, least);
    let value = emitter.chosen_pair(below, least, value);
    let above = emitter.compared_pairs("gt", true, value, most);
    emitter.chosen_pair(above, most, value)
}

/// The secondary operation on the result and the third operand.
fn combined(
    emitter: &mut Emitter<'_, '_>,
    second: &str,
    signed: bool,
    value: Value,
    third: Value,
) -> Option<Value> {
    let how = match second {
        ".add" => return Some(emitter.plus(value, third)),
        ".min" => "lt",
        ".max" => "gt",
        _ => return None,
    };
    let first = emitter.compared(how, signed, value, third);
    Some(emitter.chosen(first, value, third))
}

/// Inserts the low bits of a value as a part of another.
fn merged(emitter: &mut Emitter<'_, '_>, place: Part, value: Value, word: Value) -> Value {
    if place.bits == 32 {
        return value;
    }
    let mask = (u32::MAX >> (32 - place.bits)) << place.first;
    let amount = emitter.word_of(i32::try_from(place.first).unwrap_or(0));
    let value = emitter.left(value, amount);
    let mask = emitter.word_of(mask.cast_signed());
    // The value where the mask is set, else the original.
    emitter.logic(super::emit::table::CHOOSE, value, mask, word)
}

/// Two halves or four bytes: each lane separately, or their sum.
fn lanes<'a>(
    emitter: &mut Emitter<'_, 'a>,
    video: &Video<'_>,
    bits: u32,
    destination: &Expression<'a>,
    sources: &[Expression<'a>],
) -> Option<()> {
    // Lanes that are selected by name keep their notation.
    let [a, b, c] = sources else { return None };
    let sums = match video.second {
        None => false,
        Some(".add") => true,
        _ => return None,
    };
    let (a, b, mut result) = (
        emitter.source(a, R)?,
        emitter.source(b, R)?,
        emitter.source(c, R)?,
    );
    for number in 0..32 / bits {
        let first = number * bits;
        let part = Part { first, bits };
        let left = extended(emitter, a, part, video.signed[1]);
        let right = extended(emitter, b, part, video.signed[2]);
        let lane = lane(emitter, video, bits, left, right)?;
        result = if sums {
            emitter.plus(result, lane)
        } else {
            merged(emitter, part, lane, result)
        };
    }
    emitter.write(destination, result)
}

/// One lane, computed exactly in 32 bits.
fn lane(
    emitter: &mut Emitter<'_, '_>,
    video: &Video<'_>,
    bits: u32,
    left: Value,
    right: Value,
) -> Option<Value> {
    let choose = |emitter: &mut Emitter<'_, '_>, how: &str| {
        let first = emitter.compared(how, true, left, right);
        emitter.chosen(first, left, right)
    };
    let value = match video.operation {
        "vadd" => emitter.plus(left, right),
        "vsub" => emitter.plus(left, negative(right)),
        "vavrg" => {
            // Half of the sum, rounded away from zero.
            let sum = emitter.plus(left, right);
            let (zero, one) = (emitter.word_of(0), emitter.word_of(1));
            let up = emitter.compared("ge", true, sum, zero);
            let up = emitter.chosen(up, one, zero);
            let sum = emitter.plus(sum, up);
            emitter.right(sum, one, true)
        }
        "vabsdiff" => {
            let largest = choose(emitter, "gt");
            let least = choose(emitter, "lt");
            emitter.plus(largest, negative(least))
        }
        "vmin" => choose(emitter, "lt"),
        "vmax" => choose(emitter, "gt"),
        "vset" => {
            let how = video.compare?.get(1..)?;
            let holds = emitter.compared(how, true, left, right);
            let (one, none) = (emitter.word_of(1), emitter.word_of(0));
            emitter.chosen(holds, one, none)
        }
        _ => return None,
    };
    if !video.saturates {
        return Some(value);
    }
    let [least, most] = bounds(bits, video.signed[0])
        .map(|bound| emitter.word_of(i32::try_from(bound).unwrap_or(i32::MAX)));
    let below = emitter.compared("lt", true, value, least);
    let value = emitter.chosen(below, least, value);
    let above = emitter.compared("gt", true, value, most);
    Some(emitter.chosen(above, most, value))
}
