//! The least distances between dependent instructions of listings.
//!
//! Only pairs on a path without taken branches count, with no wait between them and none at the later one: then
//! the sum of the stalls is what their author relied on. Nor do pairs count whose guards exclude each other.

use std::collections::BTreeMap;

use orison_sass::function::{BlockIndex, EdgeKind, Function};
use orison_sass::instruction::Flow;
use orison_sass::scheduled::Scheduled;
use rustc_hash::FxHashMap;

use super::instance::Instance;
use super::orders::{self, Orders, Scoreboards};
use super::walk::{Access, Accesses, Walk};
use crate::sass::facts::FunctionFacts;
use crate::sass::guards::Guards;
use crate::sass::latency::{Cell, ClassId, LatencyModel, Mechanism, TableFile};

/// The pairs of a sort.
#[derive(Clone, Debug, Default)]
pub struct Pairs {
    /// The least distance.
    pub least: u32,
    /// How many issue at it.
    pub at_least: usize,
    /// All pairs.
    pub all: usize,
    /// Some of those at the least distance.
    pub instances: Vec<Instance>,
}

/// The most instances that are kept for a sort of pairs.
const INSTANCES: usize = 40;

impl Pairs {
    fn add(&mut self, distance: u32, instance: impl FnOnce() -> Instance) {
        self.all += 1;
        if self.all == 1 || distance < self.least {
            self.least = distance;
            self.at_least = 0;
            self.instances.clear();
        }
        if distance == self.least {
            self.at_least += 1;
            if self.instances.len() < INSTANCES {
                let found = instance();
                if !self.instances.contains(&found) {
                    self.instances.push(found);
                }
            }
        }
    }

    /// Adds the pairs of another sort.
    fn join(&mut self, other: &Pairs) {
        let all = self.all + other.all;
        if self.all == 0 || other.least < self.least {
            *self = other.clone();
        } else if other.least == self.least {
            self.at_least += other.at_least;
            let left = INSTANCES.saturating_sub(self.instances.len());
            self.instances
                .extend(other.instances.iter().take(left).cloned());
        }
        self.all = all;
    }
}

/// A sort of dependent instructions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Sort {
    /// The cell that has their distance: it states the part of the result and the place of the
    /// operand.
    pub cell: Cell,
    /// The class of the producer, and that of the consumer.
    pub classes: [ClassId; 2],
}

/// What the listings of a machine show.
#[derive(Debug, Default)]
pub struct Measured {
    /// The pairs of each sort.
    pub sorts: FxHashMap<Sort, Pairs>,
    /// Which pairs wait for scoreboards, and which do not.
    pub orders: Orders,
    /// Which instructions arm scoreboards.
    pub scoreboards: Scoreboards,
    /// The number of instructions.
    pub instructions: usize,
}

impl Measured {
    /// The pairs of each cell: those of all classes that share it.
    pub fn cells(&self) -> BTreeMap<Cell, Pairs> {
        let mut sorts: Vec<_> = self.sorts.iter().collect();
        sorts.sort_by_key(|(sort, _)| **sort);
        let mut cells: BTreeMap<Cell, Pairs> = BTreeMap::new();
        for (sort, pairs) in sorts {
            cells.entry(sort.cell).or_default().join(pairs);
        }
        cells
    }
}

/// The accesses of a path that are not hidden by a wait.
#[derive(Default)]
struct Path {
    now: u32,
    writers: Accesses,
    readers: Accesses,
    armed: [Option<Access>; 6],
    guards: Guards,
    orders: orders::Block,
}

/// Adds the pairs of a function with these facts; `file` is the name of its listing.
pub fn function(
    all: &mut Measured,
    model: &LatencyModel,
    function: &Function<'_>,
    facts: &FunctionFacts,
    file: &str,
) {
    let code: Vec<&Scheduled<'_>> = function.instructions().collect();
    all.instructions += code.len();
    let walk = Walk {
        model,
        facts,
        code: &code,
        file,
        name: &function.name,
    };
    let mut state = Path::default();
    for block in 0..facts.block_count() {
        if !falls_into(function, block) {
            state = Path::default();
        }
        for number in facts.block(block) {
            walk.step(all, &mut state, number);
        }
    }
}

/// Whether control comes to a block from the one before it without a jump or a call.
fn falls_into(function: &Function<'_>, block: BlockIndex) -> bool {
    let Some(before) = block.checked_sub(1).map(|before| &function.blocks[before]) else {
        return false;
    };
    let mut edges = before.successors.iter();
    before.flow() != Some(Flow::Call)
        && edges.any(|edge| edge.to == block && edge.kind == EdgeKind::FallThrough)
}

