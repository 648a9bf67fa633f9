//! Sums, products, bits.

use orison_ir::Value;
use orison_ori::modifiers::Modifier;
use orison_ori::{MachineOperation, Register};

use super::super::emitter::Emitter;
use crate::ptx::ast::{Expression, Instruction};

const R: Register = Register::R;

pub(super) fn select<'a>(
    emitter: &mut Emitter<'_, 'a>,
    instruction: &Instruction<'a>,
) -> Option<()> {
    let (destination, sources) = instruction.operands.split_first()?;
    let key = format!("{}{}", instruction.name, instruction.modifiers.concat());
    let value = float(emitter, &key, sources)
        .or_else(|| integer(emitter, &key, sources))
        .or_else(|| wide(emitter, &key, sources))
        .or_else(|| bits(emitter, &key, sources))?;
    emitter.write(destination, value)
}

/// An operation on 32-bit sources `a`, `b`, `c`.
fn simple<'a>(
    emitter: &mut Emitter<'_, 'a>,
    name: &'static str,
    sources: &[Expression<'a>],
    flags: &[&'static str],
) -> Option<Value> {
    let mut op = MachineOperation::new(name).result(R);
    for (group, source) in ["a", "b", "c"].into_iter().zip(sources) {
        let value = emitter.read(source, R)?;
        op = op.operand(group, value);
    }
    for flag in flags {
        op = op.flag(flag);
    }
    Some(emitter.emit(op))
}

fn float<'a>(
    emitter: &mut Emitter<'_, 'a>,
    key: &str,
    sources: &[Expression<'a>],
) -> Option<Value> {
    let (key, ftz): (_, &[&'static str]) = match key.strip_suffix(".ftz.f32") {
        Some(stem) => (format!("{stem}.f32"), &["ftz"]),
        None => (key.to_owned(), &[]),
    };
    match key.as_str() {
        "add.f32" | "add.rn.f32" => simple(emitter, "ori.fadd", sources, ftz),
        "mul.f32" | "mul.rn.f32" => simple(emitter, "ori.fmul", sources, ftz),
        "fma.rn.f32" => simple(emitter, "ori.ffma", sources, ftz),
        "sub.f32" | "sub.rn.f32" => {
            let (a, b) = (
                emitter.read(sources.first()?, R)?,
                emitter.read(sources.get(1)?, R)?,
            );
            let op = MachineOperation::new("ori.fadd").operand("a", a);
            let op = op.modified("b", b, &[Modifier::Negate]).result(R);
            Some(emitter.emit(ftz.iter().fold(op, |op, flag| op.flag(flag))))
        }
        "neg.f32" | "abs.f32" => {
            let modifier = if key == "neg.f32" {
                Modifier::Negate
            } else {
                Modifier::Absolute
            };
            let a = emitter.read(sources.first()?, R)?;
            // Minus zero, so that the sign of a zero stays what it is.
            let zero = emitter.immediate(i64::from(i32::MIN), R);
            let op = MachineOperation::new("ori.fadd").modified("a", a, &[modifier]);
            let op = op.operand("b", zero).result(R);
            Some(emitter.emit(ftz.iter().fold(op, |op, flag| op.flag(flag))))
        }
        "min.f32" | "max.f32" => choice(emitter, "ori.fmnmx", sources, key == "min.f32", None, ftz),
        "ex2.approx.f32" if !ftz.is_empty() => function(emitter, "ex2", sources),
        "rcp.approx.f32" if !ftz.is_empty() => function(emitter, "rcp", sources),
        "add.f64" | "add.rn.f64" => double(emitter, "ori.dadd", sources),
        "mul.f64" | "mul.rn.f64" => double(emitter, "ori.dmul", sources),
        "fma.rn.f64" => double(emitter, "ori.dfma", sources),
        "add.f32x2" | "add.rn.f32x2" => double(emitter, "ori.fadd2", sources),
        "mul.f32x2" | "mul.rn.f32x2" => double(emitter, "ori.fmul2", sources),
        "fma.rn.f32x2" => double(emitter, "ori.ffma2", sources),
        "add.rn.f16x2" | "add.f16x2" => halves(emitter, "ori.hadd2", sources),
        "mul.rn.f16x2" | "mul.f16x2" => halves(emitter, "ori.hmul2", sources),
        "fma.rn.f16x2" => halves(emitter, "ori.hfma2", sources),
        _ => None,
    }
}

fn function<'a>(
    emitter: &mut Emitter<'_, 'a>,
    function: &str,
    sources: &[Expression<'a>],
) -> Option<Value> {
    let a = emitter.read(sources.first()?, R)?;
    let op = MachineOperation::new("ori.mufu").operand("a", a).result(R);
    let op = op.word(emitter.context(), "function", function);
    Some(emitter.emit(op))
}

fn double<'a>(
    emitter: &mut Emitter<'_, 'a>,
    name: &'static str,
    sources: &[Expression<'a>],
) -> Option<Value> {
    let mut op = MachineOperation::new(name).result(Register::R64);
    for (group, source) in ["a", "b", "c"].into_iter().zip(sources) {
        let value = emitter.read(source, Register::R64)?;
        op = op.operand(group, value);
    }
    Some(emitter.emit(op))
}

/// An operation on pairs of halves.
fn halves<'a>(
    emitter: &mut Emitter<'_, 'a>,
    name: &'static str,
    sources: &[Expression<'a>],
) -> Option<Value> {
    let mut op = MachineOperation::new(name).result(R);
    op = op.word(emitter.context(), "from", "f16");
    for (group, source) in ["a", "b", "c"].into_iter().zip(sources) {
        let value = emitter.read(source, R)?;
        op = op.operand(group, value);
    }
    Some(emitter.emit(op))
}

/// The smaller or larger of two: the choice is a constant predicate.
fn choice<'a>(
    emitter: &mut Emitter<'_, 'a>,
    name: &'static str,
    sources: &[Expression<'a>],
    smaller: bool,
    signedness: Option<&str>,
    flags: &[&'static str],
) -> Option<Value> {
    let (a, b) = (
        emitter.read(sources.first()?, R)?,
        emitter.read(sources.get(1)?, R)?,
    );
    let choice = emitter.immediate(i64::from(smaller), Register::P);
    let mut op = MachineOperation::new(name).operand("a", a).operand("b", b);
    op = op.operand("choice", choice).result(R);
    if let Some(signedness) = signedness {
        op = op.word(emitter.context(), "signedness", signedness);
    }
    Some(emitter.emit(flags.iter().fold(op, |op, flag| op.flag(flag))))
}

fn integer<'a>(
    emitter: &mut Emitter<'_, 'a>,
    key: &str,
    sources: &[Expression<'a>],
) -> Option<Value> {
    let (stem, ty) = key.rsplit_once('.')?;
    let signedness = match ty {
        "s32" => "s32",
        "u32" | "b32" => "u32",
        _ => return None,
    };
    match stem {
        "add" | "sub" | "neg" => sum(emitter, stem, sources),
        "mul.lo" | "mad.lo" => low_product(emitter, sources),
        "mul.hi" | "mul.wide" | "mad.wide" => wide_product(emitter, stem, signedness, sources),
        "mad.hi" => {
            let high = wide_product(emitter, "mul.hi", signedness, sources.get(..2)?)?;
            let (c, zero) = (emitter.read(sources.get(2)?, R)?, emitter.immediate(0, R));
            Some(emitter.sum([high, c, zero], &[]))
        }
        "min" | "max" => {
            let name = if emitter.sm() >= 90 {
                "ori.vimnmx"
            } else {
                "ori.imnmx"
            };
            choice(emitter, name, sources, stem == "min", Some(signedness), &[])
        }
        "clz" => leading_zeros(emitter, sources),
        "shf.l.wrap" | "shf.r.wrap" => rotate(emitter, stem == "shf.l.wrap", sources),
        "bfe" => field(emitter, signedness, sources),
        "abs" => simple(emitter, "ori.iabs", sources, &[]),
        "popc" => simple(emitter, "ori.popc", sources, &[]),
        "brev" => simple(emitter, "ori.brev", sources, &[]),
        "shl" | "shr" => shift(emitter, stem, signedness, sources),
        _ => None,
    }
}

/// A sum, a difference, a negative.
fn sum<'a>(emitter: &mut Emitter<'_, 'a>, stem: &str, sources: &[Expression<'a>]) -> Option<Value> {
    let first = emitter.read(sources.first()?, R)?;
    let zero = emitter.immediate(0, R);
    if stem == "neg" {
        return Some(emitter.sum([zero, first, zero], &[Modifier::Negate]));
    }
    let second = emitter.read(sources.get(1)?, R)?;
    let modifiers: &[_] = if stem == "sub" {
        &[Modifier::Negate]
    } else {
        &[]
    };
    Some(emitter.sum([first, second, zero], modifiers))
}

/// The low word of a product, plus a third source when there is one.
fn low_product<'a>(emitter: &mut Emitter<'_, 'a>, sources: &[Expression<'a>]) -> Option<Value> {
    let a = emitter.read(sources.first()?, R)?;
    let b = emitter.read(sources.get(1)?, R)?;
    let c = match sources.get(2) {
        Some(c) => emitter.read(c, R)?,
        None => emitter.immediate(0, R),
    };
    let op = MachineOperation::new("ori.imad").operand("a", a);
    Some(emitter.emit(op.operand("b", b).operand("c", c).result(R)))
}

