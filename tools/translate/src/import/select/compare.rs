//! Comparisons and selections.

use orison_ir::Value;
use orison_ori::keywords::{FloatCompare, Keyword};
use orison_ori::modifiers::Modifier;
use orison_ori::operations as ori;
use orison_ori::{MachineOperation, Register};

use super::super::emitter::Emitter;
use super::emit::Source;
use super::integer::Integer;
use super::modifiers::Words;
use crate::ptx::ast::{Expression, Instruction};

const R: Register = Register::R;
const R64: Register = Register::R64;
const P: Register = Register::P;

pub(super) fn select<'a>(
    emitter: &mut Emitter<'_, 'a>,
    instruction: &Instruction<'a>,
) -> Option<()> {
    match instruction.name {
        "setp" => set_predicate(emitter, instruction),
        "set" => set(emitter, instruction),
        "selp" => choose(emitter, instruction),
        _ => choose_by_sign(emitter, instruction),
    }
}

/// A comparison: predicate, operands, and how it is combined with a predicate operand.
struct Comparison<'m, 'a, 'x> {
    how: &'m str,
    combine: &'m str,
    ty: &'m str,
    ftz: bool,
    a: &'x Expression<'a>,
    b: &'x Expression<'a>,
    with: Option<Source>,
}

/// Parses a comparison from the modifiers and sources of an instruction; the type of the sources is
/// the last modifier.
fn comparison<'m, 'a, 'x>(
    emitter: &mut Emitter<'_, 'a>,
    words: &mut Words<'m>,
    sources: &'x [Expression<'a>],
) -> Option<Comparison<'m, 'a, 'x>> {
    let ty = words.last()?;
    let how = words.first()?.get(1..)?;
    let combine = words.any(&[".and", ".or", ".xor"]);
    let ftz = words.take(".ftz");
    let (a, b, with) = match (sources, combine) {
        ([a, b], None) => (a, b, None),
        ([a, b, with], Some(_)) => {
            let (value, modifiers) = emitter.read_predicate(with)?;
            (a, b, Some(Source { value, modifiers }))
        }
        _ => return None,
    };
    Some(Comparison {
        how,
        combine: combine.map_or("and", |word| &word[1..]),
        ty: ty.get(1..)?,
        ftz,
        a,
        b,
        with,
    })
}

/// Unsigned names of comparisons (`lo`, `ls`, `hi`, `hs`) are those of integers.
fn integer_word(how: &str) -> Option<&str> {
    Some(match how {
        "lo" => "lt",
        "ls" => "le",
        "hi" => "gt",
        "hs" => "ge",
        "eq" | "ne" | "lt" | "le" | "gt" | "ge" => how,
        _ => return None,
    })
}

impl<'a> Comparison<'_, 'a, '_> {
    /// The operation without results; on the high halves of pairs if `upper`.
    fn operation(&self, emitter: &mut Emitter<'_, 'a>, upper: bool) -> Option<MachineOperation> {
        let op = match self.ty {
            "f32" | "f64" | "f16" | "bf16" | "f16x2" | "bf16x2" => self.floats(emitter, upper)?,
            _ => self.integers(emitter)?,
        };
        let op = op.word(emitter.context(), "combine", self.combine);
        Some(match self.with {
            Some(with) => op.modified("with", with.value, with.modifiers),
            None => op,
        })
    }

    fn floats(&self, emitter: &mut Emitter<'_, 'a>, upper: bool) -> Option<MachineOperation> {
        FloatCompare::WORDS.contains(&self.how).then_some(())?;
        let (name, register) = match self.ty {
            "f32" => (ori::Fsetp::NAME, R),
            "f64" => (ori::Dsetp::NAME, R64),
            _ => (ori::Hsetp2::NAME, R),
        };
        let modifiers: &'static [_] = match (name, upper) {
            (ori::Hsetp2::NAME, false) => &[Modifier::LowHalf],
            (ori::Hsetp2::NAME, true) => &[Modifier::HighHalf],
            _ => &[],
        };
        let [a, b] = [self.a, self.b].map(|each| emitter.source(each, register));
        let (a, b) = (a?, b?);
        let sources = [
            (
                "a",
                Source {
                    value: a,
                    modifiers,
                },
            ),
            (
                "b",
                Source {
                    value: b,
                    modifiers,
                },
            ),
        ];
        let op = emitter.operation(name, &sources, &[("float_compare", self.how)]);
        if name == ori::Hsetp2::NAME {
            let format = self.ty.trim_end_matches("x2");
            return Some(op.word(emitter.context(), "from", format));
        }
        Some(if self.ftz && name == ori::Fsetp::NAME {
            op.flag("ftz")
        } else {
            op
        })
    }

    fn integers(&self, emitter: &mut Emitter<'_, 'a>) -> Option<MachineOperation> {
        let ty = Integer::of(&format!(".{}", self.ty))?;
        let how = integer_word(self.how)?;
        let (a, b) = (emitter.integer(self.a, ty)?, emitter.integer(self.b, ty)?);
        let signedness = if ty.signed { "s32" } else { "u32" };
        let words = [("compare", how), ("signedness", signedness)];
        if ty.bits < 64 {
            return Some(emitter.operation(
                ori::Isetp::NAME,
                &[("a", a.into()), ("b", b.into())],
                &words,
            ));
        }
        // Low halves unsigned, then high halves with the outcome of the low ones.
        let parts = [(0, a), (0, b), (1, a), (1, b)].map(|(word, value)| emitter.word(value, word));
        let low = emitter.compared(how, false, parts[0], parts[1]);
        let sources = [
            ("a", parts[2].into()),
            ("b", parts[3].into()),
            ("low", low.into()),
        ];
        Some(
            emitter
                .operation(ori::Isetp::NAME, &sources, &words)
                .flag("extended"),
        )
    }
}

