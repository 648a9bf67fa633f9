//! Where the most general registers of each block are live, and which of them are live through that place.

use orison_ir::Context;
use orison_ir::analyses::ControlFlowGraph;
use orison_ori::analyses::RegisterClass;
use orison_ori::operations::Call;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::ori::allocate_registers::live::Live;
use crate::ori::allocate_registers::units::{Instruction, Program, UnitId, is_unit};

/// The place of a block at which the most general registers are live.
#[derive(Clone, Debug, Default)]
pub(super) struct Peak {
    /// The live registers.
    pub registers: u32,
    /// The instruction.
    pub at: u32,
    /// The units that are live in front of it and behind it.
    pub through: Vec<UnitId>,
}

/// The peaks of all blocks.
#[derive(Debug, Default)]
pub(super) struct Profile {
    pub blocks: Vec<Peak>,
}

impl Profile {
    /// Computes it; callees need so many registers. Linear in the program and in the sets of live units.
    pub fn of(
        context: &Context,
        scope: (&Program, &Live),
        flow: &ControlFlowGraph,
        callees: &FxHashMap<String, u32>,
    ) -> Self {
        let mut blocks = vec![Peak::default(); flow.block_count()];
        for number in flow.reverse_post_order().iter().copied() {
            let needed = |found: &Instruction| {
                let callee = Call::of(context, found.op)?.callee(context)?;
                callees.get(callee.as_symbol(context)?).copied()
            };
            blocks[number as usize] = peak(scope, number, needed);
        }
        Profile { blocks }
    }

    /// The most live registers.
    pub fn peak(&self) -> u32 {
        let blocks = self.blocks.iter();
        blocks.map(|block| block.registers).max().unwrap_or(0)
    }
}

/// The peak of a block, of which calls take as many registers as `needed` says.
fn peak(
    (program, live): (&Program, &Live),
    number: u32,
    needed: impl Fn(&Instruction) -> Option<u32>,
) -> Peak {
    let block = &program.blocks[number as usize];
    let counts = || Counts::at_start(program, live, number);
    let mut most = (0, block.instructions.start);
    let mut walk = counts();
    for at in block.instructions.clone() {
        let found = &program.instructions[at as usize];
        walk.read((program, live), found);
        let through = walk.count();
        walk.write(program, found);
        let registers = walk.count().max(through + needed(found).unwrap_or(0));
        if registers > most.0 {
            most = (registers, at);
        }
        walk.drop_unused((program, live), found);
    }
    let mut walk = counts();
    for at in block.instructions.start..most.1 {
        let found = &program.instructions[at as usize];
        walk.read((program, live), found);
        walk.write(program, found);
        walk.drop_unused((program, live), found);
    }
    if let Some(found) = program.instructions.get(most.1 as usize) {
        walk.read((program, live), found);
    }
    let mut through: Vec<UnitId> = walk.units.into_iter().collect();
    through.sort_unstable();
    Peak {
        registers: most.0,
        at: most.1,
        through,
    }
}

/// The live general registers at a place.
struct Counts {
    units: FxHashSet<UnitId>,
}

impl Counts {
    fn at_start(program: &Program, live: &Live, number: u32) -> Self {
        let block = &program.blocks[number as usize];
        let arguments = block.arguments.clone();
        let arguments = arguments.flat_map(|tuple| program.members(tuple));
        let all = live.ins[number as usize].iter().chain(arguments).copied();
        Counts {
            units: all.filter(|unit| is_general(program, *unit)).collect(),
        }
    }

    fn count(&self) -> u32 {
        u32::try_from(self.units.len()).unwrap_or(u32::MAX)
    }

    /// Removes what an instruction reads for the last time.
    fn read(&mut self, (program, live): (&Program, &Live), found: &Instruction) {
        for tuple in found.uses.clone() {
            for (index, unit) in program.members(tuple).iter().enumerate() {
                if is_unit(*unit) && live.is_last(tuple, index) {
                    self.units.remove(unit);
                }
            }
        }
    }

    fn write(&mut self, program: &Program, found: &Instruction) {
        let made = found.defs.clone();
        let made = made.flat_map(|tuple| program.members(tuple));
        let general = made.filter(|unit| is_general(program, **unit));
        self.units.extend(general.copied());
    }

    fn drop_unused(&mut self, (program, live): (&Program, &Live), found: &Instruction) {
        let made = found.defs.clone();
        for unit in made.flat_map(|tuple| program.members(tuple)) {
            let interval = live.intervals[*unit as usize];
            if interval.end == interval.start + 1 {
                self.units.remove(unit);
            }
        }
    }
}

fn is_general(program: &Program, unit: UnitId) -> bool {
    is_unit(unit) && program.units[unit as usize].class == RegisterClass::General
}
