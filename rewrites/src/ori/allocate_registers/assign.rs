//! Assignment: one walk over the blocks in reverse post-order, with what each register holds.
//!
//! A block begins with what its immediate dominator leaves, so that every unit has one location at its
//! start; edges copy where a predecessor left it elsewhere. Where an instruction needs consecutive
//! registers and has none, the units in the way move.

mod results;

use orison_ir::analyses::ControlFlowGraph;
use orison_ir::{Context, Operation, Value};
use orison_ori::analyses::RegisterClass;
use rustc_hash::FxHashMap;

use super::calls::Registers;
use super::clusters::Clusters;
use super::live::Live;
use super::parallel_copy::Source;
use super::register_set::RegisterSet;
use super::registers::File;
use super::spills::Spills;
use super::units::{Instruction, Passed, Program, TupleId, UNDEFINED, UnitId, is_unit, len};
use crate::ori::operand_registers;

/// A copy of a unit to another register, in front of an instruction. All of an instruction happen at
/// once.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Transfer {
    /// The file.
    pub class: RegisterClass,
    /// The unit, or the constant.
    pub unit: UnitId,
    /// The register that it is in, or the part of a constant.
    pub from: Source<(Value, u32)>,
    /// The register that it gets to.
    pub to: u8,
    /// Whether it stays where it was as well: the copy is for this instruction only.
    pub stays: bool,
}

/// The copies in front of an instruction.
#[derive(Clone, Debug, Default)]
pub struct Transfers {
    /// The copies.
    pub list: Vec<Transfer>,
    /// A register of each class that holds nothing there, if there is one.
    pub spare: [Option<u8>; 5],
}

/// Where units are.
#[derive(Clone, Debug, Default)]
pub struct Assignment {
    /// The first register of each tuple; `None` for results that are not used.
    pub tuples: Vec<Option<u8>>,
    /// The copies in front of instructions.
    pub transfers: FxHashMap<u32, Transfers>,
    /// The units that come back in front of instructions, with their registers.
    pub back: FxHashMap<u32, Vec<(UnitId, u8)>>,
    /// The register of each unit that is live at the start of each block, without arguments.
    pub starts: Vec<Vec<(UnitId, u8)>>,
    /// The register of each unit that is live at the end.
    pub ends: Vec<Vec<(UnitId, u8)>>,
    /// The registers used, by class.
    pub used: Registers,
}

impl Assignment {
    /// Whether a unit moves in front of an instruction.
    pub fn moves(&self) -> bool {
        let mut all = self.transfers.values().flat_map(|found| &found.list);
        all.any(|transfer| !transfer.stays)
    }
}

/// Registers did not suffice.
#[derive(Clone, Copy, Debug)]
pub struct Failure {
    /// The class.
    pub class: RegisterClass,
    /// The instruction; `None` at the start of a block.
    pub op: Option<Operation>,
}

/// What a register holds for one instruction only.
const COPY: UnitId = u32::MAX - 1;
const NOWHERE: u8 = u8::MAX;

/// Assigns registers.
///
/// # Errors
/// Where the usable registers of a class do not suffice for what must lie in consecutive ones.
pub fn assign(
    context: &Context,
    (program, live): (&Program, &Live),
    flow: &ControlFlowGraph,
    clusters: &mut Clusters,
    usable: &[RegisterSet; 5],
    spills: Option<&Spills>,
) -> Result<Assignment, Failure> {
    let count = program.blocks.len();
    let mut walk = Walk {
        program,
        live,
        clusters,
        spills,
        files: usable.map(File::new),
        at: vec![NOWHERE; program.units.len()],
        pinned: pinned(context, program),
        found: Assignment {
            tuples: vec![None; program.tuples.len()],
            starts: vec![Vec::new(); count],
            ends: vec![Vec::new(); count],
            ..Assignment::default()
        },
        transfers: Vec::new(),
        claimed: [RegisterSet::default(); 5],
    };

    for block in flow.reverse_post_order().iter().copied() {
        walk.block(flow, block)?;
    }
    walk.found.used = std::array::from_fn(|class| walk.files[class].used);
    Ok(walk.found)
}

