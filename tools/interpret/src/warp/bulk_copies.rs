//! Asynchronous copies of blocks of memory: bulk and tensor copies.
//!
//! A copy takes a number of instructions that the seed determines. Until then its destination is
//! undefined, and its source may still change; then it signals an mbarrier, or completes its group.

use orison_ir::Operation;

use super::Fault;
use super::change::Change;
use super::machine::{Machine, Turn};
use super::registers::lanes;
use super::transfer::{Bulk, LONGEST, Member, Place, Run, Signal, Source, Transfer};

impl Machine<'_, '_> {
    /// Begins a copy: its destination is undefined until it completes.
    pub(super) fn begin(&mut self, turn: &Turn<'_>, transfer: Transfer) -> Result<(), Fault> {
        let lane = turn.active.trailing_zeros() as usize;
        for run in &transfer.runs {
            for byte in 0..run.size {
                if let Source::Memory((space, place)) = run.from {
                    let from = (space, place + byte);
                    if self.read_at(turn.cta, from, 1).is_none() {
                        return self.outside(turn, lane, from, 1);
                    }
                }
                let to = (run.to.0, run.to.1 + byte);
                let reached = match transfer.change {
                    None => self.write_at(turn.cta, to, 1, None),
                    Some(_) => self.read_at(turn.cta, to, 1).map(|_| ()),
                };
                if reached.is_none() {
                    return self.outside(turn, lane, to, 1);
                }
            }
        }
        let member = Member {
            warp: turn.warp,
            lane,
            group: self.ctas[turn.cta].warps[turn.warp].closed_bulks[lane],
        };
        let due = self.statistics.instructions + self.random.below(LONGEST) as u64;
        self.ctas[turn.cta].bulks.push(Bulk {
            op: turn.instruction.op,
            due,
            member: transfer.signal.is_none().then_some(member),
            transfer,
            read: None,
        });
        Ok(())
    }

    /// Closes a group of copies of each active lane.
    pub(super) fn close_bulks(&mut self, turn: &Turn<'_>) {
        let warp = &mut self.ctas[turn.cta].warps[turn.warp];
        for lane in lanes(turn.active) {
            warp.closed_bulks[lane] += 1;
        }
    }

    /// Waits until at most this many closed groups of the active lanes are open: only their reads,
    /// or completely.
    pub(super) fn wait_for_bulks(
        &mut self,
        turn: &Turn<'_>,
        most: u64,
        reads: bool,
    ) -> Result<(), Fault> {
        let closed = self.ctas[turn.cta].warps[turn.warp].closed_bulks;
        let waited = |bulk: &Bulk| {
            bulk.member.is_some_and(|member| {
                member.warp == turn.warp
                    && turn.active >> member.lane & 1 == 1
                    && member.group + most < closed[member.lane]
            })
        };
        if !reads {
            return self.complete_bulks(turn.cta, waited);
        }
        for number in 0..self.ctas[turn.cta].bulks.len() {
            let bulk = &self.ctas[turn.cta].bulks[number];
            if bulk.read.is_none() && waited(bulk) {
                let read = self.read_runs(turn.cta, bulk)?;
                self.ctas[turn.cta].bulks[number].read = Some(read);
            }
        }
        Ok(())
    }

    /// Completes the copies that are due; if no path can continue, the earliest one.
    pub(super) fn advance(&mut self, idle: bool) -> Result<bool, Fault> {
        let now = self.statistics.instructions;
        let mut any = false;
        for cta in 0..self.ctas.len() {
            let state = &self.ctas[cta];
            let dues = state.bulks.iter().map(|bulk| bulk.due);
            let first = dues
                .chain(state.tensor.next_due())
                .chain(state.arrivals.iter().map(|one| one.due))
                .min();
            let Some(first) = first.filter(|first| idle || *first <= now) else {
                continue;
            };
            let until = if idle { first.max(now) } else { now };
            any = true;
            self.complete_bulks(cta, |bulk| bulk.due <= until)?;
            self.complete_arrivals(cta, |arrival| arrival.due <= until)?;
            self.complete_tensor_work(cta, until)?;
        }
        Ok(any)
    }

