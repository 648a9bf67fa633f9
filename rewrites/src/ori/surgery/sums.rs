//! Code for linear forms.

use orison_ir::{Context, Location, Operation, Value};
use orison_ori::analyses::LinearForm;
use orison_ori::analyses::linear::Root;
use orison_ori::operations::integer::{Iadd3, Imad};
use orison_ori::operations::moves::Cbank;
use orison_ori::{MachineOperation, Register};

use crate::ori::functions::{create_before, immediate_before, word_before};

/// Computes a sum of 32 bits before an operation, with one operation a term at most. `None`, without
/// a change, if the sum has 64 bits or a term that is not a value or a word of a constant bank.
pub fn write_word(context: &mut Context, anchor: Operation, sum: &LinearForm) -> Option<Value> {
    let mut roots = sum.terms().iter().map(|(root, _)| root);
    let known = roots.all(|root| matches!(root, Root::Value(_) | Root::Bank(..)));
    if sum.is_wide() || !known {
        return None;
    }
    let location = anchor.location(context);
    let mut total = None;
    for (root, factor) in sum.terms() {
        let value = word_of(context, anchor, location, *root)?;
        total = Some(match (total, *factor) {
            (None, 1) => value,
            (Some(total), 1) => add(context, anchor, location, [value, total]),
            (total, factor) => {
                let factor = immediate_before(context, anchor, Register::R, factor);
                let zero = || immediate_before(context, anchor, Register::R, 0);
                let addend = total.unwrap_or_else(zero);
                word_before(
                    context,
                    anchor,
                    location,
                    Imad::NAME,
                    [value, factor, addend],
                )
            }
        });
    }
    let offset = sum.offset();
    Some(match total {
        Some(total) if offset == 0 => total,
        Some(total) => {
            let offset = immediate_before(context, anchor, Register::R, offset);
            add(context, anchor, location, [total, offset])
        }
        None => immediate_before(context, anchor, Register::R, offset),
    })
}

fn word_of(
    context: &mut Context,
    anchor: Operation,
    location: Location,
    root: Root,
) -> Option<Value> {
    match root {
        Root::Value(value) => Some(value),
        Root::Bank(bank, offset) => {
            let read = MachineOperation::new(Cbank::NAME)
                .number(context, "bank", bank)
                .number(context, "offset", offset)
                .result(Register::R);
            let op = create_before(context, anchor, location, read);
            Some(op.result(context, 0))
        }
        _ => None,
    }
}

fn add(context: &mut Context, anchor: Operation, location: Location, [a, b]: [Value; 2]) -> Value {
    let zero = immediate_before(context, anchor, Register::R, 0);
    word_before(context, anchor, location, Iadd3::NAME, [a, b, zero])
}
