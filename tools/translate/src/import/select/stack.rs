//! The stack of a thread: `alloca`, `stacksave`, `stackrestore`.

use orison_ori::operations as ori;
use orison_ori::{MachineOperation, Register};

use super::super::emitter::Emitter;
use crate::ptx::ast::Instruction;

const R: Register = Register::R;
const R64: Register = Register::R64;

/// The default alignment, in bytes.
const ALIGNMENT: i32 = 8;

pub(super) fn select<'a>(
    emitter: &mut Emitter<'_, 'a>,
    instruction: &Instruction<'a>,
) -> Option<()> {
    let ([ty], [first, rest @ ..]) = (
        instruction.modifiers.as_slice(),
        instruction.operands.as_slice(),
    ) else {
        return None;
    };
    matches!(*ty, ".u32" | ".u64").then_some(())?;
    if instruction.name == "stackrestore" {
        let place = emitter.source(first, R)?;
        let op = MachineOperation::new(ori::StackRestore::NAME).operand("place", place);
        emitter.emit_kept(op, &[])?;
        return Some(());
    }
    let wide = match emitter.kind(first)? {
        R => false,
        R64 => true,
        _ => return None,
    };
    let op = match (instruction.name, rest) {
        ("stacksave", []) => MachineOperation::new(ori::StackSave::NAME),
        ("alloca", [size, alignment @ ..]) => {
            let alignment = match alignment {
                [] => ALIGNMENT,
                [alignment] => i32::try_from(alignment.as_integer()?).ok()?,
                _ => return None,
            };
            u32::try_from(alignment)
                .is_ok_and(u32::is_power_of_two)
                .then_some(())?;
            let size = emitter.source(size, R)?;
            let op = MachineOperation::new(ori::Alloca::NAME).operand("size", size);
            op.number(emitter.context(), "alignment", alignment)
        }
        _ => return None,
    };
    if !wide {
        let value = emitter.emit_kept(op, &[(first, R)])?[0];
        return emitter.write(first, value);
    }
    let value = emitter.emit_kept(op.result(R), &[])?[0];
    emitter.write_extended(first, value, false)
}
