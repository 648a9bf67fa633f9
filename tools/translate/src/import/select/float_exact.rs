//! Quotients and square roots of any floats, in all rounding modes.
//!
//! Significands are divided, or their root is taken, as floats between one and four, whose
//! exponents cannot be extreme. The result is correct to its last bit; the sign of the residual
//! gives the side on which the exact value is. Both become an integer with some more bits than the
//! format, which is rounded once, to the bits that its exponent permits.

use orison_ir::Value;
use orison_ori::Register;

use super::super::emitter::Emitter;
use super::super::routines::Format;
use super::bits::{shift_pair_left, shift_pair_right};
use super::emit::{FloatMode, Source, absolute, compared_doubles, negative, table};
use super::float_newton::{double_root, guess, refined_reciprocal};
use super::integer::Integer;

const R64: Register = Register::R64;
const NEAREST: FloatMode = FloatMode::NEAREST;

/// The operation.
#[derive(Clone, Copy, Debug)]
pub(in super::super) enum Wanted {
    /// The first divided by the second.
    Quotient(Value, Value),
    /// The square root.
    Root(Value),
}

impl Format {
    /// Its bits as an unsigned integer.
    const fn integer(self) -> Integer {
        Integer {
            bits: self.bits(),
            signed: false,
        }
    }

    /// Fraction bits of the significand.
    const fn fraction(self) -> i32 {
        if matches!(self, Format::Single) {
            23
        } else {
            52
        }
    }

    /// The exponent bias.
    const fn bias(self) -> i32 {
        if matches!(self, Format::Single) {
            127
        } else {
            1023
        }
    }

    /// The number of guard bits of the integer that is rounded: they leave the sign bit clear.
    const fn guard(self) -> i32 {
        if matches!(self, Format::Single) {
            7
        } else {
            10
        }
    }

    fn number(self, emitter: &mut Emitter<'_, '_>, value: i64) -> Value {
        emitter.immediate(value, self.integer().register())
    }

    fn infinity(self, emitter: &mut Emitter<'_, '_>) -> Value {
        let exponent = i64::from(2 * self.bias() + 1);
        self.number(emitter, exponent << self.fraction())
    }

    fn logic(self, emitter: &mut Emitter<'_, '_>, lut: i32, a: Value, b: Value) -> Value {
        let words: Vec<_> = (0..self.integer().bits / 32)
            .map(|word| {
                let (a, b) = (emitter.word(a, word), emitter.word(b, word));
                emitter.logic2(lut, a, b)
            })
            .collect();
        emitter.concat(&words)
    }

    fn left(self, emitter: &mut Emitter<'_, '_>, a: Value, amount: Value) -> Value {
        match self {
            Format::Single => emitter.left(a, amount),
            Format::Double => shift_pair_left(emitter, a, amount),
        }
    }

    fn right(self, emitter: &mut Emitter<'_, '_>, a: Value, amount: Value) -> Value {
        match self {
            Format::Single => emitter.right(a, amount, false),
            Format::Double => shift_pair_right(emitter, a, amount, false),
        }
    }

    /// The highest 32 bits.
    fn top(self, emitter: &mut Emitter<'_, '_>, a: Value) -> Value {
        emitter.word(a, self.integer().bits / 32 - 1)
    }

    fn multiply(self, emitter: &mut Emitter<'_, '_>, a: Value, b: Value) -> Value {
        match self {
            Format::Single => emitter.fmul(NEAREST, a, b),
            Format::Double => emitter.dmul(a, b),
        }
    }

    fn fused(
        self,
        emitter: &mut Emitter<'_, '_>,
        a: impl Into<Source>,
        b: Value,
        c: Value,
    ) -> Value {
        match self {
            Format::Single => emitter.ffma(NEAREST, a, b, c),
            Format::Double => emitter.dfma(NEAREST, a, b, c),
        }
    }

    fn compared(
        self,
        emitter: &mut Emitter<'_, '_>,
        how: &str,
        a: impl Into<Source>,
        b: impl Into<Source>,
    ) -> Value {
        match self {
            Format::Single => emitter.compared_floats(how, false, a, b),
            Format::Double => compared_doubles(emitter, how, a, b),
        }
    }

    fn float(self, emitter: &mut Emitter<'_, '_>, value: f32) -> Value {
        match self {
            Format::Single => emitter.float_of(value),
            Format::Double => emitter.double_of(f64::from(value)),
        }
    }

    fn is(self, emitter: &mut Emitter<'_, '_>, how: &str, a: Value, b: Value) -> Value {
        emitter.is(how, self.integer(), a, b)
    }

    fn either(self, emitter: &mut Emitter<'_, '_>, p: Value, a: Value, b: Value) -> Value {
        emitter.either(self.integer(), p, a, b)
    }
}

