//! Waiting: CTA barriers, lanes of a warp, and deadlocks.

use orison_ori::keywords::{BarrierMode, BarrierReduction};

use super::Fault;
use super::action::Barrier;
use super::code::awaited;
use super::machine::{BarrierState, Flow, Machine, Turn};
use super::paths::{Path, Wait, Warp};
use super::registers::lanes;

impl Machine<'_, '_> {
    /// Arrives at a barrier, and waits.
    pub(super) fn barrier(
        &mut self,
        turn: &mut Turn<'_>,
        barrier: &Barrier,
    ) -> Result<Flow, Fault> {
        self.split_inactive(turn);
        let first = turn.active.trailing_zeros() as usize;
        let index = match barrier.index {
            Ok(index) => index,
            Err(operand) => self.value(turn, operand, first, "the barrier index")? as u32,
        };
        let expected = match barrier.threads {
            Some(operand) => {
                let threads = self.value(turn, operand, first, "the number of threads")? as u32;
                // In machine code, zero stands for all threads.
                Some(threads).filter(|threads| *threads != 0 || self.kernel.code.is_none())
            }
            None => None,
        };
        let mut holding = 0;
        if let Some(predicate) = barrier.predicate {
            for lane in lanes(turn.active) {
                holding += u32::from(self.predicate(turn, predicate, lane)?);
            }
        }
        let Some(state) = self.ctas[turn.cta].barriers.get_mut(index as usize) else {
            return self.fault(turn, &format!("barrier {index} does not exist"));
        };
        if state.open && state.expected != expected {
            let message = format!("barrier {index} is used with different thread counts");
            return self.fault(turn, &message);
        }
        state.open = true;
        state.expected = expected;
        state.arrived += turn.active.count_ones();
        state.holding += holding;
        if barrier.mode == BarrierMode::Arrive {
            // End the time slice, so that waiting threads are released.
            return Ok(Flow::Pause);
        }
        Ok(Flow::Wait(Wait::Barrier(index)))
    }

    /// Threads of a CTA that have not ended.
    fn threads(&self, cta: usize) -> u32 {
        let warps = self.ctas[cta].warps.iter();
        warps
            .map(|warp| (warp.lanes & !warp.ended).count_ones())
            .sum()
    }

    /// Releases the barriers of a CTA at which all threads have arrived.
    pub(super) fn release_barriers(&mut self, cta: usize) -> Result<(), Fault> {
        for index in 0..self.ctas[cta].barriers.len() {
            let state = &self.ctas[cta].barriers[index];
            if !state.open {
                continue;
            }
            let expected = state.expected.unwrap_or_else(|| self.threads(cta));
            if state.arrived < expected {
                continue;
            }
            if state.arrived > expected {
                let message = format!(
                    "barrier {index} expects {expected} threads, but {} have arrived",
                    state.arrived
                );
                return Err(Fault::plain(&message));
            }
            let state = std::mem::take(&mut self.ctas[cta].barriers[index]);
            self.release(cta, index as u32, &state, expected);
        }
        Ok(())
    }

    fn release(&mut self, cta: usize, index: u32, state: &BarrierState, expected: u32) {
        let kernel = self.kernel;
        for warp in &mut self.ctas[cta].warps {
            for number in 0..warp.paths.len() {
                if warp.paths[number].wait != Wait::Barrier(index) {
                    continue;
                }
                let path = &mut warp.paths[number];
                path.wait = Wait::Ready;
                let (pc, mask, frame) = (path.pc, path.mask, path.frame);
                path.pc += 1;
                let Some(frame) = warp.frame(frame) else {
                    continue;
                };
                let instruction = &kernel.functions[frame.function].instructions[pc];
                let super::action::Action::Barrier(barrier) = &instruction.action else {
                    continue;
                };
                let reduced = match barrier.reduction {
                    None => continue,
                    Some(BarrierReduction::Popc) => state.holding,
                    Some(BarrierReduction::And) => u32::from(state.holding == expected),
                    Some(BarrierReduction::Or) => u32::from(state.holding > 0),
                };
                for lane in lanes(mask) {
                    let slot = instruction.results[0];
                    frame.registers.set_bits(slot, lane, Some(reduced.into()));
                }
            }
        }
    }

    /// Waits for lanes of the warp: those of a mask, or all existing ones.
    pub(super) fn gather(
        &mut self,
        turn: &mut Turn<'_>,
        mask: Option<usize>,
        barrier: bool,
    ) -> Result<Flow, Fault> {
        self.split_inactive(turn);
        let warp = &self.ctas[turn.cta].warps[turn.warp];
        let mut wanted = warp.lanes;
        if let Some(operand) = mask {
            wanted = 0;
            for lane in lanes(turn.active) {
                let mask = self.value(turn, operand, lane, "the lane mask")? as u32;
                wanted |= mask;
            }
        }
        if !barrier && turn.active & !wanted != 0 {
            let message = format!(
                "the mask {wanted:#010x} does not include all active lanes {:#010x}",
                turn.active
            );
            return self.fault(turn, &message);
        }
        Ok(Flow::Wait(Wait::Lanes(wanted)))
    }

