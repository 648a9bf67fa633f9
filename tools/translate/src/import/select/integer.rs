//! Integers of 16, 32 and 64 bits: sums, products, extrema, absolute values.
//!
//! A 16-bit register of PTX is the low half of a machine register; its high half is unspecified, so
//! operations that depend on it extend it first.

use orison_ir::Value;
use orison_ori::Register;
use orison_ori::operations as ori;

use super::super::emitter::Emitter;
use super::emit::{Source, inverted, negative, table};
use super::modifiers::Words;
use crate::ptx::ast::{Expression, Instruction};

const R: Register = Register::R;
const R64: Register = Register::R64;

/// An integer type of PTX.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Integer {
    /// Its width: 8, 16, 32 or 64.
    pub bits: u32,
    /// Whether it is signed.
    pub signed: bool,
}

impl Integer {
    /// The type of a modifier.
    pub fn of(word: &str) -> Option<Self> {
        let signed = word.starts_with(".s");
        let bits = match word {
            ".s8" | ".u8" | ".b8" => 8,
            ".s16" | ".u16" | ".b16" => 16,
            ".s32" | ".u32" | ".b32" => 32,
            ".s64" | ".u64" | ".b64" => 64,
            _ => return None,
        };
        Some(Integer { bits, signed })
    }

    /// The register that holds it.
    pub fn register(self) -> Register {
        if self.bits == 64 { R64 } else { R }
    }
}

impl<'a> Emitter<'_, 'a> {
    /// An operand, extended to the register width.
    pub(super) fn integer(&mut self, operand: &Expression<'a>, ty: Integer) -> Option<Value> {
        let value = self.source(operand, ty.register())?;
        if operand.as_integer().is_some() && ty.bits < 32 {
            let number = operand.as_integer()?;
            let low = u16::try_from(number & 0xffff).ok()?;
            let number = match (ty.bits, ty.signed) {
                (8, true) => i32::from(low.to_le_bytes()[0].cast_signed()),
                (8, false) => i32::from(low.to_le_bytes()[0]),
                (_, true) => i32::from(low.cast_signed()),
                (_, false) => i32::from(low),
            };
            return Some(self.word_of(number));
        }
        Some(self.extended(value, ty))
    }

    /// A value of a narrow type, extended to 32 bits.
    pub(super) fn extended(&mut self, value: Value, ty: Integer) -> Value {
        match (ty.bits, ty.signed) {
            (8, true) => self.bytes(value, 0x8880),
            (8, false) => self.masked(value, 0xff),
            (16, true) => self.bytes(value, 0x9910),
            (16, false) => self.masked(value, 0xffff),
            _ => value,
        }
    }

    /// The sum of two values of a type.
    pub(super) fn add_integers(
        &mut self,
        ty: Integer,
        a: Value,
        b: Value,
        subtract: bool,
    ) -> Value {
        if ty.bits == 64 {
            return self.add_wide(a, b, subtract);
        }
        let b = if subtract { negative(b) } else { b.into() };
        self.plus(a, b)
    }

    /// The negative of a value.
    pub(super) fn negated(&mut self, ty: Integer, value: Value) -> Value {
        let zero = self.immediate(0, ty.register());
        self.add_integers(ty, zero, value, true)
    }

    /// Compares two values of a type.
    pub(super) fn is(&mut self, how: &str, ty: Integer, a: Value, b: Value) -> Value {
        if ty.bits == 64 {
            self.compared_pairs(how, ty.signed, a, b)
        } else {
            self.compared(how, ty.signed, a, b)
        }
    }

    /// `a` if a predicate holds, else `b`, of a type.
    pub(super) fn either(
        &mut self,
        ty: Integer,
        p: impl Into<Source>,
        a: Value,
        b: Value,
    ) -> Value {
        if ty.bits == 64 {
            self.chosen_pair(p, a, b)
        } else {
            self.chosen(p, a, b)
        }
    }

    /// The absolute value of a signed integer.
    pub(super) fn magnitude(&mut self, ty: Integer, value: Value) -> Value {
        if ty.bits < 64 {
            return self.compute(ori::Iabs::NAME, &[value.into()], &[], &[], R);
        }
        let zero = self.immediate(0, R64);
        let negated = self.add_wide(zero, value, true);
        let (high, none) = (self.word(value, 1), self.word_of(0));
        let is_negative = self.compared("lt", true, high, none);
        self.chosen_pair(is_negative, negated, value)
    }
}