/// The significand of a float as a float from one to two, and its exponent as a 32-bit value.
/// Meaningless for zeros, infinities and NaN.
fn unpacked(emitter: &mut Emitter<'_, '_>, format: Format, value: Value) -> (Value, Value) {
    let magnitude = format.number(emitter, i64::MAX >> (64 - format.integer().bits));
    let bits = format.logic(emitter, table::AND, value, magnitude);
    let least = format.number(emitter, 1i64 << format.fraction());
    let normal = format.is(emitter, "ge", bits, least);
    // 2^64 makes every denormal normal.
    let scale = format.float(emitter, 18_446_744_073_709_551_616.0);
    let scaled = format.multiply(emitter, bits, scale);
    let bits = format.either(emitter, normal, bits, scaled);
    let top = format.top(emitter, bits);
    let amount = emitter.word_of(format.fraction() % 32);
    let field = emitter.right(top, amount, false);
    let (bias, scaled_bias) = (
        emitter.word_of(-format.bias()),
        emitter.word_of(-format.bias() - 64),
    );
    let bias = emitter.chosen(normal, bias, scaled_bias);
    let exponent = emitter.plus(field, bias);
    let fraction = format.number(emitter, (1i64 << format.fraction()) - 1);
    let one = format.float(emitter, 1.0);
    let fraction = format.logic(emitter, table::AND, bits, fraction);
    let significand = format.logic(emitter, table::OR, fraction, one);
    (significand, exponent)
}

/// The quotient of significands, correct to the last bit, and its residual.
fn divided(emitter: &mut Emitter<'_, '_>, format: Format, a: Value, b: Value) -> (Value, Value) {
    let inverse = match format {
        Format::Single => {
            let one = emitter.float_of(1.0);
            let guess = emitter.elementary("rcp", b);
            let error = emitter.ffma(NEAREST, negative(b), guess, one);
            emitter.ffma(NEAREST, guess, error, guess)
        }
        Format::Double => {
            let low = emitter.word_of(0);
            let first = guess(emitter, "rcp64h", b, low);
            refined_reciprocal(emitter, b, first)
        }
    };
    let mut quotient = format.multiply(emitter, a, inverse);
    for _ in 0..2 {
        let residual = format.fused(emitter, negative(b), quotient, a);
        quotient = format.fused(emitter, residual, inverse, quotient);
    }
    let residual = format.fused(emitter, negative(b), quotient, a);
    nearest(emitter, format, quotient, residual, |emitter, quotient| {
        format.fused(emitter, negative(b), quotient, a)
    })
}

/// Either a result that is correct except for its last bit, or its neighbour in the direction of
/// the residual, whichever has the smaller residual. (The reciprocal of an all-ones significand is
/// not always the nearest, for any initial guess.)
fn nearest<'e, 'a>(
    emitter: &mut Emitter<'e, 'a>,
    format: Format,
    result: Value,
    residual: Value,
    residual_of: impl FnOnce(&mut Emitter<'e, 'a>, Value) -> Value,
) -> (Value, Value) {
    let ty = format.integer();
    let (one, none) = (format.number(emitter, 1), format.float(emitter, 0.0));
    let above = emitter.add_integers(ty, result, one, false);
    let below = emitter.add_integers(ty, result, one, true);
    let short = format.compared(emitter, "gt", residual, none);
    let other = format.either(emitter, short, above, below);
    let other_residual = residual_of(emitter, other);
    let less = format.compared(emitter, "lt", absolute(other_residual), absolute(residual));
    (
        format.either(emitter, less, other, result),
        format.either(emitter, less, other_residual, residual),
    )
}

/// The root of a number from one to four, correct to the last bit, and the residual of its square.
fn rooted(emitter: &mut Emitter<'_, '_>, format: Format, a: Value) -> (Value, Value) {
    let root = match format {
        Format::Single => {
            let (guess, half) = (emitter.elementary("rsq", a), emitter.float_of(0.5));
            let root = emitter.fmul(NEAREST, a, guess);
            let half = emitter.fmul(NEAREST, guess, half);
            let residual = emitter.ffma(NEAREST, negative(root), root, a);
            emitter.ffma(NEAREST, residual, half, root)
        }
        Format::Double => {
            let low = emitter.word_of(0);
            double_root(emitter, a, low).0
        }
    };
    let residual = format.fused(emitter, negative(root), root, a);
    nearest(emitter, format, root, residual, |emitter, root| {
        format.fused(emitter, negative(root), root, a)
    })
}