/// The units in flight: results of asynchronous instructions, and the arguments they are passed to.
pub fn pinned(context: &Context, program: &Program) -> Vec<bool> {
    let mut pinned = vec![false; program.units.len()];
    for found in &program.instructions {
        if operand_registers::is_in_flight(context, found.op) {
            for tuple in found.defs.clone() {
                for unit in program.members(tuple) {
                    pinned[*unit as usize] = true;
                }
            }
        }
    }
    let ways = || program.blocks.iter().flat_map(|block| &block.ways);
    let mut changed = true;
    while changed {
        changed = false;
        for (argument, passed) in ways().flat_map(|way| &way.passed) {
            if let Passed::Unit(unit) = passed
                && pinned[*unit as usize]
                && !pinned[*argument as usize]
            {
                pinned[*argument as usize] = true;
                changed = true;
            }
        }
    }
    pinned
}

struct Walk<'a> {
    program: &'a Program,
    live: &'a Live,
    clusters: &'a mut Clusters,
    spills: Option<&'a Spills>,
    files: [File; 5],
    /// The register of each unit that is live.
    at: Vec<u8>,
    /// Units that must not move.
    pinned: Vec<bool>,
    found: Assignment,
    /// The copies in front of the instruction.
    transfers: Vec<Transfer>,
    /// The registers that the tuples of the instruction are in.
    claimed: [RegisterSet; 5],
}

