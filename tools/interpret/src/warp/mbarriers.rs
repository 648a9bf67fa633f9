//! mbarriers, and bulk copies that tell them how many bytes have come.
//!
//! An mbarrier counts arrivals and bytes of a phase; when none is pending, the next phase begins. A
//! bulk copy takes a number of instructions that the seed draws; its bytes have no value until then.

use std::collections::BTreeMap;

use orison_ir::Operation;
use orison_ori::keywords::MbarrierAction;

use super::Fault;
use super::action::Address;
use super::machine::{Flow, Machine, Turn};
use super::memory::Space;
use super::paths::Wait;
use super::registers::lanes;

/// An mbarrier of a CTA.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mbarrier {
    /// Arrivals of a phase.
    expected: i64,
    /// Arrivals that are missing in this phase.
    missing: i64,
    /// Bytes that are missing in this phase; fewer than none when they came before they were told.
    bytes: i64,
    /// Phases that are complete.
    phase: u64,
}

/// The mbarriers of a CTA by address in shared memory.
pub(super) type Mbarriers = BTreeMap<u64, Mbarrier>;

/// A bulk copy under way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bulk {
    op: Operation,
    /// The instruction, counted from the beginning of the run, at which it is complete.
    due: u64,
    to: (Space, u64),
    from: (Space, u64),
    size: u64,
    barrier: Option<u64>,
    /// Number of the warp whose group it belongs to, when a group waits for it.
    warp: usize,
}

/// Instructions that a bulk copy takes at most.
const LONGEST: usize = 400;

/// What happens to an mbarrier, with what.
#[derive(Clone, Copy, Debug)]
pub(super) struct OnMbarrier {
    pub(super) action: MbarrierAction,
    pub(super) address: Address,
    pub(super) count: Option<usize>,
}

/// An arrival.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arrival {
    pub(super) address: Address,
    pub(super) count: Option<usize>,
    pub(super) expect: Option<usize>,
    pub(super) drops: bool,
}

/// Operands of a bulk copy.
#[derive(Clone, Copy, Debug)]
pub(super) struct BulkCopy {
    pub(super) destination: usize,
    pub(super) source: usize,
    pub(super) size: usize,
    pub(super) barrier: Option<usize>,
}

impl Mbarrier {
    fn settle(&mut self) {
        if self.missing == 0 && self.bytes == 0 {
            self.phase += 1;
            self.missing = self.expected;
        }
    }
}

impl Machine<'_, '_> {
    fn mbarrier(&mut self, turn: &Turn<'_>, address: u64) -> Result<&mut Mbarrier, Fault> {
        if !self.ctas[turn.cta].mbarriers.contains_key(&address) {
            let message = format!("there is no mbarrier at {address:#x} of shared memory");
            return self.fault(turn, &message);
        }
        let context = self.kernel.context;
        let all = &mut self.ctas[turn.cta].mbarriers;
        all.get_mut(&address)
            .ok_or_else(|| Fault::at(context, turn.instruction.op, "lost its mbarrier"))
    }

    fn number(
        &mut self,
        turn: &Turn<'_>,
        operand: Option<usize>,
        lane: usize,
        absent: i64,
    ) -> Result<i64, Fault> {
        match operand {
            Some(operand) => Ok(i64::from(self.value(turn, operand, lane, "a count")? as u32)),
            None => Ok(absent),
        }
    }

    /// Begins, ends or changes mbarriers.
    pub(super) fn on_mbarrier(&mut self, turn: &Turn<'_>, on: &OnMbarrier) -> Result<(), Fault> {
        for lane in lanes(turn.active) {
            let (_, address) = self.place(turn, Space::Shared, &on.address, lane, 8)?;
            let count = self.number(turn, on.count, lane, 0)?;
            match on.action {
                MbarrierAction::Initialize => {
                    let new = Mbarrier {
                        expected: count,
                        missing: count,
                        bytes: 0,
                        phase: 0,
                    };
                    self.ctas[turn.cta].mbarriers.insert(address, new);
                }
                MbarrierAction::Invalidate => {
                    self.mbarrier(turn, address)?;
                    self.ctas[turn.cta].mbarriers.remove(&address);
                }
                MbarrierAction::ExpectTx => self.mbarrier(turn, address)?.bytes += count,
                MbarrierAction::CompleteTx => {
                    let barrier = self.mbarrier(turn, address)?;
                    barrier.bytes -= count;
                    barrier.settle();
                }
                MbarrierAction::Test => {}
            }
        }
        Ok(())
    }

