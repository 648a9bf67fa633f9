//! Which machine operations stand for a PTX instruction.
//!
//! A selection returns nothing when it does not know the instruction, a modifier or an operand; the
//! caller then takes back what it built and keeps the instruction as `ori.inst`.

mod arithmetic;
mod compare;
mod matrix;
mod memory;
mod moves;
mod synchronize;
mod warp;

use super::emitter::Emitter;
use crate::ptx::ast::{Expression, Instruction};

/// Instructions that write no register, whatever their first operand is.
const NO_DESTINATION: [&str; 16] = [
    "st",
    "red",
    "bar",
    "barrier",
    "membar",
    "fence",
    "bra",
    "ret",
    "exit",
    "trap",
    "brkpt",
    "prefetch",
    "nanosleep",
    "setmaxnreg",
    "griddepcontrol",
    "pmevent",
];

/// How many of the first operands an instruction writes: none or one, where one may be a vector or
/// a pair.
pub(super) fn destinations(instruction: &Instruction<'_>) -> usize {
    let Some(first) = instruction.operands.first() else {
        return 0;
    };
    if NO_DESTINATION.contains(&instruction.name) {
        return 0;
    }
    match first {
        Expression::Address(_) => 0,
        Expression::Parentheses(_) => usize::from(instruction.name == "call"),
        _ if instruction.name == "call" => 0,
        // Counts and groups: `cp.async.wait_group 0`, `wgmma.wait_group.sync.aligned 0`.
        Expression::Integer(..) => 0,
        _ => 1,
    }
}

/// Whether an instruction reads what it writes: accumulators of warp-group products.
pub(super) fn reads_its_destination(instruction: &Instruction<'_>) -> bool {
    instruction.name == "wgmma" && instruction.modifiers.first() == Some(&".mma_async")
}

/// Emits the machine operations of an instruction; none when it is not known.
pub(super) fn select<'a>(
    emitter: &mut Emitter<'_, 'a>,
    instruction: &Instruction<'a>,
) -> Option<()> {
    match instruction.name {
        "add" | "sub" | "mul" | "mad" | "fma" | "neg" | "abs" | "min" | "max" | "and" | "or"
        | "xor" | "not" | "shl" | "shr" | "popc" | "brev" | "ex2" | "rcp" | "prmt" | "lop3"
        | "clz" | "shf" | "bfe" => arithmetic::select(emitter, instruction),
        "setp" | "selp" => compare::select(emitter, instruction),
        "ld" | "st" | "atom" | "cp" => memory::select(emitter, instruction),
        "mov" | "cvta" | "cvt" => moves::select(emitter, instruction),
        "mma" | "ldmatrix" | "stmatrix" => matrix::select(emitter, instruction),
        "bar" | "barrier" | "shfl" | "vote" | "elect" => warp::select(emitter, instruction),
        "fence" | "mbarrier" => synchronize::select(emitter, instruction),
        _ => None,
    }
}
