//! A launch in progress: the resident CTAs, and what an instruction is given.

use super::Fault;
use super::kernel::{Kernel, Statistics};
use super::mbarrier::{Mbarriers, PendingArrival};
use super::memory::{Bytes, GlobalMemory};
use super::parameters::Launch;
use super::paths::{Frame, Path, Wait, Warp};
use super::program::{Function, Instruction};
use super::registers::Registers;
use super::stack::{Places, Stack};
use super::tensor_memory::TensorMemory;
use super::transfer::Bulk;
use crate::tile::Random;

/// A hardware barrier of a CTA.
#[derive(Clone, Debug, Default)]
pub(super) struct BarrierState {
    /// Threads that have arrived.
    pub(super) arrived: u32,
    /// The number of threads to wait for, if the instruction specifies it; all of the CTA
    /// otherwise.
    pub(super) expected: Option<u32>,
    /// Threads whose predicate holds.
    pub(super) holding: u32,
    /// Whether any thread is at the barrier.
    pub(super) open: bool,
}

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

/// How a path continues after an instruction.
pub(super) enum Flow {
    /// At the next instruction.
    Next,
    /// At the beginning of a block.
    Block(usize),
    /// At an instruction.
    Jump(usize),
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
    pub(super) cluster: [u32; 3],
    /// The index of the next cluster.
    pub(super) next_cluster: u64,
    pub(super) random: Random,
    pub(super) statistics: Statistics,
    /// The registers of a warp of machine code at its start.
    start: Option<Registers>,
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
        let banks = kernel.banks(launch, cluster);
        Machine {
            kernel,
            memory,
            launch,
            start: kernel.code.as_ref().map(|code| code.registers(&banks)),
            banks,
            ctas: Vec::new(),
            cluster,
            next_cluster: 0,
            random: Random::new(launch.seed),
            statistics: Statistics::default(),
        }
    }

    /// The frame of a call of a function.
    pub(super) fn frame(&self, function: usize) -> Frame {
        Frame {
            function,
            registers: match &self.start {
                Some(start) => start.clone(),
                None => Registers::new(self.kernel.functions[function].words),
            },
            places: Places::default(),
        }
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