/// Both words or the high one of a product, plus a pair when there is one.
fn wide_product<'a>(
    emitter: &mut Emitter<'_, 'a>,
    stem: &str,
    signedness: &str,
    sources: &[Expression<'a>],
) -> Option<Value> {
    let a = emitter.read(sources.first()?, R)?;
    let b = emitter.read(sources.get(1)?, R)?;
    let c = match sources.get(2) {
        Some(c) => emitter.read(c, Register::R64)?,
        None => emitter.immediate(0, Register::R64),
    };
    let (name, result) = match stem {
        "mul.hi" => ("ori.imad_hi", R),
        _ => ("ori.imad_wide", Register::R64),
    };
    let op = MachineOperation::new(name).operand("a", a).operand("b", b);
    let op = op.operand("c", c).result(result);
    let op = op.word(emitter.context(), "signedness", signedness);
    Some(emitter.emit(op))
}

/// 31 less the number of the highest bit, which is -1 for zero.
fn leading_zeros<'a>(emitter: &mut Emitter<'_, 'a>, sources: &[Expression<'a>]) -> Option<Value> {
    let a = emitter.read(sources.first()?, R)?;
    let op = MachineOperation::new("ori.flo").operand("a", a).result(R);
    let op = op.word(emitter.context(), "signedness", "u32");
    let highest = emitter.emit(op);
    let (top, zero) = (emitter.immediate(31, R), emitter.immediate(0, R));
    Some(emitter.sum([top, highest, zero], &[Modifier::Negate]))
}