    /// Arrives, maybe with bytes to expect; the state before is the number of the phase.
    pub(super) fn arrive(&mut self, turn: &Turn<'_>, arrival: &Arrival) -> Result<(), Fault> {
        for lane in lanes(turn.active) {
            let (_, address) = self.place(turn, Space::Shared, &arrival.address, lane, 8)?;
            let count = self.number(turn, arrival.count, lane, 1)?;
            let bytes = self.number(turn, arrival.expect, lane, 0)?;
            let barrier = self.mbarrier(turn, address)?;
            let phase = barrier.phase;
            barrier.bytes += bytes;
            barrier.missing -= count;
            if arrival.drops {
                barrier.expected -= count;
            }
            let missing = barrier.missing;
            barrier.settle();
            if missing < 0 {
                let message = format!("more arrive at the mbarrier at {address:#x} than it counts");
                return self.fault(turn, &message);
            }
            if let Some(state) = turn.instruction.results.first().copied() {
                self.registers(turn)?
                    .set_bits(state, lane, Some(phase.into()));
            }
        }
        Ok(())
    }

    /// Whether the phase that a wait is for is complete.
    pub(super) fn is_complete(&self, cta: usize, address: u64, parity: bool) -> bool {
        let barrier = self.ctas[cta].mbarriers.get(&address);
        barrier.is_some_and(|barrier| (barrier.phase & 1 == 1) != parity)
    }

    /// Waits for a phase of one mbarrier; a test only asks.
    pub(super) fn wait_for_phase(
        &mut self,
        turn: &mut Turn<'_>,
        address: &Address,
        phase: usize,
        test: bool,
    ) -> Result<Flow, Fault> {
        self.split_inactive(turn);
        let mut waits = None;
        for lane in lanes(turn.active) {
            let (_, address) = self.place(turn, Space::Shared, address, lane, 8)?;
            let parity = self.value(turn, phase, lane, "a phase")? & 1 == 1;
            self.mbarrier(turn, address)?;
            let complete = self.is_complete(turn.cta, address, parity);
            let result = turn.instruction.results[0];
            let registers = self.registers(turn)?;
            registers.set_bits(result, lane, Some(complete.into()));
            if !complete {
                waits = Some(Wait::Phase { address, parity });
            }
        }
        match waits {
            Some(wait) if !test => Ok(Flow::Wait(wait)),
            Some(_) => Ok(Flow::Pause),
            None => Ok(Flow::Next),
        }
    }

    /// Begins a bulk copy: its bytes have no value until it is complete.
    pub(super) fn bulk_copy(&mut self, turn: &Turn<'_>, copy: &BulkCopy) -> Result<(), Fault> {
        let lane = turn.active.trailing_zeros() as usize;
        let side = |machine: &mut Self, operand: usize| -> Result<(Space, u64), Fault> {
            let wide = turn.instruction.operands[operand].slot.words > 1;
            let address = machine.value(turn, operand, lane, "an address")? as u64;
            Ok(if wide {
                super::memory::resolve(Space::Generic, address)
            } else {
                (Space::Shared, address)
            })
        };
        let to = side(self, copy.destination)?;
        let from = side(self, copy.source)?;
        let size = self.value(turn, copy.size, lane, "a number of bytes")? as u64;
        if [to.1, from.1, size].iter().any(|number| number % 16 != 0) {
            return self.fault(turn, "copies bytes that are not aligned to 16");
        }
        let barrier = match copy.barrier {
            Some(operand) => {
                let address = self.value(turn, operand, lane, "an address")? as u64;
                self.mbarrier(turn, address)?;
                Some(address)
            }
            None => None,
        };
        for byte in 0..size {
            let place = (from.0, from.1 + byte);
            if self.read_bytes(turn, lane, place, 1).is_none() {
                return self.outside(turn, lane, place, 1);
            }
            let place = (to.0, to.1 + byte);
            if self.write_bytes(turn, lane, place, 1, None).is_none() {
                return self.outside(turn, lane, place, 1);
            }
        }
        let due = self.statistics.instructions + self.random.below(LONGEST) as u64;
        self.ctas[turn.cta].bulks.push(Bulk {
            op: turn.instruction.op,
            due,
            to,
            from,
            size,
            barrier,
            warp: turn.warp,
        });
        Ok(())
    }

