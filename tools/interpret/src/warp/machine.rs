//! A launch in progress: resident CTAs, and the scheduling of paths.

use super::Fault;
use super::bulks::Bulk;
use super::kernel::{Kernel, Launch, Statistics};
use super::mbarriers::{Mbarriers, PendingArrival};
use super::memory::{Bytes, GlobalMemory};
use super::paths::{Frame, Path, Wait, Warp};
use super::program::{Function, Instruction};
use super::registers::{LANES, Registers};
use super::stack::{Places, Stack};
use super::synchronize::BarrierState;
use super::tensor_memory::TensorMemory;
use crate::tile::Random;

/// Instructions that a path runs before another is scheduled.
const TURN: usize = 64;

/// The maximum number of resident CTAs; the others begin as these end.
const RESIDENT: usize = 8;

/// Hardware barriers of a CTA.
const BARRIERS: usize = 16;

/// A resident CTA.
#[derive(Debug)]
pub(super) struct Cta {
    pub(super) id: [u32; 3],
    /// Its rank in its cluster, and the size of the cluster.
    pub(super) rank: u32,
    pub(super) cluster: u32,
    /// Whether all threads have ended.
    pub(super) ended: bool,
    pub(super) shared: Bytes,
    pub(super) warps: Vec<Warp>,
    /// Local memory of each thread.
    pub(super) stacks: Vec<Stack>,
    pub(super) barriers: Vec<BarrierState>,
    pub(super) mbarriers: Mbarriers,
    /// Bulk copies in flight.
    pub(super) bulks: Vec<Bulk>,
    /// Arrivals at mbarriers that are pending until copies complete.
    pub(super) arrivals: Vec<PendingArrival>,
    pub(super) tensor: TensorMemory,
}

/// The coordinates of a linear index in these extents, the first dimension fastest.
fn places(number: u64, extents: [u64; 3]) -> [u32; 3] {
    let [x, y, _] = extents;
    let all = [number % x, number / x % y, number / (x * y)];
    all.map(|part| part as u32)
}

/// How a path continues after an instruction.
pub(super) enum Flow {
    /// At the next instruction.
    Next,
    /// At the beginning of a block.
    Block(usize),
    /// At another location, already recorded; or not at all.
    Left,
    /// It waits at this instruction.
    Wait(Wait),
    /// At the next instruction, after other paths.
    Pause,
}

/// A launch in progress.
#[derive(Debug)]
pub(super) struct Machine<'k, 'c> {
    pub(super) kernel: &'k Kernel<'c>,
    pub(super) memory: &'k mut GlobalMemory,
    pub(super) launch: &'k Launch,
    pub(super) banks: Vec<Bytes>,
    pub(super) ctas: Vec<Cta>,
    /// CTAs of a cluster, by dimension.
    cluster: [u32; 3],
    /// The index of the next cluster.
    next_cluster: u64,
    pub(super) random: Random,
    pub(super) statistics: Statistics,
}

/// The context of an instruction: CTA, warp, and the lanes of the path.
pub(super) struct Turn<'t> {
    pub(super) instruction: &'t Instruction,
    /// Index of the CTA among the resident ones.
    pub(super) cta: usize,
    /// Index of the warp in its CTA.
    pub(super) warp: usize,
    pub(super) path: &'t mut Path,
    /// Lanes of the path whose guard holds.
    pub(super) active: u32,
}