/// A word of a pair that is shifted by an amount modulo 32.
fn rotate<'a>(
    emitter: &mut Emitter<'_, 'a>,
    left: bool,
    sources: &[Expression<'a>],
) -> Option<Value> {
    let [low, high, amount] = sources else {
        return None;
    };
    let direction = if left { "left" } else { "right" };
    let mut op = MachineOperation::new("ori.shf").flag("wrap").result(R);
    for (group, source) in [("a", low), ("b", amount), ("c", high)] {
        let value = emitter.read(source, R)?;
        op = op.operand(group, value);
    }
    op = op.word(emitter.context(), "direction", direction);
    op = op.word(emitter.context(), "signedness", "u32");
    Some(emitter.emit(if left { op.flag("high") } else { op }))
}

/// Bits from a known place on, as many as known: shifted down, then extended.
fn field<'a>(
    emitter: &mut Emitter<'_, 'a>,
    signedness: &str,
    sources: &[Expression<'a>],
) -> Option<Value> {
    let [a, place, count] = sources else {
        return None;
    };
    let (place, count) = (place.as_integer()?, count.as_integer()?);
    if !(0..32).contains(&place) || !(1..=32 - place).contains(&count) {
        return None;
    }
    let a = emitter.read(a, R)?;
    let (zero, place) = (
        emitter.immediate(0, R),
        emitter.immediate(i64::try_from(place).ok()?, R),
    );
    let shifted = emitter.funnel("right", "u32", [zero, place, a], true);
    let count = emitter.immediate(i64::try_from(count).ok()?, R);
    let op = MachineOperation::new("ori.sgxt")
        .operand("a", shifted)
        .operand("b", count);
    let op = op
        .word(emitter.context(), "signedness", signedness)
        .result(R);
    Some(emitter.emit(op))
}

fn shift<'a>(
    emitter: &mut Emitter<'_, 'a>,
    stem: &str,
    signedness: &str,
    sources: &[Expression<'a>],
) -> Option<Value> {
    let (a, b) = (
        emitter.read(sources.first()?, R)?,
        emitter.read(sources.get(1)?, R)?,
    );
    let zero = emitter.immediate(0, R);
    Some(if stem == "shl" {
        emitter.funnel("left", "u32", [a, b, zero], false)
    } else {
        emitter.funnel("right", signedness, [zero, b, a], true)
    })
}

