//! Comparisons and choices.

use orison_ir::Value;
use orison_ori::{MachineOperation, Register};

use super::super::emitter::Emitter;
use crate::ptx::ast::{Expression, Instruction};

const R: Register = Register::R;

pub(super) fn select<'a>(
    emitter: &mut Emitter<'_, 'a>,
    instruction: &Instruction<'a>,
) -> Option<()> {
    match instruction.name {
        "setp" => set_predicate(emitter, instruction),
        _ => choose(emitter, instruction),
    }
}

/// The words of a comparison: how, how combined, on what.
struct Comparison<'m> {
    how: &'m str,
    combine: &'m str,
    ty: &'m str,
    ftz: bool,
}

fn comparison<'m>(modifiers: &[&'m str]) -> Option<Comparison<'m>> {
    let (how, rest) = modifiers.split_first()?;
    let (ty, rest) = rest.split_last()?;
    let mut comparison = Comparison {
        how: &how[1..],
        combine: "and",
        ty: &ty[1..],
        ftz: false,
    };
    for modifier in rest {
        match *modifier {
            ".and" | ".or" | ".xor" => comparison.combine = &modifier[1..],
            ".ftz" => comparison.ftz = true,
            _ => return None,
        }
    }
    Some(comparison)
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

fn set_predicate<'a>(emitter: &mut Emitter<'_, 'a>, instruction: &Instruction<'a>) -> Option<()> {
    let comparison = comparison(&instruction.modifiers)?;
    let [destination, a, b, with @ ..] = instruction.operands.as_slice() else {
        return None;
    };
    let both = match destination {
        Expression::Binary("|", first, second) => Some((first.as_ref(), second.as_ref())),
        _ => None,
    };
    let with = match with {
        [] => None,
        [with] => Some(emitter.read_predicate(with)?),
        _ => return None,
    };
    let op = match comparison.ty {
        "f32" | "f64" => float(emitter, &comparison, a, b)?,
        "s32" | "u32" | "b32" => {
            let (a, b) = (emitter.read(a, R)?, emitter.read(b, R)?);
            integer(emitter, &comparison, a, b)?
        }
        "s64" | "u64" | "b64" => wide(emitter, &comparison, a, b)?,
        _ => return None,
    };
    let mut op = op.word(emitter.context(), "combine", comparison.combine);
    if let Some((value, modifiers)) = with {
        op = op.modified("with", value, modifiers);
    }
    op = op.result(Register::P);
    let Some((first, second)) = both else {
        let value = emitter.emit(op);
        return emitter.write(destination, value);
    };
    let values = emitter.emit_all(op.result(Register::P));
    emitter.write(first, values[0])?;
    emitter.write(second, values[1])
}

fn float<'a>(
    emitter: &mut Emitter<'_, 'a>,
    comparison: &Comparison<'_>,
    a: &Expression<'a>,
    b: &Expression<'a>,
) -> Option<MachineOperation> {
    orison_ori::keywords::FloatCompare::KEYWORDS
        .contains(&comparison.how)
        .then_some(())?;
    let (name, register) = match comparison.ty {
        "f32" => ("ori.fsetp", R),
        _ => ("ori.dsetp", Register::R64),
    };
    let (a, b) = (emitter.read(a, register)?, emitter.read(b, register)?);
    let op = MachineOperation::new(name).operand("a", a).operand("b", b);
    let op = op.word(emitter.context(), "float_compare", comparison.how);
    Some(if comparison.ftz { op.flag("ftz") } else { op })
}

fn integer(
    emitter: &mut Emitter<'_, '_>,
    comparison: &Comparison<'_>,
    a: Value,
    b: Value,
) -> Option<MachineOperation> {
    let signedness = if comparison.ty.starts_with('s') {
        "s32"
    } else {
        "u32"
    };
    let how = integer_word(comparison.how)?;
    let op = MachineOperation::new("ori.isetp")
        .operand("a", a)
        .operand("b", b);
    let op = op.word(emitter.context(), "compare", how);
    Some(op.word(emitter.context(), "signedness", signedness))
}

/// Low words unsigned, then high words with what the low words said.
fn wide<'a>(
    emitter: &mut Emitter<'_, 'a>,
    comparison: &Comparison<'_>,
    a: &Expression<'a>,
    b: &Expression<'a>,
) -> Option<MachineOperation> {
    let (a, b) = (
        emitter.read(a, Register::R64)?,
        emitter.read(b, Register::R64)?,
    );
    let low_words = Comparison {
        ty: "u32",
        combine: "and",
        ..*comparison
    };
    let parts = [(0, a), (0, b), (1, a), (1, b)].map(|(word, value)| emitter.word(value, word));
    let low = integer(emitter, &low_words, parts[0], parts[1])?;
    let low = low
        .word(emitter.context(), "combine", "and")
        .result(Register::P);
    let low = emitter.emit(low);
    let high = integer(emitter, comparison, parts[2], parts[3])?;
    Some(high.flag("extended").operand("low", low))
}

fn choose<'a>(emitter: &mut Emitter<'_, 'a>, instruction: &Instruction<'a>) -> Option<()> {
    let ([ty], [destination, a, b, predicate]) = (
        instruction.modifiers.as_slice(),
        instruction.operands.as_slice(),
    ) else {
        return None;
    };
    let register = match *ty {
        ".b16" | ".u16" | ".s16" | ".b32" | ".u32" | ".s32" | ".f32" => R,
        ".b64" | ".u64" | ".s64" | ".f64" => Register::R64,
        _ => return None,
    };
    let (a, b) = (emitter.read(a, register)?, emitter.read(b, register)?);
    let (choice, modifiers) = emitter.read_predicate(predicate)?;
    let value = emitter.choose(a, b, choice, modifiers, register)?;
    emitter.write(destination, value)
}
