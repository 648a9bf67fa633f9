//! Live units at block boundaries, last uses, and live intervals.

use orison_ir::analyses::ControlFlowGraph;

use super::divergent;
use super::register_set::RegisterSet;
use super::units::{Instruction, Passed, Program, TupleId, UnitId, is_unit};

/// From the definition to the last use, over the instructions in reverse post-order: two slots an
/// instruction, reads before writes. Holes in between belong to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Interval {
    /// The first slot.
    pub start: u32,
    /// One past the last slot.
    pub end: u32,
}

impl Interval {
    fn cover(&mut self, start: u32, end: u32) {
        if self.end == 0 {
            *self = Interval { start, end };
        }
        self.start = self.start.min(start);
        self.end = self.end.max(end);
    }
}

/// Liveness of units.
#[derive(Debug, Default)]
pub struct Live {
    /// Units live at the start of blocks, without the arguments, in order.
    pub ins: Vec<Vec<UnitId>>,
    /// Units live at the end of blocks, with those that are passed, in order.
    pub outs: Vec<Vec<UnitId>>,
    /// By unit.
    pub intervals: Vec<Interval>,
    /// The slots of instructions, those of reads; they write one behind it.
    pub slots: Vec<u32>,
    /// By tuple that is read and by its units: whether the unit is dead behind the instruction.
    last: Vec<bool>,
    /// Where the units of tuples are in it.
    first: Vec<u32>,
}

impl Live {
    /// Computes it. Linear in the program and in the sets.
    pub fn of(program: &Program, flow: &ControlFlowGraph) -> Self {
        let count = program.blocks.len();
        let mut live = Live {
            ins: vec![Vec::new(); count],
            outs: vec![Vec::new(); count],
            intervals: vec![Interval::default(); program.units.len()],
            slots: vec![0; program.instructions.len()],
            ..Live::default()
        };
        let mut total = 0;
        for tuple in &program.tuples {
            live.first.push(total);
            total += tuple.members.end - tuple.members.start;
        }
        live.last = vec![false; total as usize];
        live.walk(program, flow, &[]);
        let kept = divergent::kept(program, flow, (&live.ins, &live.outs));
        if !kept.is_empty() {
            live.ins.iter_mut().for_each(Vec::clear);
            live.outs.iter_mut().for_each(Vec::clear);
            live.walk(program, flow, &kept);
        }
        live.measure(program, flow);
        live
    }

    /// Whether a unit that a tuple reads is dead behind the instruction.
    pub fn is_last(&self, tuple: TupleId, index: usize) -> bool {
        self.last[self.first[tuple as usize] as usize + index]
    }

    /// From each use back to the definition (Boissinot et al. 2011, as in `orison_ir::analyses::Liveness`), and
    /// from the ends of blocks where units are kept.
    fn walk(&mut self, program: &Program, flow: &ControlFlowGraph, kept: &[(UnitId, u32)]) {
        let mut home = vec![u32::MAX; program.units.len()];
        for (number, block) in (0..).zip(&program.blocks) {
            let made = block
                .instructions
                .clone()
                .map(|at| &program.instructions[at as usize]);
            let defs = made.flat_map(|found| found.defs.clone());
            for tuple in block.arguments.clone().chain(defs) {
                for unit in program.members(tuple) {
                    home[*unit as usize] = number;
                }
            }
        }
        let mut uses: Vec<(UnitId, u32, bool)> = Vec::new();
        uses.extend(kept.iter().map(|(unit, block)| (*unit, *block, true)));
        for (number, block) in (0_u32..).zip(&program.blocks) {
            for at in block.instructions.clone() {
                let tuples = program.instructions[at as usize].uses.clone();
                let units = tuples.flat_map(|tuple| program.members(tuple));
                uses.extend(units.map(|unit| (*unit, number, false)));
            }
            for (_, passed) in block.ways.iter().flat_map(|way| &way.passed) {
                if let Passed::Unit(unit) = *passed {
                    uses.push((unit, number, true));
                }
            }
        }
        // All uses of a unit together: what a block has already is the last of its list.
        uses.sort_unstable();
        uses.dedup();
        let mut pending = Vec::new();
        for (unit, block, is_passed) in uses {
            if !is_unit(unit) {
                break;
            }
            if is_passed {
                add(&mut self.outs[block as usize], unit);
            }
            pending.push(block);
            while let Some(block) = pending.pop() {
                if block != home[unit as usize] && add(&mut self.ins[block as usize], unit) {
                    for before in flow.predecessors(block) {
                        add(&mut self.outs[*before as usize], unit);
                        pending.push(*before);
                    }
                }
            }
        }
    }