/// 64-bit sums and shifts: a low and a high word, and what goes from one to the other.
fn wide<'a>(emitter: &mut Emitter<'_, 'a>, key: &str, sources: &[Expression<'a>]) -> Option<Value> {
    let wide = Register::R64;
    match key {
        "add.s64" | "add.u64" | "sub.s64" | "sub.u64" => {
            let (a, b) = (
                emitter.read(sources.first()?, wide)?,
                emitter.read(sources.get(1)?, wide)?,
            );
            Some(emitter.add_wide(a, b, key.starts_with("sub")))
        }
        "shl.b64" | "shr.u64" | "shr.s64" => {
            let (a, b) = (
                emitter.read(sources.first()?, wide)?,
                emitter.read(sources.get(1)?, R)?,
            );
            let (low, high) = (emitter.word(a, 0), emitter.word(a, 1));
            let zero = emitter.immediate(0, R);
            let (low, high) = match key {
                "shl.b64" => (
                    emitter.funnel("left", "u32", [low, b, zero], false),
                    emitter.funnel("left", "u64", [low, b, high], true),
                ),
                "shr.u64" => (
                    emitter.funnel("right", "u64", [low, b, high], false),
                    emitter.funnel("right", "u32", [zero, b, high], true),
                ),
                _ => (
                    emitter.funnel("right", "s64", [low, b, high], false),
                    emitter.funnel("right", "s32", [zero, b, high], true),
                ),
            };
            Some(emitter.concat(&[low, high]))
        }
        "mul.lo.s64" | "mul.lo.u64" | "mad.lo.s64" | "mad.lo.u64" => {
            let (a, b) = (
                emitter.read(sources.first()?, wide)?,
                emitter.read(sources.get(1)?, wide)?,
            );
            let c = match sources.get(2) {
                Some(c) => emitter.read(c, wide)?,
                None => emitter.immediate(0, wide),
            };
            Some(emitter.multiply_wide(a, b, c))
        }
        _ => None,
    }
}

/// Truth tables of two inputs, as in `ori.lop3`.
fn table(name: &str) -> Option<i32> {
    Some(match name {
        "and" => 0xc0,
        "or" => 0xfc,
        "xor" => 0x3c,
        "not" => 0x0f,
        _ => return None,
    })
}

fn bits<'a>(emitter: &mut Emitter<'_, 'a>, key: &str, sources: &[Expression<'a>]) -> Option<Value> {
    let (stem, ty) = key.split_once('.')?;
    if stem == "lop3" && ty == "b32" {
        let (table, sources) = sources.split_last()?;
        let table = i32::try_from(table.as_integer()?).ok()?;
        let op = MachineOperation::new("ori.lop3").number(emitter.context(), "lut", table);
        return three(emitter, op, sources, R);
    }
    if stem == "prmt" && ty == "b32" {
        let [a, b, selector] = sources else {
            return None;
        };
        let op = MachineOperation::new("ori.prmt");
        let op = op.word(emitter.context(), "permutation", "idx");
        return three(emitter, op, &[a.clone(), selector.clone(), b.clone()], R);
    }
    let table = table(stem)?;
    match ty {
        "b16" | "b32" => {
            let op = MachineOperation::new("ori.lop3").number(emitter.context(), "lut", table);
            three(emitter, op, sources, R)
        }
        "pred" => {
            let op = MachineOperation::new("ori.plop3").number(emitter.context(), "lut", table);
            three(emitter, op, sources, Register::P)
        }
        "b64" => {
            let values: Option<Vec<_>> = sources
                .iter()
                .map(|source| emitter.read(source, Register::R64))
                .collect();
            let values = values?;
            let words = [0, 1].map(|word| {
                let zero = emitter.immediate(0, R);
                let mut op = MachineOperation::new("ori.lop3").result(R);
                op = op.number(emitter.context(), "lut", table);
                for (number, group) in ["a", "b", "c"].into_iter().enumerate() {
                    let part = values.get(number).copied();
                    let part = part.map_or(zero, |value| emitter.word(value, word));
                    op = op.operand(group, part);
                }
                emitter.emit(op)
            });
            Some(emitter.concat(&words))
        }
        _ => None,
    }
}

/// An operation on three sources, of which the last may be absent and are then zero or true.
fn three<'a>(
    emitter: &mut Emitter<'_, 'a>,
    mut op: MachineOperation,
    sources: &[Expression<'a>],
    register: Register,
) -> Option<Value> {
    for (number, group) in ["a", "b", "c"].into_iter().enumerate() {
        let value = match sources.get(number) {
            Some(source) => emitter.read(source, register)?,
            None => emitter.immediate(i64::from(register == Register::P), register),
        };
        op = op.operand(group, value);
    }
    Some(emitter.emit(op.result(register)))
}
