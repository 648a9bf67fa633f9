//! mbarriers, fences, groups of bulk copies.

use orison_ori::{MachineOperation, Register};

use super::super::emitter::Emitter;
use crate::ptx::ast::{Expression, Instruction};

const R: Register = Register::R;

pub(super) fn select<'a>(
    emitter: &mut Emitter<'_, 'a>,
    instruction: &Instruction<'a>,
) -> Option<()> {
    let operands = instruction.operands.as_slice();
    match (instruction.name, instruction.modifiers.as_slice()) {
        ("fence", [".proxy", ".async", ".shared::cta"]) if operands.is_empty() => {
            let op = MachineOperation::new("ori.fence").flag("asynchronous");
            let op = op.word(emitter.context(), "view", "shared");
            emitter.emit_guarded(op, None)?;
            Some(())
        }
        ("mbarrier", [action, ".shared" | ".shared::cta", ".b64"]) => {
            mbarrier(emitter, action, operands)
        }
        ("mbarrier", [".arrive", ".expect_tx", ".shared" | ".shared::cta", ".b64"]) => {
            let [Expression::Name("_"), place, bytes] = operands else {
                return None;
            };
            let bytes = emitter.read(bytes, R)?;
            let op = MachineOperation::new("ori.syncs_arrive").operand("expect", bytes);
            at(emitter, op, place)
        }
        ("mbarrier", [wait, ".parity", ".shared" | ".shared::cta", ".b64"]) => {
            wait_for_phase(emitter, wait, instruction)
        }
        _ => None,
    }
}

/// Emits an operation on the mbarrier at a place.
fn at<'a>(
    emitter: &mut Emitter<'_, 'a>,
    op: MachineOperation,
    place: &Expression<'a>,
) -> Option<()> {
    let address = emitter.address(place, true)?;
    let op = op.number(emitter.context(), "offset", address.offset);
    emitter.emit_guarded(op.operand("base", address.base?), None)?;
    Some(())
}

fn mbarrier<'a>(
    emitter: &mut Emitter<'_, 'a>,
    action: &str,
    operands: &[Expression<'a>],
) -> Option<()> {
    match (action, operands) {
        (".init", [place, count]) => {
            let count = emitter.read(count, R)?;
            let op = MachineOperation::new("ori.syncs").operand("count", count);
            let op = op.word(emitter.context(), "mbarrier", "init");
            at(emitter, op, place)
        }
        (".inval", [place]) => {
            let op = MachineOperation::new("ori.syncs");
            let op = op.word(emitter.context(), "mbarrier", "inval");
            at(emitter, op, place)
        }
        (".arrive", [Expression::Name("_"), place]) => {
            at(emitter, MachineOperation::new("ori.syncs_arrive"), place)
        }
        _ => None,
    }
}

fn wait_for_phase<'a>(
    emitter: &mut Emitter<'_, 'a>,
    wait: &str,
    instruction: &Instruction<'a>,
) -> Option<()> {
    let ([destination, place, parity], None) = (instruction.operands.as_slice(), instruction.guard)
    else {
        return None;
    };
    let address = emitter.address(place, true)?;
    let parity = emitter.read(parity, R)?;
    let op = MachineOperation::new("ori.syncs_try_wait");
    let op = op.number(emitter.context(), "offset", address.offset);
    let op = op.operand("base", address.base?).operand("phase", parity);
    let op = match wait {
        ".try_wait" => op,
        ".test_wait" => op.flag("test"),
        _ => return None,
    };
    let value = emitter.emit(op.result(Register::P));
    emitter.write(destination, value)
}
