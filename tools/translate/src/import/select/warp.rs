//! Barriers, shuffles, votes.

use orison_ori::{MachineOperation, Register};

use super::super::emitter::Emitter;
use crate::ptx::ast::{Expression, Instruction};

const R: Register = Register::R;

pub(super) fn select<'a>(
    emitter: &mut Emitter<'_, 'a>,
    instruction: &Instruction<'a>,
) -> Option<()> {
    match instruction.name {
        "shfl" => shuffle(emitter, instruction),
        "vote" => vote(emitter, instruction),
        "elect" => elect(emitter, instruction),
        _ => barrier(emitter, instruction),
    }
}

fn barrier<'a>(emitter: &mut Emitter<'_, 'a>, instruction: &Instruction<'a>) -> Option<()> {
    if let ([".warp", ".sync"], [mask]) = (
        instruction.modifiers.as_slice(),
        instruction.operands.as_slice(),
    ) {
        let mut op = MachineOperation::new("ori.warpsync");
        if !is_whole_warp(mask) {
            let mask = emitter.read(mask, R)?;
            op = op.operand("mask", mask);
        }
        emitter.emit_guarded(op, None)?;
        return Some(());
    }
    let mode = match instruction.modifiers.as_slice() {
        [".sync"] | [".cta", ".sync"] => "sync",
        [".arrive"] | [".cta", ".arrive"] => "arrive",
        _ => return None,
    };
    let (index, threads) = match instruction.operands.as_slice() {
        [index] => (index, None),
        [index, threads] => (index, Some(threads)),
        _ => return None,
    };
    let op = MachineOperation::new("ori.bar");
    let mut op = op.word(emitter.context(), "mode", mode);
    op = match index.as_integer() {
        Some(index @ 0..=15) => op.number(emitter.context(), "index", i32::try_from(index).ok()?),
        Some(_) => return None,
        None => {
            let index = emitter.read(index, R)?;
            op.operand("barrier", index)
        }
    };
    if let Some(threads) = threads {
        let threads = emitter.read(threads, R)?;
        op = op.operand("threads", threads);
    }
    emitter.emit_guarded(op, None)?;
    Some(())
}

fn is_whole_warp(mask: &Expression<'_>) -> bool {
    matches!(mask.as_integer(), Some(-1 | 0xffff_ffff))
}

/// One lane of the warp, and which one.
fn elect<'a>(emitter: &mut Emitter<'_, 'a>, instruction: &Instruction<'a>) -> Option<()> {
    let ([".sync"], None, [Expression::Binary("|", lane, elected), mask]) = (
        instruction.modifiers.as_slice(),
        instruction.guard,
        instruction.operands.as_slice(),
    ) else {
        return None;
    };
    let mut op = MachineOperation::new("ori.elect").result(Register::P);
    if !is_whole_warp(mask) {
        gather(emitter, mask)?;
        let mask = emitter.read(mask, R)?;
        op = op.operand("mask", mask);
    }
    let values = emitter.emit_all(op.result(Register::Ur));
    if **lane != Expression::Name("_") {
        let number = MachineOperation::new("ori.mov")
            .operand("a", values[1])
            .result(R);
        let number = emitter.emit(number);
        emitter.write(lane, number)?;
    }
    emitter.write(elected, values[0])
}

/// Waits for the threads of a mask, when they are not all of the warp.
fn gather<'a>(emitter: &mut Emitter<'_, 'a>, mask: &Expression<'a>) -> Option<()> {
    if !is_whole_warp(mask) {
        let mask = emitter.read(mask, R)?;
        emitter.emit_guarded(
            MachineOperation::new("ori.warpsync").operand("mask", mask),
            None,
        )?;
    }
    Some(())
}

fn shuffle<'a>(emitter: &mut Emitter<'_, 'a>, instruction: &Instruction<'a>) -> Option<()> {
    let [".sync", mode @ (".idx" | ".up" | ".down" | ".bfly"), ".b32"] =
        instruction.modifiers.as_slice()
    else {
        return None;
    };
    let [destination, a, lane, bounds, mask] = instruction.operands.as_slice() else {
        return None;
    };
    if instruction.guard.is_some() {
        return None;
    }
    gather(emitter, mask)?;
    let mut op = MachineOperation::new("ori.shfl").result(R);
    for (group, source) in [("a", a), ("lane", lane), ("bounds", bounds)] {
        let value = emitter.read(source, R)?;
        op = op.operand(group, value);
    }
    op = op.word(emitter.context(), "shuffle", &mode[1..]);
    match destination {
        Expression::Binary("|", value, valid) => {
            let values = emitter.emit_all(op.result(Register::P));
            emitter.write(value, values[0])?;
            emitter.write(valid, values[1])
        }
        destination => {
            let value = emitter.emit(op);
            emitter.write(destination, value)
        }
    }
}

fn vote<'a>(emitter: &mut Emitter<'_, 'a>, instruction: &Instruction<'a>) -> Option<()> {
    let [destination, predicate, mask] = instruction.operands.as_slice() else {
        return None;
    };
    let (mode, answers) = match instruction.modifiers.as_slice() {
        [".sync", ".ballot", ".b32"] => ("any", false),
        [".sync", ".any", ".pred"] => ("any", true),
        [".sync", ".all", ".pred"] => ("all", true),
        [".sync", ".uni", ".pred"] => ("eq", true),
        _ => return None,
    };
    if instruction.guard.is_some() {
        return None;
    }
    gather(emitter, mask)?;
    let (value, modifiers) = emitter.read_predicate(predicate)?;
    let op = MachineOperation::new("ori.vote")
        .modified("a", value, modifiers)
        .result(R);
    let op = op.word(emitter.context(), "vote", mode);
    if answers {
        let values = emitter.emit_all(op.result(Register::P));
        return emitter.write(destination, values[1]);
    }
    let ballot = emitter.emit(op);
    emitter.write(destination, ballot)
}