fn set_predicate<'a>(emitter: &mut Emitter<'_, 'a>, instruction: &Instruction<'a>) -> Option<()> {
    let (destination, sources) = instruction.operands.split_first()?;
    let mut words = Words::of(instruction);
    let comparison = comparison(emitter, &mut words, sources)?;
    words.done()?;
    let op = comparison.operation(emitter, false)?.result(P);
    let (first, second) = match destination {
        Expression::Binary("|", first, second) => (first.as_ref(), Some(second.as_ref())),
        one => (one, None),
    };
    let pairs = comparison.ty.ends_with("x2");
    match second {
        None => {
            let value = emitter.emit(op);
            emitter.write(first, value)
        }
        Some(second) if pairs => {
            let low = emitter.emit(op);
            let op = comparison.operation(emitter, true)?.result(P);
            let high = emitter.emit(op);
            emitter.write(first, low)?;
            emitter.write(second, high)
        }
        Some(second) => {
            let values = emitter.emit_all(op.result(P));
            emitter.write(first, values[0])?;
            emitter.write(second, values[1])
        }
    }
}

/// `set`: ones, or 1.0, if a comparison holds.
fn set<'a>(emitter: &mut Emitter<'_, 'a>, instruction: &Instruction<'a>) -> Option<()> {
    let (destination, sources) = instruction.operands.split_first()?;
    let to = *instruction.modifiers.iter().rev().nth(1)?;
    let mut words = Words::of(instruction);
    words.take(to);
    let comparison = comparison(emitter, &mut words, sources)?;
    words.done()?;
    let one = match to {
        ".u32" | ".s32" => -1,
        ".u16" | ".s16" => 0xffff,
        ".f32" => 0x3f80_0000,
        ".f16" => 0x3c00,
        ".bf16" => 0x3f80,
        ".f16x2" | ".bf16x2" => return set_pairs(emitter, &comparison, destination),
        _ => return None,
    };
    let op = comparison.operation(emitter, false)?.result(P);
    let holds = emitter.emit(op);
    let (one, zero) = (emitter.word_of(one), emitter.word_of(0));
    let value = emitter.chosen(holds, one, zero);
    emitter.write(destination, value)
}

/// Both halves at once: 1.0 if the comparison holds.
fn set_pairs<'a>(
    emitter: &mut Emitter<'_, 'a>,
    comparison: &Comparison<'_, 'a, '_>,
    destination: &Expression<'a>,
) -> Option<()> {
    FloatCompare::WORDS
        .contains(&comparison.how)
        .then_some(())?;
    let format = comparison.ty.strip_suffix("x2")?;
    let [a, b] = [comparison.a, comparison.b].map(|each| emitter.source(each, R));
    let (a, b) = (a?, b?);
    let words = [
        ("float_compare", comparison.how),
        ("combine", comparison.combine),
        ("from", format),
    ];
    let op = emitter.operation(
        ori::Hset2::NAME,
        &[("a", a.into()), ("b", b.into())],
        &words,
    );
    let op = op.flag("float_result").result(R);
    let op = match comparison.with {
        Some(with) => op.modified("with", with.value, with.modifiers),
        None => op,
    };
    let value = emitter.emit(op);
    emitter.write(destination, value)
}

/// The register type of a selection.
fn chosen_register(ty: &str) -> Option<Register> {
    Some(match ty {
        ".b16" | ".u16" | ".s16" | ".f16" | ".bf16" | ".f16x2" | ".bf16x2" | ".b32" | ".u32"
        | ".s32" | ".f32" => R,
        ".b64" | ".u64" | ".s64" | ".f64" | ".f32x2" => R64,
        _ => return None,
    })
}

fn choose<'a>(emitter: &mut Emitter<'_, 'a>, instruction: &Instruction<'a>) -> Option<()> {
    let ([ty], [destination, a, b, predicate]) = (
        instruction.modifiers.as_slice(),
        instruction.operands.as_slice(),
    ) else {
        return None;
    };
    let register = chosen_register(ty)?;
    let (a, b) = (emitter.source(a, register)?, emitter.source(b, register)?);
    let (choice, modifiers) = emitter.read_predicate(predicate)?;
    let value = emitter.choose(a, b, choice, modifiers, register)?;
    emitter.write(destination, value)
}

/// `slct`: the first of two if a third is not negative; NaN counts as negative.
fn choose_by_sign<'a>(emitter: &mut Emitter<'_, 'a>, instruction: &Instruction<'a>) -> Option<()> {
    let [destination, a, b, c] = instruction.operands.as_slice() else {
        return None;
    };
    let mut words = Words::of(instruction);
    let ftz = words.take(".ftz");
    let by = words.last()?;
    let register = chosen_register(words.last()?)?;
    words.done()?;
    let (a, b) = (emitter.source(a, register)?, emitter.source(b, register)?);
    let c = emitter.source(c, R)?;
    let zero: Value = emitter.word_of(0);
    let choice = match by {
        ".s32" => emitter.compared("ge", true, c, zero),
        ".f32" => emitter.compared_floats("ge", ftz, c, zero),
        _ => return None,
    };
    let value = emitter.choose(a, b, choice, &[], register)?;
    emitter.write(destination, value)
}
