//! Operations on constants in a pipelined loop: the twelve of the page.
//!
//! Elementary functions are folded to the correctly rounded result, with infinity for a division by
//! zero; the machine approximates them. Rounding to integers, narrowing and copies are exact.

use orison_ir::{Context, Operation};
use orison_ori::Register;
use orison_ori::analyses::properties;
use orison_ori::keywords::{Function, keyword_of};
use orison_ori::operations::float::Mufu;
use orison_ori::semantics::{Bits, evaluate};

use crate::ori::functions::immediate_before;
use crate::ori::known_bits::{immediate_bits, known_bits};

/// Replaces an operation by its result if its operands are constants, and at least one.
pub(super) fn fold(context: &mut Context, op: Operation) -> bool {
    let is_constant = op.operand_count(context) == 0;
    if is_constant || !is_folded(context, op) || properties::guard(context, op).is_some() {
        return false;
    }
    let operands = op.operands(context).map(|value| known_bits(context, value));
    let operands: Option<Vec<Bits>> = operands.collect();
    let results = operands.and_then(|operands| evaluate(context, op, &operands));
    let Some([bits]) = results.as_deref() else {
        return false;
    };
    let result = op.result(context, 0);
    let register = Register::of(context, result.ty(context));
    let folded = register.and_then(|known| Some((known, immediate_bits(known, *bits)?)));
    let Some((register, number)) = folded else {
        return false;
    };
    let folded = immediate_before(context, op, register, number);
    result.replace_all_uses_with(context, folded);
    op.erase(context);
    true
}

/// Whether a constant result replaces the operation: of the elementary functions those of the page.
fn is_folded(context: &Context, op: Operation) -> bool {
    use Function::{Cos, Ex2, Lg2, Rcp, Rsq, Sin, Sqrt};
    if Mufu::of(context, op).is_some() {
        let function = keyword_of(context, op, "function");
        return matches!(function, Some(Cos | Sin | Ex2 | Lg2 | Sqrt | Rsq | Rcp));
    }
    properties::is_instruction(context, op) && op.result_count(context) == 1
}
