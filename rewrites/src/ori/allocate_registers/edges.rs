//! The copies on edges: what a successor expects in other registers than where the predecessor left it.

use orison_ir::analyses::ControlFlowGraph;
use orison_ir::{Block, Context, Operation, Value};
use orison_ori::analyses::RegisterClass;
use rustc_hash::{FxHashMap, FxHashSet};

use super::assign::Assignment;
use super::live::Live;
use super::parallel_copy::Source;
use super::register_set::RegisterSet;
use super::units::{Passed, Program, UNDEFINED, UnitId, Way};
use crate::ori::surgery::split_edge;

/// A copy on an edge.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct EdgeCopy {
    /// The file.
    pub class: RegisterClass,
    /// The unit that is copied, if it is one.
    pub unit: UnitId,
    /// Where it is, or the part of a constant.
    pub from: Source<(Value, u32)>,
    /// The register that gets it.
    pub to: u8,
    /// The unit of an argument of the successor; `None` if the unit itself goes on living there.
    pub argument: Option<UnitId>,
}

/// An edge.
#[derive(Clone, Debug)]
pub struct EdgeCopies {
    /// The successor.
    pub to: u32,
    /// The branch to it, and which of its ways it is.
    pub branch: (Operation, usize),
    /// What is passed to the arguments of the successor, by their units.
    pub passed: FxHashMap<UnitId, Passed>,
    /// The copies.
    pub copies: Vec<EdgeCopy>,
    /// The units of arguments that get what lies in their registers already.
    in_place: FxHashSet<UnitId>,
    /// The block in which they are: the predecessor, or one on the edge.
    pub block: Block,
    /// Whether that block is on the edge.
    pub is_split: bool,
    /// A register of each class that holds nothing there, if there is one.
    pub spare: [Option<u8>; 5],
}

impl EdgeCopies {
    /// Whether what is passed to the unit of an argument lies where the argument is: it is neither
    /// copied nor undefined.
    pub fn is_in_place(&self, argument: UnitId) -> bool {
        self.in_place.contains(&argument)
    }
}

/// Finds the copies of all edges, by predecessor, and puts blocks on edges where copies in the
/// predecessor would be in the way of another successor. Linear in what is live on edges.
pub fn edges(
    context: &mut Context,
    flow: &ControlFlowGraph,
    (program, live, found): (&Program, &Live, &Assignment),
    usable: &[RegisterSet; 5],
) -> Vec<Vec<EdgeCopies>> {
    let mut all = vec![Vec::new(); program.blocks.len()];
    let arguments = argument_registers(program, found);
    for from in flow.reverse_post_order().iter().copied() {
        let block = flow.block(from);
        let Some(branch) = block.terminator(context) else {
            continue;
        };
        let finder = Finder::of((program, live, found), &arguments, from as usize);
        let ways = &program.blocks[from as usize].ways;
        let mut is_taken = false;
        for (number, way) in ways.iter().enumerate() {
            let (copies, in_place) = finder.copies(way);
            let is_split = ways.len() > 1
                && !copies.is_empty()
                && (is_taken || !finder.fits_in_front(ways, number, &copies));
            // Copies of one way only.
            is_taken |= !copies.is_empty();
            let mut edge = EdgeCopies {
                to: way.to,
                branch: (branch, number),
                passed: way.passed.iter().copied().collect(),
                spare: finder.spare(way, &copies, usable),
                copies,
                in_place,
                block,
                is_split: false,
            };
            if is_split
                && let Some(block) = split_edge(context, edge.branch)
                && let Some(branch) = block.terminator(context)
            {
                edge.branch = (branch, 0);
                edge.block = block;
                edge.is_split = true;
            }
            all[from as usize].push(edge);
        }
    }
    all
}

/// The number of copies on the edges behind each block, without those of constants: these are there whatever the registers
/// are. Linear in what is live on edges.
pub fn counts(
    (program, live, found): (&Program, &Live, &Assignment),
) -> impl Iterator<Item = usize> {
    let arguments = argument_registers(program, found);
    program
        .blocks
        .iter()
        .enumerate()
        .map(move |(number, block)| {
            let finder = Finder::of((program, live, found), &arguments, number);
            let copies = block.ways.iter().flat_map(|way| finder.copies(way).0);
            let is_moved = |copy: &EdgeCopy| matches!(copy.from, Source::Register(_));
            copies.filter(is_moved).count()
        })
}