    /// Waits until the bulk copies of the warp that no mbarrier counts are complete.
    pub(super) fn wait_for_bulks(&mut self, turn: &Turn<'_>) -> Result<(), Fault> {
        let mine = |bulk: &Bulk| bulk.warp == turn.warp && bulk.barrier.is_none();
        self.complete_bulks(turn.cta, mine)
    }

    /// Completes the copies that are due; when nobody else can go on, the one that is due first.
    pub(super) fn advance_bulks(&mut self, idle: bool) -> Result<bool, Fault> {
        let now = self.statistics.instructions;
        let mut any = false;
        for cta in 0..self.ctas.len() {
            let bulks = &self.ctas[cta].bulks;
            let first = bulks.iter().map(|bulk| bulk.due).min();
            let Some(first) = first.filter(|first| idle || *first <= now) else {
                continue;
            };
            let until = if idle { first.max(now) } else { now };
            any = true;
            self.complete_bulks(cta, |bulk| bulk.due <= until)?;
        }
        Ok(any)
    }

    /// Completes all copies of a CTA.
    pub(super) fn complete_all(&mut self, cta: usize) -> Result<(), Fault> {
        self.complete_bulks(cta, |_| true)
    }

    fn complete_bulks(&mut self, cta: usize, which: impl Fn(&Bulk) -> bool) -> Result<(), Fault> {
        let all = std::mem::take(&mut self.ctas[cta].bulks);
        let (complete, rest) = all.into_iter().partition(which);
        self.ctas[cta].bulks = rest;
        let complete: Vec<Bulk> = complete;
        for bulk in complete {
            for byte in 0..bulk.size {
                let read = match bulk.from.0 {
                    Space::Shared => {
                        let at = (bulk.from.1 + byte) as usize;
                        self.ctas[cta].shared.read(at, 1)
                    }
                    _ => self.memory.read(bulk.from.1 + byte, 1),
                };
                let written = read.and_then(|value| match bulk.to.0 {
                    Space::Shared => {
                        let at = (bulk.to.1 + byte) as usize;
                        self.ctas[cta].shared.write(at, 1, value)
                    }
                    _ => self.memory.write(bulk.to.1 + byte, 1, value),
                });
                if written.is_none() {
                    let message = "copies from or to memory that is no longer there";
                    return Err(Fault::at(self.kernel.context, bulk.op, message));
                }
            }
            let barrier = bulk
                .barrier
                .and_then(|at| self.ctas[cta].mbarriers.get_mut(&at));
            if let Some(barrier) = barrier {
                barrier.bytes -= bulk.size.cast_signed();
                barrier.settle();
            }
        }
        Ok(())
    }

    /// Lets the paths of a CTA go on that have waited for a phase that is complete.
    pub(super) fn release_phases(&mut self, cta: usize) {
        for warp in 0..self.ctas[cta].warps.len() {
            for path in 0..self.ctas[cta].warps[warp].paths.len() {
                let state = &self.ctas[cta].warps[warp].paths[path];
                if let Wait::Phase { address, parity } = state.wait
                    && self.is_complete(cta, address, parity)
                {
                    self.ctas[cta].warps[warp].paths[path].wait = Wait::Ready;
                }
            }
        }
    }
}