/// The quotient or root of any floats, rounded to nearest or as specified: the body of a routine.
pub(in super::super) fn rounded(
    emitter: &mut Emitter<'_, '_>,
    format: Format,
    wanted: Wanted,
    rounding: Option<&'static str>,
) -> Value {
    let sign_bit = format.number(emitter, i64::MIN >> (64 - format.integer().bits));
    let (result, residual, exponent, sign) = match wanted {
        Wanted::Quotient(a, b) => {
            let (a_part, a_exponent) = unpacked(emitter, format, a);
            let (b_part, b_exponent) = unpacked(emitter, format, b);
            let (quotient, residual) = divided(emitter, format, a_part, b_part);
            let exponent = emitter.plus(a_exponent, negative(b_exponent));
            let signs = format.logic(emitter, table::XOR, a, b);
            let sign = format.logic(emitter, table::AND, signs, sign_bit);
            (quotient, residual, exponent, sign)
        }
        Wanted::Root(a) => {
            let (part, exponent) = unpacked(emitter, format, a);
            let (one, zero) = (emitter.word_of(1), emitter.word_of(0));
            let low = emitter.masked(exponent, 1);
            let odd = emitter.compared("ne", false, low, zero);
            let two = format.float(emitter, 2.0);
            let doubled = format.multiply(emitter, part, two);
            let part = format.either(emitter, odd, doubled, part);
            // Toward negative infinity: an odd exponent moved one to the significand.
            let exponent = emitter.right(exponent, one, true);
            let (root, residual) = rooted(emitter, format, part);
            let sign = format.number(emitter, 0);
            (root, residual, exponent, sign)
        }
    };
    let value = packed(
        emitter,
        format,
        [result, residual, exponent, sign],
        rounding,
    );
    special(emitter, format, wanted, sign, value)
}

/// Rounds a float from one half to two with its residual, an exponent, and a sign given as a float,
/// once.
fn packed(
    emitter: &mut Emitter<'_, '_>,
    format: Format,
    [result, residual, exponent, sign]: [Value; 4],
    rounding: Option<&'static str>,
) -> Value {
    let ty = format.integer();
    let (zero, one) = (format.number(emitter, 0), format.number(emitter, 1));
    let top = format.top(emitter, result);
    let amount = emitter.word_of(format.fraction() % 32);
    let field = emitter.right(top, amount, false);
    let bias = emitter.word_of(-format.bias());
    let exponent = emitter.add3([exponent.into(), field.into(), bias.into()]);
    let fraction = format.number(emitter, (1i64 << format.fraction()) - 1);
    let leading = format.number(emitter, 1i64 << format.fraction());
    let whole = format.logic(emitter, table::AND, result, fraction);
    let whole = format.logic(emitter, table::OR, whole, leading);
    let guard = emitter.word_of(format.guard());
    let whole = format.left(emitter, whole, guard);
    // A nonzero residual moves it off the representable numbers.
    let none = format.float(emitter, 0.0);
    let [above, below] = ["gt", "lt"].map(|how| format.compared(emitter, how, residual, none));
    let more = emitter.add_integers(ty, whole, one, false);
    let less = emitter.add_integers(ty, whole, one, true);
    let whole = format.either(emitter, above, more, whole);
    let whole = format.either(emitter, below, less, whole);
    // Just below a power of two: one more bit, of the binade below.
    let full = format.number(emitter, 1i64 << (format.fraction() + format.guard()));
    let short = format.is(emitter, "lt", whole, full);
    let twice = emitter.add_integers(ty, whole, whole, false);
    let twice = emitter.add_integers(ty, twice, one, false);
    let whole = format.either(emitter, short, twice, whole);
    let (step, minus) = (emitter.word_of(0), emitter.word_of(-1));
    let step = emitter.chosen(short, minus, step);
    let exponent = emitter.plus(exponent, step);
    let bits = round(emitter, format, whole, exponent, sign, rounding);
    // Overflow: infinity, or the largest finite value if rounded toward zero.
    let infinity = format.infinity(emitter);
    let largest = emitter.add_integers(ty, infinity, one, true);
    let overflows = {
        let most = emitter.word_of(format.bias());
        let by_exponent = emitter.compared("gt", true, exponent, most);
        let by_rounding = format.is(emitter, "ge", bits, infinity);
        emitter.predicates2(table::OR, by_exponent, by_rounding)
    };
    let is_negative = format.is(emitter, "ne", sign, zero);
    let bound = match rounding {
        None => infinity,
        Some("rm") => format.either(emitter, is_negative, infinity, largest),
        Some("rp") => format.either(emitter, is_negative, largest, infinity),
        Some(_) => largest,
    };
    let bits = format.either(emitter, overflows, bound, bits);
    format.logic(emitter, table::OR, bits, sign)
}

