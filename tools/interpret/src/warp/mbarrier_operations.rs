//! Operations on mbarriers: initialization, arrivals, waiting for a phase.

use orison_ori::keywords::MbarrierAction;

use super::Fault;
use super::action::{Address, Arrival, ArrivalBehind, OnMbarrier};
use super::machine::{Flow, Machine, Turn};
use super::mbarrier::{Mbarrier, PendingArrival};
use super::memory::Space;
use super::paths::Wait;
use super::registers::lanes;
use super::transfer::LONGEST;

impl Machine<'_, '_> {
    /// The mbarrier at an offset in shared memory.
    pub(super) fn mbarrier(
        &mut self,
        turn: &Turn<'_>,
        (space, address): (Space, u64),
    ) -> Result<&mut Mbarrier, Fault> {
        let cta = self.cta_of(turn, space)?;
        let context = self.kernel.context;
        match self.ctas[cta].mbarriers.get_mut(&address) {
            Some(found) => Ok(found),
            None => {
                let message = format!("no mbarrier at {address:#x} of shared memory");
                Err(Fault::at(context, turn.instruction.op, &message))
            }
        }
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

    /// Initializes, invalidates or modifies mbarriers.
    pub(super) fn on_mbarrier(&mut self, turn: &Turn<'_>, on: &OnMbarrier) -> Result<(), Fault> {
        for lane in lanes(turn.active) {
            let place = match on.action {
                MbarrierAction::ExpectTx | MbarrierAction::CompleteTx => {
                    self.place_in_cluster(turn, &on.address, lane, 8)?
                }
                _ => self.place(turn, Space::Shared, &on.address, lane, 8)?,
            };
            let count = self.number(turn, on.count, lane, 0)?;
            match on.action {
                MbarrierAction::Initialize => {
                    if !(1..1 << 20).contains(&count) {
                        let message = format!(
                            "the arrival count of an mbarrier must be from 1 to 1048575, \
                                     found {count}"
                        );
                        return self.fault(turn, &message);
                    }
                    let all = &mut self.ctas[turn.cta].mbarriers;
                    all.insert(place.1, Mbarrier::new(count));
                }
                MbarrierAction::Invalidate => {
                    self.mbarrier(turn, place)?;
                    self.ctas[turn.cta].mbarriers.remove(&place.1);
                }
                MbarrierAction::ExpectTx => self.mbarrier(turn, place)?.bytes += count,
                MbarrierAction::CompleteTx => self.mbarrier(turn, place)?.complete_bytes(count),
                MbarrierAction::Test => {
                    self.mbarrier(turn, place)?;
                }
            }
        }
        Ok(())
    }

    /// Arrives, optionally with expected bytes; returns the previous state, which identifies the
    /// phase.
    pub(super) fn arrive(&mut self, turn: &Turn<'_>, arrival: &Arrival) -> Result<(), Fault> {
        for lane in lanes(turn.active) {
            let place = if arrival.remote {
                self.place_in_cluster(turn, &arrival.address, lane, 8)?
            } else {
                self.place(turn, Space::Shared, &arrival.address, lane, 8)?
            };
            let address = place.1;
            let count = self.number(turn, arrival.count, lane, 1)?;
            let bytes = self.number(turn, arrival.expect, lane, 0)?;
            let barrier = self.mbarrier(turn, place)?;
            let state_before = barrier.state();
            barrier.bytes += bytes;
            barrier.missing -= count;
            if arrival.drops {
                barrier.expected -= count;
            }
            let missing = barrier.missing;
            barrier.settle();
            if missing < 0 {
                let message = format!("too many arrivals at the mbarrier at {address:#x}");
                return self.fault(turn, &message);
            }
            if let Some(state) = turn.instruction.results.first().copied() {
                self.registers(turn)?
                    .set_bits(state, lane, Some(state_before));
            }
        }
        Ok(())
    }

    /// Arrives once the copies of each active lane so far are complete.
    pub(super) fn arrive_behind(
        &mut self,
        turn: &Turn<'_>,
        arrival: &ArrivalBehind,
    ) -> Result<(), Fault> {
        for lane in lanes(turn.active) {
            let (space, place) = self.place(turn, Space::Shared, &arrival.address, lane, 8)?;
            let barrier = self.mbarrier(turn, (space, place))?;
            if !arrival.counted {
                barrier.missing += 1;
            }
            let due = self.statistics.instructions + self.random.below(LONGEST) as u64;
            let copies = self.ctas[turn.cta].warps[turn.warp].copies[lane].begun();
            self.ctas[turn.cta].arrivals.push(PendingArrival {
                op: turn.instruction.op,
                due,
                place,
                warp: turn.warp,
                lane,
                copies,
            });
        }
        Ok(())
    }

    /// Completes the copies before arrivals, and arrives.
    pub(super) fn complete_arrivals(
        &mut self,
        cta: usize,
        which: impl Fn(&PendingArrival) -> bool,
    ) -> Result<(), Fault> {
        let all = std::mem::take(&mut self.ctas[cta].arrivals);
        let (complete, rest): (Vec<_>, _) = all.into_iter().partition(which);
        self.ctas[cta].arrivals = rest;
        for arrival in complete {
            self.finish_copies_before(cta, (arrival.warp, arrival.lane), arrival.copies)?;
            let barrier = self.ctas[cta].mbarriers.get_mut(&arrival.place);
            let place = arrival.place;
            let message = match barrier.map(Mbarrier::arrive_once) {
                Some(true) => continue,
                Some(false) => {
                    format!("too many arrivals at the mbarrier at {place:#x}")
                }
                None => format!("arrives at the mbarrier at {place:#x}, which no longer exists"),
            };
            return Err(Fault::at(self.kernel.context, arrival.op, &message));
        }
        Ok(())
    }

    /// Whether the phase of a wait is complete.
    pub(super) fn is_complete(&self, cta: usize, address: u64, parity: bool) -> bool {
        let barrier = self.ctas[cta].mbarriers.get(&address);
        barrier.is_some_and(|barrier| (barrier.phase & 1 == 1) != parity)
    }

    /// Waits for a phase of one mbarrier; a test does not block.
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
            let (space, address) = self.place(turn, Space::Shared, address, lane, 8)?;
            let parity = self.value(turn, phase, lane, "a phase")? & 1 == 1;
            self.mbarrier(turn, (space, address))?;
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

    /// Resumes the paths of a CTA that waited for a completed phase.
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
