//! The list scheduler of the page: a priority byte, and a cascade of comparisons (seed 000, "Priority Function";
//! reference sections 4.3 to 4.6).
//!
//! Where the pages contradict themselves or each other:
//! - an instruction is free of stalls when it can issue now or earlier (C35);
//! - one that would need registers beyond the budget loses against one that does not: the page lets it win;
//! - of instructions that are equal in all else the first one of the program is taken: the page's order, written
//!   for a list in reverse, takes the larger slot.
//!
//! Bits 3 (same block) and 0 (barrier target) of the byte decide nothing in the cascade; they are left out.

mod batch;
mod byte;
mod candidates;
mod compare;
#[cfg(test)]
mod tests;

use super::{Phase, Settings, Strategy};
use crate::instructions::clock::Clock;
use crate::instructions::heights::heights;
use crate::instructions::narrow;
use crate::instructions::ready::ReadyList;
use crate::instructions::region::{Region, Temperature};
use crate::instructions::registers::{Pressure, RegisterClass};
use crate::instructions::resources::Unit;
use batch::Batch;
use candidates::{Candidate, Scan};
use compare::Comparison;

/// Of the candidates, the one that the cascade prefers.
pub(super) struct Priority;

impl Strategy for Priority {
    fn name(&self) -> &'static str {
        "priority"
    }

    fn spares_registers(&self) -> bool {
        true
    }

    fn order(&self, region: &Region<'_>, _: &[u32], settings: &Settings) -> Option<Vec<u32>> {
        if settings.priority.reverse {
            let mut order = Engine::new(&region.reversed(), settings).run();
            let last = narrow(region.len()) - 1;
            order.reverse();
            order.iter_mut().for_each(|node| *node = last - *node);
            return Some(order);
        }
        if settings.phase == Phase::ReduceReg {
            // Every instruction whose dependences were issued is a candidate: cycles do not count.
            let mut patient = region.without_latencies();
            patient.registers = region.registers.clone();
            return Some(Engine::new(&patient, settings).run());
        }
        Some(Engine::new(region, settings).run())
    }
}

/// Operations of variable latency that are issued one behind another ("spill mode" on the page).
#[derive(Debug, Default)]
struct Burst {
    /// How many are still to be issued; 0: none is in progress.
    left: usize,
    /// Ready operations at which a burst starts; `None` if it is to be found.
    threshold: Option<usize>,
    /// The longest stall of those that count for it, in cycles.
    tier: i64,
}

/// What is preferred while nothing of global memory was issued, and how many reads of constant banks end that.
#[derive(Debug)]
struct Heat {
    is_tracked: bool,
    cold_left: usize,
}

struct Engine<'r> {
    region: &'r Region<'r>,
    settings: &'r Settings,
    heights: Vec<i64>,
    clock: Clock<'r>,
    live: Pressure<'r>,
    ready: ReadyList<u32>,
    burst: Burst,
    heat: Heat,
    batch: Option<Batch>,
    order: Vec<u32>,
}

impl<'r> Engine<'r> {
    fn new(region: &'r Region<'r>, settings: &'r Settings) -> Self {
        let clock = Clock::new(region);
        let keys = (0..narrow(region.len())).collect();
        Engine {
            region,
            settings,
            heights: heights(region, None),
            live: Pressure::new(&region.registers),
            ready: ReadyList::new(region, &clock, keys),
            clock,
            burst: Burst::default(),
            heat: Heat {
                is_tracked: true,
                cold_left: settings.window,
            },
            batch: (settings.phase == Phase::DynBatch).then(|| Batch::new(region, settings)),
            order: Vec::with_capacity(region.len()),
        }
    }