impl Walk<'_> {
    fn block(&mut self, flow: &ControlFlowGraph, block: u32) -> Result<(), Failure> {
        let program = self.program;
        self.files.iter_mut().for_each(File::clear);
        for unit in &self.live.ins[block as usize] {
            self.at[*unit as usize] = NOWHERE;
        }
        if let Some(above) = flow.dominators().parent(block) {
            for (unit, register) in &self.found.ends[above as usize] {
                self.at[*unit as usize] = *register;
            }
        }
        let resident = self.resident(block);
        for unit in &resident {
            let register = u32::from(self.at[*unit as usize]);
            self.files[self.class(*unit)].put(register, *unit);
        }
        let arguments = program.blocks[block as usize].arguments.clone();
        for tuple in by_width(program, arguments.clone()) {
            self.define(tuple, None)?;
        }
        // What moved for the sake of an argument is there from the start on.
        self.transfers.clear();
        let starts = resident.iter();
        self.found.starts[block as usize] = starts
            .map(|unit| (*unit, self.at[*unit as usize]))
            .collect();
        for tuple in arguments {
            self.release_dead(tuple);
        }
        for at in program.blocks[block as usize].instructions.clone() {
            self.instruction(at)?;
        }
        let ends = self.live.outs[block as usize].iter();
        let ends = ends.map(|unit| (*unit, self.at[*unit as usize]));
        self.found.ends[block as usize] =
            ends.filter(|(_, register)| *register != NOWHERE).collect();
        Ok(())
    }

    /// The units in registers at the start of a block; the others are nowhere.
    fn resident(&mut self, block: u32) -> Vec<UnitId> {
        let ins = self.live.ins[block as usize].iter().copied();
        let Some(spills) = self.spills else {
            return ins.collect();
        };
        let starts = &spills.starts[block as usize];
        let is_kept = |unit: &UnitId| {
            self.program.units[*unit as usize].class != RegisterClass::General
                || starts.binary_search(unit).is_ok()
        };
        let (kept, gone): (Vec<UnitId>, Vec<UnitId>) = ins.partition(is_kept);
        for unit in gone {
            self.at[unit as usize] = NOWHERE;
        }
        kept
    }

    /// Lets units leave their registers.
    fn drop_units(&mut self, units: Option<&Vec<UnitId>>) {
        for unit in units.into_iter().flatten() {
            let register = self.at[*unit as usize];
            let file = self.class(*unit);
            if register != NOWHERE && self.files[file].holder(register.into()) == Some(*unit) {
                self.files[file].release(register.into());
            }
            self.at[*unit as usize] = NOWHERE;
        }
    }

    /// Brings units back in front of an instruction.
    fn bring_back(&mut self, at: u32, spills: &Spills) -> Result<(), Failure> {
        for unit in spills.back.get(&at).into_iter().flatten().copied() {
            let class = self.program.units[unit as usize].class;
            let file = &self.files[class as usize];
            let plan = self.clusters.plan[unit as usize].map(u32::from);
            let plan = plan.filter(|register| file.is_free(*register, 1));
            let Some(register) = plan.or_else(|| file.free().iter().next()) else {
                let op = Some(self.program.instructions[at as usize].op);
                return Err(Failure { class, op });
            };
            self.files[class as usize].put(register, unit);
            let register = u8::try_from(register).unwrap_or(NOWHERE);
            self.at[unit as usize] = register;
            self.found
                .back
                .entry(at)
                .or_default()
                .push((unit, register));
        }
        Ok(())
    }

    fn class(&self, unit: UnitId) -> usize {
        self.program.units[unit as usize].class as usize
    }

    fn instruction(&mut self, at: u32) -> Result<(), Failure> {
        let program = self.program;
        let found = &program.instructions[at as usize];
        self.claimed = [RegisterSet::default(); 5];
        if let Some(spills) = self.spills {
            self.drop_units(spills.before.get(&at));
            self.bring_back(at, spills)?;
        }
        let given = given(program, found);
        let mut misplaced = Vec::new();
        for tuple in by_width(program, found.uses.clone()) {
            let tuple_given = program.tuples[tuple as usize].fixed.is_some();
            let class = program.tuples[tuple as usize].class as usize;
            let count = len(program.members(tuple));
            let is_in_the_way = |first: &u32| {
                !tuple_given && (*first..*first + count).any(|at| given[class].contains(at))
            };
            let is_tied = found.ties.iter().any(|(used, _)| *used == tuple);
            let is_good =
                |first: &u32| !is_in_the_way(first) && (!is_tied || self.is_clear(tuple, *first));
            match self.in_place(tuple).filter(is_good) {
                Some(first) => self.claim(tuple, first),
                None => misplaced.push(tuple),
            }
        }
        // What is overwritten and needed later is copied, wherever it is.
        let ties = found.ties.iter().map(|(tuple, _)| *tuple);
        let copied: Vec<TupleId> = ties.filter(|tuple| self.outlives(*tuple)).collect();
        for tuple in misplaced
            .into_iter()
            .filter(|tuple| !copied.contains(tuple))
        {
            self.gather(tuple, found, false)?;
        }
        for tuple in copied {
            self.gather(tuple, found, true)?;
        }
        for (tuple, _) in &found.renamed {
            for unit in program.members(*tuple) {
                self.pinned[*unit as usize] = false;
            }
        }
        for unit in &found.released {
            self.pinned[*unit as usize] = false;
        }
        for unit in &found.held {
            self.pinned[*unit as usize] = true;
        }
        let behind = self.spills.and_then(|spills| spills.behind.get(&at));
        if let Some(changes) = &found.changes {
            self.leave(changes, found, behind)?;
        }
        let unused: [RegisterSet; 5] = std::array::from_fn(|class| self.files[class].free());
        for tuple in found.uses.clone() {
            self.release_uses(tuple);
        }
        self.drop_units(behind);
        for (used, made) in &found.ties {
            if let Some(first) = self.found.tuples[*used as usize] {
                self.put(*made, u32::from(first));
            }
        }
        for tuple in found.uses.clone() {
            self.release_copies(tuple);
        }
        for tuple in by_width(program, found.defs.clone()) {
            let is_placed = self.found.tuples[tuple as usize].is_some();
            let is_given = program.tuples[tuple as usize].fixed.is_some();
            if !is_placed && (is_given || !self.is_dead(tuple)) {
                self.define(tuple, Some(found.op))?;
            }
        }
        for tuple in found.defs.clone() {
            self.release_dead(tuple);
        }
        self.transfers
            .retain(|transfer| transfer.from != Source::Register(transfer.to));
        if !self.transfers.is_empty() {
            let list = std::mem::take(&mut self.transfers);
            let touched = |register: &u32| {
                let touches = |transfer: &Transfer| {
                    let to = u32::from(transfer.to);
                    let from = transfer.from;
                    to == *register
                        || matches!(from, Source::Register(from) if u32::from(from) == *register)
                };
                list.iter().any(touches)
            };
            let spare = unused.map(|free| {
                let found = free.iter().find(|register| !touched(register));
                found.and_then(|register| u8::try_from(register).ok())
            });
            self.found.transfers.insert(at, Transfers { list, spare });
        }
        Ok(())
    }

    /// Whether a unit of a tuple is needed behind the instruction.
    fn outlives(&self, tuple: TupleId) -> bool {
        let members = self.program.members(tuple);
        let is_last = |index: usize| !is_unit(members[index]) || self.live.is_last(tuple, index);
        !(0..members.len()).all(is_last)
    }

    /// Moves the units that outlive a call out of the registers that it changes.
    fn leave(
        &mut self,
        changes: &Registers,
        found: &Instruction,
        behind: Option<&Vec<UnitId>>,
    ) -> Result<(), Failure> {
        let ends = |unit: UnitId| {
            self.ends(found, unit) || behind.is_some_and(|behind| behind.contains(&unit))
        };
        let mut moved = Vec::new();
        for (class, changed) in RegisterClass::ALL.into_iter().zip(changes) {
            for register in changed.iter() {
                let holder = self.files[class as usize].holder(register);
                if let Some(unit) = holder.filter(|unit| *unit != COPY && !ends(*unit)) {
                    moved.push((class, unit, *changed));
                }
            }
        }
        for (class, unit, changed) in moved {
            self.evict(
                unit,
                class,
                |register| changed.contains(register),
                Some(found.op),
            )?;
        }
        Ok(())
    }

    /// Whether an instruction is a call and reads a unit that is needed behind it.
    fn outlives_call(&self, found: &Instruction, unit: UnitId) -> bool {
        found.changes.is_some() && !self.ends(found, unit)
    }

    /// Whether an instruction is the last one that reads a unit.
    fn ends(&self, found: &Instruction, unit: UnitId) -> bool {
        found.uses.clone().any(|tuple| {
            let members = self.program.members(tuple).iter();
            let index = members.clone().position(|member| *member == unit);
            index.is_some_and(|index| self.live.is_last(tuple, index))
        })
    }

    /// The first register of a tuple if its units lie as they must.
    fn in_place(&self, tuple: TupleId) -> Option<u32> {
        let found = &self.program.tuples[tuple as usize];
        let members = self.program.members(tuple);
        let (index, unit) = (0_u32..)
            .zip(members)
            .find(|(_, unit)| **unit != UNDEFINED)?;
        let first = u32::from(*self.at.get(*unit as usize)?).checked_sub(index)?;
        let fits = (0_u32..).zip(members).all(|(index, unit)| {
            let at = self.at.get(*unit as usize).copied().map(u32::from);
            *unit == UNDEFINED || at == Some(first + index)
        });
        let given = found
            .fixed
            .is_none_or(|register| u32::from(register) == first);
        (fits && given && first % found.alignment == 0).then_some(first)
    }

    /// Whether the registers of the undefined parts of a tuple hold nothing: a result is written there.
    fn is_clear(&self, tuple: TupleId, first: u32) -> bool {
        let file = &self.files[self.program.tuples[tuple as usize].class as usize];
        let mut members = (first..).zip(self.program.members(tuple));
        members.all(|(register, unit)| *unit != UNDEFINED || file.holder(register).is_none())
    }

    /// Notes that an instruction reads a tuple from registers. Undefined parts count: results may be written there.
    fn claim(&mut self, tuple: TupleId, first: u32) {
        self.found.tuples[tuple as usize] = u8::try_from(first).ok();
        let class = self.program.tuples[tuple as usize].class;
        for register in (first..).take(self.program.members(tuple).len()) {
            self.claimed[class as usize].insert(register);
        }
    }

    /// Brings the units of a tuple into consecutive registers; `copied` leaves all of them where they
    /// are as well.
    fn gather(&mut self, tuple: TupleId, found: &Instruction, copied: bool) -> Result<(), Failure> {
        let program = self.program;
        let op = found.op;
        let class = program.tuples[tuple as usize].class;
        let members = program.members(tuple);
        let windows = self.windows(tuple, class);
        let cost = |first: &u32| self.cost_to_gather(class, members, *first, copied);
        let best = windows
            .into_iter()
            .filter_map(|first| Some((cost(&first)?, first)));
        let Some((_, first)) = best.min() else {
            return Err(Failure {
                class,
                op: Some(op),
            });
        };
        let file = class as usize;
        let window = (first..).take(members.len());
        for (register, unit) in window.clone().zip(members) {
            let holder = self.files[file].holder(register);
            let own = holder.is_some_and(|holder| {
                !copied && members.contains(&holder) && !self.outlives_call(found, holder)
            });
            if let Some(holder) = holder.filter(|holder| !own && (copied || holder != unit)) {
                let (low, high) = (first, first + len(members));
                self.evict(
                    holder,
                    class,
                    |register| (low..high).contains(&register),
                    Some(op),
                )?;
            }
        }
        // Of a unit that is twice in the tuple, the place where it is already.
        let is_there = |(register, unit): &(u32, &UnitId)| {
            let at = self.at.get(**unit as usize);
            !copied && at.copied().map(u32::from) == Some(*register)
        };
        let there = window.clone().zip(members).filter(is_there);
        let mut placed: Vec<UnitId> = there.map(|(_, unit)| *unit).collect();
        let mut moved = Vec::new();
        let mut constants = Vec::new();
        for (register, unit) in window.clone().zip(members) {
            if let Some(constant) = program.constant(*unit) {
                constants.push((*unit, constant, register));
            }
            if !is_unit(*unit) {
                continue;
            }
            let from = u32::from(self.at[*unit as usize]);
            // Elsewhere, the unit is read by another tuple as well, or it must not move.
            let stays = copied
                || placed.contains(unit)
                || self.claimed[file].contains(from)
                || self.pinned[*unit as usize]
                || self.outlives_call(found, *unit);
            if from == register && !copied {
                continue;
            }
            if !stays {
                placed.push(*unit);
            }
            moved.push((*unit, from, register, stays));
        }
        for (_, from, ..) in moved.iter().filter(|(.., stays)| !stays) {
            self.files[file].release(*from);
        }
        for (unit, from, to, stays) in moved {
            self.transfer(unit, from, to, stays);
            self.files[file].put(to, if stays { COPY } else { unit });
        }
        for (unit, constant, to) in constants {
            self.files[file].put(to, COPY);
            self.transfers.push(Transfer {
                class,
                unit,
                from: Source::Constant(constant),
                to: u8::try_from(to).unwrap_or(NOWHERE),
                stays: true,
            });
        }
        self.claim(tuple, first);
        Ok(())
    }

    /// Notes a copy in front of the instruction.
    fn transfer(&mut self, unit: UnitId, from: u32, to: u32, stays: bool) {
        let byte = |register: u32| u8::try_from(register).unwrap_or(NOWHERE);
        let mut moved = self.transfers.iter_mut().filter(|known| !known.stays);
        let known = moved.find(|known| known.unit == unit);
        let here = Source::Register(byte(from));
        let origin = known.as_ref().map_or(here, |known| known.from);
        if !stays {
            self.at[unit as usize] = byte(to);
        }
        match known {
            Some(known) if !stays => known.to = byte(to),
            _ => self.transfers.push(Transfer {
                class: self.program.units[unit as usize].class,
                unit,
                from: origin,
                to: byte(to),
                stays,
            }),
        }
    }

    /// Moves a unit out of the way.
    fn evict(
        &mut self,
        unit: UnitId,
        class: RegisterClass,
        avoid: impl Fn(u32) -> bool,
        op: Option<Operation>,
    ) -> Result<(), Failure> {
        let file = class as usize;
        let interval = self.live.intervals[unit as usize];
        let claimed = self.claimed[file];
        let candidates = self.files[file].free().iter();
        let candidates =
            candidates.filter(|register| !avoid(*register) && !claimed.contains(*register));
        let planned = |register: &u32| self.clusters.is_planned(class, *register, interval);
        let Some(to) = candidates.min_by_key(|register| (planned(register), *register)) else {
            return Err(Failure { class, op });
        };
        let mut from = u32::from(self.at[unit as usize]);
        self.files[file].release(from);
        self.files[file].put(to, unit);
        if claimed.contains(from) {
            // The instruction reads it where it is: what brought it there is a copy for it alone.
            let mut moved = self.transfers.iter_mut();
            let moved = moved.find(|known| !known.stays && known.unit == unit);
            if let Some(known) = moved
                && let Source::Register(origin) = known.from
            {
                known.stays = true;
                from = origin.into();
            }
        }
        self.transfer(unit, from, to, false);
        Ok(())
    }

    /// The possible first registers of a tuple.
    fn windows(&self, tuple: TupleId, class: RegisterClass) -> Vec<u32> {
        let found = &self.program.tuples[tuple as usize];
        if let Some(register) = found.fixed {
            return vec![register.into()];
        }
        let count = found.members.end - found.members.start;
        let file = &self.files[class as usize];
        let starts = (0..=256 - count.min(256)).filter(|first| first % found.alignment == 0);
        let usable = |first: &u32| (*first..first + count).all(|register| file.is_usable(register));
        starts.filter(usable).collect()
    }

    /// What it costs to bring units into registers from one on: copies. `None` if it cannot be done.
    fn cost_to_gather(
        &self,
        class: RegisterClass,
        members: &[UnitId],
        first: u32,
        copied: bool,
    ) -> Option<u32> {
        let file = &self.files[class as usize];
        let mut cost = 0;
        for (register, unit) in (first..).zip(members) {
            let holder = file.holder(register);
            let is_own = holder == Some(*unit) && !copied;
            if is_own {
                continue;
            }
            if self.claimed[class as usize].contains(register) {
                return None;
            }
            cost += u32::from(*unit != UNDEFINED);
            match holder {
                None => {}
                Some(COPY) => return None,
                Some(other) if self.pinned[other as usize] => return None,
                Some(other) if !copied && members.contains(&other) => {}
                Some(_) => cost += 1,
            }
        }
        let plan = members
            .first()
            .and_then(|unit| self.clusters.plan.get(*unit as usize));
        let plan = plan.copied().flatten();
        let is_planned = plan.is_some_and(|plan| u32::from(plan) == first);
        Some(2 * cost + u32::from(!is_planned))
    }
}

/// The registers that are given for what an instruction reads.
fn given(program: &Program, found: &Instruction) -> Registers {
    let mut registers = Registers::default();
    for tuple in found.uses.clone() {
        if let Some(first) = program.tuples[tuple as usize].fixed {
            let class = program.tuples[tuple as usize].class as usize;
            let range = u32::from(first)..u32::from(first) + len(program.members(tuple));
            range.for_each(|register| registers[class].insert(register));
        }
    }
    registers
}

/// Tuples: those whose registers are given, then the widest first.
fn by_width(program: &Program, tuples: std::ops::Range<TupleId>) -> Vec<TupleId> {
    let mut list: Vec<TupleId> = tuples.collect();
    list.sort_by_key(|tuple| {
        let is_free = program.tuples[*tuple as usize].fixed.is_none();
        (is_free, std::cmp::Reverse(program.members(*tuple).len()))
    });
    list
}
