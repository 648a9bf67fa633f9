//! Which units are in registers where more are live than there are: Belady's rule on SSA form (Braun and
//! Hack, "Register Spilling and Live-Range Splitting for SSA-Form Programs", 2009).
//!
//! Where room is needed, the unit whose next use is farthest leaves; before its next use it comes back.
//! Behind a loop counts as very far.

use orison_ir::analyses::{ControlFlowGraph, LoopForest};
use orison_ori::analyses::RegisterClass;
use rustc_hash::{FxHashMap, FxHashSet};

use super::live::Live;
use super::register_set::RegisterSet;
use super::units::{Passed, Program, TupleId, UnitId};

/// The distance of a way out of a loop, in instructions.
const OUT_OF_LOOP: u32 = 100_000;

/// Where a unit comes back.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Point {
    /// In front of an instruction of [`Program::instructions`].
    Before(u32),
    /// At the end of a block, in front of its branch.
    End(u32),
}

/// Which units are in registers.
#[derive(Debug, Default)]
pub struct Residence {
    /// The units that come back, in the order of the program.
    pub reloads: Vec<(Point, UnitId)>,
    /// The units that leave before they are dead: in front of an instruction, or behind what it reads.
    pub drops: Vec<(u32, bool, UnitId)>,
    /// The units in registers at the start of each block, without arguments, in order.
    pub starts: Vec<Vec<UnitId>>,
}

/// Decides it for the units of a class and a number of registers. `None` if an instruction alone needs
/// more.
pub fn residence(
    (program, live): (&Program, &Live),
    flow: &ControlFlowGraph,
    class: RegisterClass,
    usable: RegisterSet,
    pinned: &[bool],
) -> Option<Residence> {
    let forest = LoopForest::of(flow);
    let mut walk = Walk {
        program,
        live,
        flow,
        class,
        registers: usable.count() as usize,
        usable,
        pinned: pinned.to_vec(),
        forest: &forest,
        entries: Vec::new(),
        ends: vec![None; program.blocks.len()],
        resident: FxHashSet::default(),
        found: Residence {
            starts: vec![Vec::new(); program.blocks.len()],
            ..Residence::default()
        },
    };
    walk.measure();
    for block in flow.reverse_post_order().iter().copied() {
        walk.block(block)?;
    }
    Some(walk.found)
}

struct Walk<'a> {
    program: &'a Program,
    live: &'a Live,
    flow: &'a ControlFlowGraph,
    class: RegisterClass,
    registers: usize,
    usable: RegisterSet,
    /// Units that must stay where they are, until an instruction waits for them.
    pinned: Vec<bool>,
    forest: &'a LoopForest,
    /// The distance from the start of each block to the next use of units that are live there.
    entries: Vec<FxHashMap<UnitId, u32>>,
    /// The units in registers at the ends of blocks.
    ends: Vec<Option<FxHashSet<UnitId>>>,
    resident: FxHashSet<UnitId>,
    found: Residence,
}

