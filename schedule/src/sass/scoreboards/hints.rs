//! Performance hints that are never required: yield flags and register reuse.

use orison_sass::control::ReuseSet;
use orison_sass::effects;
use orison_sass::function::Function;
use orison_sass::instruction::{Instruction, Operand};
use orison_sass::registers::{Register, RegisterFile};
use orison_sass::scheduled::Scheduled;

use super::roles::{self, Role};
use super::{Knobs, has_scoreboard, keep_registers, leaves};
use crate::sass::latency::LatencyModel;

/// Sets yield flags, then reuse flags.
pub(super) fn apply(function: &mut Function<'_>, model: &LatencyModel, knobs: &Knobs) {
    for block in &mut function.blocks {
        let mut textures = 0;
        for instruction in &mut block.instructions {
            let cycles = u32::from(instruction.control.stall.cycles());
            // "Stay" cannot be encoded with a stall of 12 or more (reference 10.2), nor for a
            // draining stall; with zero it pairs.
            let must = cycles >= 12 || cycles == 0 && instruction.control.yields;
            let mut wants = cycles >= knobs.yield_threshold;
            if knobs.texture_batch > 0 && roles::has(&instruction.mnemonic, Role::Texture) {
                textures += 1;
                wants = textures % knobs.texture_batch == 0;
            }
            instruction.control.yields = must || wants;
        }
        let mut next: Option<&Scheduled<'_>> = None;
        let mut kept = Vec::with_capacity(block.instructions.len());
        for instruction in block.instructions.iter().rev() {
            kept.push(match next {
                Some(next) if knobs.reuse => kept_slots(instruction, next, model),
                _ => ReuseSet::EMPTY,
            });
            next = Some(instruction);
        }
        for (instruction, reuse) in block.instructions.iter_mut().zip(kept.into_iter().rev()) {
            let sources = sources(instruction);
            keep_registers(instruction, reuse, &sources);
        }
    }
}

/// The operands in slots A, B and C.
fn sources(instruction: &Instruction) -> [Option<usize>; 3] {
    let mnemonic = &instruction.mnemonic;
    if !roles::has(mnemonic, Role::KeepsRegisters) {
        return [None; 3];
    }
    let row = effects::row(mnemonic);
    let first = effects::destination_count(row, &instruction.operands);
    [first, first + 1, first + 2].map(|number| {
        let operand = instruction.operands.get(number);
        operand.and_then(plain).map(|_| number)
    })
}

/// A general register that can be reused.
fn plain(operand: &Operand) -> Option<Register> {
    let register = operand.as_register()?.register;
    let general = register.file == RegisterFile::General && !register.is_constant();
    general.then_some(register)
}

/// The slots in which the next instruction reads the same registers (reference 10.3): not if the
/// warp may change, nor if the register is written in between, nor for late reads.
fn kept_slots(instruction: &Scheduled<'_>, next: &Scheduled<'_>, model: &LatencyModel) -> ReuseSet {
    let stays = !instruction.control.yields
        && next.control.wait.is_empty()
        && instruction.guard.is_none()
        && !leaves(next)
        && !has_scoreboard(model, instruction);
    if !stays {
        return ReuseSet::EMPTY;
    }
    let written = effects::effects(instruction).definitions;
    let mut mask = 0;
    for (slot, (mine, theirs)) in sources(instruction).iter().zip(sources(next)).enumerate() {
        let register = |instruction: &Instruction, number: Option<usize>| {
            plain(instruction.operands.get(number?)?)
        };
        let mine = register(instruction, *mine);
        let overwritten =
            |found: Register| written.iter().any(|access| access.range.contains(found));
        if mine.is_some_and(|found| !overwritten(found)) && mine == register(next, theirs) {
            mask |= 1 << slot;
        }
    }
    ReuseSet::from_mask(mask).unwrap_or_default()
}
