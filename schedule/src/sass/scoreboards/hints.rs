//! Performance hints that are never required: yield flags and register reuse.

use orison_sass::control::ReuseSet;
use orison_sass::effects::row;
use orison_sass::function::Function;
use orison_sass::instruction::{Instruction, Operand};
use orison_sass::registers::{Register, RegisterFile};
use orison_sass::scheduled::Scheduled;

use super::{Knobs, keep_registers};
use crate::sass::facts::{Fact, FunctionFacts, RegisterNumber};
use crate::sass::latency::LatencyModel;
use crate::sass::roles::Role;

/// Sets yield flags, then reuse flags.
pub(super) fn apply(
    function: &mut Function<'_>,
    facts: &FunctionFacts,
    model: &LatencyModel,
    knobs: &Knobs,
) {
    for (index, block) in function.blocks.iter_mut().enumerate() {
        let mut textures = 0;
        let first = facts.block(index).start;
        for (number, instruction) in (first..).zip(&mut block.instructions) {
            let cycles = u32::from(instruction.control.stall.cycles());
            // "Stay" cannot be encoded with a stall of 12 or more (reference 10.2), nor for a
            // draining stall; with zero it pairs.
            let must = cycles >= 12 || cycles == 0 && instruction.control.yields;
            let mut wants = cycles >= knobs.yield_threshold;
            if knobs.texture_batch > 0 && facts.fact(number).roles.has(Role::Texture) {
                textures += 1;
                wants = textures % knobs.texture_batch == 0;
            }
            instruction.control.yields = must || wants;
        }
        for place in 0..block.instructions.len() {
            let pair = (first + place, &block.instructions[place]);
            let reuse = match block.instructions.get(place + 1) {
                Some(next) if knobs.reuse => kept_slots(pair, next, facts, model),
                _ => ReuseSet::EMPTY,
            };
            let sources = sources(pair.1, facts.fact(pair.0));
            keep_registers(&mut block.instructions[place], reuse, &sources);
        }
    }
}

/// The operands in slots A, B and C.
fn sources(instruction: &Instruction, fact: &Fact) -> [Option<usize>; 3] {
    if !fact.roles.has(Role::KeepsRegisters) {
        return [None; 3];
    }
    let slots = row(&instruction.mnemonic).map_or("", |row| row.slots);
    let slot = |slot: char| slots.find(slot).map(|place| fact.first_source + place);
    ['a', 'b', 'c'].map(slot).map(|number| {
        let operand = instruction.operands.get(number?)?;
        plain(operand).and(number)
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
fn kept_slots(
    (number, instruction): (usize, &Scheduled<'_>),
    next: &Scheduled<'_>,
    facts: &FunctionFacts,
    model: &LatencyModel,
) -> ReuseSet {
    let (fact, next_fact) = (facts.fact(number), facts.fact(number + 1));
    let stays = !instruction.control.yields
        && next.control.wait.is_empty()
        && instruction.guard.is_none()
        && !next_fact.leaves
        && !model.class(fact.class).is_variable();
    if !stays {
        return ReuseSet::EMPTY;
    }
    let mut mask = 0;
    let mine = sources(instruction, fact);
    let theirs = sources(next, next_fact);
    for (slot, (mine, theirs)) in mine.iter().zip(theirs).enumerate() {
        let register = |instruction: &Instruction, number: Option<usize>| {
            plain(instruction.operands.get(number?)?)
        };
        let mine = register(instruction, *mine);
        let overwritten = |found: Register| {
            let mut written = facts.writes(number).iter();
            written.any(|write| Some(write.register) == RegisterNumber::of(found))
        };
        if mine.is_some_and(|found| !overwritten(found)) && mine == register(next, theirs) {
            mask |= 1 << slot;
        }
    }
    ReuseSet::from_mask(mask).unwrap_or_default()
}
