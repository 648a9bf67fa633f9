//! Folding operations on constants.

use orison_ir::declare::Folded;
use orison_ir::{Attribute, Context, Operation};

use crate::operations::float::Mufu;
use crate::semantics::{Bits, evaluate};
use crate::types::Register;

/// What the results of an operation on constants are. The machine approximates `ori.mufu`: nobody
/// else computes it.
pub fn fold(
    context: &mut Context,
    op: Operation,
    constants: &[Option<Attribute>],
) -> Option<Vec<Folded>> {
    if constants.is_empty() || Mufu::of(context, op).is_some() {
        return None;
    }
    let operands: Option<Vec<Bits>> = constants
        .iter()
        .zip(op.operands(context))
        .map(|(constant, value)| {
            let bits = constant.as_ref()?.as_i64(context)?;
            let register = Register::of(context, value.ty(context))?;
            width(register).map(|width| Bits::from(bits.cast_unsigned() & mask(width)))
        })
        .collect();
    let results = evaluate(context, op, &operands?)?;
    let registers: Option<Vec<_>> = op
        .results(context)
        .map(|result| width(Register::of(context, result.ty(context))?))
        .collect();
    let folded = results.into_iter().zip(registers?).map(|(bits, width)| {
        let value = match width {
            // Registers hold their bits extended with sign; predicates are 0 and 1.
            32 => i64::from(bits as i32),
            _ => bits as i64,
        };
        Folded::Constant(Attribute::i64(context, value))
    });
    Some(folded.collect())
}

/// Width in bits of a register that a constant may stand for.
fn width(register: Register) -> Option<u32> {
    match register {
        Register::P | Register::Up => Some(1),
        Register::R | Register::Ur => Some(32),
        Register::R64 | Register::Ur64 => Some(64),
        _ => None,
    }
}

fn mask(width: u32) -> u64 {
    u64::MAX >> (64 - width)
}