impl Walk<'_> {
    fn is_class(&self, unit: UnitId) -> bool {
        let found = self.program.units.get(unit as usize);
        found.is_some_and(|found| found.class == self.class)
    }

    /// The units of the class in tuples.
    fn units(&self, tuples: std::ops::Range<TupleId>) -> Vec<UnitId> {
        let all = tuples.flat_map(|tuple| self.program.members(tuple));
        let mut units: Vec<UnitId> = all.copied().filter(|unit| self.is_class(*unit)).collect();
        units.sort_unstable();
        units.dedup();
        units
    }

    /// Distances to next uses, until nothing changes.
    fn measure(&mut self) {
        self.entries = vec![FxHashMap::default(); self.program.blocks.len()];
        let mut changed = true;
        while changed {
            changed = false;
            for block in self.flow.reverse_post_order().iter().rev().copied() {
                let mut distances = self.leaving(block);
                let found = self.program.blocks[block as usize].instructions.clone();
                let length = found.end - found.start;
                distances
                    .values_mut()
                    .for_each(|distance| *distance += length);
                for at in found.rev() {
                    let instruction = &self.program.instructions[at as usize];
                    for unit in self.units(instruction.defs.clone()) {
                        distances.remove(&unit);
                    }
                    let start = self.program.blocks[block as usize].instructions.start;
                    for unit in self.units(instruction.uses.clone()) {
                        distances.insert(unit, at - start);
                    }
                }
                if self.entries[block as usize] != distances {
                    self.entries[block as usize] = distances;
                    changed = true;
                }
            }
        }
    }

    /// Distances from the end of a block.
    fn leaving(&self, block: u32) -> FxHashMap<UnitId, u32> {
        let mut distances: FxHashMap<UnitId, u32> = FxHashMap::default();
        for way in &self.program.blocks[block as usize].ways {
            let inner = self.forest.innermost(block);
            let leaves = inner.is_some_and(|inner| !self.forest.loops()[inner].contains(way.to));
            let more = if leaves { OUT_OF_LOOP } else { 0 };
            for (unit, distance) in &self.entries[way.to as usize] {
                let distance = distance.saturating_add(more).min(u32::MAX / 4);
                let known = distances.entry(*unit).or_insert(distance);
                *known = distance.min(*known);
            }
            for (_, passed) in &way.passed {
                if let Passed::Unit(unit) = passed
                    && self.is_class(*unit)
                {
                    distances.insert(*unit, 0);
                }
            }
        }
        distances
    }

    fn block(&mut self, block: u32) -> Option<()> {
        let found = &self.program.blocks[block as usize];
        let arguments = self.units(found.arguments.clone());
        self.enter(block, arguments.len())?;
        self.resident.extend(arguments);
        // For each instruction, the next uses behind it, from the end of the block.
        let mut next = Uses::of(self, block);
        for at in found.instructions.clone() {
            self.instruction(at, &mut next)?;
        }
        self.leave(block, &next);
        Some(())
    }

    /// What is in registers at the start of a block: what all predecessors that are known have there.
    fn enter(&mut self, block: u32, arguments: usize) -> Option<()> {
        // Where a loop comes back, the branch reads a predicate as well.
        let before = self.flow.predecessors(block).iter();
        let mut positions = before.map(|before| self.flow.position(*before));
        let is_header = positions.any(|position| position >= self.flow.position(block));
        let is_predicate = matches!(
            self.class,
            RegisterClass::Predicate | RegisterClass::UniformPredicate
        );
        let room = self
            .registers
            .checked_sub(arguments + usize::from(is_header && is_predicate))?;
        let mut units: Vec<UnitId> = self.live.ins[block as usize].clone();
        units.retain(|unit| self.is_class(*unit));
        let before = self.flow.predecessors(block).iter();
        for ends in before.filter_map(|before| self.ends[*before as usize].as_ref()) {
            units.retain(|unit| ends.contains(unit));
        }
        if let Some(above) = self.flow.dominators().parent(block)
            && let Some(ends) = &self.ends[above as usize]
        {
            units.retain(|unit| ends.contains(unit));
        }
        let entries = &self.entries[block as usize];
        units.sort_by_key(|unit| (entries.get(unit).copied().unwrap_or(u32::MAX), *unit));
        units.truncate(room);
        units.sort_unstable();
        self.resident = units.iter().copied().collect();
        self.found.starts[block as usize] = units;
        Some(())
    }

    fn instruction(&mut self, at: u32, next: &mut Uses) -> Option<()> {
        let instruction = &self.program.instructions[at as usize];
        let uses = self.units(instruction.uses.clone());
        if uses.len() > self.registers {
            return None;
        }
        let missing: Vec<UnitId> = uses
            .iter()
            .copied()
            .filter(|unit| !self.resident.contains(unit))
            .collect();
        self.resident.extend(missing.iter().copied());
        self.make_room(at, self.registers, &uses, next)?;
        for unit in missing {
            self.found.reloads.push((Point::Before(at), unit));
        }
        next.pass(at, &uses);
        for (tuple, _) in &instruction.renamed {
            for unit in self.program.members(*tuple) {
                self.pinned[*unit as usize] = false;
            }
        }
        for unit in &instruction.released {
            self.pinned[*unit as usize] = false;
        }
        for unit in &instruction.held {
            self.pinned[*unit as usize] = true;
        }
        let mut kept_ties = 0;
        for tuple in instruction.uses.clone() {
            for (index, unit) in self.program.members(tuple).iter().enumerate() {
                if !self.is_class(*unit) {
                    continue;
                }
                if self.live.is_last(tuple, index) {
                    self.resident.remove(unit);
                } else if instruction.ties.iter().any(|(used, _)| *used == tuple) {
                    kept_ties += 1;
                }
            }
        }
        let mut defs = self.units(instruction.defs.clone());
        defs.retain(|unit| {
            let interval = self.live.intervals[*unit as usize];
            interval.end > interval.start + 1
        });
        let taken = defs.len().max(kept_ties);
        if let Some(changes) = &instruction.changes {
            let changed = changes[self.class as usize];
            let kept = self
                .usable
                .iter()
                .filter(|register| !changed.contains(*register));
            self.outlive(at, kept.count(), &uses, next)?;
        }
        // What the instruction reads and what lives on is there while it is executed.
        self.make_room(at, self.registers.checked_sub(taken)?, &uses, next)?;
        self.resident.extend(defs);
        Some(())
    }

    /// Lets the units leave that a call has no registers for; what it reads leaves behind that.
    fn outlive(&mut self, at: u32, registers: usize, uses: &[UnitId], next: &Uses) -> Option<()> {
        while self.resident.len() > registers {
            let farthest = self.farthest(&[], next)?;
            self.resident.remove(&farthest);
            self.found
                .drops
                .push((at, uses.contains(&farthest), farthest));
        }
        Some(())
    }

    /// The unit whose next use is farthest, but none of `kept`.
    fn farthest(&self, kept: &[UnitId], next: &Uses) -> Option<UnitId> {
        let can_leave = |unit: &&UnitId| !kept.contains(unit) && !self.pinned[**unit as usize];
        let candidates = self.resident.iter().filter(can_leave);
        candidates
            .max_by_key(|unit| (next.distance(**unit), **unit))
            .copied()
    }

    /// Lets the units leave whose next uses are farthest, but none of `kept`.
    fn make_room(&mut self, at: u32, registers: usize, kept: &[UnitId], next: &Uses) -> Option<()> {
        while self.resident.len() > registers {
            let farthest = self.farthest(kept, next)?;
            self.resident.remove(&farthest);
            self.found.drops.push((at, false, farthest));
        }
        Some(())
    }

    /// Brings back, at the end of a block, what a block that is known already has in registers.
    fn leave(&mut self, block: u32, next: &Uses) {
        let mut needed: Vec<UnitId> = Vec::new();
        for way in &self.program.blocks[block as usize].ways {
            // Of blocks further down it is not known yet: they take what is here.
            let is_back = self.flow.position(way.to) <= self.flow.position(block);
            if is_back {
                needed.extend(&self.found.starts[way.to as usize]);
            }
            let passed = way.passed.iter().filter_map(|(_, passed)| match passed {
                Passed::Unit(unit) if self.is_class(*unit) => Some(*unit),
                _ => None,
            });
            needed.extend(passed);
        }
        needed.sort_unstable();
        needed.dedup();
        for unit in needed.iter().copied() {
            if self.resident.insert(unit) {
                self.found.reloads.push((Point::End(block), unit));
            }
        }
        let end = self.program.blocks[block as usize]
            .instructions
            .end
            .saturating_sub(1);
        // Without room, what nobody needs here leaves.
        let _ = self.make_room(end, self.registers, &needed, next);
        let outs = &self.live.outs[block as usize];
        let ends = self
            .resident
            .iter()
            .copied()
            .filter(|unit| outs.binary_search(unit).is_ok());
        self.ends[block as usize] = Some(ends.collect());
    }
}

