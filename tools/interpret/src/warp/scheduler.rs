//! The run of a launch: CTAs begin and end, and paths take turns.

use super::Fault;
use super::kernel::Statistics;
use super::machine::{BarrierState, Cta, Flow, Machine, Turn};
use super::mbarrier::Mbarriers;
use super::paths::{Path, Wait, Warp};
use super::program::Instruction;
use super::registers::{LANES, lanes};
use super::stack::Stack;
use super::tensor_memory::TensorMemory;

/// Instructions that a path runs before another is scheduled.
const TURN: usize = 64;

/// The maximum number of resident CTAs; the others begin as these end.
const RESIDENT: usize = 8;

/// Hardware barriers of a CTA.
const BARRIERS: usize = 16;

/// The coordinates of a linear index in these extents, the first dimension fastest.
fn places(number: u64, extents: [u64; 3]) -> [u32; 3] {
    let [x, y, _] = extents;
    let all = [number % x, number / x % y, number / (x * y)];
    all.map(|part| part as u32)
}

impl Machine<'_, '_> {
    /// Runs to the end.
    pub(super) fn run(mut self) -> Result<Statistics, Fault> {
        loop {
            self.admit();
            if self.ctas.is_empty() {
                return Ok(self.statistics);
            }
            self.advance(false)?;
            let Some((cta, warp, path)) = self.choose() else {
                if self.advance(true)? {
                    continue;
                }
                return Err(self.deadlock());
            };
            self.turn(cta, warp, path)?;
            let done = |cta: &Cta| cta.warps.iter().all(|warp| warp.paths.is_empty());
            if done(&self.ctas[cta]) {
                self.end_cta(cta)?;
            }
        }
    }

    /// Ends a CTA; if it was the last one of its cluster, frees the slots.
    fn end_cta(&mut self, cta: usize) -> Result<(), Fault> {
        // Pending writes still complete after the end.
        self.complete_all(cta)?;
        self.check_columns(cta)?;
        self.ctas[cta].ended = true;
        self.release_cluster(cta);
        let first = cta - self.ctas[cta].rank as usize;
        let all = first..first + self.ctas[cta].cluster as usize;
        if self.ctas[all.clone()].iter().all(|cta| cta.ended) {
            self.ctas.drain(all);
        }
        Ok(())
    }

    /// Begins clusters while slots are free: one of any size if nothing else is resident.
    fn admit(&mut self) {
        let extents = self.cluster;
        let counts = [0, 1, 2].map(|axis| u64::from(self.launch.grid[axis] / extents[axis]));
        let size: u32 = extents.iter().product();
        let all: u64 = counts.iter().product();
        while self.next_cluster < all
            && (self.ctas.is_empty() || self.ctas.len() + size as usize <= RESIDENT)
        {
            let first = places(self.next_cluster, counts);
            self.next_cluster += 1;
            for rank in 0..size {
                let within = places(rank.into(), extents.map(u64::from));
                let id = [0, 1, 2].map(|axis| first[axis] * extents[axis] + within[axis]);
                let cta = self.cta(id, rank, size);
                self.ctas.push(cta);
            }
        }
    }

    fn cta(&self, id: [u32; 3], rank: u32, cluster: u32) -> Cta {
        let threads: usize = self.launch.block.iter().map(|n| *n as usize).product();
        let entry = &self.kernel.functions[self.kernel.entry.function];
        let stack = match self.kernel.code {
            Some(_) => Stack::growing(),
            None => Stack::new(),
        };
        let mut stacks = vec![stack; threads];
        let warps = (0..threads.div_ceil(LANES)).map(|number| {
            let count = (threads - LANES * number).min(LANES);
            let mask = u32::MAX >> (LANES - count);
            let mut frame = self.frame(self.kernel.entry.function);
            for lane in lanes(mask) {
                let stack = &mut stacks[LANES * number + lane];
                // The verifier has checked that a frame fits local memory.
                let _ = frame.places.enter(entry, stack, lane);
            }
            Warp::new(number, mask, frame, self.kernel.entry.start)
        });
        let warps = warps.collect();
        Cta {
            id,
            rank,
            cluster,
            ended: false,
            shared: self.kernel.shared_memory(self.launch),
            warps,
            stacks,
            barriers: vec![BarrierState::default(); BARRIERS],
            mbarriers: Mbarriers::new(),
            bulks: Vec::new(),
            arrivals: Vec::new(),
            tensor: TensorMemory::default(),
        }
    }

    /// A random path that can continue.
    fn choose(&mut self) -> Option<(usize, usize, usize)> {
        for cta in 0..self.ctas.len() {
            if !self.ctas[cta].mbarriers.is_empty() {
                self.release_phases(cta);
            }
        }
        let mut ready = Vec::new();
        for (cta, state) in self.ctas.iter().enumerate() {
            for (warp, state) in state.warps.iter().enumerate() {
                for (path, state) in state.paths.iter().enumerate() {
                    if state.wait == Wait::Ready {
                        ready.push((cta, warp, path));
                    }
                }
            }
        }
        if ready.is_empty() {
            return None;
        }
        Some(ready[self.random.below(ready.len())])
    }