impl Walk<'_> {
    fn step(&self, all: &mut Measured, state: &mut Path, number: usize) {
        let control = self.code[number].control;
        self.waits(all, state, number);
        if !control.wait.is_empty() || self.code[number].mnemonic.base() == "DEPBAR" {
            state.writers.clear();
            state.readers.clear();
        }
        self.reads(all, state, number);
        self.writes(all, state, number);
        self.record(state, number);
        let Path { orders, guards, .. } = state;
        all.scoreboards.add(self, number);
        self.order(&mut all.orders, orders, guards, number);
        let fact = self.facts.fact(number);
        let issued = u32::try_from(number).unwrap_or(u32::MAX);
        state.guards.issue(issued, fact.guard);
        state.guards.define(fact.predicates.as_deref());
        let stall = u32::from(control.stall.cycles());
        self.issue(all, number, stall);
        for barrier in control.armed().iter() {
            state.armed[usize::from(barrier.index())] = Some(Access {
                instruction: number,
                at: state.now,
                write: None,
            });
        }
        if stall == 0 {
            *state = Path::default();
        }
        state.now += stall;
    }

    fn add(&self, all: &mut Measured, cell: Cell, from: Access, now: u32, to: usize) {
        let class = |number: usize| self.facts.fact(number).class;
        let classes = [class(from.instruction), class(to)];
        let how = if cell == Cell::Arm { "armed " } else { "" };
        let pairs = all.sorts.entry(Sort { cell, classes }).or_default();
        pairs.add(now - from.at, || self.instance(from.instruction, to, how));
    }

    fn waits(&self, all: &mut Measured, state: &mut Path, number: usize) {
        for barrier in self.code[number].control.wait.iter() {
            if let Some(armed) = state.armed[usize::from(barrier.index())].take() {
                self.add(all, Cell::Arm, armed, state.now, number);
            }
        }
    }

    fn issue(&self, all: &mut Measured, number: usize, stall: u32) {
        let mnemonic = &self.code[number].mnemonic;
        let Some(opcode) = mnemonic.opcode() else {
            return;
        };
        if stall > 0 && self.model.issue_minimum(Some(opcode)) > 1 {
            let from = Walk::access(number);
            self.add(all, Cell::Issue(opcode), from, stall, number);
        }
    }

    fn reads(&self, all: &mut Measured, state: &Path, number: usize) {
        for read in self.facts.reads(number) {
            let file = read.register.file();
            for from in self.met(&state.guards, &state.writers, read.register, number) {
                if let Some(write) = from.write {
                    let cell = Cell::Read(file, write.column, read.row);
                    self.add(all, cell, from, state.now, number);
                }
            }
        }
    }

    fn writes(&self, all: &mut Measured, state: &Path, number: usize) {
        let model = self.model;
        let group = |number: usize| model.class(self.facts.fact(number).class).group;
        let second = group(number);
        for write in self.facts.writes(number) {
            let file = write.register.file();
            for from in self.met(&state.guards, &state.writers, write.register, number) {
                let cell = match (file, from.write) {
                    (TableFile::General | TableFile::Predicate, _) => {
                        let guarded = self.facts.fact(from.instruction).guarded;
                        Some(Cell::Overwrite(group(from.instruction), second, guarded))
                    }
                    (_, Some(before)) => Cell::of_uniform(model, file, before.column, write.column),
                    (_, None) => None,
                };
                if let Some(cell) = cell {
                    self.add(all, cell, from, state.now, number);
                }
            }
            for from in self.met(&state.guards, &state.readers, write.register, number) {
                let cell = Cell::Antidependence(group(from.instruction), second);
                self.add(all, cell, from, state.now, number);
            }
        }
    }

    fn record(&self, state: &mut Path, number: usize) {
        let fact = self.facts.fact(number);
        let mechanism = self.model.class(fact.class).mechanism;
        let timed = matches!(mechanism, Mechanism::Fixed | Mechanism::None);
        let at = state.now;
        let access = |write| Access {
            instruction: number,
            at,
            write,
        };
        for write in self.facts.writes(number) {
            if !fact.guarded {
                state.writers.remove(&write.register);
                state.readers.remove(&write.register);
            }
            if timed {
                let writers = state.writers.entry(write.register).or_default();
                writers.push(access(Some(*write)));
            }
        }
        for read in self.facts.reads(number) {
            let own = self.facts.writes(number).iter();
            let overwritten = own.clone().any(|write| write.register == read.register);
            let kept = !overwritten || fact.guarded;
            if timed && kept && read.register.file() == TableFile::General {
                let readers = state.readers.entry(read.register).or_default();
                readers.push(access(None));
            }
        }
    }
}