/// The next uses of units behind a place in a block.
struct Uses {
    /// Places of uses in the block, the next one last.
    places: FxHashMap<UnitId, Vec<u32>>,
    /// Distances from the end.
    leaving: FxHashMap<UnitId, u32>,
    end: u32,
    at: u32,
}

impl Uses {
    fn of(walk: &Walk<'_>, block: u32) -> Self {
        let range = walk.program.blocks[block as usize].instructions.clone();
        let mut places: FxHashMap<UnitId, Vec<u32>> = FxHashMap::default();
        for at in range.clone().rev() {
            let instruction = &walk.program.instructions[at as usize];
            for unit in walk.units(instruction.uses.clone()) {
                places.entry(unit).or_default().push(at);
            }
        }
        Uses {
            places,
            leaving: walk.leaving(block),
            end: range.end,
            at: range.start,
        }
    }

    /// Goes on behind an instruction that reads these units.
    fn pass(&mut self, at: u32, uses: &[UnitId]) {
        self.at = at + 1;
        for unit in uses {
            if let Some(places) = self.places.get_mut(unit) {
                places.pop();
            }
        }
    }

    /// The distance to the next use.
    fn distance(&self, unit: UnitId) -> u32 {
        match self.places.get(&unit).and_then(|places| places.last()) {
            Some(next) => next - self.at,
            None => {
                let beyond = self.leaving.get(&unit).copied().unwrap_or(u32::MAX / 2);
                beyond.saturating_add(self.end - self.at)
            }
        }
    }
}