impl<'k, 'c> Machine<'k, 'c> {
    pub(super) fn new(
        kernel: &'k Kernel<'c>,
        memory: &'k mut GlobalMemory,
        launch: &'k Launch,
        cluster: [u32; 3],
    ) -> Self {
        Machine {
            kernel,
            memory,
            launch,
            banks: kernel.banks(launch, cluster),
            ctas: Vec::new(),
            cluster,
            next_cluster: 0,
            random: Random::new(launch.seed),
            statistics: Statistics::default(),
        }
    }

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
        let mut stacks = vec![Stack::new(); threads];
        let warps = (0..threads.div_ceil(LANES)).map(|number| {
            let lanes = (threads - LANES * number).min(LANES);
            let mask = u32::MAX >> (LANES - lanes);
            let mut frame = self.frame(self.kernel.entry.function);
            for lane in super::registers::lanes(mask) {
                let stack = &mut stacks[LANES * number + lane];
                // The verifier has checked that a frame fits local memory.
                let _ = frame.places.enter(entry, stack, lane);
            }
            Warp::new(number, mask, frame)
        });
        let warps = warps.collect();
        Cta {
            id,
            rank,
            cluster,
            ended: false,
            shared: Bytes::undefined(self.kernel.static_shared() + self.launch.dynamic_shared),
            warps,
            stacks,
            barriers: vec![BarrierState::default(); BARRIERS],
            mbarriers: Mbarriers::new(),
            bulks: Vec::new(),
            arrivals: Vec::new(),
            tensor: TensorMemory::default(),
        }
    }

    /// The frame of a call of a function.
    pub(super) fn frame(&self, function: usize) -> Frame {
        Frame {
            function,
            registers: Registers::new(self.kernel.functions[function].words),
            places: Places::default(),
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
        for _ in 0..TURN {
            let frame = self.ctas[cta].warps[warp].frame(path.frame);
            let Some(frame) = frame else { break };
            let function = &kernel.functions[frame.function];
            let instruction = &function.instructions[path.pc];
            match self.step(instruction, cta, warp, &mut path)? {
                Flow::Next => path.pc += 1,
                Flow::Block(block) => {
                    path = match self.enter(function, cta, warp, path, block) {
                        Some(path) => path,
                        None => return self.settle(cta, warp),
                    };
                }
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

    /// Continues at a block, unless lanes of the path reconverge there with lanes that have not
    /// arrived.
    pub(super) fn enter(
        &mut self,
        function: &Function,
        cta: usize,
        warp: usize,
        mut path: Path,
        block: usize,
    ) -> Option<Path> {
        use super::paths::Place;
        let warp = &mut self.ctas[cta].warps[warp];
        loop {
            path.pc = function.blocks[block].start;
            let here = Place::Block {
                frame: path.frame,
                block,
            };
            let innermost = path.meetings.last().copied();
            match innermost {
                Some(number) if warp.meetings[number].place == here => {
                    path = warp.arrive(&path, number)?;
                }
                _ => return Some(path),
            }
        }
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
            let unknown = super::registers::lanes(path.mask)
                .filter(|lane| row.undefined[*lane] & 1 != 0)
                .fold(0, |unknown, lane| unknown | 1 << lane);
            if unknown != 0 && !instruction.is_speculatable {
                return Err(Fault::at(context, instruction.op, "has an undefined guard"));
            }
            for lane in super::registers::lanes(path.mask) {
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
                for lane in super::registers::lanes(undefined) {
                    registers.set_bits(*result, lane, None);
                }
            }
            if active == 0 {
                return Ok(Flow::Next);
            }
        }
        self.statistics.lane_instructions += u64::from(active.count_ones());
        let mut turn = Turn {
            instruction,
            cta,
            warp,
            path,
            active,
        };
        self.execute(&mut turn)
    }

    /// The registers of the current call of a path.
    pub(super) fn registers(&mut self, turn: &Turn<'_>) -> Result<&mut Registers, Fault> {
        let context = self.kernel.context;
        let warp = &mut self.ctas[turn.cta].warps[turn.warp];
        match warp.frame(turn.path.frame) {
            Some(frame) => Ok(&mut frame.registers),
            None => Err(Fault::at(
                context,
                turn.instruction.op,
                "is executed without a call frame",
            )),
        }
    }

    /// An error at the current operation.
    pub(super) fn fault<T>(&self, turn: &Turn<'_>, message: &str) -> Result<T, Fault> {
        Err(Fault::at(self.kernel.context, turn.instruction.op, message))
    }

    /// The bits of an operand in a lane; an error if it is undefined.
    pub(super) fn value(
        &mut self,
        turn: &Turn<'_>,
        operand: usize,
        lane: usize,
        what: &str,
    ) -> Result<u128, Fault> {
        let slot = turn.instruction.operands[operand].slot;
        match self.registers(turn)?.bits(slot, lane) {
            Some(bits) => Ok(bits),
            None => {
                let message = format!("{what} is undefined in lane {lane}");
                self.fault(turn, &message)
            }
        }
    }

    /// A predicate operand in a lane, with its inversion applied.
    pub(super) fn predicate(
        &mut self,
        turn: &Turn<'_>,
        operand: usize,
        lane: usize,
    ) -> Result<bool, Fault> {
        let inverted = turn.instruction.operands[operand].inverted;
        let bit = self.value(turn, operand, lane, "a predicate")?;
        Ok((bit & 1 == 1) != inverted)
    }
}