/// Selects instructions on integers; `None` for those on floats.
pub(super) fn select<'a>(
    emitter: &mut Emitter<'_, 'a>,
    instruction: &Instruction<'a>,
) -> Option<()> {
    let (destination, sources) = instruction.operands.split_first()?;
    let mut words = Words::of(instruction);
    if let Some(packed @ (".u16x2" | ".s16x2")) = instruction.modifiers.last().copied() {
        words.last();
        let value = packed_halves(emitter, instruction.name, packed, &mut words, sources)?;
        words.done()?;
        return emitter.write(destination, value);
    }
    let ty = match instruction.modifiers {
        // `min.s32.relu` is an older order of modifiers than `min.relu.s32`.
        ref all if all.last() == Some(&".relu") => {
            let ty = all.get(all.len().checked_sub(2)?)?;
            words.take(ty);
            Integer::of(ty)?
        }
        _ => Integer::of(words.last()?)?,
    };
    let value = match instruction.name {
        "add" | "sub" => sum(emitter, instruction.name == "sub", ty, &mut words, sources)?,
        "neg" => {
            let [a] = emitter.sources(sources, ty.register())?;
            emitter.negated(ty, a)
        }
        "abs" => {
            let [a] = sources else { return None };
            let a = emitter.integer(a, ty)?;
            emitter.magnitude(ty, a)
        }
        "mul" | "mad" => product(emitter, ty, &mut words, sources)?,
        "mul24" | "mad24" => short_product(emitter, ty, &mut words, sources)?,
        "sad" => difference(emitter, ty, sources)?,
        "min" | "max" => extremum(emitter, instruction.name, ty, &mut words, sources)?,
        _ => return None,
    };
    words.done()?;
    emitter.write(destination, value)
}

fn sum<'a>(
    emitter: &mut Emitter<'_, 'a>,
    subtract: bool,
    ty: Integer,
    words: &mut Words<'_>,
    sources: &[Expression<'a>],
) -> Option<Value> {
    let [a, b] = emitter.sources(sources, ty.register())?;
    let sum = emitter.add_integers(ty, a, b, subtract);
    if !words.take(".sat") {
        return Some(sum);
    }
    (ty.bits == 32 && ty.signed).then_some(())?;
    Some(saturated(emitter, a, b, sum, subtract))
}

/// The saturated sum of two signed 32-bit values: overflow occurs if both terms have the sign
/// opposite to that of the sum.
fn saturated(
    emitter: &mut Emitter<'_, '_>,
    a: Value,
    b: Value,
    sum: Value,
    subtract: bool,
) -> Value {
    // (a xor sum) and (b xor sum), or for a difference (a xor sum) and (a xor b).
    let table = if subtract { 0x18 } else { 0x42 };
    let overflow = emitter.logic(table, a, b, sum);
    let zero = emitter.word_of(0);
    let overflows = emitter.compared("lt", true, overflow, zero);
    let (sign, most) = (emitter.word_of(31), emitter.word_of(i32::MAX));
    let signs = emitter.right(a, sign, true);
    let bound = emitter.logic2(table::XOR, signs, most);
    emitter.chosen(overflows, bound, sum)
}