    fn run(mut self) -> Vec<u32> {
        loop {
            let mut candidates = self.candidates();
            let scan = Scan::of(&candidates);
            self.find_threshold(&candidates, &scan);
            if let Some(batch) = &mut self.batch {
                batch.gather(self.region, &candidates, &self.live, self.settings);
            }
            for candidate in &mut candidates {
                candidate.byte = self.byte(candidate, &scan);
            }
            let comparison = Comparison {
                settings: self.settings,
                live: self.live.live(),
                limits: &self.region.registers.limits,
                scan: &scan,
            };
            let best = candidates
                .iter()
                .min_by(|one, other| comparison.compare(one, other))
                .copied();
            let Some(best) = best else {
                return self.order;
            };
            self.commit(&best, &scan, candidates.len());
        }
    }

    fn candidates(&mut self) -> Vec<Candidate> {
        let issuable = self.ready.candidates(&self.clock);
        let mut nodes: Vec<u32> = issuable.take(self.settings.window).collect();
        nodes.extend(self.ready.stalled(self.settings.priority.read_available));
        let all = nodes.into_iter().map(|node| self.candidate(node));
        all.collect()
    }

    fn candidate(&self, node: u32) -> Candidate {
        let found = &self.region.nodes[node as usize];
        let earliest = self.clock.earliest(node as usize);
        let priority = &self.settings.priority;
        let is_target = if priority.batches_textures {
            found.unit == Unit::Texture
        } else {
            self.region.is_variable(node as usize)
        };
        let waits = self.burst.left == 0 && found.temperature == Temperature::Hot;
        let delay = if waits { priority.load_delay } else { 0 };
        let class = self.region.model.class(found.class);
        Candidate {
            node,
            change: self.live.change(node as usize),
            earliest,
            stall: earliest - self.clock.now() + delay,
            is_target,
            queue: class.result_queue.filter(|_| is_target),
            temperature: found.temperature,
            unit: found.unit,
            event: found.event,
            height: self.heights[node as usize],
            contention: self.clock.contention(node as usize),
            issue: found.issue,
            byte: 0,
        }
    }

    /// The number of ready operations of variable latency at which a burst starts: enough tiers of equal stalls that
    /// the batch is full, or all (reference section 4.5).
    fn find_threshold(&mut self, candidates: &[Candidate], scan: &Scan) {
        if self.burst.threshold.is_some() || scan.targets == 0 {
            return;
        }
        let mut stalls: Vec<i64> = candidates
            .iter()
            .filter(|candidate| candidate.is_target)
            .map(|candidate| candidate.stall)
            .collect();
        stalls.sort_unstable();
        let mut counted = 0;
        for tier in stalls.chunk_by(|one, other| one == other) {
            counted += tier.len();
            self.burst.tier = tier[0];
            if counted >= self.settings.priority.batch {
                break;
            }
        }
        self.burst.threshold = Some(counted);
    }

    /// Issues a candidate, and notes what it means for what follows.
    fn commit(&mut self, best: &Candidate, scan: &Scan, ready: usize) {
        let general = RegisterClass::General as usize;
        let live = self.live.live()[general];
        let breaks = live + scan.grown > self.region.registers.limits[general];
        if best.is_target && self.burst.left == 0 {
            let threshold = self.burst.threshold.unwrap_or(scan.targets);
            self.burst.left = if breaks { threshold } else { scan.targets };
            self.burst.left = self.burst.left.min(self.settings.priority.batch.max(1));
        }
        self.burst.left = self.burst.left.saturating_sub(1);
        let ends = !best.is_target && live + best.change[general] > self.settings.careful_budget;
        if self.burst.left == 0 || ends {
            self.burst.left = 0;
            self.burst.threshold = None;
        }
        match best.temperature {
            Temperature::Cold => {
                self.heat.cold_left = self.heat.cold_left.saturating_sub(1);
                self.heat.is_tracked &= self.heat.cold_left > 0;
            }
            Temperature::Hot => self.heat.is_tracked = false,
            Temperature::Neutral => {}
        }
        if let Some(batch) = &mut self.batch {
            batch.issued(best, scan, ready, &self.live, self.settings);
        }
        self.clock.issue(best.node as usize);
        self.live.issue(best.node as usize);
        self.order.push(best.node);
        self.ready.issued(self.region, &self.clock, best.node);
    }
}
