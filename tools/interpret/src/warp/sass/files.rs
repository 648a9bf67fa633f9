//! The register files of a warp as one array of rows: general and uniform registers, predicates,
//! convergence barriers, and behind them what instructions read as constants.
//!
//! A uniform register has a row of 32 equal words, so that any lane reads it. Reads of `RZ` and `PT`
//! are reads of constant rows, writes of them go to a row that nothing reads.

use orison_sass::registers::{Register, RegisterFile};

use super::super::registers::Slot;

/// The most registers of an operand.
pub(super) const WIDEST: usize = 128;

const GENERAL: usize = 0;
const UNIFORM: usize = GENERAL + 256;
const PREDICATES: usize = UNIFORM + 256;
const UNIFORM_PREDICATES: usize = PREDICATES + 7;
const CONVERGENCE: usize = UNIFORM_PREDICATES + 7;
/// The result of the last reduction at a barrier: threads, and the predicate.
pub(super) const BARRIER_COUNT: usize = CONVERGENCE + 16;
pub(super) const BARRIER_PREDICATE: usize = BARRIER_COUNT + 1;
/// A predicate that holds.
pub(super) const TRUE: usize = BARRIER_PREDICATE + 1;
pub(super) const ZEROS: usize = TRUE + 1;
const SINK: usize = ZEROS + WIDEST;
/// Registers between the parts of an instruction.
pub(super) const SCRATCH: usize = SINK + WIDEST;
/// The first register of numbers.
pub(super) const POOL: usize = SCRATCH + WIDEST;

/// Registers from an index on.
pub(super) fn slot_at(first: usize, words: usize) -> Slot {
    Slot {
        first,
        words,
        bits: 32 * words as u32,
    }
}

/// A register that holds a bit.
pub(super) fn bit_at(first: usize) -> Slot {
    Slot {
        first,
        words: 1,
        bits: 1,
    }
}

/// The registers that an instruction reads.
pub(super) fn source(register: Register, words: usize) -> Option<Slot> {
    if register.is_constant() {
        return Some(match register.file.is_predicate() {
            true => bit_at(TRUE),
            false => slot_at(ZEROS, words),
        });
    }
    named(register, words)
}

/// The registers that an instruction writes.
pub(super) fn result(register: Register, words: usize) -> Option<Slot> {
    if register.is_constant() {
        return Some(match register.file.is_predicate() {
            true => bit_at(SINK),
            false => slot_at(SINK, words),
        });
    }
    named(register, words)
}

fn named(register: Register, words: usize) -> Option<Slot> {
    let index = usize::from(register.index);
    let wide = |start: usize| (index + words <= 255).then(|| slot_at(start + index, words));
    match register.file {
        RegisterFile::General => wide(GENERAL),
        RegisterFile::Uniform => wide(UNIFORM),
        RegisterFile::Predicate => Some(bit_at(PREDICATES + index)),
        RegisterFile::UniformPredicate => Some(bit_at(UNIFORM_PREDICATES + index)),
        RegisterFile::Convergence => Some(slot_at(CONVERGENCE + index, 1)),
        RegisterFile::Scoreboard | RegisterFile::GroupScoreboard => None,
    }
}

/// Whether all lanes of a warp share a register.
pub(super) fn is_uniform(slot: Slot) -> bool {
    (UNIFORM..UNIFORM + 256).contains(&slot.first)
        || (UNIFORM_PREDICATES..UNIFORM_PREDICATES + 7).contains(&slot.first)
}