fn product<'a>(
    emitter: &mut Emitter<'_, 'a>,
    ty: Integer,
    words: &mut Words<'_>,
    sources: &[Expression<'a>],
) -> Option<Value> {
    let part = words.any(&[".lo", ".hi", ".wide"])?;
    let (factors, addend) = sources.split_at_checked(2)?;
    let addend = match addend {
        [] => None,
        [addend] => Some(addend),
        _ => return None,
    };
    let result = match (part, ty.bits) {
        (".wide", 32) => R64,
        _ => ty.register(),
    };
    let c = match addend {
        Some(addend) => emitter.source(addend, result)?,
        None => emitter.immediate(0, result),
    };
    match (part, ty.bits) {
        (".lo", 64) => {
            let [a, b] = emitter.sources(factors, R64)?;
            Some(emitter.multiply_wide(a, b, c))
        }
        (".lo", _) => {
            let [a, b] = emitter.sources(factors, R)?;
            Some(emitter.multiply(a, b, c))
        }
        (".wide", 32) => {
            let [a, b] = emitter.sources(factors, R)?;
            Some(emitter.multiply_pair(a, b, c, ty.signed))
        }
        (".wide", 16) => {
            let [a, b] = narrow_factors(emitter, ty, factors)?;
            Some(emitter.multiply(a, b, c))
        }
        (".hi", 16) => {
            let [a, b] = narrow_factors(emitter, ty, factors)?;
            let (zero, half) = (emitter.word_of(0), emitter.word_of(16));
            let product = emitter.multiply(a, b, zero);
            let high = emitter.right(product, half, ty.signed);
            Some(emitter.plus(high, c))
        }
        (".hi", 32) => {
            let [a, b] = emitter.sources(factors, R)?;
            let zero = emitter.immediate(0, R64);
            let high = emitter.multiply_high(a, b, zero, ty.signed);
            if addend.is_none() {
                return Some(high);
            }
            let sum = emitter.plus(high, c);
            if !words.take(".sat") {
                return Some(sum);
            }
            ty.signed.then_some(())?;
            Some(saturated(emitter, high, c, sum, false))
        }
        (".hi", 64) => {
            let [a, b] = emitter.sources(factors, R64)?;
            let high = high_pair(emitter, a, b, ty.signed);
            Some(emitter.add_wide(high, c, false))
        }
        _ => None,
    }
}

fn narrow_factors<'a>(
    emitter: &mut Emitter<'_, 'a>,
    ty: Integer,
    factors: &[Expression<'a>],
) -> Option<[Value; 2]> {
    let [a, b] = factors else { return None };
    Some([emitter.integer(a, ty)?, emitter.integer(b, ty)?])
}

/// The high pair of the product of two pairs.
///
/// Four 32-bit products are added; a signed product is the unsigned one minus each factor masked by
/// the sign of the other.
pub(super) fn high_pair(emitter: &mut Emitter<'_, '_>, a: Value, b: Value, signed: bool) -> Value {
    let words = [(a, 0), (a, 1), (b, 0), (b, 1)].map(|(value, word)| emitter.word(value, word));
    let [a_low, a_high, b_low, b_high] = words;
    let none = emitter.immediate(0, R64);
    let zero = emitter.word_of(0);
    let lowest = emitter.multiply_pair(a_low, b_low, none, false);
    let carried = emitter.word(lowest, 1);
    let carried = emitter.concat(&[carried, zero]);
    // A 32-bit product plus one or two 32-bit values does not exceed 64 bits.
    let middle = emitter.multiply_pair(a_high, b_low, carried, false);
    let (middle_low, middle_high) = (emitter.word(middle, 0), emitter.word(middle, 1));
    let middle_low = emitter.concat(&[middle_low, zero]);
    let middle_high = emitter.concat(&[middle_high, zero]);
    let other = emitter.multiply_pair(a_low, b_high, middle_low, false);
    let other_high = emitter.word(other, 1);
    let other_high = emitter.concat(&[other_high, zero]);
    let high = emitter.multiply_pair(a_high, b_high, middle_high, false);
    let mut high = emitter.add_wide(high, other_high, false);
    if !signed {
        return high;
    }
    for (sign, factor) in [(a_high, b), (b_high, a)] {
        let less = emitter.add_wide(high, factor, true);
        let is_negative = emitter.compared("lt", true, sign, zero);
        high = emitter.chosen_pair(is_negative, less, high);
    }
    high
}

