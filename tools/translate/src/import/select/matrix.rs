//! Matrix products of a warp, and their fragments in shared memory.

use orison_ori::{MachineOperation, Register};

use super::super::emitter::Emitter;
use crate::ptx::ast::{Expression, Instruction};

pub(super) fn select<'a>(
    emitter: &mut Emitter<'_, 'a>,
    instruction: &Instruction<'a>,
) -> Option<()> {
    // All threads of the warp take part, so that there is nothing to guard.
    if instruction.guard.is_some() {
        return None;
    }
    match instruction.name {
        "mma" => product(emitter, instruction),
        _ => fragments(emitter, instruction),
    }
}

/// The elements of a vector operand.
fn parts<'x, 'a>(operand: &'x Expression<'a>) -> &'x [Expression<'a>] {
    match operand {
        Expression::Vector(parts) => parts,
        one => std::slice::from_ref(one),
    }
}

fn product<'a>(emitter: &mut Emitter<'_, 'a>, instruction: &Instruction<'a>) -> Option<()> {
    let [
        ".sync",
        ".aligned",
        shape,
        ".row",
        ".col",
        sum,
        left,
        right,
        addend,
    ] = instruction.modifiers.as_slice()
    else {
        return None;
    };
    let [d, operands @ ..] = instruction.operands.as_slice() else {
        return None;
    };
    if sum != addend || operands.len() != 3 {
        return None;
    }
    let name = match (*left, *right, *sum, *shape) {
        (".f16", ".f16", ".f16" | ".f32", ".m16n8k8" | ".m16n8k16")
        | (".bf16", ".bf16", ".f32", ".m16n8k8" | ".m16n8k16")
        | (".tf32", ".tf32", ".f32", ".m16n8k4" | ".m16n8k8") => "ori.hmma",
        (".s8" | ".u8", ".s8" | ".u8", ".s32", ".m8n8k16" | ".m16n8k16" | ".m16n8k32") => {
            "ori.imma"
        }
        _ => return None,
    };
    let mut op = MachineOperation::new(name);
    for (group, operand) in ["a", "b", "c"].into_iter().zip(operands) {
        let count = u32::try_from(parts(operand).len()).ok()?;
        let value = emitter.read_parts(operand, Register::general(count), count)?;
        op = op.operand(group, value);
    }
    let words: [(&'static str, &str); 2] = if name == "ori.hmma" {
        [("from", left), ("accumulator", sum)]
    } else {
        [("left_format", left), ("right_format", right)]
    };
    op = op.word(emitter.context(), "shape", &shape[1..]);
    for (key, word) in words {
        op = op.word(emitter.context(), key, &word[1..]);
    }
    let count = u32::try_from(parts(d).len()).ok()?;
    let value = emitter.emit(op.result(Register::general(count)));
    emitter.write_parts(d, value, count)
}

fn fragments<'a>(emitter: &mut Emitter<'_, 'a>, instruction: &Instruction<'a>) -> Option<()> {
    let [".sync", ".aligned", ".m8n8", matrices, rest @ ..] = instruction.modifiers.as_slice()
    else {
        return None;
    };
    let transposed = match rest {
        [".shared" | ".shared::cta", ".b16"] => false,
        [".trans", ".shared" | ".shared::cta", ".b16"] => true,
        _ => return None,
    };
    let count = match *matrices {
        ".x1" => 1,
        ".x2" => 2,
        ".x4" => 4,
        _ => return None,
    };
    let loads = instruction.name == "ldmatrix";
    let [first, second] = instruction.operands.as_slice() else {
        return None;
    };
    let (place, data) = if loads {
        (second, first)
    } else {
        (first, second)
    };
    let address = emitter.address(place, true)?;
    let mut op = MachineOperation::new(if loads { "ori.ldsm" } else { "ori.stsm" });
    op = op.number(emitter.context(), "offset", address.offset);
    op = op.operand("base", address.base?);
    op = op.word(emitter.context(), "matrices", &matrices[1..]);
    if transposed {
        op = op.flag("transposed");
    }
    let register = Register::general(count);
    if loads {
        let value = emitter.emit(op.result(register));
        return emitter.write_parts(data, value, count);
    }
    let value = emitter.read_parts(data, register, count)?;
    emitter.emit_all(op.operand("value", value));
    Some(())
}