    fn measure(&mut self, program: &Program, flow: &ControlFlowGraph) {
        let mut slot = 0;
        let mut live = vec![false; program.units.len()];
        for number in flow.reverse_post_order().iter().copied() {
            let block = &program.blocks[number as usize];
            let start = 2 * slot;
            let end = 2 * (slot + 1 + block.instructions.end - block.instructions.start) + 1;
            for unit in &self.ins[number as usize] {
                self.intervals[*unit as usize].cover(start, start + 1);
            }
            for tuple in block.arguments.clone() {
                for unit in program.members(tuple) {
                    self.intervals[*unit as usize].cover(start, start + 1);
                }
            }
            for unit in &self.outs[number as usize] {
                self.intervals[*unit as usize].cover(end - 1, end);
                live[*unit as usize] = true;
            }
            for at in block.instructions.clone().rev() {
                let index = 1 + at - block.instructions.start;
                self.slots[at as usize] = 2 * (slot + index);
                let found = &program.instructions[at as usize];
                self.mark(program, found, 2 * (slot + index), &mut live);
            }
            for unit in &self.ins[number as usize] {
                live[*unit as usize] = false;
            }
            for tuple in block.arguments.clone() {
                for unit in program.members(tuple) {
                    live[*unit as usize] = false;
                }
            }
            slot += 2 + block.instructions.end - block.instructions.start;
        }
    }

    fn mark(&mut self, program: &Program, found: &Instruction, slot: u32, live: &mut [bool]) {
        for tuple in found.defs.clone() {
            for unit in program.members(tuple) {
                self.intervals[*unit as usize].cover(slot + 1, slot + 2);
                live[*unit as usize] = false;
            }
        }
        for tuple in found.uses.clone() {
            let start = self.first[tuple as usize] as usize;
            for (index, unit) in program.members(tuple).iter().enumerate() {
                if is_unit(*unit) {
                    self.last[start + index] = !live[*unit as usize];
                    self.intervals[*unit as usize].cover(slot, slot + 1);
                }
            }
        }
        for tuple in found.uses.clone() {
            for unit in program.members(tuple).iter().filter(|unit| is_unit(**unit)) {
                live[*unit as usize] = true;
            }
        }
    }

    /// The most live registers of each class at a point of the program, by class.
    pub fn pressure(&self, program: &Program, flow: &ControlFlowGraph) -> [u32; 5] {
        let mut most = [0; 5];
        for number in flow.reverse_post_order().iter().copied() {
            let block = &program.blocks[number as usize];
            let mut counts = [0_u32; 5];
            let class = |unit: UnitId| program.units[unit as usize].class as usize;
            for unit in &self.ins[number as usize] {
                counts[class(*unit)] += 1;
            }
            for tuple in block.arguments.clone() {
                program
                    .members(tuple)
                    .iter()
                    .for_each(|unit| counts[class(*unit)] += 1);
            }
            let mut note = |counts: &[u32; 5]| {
                most.iter_mut()
                    .zip(counts)
                    .for_each(|(most, count)| *most = u32::max(*most, *count));
            };
            note(&counts);
            let mut dead = Vec::new();
            for at in block.instructions.clone() {
                let found = &program.instructions[at as usize];
                dead.clear();
                for tuple in found.uses.clone() {
                    for (index, unit) in program.members(tuple).iter().enumerate() {
                        if is_unit(*unit) && self.is_last(tuple, index) {
                            dead.push(*unit);
                        }
                    }
                }
                dead.sort_unstable();
                dead.dedup();
                dead.iter().for_each(|unit| counts[class(*unit)] -= 1);
                if let Some(changes) = &found.changes {
                    let changed = changes.map(RegisterSet::count);
                    note(&std::array::from_fn(|class| counts[class] + changed[class]));
                }
                let made = found.defs.clone().flat_map(|tuple| program.members(tuple));
                made.clone().for_each(|unit| counts[class(*unit)] += 1);
                note(&counts);
                for unit in made {
                    let Interval { start, end } = self.intervals[*unit as usize];
                    if end == start + 1 {
                        counts[class(*unit)] -= 1;
                    }
                }
            }
        }
        most
    }
}

/// Adds a unit to a list that is filled in the order of units; whether it is new.
fn add(list: &mut Vec<UnitId>, unit: UnitId) -> bool {
    let is_new = list.last() != Some(&unit);
    if is_new {
        list.push(unit);
    }
    is_new
}
