//! What errors of the encoder say would fit.

use super::bits::Field;
use super::form::{Atom, Form, OperandForm, Piece, Values};
use crate::instruction::{Instruction, Operand};
use crate::registers::RegisterFile;

/// The longest list of texts in a message.
const MOST_TEXTS: usize = 24;

/// What a number must be.
pub(super) fn range(field: &Field, number: i128, relative: bool) -> String {
    let hexadecimal = |number: i128| {
        let sign = if number < 0 { "-" } else { "" };
        format!("{sign}{:#x}", number.unsigned_abs())
    };
    let number = hexadecimal(number);
    if field.ranges.is_empty() {
        return format!("{number} does not fit: only 0 does");
    }
    let (least, greatest, step) = field.bounds();
    let what = if relative { "the distance " } else { "" };
    let multiples = match step {
        1 => String::new(),
        _ => format!(", multiples of {step}"),
    };
    let (least, greatest) = (hexadecimal(least), hexadecimal(greatest));
    format!("{what}{number} does not fit: {least} to {greatest} do{multiples}")
}

/// The kind of an operand.
pub(super) fn kind(form: &OperandForm) -> &'static str {
    match (form.atoms.first(), &form.template) {
        (Some(Atom::Word(..)), _) => "a name",
        (Some(Atom::Float(..)), _) => "a floating-point number",
        (Some(Atom::Scoreboards(_)), _) => "a set of scoreboards",
        (_, Operand::Register(found)) => match found.register.file {
            RegisterFile::General => "a register",
            RegisterFile::Uniform => "a uniform register",
            RegisterFile::Predicate => "a predicate",
            RegisterFile::UniformPredicate => "a uniform predicate",
            RegisterFile::Convergence => "a convergence barrier",
            RegisterFile::Scoreboard | RegisterFile::GroupScoreboard => "a scoreboard",
        },
        (_, Operand::Immediate(_)) => "a number",
        (_, Operand::Constant(_)) => "a constant",
        (_, Operand::Memory(_)) => "an address",
        (_, Operand::Relative { .. }) => "a register and a number",
        _ => "another operand",
    }
}

/// How many operands a form has.
pub(super) fn count(form: &Form, instruction: &Instruction) -> String {
    let most = form.operands.len();
    let least = form.operands.iter().filter(|found| !found.optional).count();
    let (base, given) = (&form.base, instruction.operands.len());
    if least == most {
        format!("{base} has {most} operands, not {given}")
    } else {
        format!("{base} has {least} to {most} operands, not {given}")
    }
}

/// The modifiers that a form has.
pub(super) fn modifiers(form: &Form, given: &str) -> String {
    let base = &form.base;
    let all = texts(&form.modifiers);
    if all.is_empty() {
        return format!("{base} with these operands has no modifiers, but '{given}' is given");
    }
    format!("the modifiers '{given}' are none of {base} with these operands, which has {all}")
}

/// The selectors or signs that are possible.
pub(super) fn others(pieces: &[Piece]) -> String {
    let all = texts(pieces);
    if all.is_empty() {
        "none is".to_owned()
    } else {
        format!("{all} are")
    }
}

/// The names that an operand can be.
pub(super) fn names(values: &Values) -> String {
    list(values.entries.iter().map(|(_, text)| &**text))
}

fn texts(pieces: &[Piece]) -> String {
    list(pieces.iter().flat_map(|piece| {
        let (literal, values) = match piece {
            Piece::Literal(text) => (Some(&**text), None),
            Piece::Field(_, values) => (None, Some(&values.entries)),
        };
        literal
            .into_iter()
            .chain(values.into_iter().flatten().map(|(_, text)| &**text))
    }))
}

/// Different texts that are not empty.
fn list<'a>(all: impl Iterator<Item = &'a str>) -> String {
    let mut known: Vec<&str> = Vec::new();
    for text in all {
        if !text.is_empty() && !known.contains(&text) {
            known.push(text);
        }
    }
    let more = if known.len() > MOST_TEXTS { " …" } else { "" };
    known.truncate(MOST_TEXTS);
    known.join(" ") + more
}