    /// Runs a path for a time slice.
    fn turn(&mut self, cta: usize, warp: usize, path: usize) -> Result<(), Fault> {
        let mut path = self.ctas[cta].warps[warp].paths.swap_remove(path);
        let kernel = self.kernel;
        // Lanes that have parted share uniform registers, and ptxas uses these between two branches: the
        // machine changes to other lanes only at branches and waits.
        let in_blocks = kernel.code.is_some();
        let mut count = 0;
        loop {
            count += 1;
            let frame = self.ctas[cta].warps[warp].frame(path.frame);
            let Some(frame) = frame else { break };
            let function = &kernel.functions[frame.function];
            let instruction = &function.instructions[path.pc];
            match self.step(instruction, cta, warp, &mut path)? {
                Flow::Next => {
                    path.pc += 1;
                    if in_blocks {
                        continue;
                    }
                }
                Flow::Block(block) => {
                    path = match self.enter(function, cta, warp, path, block) {
                        Some(path) => path,
                        None => return self.settle(cta, warp),
                    };
                }
                Flow::Jump(place) => path.pc = place,
                Flow::Left => return self.settle(cta, warp),
                Flow::Wait(wait) => {
                    path.wait = wait;
                    break;
                }
                Flow::Pause => {
                    path.pc += 1;
                    break;
                }
            }
            if count >= TURN {
                break;
            }
        }
        self.ctas[cta].warps[warp].paths.push(path);
        self.settle(cta, warp)
    }

    /// Resumes the paths that were waiting for the effects of a time slice.
    fn settle(&mut self, cta: usize, warp: usize) -> Result<(), Fault> {
        self.meet(cta, warp);
        if self.ctas[cta].cluster > 1 {
            self.release_cluster(cta);
        }
        self.release_barriers(cta)
    }

    fn step(
        &mut self,
        instruction: &Instruction,
        cta: usize,
        warp: usize,
        path: &mut Path,
    ) -> Result<Flow, Fault> {
        let context = self.kernel.context;
        self.statistics.instructions += 1;
        self.statistics.issued += u64::from(instruction.is_issued);
        if self.statistics.instructions > self.launch.step_limit {
            let message = format!(
                "did not finish within {} instructions",
                self.launch.step_limit
            );
            return Err(Fault::at(context, instruction.op, &message));
        }
        let mut active = path.mask;
        if let Some(guard) = instruction.guard {
            let frame = self.ctas[cta].warps[warp].frame(path.frame);
            let Some(frame) = frame else {
                return Ok(Flow::Left);
            };
            let registers = &mut frame.registers;
            let row = registers.row(guard.slot.first);
            let unknown = lanes(path.mask)
                .filter(|lane| row.undefined[*lane] & 1 != 0)
                .fold(0, |unknown, lane| unknown | 1 << lane);
            if unknown != 0 && !instruction.is_speculatable {
                return Err(Fault::at(context, instruction.op, "has an undefined guard"));
            }
            for lane in lanes(path.mask) {
                if (row.words[lane] & 1 == 1) == guard.inverted {
                    active &= !(1 << lane);
                }
            }
            active &= !unknown;
            let kept_out = path.mask & !active;
            for (number, result) in instruction.results.iter().enumerate() {
                let otherwise = instruction.otherwise.get(number);
                if let Some(otherwise) = otherwise {
                    registers.copy(*otherwise, *result, kept_out);
                }
                let undefined = if otherwise.is_some() {
                    unknown
                } else {
                    kept_out
                };
                for lane in lanes(undefined) {
                    registers.set_bits(*result, lane, None);
                }
            }
            if active == 0 {
                return Ok(Flow::Next);
            }
        }
        if instruction.once {
            active &= active.wrapping_neg();
        }
        self.statistics.lane_instructions += u64::from(active.count_ones());
        let mut turn = Turn {
            instruction,
            cta,
            warp,
            path,
            active,
        };
        let flow = self.execute(&mut turn);
        if !instruction.uniform_results.is_empty() {
            self.share_results(instruction, (cta, warp), active);
        }
        flow
    }

    /// Copies the results that all lanes share from a lane that executed an instruction.
    fn share_results(
        &mut self,
        instruction: &Instruction,
        (cta, warp): (usize, usize),
        active: u32,
    ) {
        let Some(frame) = self.ctas[cta].warps[warp].frame(0) else {
            return;
        };
        let lane = active.trailing_zeros() as usize;
        for slot in &instruction.uniform_results {
            for number in 0..slot.words {
                let mut row = frame.registers.row(slot.first + number);
                row.words = [row.words[lane]; LANES];
                row.undefined = [row.undefined[lane]; LANES];
                frame.registers.set_row(slot.first + number, &row, u32::MAX);
            }
        }
    }
}