/// Products of the low 24 bits.
fn short_product<'a>(
    emitter: &mut Emitter<'_, 'a>,
    ty: Integer,
    words: &mut Words<'_>,
    sources: &[Expression<'a>],
) -> Option<Value> {
    (ty.bits == 32).then_some(())?;
    let high = words.any(&[".lo", ".hi"])? == ".hi";
    let (factors, addend) = sources.split_at_checked(2)?;
    let [a, b] = emitter.sources(factors, R)?;
    let width = emitter.word_of(24);
    let sign = [("signedness", if ty.signed { "s32" } else { "u32" })];
    let [a, b] = [a, b].map(|factor| {
        let sources = [factor.into(), width.into()];
        emitter.compute(ori::Sgxt::NAME, &sources, &sign, &[], R)
    });
    let c = match addend {
        [] => emitter.word_of(0),
        [addend] => emitter.source(addend, R)?,
        _ => return None,
    };
    if !high {
        return Some(emitter.multiply(a, b, c));
    }
    // Bits 16 to 47 of the product.
    let zero = emitter.immediate(0, R64);
    let product = emitter.multiply_pair(a, b, zero, ty.signed);
    let (low, high) = (emitter.word(product, 0), emitter.word(product, 1));
    let middle = emitter.permuted(low, 0x5432, high);
    if addend.is_empty() {
        return Some(middle);
    }
    let sum = emitter.plus(middle, c);
    if !words.take(".sat") {
        return Some(sum);
    }
    ty.signed.then_some(())?;
    Some(saturated(emitter, middle, c, sum, false))
}

/// `|a - b| + c`.
fn difference<'a>(
    emitter: &mut Emitter<'_, 'a>,
    ty: Integer,
    sources: &[Expression<'a>],
) -> Option<Value> {
    let [a, b, c] = sources else { return None };
    let (a, b) = (emitter.integer(a, ty)?, emitter.integer(b, ty)?);
    let c = emitter.source(c, ty.register())?;
    if ty.bits < 64 {
        let signedness = if ty.signed { "s32" } else { "u32" };
        let sources = [a.into(), b.into(), c.into()];
        return Some(emitter.compute(
            ori::Vabsdiff::NAME,
            &sources,
            &[("signedness", signedness)],
            &[],
            R,
        ));
    }
    let forth = emitter.add_wide(a, b, true);
    let back = emitter.add_wide(b, a, true);
    let after = emitter.is("ge", ty, a, b);
    let difference = emitter.chosen_pair(after, forth, back);
    Some(emitter.add_wide(difference, c, false))
}

fn extremum<'a>(
    emitter: &mut Emitter<'_, 'a>,
    name: &str,
    ty: Integer,
    words: &mut Words<'_>,
    sources: &[Expression<'a>],
) -> Option<Value> {
    let smaller = name == "min";
    let [a, b] = sources else { return None };
    let (a, b) = (emitter.integer(a, ty)?, emitter.integer(b, ty)?);
    let relu = words.take(".relu");
    if ty.bits == 64 {
        (!relu).then_some(())?;
        let first = emitter.is(if smaller { "lt" } else { "gt" }, ty, a, b);
        return Some(emitter.chosen_pair(first, a, b));
    }
    let value = extremum_of_words(emitter, smaller, ty.signed, a, b);
    if !relu {
        return Some(value);
    }
    ty.signed.then_some(())?;
    let zero = emitter.word_of(0);
    Some(extremum_of_words(emitter, false, true, value, zero))
}

/// The minimum or maximum of two 32-bit values.
pub(super) fn extremum_of_words(
    emitter: &mut Emitter<'_, '_>,
    smaller: bool,
    signed: bool,
    a: Value,
    b: Value,
) -> Value {
    let name = if emitter.sm() >= 90 {
        ori::Vimnmx::NAME
    } else {
        ori::Imnmx::NAME
    };
    let choice = emitter.truth(smaller);
    let sources = [("a", a.into()), ("b", b.into()), ("choice", choice.into())];
    let words = [("signedness", if signed { "s32" } else { "u32" })];
    let op = emitter.operation(name, &sources, &words).result(R);
    emitter.emit(op)
}