    /// Resumes paths once all their awaited lanes are at the same instruction.
    pub(super) fn meet(&mut self, cta: usize, warp: usize) {
        let warp = &mut self.ctas[cta].warps[warp];
        while let Some((frame, pc, wanted)) = complete_place(warp) {
            join(&mut warp.paths, |path| {
                // Lanes of another convergence barrier may wait at the same instruction.
                let together =
                    path.mask & !wanted == 0 || !matches!(path.wait, Wait::Convergence(_));
                path.frame == frame && path.pc == pc && together && waits_for_lanes(path)
            });
        }
    }

    /// The error of a launch in which no path can continue.
    pub(super) fn deadlock(&mut self) -> Fault {
        /// The maximum number of waits listed in a message.
        const TOLD: usize = 8;
        let context = self.kernel.context;
        let mut first = None;
        let mut told = Vec::new();
        for cta in &mut self.ctas {
            let id = cta.id;
            for warp in &mut cta.warps {
                for path in warp.paths.clone() {
                    let Some(frame) = warp.frame(path.frame) else {
                        continue;
                    };
                    let function = &self.kernel.functions[frame.function];
                    let op = function.instructions[path.pc].op;
                    first.get_or_insert(op);
                    let what = match path.wait {
                        Wait::Barrier(index) => {
                            let arrived = cta.barriers[index as usize].arrived;
                            format!("for barrier {index}, at which {arrived} threads have arrived")
                        }
                        Wait::Convergence(barrier) => {
                            format!("for the lanes {:#010x}", awaited(warp, &path, barrier))
                        }
                        Wait::Lanes(mask) => format!("for the lanes {mask:#010x}"),
                        Wait::Phase { address, parity } => format!(
                            "for phase {} of the mbarrier at {address:#x}",
                            u8::from(parity)
                        ),
                        Wait::Cluster => "for the cluster barrier".to_owned(),
                        Wait::Columns => "for columns of tensor memory".to_owned(),
                        Wait::Ready => "for nothing".to_owned(),
                    };
                    told.push(format!(
                        "lanes {:#010x} of warp {} of CTA {id:?} wait {what}",
                        path.mask, warp.number
                    ));
                }
            }
        }
        let more = told.len().saturating_sub(TOLD);
        told.truncate(TOLD);
        let mut message = format!("deadlock: no warp can make progress: {}", told.join("; "));
        if more > 0 {
            message.push_str(&format!("; and {more} more"));
        }
        match first {
            Some(op) => Fault::at(context, op, &message),
            None => Fault::plain(&message),
        }
    }
}

fn waits_for_lanes(path: &Path) -> bool {
    matches!(path.wait, Wait::Lanes(_) | Wait::Convergence(_))
}

/// A location at which all lanes have arrived that a path there waits for, and these lanes.
fn complete_place(warp: &Warp) -> Option<(usize, usize, u32)> {
    let all = warp.paths.iter();
    let complete = all.filter_map(|path| match path.wait {
        Wait::Lanes(wanted) => Some((path, wanted)),
        Wait::Convergence(barrier) => Some((path, awaited(warp, path, barrier))),
        _ => None,
    });
    let mut complete = complete.filter(|(path, wanted)| {
        let here = warp.paths.iter().filter(|other| {
            (other.frame, other.pc) == (path.frame, path.pc) && waits_for_lanes(other)
        });
        let lanes = here.fold(0, |mask, other| mask | other.mask);
        wanted & !warp.ended & !lanes == 0
    });
    complete
        .next()
        .map(|(path, wanted)| (path.frame, path.pc, wanted))
}

/// Resumes the paths at one location; those with the same meetings are merged.
fn join(paths: &mut Vec<Path>, here: impl Fn(&Path) -> bool) {
    let (gone, mut rest): (Vec<_>, Vec<_>) = std::mem::take(paths).into_iter().partition(here);
    let others = rest.len();
    for mut path in gone {
        // Lanes of another convergence barrier may continue from the same place.
        let first = match path.wait {
            Wait::Convergence(_) => others,
            _ => 0,
        };
        path.wait = Wait::Ready;
        path.pc += 1;
        let same = rest[first..].iter_mut().find(|other| {
            other.wait == Wait::Ready
                && (other.frame, other.pc) == (path.frame, path.pc)
                && other.meetings == path.meetings
        });
        match same {
            Some(other) => other.mask |= path.mask,
            None => rest.push(path),
        }
    }
    *paths = rest;
}
