//! Registers read and written by the instructions of a PTX function, and liveness.

use std::collections::HashSet;

use super::body::{Body, Step};
use super::calls::Call;
use super::registers::{Registers, names};
use super::select::{carries, destinations, reads_its_destination};
use super::variables::Access;
use crate::ptx::ast::Expression;

/// The registers an instruction reads and writes, by index. A guarded write reads too: if the guard
/// is false, the register keeps its value.
pub(super) fn reads_and_writes<'a>(
    registers: &mut Registers<'a>,
    step: &Step<'a>,
) -> (Vec<usize>, Vec<usize>) {
    meet(registers, step);
    let (mut reads, writes) = operands(registers, step);
    if let Some((_, predicate)) = step.guard() {
        reads.extend(registers.number(step.scope, predicate));
        reads.extend_from_slice(&writes);
    }
    (reads, writes)
}

/// Assigns indices to the registers of an instruction.
fn meet<'a>(registers: &mut Registers<'a>, step: &Step<'a>) {
    if carries(step.instruction) != (false, false) {
        registers.carry();
    }
    for operand in &step.instruction.operands {
        names(operand, &mut |name| {
            registers.number(step.scope, name);
        });
    }
}

/// The registers that the operands of an instruction read and write, in order, as far as they have
/// an index.
pub(super) fn operands<'a>(registers: &Registers<'a>, step: &Step<'a>) -> (Vec<usize>, Vec<usize>) {
    let (mut reads, mut writes) = (Vec::new(), Vec::new());
    let instruction = step.instruction;
    if let Some(call) = Call::of(instruction) {
        reads.extend(registers.known(step.scope, call.callee));
        for operand in call.arguments {
            all(registers, step.scope, operand, &mut reads);
        }
        for operand in call.results {
            all(registers, step.scope, operand, &mut writes);
        }
        return (reads, writes);
    }
    if let Some(Access {
        cells,
        is_store,
        whole,
        ..
    }) = Access::of(registers, step)
    {
        let value = &instruction.operands[usize::from(is_store)];
        let cells = cells.iter().map(|cell| cell.number);
        if is_store {
            if !whole {
                reads.extend(cells.clone());
            }
            writes.extend(cells);
            all(registers, step.scope, value, &mut reads);
        } else {
            reads.extend(cells);
            all(registers, step.scope, value, &mut writes);
        }
        return (reads, writes);
    }
    if let Some(flag) = registers.known_carry() {
        let (takes, leaves) = carries(instruction);
        reads.extend(takes.then_some(flag));
        writes.extend(leaves.then_some(flag));
    }
    let count = destinations(instruction);
    let updates = reads_its_destination(instruction);
    for (number, operand) in instruction.operands.iter().enumerate() {
        if number < count {
            all(registers, step.scope, operand, &mut writes);
        }
        if number >= count || updates {
            all(registers, step.scope, operand, &mut reads);
        }
    }
    (reads, writes)
}

/// The registers and cells that an operand names.
fn all<'a>(
    registers: &Registers<'a>,
    scope: usize,
    operand: &'a Expression<'a>,
    numbers: &mut Vec<usize>,
) {
    names(operand, &mut |name| {
        if let Some(cells) = registers.variable(scope, name) {
            numbers.extend(cells.iter().map(|cell| cell.number));
        } else {
            numbers.extend(registers.known(scope, name));
        }
    });
}

/// The `.param` variables with uses other than loads, stores and calls, with the scopes of these
/// uses.
pub(super) fn escaped<'a>(registers: &Registers<'a>, body: &Body<'a>) -> HashSet<(usize, &'a str)> {
    let mut escaped = HashSet::new();
    for step in body.blocks.iter().flat_map(|block| &block.steps) {
        let instruction = step.instruction;
        if Call::of(instruction).is_some() {
            continue;
        }
        // The address of a load or store is not an escaping use; a loaded or stored operand is.
        let known = Access::of(registers, step).map(|access| usize::from(!access.is_store));
        for (number, operand) in instruction.operands.iter().enumerate() {
            if known == Some(number) {
                continue;
            }
            names(operand, &mut |name| {
                if registers.variable(step.scope, name).is_some() {
                    escaped.insert((step.scope, name));
                }
            });
        }
    }
    escaped
}

/// The live-in registers of each block: sorted indices.
///
/// For each register, backward from the blocks that read it to those that write it: linear in the
/// size of code and result.
pub(super) fn live_in<'a>(registers: &mut Registers<'a>, body: &Body<'a>) -> Vec<Vec<usize>> {
    let mut predecessors = vec![Vec::new(); body.blocks.len()];
    let mut uses: Vec<(usize, usize)> = Vec::new();
    let mut definitions: Vec<(usize, usize)> = Vec::new();
    for (number, block) in body.blocks.iter().enumerate() {
        for next in block.end.successors() {
            predecessors[next].push(number);
        }
        let mut written = HashSet::new();
        let mut read = |all: Vec<usize>, written: &HashSet<usize>| {
            let outside = all.into_iter().filter(|one| !written.contains(one));
            uses.extend(outside.map(|register| (register, number)));
        };
        for step in &block.steps {
            let (inward, outward) = reads_and_writes(registers, step);
            read(inward, &written);
            written.extend(outward);
        }
        read(block.end.reads(registers, block.end_scope), &written);
        definitions.extend(written.into_iter().map(|register| (register, number)));
    }
    uses.sort_unstable();
    uses.dedup();
    definitions.sort_unstable();
    spread(&predecessors, &uses, &definitions)
}

/// Propagates each use backward to a definition. Both lists are sorted by register.
fn spread(
    predecessors: &[Vec<usize>],
    uses: &[(usize, usize)],
    definitions: &[(usize, usize)],
) -> Vec<Vec<usize>> {
    let mut live = vec![Vec::new(); predecessors.len()];
    // One plus the last register found live in a block, or written by it.
    let mut found = vec![0; predecessors.len()];
    let mut written = vec![0; predecessors.len()];
    let mut definitions = definitions.iter().peekable();
    let mut stack = Vec::new();
    for group in uses.chunk_by(|(a, _), (b, _)| a == b) {
        let register = group[0].0;
        while let Some((defined, block)) = definitions.next_if(|(defined, _)| *defined <= register)
        {
            written[*block] = defined + 1;
        }
        stack.extend(group.iter().map(|(_, block)| *block));
        while let Some(block) = stack.pop() {
            if found[block] == register + 1 {
                continue;
            }
            found[block] = register + 1;
            live[block].push(register);
            let before = predecessors[block].iter().copied();
            stack.extend(before.filter(|block| written[*block] != register + 1));
        }
    }
    live
}