/// Sums and extrema of both 16-bit halves, each computed in 32 bits.
fn packed_halves<'a>(
    emitter: &mut Emitter<'_, 'a>,
    name: &str,
    packed: &str,
    words: &mut Words<'_>,
    sources: &[Expression<'a>],
) -> Option<Value> {
    let signed = packed == ".s16x2";
    let relu = words.take(".relu");
    let values: Option<Vec<_>> = sources.iter().map(|each| emitter.source(each, R)).collect();
    let values = values?;
    let halves = [0, 1].map(|half| {
        let selector = match (half, signed) {
            (0, false) => 0x4410,
            (0, true) => 0x9910,
            (_, false) => 0x4432,
            (_, true) => 0xbb32,
        };
        let parts: Vec<_> = values
            .iter()
            .map(|value| emitter.bytes(*value, selector))
            .collect();
        let value = match (name, parts.as_slice()) {
            ("add", [a, b]) => emitter.plus(*a, *b),
            ("sub", [a, b]) => emitter.plus(*a, negative(*b)),
            ("neg", [a]) => {
                let zero = emitter.word_of(0);
                emitter.plus(zero, negative(*a))
            }
            ("min" | "max", [a, b]) => extremum_of_words(emitter, name == "min", signed, *a, *b),
            _ => return None,
        };
        if !relu {
            return Some(value);
        }
        let zero = emitter.word_of(0);
        Some(extremum_of_words(emitter, false, true, value, zero))
    });
    let [Some(low), Some(high)] = halves else {
        return None;
    };
    (!relu || signed).then_some(())?;
    Some(emitter.packed(low, high))
}

/// Selects `add.cc`, `addc`, `sub.cc`, `subc`, `mad.cc` and `madc`, whose carry flag is a value.
pub(super) fn select_carry<'a>(
    emitter: &mut Emitter<'_, 'a>,
    instruction: &Instruction<'a>,
) -> Option<()> {
    let (destination, sources) = instruction.operands.split_first()?;
    let mut words = Words::of(instruction);
    let leaves = words.take(".cc");
    let ty = Integer::of(words.last()?).filter(|ty| ty.bits >= 32)?;
    let subtract = instruction.name.starts_with("sub");
    let takes = matches!(instruction.name, "addc" | "subc" | "madc");
    let (a, b) = if instruction.name.starts_with("mad") {
        let part = words.any(&[".lo", ".hi"])?;
        let [a, b, c] = emitter.sources(sources, ty.register())?;
        let zero = emitter.immediate(0, R64);
        let product = match (part, ty.bits) {
            (".lo", 32) => {
                let zero = emitter.word_of(0);
                emitter.multiply(a, b, zero)
            }
            (_, 32) => emitter.multiply_high(a, b, zero, ty.signed),
            (".lo", _) => emitter.multiply_wide(a, b, zero),
            _ => high_pair(emitter, a, b, ty.signed),
        };
        (product, c)
    } else {
        let [a, b] = emitter.sources(sources, ty.register())?;
        (a, b)
    };
    words.done()?;
    let mut carry = match (takes, emitter.carry) {
        // After a difference the flag is a borrow: the inverse of the adder's carry.
        (true, Some((value, is_inverted))) => {
            let flip = is_inverted != subtract;
            Some(if flip {
                inverted(value)
            } else {
                Source::from(value)
            })
        }
        (true, None) => return None,
        (false, _) => subtract.then(|| {
            let truth = emitter.truth(true);
            truth.into()
        }),
    };
    let mut parts = Vec::new();
    for word in 0..ty.bits / 32 {
        let (a, b) = (emitter.word(a, word), emitter.word(b, word));
        let first = carry.is_none() || (word == 0 && !takes);
        let (sum, out) = match carry {
            Some(carry) if !first => {
                let b = if subtract { inverted(b) } else { b.into() };
                emitter.plus_with_carry(a, b, carry)
            }
            _ => emitter.plus_carry(a, if subtract { negative(b) } else { b.into() }),
        };
        parts.push(sum);
        carry = Some(out.into());
    }
    let value = emitter.concat(&parts);
    emitter.write(destination, value)?;
    if leaves {
        let out = carry?.value;
        emitter.carry = Some(match (emitter.guard, emitter.carry) {
            (Some((predicate, is_inverted)), Some((old, old_inverted))) => {
                let choice = if is_inverted {
                    inverted(predicate)
                } else {
                    predicate.into()
                };
                let old = if old_inverted == subtract {
                    old.into()
                } else {
                    inverted(old)
                };
                // (choice and new) or (not choice and old).
                (emitter.predicates(0xca, choice, out, old), subtract)
            }
            _ => (out, subtract),
        });
    }
    Some(())
}