/// The registers of the units of arguments.
fn argument_registers(program: &Program, found: &Assignment) -> FxHashMap<UnitId, u8> {
    let mut registers = FxHashMap::default();
    for tuple in program
        .blocks
        .iter()
        .flat_map(|block| block.arguments.clone())
    {
        if let Some(first) = found.tuples[tuple as usize] {
            registers.extend(program.members(tuple).iter().copied().zip(first..));
        }
    }
    registers
}

struct Finder<'a> {
    program: &'a Program,
    live: &'a Live,
    found: &'a Assignment,
    arguments: &'a FxHashMap<UnitId, u8>,
    ends: FxHashMap<UnitId, u8>,
}

impl<'a> Finder<'a> {
    /// For the edges behind a block, by its number.
    fn of(
        (program, live, found): (&'a Program, &'a Live, &'a Assignment),
        arguments: &'a FxHashMap<UnitId, u8>,
        block: usize,
    ) -> Self {
        Finder {
            program,
            live,
            found,
            arguments,
            ends: found.ends[block].iter().copied().collect(),
        }
    }

    fn copies(&self, way: &Way) -> (Vec<EdgeCopy>, FxHashSet<UnitId>) {
        let mut copies = Vec::new();
        let mut in_place = FxHashSet::default();
        let class = |unit: UnitId| self.program.units[unit as usize].class;
        for (unit, to) in &self.found.starts[way.to as usize] {
            if let Some(from) = self.ends.get(unit).filter(|from| *from != to) {
                copies.push(EdgeCopy {
                    class: class(*unit),
                    unit: *unit,
                    from: Source::Register(*from),
                    to: *to,
                    argument: None,
                });
            }
        }
        for (argument, passed) in &way.passed {
            let interval = self.live.intervals[*argument as usize];
            let (false, Some(to)) = (
                interval.end == interval.start + 1,
                self.arguments.get(argument),
            ) else {
                continue;
            };
            let (unit, from) = match *passed {
                Passed::Unit(unit) => match self.ends.get(&unit) {
                    Some(from) => (unit, Source::Register(*from)),
                    None => continue,
                },
                Passed::Constant(value, part) => (UNDEFINED, Source::Constant((value, part))),
            };
            if from == Source::Register(*to) {
                in_place.insert(*argument);
                continue;
            }
            copies.push(EdgeCopy {
                class: class(*argument),
                unit,
                from,
                to: *to,
                argument: Some(*argument),
            });
        }
        (copies, in_place)
    }

    /// Whether the copies of one of several ways can be in front of the branch: they change nothing that
    /// the branch or another way reads.
    fn fits_in_front(&self, ways: &[Way], number: usize, copies: &[EdgeCopy]) -> bool {
        if ways.len() > 2 || copies.iter().any(|copy| copy.argument.is_none()) {
            return false;
        }
        let class = |unit: UnitId| self.program.units[unit as usize].class;
        // What is live at the end for this way alone may go, unless the branch reads it: those units are
        // live at the end only if they are passed.
        let others = ways
            .iter()
            .enumerate()
            .filter(|(other, _)| *other != number);
        let mut kept: Vec<(RegisterClass, u8)> = Vec::new();
        for (_, way) in others {
            let live = self.live.ins[way.to as usize].iter().copied();
            let passed = way.passed.iter().filter_map(|(_, passed)| match passed {
                Passed::Unit(unit) => Some(*unit),
                Passed::Constant(..) => None,
            });
            for unit in live.chain(passed) {
                if let Some(register) = self.ends.get(&unit) {
                    kept.push((class(unit), *register));
                }
            }
        }
        copies.iter().all(|copy| {
            let is_word = copy.class == RegisterClass::General;
            is_word && !kept.contains(&(copy.class, copy.to))
        })
    }

    fn spare(&self, way: &Way, copies: &[EdgeCopy], usable: &[RegisterSet; 5]) -> [Option<u8>; 5] {
        let mut free = *usable;
        let class = |unit: UnitId| self.program.units[unit as usize].class as usize;
        for (unit, register) in &self.ends {
            free[class(*unit)].remove(u32::from(*register));
        }
        for (unit, register) in &self.found.starts[way.to as usize] {
            free[class(*unit)].remove(u32::from(*register));
        }
        for copy in copies {
            free[copy.class as usize].remove(u32::from(copy.to));
        }
        let used = self.found.used.map(RegisterSet::end);
        std::array::from_fn(|class| {
            let spare = free[class].iter().find(|register| *register < used[class]);
            spare.and_then(|register| u8::try_from(register).ok())
        })
    }
}
