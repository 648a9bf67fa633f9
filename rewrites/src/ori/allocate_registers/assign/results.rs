//! Registers for results, and those that become free behind an instruction.

use orison_ir::Operation;
use orison_ori::analyses::RegisterClass;

use super::super::units::{TupleId, UnitId, is_unit};
use super::{COPY, Failure, NOWHERE, Walk, len};

impl Walk<'_> {
    /// Finds registers for the units of a result or an argument.
    pub(super) fn define(&mut self, tuple: TupleId, op: Option<Operation>) -> Result<(), Failure> {
        let program = self.program;
        let class = program.tuples[tuple as usize].class;
        let members = program.members(tuple);
        let file = &self.files[class as usize];
        let count = len(members);
        let found = &program.tuples[tuple as usize];
        let plan = self.clusters.plan[members[0] as usize].map(u32::from);
        let plan = plan.filter(|first| {
            first % found.alignment == 0
                && found.fixed.is_none()
                && members.iter().zip(*first..).all(|(unit, register)| {
                    let planned = self.clusters.plan[*unit as usize];
                    planned.map(u32::from) == Some(register)
                })
        });
        if let Some(first) = plan.filter(|first| file.is_free(*first, count)) {
            self.put(tuple, first);
            return Ok(());
        }
        let windows = self.windows(tuple, class);
        let free = windows
            .iter()
            .copied()
            .filter(|first| file.is_free(*first, count));
        let overlap = |first: u32| {
            let each = members.iter().zip(first..);
            let planned = each.filter(|(unit, register)| {
                let interval = self.live.intervals[**unit as usize];
                self.clusters.is_planned(class, *register, interval)
            });
            planned.count()
        };
        if let Some(first) = free.min_by_key(|first| (overlap(*first), *first)) {
            self.put(tuple, first);
            return Ok(());
        }
        self.make_room(tuple, class, windows, op)
    }

    /// Moves units out of the cheapest registers for a result.
    pub(super) fn make_room(
        &mut self,
        tuple: TupleId,
        class: RegisterClass,
        windows: Vec<u32>,
        op: Option<Operation>,
    ) -> Result<(), Failure> {
        let file = class as usize;
        let count = len(self.program.members(tuple));
        let cost = |first: u32| {
            let mut cost = 0;
            for register in first..first + count {
                match self.files[file].holder(register) {
                    None => {}
                    Some(COPY) => return None,
                    Some(unit) if self.pinned[unit as usize] => return None,
                    Some(_) => cost += 1,
                }
            }
            Some(cost)
        };
        let best = windows
            .into_iter()
            .filter_map(|first| Some((cost(first)?, first)));
        let Some((_, first)) = best.min() else {
            return Err(Failure { class, op });
        };
        for register in first..first + count {
            if let Some(unit) = self.files[file].holder(register) {
                let window = first..first + count;
                self.evict(unit, class, |register| window.contains(&register), op)?;
            }
        }
        self.put(tuple, first);
        Ok(())
    }

    /// Puts the units of a result or an argument into registers.
    pub(super) fn put(&mut self, tuple: TupleId, first: u32) {
        let program = self.program;
        self.found.tuples[tuple as usize] = u8::try_from(first).ok();
        for (register, unit) in (first..).zip(program.members(tuple)) {
            let class = program.units[*unit as usize].class;
            self.files[class as usize].put(register, *unit);
            self.at[*unit as usize] = u8::try_from(register).unwrap_or(NOWHERE);
            if self.clusters.plan[*unit as usize].map(u32::from) != Some(register) {
                let interval = self.live.intervals[*unit as usize];
                self.clusters.take(class, register, interval);
            }
        }
    }

    pub(super) fn release_uses(&mut self, tuple: TupleId) {
        for (index, unit) in self.program.members(tuple).iter().enumerate() {
            if is_unit(*unit) && self.live.is_last(tuple, index) {
                let register = u32::from(self.at[*unit as usize]);
                let file = &mut self.files[self.program.units[*unit as usize].class as usize];
                if file.holder(register) == Some(*unit) {
                    file.release(register);
                }
            }
        }
    }

    /// Frees the registers that held copies for the instruction.
    pub(super) fn release_copies(&mut self, tuple: TupleId) {
        let Some(first) = self.found.tuples[tuple as usize] else {
            return;
        };
        let class = self.program.tuples[tuple as usize].class;
        let file = &mut self.files[class as usize];
        for register in (u32::from(first)..).take(self.program.members(tuple).len()) {
            if file.holder(register) == Some(COPY) {
                file.release(register);
            }
        }
    }

    /// Whether no unit of a result is used.
    pub(super) fn is_dead(&self, tuple: TupleId) -> bool {
        let members = self.program.members(tuple);
        members.iter().all(|unit| self.is_unused(*unit))
    }

    pub(super) fn is_unused(&self, unit: UnitId) -> bool {
        let interval = self.live.intervals[unit as usize];
        interval.end == interval.start + 1
    }

    /// Frees the registers of units that are never used.
    pub(super) fn release_dead(&mut self, tuple: TupleId) {
        for unit in self.program.members(tuple) {
            if self.is_unused(*unit) && self.found.tuples[tuple as usize].is_some() {
                let register = u32::from(self.at[*unit as usize]);
                let file = self.class(*unit);
                if self.files[file].holder(register) == Some(*unit) {
                    self.files[file].release(register);
                }
            }
        }
    }
}
