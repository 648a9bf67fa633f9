//! Which operand of an instruction is which one of a form.

use super::form::{Atom, Form, OperandForm};
use crate::instruction::{Address, Immediate, Instruction, Operand, RegisterOperand};

/// For each way in which the operands are of the kinds of a form, or of any kinds: the operand of each of its operands, `None` if it is
/// not shown.
pub(super) fn alignments<'a>(
    form: &'a Form,
    instruction: &'a Instruction,
    any_kind: bool,
) -> impl Iterator<Item = Vec<Option<usize>>> + 'a {
    let count = form.operands.len();
    let hidden = count.checked_sub(instruction.operands.len());
    let optional = form.operands.iter().filter(|operand| operand.optional);
    let ways = hidden.map_or(0, |_| 1u32 << optional.count().min(8));
    // Of two operands that may be the one that is shown, it is the first.
    (0..ways)
        .rev()
        .filter(move |way| hidden == usize::try_from(way.count_ones()).ok())
        .filter_map(move |way| aligned(form, instruction, way, any_kind))
}

/// The operands of a form, without the optional ones whose bits are set.
fn aligned(
    form: &Form,
    instruction: &Instruction,
    mut hidden: u32,
    any_kind: bool,
) -> Option<Vec<Option<usize>>> {
    let mut next = 0;
    let mut found = Vec::with_capacity(form.operands.len());
    for operand in &form.operands {
        let is_hidden = operand.optional && hidden & 1 == 1;
        if operand.optional {
            hidden >>= 1;
        }
        if is_hidden {
            found.push(None);
            continue;
        }
        let given = instruction.operands.get(next)?;
        if !any_kind && !has_kind(operand, given) {
            return None;
        }
        found.push(Some(next));
        next += 1;
    }
    (next == instruction.operands.len()).then_some(found)
}

fn has_kind(form: &OperandForm, operand: &Operand) -> bool {
    let is_float = matches!(operand, Operand::Immediate(Immediate::Float(_)));
    match (form.atoms.first(), &form.template, operand) {
        (Some(Atom::Word(..)), _, _) => !matches!(
            operand,
            Operand::Immediate(_) | Operand::Constant(_) | Operand::Memory(_)
        ),
        (Some(Atom::Float(..)), _, _) => is_float,
        (_, Operand::Register(wanted), Operand::Register(found)) => {
            wanted.register.file == found.register.file
        }
        (_, Operand::Immediate(_), Operand::Immediate(_)) => !is_float,
        (_, Operand::Constant(wanted), Operand::Constant(found)) => {
            has_registers(form, &wanted.address, &found.address)
        }
        (_, Operand::Memory(wanted), Operand::Memory(found)) => {
            wanted.space == found.space
                && wanted.descriptor.is_some() == found.descriptor.is_some()
                && has_registers(form, &wanted.address, &found.address)
        }
        (_, wanted, found) => std::mem::discriminant(wanted) == std::mem::discriminant(found),
    }
}

/// Whether an address has as many registers as that of the form.
pub(super) fn has_registers(form: &OperandForm, wanted: &Address, found: &Address) -> bool {
    wanted.registers.len() == found.registers.len() + usize::from(is_dropped(form, found))
}

/// Whether the register of an address is zero, and not shown.
pub(super) fn is_dropped(form: &OperandForm, found: &Address) -> bool {
    form.drops_zero && found.registers.is_empty() && found.offset.is_some_and(|number| number != 0)
}

/// Whether operands are equal, apart from marks of the control word, and from what the text omits.
pub(super) fn alike(one: &Operand, other: &Operand) -> bool {
    match (one, other) {
        (Operand::Register(one), Operand::Register(other)) => {
            let RegisterOperand {
                register,
                negate,
                absolute,
                invert,
                not,
                reuse: _,
                selector,
            } = one;
            *register == other.register
                && *negate == other.negate
                && *absolute == other.absolute
                && *invert == other.invert
                && *not == other.not
                && *selector == other.selector
        }
        (Operand::Memory(one), Operand::Memory(other)) => {
            one.space == other.space
                && one.descriptor == other.descriptor
                && same_address(&one.address, &other.address)
                && one.selector == other.selector
        }
        (Operand::Constant(one), Operand::Constant(other)) => {
            same_address(&one.address, &other.address)
                && one.bank == other.bank
                && (one.negate, one.absolute, one.invert)
                    == (other.negate, other.absolute, other.invert)
                && one.selector == other.selector
        }
        (
            Operand::Immediate(Immediate::Float(one)),
            Operand::Immediate(Immediate::Float(other)),
        ) => one.trim_end() == other.trim_end() || one.parse::<f64>() == other.parse::<f64>(),
        _ => one == other,
    }
}

/// A number that is not written is zero.
fn same_address(one: &Address, other: &Address) -> bool {
    one.registers == other.registers && one.offset.unwrap_or(0) == other.offset.unwrap_or(0)
}