    /// Completes all copies that a CTA began.
    pub(super) fn complete_all(&mut self, cta: usize) -> Result<(), Fault> {
        self.complete_bulks(cta, |_| true)?;
        self.complete_arrivals(cta, |_| true)?;
        self.complete_tensor_work(cta, u64::MAX)
    }

    fn lost<T>(&self, op: Operation) -> Result<T, Fault> {
        let message = "copies from or to memory of a CTA that has ended";
        Err(Fault::at(self.kernel.context, op, message))
    }

    /// The bytes of all runs.
    fn read_runs(&self, cta: usize, bulk: &Bulk) -> Result<Vec<Vec<Option<u8>>>, Fault> {
        let read = |run: &Run| -> Result<Vec<Option<u8>>, Fault> {
            let mut bytes = Vec::new();
            for number in 0..run.size {
                bytes.push(match run.from {
                    Source::Fill(pattern) => Some(pattern[number as usize % pattern.len()]),
                    Source::Memory((space, place)) => {
                        match self.read_at(cta, (space, place + number), 1) {
                            Some(byte) => byte.map(|byte| byte as u8),
                            None => return self.lost(bulk.op),
                        }
                    }
                });
            }
            Ok(bytes)
        };
        bulk.transfer.runs.iter().map(read).collect()
    }

    fn complete_bulks(&mut self, cta: usize, which: impl Fn(&Bulk) -> bool) -> Result<(), Fault> {
        let all = std::mem::take(&mut self.ctas[cta].bulks);
        let (complete, rest): (Vec<_>, _) = all.into_iter().partition(which);
        self.ctas[cta].bulks = rest;
        for mut bulk in complete {
            let read = match bulk.read.take() {
                Some(read) => read,
                None => self.read_runs(cta, &bulk)?,
            };
            for (run, bytes) in bulk.transfer.runs.iter().zip(read) {
                let written = match bulk.transfer.change {
                    None => self.write_run(cta, run.to, &bytes),
                    Some(change) => self.combine_run(cta, run.to, &bytes, change),
                };
                if written.is_none() {
                    return self.lost(bulk.op);
                }
            }
            if let Some(signal) = bulk.transfer.signal {
                self.signal(cta, signal, bulk.op)?;
            }
        }
        Ok(())
    }

    /// Signals the number of bytes that arrived to an mbarrier.
    fn signal(&mut self, cta: usize, signal: Signal, op: Operation) -> Result<(), Fault> {
        let (space, place) = signal.place;
        let found = self.shared_of(cta, space);
        let barrier = found.and_then(|cta| self.ctas[cta].mbarriers.get_mut(&place));
        match barrier {
            Some(barrier) => {
                barrier.complete_bytes(signal.bytes.cast_signed());
                Ok(())
            }
            None => {
                let message = format!("signals the mbarrier at {place:#x}, which no longer exists");
                Err(Fault::at(self.kernel.context, op, &message))
            }
        }
    }

    fn write_run(&mut self, cta: usize, to: Place, bytes: &[Option<u8>]) -> Option<()> {
        for (number, byte) in bytes.iter().enumerate() {
            let place = (to.0, to.1 + number as u64);
            self.write_at(cta, place, 1, byte.map(u32::from))?;
        }
        Some(())
    }

    /// Combines memory with bytes, element by element.
    fn combine_run(
        &mut self,
        cta: usize,
        to: Place,
        bytes: &[Option<u8>],
        change: Change,
    ) -> Option<()> {
        let size = change.bytes();
        for (number, value) in bytes.chunks(size).enumerate() {
            let place = |byte: usize| (to.0, to.1 + (number * size + byte) as u64);
            let mut old = Some(0_u128);
            for byte in 0..value.len() {
                let read = self.read_at(cta, place(byte), 1)?;
                old = old
                    .zip(read)
                    .map(|(old, read)| old | u128::from(read) << (8 * byte));
            }
            let given = value.iter().rev().try_fold(0_u128, |bits, byte| {
                byte.map(|byte| bits << 8 | u128::from(byte))
            });
            let new = old
                .zip(given)
                .map(|(old, given)| change.apply(old, given, 0));
            for byte in 0..value.len() {
                let word = new.map(|new| (new >> (8 * byte)) as u32 & 0xFF);
                self.write_at(cta, place(byte), 1, word)?;
            }
        }
        Some(())
    }
}