/// The bits of a float without its sign: an integer with guard bits, shifted by its exponent and
/// rounded.
fn round(
    emitter: &mut Emitter<'_, '_>,
    format: Format,
    whole: Value,
    exponent: Value,
    sign: Value,
    rounding: Option<&'static str>,
) -> Value {
    let ty = format.integer();
    let (zero, one) = (format.number(emitter, 0), format.number(emitter, 1));
    let (none, guard) = (emitter.word_of(0), emitter.word_of(format.guard()));
    let bias = emitter.word_of(format.bias() - 1);
    let field = emitter.plus(exponent, bias);
    let denormal = emitter.compared("lt", true, field, none);
    let further = emitter.plus(guard, negative(field));
    let cut = emitter.chosen(denormal, further, guard);
    let field = emitter.chosen(denormal, none, field);
    // Only a sticky bit remains of values below half of the smallest denormal.
    let most = emitter.word_of(format.fraction() + format.guard() + 1);
    let tiny = emitter.compared("gt", true, cut, most);
    let cut = emitter.chosen(tiny, most, cut);
    let whole = format.either(emitter, tiny, one, whole);
    let kept = format.right(emitter, whole, cut);
    let back = format.left(emitter, kept, cut);
    let rest = emitter.add_integers(ty, whole, back, true);
    let inexact = format.is(emitter, "ne", rest, zero);
    let up = match rounding {
        None => {
            let minus = emitter.word_of(-1);
            let half_place = emitter.plus(cut, minus);
            let half = format.left(emitter, one, half_place);
            let more = format.is(emitter, "gt", rest, half);
            let tie = format.is(emitter, "eq", rest, half);
            let last = format.logic(emitter, table::AND, kept, one);
            let odd = format.is(emitter, "ne", last, zero);
            let to_even = emitter.predicates2(table::AND, tie, odd);
            emitter.predicates2(table::OR, more, to_even)
        }
        Some("rz") => emitter.truth(false),
        Some(direction) => {
            let how = if direction == "rm" { "ne" } else { "eq" };
            let outwards = format.is(emitter, how, sign, zero);
            emitter.predicates2(table::AND, inexact, outwards)
        }
    };
    let next = emitter.add_integers(ty, kept, one, false);
    let kept = format.either(emitter, up, next, kept);
    let shift = emitter.word_of(format.fraction() % 32);
    let field = emitter.left(field, shift);
    let field = match format {
        Format::Single => field,
        Format::Double => emitter.concat(&[none, field]),
    };
    emitter.add_integers(ty, kept, field, false)
}

/// The result if an operand is zero, infinite, NaN or a negative root, else the computed one.
fn special(
    emitter: &mut Emitter<'_, '_>,
    format: Format,
    wanted: Wanted,
    sign: Value,
    value: Value,
) -> Value {
    let infinity = format.infinity(emitter);
    let zero = format.number(emitter, 0);
    let no_number = match format {
        Format::Single => emitter.word_of(i32::MAX),
        Format::Double => emitter.immediate(0x7ff8 << 48, R64),
    };
    let magnitude = format.number(emitter, i64::MAX >> (64 - format.integer().bits));
    let any = |emitter: &mut Emitter<'_, '_>, all: &[Value]| {
        all[1..].iter().fold(all[0], |before, next| {
            emitter.predicates2(table::OR, before, *next)
        })
    };
    match wanted {
        Wanted::Quotient(a, b) => {
            let [a, b] = [a, b].map(|x| format.logic(emitter, table::AND, x, magnitude));
            let [[a_none, a_infinite, a_zero], [b_none, b_infinite, b_zero]] = [a, b].map(|x| {
                [("gt", infinity), ("eq", infinity), ("eq", zero)]
                    .map(|(how, bound)| format.is(emitter, how, x, bound))
            });
            let both_infinite = emitter.predicates2(table::AND, a_infinite, b_infinite);
            let both_zero = emitter.predicates2(table::AND, a_zero, b_zero);
            let none = any(emitter, &[a_none, b_none, both_infinite, both_zero]);
            let large = any(emitter, &[a_infinite, b_zero]);
            let small = any(emitter, &[a_zero, b_infinite]);
            let endless = format.logic(emitter, table::OR, infinity, sign);
            let value = format.either(emitter, small, sign, value);
            let value = format.either(emitter, large, endless, value);
            format.either(emitter, none, no_number, value)
        }
        Wanted::Root(a) => {
            let bits = format.logic(emitter, table::AND, a, magnitude);
            let is_zero = format.is(emitter, "eq", bits, zero);
            let endless = format.is(emitter, "eq", a, infinity);
            // Above the bits of infinity: NaN, or negative.
            let none = format.is(emitter, "gt", a, infinity);
            let itself = any(emitter, &[is_zero, endless]);
            let value = format.either(emitter, none, no_number, value);
            format.either(emitter, itself, a, value)
        }
    }
}
