//! Parts of constants.

use orison_ir::{
    Attribute, Builder, Context, InsertionPoint, Operation, OperationName, OperationState, Value,
};
use orison_ori::Register;
use orison_ori::analyses::RegisterClass;
use orison_ori::operations::moves::{Cbank, Imm};

use crate::ori::functions::immediate_before;

/// The truth table of the first of three values.
pub const FIRST: i32 = 0xf0;

/// The part of a constant; `None` for other values.
pub fn constant_part(
    context: &mut Context,
    anchor: Operation,
    value: Value,
    word: u32,
) -> Option<Value> {
    let register = Register::of(context, value.ty(context))?;
    let (class, _) = RegisterClass::of(register);
    let part = match class {
        RegisterClass::General => Register::R,
        RegisterClass::Uniform => Register::Ur,
        _ => register,
    };
    let source = value.defining_op(context)?;
    if let Some(found) = Imm::of(context, source) {
        let bits = found.value(context)?;
        let word = match register.words() {
            Some(_) => {
                let shifted = bits >> (32 * word).min(63);
                i64::from(i32::from_ne_bytes(
                    (shifted & 0xffff_ffff).to_ne_bytes()[..4].try_into().ok()?,
                ))
            }
            None => bits,
        };
        return Some(immediate_before(context, anchor, part, word));
    }
    let found = Cbank::of(context, source)?;
    let bank = found.bank(context)?;
    let offset = found.offset(context)? + 4 * i32::try_from(word).ok()?;
    let name = OperationName::new(context, Cbank::NAME);
    let mut state = OperationState::new(name, anchor.location(context));
    for (key, number) in [("bank", bank), ("offset", offset)] {
        let number = Attribute::i32(context, number);
        state.set_property(context, key, number);
    }
    let ty = part.ty(context);
    state.result_types.push(ty);
    let op = Builder::at(context, InsertionPoint::Before(anchor)).create(&state);
    Some(op.result(context, 0))
}
